/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/chains.h"
#include "analysis/claim-names.h"
#include "base/intern.h"
#include "timeline/certainty.h"

#include <string.h>

enum {
	MAX_CHAINS = 1024,
	/* Holds that are looked at for one wait; of more, the rest begins no chain. */
	MAX_STEPS = 4096
};

struct interval {
	guint64 t0, t1;
	iot_str node;
};

struct iot_chains {
	struct iot_timeline *tl;
	struct iot_waits *waits;
	struct iot_thread_waits *threads;
	GHashTable *table; /* set of struct iot_chain */
	GPtrArray *list;   /* the same, by number */
	guint64 n_waits;
	guint64 seen_until; /* from then on other locks and waits may be unseen */
	GArray *parts;	    /* struct iot_chain_part, of the present wait */
	/* the present path */
	struct iot_chain path;
	guint blocker;
	guint64 seq[IOT_CHAIN_MEMBERS];			/* of the waits */
	struct interval overlap[2 * IOT_CHAIN_MEMBERS]; /* of waits and holds */
	gboolean unproved[IOT_CHAIN_MEMBERS];
	guint steps;
	/* intervals in which some hold is in the way: of the whole wait, then of each member */
	GArray *covered[IOT_CHAIN_MEMBERS];
};

static guint chain_hash(gconstpointer data)
{
	const struct iot_chain *chain = data;
	guint64 hash = chain->n;

	for (guint i = 0; i < chain->n; i++) {
		const struct iot_chain_member *member = &chain->member[i];

		hash = iot_hash_mix(hash, (guint64)member->node << 32 | member->resource);
		hash = iot_hash_mix(iot_hash_mix(hash, member->pid), member->command);
	}
	return (guint)hash;
}

static gboolean chain_equal(gconstpointer pa, gconstpointer pb)
{
	const struct iot_chain *a = pa, *b = pb;

	if (a->n != b->n)
		return FALSE;
	for (guint i = 0; i < a->n; i++) {
		const struct iot_chain_member *x = &a->member[i], *y = &b->member[i];

		if (x->node != y->node || x->pid != y->pid || x->command != y->command ||
		    x->resource != y->resource)
			return FALSE;
	}
	return TRUE;
}

struct iot_chains *iot_chains_new(struct iot_timeline *tl, struct iot_waits *waits,
				  struct iot_thread_waits *threads)
{
	struct iot_chains *chains = g_new0(struct iot_chains, 1);

	chains->tl = tl;
	chains->waits = waits;
	chains->threads = threads;
	chains->table = g_hash_table_new_full(chain_hash, chain_equal, NULL, g_free);
	chains->list = g_ptr_array_new();
	chains->parts = g_array_new(FALSE, FALSE, sizeof(struct iot_chain_part));
	for (guint i = 0; i < IOT_CHAIN_MEMBERS; i++)
		chains->covered[i] = g_array_new(FALSE, FALSE, sizeof(struct interval));
	return chains;
}

void iot_chains_free(struct iot_chains *chains)
{
	if (!chains)
		return;
	g_hash_table_unref(chains->table);
	g_ptr_array_unref(chains->list);
	g_array_unref(chains->parts);
	for (guint i = 0; i < IOT_CHAIN_MEMBERS; i++)
		g_array_unref(chains->covered[i]);
	g_free(chains);
}

/* ---- one wait */

/* The first @n intervals have an instant in common, whatever the errors of the clocks are. */
static gboolean is_proved(const struct iot_chains *chains, guint n)
{
	const struct iot_clocks *clocks = chains->tl->clocks;

	for (guint i = 0; clocks && i < n; i++)
		for (guint k = 0; k < n; k++)
			if (i != k &&
			    iot_order(clocks, chains->overlap[i].node, chains->overlap[i].t0,
				      chains->overlap[k].node, chains->overlap[k].t1) != IOT_PROVED)
				return FALSE;
	return clocks != NULL;
}

