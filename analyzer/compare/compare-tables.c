/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdict of a comparison, and its tables. */
#include "compare/compare-local.h"
#include "compare/limits.h"
#include "base/units.h"
#include "tables/ranked.h"

#include <math.h>
#include <string.h>

/* Alarms; sentences about causes. */
enum { MAX_ALARMS = 20, MAX_SHIFTS = 5 };

static int most_cost(gconstpointer a, gconstpointer b, gconstpointer side)
{
	double x = fabs(iot_pair_cost(a)), y = fabs(iot_pair_cost(b));

	(void)side;
	return (y > x) - (y < x);
}

/* The significant pairs of a grouping. */
static GPtrArray *significant(const struct iot_comparison *comparison, guint grouping)
{
	GPtrArray *out = g_ptr_array_new();

	for (guint i = 0; i < comparison->pairs->len; i++) {
		struct iot_compared *pair = comparison->pairs->pdata[i];

		if (pair->test.significant && pair->grouping == grouping)
			g_ptr_array_add(out, pair);
	}
	return out;
}

/* "PENDING for EX on res07 at node 2", "queue of PENDING at node 1" */
static char *describe(const struct iot_compared *pair)
{
	static const char *const before[IOT_N_PARTS] = {
		[IOT_PART_MODE] = " for ",
		[IOT_PART_NODE] = " at ",
		[IOT_PART_PLACE] = " on ",
	};
	const char *part = pair->part[IOT_PART_WAIT_PART];
	GString *text = g_string_new(part);

	g_string_append_printf(text, "%s%s", part ? " of " : "", pair->part[IOT_PART_STATE]);
	for (guint i = 0; i < IOT_N_PARTS; i++)
		if (before[i] && pair->part[i] && *pair->part[i])
			g_string_append_printf(text, "%s%s", before[i], pair->part[i]);
	return g_string_free(text, FALSE);
}

/* ---- verdict */

static void add_sentence(struct iot_result_table *table, char *sentence)
{
	iot_result_row(table);
	iot_result_text(table, sentence);
	g_free(sentence);
}

/* "PENDING takes 1.31 times as long as before (1.22 to 1.40): median 1.2 ms, was 0.9 ms" */
static char *tell_change(const struct iot_compared *pair)
{
	g_autofree char *name = describe(pair);
	g_autofree char *was = iot_format_duration(iot_histogram_quantile(&pair->run[0], 0.5));
	g_autofree char *is = iot_format_duration(iot_histogram_quantile(&pair->run[1], 0.5));

	return g_strdup_printf("%s takes %.3g times as long (%.3g to %.3g): median %s, was %s",
			       name, pair->ratio.ratio, pair->ratio.low, pair->ratio.high, is, was);
}

static char *describe_cause(const struct iot_cause_shift *shift)
{
	return g_strdup_printf("%s as the cause of waits%s%s", shift->cause,
			       shift->place ? " on " : "", shift->place ? shift->place : "");
}

static char *tell_alarm(const struct iot_alarm *alarm)
{
	g_autofree char *name = NULL;

	if (!alarm->limit)
		return tell_change(alarm->pair);
	name = alarm->pair ? describe(alarm->pair) : describe_cause(alarm->shift);
	return g_strdup_printf("%s exceeds the limit \"%s\"", name, alarm->limit->text);
}

static void publish_verdict(const struct iot_comparison *comparison, struct iot_results *results)
{
	static const struct iot_ranked_column sentences[] = {
		{ "sentence", "", IOT_COLUMN_TEXT, IOT_COLUMN_UNTITLED | IOT_COLUMN_WRAP },
	};
	static const struct iot_ranked ranked = { IOT_RANKED("verdict", "Verdict", sentences) };
	struct iot_result_table *table = iot_ranked_table(results, NULL, &ranked, 0);
	g_autoptr(GPtrArray) shifts =
		iot_shifts_significant(comparison->shifts, IOT_N_SHIFT_GROUPINGS);
	guint n_differ = 0;

	for (guint i = 0; i < comparison->pairs->len; i++)
		n_differ += ((struct iot_compared *)comparison->pairs->pdata[i])->test.significant;
	n_differ += shifts->len;
	add_sentence(table,
		     n_differ ? g_strdup_printf("%u of %u comparisons differ significantly.",
						n_differ, comparison->n_tested)
			      : g_strdup_printf("None of %u comparisons differs significantly.",
						comparison->n_tested));
	for (guint i = 0; i < MIN(comparison->alarms->len, MAX_ALARMS); i++)
		add_sentence(table,
			     tell_alarm(&g_array_index(comparison->alarms, struct iot_alarm, i)));
	if (comparison->alarms->len > MAX_ALARMS)
		iot_result_note(table, "%u more are not listed.",
				comparison->alarms->len - MAX_ALARMS);
	for (guint i = 0; i < MIN(shifts->len, MAX_SHIFTS); i++)
		add_sentence(table, iot_shift_describe(shifts->pdata[i]));
	for (guint i = 0; i < comparison->unused_limits->len; i++)
		iot_result_note(
			table,
			"The limit \"%s\" holds because neither run has such a state, part, "
			"cause or place.",
			((const struct iot_limit *)comparison->unused_limits->pdata[i])->text);
	if (comparison->n_few)
		iot_result_note(
			table,
			"%u kinds of states, or parts of waits, occur less than %u times in a run: "
			"not compared.",
			comparison->n_few, IOT_RANK_TEST_LEAST);
	if (comparison->n_few_shifts)
		iot_result_note(table,
				"%u causes belong to less than %u waits in a run: not compared.",
				comparison->n_few_shifts, IOT_RANK_TEST_LEAST);
}

