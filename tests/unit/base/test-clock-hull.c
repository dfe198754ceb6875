/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines, bands and fewest contradictions, against trying everything on small numbers. */
#include "base/clock-band.h"
#include "base/clock-fewest.h"
#include "unit.h"

#include <math.h>

enum { WIDE = 40, MOST_POINTS = 12 };

static const struct iot_clock_rate least = { 1, 2 }, most = { 2, 1 };

static void add(GArray *to, gint64 y, gint64 x)
{
	struct iot_clock_point point = { y, x };

	g_array_append_val(to, point);
}

static const struct iot_clock_point *at(const GArray *points, guint i)
{
	return &g_array_index(points, struct iot_clock_point, i);
}

/* Around the line x = y + 100: @slack 0 or more leaves room for that line. */
static void make_points(GRand *rand, struct iot_clock_points *points, gint slack)
{
	guint n = (guint)g_rand_int_range(rand, 2, MOST_POINTS);

	iot_clock_points_init(points);
	for (guint i = 0; i < n; i++) {
		gint64 y = g_rand_int_range(rand, 0, WIDE);
		gboolean lower = i < 2 ? i == 0 : g_rand_boolean(rand);
		gint64 away = g_rand_int_range(rand, slack, slack + 15);

		add(lower ? points->lower : points->upper, y, y + 100 + (lower ? -away : away));
	}
	iot_clock_points_sort(points);
}

/* ---- lines */

/* A line through a point, with whole numbers: x = (a + b y) / c. */
struct line {
	gint64 a, b, c;
};

static gboolean is_possible(const struct iot_clock_points *points, struct line line)
{
	for (guint i = 0; i < points->lower->len; i++)
		if (line.a + line.b * at(points->lower, i)->y < at(points->lower, i)->x * line.c)
			return FALSE;
	for (guint i = 0; i < points->upper->len; i++)
		if (line.a + line.b * at(points->upper, i)->y > at(points->upper, i)->x * line.c)
			return FALSE;
	return line.b * least.dy >= least.dx * line.c && line.b * most.dy <= most.dx * line.c;
}

struct tried {
	guint n;
	double lo, hi; /* at y */
};

static void try_line(const struct iot_clock_points *points, struct line line, gint64 y,
		     struct tried *tried)
{
	double x;

	if (line.c < 0)
		line = (struct line){ -line.a, -line.b, -line.c };
	if (!line.c || !is_possible(points, line))
		return;
	x = ((double)line.a + (double)line.b * (double)y) / (double)line.c;
	tried->lo = tried->n ? MIN(tried->lo, x) : x;
	tried->hi = tried->n ? MAX(tried->hi, x) : x;
	tried->n++;
}

static struct line through(const struct iot_clock_point *p, gint64 dx, gint64 dy)
{
	return (struct line){ p->x * dy - dx * p->y, dx, dy };
}

/* Every extreme line touches two points, or one and has an extreme rate. */
static struct tried try_all(const struct iot_clock_points *points, gint64 y)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_point));
	struct tried tried = { 0 };

	g_array_append_vals(all, points->lower->data, points->lower->len);
	g_array_append_vals(all, points->upper->data, points->upper->len);
	for (guint i = 0; i < all->len; i++) {
		const struct iot_clock_point *p = at(all, i);

		try_line(points, through(p, least.dx, least.dy), y, &tried);
		try_line(points, through(p, most.dx, most.dy), y, &tried);
		for (guint k = 0; k < i; k++)
			try_line(points, through(p, at(all, k)->x - p->x, at(all, k)->y - p->y), y,
				 &tried);
	}
	return tried;
}

static gboolean is_near(double exact, gint64 rounded, gint direction)
{
	double error = ((double)rounded - exact) * direction;

	return error > -1e-9 && error < 1;
}

UNIT_TEST(hull_as_all_lines_that_touch_points)
{
	GRand *rand = g_rand_new_with_seed(1);
	guint n_empty = 0, n_bad = 0;

	for (guint round = 0; round < 20000; round++) {
		struct iot_clock_points points;
		struct iot_clock_hull hull;
		gint64 y = g_rand_int_range(rand, 0, WIDE);
		struct tried tried;

		make_points(rand, &points, g_rand_int_range(rand, -6, 2));
		tried = try_all(&points, y);
		iot_clock_hull_init(&hull, &points, least, most);
		n_empty += !tried.n;
		if (!tried.n != !hull.corners->len) {
			n_bad++;
		} else if (tried.n) {
			struct iot_clock_span span = iot_clock_hull_at(&hull, y);
			struct iot_clock_point middle[2];

			n_bad += !is_near(tried.lo, span.lo, -1) || !is_near(tried.hi, span.hi, 1);
			iot_clock_hull_middle(&hull, 0, y, middle);
			n_bad += middle[1].x < span.lo - 1 || middle[1].x > span.hi;
		}
		iot_clock_hull_clear(&hull);
		iot_clock_points_clear(&points);
	}
	CU_ASSERT_EQUAL(n_bad, 0);
	CU_ASSERT(n_empty > 2000 && n_empty < 18000);
	g_rand_free(rand);
}

