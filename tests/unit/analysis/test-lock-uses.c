/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions and moments of lock statistics, by hand and against all values. */
#include "analysis/lock-uses.h"
#include "unit.h"

#include <math.h>

UNIT_TEST(spread_is_exact_within_a_cell)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);
	struct iot_spread spread = { .sum_ns = 0 };
	guint64 sum = 0, max = 0;

	CU_ASSERT_EQUAL(iot_spread_quantile(&spread, 0.5), 0);
	for (guint i = 0; i < 10000; i++) {
		guint64 ns = (guint64)exp(g_rand_double_range(rand, 0, 30));
		struct iot_spread one = { .sum_ns = 0 };
		guint64 half;

		iot_spread_add(&one, ns);
		half = iot_spread_quantile(&one, 0.5);
		CU_ASSERT_FATAL(half + ns / 16 >= ns && half <= ns + ns / 16);
		iot_spread_merge(&spread, &one);
		iot_spread_clear(&one);
		sum += ns;
		max = MAX(max, ns);
	}
	CU_ASSERT_EQUAL(spread.n, 10000);
	CU_ASSERT_EQUAL(spread.sum_ns, sum);
	CU_ASSERT_EQUAL(spread.max_ns, max);
	CU_ASSERT(iot_spread_quantile(&spread, 1) <= max);
	iot_spread_clear(&spread);
}

UNIT_TEST(variance_of_independent_values)
{
	struct iot_moments moments = { .n = 0 }, more = { .n = 0 };

	CU_ASSERT_EQUAL(iot_moments_variance(&moments), 0);
	iot_moments_add(&moments, 2);
	CU_ASSERT_EQUAL(iot_moments_variance(&moments), 0);
	iot_moments_add(&moments, 4);
	iot_moments_add(&more, 9);
	iot_moments_merge(&moments, &more);
	CU_ASSERT_EQUAL(iot_moments_mean(&moments), 5);
	CU_ASSERT_EQUAL(iot_moments_variance(&moments), 13);
}

/* 16 equal values after each other, 1 and 3 in turn: as uncertain as if each came once. */
UNIT_TEST(neighbours_that_are_alike_count_once)
{
	struct iot_moments moments = { .n = 0 };

	for (guint i = 0; i < 16 * 16; i++)
		iot_moments_add(&moments, i / 16 % 2 ? 3 : 1);
	/* 16 groups with means 1 and 3: variance 16/15 */
	CU_ASSERT_DOUBLE_EQUAL(iot_moments_variance(&moments), 16 * 16.0 / 15, 1e-9);
}
