/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/master-moves.h"
#include "analysis/claim-names.h"
#include "analysis/master-moves-table.h"

#include <math.h>

enum { MAX_PAIRS = 4096 };

/* The half of a 95 % interval, in standard deviations. */
static const double INTERVAL = 1.96;

/* Waits of one node for masters on another one, or on itself. */
struct pair {
	iot_str from, to;
	struct iot_moments waits;
};

/* Waits for masters at one kind of place, over all pairs. */
struct pool {
	struct iot_moments waits;
	struct iot_moments means; /* of pairs with enough waits */
};

/* Messages for each call, or callback, of a lock whose master is another node. */
struct rates {
	double calls[IOT_CALL_KINDS], blocked; /* negative: not known */
};

struct iot_master_moves {
	struct iot_lock_uses *uses;
	GHashTable *pairs; /* set of struct pair */
	struct pool pools[IOT_MASTERS];
	struct rates rates;
	guint64 n_unused; /* waits of pairs or resources beyond the limits */
};

static guint pair_hash(gconstpointer data)
{
	const struct pair *pair = data;

	return pair->from * 31 + pair->to;
}

static gboolean pair_equal(gconstpointer pa, gconstpointer pb)
{
	const struct pair *a = pa, *b = pb;

	return a->from == b->from && a->to == b->to;
}

struct iot_master_moves *iot_master_moves_new(struct iot_lock_uses *uses)
{
	struct iot_master_moves *moves = g_new0(struct iot_master_moves, 1);

	moves->uses = uses;
	moves->pairs = g_hash_table_new_full(pair_hash, pair_equal, NULL, g_free);
	return moves;
}

void iot_master_moves_free(struct iot_master_moves *moves)
{
	if (!moves)
		return;
	g_hash_table_unref(moves->pairs);
	g_free(moves);
}

/* ---- waits */

static struct iot_moments *pair_at(struct iot_master_moves *moves, iot_str from, iot_str to)
{
	const struct pair key = { .from = from, .to = to };
	struct pair *pair = g_hash_table_lookup(moves->pairs, &key);

	if (!pair && g_hash_table_size(moves->pairs) == MAX_PAIRS)
		return NULL;
	if (!pair) {
		pair = g_memdup2(&key, sizeof(key));
		g_hash_table_add(moves->pairs, pair);
	}
	return &pair->waits;
}

static double dependent_ns(const struct iot_anatomy_wait *wait)
{
	const guint64 *part_ns = wait->part_ns;

	return (double)(part_ns[IOT_HANDOVER_REQUEST] -
			MIN(wait->lookup_ns, part_ns[IOT_HANDOVER_REQUEST]) +
			part_ns[IOT_HANDOVER_GRANT] + part_ns[IOT_HANDOVER_COMPLETION]);
}

/* Counts a wait for the master on the node @to; FALSE: there are too many nodes. */
static gboolean count_master(struct iot_lock_use *use, iot_str to)
{
	for (guint i = 0; i < IOT_LOCK_MASTERS; i++) {
		struct iot_lock_masters *master = &use->masters[i];

		if (master->n_waits && master->node != to)
			continue;
		master->node = to;
		master->n_waits++;
		return TRUE;
	}
	return FALSE;
}

static gboolean add_remote(struct iot_master_moves *moves, struct iot_lock_use *use,
			   const struct iot_anatomy_wait *wait)
{
	const struct iot_lock_uses *uses = moves->uses;
	iot_str to = iot_row_at(uses->tl, iot_row_node(uses->tl, wait->master_row))->name;
	struct iot_moments *pair = pair_at(moves, iot_lock_use_node(uses, use), to);

	if (!pair || !count_master(use, to))
		return FALSE;
	iot_moments_add(pair, dependent_ns(wait));
	use->remote_ns += dependent_ns(wait);
	return TRUE;
}

void iot_master_moves_add(struct iot_master_moves *moves, struct iot_lock_use *use,
			  const struct iot_anatomy_wait *wait)
{
	gboolean remote = wait->master == IOT_MASTER_REMOTE;

	/* without a message of the master its grant is not known */
	if (!use || wait->master == IOT_MASTER_UNRECORDED ||
	    (!remote && wait->part_ns[IOT_HANDOVER_UNEXPLAINED]))
		return;
	if (use == &moves->uses->others)
		moves->n_unused++;
	else if (!remote)
		iot_moments_add(&use->local, dependent_ns(wait));
	else if (!add_remote(moves, use, wait))
		moves->n_unused++;
}

/* ---- means of all waits */

