/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The published tables for the page. It makes those of rows itself, from the rows' sums. */
#include "sinks/html/html-head.h"
#include "sinks/json.h"
#include "sinks/result-json.h"

#include <string.h>

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
	} else if (column->kind == IOT_COLUMN_REAL) {
		iot_json_real(json, NULL, cell->share);
	} else if (column->kind == IOT_COLUMN_INSTANT) {
		/* negative before the zero of the page */
		iot_json_int(json, NULL, (gint64)(cell->number - tl->zero_ns));
	} else if (column->kind == IOT_COLUMN_SEVERITY) {
		iot_json_text(json, NULL, iot_diag_severity_name((enum iot_severity)cell->number));
	} else if (cell->flags & IOT_CELL_NEGATIVE) {
		iot_json_int(json, NULL, (gint64)cell->number);
	} else if (cell->number > G_MAXINT64) {
		iot_json_big(json, NULL, cell->number);
	} else {
		iot_json_uint(json, NULL, cell->number);
	}
}

/* Numbers of the columns with a flag, among those that are written; nothing if there are none. */
static void add_columns_with(GString *json, const char *key, const struct iot_result_table *table,
			     guint flag)
{
	gboolean any = FALSE;
	guint shown = 0;

	for (guint i = 0; i < table->columns->len; i++) {
		if (iot_result_is_blank(table, i))
			continue;
		if (iot_result_column_at(table, i)->flags & flag) {
			if (!any)
				iot_json_open(json, key, '[');
			any = TRUE;
			iot_json_uint(json, NULL, shown);
		}
		shown++;
	}
	if (any)
		iot_json_close(json, ']');
}

/* Pairs of row and column of the cells with a flag; nothing if there are none. */
static void add_cells_with(GString *json, const char *key, const struct iot_result_table *table,
			   guint flag)
{
	gboolean any = FALSE;

	for (guint r = 0; r < table->rows->len; r++)
		for (guint i = 0, shown = 0; i < table->columns->len; i++) {
			if (iot_result_is_blank(table, i))
				continue;
			if (iot_result_row_at(table, r)->cells[i].flags & flag) {
				if (!any)
					iot_json_open(json, key, '[');
				any = TRUE;
				iot_json_uint(json, NULL, r);
				iot_json_uint(json, NULL, shown);
			}
			shown++;
		}
	if (any)
		iot_json_close(json, ']');
}

/* What rows are: sums of others, levels of a tree, or strong; nothing for ordinary rows. */
static void add_row_marks(GString *json, const struct iot_result_table *table)
{
	iot_json_open(json, "marks", '{');
	for (guint r = 0; r < table->rows->len; r++) {
		const struct iot_result_row *row = iot_result_row_at(table, r);
		char number[16];

		if (!row->others && !row->level && !row->strong)
			continue;
		g_snprintf(number, sizeof(number), "%u", r);
		iot_json_open(json, number, '{');
		iot_json_uint(json, "others", row->others);
		iot_json_uint(json, "level", row->level);
		iot_json_uint(json, "strong", row->strong ? 1 : 0);
		iot_json_close(json, '}');
	}
	iot_json_close(json, '}');
}

static void add_table(GString *json, const struct iot_timeline *tl,
		      const struct iot_result_table *table)
{
	iot_json_open(json, NULL, '{');
	iot_json_text(json, "name", table->name);
	iot_json_text(json, "title", table->title);
	if (table->help)
		iot_json_text(json, "help", table->help);
	if (table->remark)
		iot_json_text(json, "remark", table->remark);
	if (table->range_ns)
		iot_json_uint(json, "range", table->range_ns);
	iot_result_add_columns(json, table, FALSE);
	add_columns_with(json, "alarm", table, IOT_COLUMN_ALARM);
	add_columns_with(json, "of_range", table, IOT_COLUMN_OF_RANGE);
	add_cells_with(json, "at_least", table, IOT_CELL_AT_LEAST);
	add_cells_with(json, "unknown", table, IOT_CELL_UNKNOWN);
	add_row_marks(json, table);
	iot_json_open(json, "notes", '[');
	for (guint i = 0; i < table->notes->len; i++)
		iot_json_text(json, NULL, g_ptr_array_index(table->notes, i));
	iot_json_close(json, ']');
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

/* The page makes tables of rows itself. One table for programs is shown: the members of circular
 * waits, which the page selects in the picture. */
static gboolean is_shown(const struct iot_result_table *table)
{
	return !table->of_rows && (!table->for_programs || !strcmp(table->name, "cycle_members"));
}

void iot_html_tables(GString *json, const struct iot_results *results,
		     const struct iot_timeline *tl)
{
	iot_json_open(json, "tables", '[');
	for (guint i = 0; i < results->tables->len; i++) {
		const struct iot_result_table *table = g_ptr_array_index(results->tables, i);

		if (is_shown(table))
			add_table(json, tl, table);
	}
	iot_json_close(json, ']');
}
