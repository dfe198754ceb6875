/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of rules, and the effects that wait for their causes. */
#include "order/causal-local.h"

#include <string.h>

struct entry *iot_causal_find(const struct iot_causal *causal, const struct iot_order_rule *rule,
			      guint64 hash, const guint64 *key, guint32 texts)
{
	guint at = iot_hashset_first(&causal->entries, hash);
	struct entry *entry;

	while ((entry = iot_hashset_next(&causal->entries, hash, &at)))
		if (entry->rule == rule && entry->texts == texts &&
		    !memcmp(entry->key, key, rule->n_keys * sizeof(*key)))
			return entry;
	return NULL;
}

static gsize entry_size(const struct iot_order_rule *rule)
{
	return sizeof(struct entry) + entry_words(rule) * sizeof(guint64);
}

/* Keys that are looked at to make room for a new one: all may have waiting effects. */
enum { EVICT_LOOKS = 16 };

/* The oldest keys without waiting effects. Keys with some become the newest. */
static void evict(struct iot_causal *causal)
{
	for (guint n = 0; n < EVICT_LOOKS && causal->n_entries >= causal->config.max_keys; n++) {
		struct entry *entry = causal->oldest;

		if (!entry)
			return;
		if (!entry->waiters && !entry->first) {
			causal->rules[entry->rule->index].report.evicted++;
			iot_causal_remove(causal, entry);
			continue;
		}
		if (!entry->newer)
			return;
		causal->oldest = entry->newer;
		causal->oldest->older = NULL;
		entry->older = causal->newest;
		entry->newer = NULL;
		causal->newest->newer = entry;
		causal->newest = entry;
	}
}

void iot_causal_reset(struct entry *entry)
{
	const struct iot_order_rule *rule = entry->rule;

	entry->passed = 0;
	for (guint i = 0; i < rule->n_causes; i++)
		if (rule->cause[i].has_initial) {
			entry->passed |= 1u << i;
			iot_entry_numbers(entry)[i] = (guint64)rule->cause[i].initial;
			iot_entry_nodes(entry)[i] = (guint64)SEVERAL_NODES;
		} else if (rule->cause[i].counted) {
			iot_entry_numbers(entry)[i] = 0;
		}
	memset(iot_entry_ahead(entry), 0, rule->n_causes * sizeof(guint64));
}

void iot_tally_init(struct tally *tally, struct entry *entry)
{
	for (guint i = 0; i < entry->rule->n_causes; i++) {
		tally->count[i] = (gint64)iot_entry_numbers(entry)[i];
		tally->ahead[i] = iot_entry_ahead(entry)[i];
	}
}

gboolean iot_tally_add(struct tally *tally, const struct iot_order_rule *rule,
		       const struct change *change)
{
	gint64 *count = &tally->count[change->cause];
	guint64 *ahead = &tally->ahead[change->cause];
	guint64 distance = (guint64)change->number - (guint64)*count - 1;

	if (!rule->cause[change->cause].numbered) {
		++*count;
		return TRUE;
	}
	if (change->number <= *count)
		return TRUE;
	if (distance >= 64)
		return FALSE;
	*ahead |= G_GUINT64_CONSTANT(1) << distance;
	for (; *ahead & 1; *ahead >>= 1)
		++*count;
	return TRUE;
}

struct entry *iot_causal_add(struct iot_causal *causal, struct iot_order_rule *rule, guint64 hash,
			     const guint64 *key, guint32 texts)
{
	struct entry *entry;

	evict(causal);
	entry = g_malloc0(entry_size(rule));
	entry->hash = hash;
	entry->rule = rule;
	entry->texts = texts;
	memcpy(entry->key, key, rule->n_keys * sizeof(*key));
	iot_causal_reset(entry);
	entry->older = causal->newest;
	*(causal->newest ? &causal->newest->newer : &causal->oldest) = entry;
	causal->newest = entry;
	iot_hashset_add(&causal->entries, hash, entry);
	causal->n_entries++;
	causal->most_entries = MAX(causal->most_entries, causal->n_entries);
	return entry;
}

