/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What messages say about a clock whose rate changes, but stays between two limits: each message
 * bounds the clock at its own time, and less closely before and after (see clock-hull.h for
 * points). Arithmetic is exact; spans are rounded outwards.
 */
#ifndef IOT_BASE_CLOCK_BAND_H
#define IOT_BASE_CLOCK_BAND_H

#include "base/clock-hull.h"

/* Rates are in 10^-12: this is the rate of equal clocks. */
#define IOT_CLOCK_EQUAL G_GINT64_CONSTANT(1000000000000)

/* Rates from slow to fast, both above 0 and at most 2^5 * IOT_CLOCK_EQUAL. */
struct iot_clock_rates {
	gint64 slow, fast;
};

struct iot_clock_band {
	const struct iot_clock_points *points;
	struct iot_clock_rates rates;
	/* of guint, for each point: the closest bound of this and all earlier or later points */
	GArray *lower_before, *lower_after, *upper_before, *upper_after;
	gboolean impossible; /* two points contradict each other */
};

/**
 * iot_clock_band_init - @points: sorted, both sides with a point at least; they must stay until
 * clear
 */
void iot_clock_band_init(struct iot_clock_band *band, const struct iot_clock_points *points,
			 struct iot_clock_rates rates);
void iot_clock_band_clear(struct iot_clock_band *band);
/** iot_clock_band_at - the possible values at @y */
struct iot_clock_span iot_clock_band_at(const struct iot_clock_band *band, gint64 y);

/**
 * iot_clock_band_distance - how far possible values lie from the line from @from to @to at most,
 * between these two
 */
guint64 iot_clock_band_distance(const struct iot_clock_band *band, struct iot_clock_point from,
				struct iot_clock_point to);

#endif
