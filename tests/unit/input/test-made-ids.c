/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the two ends of a state or a message share. */
#include "unit.h"

#include <string.h>

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

enum { KEYS = 5, ROOM = 4000 };

/* What is open of a key, kept in the plainest way. */
struct plain {
	guint64 id[ROOM];
	guint n;
	gboolean sends;
};

static guint64 plain_take(struct plain *plain, guint at)
{
	guint64 id = plain->id[at];

	memmove(&plain->id[at], &plain->id[at + 1], (--plain->n - at) * sizeof(*plain->id));
	return id;
}

/* States and messages by turns of some keys, in long queues and in short ones. */
UNIT_TEST(as_a_plain_queue)
{
	g_autofree struct plain *plain = g_new0(struct plain, KEYS);
	struct iot_made_ids *ids = iot_made_ids_new();
	GRand *rnd = g_rand_new_with_seed(1);
	guint64 n = 0;
	guint wrong = 0;

	for (guint i = 0; i < 2 * ROOM; i++) {
		guint which = (guint)g_rand_int_range(rnd, 0, KEYS);
		/* mostly this end, then mostly the other one */
		gboolean ends = g_rand_int_range(rnd, 0, 10) < (i / 500 % 2 ? 7 : 3);
		struct iot_made_key key = { { (gint)which, 1 } };
		struct plain *own = &plain[which];
		guint64 expected;

		if (which < 2) { /* states */
			if (!ends)
				expected = own->id[own->n++] = ++n;
			else
				expected = own->n ? plain_take(own, own->n - 1) : 0;
			wrong += (ends ? iot_made_ids_take(ids, &key)
				       : iot_made_ids_leave(ids, &key)) != expected;
			continue;
		}
		if (!own->n || own->sends == !ends) {
			own->sends = !ends;
			expected = own->id[own->n++] = ++n;
		} else {
			expected = plain_take(own, 0);
		}
		wrong += iot_made_ids_message(ids, &key, !ends) != expected;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	g_rand_free(rnd);
	iot_made_ids_free(ids);
}
