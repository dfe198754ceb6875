/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a record means for the rules: effects are judged, causes are noted. */
#include "order/causal-local.h"

void iot_causal_eval(const struct iot_causal *causal, struct iot_eval *eval,
		     const struct iot_rec *rec)
{
	const struct iot_causal_input *input = &causal->config.inputs[rec->event->input];

	*eval = (struct iot_eval){ .rec = { rec },
				   .machine = rec->event->input,
				   .recording = input->recording,
				   .node = input->node,
				   .node_name = input->node_name,
				   .commands = input->commands };
}

guint32 iot_causal_queue(struct iot_causal *causal, const struct iot_rec *rec)
{
	guint32 machine = causal->machine[rec->event->input], n;
	guint64 thread;
	gpointer found;

	if (!causal->by_thread)
		return machine;
	thread = (guint64)machine << 32 | (guint32)rec->pid;
	found = g_hash_table_lookup(causal->by_thread_queue, &thread);
	if (found)
		return GPOINTER_TO_UINT(found) - 1;
	n = g_hash_table_size(causal->by_thread_queue);
	g_hash_table_insert(causal->by_thread_queue, g_memdup2(&thread, sizeof(thread)),
			    GUINT_TO_POINTER(n + 1));
	return n;
}

/* ---- effects */

static gboolean is_recorded(const struct iot_causal *causal, gint64 number)
{
	for (guint i = 0; i < causal->config.n_inputs; i++)
		if (causal->config.inputs[i].used && causal->config.inputs[i].number == number)
			return TRUE;
	return FALSE;
}

/* Whether held records before the effect, or of another queue, can make its condition true. More
 * changes make no less possible, so the first ones usually decide. */
static gboolean may_come_true(struct entry *entry, const struct waiter *waiter)
{
	guint32 can = iot_causal_mask(entry, waiter), can_not = ~can;
	gboolean possible = iot_order_possible(entry->rule, can, can_not);
	struct tally tally;

	if (entry->rule->counts)
		iot_tally_init(&tally, entry);
	for (const struct change *c = entry->first; c && !possible; c = c->next) {
		guint32 bit = 1u << c->cause;

		if (c->queue == waiter->queue && c->idx > waiter->idx)
			continue;
		if (c->part == IOT_ORDER_UNTIL && !(can_not & bit))
			can_not |= bit;
		else if (c->part == IOT_ORDER_CAUSE && !(can & bit) && iot_change_counts(c, waiter))
			can |= entry->rule->counts && !iot_tally_reaches(&tally, c, waiter) ? 0
											    : bit;
		else
			continue;
		possible = iot_order_possible(entry->rule, can, can_not);
	}
	return possible;
}

/* Whether events that may follow can make it true: a cause that has happened stays so, unless it
 * can be withdrawn. */
static gboolean ever_true(const struct iot_order_rule *rule, guint32 mask)
{
	guint32 can_not = ~mask;

	for (guint i = 0; i < rule->n_causes; i++)
		if (rule->cause[i].withdrawn)
			can_not |= 1u << i;
	return iot_order_possible(rule, ~0u, can_not);
}

/* The last begin of the key, delivered or held, before what the merge has now. FALSE: none came. */
static gboolean find_begin(const struct entry *entry, gint64 *out_number, guint64 *out_ns)
{
	const struct change *change = entry ? entry->last : NULL;

	while (change && change->part != IOT_ORDER_BEGINS)
		change = change->prev;
	if (change) {
		*out_number = change->number;
		*out_ns = change->ns;
		return TRUE;
	}
	if (!entry || !entry->active)
		return FALSE;
	*out_number = entry->begun;
	*out_ns = entry->begun_ns;
	return TRUE;
}

/* Whether the key has ended, delivered or held, before what the merge has now, and not begun again.
 */
static gboolean find_end(const struct entry *entry, struct waiter *waiter)
{
	const struct change *change = entry->last;

	while (change && change->part != IOT_ORDER_ENDS && change->part != IOT_ORDER_CAUSE)
		change = change->prev;
	if (change && change->part == IOT_ORDER_CAUSE)
		return FALSE;
	waiter->ended_ns = change ? change->ns : entry->ended_ns;
	waiter->ended_input = change ? change->input : entry->ended_input;
	return waiter->ended_ns != 0;
}

