/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/clock-fewest.h"

/* Points looked at; a search of a real recording takes some millions. */
#define MAX_STEPS 60000000

/* Lines with whole values: at y0 from u0 to u1, at y1 from v0 to v1. */
struct box {
	gint64 u0, u1, v0, v1;
};

struct search {
	gint64 y0, y1;
	guint64 steps;
	struct iot_clock_fewest best;
};

static guint64 width(gint64 low, gint64 high)
{
	return (guint64)high - (guint64)low;
}

static gint64 middle(gint64 low, gint64 high)
{
	return low + (gint64)(width(low, high) / 2);
}

/* A point, and on which side of a good line it lies. */
struct sided {
	struct iot_clock_point at;
	gint sign; /* 1: the line passes above it; -1: below it */
};

/* Points that are on the right side of some lines of a box, and not of others. */
struct open {
	guint64 n_wrong; /* points that all lines of the box have on the wrong side */
	GArray *points;	 /* of struct sided */
};

/* At or above 0 if the line through @u and @v has the point on the right side. */
static __int128 clearance(const struct search *search, const struct sided *p, gint64 u, gint64 v)
{
	__int128 line = (search->y1 - p->at.y) * (__int128)u + (p->at.y - search->y0) * (__int128)v;

	return (line - p->at.x * (__int128)(search->y1 - search->y0)) * p->sign;
}

static struct open narrow(struct search *search, const GArray *points, guint64 n_wrong,
			  const struct box *box)
{
	struct open open = { n_wrong, g_array_new(FALSE, FALSE, sizeof(struct sided)) };

	search->steps += points->len;
	for (guint i = 0; i < points->len; i++) {
		const struct sided *p = &g_array_index(points, struct sided, i);
		gboolean high = p->sign > 0;

		if (clearance(search, p, high ? box->u1 : box->u0, high ? box->v1 : box->v0) < 0)
			open.n_wrong++;
		else if (clearance(search, p, high ? box->u0 : box->u1, high ? box->v0 : box->v1) <
			 0)
			g_array_append_val(open.points, *p);
	}
	return open;
}

/* Try the line through the middle of the box; returns how many points it has on the wrong side. */
static guint64 try_middle(struct search *search, const struct open *open, const struct box *box)
{
	gint64 u = middle(box->u0, box->u1), v = middle(box->v0, box->v1);
	guint64 n = open->n_wrong;

	search->steps += open->points->len;
	for (guint i = 0; i < open->points->len; i++)
		n += clearance(search, &g_array_index(open->points, struct sided, i), u, v) < 0;
	if (n < search->best.n_wrong) {
		search->best.n_wrong = n;
		search->best.x0 = u;
		search->best.x1 = v;
	}
	return n;
}

static void halve(const struct box *box, struct box half[2])
{
	half[0] = half[1] = *box;
	if (width(box->u0, box->u1) > width(box->v0, box->v1)) {
		half[0].u1 = middle(box->u0, box->u1);
		half[1].u0 = half[0].u1 + 1;
	} else {
		half[0].v1 = middle(box->v0, box->v1);
		half[1].v0 = half[0].v1 + 1;
	}
}

/* The box may hold a better line than the best so far. */
static void search_box(struct search *search, const struct open *open, const struct box *box)
{
	struct open opens[2];
	struct box half[2];
	guint64 n_wrong[2];
	guint first;

	if (box->u0 == box->u1 && box->v0 == box->v1)
		return;
	halve(box, half);
	for (guint i = 0; i < 2; i++) {
		opens[i] = narrow(search, open->points, open->n_wrong, &half[i]);
		n_wrong[i] = try_middle(search, &opens[i], &half[i]);
	}
	first = n_wrong[1] < n_wrong[0];
	for (guint i = 0; i < 2; i++) {
		const struct open *next = &opens[i ? !first : first];

		if (next->n_wrong >= search->best.n_wrong)
			continue;
		if (search->steps > MAX_STEPS)
			search->best.proved = FALSE;
		else
			search_box(search, next, &half[i ? !first : first]);
	}
	g_array_unref(opens[0].points);
	g_array_unref(opens[1].points);
}

static void add_side(GArray *to, const GArray *points, gint sign)
{
	for (guint i = 0; i < points->len; i++) {
		struct sided sided = { g_array_index(points, struct iot_clock_point, i), sign };

		g_array_append_val(to, sided);
	}
}

struct iot_clock_fewest iot_clock_fewest(const struct iot_clock_points *points, gint64 y0,
					 struct iot_clock_span first, gint64 y1,
					 struct iot_clock_span last)
{
	struct search search = { .y0 = y0,
				 .y1 = y1,
				 .best = { .n_wrong = G_MAXUINT64, .proved = TRUE } };
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct sided));
	struct box box = { first.lo, first.hi, last.lo, last.hi };
	struct open open;

	add_side(all, points->lower, 1);
	add_side(all, points->upper, -1);
	open = narrow(&search, all, 0, &box);
	try_middle(&search, &open, &box);
	search_box(&search, &open, &box);
	g_array_unref(open.points);
	return search.best;
}
