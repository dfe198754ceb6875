/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "timeline-sample.h"
#include "timeline/resequence.h"

#include <stdlib.h>
#include <string.h>

enum { PLENTY = 1 << 28, TINY = 1 };

struct got {
	GArray *items;
	guint fail_at;	/* the item with this number is refused; 0: none */
};

static gboolean take(gpointer data, const struct iot_item *item, GError **error)
{
	struct got *got = data;

	if (got->fail_at && got->items->len + 1 == got->fail_at) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "enough");
		return FALSE;
	}
	g_array_append_val(got->items, *item);
	return TRUE;
}

static void got_init(struct got *got)
{
	got->items = g_array_new(FALSE, FALSE, sizeof(struct iot_item));
	got->fail_at = 0;
}

/* The seq numbers that have come so far, e.g. "2 0 1". */
static void check_order(const struct got *got, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < got->items->len; i++)
		g_string_append_printf(text, i ? " %u" : "%u",
				       (guint)g_array_index(got->items, struct iot_item, i).seq);
	if (strcmp(text->str, expected))
		fprintf(stderr, "got \"%s\", expected \"%s\"\n", text->str, expected);
	CU_ASSERT_STRING_EQUAL(text->str, expected);
}

static void push(struct iot_resequence *reseq, enum iot_item_kind kind, guint64 seq, guint64 t0,
		 guint64 t1)
{
	struct iot_item item = { .kind = (guint8)kind, .seq = seq, .t0 = t0, .t1 = t1 };

	CU_ASSERT(iot_resequence_push(reseq, &item, NULL));
}

UNIT_TEST(end_feed_is_by_end_then_number)
{
	struct got got;
	struct iot_resequence *reseq;

	got_init(&got);
	reseq = iot_resequence_new(PLENTY, take, &got);
	push(reseq, IOT_ITEM_SPAN, 0, 10, 50);
	push(reseq, IOT_ITEM_POINT, 1, 20, 20);
	push(reseq, IOT_ITEM_GAP, 2, 5, 30);
	push(reseq, IOT_ITEM_SPAN, 3, 30, 30);
	push(reseq, IOT_ITEM_SPAN, 5, 1, 20);
	push(reseq, IOT_ITEM_SPAN, 4, 2, 20);
	CU_ASSERT(iot_resequence_release(reseq, G_MAXUINT64, NULL));
	check_order(&got, "1 4 5 2 3 0");
	iot_resequence_free(reseq);
	g_array_unref(got.items);
}

UNIT_TEST(numbers_may_come_in_any_order)
{
	struct iot_resequence *reseq;
	struct got got;

	got_init(&got);
	reseq = iot_resequence_new(PLENTY, take, &got);
	push(reseq, IOT_ITEM_POINT, 5, 20, 20);
	push(reseq, IOT_ITEM_POINT, 3, 20, 20);
	push(reseq, IOT_ITEM_POINT, 4, 20, 20);
	push(reseq, IOT_ITEM_POINT, 6, 20, 20);
	push(reseq, IOT_ITEM_POINT, 2, 30, 30);
	push(reseq, IOT_ITEM_POINT, 1, 30, 30);
	CU_ASSERT(iot_resequence_release(reseq, G_MAXUINT64, NULL));
	check_order(&got, "3 4 5 6 1 2");
	iot_resequence_free(reseq);
	g_array_unref(got.items);
}

UNIT_TEST(time_feed_has_begins_at_their_begin)
{
	struct got got;
	struct iot_resequence *reseq;

	got_init(&got);
	reseq = iot_resequence_new(PLENTY, take, &got);
	push(reseq, IOT_ITEM_SPAN, 3, 10, 50);
	push(reseq, IOT_ITEM_SPAN, 2, 15, 40);
	push(reseq, IOT_ITEM_SPAN_BEGIN, 1, 15, 15);
	push(reseq, IOT_ITEM_SPAN_BEGIN, 0, 10, 10);
	push(reseq, IOT_ITEM_POINT, 4, 40, 40);
	CU_ASSERT(iot_resequence_release(reseq, G_MAXUINT64, NULL));
	check_order(&got, "0 1 2 4 3");
	iot_resequence_free(reseq);
	g_array_unref(got.items);
}

