/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/stage-thread.h"
#include "base/error.h"
#include "unit.h"

/* More than the queue holds, so both threads wait for each other. */
enum { N_ITEMS = 200000, NODE = 7, OTHER = 8 };

struct receiver {
	struct iot_timeline *tl;
	guint64 n;		     /* items so far */
	guint64 fails_at;	     /* 0: never */
	guint64 unseen_at, other_at; /* items before the machine had a gap */
	gboolean in_order;
};

static gboolean receive(gpointer data, const struct iot_item *item, GError **error)
{
	struct receiver *to = data;

	to->in_order &= item->seq == to->n;
	to->n++;
	if (iot_timeline_unobserved(to->tl, NODE) == G_MAXUINT64)
		to->unseen_at = to->n;
	if (iot_timeline_unobserved(to->tl, OTHER) == G_MAXUINT64)
		to->other_at = to->n;
	if (to->n != to->fails_at)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "the disk is full");
	return FALSE;
}

static gboolean send(struct iot_stage_thread *thread, guint64 from, guint64 to, GError **error)
{
	for (guint64 seq = from; seq < to; seq++) {
		const struct iot_item item = { .seq = seq };

		if (!iot_stage_thread_item(thread, &item, error))
			return FALSE;
	}
	return TRUE;
}

UNIT_TEST(items_and_gaps_come_in_the_order_in_which_they_were_given)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	struct receiver to = { .tl = tl, .in_order = TRUE };
	struct iot_stage_thread *thread = iot_stage_thread_start(tl, receive, &to, NULL);

	CU_ASSERT(send(thread, 0, 100001, NULL));
	iot_stage_thread_unobserved(thread, NODE, 50);
	iot_stage_thread_unobserved(thread, OTHER, 60);
	CU_ASSERT(send(thread, 100001, N_ITEMS, NULL));
	CU_ASSERT(iot_stage_thread_finish(thread, NULL));
	CU_ASSERT_EQUAL(to.n, N_ITEMS);
	CU_ASSERT(to.in_order);
	CU_ASSERT_EQUAL(to.unseen_at, 100001);
	CU_ASSERT_EQUAL(to.other_at, 100001);
	CU_ASSERT_EQUAL(iot_timeline_unobserved(tl, NODE), 50);
	CU_ASSERT_EQUAL(iot_timeline_unobserved(tl, OTHER), 60);
	iot_stage_thread_free(thread);
}

UNIT_TEST(a_gap_after_the_last_item_is_known_at_the_end)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	struct receiver to = { .tl = tl, .in_order = TRUE };
	struct iot_stage_thread *thread = iot_stage_thread_start(tl, receive, &to, NULL);

	CU_ASSERT(send(thread, 0, 3, NULL));
	iot_stage_thread_unobserved(thread, NODE, 50);
	CU_ASSERT(iot_stage_thread_finish(thread, NULL));
	CU_ASSERT_EQUAL(to.unseen_at, 3);
	CU_ASSERT_EQUAL(iot_timeline_unobserved(tl, NODE), 50);
	iot_stage_thread_free(thread);
}

UNIT_TEST(the_error_of_the_thread_ends_the_sending)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	struct receiver to = { .tl = tl, .fails_at = 10 };
	struct iot_stage_thread *thread = iot_stage_thread_start(tl, receive, &to, NULL);
	g_autoptr(GError) error = NULL;

	CU_ASSERT_FALSE(send(thread, 0, N_ITEMS, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_OUTPUT));
	CU_ASSERT_EQUAL(to.n, 10);
	iot_stage_thread_free(thread);
}

UNIT_TEST(the_error_of_the_last_items_is_told_at_the_end)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	struct receiver to = { .tl = tl, .fails_at = 3 };
	struct iot_stage_thread *thread = iot_stage_thread_start(tl, receive, &to, NULL);
	g_autoptr(GError) error = NULL;

	CU_ASSERT(send(thread, 0, 5, NULL));
	CU_ASSERT_FALSE(iot_stage_thread_finish(thread, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_OUTPUT));
	iot_stage_thread_free(thread);
}

UNIT_TEST(a_run_that_ends_early_stops_the_thread)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	struct receiver to = { .tl = tl, .in_order = TRUE };
	struct iot_stage_thread *thread = iot_stage_thread_start(tl, receive, &to, NULL);

	CU_ASSERT(send(thread, 0, N_ITEMS / 2, NULL));
	iot_stage_thread_free(thread);
	CU_ASSERT(to.n <= N_ITEMS / 2);
	CU_ASSERT(to.in_order);
}
