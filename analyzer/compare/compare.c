/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/compare-local.h"
#include "compare/limits.h"
#include "base/units.h"

#include <string.h>

/* The level of significance of all comparisons together. */
static const double level = 0.05;

enum {
	STATE = 1 << IOT_PART_STATE,
	MODE = 1 << IOT_PART_MODE,
	NODE = 1 << IOT_PART_NODE,
	PLACE = 1 << IOT_PART_PLACE,
	PART = STATE | 1 << IOT_PART_WAIT_PART,
};

const struct iot_grouping iot_groupings[IOT_N_GROUPINGS] = {
	[IOT_BY_STATE] = { "states", "By state", STATE },
	[IOT_BY_MODE] = { "modes", "By state and mode", STATE | MODE },
	[IOT_BY_NODE] = { "nodes", "By state and node", STATE | NODE },
	[IOT_BY_PLACE] = { "places", "By state and place", STATE | PLACE },
	[IOT_BY_ALL] = { "all", "By state, mode, node and place", STATE | MODE | NODE | PLACE },
	[IOT_PARTS_BY_STATE] = { "parts", "Parts of waits", PART },
	[IOT_PARTS_BY_MODE] = { "part_modes", "Parts of waits by mode", PART | MODE },
	[IOT_PARTS_BY_NODE] = { "part_nodes", "Parts of waits by node", PART | NODE },
	[IOT_PARTS_BY_PLACE] = { "part_places", "Parts of waits by place", PART | PLACE },
	[IOT_PARTS_BY_ALL] = { "part_all", "Parts of waits by mode, node and place",
			       PART | MODE | NODE | PLACE },
};

/* ---- pairs */

static void pair_free(gpointer data)
{
	struct iot_compared *pair = data;

	for (guint i = 0; i < IOT_N_PARTS; i++)
		g_free(pair->part[i]);
	iot_histogram_clear(&pair->run[0]);
	iot_histogram_clear(&pair->run[1]);
	g_free(pair);
}

static gboolean is_of_parts(guint grouping)
{
	return grouping >= IOT_PARTS_BY_STATE;
}

/* A part of the name that the grouping uses must not be empty; groupings by all need one besides
 * the state. Parts of waits and whole states have groupings of their own. */
static gboolean fits(const struct iot_run_group *group, guint grouping)
{
	gboolean is_part = *group->part[IOT_PART_WAIT_PART] != 0;

	if (is_part != is_of_parts(grouping))
		return FALSE;
	if (grouping == IOT_BY_ALL || grouping == IOT_PARTS_BY_ALL)
		return *group->part[IOT_PART_MODE] || *group->part[IOT_PART_NODE] ||
		       *group->part[IOT_PART_PLACE];
	for (guint i = 0; i < IOT_N_PARTS; i++)
		if (iot_groupings[grouping].parts & 1u << i && !*group->part[i])
			return FALSE;
	return TRUE;
}

static char *key_of(char *const *part, guint grouping)
{
	GString *key = g_string_new(NULL);

	g_string_append_printf(key, "%u", grouping);
	for (guint i = 0; i < IOT_N_PARTS; i++)
		if (iot_groupings[grouping].parts & 1u << i)
			g_string_append_printf(key, "\n%s", part[i]);
	return g_string_free(key, FALSE);
}

static struct iot_compared *find_pair(GHashTable *by_key, GPtrArray *pairs,
				      const struct iot_run_group *group, guint grouping)
{
	g_autofree char *key = key_of(group->part, grouping);
	struct iot_compared *pair = g_hash_table_lookup(by_key, key);

	if (pair)
		return pair;
	pair = g_new0(struct iot_compared, 1);
	pair->grouping = grouping;
	pair->waited = group->waited;
	for (guint i = 0; i < IOT_N_PARTS; i++)
		if (iot_groupings[grouping].parts & 1u << i)
			pair->part[i] = g_strdup(group->part[i]);
	g_ptr_array_add(pairs, pair);
	g_hash_table_insert(by_key, g_steal_pointer(&key), pair);
	return pair;
}