/* The condition of a key of which nothing has come. */
static guint32 initial_mask(const struct iot_order_rule *rule, const gint64 *wants)
{
	guint32 mask = 0;

	for (guint i = 0; i < rule->n_causes; i++)
		if (rule->cause[i].has_initial && rule->cause[i].initial >= wants[i])
			mask |= 1u << i;
	return mask;
}

/* A cause of the same machine cannot overtake its effect. */
static gboolean may_move(const struct iot_causal *causal, const struct iot_order_rule *rule)
{
	return causal->moves && (!rule->local || causal->by_thread);
}

/* The key has had its effect. */
static void serve(struct iot_causal *causal, struct entry *entry)
{
	if (entry && entry->rule->once && !entry->waiters && !entry->first)
		iot_causal_remove(causal, entry);
}

/* NULL: the effect need not wait. */
static struct waiter *judge(struct iot_causal *causal, struct iot_order_use *use,
			    const struct iot_eval *eval, struct held *held)
{
	const struct iot_rec *rec = held->rec;
	struct iot_order_rule *rule = use->rule;
	struct iot_causal_report *report = &causal->rules[rule->index].report;
	guint64 key[IOT_ORDER_KEYS], hash;
	struct waiter waiter = {
		.t = rec->ts, .idx = held->idx, .queue = held->queue, .node = ANY_NODE
	};
	struct entry *entry;
	guint32 texts, mask;
	gint64 begun = 0;

	hash = iot_order_use_key(use, eval, key, &texts);
	entry = iot_causal_find(causal, rule, hash, key, texts);
	if (rule->begins && !find_begin(entry, &begun, &waiter.begun_ns)) {
		report->uncounted += rule->counts;
		return NULL;
	}
	for (guint i = 0; i < rule->n_causes; i++)
		if (use->wants[i])
			waiter.wants[i] = iot_expr_eval(use->wants[i], eval);
		else if (rule->cause[i].of_begin)
			waiter.wants[i] = begun;
	for (guint i = 0; rule->counts && i < rule->n_causes; i++)
		if (rule->cause[i].counted && waiter.wants[i] < 1) {
			report->uncounted++;
			return NULL;
		}
	report->n++;
	if (use->node)
		waiter.node = iot_expr_eval(use->node, eval);
	waiter.entry = entry;
	mask = entry ? iot_causal_mask(entry, &waiter) : initial_mask(rule, waiter.wants);
	if (iot_order_holds(rule, mask) && !(entry && entry->first)) {
		if (entry)
			held->level = MAX(held->level,
					  iot_order_level(rule, mask, iot_entry_levels(entry)));
		serve(causal, entry);
		return NULL;
	}
	if (rule->final && entry && find_end(entry, &waiter)) {
		/* it waits for a new begin */
	} else if (entry && entry->first && may_come_true(entry, &waiter)) {
		if (!may_move(causal, rule))
			return NULL;
		waiter.decision = EXPECTED;
	} else if (use->node && !is_recorded(causal, waiter.node)) {
		report->elsewhere++;
		serve(causal, entry);
		return NULL;
	} else if (!ever_true(rule, mask)) {
		report->stuck++;
		return NULL;
	}
	waiter.entry = entry ? entry : iot_causal_add(causal, rule, hash, key, texts);
	waiter.input = rec->event->input;
	waiter.run = rec->run;
	return g_memdup2(&waiter, sizeof(waiter));
}

void iot_causal_judge(struct iot_causal *causal, struct held *held)
{
	guint event = held->rec->event->index;
	const GPtrArray *uses = iot_order_uses(causal->config.rules, event);
	struct waiter **end = &held->waiters;
	struct iot_eval eval;

	if (!uses)
		return;
	causal->seen[event] = TRUE;
	iot_causal_eval(causal, &eval, held->rec);
	for (guint i = 0; i < uses->len; i++) {
		struct iot_order_use *use = uses->pdata[i];
		struct waiter *waiter;

		if (use->part != IOT_ORDER_EFFECT)
			break;
		if (use->when && !iot_expr_eval(use->when, &eval))
			continue;
		waiter = judge(causal, use, &eval, held);
		if (!waiter)
			continue;
		iot_causal_wait(causal, waiter);
		if (!may_move(causal, use->rule))
			continue;
		*end = waiter;
		end = &waiter->also;
	}
}

/* ---- causes */

