/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of items, and the statements that fill them. */
#include "sinks/sqlite/sqlite.h"

#include <string.h>

/* Columns have no type: numbers and texts stay as they are inserted. */
static const char tables[] =
	"CREATE TABLE meta(key PRIMARY KEY, value);"
	"CREATE TABLE input(id INTEGER PRIMARY KEY, path, node, hostname, kernel, format, clock,"
	" protocol, sync, cpus, events, lost, first_ns, last_ns, damaged);"
	"CREATE TABLE node(id INTEGER PRIMARY KEY, name UNIQUE);"
	"CREATE TABLE row(id INTEGER PRIMARY KEY, parent, type, name, path, node, lanes, rank,"
	" wait_ns, items);"
	"CREATE TABLE category(id INTEGER PRIMARY KEY, kind, type, type_id, title, name, role, "
	"colour,"
	" repeats);"
	"CREATE TABLE sample(id INTEGER PRIMARY KEY, start_ns, row, category, value, change);"
	"CREATE TABLE gap(id INTEGER PRIMARY KEY, start_ns, end_ns, node, lost, marks);";

static const char span_columns[] = "id INTEGER PRIMARY KEY, start_ns, end_ns, row, lane, category,"
				   " marks";
static const char point_columns[] = "id INTEGER PRIMARY KEY, start_ns, row, lane, category, marks";
static const char link_columns[] = "id INTEGER PRIMARY KEY, from_row, from_lane, from_ns, to_row,"
				   " to_lane, to_ns, category, marks";

/* --- names of columns --- */

void sqlite_append_name(GString *sql, const char *name)
{
	g_string_append_c(sql, '"');
	for (; *name; name++) {
		if (*name == '"')
			g_string_append_c(sql, '"');
		g_string_append_c(sql, *name);
	}
	g_string_append_c(sql, '"');
}

gboolean sqlite_is_word_of(const char *columns, const char *name)
{
	g_auto(GStrv) words = g_strsplit_set(columns, ", ", -1);

	for (guint i = 0; words[i]; i++)
		if (*words[i] && !g_ascii_strcasecmp(words[i], name))
			return TRUE;
	return FALSE;
}

static gboolean is_taken(const GArray *columns, const char *fixed, const char *name)
{
	for (guint i = 0; i < columns->len; i++)
		if (!g_ascii_strcasecmp(g_array_index(columns, struct sqlite_column, i).name, name))
			return TRUE;
	return sqlite_is_word_of(fixed, name);
}

static const char *column_of(const GArray *columns, iot_str attr)
{
	for (guint i = 0; i < columns->len; i++)
		if (g_array_index(columns, struct sqlite_column, i).attr == attr)
			return g_array_index(columns, struct sqlite_column, i).name;
	return NULL;
}

/* Attributes of one name share a column. Names of columns ignore case. */
static void add_columns(const struct sqlite *sqlite, GArray *columns, const char *fixed,
			enum iot_type_kind kind)
{
	for (iot_type_id id = 1; id < sqlite->tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(sqlite->tl, id);

		for (guint i = 0; type->kind == kind && i < type->n_attrs; i++) {
			struct sqlite_column column = { .attr = type->attr[i].name };

			if (column_of(columns, column.attr))
				continue;
			column.name = g_strdup(iot_tl_str(sqlite->tl, column.attr));
			while (is_taken(columns, fixed, column.name)) {
				char *longer = g_strconcat("attr_", column.name, NULL);

				g_free(column.name);
				column.name = longer;
			}
			g_array_append_val(columns, column);
		}
	}
}

static void create_table(GString *sql, const char *name, const char *fixed, const GArray *columns)
{
	g_string_append_printf(sql, "CREATE TABLE %s(%s", name, fixed);
	for (guint i = 0; i < columns->len; i++) {
		g_string_append(sql, ", ");
		sqlite_append_name(sql, g_array_index(columns, struct sqlite_column, i).name);
	}
	g_string_append(sql, ");");
}

gboolean sqlite_create(struct sqlite *sqlite, GError **error)
{
	g_autoptr(GString) sql = g_string_new(tables);

	add_columns(sqlite, sqlite->spans, span_columns, IOT_TYPE_SPAN);
	add_columns(sqlite, sqlite->points, point_columns, IOT_TYPE_POINT);
	add_columns(sqlite, sqlite->links, link_columns, IOT_TYPE_LINK);
	create_table(sql, "span", span_columns, sqlite->spans);
	create_table(sql, "point", point_columns, sqlite->points);
	create_table(sql, "link", link_columns, sqlite->links);
	if (!sqlite_run(sqlite, sql->str, error))
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
	const GArray *columns = span ? sqlite->spans : link ? sqlite->links : sqlite->points;
	g_autoptr(GString) sql = g_string_new("INSERT INTO ");

	if (link)
		g_string_append(sql, "link(from_ns, from_row, from_lane, category, marks, to_ns,"
				     " to_row, to_lane");
	else
		g_string_append_printf(sql, "%s(start_ns, row, lane, category, marks%s",
				       span ? "span" : "point", span ? ", end_ns" : "");
	for (guint i = 0; i < type->n_attrs; i++) {
		g_string_append(sql, ", ");
		sqlite_append_name(sql, column_of(columns, type->attr[i].name));
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
