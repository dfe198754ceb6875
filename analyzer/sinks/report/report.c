/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/report/report.h"
#include "base/units.h"

#include <string.h>

static void report_free(struct iot_sink *sink)
{
	struct iot_report *report = (struct iot_report *)sink;

	if (!report)
		return;
	iot_out_free(report->out);
	iot_aggregate_free(report->sums);
	g_free(report);
}

static struct iot_sink *report_open(const struct iot_sink_args *args, GError **error)
{
	struct iot_report *report = g_new0(struct iot_report, 1);

	report->sink.ops = &iot_sink_report;
	report->tl = args->tl;
	report->sums = iot_aggregate_new(args->tl);
	report->all = iot_sink_flag(args, "all");
	report->on_stdout = !strcmp(args->path, "-");
	report->out = iot_out_open(args->path, error);
	if (report->out)
		return &report->sink;
	report_free(&report->sink);
	return NULL;
}

static gboolean report_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	(void)error;
	iot_aggregate_add(((struct iot_report *)sink)->sums, item);
	return TRUE;
}

static gboolean report_finish(struct iot_sink *sink, const struct iot_summary *summary,
			      GError **error)
{
	struct iot_report *report = (struct iot_report *)sink;

	iot_aggregate_roll_up(report->sums);
	report->summary = summary;
	report->colour = summary->colour && report->on_stdout;
	report->width = report->on_stdout ? summary->width : 0;
	report->from_ns = MAX(summary->begin_ns, summary->from_ns);
	report->to_ns = MAX(MIN(summary->end_ns, summary->to_ns), report->from_ns);
	iot_report_inputs(report);
	iot_report_times(report);
	iot_report_units(report);
	iot_report_results(report);
	iot_report_longest(report);
	iot_report_gaps(report);
	iot_report_diagnostics(report);
	return iot_out_finish(report->out, error);
}

void iot_report_heading(struct iot_report *report, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	if (report->n_sections++)
		iot_out_putc(report->out, '\n');
	iot_out_wrapped(report->out, IOT_BOLD, report->colour, text, 0, 2, report->width);
	iot_out_putc(report->out, '\n');
}

struct iot_table *iot_report_table(const struct iot_report *report)
{
	struct iot_table *table = iot_table_new();

	table->max_width = report->width;
	return table;
}

void iot_report_note(struct iot_report *report, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	iot_out_puts(report->out, "  ");
	iot_out_wrapped(report->out, IOT_PLAIN, FALSE, text, 2, 2, report->width);
	iot_out_putc(report->out, '\n');
}

char *iot_report_rel(const struct iot_report *report, guint64 ns)
{
	guint64 origin = report->tl->origin_ns;
	g_autofree char *before = ns < origin ? iot_format_seconds(origin - ns) : NULL;

	/* the host's file may begin before the recording of the nodes does */
	return before ? g_strconcat("-", before, NULL) : iot_format_seconds(ns - origin);
}

char *iot_report_clock(guint64 ns)
{
	guint64 us = ns / 1000 + (ns % 1000 >= 500);

	return g_strdup_printf("%" G_GUINT64_FORMAT ".%06u", us / 1000000,
			       (unsigned int)(us % 1000000));
}

char *iot_report_count(guint64 n)
{
	return n ? iot_format_count(n) : g_strdup("-");
}

char *iot_report_duration(guint64 ns)
{
	return ns ? iot_format_duration(ns) : g_strdup("-");
}

static const struct iot_sink_option report_options[] = {
	{ "all", NULL, "all resources, not only the ten with the most time pending" },
	{ NULL },
};

const struct iot_sink_ops iot_sink_report = {
	.name = "report",
	.summary = "inputs, time in each state, results, longest waits and diagnostics",
	.suffix = ".txt",
	.default_path = "-",
	.prints_at_end = TRUE,
	.shows_diagnostics = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.options = report_options,
	.open = report_open,
	.item = report_item,
	.finish = report_finish,
	.free = report_free,
};
