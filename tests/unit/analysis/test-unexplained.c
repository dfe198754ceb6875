/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unexplained time that messages explain, by hand. */
#include "analysis/unexplained.h"
#include "unit.h"

/* A wait from 100 to 200, held from 130 to 160. */
static struct iot_wait *wait_held_for_a_while(void)
{
	const struct iot_wait_part parts[] = { { 100, 130, IOT_CAUSE_UNEXPLAINED, 0 },
					       { 130, 160, IOT_CAUSE_HOLD, 1 },
					       { 160, 200, IOT_CAUSE_UNEXPLAINED, 0 } };
	const struct iot_claim claim = { .kind = IOT_CLAIM_WAIT, .t0 = 100, .t1 = 200 };
	struct iot_wait *wait = iot_wait_new(&claim);

	g_array_append_vals(wait->parts, parts, G_N_ELEMENTS(parts));
	wait->cause_ns[IOT_CAUSE_HOLD] = 30;
	wait->cause_ns[IOT_CAUSE_UNEXPLAINED] = 70;
	return wait;
}

static void check(const struct iot_wait *wait, guint64 messages, guint64 callbacks, guint64 rest)
{
	CU_ASSERT_EQUAL(wait->cause_ns[IOT_CAUSE_HOLD], 30);
	CU_ASSERT_EQUAL(wait->cause_ns[IOT_CAUSE_MESSAGES], messages);
	CU_ASSERT_EQUAL(wait->cause_ns[IOT_CAUSE_CALLBACKS], callbacks);
	CU_ASSERT_EQUAL(wait->cause_ns[IOT_CAUSE_UNEXPLAINED], rest);
}

UNIT_TEST(only_time_without_a_cause_is_split)
{
	/* request to 110, queue to 120, callback to 125, reaction to 150, release to 165, grant to
	 * 180 */
	const struct iot_handover instants = { .t0 = 100,
					       .t1 = 200,
					       .requested = 110,
					       .asked = 120,
					       .called = 125,
					       .released = 150,
					       .release_got = 165,
					       .granted = 170,
					       .grant_got = 180 };
	struct iot_wait *wait = wait_held_for_a_while();

	iot_unexplained_split(wait, &instants);
	check(wait, 10 + 5 + 15, 5 + 20, 10 + 5);
	iot_wait_free(wait);
}

UNIT_TEST(time_of_parts_that_were_dropped_is_not_known)
{
	const struct iot_handover instants = {
		.t0 = 100, .t1 = 200, .requested = 110, .grant_got = 200
	};
	struct iot_wait *wait = wait_held_for_a_while();

	iot_unexplained_split(wait, &instants);
	check(wait, 70, 0, 0);
	iot_wait_free(wait);
	wait = wait_held_for_a_while();
	g_array_remove_range(wait->parts, 0, 2);
	iot_unexplained_split(wait, &instants);
	check(wait, 40, 0, 30);
	iot_wait_free(wait);
}
