/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/hangs.h"

enum { MAX_EDGES = 4096 };

/* The same time as for the invariants of check. */
static const guint64 LASTING_NS = G_GUINT64_CONSTANT(10000000000);

/* A node waits for a mode that another one holds: of several such pairs, the oldest. */
struct edge {
	struct iot_claim wait, hold;
	guint64 since;	     /* both are there */
	guint from, reached; /* in a search: the edge before, and the search */
};

struct iot_hangs {
	struct iot_timeline *tl;
	GArray *edges; /* struct edge */
};

struct iot_hangs *iot_hangs_new(struct iot_timeline *tl)
{
	struct iot_hangs *hangs = g_new0(struct iot_hangs, 1);

	hangs->tl = tl;
	hangs->edges = g_array_new(FALSE, TRUE, sizeof(struct edge));
	return hangs;
}

void iot_hangs_free(struct iot_hangs *hangs)
{
	if (!hangs)
		return;
	g_array_unref(hangs->edges);
	g_free(hangs);
}

static struct edge *edge_at(const struct iot_hangs *hangs, guint i)
{
	return &g_array_index(hangs->edges, struct edge, i);
}

static void add_edge(struct iot_hangs *hangs, const struct edge *new)
{
	for (guint i = 0; i < hangs->edges->len; i++) {
		struct edge *edge = edge_at(hangs, i);

		if (edge->wait.node != new->wait.node || edge->hold.node != new->hold.node)
			continue;
		if (new->since < edge->since)
			*edge = *new;
		return;
	}
	if (hangs->edges->len == MAX_EDGES)
		iot_diag_add(&hangs->tl->stage_diag, IOT_DIAG_cycle_forgotten, 1);
	else
		g_array_append_val(hangs->edges, *new);
}

void iot_hangs_add(struct iot_hangs *hangs, const struct iot_wait *wait)
{
	const struct iot_claim *claim = &wait->claim;

	if (!(claim->flags & (IOT_UNFINISHED | IOT_CUT_RIGHT)) || claim->tries)
		return;
	for (guint i = 0; i < wait->blockers->len; i++) {
		const struct iot_blocker *blocker = iot_wait_blocker(wait, i);
		const struct iot_claim *hold = &blocker->claim;
		const struct edge edge = { .wait = *claim,
					   .hold = *hold,
					   .since = MAX(claim->t0, hold->t0) };

		if (hold->node == claim->node || hold->t1 < claim->t1 ||
		    claim->t1 - edge.since < LASTING_NS)
			continue;
		if (blocker->several)
			iot_diag_add(&hangs->tl->stage_diag, IOT_DIAG_cycle_forgotten, 1);
		else
			add_edge(hangs, &edge);
	}
}

/* Whether the one that holds is the one that waits next: cycles.c has found such cycles. */
static gboolean is_owner(const struct iot_claim *hold, const struct iot_claim *wait)
{
	return iot_claim_same_lock(hold, wait) || (hold->pid && hold->pid == wait->pid);
}

/* The edges from the last one, at @at, back to the first one of the search. */
static void add_cycle(const struct iot_hangs *hangs, guint at, guint n, struct iot_cycles *cycles)
{
	struct iot_cycle_member member[IOT_CYCLE_MEMBERS];
	g_autofree struct iot_cycle *cycle = g_malloc0(sizeof(*cycle) + sizeof(member));
	guint oldest = 0, owners = 0;

	cycle->n = n;
	cycle->of_nodes = TRUE;
	cycle->end = IOT_CYCLE_LASTS;
	cycle->grade = IOT_DEADLOCK_POSSIBLE;
	for (guint i = n; i; i--) {
		const struct edge *edge = edge_at(hangs, at);

		member[i - 1] = (struct iot_cycle_member){ edge->wait, edge->hold };
		cycle->closed = MAX(cycle->closed, edge->since);
		cycle->ended = MAX(cycle->ended, edge->wait.t1);
		at = edge->from;
	}
	for (guint i = 0; i < n; i++) {
		oldest = member[i].wait.seq < member[oldest].wait.seq ? i : oldest;
		owners += is_owner(&member[i].hold, &member[(i + 1) % n].wait);
	}
	for (guint i = 0; i < n; i++)
		cycle->member[i] = member[(oldest + i) % n];
	if (owners < n)
		iot_cycles_add(cycles, g_steal_pointer(&cycle));
}

/* The shortest cycle of edge @first and older ones, breadth first: the edge closes it. */
static void search(const struct iot_hangs *hangs, guint first, struct iot_cycles *cycles)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autoptr(GArray) depth = g_array_new(FALSE, FALSE, sizeof(guint));
	guint one = 1;

	g_array_append_val(list, first);
	g_array_append_val(depth, one);
	edge_at(hangs, first)->reached = first + 1;
	for (guint i = 0; i < list->len; i++) {
		guint at = g_array_index(list, guint, i);
		guint n = g_array_index(depth, guint, i);

		if (edge_at(hangs, at)->hold.node == edge_at(hangs, first)->wait.node) {
			add_cycle(hangs, at, n, cycles);
			return;
		}
		for (guint k = 0; n < IOT_CYCLE_MEMBERS && k < first; k++) {
			struct edge *next = edge_at(hangs, k);
			guint below = n + 1;

			if (next->reached == first + 1 ||
			    next->wait.node != edge_at(hangs, at)->hold.node)
				continue;
			next->reached = first + 1;
			next->from = at;
			g_array_append_val(list, k);
			g_array_append_val(depth, below);
		}
	}
}

static gint by_since(gconstpointer pa, gconstpointer pb)
{
	const struct edge *a = pa, *b = pb;

	if (a->since != b->since)
		return a->since < b->since ? -1 : 1;
	return (a->wait.seq > b->wait.seq) - (a->wait.seq < b->wait.seq);
}

void iot_hangs_find(const struct iot_hangs *hangs, struct iot_cycles *cycles)
{
	g_array_sort(hangs->edges, by_since);
	for (guint i = 0; i < hangs->edges->len; i++)
		search(hangs, i, cycles);
}
