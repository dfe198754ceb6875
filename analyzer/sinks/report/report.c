/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report: sums up items until finish, then prints section by section. */
#include "sinks/report/report-events.h"
#include "sinks/report/report-inputs.h"
#include "sinks/report/report-units.h"

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

static const struct iot_sink_option report_options[] = {
	{ "all", NULL, "all resources, not only the ten with the most time pending" },
	{ NULL },
};

const struct iot_sink_ops iot_sink_report = {
	.name = "report",
	.summary = "inputs, time in each state, results, longest waits and diagnostics",
	.suffix = ".txt",
	.word_path = "-",
	.word_pages = TRUE,
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
