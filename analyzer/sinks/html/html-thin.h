/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page that would be too large: the rows that waited least keep only sums. Spans shorter than
 * a step and points, on one lane of such a row, become one for each category and step, which
 * ends with the step, has their total length, and says their number. So do links that begin or
 * end on such rows, with the length of the longest, and samples, with the value of the last.
 * Longer spans, the rows that waited most, and gaps stay as they are.
 *
 * All items are read back from their blocks, so memory does not grow with them, but with the kinds
 * of items of one step.
 */
#ifndef IOT_SINKS_HTML_HTML_THIN_H
#define IOT_SINKS_HTML_HTML_THIN_H

#include "sinks/aggregate.h"
#include "sinks/html/html-chunk.h"

struct iot_html_thin {
	guint8 *coarse;	   /* by row: keeps only sums */
	guint64 step_ns;   /* 0: nothing was thinned */
	guint64 begin_ns;  /* where the first step begins, common clock */
	guint n_coarse;	   /* rows with items that keep only sums */
	guint64 n_thinned; /* items that they stand for */
	guint64 n_items;   /* of the page */
};

/**
 * iot_html_thin_plan - choose the rows that keep only sums
 * @own: items of each row itself
 * @keep: how many items may stay
 * @sums: rolled up
 *
 * Returns how many items stay.
 */
guint64 iot_html_thin_plan(struct iot_html_thin *thin, const struct iot_aggregate *sums,
			   const guint64 *own, guint64 keep);
void iot_html_thin_clear(struct iot_html_thin *thin);
/** iot_html_thin_run - items of @from, which has ended, into @to, which is not ended */
gboolean iot_html_thin_run(struct iot_html_thin *thin, struct iot_html_chunk *from,
			   struct iot_html_chunk *to, GError **error);

#endif
