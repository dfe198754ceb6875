/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/check-tables.h"

static const struct iot_check *check_at(const struct iot_timeline *tl, guint i)
{
	return &g_array_index(iot_findings_checks(tl->findings), struct iot_check, i);
}

static void add_name(struct iot_result_table *table, const struct iot_check *check)
{
	g_autofree char *name = g_strdup_printf("%s %s", check->model, check->name);

	iot_result_text(table, name);
}

static void publish_checks(const struct iot_timeline *tl, struct iot_results *results)
{
	struct iot_result_table *table =
		iot_results_add(results, "checks", "Rules that were checked");
	struct iot_column *column;

	table->help = g_strdup("rules of the models ([check]), and how often each is broken");
	iot_result_column(table, "rule", "rule", IOT_COLUMN_TEXT)->help =
		g_strdup("model and [check]");
	for (guint grade = 0; grade < IOT_N_GRADES; grade++) {
		const char *name = iot_grade_name((enum iot_grade)grade);

		column = iot_result_column(table, name, name, IOT_COLUMN_COUNT);
		column->flags = IOT_COLUMN_DASH;
		if (grade == IOT_GRADE_PROVED)
			column->flags |= IOT_COLUMN_ALARM;
	}
	iot_result_column(table, "finds", "finds", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_WRAP;
	for (guint i = 0; i < iot_findings_checks(tl->findings)->len; i++) {
		iot_result_row(table);
		add_name(table, check_at(tl, i));
		for (guint grade = 0; grade < IOT_N_GRADES; grade++)
			iot_result_number(
				table, iot_findings_count(tl->findings, i, (enum iot_grade)grade));
		iot_result_text(table, check_at(tl, i)->says);
	}
}

static void add_row_cell(struct iot_result_table *table, iot_row_id row)
{
	if (row)
		iot_result_number(table, row);
	else
		iot_result_none(table, IOT_CELL_EMPTY);
}

static void add_finding(const struct iot_timeline *tl, struct iot_result_table *table,
			const struct iot_finding *finding)
{
	g_autofree char *text =
		finding->why ? g_strdup_printf("%s (%s: %s)", finding->text,
					       iot_grade_name(finding->grade), finding->why)
			     : g_strdup(finding->text);

	iot_result_row(table);
	iot_result_number(table, table->rows->len);
	iot_result_text(table, iot_grade_name(finding->grade));
	iot_result_number(table, finding->at);
	add_name(table, check_at(tl, finding->check));
	add_row_cell(table, finding->row[0]);
	add_row_cell(table, finding->row[1]);
	iot_result_number(table, finding->t0);
	iot_result_number(table, finding->t1 - finding->t0);
	iot_result_text(table, text);
}

static void publish_findings(const struct iot_timeline *tl, const GArray *found,
			     struct iot_results *results)
{
	struct iot_result_table *table = iot_results_add(results, "findings", "Findings");
	guint64 n = 0;

	table->help = g_strdup("where rules of the models are broken");
	iot_result_column(table, "number", "n", IOT_COLUMN_COUNT);
	iot_result_column(table, "grade", "grade", IOT_COLUMN_TEXT);
	iot_result_column(table, "at", "at", IOT_COLUMN_INSTANT);
	iot_result_column(table, "rule", "rule", IOT_COLUMN_TEXT);
	iot_result_column(table, "row", "where", IOT_COLUMN_ROW)->flags =
		IOT_COLUMN_OPTIONAL | IOT_COLUMN_SHRINK;
	iot_result_column(table, "other_row", "and", IOT_COLUMN_ROW)->flags =
		IOT_COLUMN_OPTIONAL | IOT_COLUMN_DATA;
	iot_result_column(table, "begin", "events from", IOT_COLUMN_INSTANT)->flags =
		IOT_COLUMN_DATA;
	iot_result_column(table, "length", "window", IOT_COLUMN_NS)->help =
		g_strdup("the smallest interval whose events show it");
	iot_result_column(table, "found", "found", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_WRAP;
	for (guint i = 0; i < found->len; i++)
		add_finding(tl, table, &g_array_index(found, struct iot_finding, i));
	for (guint i = 0; i < iot_findings_checks(tl->findings)->len; i++)
		for (guint grade = 0; grade < IOT_N_GRADES; grade++)
			n += iot_findings_count(tl->findings, i, (enum iot_grade)grade);
	if (n > found->len)
		iot_result_note(table, "%" G_GUINT64_FORMAT " more are counted and not listed",
				n - found->len);
}

void iot_check_publish(const struct iot_timeline *tl, struct iot_results *results)
{
	const GArray *found = iot_findings_finish(tl);

	publish_checks(tl, results);
	if (found->len)
		publish_findings(tl, found, results);
}
