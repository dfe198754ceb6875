/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The store of key tables against a list of lists that is searched from its end. */
#include "model-sample.h"
#include "language/keytable.h"

enum { N_KEYS = 5, N_INPUTS = 2, N_STEPS = 20000 };

/* What a table of one key and two values should hold: stacks, at [input][key]. */
struct brute {
	guint depth; /* 0: no entry */
	guint64 values[IOT_MAX_TABLE_DEPTH + 1][2];
};

static void brute_push(struct brute *b, const guint64 *values)
{
	if (b->depth == IOT_MAX_TABLE_DEPTH + 1) {
		memmove(b->values, b->values + 1, IOT_MAX_TABLE_DEPTH * sizeof(b->values[0]));
		b->depth--;
	}
	memcpy(b->values[b->depth++], values, sizeof(b->values[0]));
}

static void brute_pop(struct brute *b, const guint64 *values, guint n)
{
	for (guint at = b->depth; at-- > 0;)
		if (!memcmp(b->values[at], values, n * sizeof(*values))) {
			b->depth = at;
			return;
		}
}

static void check(const struct iot_keytable *table, struct brute expected[N_INPUTS][N_KEYS])
{
	for (guint32 input = 0; input < N_INPUTS; input++)
		for (guint64 k = 0; k < N_KEYS; k++) {
			const guint64 key[IOT_MAX_TABLE_KEYS] = { k + 1 };
			const guint64 *got = iot_keytable_get(table, input, key);
			const struct brute *b = &expected[input][k];

			CU_ASSERT_EQUAL_FATAL(got != NULL, b->depth > 0);
			if (got)
				CU_ASSERT_FATAL(!memcmp(got, b->values[b->depth - 1],
							sizeof(b->values[0])));
		}
}

static struct iot_keytable *new_table(struct iot_diag *diag, guint64 *version)
{
	struct iot_keytable *table = iot_keytable_new("t", 1);

	iot_keytable_add_value(table, "a", IOT_TABLE_UINT);
	iot_keytable_add_value(table, "b", IOT_TABLE_INT);
	iot_keytable_drop_at_gaps(table);
	iot_keytable_watch(table, version);
	iot_keytable_start(table, 1000, N_INPUTS, diag);
	return table;
}

/* A change of what a key has must change the versions; the version stays if nothing changes. */
UNIT_TEST(any_changes_as_lists_do)
{
	struct brute expected[N_INPUTS][N_KEYS] = { 0 };
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	struct iot_diag diag = { 0 };
	guint64 watched = 0;
	struct iot_keytable *table = new_table(&diag, &watched);

	for (guint i = 0; i < N_STEPS; i++) {
		guint32 input = (guint32)g_rand_int_range(rand, 0, N_INPUTS);
		gint32 k = g_rand_int_range(rand, 0, N_KEYS), what = g_rand_int_range(rand, 0, 100);
		const guint64 key[IOT_MAX_TABLE_KEYS] = { (guint64)k + 1 };
		guint64 values[2] = { (guint64)g_rand_int_range(rand, 0, 4),
				      (guint64)g_rand_int_range(rand, 0, 3) };
		guint n = (guint)g_rand_int_range(rand, 0, 3);
		guint64 version = iot_keytable_version(table);
		struct brute *b = &expected[input][k], before = *b;

		if (what < 55) {
			iot_keytable_push(table, input, key, values);
			brute_push(b, values);
		} else if (what < 90) {
			iot_keytable_pop(table, input, key, values, n);
			brute_pop(b, values, n);
		} else if (what < 97) {
			iot_keytable_set(table, input, key, values);
			b->depth -= b->depth > 0;
			brute_push(b, values);
		} else if (what < 99) {
			iot_keytable_drop(table, input, key);
			b->depth = 0;
		} else if (i % 10 == 0) {
			iot_keytable_gap(table, input);
			for (guint j = 0; j < N_KEYS; j++)
				expected[input][j].depth = 0;
		}
		if (before.depth != b->depth || memcmp(before.values, b->values, sizeof(b->values)))
			CU_ASSERT_FATAL(iot_keytable_version(table) > version);
		CU_ASSERT_EQUAL_FATAL(watched, iot_keytable_version(table));
		check(table, expected);
	}
	CU_ASSERT(diag.count[IOT_DIAG_keys_evicted] > 0);
	iot_keytable_unref(table);
}

