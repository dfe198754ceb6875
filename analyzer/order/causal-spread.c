/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The backward half of the controlled logical clock (--causality adjust,spread). An effect that
 * gets a later time makes the interval before it longer. So the records before it are moved, too:
 * by so much that no interval grows by more than the share. Records wait in the window of their
 * queue until no later record can move them.
 *
 * A record passes no record of another queue that has a key in common and another part in the rule:
 * so no cause overtakes its effect.
 *
 * Shifts are compared as heights: the shift, less the share of the recorded time. An interval grows
 * by more than the share exactly if the height increases.
 */
#include "order/causal-local.h"
#include "base/heap.h"

#include <string.h>

/* A jump moves at most so many records of its queue: this bounds memory and time. */
enum { MAX_OPEN = 4096 };

/* A record has a key of a rule. */
struct token {
	struct token *next, **at; /* in a list of the key; @at: NULL: in none */
	struct key *key;
	struct past *past;
};

/* The records of one key that may pass no record of another part. */
struct key {
	const struct iot_order_rule *rule;
	guint64 hash;
	guint32 texts;	      /* values that are texts */
	guint8 part;	      /* what they do in the rule */
	struct token *now;    /* the latest records of the same part */
	struct token *before; /* those before them, of the only queue that @now has */
	guint64 value[];
};

/* A record that has got its time, and may get a later one. */
struct past {
	struct past_state state;
	struct past *prev, *next; /* of its queue */
	guint64 seq;		  /* number in the order of delivery */
	guint64 limit;		  /* the time of the first record that it may not pass */
	guint n_tokens;
	struct token token[];
};

struct spread {
	guint32 share_ppm;
	guint64 back_ns;
	guint64 next_seq;
	struct iot_heap queues; /* with records in their windows, by the time of the first one */
	struct iot_hashset keys;
};

static gint64 height(const struct spread *spread, const struct past *past, guint64 t)
{
	guint64 raw = past->state.held->rec->ts;

	return (gint64)(t - raw) - (gint64)((unsigned __int128)raw * spread->share_ppm / 1000000);
}

static gint64 own_height(const struct spread *spread, const struct past *past)
{
	return height(spread, past, past->state.out);
}

/* The time that it gets, as far as is known. */
static guint64 best_time(const struct spread *spread, const struct past *past)
{
	gint64 more = past->state.reached - own_height(spread, past);

	return more > 0 ? past->state.out + (guint64)more : past->state.out;
}

/* ---- keys */

static void unlink_token(struct token *token)
{
	if (!token->at)
		return;
	*token->at = token->next;
	if (token->next)
		token->next->at = token->at;
	token->at = NULL;
}

static void link_token(struct token **list, struct token *token)
{
	token->next = *list;
	if (token->next)
		token->next->at = &token->next;
	token->at = list;
	*list = token;
}

/* The records of the list that are of another queue may not pass this one. */
static void limit_others(struct token *list, const struct past *past)
{
	struct token *next;

	for (struct token *token = list; token; token = next) {
		next = token->next;
		if (token->past->state.held->queue == past->state.held->queue)
			continue;
		token->past->limit = MIN(token->past->limit, past->state.out);
		unlink_token(token);
	}
}

static struct key *find_key(struct spread *spread, struct iot_order_use *use,
			    const struct iot_eval *eval)
{
	const struct iot_order_rule *rule = use->rule;
	guint64 value[IOT_ORDER_KEYS];
	guint32 texts;
	guint64 hash = iot_order_use_key(use, eval, value, &texts);
	gsize size = rule->n_keys * sizeof(*value);
	guint at = iot_hashset_first(&spread->keys, hash);
	struct key *key;

	while ((key = iot_hashset_next(&spread->keys, hash, &at)))
		if (key->rule == rule && key->texts == texts && !memcmp(key->value, value, size))
			return key;
	key = g_malloc0(sizeof(*key) + size);
	key->rule = rule;
	key->hash = hash;
	key->texts = texts;
	memcpy(key->value, value, size);
	iot_hashset_add(&spread->keys, hash, key);
	return key;
}

/* What limits a record limits the earlier ones of its queue, too: they stay in order. So a key
 * needs its last two lists only. */
static void add_token(struct key *key, struct token *token, guint8 part)
{
	if (key->part != part) {
		while (key->before)
			unlink_token(key->before);
		while (key->now) {
			struct token *moved = key->now;

			unlink_token(moved);
			link_token(&key->before, moved);
		}
		key->part = part;
	}
	token->key = key;
	link_token(&key->now, token);
	limit_others(key->before, token->past);
}

