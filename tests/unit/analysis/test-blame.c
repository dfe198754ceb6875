/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums and tables of waits that are made by hand. */
#include "../timeline/timeline-sample.h"
#include "analysis/blame-sums.h"

static struct iot_wait *wait_of(const struct sample *s, iot_row_id row, guint64 pid)
{
	struct iot_claim claim = { .kind = IOT_CLAIM_WAIT,
				   .row = row,
				   .node = iot_row_at(s->tl, row)->name,
				   .cat = s->hold,
				   .t0 = 100,
				   .t1 = 200,
				   .pid = pid };

	return iot_wait_new(&claim);
}

static void add_blocker(struct iot_wait *wait, const struct sample *s, iot_row_id row, guint64 ns)
{
	struct iot_blocker blocker = { .claim = { .row = row,
						  .node = iot_row_at(s->tl, row)->name,
						  .cat = s->hold,
						  .t0 = 50,
						  .t1 = 300,
						  .pid = 9 },
				       .ns = ns,
				       .alone_ns = ns,
				       .proved = row == s->m };

	g_array_append_val(wait->blockers, blocker);
	wait->cause_ns[IOT_CAUSE_HOLD] += ns;
}

static const struct iot_result_cell *cell(const struct iot_result_table *table, guint row,
					  const char *column)
{
	return &iot_result_row_at(table, row)->cells[iot_result_find_column(table, column)];
}

UNIT_TEST(sums_are_by_waiter_and_cause)
{
	struct sample s;
	g_autoptr(iot_results) results = iot_results_new();
	const struct iot_result_table *table;
	struct iot_blame *blame;
	struct iot_wait *wait;

	sample_init(&s);
	iot_type_set_role(s.tl, s.node, IOT_ROLE_NODE);
	blame = iot_blame_new(s.tl);
	wait = wait_of(&s, s.n, 7);
	add_blocker(wait, &s, s.m, 60);
	add_blocker(wait, &s, s.n, 10);
	wait->cause_ns[IOT_CAUSE_QUEUE] = 30;
	iot_blame_add(blame, wait, NULL);
	iot_blame_add(blame, wait, NULL);
	iot_wait_free(wait);
	wait = wait_of(&s, s.h, 7); /* not selected */
	iot_blame_add(blame, wait, NULL);
	iot_wait_free(wait);
	iot_blame_publish(blame, results);
	table = iot_results_find(results, "blame");
	CU_ASSERT_EQUAL_FATAL(table->rows->len, 3);
	CU_ASSERT_STRING_EQUAL(cell(table, 0, "because")->text, "m");
	CU_ASSERT_EQUAL(cell(table, 0, "blamed")->number, 120);
	CU_ASSERT_EQUAL(cell(table, 0, "waits")->number, 2);
	CU_ASSERT_DOUBLE_EQUAL(cell(table, 0, "share")->share, 0.6, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(cell(table, 0, "proved")->share, 1, 1e-9);
	CU_ASSERT_STRING_EQUAL(cell(table, 1, "because")->text, "queue");
	CU_ASSERT_STRING_EQUAL(cell(table, 2, "because")->text, "n");
	CU_ASSERT_DOUBLE_EQUAL(cell(table, 2, "proved")->share, 0, 1e-9);
	table = iot_results_find(results, "holders");
	CU_ASSERT_EQUAL_FATAL(table->rows->len, 6);
	CU_ASSERT_STRING_EQUAL(cell(table, 0, "held_by")->text,
			       "m hold 60 %, queue 30 %, n hold 10 %");
	CU_ASSERT_STRING_EQUAL(cell(table, 0, "certainty")->text, "proved");
	CU_ASSERT_STRING_EQUAL(cell(table, 1, "certainty")->text, "possible");
	CU_ASSERT_EQUAL(cell(table, 0, "held_from")->number, 50);
	CU_ASSERT_EQUAL(cell(table, 3, "wait")->number, 2);
	table = iot_results_find(results, "blame_resources");
	CU_ASSERT_EQUAL_FATAL(table->rows->len, 1);
	CU_ASSERT_EQUAL(cell(table, 0, "resource")->number, s.a);
	CU_ASSERT_EQUAL(cell(table, 0, "waited")->number, 200);
	CU_ASSERT_STRING_EQUAL(cell(table, 0, "held_by")->text, "m 60 %, n 10 %");
	CU_ASSERT_STRING_EQUAL(cell(table, 0, "waited_by")->text, "n 100 %");
	table = iot_results_find(results, "blame_stacks");
	CU_ASSERT_EQUAL_FATAL(table->rows->len, 3);
	CU_ASSERT_STRING_EQUAL(cell(table, 0, "stack")->text, "n;pid 7;a;m;pid 9");
	CU_ASSERT_STRING_EQUAL(cell(table, 1, "stack")->text, "n;pid 7;a;queue");
	CU_ASSERT_EQUAL(cell(table, 1, "blamed")->number, 60);
	iot_blame_free(blame);
	iot_timeline_free(s.tl);
}

/* The text for those who were before the longest wait in the queue. */
static void check_queue(guint n_queued, guint64 forgotten_ns, const char *expected)
{
	struct sample s;
	g_autoptr(iot_results) results = iot_results_new();
	struct iot_wait *wait, *kept;
	struct iot_blame *blame;

	sample_init(&s);
	iot_type_set_role(s.tl, s.node, IOT_ROLE_NODE);
	blame = iot_blame_new(s.tl);
	wait = wait_of(&s, s.n, 7);
	wait->cause_ns[IOT_CAUSE_QUEUE] = 100;
	kept = iot_blame_add(blame, wait, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(kept);
	kept->n_queued = n_queued;
	kept->forgotten_ns = forgotten_ns;
	for (guint i = 0; i < IOT_NAMED_QUEUED; i++)
		kept->queued[i].claim = wait->claim;
	iot_wait_free(wait);
	iot_blame_publish(blame, results);
	CU_ASSERT_STRING_EQUAL(cell(iot_results_find(results, "holders"), 0, "process")->text,
			       expected);
	iot_blame_free(blame);
	iot_timeline_free(s.tl);
}

UNIT_TEST(a_queue_without_names_says_so)
{
	check_queue(1, 0, "n pid 7 (hold)");
	check_queue(4, 0, "n pid 7 (hold), n pid 7 (hold), n pid 7 (hold), 1 more");
	check_queue(1, 1250000, "n pid 7 (hold), not known for 1.25 ms");
	check_queue(0, 40, "not known for 40 ns");
}

UNIT_TEST(too_many_pairs_of_processes_share_a_sum)
{
	struct sample s;
	struct iot_blame *blame;

	sample_init(&s);
	iot_type_set_role(s.tl, s.node, IOT_ROLE_NODE);
	blame = iot_blame_new(s.tl);
	for (guint64 pid = 1; pid <= 16384 + 3; pid++) {
		struct iot_wait *wait = wait_of(&s, s.n, pid);

		add_blocker(wait, &s, s.m, 100);
		iot_blame_add(blame, wait, NULL);
		iot_wait_free(wait);
	}
	CU_ASSERT_EQUAL(s.tl->stage_diag.count[IOT_DIAG_blame_folded], (16384 + 3 - 4096) + 3);
	CU_ASSERT_EQUAL(blame->sums[IOT_BLAME_PROCESSES].n, 4096 + 1);
	CU_ASSERT_EQUAL(blame->sums[IOT_BLAME_STACKS].n, 16384 + 1);
	iot_blame_free(blame);
	iot_timeline_free(s.tl);
}
