/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of changed causes of waits. */
#include "compare/compare-local.h"
#include "base/units.h"

#include <math.h>

enum { MAX_ROWS = 20 };

static int by_cost(gconstpointer a, gconstpointer b)
{
	double x = fabs(iot_shift_cost(*(const struct iot_shift *const *)a));
	double y = fabs(iot_shift_cost(*(const struct iot_shift *const *)b));

	return (y > x) - (y < x);
}

GPtrArray *iot_shifts_significant(const GPtrArray *shifts, guint by)
{
	GPtrArray *out = g_ptr_array_new();

	for (guint i = 0; i < shifts->len; i++) {
		struct iot_shift *shift = shifts->pdata[i];

		if (shift->test.significant && (by == IOT_N_SHIFT_GROUPINGS || by == shift->by))
			g_ptr_array_add(out, shift);
	}
	g_ptr_array_sort(out, by_cost);
	return out;
}

/* "node 3 waits because of node 2 on gfs/trans 0: 41 % of a wait, was 12 % (24 to 33 points more)"
 */
char *iot_shift_describe(const struct iot_shift *shift)
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

static struct iot_column *share_column(struct iot_result_table *table, const char *name,
				       const char *title, const char *help)
{
	struct iot_column *column = iot_result_column(table, name, title, IOT_COLUMN_SHARE);

	column->help = g_strdup(help);
	return column;
}

static void add_columns(struct iot_result_table *table, guint by)
{
	if (by & IOT_SHIFT_BY_PLACE)
		iot_result_column(table, "place", "place", IOT_COLUMN_TEXT)->flags =
			IOT_COLUMN_SHRINK;
	iot_result_column(table, "waiter", "waiter", IOT_COLUMN_TEXT);
	iot_result_column(table, "because", "because of", IOT_COLUMN_TEXT);
	iot_result_column(table, "waits_a", "waits in A", IOT_COLUMN_COUNT)->drop = 5;
	iot_result_column(table, "waits_b", "in B", IOT_COLUMN_COUNT)->drop = 5;
	iot_result_column(table, "time_a", "time in A", IOT_COLUMN_NS)->drop = 4;
	iot_result_column(table, "time_b", "in B", IOT_COLUMN_NS)->drop = 4;
	share_column(table, "time_share_a", "of time in A", "of the time of all waits")->drop = 3;
	share_column(table, "time_share_b", "in B", "of the time of all waits")->drop = 3;
	share_column(table, "share_a", "of a wait in A", "mean of all waits");
	share_column(table, "share_b", "in B", "mean of all waits");
	share_column(table, "low", "change at least",
		     "change of the share of a wait, in percentage points; 95 % confidence");
	share_column(table, "high", "at most",
		     "change of the share of a wait, in percentage points; 95 % confidence");
	iot_result_column(table, "p", "p", IOT_COLUMN_TEXT)->help = g_strdup(
		"probability of such a difference between runs of one process, corrected for the "
		"number of comparisons");
}

static void add_row(struct iot_result_table *table, const struct iot_shift *shift)
{
	char p[G_ASCII_DTOSTR_BUF_SIZE];

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

static void note_rest(struct iot_result_table *table, guint n)
{
	if (n > MAX_ROWS)
		iot_result_note(table, "%u more are not listed.", n - MAX_ROWS);
}

static void publish_grouping(const GPtrArray *shifts, guint by, struct iot_results *results)
{
	g_autoptr(GPtrArray) list = iot_shifts_significant(shifts, by);
	gboolean by_place = by & IOT_SHIFT_BY_PLACE;
	struct iot_result_table *table;

	if (!list->len)
		return;
	table = iot_results_add(results, by_place ? "blame_places" : "blame",
				by_place ? "Changed causes of waits, by place"
					 : "Changed causes of waits");
	add_columns(table, by);
	for (guint i = 0; i < MIN(list->len, MAX_ROWS); i++)
		add_row(table, list->pdata[i]);
	note_rest(table, list->len);
}

/* Holders of places that somebody waits for in both runs. */
static void publish_only(const GPtrArray *shifts, guint side, struct iot_results *results)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	struct iot_result_table *table;

	for (guint i = 0; i < shifts->len; i++) {
		struct iot_shift *shift = shifts->pdata[i];

		if (shift->by == IOT_SHIFT_BY_PLACE && shift->holds && shift->run[side].n &&
		    !shift->run[!side].n && shift->run[!side].n_waits)
			g_ptr_array_add(list, shift);
	}
	if (!list->len)
		return;
	g_ptr_array_sort(list, by_cost);
	table = iot_results_add(results, side ? "holders_b" : "holders_a",
				side ? "Holders that others wait for only in B"
				     : "Holders that others wait for only in A");
	iot_result_column(table, "place", "place", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_SHRINK;
	iot_result_column(table, "holder", "holder", IOT_COLUMN_TEXT);
	iot_result_column(table, "waits", "waits", IOT_COLUMN_COUNT);
	iot_result_column(table, "of", "of", IOT_COLUMN_COUNT);
	iot_result_column(table, "time", "time", IOT_COLUMN_NS);
	share_column(table, "share", "share", "of the time of all waits for the place");
	for (guint i = 0; i < MIN(list->len, MAX_ROWS); i++) {
		const struct iot_shift *shift = list->pdata[i];
		const struct iot_blamed *blamed = &shift->run[side];

		iot_result_row(table);
		iot_result_text(table, shift->place);
		iot_result_text(table, shift->cause);
		iot_result_number(table, blamed->n);
		iot_result_number(table, blamed->n_waits);
		iot_result_number(table, blamed->ns);
		iot_result_share(table, iot_blamed_share(blamed));
	}
	note_rest(table, list->len);
}

void iot_shifts_publish(const GPtrArray *shifts, struct iot_results *results)
{
	publish_grouping(shifts, IOT_SHIFT_BY_WAITER, results);
	publish_grouping(shifts, IOT_SHIFT_BY_WAITER | IOT_SHIFT_BY_PLACE, results);
	publish_only(shifts, 0, results);
	publish_only(shifts, 1, results);
}
