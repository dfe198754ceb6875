/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chains of wakers: equal ones have one number, long ones are cut, too many are counted. */
#include "unit.h"
#include "analysis/wakers.h"

enum { THREADS = 40, MAX_CHAINS = 65536 };

struct world {
	struct iot_timeline *tl;
	struct iot_wakers *wakers;
	iot_row_id row[THREADS];
};

static void setup(struct world *w)
{
	iot_type_id type;

	w->tl = iot_timeline_new();
	iot_timeline_type(w->tl, IOT_TYPE_ROW, "thread", "thread", 0, &type);
	for (guint i = 0; i < THREADS; i++) {
		g_autofree char *id = g_strdup_printf("%u", i + 1);
		g_autofree char *name = g_strdup_printf("t %u", i + 1);

		w->row[i] = iot_timeline_row(w->tl, type, 0, iot_intern_str(w->tl->strings, id),
					     iot_intern_str(w->tl->strings, name), NULL);
	}
	w->wakers = iot_wakers_new(w->tl);
}

static void teardown(struct world *w)
{
	iot_wakers_free(w->wakers);
	iot_timeline_free(w->tl);
}

static void check_name(const struct world *w, guint32 chain, guint most, const char *expected)
{
	g_autoptr(GString) name = g_string_new(NULL);

	iot_wakers_name(w->wakers, chain, most, name);
	CU_ASSERT_STRING_EQUAL(name->str, expected);
}

UNIT_TEST(wakers_have_names)
{
	struct world w;
	guint32 timer, a, b, many;

	setup(&w);
	timer = iot_wakers_interrupt(w.wakers, iot_intern_str(w.tl->strings, "hardirq"));
	a = iot_wakers_thread(w.wakers, w.row[0], timer);
	b = iot_wakers_thread(w.wakers, w.row[1], a);
	many = iot_wakers_thread(w.wakers, w.row[2], IOT_WAKERS_MANY);
	CU_ASSERT_EQUAL(iot_wakers_thread(w.wakers, w.row[1], a), b);
	CU_ASSERT_NOT_EQUAL(iot_wakers_thread(w.wakers, w.row[1], 0), b);
	check_name(&w, b, 3, "woken by t 2, woken by t 1, woken by an interrupt (hardirq)");
	check_name(&w, b, 1, "woken by t 2, and 2 more");
	check_name(&w, many, 3, "woken by t 3, woken by several");
	check_name(&w, IOT_WAKERS_MANY, 3, "woken by several");
	CU_ASSERT_EQUAL(iot_wakers_last_thread(w.wakers, b), w.row[0]);
	CU_ASSERT_EQUAL(iot_wakers_last(w.wakers, b), iot_wakers_at(w.wakers, timer));
	teardown(&w);
}

/* Thread i is woken by thread i - 1: what the last of sixteen waited for is not followed. */
UNIT_TEST(wakers_are_cut)
{
	struct world w;
	guint32 chain = 0;

	setup(&w);
	for (guint i = 0; i < THREADS; i++) {
		const struct iot_waker *waker;

		chain = iot_wakers_thread(w.wakers, w.row[i], chain);
		waker = iot_wakers_at(w.wakers, chain);
		CU_ASSERT_EQUAL(waker->n, MIN(i + 1, IOT_MAX_WAKERS));
		CU_ASSERT_EQUAL(waker->cut, i >= IOT_MAX_WAKERS);
		CU_ASSERT_EQUAL(waker->row, w.row[i]);
		CU_ASSERT_EQUAL(iot_wakers_last(w.wakers, chain)->row,
				w.row[i < IOT_MAX_WAKERS ? 0 : i + 1 - IOT_MAX_WAKERS]);
	}
	teardown(&w);
}

/* A chain of its own for each pair of threads and word; the first two numbers are no chains. */
UNIT_TEST(wakers_are_counted)
{
	struct world w;
	guint32 last = 0;

	setup(&w);
	for (guint i = 0; i < MAX_CHAINS + 1; i++) {
		g_autofree char *word = g_strdup_printf("w%u", i);

		last = iot_wakers_interrupt(w.wakers, iot_intern_str(w.tl->strings, word));
	}
	CU_ASSERT_EQUAL(last, IOT_WAKERS_MANY);
	CU_ASSERT_EQUAL(w.tl->stage_diag.count[IOT_DIAG_wakers_folded], 2 + 1);
	teardown(&w);
}
