/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a text is made of in the end: fields, and key tables. As long as these are the same, so is
 * the text.
 */
#ifndef IOT_MODEL_OPERANDS_H
#define IOT_MODEL_OPERANDS_H

#include "model/expr.h"
#include "model/keytable.h"
#include "model/memo.h"

enum { IOT_OPERAND_PID = -1, IOT_MAX_OPERAND_TABLES = 4 };

struct iot_operands {
	guint n;
	struct iot_operand {
		enum iot_scope scope;
		int slot; /* or IOT_OPERAND_PID */
	} at[IOT_MEMO_VALUES];
	guint n_tables;
	struct iot_keytable *table[IOT_MAX_OPERAND_TABLES];
	gboolean others; /* it depends on something else, or on too much */
};

static inline void iot_operands_add(struct iot_operands *operands, enum iot_scope scope, int slot)
{
	if (operands->n == G_N_ELEMENTS(operands->at))
		operands->others = TRUE;
	else
		operands->at[operands->n++] = (struct iot_operand){ scope, slot };
}

static inline void iot_operands_add_table(struct iot_operands *operands, struct iot_keytable *table)
{
	if (operands->n_tables == G_N_ELEMENTS(operands->table))
		operands->others = TRUE;
	else
		operands->table[operands->n_tables++] = table;
}

/** iot_operands_version - grows with every change of what the tables say */
static inline guint64 iot_operands_version(const struct iot_operands *operands)
{
	guint64 sum = 0;

	for (guint i = 0; i < operands->n_tables; i++)
		sum += iot_keytable_version(operands->table[i]);
	return sum;
}

/** iot_operands_key - add the values of the fields to a key that has room for them */
static inline void iot_operands_key(const struct iot_operands *operands,
				    const struct iot_eval *eval, struct iot_memo_key *key)
{
	enum { NO_RECORD = 1, A_PID, A_FIELD }; /* the latter and its type */

	for (guint i = 0; i < operands->n; i++) {
		const struct iot_rec *rec = eval->rec[operands->at[i].scope];
		int slot = operands->at[i].slot;

		if (!rec)
			iot_memo_key_add(key, NO_RECORD, 0);
		else if (slot == IOT_OPERAND_PID)
			iot_memo_key_add(key, A_PID, (guint64)rec->pid);
		else
			iot_memo_key_add(key, A_FIELD + rec->event->slot_type[slot],
					 rec->slot[slot].u);
	}
}

#endif
