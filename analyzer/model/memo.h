/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache from a few values to one number: the text that a template made of them, the row that they
 * stand for. Nothing in it ever becomes wrong, because all that the answer depends on is in the
 * key.
 *
 * Each key has one place, and the last key of a place stays there. While many keys do not find
 * theirs the cache grows, up to a limit; what it costs does not depend on the recording.
 */
#ifndef IOT_MODEL_MEMO_H
#define IOT_MODEL_MEMO_H

#include "base/intern.h"

enum { IOT_MEMO_VALUES = 8 };

struct iot_memo_key {
	guint n;
	guint64 kinds; /* a byte for each value: what it is */
	guint64 value[IOT_MEMO_VALUES];
};

struct iot_memo {
	guint n_values; /* of every key */
	guint mask, misses;
	guint64 *words; /* per place: answer, kinds, values; NULL: nothing was asked yet */
};

/** iot_memo_take - the place of a key that was not there, which is there now */
guint64 *iot_memo_take(struct iot_memo *memo, const struct iot_memo_key *key);
void iot_memo_clear(struct iot_memo *memo);

static inline void iot_memo_key_add(struct iot_memo_key *key, guint kind, guint64 value)
{
	key->kinds |= (guint64)kind << (8 * key->n);
	key->value[key->n++] = value;
}

static inline guint64 *iot_memo_place(const struct iot_memo *memo, const struct iot_memo_key *key)
{
	guint64 hash = iot_hash_keys(key->kinds, key->value, memo->n_values);

	return memo->words + (gsize)(hash & memo->mask) * (memo->n_values + 2);
}

/**
 * iot_memo_find - the answer for a key of memo->n_values values; 0: to be written there
 *
 * Valid until the next call. An answer that stays 0 is asked for again.
 */
static inline guint64 *iot_memo_find(struct iot_memo *memo, const struct iot_memo_key *key)
{
	guint64 *place, differs;

	if (G_UNLIKELY(!memo->words))
		return iot_memo_take(memo, key);
	place = iot_memo_place(memo, key);
	differs = place[1] ^ key->kinds;
	for (guint i = 0; i < memo->n_values; i++)
		differs |= place[2 + i] ^ key->value[i];
	return G_LIKELY(!differs) ? place : iot_memo_take(memo, key);
}

#endif
