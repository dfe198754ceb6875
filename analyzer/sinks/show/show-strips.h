/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of each kind of span in each part of a line, in memory that does not depend on the
 * length of the recording. A line has IOT_SHOW_BUCKETS buckets of equal length. The end of the
 * recording is not known at its begin, so the length is doubled whenever a span ends after the last
 * bucket. Columns of text are whole buckets, so their shares are exact.
 *
 * Times count from the left edge of the picture, in ns.
 */
#ifndef IOT_SINKS_SHOW_STRIPS_H
#define IOT_SINKS_SHOW_STRIPS_H

#include "timeline/timeline.h"

enum { IOT_SHOW_BUCKETS = 1024 };

/* One kind on one line. */
struct iot_show_strip {
	iot_cat_id cat;
	guint64 *ns; /* by bucket */
};

/* The contents of a column of one line. */
struct iot_show_cell {
	/* the kind with the most time, waiting first if equal; 0: the column is empty */
	iot_cat_id cat;
	guint64 cat_ns;
	/* the same among the kinds of role WAIT, and among all others */
	iot_cat_id wait, other;
	guint64 wait_ns, other_ns;
	guint64 covered_ns; /* by all kinds together; not more than the column has */
};

/** iot_show_strips_new - a line, an array of struct iot_show_strip; free with g_array_unref */
GArray *iot_show_strips_new(void);
/**
 * iot_show_strips_add - add a span that ends in the last bucket or before
 *
 * A span without length counts as 1 ns, so it does not vanish. Returns whether the line had no
 * strip of this kind yet.
 */
gboolean iot_show_strips_add(GArray *strips, guint64 bucket_ns, iot_cat_id cat, guint64 t0,
			     guint64 t1);
/** iot_show_strips_halve - join pairs of buckets, which become twice as long */
void iot_show_strips_halve(GArray *strips);
/** iot_show_strips_cell - the column that consists of @n buckets of length @bucket_ns from @first
 * on
 */
struct iot_show_cell iot_show_strips_cell(const GArray *strips, const struct iot_timeline *tl,
					  guint first, guint n, guint64 bucket_ns);

#endif
