/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of items, and the statements that fill them. */
#include "sinks/sqlite/sqlite.h"

#include <string.h>

/* Numbers and texts stay as they are inserted: a column of integers would turn text of more than 63
 * bits into a double. */
static const char *sql_type(const struct iot_db_table *table, guint i)
{
	if (!strcmp(table->columns[i].name, "id"))
		return " INTEGER PRIMARY KEY";
	if (table->columns[i].unique)
		return " UNIQUE";
	if (!table->is_result)
		return "";
	if (table->columns[i].kind == IOT_DB_TEXT)
		return " TEXT";
	return table->columns[i].kind == IOT_DB_REAL ? " REAL" : "";
}

gboolean sqlite_create_table(struct sqlite *sqlite, const struct iot_db_table *table,
			     GError **error)
{
	g_autoptr(GString) sql = g_string_new("CREATE TABLE ");

	iot_db_append_name(sql, table->name);
	for (guint i = 0; i < table->n_columns; i++) {
		g_string_append(sql, i ? ", " : "(");
		iot_db_append_name(sql, table->columns[i].name);
		g_string_append(sql, sql_type(table, i));
	}
	g_string_append_c(sql, ')');
	return sqlite_run(sqlite, sql->str, error);
}

gboolean sqlite_create(struct sqlite *sqlite, GError **error)
{
	for (guint i = 0; i < IOT_DB_N_ITEMS; i++)
		if (!sqlite_create_table(sqlite, &sqlite->tables.table[i], error))
			return FALSE;
	sqlite->sample = sqlite_prepare(sqlite,
					"INSERT INTO sample(start_ns, row, category, value, change)"
					" VALUES(?1, ?2, ?3, ?4, ?5)",
					error);
	if (!sqlite->sample)
		return FALSE;
	sqlite->gap = sqlite_prepare(sqlite,
				     "INSERT INTO gap(start_ns, end_ns, node, lost, marks)"
				     " VALUES(?1, ?2, ?3, ?4, ?5)",
				     error);
	return sqlite->gap != NULL;
}

sqlite3_stmt *sqlite_insert_for(struct sqlite *sqlite, const struct iot_type *type, GError **error)
{
	gboolean span = type->kind == IOT_TYPE_SPAN, link = type->kind == IOT_TYPE_LINK;
	enum iot_db_fixed into = iot_db_type_table(type);
	const struct iot_db_table *table = &sqlite->tables.table[into];
	g_autoptr(GString) sql = g_string_new("INSERT INTO ");

	if (link)
		g_string_append(sql, "link(from_ns, from_row, from_lane, category, marks, to_ns,"
				     " to_row, to_lane");
	else
		g_string_append_printf(sql, "%s(start_ns, row, lane, category, marks%s",
				       span ? "span" : "point", span ? ", end_ns" : "");
	for (guint i = 0; i < type->n_attrs; i++) {
		g_string_append(sql, ", ");
		iot_db_append_name(sql, table->columns[iot_db_attr_column(&sqlite->tables, into,
									  type->attr[i].name)]
						.name);
	}
	g_string_append_printf(sql, ") VALUES(?%d, ?%d, ?%d, ?%d, ?%d", COLUMN_START, COLUMN_ROW,
			       COLUMN_LANE, COLUMN_CATEGORY, COLUMN_MARKS);
	if (span || link)
		g_string_append_printf(sql, ", ?%d", COLUMN_END);
	if (link)
		g_string_append_printf(sql, ", ?%d, ?%d", COLUMN_ROW_TO, COLUMN_LANE_TO);
	for (guint i = 0; i < type->n_attrs; i++)
		g_string_append_printf(sql, ", ?%u", COLUMN_ATTR + i);
	g_string_append_c(sql, ')');
	return sqlite_prepare(sqlite, sql->str, error);
}
