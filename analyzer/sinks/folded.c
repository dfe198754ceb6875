/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folded: stacks of waiters and holders for flame graphs, one a line, with their time in ns. The
 * frames are: node and process that wait, resource, and node and process that hold it, or the
 * cause. Without waits for locks they are the parts of calls, "write;WRITE;on the way to server",
 * or of operations, "WRITE;network".
 */
#include "sinks/sink.h"
#include "base/out.h"
#include "timeline/result-table.h"

struct folded {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
};

static void folded_free(struct iot_sink *sink)
{
	struct folded *folded = (struct folded *)sink;

	if (!folded)
		return;
	iot_out_free(folded->out);
	g_free(folded);
}

static struct iot_sink *folded_open(const struct iot_sink_args *args, GError **error)
{
	struct folded *folded = g_new0(struct folded, 1);

	folded->sink.ops = &iot_sink_folded;
	folded->tl = args->tl;
	folded->out = iot_out_open(args->path, error);
	if (folded->out)
		return &folded->sink;
	folded_free(&folded->sink);
	return NULL;
}

static gboolean folded_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	(void)sink;
	(void)item;
	(void)error;
	return TRUE;
}

static const struct iot_result_table *find_rows(const struct iot_summary *summary, const char *name)
{
	const struct iot_result_table *table =
		summary->results ? iot_results_find(summary->results, name) : NULL;

	return table && table->rows->len ? table : NULL;
}

static const struct iot_result_cell *cell_of(const struct iot_result_table *table, guint row,
					     const char *column)
{
	return &iot_result_row_at(table, row)->cells[iot_result_find_column(table, column)];
}

/* The parts of a table of calls, whose category is in the column @of; rows without a part are the
 * sums. */
static void put_parts(const struct folded *folded, const struct iot_result_table *table,
		      const char *of)
{
	for (guint i = 0; i < table->rows->len; i++) {
		const struct iot_result_cell *part = cell_of(table, i, "part");
		iot_cat_id call = (iot_cat_id)cell_of(table, i, of)->number;
		guint64 ns = cell_of(table, i, "time")->number;
		g_auto(GStrv) frames = NULL;
		g_autofree char *text = NULL, *name = NULL, *path = NULL, *line = NULL;

		if (part->flags & IOT_CELL_EMPTY || !ns)
			continue;
		/* the separators of the format */
		text = g_strdelimit(g_strdup(part->text), ";\n", ',');
		name = g_strdelimit(
			g_strdup(iot_tl_str(folded->tl, iot_cat_at(folded->tl, call)->name)), ";\n",
			',');
		frames = g_strsplit(text, ": ", -1);
		path = g_strjoinv(";", frames);
		line = g_strdup_printf("%s;%s %" G_GUINT64_FORMAT "\n", name, path, ns);
		iot_out_puts(folded->out, line);
	}
}

static gboolean folded_finish(struct iot_sink *sink, const struct iot_summary *summary,
			      GError **error)
{
	struct folded *folded = (struct folded *)sink;
	const struct iot_result_table *stacks = find_rows(summary, "blame_stacks");
	const struct iot_result_table *calls = find_rows(summary, "call_parts");
	const struct iot_result_table *operations = find_rows(summary, "operation_parts");

	for (guint i = 0; stacks && i < stacks->rows->len; i++) {
		const struct iot_result_cell *cells = iot_result_row_at(stacks, i)->cells;
		g_autofree char *line = g_strdup_printf("%s %" G_GUINT64_FORMAT "\n", cells[0].text,
							cells[1].number);

		iot_out_puts(folded->out, line);
	}
	if (!stacks && calls)
		put_parts(folded, calls, "of");
	else if (!stacks && operations)
		put_parts(folded, operations, "operation");
	return iot_out_finish(folded->out, error);
}

const struct iot_sink_ops iot_sink_folded = {
	.name = "folded",
	.summary = "stacks of waiters and holders, or parts of calls, with their time in ns, for "
		   "flame graphs",
	.suffix = ".folded",
	.word_path = "-",
	.prints_at_end = TRUE,
	.has_tables = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.open = folded_open,
	.item = folded_item,
	.finish = folded_finish,
	.free = folded_free,
};
