/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Result tables: each is a table of its name, with its columns and those of "side". */
#include "sinks/db.h"
#include "sinks/publish.h"
#include "base/units.h"

#include <string.h>

/* Beside the cells of a row; see docs/formats/json.md. */
static const struct iot_db_column side[] = {
	{ "level", IOT_DB_INT, .always = TRUE },
	{ "others", IOT_DB_INT },
	{ "at_least", IOT_DB_TEXT },
};

/* A table of the report has the name of another table, or of a view, or may have that of an index,
 * such as span_row. */
static gboolean is_taken(const struct iot_db *db, const char *name)
{
	for (guint i = 0; i < IOT_DB_N_FIXED; i++) {
		gsize len = strlen(db->table[i].name);

		if (!g_ascii_strncasecmp(db->table[i].name, name, len) &&
		    (!name[len] || name[len] == '_'))
			return TRUE;
	}
	for (guint i = 0; i < db->tl->n_views; i++)
		if (iot_db_view_has_name(db, i, name))
			return TRUE;
	return FALSE;
}

static gboolean is_negative(const struct iot_result_table *table, guint column)
{
	for (guint r = 0; r < table->rows->len; r++)
		if (iot_result_row_at(table, r)->cells[column].flags & IOT_CELL_NEGATIVE)
			return TRUE;
	return FALSE;
}

static enum iot_db_kind kind_of(const struct iot_result_table *table, guint i)
{
	switch (iot_result_column_at(table, i)->kind) {
	case IOT_COLUMN_TEXT:
	case IOT_COLUMN_SEVERITY:
		return IOT_DB_TEXT;
	case IOT_COLUMN_SHARE:
	case IOT_COLUMN_REAL:
		return IOT_DB_REAL;
	case IOT_COLUMN_COUNT:
	case IOT_COLUMN_NS:
		return is_negative(table, i) ? IOT_DB_INT : IOT_DB_UINT;
	default:
		return IOT_DB_INT;
	}
}

/* A cell; a text that is made for it is added to @texts. */
static struct iot_db_value value_of(const struct iot_db *db, enum iot_column_kind kind,
				    const struct iot_result_cell *cell, GPtrArray *texts)
{
	g_auto(GStrv) lines = NULL;

	if (cell->flags & (IOT_CELL_EMPTY | IOT_CELL_UNKNOWN))
		return (struct iot_db_value){ .is = IOT_DB_IS_NULL };
	switch (kind) {
	case IOT_COLUMN_TEXT:
		lines = g_strsplit(cell->text, "\n", -1);
		g_ptr_array_add(texts, g_strjoinv(", ", lines));
		return (struct iot_db_value){ .is = IOT_DB_IS_TEXT,
					      .text = texts->pdata[texts->len - 1] };
	case IOT_COLUMN_SEVERITY:
		return (struct iot_db_value){ .is = IOT_DB_IS_TEXT,
					      .text = iot_diag_severity_name(
						      (enum iot_severity)cell->number) };
	case IOT_COLUMN_SHARE:
	case IOT_COLUMN_REAL:
		return (struct iot_db_value){ .is = IOT_DB_IS_REAL, .real = cell->share };
	case IOT_COLUMN_INSTANT:
		return (struct iot_db_value){ .is = IOT_DB_IS_INT,
					      .i = (gint64)(cell->number - db->tl->origin_ns) };
	default:
		return (struct iot_db_value){ .is = cell->flags & IOT_CELL_NEGATIVE
							    ? IOT_DB_IS_INT
							    : IOT_DB_IS_UINT,
					      .u = cell->number };
	}
}

/* The names of the cells that are least values, or NULL. */
static char *bounds_of(const struct iot_result_table *table, const struct iot_result_row *row)
{
	GString *bounds = g_string_new(NULL);

	for (guint i = 0; i < row->n_cells; i++)
		if (row->cells[i].flags & IOT_CELL_AT_LEAST)
			g_string_append_printf(bounds, "%s%s", bounds->len ? ", " : "",
					       iot_result_column_at(table, i)->name);
	return g_string_free(bounds, !bounds->len);
}

static gboolean add_row(struct iot_db *db, const struct iot_result_table *table,
			const struct iot_result_row *row, struct iot_db_value *values,
			GError **error)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	guint n = table->columns->len;
	char *bounds = bounds_of(table, row);

	g_ptr_array_add(texts, bounds);
	for (guint i = 0; i < n; i++)
		values[i] =
			value_of(db, iot_result_column_at(table, i)->kind, &row->cells[i], texts);
	values[n] = (struct iot_db_value){ .is = IOT_DB_IS_INT, .i = row->level };
	values[n + 1] = (struct iot_db_value){ .is = row->others ? IOT_DB_IS_INT : IOT_DB_IS_NULL,
					       .i = row->others };
	values[n + 2] = (struct iot_db_value){ .is = bounds ? IOT_DB_IS_TEXT : IOT_DB_IS_NULL,
					       .text = bounds };
	return db->row(db, values, error);
}

static gboolean add_table(struct iot_db *db, const struct iot_result_table *table, GError **error)
{
	g_autofree char *name =
		g_strconcat(is_taken(db, table->name) ? "result_" : "", table->name, NULL);
	guint n = table->columns->len + G_N_ELEMENTS(side);
	g_autofree struct iot_db_column *columns = g_new0(struct iot_db_column, n);
	g_autofree struct iot_db_value *values = g_new0(struct iot_db_value, n);
	const struct iot_db_table as = { name, n, columns, .is_result = TRUE };
	gboolean ok;

	for (guint i = 0; i < table->columns->len; i++) {
		columns[i].name = iot_result_column_at(table, i)->name;
		columns[i].kind = kind_of(table, i);
	}
	memcpy(columns + table->columns->len, side, sizeof(side));
	ok = db->begin(db, &as, error);
	for (guint r = 0; ok && r < table->rows->len; r++)
		ok = add_row(db, table, iot_result_row_at(table, r), values, error);
	return ok;
}

gboolean iot_db_results(struct iot_db *db, struct iot_aggregate *sums,
			const struct iot_summary *summary, GError **error)
{
	const struct iot_publishing from = { .tl = db->tl, .sums = sums, .summary = summary };
	g_autoptr(iot_results) results = NULL;

	iot_aggregate_roll_up(sums);
	results = iot_publish(&from);
	for (guint i = 0; i < results->tables->len; i++) {
		iot_result_fill(g_ptr_array_index(results->tables, i));
		if (!add_table(db, g_ptr_array_index(results->tables, i), error))
			return FALSE;
	}
	return TRUE;
}