/* Whether a grouping with fewer parts of the name has the same states. */
static gboolean is_repeated(GHashTable *by_key, const struct iot_compared *pair)
{
	guint parts = iot_groupings[pair->grouping].parts;

	for (guint i = 0; i < pair->grouping; i++) {
		g_autofree char *key = NULL;
		const struct iot_compared *wider;

		if (iot_groupings[i].parts & ~parts ||
		    is_of_parts(i) != is_of_parts(pair->grouping))
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
	const struct iot_compared *x = *(const struct iot_compared *const *)a,
				  *y = *(const struct iot_compared *const *)b;
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
				struct iot_compared *pair;

				if (!fits(group, k))
					continue;
				pair = find_pair(by_key, comparison->pairs, group, k);
				iot_histogram_merge(&pair->run[side], &group->durations);
				pair->n_partial[side] += group->n_partial;
			}
		}
	}
	for (guint i = 0; i < comparison->pairs->len; i++) {
		struct iot_compared *pair = comparison->pairs->pdata[i];

		pair->repeated = is_repeated(by_key, pair);
	}
	g_ptr_array_sort(comparison->pairs, compare_names);
}

/* ---- tests */

static int compare_p(gconstpointer a, gconstpointer b)
{
	double x = (*(const struct iot_test *const *)a)->p;
	double y = (*(const struct iot_test *const *)b)->p;

	return (x > y) - (x < y);
}

/* Holm: the k-th smallest of n probabilities times n - k + 1, and never below the one before. */
static void adjust(GPtrArray *tested)
{
	double most = 0;

	g_ptr_array_sort(tested, compare_p);
	for (guint i = 0; i < tested->len; i++) {
		struct iot_test *test = tested->pdata[i];

		most = MAX(most, MIN(test->p * (tested->len - i), 1));
		test->adjusted = most;
		test->significant = most < level;
	}
}

static void test(struct iot_comparison *comparison)
{
	g_autoptr(GPtrArray) tested = g_ptr_array_new();

	for (guint i = 0; i < comparison->pairs->len; i++) {
		struct iot_compared *pair = comparison->pairs->pdata[i];
		guint64 least = MIN(pair->run[0].n, pair->run[1].n);

		if (pair->repeated || !least)
			continue;
		if (least < IOT_RANK_TEST_LEAST) {
			comparison->n_few++;
			continue;
		}
		pair->test.p = iot_rank_test_p(&pair->run[0], &pair->run[1]);
		g_ptr_array_add(tested, &pair->test);
	}
	comparison->n_few_shifts = iot_shifts_test(comparison->shifts, tested);
	comparison->n_tested = tested->len;
	adjust(tested);
	for (guint i = 0; i < comparison->pairs->len; i++) {
		struct iot_compared *pair = comparison->pairs->pdata[i];

		if (pair->test.significant)
			pair->ratio = iot_rank_test_ratio(&pair->run[0], &pair->run[1]);
	}
}

/* ---- alarms */

/* "*" as place is all places together. */
static gboolean is_limited(const struct iot_compared *pair, const struct iot_limit *limit)
{
	gboolean all = !strcmp(limit->place, "*");
	guint grouping = limit->part ? (all ? IOT_PARTS_BY_STATE : IOT_PARTS_BY_PLACE)
				     : (all ? IOT_BY_STATE : IOT_BY_PLACE);

	return !limit->cause && pair->grouping == grouping &&
	       g_pattern_match_simple(limit->state, pair->part[IOT_PART_STATE]) &&
	       (!limit->part ||
		g_pattern_match_simple(limit->part, pair->part[IOT_PART_WAIT_PART])) &&
	       (all || g_pattern_match_simple(limit->place, pair->part[IOT_PART_PLACE]));
}

