/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bounds of a state on one row, by hand: its times are seen up to 100, and in a gap from there on.
 */
#include "../timeline/timeline-sample.h"
#include "analysis/stage.h"

struct chain {
	struct sample s;
	struct iot_stages *stages;
};

static gboolean receive(gpointer data, const struct iot_item *item, GError **error)
{
	(void)data;
	(void)item;
	(void)error;
	return TRUE;
}

static void chain_init(struct chain *chain)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	memset(chain, 0, sizeof(*chain));
	sample_init(&chain->s);
	iot_type_set_role(chain->s.tl, chain->s.node, IOT_ROLE_NODE);
	g_ptr_array_add(names, (gpointer) "bounds");
	chain->stages = iot_stages_new(names, chain->s.tl);
	iot_stages_connect(chain->stages, receive, chain);
}

/* A span of the only state: its begin if @t1 is 0. */
static void span(struct chain *chain, guint64 t0, guint64 t1, guint flags)
{
	struct iot_item item = sample_span(&chain->s, chain->s.wait, chain->s.n, t0);

	item.kind = t1 ? IOT_ITEM_SPAN : IOT_ITEM_SPAN_BEGIN;
	item.t1 = t1 ? t1 : t0;
	item.flags = (guint16)flags;
	CU_ASSERT(iot_stages_item(chain->stages, &item, NULL));
}

static void expect(struct chain *chain, guint64 least, guint64 most)
{
	g_autoptr(iot_results) results = iot_results_new();
	const struct iot_result_table *table;
	const struct iot_result_row *row;

	results->to_ns = 1000;
	CU_ASSERT(iot_stages_finish(chain->stages, NULL));
	iot_stages_publish(chain->stages, results);
	table = iot_results_find(results, "bounds");
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL_FATAL(table->rows->len, 1);
	row = iot_result_row_at(table, 0);
	CU_ASSERT_EQUAL(row->cells[2].number, least);
	CU_ASSERT_EQUAL(row->cells[3].number, most);
	iot_stages_free(chain->stages);
	iot_timeline_free(chain->s.tl);
}

UNIT_TEST(without_a_gap_both_bounds_are_the_union)
{
	struct chain chain;

	chain_init(&chain);
	span(&chain, 10, 0, 0);
	span(&chain, 20, 0, 0);
	span(&chain, 10, 30, 0);
	span(&chain, 20, 40, 0);
	span(&chain, 50, 0, 0);
	span(&chain, 50, 60, 0);
	expect(&chain, 40, 40);
}

UNIT_TEST(from_its_first_gap_on_a_state_may_last)
{
	struct chain chain;
	iot_str node;

	chain_init(&chain);
	node = iot_row_at(chain.s.tl, chain.s.n)->name;
	span(&chain, 10, 0, 0);
	span(&chain, 10, 30, 0);
	iot_timeline_set_unobserved(chain.s.tl, node, 100);
	iot_timeline_set_unobserved(chain.s.tl, node, 50); /* the first call counts */
	span(&chain, 200, 0, 0);
	span(&chain, 200, 300, IOT_SUSPECT | IOT_UNKNOWN); /* nobody knows */
	span(&chain, 400, 0, 0);
	span(&chain, 420, 0, 0);
	span(&chain, 400, 430, 0);
	span(&chain, 420, 450, 0);
	expect(&chain, 20 + 50, 20 + 900);
}

UNIT_TEST(a_late_span_beside_others_opens_the_bounds)
{
	struct chain chain;

	chain_init(&chain);
	span(&chain, 50, 0, 0);
	span(&chain, 50, 60, 0);
	span(&chain, 0, 0, IOT_BEFORE); /* found at 70, and open until 80 */
	span(&chain, 0, 80, IOT_BEFORE);
	expect(&chain, 10 + 20, 10 + 20 + 60);
}
