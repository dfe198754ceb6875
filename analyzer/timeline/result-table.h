/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Result tables: named tables with typed columns. A publisher makes them and knows no output
 * format; text, TSV, JSON, HTML, SQLite and Parquet render any table by its columns.
 *
 *	table = iot_results_add(results, "longest_waits", "Longest waits");
 *	iot_result_column(table, "begin", "begin", IOT_COLUMN_INSTANT);
 *	iot_result_column(table, "waited", "waited", IOT_COLUMN_NS);
 *	iot_result_row(table);
 *	iot_result_number(table, item->t0);
 *	iot_result_number(table, item->t1 - item->t0);
 *
 * tables/ranked.h makes most of them: columns as rows of a static table, sorted rows, and how many
 * of them are left out. Where there is a sum, the rest becomes one row "others". One thread at a
 * time.
 */
#ifndef IOT_TIMELINE_RESULT_TABLE_H
#define IOT_TIMELINE_RESULT_TABLE_H

#include "timeline/distributions.h"
#include "timeline/timeline.h"

/* What a cell holds. It decides how outputs show the cell, and what a click on the page does. */
enum iot_column_kind {
	IOT_COLUMN_TEXT,
	IOT_COLUMN_COUNT,
	/* A duration. With an instant in the same row it marks the interval that a click selects.
	 */
	IOT_COLUMN_NS,
	/* A share: 1 is all. */
	IOT_COLUMN_SHARE,
	/* A real number of any kind. */
	IOT_COLUMN_REAL,
	/* ns on the common clock. A click goes there. */
	IOT_COLUMN_INSTANT,
	/* iot_row_id. A click selects the row. */
	IOT_COLUMN_ROW,
	/* iot_cat_id. */
	IOT_COLUMN_CATEGORY,
	/* enum iot_severity. */
	IOT_COLUMN_SEVERITY,
};

enum iot_column_flags {
	/* 0 is printed as "-". */
	IOT_COLUMN_DASH = 1 << 0,
	/* The column is left out where all its cells are empty. */
	IOT_COLUMN_OPTIONAL = 1 << 1,
	/* For programs: the text output has the same in other words. */
	IOT_COLUMN_DATA = 1 << 2,
	/* Durations, of which the text output also prints the share of the table's range_ns. */
	IOT_COLUMN_OF_RANGE = 1 << 3,
	/* Cells that are not 0 and not empty are bad news: red. */
	IOT_COLUMN_ALARM = 1 << 4,
	IOT_COLUMN_STRONG = 1 << 5,
	/* A text is a list, with newlines between its elements. */
	IOT_COLUMN_LIST = 1 << 6,
	/* The text output appends the cell to the column before, in parentheses. */
	IOT_COLUMN_REMARK = 1 << 7,
	/* The text output prints no title. */
	IOT_COLUMN_UNTITLED = 1 << 8,
	/* If lines are too long: cells may be cut, or the words of the last column wrapped. */
	IOT_COLUMN_SHRINK = 1 << 9,
	IOT_COLUMN_WRAP = 1 << 10,
};

struct iot_column {
	char *name; /* bare word, unique in its table: a key of JSON, a column of SQLite and Parquet
		     */
	char *title; /* for people, in lower case unless it is a name */
	char *help;  /* or NULL */
	enum iot_column_kind kind;
	guint flags;
	/* Text output, if lines are too long: the column with the greatest number is left out
	 * first; 0: never. */
	guint drop;
	guint max_width; /* of a cell in the text output; 0: no limit */
};

enum iot_cell_flags {
	IOT_CELL_EMPTY = 1 << 0,
	/* There is a value, but nobody knows it: "?". */
	IOT_CELL_UNKNOWN = 1 << 1,
	/* The true value is greater by an unknown amount. */
	IOT_CELL_AT_LEAST = 1 << 2,
	/* A count below 0; number holds it as gint64. */
	IOT_CELL_NEGATIVE = 1 << 3,
};

struct iot_result_cell {
	guint flags;
	union {
		guint64 number;
		double share; /* and other real numbers */
		char *text;
	};
};

struct iot_result_row {
	struct iot_result_cell *cells; /* as many as there are columns */
	guint n_cells;		       /* filled so far */
	/* Rows of a tree: levels below the first one. The text output indents them, and prints a
	 * name instead of a path. */
	guint level;
	gboolean strong;
	/* The sum of so many rows that are not shown; 0: an ordinary row. */
	guint others;
};