/* The path is a chain for @ns of the present wait, all of it in @within. */
static void add_chain(struct iot_chains *chains, guint64 ns, const struct interval *within)
{
	struct iot_chain_part part = { .blocker = chains->blocker, .ns = ns };
	struct iot_chain *chain = g_hash_table_lookup(chains->table, &chains->path);
	gboolean proved =
		within->t1 <= chains->seen_until && is_proved(chains, 2 * (chains->path.n - 1));

	if (!chain && chains->list->len >= MAX_CHAINS) {
		iot_diag_add(&chains->tl->stage_diag, IOT_DIAG_chain_forgotten, 1);
		return;
	}
	if (!chain) {
		chain = g_memdup2(&chains->path, sizeof(chains->path));
		chain->number = chains->list->len + 1;
		g_hash_table_add(chains->table, chain);
		g_ptr_array_add(chains->list, chain);
	}
	for (guint i = 0; i < chains->path.n; i++)
		proved = proved && !chains->unproved[i];
	chain->ns += ns;
	chain->proved_ns += proved ? ns : 0;
	chain->waits += chain->last != chains->n_waits;
	chain->last = chains->n_waits;
	if (ns > chain->longest_ns) {
		chain->longest_ns = ns;
		chain->longest_at = within->t0;
	}
	part.chain = chain;
	g_array_append_val(chains->parts, part);
}

static gint by_begin(gconstpointer pa, gconstpointer pb)
{
	const struct interval *a = pa, *b = pb;

	return a->t0 != b->t0 ? (a->t0 < b->t0 ? -1 : 1) : (a->t1 > b->t1) - (a->t1 < b->t1);
}

static guint64 union_of(GArray *intervals)
{
	guint64 sum = 0, covered = 0;

	g_array_sort(intervals, by_begin);
	for (guint i = 0; i < intervals->len; i++) {
		const struct interval *each = &g_array_index(intervals, struct interval, i);
		guint64 from = MAX(each->t0, covered);

		sum += each->t1 > from ? each->t1 - from : 0;
		covered = MAX(covered, each->t1);
	}
	return sum;
}

static iot_row_id resource_of(const struct iot_chains *chains, const struct iot_claim *claim)
{
	return iot_row_thing(chains->tl, iot_row_node(chains->tl, claim->row));
}

static void walk_wait(struct iot_chains *chains, const struct iot_claim *wait,
		      const struct iot_blocker *blockers, guint n, const struct interval *within,
		      GArray *covered);

/* The last member of the path holds a lock in @within: it may wait itself. */
static void walk_holder(struct iot_chains *chains, const struct iot_claim *hold,
			const struct interval *within, GArray *covered)
{
	g_autoptr(GPtrArray) list =
		iot_thread_waits_find(chains->threads, hold, within->t0, within->t1);
	guint depth = chains->path.n - 1;
	gboolean unproved = chains->unproved[depth];

	for (guint i = 0; i < list->len; i++) {
		const struct iot_thread_wait *each = list->pdata[i];
		struct interval part = { MAX(within->t0, each->claim.t0),
					 MIN(within->t1, each->claim.t1), 0 };
		gboolean in_path = resource_of(chains, &each->claim) == resource_of(chains, hold);

		for (guint k = 0; k < depth; k++)
			in_path = in_path || chains->seq[k] == each->claim.seq;
		if (in_path)
			continue;
		chains->unproved[depth] = unproved || !iot_thread_is_known(&each->claim, hold);
		if (each->n_blockers) {
			walk_wait(chains, &each->claim, each->blockers, each->n_blockers, &part,
				  covered);
		} else {
			struct iot_wait *wait = iot_waits_so_far(chains->waits, &each->claim);

			walk_wait(chains, &wait->claim, iot_wait_blocker(wait, 0),
				  wait->blockers->len, &part, covered);
			iot_wait_free(wait);
		}
		chains->unproved[depth] = unproved;
	}
}

/* Extend the path, whose last member waits, by each hold in the way of its wait. @covered gets the
 * intervals in which some hold is. */
