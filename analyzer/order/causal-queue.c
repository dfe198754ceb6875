/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Held records. They are read in the order of the merge into the list ahead, and stay there while
 * the first one is undecided: whether its cause will come is not known yet. Then they go to the
 * queue of their machine, and leave it as soon as the causes of the first one have passed.
 */
#include "order/causal-local.h"

static gsize held_size(const struct iot_event *event, guint max_changes)
{
	return sizeof(struct held) + max_changes * sizeof(struct change) + iot_rec_size(event);
}

struct held *iot_held_new(const struct iot_causal *causal, const struct iot_event *event)
{
	const GPtrArray *uses = iot_order_uses(causal->config.rules, event->index);
	guint max_changes = uses ? uses->len : 0;
	struct held *held = g_malloc(held_size(event, max_changes));

	*held = (struct held){ .max_changes = max_changes, .changes = (struct change *)(held + 1) };
	held->rec = (struct iot_rec *)(held->changes + max_changes);
	held->rec->event = event;
	return held;
}

void iot_held_free(struct iot_causal *causal, struct held *held)
{
	causal->bytes -= held_size(held->rec->event, held->max_changes);
	g_free(held);
}

static void append(struct list *list, struct held *held)
{
	held->next = NULL;
	*(list->last ? &list->last->next : &list->first) = held;
	list->last = held;
}

void iot_held_append(struct iot_causal *causal, struct list *list, struct held *held)
{
	causal->bytes += held_size(held->rec->event, held->max_changes);
	causal->most_bytes = MAX(causal->most_bytes, causal->bytes);
	append(list, held);
}

static struct held *take_first(struct list *list)
{
	struct held *held = list->first;

	list->first = held->next;
	if (!list->first)
		list->last = NULL;
	return held;
}

struct queue *iot_queue_at(const struct iot_causal *causal, guint32 index)
{
	while (causal->queues->len <= index) {
		struct queue *queue = g_new0(struct queue, 1);

		queue->base = queue->last_height = G_MAXINT64;
		g_ptr_array_add(causal->queues, queue);
	}
	return causal->queues->pdata[index];
}

static gboolean is_ready(const struct held *held)
{
	for (const struct waiter *waiter = held->waiters; waiter; waiter = waiter->also)
		if (waiter->decision != FREE &&
		    !iot_order_holds(waiter->entry->rule, iot_causal_mask(waiter->entry, waiter)))
			return FALSE;
	return TRUE;
}

/* The earliest time at which the queue may deliver the record. */
static guint64 due_time(const struct iot_causal *causal, const struct queue *queue, guint64 raw)
{
	guint64 gap = raw - MIN(raw, queue->last_raw), least;

	if (!causal->config.choice.keep_ppm)
		return raw;
	least = queue->last_out +
		(guint64)((unsigned __int128)gap * causal->config.choice.keep_ppm / 1000000);
	return MAX(raw, least);
}

/* ---- delivery */

static void count_move(struct iot_causal *causal, const struct held *held, guint64 shift,
		       guint64 round)
{
	struct iot_causal_moves *moves = &causal->inputs[held->rec->event->input];

	moves->last_round = MAX(moves->last_round, round);
	if (held->idx < causal->top_idx)
		moves->held++;
	else
		causal->top_idx = held->idx;
	if (!shift)
		return;
	moves->shifted++;
	moves->sum_ns += shift;
	if (shift <= moves->largest_ns)
		return;
	moves->largest_ns = shift;
	moves->largest_at = held->rec->ts - shift;
}

static guint64 round_of(struct queue *queue, const struct held *held)
{
	guint64 level = MAX(queue->level, held->level);

	for (const struct waiter *waiter = held->waiters; waiter; waiter = waiter->also) {
		struct entry *entry = waiter->entry;
		guint64 after = iot_order_level(entry->rule, iot_causal_mask(entry, waiter),
						iot_entry_levels(entry));

		if (waiter->decision != FREE && after != G_MAXUINT64)
			level = MAX(level, after);
	}
	return queue->level = level + 1;
}