struct iot_result_table {
	char *name;   /* bare word, unique: a key of JSON, a table of SQLite and Parquet */
	char *title;  /* for people: "Longest waits" */
	char *remark; /* in parentheses after the title; or NULL */
	char *help;   /* or NULL */
	/* Row type whose rows are listed with their sums; 0: the table is about something else. The
	 * page makes such tables from the sums of its rows. */
	iot_type_id of_rows;
	/* Text output and page leave it out; JSON, SQLite and Parquet have it. */
	gboolean for_programs;
	guint64 range_ns; /* 100 % of columns OF_RANGE */
	/* The remark says how many rows are not shown: the text output has no row for the others.
	 */
	gboolean counts_others;
	GArray *columns;  /* struct iot_column */
	GArray *rows;	  /* struct iot_result_row */
	GPtrArray *notes; /* sentences below the table */
	/* Makes the rows when an output reads them (iot_result_fill); NULL: they are made. */
	void (*fill)(struct iot_result_table *table, gconstpointer data);
	gconstpointer fill_data; /* lives as long as the outputs */
};

struct iot_results {
	GPtrArray *tables; /* struct iot_result_table, in the order of publishing */
	struct iot_distributions *distributions; /* owned; NULL: nobody asked for them */
	guint64 from_ns, to_ns;			 /* the part of the timeline that is shown */
};

struct iot_results *iot_results_new(void);
void iot_results_free(struct iot_results *results);
typedef struct iot_results iot_results;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_results, iot_results_free)

/**
 * iot_results_add - an empty table
 * @name: made a bare word, and unique by a number at its end
 */
struct iot_result_table *iot_results_add(struct iot_results *results, const char *name,
					 const char *title);
/** iot_results_find - a table by name, with its rows, or NULL */
const struct iot_result_table *iot_results_find(const struct iot_results *results,
						const char *name);

/** iot_results_share - append the tables of @from, which both then own; their names must be others
 */
void iot_results_share(struct iot_results *results, const struct iot_results *from);

/** iot_result_column - add a column, whose settings may be changed before the next call; @name is
 * treated as in iot_results_add */
struct iot_column *iot_result_column(struct iot_result_table *table, const char *name,
				     const char *title, enum iot_column_kind kind);
/** iot_result_find_column - position of a column, or -1 */
int iot_result_find_column(const struct iot_result_table *table, const char *name);
/** iot_result_fill - make the rows of a table @for_programs, before they are read */
void iot_result_fill(struct iot_result_table *table);
/** iot_result_row - begin the next row, after all columns; missing cells are empty */
struct iot_result_row *iot_result_row(struct iot_result_table *table);
/** iot_result_text - the next cell; NULL is an empty cell */
void iot_result_text(struct iot_result_table *table, const char *text);
/** iot_result_number - the next cell, of any kind but TEXT, SHARE and REAL */
void iot_result_number(struct iot_result_table *table, guint64 number);
/** iot_result_signed - the next cell, of kind COUNT */
void iot_result_signed(struct iot_result_table *table, gint64 number);
/** iot_result_share - the next cell, of kind SHARE or REAL */
void iot_result_share(struct iot_result_table *table, double share);
/** iot_result_none - the next cell has no value: @flag is EMPTY or UNKNOWN */
void iot_result_none(struct iot_result_table *table, enum iot_cell_flags flag);
/** iot_result_at_least - mark the last cell AT_LEAST */
void iot_result_at_least(struct iot_result_table *table);
/** iot_result_note - add a sentence below the table */
void iot_result_note(struct iot_result_table *table, const char *format, ...) G_GNUC_PRINTF(2, 3);

static inline const struct iot_column *iot_result_column_at(const struct iot_result_table *table,
							    guint i)
{
	return &g_array_index(table->columns, struct iot_column, i);
}
static inline const struct iot_result_row *iot_result_row_at(const struct iot_result_table *table,
							     guint i)
{
	return &g_array_index(table->rows, struct iot_result_row, i);
}
/** iot_result_is_blank - the column is OPTIONAL, and all its cells are empty */
gboolean iot_result_is_blank(const struct iot_result_table *table, guint column);

#endif
