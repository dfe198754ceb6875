/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of changed causes of waits. */
#include "compare/compare-local.h"
#include "base/units.h"
#include "tables/ranked.h"

#include <math.h>

static int by_cost(gconstpointer a, gconstpointer b)
{
	double x = fabs(iot_shift_cost(*(const struct iot_cause_shift *const *)a));
	double y = fabs(iot_shift_cost(*(const struct iot_cause_shift *const *)b));

	return (y > x) - (y < x);
}

GPtrArray *iot_shifts_significant(const GPtrArray *shifts, guint by)
{
	GPtrArray *out = g_ptr_array_new();

	for (guint i = 0; i < shifts->len; i++) {
		struct iot_cause_shift *shift = shifts->pdata[i];

		if (shift->test.significant && (by == IOT_N_SHIFT_GROUPINGS || by == shift->by))
			g_ptr_array_add(out, shift);
	}
	g_ptr_array_sort(out, by_cost);
	return out;
}

/* "node 3 waits because of node 2 on gfs/trans 0: 41 % of a wait, was 12 % (24 to 33 points more)"
 */
char *iot_shift_describe(const struct iot_cause_shift *shift)
{
	gboolean grows = shift->mean[1] > shift->mean[0];
	double least = fmax(grows ? shift->low : -shift->high, 0) * 100;
	double most = fmin(grows ? shift->high : -shift->low, 1) * 100;

	return g_strdup_printf("%s waits because of %s%s%s: %.0f %% of a wait, was %.0f %% "
			       "(%.0f to %.0f points %s)",
			       shift->waiter, shift->cause, shift->place ? " on " : "",
			       shift->place ? shift->place : "", shift->mean[1] * 100,
			       shift->mean[0] * 100, least, most, grows ? "more" : "less");
}

static const struct iot_ranked_column columns[] = {
	{ "waiter", "waiter", IOT_COLUMN_TEXT },
	{ "because", "because of", IOT_COLUMN_TEXT },
	{ "waits_a", "waits in A", IOT_COLUMN_COUNT, .drop = 5 },
	{ "waits_b", "in B", IOT_COLUMN_COUNT, .drop = 5 },
	{ "time_a", "time in A", IOT_COLUMN_NS, .drop = 4 },
	{ "time_b", "in B", IOT_COLUMN_NS, .drop = 4 },
	{ "time_share_a", "of time in A", IOT_COLUMN_SHARE, 0, 3, "of the time of all waits" },
	{ "time_share_b", "in B", IOT_COLUMN_SHARE, 0, 3, "of the time of all waits" },
	{ "share_a", "of a wait in A", IOT_COLUMN_SHARE, .help = "mean of all waits" },
	{ "share_b", "in B", IOT_COLUMN_SHARE, .help = "mean of all waits" },
	{ "low", "change at least", IOT_COLUMN_SHARE,
	  .help = "change of the share of a wait, in percentage points; 95 % confidence" },
	{ "high", "at most", IOT_COLUMN_SHARE,
	  .help = "change of the share of a wait, in percentage points; 95 % confidence" },
	{ "p", "p", IOT_COLUMN_TEXT,
	  .help = "probability of such a difference between runs of one process, corrected for the "
		  "number of comparisons" },
};

static void more_columns(struct iot_result_table *table, gconstpointer by_place)
{
	if (*(const gboolean *)by_place)
		iot_result_column(table, "place", "place", IOT_COLUMN_TEXT)->flags =
			IOT_COLUMN_SHRINK;
	iot_ranked_columns(table, columns, G_N_ELEMENTS(columns));
}

static void add_row(struct iot_result_table *table, gconstpointer element, gconstpointer by_place)
{
	const struct iot_cause_shift *shift = element;
	char p[G_ASCII_DTOSTR_BUF_SIZE];

	(void)by_place;
	iot_result_row(table);
	if (shift->place)
		iot_result_text(table, shift->place);
	iot_result_text(table, shift->waiter);
	iot_result_text(table, shift->cause);
	iot_result_number(table, shift->run[0].n_waits);
	iot_result_number(table, shift->run[1].n_waits);
	iot_result_number(table, shift->run[0].ns);
	iot_result_number(table, shift->run[1].ns);
	iot_result_share(table, iot_blamed_share(&shift->run[0]));
	iot_result_share(table, iot_blamed_share(&shift->run[1]));
	iot_result_share(table, shift->mean[0]);
	iot_result_share(table, shift->mean[1]);
	iot_result_share(table, shift->low);
	iot_result_share(table, shift->high);
	iot_result_text(table, g_ascii_formatd(p, sizeof(p), "%.1e", shift->test.adjusted));
}

static void publish_grouping(const GPtrArray *shifts, guint by, struct iot_results *results)
{
	gboolean by_place = (by & IOT_SHIFT_BY_PLACE) != 0;
	const struct iot_ranked ranked = {
		.name = by_place ? "blame_places" : "blame",
		.title = by_place ? "Changed causes of waits, by place" : "Changed causes of waits",
		.more_columns = more_columns,
		.limit = 20,
		.rest_is_note = TRUE,
		.add = add_row,
	};
	g_autoptr(GPtrArray) list = iot_shifts_significant(shifts, by);

	iot_ranked_publish(results, NULL, &ranked, list, &by_place);
}

static void add_only(struct iot_result_table *table, gconstpointer element, gconstpointer side)
{
	const struct iot_cause_shift *shift = element;
	const struct iot_blamed *blamed = &shift->run[*(const guint *)side];

	iot_ranked_row(table, iot_cell_text(shift->place), iot_cell_text(shift->cause),
		       iot_cell_number(blamed->n), iot_cell_number(blamed->n_waits),
		       iot_cell_number(blamed->ns), iot_cell_share(iot_blamed_share(blamed)));
}

/* Holders of places that somebody waits for in both runs. */
static void publish_only(const GPtrArray *shifts, guint side, struct iot_results *results)
{
	static const struct iot_ranked_column only[] = {
		{ "place", "place", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK },
		{ "holder", "holder", IOT_COLUMN_TEXT },
		{ "waits", "waits", IOT_COLUMN_COUNT },
		{ "of", "of", IOT_COLUMN_COUNT },
		{ "time", "time", IOT_COLUMN_NS },
		{ "share", "share", IOT_COLUMN_SHARE,
		  .help = "of the time of all waits for the place" },
	};
	const struct iot_ranked ranked = {
		IOT_RANKED(side ? "holders_b" : "holders_a",
			   side ? "Holders that others wait for only in B"
				: "Holders that others wait for only in A",
			   only),
		.limit = 20,
		.rest_is_note = TRUE,
		.add = add_only,
	};
	g_autoptr(GPtrArray) list = g_ptr_array_new();

	for (guint i = 0; i < shifts->len; i++) {
		struct iot_cause_shift *shift = shifts->pdata[i];

		if (shift->by == IOT_SHIFT_BY_PLACE && shift->holds && shift->run[side].n &&
		    !shift->run[!side].n && shift->run[!side].n_waits)
			g_ptr_array_add(list, shift);
	}
	g_ptr_array_sort(list, by_cost);
	iot_ranked_publish(results, NULL, &ranked, list, &side);
}

void iot_shifts_publish(const GPtrArray *shifts, struct iot_results *results)
{
	publish_grouping(shifts, IOT_SHIFT_BY_WAITER, results);
	publish_grouping(shifts, IOT_SHIFT_BY_WAITER | IOT_SHIFT_BY_PLACE, results);
	publish_only(shifts, 0, results);
	publish_only(shifts, 1, results);
}
