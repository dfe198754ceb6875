/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/result-json.h"
#include "sinks/json.h"

struct writer {
	const struct iot_timeline *tl;
	struct iot_out *out;
	GString *json;
};

static const char *kind_name(enum iot_column_kind kind)
{
	static const char *const names[] = {
		[IOT_COLUMN_TEXT] = "text",
		[IOT_COLUMN_COUNT] = "count",
		[IOT_COLUMN_NS] = "ns",
		[IOT_COLUMN_SHARE] = "share",
		[IOT_COLUMN_REAL] = "real",
		[IOT_COLUMN_INSTANT] = "instant",
		[IOT_COLUMN_ROW] = "row",
		[IOT_COLUMN_CATEGORY] = "category",
		[IOT_COLUMN_SEVERITY] = "severity",
	};

	return names[kind];
}

static void add_list(GString *json, const char *key, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	iot_json_open(json, key, '[');
	for (guint i = 0; lines[i]; i++)
		iot_json_text(json, NULL, lines[i]);
	iot_json_close(json, ']');
}

static void add_number(const struct writer *writer, const struct iot_column *column,
		       const struct iot_result_cell *cell)
{
	const struct iot_timeline *tl = writer->tl;
	g_autofree char *path = NULL;

	switch (column->kind) {
	case IOT_COLUMN_INSTANT:
		/* negative before the beginning of the recording */
		iot_json_int(writer->json, column->name, (gint64)(cell->number - tl->origin_ns));
		break;
	case IOT_COLUMN_ROW:
		path = iot_timeline_path(tl, (iot_row_id)cell->number, "/");
		iot_json_text(writer->json, column->name, path);
		break;
	case IOT_COLUMN_CATEGORY:
		iot_json_text(writer->json, column->name,
			      iot_tl_str(tl, iot_cat_at(tl, (iot_cat_id)cell->number)->name));
		break;
	case IOT_COLUMN_SEVERITY:
		iot_json_text(writer->json, column->name,
			      iot_diag_severity_name((enum iot_severity)cell->number));
		break;
	default:
		if (cell->flags & IOT_CELL_NEGATIVE)
			iot_json_int(writer->json, column->name, (gint64)cell->number);
		else if (cell->number > G_MAXINT64)
			iot_json_big(writer->json, column->name, cell->number);
		else
			iot_json_uint(writer->json, column->name, cell->number);
	}
}

static void add_cell(const struct writer *writer, const struct iot_column *column,
		     const struct iot_result_cell *cell)
{
	if (column->flags & IOT_COLUMN_LIST && !(cell->flags & IOT_CELL_UNKNOWN))
		add_list(writer->json, column->name, cell->text ? cell->text : "");
	else if (cell->flags & (IOT_CELL_EMPTY | IOT_CELL_UNKNOWN))
		iot_json_text(writer->json, column->name, NULL);
	else if (column->kind == IOT_COLUMN_TEXT)
		iot_json_text(writer->json, column->name, cell->text);
	else if (column->kind == IOT_COLUMN_SHARE)
		iot_json_double(writer->json, column->name, cell->share);
	else if (column->kind == IOT_COLUMN_REAL)
		iot_json_real(writer->json, column->name, cell->share);
	else
		add_number(writer, column, cell);
}

static void add_bounds(const struct writer *writer, const struct iot_result_table *table,
		       const struct iot_result_row *row)
{
	guint flags = 0;

	for (guint i = 0; i < row->n_cells; i++)
		flags |= row->cells[i].flags;
	if (!(flags & IOT_CELL_AT_LEAST))
		return;
	iot_json_open(writer->json, "at_least", '[');
	for (guint i = 0; i < row->n_cells; i++)
		if (row->cells[i].flags & IOT_CELL_AT_LEAST)
			iot_json_text(writer->json, NULL, iot_result_column_at(table, i)->name);
	iot_json_close(writer->json, ']');
}

static void add_row(const struct writer *writer, const struct iot_result_table *table,
		    const struct iot_result_row *row)
{
	iot_json_line(writer->json);
	iot_json_open(writer->json, NULL, '{');
	for (guint i = 0; i < table->columns->len; i++)
		add_cell(writer, iot_result_column_at(table, i), &row->cells[i]);
	if (row->others)
		iot_json_uint(writer->json, "others", row->others);
	else if (table->of_rows)
		iot_json_uint(writer->json, "level", row->level);
	add_bounds(writer, table, row);
	iot_json_close(writer->json, '}');
}

void iot_result_add_columns(GString *json, const struct iot_result_table *table, gboolean all)
{
	iot_json_open(json, "columns", '[');
	for (guint i = 0; i < table->columns->len; i++) {
		const struct iot_column *column = iot_result_column_at(table, i);

		if (!all && iot_result_is_blank(table, i))
			continue;
		iot_json_open(json, NULL, '{');
		iot_json_text(json, "name", column->name);
		iot_json_text(json, "title", column->title);
		iot_json_text(json, "kind", kind_name(column->kind));
		if (column->help)
			iot_json_text(json, "help", column->help);
		iot_json_close(json, '}');
	}
	iot_json_close(json, ']');
}

/* Keep the last character: it decides whether a comma follows. */
static void flush(const struct writer *writer)
{
	gsize len = writer->json->len - 1;

	iot_out_write(writer->out, writer->json->str, len);
	g_string_erase(writer->json, 0, (gssize)len);
}

static void add_table(const struct writer *writer, const struct iot_result_table *table)
{
	GString *json = writer->json;

	iot_json_line(json);
	iot_json_open(json, table->name, '{');
	iot_json_text(json, "title", table->title);
	if (table->remark)
		iot_json_text(json, "remark", table->remark);
	if (table->help)
		iot_json_text(json, "help", table->help);
	if (table->range_ns)
		iot_json_uint(json, "range_ns", table->range_ns);
	iot_result_add_columns(json, table, TRUE);
	iot_json_open(json, "notes", '[');
	for (guint i = 0; i < table->notes->len; i++)
		iot_json_text(json, NULL, g_ptr_array_index(table->notes, i));
	iot_json_close(json, ']');
	iot_json_open(json, "rows", '[');
	for (guint r = 0; r < table->rows->len; r++) {
		add_row(writer, table, iot_result_row_at(table, r));
		flush(writer);
	}
	iot_json_close(json, ']');
	iot_json_close(json, '}');
}

void iot_results_write_json(const struct iot_results *results, const struct iot_timeline *tl,
			    struct iot_out *out)
{
	g_autoptr(GString) json = g_string_new(NULL);
	struct writer writer = { .tl = tl, .out = out, .json = json };

	iot_json_open(json, NULL, '{');
	iot_json_text(json, "program", "iotrace-analyze " IOT_VERSION);
	iot_json_big(json, "begin_ns", tl->origin_ns);
	iot_json_open(json, "tables", '{');
	for (guint i = 0; i < results->tables->len; i++) {
		iot_result_fill(g_ptr_array_index(results->tables, i));
		add_table(&writer, g_ptr_array_index(results->tables, i));
	}
	iot_json_close(json, '}');
	iot_json_close(json, '}');
	iot_out_write(out, json->str, json->len);
	iot_out_putc(out, '\n');
}
