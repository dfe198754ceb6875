/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check: the rules of the models, and each place where one is broken. */
#include "sinks/result-json.h"
#include "sinks/result-text.h"
#include "sinks/sink.h"
#include "base/out.h"
#include "base/units.h"

#include <string.h>

struct check_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
	gboolean on_stdout, json, tsv;
};

static void check_free(struct iot_sink *sink)
{
	struct check_sink *check = (struct check_sink *)sink;

	if (!check)
		return;
	iot_out_free(check->out);
	g_free(check);
}

static struct iot_sink *check_open(const struct iot_sink_args *args, GError **error)
{
	struct check_sink *check = g_new0(struct check_sink, 1);

	check->sink.ops = &iot_sink_check;
	check->tl = args->tl;
	check->on_stdout = !strcmp(args->path, "-");
	check->json = iot_sink_flag(args, "json");
	check->tsv = iot_sink_flag(args, "tsv");
	check->out = iot_out_open(args->path, error);
	if (check->out)
		return &check->sink;
	check_free(&check->sink);
	return NULL;
}

static gboolean check_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	(void)sink;
	(void)item;
	(void)error;
	return TRUE;
}

static void print(const struct iot_result_table *table, const struct iot_result_style *style)
{
	iot_result_print_heading(table, style);
	iot_result_print(table, style);
	iot_result_print_notes(table, style);
}

static const struct iot_result_cell *cell(const struct iot_result_table *table, guint row,
					  const char *column)
{
	return &iot_result_row_at(table, row)->cells[iot_result_find_column(table, column)];
}

/* An event before its cause by less than the clocks can be wrong: a line for each says nothing. */
static gboolean is_clock_error(const struct iot_result_table *findings, guint row)
{
	return cell(findings, row, "row")->flags & IOT_CELL_EMPTY &&
	       !strcmp(cell(findings, row, "grade")->text, "possible") &&
	       g_str_has_suffix(cell(findings, row, "found")->text,
				"(possible: within the error of the clocks)");
}

/* "dlm order: 124 possible, within the error of the clocks" */
static void print_clock_errors(const struct check_sink *check, const char *rule, guint64 n,
			       const guint64 *first_last)
{
	g_autofree char *count = iot_format_count(n);
	g_autofree char *first = iot_format_seconds(first_last[0] - check->tl->origin_ns);
	g_autofree char *last = iot_format_seconds(first_last[1] - check->tl->origin_ns);

	iot_out_printf(check->out, "%s: %s possible, within the error of the clocks, %s%s%s%s\n",
		       rule, count, n > 1 ? "from " : "at ", first, n > 1 ? " to " : "",
		       n > 1 ? last : "");
}

/* The findings in lines, but for the clock errors of each rule of order, which are one line. */
static void print_findings(const struct check_sink *check, const struct iot_result_table *findings,
			   const struct iot_result_style *style)
{
	struct iot_result_table kept = *findings;
	g_autoptr(GPtrArray) rules = g_ptr_array_new();

	kept.rows = g_array_new(FALSE, FALSE, sizeof(struct iot_result_row));
	for (guint i = 0; i < findings->rows->len; i++) {
		char *rule = cell(findings, i, "rule")->text;

		if (!is_clock_error(findings, i))
			g_array_append_val(kept.rows, *iot_result_row_at(findings, i));
		else if (!g_ptr_array_find_with_equal_func(rules, rule, g_str_equal, NULL))
			g_ptr_array_add(rules, rule);
	}
	if (kept.rows->len) {
		print(&kept, style);
		iot_out_putc(check->out, '\n');
	}
	g_array_unref(kept.rows);
	for (guint k = 0; k < rules->len; k++) {
		guint64 n = 0, first_last[2] = { 0 };

		for (guint i = 0; i < findings->rows->len; i++) {
			guint64 at = cell(findings, i, "at")->number;

			if (!is_clock_error(findings, i) ||
			    strcmp(cell(findings, i, "rule")->text, rules->pdata[k]))
				continue;
			first_last[0] = n ? MIN(first_last[0], at) : at;
			first_last[1] = MAX(first_last[1], at);
			n++;
		}
		print_clock_errors(check, rules->pdata[k], n, first_last);
	}
	if (rules->len)
		iot_out_puts(check->out, "  -o check:FILE,tsv lists them\n\n");
}

static const struct iot_tsv_column tsv[] = {
	{ "number", "number" },	 { "grade", "grade" },
	{ "rule", "rule" },	 { "at", "at_ns" },
	{ "begin", "begin_ns" }, { "length", "length_ns" },
	{ "row", "row" },	 { "other_row", "other_row" },
	{ "found", "found" },	 { NULL },
};

static gboolean check_finish(struct iot_sink *sink, const struct iot_summary *summary,
			     GError **error)
{
	struct check_sink *check = (struct check_sink *)sink;
	const struct iot_result_style style = {
		.tl = check->tl,
		.out = check->out,
		.colour = summary->colour && check->on_stdout,
		.width = check->on_stdout ? summary->width : 0,
		.indent = 2,
	};
	const struct iot_result_table *checks = NULL, *findings = NULL;
	g_autoptr(iot_results) chosen = iot_results_new();

	if (summary->results) {
		checks = iot_results_find(summary->results, "checks");
		findings = iot_results_find(summary->results, "findings");
	}
	if (check->tsv) {
		if (findings)
			iot_result_print_tsv(findings, &style, tsv);
	} else if (check->json) {
		iot_results_write_json(summary->results ? summary->results : chosen, check->tl,
				       check->out);
	} else if (!checks) {
		iot_out_puts(check->out, "No model of these recordings has a [check].\n");
	} else {
		if (findings)
			print_findings(check, findings, &style);
		print(checks, &style);
	}
	return iot_out_finish(check->out, error);
}

static const struct iot_sink_option check_options[] = {
	{ "json", NULL, "the same tables as JSON, times in ns, for programs", TRUE },
	{ "tsv", NULL, "the findings only, in columns separated by tabs, times in ns", TRUE },
	{ NULL },
};

const struct iot_sink_ops iot_sink_check = {
	.name = "check",
	.summary = "places where rules of the models are broken; exit status 4 if one is proved",
	.suffix = ".check.txt",
	.word_path = "-",
	.word_pages = TRUE,
	.prints_at_end = TRUE,
	.analysis = "check",
	.feed = IOT_FEED_WHOLE_SPANS,
	.options = check_options,
	.open = check_open,
	.item = check_item,
	.finish = check_finish,
	.free = check_free,
};