/* ---- differences */

static const struct iot_ranked_column columns[] = {
	{ "n_a", "n in A", IOT_COLUMN_COUNT },
	{ "n_b", "in B", IOT_COLUMN_COUNT },
	{ "p50_a", "median in A", IOT_COLUMN_NS },
	{ "p50_b", "in B", IOT_COLUMN_NS },
	{ "p99_a", "99% in A", IOT_COLUMN_NS },
	{ "p99_b", "in B", IOT_COLUMN_NS },
	{ "ratio", "B takes", IOT_COLUMN_SHARE,
	  .help = "how long a state takes in B, as a share of A" },
	{ "low", "at least", IOT_COLUMN_SHARE, .help = "95 % confidence" },
	{ "high", "at most", IOT_COLUMN_SHARE, .help = "95 % confidence" },
	{ "p", "p", IOT_COLUMN_TEXT,
	  .help = "probability of such a difference between runs of one process, corrected for the "
		  "number of comparisons" },
};

static void more_columns(struct iot_result_table *table, gconstpointer grouping)
{
	static const char *const names[IOT_N_PARTS] = { "state", "part", "mode", "node", "place" };

	for (guint i = 0; i < IOT_N_PARTS; i++)
		if (((const struct iot_grouping *)grouping)->parts & 1 << i)
			iot_result_column(table, names[i], names[i], IOT_COLUMN_TEXT)->flags =
				IOT_COLUMN_SHRINK | IOT_COLUMN_OPTIONAL;
	iot_ranked_columns(table, columns, G_N_ELEMENTS(columns));
}

static void add_row(struct iot_result_table *table, gconstpointer element, gconstpointer grouping)
{
	const struct iot_compared *pair = element;
	char p[G_ASCII_DTOSTR_BUF_SIZE];

	(void)grouping;
	iot_result_row(table);
	for (guint i = 0; i < IOT_N_PARTS; i++)
		if (pair->part[i])
			iot_result_text(table, *pair->part[i] ? pair->part[i] : NULL);
	iot_result_number(table, pair->run[0].n);
	iot_result_number(table, pair->run[1].n);
	iot_result_number(table, iot_histogram_quantile(&pair->run[0], 0.5));
	iot_result_number(table, iot_histogram_quantile(&pair->run[1], 0.5));
	iot_result_number(table, iot_histogram_quantile(&pair->run[0], 0.99));
	iot_result_number(table, iot_histogram_quantile(&pair->run[1], 0.99));
	iot_result_share(table, pair->ratio.ratio);
	iot_result_share(table, pair->ratio.low);
	iot_result_share(table, pair->ratio.high);
	iot_result_text(table, g_ascii_formatd(p, sizeof(p), "%.1e", pair->test.adjusted));
}

static void publish_grouping(const struct iot_comparison *comparison, guint grouping,
			     struct iot_results *results)
{
	const struct iot_ranked ranked = {
		.name = iot_groupings[grouping].name,
		.title = iot_groupings[grouping].title,
		.more_columns = more_columns,
		.limit = 20,
		.rest_is_note = TRUE,
		.compare = most_cost,
		.add = add_row,
	};
	g_autoptr(GPtrArray) pairs = significant(comparison, grouping);

	iot_ranked_publish(results, NULL, &ranked, pairs, &iot_groupings[grouping]);
}

/* ---- sums of parts */

static gint64 difference_of(const struct iot_compared *pair)
{
	return (gint64)(pair->run[1].sum_ns - pair->run[0].sum_ns);
}

static int most_difference(gconstpointer a, gconstpointer b, gconstpointer side)
{
	(void)side;
	return iot_compare_number((guint64)ABS(difference_of(b)), (guint64)ABS(difference_of(a)));
}

