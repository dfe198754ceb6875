/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What messages say about a clock of constant rate. A machine's clock shows y while the reference
 * shows g(y). A message to the machine, sent at x and received at y, says g(y) >= x: a lower point.
 * A message from the machine, sent at y and received at x, says g(y) <= x: an upper point. A line
 * is possible if it passes above all lower and below all upper points, so only the convex hulls of
 * the points matter. Arithmetic is exact: differences of 63 bits, products of 128.
 *
 * Source: Duda, Harrus, Haddad, Bernard, "Estimating global time in distributed systems" (ICDCS
 * 1987); Jezequel, "Building a global time on parallel machines" (WDAG 1989).
 */
#ifndef IOT_BASE_CLOCK_HULL_H
#define IOT_BASE_CLOCK_HULL_H

#include <glib.h>

/* Coordinates are below this. */
#define IOT_CLOCK_MOST (G_GINT64_CONSTANT(1) << 62)

struct iot_clock_point {
	gint64 y, x; /* at or above 0 */
};

/* x rises by dx while y rises by dy > 0. */
struct iot_clock_rate {
	gint64 dx, dy;
};

struct iot_clock_line {
	struct iot_clock_point at;
	struct iot_clock_rate rate;
};

/* Values from lo to hi, rounded outwards; none if lo > hi. */
struct iot_clock_span {
	gint64 lo, hi;
};

/* The two sides, in any order. */
struct iot_clock_points {
	GArray *lower, *upper; /* of struct iot_clock_point */
};

void iot_clock_points_init(struct iot_clock_points *points);
void iot_clock_points_clear(struct iot_clock_points *points);
/** iot_clock_points_sort - by y */
void iot_clock_points_sort(struct iot_clock_points *points);

/* All possible lines: those of which each value lies between the values of some corners. */
struct iot_clock_hull {
	GArray *corners; /* of struct iot_clock_line; empty: no line is possible */
	struct iot_clock_rate least, most; /* the rates of possible lines */
};

/**
 * iot_clock_hull_init - the lines with a rate from @least to @most that are possible
 * @points: sorted, both sides with a point at least
 */
void iot_clock_hull_init(struct iot_clock_hull *hull, const struct iot_clock_points *points,
			 struct iot_clock_rate least, struct iot_clock_rate most);
void iot_clock_hull_clear(struct iot_clock_hull *hull);

/** iot_clock_hull_at - the values of all possible lines at @y; there must be a line */
struct iot_clock_span iot_clock_hull_at(const struct iot_clock_hull *hull, gint64 y);
/** iot_clock_hull_middle - the mean of the lines that are extreme at @y0 and at @y1, which is
 * possible, too: its values there, rounded down */
void iot_clock_hull_middle(const struct iot_clock_hull *hull, gint64 y0, gint64 y1,
			   struct iot_clock_point out[2]);

/** iot_clock_divide - a / b, rounded down; b > 0 */
__int128 iot_clock_divide(__int128 a, __int128 b);

#endif
