/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of the outputs for questions in SQL, SQLite and Parquet: db-columns.c has the names of
 * tables and columns, and those of attributes. db-fill.c makes the tables that are known at the end
 * (rows, inputs and so on), db-results.c those of the report, db-views.c the views. An output gives
 * two functions that take tables and rows. docs/formats/sqlite.md has the tables.
 *
 *	iot_db_init(&db, tl, begin, row);	before the first item
 *	iot_db_complete(&db, summary, error);	after the last one
 */
#ifndef IOT_SINKS_DB_H
#define IOT_SINKS_DB_H

#include "sinks/aggregate.h"
#include "sinks/sink.h"

/* What a column holds. Each value may also be absent, unless the column is @always there. */
enum iot_db_kind {
	IOT_DB_INT,  /* number with a sign, or ns since the beginning of the recording */
	IOT_DB_UINT, /* number or duration without a sign */
	IOT_DB_HEX,  /* number for people to read in hexadecimal; 0 is absent */
	IOT_DB_REAL,
	IOT_DB_TEXT,
	/* An attribute that is a number in one type and a text in another: a text for outputs whose
	 * columns have types. */
	IOT_DB_MIXED,
};

struct iot_db_column {
	const char *name;
	enum iot_db_kind kind;
	gboolean always, unique;
	iot_str attr; /* the attribute in it; 0: none */
};

struct iot_db_table {
	const char *name;
	guint n_columns;
	const struct iot_db_column *columns;
	gboolean is_result; /* of the report */
};

/* The tables that every database has. Those of items first: their rows come one by one. */
enum iot_db_fixed {
	IOT_DB_SPAN,
	IOT_DB_POINT,
	IOT_DB_LINK,
	IOT_DB_SAMPLE,
	IOT_DB_GAP,
	IOT_DB_META,
	IOT_DB_INPUT,
	IOT_DB_ROW,
	IOT_DB_NODE,
	IOT_DB_CATEGORY,
	IOT_DB_N_FIXED
};
enum { IOT_DB_N_ITEMS = IOT_DB_META };

struct iot_db_value {
	enum { IOT_DB_IS_NULL, IOT_DB_IS_INT, IOT_DB_IS_UINT, IOT_DB_IS_REAL, IOT_DB_IS_TEXT } is;
	union {
		gint64 i;
		guint64 u;
		double real;
		const char *text; /* may be no UTF-8 */
	};
};

struct iot_db;
typedef gboolean (*iot_db_begin_func)(struct iot_db *db, const struct iot_db_table *table,
				      GError **error);
/* @values: as many as the table has columns; texts live until the function returns */
typedef gboolean (*iot_db_row_func)(struct iot_db *db, const struct iot_db_value *values,
				    GError **error);

/* A member of the output's struct. */
struct iot_db {
	const struct iot_timeline *tl;
	struct iot_db_table table[IOT_DB_N_FIXED];
	struct iot_db_column *owned[IOT_DB_LINK + 1]; /* columns with attributes */
	GPtrArray *names;			      /* of those columns */
	GPtrArray *view_names;			      /* of views, without _spans or _points */
	GHashTable *gap_nodes;			      /* iot_str: of the gaps so far */
	GHashTable *nodes;			      /* numbers by name, at the end */
	GPtrArray *node_names;			      /* in the order of numbers */
	iot_db_begin_func begin;
	iot_db_row_func row;
};

/** iot_db_init - the tables, with a column for each attribute of the types known by now */
void iot_db_init(struct iot_db *db, const struct iot_timeline *tl, iot_db_begin_func begin,
		 iot_db_row_func row);
void iot_db_clear(struct iot_db *db);
/** iot_db_type_table - the table with the items of a type of spans, points or links */
enum iot_db_fixed iot_db_type_table(const struct iot_type *type);
/** iot_db_attr_column - position of the column that holds an attribute */
guint iot_db_attr_column(const struct iot_db *db, enum iot_db_fixed table, iot_str attr);

/** iot_db_gap - a gap of a machine: its name will have a number */
void iot_db_gap(struct iot_db *db, iot_str node);
/** iot_db_complete - the tables META to CATEGORY, in this order, by begin and row */
gboolean iot_db_complete(struct iot_db *db, const struct iot_summary *summary, GError **error);
/** iot_db_node - the number of a node, after iot_db_complete; 0: there is none */
guint iot_db_node(const struct iot_db *db, const char *name);
/** iot_db_results - a table for each result table of the report, by begin and row; rolls up @sums
 */
gboolean iot_db_results(struct iot_db *db, struct iot_aggregate *sums,
			const struct iot_summary *summary, GError **error);
/** iot_db_name_views - the names of all views, for the functions below; iot_db_init calls it */
void iot_db_name_views(struct iot_db *db);
/** iot_db_view - the statement that makes the view of the spans, or the points, of a view of the
 * timeline with all names; NULL if it has none. The caller frees */
char *iot_db_view(const struct iot_db *db, guint index, gboolean span);
/** iot_db_view_has_name - whether one of the two views of a view of the timeline has this name */
gboolean iot_db_view_has_name(const struct iot_db *db, guint index, const char *name);
/** iot_db_append_name - @name in the quotes of SQL */
void iot_db_append_name(GString *sql, const char *name);

#endif
