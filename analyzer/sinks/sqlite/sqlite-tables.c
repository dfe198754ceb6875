/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Result tables: each is a table of its name, with its columns and those of SIDE. */
#include "sinks/sqlite/sqlite.h"
#include "sinks/publish.h"
#include "base/units.h"

#include <string.h>

/* Beside the cells of a row; see docs/formats/json.md. */
#define SIDE "level INTEGER, others INTEGER, at_least TEXT"

static gboolean is_taken(struct sqlite *sqlite, const char *name)
{
	gboolean taken = FALSE;
	sqlite3_stmt *find;

	if (sqlite3_prepare_v2(sqlite->db,
			       "SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE", -1,
			       &find, NULL) != SQLITE_OK)
		return FALSE;
	sqlite3_bind_text(find, 1, name, -1, SQLITE_STATIC);
	taken = sqlite3_step(find) == SQLITE_ROW;
	sqlite3_finalize(find);
	return taken;
}

/* No type for numbers: a column of integers would turn text of more than 63 bits into a double. */
static const char *sql_type(enum iot_column_kind kind)
{
	if (kind == IOT_COLUMN_TEXT || kind == IOT_COLUMN_SEVERITY)
		return "TEXT";
	return kind == IOT_COLUMN_SHARE ? "REAL" : "";
}

/* Names are bare words, but may be words of SQL. */
static gboolean create_table(struct sqlite *sqlite, const char *name,
			     const struct iot_result_table *table, GError **error)
{
	g_autoptr(GString) sql = g_string_new(NULL);

	g_string_printf(sql, "CREATE TABLE \"%s\" (", name);
	for (guint i = 0; i < table->columns->len; i++) {
		const struct iot_column *column = iot_result_column_at(table, i);

		g_string_append_printf(sql, "\"%s\" %s, ", column->name, sql_type(column->kind));
	}
	g_string_append(sql, SIDE ")");
	return sqlite_run(sqlite, sql->str, error);
}

static sqlite3_stmt *prepare_insert(struct sqlite *sqlite, const char *name,
				    const struct iot_result_table *table, GError **error)
{
	g_autoptr(GString) sql = g_string_new(NULL);

	g_string_printf(sql, "INSERT INTO \"%s\" VALUES (?, ?, ?", name);
	for (guint i = 0; i < table->columns->len; i++)
		g_string_append(sql, ", ?");
	g_string_append_c(sql, ')');
	return sqlite_prepare(sqlite, sql->str, error);
}

static void bind_copy(sqlite3_stmt *insert, int at, const char *text)
{
	g_autofree char *escaped =
		g_utf8_validate(text, -1, NULL) ? NULL : iot_escape_bytes(text, strlen(text));

	sqlite3_bind_text(insert, at, escaped ? escaped : text, -1, SQLITE_TRANSIENT);
}

static void bind_cell(const struct sqlite *sqlite, sqlite3_stmt *insert, int at,
		      const struct iot_column *column, const struct iot_result_cell *cell)
{
	g_auto(GStrv) lines = NULL;
	g_autofree char *joined = NULL;
	char digits[24];

	if (cell->flags & (IOT_CELL_EMPTY | IOT_CELL_UNKNOWN)) {
		sqlite3_bind_null(insert, at);
	} else if (column->kind == IOT_COLUMN_TEXT) {
		lines = g_strsplit(cell->text, "\n", -1);
		joined = g_strjoinv(", ", lines);
		bind_copy(insert, at, joined);
	} else if (column->kind == IOT_COLUMN_SEVERITY) {
		bind_copy(insert, at, iot_diag_severity_name((enum iot_severity)cell->number));
	} else if (column->kind == IOT_COLUMN_SHARE) {
		sqlite3_bind_double(insert, at, cell->share);
	} else if (column->kind == IOT_COLUMN_INSTANT) {
		sqlite3_bind_int64(insert, at,
				   (sqlite3_int64)(cell->number - sqlite->tl->origin_ns));
	} else if (cell->flags & IOT_CELL_NEGATIVE || cell->number <= G_MAXINT64) {
		sqlite3_bind_int64(insert, at, (sqlite3_int64)cell->number);
	} else {
		g_snprintf(digits, sizeof(digits), "%" G_GUINT64_FORMAT, cell->number);
		bind_copy(insert, at, digits);
	}
}

static void bind_side(sqlite3_stmt *insert, const struct iot_result_table *table,
		      const struct iot_result_row *row)
{
	g_autoptr(GString) bounds = g_string_new(NULL);
	int at = (int)table->columns->len;

	for (guint i = 0; i < row->n_cells; i++)
		if (row->cells[i].flags & IOT_CELL_AT_LEAST)
			g_string_append_printf(bounds, "%s%s", bounds->len ? ", " : "",
					       iot_result_column_at(table, i)->name);
	sqlite3_bind_int64(insert, at + 1, row->level);
	sqlite3_bind_null(insert, at + 2);
	if (row->others)
		sqlite3_bind_int64(insert, at + 2, row->others);
	sqlite3_bind_null(insert, at + 3);
	if (bounds->len)
		bind_copy(insert, at + 3, bounds->str);
}

static gboolean add_table(struct sqlite *sqlite, const struct iot_result_table *table,
			  GError **error)
{
	g_autofree char *name = is_taken(sqlite, table->name)
					? g_strconcat("result_", table->name, NULL)
					: g_strdup(table->name);
	sqlite3_stmt *insert = create_table(sqlite, name, table, error)
				       ? prepare_insert(sqlite, name, table, error)
				       : NULL;
	gboolean ok = insert != NULL;

	for (guint r = 0; ok && r < table->rows->len; r++) {
		const struct iot_result_row *row = iot_result_row_at(table, r);

		for (guint i = 0; i < table->columns->len; i++)
			bind_cell(sqlite, insert, (int)i + 1, iot_result_column_at(table, i),
				  &row->cells[i]);
		bind_side(insert, table, row);
		ok = sqlite_step(sqlite, insert, error);
	}
	sqlite3_finalize(insert);
	return ok;
}

gboolean sqlite_add_results(struct sqlite *sqlite, const struct iot_summary *summary,
			    GError **error)
{
	const struct iot_publishing from = {
		.tl = sqlite->tl,
		.sums = sqlite->sums,
		.summary = summary,
	};
	g_autoptr(iot_results) results = NULL;

	iot_aggregate_roll_up(sqlite->sums);
	results = iot_publish(&from);
	for (guint i = 0; i < results->tables->len; i++) {
		iot_result_fill(g_ptr_array_index(results->tables, i));
		if (!add_table(sqlite, g_ptr_array_index(results->tables, i), error))
			return FALSE;
	}
	return TRUE;
}
