/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line that contradicts the fewest messages, for clocks that no line explains. */
#ifndef IOT_BASE_CLOCK_FEWEST_H
#define IOT_BASE_CLOCK_FEWEST_H

#include "base/clock-hull.h"

struct iot_clock_fewest {
	gint64 x0, x1;	 /* values at both ends */
	guint64 n_wrong; /* points on the wrong side of the line */
	gboolean proved; /* no line through whole numbers at both ends has fewer */
};

/**
 * iot_clock_fewest - search the lines with values from @first.lo to @first.hi at @y0, and from
 * @last.lo to @last.hi at @y1 > @y0
 *
 * By branch and bound: at most a few million steps, then the best line so far counts.
 */
struct iot_clock_fewest iot_clock_fewest(const struct iot_clock_points *points, gint64 y0,
					 struct iot_clock_span first, gint64 y1,
					 struct iot_clock_span last);

#endif
