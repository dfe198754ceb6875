/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/compare-local.h"
#include "compare/limits.h"
#include "base/units.h"

#include <string.h>

/* The level of significance of all comparisons together. */
static const double level = 0.05;

const struct iot_grouping iot_groupings[IOT_N_GROUPINGS] = {
	[IOT_BY_STATE] = { "states", "By state", 1 << IOT_PART_STATE },
	[IOT_BY_MODE] = { "modes", "By state and mode", 1 << IOT_PART_STATE | 1 << IOT_PART_MODE },
	[IOT_BY_NODE] = { "nodes", "By state and node", 1 << IOT_PART_STATE | 1 << IOT_PART_NODE },
	[IOT_BY_PLACE] = { "places", "By state and place",
			   1 << IOT_PART_STATE | 1 << IOT_PART_PLACE },
	[IOT_BY_ALL] = { "all", "By state, mode, node and place", (1 << IOT_N_PARTS) - 1 },
};

/* ---- pairs */

static void pair_free(gpointer data)
{
	struct iot_pair *pair = data;

	for (guint i = 0; i < IOT_N_PARTS; i++)
		g_free(pair->part[i]);
	iot_histogram_clear(&pair->run[0]);
	iot_histogram_clear(&pair->run[1]);
	g_free(pair);
}

/* A part that the grouping uses must not be empty; the last grouping needs one part besides the
 * state. */
static gboolean fits(const struct iot_run_group *group, guint grouping)
{
	if (grouping == IOT_BY_ALL)
		return *group->part[IOT_PART_MODE] || *group->part[IOT_PART_NODE] ||
		       *group->part[IOT_PART_PLACE];
	for (guint i = 0; i < IOT_N_PARTS; i++)
		if (iot_groupings[grouping].parts & 1 << i && !*group->part[i])
			return FALSE;
	return TRUE;
}

static char *key_of(char *const *part, guint grouping)
{
	GString *key = g_string_new(NULL);

	g_string_append_printf(key, "%u", grouping);
	for (guint i = 0; i < IOT_N_PARTS; i++)
		if (iot_groupings[grouping].parts & 1 << i)
			g_string_append_printf(key, "\n%s", part[i]);
	return g_string_free(key, FALSE);
}

static struct iot_pair *find_pair(GHashTable *by_key, GPtrArray *pairs,
				  const struct iot_run_group *group, guint grouping)
{
	g_autofree char *key = key_of(group->part, grouping);
	struct iot_pair *pair = g_hash_table_lookup(by_key, key);

	if (pair)
		return pair;
	pair = g_new0(struct iot_pair, 1);
	pair->grouping = grouping;
	pair->waited = group->waited;
	for (guint i = 0; i < IOT_N_PARTS; i++)
		if (iot_groupings[grouping].parts & 1 << i)
			pair->part[i] = g_strdup(group->part[i]);
	g_ptr_array_add(pairs, pair);
	g_hash_table_insert(by_key, g_steal_pointer(&key), pair);
	return pair;
}

/* Whether a grouping with fewer parts of the name has the same states. */
static gboolean is_repeated(GHashTable *by_key, const struct iot_pair *pair)
{
	guint parts = iot_groupings[pair->grouping].parts;

	for (guint i = 0; i < pair->grouping; i++) {
		g_autofree char *key = NULL;
		const struct iot_pair *wider;

		if (iot_groupings[i].parts & ~parts)
			continue;
		key = key_of(pair->part, i);
		wider = g_hash_table_lookup(by_key, key);
		if (wider && wider->run[0].n == pair->run[0].n && wider->run[1].n == pair->run[1].n)
			return TRUE;
	}
	return FALSE;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	const struct iot_pair *x = *(const struct iot_pair *const *)a,
			      *y = *(const struct iot_pair *const *)b;
	int order = (x->grouping > y->grouping) - (x->grouping < y->grouping);

	for (guint i = 0; !order && i < IOT_N_PARTS; i++)
		if (x->part[i])
			order = iot_natural_compare(x->part[i], y->part[i]);
	return order;
}

static void collect(struct iot_comparison *comparison)
{
	g_autoptr(GHashTable) by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint side = 0; side < 2; side++) {
		const GPtrArray *groups = comparison->run[side]->groups;

		for (guint i = 0; i < groups->len; i++) {
			const struct iot_run_group *group = groups->pdata[i];

			for (guint k = 0; k < IOT_N_GROUPINGS; k++) {
				struct iot_pair *pair;

				if (!fits(group, k))
					continue;
				pair = find_pair(by_key, comparison->pairs, group, k);
				iot_histogram_merge(&pair->run[side], &group->durations);
				pair->n_partial[side] += group->n_partial;
			}
		}
	}
	for (guint i = 0; i < comparison->pairs->len; i++) {
		struct iot_pair *pair = comparison->pairs->pdata[i];

		pair->repeated = is_repeated(by_key, pair);
	}
	g_ptr_array_sort(comparison->pairs, compare_names);
}