static void add_tokens(struct iot_causal *causal, struct past *past, const GPtrArray *uses)
{
	struct iot_eval eval;

	iot_causal_eval(causal, &eval, past->state.held->rec);
	for (guint i = 0; i < uses->len; i++) {
		struct iot_order_use *use = uses->pdata[i];
		struct token *token = &past->token[past->n_tokens];

		if (use->when && !iot_expr_eval(use->when, &eval))
			continue;
		token->past = past;
		past->n_tokens++;
		add_token(find_key(causal->spread, use, &eval), token, (guint8)use->part);
	}
}

static void remove_tokens(struct spread *spread, struct past *past)
{
	for (guint i = 0; i < past->n_tokens; i++) {
		struct token *token = &past->token[i];
		struct key *key = token->key;

		if (!token->at)
			continue; /* nor is its key needed for it */
		unlink_token(token);
		if (key->now || key->before)
			continue;
		iot_hashset_remove(&spread->keys, key->hash, key);
		g_free(key);
	}
}

/* ---- the window of a queue */

/* No record that follows moves the first open one. */
static void close_first(struct spread *spread, struct queue *queue)
{
	struct past *past = queue->first_open;

	queue->base = own_height(spread, past);
	past->state.open = FALSE;
	queue->first_open = past->next;
	queue->n_open--;
}

/* @frontier: the recorded time of the next record of the queue, or an earlier time. */
static void close_until(struct spread *spread, struct queue *queue, guint64 frontier)
{
	while (queue->first_open &&
	       frontier > queue->first_open->state.held->rec->ts + MIN(spread->back_ns, G_MAXINT64))
		close_first(spread, queue);
}

static gsize past_size(const GPtrArray *uses)
{
	return sizeof(struct past) + (uses ? uses->len : 0) * sizeof(struct token);
}

static const GPtrArray *uses_of(const struct iot_causal *causal, const struct held *held)
{
	return iot_order_uses(causal->config.rules, held->rec->event->index);
}

static struct past *append_past(struct iot_causal *causal, const struct past_state *state)
{
	struct spread *spread = causal->spread;
	struct queue *queue = iot_queue_at(causal, state->held->queue);
	const GPtrArray *uses = uses_of(causal, state->held);
	struct past *past = g_malloc0(past_size(uses));

	causal->bytes += past_size(uses);
	causal->most_bytes = MAX(causal->most_bytes, causal->bytes);
	past->state = *state;
	past->seq = spread->next_seq++;
	past->limit = G_MAXUINT64;
	past->prev = queue->last_past;
	*(past->prev ? &past->prev->next : &queue->first_past) = past;
	queue->last_past = past;
	if (!past->prev)
		iot_heap_push(&spread->queues, state->out, past->seq, (guint64)(gsize)queue);
	if (state->open) {
		queue->n_open++;
		queue->first_open = queue->first_open ? queue->first_open : past;
	}
	if (uses)
		add_tokens(causal, past, uses);
	return past;
}

void iot_past_add(struct iot_causal *causal, struct held *held, guint64 out, guint64 round)
{
	struct spread *spread = causal->spread;
	struct queue *queue = iot_queue_at(causal, held->queue);
	struct past_state state = { .held = held, .out = out, .round = round, .open = TRUE };
	struct past *past;
	gint64 reach;

	held->n_changes = 0; /* they have passed */
	close_until(spread, queue, held->rec->ts);
	if (queue->n_open >= MAX_OPEN)
		close_first(spread, queue);
	past = append_past(causal, &state);
	/* not higher than the last record that stays: the jump would only move there */
	reach = past->state.reached = MIN(own_height(spread, past), queue->base);
	for (past = past->prev; past && past->state.open; past = past->prev) {
		if (past->limit != G_MAXUINT64)
			reach = MIN(reach, height(spread, past, past->limit));
		if (reach <= past->state.reached)
			break; /* so are the earlier ones */
		past->state.reached = reach;
	}
}

/* ---- delivery */

static void count_growth(struct iot_causal *causal, struct queue *queue, const struct past *past,
			 guint64 t)
{
	struct iot_causal_moves *moves = &causal->inputs[past->state.held->rec->event->input];
	gint64 now = height(causal->spread, past, t);

	if (queue->last_height < now) {
		*(queue->last_limited ? &moves->grown_effect : &moves->grown_window) += 1;
		moves->grown_ns = MAX(moves->grown_ns, (guint64)(now - queue->last_height));
	}
	queue->last_height = now;
	queue->last_limited = t >= past->limit;
}