static gboolean is_limited_shift(const struct iot_cause_shift *shift, const struct iot_limit *limit)
{
	gboolean all = !strcmp(limit->place, "*");

	return limit->cause && shift->by == (guint)(all ? 0 : IOT_SHIFT_BY_PLACE) &&
	       g_pattern_match_simple(limit->cause, shift->cause) &&
	       (all || g_pattern_match_simple(limit->place, shift->place));
}

double iot_pair_cost(const struct iot_compared *pair)
{
	const struct iot_histogram *a = &pair->run[0], *b = &pair->run[1];

	return (double)b->sum_ns - (a->n ? (double)a->sum_ns / (double)a->n * (double)b->n : 0);
}

static double alarm_cost(const struct iot_alarm *alarm)
{
	return alarm->pair ? iot_pair_cost(alarm->pair) : iot_shift_cost(alarm->shift);
}

static int by_cost(gconstpointer a, gconstpointer b)
{
	double x = alarm_cost(a), y = alarm_cost(b);

	return (y > x) - (y < x);
}

static void find_alarms(struct iot_comparison *comparison, const GPtrArray *limits)
{
	g_autofree gboolean *used = limits ? g_new0(gboolean, limits->len) : NULL;

	for (guint i = 0; i < comparison->pairs->len; i++) {
		struct iot_alarm alarm = { .pair = comparison->pairs->pdata[i] };

		if (!limits && alarm.pair->test.significant && alarm.pair->waited &&
		    alarm.pair->ratio.low > 1)
			g_array_append_val(comparison->alarms, alarm);
		for (guint k = 0; limits && k < limits->len; k++) {
			alarm.limit = limits->pdata[k];
			if (!is_limited(alarm.pair, alarm.limit))
				continue;
			used[k] = TRUE;
			if (iot_limit_exceeded(alarm.limit, &alarm.pair->run[0],
					       &alarm.pair->run[1]))
				g_array_append_val(comparison->alarms, alarm);
		}
	}
	for (guint i = 0; limits && i < comparison->shifts->len; i++) {
		struct iot_alarm alarm = { .shift = comparison->shifts->pdata[i] };

		for (guint k = 0; k < limits->len; k++) {
			alarm.limit = limits->pdata[k];
			if (!is_limited_shift(alarm.shift, alarm.limit))
				continue;
			used[k] = TRUE;
			if (iot_limit_exceeded_by_cause(alarm.limit, alarm.shift))
				g_array_append_val(comparison->alarms, alarm);
		}
	}
	g_array_sort(comparison->alarms, by_cost);
	for (guint k = 0; limits && k < limits->len; k++)
		if (!used[k])
			g_ptr_array_add(comparison->unused_limits, limits->pdata[k]);
}

struct iot_comparison *iot_compare(const struct iot_run_summary *a, const struct iot_run_summary *b,
				   const GPtrArray *limits)
{
	struct iot_comparison *comparison = g_new0(struct iot_comparison, 1);

	comparison->run[0] = a;
	comparison->run[1] = b;
	comparison->pairs = g_ptr_array_new_with_free_func(pair_free);
	comparison->shifts = iot_shifts_new(a, b);
	comparison->unused_limits = g_ptr_array_new();
	comparison->alarms = g_array_new(FALSE, FALSE, sizeof(struct iot_alarm));
	collect(comparison);
	test(comparison);
	find_alarms(comparison, limits);
	return comparison;
}

void iot_comparison_free(struct iot_comparison *comparison)
{
	g_ptr_array_unref(comparison->pairs);
	g_ptr_array_unref(comparison->shifts);
	g_array_unref(comparison->alarms);
	g_ptr_array_unref(comparison->unused_limits);
	g_free(comparison);
}

guint iot_comparison_alarms(const struct iot_comparison *comparison)
{
	return comparison->alarms->len;
}
