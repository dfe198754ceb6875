/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report: sums up items until finish, then prints the answers, or the published tables one
 * after the other. sync: the tables about clocks only.
 */
#include "sinks/publish.h"
#include "sinks/report-short.h"
#include "sinks/result-json.h"
#include "sinks/result-text.h"
#include "base/units.h"

#include <string.h>

struct iot_report {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
	struct iot_aggregate *sums;
	struct iot_row_times *times; /* NULL: without -v */
	gboolean tables, all, json;  /* options */
	gboolean on_stdout;
};

static void report_free(struct iot_sink *sink)
{
	struct iot_report *report = (struct iot_report *)sink;

	if (!report)
		return;
	iot_out_free(report->out);
	iot_aggregate_free(report->sums);
	iot_row_times_free(report->times);
	g_free(report);
}

static struct iot_sink *open_as(const struct iot_sink_ops *ops, const struct iot_sink_args *args,
				GError **error)
{
	struct iot_report *report = g_new0(struct iot_report, 1);

	report->sink.ops = ops;
	report->tl = args->tl;
	report->sums = iot_aggregate_new(args->tl);
	if (args->verbose)
		report->times = iot_row_times_new(args->tl);
	report->all = iot_sink_flag(args, "all");
	/* who asks for more words wants all tables */
	report->tables = report->all || iot_sink_flag(args, "tables") || args->verbose ||
			 ops == &iot_sink_sync;
	report->json = iot_sink_flag(args, "json");
	report->on_stdout = !strcmp(args->path, "-");
	report->out = iot_out_open(args->path, error);
	if (report->out)
		return &report->sink;
	report_free(&report->sink);
	return NULL;
}

static struct iot_sink *report_open(const struct iot_sink_args *args, GError **error)
{
	return open_as(&iot_sink_report, args, error);
}

static struct iot_sink *sync_open(const struct iot_sink_args *args, GError **error)
{
	return open_as(&iot_sink_sync, args, error);
}

static gboolean report_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct iot_report *report = (struct iot_report *)sink;

	(void)error;
	iot_aggregate_add(report->sums, item);
	if (report->times)
		iot_row_times_add(report->times, item);
	return TRUE;
}

/* Sentences, one a line */
static void write_verdict(const struct iot_result_table *table,
			  const struct iot_result_style *style)
{
	int at = iot_result_find_column(table, "sentence");

	for (guint i = 0; i < table->rows->len; i++) {
		iot_out_wrapped(style->out, IOT_BOLD, style->colour,
				iot_result_row_at(table, i)->cells[at].text, 0, 2, style->width);
		iot_out_putc(style->out, '\n');
	}
}

/* Sentences: "warning  12: what it means", and below it the inputs, if there are several. */
static void write_diagnostics(const struct iot_result_table *table,
			      const struct iot_result_style *style)
{
	static const enum iot_style styles[] = {
		[IOT_NOTICE] = IOT_PLAIN,
		[IOT_WARN] = IOT_YELLOW,
		[IOT_LOSS] = IOT_RED,
	};
	g_autoptr(iot_table) text = iot_table_new();
	int severity_at = iot_result_find_column(table, "severity");
	int count_at = iot_result_find_column(table, "count");
	int meaning_at = iot_result_find_column(table, "meaning");
	int inputs_at = iot_result_find_column(table, "inputs");

	text->max_width = style->width;
	iot_table_column(text, "", IOT_LEFT);
	iot_table_column(text, "", IOT_LEFT)->wrap = TRUE;
	for (guint i = 0; i < table->rows->len; i++) {
		const struct iot_result_cell *cells = iot_result_row_at(table, i)->cells;
		enum iot_severity severity = (enum iot_severity)cells[severity_at].number;
		g_autofree char *count = iot_format_count(cells[count_at].number);
		g_auto(GStrv) inputs = NULL;
		g_autofree char *joined = NULL;

		iot_table_row(text);
		iot_table_cell(text, styles[severity], iot_diag_severity_name(severity));
		iot_table_take(text, IOT_PLAIN,
			       g_strdup_printf("%s: %s", count, cells[meaning_at].text));
		if (cells[inputs_at].flags & IOT_CELL_EMPTY)
			continue;
		inputs = g_strsplit(cells[inputs_at].text, "\n", -1);
		joined = g_strjoinv(", ", inputs);
		iot_table_row(text);
		iot_table_cell(text, IOT_PLAIN, "");
		iot_table_take(text, IOT_PLAIN, g_strdup_printf("  %s", joined));
	}
	iot_table_write(text, style->out, style->colour);
}

static void write_tables(const struct iot_report *report, const struct iot_results *results,
			 const struct iot_result_style *style)
{
	for (guint i = 0; i < results->tables->len; i++) {
		const struct iot_result_table *table = g_ptr_array_index(results->tables, i);

		if (table->for_programs)
			continue;
		if (i)
			iot_out_putc(report->out, '\n');
		if (!strcmp(table->name, "verdict")) {
			write_verdict(table, style);
			continue;
		}
		iot_result_print_heading(table, style);
		if (strcmp(table->name, "diagnostics"))
			iot_result_print(table, style);
		else
			write_diagnostics(table, style);
		iot_result_print_notes(table, style);
	}
}

static gboolean report_finish(struct iot_sink *sink, const struct iot_summary *summary,
			      GError **error)
{
	struct iot_report *report = (struct iot_report *)sink;
	struct iot_publishing from = {
		.tl = report->tl,
		.sums = report->sums,
		.summary = summary,
		.times = report->times,
		.all = report->all,
	};
	struct iot_result_style style = {
		.tl = report->tl,
		.out = report->out,
		.colour = summary->colour && report->on_stdout,
		.width = report->on_stdout ? summary->width : 0,
		.indent = 2,
	};
	g_autoptr(iot_results) results = NULL;

	iot_aggregate_roll_up(report->sums);
	results = sink->ops == &iot_sink_sync ? iot_publish_sync(&from) : iot_publish(&from);
	if (report->json)
		iot_results_write_json(results, report->tl, report->out);
	else if (report->tables)
		write_tables(report, results, &style);
	else
		iot_report_short(&from, results, &style);
	return iot_out_finish(report->out, error);
}

static const struct iot_sink_option report_options[] = {
	{ "tables", NULL, "all tables instead of 40 lines; -v does the same" },
	{ "all", NULL,
	  "all tables with all resources, not only the ten with the most time pending" },
	{ "json", NULL, "all tables as JSON, times in ns, for programs", TRUE },
	{ NULL },
};

const struct iot_sink_ops iot_sink_report = {
	.name = "report",
	.summary = "the answers in 40 lines: slowest calls, longest waits, who blocked whom",
	.suffix = ".txt",
	.word_path = "-",
	.word_pages = TRUE,
	.default_path = "-",
	.prints_at_end = TRUE,
	.shows_diagnostics = TRUE,
	.has_tables = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.options = report_options,
	.open = report_open,
	.item = report_item,
	.finish = report_finish,
	.free = report_free,
};

static const struct iot_sink_option sync_options[] = {
	{ "json", NULL, "the same tables as JSON, times in ns, for programs", TRUE },
	{ NULL },
};

const struct iot_sink_ops iot_sink_sync = {
	.name = "sync",
	.summary =
		"clocks of the inputs: how they were synchronised, and how certain their order is",
	.suffix = ".sync.txt",
	.word_path = "-",
	.word_pages = TRUE,
	.prints_at_end = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.options = sync_options,
	.open = sync_open,
	.item = report_item,
	.finish = report_finish,
	.free = report_free,
};
