/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list: every unit of the timeline (for locks: every resource) below its parent rows (lockspaces),
 * with its nodes, its calls, the time spent waiting, and the nodes whose locks were in the way.
 * --select accepts the printed paths.
 *
 * With the option tsv one line per row, tab separated, times in ns: type, path, calls, pending_ns,
 * worst_ns, nodes, held_by. The first line names the columns.
 */
#include "sinks/publish.h"
#include "sinks/result-json.h"
#include "sinks/result-text.h"
#include "sinks/sentences.h"
#include "base/error.h"
#include "base/units.h"

#include <string.h>

struct list_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
	struct iot_aggregate *sums;
	enum iot_row_order order;
	gboolean tsv, json;
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
	list->json = iot_sink_flag(args, "json");
	list->on_stdout = !strcmp(args->path, "-");
	if (list->tsv && list->json)
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "a list has the form tsv or json, not both");
	else if (parse_order(sort ? sort : "pending", &list->order, error))
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
static void write_totals(const struct list_sink *list, const struct iot_publishing *from)
{
	const struct iot_row_sum *all = iot_aggregate_row(list->sums, 0);
	g_autofree guint *counts = count_by_type(list->sums);
	g_autofree char *nodes = iot_unit_nodes(list->sums, 0);
	g_autofree char *wait = iot_format_duration(all->wait_ns);
	g_autofree char *worst = iot_format_duration(all->worst_ns);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *calls = iot_format_count(all->calls);
	g_autofree char *noun = iot_plural("call", all->calls);
	g_autofree char *unnamed = iot_unnamed_lockspaces(list->tl, list->sums->units);
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
	g_string_append_printf(text, ": %s %s, %s pending, worst wait %s%s", calls, noun, wait,
			       iot_longest_is_least(from, 0, all) ? ">" : "", worst);
	iot_out_wrapped(list->out, IOT_PLAIN, FALSE, text->str, 0, 2, list->width);
	iot_out_putc(list->out, '\n');
	if (!unnamed)
		return;
	iot_out_wrapped(list->out, IOT_PLAIN, FALSE, unnamed, 0, 2, list->width);
	iot_out_putc(list->out, '\n');
}

static const struct iot_tsv_column tsv_columns[] = {
	{ "type", "type" },	  { "place", "path" },
	{ "calls", "calls" },	  { "pending", "pending_ns" },
	{ "worst", "worst_ns" },  { "nodes", "nodes" },
	{ "held_by", "held_by" }, { NULL },
};

static void write_tsv(const struct list_sink *list, const struct iot_results *results)
{
	struct iot_result_style style = { .tl = list->tl, .out = list->out };

	for (guint i = 0; tsv_columns[i].name; i++)
		iot_out_printf(list->out, "%s%s", i ? "\t" : "", tsv_columns[i].title);
	iot_out_putc(list->out, '\n');
	for (guint i = 0; i < results->tables->len; i++)
		iot_result_print_tsv(g_ptr_array_index(results->tables, i), &style, tsv_columns);
}

static void write_text(const struct list_sink *list, const struct iot_publishing *from,
		       const struct iot_results *results)
{
	struct iot_result_style style = {
		.tl = list->tl, .out = list->out, .colour = list->colour, .width = list->width
	};

	for (guint i = 0; i < results->tables->len; i++) {
		iot_result_print(g_ptr_array_index(results->tables, i), &style);
		iot_out_putc(list->out, '\n');
	}
	write_totals(list, from);
}

static gboolean list_finish(struct iot_sink *sink, const struct iot_summary *summary,
			    GError **error)
{
	struct list_sink *list = (struct list_sink *)sink;
	struct iot_publishing from = { .tl = list->tl, .sums = list->sums, .summary = summary };
	g_autoptr(iot_results) results = NULL;

	iot_aggregate_roll_up(list->sums);
	list->width = list->on_stdout ? summary->width : 0;
	list->colour = summary->colour && list->on_stdout;
	results = iot_publish_list(&from, list->order);
	if (list->tsv)
		write_tsv(list, results);
	else if (list->json)
		iot_results_write_json(results, list->tl, list->out);
	else
		write_text(list, &from, results);
	return iot_out_finish(list->out, error);
}

static const struct iot_sink_option list_options[] = {
	{ "sort", "pending|worst|calls|name", "order of the rows; default: pending" },
	{ "tsv", NULL, "tab-separated values, times in ns, for programs", TRUE },
	{ "json", NULL, "JSON, times in ns, for programs", TRUE },
	{ NULL },
};

const struct iot_sink_ops iot_sink_list = {
	.name = "list",
	.summary = "every resource with its time pending, worst wait, calls, nodes and holders",
	.suffix = ".txt",
	.word_path = "-",
	.word_pages = TRUE,
	.prints_at_end = TRUE,
	.analysis = "blame",
	.feed = IOT_FEED_WHOLE_SPANS,
	.options = list_options,
	.open = list_open,
	.item = list_item,
	.finish = list_finish,
	.free = list_free,
};
