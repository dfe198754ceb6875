/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline-sample.h"
#include "timeline/lanes.h"

#include <string.h>

UNIT_TEST(the_lowest_free_lane_is_taken)
{
	struct iot_lanes *lanes;
	struct sample s;

	sample_init(&s);
	lanes = iot_lanes_new(s.tl);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 0);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 1);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 2);
	iot_lanes_release(lanes, s.n, 1, 0);
	iot_lanes_release(lanes, s.n, 0, 0);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 0);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 1);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 3);
	CU_ASSERT_EQUAL(iot_row_at(s.tl, s.n)->n_lanes, 4);
	iot_lanes_free(lanes);
	iot_lanes_free(NULL);
	iot_timeline_free(s.tl);
}

UNIT_TEST(every_row_has_its_own_lanes)
{
	struct iot_lanes *lanes;
	struct sample s;

	sample_init(&s);
	lanes = iot_lanes_new(s.tl);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.h, 0), 0);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 0);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.h, 0), 1);
	CU_ASSERT_EQUAL(iot_row_at(s.tl, s.h)->n_lanes, 2);
	CU_ASSERT_EQUAL(iot_row_at(s.tl, s.n)->n_lanes, 1);
	CU_ASSERT_EQUAL(iot_row_at(s.tl, s.m)->n_lanes, 1);
	iot_lanes_free(lanes);
	iot_timeline_free(s.tl);
}

UNIT_TEST(an_unused_lane_is_above_all_that_were_used)
{
	struct iot_lanes *lanes;
	struct sample s;

	sample_init(&s);
	lanes = iot_lanes_new(s.tl);
	CU_ASSERT_EQUAL(iot_lanes_take_unused(lanes, s.n), 0);
	iot_lanes_release(lanes, s.n, 0, 0);
	CU_ASSERT_EQUAL(iot_lanes_take_unused(lanes, s.n), 1);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 0);
	iot_lanes_release(lanes, s.n, 1, 0);
	CU_ASSERT_EQUAL(iot_lanes_take_unused(lanes, s.n), 2);
	/* a released lane is free for spans that begin now */
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 1);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 3);
	iot_lanes_free(lanes);
	iot_timeline_free(s.tl);
}

/* Random taking and giving back, compared with a plain table. */
static void compare_with_table(guint n_max)
{
	g_autofree guint8 *busy = g_new0(guint8, n_max + 1);
	guint64 random = n_max;
	struct iot_lanes *lanes;
	struct sample s;
	guint ever = 0;

	sample_init(&s);
	lanes = iot_lanes_new(s.tl);
	for (guint step = 0; step < 20 * n_max; step++) {
		guint lowest = 0, lane;

		random = random * 6364136223846793005u + 1442695040888963407u;
		lane = (guint)(random >> 33) % n_max;
		/* first up to all lanes, then up and down */
		if (step > 2 * n_max && busy[lane]) {
			iot_lanes_release(lanes, s.n, (guint16)lane, 0);
			busy[lane] = 0;
			continue;
		}
		while (busy[lowest])
			lowest++;
		if (lowest == n_max)
			continue;
		CU_ASSERT_EQUAL_FATAL(iot_lanes_take(lanes, s.n, 0), lowest);
		busy[lowest] = 1;
		ever = MAX(ever, lowest + 1);
		CU_ASSERT_EQUAL(iot_row_at(s.tl, s.n)->n_lanes, ever);
	}
	CU_ASSERT_EQUAL(ever, n_max);
	iot_lanes_free(lanes);
	iot_timeline_free(s.tl);
}

UNIT_TEST(many_lanes)
{
	compare_with_table(1);
	compare_with_table(63);
	compare_with_table(64);
	compare_with_table(65);
	compare_with_table(128);
	compare_with_table(300);
}

UNIT_TEST(many_unused_lanes)
{
	struct iot_lanes *lanes;
	struct sample s;

	sample_init(&s);
	lanes = iot_lanes_new(s.tl);
	for (guint i = 0; i < 200; i++) {
		CU_ASSERT_EQUAL(iot_lanes_take_unused(lanes, s.n), i);
		if (i % 2)
			iot_lanes_release(lanes, s.n, (guint16)i, 0);
	}
	for (guint i = 1; i < 200; i += 2)
		CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), i);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 200);
	iot_lanes_free(lanes);
	iot_timeline_free(s.tl);
}

