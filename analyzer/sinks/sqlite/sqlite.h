/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the SQLite output: sqlite-schema.c makes the tables of items before the first one,
 * sqlite.c inserts items as they come; after the last one sqlite-end.c makes the other tables,
 * views and indexes. sinks/db.h has the columns of all of them.
 */
#ifndef IOT_SINKS_SQLITE_SQLITE_H
#define IOT_SINKS_SQLITE_SQLITE_H

#include "sinks/db.h"
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

struct sqlite {
	struct iot_sink base;
	const struct iot_timeline *tl;
	struct iot_db tables;
	struct sqlite_vfs_files *files;
	sqlite3 *db;
	guint64 cache; /* bytes that SQLite may keep */
	struct sqlite_type **types;
	guint n_types;
	sqlite3_stmt *sample, *gap;
	/* of the table that is filled at the end, and its number of columns */
	sqlite3_stmt *fill;
	guint n_fill;
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

/** sqlite_bind_number - an integer, or a text if it has more than 63 bits; @digits: room for it */
void sqlite_bind_number(sqlite3_stmt *statement, int column, guint64 value, char digits[24]);

/** sqlite_create - the tables of items, with a column for each attribute */
gboolean sqlite_create(struct sqlite *sqlite, GError **error);
/** sqlite_create_table - one table */
gboolean sqlite_create_table(struct sqlite *sqlite, const struct iot_db_table *table,
			     GError **error);
/** sqlite_insert_for - the statement that inserts items of a type */
sqlite3_stmt *sqlite_insert_for(struct sqlite *sqlite, const struct iot_type *type, GError **error);
/** sqlite_begin, sqlite_row - the functions of sinks/db.h */
gboolean sqlite_begin(struct iot_db *tables, const struct iot_db_table *table, GError **error);
gboolean sqlite_row(struct iot_db *tables, const struct iot_db_value *values, GError **error);
/** sqlite_complete - fill the tables of rows, nodes and categories; make views and indexes */
gboolean sqlite_complete(struct sqlite *sqlite, const struct iot_summary *summary, GError **error);

#endif
