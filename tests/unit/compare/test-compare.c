/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs of runs of one process must hardly ever differ, and a slower part must be found. The
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

static struct iot_run_group *add_group(struct iot_run_summary *run, guint node, guint place)
{
	struct iot_run_group *group = g_new0(struct iot_run_group, 1);

	group->part[IOT_PART_STATE] = g_strdup("PENDING");
	group->part[IOT_PART_MODE] = g_strdup("");
	group->part[IOT_PART_NODE] = g_strdup_printf("node %u", node);
	group->part[IOT_PART_PLACE] = g_strdup_printf("res%u", place);
	group->waited = TRUE;
	g_ptr_array_add(run->groups, group);
	return group;
}

/* Log-normal durations; at node 1 on res2 they take @slower times as long. */
static struct iot_run_summary *make_run(GRand *rand, guint n, double slower)
{
	struct iot_run_summary *run = g_new0(struct iot_run_summary, 1);

	run->groups = g_ptr_array_new_with_free_func(iot_run_group_free);
	for (guint node = 0; node < N_NODES; node++) {
		for (guint place = 0; place < N_PLACES; place++) {
			struct iot_run_group *group = add_group(run, node, place);
			double factor = node == 1 && place == 2 ? slower : 1;

			for (guint i = 0; i < n; i++)
				iot_histogram_add(&group->durations,
						  (guint64)(1e5 * factor * exp(normal(rand))));
		}
	}
	return run;
}

static guint alarms_of(const struct iot_run_summary *a, const struct iot_run_summary *b)
{
	g_autoptr(iot_comparison) comparison = iot_compare(a, b, NULL);

	return iot_comparison_alarms(comparison);
}

UNIT_TEST(runs_of_one_process_do_not_differ)
{
	GRand *rand = g_rand_new_with_seed(11);
	guint n = n_pairs(), differ = 0;

	for (guint i = 0; i < n; i++) {
		g_autoptr(iot_run_summary) a = make_run(rand, 20 + i % 100, 1);
		g_autoptr(iot_run_summary) b = make_run(rand, 20 + i % 70, 1);

		differ += alarms_of(a, b) > 0;
	}
	CU_ASSERT_TRUE(differ * 1000 <= 65 * n);
	g_rand_free(rand);
}

/* The table @name has a row with these texts in its first columns. */
static gboolean is_listed(const struct iot_results *results, const char *name, const char *node,
			  const char *place)
{
	const struct iot_result_table *table = iot_results_find(results, name);
	int node_at = table ? iot_result_find_column(table, "node") : -1;
	int place_at = table ? iot_result_find_column(table, "place") : -1;

	for (guint i = 0; table && i < table->rows->len; i++) {
		const struct iot_result_cell *cells = iot_result_row_at(table, i)->cells;

		if ((node_at < 0 || !g_strcmp0(cells[node_at].text, node)) &&
		    (place_at < 0 || !g_strcmp0(cells[place_at].text, place)))
			return TRUE;
	}
	return FALSE;
}

UNIT_TEST(a_part_that_is_ten_percent_slower_is_found)
{
	GRand *rand = g_rand_new_with_seed(12);
	guint n = MAX(n_pairs() / 5, 20), found = 0, others = 0;

	for (guint i = 0; i < n; i++) {
		g_autoptr(iot_run_summary) a = make_run(rand, 10000, 1);
		g_autoptr(iot_run_summary) b = make_run(rand, 10000, 1.1);
		g_autoptr(iot_comparison) comparison = iot_compare(a, b, NULL);
		g_autoptr(iot_results) results = iot_comparison_publish(comparison);

		found += is_listed(results, "all", "node 1", "res2");
		others += is_listed(results, "all", "node 0", "res2");
	}
	CU_ASSERT_TRUE(found * 100 >= n * 95);
	CU_ASSERT_TRUE(others * 100 <= n * 10);
	g_rand_free(rand);
}

UNIT_TEST(places_of_one_run_only)
{
	GRand *rand = g_rand_new_with_seed(13);
	g_autoptr(iot_run_summary) a = make_run(rand, 10, 1);
	g_autoptr(iot_run_summary) b = make_run(rand, 10, 1);
	g_autoptr(iot_comparison) comparison = NULL;
	g_autoptr(iot_results) results = NULL;

	/* seen, but for no known time */
	add_group(b, 1, 8)->n_partial = 1;
	iot_histogram_add(&add_group(a, 2, 9)->durations, 5000);
	comparison = iot_compare(a, b, NULL);
	results = iot_comparison_publish(comparison);
	CU_ASSERT_TRUE(is_listed(results, "only_a", NULL, "res9"));
	CU_ASSERT_TRUE(is_listed(results, "only_b", NULL, "res8"));
	CU_ASSERT_FALSE(is_listed(results, "only_a", NULL, "res8"));
	CU_ASSERT_FALSE(is_listed(results, "only_b", NULL, "res1"));
	CU_ASSERT_EQUAL(iot_comparison_alarms(comparison), 0);
	g_rand_free(rand);
}