UNIT_TEST(the_last_lane_is_shared)
{
	struct iot_lanes *lanes;
	struct sample s;

	sample_init(&s);
	lanes = iot_lanes_new(s.tl);
	for (guint i = 0; i < 65535; i++)
		CU_ASSERT_EQUAL_FATAL(iot_lanes_take_unused(lanes, s.n), i);
	CU_ASSERT_EQUAL(s.tl->diag.count[IOT_DIAG_nest_violation], 0);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 65534);
	CU_ASSERT_EQUAL(iot_lanes_take_unused(lanes, s.n), 65534);
	CU_ASSERT_EQUAL(iot_row_at(s.tl, s.n)->n_lanes, 65535);
	CU_ASSERT_EQUAL(s.tl->diag.count[IOT_DIAG_nest_violation], 2);
	iot_lanes_release(lanes, s.n, 7, 0);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 0), 7);
	CU_ASSERT_EQUAL(s.tl->diag.count[IOT_DIAG_nest_violation], 2);
	iot_lanes_free(lanes);
	iot_timeline_free(s.tl);
}

UNIT_TEST(a_lane_that_was_drawn_on_is_used)
{
	struct iot_lanes *lanes;
	struct sample s;

	sample_init(&s);
	lanes = iot_lanes_new(s.tl);
	iot_lanes_mark_used(lanes, s.n, 10);
	CU_ASSERT_EQUAL(iot_row_at(s.tl, s.n)->n_lanes, 1);
	CU_ASSERT_EQUAL(iot_lanes_take_unused(lanes, s.n), 1);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 9), 2);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 10), 0);
	/* a lane that is taken stays taken */
	iot_lanes_mark_used(lanes, s.n, 20);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 30), 3);
	iot_lanes_release(lanes, s.n, 0, 25);
	iot_lanes_mark_used(lanes, s.n, 20);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 24), 4);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 25), 0);
	iot_lanes_free(lanes);
	iot_timeline_free(s.tl);
}

/* Events that waited are applied late: lanes are given back later than they are wanted. */
UNIT_TEST(a_lane_is_free_from_its_release_on)
{
	struct iot_lanes *lanes;
	struct sample s;

	sample_init(&s);
	lanes = iot_lanes_new(s.tl);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 10), 0);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 10), 1);
	iot_lanes_release(lanes, s.n, 0, 50);
	iot_lanes_release(lanes, s.n, 1, 40);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 39), 2);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 49), 1);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 50), 0);
	CU_ASSERT_EQUAL(iot_lanes_take(lanes, s.n, 50), 3);
	iot_lanes_free(lanes);
	iot_timeline_free(s.tl);
}

UNIT_TEST(completed_spans_take_lanes_like_open_ones)
{
	static const guint64 times[][2] = { { 10, 20 }, { 20, 30 }, { 15, 40 }, { 30, 30 },
					    { 25, 50 }, { 40, 45 }, { 42, 44 }, { 60, 61 } };
	static const guint16 lane[] = { 0, 0, 1, 0, 2, 0, 1, 0 };
	struct iot_lanes *lanes, *passed;
	struct sample s, t;

	sample_init(&s);
	sample_init(&t);
	lanes = iot_lanes_new(s.tl);
	passed = iot_lanes_new(t.tl);
	for (guint i = 0; i < G_N_ELEMENTS(times); i++) {
		guint16 taken = iot_lanes_take(lanes, s.n, times[i][0]);

		iot_lanes_release(lanes, s.n, taken, times[i][1]);
		CU_ASSERT_EQUAL(taken, lane[i]);
		CU_ASSERT_EQUAL(iot_lanes_assign(passed, t.n, times[i][0], times[i][1]), lane[i]);
	}
	/* lane 0 is in use, and never free again by what passes it */
	CU_ASSERT_EQUAL(iot_lanes_take(passed, t.n, 70), 0);
	CU_ASSERT_EQUAL(iot_lanes_assign(passed, t.n, 80, 90), 1);
	CU_ASSERT(iot_lanes_busy(passed, t.n, 0));
	CU_ASSERT_EQUAL(iot_row_at(t.tl, t.n)->n_lanes, iot_row_at(s.tl, s.n)->n_lanes);
	iot_lanes_free(lanes);
	iot_lanes_free(passed);
	iot_timeline_free(s.tl);
	iot_timeline_free(t.tl);
}