static void walk_wait(struct iot_chains *chains, const struct iot_claim *wait,
		      const struct iot_blocker *blockers, guint n, const struct interval *within,
		      GArray *covered)
{
	guint depth = chains->path.n, at = 2 * (depth - 1);
	guint64 now = iot_locks_now(iot_waits_locks(chains->waits));

	chains->seq[depth - 1] = wait->seq;
	chains->overlap[at] = (struct interval){ wait->t0, MIN(wait->t1, now), wait->node };
	for (guint i = 0; i < n; i++) {
		const struct iot_claim *hold = &blockers[i].claim;
		struct interval part = { MAX(within->t0, hold->t0), MIN(within->t1, hold->t1), 0 };
		GArray *inner = chains->covered[depth];
		guint64 covered_ns;

		if (part.t0 >= part.t1)
			continue;
		if (chains->steps++ >= MAX_STEPS) {
			iot_diag_add(&chains->tl->stage_diag, IOT_DIAG_chain_forgotten, 1);
			return;
		}
		g_array_append_val(covered, part);
		if (blockers[i].several) {
			iot_diag_add(&chains->tl->stage_diag, IOT_DIAG_chain_forgotten, 1);
			continue;
		}
		if (depth == 1)
			chains->blocker = i;
		chains->overlap[at + 1] =
			(struct interval){ hold->t0, MIN(hold->t1, now), hold->node };
		chains->path.member[depth] = (struct iot_chain_member){
			.node = hold->node,
			.pid = hold->pid,
			.command = hold->command,
			.resource = resource_of(chains, wait),
		};
		chains->path.n = depth + 1;
		chains->unproved[depth] = blockers[i].undecided;
		g_array_set_size(inner, 0);
		if (chains->path.n < IOT_CHAIN_MEMBERS)
			walk_holder(chains, hold, &part, inner);
		covered_ns = union_of(inner);
		if (depth > 1 && part.t1 - part.t0 > covered_ns)
			add_chain(chains, part.t1 - part.t0 - covered_ns, &part);
		chains->unproved[depth] = FALSE;
		chains->path.n = depth;
	}
}

const GArray *iot_chains_add(struct iot_chains *chains, const struct iot_wait *wait)
{
	struct interval whole = { wait->claim.t0, wait->claim.t1, 0 };

	g_array_set_size(chains->parts, 0);
	g_array_set_size(chains->covered[0], 0);
	chains->n_waits++;
	chains->steps = 0;
	chains->seen_until = iot_timeline_first_unobserved(chains->tl);
	memset(chains->unproved, 0, sizeof(chains->unproved));
	chains->path = (struct iot_chain){
		.n = 1,
		.member[0] = { .node = wait->claim.node,
			       .pid = wait->claim.pid,
			       .command = wait->claim.command },
	};
	walk_wait(chains, &wait->claim, iot_wait_blocker(wait, 0), wait->blockers->len, &whole,
		  chains->covered[0]);
	return chains->parts;
}

/* ---- table */

/* What is proved of the chain, after the last item. */
static guint64 proved_ns(const struct iot_timeline *tl, const struct iot_chain *chain)
{
	for (guint i = 0; chain->proved_ns && i < chain->n; i++)
		for (guint k = 0; k < i; k++)
			if (!iot_nodes_prove(tl, chain->member[i].node, chain->member[k].node))
				return 0;
	return chain->proved_ns;
}

static int most_time(gconstpointer pa, gconstpointer pb, gconstpointer chains)
{
	const struct iot_chain *a = pa, *b = pb;

	(void)chains;
	return a->ns != b->ns ? iot_compare_number(b->ns, a->ns)
			      : iot_compare_number(a->number, b->number);
}

/* "node 3 mount 193 > gfs/trans 0 > node 1 mount 173 > gfs/rgrp 7 > node 2" */
static char *text_of(const struct iot_timeline *tl, const struct iot_chain *chain)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < chain->n; i++) {
		const struct iot_chain_member *member = &chain->member[i];
		g_autofree char *process = iot_process_name(tl, member->pid, member->command);
		g_autofree char *path = i ? iot_timeline_path(tl, member->resource, "/") : NULL;

		if (i)
			g_string_append_printf(text, " > %s > ", path);
		g_string_append_printf(text, "%s%s%s", iot_tl_str(tl, member->node),
				       *process ? " " : "", process);
	}
	return g_string_free(text, FALSE);
}