void iot_causal_deliver(struct iot_causal *causal, struct held *held, guint64 t, guint64 round)
{
	struct iot_moved moved = { .shift = t - held->rec->ts, .round = round };

	held->rec->ts = t;
	count_move(causal, held, moved.shift, round);
	causal->config.func(causal->config.user_data, held->rec, &moved);
}

guint64 iot_causal_hand_over(struct iot_causal *causal, struct queue *queue, struct held *held)
{
	guint64 round = causal->config.choice.rounds ? round_of(queue, held) : 0;
	guint64 raw = held->rec->ts;

	causal->now = MAX(causal->now, due_time(causal, queue, raw));
	queue->last_raw = raw;
	queue->last_out = causal->config.choice.policy == IOT_CAUSALITY_ADJUST ? causal->now : raw;
	if (!causal->spread)
		iot_causal_deliver(causal, held, queue->last_out, round);
	while (held->waiters) {
		struct waiter *waiter = held->waiters;

		held->waiters = waiter->also;
		iot_causal_forget(causal, waiter);
	}
	return round;
}

/* The first record of a queue that may leave up to @limit: the one that is due first. */
static struct queue *find_ready(struct iot_causal *causal, guint64 limit)
{
	struct queue *best = NULL;
	guint64 best_due = 0;

	for (struct queue *queue = causal->busy; queue; queue = queue->next_busy) {
		const struct held *first = queue->list.first;
		guint64 due = due_time(causal, queue, first->rec->ts);

		if (due > limit ||
		    (best &&
		     (due > best_due || (due == best_due && first->idx > best->list.first->idx))))
			continue;
		if (!is_ready(first))
			continue;
		best = queue;
		best_due = due;
	}
	return best;
}

static void remove_busy(struct iot_causal *causal, struct queue *queue)
{
	struct queue **at = &causal->busy;

	while (*at != queue)
		at = &(*at)->next_busy;
	*at = queue->next_busy;
}

static void release(struct iot_causal *causal, guint64 limit)
{
	struct queue *queue;

	while ((queue = find_ready(causal, limit))) {
		struct held *held = take_first(&queue->list);
		guint64 round;

		if (!queue->list.first)
			remove_busy(causal, queue);
		round = iot_causal_hand_over(causal, queue, held);
		iot_causal_pass(causal, held, round);
		if (causal->spread)
			iot_past_add(causal, held, queue->last_out, round);
		else
			iot_held_free(causal, held);
	}
}

/* ---- effects that wait for each other */

static gboolean is_hopeful(struct iot_causal *causal, guint32 index);

/* Whether records that can still leave make the condition true. */
static gboolean may_be_met(struct iot_causal *causal, const struct waiter *waiter)
{
	struct entry *entry = waiter->entry;
	guint32 can = iot_causal_mask(entry, waiter), can_not = ~can;
	struct tally tally;

	if (entry->rule->counts)
		iot_tally_init(&tally, entry);
	for (const struct change *c = entry->first; c; c = c->next) {
		if (c->part == IOT_ORDER_CAUSE && !iot_change_counts(c, waiter))
			continue;
		if (c->part > IOT_ORDER_UNTIL ||
		    (c->queue == waiter->queue && c->idx > waiter->idx))
			continue;
		if (c->idx <= causal->replayed && !is_hopeful(causal, c->queue))
			continue;
		if (c->part == IOT_ORDER_CAUSE && entry->rule->counts &&
		    !iot_tally_reaches(&tally, c, waiter))
			continue;
		*(c->part == IOT_ORDER_CAUSE ? &can : &can_not) |= 1u << c->cause;
	}
	return iot_order_possible(entry->rule, can, can_not);
}

static gboolean is_hopeful(struct iot_causal *causal, guint32 index)
{
	struct queue *queue = iot_queue_at(causal, index);
	const struct held *first = queue->list.first;
	gboolean hopeful = TRUE;

	if (queue->search != UNKNOWN || !first)
		return queue->search != ON_PATH;
	queue->search = ON_PATH;
	for (const struct waiter *waiter = first->waiters; hopeful && waiter; waiter = waiter->also)
		hopeful = waiter->decision == FREE || may_be_met(causal, waiter);
	queue->search = hopeful ? HOPEFUL : UNKNOWN;
	return hopeful;
}

