/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the filter as bytes: keys with their waiting effects, and held records. */
#include "order/causal-local.h"

#include <string.h>

struct saver {
	const struct iot_causal *causal;
	GByteArray *out;
	GHashTable *events;  /* struct iot_event -> number + 1 */
	GHashTable *entries; /* struct entry -> number */
};

struct loader {
	struct iot_causal *causal;
	struct iot_unpack *in;
	GPtrArray *entries; /* of struct entry, the oldest first */
};

/* ---- save */

static void pack_int(GByteArray *out, gint64 value)
{
	iot_pack_uint(out, (guint64)value);
}

static void save_rec(struct saver *s, const struct iot_rec *rec)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(s->events, rec->event));

	iot_pack_uint(s->out, number);
	if (!number) {
		const struct iot_event *event = rec->event;

		g_hash_table_insert(s->events, (gpointer)event,
				    GUINT_TO_POINTER(g_hash_table_size(s->events) + 1));
		iot_pack_uint(s->out, event->index);
		iot_pack_uint(s->out, event->input);
		iot_pack_uint(s->out, event->n_slots);
		for (guint i = 0; i < event->n_slots; i++)
			iot_pack_uint(s->out, event->slot_type[i]);
	}
	iot_pack_uint(s->out, rec->ts);
	iot_pack_uint(s->out, rec->run);
	iot_pack_uint(s->out, (guint32)rec->pid);
	for (guint i = 0; i < rec->event->n_slots; i++)
		iot_pack_uint(s->out, rec->slot[i].u);
}

static void save_waiter(struct saver *s, const struct waiter *waiter)
{
	const struct iot_order_rule *rule = waiter->entry->rule;

	iot_pack_uint(s->out, GPOINTER_TO_UINT(g_hash_table_lookup(s->entries, waiter->entry)));
	iot_pack_uint(s->out, waiter->decision);
	iot_pack_uint(s->out, waiter->t);
	iot_pack_uint(s->out, waiter->idx);
	iot_pack_uint(s->out, waiter->input);
	iot_pack_uint(s->out, waiter->run);
	iot_pack_uint(s->out, waiter->queue);
	pack_int(s->out, waiter->node);
	iot_pack_uint(s->out, waiter->begun_ns);
	iot_pack_uint(s->out, waiter->inside);
	iot_pack_uint(s->out, waiter->ended_ns);
	iot_pack_uint(s->out, waiter->ended_input);
	for (guint i = 0; i < rule->n_causes; i++)
		pack_int(s->out, waiter->wants[i]);
}

static void save_waiters(struct saver *s, const struct waiter *waiters)
{
	guint n = 0;

	for (const struct waiter *waiter = waiters; waiter; waiter = waiter->also)
		n++;
	iot_pack_uint(s->out, n);
	for (const struct waiter *waiter = waiters; waiter; waiter = waiter->also)
		save_waiter(s, waiter);
}

static void save_changes(struct saver *s, const struct held *held)
{
	iot_pack_uint(s->out, held->n_changes);
	for (guint i = 0; i < held->n_changes; i++) {
		const struct change *change = &held->changes[i];

		iot_pack_uint(s->out,
			      GPOINTER_TO_UINT(g_hash_table_lookup(s->entries, change->entry)));
		iot_pack_uint(s->out, change->part);
		iot_pack_uint(s->out, change->cause);
		pack_int(s->out, change->number);
		iot_pack_uint(s->out, change->ns);
	}
}

static void save_held(struct saver *s, const struct held *held)
{
	iot_pack_uint(s->out, held->idx);
	iot_pack_uint(s->out, held->level);
	iot_pack_uint(s->out, held->queue);
	save_rec(s, held->rec);
	save_waiters(s, held->waiters);
	save_changes(s, held);
}

static void save_list(struct saver *s, const struct list *list)
{
	guint n = 0;

	for (const struct held *held = list->first; held; held = held->next)
		n++;
	iot_pack_uint(s->out, n);
	for (const struct held *held = list->first; held; held = held->next)
		save_held(s, held);
}

