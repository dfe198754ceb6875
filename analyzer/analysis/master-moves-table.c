/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/master-moves-table.h"

#include <math.h>

/* Moves of the table for people. */
enum { MAX_ROWS = 10 };

static const char *const verdicts[IOT_MOVE_VERDICTS] = {
	[IOT_MOVE_GAIN] = "gain",
	[IOT_MOVE_UNCERTAIN] = "uncertain",
	[IOT_MOVE_STAYS] = "none",
	[IOT_MOVE_TOO_FEW] = "too few",
	[IOT_MOVE_UNKNOWN] = "master not known",
};

static const char *node_name(const struct iot_timeline *tl, iot_row_id row)
{
	return row ? iot_tl_str(tl, iot_row_at(tl, row)->name) : "unknown";
}

static guint64 whole(double number)
{
	return number > 0 ? (guint64)llround(number) : 0;
}

static void add_columns(struct iot_result_table *table)
{
	struct iot_column *column;

	iot_result_column(table, "resource", "resource", IOT_COLUMN_ROW)->flags = IOT_COLUMN_SHRINK;
	iot_result_column(table, "master", "master", IOT_COLUMN_TEXT);
	iot_result_column(table, "better", "better", IOT_COLUMN_TEXT);
	iot_result_column(table, "gain", "gain", IOT_COLUMN_TEXT)->help =
		g_strdup("whether it is greater than its error");
	iot_result_column(table, "waits", "waits", IOT_COLUMN_COUNT)->drop = 4;
	column = iot_result_column(table, "time", "on the way", IOT_COLUMN_NS);
	column->help = g_strdup("the parts of waits that depend on the place of the master");
	column->drop = 3;
	iot_result_column(table, "saved", "shorter by", IOT_COLUMN_NS)->flags = IOT_COLUMN_STRONG;
	iot_result_column(table, "error", "+-", IOT_COLUMN_NS)->help =
		g_strdup("half of the 95 % interval");
	column = iot_result_column(table, "messages", "messages", IOT_COLUMN_COUNT);
	column->help = g_strdup("with the master; not those of the directory");
	column->drop = 2;
	iot_result_column(table, "messages_saved", "fewer by", IOT_COLUMN_COUNT)->drop = 1;
}

static void add_move(const struct iot_timeline *tl, struct iot_result_table *table,
		     const struct iot_master_move *move)
{
	iot_result_row(table);
	iot_result_number(table, move->resource->row);
	iot_result_text(table, node_name(tl, move->resource->master));
	iot_result_text(table, node_name(tl, move->to->row));
	iot_result_text(table, verdicts[move->verdict]);
	iot_result_number(table, move->n_waits);
	iot_result_number(table, whole(move->time_ns));
	if (move->verdict == IOT_MOVE_TOO_FEW)
		iot_result_none(table, IOT_CELL_UNKNOWN);
	else if (move->gain_ns > 0)
		iot_result_number(table, whole(move->gain_ns));
	else
		iot_result_none(table, IOT_CELL_EMPTY);
	if (move->verdict == IOT_MOVE_TOO_FEW)
		iot_result_none(table, IOT_CELL_UNKNOWN);
	else
		iot_result_number(table, whole(move->error_ns));
	iot_result_number(table, move->n_messages);
	if (move->messages_known)
		iot_result_signed(table, llround(move->messages_saved));
	else
		iot_result_none(table, IOT_CELL_UNKNOWN);
}

static void add_notes(struct iot_result_table *table, const GArray *best, guint64 n_unused)
{
	guint n[IOT_MOVE_VERDICTS] = { 0 };
	gboolean pooled = FALSE;

	for (guint i = 0; i < best->len; i++) {
		const struct iot_master_move *move =
			&g_array_index(best, struct iot_master_move, i);

		n[move->verdict]++;
		pooled |= move->verdict <= IOT_MOVE_UNCERTAIN && move->pooled;
	}
	if (n[IOT_MOVE_STAYS])
		iot_result_note(table, "%u resources: no other master is better",
				n[IOT_MOVE_STAYS]);
	if (n[IOT_MOVE_TOO_FEW])
		iot_result_note(table,
				"%u resources: too few waits to say (fewer than %d of the "
				"resource, or for such masters)",
				n[IOT_MOVE_TOO_FEW], IOT_MOVE_MIN_WAITS);
	if (n[IOT_MOVE_UNKNOWN])
		iot_result_note(table, "%u resources: no message shows the master",
				n[IOT_MOVE_UNKNOWN]);
	if (pooled)
		iot_result_note(
			table,
			"two nodes with fewer than %d waits for each other as master: the mean "
			"of all nodes was used",
			IOT_MOVE_MIN_SAMPLES);
	if (n_unused)
		iot_result_note(table,
				"%" G_GUINT64_FORMAT
				" waits, of further resources or pairs of nodes, were left out",
				n_unused);
}

static void publish_all(const struct iot_timeline *tl, const GArray *all,
			struct iot_results *results)
{
	struct iot_result_table *table =
		iot_results_add(results, "master_choices", "Lock masters, all choices");

	table->for_programs = TRUE;
	add_columns(table);
	iot_result_column(table, "gain_ns", "gain ns", IOT_COLUMN_COUNT)->help =
		g_strdup("below 0: a loss");
	for (guint i = 0; i < all->len; i++) {
		const struct iot_master_move *move = &g_array_index(all, struct iot_master_move, i);

		add_move(tl, table, move);
		iot_result_signed(table, llround(move->gain_ns));
	}
}

void iot_master_moves_tables(const struct iot_timeline *tl, const GArray *best, const GArray *all,
			     guint64 n_unused, struct iot_results *results)
{
	struct iot_result_table *table =
		iot_results_add(results, "master_moves", "Better lock masters");
	guint n = 0;

	table->counts_others = TRUE;
	table->help = g_strdup("Waits with the master of the resource on another node.");
	add_columns(table);
	while (n < best->len &&
	       g_array_index(best, struct iot_master_move, n).verdict <= IOT_MOVE_UNCERTAIN)
		n++;
	for (guint i = 0; i < MIN(n, MAX_ROWS); i++)
		add_move(tl, table, &g_array_index(best, struct iot_master_move, i));
	if (n > MAX_ROWS)
		table->remark = g_strdup_printf("the first %d of %u", MAX_ROWS, n);
	add_notes(table, best, n_unused);
	publish_all(tl, all, results);
}
