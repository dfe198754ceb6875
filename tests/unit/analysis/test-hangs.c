/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes that wait for each other to the end: two nodes, by hand. */
#include "../timeline/timeline-sample.h"
#include "analysis/hangs.h"

/* A wait of @node to the end at 20 s, for a lock that @other holds. */
static void add_wait(struct sample *s, struct iot_hangs *hangs, iot_row_id node, iot_row_id other,
		     gboolean several)
{
	const struct iot_claim claim = { .kind = IOT_CLAIM_WAIT,
					 .flags = IOT_UNFINISHED,
					 .row = node,
					 .node = iot_row_at(s->tl, node)->name,
					 .t0 = 5,
					 .t1 = G_GUINT64_CONSTANT(20000000000),
					 .seq = node };
	const struct iot_blocker blocker = { .claim = { .lane = 1,
							.row = other,
							.node = iot_row_at(s->tl, other)->name,
							.t1 = G_MAXUINT64 },
					     .several = several };
	struct iot_wait *wait = iot_wait_new(&claim);

	g_array_append_val(wait->blockers, blocker);
	iot_hangs_add(hangs, wait);
	iot_wait_free(wait);
}

static void check(gboolean several, guint n_cycles)
{
	g_autoptr(iot_results) results = iot_results_new();
	const struct iot_result_table *table;
	struct iot_cycles *cycles;
	struct iot_locks *locks;
	struct iot_hangs *hangs;
	struct sample s;

	sample_init(&s);
	locks = iot_locks_new(s.tl);
	cycles = iot_cycles_new(s.tl, locks);
	hangs = iot_hangs_new(s.tl);
	add_wait(&s, hangs, s.n, s.m, FALSE);
	add_wait(&s, hangs, s.m, s.n, several);
	iot_hangs_find(hangs, cycles);
	iot_cycles_publish(cycles, results);
	table = iot_results_find(results, "cycles");
	CU_ASSERT_EQUAL(table ? table->rows->len : 0, n_cycles);
	CU_ASSERT_EQUAL(s.tl->stage_diag.count[IOT_DIAG_cycle_forgotten], several ? 1 : 0);
	iot_hangs_free(hangs);
	iot_cycles_free(cycles);
	iot_locks_free(locks);
	iot_timeline_free(s.tl);
}

UNIT_TEST(nodes_that_hold_what_the_other_wants_to_the_end_are_a_cycle)
{
	check(FALSE, 1);
}

UNIT_TEST(several_holds_make_no_cycle_and_are_counted)
{
	check(TRUE, 0);
}