static void add_row(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_chain *chain = element;
	const struct iot_chains *chains = data;
	g_autofree char *text = text_of(chains->tl, chain);

	iot_ranked_row(table, iot_cell_number(chain->n), iot_cell_number(chain->ns),
		       iot_cell_share((double)proved_ns(chains->tl, chain) / (double)chain->ns),
		       iot_cell_number(chain->waits), iot_cell_number(chain->longest_ns),
		       iot_cell_number(chain->longest_at), iot_cell_text(text));
}

static const struct iot_ranked_column columns[] = {
	{ "members", "members", IOT_COLUMN_COUNT, .help = "of the chain: all but the last wait" },
	{ "ns", "time", IOT_COLUMN_NS, IOT_COLUMN_STRONG },
	{ "proved", "proved", IOT_COLUMN_SHARE, 0, 1,
	  "of the time: whatever the errors of the clocks are, and the models name all processes" },
	{ "waits", "waits", IOT_COLUMN_COUNT, 0, 4 },
	{ "longest_ns", "longest", IOT_COLUMN_NS, 0, 3 },
	{ "longest_at", "at", IOT_COLUMN_INSTANT, 0, 2 },
	{ "chain", "who waits for whom", IOT_COLUMN_TEXT, IOT_COLUMN_WRAP },
};

static const struct iot_ranked ranked = {
	IOT_RANKED("chains", "Chains", columns),
	.help = "Who waits for a holder that waits itself: each member for a resource that the "
		"next one holds. A circle is one row, from the member on that was in it for "
		"longest.",
	.limit = 20,
	.loss = IOT_LOSS_UNDECIDED,
	.compare = most_time,
	.add = add_row,
};

/* ---- circles */

static int compare_members(const struct iot_chain_member *a, const struct iot_chain_member *b)
{
	int order = iot_compare_number(a->node, b->node);

	order = order ? order : iot_compare_number(a->pid, b->pid);
	order = order ? order : iot_compare_number(a->command, b->command);
	return order ? order : iot_compare_number(a->resource, b->resource);
}

/* The last member is the first one. Nobody knows it of a process without a number. */
static gboolean is_circle(const struct iot_chain *chain)
{
	const struct iot_chain_member *first = &chain->member[0];
	const struct iot_chain_member *last = &chain->member[chain->n - 1];

	return first->pid && first->node == last->node && first->pid == last->pid &&
	       first->command == last->command;
}

/* The chain; of a circle the one that ends with its least member. The caller frees */
static struct iot_chain *turned(const struct iot_chain *chain)
{
	struct iot_chain *turned = g_memdup2(chain, sizeof(*chain));
	guint n = chain->n - 1, least = 1;

	if (!is_circle(chain))
		return turned;
	for (guint i = 2; i <= n; i++)
		if (compare_members(&chain->member[i], &chain->member[least]) < 0)
			least = i;
	for (guint i = 1; i <= n; i++)
		turned->member[i] = chain->member[(least + i - 1) % n + 1];
	turned->member[0] = turned->member[n];
	turned->member[0].resource = 0;
	return turned;
}

static gint by_time(gconstpointer pa, gconstpointer pb)
{
	return most_time(*(const gconstpointer *)pa, *(const gconstpointer *)pb, NULL);
}

void iot_chains_publish(const struct iot_chains *chains, struct iot_results *results)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(chain_hash, chain_equal, g_free, NULL);
	g_autoptr(GPtrArray) sorted = g_ptr_array_copy(chains->list, NULL, NULL);
	g_autoptr(GPtrArray) list = g_ptr_array_new();

	/* each member of a circle begins the same one */
	g_ptr_array_sort(sorted, by_time);
	for (guint i = 0; i < sorted->len; i++)
		if (g_hash_table_add(seen, turned(sorted->pdata[i])))
			g_ptr_array_add(list, sorted->pdata[i]);
	iot_ranked_publish(results, chains->tl, &ranked, list, chains);
}
