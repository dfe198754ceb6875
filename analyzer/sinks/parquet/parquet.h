/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the Parquet output: parquet.c puts items into columns as they come, and the rows of
 * sinks/db.h at the end. parquet-column.c makes pages of columns, parquet-file.c row groups of
 * pages, and the footer. docs/formats/parquet.md describes the files.
 *
 * A page has the next PARQUET_PAGE rows of one column, a row group PARQUET_GROUP rows. Where they
 * end depends on nothing but the rows. Pages of a row group wait for its end, because each column
 * is in one piece: in memory, or in a temporary file if there are more than the memory allows.
 */
#ifndef IOT_SINKS_PARQUET_PARQUET_H
#define IOT_SINKS_PARQUET_PARQUET_H

#include "base/out.h"
#include "sinks/db.h"
#include "sinks/parquet/parquet-encode.h"

#include <zstd.h>

enum { PARQUET_PAGE = 1 << 15, PARQUET_GROUP = 1 << 20 };

/* Numbers of the format. */
enum { PARQUET_INT64 = 2, PARQUET_DOUBLE = 5, PARQUET_BYTE_ARRAY = 6 };
enum { PARQUET_PLAIN = 0, PARQUET_RLE = 3, PARQUET_DELTA = 5, PARQUET_DICTIONARY = 8 };
enum { PARQUET_UNCOMPRESSED = 0, PARQUET_ZSTD = 6 };

/* The different values of a column in a row group, numbered from 0. */
struct parquet_dictionary {
	guint64 *keys;	/* by number */
	guint32 *slots; /* 1 + number, by hash; 0: free */
	guint n, mask;
	guint64 bytes; /* of the values in the page */
};

/* Sizes and offsets of the pages of a column in a row group. */
struct parquet_chunk {
	GByteArray *head; /* the dictionary's page */
	GArray *spilled;  /* struct parquet_piece: in the temporary file */
	GByteArray *rest; /* in memory */
	guint64 bytes, plain_bytes;
	guint codec;
	guint n_pages;
	guint64 n_absent;
	/* least and greatest value; numbers, or texts */
	gboolean any, long_text;
	guint64 least, greatest;
	GString *least_text, *greatest_text;
};

struct parquet_piece {
	guint64 offset;
	gsize len;
};

/* How the text of a key is found. */
enum parquet_texts { PARQUET_NO_TEXTS, PARQUET_ATTRS, PARQUET_MARKS, PARQUET_OWN };

struct parquet_column {
	struct iot_db_column is;
	char *name;
	enum parquet_texts texts;
	/* the page: the values that are there, and a bit for each of its rows */
	guint64 *values;
	guint8 *bits;
	guint n;
	guint n_absent_rows; /* before the page, not written yet */
	/* most values differ, so there is no dictionary */
	gboolean plain;
	struct parquet_dictionary dictionary;
	struct iot_intern *own;
	struct parquet_chunk chunk;
};

/* Room that the columns share while a page is made. */
struct parquet_work {
	ZSTD_CCtx *zstd;
	guint32 *numbers, *levels; /* PARQUET_PAGE */
	GByteArray *plain, *packed, *head;
};

/* One file. */
struct parquet_table {
	const struct iot_timeline *tl;
	struct parquet_work *work;
	guint n_columns;
	struct parquet_column *columns;
	gint sorted; /* column in whose order the rows are; -1: none */
	guint page_rows, group_rows;
	guint64 n_rows;
	struct iot_out *out, *spill;
	gsize memory; /* greatest size of the pages of a row group in memory */
	guint n_groups;
	GByteArray *groups; /* the footer's list of row groups */
};

/** parquet_put - a value of the column in the row that is being filled */
static inline void parquet_put(struct parquet_table *table, struct parquet_column *column,
			       guint64 value)
{
	column->values[column->n++] = value;
	column->bits[table->page_rows >> 3] |= (guint8)(1 << (table->page_rows & 7));
}

/** parquet_column_init - an empty column; @is must live until the column does not */
gboolean parquet_column_init(struct parquet_column *column, const struct iot_db_column *is,
			     GError **error);
void parquet_column_clear(struct parquet_column *column);
/** parquet_column_page - make a page of the values; @rows: of the page */
gboolean parquet_column_page(struct parquet_table *table, struct parquet_column *column, guint rows,
			     GError **error);
/** parquet_column_finish - the pages that are missing at the end of the row group */
gboolean parquet_column_finish(struct parquet_table *table, struct parquet_column *column,
			       GError **error);
/** parquet_column_restart - forget the row group */
void parquet_column_restart(struct parquet_column *column);

struct parquet_work *parquet_work_new(GError **error);
void parquet_work_free(struct parquet_work *work);

/**
 * parquet_table_new - begin the file of a table
 * @out: the file, which it takes; NULL: it could not be opened
 * @memory: for pages that wait
 */
struct parquet_table *parquet_table_new(const struct iot_timeline *tl, struct parquet_work *work,
					const struct iot_db_table *is, struct iot_out *out,
					gsize memory, GError **error);
/** parquet_table_row - the row is complete: its columns have their values */
gboolean parquet_table_end_row(struct parquet_table *table, GError **error);
/** parquet_table_finish - the last row group and the footer; the file has its name then */
gboolean parquet_table_finish(struct parquet_table *table, GError **error);
/** parquet_table_free - also after a failure; accepts NULL */
void parquet_table_free(struct parquet_table *table);

#endif