UNIT_TEST(what_is_at_the_watermark_waits)
{
	struct got got;
	struct iot_resequence *reseq;

	got_init(&got);
	reseq = iot_resequence_new(PLENTY, take, &got);
	push(reseq, IOT_ITEM_POINT, 0, 10, 10);
	push(reseq, IOT_ITEM_POINT, 1, 11, 11);
	push(reseq, IOT_ITEM_POINT, 2, G_MAXUINT64, G_MAXUINT64);
	CU_ASSERT(iot_resequence_release(reseq, 0, NULL));
	CU_ASSERT(iot_resequence_release(reseq, 10, NULL));
	check_order(&got, "");
	CU_ASSERT(iot_resequence_release(reseq, 11, NULL));
	check_order(&got, "0");
	/* a late item is still delivered before the waiting ones */
	push(reseq, IOT_ITEM_POINT, 3, 9, 9);
	CU_ASSERT(iot_resequence_release(reseq, G_MAXUINT64 - 1, NULL));
	check_order(&got, "0 3 1");
	CU_ASSERT(iot_resequence_release(reseq, G_MAXUINT64, NULL));
	check_order(&got, "0 3 1 2");
	iot_resequence_free(reseq);
	g_array_unref(got.items);
}

static int compare_items(const void *pa, const void *pb)
{
	const struct iot_item *a = pa, *b = pb;

	if (a->t1 != b->t1)
		return a->t1 < b->t1 ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

/* Random items in waves: what a wave brings is not before the last watermark. */
static GArray *run_waves(guint64 memory, guint64 *out_spilled, GArray *pushed)
{
	guint64 random = 99, floor = 0, seq = 0;
	struct iot_resequence *reseq;
	struct got got;

	got_init(&got);
	reseq = iot_resequence_new(memory, take, &got);
	for (guint wave = 0; wave < 60; wave++) {
		guint n = wave % 7 == 0 ? 500 : wave % 11;

		for (guint i = 0; i < n; i++) {
			struct iot_item item = { .kind = IOT_ITEM_SPAN };

			random = random * 6364136223846793005u + 1442695040888963407u;
			item.t1 = floor + (random >> 33) % 300;
			item.t0 = item.t1 / 2;
			item.seq = seq++;
			item.attr[7].u = random;
			g_array_append_val(pushed, item);
			CU_ASSERT(iot_resequence_push(reseq, &item, NULL));
		}
		floor += 40;
		CU_ASSERT(iot_resequence_release(reseq, floor, NULL));
	}
	CU_ASSERT(iot_resequence_release(reseq, G_MAXUINT64, NULL));
	*out_spilled = iot_resequence_spilled(reseq);
	iot_resequence_free(reseq);
	return got.items;
}

UNIT_TEST(spilling_changes_nothing)
{
	static const guint64 budgets[] = { PLENTY, TINY, 100 * sizeof(struct iot_item) };

	for (guint i = 0; i < G_N_ELEMENTS(budgets); i++) {
		g_autoptr(GArray) expected = g_array_new(FALSE, FALSE, sizeof(struct iot_item));
		guint64 spilled;
		g_autoptr(GArray) got = run_waves(budgets[i], &spilled, expected);

		g_array_sort(expected, compare_items);
		CU_ASSERT_EQUAL(got->len, expected->len);
		CU_ASSERT(got->len > 4000);
		CU_ASSERT(got->len == expected->len &&
			  !memcmp(got->data, expected->data, got->len * sizeof(struct iot_item)));
		CU_ASSERT_EQUAL(spilled > 0, budgets[i] != PLENTY);
	}
}

UNIT_TEST(error_of_the_receiver_ends_the_release)
{
	static const guint64 budgets[] = { PLENTY, TINY };

	for (guint i = 0; i < G_N_ELEMENTS(budgets); i++) {
		g_autoptr(GError) error = NULL;
		struct iot_resequence *reseq;
		struct got got;

		got_init(&got);
		got.fail_at = 3;
		reseq = iot_resequence_new(budgets[i], take, &got);
		for (guint seq = 0; seq < 100; seq++)
			push(reseq, IOT_ITEM_POINT, seq, 100 - seq, 100 - seq);
		CU_ASSERT_FALSE(iot_resequence_release(reseq, G_MAXUINT64, &error));
		CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_OUTPUT));
		check_order(&got, "99 98");
		iot_resequence_free(reseq);
		g_array_unref(got.items);
	}
	iot_resequence_free(NULL);
}

struct open {
	guint64 t, place;
};

static void push_whole(struct iot_resequence *reseq, GArray *pushed, struct open call, guint64 t1,
		       guint64 seq)
{
	struct iot_item item = { .kind = IOT_ITEM_SPAN_BEGIN, .flags = 1, .t0 = call.t,
				 .t1 = call.t, .seq = seq };

	g_array_append_val(pushed, item);
	item.kind = IOT_ITEM_SPAN;
	item.flags = 2;
	item.t1 = t1;
	item.seq++;
	g_array_append_val(pushed, item);
	CU_ASSERT(iot_resequence_push_whole(reseq, &item, 1, call.place, NULL));
}

/*
 * Calls that keep a place when they begin, some at the same instant, and bring none to three spans
 * when they end; some with the place of another call, or of none, some in another order.
 */
