/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pasts of processes: what is passed on, threads whose process is known later, and the limits. */
#include "analysis/happened-before.h"

#include "unit.h"

enum { NODE_A = 1, NODE_B = 2 };

static void tell(struct iot_before *before, guint from, guint64 sent, guint to, guint64 received)
{
	struct iot_past *past = iot_before_past(before, from, sent);

	iot_before_join(before, to, received, past);
	iot_past_unref(past);
}

UNIT_TEST(a_past_goes_on_from_process_to_process)
{
	struct iot_before *before = iot_before_new();
	guint a = iot_before_process(before, NODE_A, 10, 10);
	guint b = iot_before_process(before, NODE_B, 10, 10);
	guint c = iot_before_process(before, NODE_B, 11, 11);

	tell(before, a, 100, b, 50);
	tell(before, b, 60, c, 70);
	CU_ASSERT_EQUAL(iot_before_reach(before, b, 49, a), 0);
	CU_ASSERT_EQUAL(iot_before_reach(before, b, 50, a), 100);
	CU_ASSERT_EQUAL(iot_before_reach(before, c, 70, a), 100);
	CU_ASSERT_EQUAL(iot_before_reach(before, c, 70, b), 60);
	CU_ASSERT_EQUAL(iot_before_reach(before, a, 1000, c), 0);
	/* what is known late counts for later instants that are known already */
	tell(before, a, 300, b, 40);
	CU_ASSERT_EQUAL(iot_before_reach(before, b, 39, a), 0);
	CU_ASSERT_EQUAL(iot_before_reach(before, b, 40, a), 300);
	CU_ASSERT_EQUAL(iot_before_reach(before, b, 50, a), 300);
	iot_before_free(before);
}

UNIT_TEST(a_thread_finds_its_process_later)
{
	struct iot_before *before = iot_before_new();
	guint a = iot_before_process(before, NODE_A, 10, 10);
	guint thread = iot_before_thread(before, NODE_B, 21);
	guint process = iot_before_process(before, NODE_B, 20, 20);

	CU_ASSERT_NOT_EQUAL(thread, process);
	tell(before, a, 100, thread, 50);
	CU_ASSERT_EQUAL(iot_before_reach(before, process, 60, a), 0);
	CU_ASSERT_EQUAL(iot_before_process(before, NODE_B, 20, 21), process);
	CU_ASSERT_EQUAL(iot_before_thread(before, NODE_B, 21), process);
	CU_ASSERT_EQUAL(iot_before_reach(before, process, 60, a), 100);
	/* the first thread has the number of its process, also if it is known first */
	thread = iot_before_thread(before, NODE_B, 30);
	CU_ASSERT_EQUAL(iot_before_process(before, NODE_B, 30, 31), thread);
	iot_before_free(before);
}

UNIT_TEST(processes_beyond_the_limit_share_one)
{
	struct iot_before *before = iot_before_new();
	guint a, b, other;

	for (gint64 i = 0; i < IOT_BEFORE_PROCESSES; i++)
		iot_before_process(before, NODE_A, i + 1, i + 1);
	CU_ASSERT_EQUAL(iot_before_n_folded(before), 0);
	a = iot_before_process(before, NODE_A, 5001, 5001);
	b = iot_before_process(before, NODE_A, 5002, 5002);
	other = iot_before_process(before, NODE_B, 5001, 5001);
	CU_ASSERT_EQUAL(a, b);
	CU_ASSERT_NOT_EQUAL(a, other);
	CU_ASSERT_EQUAL(iot_before_node(before, other), NODE_B);
	CU_ASSERT_EQUAL(iot_before_n_folded(before), 3);
	iot_before_free(before);
}

UNIT_TEST(old_changes_are_forgotten_and_counted)
{
	struct iot_before *before = iot_before_new();
	guint a = iot_before_process(before, NODE_A, 10, 10);
	guint b = iot_before_process(before, NODE_B, 10, 10);

	for (guint64 t = 1; t <= 2 * IOT_BEFORE_CHANGES; t++)
		tell(before, a, t, b, t + 10);
	CU_ASSERT_EQUAL(iot_before_reach(before, b, 4 * IOT_BEFORE_CHANGES, a),
			2 * IOT_BEFORE_CHANGES);
	CU_ASSERT_EQUAL(iot_before_n_forgotten(before), 0);
	/* too much order, never too little */
	CU_ASSERT(iot_before_reach(before, b, 20, a) >= 10);
	CU_ASSERT_EQUAL(iot_before_n_forgotten(before), 1);
	iot_before_free(before);
}
