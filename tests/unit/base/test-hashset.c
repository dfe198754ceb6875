/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"
#include "base/hashset.h"

enum { N = 3000 };

/* Members are numbers; their hashes crowd, at the end of the table too, where runs wrap around. */
static guint64 hash_of(guint i)
{
	return i % 3 ? i % 7 + 60 : (guint64)i * 0x9E3779B9u;
}

static gboolean has(const struct iot_hashset *set, guint i)
{
	guint at = iot_hashset_first(set, hash_of(i));
	gpointer member;

	while ((member = iot_hashset_next(set, hash_of(i), &at)) && member != GUINT_TO_POINTER(i))
		;
	return member != NULL;
}

UNIT_TEST(members_come_and_go)
{
	g_autofree gboolean *in = g_new0(gboolean, N);
	struct iot_hashset set;
	guint64 random = 1;
	gpointer member;
	guint n = 0, at = 0;

	iot_hashset_init(&set);
	for (guint round = 0; round < 20000; round++) {
		guint i;

		random = random * 6364136223846793005u + 1442695040888963407u;
		i = (guint)(random >> 33) % (round < 10000 ? N - 1 : 90) + 1;
		if (in[i])
			iot_hashset_remove(&set, hash_of(i), GUINT_TO_POINTER(i));
		else
			iot_hashset_add(&set, hash_of(i), GUINT_TO_POINTER(i));
		in[i] = !in[i];
		n += in[i] ? 1u : -1u;
		CU_ASSERT_EQUAL_FATAL(set.n, n);
		i = (guint)(random >> 40) % (N - 1) + 1;
		CU_ASSERT_EQUAL_FATAL(has(&set, i), in[i]);
	}
	for (guint i = 1; i < N; i++)
		CU_ASSERT_EQUAL(has(&set, i), in[i]);
	while ((member = iot_hashset_walk(&set, &at))) {
		CU_ASSERT_TRUE(in[GPOINTER_TO_UINT(member)]);
		n--;
	}
	CU_ASSERT_EQUAL(n, 0);
	iot_hashset_clear(&set);
}
