/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cuts of waits, by hand and with instants in any order. */
#include "analysis/handover.h"
#include "unit.h"

static guint64 ns[IOT_HANDOVER_PARTS];

/* A wait from 100 to 200 with all instants: each part has a length of its own. */
static struct iot_handover whole(void)
{
	return (struct iot_handover){ .t0 = 100,
				      .t1 = 200,
				      .requested = 101,
				      .asked = 103,
				      .called = 106,
				      .released = 110,
				      .release_got = 115,
				      .granted = 117,
				      .grant_got = 121 };
}

static void check(const struct iot_handover *wait, guint64 request, guint64 queue, guint64 block,
		  guint64 reaction, guint64 release, guint64 grant, guint64 completion,
		  guint64 unexplained, guint64 unrecorded)
{
	iot_handover_cut(wait, ns);
	CU_ASSERT_EQUAL(ns[IOT_HANDOVER_REQUEST], request);
	CU_ASSERT_EQUAL(ns[IOT_HANDOVER_QUEUE], queue);
	CU_ASSERT_EQUAL(ns[IOT_HANDOVER_BLOCK], block);
	CU_ASSERT_EQUAL(ns[IOT_HANDOVER_REACTION], reaction);
	CU_ASSERT_EQUAL(ns[IOT_HANDOVER_RELEASE], release);
	CU_ASSERT_EQUAL(ns[IOT_HANDOVER_GRANT], grant);
	CU_ASSERT_EQUAL(ns[IOT_HANDOVER_COMPLETION], completion);
	CU_ASSERT_EQUAL(ns[IOT_HANDOVER_UNEXPLAINED], unexplained);
	CU_ASSERT_EQUAL(ns[IOT_HANDOVER_UNRECORDED], unrecorded);
}

UNIT_TEST(each_instant_belongs_to_its_part)
{
	struct iot_handover wait = whole();

	check(&wait, 1, 2, 3, 4, 5, 6, 79, 0, 0);
	/* the holder is on the master's node: nothing says when it was asked */
	wait.asked = 0;
	wait.holder_at_master = TRUE;
	wait.held_since = 104;
	check(&wait, 1, 3, 2, 4, 5, 6, 79, 0, 0);
	/* the message is missing */
	wait.holder_at_master = FALSE;
	check(&wait, 1, 0, 0, 4, 5, 6, 79, 5, 0);
	/* the holder left by itself */
	wait.called = 0;
	check(&wait, 1, 9, 0, 0, 5, 6, 79, 0, 0);
}

UNIT_TEST(waits_without_a_release)
{
	struct iot_handover wait = {
		.t0 = 100, .t1 = 200, .requested = 110, .granted = 150, .grant_got = 170
	};

	check(&wait, 10, 0, 0, 0, 0, 60, 30, 0, 0);
	wait.blocked = TRUE;
	check(&wait, 10, 0, 0, 0, 0, 20, 30, 40, 0);
	wait.granted = wait.grant_got = 0;
	check(&wait, 10, 0, 0, 0, 0, 0, 0, 90, 0);
	wait = (struct iot_handover){ .t0 = 100, .t1 = 200, .master = IOT_MASTER_LOCAL };
	check(&wait, 0, 0, 0, 0, 0, 0, 100, 0, 0);
	wait.blocked = TRUE;
	check(&wait, 0, 0, 0, 0, 0, 0, 0, 100, 0);
}

UNIT_TEST(holds_of_a_node_that_is_not_recorded)
{
	struct iot_handover wait = { .t0 = 100,
				     .t1 = 200,
				     .requested = 110,
				     .granted = 150,
				     .grant_got = 170,
				     .hidden = TRUE };

	check(&wait, 10, 0, 0, 0, 0, 20, 30, 0, 40);
	wait.released = 120;
	wait.release_got = 130;
	check(&wait, 10, 10, 0, 0, 10, 20, 30, 0, 20);
	wait = (struct iot_handover){
		.t0 = 100, .t1 = 200, .master = IOT_MASTER_LOCAL, .hidden = TRUE
	};
	check(&wait, 0, 0, 0, 0, 0, 0, 0, 0, 100);
}

UNIT_TEST(without_messages_only_the_reaction_is_known)
{
	struct iot_handover wait = { .t0 = 100, .t1 = 200, .master = IOT_MASTER_UNRECORDED };

	check(&wait, 0, 0, 0, 0, 0, 0, 0, 0, 100);
	wait.called = 120;
	wait.released = wait.release_got = 150;
	check(&wait, 0, 0, 0, 30, 0, 0, 0, 0, 70);
	/* a request left, and its arrival is not recorded */
	wait.master = IOT_MASTER_REMOTE;
	wait.granted = 160;
	wait.grant_got = 170;
	check(&wait, 0, 0, 0, 30, 0, 10, 30, 0, 30);
}

UNIT_TEST(parts_add_up_for_any_instants)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);

	for (guint i = 0; i < 100000; i++) {
		struct iot_handover wait = whole();
		guint64 *at[] = { &wait.requested, &wait.granted,     &wait.grant_got,
				  &wait.released,  &wait.release_got, &wait.asked,
				  &wait.called,	   &wait.held_since };
		guint64 sum = 0;

		for (guint k = 0; k < G_N_ELEMENTS(at); k++)
			*at[k] = g_rand_boolean(rand) ? g_rand_int_range(rand, 50, 260) : 0;
		wait.master = g_rand_int_range(rand, 0, IOT_MASTERS);
		wait.blocked = g_rand_boolean(rand);
		wait.hidden = g_rand_boolean(rand);
		wait.holder_at_master = g_rand_boolean(rand);
		iot_handover_cut(&wait, ns);
		for (guint k = 0; k < IOT_HANDOVER_PARTS; k++)
			sum += ns[k];
		CU_ASSERT_EQUAL_FATAL(sum, 100);
	}
}
