/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the stage puts in, item by item: when, in which order, with which flags. The waits are those
 * of two nodes, n and m, below the resource a; expectations follow from analysis/stage.h. */
#include "../timeline/timeline-sample.h"
#include "analysis/stage.h"
#include "base/error.h"
#include "timeline/lanes.h"

#include <string.h>

struct chain {
	struct sample s;
	struct iot_stages *stages;
	GString *text;
	guint64 seq, fail_at;
};

static gboolean receive(gpointer data, const struct iot_item *item, GError **error)
{
	struct chain *chain = data;

	if (chain->fail_at && item->t1 >= chain->fail_at) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "disk full");
		return FALSE;
	}
	if (item->kind == IOT_ITEM_SAMPLE)
		g_string_append_printf(chain->text, "%d(%d)@%d ", (int)iot_sample_value(item),
				       (int)iot_sample_change(item), (int)item->t0);
	else if (item->row == chain->s.a)
		g_string_append_printf(chain->text, "%s%d:%d-%d/%x ",
				       item->kind == IOT_ITEM_SPAN_BEGIN ? "begin" : "span",
				       (int)item->attr[0].u, (int)item->t0, (int)item->t1,
				       item->flags);
	else
		g_string_append_printf(chain->text, "[%d] ", (int)item->t1);
	return TRUE;
}

static void chain_init(struct chain *chain)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	memset(chain, 0, sizeof(*chain));
	sample_init(&chain->s);
	iot_type_set_role(chain->s.tl, chain->s.node, IOT_ROLE_NODE);
	g_ptr_array_add(names, (gpointer) "contention");
	chain->stages = iot_stages_new(names, chain->s.tl);
	chain->text = g_string_new(NULL);
	iot_stages_connect(chain->stages, receive, chain);
}

static void chain_clear(struct chain *chain)
{
	iot_stages_free(chain->stages);
	iot_timeline_free(chain->s.tl);
	g_string_free(chain->text, TRUE);
}

/* A wait of a lane of a row: its begin if @t1 is 0. */
static void wait_of(struct chain *chain, iot_row_id row, guint lane, guint64 t0, guint64 t1,
		    guint flags)
{
	struct iot_item item = sample_span(&chain->s, chain->s.wait, row, t0);

	item.kind = t1 ? IOT_ITEM_SPAN : IOT_ITEM_SPAN_BEGIN;
	item.t1 = t1 ? t1 : t0;
	item.lane = (guint16)lane;
	item.flags = (guint16)flags;
	item.seq = chain->seq++;
	CU_ASSERT(iot_stages_item(chain->stages, &item, NULL));
}

static void expect(struct chain *chain, const char *text)
{
	CU_ASSERT(iot_stages_finish(chain->stages, NULL));
	CU_ASSERT_STRING_EQUAL(chain->text->str, text);
}

UNIT_TEST(states_are_put_in_when_their_instant_is_complete)
{
	struct chain c;

	chain_init(&c);
	wait_of(&c, c.s.n, 0, 10, 0, 0);
	wait_of(&c, c.s.m, 0, 20, 0, 0);
	wait_of(&c, c.s.n, 0, 10, 30, 0);
	wait_of(&c, c.s.m, 0, 20, 40, 0);
	expect(&c, "[10] begin1:10-10/0 1(1)@10 [20] span1:10-20/0 begin2:20-20/0 2(1)@20 "
		   "[30] span2:20-30/0 begin1:30-30/0 1(-1)@30 [40] span1:30-40/0 0(-1)@40 ");
	chain_clear(&c);
}

/* A hand-over at 20, and a wait that begins and ends at 30. */
UNIT_TEST(there_is_no_state_of_length_0)
{
	struct chain c;

	chain_init(&c);
	wait_of(&c, c.s.n, 0, 10, 0, 0);
	wait_of(&c, c.s.n, 0, 10, 20, 0);
	wait_of(&c, c.s.m, 0, 20, 0, 0);
	wait_of(&c, c.s.n, 0, 30, 0, 0);
	wait_of(&c, c.s.n, 0, 30, 30, 0);
	wait_of(&c, c.s.m, 0, 20, 40, 0);
	expect(&c, "[10] begin1:10-10/0 1(1)@10 [20] [20] [30] [30] [40] span1:10-40/0 0(-1)@40 ");
	chain_clear(&c);
}

UNIT_TEST(nested_waits_of_a_lane_are_one_waiter)
{
	struct chain c;

	chain_init(&c);
	wait_of(&c, c.s.n, 0, 10, 0, 0);
	wait_of(&c, c.s.n, 0, 20, 0, 0);
	wait_of(&c, c.s.n, 1, 25, 0, 0);
	wait_of(&c, c.s.n, 0, 20, 30, 0);
	wait_of(&c, c.s.n, 1, 25, 35, 0);
	wait_of(&c, c.s.n, 0, 10, 40, 0);
	expect(&c, "[10] begin1:10-10/0 1(1)@10 [20] [25] span1:10-25/0 begin2:25-25/0 2(1)@25 "
		   "[30] [35] span2:25-35/0 begin1:35-35/0 1(-1)@35 [40] span1:35-40/0 0(-1)@40 ");
	chain_clear(&c);
}

