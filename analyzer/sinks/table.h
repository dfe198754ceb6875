/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables for people. A column is as wide as its widest cell, measured in terminal columns. Cells
 * are made safe to print: control characters and invalid UTF-8 become \xNN, so a name in a
 * recording cannot control the terminal. One thread at a time.
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
	gboolean optional; /* left out if all its cells are empty */
	guint gap;	   /* blanks before it; 2 */
	guint max_width;   /* longer cells are cut in the middle ("abc...xyz"); 0: never */
	/* for lines that are too long: cells may be cut; words of the last column may be wrapped;
	 * columns are left out, the greatest drop first, 0 never */
	gboolean shrink, wrap;
	guint drop;
	guint width; /* of the widest cell */
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

/** iot_table_column - add a column, whose settings may be changed before the next call */
struct iot_table_column *iot_table_column(struct iot_table *table, const char *title,
					  enum iot_align align);
/** iot_table_row - begin the next row; missing cells are empty */
void iot_table_row(struct iot_table *table);
/** iot_table_cell - the next cell of the row; NULL is an empty cell */
void iot_table_cell(struct iot_table *table, enum iot_style style, const char *text);
/** iot_table_take - the same, freeing @text */
void iot_table_take(struct iot_table *table, enum iot_style style, char *text);
/** iot_table_write - print the titles, unless all are empty, the rows, and the names of columns
 * that were left out */
void iot_table_write(const struct iot_table *table, struct iot_out *out, gboolean colour);

/** iot_out_styled - print text in a style; without @colour plain */
void iot_out_styled(struct iot_out *out, enum iot_style style, gboolean colour, const char *text);
/**
 * iot_out_wrapped - print words, as many lines as needed
 * @column: terminal column of the first word
 * @indent: blanks before the other lines
 * @max_width: of a line; 0: no limit
 */
void iot_out_wrapped(struct iot_out *out, enum iot_style style, gboolean colour, const char *text,
		     guint column, guint indent, guint max_width);
/** iot_text_printable - with \xNN for control characters and bytes that are no UTF-8; the caller
 * frees */
char *iot_text_printable(const char *text);
/** iot_text_width - terminal columns of valid UTF-8: 2 for a wide character, 0 for a combining one
 */
guint iot_text_width(const char *text);

#endif
