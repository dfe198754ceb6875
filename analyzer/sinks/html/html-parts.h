/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The accounts of waits and calls in the page, packed beside the items and unpacked only when
 * somebody selects one.
 *
 * "parts": blocks of accounts of spans of about the same length, up to a hundredfold, so that the
 * shortest can be left out of a page that would be too large. Seven columns, each with its length
 * before it; a number of variable length for each account or part:
 *
 *	item	difference of the number of its span to the one before, in the order of the file
 *	n	number of its parts
 *	name	of each part: number of its name; rows, and so on, likewise
 *	ns	of each part but the last one, which has the rest of the span
 *	row	to look at; 0: none
 *	cat	of what is there; 0: nothing in particular
 *	certain	0: not said, 1 proved, 2 possible, 3 undecided
 *
 * "names": all names in the order of their numbers, from 1 on, each with its length before it; then
 * one more block, with the least length of a span in ns that has an account. Only one: none has.
 */
#ifndef IOT_SINKS_HTML_HTML_PARTS_H
#define IOT_SINKS_HTML_HTML_PARTS_H

#include "sinks/html/html-block.h"
#include "timeline/timeline.h"

/* Bytes that a page without accounts has for them, at most. */
enum { IOT_HTML_NO_PARTS = 128 };

struct iot_html_parts;

/** iot_html_parts_new - @path: as of iot_html_blocks_new */
struct iot_html_parts *iot_html_parts_new(const struct iot_timeline *tl, const char *path,
					  GError **error);
/** iot_html_parts_free - accepts NULL */
void iot_html_parts_free(struct iot_html_parts *parts);
/** iot_html_parts_span - a wait or call has ended, and is item number @number of the page */
void iot_html_parts_span(struct iot_html_parts *parts, const struct iot_item *span, guint64 number);
/** iot_html_parts_add - a part of a span of the present instant; ignored if that is not there */
gboolean iot_html_parts_add(struct iot_html_parts *parts, const struct iot_item *part,
			    GError **error);
/** iot_html_parts_end - after the last item: all that fits into @room bytes, longest spans first
 * @out_dropped: accounts that do not */
gboolean iot_html_parts_end(struct iot_html_parts *parts, guint64 room, guint64 *out_dropped,
			    GError **error);
/** iot_html_parts_write - after iot_html_parts_end */
gboolean iot_html_parts_write(struct iot_html_parts *parts, struct iot_out *out, GError **error);
/** iot_html_parts_memory - bytes of storage */
gsize iot_html_parts_memory(const struct iot_html_parts *parts);

#endif
