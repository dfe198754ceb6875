/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions of the parts of waits and of operations, and of the share of each cause, for the
 * output summary. Puts in nothing, and has no tables.
 */
#include "analysis/operations.h"
#include "analysis/stage.h"
#include "base/intern.h"

/* Distributions of either kind. */
enum { MAX_DISTRIBUTIONS = 100000 };

struct part_key {
	iot_row_id row;
	iot_cat_id state, mode;
	guint part; /* IOT_HANDOVER_PARTS and more: of operations */
	enum iot_master master;
};

struct cause_key {
	iot_row_id row;
	enum iot_cause cause;
	iot_str holder;
};

/* A cause, and its time in the wait that is added. */
struct cause {
	struct cause_key key;
	struct iot_cause_shares *shares;
	guint64 ns;
};

struct distributions {
	struct iot_stage stage;
	struct iot_timeline *tl;
	struct iot_distributions *out;
	GHashTable *parts;  /* struct part_key -> struct iot_part_distribution */
	GHashTable *waits;  /* row -> struct iot_waits_sum */
	GHashTable *causes; /* set of struct cause */
	GPtrArray *present; /* struct cause, of the wait that is added */
};

static guint part_hash(gconstpointer data)
{
	const struct part_key *key = data;

	return (guint)iot_hash_mix(iot_hash_mix(key->row, key->part * IOT_MASTERS + key->master),
				   (guint64)key->state << 32 | key->mode);
}

static gboolean part_equal(gconstpointer pa, gconstpointer pb)
{
	const struct part_key *a = pa, *b = pb;

	return a->row == b->row && a->state == b->state && a->mode == b->mode &&
	       a->part == b->part && a->master == b->master;
}

static guint cause_hash(gconstpointer data)
{
	const struct cause_key *key = data;

	return (guint)iot_hash_mix(iot_hash_mix(key->row, key->cause), key->holder);
}

static gboolean cause_equal(gconstpointer pa, gconstpointer pb)
{
	const struct cause_key *a = pa, *b = pb;

	return a->row == b->row && a->cause == b->cause && a->holder == b->holder;
}

/* ---- parts */

static struct iot_part_distribution *add_part(struct distributions *all, const struct part_key *key)
{
	struct iot_part_distribution *part;

	if (all->out->parts->len == MAX_DISTRIBUTIONS) {
		all->out->n_left_out++;
		return NULL;
	}
	part = g_new0(struct iot_part_distribution, 1);
	part->row = key->row;
	part->state = key->state;
	part->mode = key->mode;
	if (key->part < IOT_HANDOVER_PARTS) {
		part->part = iot_handover_part_name(key->part);
		part->master = iot_master_name(key->master);
	} else {
		part->part = iot_operation_part_name(key->part - IOT_HANDOVER_PARTS);
		part->master = "";
	}
	g_hash_table_insert(all->parts, g_memdup2(key, sizeof(*key)), part);
	g_ptr_array_add(all->out->parts, part);
	return part;
}

static void add_length(struct distributions *all, const struct part_key *key, guint64 ns)
{
	struct iot_part_distribution *part = ns ? g_hash_table_lookup(all->parts, key) : NULL;

	if (ns && !part)
		part = add_part(all, key);
	if (part)
		iot_histogram_store_add(all->out->store, &part->durations, ns);
}

static void wait_cut(gpointer data, const struct iot_anatomy_wait *wait)
{
	struct distributions *all = data;
	struct part_key key = {
		.row = iot_row_node(all->tl, wait->row),
		.state = wait->state,
		.mode = wait->mode,
		.master = wait->master,
	};

	for (key.part = 0; key.part < IOT_HANDOVER_PARTS; key.part++)
		add_length(all, &key, wait->part_ns[key.part]);
}

static void span_accounted(gpointer data, const struct iot_accounted *span)
{
	struct distributions *all = data;
	struct part_key key = { .row = iot_row_node(all->tl, span->row), .state = span->cat };
	guint64 ns[IOT_OPERATION_PARTS];

	if (!iot_operation_divide(all->tl, span, ns))
		return;
	for (guint i = 0; i < IOT_OPERATION_PARTS; i++) {
		key.part = IOT_HANDOVER_PARTS + i;
		add_length(all, &key, ns[i]);
	}
}

/* ---- causes */

static struct cause *add_cause(struct distributions *all, struct iot_waits_sum *waits,
			       const struct cause_key *key)
{
	struct cause *cause;

	if (g_hash_table_size(all->causes) == MAX_DISTRIBUTIONS) {
		all->out->n_left_out++;
		return NULL;
	}
	cause = g_new0(struct cause, 1);
	cause->key = *key;
	cause->shares = g_new0(struct iot_cause_shares, 1);
	cause->shares->holder = key->holder;
	cause->shares->cause =
		key->cause == IOT_CAUSE_HOLD ? NULL : iot_cause_name((enum iot_cause)key->cause);
	g_ptr_array_add(waits->causes, cause->shares);
	g_hash_table_add(all->causes, cause);
	return cause;
}

