/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/master-moves-table.h"
#include "tables/ranked.h"

#include <math.h>

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

static void add_move(struct iot_result_table *table, gconstpointer element, gconstpointer tl)
{
	const struct iot_master_move *move = element;
	gboolean enough = move->verdict != IOT_MOVE_TOO_FEW;

	iot_ranked_row(table, iot_cell_number(move->resource->row),
		       iot_cell_text(node_name(tl, move->resource->master)),
		       iot_cell_text(node_name(tl, move->to->row)),
		       iot_cell_text(verdicts[move->verdict]), iot_cell_number(move->n_waits),
		       iot_cell_number(whole(move->time_ns)),
		       iot_cell_known(enough, iot_cell_if(move->gain_ns > 0,
							  iot_cell_number(whole(move->gain_ns)))),
		       iot_cell_known(enough, iot_cell_number(whole(move->error_ns))),
		       iot_cell_number(move->n_messages),
		       iot_cell_known(move->messages_known,
				      iot_cell_signed(llround(move->messages_saved))));
}

static void add_choice(struct iot_result_table *table, gconstpointer element, gconstpointer tl)
{
	add_move(table, element, tl);
	iot_result_signed(table, llround(((const struct iot_master_move *)element)->gain_ns));
}

static const struct iot_ranked_column columns[] = {
	{ "resource", "resource", IOT_COLUMN_ROW, IOT_COLUMN_SHRINK },
	{ "master", "master", IOT_COLUMN_TEXT },
	{ "better", "better", IOT_COLUMN_TEXT },
	{ "gain", "gain", IOT_COLUMN_TEXT, .help = "whether it is greater than its error" },
	{ "waits", "waits", IOT_COLUMN_COUNT, .drop = 4 },
	{ "time", "on the way", IOT_COLUMN_NS, 0, 3,
	  "the parts of waits that depend on the place of the master" },
	{ "saved", "shorter by", IOT_COLUMN_NS, IOT_COLUMN_STRONG },
	{ "error", "+-", IOT_COLUMN_NS, .help = "half of the 95 % interval" },
	{ "messages", "messages", IOT_COLUMN_COUNT, 0, 2,
	  "with the master; not those of the directory" },
	{ "messages_saved", "fewer by", IOT_COLUMN_COUNT, .drop = 1 },
	{ "gain_ns", "gain ns", IOT_COLUMN_COUNT, .help = "below 0: a loss" },
};

static const struct iot_ranked moves_ranked = {
	.name = "master_moves",
	.title = "Better lock masters",
	.columns = columns,
	.n_columns = G_N_ELEMENTS(columns) - 1, /* the loss is for programs */
	.help = "Waits with the master of the resource on another node.",
	.limit = 10,
	.loss = IOT_LOSS_IN_CELLS,
};

static const struct iot_ranked choices_ranked = {
	IOT_RANKED("master_choices", "Lock masters, all choices", columns),
	.for_programs = TRUE,
	.loss = IOT_LOSS_IN_CELLS,
	.add = add_choice,
};

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

void iot_master_moves_tables(const struct iot_timeline *tl, const GArray *best, const GArray *all,
			     guint64 n_unused, struct iot_results *results)
{
	struct iot_result_table *table;
	guint n = 0;

	while (n < best->len &&
	       g_array_index(best, struct iot_master_move, n).verdict <= IOT_MOVE_UNCERTAIN)
		n++;
	table = iot_ranked_table(results, tl, &moves_ranked, n);
	for (guint i = 0; i < MIN(n, moves_ranked.limit); i++)
		add_move(table, &g_array_index(best, struct iot_master_move, i), tl);
	add_notes(table, best, n_unused);
	iot_ranked_publish_array(results, tl, &choices_ranked, all, tl);
}
