/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether durations of two runs come from one distribution, by their ranks: the test of Mann and
 * Whitney, with the correction for ties (durations of one cell). It needs no assumption about the
 * shape of the distribution, but durations that do not depend on one another.
 */
#ifndef IOT_COMPARE_RANK_TEST_H
#define IOT_COMPARE_RANK_TEST_H

#include "base/histogram.h"

/* Fewer durations on either side are not compared. */
enum { IOT_RANK_TEST_LEAST = 8 };

/** iot_rank_test_p - probability of a difference at least as large, two-sided, if both come from
 * one distribution; both have at least IOT_RANK_TEST_LEAST durations */
double iot_rank_test_p(const struct iot_histogram *a, const struct iot_histogram *b);

/* How many times as long as in A a duration takes in B: the ratio by which the durations of B must
 * be divided to rank like those of A (Hodges and Lehmann), and its interval of 95 % confidence. */
struct iot_rank_ratio {
	double ratio, low, high;
};
struct iot_rank_ratio iot_rank_test_ratio(const struct iot_histogram *a,
					  const struct iot_histogram *b);

#endif
