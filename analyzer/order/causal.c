/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "order/causal-local.h"

#include <string.h>

static guint thread_hash(gconstpointer key)
{
	return g_int64_hash(key);
}

static void assign_machines(struct iot_causal *causal)
{
	const struct iot_causal_input *inputs = causal->config.inputs;
	guint32 n = 0;

	causal->machine = g_new(guint32, MAX(causal->config.n_inputs, 1));
	for (guint i = 0; i < causal->config.n_inputs; i++) {
		guint first = 0;

		while (inputs[first].node != inputs[i].node)
			first++;
		causal->machine[i] = first < i ? causal->machine[first] : n++;
	}
}

struct iot_causal *iot_causal_new(const struct iot_causal_config *config)
{
	struct iot_causal *causal = g_new0(struct iot_causal, 1);
	const GPtrArray *rules = config->rules->rules;

	causal->config = *config;
	causal->config.inputs =
		g_memdup2(config->inputs, config->n_inputs * sizeof(*config->inputs));
	causal->moves = config->choice.policy >= IOT_CAUSALITY_HOLD;
	causal->by_thread =
		rules->len && ((const struct iot_order_rule *)rules->pdata[0])->by_thread;
	causal->n_rules = rules->len;
	causal->rules = g_new0(struct rule_state, MAX(rules->len, 1));
	for (guint i = 0; i < rules->len; i++) {
		const struct iot_order_rule *rule = rules->pdata[i];

		causal->rules[i].report.name = rule->name;
		causal->rules[i].hold_ns =
			config->choice.hold_ns ? config->choice.hold_ns : rule->hold_ns;
	}
	causal->seen = g_new0(gboolean, MAX(config->rules->by_event->len, 1));
	causal->inputs = g_new0(struct iot_causal_moves, MAX(config->n_inputs, 1));
	causal->gaps = g_new0(struct gaps, MAX(config->n_inputs, 1));
	causal->due = G_MAXUINT64;
	causal->next_idx = 1;
	iot_hashset_init(&causal->entries);
	causal->queues = g_ptr_array_new_with_free_func(g_free);
	causal->by_thread_queue = g_hash_table_new_full(thread_hash, g_int64_equal, g_free, NULL);
	causal->events = g_ptr_array_new_with_free_func(g_free);
	if (config->choice.keep_ppm)
		causal->spread = iot_causal_spread_new(&config->choice);
	assign_machines(causal);
	return causal;
}

static void free_list(struct iot_causal *causal, struct list *list)
{
	while (list->first) {
		struct held *held = list->first;

		list->first = held->next;
		iot_held_free(causal, held);
	}
}

void iot_causal_free(struct iot_causal *causal)
{
	if (!causal)
		return;
	iot_causal_spread_free(causal);
	free_list(causal, &causal->ahead);
	for (guint i = 0; i < causal->queues->len; i++)
		free_list(causal, &((struct queue *)causal->queues->pdata[i])->list);
	while (causal->oldest) {
		struct entry *entry = causal->oldest;

		while (entry->waiters) {
			struct waiter *waiter = entry->waiters;

			entry->waiters = waiter->next;
			g_free(waiter);
		}
		iot_causal_remove(causal, entry);
	}
	iot_hashset_clear(&causal->entries);
	g_ptr_array_unref(causal->events);
	g_ptr_array_unref(causal->queues);
	g_hash_table_unref(causal->by_thread_queue);
	g_free((gpointer)causal->config.inputs);
	g_free(causal->machine);
	g_free(causal->seen);
	g_free(causal->inputs);
	g_free(causal->gaps);
	g_free(causal->rules);
	g_free(causal);
}

/* Deliver a record that need not be copied. */
static void deliver_now(struct iot_causal *causal, struct held *held)
{
	static const struct iot_moved unmoved;

	if (causal->config.choice.rounds) {
		iot_causal_change(
			causal, held->rec,
			iot_causal_hand_over(causal, iot_queue_at(causal, held->queue), held));
		return;
	}
	causal->now = MAX(causal->now, held->rec->ts);
	causal->top_idx = held->idx;
	causal->config.func(causal->config.user_data, held->rec, &unmoved);
	iot_causal_change(causal, held->rec, 0);
}

/* With spread each record waits in the window of its queue. */
static gboolean nothing_held(const struct iot_causal *causal)
{
	return !causal->ahead.first && !causal->busy && !causal->spread;
}

/* Count, and deliver as it comes. */
static void push_through(struct iot_causal *causal, struct held *held)
{
	static const struct iot_moved unmoved;

	iot_causal_judge(causal, held);
	iot_causal_change(causal, held->rec, 0);
	causal->config.func(causal->config.user_data, held->rec, &unmoved);
}

