/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache from a few values to one number: the text that a template made of them, the row that they
 * stand for. Nothing in it ever becomes wrong, because all that the answer depends on is in the
 * key. It grows with the keys up to a limit, and then begins anew: what it holds does not depend on
 * the length of the recording.
 */
#ifndef IOT_MODEL_MEMO_H
#define IOT_MODEL_MEMO_H

#include "base/intern.h"

enum { IOT_MEMO_VALUES = 8 };

struct iot_memo_key {
	guint n;
	guint64 kinds; /* a byte for each value: what it is; not 0 */
	guint64 value[IOT_MEMO_VALUES];
};

struct iot_memo {
	guint n_values; /* of every key */
	guint max;	/* keys that are remembered at once; a power of two */
	guint mask, n;
	guint64 *words; /* open addressing. Per place: kinds (0: free), answer, values */
};

void iot_memo_init(struct iot_memo *memo, guint n_values, guint max);
void iot_memo_clear(struct iot_memo *memo);
/** iot_memo_add - put a new key at a free place; its answer is 0 */
guint64 *iot_memo_add(struct iot_memo *memo, const struct iot_memo_key *key, guint64 *place);

static inline void iot_memo_key_add(struct iot_memo_key *key, guint kind, guint64 value)
{
	key->kinds |= (guint64)kind << (8 * key->n);
	key->value[key->n++] = value;
}

static inline gsize iot_memo_stride(const struct iot_memo *memo)
{
	return memo->n_values + 2;
}

static inline guint64 *iot_memo_look(const struct iot_memo *memo, const struct iot_memo_key *key)
{
	guint at = (guint)iot_hash_keys(key->kinds, key->value, memo->n_values) & memo->mask;

	for (;; at = (at + 1) & memo->mask) {
		guint64 *place = memo->words + at * iot_memo_stride(memo);
		guint64 differs = place[0] ^ key->kinds;

		if (G_UNLIKELY(!place[0]))
			return place;
		for (guint i = 0; i < memo->n_values; i++)
			differs |= place[2 + i] ^ key->value[i];
		if (G_LIKELY(!differs))
			return place;
	}
}

/**
 * iot_memo_find - the answer for a key of memo->n_values values; 0: to be written there
 *
 * Valid until the next call. An answer that stays 0 is asked for again.
 */
static inline guint64 *iot_memo_find(struct iot_memo *memo, const struct iot_memo_key *key)
{
	guint64 *place = iot_memo_look(memo, key);

	return (G_LIKELY(*place) ? place : iot_memo_add(memo, key, place)) + 1;
}

#endif
