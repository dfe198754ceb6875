/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list: every unit of the timeline (for locks: every resource) below its parent rows (lockspaces),
 * with its nodes, its calls and the time spent waiting. --select accepts the printed paths.
 *
 * With the option tsv one line per row, tab separated, times in ns: type, path, calls, pending_ns,
 * worst_ns, nodes. The first line names the columns.
 */
#include "sinks/aggregate.h"
#include "sinks/sink.h"
#include "sinks/table.h"
#include "base/error.h"
#include "base/units.h"

#include <string.h>

struct list_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
	struct iot_aggregate *sums;
	enum iot_row_order order;
	gboolean tsv;
	gboolean on_stdout;
	/* valid in finish */
	gboolean colour;
	guint width; /* of a line; 0: no limit */
};

static void list_free(struct iot_sink *sink)
{
	struct list_sink *list = (struct list_sink *)sink;

	if (!list)
		return;
	iot_out_free(list->out);
	iot_aggregate_free(list->sums);
	g_free(list);
}

static gboolean parse_order(const char *text, enum iot_row_order *out_order, GError **error)
{
	static const char *const names[] = {
		[IOT_BY_PENDING] = "pending",
		[IOT_BY_WORST] = "worst",
		[IOT_BY_CALLS] = "calls",
		[IOT_BY_NAME] = "name",
	};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		if (g_strcmp0(text, names[i]))
			continue;
		*out_order = i;
		return TRUE;
	}
	g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
		    "cannot sort by \"%s\" (pending, worst, calls or name)", text);
	return FALSE;
}

static struct iot_sink *list_open(const struct iot_sink_args *args, GError **error)
{
	struct list_sink *list = g_new0(struct list_sink, 1);
	const char *sort = iot_sink_value(args, "sort");

	list->sink.ops = &iot_sink_list;
	list->tl = args->tl;
	list->sums = iot_aggregate_new(args->tl);
	list->tsv = iot_sink_flag(args, "tsv");
	list->on_stdout = !strcmp(args->path, "-");
	if (parse_order(sort ? sort : "pending", &list->order, error))
		list->out = iot_out_open(args->path, error);
	if (list->out)
		return &list->sink;
	list_free(&list->sink);
	return NULL;
}

static gboolean list_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	(void)error;
	iot_aggregate_add(((struct list_sink *)sink)->sums, item);
	return TRUE;
}

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

/* Names of the nodes of a row, or of all units below it, in natural order. */
static char *join_nodes(const struct iot_aggregate *sums, iot_row_id row, const char *separator)
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
		g_string_append_printf(text, "%s%s", i ? separator : "",
				       iot_tl_str(sums->tl, name));
	}
	return g_string_free(text, FALSE);
}

static char *duration_or_dash(guint64 ns)
{
	return ns ? iot_format_duration(ns) : g_strdup("-");
}

static guint depth_below(const struct iot_timeline *tl, iot_row_id row)
{
	guint depth = 0;

	while ((row = iot_row_at(tl, row)->parent))
		depth++;
	return depth;
}

static void add_row(const struct list_sink *list, struct iot_table *table, iot_row_id row)
{
	const struct iot_row_sum *sum = iot_aggregate_row(list->sums, row);
	enum iot_style style = sum->unit == row ? IOT_PLAIN : IOT_BOLD;
	int indent = 2 * (int)depth_below(list->tl, row);

	iot_table_row(table);
	iot_table_take(table, style,
		       g_strdup_printf("%*s%s", indent, "",
				       iot_tl_str(list->tl, iot_row_at(list->tl, row)->name)));
	iot_table_take(table, style, duration_or_dash(sum->wait_ns));
	iot_table_take(table, style, duration_or_dash(sum->worst_ns));
	iot_table_take(table, style, sum->calls ? iot_format_count(sum->calls) : g_strdup("-"));
	iot_table_take(table, style, join_nodes(list->sums, row, ", "));
}

static void write_table(const struct list_sink *list, iot_type_id type, const GArray *rows)
{
	g_autoptr(iot_table) table = iot_table_new();
	g_autofree char *chain = iot_type_chain(list->tl, type);
	g_autofree char *title = g_utf8_strup(chain, -1);
	struct iot_table_column *nodes;

	table->indent = 0;
	table->max_width = list->width;
	iot_table_column(table, title, IOT_LEFT)->shrink = TRUE;
	iot_table_column(table, "PENDING", IOT_RIGHT);
	iot_table_column(table, "WORST WAIT", IOT_RIGHT);
	iot_table_column(table, "CALLS", IOT_RIGHT);
	nodes = iot_table_column(table, "NODES", IOT_LEFT);
	nodes->optional = TRUE;
	nodes->shrink = TRUE;
	for (guint i = 0; i < rows->len; i++)
		add_row(list, table, g_array_index(rows, iot_row_id, i));
	iot_table_write(table, list->out, list->colour);
}

