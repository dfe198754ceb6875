/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The operands of a text: the fields and key tables that it depends on. Equal operands make equal
 * texts.
 */
#ifndef IOT_LANGUAGE_OPERANDS_H
#define IOT_LANGUAGE_OPERANDS_H

#include "language/expr.h"
#include "language/keytable.h"
#include "language/memo.h"

enum { IOT_MAX_OPERANDS = 7, IOT_MAX_OPERAND_TABLES = 4 };

struct iot_operands {
	guint n;
	struct iot_operand {
		guint8 scope, slot;
	} at[IOT_MAX_OPERANDS];
	guint64 order; /* indexes in the order in which fields were added, four bits each */
	guint n_tables;
	struct iot_keytable *table[IOT_MAX_OPERAND_TABLES];
	gboolean pid;
	gboolean others; /* the text depends on other things, or on too many */
};

static inline void iot_operands_add(struct iot_operands *operands, enum iot_scope scope, int slot)
{
	guint i = 0;

	while (i < operands->n &&
	       (operands->at[i].scope != (guint8)scope || operands->at[i].slot != (guint8)slot))
		i++;
	if (i == G_N_ELEMENTS(operands->at) || operands->order >> 60) {
		operands->others = TRUE;
		return;
	}
	operands->order = operands->order << 4 | (i + 1);
	operands->at[i] = (struct iot_operand){ (guint8)scope, (guint8)slot };
	operands->n = MAX(operands->n, i + 1);
}

static inline void iot_operands_add_table(struct iot_operands *operands, struct iot_keytable *table)
{
	if (operands->n_tables == G_N_ELEMENTS(operands->table))
		operands->others = TRUE;
	else
		operands->table[operands->n_tables++] = table;
}

/** iot_operands_version - grows with every change of one of the tables */
static inline guint64 iot_operands_version(const struct iot_operands *operands)
{
	guint64 sum = 0;

	for (guint i = 0; i < operands->n_tables; i++)
		sum += iot_keytable_version(operands->table[i]);
	return sum;
}

/** iot_operands_key - a key of input, pid and fields, without the tables: iot_operands_n_values
 * values */
static inline void iot_operands_key(const struct iot_operands *operands,
				    const struct iot_eval *eval, struct iot_memo_key *key)
{
	const struct iot_rec *rec = eval->rec[IOT_SCOPE_SELF];
	guint32 pid = operands->pid && rec ? (guint32)rec->pid : 0;
	guint64 first = (guint64)eval->machine << 32 | pid;
	guint64 kinds = 0, hash = iot_memo_hash(0, first);
	const struct iot_operand *at = operands->at, *end = at + operands->n;
	guint64 *out = key->value;

	*out++ = first;
	for (; at < end; at++) {
		guint64 kind = IOT_SLOT_ABSENT, value = 0; /* without a record */

		rec = eval->rec[at->scope];
		if (G_LIKELY(rec)) {
			kind = rec->event->slot_type[at->slot];
			value = rec->slot[at->slot].u;
		}
		kinds = kinds << 8 | kind;
		hash = iot_memo_hash(hash, value);
		*out++ = value;
	}
	/* written once, from registers: this runs for every row of every call */
	key->n = operands->n + 1;
	key->kinds = kinds;
	key->hash = hash;
}

static inline guint iot_operands_n_values(const struct iot_operands *operands)
{
	return operands->n + 1;
}

#endif