/* ---- tests */

static int compare_p(gconstpointer a, gconstpointer b)
{
	const struct iot_pair *x = *(const struct iot_pair *const *)a,
			      *y = *(const struct iot_pair *const *)b;

	return (x->p > y->p) - (x->p < y->p);
}

/* Holm: the k-th smallest of n probabilities times n - k + 1, and never below the one before. */
static void adjust(GPtrArray *tested)
{
	double most = 0;

	g_ptr_array_sort(tested, compare_p);
	for (guint i = 0; i < tested->len; i++) {
		struct iot_pair *pair = tested->pdata[i];

		most = MAX(most, MIN(pair->p * (tested->len - i), 1));
		pair->adjusted = most;
		pair->significant = most < level;
		if (pair->significant)
			pair->ratio = iot_rank_test_ratio(&pair->run[0], &pair->run[1]);
	}
}

static void test(struct iot_comparison *comparison)
{
	g_autoptr(GPtrArray) tested = g_ptr_array_new();

	for (guint i = 0; i < comparison->pairs->len; i++) {
		struct iot_pair *pair = comparison->pairs->pdata[i];
		guint64 least = MIN(pair->run[0].n, pair->run[1].n);

		if (pair->repeated || !least)
			continue;
		if (least < IOT_RANK_TEST_LEAST) {
			comparison->n_few++;
			continue;
		}
		pair->p = iot_rank_test_p(&pair->run[0], &pair->run[1]);
		g_ptr_array_add(tested, pair);
	}
	comparison->n_tested = tested->len;
	adjust(tested);
}

/* ---- alarms */

static void add_alarm(struct iot_comparison *comparison, const struct iot_limit *limit,
		      const struct iot_pair *pair)
{
	const struct iot_alarm alarm = { limit, pair };

	g_array_append_val(comparison->alarms, alarm);
}

/* "*" as place is all places together. */
static gboolean is_limited(const struct iot_pair *pair, const struct iot_limit *limit)
{
	gboolean all = !strcmp(limit->place, "*");

	return pair->grouping == (guint)(all ? IOT_BY_STATE : IOT_BY_PLACE) &&
	       g_pattern_match_simple(limit->state, pair->part[IOT_PART_STATE]) &&
	       (all || g_pattern_match_simple(limit->place, pair->part[IOT_PART_PLACE]));
}

double iot_pair_cost(const struct iot_pair *pair)
{
	const struct iot_histogram *a = &pair->run[0], *b = &pair->run[1];

	return (double)b->sum_ns - (a->n ? (double)a->sum_ns / (double)a->n * (double)b->n : 0);
}

static int by_cost(gconstpointer a, gconstpointer b)
{
	double x = iot_pair_cost(((const struct iot_alarm *)a)->pair);
	double y = iot_pair_cost(((const struct iot_alarm *)b)->pair);

	return (y > x) - (y < x);
}

static void find_alarms(struct iot_comparison *comparison, const GPtrArray *limits)
{
	for (guint i = 0; i < comparison->pairs->len; i++) {
		const struct iot_pair *pair = comparison->pairs->pdata[i];

		if (!limits && pair->significant && pair->waited && pair->ratio.low > 1)
			add_alarm(comparison, NULL, pair);
		for (guint k = 0; limits && k < limits->len; k++)
			if (is_limited(pair, limits->pdata[k]) &&
			    iot_limit_exceeded(limits->pdata[k], &pair->run[0], &pair->run[1]))
				add_alarm(comparison, limits->pdata[k], pair);
	}
	g_array_sort(comparison->alarms, by_cost);
}

struct iot_comparison *iot_compare(const struct iot_run_summary *a, const struct iot_run_summary *b,
				   const GPtrArray *limits)
{
	struct iot_comparison *comparison = g_new0(struct iot_comparison, 1);

	comparison->run[0] = a;
	comparison->run[1] = b;
	comparison->pairs = g_ptr_array_new_with_free_func(pair_free);
	comparison->alarms = g_array_new(FALSE, FALSE, sizeof(struct iot_alarm));
	collect(comparison);
	test(comparison);
	find_alarms(comparison, limits);
	return comparison;
}

void iot_comparison_free(struct iot_comparison *comparison)
{
	g_ptr_array_unref(comparison->pairs);
	g_array_unref(comparison->alarms);
	g_free(comparison);
}

guint iot_comparison_alarms(const struct iot_comparison *comparison)
{
	return comparison->alarms->len;
}