/* At the left edge the waits begin one by one: one state, CUT_LEFT if all its waits are. */
UNIT_TEST(edges_of_the_window_are_marked)
{
	struct chain c;

	chain_init(&c);
	wait_of(&c, c.s.n, 0, 10, 0, IOT_CUT_LEFT);
	wait_of(&c, c.s.m, 0, 10, 0, IOT_CUT_LEFT);
	wait_of(&c, c.s.n, 0, 10, 20, IOT_CUT_LEFT);
	wait_of(&c, c.s.m, 0, 10, 30, IOT_CUT_LEFT | IOT_CUT_RIGHT);
	expect(&c, "[10] [10] begin2:10-10/10 2(0)@10 [20] span2:10-20/10 begin1:20-20/0 1(-1)@20 "
		   "[30] span1:20-30/20 0(-1)@30 ");
	chain_clear(&c);
	chain_init(&c);
	wait_of(&c, c.s.n, 0, 10, 0, IOT_CUT_LEFT);
	wait_of(&c, c.s.m, 0, 10, 0, 0);
	wait_of(&c, c.s.n, 0, 10, 20, IOT_CUT_LEFT);
	wait_of(&c, c.s.m, 0, 10, 20, IOT_UNFINISHED);
	expect(&c, "[10] [10] begin2:10-10/0 2(2)@10 [20] [20] span2:10-20/1 0(-2)@20 ");
	chain_clear(&c);
}

/* What was put in stays; the wait counts from the present instant on, 30. */
UNIT_TEST(late_begins_change_nothing_before)
{
	struct chain c;

	chain_init(&c);
	wait_of(&c, c.s.n, 0, 20, 0, 0);
	wait_of(&c, c.s.n, 0, 20, 30, 0);
	wait_of(&c, c.s.m, 1, 10, 0, IOT_BEFORE);
	wait_of(&c, c.s.m, 1, 10, 40, IOT_BEFORE);
	CU_ASSERT_EQUAL(c.s.tl->stage_diag.count[IOT_DIAG_derived_late], 1);
	expect(&c, "[20] begin1:20-20/0 1(1)@20 [30] [10] [40] span1:20-40/0 0(-1)@40 ");
	chain_clear(&c);
}

/* Spans that nobody waits in, and spans whose calls are drawn elsewhere, too. */
UNIT_TEST(other_spans_do_not_count)
{
	struct chain c;
	struct iot_item item;

	chain_init(&c);
	item = sample_span(&c.s, c.s.hold, c.s.n, 10);
	item.kind = IOT_ITEM_SPAN_BEGIN;
	CU_ASSERT(iot_stages_item(c.stages, &item, NULL));
	iot_type_set_repeats(c.s.tl, c.s.span, c.s.span);
	wait_of(&c, c.s.n, 0, 20, 0, 0);
	wait_of(&c, c.s.n, 0, 20, 30, 0);
	expect(&c, "[10] [20] [30] ");
	chain_clear(&c);
}

UNIT_TEST(errors_of_outputs_end_the_run)
{
	struct chain c;
	struct iot_item item;
	g_autoptr(GError) error = NULL;

	chain_init(&c);
	wait_of(&c, c.s.n, 0, 10, 0, 0);
	c.fail_at = 10;
	item = sample_span(&c.s, c.s.wait, c.s.n, 10);
	item.t1 = 20;
	CU_ASSERT_FALSE(iot_stages_item(c.stages, &item, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_OUTPUT));
	chain_clear(&c);
}

/* Models get lane 1 and up on rows of the resource; rows of nodes are as before. */
UNIT_TEST(lane_0_is_reserved)
{
	struct chain c;

	chain_init(&c);
	CU_ASSERT_EQUAL(iot_lanes_assign(c.s.tl->lanes, c.s.a, 10, 20), 1);
	CU_ASSERT_EQUAL(iot_lanes_assign(c.s.tl->lanes, c.s.a, 15, 30), 2);
	CU_ASSERT_EQUAL(iot_lanes_assign(c.s.tl->lanes, c.s.a, 20, 30), 1);
	CU_ASSERT_EQUAL(iot_row_at(c.s.tl, c.s.a)->n_lanes, 3);
	CU_ASSERT_EQUAL(iot_lanes_assign(c.s.tl->lanes, c.s.n, 10, 20), 0);
	chain_clear(&c);
}

/* From 10 to 20 one waits, from 20 to 35 two, from 35 to 40 one. */
UNIT_TEST(the_table_has_the_sums)
{
	g_autoptr(iot_results) results = iot_results_new();
	const struct iot_result_table *table;
	const struct iot_result_row *row;
	static const guint64 sums[] = { 15, 30, 2, 20 };
	struct chain c;

	chain_init(&c);
	wait_of(&c, c.s.n, 0, 10, 0, 0);
	wait_of(&c, c.s.m, 0, 20, 0, 0);
	wait_of(&c, c.s.n, 0, 10, 35, 0);
	wait_of(&c, c.s.m, 0, 20, 40, 0);
	CU_ASSERT(iot_stages_finish(c.stages, NULL));
	iot_stages_publish(c.stages, results);
	table = iot_results_find(results, "contention");
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL_FATAL(table->rows->len, 1);
	row = iot_result_row_at(table, 0);
	CU_ASSERT_EQUAL(row->cells[0].number, c.s.a);
	for (guint i = 0; i < G_N_ELEMENTS(sums); i++)
		CU_ASSERT_EQUAL(row->cells[i + 1].number, sums[i]);
	CU_ASSERT_PTR_NULL(table->remark);
	chain_clear(&c);
}