static void add_local_waits(struct iot_master_moves *moves)
{
	const GPtrArray *resources = moves->uses->resources;

	for (guint i = 0; i < resources->len; i++) {
		const struct iot_lock_resource *resource = resources->pdata[i];

		for (guint k = 0; k < resource->uses->len; k++) {
			const struct iot_lock_use *use = resource->uses->pdata[k];
			iot_str node = iot_lock_use_node(moves->uses, use);
			struct iot_moments *pair;

			if (!use->local.n ||
			    iot_lock_place(moves->uses, resource, use) == IOT_PLACE_UNKNOWN)
				continue;
			pair = pair_at(moves, node, node);
			if (pair)
				iot_moments_merge(pair, &use->local);
			else
				moves->n_unused += use->local.n;
		}
	}
}

static void fill_pools(struct iot_master_moves *moves)
{
	GHashTableIter iter;
	struct pair *pair;

	g_hash_table_iter_init(&iter, moves->pairs);
	while (g_hash_table_iter_next(&iter, (gpointer *)&pair, NULL)) {
		struct pool *pool = &moves->pools[pair->from == pair->to ? IOT_MASTER_LOCAL
									 : IOT_MASTER_REMOTE];

		iot_moments_merge(&pool->waits, &pair->waits);
		if (pair->waits.n >= IOT_MOVE_MIN_SAMPLES)
			iot_moments_add(&pool->means, iot_moments_mean(&pair->waits));
	}
}

static double rate(guint64 messages, guint64 calls)
{
	return calls ? (double)messages / (double)calls : -1;
}

static void fill_rates(struct iot_master_moves *moves)
{
	const GPtrArray *resources = moves->uses->resources;
	guint64 messages[IOT_CALL_KINDS] = { 0 }, calls[IOT_CALL_KINDS] = { 0 };
	guint64 asked = 0, blocked = 0;

	for (guint i = 0; i < resources->len; i++) {
		const struct iot_lock_resource *resource = resources->pdata[i];

		for (guint k = 0; k < resource->uses->len; k++) {
			const struct iot_lock_use *use = resource->uses->pdata[k];

			for (guint kind = 0; kind < IOT_CALL_KINDS; kind++) {
				messages[kind] += use->n_messages[kind];
				calls[kind] += use->n_remote[kind];
			}
			/* all its locks had a remote master */
			if (!use->n_answers && use->n_asked) {
				asked += use->n_asked;
				blocked += use->n_blocked;
			}
		}
	}
	for (guint kind = 0; kind < IOT_CALL_KINDS; kind++)
		moves->rates.calls[kind] = rate(messages[kind], calls[kind]);
	moves->rates.blocked = rate(asked, blocked);
}

/* ---- the replay */

/* How long a wait of a node would take with the master on another one. */
struct forecast {
	double mean_ns, variance; /* of one wait */
	double error;		  /* variance of the mean */
	gboolean known, pooled;
};

static struct forecast forecast_of(const struct iot_master_moves *moves, iot_str from, iot_str to)
{
	const struct pool *pool = &moves->pools[from == to ? IOT_MASTER_LOCAL : IOT_MASTER_REMOTE];
	const struct pair key = { .from = from, .to = to };
	const struct pair *pair = g_hash_table_lookup(moves->pairs, &key);
	gboolean pooled = !pair || pair->waits.n < IOT_MOVE_MIN_SAMPLES;
	const struct iot_moments *waits = pooled ? &pool->waits : &pair->waits;
	struct forecast forecast = {
		.known = waits->n >= IOT_MOVE_MIN_SAMPLES,
		.pooled = pooled,
		.mean_ns = iot_moments_mean(waits),
		.variance = iot_moments_variance(waits),
	};

	if (!waits->n)
		return forecast;
	forecast.error = forecast.variance / (double)waits->n;
	if (pooled)
		forecast.error += iot_moments_variance(&pool->means);
	return forecast;
}

/* @n waits of the node @from, whose master was on @now. */
static void replay_waits(const struct iot_master_moves *moves, struct iot_master_move *move,
			 guint64 n_waits, iot_str from, iot_str now)
{
	iot_str to = iot_lock_use_node(moves->uses, move->to);
	struct forecast before, after;
	const double n = (double)n_waits;

	move->n_waits += n_waits;
	if (!n_waits || now == to)
		return;
	before = forecast_of(moves, from, now);
	after = forecast_of(moves, from, to);
	move->gain_ns += n * (before.mean_ns - after.mean_ns);
	move->error_ns +=
		n * (before.variance + after.variance) + n * n * (before.error + after.error);
	move->measured &= before.known && after.known;
	move->pooled |= before.pooled || after.pooled;
}

static void replay_use(const struct iot_master_moves *moves, struct iot_master_move *move,
		       const struct iot_lock_use *use)
{
	iot_str from = iot_lock_use_node(moves->uses, use);

	move->time_ns += use->remote_ns;
	for (guint i = 0; i < IOT_LOCK_MASTERS; i++)
		replay_waits(moves, move, use->masters[i].n_waits, from, use->masters[i].node);
	if (iot_lock_place(moves->uses, move->resource, use) == IOT_PLACE_UNKNOWN)
		return;
	move->time_ns += use->local.sum;
	replay_waits(moves, move, use->local.n, from, from);
}