static void save_window(struct saver *s)
{
	g_autoptr(GArray) list = iot_past_list(s->causal);

	iot_pack_uint(s->out, list->len);
	for (guint i = 0; i < list->len; i++) {
		const struct past_state *state = &g_array_index(list, struct past_state, i);

		save_held(s, state->held);
		iot_pack_uint(s->out, state->out);
		iot_pack_uint(s->out, state->round);
		pack_int(s->out, state->reached);
		iot_pack_uint(s->out, state->open);
	}
}

static void save_entry(struct saver *s, struct entry *entry)
{
	const struct iot_order_rule *rule = entry->rule;

	iot_pack_uint(s->out, rule->index);
	iot_pack_uint(s->out, entry->hash);
	iot_pack_uint(s->out, entry->texts);
	iot_pack_uint(s->out, entry->passed);
	iot_pack_uint(s->out, entry->active);
	pack_int(s->out, entry->begun);
	iot_pack_uint(s->out, entry->begun_ns);
	iot_pack_uint(s->out, entry->ended_ns);
	iot_pack_uint(s->out, entry->ended_input);
	for (guint i = 0; i < entry_words(rule); i++)
		iot_pack_uint(s->out, entry->key[i]);
}

static void save_report(GByteArray *out, const struct iot_causal_report *report)
{
	const guint64 values[] = { report->n,	      report->early,	    report->inside,
				   report->missing,   report->elsewhere,    report->stuck,
				   report->overflow,  report->at_end,	    report->evicted,
				   report->undecided, report->beyond,	    report->late,
				   report->uncounted, report->far,	    report->worst_ns,
				   report->worst_at,  report->worst_effect, report->worst_cause };

	for (guint i = 0; i < G_N_ELEMENTS(values); i++)
		iot_pack_uint(out, values[i]);
}

/* Undecided effects that are only counted, rule by rule; held ones follow with their records. */
static void save_counted(struct saver *s, const struct rule_state *rule)
{
	guint n = 0;

	for (const struct waiter *waiter = rule->first; waiter; waiter = waiter->after)
		n += !waiter->held;
	iot_pack_uint(s->out, n);
	for (const struct waiter *waiter = rule->first; waiter; waiter = waiter->after)
		if (!waiter->held)
			save_waiter(s, waiter);
}

static void save_thread(gpointer key, gpointer value, gpointer data)
{
	GPtrArray *keys = data;

	keys->pdata[GPOINTER_TO_UINT(value) - 1] = key;
}

static void save_queues(struct saver *s)
{
	const struct iot_causal *causal = s->causal;
	g_autoptr(GPtrArray) threads = g_ptr_array_new();

	g_ptr_array_set_size(threads, (gint)g_hash_table_size(causal->by_thread_queue));
	g_hash_table_foreach(causal->by_thread_queue, save_thread, threads);
	iot_pack_uint(s->out, threads->len);
	for (guint i = 0; i < threads->len; i++)
		iot_pack_uint(s->out, *(guint64 *)threads->pdata[i]);
	iot_pack_uint(s->out, causal->queues->len);
	for (guint i = 0; i < causal->queues->len; i++) {
		const struct queue *queue = causal->queues->pdata[i];

		iot_pack_uint(s->out, queue->level);
		iot_pack_uint(s->out, queue->last_raw);
		iot_pack_uint(s->out, queue->last_out);
		pack_int(s->out, queue->base);
		pack_int(s->out, queue->last_height);
		iot_pack_uint(s->out, queue->last_limited);
		save_list(s, &queue->list);
	}
	save_list(s, &causal->ahead);
	iot_pack_uint(s->out, causal->now);
	iot_pack_uint(s->out, causal->next_idx);
	iot_pack_uint(s->out, causal->replayed);
	iot_pack_uint(s->out, causal->top_idx);
	iot_pack_uint(s->out, causal->pushed);
	if (causal->spread)
		save_window(s);
}

