/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Items of the page, column by column: a chunk of a fixed number of items becomes two blocks,
 * "items" (what a picture needs) and "attrs" (what a click asks for). Each chunk can be read alone.
 * All numbers are of variable length, seven bits in a byte, the lowest first.
 *
 * "items": the number of items; then ten columns, each with its length in bytes before it:
 *
 *	row	number of the row; 0 for a gap
 *	cat	number of the category; 0 for a gap
 *	lane
 *	flags	enum iot_item_flags, and IOT_HTML_MERGED
 *	end	t1 in ns since the zero of pictures, less that of the item before (0 for the first)
 *	length	spans, gaps and links. 0: the span begins at the instant at which the last
 *		one of its slot ended; else 1 + t1 - t0
 *	value	samples, zigzag: value less the last one of its slot (0 for the first). Merged
 *		items: how many they stand for, after that
 *	node	gaps: number of the node in the head's "nodes"
 *	row_to	links: row of the to-end. The from-end is on row and lane; with the flag
 *		IOT_BACKWARDS it is at t1
 *	lane_to	links: lane of the to-end
 *
 * "attrs": for each type with attributes that occurs in the chunk, in order of its first item: its
 * number, the number of attributes, then for each attribute a column with its length before it: a
 * value for each item of that type, combined by exclusive or with the last one of its slot. INT is
 * zigzag; STR is 0 for none, 2 * string for a string, 1 + 2 * number for a number. Type 0 are gaps;
 * their attribute is 1 + the number of lost events, 0 if that is not known.
 *
 * Slots are what row and lane (for values row and category) lead to, as iot_html_slot says; they
 * are empty at the begin of a chunk.
 */
#ifndef IOT_SINKS_HTML_HTML_CHUNK_H
#define IOT_SINKS_HTML_HTML_CHUNK_H

#include "sinks/html/html-block.h"
#include "timeline/timeline.h"

/* A flag beside those of enum iot_item_flags: the item stands for many, whose number is its seq; it
 * has no attributes. */
enum { IOT_HTML_MERGED = 1 << 15 };

enum { IOT_HTML_CHUNK = 16384, IOT_HTML_ENDS = 16384, IOT_HTML_SLOTS = 1024 };

struct iot_html_chunk;

struct iot_html_chunk *iot_html_chunk_new(const struct iot_timeline *tl,
					  struct iot_html_blocks *blocks, GError **error);
void iot_html_chunk_free(struct iot_html_chunk *chunk);
typedef struct iot_html_chunk iot_html_chunk;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_html_chunk, iot_html_chunk_free)

/** iot_html_chunk_add - take one item; a full chunk goes to the blocks */
gboolean iot_html_chunk_add(struct iot_html_chunk *chunk, const struct iot_item *item,
			    GError **error);
/** iot_html_chunk_end - the last chunk, then "strings" blocks with all texts of attributes in the
 * order of their numbers, each with its length before it */
gboolean iot_html_chunk_end(struct iot_html_chunk *chunk, GError **error);
/** iot_html_chunk_nodes - names of the nodes that have gaps, by the number in the column */
const GArray *iot_html_chunk_nodes(const struct iot_html_chunk *chunk); /* of iot_str */
/** iot_html_chunk_timeline - the one that it was made with */
const struct iot_timeline *iot_html_chunk_timeline(const struct iot_html_chunk *chunk);

typedef gboolean (*iot_html_walker)(const struct iot_item *item, gpointer data, GError **error);
/** iot_html_chunk_walk - all items again, in their order; after iot_html_chunk_end */
gboolean iot_html_chunk_walk(struct iot_html_chunk *chunk, iot_html_walker walker, gpointer data,
			     GError **error);

/** iot_html_chunk_memory - bytes of storage */
gsize iot_html_chunk_memory(const struct iot_html_chunk *chunk);

static inline guint iot_html_slot(guint32 row, guint32 n)
{
	return row * 61 + n;
}

#endif