static void deliver_first(struct iot_causal *causal, struct queue *queue)
{
	struct past *past = queue->first_past;
	guint64 t = best_time(causal->spread, past);
	gsize size = past_size(uses_of(causal, past->state.held));

	queue->first_past = past->next;
	*(past->next ? &past->next->prev : &queue->last_past) = NULL;
	remove_tokens(causal->spread, past);
	count_growth(causal, queue, past, t);
	iot_causal_deliver(causal, past->state.held, t, past->state.round);
	iot_held_free(causal, past->state.held);
	causal->bytes -= size;
	g_free(past);
}

/* No record of the queue that follows was recorded earlier. */
static guint64 find_frontier(const struct iot_causal *causal, const struct queue *queue)
{
	const struct held *next = queue->list.first ? queue->list.first : causal->ahead.first;

	return next ? next->rec->ts : causal->pushed;
}

void iot_past_deliver(struct iot_causal *causal)
{
	struct spread *spread = causal->spread;
	const struct iot_heap_entry *top;

	/* in the order of (time, number); that of an open record may become later */
	while ((top = iot_heap_top(&spread->queues))) {
		struct queue *queue = (struct queue *)(gsize)top->value;
		const struct past *first = queue->first_past;
		guint64 t;

		if (first->state.open)
			close_until(spread, queue, find_frontier(causal, queue));
		t = best_time(spread, first);
		if (t > top->key) {
			iot_heap_replace_top(&spread->queues, t, first->seq, top->value);
			continue;
		}
		if (first->state.open)
			return;
		deliver_first(causal, queue);
		first = queue->first_past;
		if (first)
			iot_heap_replace_top(&spread->queues, best_time(spread, first), first->seq,
					     (guint64)(gsize)queue);
		else
			iot_heap_pop(&spread->queues);
	}
}

gboolean iot_past_shorten(struct iot_causal *causal)
{
	const struct iot_heap_entry *top = iot_heap_top(&causal->spread->queues);

	if (!top)
		return FALSE;
	close_first(causal->spread, (struct queue *)(gsize)top->value);
	return TRUE;
}

void iot_past_finish(struct iot_causal *causal)
{
	do
		iot_past_deliver(causal);
	while (iot_past_shorten(causal));
}

guint64 iot_past_oldest(const struct iot_causal *causal)
{
	const struct iot_heap_entry *top = iot_heap_top(&causal->spread->queues);

	return top ? top->key : G_MAXUINT64;
}

/* ---- checkpoints */

static gint by_number(gconstpointer a, gconstpointer b)
{
	const struct past *x = *(struct past *const *)a, *y = *(struct past *const *)b;

	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

GArray *iot_past_list(const struct iot_causal *causal)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct past_state));
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (guint i = 0; i < causal->queues->len; i++) {
		const struct queue *queue = causal->queues->pdata[i];

		for (struct past *past = queue->first_past; past; past = past->next)
			g_ptr_array_add(all, past);
	}
	g_ptr_array_sort(all, by_number);
	for (guint i = 0; i < all->len; i++)
		g_array_append_val(list, ((struct past *)all->pdata[i])->state);
	return list;
}

/* Keys and limits come from the records that still wait: delivered ones limit none. */
void iot_past_restore(struct iot_causal *causal, const struct past_state *state)
{
	append_past(causal, state);
}

/* ---- */

struct spread *iot_causal_spread_new(const struct iot_causality_choice *choice)
{
	struct spread *spread = g_new0(struct spread, 1);

	spread->share_ppm = 1000000 - choice->keep_ppm;
	spread->back_ns = choice->back_ns;
	iot_hashset_init(&spread->keys);
	return spread;
}

void iot_causal_spread_free(struct iot_causal *causal)
{
	struct spread *spread = causal->spread;

	if (!spread)
		return;
	for (guint i = 0; i < causal->queues->len; i++) {
		struct queue *queue = causal->queues->pdata[i];
		struct past *next;

		for (struct past *past = queue->first_past; past; past = next) {
			next = past->next;
			remove_tokens(spread, past);
			iot_held_free(causal, past->state.held);
			g_free(past);
		}
	}
	iot_heap_clear(&spread->queues);
	iot_hashset_clear(&spread->keys);
	g_free(spread);
}