void iot_causal_save(const struct iot_causal *causal, GByteArray *out)
{
	struct saver s = { .causal = causal,
			   .out = out,
			   .events = g_hash_table_new(NULL, NULL),
			   .entries = g_hash_table_new(NULL, NULL) };

	iot_pack_uint(out, causal->n_entries);
	for (struct entry *entry = causal->oldest; entry; entry = entry->newer) {
		g_hash_table_insert(s.entries, entry,
				    GUINT_TO_POINTER(g_hash_table_size(s.entries)));
		save_entry(&s, entry);
	}
	for (guint i = 0; i < causal->n_rules; i++) {
		save_report(out, &causal->rules[i].report);
		save_counted(&s, &causal->rules[i]);
	}
	for (guint i = 0; i < causal->config.n_inputs; i++) {
		const struct iot_causal_moves *moves = &causal->inputs[i];

		iot_pack_uint(out, moves->held);
		iot_pack_uint(out, moves->shifted);
		iot_pack_uint(out, moves->largest_ns);
		iot_pack_uint(out, moves->largest_at);
		iot_pack_uint(out, moves->sum_ns);
		iot_pack_uint(out, moves->last_round);
		iot_pack_uint(out, moves->grown_effect);
		iot_pack_uint(out, moves->grown_window);
		iot_pack_uint(out, moves->grown_ns);
		iot_pack_uint(out, causal->gaps[i].depth);
		iot_pack_uint(out, causal->gaps[i].last_ns);
	}
	save_queues(&s);
	g_hash_table_unref(s.events);
	g_hash_table_unref(s.entries);
}

/* ---- load */

static guint64 get(struct loader *l)
{
	return iot_unpack_uint(l->in, G_MAXUINT64);
}

static guint32 get32(struct loader *l)
{
	return (guint32)iot_unpack_uint(l->in, G_MAXUINT32);
}

static const struct iot_event *load_event(struct loader *l)
{
	struct iot_causal *causal = l->causal;
	guint number = (guint)iot_unpack_uint(l->in, causal->events->len);
	struct iot_event *event;

	if (number)
		return causal->events->pdata[number - 1];
	event = g_new0(struct iot_event, 1);
	g_ptr_array_add(causal->events, event);
	event->index = get32(l);
	event->input = (guint32)iot_unpack_uint(l->in, causal->config.n_inputs - 1);
	event->n_slots = (guint32)iot_unpack_uint(l->in, G_N_ELEMENTS(event->slot_type));
	for (guint i = 0; i < event->n_slots; i++)
		event->slot_type[i] = (guint8)iot_unpack_uint(l->in, IOT_SLOT_REAL);
	iot_event_find_strs(event);
	if (event->index >= IOT_EVENT_GAP_BEGIN) {
		if (event->n_slots != IOT_GAP_SLOTS)
			iot_unpack_fail(l->in);
	} else if (event->index >= causal->config.schema->events->len ||
		   event->n_slots != ((const struct iot_schema_event *)
					      causal->config.schema->events->pdata[event->index])
					     ->n_fields) {
		iot_unpack_fail(l->in);
	}
	return event;
}

/* A held record, without its causes and effects. */
static struct held *load_rec(struct loader *l)
{
	guint64 idx = get(l), level = get(l);
	guint32 queue = get32(l);
	const struct iot_event *event = load_event(l);
	struct held *held = iot_held_new(l->causal, event);
	struct iot_rec *rec = held->rec;

	held->idx = idx;
	held->level = level;
	held->queue = queue;
	rec->ts = get(l);
	rec->run = get32(l);
	rec->pid = (gint32)get32(l);
	for (guint i = 0; i < event->n_slots; i++)
		rec->slot[i].u = event->slot_type[i] == IOT_SLOT_STR
					 ? iot_timeline_load_str(l->causal->config.tl, l->in)
					 : get(l);
	return held;
}

/* NULL: the bytes are bad. */
static struct waiter *load_waiter(struct loader *l, struct held *held)
{
	guint entry = get32(l);
	struct waiter *waiter;

