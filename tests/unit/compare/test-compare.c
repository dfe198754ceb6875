/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs of runs of one process must hardly ever differ, and a slower part of waits, or another
 * holder, must be found. The
 * environment variable IOT_COMPARE_PAIRS sets the number of pairs (1000 is the number claimed in
 * docs/formats/summary.md).
 */
#include "compare/compare.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_NODES = 3, N_PLACES = 5 };

static guint n_pairs(void)
{
	const char *text = g_getenv("IOT_COMPARE_PAIRS");

	return text ? (guint)atoi(text) : 100;
}

static double normal(GRand *rand)
{
	return sqrt(-2 * log(1 - g_rand_double(rand))) * cos(2 * G_PI * g_rand_double(rand));
}

static struct iot_run_group *add_group(struct iot_run_summary *run, const char *part, guint node,
				       guint place)
{
	struct iot_run_group *group = g_new0(struct iot_run_group, 1);

	group->part[IOT_PART_STATE] = g_strdup("PENDING");
	group->part[IOT_PART_WAIT_PART] = g_strdup(part);
	group->part[IOT_PART_MODE] = g_strdup("");
	group->part[IOT_PART_NODE] = g_strdup_printf("node %u", node);
	group->part[IOT_PART_PLACE] = g_strdup_printf("res%u", place);
	group->waited = TRUE;
	g_ptr_array_add(run->groups, group);
	return group;
}

/* The later run is another one in these respects: */
struct change {
	double slower; /* the reaction at node 1 on res2 takes so many times as long */
	double held;   /* node 2 has more of the waits of node 0 for res1: so many points */
};

/* Waits of a node for a place: a log-normal reaction, and a queue in half of the waits; each wait
 * is held by node 2 for a random share, or in every third wait not at all. */
static void add_waits(struct iot_run_summary *run, GRand *rand, guint place, guint node, guint n,
		      const struct change *change)
{
	struct iot_run_group *whole = add_group(run, "", node, place);
	struct iot_run_group *reaction = add_group(run, "reaction", node, place);
	struct iot_run_group *queue = add_group(run, "queue", node, place);
	struct iot_run_waits *waits = iot_run_summary_add_waits(run, whole->part[IOT_PART_NODE],
								whole->part[IOT_PART_PLACE]);
	struct iot_run_cause *held = iot_run_waits_add_cause(waits, "node 2", TRUE);
	double factor = node == 1 && place == 2 ? change->slower : 1;
	double more = node == 0 && place == 1 ? change->held : 0;

	for (guint i = 0; i < n; i++) {
		guint64 reacted = (guint64)(1e5 * factor * exp(normal(rand)));
		guint64 queued = i % 2 ? (guint64)(3e4 * exp(normal(rand))) : 0;
		double share = i % 3 ? 0.2 + 0.6 * g_rand_double(rand) + more : 0;

		iot_histogram_add(&whole->durations, reacted + queued);
		iot_histogram_add(&reaction->durations, reacted);
		if (queued)
			iot_histogram_add(&queue->durations, queued);
		if (share > 0)
			iot_histogram_add(&held->shares, (guint64)(share * IOT_SHARE_WHOLE));
		held->ns += (guint64)((double)(reacted + queued) * share);
	}
	waits->n = n;
	waits->ns = whole->durations.sum_ns;
}

static struct iot_run_summary *make_run(GRand *rand, guint n, const struct change *change)
{
	struct iot_run_summary *run = iot_run_summary_new();

	for (guint node = 0; node < N_NODES; node++)
		for (guint place = 0; place < N_PLACES; place++)
			add_waits(run, rand, place, node, n, change);
	return run;
}

static const struct change unchanged = { 1, 0 };

/* Whether any state, part or cause differs, in either direction. */
static gboolean differ(const struct iot_run_summary *a, const struct iot_run_summary *b)
{
	g_autoptr(iot_comparison) comparison = iot_compare(a, b, NULL);
	g_autoptr(iot_results) results = iot_comparison_publish(comparison);

	/* the verdict alone, and the sums of parts, which are listed as they are */
	return results->tables->len > 1u + (iot_results_find(results, "part_sums") != NULL);
}

UNIT_TEST(runs_of_one_process_do_not_differ)
{
	GRand *rand = g_rand_new_with_seed(11);
	guint n = n_pairs(), n_differ = 0;

	for (guint i = 0; i < n; i++) {
		g_autoptr(iot_run_summary) a = make_run(rand, 20 + i % 100, &unchanged);
		g_autoptr(iot_run_summary) b = make_run(rand, 20 + i % 70, &unchanged);

		n_differ += differ(a, b);
	}
	CU_ASSERT_TRUE(n_differ * 1000 <= 65 * n);
	g_rand_free(rand);
}

