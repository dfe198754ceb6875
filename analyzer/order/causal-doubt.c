/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the recordings can be trusted to have an effect's cause. If it may be missing, a cause
 * that comes later with the same key may be that of a later effect, and proves nothing.
 */
#include "order/causal-local.h"

void iot_causal_gap(struct iot_causal *causal, guint input, guint64 ts, gboolean begins)
{
	struct gaps *gaps = &causal->gaps[input];

	if (begins)
		gaps->depth++;
	else if (gaps->depth)
		gaps->depth--;
	gaps->last_ns = MAX(gaps->last_ns, ts);
}

gboolean iot_causal_doubts(const struct iot_causal *causal, const struct waiter *waiter, guint64 ts)
{
	const struct iot_order_rule *rule = waiter->entry->rule;
	guint64 hold_ns = causal->rules[rule->index].hold_ns, since = 0, begin;

	if (!rule->reuses)
		return FALSE;
	begin = rule->begins ? waiter->begun_ns : waiter->t;
	begin -= MIN(begin, hold_ns);
	if (rule->begins)
		since = begin;
	/* what was before all recordings is not thought of */
	begin = MAX(begin, causal->config.inputs[waiter->input].first_ns);
	for (guint i = 0; i < causal->config.n_inputs; i++) {
		const struct iot_causal_input *input = &causal->config.inputs[i];
		const struct gaps *gaps = &causal->gaps[i];

		if (!input->used || (waiter->node != ANY_NODE && input->number != waiter->node) ||
		    (rule->local && i != waiter->input))
			continue;
		if (gaps->depth || (gaps->last_ns && gaps->last_ns >= since) ||
		    input->from_ns > begin || input->to_ns < ts)
			return TRUE;
	}
	return FALSE;
}

gboolean iot_causal_doubts_late(const struct iot_causal *causal, const struct waiter *waiter)
{
	for (guint i = 0; i < causal->config.n_inputs; i++) {
		const struct iot_causal_input *input = &causal->config.inputs[i];
		const struct gaps *gaps = &causal->gaps[i];

		if (!input->used || (waiter->entry->rule->local && i != waiter->input))
			continue;
		if (gaps->depth || (gaps->last_ns && gaps->last_ns >= waiter->ended_ns) ||
		    input->from_ns > waiter->ended_ns || input->to_ns < waiter->t)
			return TRUE;
	}
	return FALSE;
}