	if (l->in->bad || entry >= l->entries->len) {
		iot_unpack_fail(l->in);
		return NULL;
	}
	waiter = g_new0(struct waiter, 1);
	waiter->entry = l->entries->pdata[entry];
	waiter->held = held;
	waiter->decision = (guint8)iot_unpack_uint(l->in, FREE);
	waiter->t = get(l);
	waiter->idx = get(l);
	waiter->input = (guint32)iot_unpack_uint(l->in, l->causal->config.n_inputs - 1);
	waiter->run = get32(l);
	waiter->queue = get32(l);
	waiter->node = (gint64)get(l);
	waiter->begun_ns = get(l);
	waiter->inside = (guint8)iot_unpack_uint(l->in, 1);
	waiter->ended_ns = get(l);
	waiter->ended_input = (guint32)iot_unpack_uint(l->in, l->causal->config.n_inputs - 1);
	for (guint i = 0; i < waiter->entry->rule->n_causes; i++)
		waiter->wants[i] = (gint64)get(l);
	iot_causal_wait(l->causal, waiter);
	return waiter;
}

static gboolean load_waiters(struct loader *l, struct held *held)
{
	struct waiter **end = &held->waiters;

	for (guint n = iot_unpack_count(l->in); n; n--) {
		struct waiter *waiter = load_waiter(l, held);

		if (!waiter)
			return FALSE;
		*end = waiter;
		end = &waiter->also;
		held->n_undecided += waiter->decision == UNDECIDED;
	}
	return TRUE;
}

static gboolean load_changes(struct loader *l, struct held *held)
{
	for (guint64 n = iot_unpack_uint(l->in, held->max_changes); n; n--) {
		guint at = get32(l);
		struct change change = { 0 };
		struct entry *entry;

		if (l->in->bad || at >= l->entries->len) {
			iot_unpack_fail(l->in);
			return FALSE;
		}
		entry = l->entries->pdata[at];
		change.part = (guint8)iot_unpack_uint(l->in, IOT_ORDER_ENDS);
		change.cause = (guint8)iot_unpack_uint(l->in, entry->rule->n_causes - 1);
		change.number = (gint64)get(l);
		change.node = l->causal->config.inputs[held->rec->event->input].number;
		change.ns = get(l);
		change.input = held->rec->event->input;
		iot_held_change(held, entry, &change);
	}
	return TRUE;
}

static void load_held(struct loader *l, struct list *list)
{
	struct held *held = load_rec(l);

	iot_held_append(l->causal, list, held);
	if (load_waiters(l, held))
		load_changes(l, held);
}

static void load_list(struct loader *l, struct list *list)
{
	for (guint n = iot_unpack_count(l->in); n && !l->in->bad; n--)
		load_held(l, list);
}

static void load_window(struct loader *l)
{
	for (guint n = iot_unpack_count(l->in); n && !l->in->bad; n--) {
		struct list one = { 0 };
		struct past_state state;

		load_held(l, &one);
		state.held = one.first;
		state.out = get(l);
		state.round = get(l);
		state.reached = (gint64)get(l);
		state.open = (gboolean)iot_unpack_uint(l->in, 1);
		if (l->in->bad)
			iot_held_free(l->causal, state.held);
		else
			iot_past_restore(l->causal, &state);
	}
}

static gboolean load_entry(struct loader *l)
{
	const GPtrArray *rules = l->causal->config.rules->rules;
	struct iot_order_rule *rule = rules->pdata[iot_unpack_uint(l->in, l->causal->n_rules - 1)];
	guint64 key[MAX_ENTRY_WORDS] = { 0 }, hash = get(l), begun, begun_ns, ended_ns;
	guint32 texts = get32(l), passed = get32(l), ended_input;
	gboolean active = (gboolean)iot_unpack_uint(l->in, 1);
	struct entry *entry;

	begun = get(l);
	begun_ns = get(l);
	ended_ns = get(l);
	ended_input = (guint32)iot_unpack_uint(l->in, l->causal->config.n_inputs - 1);
	for (guint i = 0; i < entry_words(rule); i++)
		key[i] = get(l);
	if (l->in->bad)
		return FALSE;
	entry = iot_causal_add(l->causal, rule, hash, key, texts);
	entry->passed = passed;
	entry->active = active;
	entry->begun = (gint64)begun;
	entry->begun_ns = begun_ns;
	entry->ended_ns = ended_ns;
	entry->ended_input = ended_input;
	memcpy(entry->key, key, entry_words(rule) * sizeof(*key));
	g_ptr_array_add(l->entries, entry);
	return TRUE;
}

