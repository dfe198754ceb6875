/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/clock-estimate.h"
#include "base/clock-band.h"
#include "base/clock-fewest.h"

enum { MAX_PIECES = 256 };

#define SECOND G_GINT64_CONSTANT(1000000000)
/* Cycles of two processors: 2^4 times as fast at most. */
#define MAX_FACTOR 16

struct work {
	struct iot_clock_estimate *out;
	const struct iot_clock_points *points;
	const struct iot_clock_estimate_config *config;
	struct iot_clock_rates limits;	    /* by the assumed drift */
	struct iot_clock_hull hull;	    /* of constant rates within the limits */
	struct iot_clock_point first, last; /* of all points */
	gint64 y0, y1;			    /* begin and end of the estimate */
};

static const struct iot_clock_place *place_at(const GArray *places, guint i)
{
	return &g_array_index(places, struct iot_clock_place, i);
}

/* ---- places */

/* The place after which the line is that holds @y, or @x if @y is NULL. */
static guint find_line(const GArray *places, gboolean by_x, gint64 value)
{
	guint low = 0, high = places->len - 1;

	while (high - low > 1) {
		guint mid = low + (high - low) / 2;
		const struct iot_clock_place *place = place_at(places, mid);

		if ((by_x ? place->x : place->y) <= value)
			low = mid;
		else
			high = mid;
	}
	return low;
}

gint64 iot_clock_places_x(const GArray *places, gint64 y)
{
	const struct iot_clock_place *a = place_at(places, find_line(places, FALSE, y)), *b = a + 1;

	return (gint64)(a->x + iot_clock_divide((__int128)(b->x - a->x) * (y - a->y), b->y - a->y));
}

gint64 iot_clock_places_y(const GArray *places, gint64 x)
{
	const struct iot_clock_place *a = place_at(places, find_line(places, TRUE, x)), *b = a + 1;

	if (b->x <= a->x)
		return a->y;
	return (gint64)(a->y + iot_clock_divide((__int128)(b->y - a->y) * (x - a->x), b->x - a->x));
}

/* a * rate, rounded up */
static guint64 scale_up(guint64 a, gint64 rate)
{
	__int128 product = -iot_clock_divide(-(__int128)a * rate, IOT_CLOCK_EQUAL);

	return (guint64)MIN(product, (__int128)G_MAXINT64);
}

guint64 iot_clock_places_bound(const GArray *places, gint64 y, gint64 spread)
{
	const struct iot_clock_place *first = place_at(places, 0),
				     *last = place_at(places, places->len - 1), *a, *b;

	if (first->bound_ns == IOT_CLOCK_UNBOUNDED)
		return IOT_CLOCK_UNBOUNDED;
	if (y < first->y)
		return first->bound_ns + scale_up((guint64)(first->y - y), spread);
	if (y > last->y)
		return last->bound_ns + scale_up((guint64)(y - last->y), spread);
	a = place_at(places, find_line(places, FALSE, y));
	b = a + 1;
	return a->bound_ns +
	       (guint64)-iot_clock_divide(-((__int128)b->bound_ns - a->bound_ns) * (y - a->y),
					  b->y - a->y);
}

static void add_place(struct work *work, gint64 y, gint64 x)
{
	struct iot_clock_place place = { y, x, IOT_CLOCK_UNBOUNDED };

	g_array_append_val(work->out->places, place);
}

static guint n_pieces(const struct work *work)
{
	return (guint)CLAMP((work->y1 - work->y0) / SECOND, 1, MAX_PIECES);
}

static gint64 piece_begin(const struct work *work, guint i)
{
	return work->y0 + (gint64)((__int128)(work->y1 - work->y0) * i / n_pieces(work));
}

/* ---- rates */

static struct iot_clock_rates rates_of_drift(const struct iot_clock_estimate_config *config)
{
	const guint64 most = 900000000; /* tenfold */
	guint64 drift = MIN(config->assumed.drift_ppb, most);
	struct iot_clock_rates rates = { IOT_CLOCK_EQUAL / MAX_FACTOR,
					 IOT_CLOCK_EQUAL * MAX_FACTOR };

	if (config->cycles)
		return rates;
	/* either clock may be the faster one */
	rates.slow = IOT_CLOCK_EQUAL - (gint64)drift * 1000;
	rates.fast = (gint64)((__int128)IOT_CLOCK_EQUAL * IOT_CLOCK_EQUAL / rates.slow) + 1;
	return rates;
}

static struct iot_clock_rate fraction(gint64 rate)
{
	return (struct iot_clock_rate){ rate, IOT_CLOCK_EQUAL };
}

static gint64 rate_of(struct iot_clock_rate rate, gboolean up)
{
	__int128 dx = (__int128)rate.dx * IOT_CLOCK_EQUAL;

	return (gint64)(up ? -iot_clock_divide(-dx, rate.dy) : iot_clock_divide(dx, rate.dy));
}

/*
 * The values at the first and last message limit the mean rate, from which no rate differs by more
 * than the assumed change. FALSE: the limits did not become closer.
 */
