/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folded: stacks of waiters and holders for flame graphs, one a line, with their time in ns. The
 * frames are: node and process that wait, resource, and node and process that hold it, or the
 * cause.
 */
#include "sinks/sink.h"
#include "base/out.h"
#include "timeline/result-table.h"

struct folded {
	struct iot_sink sink;
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

static gboolean folded_finish(struct iot_sink *sink, const struct iot_summary *summary,
			      GError **error)
{
	struct folded *folded = (struct folded *)sink;
	const struct iot_result_table *table =
		summary->results ? iot_results_find(summary->results, "blame_stacks") : NULL;

	for (guint i = 0; table && i < table->rows->len; i++) {
		const struct iot_result_cell *cells = iot_result_row_at(table, i)->cells;
		g_autofree char *line = g_strdup_printf("%s %" G_GUINT64_FORMAT "\n", cells[0].text,
							cells[1].number);

		iot_out_puts(folded->out, line);
	}
	return iot_out_finish(folded->out, error);
}

const struct iot_sink_ops iot_sink_folded = {
	.name = "folded",
	.summary = "stacks of waiters and holders with their time in ns, for flame graphs",
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
