/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/rank-test.h"

#include <math.h>

/* Standard normal deviate of 95 % confidence, two-sided. */
static const double deviate_95 = 1.959964;

static const struct iot_histogram_cell *cell_at(const struct iot_histogram *histogram, guint i)
{
	return &g_array_index(histogram->cells, struct iot_histogram_cell, i);
}

/* A position on the time axis that durations share. */
struct tie {
	double n_a, n_b;
};

/* The least duration not yet taken, at which @i cells of @a and @k of @b have been; FALSE: none. */
static gboolean next_tie(const struct iot_histogram *a, guint *i, const struct iot_histogram *b,
			 guint *k, double divisor, struct tie *out)
{
	double at_a = *i < a->cells->len ? iot_histogram_middle(cell_at(a, *i)->number) : INFINITY;
	double at_b = *k < b->cells->len ? iot_histogram_middle(cell_at(b, *k)->number) / divisor
					 : INFINITY;

	*out = (struct tie){ 0 };
	if (isinf(at_a) && isinf(at_b))
		return FALSE;
	if (at_a <= at_b)
		out->n_a = (double)cell_at(a, (*i)++)->n;
	if (at_b <= at_a)
		out->n_b = (double)cell_at(b, (*k)++)->n;
	return TRUE;
}

/* The deviate of the rank sum of @b, whose durations are divided by @divisor: greater than 0 if
 * they are the longer ones. */
static double deviate(const struct iot_histogram *a, const struct iot_histogram *b, double divisor)
{
	double n_a = (double)a->n, n_b = (double)b->n, n = n_a + n_b;
	double below_a = 0, wins = 0, ties = 0, excess, variance;
	struct tie tie;
	guint i = 0, k = 0;

	while (next_tie(a, &i, b, &k, divisor, &tie)) {
		double both = tie.n_a + tie.n_b;

		wins += tie.n_b * (below_a + tie.n_a / 2);
		below_a += tie.n_a;
		ties += both * both * both - both;
	}
	excess = wins - n_a * n_b / 2;
	variance = n_a * n_b / 12 * (n + 1 - ties / (n * (n - 1)));
	/* the correction for continuity */
	excess = copysign(fmax(fabs(excess) - 0.5, 0), excess);
	return variance > 0 ? excess / sqrt(variance) : 0;
}

double iot_rank_test_p(const struct iot_histogram *a, const struct iot_histogram *b)
{
	return erfc(fabs(deviate(a, b, 1)) / M_SQRT2);
}

/* The divisor at which the deviate, which falls with it, crosses @level. */
static double crossing(const struct iot_histogram *a, const struct iot_histogram *b, double level)
{
	double low = log(1e-12), high = log(1e12);

	for (guint i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (deviate(a, b, exp(middle)) > level)
			low = middle;
		else
			high = middle;
	}
	return exp((low + high) / 2);
}

struct iot_rank_ratio iot_rank_test_ratio(const struct iot_histogram *a,
					  const struct iot_histogram *b)
{
	struct iot_rank_ratio out = {
		.low = crossing(a, b, deviate_95),
		.high = crossing(a, b, -deviate_95),
	};
	double above = crossing(a, b, 0), below = crossing(a, b, -1e-12);

	/* the deviate is 0 between the two, because of ties and the correction */
	out.ratio = sqrt(above * below);
	return out;
}