/* Messages that calls without one would need. */
static double missing_messages(const struct iot_master_moves *moves, struct iot_master_move *move,
			       const struct iot_lock_use *use)
{
	double sum = 0;

	if (iot_lock_place(moves->uses, move->resource, use) == IOT_PLACE_UNKNOWN)
		return 0;
	for (guint kind = IOT_CALL_BEGINS; kind < IOT_CALL_KINDS; kind++) {
		guint64 n = use->n_calls[kind] - MIN(use->n_remote[kind], use->n_calls[kind]);

		move->messages_known &= !n || moves->rates.calls[kind] >= 0;
		sum += (double)n * moves->rates.calls[kind];
	}
	if (use->n_blocked > use->n_asked) {
		move->messages_known &= moves->rates.blocked >= 0;
		sum += (double)(use->n_blocked - use->n_asked) * moves->rates.blocked;
	}
	return sum;
}

static struct iot_master_move replay(const struct iot_master_moves *moves,
				     const struct iot_lock_resource *resource,
				     const struct iot_lock_use *to)
{
	struct iot_master_move move = {
		.resource = resource, .to = to, .measured = TRUE, .messages_known = TRUE
	};

	for (guint i = 0; i < resource->uses->len; i++) {
		const struct iot_lock_use *use = resource->uses->pdata[i];
		guint64 messages = iot_lock_calls(use->n_messages) + use->n_asked;

		replay_use(moves, &move, use);
		move.n_messages += messages;
		if (use == to)
			move.messages_saved += (double)messages;
		else
			move.messages_saved -= missing_messages(moves, &move, use);
	}
	move.error_ns = INTERVAL * sqrt(move.error_ns);
	if (!resource->master)
		move.verdict = IOT_MOVE_UNKNOWN;
	else if (move.n_waits < IOT_MOVE_MIN_WAITS || !move.measured)
		move.verdict = IOT_MOVE_TOO_FEW;
	else if (move.gain_ns <= 0)
		move.verdict = IOT_MOVE_STAYS;
	else
		move.verdict = move.gain_ns > move.error_ns ? IOT_MOVE_GAIN : IOT_MOVE_UNCERTAIN;
	return move;
}

/* The greatest gain first; the verdict says whether it means something. */
static gint by_gain(gconstpointer pa, gconstpointer pb)
{
	const struct iot_master_move *a = pa, *b = pb;

	if (a->verdict != b->verdict)
		return a->verdict < b->verdict ? -1 : 1;
	if (a->gain_ns > b->gain_ns || a->gain_ns < b->gain_ns)
		return a->gain_ns > b->gain_ns ? -1 : 1;
	if (a->resource->row != b->resource->row)
		return iot_compare_number(a->resource->row, b->resource->row);
	return iot_compare_number(a->to->row, b->to->row);
}

static gboolean has_remote(const struct iot_lock_resource *resource)
{
	for (guint i = 0; i < resource->uses->len; i++) {
		const struct iot_lock_use *use = resource->uses->pdata[i];

		if (iot_lock_calls(use->n_remote))
			return TRUE;
	}
	return FALSE;
}

/* All moves, the best one of each resource first. */
static GArray *replay_all(const struct iot_master_moves *moves, GArray *best)
{
	const GPtrArray *resources = moves->uses->resources;
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct iot_master_move));

	for (guint i = 0; i < resources->len; i++) {
		const struct iot_lock_resource *resource = resources->pdata[i];
		const struct iot_lock_use *first = resource->uses->pdata[0];
		struct iot_master_move found = { .resource = NULL };

		if (!has_remote(resource) || iot_row_at(moves->uses->tl, first->row)->hidden)
			continue;
		for (guint k = 0; k < resource->uses->len; k++) {
			const struct iot_lock_use *to = resource->uses->pdata[k];
			struct iot_master_move move;

			if (to->row == resource->master)
				continue;
			move = replay(moves, resource, to);
			g_array_append_val(all, move);
			if (!found.resource || by_gain(&move, &found) < 0)
				found = move;
		}
		if (found.resource)
			g_array_append_val(best, found);
	}
	g_array_sort(all, by_gain);
	g_array_sort(best, by_gain);
	return all;
}

void iot_master_moves_publish(struct iot_master_moves *moves, struct iot_results *results)
{
	g_autoptr(GArray) best = g_array_new(FALSE, FALSE, sizeof(struct iot_master_move));
	g_autoptr(GArray) all = NULL;

	add_local_waits(moves);
	fill_pools(moves);
	fill_rates(moves);
	all = replay_all(moves, best);
	if (best->len)
		iot_master_moves_tables(moves->uses->tl, best, all, moves->n_unused, results);
}