gboolean iot_causal_ignores(const struct iot_causal *causal, guint event)
{
	return !causal->moves && !iot_order_uses(causal->config.rules, event);
}

void iot_causal_push(struct iot_causal *causal, struct iot_rec *rec)
{
	struct held held = { .rec = rec, .queue = iot_causal_queue(causal, rec) }, *copy;

	causal->pushed = rec->ts;
	if (G_UNLIKELY(rec->ts > causal->due)) {
		iot_causal_expire(causal, rec->ts);
		iot_causal_drain(causal);
	}
	if (!causal->moves) {
		push_through(causal, &held);
		return;
	}
	held.idx = causal->next_idx++;
	iot_causal_judge(causal, &held);
	if (!held.waiters && nothing_held(causal)) {
		deliver_now(causal, &held);
		return;
	}
	copy = iot_held_new(causal, rec->event);
	memcpy(copy->rec, rec, iot_rec_size(rec->event));
	copy->idx = held.idx;
	copy->queue = held.queue;
	copy->level = held.level;
	copy->waiters = held.waiters;
	for (struct waiter *waiter = copy->waiters; waiter; waiter = waiter->also) {
		waiter->held = copy;
		copy->n_undecided += waiter->decision == UNDECIDED;
	}
	iot_causal_announce(causal, copy);
	iot_causal_hold(causal, copy);
}

void iot_causal_finish(struct iot_causal *causal)
{
	iot_causal_flush(causal);
	for (guint i = 0; i < causal->n_rules; i++)
		while (causal->rules[i].first) {
			struct iot_causal_report *report = &causal->rules[i].report;

			iot_causal_give_up(causal, causal->rules[i].first,
					   causal->moves ? &report->at_end : &report->missing);
		}
}

guint64 iot_causal_oldest(const struct iot_causal *causal)
{
	guint64 oldest = causal->ahead.first ? causal->ahead.first->rec->ts : G_MAXUINT64;

	if (causal->spread)
		oldest = MIN(oldest, iot_past_oldest(causal));
	if (causal->busy && causal->config.choice.policy == IOT_CAUSALITY_ADJUST)
		return MIN(oldest, causal->now);
	for (const struct queue *queue = causal->busy; queue; queue = queue->next_busy)
		oldest = MIN(oldest, queue->list.first->rec->ts);
	return oldest;
}

gsize iot_causal_memory(const struct iot_causal *causal)
{
	return causal->most_bytes + causal->most_entries * (sizeof(struct entry) + 128);
}

gboolean iot_causal_report(const struct iot_causal *causal, guint index,
			   struct iot_causal_report *out)
{
	if (index >= causal->n_rules)
		return FALSE;
	*out = causal->rules[index].report;
	return TRUE;
}

const struct iot_causal_moves *iot_causal_moves(const struct iot_causal *causal, guint input)
{
	return &causal->inputs[input];
}

gboolean iot_causal_unseen(const struct iot_causal *causal, guint event)
{
	return iot_order_uses(causal->config.rules, event) && !causal->seen[event];
}

void iot_causal_count(const struct iot_causal *causal, struct iot_diag *diag)
{
	for (guint i = 0; i < causal->n_rules; i++) {
		const struct iot_causal_report *report = &causal->rules[i].report;

		if (!causal->moves || causal->config.choice.strict)
			iot_diag_add(diag, IOT_DIAG_order_early, report->early);
		iot_diag_add(diag, IOT_DIAG_order_undecided, report->undecided);
		if (causal->moves)
			iot_diag_add(diag, IOT_DIAG_order_beyond, report->beyond);
		iot_diag_add(diag, IOT_DIAG_order_inside, report->inside);
		iot_diag_add(diag, IOT_DIAG_order_late, report->late);
		iot_diag_add(diag, IOT_DIAG_order_uncounted, report->uncounted);
		iot_diag_add(diag, IOT_DIAG_order_far, report->far);
		iot_diag_add(diag, IOT_DIAG_order_stuck, report->stuck);
		iot_diag_add(diag, IOT_DIAG_order_overflow, report->overflow);
		iot_diag_add(diag, IOT_DIAG_order_evicted, report->evicted);
		iot_diag_add(diag, IOT_DIAG_order_unmet, report->at_end);
	}
	for (guint i = 0; i < causal->config.n_inputs; i++) {
		iot_diag_add(diag, IOT_DIAG_order_held, causal->inputs[i].held);
		iot_diag_add(diag, IOT_DIAG_order_shifted, causal->inputs[i].shifted);
		iot_diag_add(diag, IOT_DIAG_order_grown_effect, causal->inputs[i].grown_effect);
		iot_diag_add(diag, IOT_DIAG_order_grown_window, causal->inputs[i].grown_window);
	}
}
