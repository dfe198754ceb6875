/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the two ends of a state or a message share. */
#include "unit.h"

#include "input/made-ids.h"

static const struct iot_made_key one = { { 1, 2, 0, 7, 0 } }, other = { { 2, 1, 0, 7, 0 } };

UNIT_TEST(states_end_from_the_inside)
{
	struct iot_made_ids *ids = iot_made_ids_new();

	CU_ASSERT_EQUAL(iot_made_ids_take(ids, &one), 0);
	CU_ASSERT_EQUAL(iot_made_ids_leave(ids, &one), 1);
	CU_ASSERT_EQUAL(iot_made_ids_leave(ids, &other), 2);
	CU_ASSERT_EQUAL(iot_made_ids_leave(ids, &one), 3);
	CU_ASSERT_EQUAL(iot_made_ids_take(ids, &one), 3);
	CU_ASSERT_EQUAL(iot_made_ids_take(ids, &one), 1);
	CU_ASSERT_EQUAL(iot_made_ids_take(ids, &one), 0);
	CU_ASSERT_EQUAL(iot_made_ids_take(ids, &other), 2);
	iot_made_ids_free(ids);
}

UNIT_TEST(messages_come_in_order_whichever_end_is_first)
{
	struct iot_made_ids *ids = iot_made_ids_new();

	CU_ASSERT_EQUAL(iot_made_ids_message(ids, &one, TRUE), 1);
	CU_ASSERT_EQUAL(iot_made_ids_message(ids, &one, TRUE), 2);
	CU_ASSERT_EQUAL(iot_made_ids_message(ids, &other, FALSE), 3);
	CU_ASSERT_EQUAL(iot_made_ids_message(ids, &one, FALSE), 1);
	CU_ASSERT_EQUAL(iot_made_ids_message(ids, &one, FALSE), 2);
	/* received first, by the clocks */
	CU_ASSERT_EQUAL(iot_made_ids_message(ids, &one, FALSE), 4);
	CU_ASSERT_EQUAL(iot_made_ids_message(ids, &one, TRUE), 4);
	CU_ASSERT_EQUAL(iot_made_ids_message(ids, &other, TRUE), 3);
	iot_made_ids_free(ids);
}

UNIT_TEST(after_a_loss_no_message_has_another_end)
{
	struct iot_made_ids *ids = iot_made_ids_new();

	CU_ASSERT_EQUAL(iot_made_ids_message(ids, &one, TRUE), 1);
	CU_ASSERT_EQUAL(iot_made_ids_leave(ids, &other), 2);
	iot_made_ids_lost(ids);
	CU_ASSERT_EQUAL(iot_made_ids_take(ids, &other), 0);
	CU_ASSERT_EQUAL(iot_made_ids_message(ids, &one, FALSE), 3);
	CU_ASSERT_EQUAL(iot_made_ids_message(ids, &one, TRUE), 4);
	iot_made_ids_free(ids);
}
