/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/findings-lines.h"
#include "base/out.h"
#include "base/units.h"

#include <string.h>

static const struct iot_result_table *find(const struct iot_summary *summary, const char *name)
{
	return summary->results ? iot_results_find(summary->results, name) : NULL;
}

guint iot_rule_count(const struct iot_summary *summary)
{
	const struct iot_result_table *checks = find(summary, "checks");

	return checks ? checks->rows->len : 0;
}

static const struct iot_result_cell *cell(const struct iot_result_table *table, guint row,
					  const char *column)
{
	return &iot_result_row_at(table, row)->cells[iot_result_find_column(table, column)];
}

static void add_line(const struct iot_result_table *findings, guint row,
		     const struct iot_timeline *tl, GString *lines)
{
	const struct iot_result_cell *at = cell(findings, row, "row");
	g_autofree char *seconds =
		iot_format_seconds(cell(findings, row, "at")->number - tl->origin_ns);
	g_autofree char *path = at->flags & IOT_CELL_EMPTY
					? NULL
					: iot_timeline_path(tl, (iot_row_id)at->number, "/");
	g_autofree char *text =
		g_strdup_printf("%s %s%s: %s", seconds, path ? path : "", path ? "" : "order",
				cell(findings, row, "found")->text);
	g_autofree char *shown = iot_printable(text);

	g_string_append_printf(lines, "%s\n", shown);
}

void iot_rule_result(const struct iot_summary *summary, const struct iot_timeline *tl, guint index,
		     struct iot_rule_result *out)
{
	const struct iot_result_table *checks = find(summary, "checks");
	const struct iot_result_table *findings = find(summary, "findings");
	GString *lines = g_string_new(NULL);

	out->rule = cell(checks, index, "rule")->text;
	out->finds = cell(checks, index, "finds")->text;
	out->n_proved = cell(checks, index, "proved")->number;
	out->n_possible = cell(checks, index, "possible")->number;
	out->n_undecided = cell(checks, index, "undecided")->number;
	for (guint i = 0; findings && i < findings->rows->len; i++)
		if (!strcmp(cell(findings, i, "rule")->text, out->rule))
			add_line(findings, i, tl, lines);
	out->lines = g_string_free(lines, FALSE);
}

struct iot_sink *iot_rules_open(const struct iot_sink_ops *ops, const struct iot_sink_args *args,
				GError **error)
{
	struct iot_rules_sink *rules = g_new0(struct iot_rules_sink, 1);

	rules->sink.ops = ops;
	rules->tl = args->tl;
	rules->out = iot_out_open(args->path, error);
	if (rules->out)
		return &rules->sink;
	iot_rules_free(&rules->sink);
	return NULL;
}

gboolean iot_rules_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	(void)sink;
	(void)item;
	(void)error;
	return TRUE;
}

void iot_rules_free(struct iot_sink *sink)
{
	struct iot_rules_sink *rules = (struct iot_rules_sink *)sink;

	if (!rules)
		return;
	iot_out_free(rules->out);
	g_free(rules);
}