static gboolean narrow(const struct work *work, const struct iot_clock_band *band,
		       struct iot_clock_rates *rates)
{
	struct iot_clock_span a = iot_clock_band_at(band, work->first.y);
	struct iot_clock_span b = iot_clock_band_at(band, work->last.y);
	gint64 width = work->last.y - work->first.y, before = rates->fast - rates->slow;
	gint64 change = (gint64)scale_up(work->config->assumed.rate_ppb * 1000, rates->fast);
	struct iot_clock_rate least = { b.lo - a.hi, width }, most = { b.hi - a.lo, width };

	if (!width)
		return FALSE;
	rates->slow = MAX(rates->slow, rate_of(least, FALSE) - change);
	rates->fast = MIN(rates->fast, rate_of(most, TRUE) + change);
	return rates->slow <= rates->fast && rates->fast - rates->slow < before - before / 64;
}

/* The band of the assumed change of rate; or, if the messages contradict it, of the drift alone. */
static void find_band(struct work *work, struct iot_clock_band *band)
{
	struct iot_clock_rates rates = work->limits;

	iot_clock_band_init(band, work->points, rates);
	while (!band->impossible && narrow(work, band, &rates)) {
		iot_clock_band_clear(band);
		iot_clock_band_init(band, work->points, rates);
	}
	if (!band->impossible && rates.slow <= rates.fast)
		return;
	iot_clock_band_clear(band);
	iot_clock_band_init(band, work->points, work->limits);
	work->out->rate_widened = TRUE;
}

/* ---- estimates */

static void set_bound(struct work *work, guint i, guint64 bound)
{
	struct iot_clock_place *place =
		&g_array_index(work->out->places, struct iot_clock_place, i);

	place->bound_ns =
		place->bound_ns == IOT_CLOCK_UNBOUNDED ? bound : MAX(place->bound_ns, bound);
}

/* Rounding of the correction, and that an event may be later than its time by the resolution. */
static guint64 rest(const struct work *work)
{
	return 2 + work->config->resolution_ns;
}

/* Between two places the bound is that of the worst instant. */
static void bound_by_band(struct work *work, const struct iot_clock_band *band)
{
	GArray *places = work->out->places;

	for (guint i = 0; i + 1 < places->len; i++) {
		const struct iot_clock_place *a = place_at(places, i), *b = a + 1;
		guint64 bound = rest(work) + iot_clock_band_distance(
						     band, (struct iot_clock_point){ a->y, a->x },
						     (struct iot_clock_point){ b->y, b->x });

		set_bound(work, i, bound);
		set_bound(work, i + 1, bound);
	}
	work->out->spread = band->rates.fast - band->rates.slow;
}

/* The values of all lines are farthest from one line at the ends of an interval. */
static void bound_by_hull(struct work *work)
{
	GArray *places = work->out->places;

	for (guint i = 0; i < places->len; i++) {
		const struct iot_clock_place *place = place_at(places, i);
		struct iot_clock_span span = iot_clock_hull_at(&work->hull, place->y);
		gint64 away = MAX(span.hi - place->x, place->x + 1 - span.lo);

		set_bound(work, i, rest(work) + (guint64)MAX(away, 0));
	}
	work->out->spread = rate_of(work->hull.most, TRUE) - rate_of(work->hull.least, FALSE);
}

static void draw_line(struct work *work, struct iot_clock_point a, struct iot_clock_point b)
{
	for (guint i = 0; i <= n_pieces(work); i++) {
		gint64 y = piece_begin(work, i);

		add_place(work, y,
			  (gint64)(a.x +
				   iot_clock_divide((__int128)(b.x - a.x) * (y - a.y), b.y - a.y)));
	}
	work->out->straight = TRUE;
}

static void draw_pieces(struct work *work, const struct iot_clock_band *band)
{
	for (guint i = 0; i <= n_pieces(work); i++) {
		gint64 y = piece_begin(work, i);
		struct iot_clock_span span = iot_clock_band_at(band, y);

		add_place(work, y, span.lo + (span.hi - span.lo) / 2);
	}
}

/* What lines through any point with a possible rate have at @y. */
static struct iot_clock_span reach(const struct work *work, gint64 y)
{
	const GArray *sides[] = { work->points->lower, work->points->upper };
	struct iot_clock_span all = { IOT_CLOCK_MOST, -IOT_CLOCK_MOST };

	for (guint side = 0; side < 2; side++)
		for (guint i = 0; i < sides[side]->len; i++) {
			const struct iot_clock_point *p =
				&g_array_index(sides[side], struct iot_clock_point, i);
			__int128 a =
				p->x + iot_clock_divide((__int128)(y - p->y) * work->limits.slow,
							IOT_CLOCK_EQUAL);
			__int128 b =
				p->x + iot_clock_divide((__int128)(y - p->y) * work->limits.fast,
							IOT_CLOCK_EQUAL);

			all.lo = (gint64)MIN((__int128)all.lo, MIN(a, b));
			all.hi = (gint64)MAX((__int128)all.hi, MAX(a, b));
		}
	return all;
}