static void write_tsv(const struct list_sink *list, const GArray *rows)
{
	for (guint i = 0; i < rows->len; i++) {
		iot_row_id row = g_array_index(rows, iot_row_id, i);
		const struct iot_row_sum *sum = iot_aggregate_row(list->sums, row);
		const struct iot_type *type =
			iot_type_at(list->tl, iot_row_at(list->tl, row)->type);
		g_autofree char *path = iot_timeline_path(list->tl, row, "/");
		g_autofree char *nodes = join_nodes(list->sums, row, ",");

		iot_out_printf(list->out,
			       "%s\t%s\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT
			       "\t%" G_GUINT64_FORMAT "\t%s\n",
			       iot_tl_str(list->tl, type->name), path, sum->calls, sum->wait_ns,
			       sum->worst_ns, nodes);
	}
}

/* The number of rows in the list, by type. */
static guint *count_by_type(const struct iot_aggregate *sums)
{
	guint *counts = g_new0(guint, sums->tl->types.n);
	g_autofree gboolean *counted = g_new0(gboolean, sums->tl->rows.n);

	for (guint i = 0; i < sums->units->len; i++) {
		iot_row_id row = g_array_index(sums->units, iot_row_id, i);

		for (; row && !counted[row]; row = iot_row_at(sums->tl, row)->parent) {
			counted[row] = TRUE;
			counts[iot_row_at(sums->tl, row)->type]++;
		}
	}
	return counts;
}

static void add_count(GString *text, guint64 n, const char *noun)
{
	g_autofree char *count = iot_format_count(n);
	g_autofree char *plural = iot_plural(noun, n);

	g_string_append_printf(text, "%s%s %s", text->len ? ", " : "", count, plural);
}

/* "1 lockspace, 53 resources, 3 nodes: 1234 calls, 1.25 s pending, worst wait 17.0 ms" */
static void write_totals(const struct list_sink *list)
{
	const struct iot_row_sum *all = iot_aggregate_row(list->sums, 0);
	g_autofree guint *counts = count_by_type(list->sums);
	g_autofree char *nodes = join_nodes(list->sums, 0, "\n");
	g_autofree char *wait = iot_format_duration(all->wait_ns);
	g_autofree char *worst = iot_format_duration(all->worst_ns);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *calls = iot_format_count(all->calls);
	g_autofree char *noun = iot_plural("call", all->calls);
	guint64 n_nodes = *nodes ? 1 : 0;

	if (!list->sums->units->len) {
		iot_out_puts(list->out, "nothing to list\n");
		return;
	}
	for (const char *p = nodes; *p; p++)
		n_nodes += *p == '\n';
	for (iot_type_id id = 1; id < list->tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(list->tl, id);

		if (!counts[id] || type->role == IOT_ROLE_NODE)
			continue;
		add_count(text, counts[id], iot_tl_str(list->tl, type->title));
	}
	if (n_nodes)
		add_count(text, n_nodes, "node");
	g_string_append_printf(text, ": %s %s, %s pending, worst wait %s", calls, noun, wait,
			       worst);
	iot_out_wrapped(list->out, IOT_PLAIN, FALSE, text->str, 0, 2, list->width);
	iot_out_putc(list->out, '\n');
}

static void write_list(const struct list_sink *list)
{
	if (list->tsv)
		iot_out_puts(list->out, "type\tpath\tcalls\tpending_ns\tworst_ns\tnodes\n");
	for (iot_type_id type = 1; type < list->tl->types.n; type++) {
		g_autoptr(GArray) rows = collect_rows(list->sums, type);

		if (!rows->len)
			continue;
		iot_aggregate_sort(list->sums, rows, list->order, TRUE);
		if (list->tsv) {
			write_tsv(list, rows);
			continue;
		}
		write_table(list, type, rows);
		iot_out_putc(list->out, '\n');
	}
	if (!list->tsv)
		write_totals(list);
}

static gboolean list_finish(struct iot_sink *sink, const struct iot_summary *summary,
			    GError **error)
{
	struct list_sink *list = (struct list_sink *)sink;

	iot_aggregate_roll_up(list->sums);
	list->width = list->on_stdout ? summary->width : 0;
	list->colour = summary->colour && list->on_stdout;
	write_list(list);
	return iot_out_finish(list->out, error);
}

static const struct iot_sink_option list_options[] = {
	{ "sort", "pending|worst|calls|name", "order of the rows; default: pending" },
	{ "tsv", NULL, "tab-separated values, times in ns, for programs" },
	{ NULL },
};

const struct iot_sink_ops iot_sink_list = {
	.name = "list",
	.summary = "every resource with its nodes, calls, time pending and worst wait",
	.suffix = ".txt",
	.word_path = "-",
	.word_pages = TRUE,
	.prints_at_end = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.options = list_options,
	.open = list_open,
	.item = list_item,
	.finish = list_finish,
	.free = list_free,
};
