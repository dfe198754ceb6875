/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache from a few values to one number: the text that a template made of them, the row that they
 * stand for. Nothing in it ever becomes wrong, because all that the answer depends on is in the
 * key. It grows with the keys up to a limit, and then begins anew: what it holds does not depend on
 * the length of the recording.
 */
#ifndef IOT_LANGUAGE_MEMO_H
#define IOT_LANGUAGE_MEMO_H

#include "base/intern.h"

enum { IOT_MEMO_VALUES = 8 };
#define IOT_MEMO_USED (G_GUINT64_CONSTANT(1) << 63)

struct iot_memo_key {
	guint n;
	guint64 kinds; /* a byte for each value: what it is; less than 128 */
	guint64 hash;  /* of the values */
	guint64 value[IOT_MEMO_VALUES];
};

struct iot_memo {
	guint n_values; /* of every key */
	guint max;	/* keys that are remembered at once; a power of two */
	guint mask, n;
	guint64 *words; /* open addressing. Per place: tag (0: free), answer, values */
};

void iot_memo_init(struct iot_memo *memo, guint n_values, guint max);
void iot_memo_clear(struct iot_memo *memo);
/** iot_memo_add - put a new key at a free place; its answer is 0 */
guint64 *iot_memo_add(struct iot_memo *memo, const struct iot_memo_key *key, guint64 *place);

/* Two instructions for each value; the high bits, which depend on all, are folded in at the end. */
static inline guint64 iot_memo_hash(guint64 hash, guint64 value)
{
	return (hash + value) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
}

static inline void iot_memo_key_add(struct iot_memo_key *key, guint kind, guint64 value)
{
	key->kinds |= (guint64)kind << (8 * key->n);
	key->hash = iot_memo_hash(key->hash, value);
	key->value[key->n++] = value;
}

/** iot_memo_key_start - without values; those are not written, so that it costs little */
static inline void iot_memo_key_start(struct iot_memo_key *key)
{
	key->n = 0;
	key->kinds = key->hash = 0;
}

/* The same for keys that are the same, and mostly another one for others; not 0. Where the values
 * are the same, their hash is, so that the kinds are the same if the tag is. */
static inline guint64 iot_memo_tag(const struct iot_memo_key *key)
{
	return (key->kinds ^ key->hash) | IOT_MEMO_USED;
}

static inline gsize iot_memo_stride(const struct iot_memo *memo)
{
	return memo->n_values + 2;
}

/** iot_memo_look - the place of a key, or the free one where it would be; see memo->words */
static inline guint64 *iot_memo_look(const struct iot_memo *memo, const struct iot_memo_key *key)
{
	gsize n = memo->n_values, at = key->hash ^ key->hash >> 32;
	guint64 tag = iot_memo_tag(key);

	for (;; at++) {
		guint64 *place = memo->words + (at & memo->mask) * iot_memo_stride(memo);
		guint64 differs = 0;

		if (G_UNLIKELY(place[0] != tag)) {
			if (!place[0])
				return place;
			continue;
		}
		for (gsize i = 0; i < n; i++)
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
