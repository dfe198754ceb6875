/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/begin-slots.h"
#include "unit.h"

UNIT_TEST(places_are_found_until_they_are_gone)
{
	guint64 number[200];
	struct iot_queued_item *something = (struct iot_queued_item *)number;
	struct iot_begin_slots places = { 0 };

	for (guint i = 0; i < G_N_ELEMENTS(number); i++)
		number[i] = iot_begin_slots_reserve(&places, 10 * i);
	for (guint i = 0; i < G_N_ELEMENTS(number); i++) {
		CU_ASSERT(iot_begin_slots_find(&places, number[i], 10 * i) != NULL);
		CU_ASSERT_PTR_NULL(iot_begin_slots_find(&places, number[i], 10 * i + 1));
	}
	CU_ASSERT_PTR_NULL(iot_begin_slots_find(&places, 0, 0));
	CU_ASSERT_PTR_NULL(iot_begin_slots_find(&places, number[199] + 1, 2000));
	iot_begin_slots_find(&places, number[5], 50)->first = something;
	/* the empty ones in front of it go, and no others */
	CU_ASSERT_PTR_NULL(iot_begin_slots_first(&places, 40));
	CU_ASSERT_PTR_NULL(iot_begin_slots_find(&places, number[3], 30));
	CU_ASSERT_PTR_NOT_NULL(iot_begin_slots_find(&places, number[4], 40));
	CU_ASSERT_EQUAL(iot_begin_slots_first(&places, 51)->t, 50);
	CU_ASSERT_PTR_EQUAL(iot_begin_slots_first(&places, 51)->first, something);
	iot_begin_slots_forget(&places);
	CU_ASSERT_PTR_NULL(iot_begin_slots_find(&places, number[5], 50));
	CU_ASSERT(iot_begin_slots_reserve(&places, 7) > number[199]);
	iot_begin_slots_clear(&places);
}

UNIT_TEST(places_of_one_instant_are_one_and_none_is_in_the_past)
{
	struct iot_begin_slots places = { 0 };
	guint64 first = iot_begin_slots_reserve(&places, 5);

	CU_ASSERT_NOT_EQUAL(first, 0);
	CU_ASSERT_EQUAL(iot_begin_slots_reserve(&places, 5), first);
	CU_ASSERT_NOT_EQUAL(iot_begin_slots_reserve(&places, 6), first);
	CU_ASSERT_EQUAL(iot_begin_slots_reserve(&places, 5), 0);
	iot_begin_slots_clear(&places);
}
