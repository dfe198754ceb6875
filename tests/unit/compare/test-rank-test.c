/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rank test against all permutations, and the ratio against the median of all ratios. */
#include "compare/rank-test.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

enum { N = 8 };

static void fill(struct iot_histogram *histogram, const guint64 *ns, guint n)
{
	for (guint i = 0; i < n; i++)
		iot_histogram_add(histogram, ns[i]);
}

/* Twice the number of pairs in which the duration of @b, whose bits are set in @in_b, is longer;
 * an equal one counts half. */
static guint count_wins(const guint64 *all, guint n, guint in_b)
{
	guint wins = 0;

	for (guint i = 0; i < n; i++)
		for (guint k = 0; k < n; k++)
			if (!(in_b & 1 << i) && in_b & 1 << k)
				wins += all[k] > all[i] ? 2 : all[k] == all[i];
	return wins;
}

/* Share of the ways to pick N of 2 N durations that differ from the mean at least as much. */
static double exact_p(const guint64 *all)
{
	const int mean = N * N;
	int seen = abs((int)count_wins(all, 2 * N, ((1u << N) - 1) << N) - mean);
	guint ways = 0, as_far = 0;

	for (guint pick = 0; pick < 1u << 2 * N; pick++) {
		if (__builtin_popcount(pick) != N)
			continue;
		ways++;
		as_far += abs((int)count_wins(all, 2 * N, pick) - mean) >= seen;
	}
	return (double)as_far / ways;
}

UNIT_TEST(probability_of_small_samples)
{
	GRand *rand = g_rand_new_with_seed(3);

	for (guint run = 0; run < 12; run++) {
		struct iot_histogram a = { 0 }, b = { 0 };
		guint64 all[2 * N];
		double p;

		/* durations below 128 ns have cells of their own; few values make ties */
		for (guint i = 0; i < 2 * N; i++)
			all[i] = (guint64)g_rand_int_range(rand, 1, run % 2 ? 8 : 100) +
				 (i >= N ? run / 3 : 0);
		fill(&a, all, N);
		fill(&b, all + N, N);
		p = iot_rank_test_p(&a, &b);
		CU_ASSERT_DOUBLE_EQUAL(p, exact_p(all), 0.02);
		CU_ASSERT_DOUBLE_EQUAL(p, iot_rank_test_p(&b, &a), 1e-9);
		iot_histogram_clear(&a);
		iot_histogram_clear(&b);
	}
	g_rand_free(rand);
}

static double normal(GRand *rand)
{
	return sqrt(-2 * log(1 - g_rand_double(rand))) * cos(2 * G_PI * g_rand_double(rand));
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

UNIT_TEST(ratio_is_the_median_of_all_ratios)
{
	enum { A = 150, B = 90 };
	static double ratios[A * B];
	GRand *rand = g_rand_new_with_seed(4);
	guint inside = 0;

	for (guint run = 0; run < 40; run++) {
		struct iot_histogram a = { 0 }, b = { 0 };
		guint64 ns_a[A], ns_b[B];
		double truth = 0.5 + run / 10.0;
		struct iot_rank_ratio ratio;
		double median;

		for (guint i = 0; i < A; i++)
			ns_a[i] = (guint64)(1e6 * exp(normal(rand)));
		for (guint i = 0; i < B; i++)
			ns_b[i] = (guint64)(1e6 * truth * exp(normal(rand)));
		for (guint i = 0; i < A * B; i++)
			ratios[i] = (double)ns_b[i % B] / (double)ns_a[i / B];
		qsort(ratios, A * B, sizeof(*ratios), compare);
		median = ratios[A * B / 2];
		fill(&a, ns_a, A);
		fill(&b, ns_b, B);
		ratio = iot_rank_test_ratio(&a, &b);
		CU_ASSERT_TRUE(fabs(ratio.ratio / median - 1) < 0.02);
		CU_ASSERT_TRUE(ratio.low < ratio.ratio && ratio.ratio < ratio.high);
		inside += ratio.low <= truth && truth <= ratio.high;
		iot_histogram_clear(&a);
		iot_histogram_clear(&b);
	}
	/* 95 % confidence: less than 33 of 40 is a chance of 1 in 4000 */
	CU_ASSERT_TRUE(inside >= 33);
	g_rand_free(rand);
}
