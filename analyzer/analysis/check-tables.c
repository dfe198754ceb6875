/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/check-tables.h"
#include "tables/ranked.h"

static const struct iot_check *check_at(const struct iot_timeline *tl, guint i)
{
	return &g_array_index(iot_findings_checks(tl->findings), struct iot_check, i);
}

static char *name_of(const struct iot_check *check)
{
	return g_strdup_printf("%s %s", check->model, check->name);
}

static void add_check(struct iot_result_table *table, const struct iot_timeline *tl, guint number)
{
	const struct iot_check *check = check_at(tl, number);
	g_autofree char *name = name_of(check);

	iot_ranked_row(table, iot_cell_text(name));
	for (guint grade = 0; grade < IOT_N_GRADES; grade++)
		iot_result_number(table,
				  iot_findings_count(tl->findings, number, (enum iot_grade)grade));
	iot_result_text(table, check->says);
}

static struct iot_result_table *publish_checks(const struct iot_timeline *tl,
					       struct iot_results *results)
{
	static const struct iot_ranked_column columns[] = {
		{ "rule", "rule", IOT_COLUMN_TEXT, .help = "model and [check]" },
	};
	static const struct iot_ranked ranked = {
		IOT_RANKED("checks", "Rules that were checked", columns),
		.help = "rules of the models ([check]), and how often each is broken",
		.loss = IOT_LOSS_IN_CELLS,
	};
	guint n = iot_findings_checks(tl->findings)->len;
	struct iot_result_table *table = iot_ranked_table(results, tl, &ranked, n);

	for (guint grade = 0; grade < IOT_N_GRADES; grade++) {
		const char *name = iot_grade_name((enum iot_grade)grade);

		iot_result_column(table, name, name, IOT_COLUMN_COUNT)->flags =
			IOT_COLUMN_DASH | (grade == IOT_GRADE_PROVED ? IOT_COLUMN_ALARM : 0);
	}
	iot_result_column(table, "finds", "finds", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_WRAP;
	for (guint i = 0; i < n; i++)
		add_check(table, tl, i);
	return table;
}

static void add_finding(struct iot_result_table *table, gconstpointer element, gconstpointer tl)
{
	const struct iot_finding *finding = element;
	g_autofree char *name = name_of(check_at(tl, finding->check));
	g_autofree char *text =
		finding->why ? g_strdup_printf("%s (%s: %s)", finding->text,
					       iot_grade_name(finding->grade), finding->why)
			     : g_strdup(finding->text);

	iot_ranked_row(table, iot_cell_number(table->rows->len + 1),
		       iot_cell_text(iot_grade_name(finding->grade)), iot_cell_number(finding->at),
		       iot_cell_text(name), iot_cell_positive(finding->row[0]),
		       iot_cell_positive(finding->row[1]), iot_cell_number(finding->t0),
		       iot_cell_number(finding->t1 - finding->t0), iot_cell_text(text));
}

static const struct iot_ranked_column finding_columns[] = {
	{ "number", "n", IOT_COLUMN_COUNT },
	{ "grade", "grade", IOT_COLUMN_TEXT },
	{ "at", "at", IOT_COLUMN_INSTANT },
	{ "rule", "rule", IOT_COLUMN_TEXT },
	{ "row", "where", IOT_COLUMN_ROW, IOT_COLUMN_OPTIONAL | IOT_COLUMN_SHRINK },
	{ "other_row", "and", IOT_COLUMN_ROW, IOT_COLUMN_OPTIONAL | IOT_COLUMN_DATA },
	{ "begin", "events from", IOT_COLUMN_INSTANT, IOT_COLUMN_DATA },
	{ "length", "window", IOT_COLUMN_NS, .help = "the smallest interval whose events show it" },
	{ "found", "found", IOT_COLUMN_TEXT, IOT_COLUMN_WRAP },
};

static const struct iot_ranked findings_ranked = {
	IOT_RANKED("findings", "Findings", finding_columns),
	.help = "where rules of the models are broken",
	.loss = IOT_LOSS_IN_CELLS,
	.add = add_finding,
};

struct iot_result_table *iot_check_publish(const struct iot_timeline *tl,
					   struct iot_results *results)
{
	const GArray *found = iot_findings_finish(tl);
	struct iot_result_table *rules = publish_checks(tl, results), *table;
	guint64 n = 0;

	table = iot_ranked_publish_array(results, tl, &findings_ranked, found, tl);
	for (guint i = 0; i < iot_findings_checks(tl->findings)->len; i++)
		for (guint grade = 0; grade < IOT_N_GRADES; grade++)
			n += iot_findings_count(tl->findings, i, (enum iot_grade)grade);
	if (table && n > found->len)
		iot_result_note(table, "%" G_GUINT64_FORMAT " more are counted and not listed",
				n - found->len);
	return rules;
}