static void add_sums(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_compared *pair = element;
	gint64 difference = difference_of(pair);

	(void)data;
	iot_ranked_row(table, iot_cell_text(pair->part[IOT_PART_STATE]),
		       iot_cell_text(pair->part[IOT_PART_WAIT_PART]),
		       iot_cell_number(pair->run[0].n), iot_cell_number(pair->run[1].n),
		       iot_cell_number(pair->run[0].sum_ns), iot_cell_number(pair->run[1].sum_ns),
		       iot_cell_positive(difference > 0 ? (guint64)difference : 0),
		       iot_cell_positive(difference < 0 ? (guint64)-difference : 0));
}

/* All parts that differ, significantly or not. */
static void publish_sums(const struct iot_comparison *comparison, struct iot_results *results)
{
	static const struct iot_ranked_column sums[] = {
		{ "of", "of", IOT_COLUMN_TEXT },	 { "part", "part", IOT_COLUMN_TEXT },
		{ "n_a", "n in A", IOT_COLUMN_COUNT },	 { "n_b", "in B", IOT_COLUMN_COUNT },
		{ "sum_a", "time in A", IOT_COLUMN_NS }, { "sum_b", "in B", IOT_COLUMN_NS },
		{ "more", "more in B", IOT_COLUMN_NS },	 { "less", "less in B", IOT_COLUMN_NS },
	};
	static const struct iot_ranked ranked = {
		IOT_RANKED("part_sums", "Time of the parts of waits and operations", sums),
		.limit = 20,
		.rest_is_note = TRUE,
		.compare = most_difference,
		.add = add_sums,
	};
	g_autoptr(GPtrArray) pairs = g_ptr_array_new();

	for (guint i = 0; i < comparison->pairs->len; i++) {
		struct iot_compared *pair = comparison->pairs->pdata[i];

		if (pair->grouping == IOT_PARTS_BY_STATE && difference_of(pair))
			g_ptr_array_add(pairs, pair);
	}
	iot_ranked_publish(results, NULL, &ranked, pairs, NULL);
}

/* ---- places in one run only */

static int most_time(gconstpointer a, gconstpointer b, gconstpointer side)
{
	const struct iot_compared *x = a, *y = b;
	guint64 time_x = x->run[0].sum_ns + x->run[1].sum_ns;
	guint64 time_y = y->run[0].sum_ns + y->run[1].sum_ns;

	(void)side;
	return iot_compare_number(time_y, time_x);
}

static gboolean is_in(const struct iot_compared *pair, guint side)
{
	return pair->run[side].n || pair->n_partial[side];
}

static void add_only(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_compared *pair = element;
	guint side = *(const guint *)data;

	iot_ranked_row(table, iot_cell_text(pair->part[IOT_PART_STATE]),
		       iot_cell_text(pair->part[IOT_PART_PLACE]),
		       iot_cell_number(pair->run[side].n + pair->n_partial[side]),
		       iot_cell_least(pair->run[side].sum_ns, pair->n_partial[side] != 0));
}

static void publish_only(const struct iot_comparison *comparison, guint side,
			 struct iot_results *results)
{
	static const struct iot_ranked_column only[] = {
		{ "state", "state", IOT_COLUMN_TEXT },
		{ "place", "place", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK },
		{ "n", "n", IOT_COLUMN_COUNT },
		{ "sum", "time", IOT_COLUMN_NS },
	};
	const struct iot_ranked ranked = {
		IOT_RANKED(side ? "only_b" : "only_a", side ? "Only in B" : "Only in A", only),
		.limit = 20,
		.rest_is_note = TRUE,
		.compare = most_time,
		.add = add_only,
	};
	g_autoptr(GPtrArray) pairs = g_ptr_array_new();

	for (guint i = 0; i < comparison->pairs->len; i++) {
		struct iot_compared *pair = comparison->pairs->pdata[i];

		if (pair->grouping == IOT_BY_PLACE && !is_in(pair, !side))
			g_ptr_array_add(pairs, pair);
	}
	iot_ranked_publish(results, NULL, &ranked, pairs, &side);
}

struct iot_results *iot_comparison_publish(const struct iot_comparison *comparison)
{
	struct iot_results *results = iot_results_new();

	publish_verdict(comparison, results);
	for (guint i = 0; i < IOT_N_GROUPINGS; i++)
		publish_grouping(comparison, i, results);
	publish_sums(comparison, results);
	iot_shifts_publish(comparison->shifts, results);
	publish_only(comparison, 0, results);
	publish_only(comparison, 1, results);
	return results;
}
