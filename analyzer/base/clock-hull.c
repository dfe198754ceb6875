/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/clock-hull.h"

typedef struct iot_clock_point point;

static const point *at(const GArray *points, guint i)
{
	return &g_array_index(points, point, i);
}

__int128 iot_clock_divide(__int128 a, __int128 b)
{
	return a / b - (a % b < 0);
}

/* below 0, 0 or above 0 */
static gint compare_rates(struct iot_clock_rate a, struct iot_clock_rate b)
{
	__int128 left = (__int128)a.dx * b.dy, right = (__int128)b.dx * a.dy;

	return left < right ? -1 : left > right;
}

void iot_clock_points_init(struct iot_clock_points *points)
{
	points->lower = g_array_new(FALSE, FALSE, sizeof(point));
	points->upper = g_array_new(FALSE, FALSE, sizeof(point));
}

void iot_clock_points_clear(struct iot_clock_points *points)
{
	g_clear_pointer(&points->lower, g_array_unref);
	g_clear_pointer(&points->upper, g_array_unref);
}

static gint by_y(gconstpointer a, gconstpointer b)
{
	const point *p = a, *q = b;

	if (p->y != q->y)
		return p->y < q->y ? -1 : 1;
	return p->x < q->x ? -1 : p->x > q->x;
}

void iot_clock_points_sort(struct iot_clock_points *points)
{
	g_array_sort(points->lower, by_y);
	g_array_sort(points->upper, by_y);
}

/* ---- hulls */

/* Above 0 if @c lies above the line through @a and @b. */
static gint side(const point *a, const point *b, const point *c)
{
	__int128 left = (__int128)(b->y - a->y) * (c->x - a->x);
	__int128 right = (__int128)(b->x - a->x) * (c->y - a->y);

	return left > right ? 1 : left < right ? -1 : 0;
}

/* The points that a line above (@sign 1) or below (-1) all points may touch. */
static GArray *chain(const GArray *sorted, gint sign)
{
	GArray *hull = g_array_new(FALSE, FALSE, sizeof(point));

	for (guint i = 0; i < sorted->len; i++) {
		const point *p = at(sorted, i);

		if (hull->len && at(hull, hull->len - 1)->y == p->y) {
			if ((p->x - at(hull, hull->len - 1)->x) * sign <= 0)
				continue;
			g_array_set_size(hull, hull->len - 1);
		}
		while (hull->len > 1 &&
		       side(at(hull, hull->len - 2), at(hull, hull->len - 1), p) * sign >= 0)
			g_array_set_size(hull, hull->len - 1);
		g_array_append_val(hull, *p);
	}
	return hull;
}

static struct iot_clock_rate between(const point *a, const point *b)
{
	return (struct iot_clock_rate){ b->x - a->x, b->y - a->y };
}

/*
 * A line that passes above a lower point and below an upper one: its rate is limited from above if
 * the upper one comes later, from below if it comes earlier. If all pairs agree on a rate, there is
 * a line with that rate. FALSE: the pairs contradict each other.
 */
static gboolean limit_rates(struct iot_clock_hull *hull, const GArray *lower, const GArray *upper)
{
	for (guint i = 0; i < lower->len; i++)
		for (guint k = 0; k < upper->len; k++) {
			const point *p = at(lower, i), *q = at(upper, k);

			if (p->y == q->y && p->x > q->x)
				return FALSE;
			if (p->y < q->y && compare_rates(between(p, q), hull->most) < 0)
				hull->most = between(p, q);
			if (p->y > q->y && compare_rates(between(q, p), hull->least) > 0)
				hull->least = between(q, p);
		}
	return compare_rates(hull->least, hull->most) <= 0;
}

/* The point that a line of this rate touches first, from above (@sign 1) or below. */
static const point *touched(const GArray *hull, struct iot_clock_rate rate, gint sign)
{
	guint i = 0;

	while (i + 1 < hull->len) {
		gint steeper = compare_rates(between(at(hull, i), at(hull, i + 1)), rate);

		if (steeper * sign <= 0)
			break;
		i++;
	}
	return at(hull, i);
}

