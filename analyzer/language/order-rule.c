/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of order while records are read: keys and conditions. */
#include "language/order-rule.h"
#include "language/memo.h"

static guint32 find_texts(struct iot_order_use *use, const struct iot_eval *eval)
{
	const struct iot_event *event = eval->rec[IOT_SCOPE_SELF]->event;

	guint at = event->input % G_N_ELEMENTS(use->typed);
	guint32 texts = 0;

	if (use->typed[at].event == event)
		return use->typed[at].texts;
	for (guint i = 0; i < use->rule->n_keys; i++)
		if (iot_expr_type(use->key[i], eval) == IOT_EXPR_TEXT)
			texts |= 1u << i;
	use->typed[at].event = event;
	use->typed[at].texts = texts;
	return texts;
}

guint64 iot_order_use_key(struct iot_order_use *use, const struct iot_eval *eval, guint64 *out_key,
			  guint32 *out_texts)
{
	guint64 hash = use->rule->index;

	for (guint i = 0; i < use->rule->n_keys; i++) {
		out_key[i] = (guint64)iot_expr_eval(use->key[i], eval);
		hash = iot_memo_hash(hash, out_key[i]);
	}
	*out_texts = find_texts(use, eval);
	hash = iot_memo_hash(hash, *out_texts);
	return hash ^ hash >> 32;
}

gboolean iot_order_possible(const struct iot_order_rule *rule, guint can, guint can_not)
{
	/* one bit for each level of the stack: the top is bit 0 */
	guint32 yes = 0, no = 0;

	if (rule->n_ops == 1)
		return can >> rule->op[0] & 1; /* fast path: one cause */
	for (guint i = 0; i < rule->n_ops; i++) {
		gint8 op = rule->op[i];

		if (op == IOT_ORDER_NOT) {
			guint32 flip = (yes ^ no) & 1;

			yes ^= flip;
			no ^= flip;
		} else if (op == IOT_ORDER_AND) {
			yes = yes >> 1 & (yes | ~1u);
			no = no >> 1 | (no & 1);
		} else if (op == IOT_ORDER_OR) {
			yes = yes >> 1 | (yes & 1);
			no = no >> 1 & (no | ~1u);
		} else {
			yes = yes << 1 | (can >> op & 1);
			no = no << 1 | (can_not >> op & 1);
		}
	}
	return yes & 1;
}

guint64 iot_order_level(const struct iot_order_rule *rule, guint mask, const guint64 *level)
{
	/* G_MAXUINT64: not true */
	guint64 stack[IOT_ORDER_OPS];
	guint n = 0;

	for (guint i = 0; i < rule->n_ops; i++) {
		gint8 op = rule->op[i];

		if (op >= 0) {
			stack[n++] = mask >> op & 1 ? level[op] : G_MAXUINT64;
		} else if (op == IOT_ORDER_NOT) {
			stack[n - 1] = stack[n - 1] == G_MAXUINT64 ? 0 : G_MAXUINT64;
		} else {
			guint64 top = stack[--n];

			stack[n - 1] = op == IOT_ORDER_AND ? MAX(stack[n - 1], top)
							   : MIN(stack[n - 1], top);
		}
	}
	return stack[0];
}
