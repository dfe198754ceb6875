/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What follows the last item: tables that are filled at the end, views, indexes. */
#include "sinks/sqlite/sqlite.h"

#include <string.h>

/*
 * Entries of one row stand by id, which is the order of the ends. Keys are sorted in runs as large
 * as the cache; runs of 512 KiB, which fit into that of the processor, take half the time of runs
 * of 8 MiB.
 */
static const char indexes[] = "PRAGMA cache_size=-512;"
			      "CREATE INDEX span_row ON span(row);"
			      "CREATE INDEX point_row ON point(row);"
			      "CREATE INDEX sample_row ON sample(row);"
			      "CREATE INDEX row_parent ON row(parent);"
			      "CREATE INDEX row_path ON row(path);"
			      "CREATE INDEX span_start ON span(start_ns);";

/* Attributes of spans that people search for, if models have them. */
static const char *const searched[] = { "path", "pid" };

/* Gaps have the names of nodes until nodes have numbers. */
static const char number_gaps[] =
	"UPDATE gap SET node = (SELECT node.id FROM node WHERE node.name = gap.node);";

static struct sqlite *sqlite_of(struct iot_db *tables)
{
	return (struct sqlite *)(gpointer)((guint8 *)tables - offsetof(struct sqlite, tables));
}

gboolean sqlite_begin(struct iot_db *tables, const struct iot_db_table *table, GError **error)
{
	struct sqlite *sqlite = sqlite_of(tables);
	g_autoptr(GString) sql = g_string_new("INSERT INTO ");

	if (!sqlite_create_table(sqlite, table, error))
		return FALSE;
	iot_db_append_name(sql, table->name);
	for (guint i = 0; i < table->n_columns; i++)
		g_string_append(sql, i ? ", ?" : " VALUES (?");
	g_string_append_c(sql, ')');
	sqlite3_finalize(sqlite->fill);
	sqlite->fill = sqlite_prepare(sqlite, sql->str, error);
	sqlite->n_fill = table->n_columns;
	return sqlite->fill != NULL;
}

gboolean sqlite_row(struct iot_db *tables, const struct iot_db_value *values, GError **error)
{
	struct sqlite *sqlite = sqlite_of(tables);
	g_autofree char(*digits)[24] = g_malloc(sqlite->n_fill * sizeof(*digits));

	for (guint i = 0; i < sqlite->n_fill; i++) {
		int at = (int)i + 1;

		switch (values[i].is) {
		case IOT_DB_IS_NULL:
			sqlite3_bind_null(sqlite->fill, at);
			break;
		case IOT_DB_IS_INT:
			sqlite3_bind_int64(sqlite->fill, at, values[i].i);
			break;
		case IOT_DB_IS_UINT:
			sqlite_bind_number(sqlite->fill, at, values[i].u, digits[i]);
			break;
		case IOT_DB_IS_REAL:
			sqlite3_bind_double(sqlite->fill, at, values[i].real);
			break;
		case IOT_DB_IS_TEXT:
			sqlite_bind_text(sqlite->fill, at, values[i].text, strlen(values[i].text));
			break;
		}
	}
	return sqlite_step(sqlite, sqlite->fill, error);
}

/* Entries with a value only: most types have no such attribute. */
static gboolean create_indexes(struct sqlite *sqlite, GError **error)
{
	g_autoptr(GString) sql = g_string_new(indexes);
	const struct iot_db_table *spans = &sqlite->tables.table[IOT_DB_SPAN];

	for (guint i = 0; i < spans->n_columns; i++) {
		const char *name = spans->columns[i].name;

		for (guint k = 0; k < G_N_ELEMENTS(searched); k++)
			if (!strcmp(name, searched[k]))
				g_string_append_printf(sql,
						       "CREATE INDEX span_%s ON span(\"%s\") "
						       "WHERE \"%s\" IS NOT NULL;",
						       name, name, name);
	}
	return sqlite_run(sqlite, sql->str, error);
}

gboolean sqlite_complete(struct sqlite *sqlite, const struct iot_summary *summary, GError **error)
{
	gboolean ok = iot_db_complete(&sqlite->tables, summary, error) &&
		      sqlite_run(sqlite, number_gaps, error);

	for (guint i = 0; ok && i < 2 * sqlite->tl->n_views; i++) {
		g_autofree char *sql = iot_db_view(&sqlite->tables, i / 2, i % 2 == 0);

		ok = !sql || sqlite_run(sqlite, sql, error);
	}
	ok = ok && create_indexes(sqlite, error) &&
	     iot_db_results(&sqlite->tables, sqlite->sums, summary, error);
	sqlite3_finalize(g_steal_pointer(&sqlite->fill));
	return ok;
}
