/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranked tables: result tables whose columns are rows of a static table, and whose rows are made of
 * elements of a list, the most important one first.
 *
 *	static const struct iot_ranked_column columns[] = {
 *		{ "resource", "resource", IOT_COLUMN_ROW },
 *		{ "waited", "waited", IOT_COLUMN_NS, .flags = IOT_COLUMN_STRONG },
 *	};
 *	static const struct iot_ranked ranked = {
 *		IOT_RANKED("waiting", "Waiting", columns), .limit = 20,
 *		.compare = most_time, .add = add_row
 *	};
 *
 *	iot_ranked_publish(results, tl, &ranked, list, data);
 *
 * Every table says in its remark how many rows it leaves out, and what lost events mean for its
 * numbers. One thread at a time.
 */
#ifndef IOT_TABLES_RANKED_H
#define IOT_TABLES_RANKED_H

#include "base/histogram.h"
#include "timeline/result-table.h"

struct iot_ranked_column {
	const char *name, *title;
	enum iot_column_kind kind;
	guint flags, drop;
	const char *help; /* or NULL */
	guint max_width;
};

/* What the remark says if events are missing in the time that is shown. */
enum iot_ranked_loss {
	/* numbers are at least as great: the default, so that no table forgets it */
	IOT_LOSS_LEAST,
	IOT_LOSS_LONGER, /* there may be longer ones */
	/* from when on other locks may be unseen; "proved" leaves this time out */
	IOT_LOSS_UNDECIDED,
	IOT_LOSS_IN_CELLS, /* nothing: cells, columns or notes of the table say it */
	IOT_LOSS_NOTHING,  /* nothing: no number depends on it */
};

struct iot_ranked {
	const char *name, *title, *help; /* help: or NULL */
	const struct iot_ranked_column *columns;
	guint n_columns;
	/* adds further columns, that other data decide; or NULL */
	void (*more_columns)(struct iot_result_table *table, gconstpointer data);
	gboolean for_programs;
	guint limit; /* rows; 0: all */
	/* "with the most time": why these rows; NULL: they are "the first" ones */
	const char *most;
	gboolean rest_is_note; /* how many are left out is a note, and not in the remark */
	enum iot_ranked_loss loss;
	/* order of two elements; those that are equal stay in the order of the list; NULL: as the
	 * list */
	int (*compare)(gconstpointer a, gconstpointer b, gconstpointer data);
	/* makes the row of an element */
	void (*add)(struct iot_result_table *table, gconstpointer element, gconstpointer data);
};

#define IOT_RANKED(name_, title_, columns_)                        \
	.name = (name_), .title = (title_), .columns = (columns_), \
	.n_columns = G_N_ELEMENTS(columns_)

/**
 * iot_ranked_publish - add a table with the first elements of @list in order; none without elements
 * @tl: NULL: nothing can be lost
 * @list: is sorted
 * @data: for the functions of @ranked
 * Returns: the table, or NULL.
 */
struct iot_result_table *iot_ranked_publish(struct iot_results *results,
					    const struct iot_timeline *tl,
					    const struct iot_ranked *ranked, GPtrArray *list,
					    gconstpointer data);
/** iot_ranked_publish_array - the same with an array of elements, which is not sorted */
struct iot_result_table *iot_ranked_publish_array(struct iot_results *results,
						  const struct iot_timeline *tl,
						  const struct iot_ranked *ranked,
						  const GArray *array, gconstpointer data);
/** iot_ranked_table - the table with its columns and remark, for @n elements that the caller adds;
 * more columns may follow */
struct iot_result_table *iot_ranked_table(struct iot_results *results,
					  const struct iot_timeline *tl,
					  const struct iot_ranked *ranked, guint n);
/** iot_ranked_columns - add @n columns */
void iot_ranked_columns(struct iot_result_table *table, const struct iot_ranked_column *columns,
			guint n);

/* ---- rows */

/* A cell as an argument. */
struct iot_cell {
	enum { IOT_CELL_IS_NONE, IOT_CELL_IS_NUMBER, IOT_CELL_IS_TEXT, IOT_CELL_IS_SHARE } is;
	struct iot_result_cell cell;
};

static inline struct iot_cell iot_cell_number(guint64 number)
{
	return (struct iot_cell){ IOT_CELL_IS_NUMBER, { .number = number } };
}
/** iot_cell_least - a number, which may be greater if @least */
static inline struct iot_cell iot_cell_least(guint64 number, gboolean least)
{
	return (struct iot_cell){ IOT_CELL_IS_NUMBER,
				  { .flags = least ? IOT_CELL_AT_LEAST : 0, .number = number } };
}
static inline struct iot_cell iot_cell_signed(gint64 number)
{
	return (struct iot_cell){ IOT_CELL_IS_NUMBER,
				  { .flags = number < 0 ? IOT_CELL_NEGATIVE : 0,
				    .number = (guint64)number } };
}
/** iot_cell_text - @text lives until the row is made; NULL: an empty cell */
static inline struct iot_cell iot_cell_text(const char *text)
{
	return (struct iot_cell){ IOT_CELL_IS_TEXT, { .text = (char *)text } };
}
static inline struct iot_cell iot_cell_share(double share)
{
	return (struct iot_cell){ IOT_CELL_IS_SHARE, { .share = share } };
}
/** iot_cell_none - no value: @flag is EMPTY or UNKNOWN */
static inline struct iot_cell iot_cell_none(enum iot_cell_flags flag)
{
	return (struct iot_cell){ IOT_CELL_IS_NONE, { .flags = flag } };
}
/** iot_cell_if - @cell, or an empty one */
static inline struct iot_cell iot_cell_if(gboolean there, struct iot_cell cell)
{
	return there ? cell : iot_cell_none(IOT_CELL_EMPTY);
}
/** iot_cell_known - @cell, or an unknown one */
static inline struct iot_cell iot_cell_known(gboolean known, struct iot_cell cell)
{
	return known ? cell : iot_cell_none(IOT_CELL_UNKNOWN);
}
/** iot_cell_positive - a number, or an empty cell for 0 */
static inline struct iot_cell iot_cell_positive(guint64 number)
{
	return iot_cell_if(number != 0, iot_cell_number(number));
}

/** iot_ranked_row - add a row with these cells; further ones may follow */
#define iot_ranked_row(table, ...)                                            \
	iot_ranked_add_row((table), (const struct iot_cell[]){ __VA_ARGS__ }, \
			   sizeof((const struct iot_cell[]){ __VA_ARGS__ }) / \
				   sizeof(struct iot_cell))
struct iot_result_row *iot_ranked_add_row(struct iot_result_table *table,
					  const struct iot_cell *cells, gsize n);
/** iot_ranked_cell - the next cell */
void iot_ranked_cell(struct iot_result_table *table, struct iot_cell cell);
/** iot_ranked_percentiles - cells of the percentiles 50, 90 and 99 */
void iot_ranked_percentiles(struct iot_result_table *table, const struct iot_histogram *histogram);

static inline int iot_compare_number(guint64 a, guint64 b)
{
	return a < b ? -1 : a > b;
}

#endif
