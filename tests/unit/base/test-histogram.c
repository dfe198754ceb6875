/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/histogram.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

UNIT_TEST(cells_are_narrow_and_in_order)
{
	guint64 begin = 0; /* of the cell */
	guint last = 0;

	for (guint64 ns = 0; ns < 100000; ns++) {
		guint cell = iot_histogram_cell_of(ns);

		CU_ASSERT_TRUE(cell == last || cell == last + 1);
		if (cell != last)
			begin = ns;
		last = cell;
		CU_ASSERT_TRUE((ns - begin) * 64 <= begin);
		CU_ASSERT_TRUE(fabs(iot_histogram_middle(cell) - (double)ns) <= (double)ns / 64);
	}
	CU_ASSERT_EQUAL(iot_histogram_cell_of(G_MAXUINT64), IOT_HISTOGRAM_CELLS - 1);
	CU_ASSERT_DOUBLE_EQUAL(iot_histogram_middle(IOT_HISTOGRAM_CELLS - 1) / 0x1p64, 1, 0.01);
}

static int compare(const void *a, const void *b)
{
	guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;

	return x < y ? -1 : x > y;
}

UNIT_TEST(quantiles_of_random_durations)
{
	static const double shares[] = { 0, 0.01, 0.25, 0.5, 0.9, 0.99, 1 };
	GRand *rand = g_rand_new_with_seed(7);
	guint64 all[1000];

	for (guint run = 0; run < 50; run++) {
		struct iot_histogram a = { 0 }, b = { 0 };
		guint n = (guint)g_rand_int_range(rand, 1, G_N_ELEMENTS(all) + 1);
		guint64 sum = 0;

		for (guint i = 0; i < n; i++) {
			all[i] = (guint64)exp(g_rand_double_range(rand, 0, 40));
			sum += all[i];
			iot_histogram_add(i % 3 ? &a : &b, all[i]);
		}
		iot_histogram_merge(&a, &b);
		qsort(all, n, sizeof(*all), compare);
		CU_ASSERT_EQUAL(a.n, n);
		CU_ASSERT_EQUAL(a.sum_ns, sum);
		CU_ASSERT_EQUAL(a.min_ns, all[0]);
		CU_ASSERT_EQUAL(a.max_ns, all[n - 1]);
		for (guint i = 0; i < G_N_ELEMENTS(shares); i++) {
			guint k = (guint)ceil(shares[i] * n);
			double exact = (double)all[MAX(k, 1) - 1];

			CU_ASSERT_TRUE(fabs((double)iot_histogram_quantile(&a, shares[i]) -
					    exact) <= exact / 64);
		}
		iot_histogram_clear(&a);
		iot_histogram_clear(&b);
	}
	g_rand_free(rand);
}

UNIT_TEST(an_empty_histogram)
{
	struct iot_histogram empty = { 0 }, other = { 0 };

	iot_histogram_merge(&other, &empty);
	CU_ASSERT_EQUAL(iot_histogram_quantile(&other, 0.5), 0);
	iot_histogram_clear(&other);
}
