/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache from a few values to one number, such as a text or a row. It grows up to a limit and is
 * emptied then, so its size does not depend on the length of the recording.
 *
 * Caches of texts and rows, and when entries become stale
 *
 * Texts and rows are never removed or changed, so an entry is stale only if its key leads to
 * another text or row now. There are two kinds of keys.
 *
 * Keys with all values that the answer depends on. A key table lookup adds the text or
 * number that the table returned. Such entries are never stale:
 *
 *	texts by number		template.h: struct iot_template_head
 *	recent texts of a field, memo, texts of keys
 *				template-text.c
 *	recent numbers		names.c, and commands.c: by process and time
 *	rows by values		model/row.c
 *	recent categories	model/bind.c
 *
 * Keys with the fields alone, so that no table is asked. Such entries are stale after a change of
 * one of the tables that the answer depends on. Changes are counted:
 *
 *	iot_keytable_version	changes of one table. The table cache of template-text.c stores the
 *				version with each entry; an entry with another version is stale.
 *	model->tables_version	changes of all tables of a model (iot_keytable_watch). A table that
 *				models share increments the version of each model.
 *
 * Rows by fields (model/row.c) use both. An entry holds the row and, above 32 bits, the generation
 * of its row type when it was stored; an entry of another generation is stale. Before each lookup
 * the row type compares model->tables_version with seen_version, the value at its last look. If
 * some table has changed, it adds up the versions of the tables in its ids (iot_operands_version)
 * and compares the sum with its tables_version; a new sum begins a new generation. So a call that
 * changes no table costs one compare. When the generation would become 0, the memo is emptied.
 *
 * Two things look like caches and are none. A row path (struct iot_row_path) is compiled once and
 * shared. eval->number identifies an evaluation: state->placed holds the number for which row and
 * lane of the state's item are valid, and points of the same call look them up there.
 *
 * Measured on file I/O, in instructions for an event: without the texts by number 13 % more,
 * without the recent texts 19 % more, without the table cache 8 % more.
 *
 * With IOTRACE_FAULT=slow (base/fault.h) no cache answers; the outputs must be the same bytes.
 */
#ifndef IOT_LANGUAGE_MEMO_H
#define IOT_LANGUAGE_MEMO_H

#include "base/intern.h"

enum { IOT_MEMO_VALUES = 8 };
#define IOT_MEMO_USED (G_GUINT64_CONSTANT(1) << 63)

struct iot_memo_key {
	guint n;
	guint64 kinds; /* a byte for each value, less than 128 */
	guint64 hash;  /* of the values */
	guint64 value[IOT_MEMO_VALUES];
};

struct iot_memo {
	guint n_values; /* in each key */
	guint max;	/* greatest number of keys; a power of two */
	guint mask, n;
	guint64 *words; /* open addressing. Each slot: tag (0: free), answer, values */
};

void iot_memo_init(struct iot_memo *memo, guint n_values, guint max);
void iot_memo_clear(struct iot_memo *memo);
/** iot_memo_add - store a new key in a free slot, with the answer 0; returns its slot */
guint64 *iot_memo_add(struct iot_memo *memo, const struct iot_memo_key *key, guint64 *slot);

/* Two instructions for each value. The high bits depend on all values; the lookup folds them in. */
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

/** iot_memo_key_start - a key without values; key->value stays uninitialised, which is faster */
static inline void iot_memo_key_start(struct iot_memo_key *key)
{
	key->n = 0;
	key->kinds = key->hash = 0;
}

/* Not 0. Equal keys have equal tags. The hash covers all values, so two keys with equal values and
 * equal tags have equal kinds, too. */
static inline guint64 iot_memo_tag(const struct iot_memo_key *key)
{
	return (key->kinds ^ key->hash) | IOT_MEMO_USED;
}

static inline gsize iot_memo_stride(const struct iot_memo *memo)
{
	return memo->n_values + 2;
}

/** iot_memo_look - the slot of a key, or the free slot for it; see memo->words */
static inline guint64 *iot_memo_look(const struct iot_memo *memo, const struct iot_memo_key *key)
{
	gsize n = memo->n_values, at = key->hash ^ key->hash >> 32;
	guint64 tag = iot_memo_tag(key);

	for (;; at++) {
		guint64 *slot = memo->words + (at & memo->mask) * iot_memo_stride(memo);
		guint64 differs = 0;

		if (G_UNLIKELY(slot[0] != tag)) {
			if (!slot[0])
				return slot;
			continue;
		}
		for (gsize i = 0; i < n; i++)
			differs |= slot[2 + i] ^ key->value[i];
		if (G_LIKELY(!differs))
			return slot;
	}
}

/**
 * iot_memo_find - where the answer for a key of memo->n_values values is
 *
 * 0 if the key is new: the caller writes the answer there, or leaves 0 and is asked again. The
 * address is valid until the next call.
 */
static inline guint64 *iot_memo_find(struct iot_memo *memo, const struct iot_memo_key *key)
{
	guint64 *slot = iot_memo_look(memo, key);

	return (G_LIKELY(*slot) ? slot : iot_memo_add(memo, key, slot)) + 1;
}

#endif
