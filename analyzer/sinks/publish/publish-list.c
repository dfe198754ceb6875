/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of the list: for each type of units (for locks: resources) every unit and the rows
 * above it, as a tree.
 */
#include "sinks/publish.h"
#include "base/units.h"
#include "sinks/sentences.h"
#include "tables/ranked.h"

/* Units of one type and the rows above them, without duplicates. */
static GArray *collect_rows(const struct iot_aggregate *sums, iot_type_id type)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(iot_row_id));
	g_autofree gboolean *taken = g_new0(gboolean, sums->tl->rows.n);

	for (guint i = 0; i < sums->units->len; i++) {
		iot_row_id row = g_array_index(sums->units, iot_row_id, i);

		if (iot_row_at(sums->tl, row)->type != type)
			continue;
		for (; row && !taken[row]; row = iot_row_at(sums->tl, row)->parent) {
			taken[row] = TRUE;
			g_array_append_val(rows, row);
		}
	}
	return rows;
}

static int compare_names(gconstpointer pa, gconstpointer pb, gpointer user_data)
{
	const struct iot_timeline *tl = user_data;

	return iot_natural_compare(iot_tl_str(tl, *(const iot_str *)pa),
				   iot_tl_str(tl, *(const iot_str *)pb));
}

static gboolean is_below(const struct iot_timeline *tl, iot_row_id row, iot_row_id above)
{
	while (row > above)
		row = iot_row_at(tl, row)->parent;
	return row == above;
}

char *iot_unit_nodes(const struct iot_aggregate *sums, iot_row_id row)
{
	const struct iot_row_sum *sum = iot_aggregate_row(sums, row);
	gboolean is_unit = row && sum->unit == row;
	g_autoptr(GArray) names = g_array_new(FALSE, FALSE, sizeof(iot_str));
	GString *text = g_string_new(NULL);
	guint from = is_unit ? sum->first_node : 0;
	guint to = is_unit ? from + sum->n_nodes : sums->nodes->len;

	for (guint i = from; i < to; i++) {
		iot_row_id node = g_array_index(sums->nodes, iot_row_id, i);

		if (is_below(sums->tl, node, row))
			g_array_append_val(names, iot_row_at(sums->tl, node)->name);
	}
	for (guint i = 0; i < sums->tops->len; i++) {
		iot_row_id node = g_array_index(sums->tops, iot_row_id, i);

		if (is_below(sums->tl, node, row) || is_below(sums->tl, row, node))
			g_array_append_val(names, iot_row_at(sums->tl, node)->name);
	}
	g_array_sort_with_data(names, compare_names, (gpointer)(gsize)sums->tl);
	for (guint i = 0; i < names->len; i++) {
		iot_str name = g_array_index(names, iot_str, i);

		if (i && name == g_array_index(names, iot_str, i - 1))
			continue;
		g_string_append_printf(text, "%s%s", i ? "\n" : "", iot_tl_str(sums->tl, name));
	}
	return g_string_free(text, FALSE);
}

static guint depth_below(const struct iot_timeline *tl, iot_row_id row)
{
	guint depth = 0;

	while ((row = iot_row_at(tl, row)->parent))
		depth++;
	return depth;
}

/* What each row of the table of holders says, by resource; the texts are those of the table. */
static GHashTable *find_holders(const struct iot_publishing *from)
{
	const struct iot_result_table *table = iot_given_table(from, "resource_holders");
	GHashTable *holders = g_hash_table_new(NULL, NULL);

	for (guint i = 0; table && i < table->rows->len; i++) {
		const struct iot_result_cell *held_by = iot_cell_of(table, i, "held_by");

		if (!(held_by->flags & IOT_CELL_EMPTY))
			g_hash_table_insert(
				holders,
				GUINT_TO_POINTER((guint)iot_cell_of(table, i, "resource")->number),
				held_by->text);
	}
	return holders;
}

static void add_row(struct iot_result_table *table, const struct iot_publishing *from,
		    GHashTable *holders, iot_row_id row)
{
	const struct iot_aggregate *sums = from->sums;
	const struct iot_row_sum *sum = iot_aggregate_row(sums, row);
	const struct iot_type *type = iot_type_at(sums->tl, iot_row_at(sums->tl, row)->type);
	g_autofree char *nodes = iot_unit_nodes(sums, row);
	gboolean least = iot_longest_is_least(from, row, sum);
	struct iot_result_row *added =
		iot_ranked_row(table, iot_cell_number(row), iot_cell_number(sum->wait_ns),
			       iot_cell_least(sum->worst_ns, least), iot_cell_number(sum->calls),
			       iot_cell_text(nodes),
			       iot_cell_text(g_hash_table_lookup(holders, GUINT_TO_POINTER(row))),
			       iot_cell_text(iot_tl_str(sums->tl, type->name)));

	added->level = depth_below(sums->tl, row);
	added->strong = sum->unit != row;
}

static void add_table(struct iot_results *results, const struct iot_publishing *from,
		      GHashTable *holders, iot_type_id type, const GArray *rows)
{
	const struct iot_timeline *tl = from->tl;
	g_autofree char *chain = iot_type_chain(tl, type);
	g_autofree char *name =
		g_strconcat("list_", iot_tl_str(tl, iot_type_at(tl, type)->name), NULL);
	g_autofree char *title = iot_plural(iot_tl_str(tl, iot_type_at(tl, type)->title), 2);
	const struct iot_ranked_column columns[] = {
		{ "place", chain, IOT_COLUMN_ROW, IOT_COLUMN_SHRINK },
		{ "pending", "pending", IOT_COLUMN_NS, IOT_COLUMN_DASH },
		{ "worst", "worst wait", IOT_COLUMN_NS, IOT_COLUMN_DASH },
		{ "calls", "calls", IOT_COLUMN_COUNT, IOT_COLUMN_DASH },
		{ "nodes", "nodes", IOT_COLUMN_TEXT,
		  IOT_COLUMN_OPTIONAL | IOT_COLUMN_SHRINK | IOT_COLUMN_LIST, 1 },
		{ "held_by", "held by", IOT_COLUMN_TEXT, IOT_COLUMN_OPTIONAL | IOT_COLUMN_SHRINK, 0,
		  "the nodes whose locks were in the way of waits for longest, and for how much of "
		  "the waiting" },
		{ "type", "type", IOT_COLUMN_TEXT, IOT_COLUMN_DATA },
	};
	const struct iot_ranked ranked = {
		IOT_RANKED(name, title, columns),
		.help = "every row with its calls and waits, below its parent rows",
		.loss = IOT_LOSS_IN_CELLS,
	};
	struct iot_result_table *table = iot_ranked_table(results, tl, &ranked, rows->len);

	table->of_rows = type;
	for (guint i = 0; i < rows->len; i++)
		add_row(table, from, holders, g_array_index(rows, iot_row_id, i));
}

struct iot_results *iot_publish_list(const struct iot_publishing *from, enum iot_row_order order)
{
	const struct iot_aggregate *sums = from->sums;
	g_autoptr(GHashTable) holders = find_holders(from);
	struct iot_results *results = iot_results_new();

	for (iot_type_id type = 1; type < sums->tl->types.n; type++) {
		g_autoptr(GArray) rows = collect_rows(sums, type);

		if (!rows->len)
			continue;
		iot_aggregate_sort(sums, rows, order, TRUE);
		add_table(results, from, holders, type, rows);
	}
	return results;
}
