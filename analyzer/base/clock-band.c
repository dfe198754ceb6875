/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/clock-band.h"

typedef struct iot_clock_point point;

static const point *at(const GArray *points, guint i)
{
	return &g_array_index(points, point, i);
}

static guint index_at(const GArray *indices, guint i)
{
	return g_array_index(indices, guint, i);
}

/* The value at y = 0 of a line of this rate through the point, in 10^-12. */
static __int128 height(const point *p, gint64 rate)
{
	return (__int128)p->x * IOT_CLOCK_EQUAL - (__int128)p->y * rate;
}

/* For each point the highest (@sign 1) or lowest line of @rate through this or an earlier point. */
static GArray *best_before(const GArray *points, gint64 rate, gint sign)
{
	GArray *best = g_array_sized_new(FALSE, FALSE, sizeof(guint), points->len);
	guint leader = 0;

	for (guint i = 0; i < points->len; i++) {
		__int128 more = height(at(points, i), rate) - height(at(points, leader), rate);

		if (more * sign > 0)
			leader = i;
		g_array_append_val(best, leader);
	}
	return best;
}

/* The same, through this or a later point. */
static GArray *best_after(const GArray *points, gint64 rate, gint sign)
{
	GArray *best = g_array_sized_new(FALSE, FALSE, sizeof(guint), points->len);
	guint leader = points->len - 1;

	g_array_set_size(best, points->len);
	for (guint i = points->len; i-- > 0;) {
		__int128 more = height(at(points, i), rate) - height(at(points, leader), rate);

		if (more * sign > 0)
			leader = i;
		g_array_index(best, guint, i) = leader;
	}
	return best;
}

/* How many points are at or before @y. */
static guint count_to(const GArray *points, gint64 y)
{
	guint low = 0, high = points->len;

	while (low < high) {
		guint mid = low + (high - low) / 2;

		if (at(points, mid)->y <= y)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static __int128 line_at(const point *p, gint64 rate, gint64 y, gboolean up)
{
	__int128 rise = (__int128)rate * (y - p->y);

	return p->x + (up ? -iot_clock_divide(-rise, IOT_CLOCK_EQUAL)
			  : iot_clock_divide(rise, IOT_CLOCK_EQUAL));
}

static gint64 highest(const struct iot_clock_band *band, gint64 y)
{
	const GArray *points = band->points->upper;
	guint n = count_to(points, y);
	__int128 most = IOT_CLOCK_MOST;

	if (n)
		most = MIN(most, line_at(at(points, index_at(band->upper_before, n - 1)),
					 band->rates.fast, y, TRUE));
	if (n < points->len)
		most = MIN(most, line_at(at(points, index_at(band->upper_after, n)),
					 band->rates.slow, y, TRUE));
	return (gint64)MAX(most, -(__int128)IOT_CLOCK_MOST);
}

static gint64 lowest(const struct iot_clock_band *band, gint64 y)
{
	const GArray *points = band->points->lower;
	guint n = count_to(points, y);
	__int128 least = -IOT_CLOCK_MOST;

	if (n)
		least = MAX(least, line_at(at(points, index_at(band->lower_before, n - 1)),
					   band->rates.slow, y, FALSE));
	if (n < points->len)
		least = MAX(least, line_at(at(points, index_at(band->lower_after, n)),
					   band->rates.fast, y, FALSE));
	return (gint64)MIN(least, (__int128)IOT_CLOCK_MOST);
}

void iot_clock_band_init(struct iot_clock_band *band, const struct iot_clock_points *points,
			 struct iot_clock_rates rates)
{
	*band = (struct iot_clock_band){
		.points = points,
		.rates = rates,
		.lower_before = best_before(points->lower, rates.slow, 1),
		.lower_after = best_after(points->lower, rates.fast, 1),
		.upper_before = best_before(points->upper, rates.fast, -1),
		.upper_after = best_after(points->upper, rates.slow, -1),
	};
	/* a lower and an upper point that contradict each other do so at the upper one */
	for (guint i = 0; i < points->upper->len && !band->impossible; i++)
		band->impossible = lowest(band, at(points->upper, i)->y) > at(points->upper, i)->x;
}

void iot_clock_band_clear(struct iot_clock_band *band)
{
	g_clear_pointer(&band->lower_before, g_array_unref);
	g_clear_pointer(&band->lower_after, g_array_unref);
	g_clear_pointer(&band->upper_before, g_array_unref);
	g_clear_pointer(&band->upper_after, g_array_unref);
}

struct iot_clock_span iot_clock_band_at(const struct iot_clock_band *band, gint64 y)
{
	return (struct iot_clock_span){ lowest(band, y), highest(band, y) };
}

/* ---- distance from a line */

struct walk {
	const struct iot_clock_band *band;
	point from, to;
	guint64 most;
};

static void look_at(struct walk *walk, gint64 y)
{
	struct iot_clock_span span;
	__int128 x, above, below;

	y = CLAMP(y, walk->from.y, walk->to.y);
	span = iot_clock_band_at(walk->band, y);
	x = walk->from.x +
	    iot_clock_divide((__int128)(walk->to.x - walk->from.x) * (y - walk->from.y),
			     MAX(walk->to.y - walk->from.y, 1));
	/* the line was rounded down */
	above = span.hi - x;
	below = x + 1 - span.lo;
	walk->most = MAX(walk->most, (guint64)MAX(MAX(above, below), (__int128)0));
}

/* Between two points the span is widest where the line from before meets the one from after. */
static void look_between(struct walk *walk, const GArray *points, gboolean upper, guint next)
{
	const struct iot_clock_band *band = walk->band;
	gint64 rate_before = upper ? band->rates.fast : band->rates.slow;
	gint64 rate_after = upper ? band->rates.slow : band->rates.fast;
	const GArray *best_b = upper ? band->upper_before : band->lower_before;
	const GArray *best_a = upper ? band->upper_after : band->lower_after;
	__int128 gap, y;

	if (!next || next == points->len || rate_before == rate_after)
		return;
	gap = height(at(points, index_at(best_a, next)), rate_after) -
	      height(at(points, index_at(best_b, next - 1)), rate_before);
	y = gap / (rate_before - rate_after);
	y = CLAMP(y, (__int128)at(points, next - 1)->y, (__int128)at(points, next)->y);
	look_at(walk, (gint64)y);
	look_at(walk, (gint64)y + 1);
}

static void look_along(struct walk *walk, const GArray *points, gboolean upper)
{
	guint i = count_to(points, walk->from.y);

	look_between(walk, points, upper, i);
	for (; i < points->len && at(points, i)->y <= walk->to.y; i++) {
		look_at(walk, at(points, i)->y);
		look_between(walk, points, upper, i + 1);
	}
}

guint64 iot_clock_band_distance(const struct iot_clock_band *band, struct iot_clock_point from,
				struct iot_clock_point to)
{
	struct walk walk = { band, from, to, 0 };

	look_at(&walk, from.y);
	look_at(&walk, to.y);
	look_along(&walk, band->points->lower, FALSE);
	look_along(&walk, band->points->upper, TRUE);
	return walk.most;
}
