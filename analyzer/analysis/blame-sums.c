/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/blame-sums.h"
#include "base/intern.h"
#include "timeline/certainty.h"

#include <string.h>

/* Pairs of processes with sums of their own, and the same by resource. */
enum { MAX_PROCESSES = 4096, MAX_STACKS = 16384 };

static guint64 key_hash(const struct iot_blame_key *key)
{
	guint64 places = iot_hash_mix((guint64)key->resource << 8 | key->cause,
				      (guint64)key->waiter << 32 | key->holder);
	guint64 pids = iot_hash_mix(key->waiter_pid, key->holder_pid);
	guint64 commands = iot_hash_mix(key->waiter_command, key->holder_command);

	return iot_hash_mix(places, pids ^ (commands << 1) ^ (key->chain ? key->chain->number : 0));
}

static gboolean key_equal(const struct iot_blame_key *a, const struct iot_blame_key *b)
{
	return a->resource == b->resource && a->waiter == b->waiter && a->holder == b->holder &&
	       a->cause == b->cause && a->waiter_pid == b->waiter_pid &&
	       a->waiter_command == b->waiter_command && a->holder_pid == b->holder_pid &&
	       a->holder_command == b->holder_command && a->chain == b->chain;
}

struct iot_blame *iot_blame_new(struct iot_timeline *tl)
{
	struct iot_blame *blame = g_new0(struct iot_blame, 1);

	blame->tl = tl;
	for (guint i = 0; i < IOT_BLAME_N; i++)
		iot_hashset_init(&blame->sums[i]);
	return blame;
}

void iot_blame_free(struct iot_blame *blame)
{
	if (!blame)
		return;
	for (guint i = 0; i < IOT_BLAME_N; i++)
		iot_hashset_clear_full(&blame->sums[i], g_free);
	for (guint i = 0; i < blame->n_longest; i++)
		iot_wait_free(blame->longest[i]);
	g_free(blame);
}

static struct iot_blame_sum *new_sum(struct iot_blame *blame, enum iot_blame_by by,
				     const struct iot_blame_key *key)
{
	struct iot_blame_sum *sum = g_new0(struct iot_blame_sum, 1);

	sum->key = *key;
	iot_hashset_add(&blame->sums[by], key_hash(key), sum);
	return sum;
}

/* The sum with a key. Of processes and stacks there may be too many: the excess is one sum without
 * a name. */
static struct iot_blame_sum *find_sum(struct iot_blame *blame, enum iot_blame_by by,
				      const struct iot_blame_key *key)
{
	static const guint limits[IOT_BLAME_N] = {
		[IOT_BLAME_PROCESSES] = MAX_PROCESSES, [IOT_BLAME_STACKS] = MAX_STACKS
	};
	static const struct iot_blame_key others;
	const struct iot_hashset *sums = &blame->sums[by];
	guint64 hash = key_hash(key);
	guint at = iot_hashset_first(sums, hash);
	struct iot_blame_sum *sum;

	while ((sum = iot_hashset_next(sums, hash, &at)) && !key_equal(&sum->key, key))
		;
	if (sum || !limits[by] || sums->n < limits[by])
		return sum ? sum : new_sum(blame, by, key);
	iot_diag_add(&blame->tl->stage_diag, IOT_DIAG_blame_folded, 1);
	if (!blame->others[by])
		blame->others[by] = new_sum(blame, by, &others);
	return blame->others[by];
}

/* Add a part of a wait; @blocker: its hold, or NULL. */
static void add(struct iot_blame *blame, enum iot_blame_by by, const struct iot_blame_key *key,
		const struct iot_blocker *blocker, guint64 ns)
{
	struct iot_blame_sum *sum = find_sum(blame, by, key);

	sum->n += sum->last != blame->n_waits;
	sum->last = blame->n_waits;
	sum->ns += ns;
	sum->alone_ns += blocker ? blocker->alone_ns : 0;
	sum->proved_ns += blocker && blocker->proved ? ns : 0;
}

guint64 iot_blame_proved(const struct iot_blame *blame, const struct iot_blame_sum *sum)
{
	const struct iot_timeline *tl = blame->tl;
	gboolean prove;

	if (!sum->proved_ns)
		return 0;
	prove = sum->key.waiter && sum->key.holder
			? iot_nodes_prove(tl, sum->key.waiter, sum->key.holder)
			: iot_all_nodes_prove(tl);
	return prove ? sum->proved_ns : 0;
}

/* A part of a wait: a hold, or another cause. */
struct part {
	const struct iot_blocker *blocker; /* NULL: another cause */
	guint at;			   /* its place among the wait's blockers */
	guint64 ns;
	const GArray *chains; /* of the wait; NULL: none */
};

static gboolean is_of(const struct iot_chain_part *chain, const struct part *part)
{
	return part->blocker && chain->blocker == part->at;
}

