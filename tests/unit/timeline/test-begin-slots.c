/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/begin-slots.h"
#include "unit.h"

UNIT_TEST(places_are_found_until_they_are_gone)
{
	guint64 number[200];
	struct iot_queued_item *something = (struct iot_queued_item *)number;
	struct iot_begin_slots slots = { 0 };

	for (guint i = 0; i < G_N_ELEMENTS(number); i++)
		number[i] = iot_begin_slots_reserve(&slots, 10 * i);
	for (guint i = 0; i < G_N_ELEMENTS(number); i++) {
		CU_ASSERT(iot_begin_slots_find(&slots, number[i], 10 * i) != NULL);
		CU_ASSERT_PTR_NULL(iot_begin_slots_find(&slots, number[i], 10 * i + 1));
	}
	CU_ASSERT_PTR_NULL(iot_begin_slots_find(&slots, 0, 0));
	CU_ASSERT_PTR_NULL(iot_begin_slots_find(&slots, number[199] + 1, 2000));
	iot_begin_slots_find(&slots, number[5], 50)->first = something;
	/* only the empty slots before it are dropped */
	CU_ASSERT_PTR_NULL(iot_begin_slots_first(&slots, 40));
	CU_ASSERT_PTR_NULL(iot_begin_slots_find(&slots, number[3], 30));
	CU_ASSERT_PTR_NOT_NULL(iot_begin_slots_find(&slots, number[4], 40));
	CU_ASSERT_EQUAL(iot_begin_slots_first(&slots, 51)->t, 50);
	CU_ASSERT_PTR_EQUAL(iot_begin_slots_first(&slots, 51)->first, something);
	iot_begin_slots_forget(&slots);
	CU_ASSERT_PTR_NULL(iot_begin_slots_find(&slots, number[5], 50));
	CU_ASSERT(iot_begin_slots_reserve(&slots, 7) > number[199]);
	iot_begin_slots_clear(&slots);
}

UNIT_TEST(places_of_one_instant_are_one_and_none_is_in_the_past)
{
	struct iot_begin_slots slots = { 0 };
	guint64 first = iot_begin_slots_reserve(&slots, 5);

	CU_ASSERT_NOT_EQUAL(first, 0);
	CU_ASSERT_EQUAL(iot_begin_slots_reserve(&slots, 5), first);
	CU_ASSERT_NOT_EQUAL(iot_begin_slots_reserve(&slots, 6), first);
	CU_ASSERT_EQUAL(iot_begin_slots_reserve(&slots, 5), 0);
	iot_begin_slots_clear(&slots);
}