static GArray *run_calls(guint64 memory, guint64 *out_spilled, GArray *pushed)
{
	guint64 random = 7, now = 1, seq = 0;
	struct open open[32];
	guint first = 0, n = 0;
	struct iot_resequence *reseq;
	struct got got;

	got_init(&got);
	reseq = iot_resequence_new(memory, take, &got);
	for (guint step = 0; step < 5000 || n; step++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		now += (random >> 40) % 3;
		if (step < 5000 && n < G_N_ELEMENTS(open) && (random >> 33) % 2) {
			guint at = (first + n++) % G_N_ELEMENTS(open);

			open[at] = (struct open){ now, iot_resequence_reserve(reseq, now) };
		} else if (n) {
			/* one of the older half ends; its place in the list goes to the oldest */
			guint at = (first + (guint)(random >> 50) % (n / 2 + 1)) %
				   G_N_ELEMENTS(open);
			struct open call = open[at];

			if ((random >> 45) % 16 == 0)
				call.place = (random >> 20) % 4000;
			for (guint i = 0, spans = (random >> 36) % 4; i < spans; i++, seq += 2)
				push_whole(reseq, pushed, call,
					   MAX(now - i * ((random >> 39) % 2), call.t),
					   seq);
			g_array_set_size(pushed, pushed->len + 1);
			g_array_index(pushed, struct iot_item, pushed->len - 1) =
				(struct iot_item){ .kind = IOT_ITEM_POINT, .t0 = now, .t1 = now,
						   .seq = seq };
			push(reseq, IOT_ITEM_POINT, seq++, now, now);
			for (; at != first; at = (at + G_N_ELEMENTS(open) - 1) % G_N_ELEMENTS(open))
				open[at] = open[(at + G_N_ELEMENTS(open) - 1) % G_N_ELEMENTS(open)];
			first = (first + 1) % G_N_ELEMENTS(open);
			n--;
		}
		CU_ASSERT(iot_resequence_release(reseq, n ? open[first].t : now, NULL));
	}
	CU_ASSERT(iot_resequence_release(reseq, G_MAXUINT64, NULL));
	*out_spilled = iot_resequence_spilled(reseq);
	iot_resequence_free(reseq);
	return got.items;
}

static void check_calls(guint64 memory, gboolean spills)
{
	g_autoptr(GArray) pushed = g_array_new(FALSE, FALSE, sizeof(struct iot_item));
	guint64 spilled;
	g_autoptr(GArray) got = run_calls(memory, &spilled, pushed);

	CU_ASSERT_EQUAL(spilled > 0, spills);
	g_array_sort(pushed, compare_items);
	CU_ASSERT_EQUAL_FATAL(got->len, pushed->len);
	CU_ASSERT(!memcmp(got->data, pushed->data, got->len * sizeof(struct iot_item)));
}

UNIT_TEST(kept_places_change_no_order)
{
	check_calls(PLENTY, FALSE);
	check_calls(TINY, TRUE);
}

UNIT_TEST(numbers_may_come_in_any_order_at_one_place)
{
	struct iot_resequence *reseq;
	struct got got;
	guint64 place;

	got_init(&got);
	reseq = iot_resequence_new(PLENTY, take, &got);
	place = iot_resequence_reserve(reseq, 10);
	for (guint i = 0; i < 3; i++) {
		struct iot_item item = { .seq = i == 1 ? 3 : 6 + i, .t0 = 10, .t1 = 10 };

		CU_ASSERT(iot_resequence_push_whole(reseq, &item, 0, place, NULL));
	}
	CU_ASSERT(iot_resequence_release(reseq, G_MAXUINT64, NULL));
	check_order(&got, "2 3 5 6 7 8");
	iot_resequence_free(reseq);
	g_array_unref(got.items);
}

UNIT_TEST(an_empty_place_holds_nothing_up)
{
	struct iot_item span = { .seq = 1, .t0 = 20, .t1 = 40 };
	struct iot_resequence *reseq;
	struct got got;

	got_init(&got);
	reseq = iot_resequence_new(PLENTY, take, &got);
	push(reseq, IOT_ITEM_POINT, 2, 5, 5);
	iot_resequence_reserve(reseq, 10);
	CU_ASSERT(iot_resequence_push_whole(reseq, &span, 0, iot_resequence_reserve(reseq, 20),
					    NULL));
	CU_ASSERT(iot_resequence_release(reseq, 10, NULL));
	check_order(&got, "2");
	/* the call of 10 has ended, and was not drawn */
	CU_ASSERT(iot_resequence_release(reseq, 30, NULL));
	check_order(&got, "2 0");
	CU_ASSERT(iot_resequence_release(reseq, G_MAXUINT64, NULL));
	check_order(&got, "2 0 1");
	iot_resequence_free(reseq);
	g_array_unref(got.items);
}