/* The table @name has a row with these texts in the columns @column and place. */
static gboolean is_listed(const struct iot_results *results, const char *name, const char *column,
			  const char *text, const char *place)
{
	const struct iot_result_table *table = iot_results_find(results, name);
	int at = table ? iot_result_find_column(table, column) : -1;
	int place_at = table ? iot_result_find_column(table, "place") : -1;

	for (guint i = 0; table && i < table->rows->len; i++) {
		const struct iot_result_cell *cells = iot_result_row_at(table, i)->cells;

		if (!g_strcmp0(cells[at].text, text) && !g_strcmp0(cells[place_at].text, place))
			return TRUE;
	}
	return FALSE;
}

UNIT_TEST(a_part_that_is_ten_percent_slower_is_found)
{
	const struct change change = { 1.1, 0 };
	GRand *rand = g_rand_new_with_seed(12);
	guint n = MAX(n_pairs() / 5, 20), found = 0, others = 0;

	for (guint i = 0; i < n; i++) {
		g_autoptr(iot_run_summary) a = make_run(rand, 10000, &unchanged);
		g_autoptr(iot_run_summary) b = make_run(rand, 10000, &change);
		g_autoptr(iot_comparison) comparison = iot_compare(a, b, NULL);
		g_autoptr(iot_results) results = iot_comparison_publish(comparison);
		const struct iot_result_table *table = iot_results_find(results, "part_all");

		found += is_listed(results, "part_all", "node", "node 1", "res2") &&
			 iot_comparison_alarms(comparison) > 0;
		others += table && table->rows->len > 1;
	}
	CU_ASSERT_TRUE(found * 100 >= n * 95);
	CU_ASSERT_TRUE(others * 100 <= n * 10);
	g_rand_free(rand);
}

UNIT_TEST(a_holder_with_more_of_each_wait_is_found)
{
	const struct change change = { 1, 0.1 };
	GRand *rand = g_rand_new_with_seed(14);
	guint n = MAX(n_pairs() / 5, 20), found = 0, inside = 0, alarms = 0;

	for (guint i = 0; i < n; i++) {
		g_autoptr(iot_run_summary) a = make_run(rand, 1200, &unchanged);
		g_autoptr(iot_run_summary) b = make_run(rand, 1200, &change);
		g_autoptr(iot_comparison) comparison = iot_compare(a, b, NULL);
		g_autoptr(iot_results) results = iot_comparison_publish(comparison);
		const struct iot_result_table *table = iot_results_find(results, "blame_places");
		const struct iot_result_cell *cells;

		found += is_listed(results, "blame_places", "waiter", "node 0", "res1");
		alarms += iot_comparison_alarms(comparison) > 0;
		if (!table)
			continue;
		/* two of three waits have 0.1 more; one of three none */
		cells = iot_result_row_at(table, 0)->cells;
		inside += cells[iot_result_find_column(table, "low")].share <= 0.2 / 3 &&
			  cells[iot_result_find_column(table, "high")].share >= 0.2 / 3;
	}
	CU_ASSERT_TRUE(found * 100 >= n * 95);
	/* another holder is no longer wait */
	CU_ASSERT_TRUE(alarms * 100 <= n * 10);
	/* 95 % confidence: less than 16 of 20 is a chance of 1 in 400 */
	CU_ASSERT_TRUE(inside * 100 >= found * 80);
	g_rand_free(rand);
}

UNIT_TEST(places_and_holders_of_one_run_only)
{
	GRand *rand = g_rand_new_with_seed(13);
	g_autoptr(iot_run_summary) a = make_run(rand, 10, &unchanged);
	g_autoptr(iot_run_summary) b = make_run(rand, 10, &unchanged);
	struct iot_run_cause *gone, *come;
	g_autoptr(iot_comparison) comparison = NULL;
	g_autoptr(iot_results) results = NULL;

	/* seen, but for no known time */
	add_group(b, "", 1, 8)->n_partial = 1;
	iot_histogram_add(&add_group(a, "", 2, 9)->durations, 5000);
	gone = iot_run_waits_add_cause(a->waits->pdata[0], "node 7", TRUE);
	iot_histogram_add(&gone->shares, 1000);
	come = iot_run_waits_add_cause(b->waits->pdata[1], "node 8", TRUE);
	iot_histogram_add(&come->shares, 1000);
	comparison = iot_compare(a, b, NULL);
	results = iot_comparison_publish(comparison);
	CU_ASSERT_TRUE(is_listed(results, "only_a", "state", "PENDING", "res9"));
	CU_ASSERT_TRUE(is_listed(results, "only_b", "state", "PENDING", "res8"));
	CU_ASSERT_FALSE(is_listed(results, "only_a", "state", "PENDING", "res8"));
	CU_ASSERT_FALSE(is_listed(results, "only_b", "state", "PENDING", "res1"));
	CU_ASSERT_TRUE(is_listed(results, "holders_a", "holder", "node 7", "res0"));
	CU_ASSERT_TRUE(is_listed(results, "holders_b", "holder", "node 8", "res1"));
	CU_ASSERT_FALSE(is_listed(results, "holders_a", "holder", "node 8", "res1"));
	CU_ASSERT_FALSE(is_listed(results, "holders_b", "holder", "node 2", "res1"));
	CU_ASSERT_EQUAL(iot_comparison_alarms(comparison), 0);
	g_rand_free(rand);
}
