/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the SQLite output: sqlite-schema.c makes the tables of items before the first one,
 * sqlite.c inserts items as they come; after the last one sqlite-fill.c fills the tables of rows,
 * inputs and so on, sqlite-views.c makes the views and sqlite-tables.c a table for each result
 * table of the report. docs/formats/sqlite.md has the tables.
 */
#ifndef IOT_SINKS_SQLITE_SQLITE_H
#define IOT_SINKS_SQLITE_SQLITE_H

#include "sinks/aggregate.h"
#include "sinks/sink.h"
#include "sinks/sqlite/sqlite-vfs.h"

#include <sqlite3.h>

/* Columns that every span, point and link has come before those of attributes. */
enum {
	COLUMN_START = 1,
	COLUMN_ROW,
	COLUMN_LANE,
	COLUMN_CATEGORY,
	COLUMN_MARKS,
	COLUMN_END,    /* spans and links */
	COLUMN_ROW_TO, /* links only */
	COLUMN_LANE_TO,
	COLUMN_ATTR,
};

/* How items of one type are inserted. */
struct sqlite_type {
	sqlite3_stmt *insert;
	const struct iot_type *type;
	/* Bindings stay, so only changed values are bound: most are those of the item before. */
	gboolean bound;
	guint lane, marks;
	guint64 attr[IOT_MAX_ATTRS];
	char digits[IOT_MAX_ATTRS][24];
};

/* A column that holds an attribute: the same for all types in which it has that name. */
struct sqlite_column {
	iot_str attr;
	char *name;
};

struct sqlite {
	struct iot_sink base;
	const struct iot_timeline *tl;
	struct sqlite_vfs_files *files;
	sqlite3 *db;
	guint64 cache; /* bytes that SQLite may keep */
	struct sqlite_type **types;
	guint n_types;
	GArray *spans, *points, *links; /* struct sqlite_column */
	sqlite3_stmt *sample, *gap;
	struct iot_aggregate *sums; /* for the result tables */
};

/** sqlite_run - run statements; FALSE and an error */
gboolean sqlite_run(struct sqlite *sqlite, const char *sql, GError **error);
/** sqlite_prepare - a statement that is run many times; NULL and an error */
sqlite3_stmt *sqlite_prepare(struct sqlite *sqlite, const char *sql, GError **error);
/** sqlite_step - run it once more; its bindings stay */
gboolean sqlite_step(struct sqlite *sqlite, sqlite3_stmt *statement, GError **error);
/** sqlite_bind_text - bind @text, escaped if it is no UTF-8; it must live until the step */
void sqlite_bind_text(sqlite3_stmt *statement, int column, const char *text, gsize len);

/** sqlite_create - the tables, with a column for each attribute of the types known by now */
gboolean sqlite_create(struct sqlite *sqlite, GError **error);
/** sqlite_insert_for - the statement that inserts items of a type */
sqlite3_stmt *sqlite_insert_for(struct sqlite *sqlite, const struct iot_type *type, GError **error);
/** sqlite_append_name - @name in the quotes of SQL */
void sqlite_append_name(GString *sql, const char *name);
/** sqlite_is_word_of - whether @name is one of the words of @columns, ignoring case */
gboolean sqlite_is_word_of(const char *columns, const char *name);
/** sqlite_create_view - the spans, or the points, of a view of the timeline with all names */
gboolean sqlite_create_view(struct sqlite *sqlite, guint index, gboolean span, GError **error);
/** sqlite_complete - fill the tables of rows, nodes and categories; make views and indexes */
gboolean sqlite_complete(struct sqlite *sqlite, const struct iot_summary *summary, GError **error);
/** sqlite_add_results - a table for each result table of the report */
gboolean sqlite_add_results(struct sqlite *sqlite, const struct iot_summary *summary,
			    GError **error);

#endif
