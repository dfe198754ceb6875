/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of one machine as another one's clock, estimated from the messages between the two
 * (docs/CLOCKS.md).
 */
#ifndef IOT_INPUT_CLOCK_ESTIMATE_H
#define IOT_INPUT_CLOCK_ESTIMATE_H

#include "base/clock-facts.h"
#include "base/clock-hull.h"

/* An instant y of a machine's clock is x of the reference's, with an error of at most bound_ns of
 * the reference. Linear between two knots. */
struct iot_clock_place {
	gint64 y, x;
	guint64 bound_ns; /* or IOT_CLOCK_UNBOUNDED */
};

struct iot_clock_estimate {
	enum iot_clock_grade grade;
	GArray *places;	      /* of struct iot_clock_place, at least two; empty: grade none */
	gboolean straight;    /* one line; else the rate changes */
	gint64 spread;	      /* difference of the greatest and least possible rate, 10^-12 */
	guint64 n_to, n_from; /* messages to the machine, and from the machine */
	/* Messages that the best line contradicts; 0 if a line explains all. */
	guint64 n_wrong;
	gboolean n_wrong_proved; /* no line contradicts fewer */
	/* messages contradict an assumption, which was widened for these two clocks, or was not */
	gboolean rate_widened, drift_impossible;
};

struct iot_clock_estimate_config {
	struct iot_clock_assumed assumed;
	gboolean cycles;       /* a clock counts cycles: the rates may differ by any factor */
	gint64 begin, end;     /* of the machine's recording, by its clock */
	guint64 resolution_ns; /* of the machine's clock; the points allow for both clocks */
};

/**
 * iot_clock_estimate_init - the best estimate
 * @points: sorted; lower ones are messages to the machine, upper ones messages from it
 */
void iot_clock_estimate_init(struct iot_clock_estimate *out, const struct iot_clock_points *points,
			     const struct iot_clock_estimate_config *config);
void iot_clock_estimate_clear(struct iot_clock_estimate *estimate);

/** iot_clock_places_x - x of a @y, on the lines through the places, which are extended */
gint64 iot_clock_places_x(const GArray *places, gint64 y);
/** iot_clock_places_y - y of an @x */
gint64 iot_clock_places_y(const GArray *places, gint64 x);
/** iot_clock_places_bound - the bound at @y; beyond the first and last place it grows by @spread,
 * 10^-12 */
guint64 iot_clock_places_bound(const GArray *places, gint64 y, gint64 spread);

#endif