UNIT_TEST(saved_tables_are_the_same)
{
	struct brute expected[N_INPUTS][N_KEYS] = { 0 };
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(GByteArray) saved = g_byte_array_new();
	struct iot_diag diag = { 0 };
	guint64 watched = 0;
	struct iot_keytable *table = new_table(&diag, &watched), *again;
	struct iot_unpack in;

	for (guint64 i = 1; i < 12; i++) {
		const guint64 key[IOT_MAX_TABLE_KEYS] = { 1 + i % 4 }, values[] = { i, 1000 * i };

		iot_keytable_push(table, i & 1, key, values);
		brute_push(&expected[i & 1][i % 4], values);
	}
	iot_keytable_save(table, saved);
	again = new_table(&diag, &watched);
	in = iot_unpack_init(saved->data, saved->len);
	CU_ASSERT(iot_keytable_load(again, tl, &in));
	check(again, expected);
	for (guint64 i = 11; i > 0; i--) {
		const guint64 key[IOT_MAX_TABLE_KEYS] = { 1 + i % 4 };

		iot_keytable_pop(again, i & 1, key, NULL, 0);
		expected[i & 1][i % 4].depth--;
		check(again, expected);
	}
	/* any part of it alone is malformed, or a table */
	for (gsize len = 0; len < saved->len; len++) {
		struct iot_keytable *part = new_table(&diag, &watched);

		in = iot_unpack_init(saved->data, len);
		CU_ASSERT_FALSE(iot_keytable_load(part, tl, &in));
		iot_keytable_unref(part);
	}
	iot_keytable_unref(table);
	iot_keytable_unref(again);
}

enum { N_GROUPS = 3, N_MEMBERS = 4 };

/* Groups against an array: at [input][group][member] the value, 0 if there is none. */
UNIT_TEST(any_groups_are_copied_and_dropped)
{
	guint64 expected[N_INPUTS][N_GROUPS][N_MEMBERS] = { 0 }, marked[N_MEMBERS] = { 0 };
	g_autoptr(GRand) rand = g_rand_new_with_seed(11);
	struct iot_diag diag = { 0 };
	struct iot_keytable *table = iot_keytable_new("t", 2), *among = iot_keytable_new("a", 2);

	iot_keytable_group(table);
	iot_keytable_start(table, 1000, N_INPUTS, &diag);
	iot_keytable_start(among, 1000, N_INPUTS, &diag);
	for (guint i = 0; i < N_STEPS; i++) {
		guint32 input = (guint32)g_rand_int_range(rand, 0, N_INPUTS);
		guint g = (guint)g_rand_int_range(rand, 0, N_GROUPS);
		guint from = (guint)g_rand_int_range(rand, 0, N_GROUPS);
		guint m = (guint)g_rand_int_range(rand, 0, N_MEMBERS);
		guint64 value = i + 1;
		/* 0 is a group like others; only a key of zeros is nothing */
		guint64 key[IOT_MAX_TABLE_KEYS] = { g, m + 1 };

		switch (g_rand_int_range(rand, 0, 8)) {
		case 0:
			iot_keytable_copy_group(table, input, g, from);
			memcpy(expected[input][g], expected[input][from],
			       sizeof(expected[input][g]));
			break;
		case 1:
			iot_keytable_drop_group(table, input, g, NULL);
			memset(expected[input][g], 0, sizeof(expected[input][g]));
			break;
		case 2: /* only the members that the other table has, in group 0 of input 0 */
			iot_keytable_drop_group(table, 0, 0, among);
			for (guint k = 0; k < N_MEMBERS; k++)
				expected[0][0][k] = marked[k] ? 0 : expected[0][0][k];
			break;
		case 3:
			key[0] = 0;
			marked[m] = !marked[m];
			if (marked[m])
				iot_keytable_set(among, 0, key, &value);
			else
				iot_keytable_drop(among, 0, key);
			break;
		case 4:
			iot_keytable_drop(table, input, key);
			expected[input][g][m] = 0;
			break;
		default:
			iot_keytable_set(table, input, key, &value);
			expected[input][g][m] = value;
		}
		for (guint k = 0; k < N_INPUTS * N_GROUPS * N_MEMBERS; k++) {
			const guint64 at[IOT_MAX_TABLE_KEYS] = { k / N_MEMBERS % N_GROUPS,
								 k % N_MEMBERS + 1 };
			const guint64 *got = iot_keytable_get(table, k / N_MEMBERS / N_GROUPS, at);

			CU_ASSERT_EQUAL_FATAL(got ? *got : 0, (&expected[0][0][0])[k]);
		}
	}
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_keys_evicted], 0);
	iot_keytable_unref(table);
	iot_keytable_unref(among);
}

/* A table that is full keeps the copied group and counts the copies that have no room. */
UNIT_TEST(a_group_is_copied_as_far_as_there_is_room)
{
	struct iot_diag diag = { 0 };
	struct iot_keytable *table = iot_keytable_new("t", 2);
	const guint64 value = 7;
	guint n = 0;

	iot_keytable_group(table);
	iot_keytable_start(table, 6, 1, &diag);
	for (guint64 m = 1; m <= 4; m++) {
		const guint64 key[IOT_MAX_TABLE_KEYS] = { 1, m };

		iot_keytable_set(table, 0, key, &value);
	}
	iot_keytable_copy_group(table, 0, 2, 1);
	for (guint64 m = 1; m <= 4; m++) {
		const guint64 key[IOT_MAX_TABLE_KEYS] = { 1, m },
			      copy[IOT_MAX_TABLE_KEYS] = { 2, m };

		CU_ASSERT_PTR_NOT_NULL(iot_keytable_get(table, 0, key));
		n += iot_keytable_get(table, 0, copy) != NULL;
	}
	CU_ASSERT_EQUAL(n, 2);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_keys_evicted], 2);
	iot_keytable_unref(table);
}
