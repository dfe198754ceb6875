/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last access to each byte against an array with an element for each byte: with room it is the
 * same; with little room bytes are missing and counted, and none is invented. */
#include "analysis/race-ranges.h"

#include "unit.h"

#include <string.h>

enum { BYTES = 300, ACCESSES = 2000 };

static guint compare(const struct iot_race_ranges *ranges, const guint64 *end)
{
	guint n_missing = 0;

	for (guint64 at = 0; at < BYTES; at++) {
		const struct iot_race_range *range =
			iot_race_ranges_at(ranges, iot_race_ranges_first(ranges, at));

		if (!range || range->from > at) {
			n_missing += end[at] != 0;
			continue;
		}
		CU_ASSERT_EQUAL(range->t1, end[at]);
		CU_ASSERT_EQUAL(range->t0, range->t1 - 1);
	}
	return n_missing;
}

static guint run(guint max_of_one, struct iot_race_budget *budget)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(2);
	g_autoptr(GArray) locks = g_array_new(FALSE, FALSE, 1);
	struct iot_race_ranges ranges = { 0 };
	guint64 end[BYTES] = { 0 };
	guint n_missing;

	*budget = (struct iot_race_budget){ .max_of_one = max_of_one, .max_of_all = 1 << 20 };
	for (guint64 t = 1; t <= ACCESSES; t++) {
		struct iot_race_range range = { .t0 = t, .t1 = t + 1 };

		range.from = (guint64)g_rand_int_range(rand, 0, BYTES - 30);
		range.to = range.from + (guint64)g_rand_int_range(rand, 1, 30);
		range.locks = g_rand_boolean(rand) ? locks : NULL;
		iot_race_ranges_set(&ranges, budget, &range);
		for (guint64 at = range.from; at < range.to; at++)
			end[at] = range.t1;
		CU_ASSERT(ranges.ranges->len <= max_of_one);
		CU_ASSERT_EQUAL(ranges.ranges->len, budget->n);
	}
	n_missing = compare(&ranges, end);
	iot_race_ranges_clear(&ranges);
	return n_missing;
}

UNIT_TEST(each_byte_has_its_last_access)
{
	struct iot_race_budget budget;

	CU_ASSERT_EQUAL(run(BYTES, &budget), 0);
	CU_ASSERT_EQUAL(budget.n_forgotten, 0);
}

UNIT_TEST(with_little_room_the_oldest_are_forgotten)
{
	struct iot_race_budget budget;

	CU_ASSERT(run(8, &budget) > 0);
	CU_ASSERT(budget.n_forgotten > 0);
}