/* A hold that begins chains has a stack for each, with its share of the time. */
static void add_stacks(struct iot_blame *blame, struct iot_blame_key key, const struct part *part)
{
	guint64 whole = 0, rest = part->ns;

	for (guint i = 0; part->chains && i < part->chains->len; i++) {
		const struct iot_chain_part *chain =
			&g_array_index(part->chains, struct iot_chain_part, i);

		whole += is_of(chain, part) ? chain->ns : 0;
	}
	for (guint i = 0; whole && i < part->chains->len; i++) {
		const struct iot_chain_part *chain =
			&g_array_index(part->chains, struct iot_chain_part, i);
		double share = (double)chain->ns / (double)MAX(whole, part->blocker->whole_ns);
		guint64 ns = MIN((guint64)((double)part->ns * share), rest);

		if (!is_of(chain, part) || !ns)
			continue;
		key.chain = chain->chain;
		add(blame, IOT_BLAME_STACKS, &key, part->blocker, ns);
		rest -= ns;
	}
	key.chain = NULL;
	if (rest || !part->ns)
		add(blame, IOT_BLAME_STACKS, &key, part->blocker, rest);
}

/* Add a part of a wait to all sums; @key has its cause and the node of the holder. */
static void add_part(struct iot_blame *blame, struct iot_blame_key key,
		     const struct iot_claim *waiter, const struct part *part)
{
	const struct iot_blocker *blocker = part->blocker;
	guint64 ns = part->ns;
	iot_row_id node = iot_row_node(blame->tl, waiter->row);

	key.waiter = waiter->node;
	add(blame, IOT_BLAME_NODES, &key, blocker, ns);
	key.waiter = 0;
	key.resource = iot_row_thing(blame->tl, node);
	add(blame, IOT_BLAME_RESOURCES, &key, blocker, ns);
	key.waiter = waiter->node;
	if (blocker && blocker->proved)
		add(blame, IOT_BLAME_PROOFS, &key, blocker, ns);
	key.waiter_pid = waiter->pid;
	key.waiter_command = waiter->command;
	if (blocker) {
		key.holder_pid = blocker->claim.pid;
		key.holder_command = blocker->claim.command;
	}
	add_stacks(blame, key, part);
	key.resource = 0;
	if (blocker)
		add(blame, IOT_BLAME_PROCESSES, &key, blocker, ns);
}

/* It may be the wait of a bystander: the verdict does not begin with it. */
static gboolean is_idle(const struct iot_wait *wait)
{
	return iot_flags_no_end(wait->claim.flags) &&
	       wait->cause_ns[IOT_CAUSE_HOLD] < (wait->claim.t1 - wait->claim.t0) / 2;
}

static gboolean is_unbounded(const struct iot_claim *wait)
{
	struct iot_item item = { .flags = wait->flags };

	return iot_item_is_unbounded(&item);
}

/* The order of the table of the longest waits. */
static gboolean is_longer(const struct iot_wait *a, const struct iot_wait *b)
{
	guint64 ns_a = a->claim.t1 - a->claim.t0, ns_b = b->claim.t1 - b->claim.t0;

	if (is_unbounded(&a->claim) != is_unbounded(&b->claim))
		return is_unbounded(&b->claim);
	if (ns_a != ns_b)
		return ns_a > ns_b;
	return a->claim.t0 != b->claim.t0 ? a->claim.t0 < b->claim.t0 : a->claim.seq < b->claim.seq;
}

static struct iot_wait *add_longest(struct iot_blame *blame, const struct iot_wait *wait)
{
	struct iot_wait *copy;
	guint at = blame->n_longest;

	if (at == IOT_BLAME_LONGEST) {
		if (!is_longer(wait, blame->longest[--at]))
			return NULL;
		iot_wait_free(blame->longest[at]);
	} else {
		blame->n_longest++;
	}
	for (; at && is_longer(wait, blame->longest[at - 1]); at--)
		blame->longest[at] = blame->longest[at - 1];
	copy = iot_wait_new(&wait->claim);
	memcpy(copy->cause_ns, wait->cause_ns, sizeof(wait->cause_ns));
	if (wait->blockers->len)
		g_array_append_vals(copy->blockers, wait->blockers->data, wait->blockers->len);
	return blame->longest[at] = copy;
}

struct iot_wait *iot_blame_add(struct iot_blame *blame, const struct iot_wait *wait,
			       const GArray *chains)
{
	const struct iot_timeline *tl = blame->tl;
	struct iot_blame_key key = {
		.resource = iot_row_thing(tl, iot_row_node(tl, wait->claim.row)),
		.waiter = wait->claim.node,
	};
	struct iot_wait *kept;

	if (iot_row_at(tl, wait->claim.row)->hidden)
		return NULL;
	blame->n_waits++;
	kept = add_longest(blame, wait);
	add(blame, IOT_BLAME_WAITERS, &key, NULL, wait->claim.t1 - wait->claim.t0);
	if (is_idle(wait))
		find_sum(blame, IOT_BLAME_WAITERS, &key)->idle_ns +=
			wait->claim.t1 - wait->claim.t0;
	key = (struct iot_blame_key){ 0 };
	for (guint i = 0; i < wait->blockers->len; i++) {
		const struct iot_blocker *blocker = iot_wait_blocker(wait, i);

		key.holder = blocker->claim.node;
		add_part(blame, key, &wait->claim,
			 &(struct part){ blocker, i, blocker->ns, chains });
	}
	key.holder = 0;
	for (key.cause = IOT_CAUSE_HOLD + 1; key.cause < IOT_N_CAUSES; key.cause++)
		if (wait->cause_ns[key.cause])
			add_part(blame, key, &wait->claim,
				 &(struct part){ .ns = wait->cause_ns[key.cause] });
	return kept;
}