void iot_causal_remove(struct iot_causal *causal, struct entry *entry)
{
	iot_hashset_remove(&causal->entries, entry->hash, entry);
	*(entry->older ? &entry->older->newer : &causal->oldest) = entry->newer;
	*(entry->newer ? &entry->newer->older : &causal->newest) = entry->older;
	causal->n_entries--;
	g_free(entry);
}

void iot_causal_tidy(struct iot_causal *causal, struct entry *entry)
{
	guint32 initial = 0;

	for (guint i = 0; i < entry->rule->n_causes; i++)
		if (entry->rule->cause[i].has_initial && !iot_entry_ahead(entry)[i] &&
		    iot_entry_numbers(entry)[i] == (guint64)entry->rule->cause[i].initial)
			initial |= 1u << i;
	if (!entry->waiters && !entry->first && !entry->active && !entry->ended_ns &&
	    entry->passed == initial)
		iot_causal_remove(causal, entry);
}

guint32 iot_causal_mask(struct entry *entry, const struct waiter *waiter)
{
	guint32 mask = entry->passed;

	for (guint i = 0; i < entry->rule->n_causes; i++) {
		gint64 node = (gint64)iot_entry_nodes(entry)[i];

		if (((entry->rule->cause[i].numbered || entry->rule->cause[i].counted) &&
		     (gint64)iot_entry_numbers(entry)[i] < waiter->wants[i]) ||
		    (waiter->node != ANY_NODE && node != waiter->node && node != SEVERAL_NODES))
			mask &= ~(1u << i);
	}
	return mask;
}

gboolean iot_tally_reaches(struct tally *tally, const struct change *change,
			   const struct waiter *waiter)
{
	const struct iot_order_rule *rule = waiter->entry->rule;

	if (!rule->cause[change->cause].counted)
		return TRUE;
	iot_tally_add(tally, rule, change);
	return tally->count[change->cause] >= waiter->wants[change->cause];
}

/* ---- waiting effects */

static void update_due(struct iot_causal *causal)
{
	causal->due = G_MAXUINT64;
	for (guint i = 0; i < causal->n_rules; i++) {
		const struct rule_state *rule = &causal->rules[i];

		if (rule->first && rule->first->t <= G_MAXUINT64 - rule->hold_ns)
			causal->due = MIN(causal->due, rule->first->t + rule->hold_ns);
	}
}

void iot_causal_wait(struct iot_causal *causal, struct waiter *waiter)
{
	struct rule_state *rule = &causal->rules[waiter->entry->rule->index];

	waiter->next = waiter->entry->waiters;
	waiter->entry->waiters = waiter;
	if (waiter->decision != UNDECIDED)
		return;
	waiter->prev = rule->last;
	*(rule->last ? &rule->last->after : &rule->first) = waiter;
	rule->last = waiter;
	update_due(causal);
}

void iot_causal_decide(struct iot_causal *causal, struct waiter *waiter, enum decision decision)
{
	struct rule_state *rule = &causal->rules[waiter->entry->rule->index];

	if (waiter->decision == UNDECIDED) {
		*(waiter->prev ? &waiter->prev->after : &rule->first) = waiter->after;
		*(waiter->after ? &waiter->after->prev : &rule->last) = waiter->prev;
		update_due(causal);
		if (waiter->held)
			waiter->held->n_undecided--;
	}
	waiter->decision = decision;
	if (!waiter->held)
		iot_causal_forget(causal, waiter);
}

void iot_causal_forget(struct iot_causal *causal, struct waiter *waiter)
{
	struct entry *entry = waiter->entry;
	struct waiter **at = &entry->waiters;
	/* a key that has begun again since then is needed */
	gboolean served = entry->rule->once && entry->begun_ns <= waiter->begun_ns;

	while (*at != waiter)
		at = &(*at)->next;
	*at = waiter->next;
	g_free(waiter);
	/* the cause has served its effect */
	if (served && (entry->passed || entry->active) && !entry->waiters && !entry->first)
		iot_causal_remove(causal, entry);
	else
		iot_causal_tidy(causal, entry);
}