static void find_fewest(struct work *work, struct iot_clock_fewest *fewest)
{
	*fewest = iot_clock_fewest(work->points, work->y0, reach(work, work->y0), work->y1,
				   reach(work, work->y1));
	work->out->n_wrong = fewest->n_wrong;
	work->out->n_wrong_proved = fewest->proved;
}

/* A line with any rate explains the messages: the clocks work, but not as clocks of time. */
static gboolean drifts_too_much(struct work *work)
{
	struct iot_clock_hull hull;
	gboolean possible;

	if (work->config->cycles)
		return FALSE;
	iot_clock_hull_init(&hull, work->points, fraction(IOT_CLOCK_EQUAL / MAX_FACTOR),
			    fraction(IOT_CLOCK_EQUAL * MAX_FACTOR));
	possible = hull.corners->len > 0;
	if (possible) {
		struct iot_clock_point line[2];

		iot_clock_hull_middle(&hull, work->y0, work->y1, line);
		draw_line(work, line[0], line[1]);
	}
	iot_clock_hull_clear(&hull);
	return possible;
}

static void estimate_without_line(struct work *work)
{
	struct iot_clock_estimate *out = work->out;
	struct iot_clock_fewest fewest;
	struct iot_clock_band band;

	out->drift_impossible = drifts_too_much(work);
	if (out->drift_impossible) {
		out->grade = IOT_CLOCK_CONTRADICTED;
		out->n_wrong_proved = TRUE;
		return;
	}
	find_fewest(work, &fewest);
	find_band(work, &band);
	if (band.impossible || !work->config->assumed.rate_ppb) {
		struct iot_clock_point a = { work->y0, fewest.x0 }, b = { work->y1, fewest.x1 };

		out->grade = IOT_CLOCK_CONTRADICTED;
		out->rate_widened = FALSE;
		draw_line(work, a, b);
	} else {
		out->grade = IOT_CLOCK_BOUNDED;
		draw_pieces(work, &band);
		bound_by_band(work, &band);
	}
	iot_clock_band_clear(&band);
}

static void estimate_with_line(struct work *work)
{
	struct iot_clock_point line[2];
	struct iot_clock_band band;

	work->out->grade = IOT_CLOCK_BOUNDED;
	work->out->n_wrong_proved = TRUE;
	iot_clock_hull_middle(&work->hull, work->y0, work->y1, line);
	draw_line(work, line[0], line[1]);
	if (!work->config->assumed.rate_ppb) {
		bound_by_hull(work);
		return;
	}
	find_band(work, &band);
	bound_by_band(work, &band);
	iot_clock_band_clear(&band);
}

/* Messages in one direction: equal rates, and the fastest message needs no time. */
static void estimate_one_side(struct work *work)
{
	const GArray *points = work->points->lower->len ? work->points->lower : work->points->upper;
	gint sign = points == work->points->lower ? 1 : -1;
	const struct iot_clock_point *best = &g_array_index(points, struct iot_clock_point, 0);

	for (guint i = 1; i < points->len; i++) {
		const struct iot_clock_point *p = &g_array_index(points, struct iot_clock_point, i);

		if (((p->x - p->y) - (best->x - best->y)) * sign > 0)
			best = p;
	}
	work->out->grade = IOT_CLOCK_ONE_SIDED;
	work->out->n_wrong_proved = TRUE;
	add_place(work, work->y0, best->x - best->y + work->y0);
	add_place(work, work->y1, best->x - best->y + work->y1);
	work->out->straight = TRUE;
}

static void find_ends(struct work *work)
{
	const GArray *sides[] = { work->points->lower, work->points->upper };
	gboolean any = FALSE;

	for (guint side = 0; side < 2; side++) {
		const struct iot_clock_point *points =
			(const struct iot_clock_point *)(const void *)sides[side]->data;
		guint n = sides[side]->len;

		if (!n)
			continue;
		if (!any || points[0].y < work->first.y)
			work->first = points[0];
		if (!any || points[n - 1].y > work->last.y)
			work->last = points[n - 1];
		any = TRUE;
	}
	work->y0 = MIN(work->config->begin, work->first.y);
	/* a line needs some length */
	work->y1 = MAX(MAX(work->config->end, work->last.y), work->y0 + SECOND);
}

void iot_clock_estimate_init(struct iot_clock_estimate *out, const struct iot_clock_points *points,
			     const struct iot_clock_estimate_config *config)
{
	struct work work = { .out = out, .points = points, .config = config };

	*out = (struct iot_clock_estimate){
		.places = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_place)),
		.n_to = points->lower->len,
		.n_from = points->upper->len,
	};
	if (!out->n_to && !out->n_from)
		return;
	find_ends(&work);
	if (!out->n_to || !out->n_from) {
		estimate_one_side(&work);
		return;
	}
	work.limits = rates_of_drift(config);
	iot_clock_hull_init(&work.hull, points, fraction(work.limits.slow),
			    fraction(work.limits.fast));
	if (work.hull.corners->len)
		estimate_with_line(&work);
	else
		estimate_without_line(&work);
	iot_clock_hull_clear(&work.hull);
}

void iot_clock_estimate_clear(struct iot_clock_estimate *estimate)
{
	g_clear_pointer(&estimate->places, g_array_unref);
}
