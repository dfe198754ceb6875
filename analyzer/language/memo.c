/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/memo.h"

#include <string.h>

enum { FIRST_SLOTS = 16 };

static void allocate(struct iot_memo *memo, guint slots)
{
	memo->words = g_new0(guint64, slots * iot_memo_stride(memo));
	memo->mask = slots - 1;
	memo->n = 0;
}

void iot_memo_init(struct iot_memo *memo, guint n_values, guint max)
{
	memo->n_values = n_values;
	memo->max = max;
	allocate(memo, FIRST_SLOTS);
}

void iot_memo_clear(struct iot_memo *memo)
{
	g_clear_pointer(&memo->words, g_free);
}

static void take_over(struct iot_memo *memo, const guint64 *words)
{
	struct iot_memo_key key = { 0 };
	gsize size = iot_memo_stride(memo) * sizeof(*words);

	for (guint i = 0; i < memo->n_values; i++)
		iot_memo_key_add(&key, 0, words[2 + i]);
	key.kinds = words[0] ^ key.hash;
	memcpy(iot_memo_look(memo, &key), words, size);
	memo->n++;
}

static void grow(struct iot_memo *memo)
{
	guint64 *old = memo->words;
	guint n = memo->mask + 1;

	allocate(memo, 2 * n);
	for (guint i = 0; i < n; i++) {
		const guint64 *slot = old + i * iot_memo_stride(memo);

		if (*slot)
			take_over(memo, slot);
	}
	g_free(old);
}

guint64 *iot_memo_add(struct iot_memo *memo, const struct iot_memo_key *key, guint64 *slot)
{
	if (memo->n > memo->mask / 2) {
		if (memo->n < memo->max) {
			grow(memo);
		} else {
			memset(memo->words, 0,
			       (memo->mask + 1) * iot_memo_stride(memo) * sizeof(guint64));
			memo->n = 0;
		}
		slot = iot_memo_look(memo, key);
	}
	memo->n++;
	slot[0] = iot_memo_tag(key);
	slot[1] = 0;
	memcpy(slot + 2, key->value, memo->n_values * sizeof(guint64));
	return slot;
}