/* The queue of the oldest record that can never leave; NULL: there is none. */
static struct queue *find_stuck(struct iot_causal *causal)
{
	struct queue *found = NULL;

	for (struct queue *queue = causal->busy; queue; queue = queue->next_busy)
		if ((!found || queue->list.first->idx < found->list.first->idx) &&
		    !is_hopeful(causal, queue->list.first->queue))
			found = queue;
	for (guint i = 0; i < causal->queues->len; i++)
		((struct queue *)causal->queues->pdata[i])->search = UNKNOWN;
	return found;
}

/* The effects of the record wait no longer; those of which a cause has come still do if only
 * @undecided ones go. @count: where they are counted in a report. */
static void let_go(struct iot_causal *causal, struct held *held, gsize count, gboolean undecided)
{
	for (struct waiter *waiter = held->waiters; waiter; waiter = waiter->also) {
		struct rule_state *rule = &causal->rules[waiter->entry->rule->index];

		if (waiter->decision == FREE || (undecided && waiter->decision != UNDECIDED))
			continue;
		iot_causal_give_up(causal, waiter, (guint64 *)((char *)&rule->report + count));
	}
}

static void unstick(struct iot_causal *causal, guint64 limit)
{
	struct queue *stuck;

	while (causal->busy && (stuck = find_stuck(causal))) {
		let_go(causal, stuck->list.first, G_STRUCT_OFFSET(struct iot_causal_report, stuck),
		       FALSE);
		release(causal, limit);
	}
}

/* ---- from the merge to the queues */

static void replay(struct iot_causal *causal, struct held *held)
{
	struct queue *queue = iot_queue_at(causal, held->queue);
	guint64 position = held->rec->ts;

	if (causal->config.choice.keep_ppm)
		release(causal, position);
	causal->now = MAX(causal->now, position);
	causal->replayed = held->idx;
	if (!queue->list.first)
		iot_queue_busy(causal, queue);
	append(&queue->list, held);
	release(causal, position);
	unstick(causal, position);
}

/* The queue of the oldest record; NULL: no queue has records. */
static struct queue *find_oldest(const struct iot_causal *causal)
{
	struct queue *oldest = causal->busy;

	for (struct queue *queue = oldest; queue; queue = queue->next_busy)
		if (queue->list.first->idx < oldest->list.first->idx)
			oldest = queue;
	return oldest;
}

/* The memory is full: the oldest effect waits no longer. */
static void relieve(struct iot_causal *causal)
{
	gsize count = G_STRUCT_OFFSET(struct iot_causal_report, overflow);
	struct queue *oldest = find_oldest(causal);

	if (oldest) {
		let_go(causal, oldest->list.first, count, FALSE);
		release(causal, causal->config.choice.keep_ppm ? G_MAXUINT64 : causal->now);
		unstick(causal, causal->now);
	} else if (causal->ahead.first) {
		let_go(causal, causal->ahead.first, count, TRUE);
	}
}

void iot_causal_drain(struct iot_causal *causal)
{
	for (;;) {
		while (causal->ahead.first && !causal->ahead.first->n_undecided)
			replay(causal, take_first(&causal->ahead));
		if (causal->spread)
			iot_past_deliver(causal);
		if (causal->bytes <= causal->config.memory)
			return;
		if (!causal->spread || !iot_past_shorten(causal))
			relieve(causal);
	}
}

void iot_causal_hold(struct iot_causal *causal, struct held *held)
{
	iot_held_append(causal, &causal->ahead, held);
	iot_causal_drain(causal);
}

void iot_causal_flush(struct iot_causal *causal)
{
	gsize count = G_STRUCT_OFFSET(struct iot_causal_report, at_end);

	while (causal->ahead.first) {
		let_go(causal, causal->ahead.first, count, TRUE);
		iot_causal_drain(causal);
	}
	release(causal, G_MAXUINT64);
	while (causal->busy) {
		let_go(causal, find_oldest(causal)->list.first, count, FALSE);
		release(causal, G_MAXUINT64);
	}
	if (causal->spread)
		iot_past_finish(causal);
}
