/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/memo.h"
#include "unit.h"

enum { MAX = 256, KINDS = 5, N = 60 };

static struct iot_memo_key key_of(guint kind, guint a, guint b)
{
	struct iot_memo_key key = { 0 };

	iot_memo_key_add(&key, kind, a);
	iot_memo_key_add(&key, KINDS, b);
	return key;
}

static guint64 answer_for(guint kind, guint a, guint b)
{
	return 1 + kind + 10 * a + 10000 * b;
}

/* A hit is the answer stored for that key, whatever else was looked up; a miss is stored again. Returns the hits. */
static guint ask(struct iot_memo *memo, guint n)
{
	guint known = 0;

	for (guint i = 0; i < n * n * KINDS; i++) {
		guint kind = i % KINDS + 1, a = i / KINDS % n, b = i / KINDS / n;
		struct iot_memo_key key = key_of(kind, a, b);
		guint64 *answer = iot_memo_find(memo, &key);

		known += *answer != 0;
		CU_ASSERT(!*answer || *answer == answer_for(kind, a, b));
		*answer = answer_for(kind, a, b);
	}
	return known;
}

UNIT_TEST(keys_are_remembered_up_to_a_limit)
{
	struct iot_memo memo;

	iot_memo_init(&memo, 2, MAX);
	CU_ASSERT_EQUAL(ask(&memo, 7), 0);
	CU_ASSERT_EQUAL(ask(&memo, 7), 7 * 7 * KINDS);
	for (guint round = 0; round < 3; round++)
		ask(&memo, N);
	CU_ASSERT(memo.mask < 4 * MAX);
	ask(&memo, 7); /* may be emptied in the middle; then there is room */
	ask(&memo, 7);
	CU_ASSERT_EQUAL(ask(&memo, 7), 7 * 7 * KINDS);
	iot_memo_clear(&memo);
}

UNIT_TEST(an_answer_of_0_is_a_miss)
{
	struct iot_memo_key key = key_of(1, 0, 0);
	struct iot_memo memo;

	iot_memo_init(&memo, 2, MAX);
	CU_ASSERT_EQUAL(*iot_memo_find(&memo, &key), 0);
	CU_ASSERT_EQUAL(*iot_memo_find(&memo, &key), 0);
	*iot_memo_find(&memo, &key) = 5;
	CU_ASSERT_EQUAL(*iot_memo_find(&memo, &key), 5);
	iot_memo_clear(&memo);
}