static void add_corner(struct iot_clock_hull *hull, const point *p, struct iot_clock_rate rate)
{
	struct iot_clock_line line = { *p, rate };

	g_array_append_val(hull->corners, line);
}

static void add_edges(struct iot_clock_hull *hull, const GArray *points)
{
	for (guint i = 0; i + 1 < points->len; i++) {
		struct iot_clock_rate rate = between(at(points, i), at(points, i + 1));

		if (compare_rates(rate, hull->least) > 0 && compare_rates(rate, hull->most) < 0)
			add_corner(hull, at(points, i), rate);
	}
}

void iot_clock_hull_init(struct iot_clock_hull *hull, const struct iot_clock_points *points,
			 struct iot_clock_rate least, struct iot_clock_rate most)
{
	g_autoptr(GArray) lower = chain(points->lower, 1);
	g_autoptr(GArray) upper = chain(points->upper, -1);

	hull->corners = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_line));
	hull->least = least;
	hull->most = most;
	if (!limit_rates(hull, lower, upper))
		return;
	add_corner(hull, touched(lower, hull->least, 1), hull->least);
	add_corner(hull, touched(upper, hull->least, -1), hull->least);
	add_corner(hull, touched(lower, hull->most, 1), hull->most);
	add_corner(hull, touched(upper, hull->most, -1), hull->most);
	add_edges(hull, lower);
	add_edges(hull, upper);
}

void iot_clock_hull_clear(struct iot_clock_hull *hull)
{
	g_clear_pointer(&hull->corners, g_array_unref);
}

/* ---- values */

/* @up: round up */
static __int128 value(const struct iot_clock_line *line, gint64 y, gboolean up)
{
	__int128 rise = (__int128)line->rate.dx * (y - line->at.y);

	return line->at.x + (up ? -iot_clock_divide(-rise, line->rate.dy)
				: iot_clock_divide(rise, line->rate.dy));
}

static gint64 clamp(__int128 x)
{
	return (gint64)CLAMP(x, -(__int128)IOT_CLOCK_MOST, (__int128)IOT_CLOCK_MOST);
}

/* The lines that are extreme at @y. */
struct extremes {
	const struct iot_clock_line *lo, *hi;
};

static struct extremes find_extremes(const struct iot_clock_hull *hull, gint64 y)
{
	const struct iot_clock_line *lines =
		(const struct iot_clock_line *)(const void *)hull->corners->data;
	struct extremes found = { lines, lines };

	for (guint i = 1; i < hull->corners->len; i++) {
		if (value(&lines[i], y, FALSE) < value(found.lo, y, FALSE))
			found.lo = &lines[i];
		if (value(&lines[i], y, TRUE) > value(found.hi, y, TRUE))
			found.hi = &lines[i];
	}
	return found;
}

struct iot_clock_span iot_clock_hull_at(const struct iot_clock_hull *hull, gint64 y)
{
	struct extremes found = find_extremes(hull, y);

	return (struct iot_clock_span){ clamp(value(found.lo, y, FALSE)),
					clamp(value(found.hi, y, TRUE)) };
}

void iot_clock_hull_middle(const struct iot_clock_hull *hull, gint64 y0, gint64 y1,
			   struct iot_clock_point out[2])
{
	struct extremes first = find_extremes(hull, y0), last = find_extremes(hull, y1);
	const struct iot_clock_line *lines[] = { first.lo, first.hi, last.lo, last.hi };
	const gint64 y[] = { y0, y1 };

	for (guint end = 0; end < 2; end++) {
		__int128 sum = 0;

		for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
			sum += value(lines[i], y[end], FALSE);
		out[end].y = y[end];
		out[end].x = clamp(iot_clock_divide(sum, G_N_ELEMENTS(lines)));
	}
}
