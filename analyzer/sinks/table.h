/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables for people: columns as wide as their widest cell, measured in terminal columns (UTF-8
 *names may be wider or narrower than their bytes). Cells are made safe to print: control characters
 *and bytes that are no UTF-8 become \xNN, so a name from a trace cannot drive the terminal. One
 *thread at a time.
 *
 *	table = iot_table_new();
 *	iot_table_column(table, "NODE", IOT_LEFT);
 *	iot_table_column(table, "CALLS", IOT_RIGHT);
 *	iot_table_row(table);
 *	iot_table_cell(table, IOT_PLAIN, "node 1");
 *	iot_table_take(table, IOT_PLAIN, iot_format_count(n));
 *	iot_table_write(table, out, colour);
 */
#ifndef IOT_SINKS_TABLE_H
#define IOT_SINKS_TABLE_H

#include "base/out.h"

enum iot_align { IOT_LEFT, IOT_RIGHT };
enum iot_style { IOT_PLAIN, IOT_BOLD, IOT_RED, IOT_YELLOW };

struct iot_table_column {
	char *title;
	enum iot_align align;
	gboolean optional; /* left out if no row has text in it */
	guint gap;	   /* blanks before it; 2 */
	guint max_width;   /* longer cells are cut in the middle ("abc...xyz"); 0: never */
	gboolean shrink;   /* where there is no room, its cells are cut like that */
	gboolean wrap;	   /* the last: where there is no room, its words go on in further lines */
	guint drop;	   /* where there is no room, the greatest is left out first; 0: never */
	guint width;	   /* of the widest cell */
};

struct iot_table {
	guint indent;	 /* blanks before each line; 2 */
	guint max_width; /* of a line, in terminal columns; 0: no limit */
	GArray *columns; /* struct iot_table_column */
	GPtrArray *rows; /* GArray of cells */
};

struct iot_table *iot_table_new(void);
void iot_table_free(struct iot_table *table);
typedef struct iot_table iot_table;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_table, iot_table_free)

/** iot_table_column - add a column; its settings may be changed until the next column or row is
 * added */
struct iot_table_column *iot_table_column(struct iot_table *table, const char *title,
					  enum iot_align align);
/** iot_table_row - begin the next row; cells that are not given stay empty */
void iot_table_row(struct iot_table *table);
/** iot_table_cell - the next cell of the row; NULL is an empty cell */
void iot_table_cell(struct iot_table *table, enum iot_style style, const char *text);
/** iot_table_take - the same, freeing @text */
void iot_table_take(struct iot_table *table, enum iot_style style, char *text);
/** iot_table_write - print the titles (unless all are empty) and all rows; what had no room is
 * named below */
void iot_table_write(const struct iot_table *table, struct iot_out *out, gboolean colour);

/** iot_out_styled - print text in a style; plain without @colour */
void iot_out_styled(struct iot_out *out, enum iot_style style, gboolean colour, const char *text);
/**
 * iot_out_wrapped - print words, and go on in the next line where there is no room
 * @column: terminal column of the first word; later lines begin with as many blanks as @indent
 * @max_width: of a line; 0: no limit
 */
void iot_out_wrapped(struct iot_out *out, enum iot_style style, gboolean colour, const char *text,
		     guint column, guint indent, guint max_width);
/** iot_text_width - terminal columns of valid UTF-8 text: 2 for wide characters, 0 for combining
 * ones */
guint iot_text_width(const char *text);

#endif