/* FALSE: the effect need not wait for this cause. */
static gboolean count_early(struct iot_causal *causal, const struct waiter *waiter,
			    const struct iot_rec *rec, gboolean inside)
{
	const struct iot_causal_config *config = &causal->config;
	struct iot_causal_report *report = &causal->rules[waiter->entry->rule->index].report;
	guint64 ns = rec->ts - MIN(rec->ts, waiter->t);
	struct iot_causal_early early = { .rule = report->name,
					  .effect_ns = waiter->t,
					  .cause_ns = rec->ts,
					  .effect = waiter->input,
					  .cause = rec->event->input,
					  .doubt = iot_causal_doubts(causal, waiter, rec->ts) };
	gboolean beyond = !inside && config->certain && config->certain(config->early_data, &early);

	if (config->early)
		config->early(config->early_data, &early);
	if (early.doubt) {
		report->undecided++;
		return FALSE;
	}
	*(inside ? &report->inside : &report->early) += 1;
	report->beyond += beyond;
	if (report->worst_at && ns <= report->worst_ns)
		return !inside && !beyond;
	report->worst_ns = ns;
	report->worst_at = waiter->t;
	report->worst_effect = waiter->input;
	report->worst_cause = rec->event->input;
	return !inside && !beyond;
}

/* The record changes the key: its undecided effects may be possible now. */
static void resolve(struct iot_causal *causal, struct entry *entry, const struct iot_rec *rec,
		    const struct change *change)
{
	guint32 queue = iot_causal_queue(causal, rec);
	gboolean counted =
		change->part == IOT_ORDER_CAUSE && entry->rule->cause[change->cause].counted;
	struct waiter *next;

	for (struct waiter *waiter = entry->waiters; waiter; waiter = next) {
		gboolean inside = waiter->queue == queue;
		struct waiter any = *waiter;

		next = waiter->next;
		/* one CPU records in order: this is not its cause; nor is it what a machine does
		 * later, unless the rule says that the cause is there, or that all are needed */
		if (waiter->decision != UNDECIDED ||
		    (waiter->ended_ns && change->part != IOT_ORDER_CAUSE) ||
		    (!counted && (waiter->run == rec->run || (inside && !entry->rule->local))) ||
		    (change->part == IOT_ORDER_CAUSE && !iot_change_counts(change, waiter)))
			continue;
		if (counted && inside)
			waiter->inside |= !entry->rule->cause[change->cause].numbered ||
					  change->number <= waiter->wants[change->cause];
		inside = inside || waiter->inside;
		if (inside)
			any.idx = G_MAXUINT64;
		if (!may_come_true(entry, &any))
			continue;
		/* the last decision may remove the entry */
		iot_causal_decide(causal, waiter,
				  count_early(causal, waiter, rec, inside) ? EXPECTED : FREE);
	}
}

void iot_held_change(struct held *held, struct entry *entry, const struct change *change)
{
	struct change *copy = &held->changes[held->n_changes++];

	*copy = *change;
	copy->entry = entry;
	copy->idx = held->idx;
	copy->queue = held->queue;
	/* only those of a checkpoint are not the last */
	copy->prev = entry->last;
	while (copy->prev && copy->prev->idx > copy->idx)
		copy->prev = copy->prev->prev;
	copy->next = copy->prev ? copy->prev->next : entry->first;
	*(copy->prev ? &copy->prev->next : &entry->first) = copy;
	*(copy->next ? &copy->next->prev : &entry->last) = copy;
}

/* The change of a delivered record. */
static void pass(struct iot_causal *causal, struct entry *entry, const struct change *change,
		 guint64 level)
{
	struct iot_causal_report *report = &causal->rules[entry->rule->index].report;
	guint64 *number = &iot_entry_numbers(entry)[change->cause];
	guint64 *at = &iot_entry_levels(entry)[change->cause];
	gint64 *node = (gint64 *)&iot_entry_nodes(entry)[change->cause];
	guint32 bit = 1u << change->cause;
	struct tally tally;

	switch (change->part) {
	case IOT_ORDER_CAUSE:
		if (entry->rule->cause[change->cause].counted) {
			iot_tally_init(&tally, entry);
			report->far += !iot_tally_add(&tally, entry->rule, change);
			*number = (guint64)tally.count[change->cause];
			iot_entry_ahead(entry)[change->cause] = tally.ahead[change->cause];
			*at = MAX(*at, level);
		} else if (!(entry->passed & bit) || (gint64)*number < change->number) {
			*number = (guint64)change->number;
			*at = level;
		}
		*node = !(entry->passed & bit) || *node == change->node ? change->node
									: SEVERAL_NODES;
		entry->passed |= bit;
		entry->ended_ns = 0;
		break;
	case IOT_ORDER_UNTIL:
		entry->passed &= ~bit;
		break;
	case IOT_ORDER_BEGINS:
		entry->active = TRUE;
		entry->begun = change->number;
		entry->begun_ns = change->ns;
		break;
	case IOT_ORDER_ENDS:
		entry->active = FALSE;
		if (entry->rule->final) {
			entry->ended_ns = change->ns;
			entry->ended_input = change->input;
		}
		iot_causal_reset(entry);
		break;
	default:
		break;
	}
}

