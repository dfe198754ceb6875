/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The published tables for the page. It makes those of rows itself, from the rows' sums. */
#include "sinks/html/html-head.h"
#include "sinks/json.h"
#include "sinks/result-json.h"

/* Rows and categories are numbers of the page's tables; instants count from its zero. */
static void add_cell(GString *json, const struct iot_timeline *tl, const struct iot_column *column,
		     const struct iot_result_cell *cell)
{
	g_auto(GStrv) lines = NULL;
	g_autofree char *joined = NULL;

	if (cell->flags & (IOT_CELL_EMPTY | IOT_CELL_UNKNOWN)) {
		iot_json_text(json, NULL, NULL);
	} else if (column->kind == IOT_COLUMN_TEXT) {
		lines = g_strsplit(cell->text, "\n", -1);
		joined = g_strjoinv(", ", lines);
		iot_json_text(json, NULL, joined);
	} else if (column->kind == IOT_COLUMN_SHARE) {
		iot_json_double(json, NULL, cell->share);
	} else if (column->kind == IOT_COLUMN_INSTANT) {
		iot_json_uint(json, NULL, iot_tl_rel(tl, cell->number));
	} else if (column->kind == IOT_COLUMN_SEVERITY) {
		iot_json_text(json, NULL, iot_diag_severity_name((enum iot_severity)cell->number));
	} else if (cell->flags & IOT_CELL_NEGATIVE) {
		iot_json_int(json, NULL, (gint64)cell->number);
	} else {
		iot_json_uint(json, NULL, cell->number);
	}
}

static void add_table(GString *json, const struct iot_timeline *tl,
		      const struct iot_result_table *table)
{
	iot_json_open(json, NULL, '{');
	iot_json_text(json, "name", table->name);
	iot_json_text(json, "title", table->title);
	if (table->help)
		iot_json_text(json, "help", table->help);
	iot_result_add_columns(json, table, FALSE);
	iot_json_open(json, "rows", '[');
	for (guint r = 0; r < table->rows->len; r++) {
		iot_json_open(json, NULL, '[');
		for (guint i = 0; i < table->columns->len; i++)
			if (!iot_result_is_blank(table, i))
				add_cell(json, tl, iot_result_column_at(table, i),
					 &iot_result_row_at(table, r)->cells[i]);
		iot_json_close(json, ']');
	}
	iot_json_close(json, ']');
	iot_json_close(json, '}');
}

void iot_html_tables(GString *json, const struct iot_results *results,
		     const struct iot_timeline *tl)
{
	iot_json_open(json, "tables", '[');
	for (guint i = 0; i < results->tables->len; i++) {
		const struct iot_result_table *table = g_ptr_array_index(results->tables, i);

		if (!table->of_rows)
			add_table(json, tl, table);
	}
	iot_json_close(json, ']');
}
