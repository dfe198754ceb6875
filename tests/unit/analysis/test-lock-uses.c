/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moments of lock statistics, by hand. */
#include "analysis/lock-uses.h"
#include "unit.h"

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