static void blame(struct distributions *all, struct iot_waits_sum *waits, enum iot_cause cause,
		  iot_str holder, guint64 ns)
{
	const struct cause_key key = { .row = waits->row, .cause = cause, .holder = holder };
	struct cause *found = g_hash_table_lookup(all->causes, &key);

	if (!found)
		found = add_cause(all, waits, &key);
	if (!found)
		return;
	if (!found->ns)
		g_ptr_array_add(all->present, found);
	found->ns += ns;
}

static void add_shares(struct distributions *all, guint64 whole_ns)
{
	for (guint i = 0; i < all->present->len; i++) {
		struct cause *cause = all->present->pdata[i];
		double share = (double)cause->ns / (double)whole_ns;

		iot_histogram_store_add(all->out->store, &cause->shares->shares,
					MAX((guint64)(share * IOT_SHARE_WHOLE), 1));
		cause->shares->ns += cause->ns;
		cause->ns = 0;
	}
	g_ptr_array_set_size(all->present, 0);
}

static void wait_ended(gpointer data, const struct iot_wait *wait)
{
	struct distributions *all = data;
	iot_row_id row = iot_row_node(all->tl, wait->claim.row);
	struct iot_waits_sum *waits = g_hash_table_lookup(all->waits, GUINT_TO_POINTER(row));
	guint64 ns = wait->claim.t1 - wait->claim.t0;

	if (!ns || iot_row_at(all->tl, wait->claim.row)->hidden)
		return;
	if (!waits) {
		waits = iot_distributions_add_waits(all->out, row);
		g_hash_table_insert(all->waits, GUINT_TO_POINTER(row), waits);
	}
	waits->n++;
	waits->ns += ns;
	for (guint i = 0; i < wait->blockers->len; i++) {
		const struct iot_blocker *blocker = iot_wait_blocker(wait, i);

		if (blocker->ns)
			blame(all, waits, IOT_CAUSE_HOLD, blocker->claim.node, blocker->ns);
	}
	for (enum iot_cause cause = IOT_CAUSE_HOLD + 1; cause < IOT_N_CAUSES; cause++)
		if (wait->cause_ns[cause])
			blame(all, waits, cause, 0, wait->cause_ns[cause]);
	add_shares(all, ns);
}

/* ---- the stage */

static gboolean distributions_possible(const struct iot_timeline *tl)
{
	return iot_anatomy_possible(tl) || iot_locks_compared(tl) || iot_operations_possible(tl);
}

static struct iot_stage *distributions_open(struct iot_timeline *tl)
{
	struct distributions *all = g_new0(struct distributions, 1);

	all->tl = tl;
	all->out = iot_distributions_new();
	all->parts = g_hash_table_new_full(part_hash, part_equal, g_free, NULL);
	all->waits = g_hash_table_new(NULL, NULL);
	all->causes = g_hash_table_new_full(cause_hash, cause_equal, g_free, NULL);
	all->present = g_ptr_array_new();
	return &all->stage;
}

static void distributions_listen(struct iot_stage *stage)
{
	if (iot_operations_possible(((struct distributions *)stage)->tl))
		iot_accounts_listen(iot_stage_accounts(stage), span_accounted, stage);
	iot_waits_listen(iot_stage_waits(stage), wait_ended, stage);
	if (iot_anatomy_possible(((struct distributions *)stage)->tl))
		iot_anatomy_listen(iot_stage_parts(stage), wait_cut, stage);
}

static void distributions_publish(struct iot_stage *stage, struct iot_results *results)
{
	results->distributions = g_steal_pointer(&((struct distributions *)stage)->out);
}

static void distributions_free(struct iot_stage *stage)
{
	struct distributions *all = (struct distributions *)stage;

	iot_distributions_free(all->out);
	g_hash_table_unref(all->parts);
	g_hash_table_unref(all->waits);
	g_hash_table_unref(all->causes);
	g_ptr_array_unref(all->present);
	g_free(all);
}

const struct iot_stage_ops iot_stage_distributions = {
	.name = "distributions",
	.summary = "distributions of the parts and causes of waits, and of the parts of "
		   "operations, for the output "
		   "summary",
	.is_possible = distributions_possible,
	.open = distributions_open,
	.listen = distributions_listen,
	.publish = distributions_publish,
	.free = distributions_free,
};