static void load_report(struct loader *l, struct iot_causal_report *report)
{
	guint64 *const values[] = { &report->n,		&report->early,	    &report->inside,
				    &report->missing,	&report->elsewhere, &report->stuck,
				    &report->overflow,	&report->at_end,    &report->evicted,
				    &report->undecided, &report->beyond,    &report->late,
				    &report->uncounted, &report->far,	    &report->worst_ns,
				    &report->worst_at };

	for (guint i = 0; i < G_N_ELEMENTS(values); i++)
		*values[i] = get(l);
	report->worst_effect = (guint32)iot_unpack_uint(l->in, l->causal->config.n_inputs - 1);
	report->worst_cause = (guint32)iot_unpack_uint(l->in, l->causal->config.n_inputs - 1);
}

static gboolean load_queues(struct loader *l)
{
	struct iot_causal *causal = l->causal;
	guint n_threads = iot_unpack_count(l->in), n;

	for (guint i = 0; i < n_threads; i++) {
		guint64 thread = get(l);

		g_hash_table_insert(causal->by_thread_queue, g_memdup2(&thread, sizeof(thread)),
				    GUINT_TO_POINTER(i + 1));
	}
	n = iot_unpack_count(l->in);
	for (guint i = 0; i < n && !l->in->bad; i++) {
		struct queue *queue = iot_queue_at(causal, i);

		queue->level = get(l);
		queue->last_raw = get(l);
		queue->last_out = get(l);
		queue->base = (gint64)get(l);
		queue->last_height = (gint64)get(l);
		queue->last_limited = (gboolean)iot_unpack_uint(l->in, 1);
		load_list(l, &queue->list);
		if (queue->list.first)
			iot_queue_busy(causal, queue);
	}
	load_list(l, &causal->ahead);
	causal->now = get(l);
	causal->next_idx = get(l);
	causal->replayed = get(l);
	causal->top_idx = get(l);
	causal->pushed = get(l);
	if (causal->spread)
		load_window(l);
	return !l->in->bad;
}

gboolean iot_causal_load(struct iot_causal *causal, struct iot_unpack *in)
{
	struct loader l = { .causal = causal, .in = in, .entries = g_ptr_array_new() };
	guint n = iot_unpack_count(in), max = causal->config.max_keys;
	gboolean ok = TRUE;

	/* the saved keys had room */
	causal->config.max_keys = G_MAXUINT;
	for (guint i = 0; ok && i < n; i++)
		ok = load_entry(&l);
	causal->config.max_keys = max;
	for (guint i = 0; ok && i < causal->n_rules; i++) {
		load_report(&l, &causal->rules[i].report);
		for (guint k = iot_unpack_count(in); ok && k; k--)
			ok = load_waiter(&l, NULL) != NULL;
	}
	for (guint i = 0; ok && i < causal->config.n_inputs; i++) {
		struct iot_causal_moves *moves = &causal->inputs[i];

		moves->held = get(&l);
		moves->shifted = get(&l);
		moves->largest_ns = get(&l);
		moves->largest_at = get(&l);
		moves->sum_ns = get(&l);
		moves->last_round = get(&l);
		moves->grown_effect = get(&l);
		moves->grown_window = get(&l);
		moves->grown_ns = get(&l);
		causal->gaps[i].depth = get32(&l);
		causal->gaps[i].last_ns = get(&l);
	}
	ok = ok && load_queues(&l);
	g_ptr_array_unref(l.entries);
	return ok;
}
