/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points, values of counters and arrows of a picture of text, in memory that does not depend on
 * the length of the recording; buckets as in show-strips.h. Times count from the left edge, in ns.
 */
#ifndef IOT_SINKS_SHOW_MARKS_H
#define IOT_SINKS_SHOW_MARKS_H

#include "sinks/show/show-draw.h"

/* The points of a row, and the ends of arrows on it. */
struct iot_show_marks;

/** iot_show_marks_new - no marks; free with g_free */
struct iot_show_marks *iot_show_marks_new(void);
/** iot_show_marks_point - a point at @t */
void iot_show_marks_point(struct iot_show_marks *marks, guint64 bucket_ns, guint64 t,
			  gboolean failed);
/** iot_show_marks_end - an end of an arrow at @t; @to: its head */
void iot_show_marks_end(struct iot_show_marks *marks, guint64 bucket_ns, guint64 t, gboolean to);
void iot_show_marks_halve(struct iot_show_marks *marks);
/** iot_show_marks_line - . one point, : up to 9, * more, ! failed; > and < ends of arrows, x both
 */
void iot_show_marks_line(const struct iot_show_canvas *canvas, const struct iot_show_marks *marks);
/** iot_show_marks_bytes - the memory of one */
gsize iot_show_marks_bytes(void);

/* The values of one counter on a row. */
struct iot_show_curve;

/** iot_show_curve_new - @before: the value before the first one; free with g_free */
struct iot_show_curve *iot_show_curve_new(iot_cat_id cat, gdouble before);
iot_cat_id iot_show_curve_cat(const struct iot_show_curve *curve);
/** iot_show_curve_add - a new value from @t on */
void iot_show_curve_add(struct iot_show_curve *curve, guint64 bucket_ns, guint64 t, gdouble value);
void iot_show_curve_halve(struct iot_show_curve *curve);
/** iot_show_curve_line - the greatest value of each column, from 0 to the greatest of all, which is
 * on the right; digits without UTF-8 */
void iot_show_curve_line(const struct iot_show_canvas *canvas, const struct iot_show_curve *curve);
gsize iot_show_curve_bytes(void);

/* All links, added up by both rows and kind; @n_more: those of further pairs. */
struct iot_show_arrows {
	GHashTable *pairs;
	guint64 n_more;
};

void iot_show_arrows_init(struct iot_show_arrows *arrows);
void iot_show_arrows_clear(struct iot_show_arrows *arrows);
void iot_show_arrows_add(struct iot_show_arrows *arrows, const struct iot_item *link);
/** iot_show_arrows_table - the pairs with most arrows, and how many others there are */
void iot_show_arrows_table(const struct iot_show_canvas *canvas,
			   const struct iot_show_arrows *arrows);

#endif