UNIT_TEST(hull_of_times_of_many_years)
{
	struct iot_clock_rate slow = { 999999999, 1000000000 }, fast = { 1000000001, 1000000000 };
	const gint64 year = G_GINT64_CONSTANT(31557600000000000);
	struct iot_clock_points points;
	struct iot_clock_hull hull;
	struct iot_clock_span span;

	/* offset 5 at first and 7 a hundred years later: both messages need 1 ns, four directions
	 */
	iot_clock_points_init(&points);
	add(points.lower, year, year + 4);
	add(points.upper, year, year + 6);
	add(points.lower, 101 * year, 101 * year + 6);
	add(points.upper, 101 * year, 101 * year + 8);
	iot_clock_hull_init(&hull, &points, slow, fast);
	span = iot_clock_hull_at(&hull, year);
	CU_ASSERT(span.lo == year + 4 && span.hi == year + 6);
	span = iot_clock_hull_at(&hull, 51 * year);
	CU_ASSERT(span.lo == 51 * year + 5 && span.hi == 51 * year + 7);
	CU_ASSERT(hull.least.dx == 100 * year && hull.most.dx == 100 * year + 4);
	iot_clock_hull_clear(&hull);
	iot_clock_points_clear(&points);
}

/* ---- bands */

struct real_span {
	double lo, hi;
};

static struct real_span band_by_hand(const struct iot_clock_points *points,
				     struct iot_clock_rates rates, gint64 y)
{
	double slow = (double)rates.slow / 1e12, fast = (double)rates.fast / 1e12;
	double lo = -1e9, hi = 1e9;

	for (guint i = 0; i < points->lower->len; i++) {
		double away = (double)(y - at(points->lower, i)->y);

		lo = MAX(lo, (double)at(points->lower, i)->x + away * (away > 0 ? slow : fast));
	}
	for (guint i = 0; i < points->upper->len; i++) {
		double away = (double)(y - at(points->upper, i)->y);

		hi = MIN(hi, (double)at(points->upper, i)->x + away * (away > 0 ? fast : slow));
	}
	return (struct real_span){ lo, hi };
}

UNIT_TEST(band_as_every_point_says)
{
	static const struct iot_clock_rates rates = { 750000000000, 1500000000000 };
	GRand *rand = g_rand_new_with_seed(2);
	guint n_bad = 0, n_impossible = 0;

	for (guint round = 0; round < 20000; round++) {
		struct iot_clock_points points;
		struct iot_clock_band band;
		struct iot_clock_point from = { 0, 100 }, to = { WIDE, 100 + WIDE };
		double distance, by_hand = 0;
		gboolean crossed = FALSE, touched = FALSE;

		make_points(rand, &points, g_rand_int_range(rand, -5, 3));
		from.x += g_rand_int_range(rand, -9, 10);
		to.x += g_rand_int_range(rand, -9, 10);
		iot_clock_band_init(&band, &points, rates);
		for (gint64 y = 0; y <= WIDE; y++) {
			struct real_span expect = band_by_hand(&points, rates, y);
			struct iot_clock_span span = iot_clock_band_at(&band, y);
			double x = (double)from.x + (double)((to.x - from.x) * y) / WIDE;

			n_bad +=
				!is_near(expect.lo, span.lo, -1) || !is_near(expect.hi, span.hi, 1);
			by_hand = MAX(by_hand, MAX(expect.hi - x, x - expect.lo));
			crossed |= expect.lo >= expect.hi + 1 - 1e-9;
			touched |= expect.lo >= expect.hi - 1e-9;
		}
		distance = (double)iot_clock_band_distance(&band, from, to);
		/* between whole numbers it may be greater */
		n_bad += distance < by_hand - 1e-9 || distance > by_hand + 3;
		/* less than 1 ns does not count */
		n_bad += (crossed && !band.impossible) || (band.impossible && !touched);
		n_impossible += band.impossible;
		iot_clock_band_clear(&band);
		iot_clock_points_clear(&points);
	}
	CU_ASSERT_EQUAL(n_bad, 0);
	CU_ASSERT(n_impossible > 1000 && n_impossible < 18000);
	g_rand_free(rand);
}

/* ---- fewest */

static guint64 count_wrong(const struct iot_clock_points *points, gint64 u, gint64 v)
{
	guint64 n = 0;

	for (guint i = 0; i < points->lower->len; i++) {
		gint64 y = at(points->lower, i)->y;

		n += (WIDE - y) * u + y * v < at(points->lower, i)->x * WIDE;
	}
	for (guint i = 0; i < points->upper->len; i++) {
		gint64 y = at(points->upper, i)->y;

		n += (WIDE - y) * u + y * v > at(points->upper, i)->x * WIDE;
	}
	return n;
}

UNIT_TEST(fewest_as_all_lines)
{
	const struct iot_clock_span first = { 85, 115 }, last = { 125, 150 };
	GRand *rand = g_rand_new_with_seed(3);
	guint n_bad = 0, n_wrong = 0;

	for (guint round = 0; round < 3000; round++) {
		guint64 fewest = G_MAXUINT64;
		struct iot_clock_points points;
		struct iot_clock_fewest found;

		make_points(rand, &points, g_rand_int_range(rand, -12, 0));
		for (gint64 u = first.lo; u <= first.hi; u++)
			for (gint64 v = last.lo; v <= last.hi; v++)
				fewest = MIN(fewest, count_wrong(&points, u, v));
		found = iot_clock_fewest(&points, 0, first, WIDE, last);
		n_bad += !found.proved || found.n_wrong != fewest ||
			 count_wrong(&points, found.x0, found.x1) != fewest;
		n_wrong += fewest > 0;
		iot_clock_points_clear(&points);
	}
	CU_ASSERT_EQUAL(n_bad, 0);
	CU_ASSERT(n_wrong > 1000);
	g_rand_free(rand);
}