/* @held: the copy of the record; NULL: it is delivered now, with the round @level. */
static void take_causes(struct iot_causal *causal, const struct iot_rec *rec, struct held *held,
			guint64 level)
{
	const GPtrArray *uses = iot_order_uses(causal->config.rules, rec->event->index);
	struct iot_eval eval;

	if (!uses)
		return;
	iot_causal_eval(causal, &eval, rec);
	for (guint i = 0; i < uses->len; i++) {
		struct iot_order_use *use = uses->pdata[i];
		struct change change = { .part = (guint8)use->part,
					 .cause = (guint8)use->cause,
					 .node = causal->config.inputs[rec->event->input].number,
					 .ns = rec->ts,
					 .input = rec->event->input };
		guint64 key[IOT_ORDER_KEYS], hash;
		struct entry *entry;
		guint32 texts;

		if (use->part == IOT_ORDER_EFFECT ||
		    (use->when && !iot_expr_eval(use->when, &eval)))
			continue;
		hash = iot_order_use_key(use, &eval, key, &texts);
		entry = iot_causal_find(causal, use->rule, hash, key, texts);
		if (!entry && use->part >= IOT_ORDER_UNTIL && use->part != IOT_ORDER_BEGINS &&
		    !held && !use->rule->final)
			continue; /* nothing to withdraw */
		if (!entry)
			entry = iot_causal_add(causal, use->rule, hash, key, texts);
		if (use->number)
			change.number = iot_expr_eval(use->number, &eval);
		if (held)
			iot_held_change(held, entry, &change);
		else
			pass(causal, entry, &change, level);
		if (entry->waiters)
			resolve(causal, entry, rec, &change);
		else if (!held)
			iot_causal_tidy(causal, entry);
	}
}

void iot_causal_change(struct iot_causal *causal, const struct iot_rec *rec, guint64 level)
{
	take_causes(causal, rec, NULL, level);
}

void iot_causal_announce(struct iot_causal *causal, struct held *held)
{
	take_causes(causal, held->rec, held, 0);
}

void iot_causal_pass(struct iot_causal *causal, struct held *held, guint64 level)
{
	for (guint i = 0; i < held->n_changes; i++) {
		const struct change *change = &held->changes[i];
		struct entry *entry = change->entry;

		*(change->prev ? &change->prev->next : &entry->first) = change->next;
		*(change->next ? &change->next->prev : &entry->last) = change->prev;
		pass(causal, entry, change, level);
		iot_causal_tidy(causal, entry);
	}
}

void iot_causal_give_up(struct iot_causal *causal, struct waiter *waiter, guint64 *count)
{
	const struct iot_causal_config *config = &causal->config;
	struct iot_causal_report *report = &causal->rules[waiter->entry->rule->index].report;
	struct iot_causal_early late = { .rule = report->name,
					 .effect_ns = waiter->t,
					 .cause_ns = waiter->ended_ns,
					 .effect = waiter->input,
					 .cause = waiter->ended_input,
					 .late = TRUE };

	if (waiter->ended_ns && waiter->decision == UNDECIDED) {
		late.doubt = iot_causal_doubts_late(causal, waiter);
		count = late.doubt ? &report->undecided : &report->late;
		if (config->early)
			config->early(config->early_data, &late);
	}
	*count += 1;
	iot_causal_decide(causal, waiter, FREE);
}

void iot_causal_expire(struct iot_causal *causal, guint64 ts)
{
	for (guint i = 0; i < causal->n_rules; i++) {
		struct rule_state *rule = &causal->rules[i];

		while (rule->first && rule->first->t + rule->hold_ns < ts) {
			iot_causal_give_up(causal, rule->first, &rule->report.missing);
		}
	}
}
