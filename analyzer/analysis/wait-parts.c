/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/wait-parts.h"
#include "base/units.h"
#include "timeline/certainty.h"

/* A claim begins or ends to matter. */
struct edge {
	guint64 t;
	guint claim; /* position */
	gboolean begins;
	enum iot_cause cause;
};

struct sweep {
	struct iot_wait *wait;
	const struct iot_timeline *tl;
	const struct iot_claim *claims;
	GArray *held;	/* guint: positions of holds in the way now */
	guint *blocker; /* by claim: 1 + its position in wait->blockers; 0: it has none yet */
	guint n[IOT_N_CAUSES];
};

const char *iot_cause_name(enum iot_cause cause)
{
	static const char *const names[IOT_N_CAUSES] = { "held", "hand-over", "queue",
							 "not observed", "unexplained" };

	return names[cause];
}

struct iot_wait *iot_wait_new(const struct iot_claim *claim)
{
	struct iot_wait *wait = g_new0(struct iot_wait, 1);

	wait->claim = *claim;
	wait->until = claim->t0;
	wait->blockers = g_array_new(FALSE, FALSE, sizeof(struct iot_blocker));
	wait->parts = g_array_new(FALSE, FALSE, sizeof(struct iot_wait_part));
	wait->in_part = g_array_new(FALSE, FALSE, sizeof(guint));
	return wait;
}

void iot_wait_free(struct iot_wait *wait)
{
	if (!wait)
		return;
	g_array_unref(wait->blockers);
	g_array_unref(wait->parts);
	g_array_unref(wait->in_part);
	g_free(wait);
}

int iot_claim_order(const struct iot_timeline *tl, const struct iot_claim *a,
		    const struct iot_claim *b)
{
	if (a->node != b->node) {
		int by_name = iot_natural_compare(iot_tl_str(tl, a->node), iot_tl_str(tl, b->node));

		if (by_name)
			return by_name;
	}
	if (a->lock != b->lock)
		return a->lock < b->lock ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return a->lane < b->lane ? -1 : a->lane > b->lane;
}

/* Whether @other is served before @wait: conversions first, then in the order of their begins. */
static gboolean is_before(const struct iot_claim *other, const struct iot_claim *wait)
{
	if (other->converts != wait->converts)
		return other->converts;
	return other->t0 != wait->t0 ? other->t0 < wait->t0 : other->seq < wait->seq;
}

/* What a claim of another lock does to the wait; UNEXPLAINED: nothing. */
static enum iot_cause effect(const struct iot_timeline *tl, const struct iot_claim *wait,
			     const struct iot_claim *other)
{
	gboolean excludes =
		wait->cat && other->cat && !iot_cats_compatible(tl, wait->cat, other->cat);

	switch (other->kind) {
	case IOT_CLAIM_HOLD:
		return excludes ? IOT_CAUSE_HOLD : IOT_CAUSE_UNEXPLAINED;
	case IOT_CLAIM_LEAVING:
		return excludes ? IOT_CAUSE_HANDOVER : IOT_CAUSE_UNEXPLAINED;
	case IOT_CLAIM_UNKNOWN:
		return IOT_CAUSE_UNOBSERVED;
	default:
		return is_before(other, wait) ? IOT_CAUSE_QUEUE : IOT_CAUSE_UNEXPLAINED;
	}
}

static gint compare_edges(gconstpointer pa, gconstpointer pb)
{
	const struct edge *a = pa, *b = pb;

	if (a->t != b->t)
		return a->t < b->t ? -1 : 1;
	if (a->claim != b->claim)
		return a->claim < b->claim ? -1 : 1;
	return b->begins - a->begins;
}

static GArray *find_edges(const struct sweep *sweep, guint n_claims, guint64 until)
{
	const struct iot_wait *wait = sweep->wait;
	GArray *edges = g_array_new(FALSE, FALSE, sizeof(struct edge));

	for (guint i = 0; i < n_claims; i++) {
		const struct iot_claim *claim = &sweep->claims[i];
		struct edge edge = { .claim = i };

		if (claim->t0 >= until || claim->t1 <= wait->until || claim->t0 == claim->t1 ||
		    iot_claim_same_lock(claim, &wait->claim))
			continue;
		edge.cause = effect(sweep->tl, &wait->claim, claim);
		if (edge.cause == IOT_CAUSE_UNEXPLAINED)
			continue;
		edge.t = MAX(claim->t0, wait->until);
		edge.begins = TRUE;
		g_array_append_val(edges, edge);
		if (claim->t1 >= until)
			continue;
		edge.t = claim->t1;
		edge.begins = FALSE;
		g_array_append_val(edges, edge);
	}
	g_array_sort(edges, compare_edges);
	return edges;
}

/* Whether the wait and the hold overlap, whatever the errors of the clocks are. */
static gboolean is_proved(const struct sweep *sweep, const struct iot_claim *hold, guint64 until)
{
	const struct iot_clocks *clocks = sweep->tl->clocks;
	const struct iot_claim *wait = &sweep->wait->claim;

	return clocks &&
	       iot_order(clocks, hold->node, hold->t0, wait->node, MIN(wait->t1, until)) ==
		       IOT_PROVED &&
	       iot_order(clocks, wait->node, wait->t0, hold->node, MIN(hold->t1, until)) ==
		       IOT_PROVED;
}

static guint blocker_of(struct sweep *sweep, guint at, guint64 until)
{
	GArray *blockers = sweep->wait->blockers;
	struct iot_blocker new = { .claim = sweep->claims[at] };

	if (!sweep->blocker[at]) {
		new.proved = is_proved(sweep, &new.claim, until);
		g_array_append_val(blockers, new);
		sweep->blocker[at] = blockers->len;
	}
	return sweep->blocker[at] - 1;
}

/* The present holds share the interval up to @t. */
static void share(struct sweep *sweep, struct iot_wait_part *part, guint64 until)
{
	struct iot_wait *wait = sweep->wait;
	guint64 ns = part->t1 - part->t0;
	guint n = sweep->held->len, first = 0;

	part->first = wait->in_part->len;
	part->n = n;
	for (guint i = 0; i < n; i++) {
		guint at = blocker_of(sweep, g_array_index(sweep->held, guint, i), until);
		struct iot_blocker *blocker =
			&g_array_index(wait->blockers, struct iot_blocker, at);

		blocker->ns += ns / n;
		blocker->whole_ns += ns;
		blocker->alone_ns += n == 1 ? ns : 0;
		g_array_append_val(wait->in_part, at);
		if (!i || iot_claim_order(sweep->tl, &blocker->claim,
					  &iot_wait_blocker(wait, first)->claim) < 0)
			first = at;
	}
	g_array_index(wait->blockers, struct iot_blocker, first).ns += ns % n;
}

/* Nothing has changed from wait->until to @t. */
static void add_part(struct sweep *sweep, guint64 t, guint64 until)
{
	struct iot_wait *wait = sweep->wait;
	struct iot_wait_part part = { .t0 = wait->until, .t1 = t };
	struct iot_wait_part *last =
		wait->parts->len
			? &g_array_index(wait->parts, struct iot_wait_part, wait->parts->len - 1)
			: NULL;

	if (part.t0 == part.t1)
		return;
	while (part.cause < IOT_CAUSE_UNEXPLAINED && !sweep->n[part.cause])
		part.cause++;
	wait->cause_ns[part.cause] += t - part.t0;
	wait->until = t;
	if (part.cause == IOT_CAUSE_HOLD)
		share(sweep, &part, until);
	else if (last && last->cause == part.cause && last->t1 == part.t0) {
		last->t1 = t;
		return;
	}
	g_array_append_val(wait->parts, part);
}

static void apply(struct sweep *sweep, const struct edge *edge)
{
	sweep->n[edge->cause] += edge->begins ? 1 : -1U;
	if (edge->cause != IOT_CAUSE_HOLD)
		return;
	if (edge->begins) {
		g_array_append_val(sweep->held, edge->claim);
		return;
	}
	for (guint i = 0; i < sweep->held->len; i++)
		if (g_array_index(sweep->held, guint, i) == edge->claim) {
			g_array_remove_index(sweep->held, i);
			return;
		}
}

void iot_wait_explain(struct iot_wait *wait, const struct iot_timeline *tl,
		      const struct iot_claim *claims, guint n_claims, guint64 until)
{
	struct sweep sweep = { .wait = wait, .tl = tl, .claims = claims };
	g_autoptr(GArray) edges = find_edges(&sweep, n_claims, until);

	sweep.held = g_array_new(FALSE, FALSE, sizeof(guint));
	sweep.blocker = g_new0(guint, n_claims);
	for (guint i = 0; i < edges->len; i++) {
		const struct edge *edge = &g_array_index(edges, struct edge, i);

		/* while a hold is in the way, other claims end no part */
		if (edge->cause == IOT_CAUSE_HOLD || !sweep.n[IOT_CAUSE_HOLD])
			add_part(&sweep, edge->t, until);
		apply(&sweep, edge);
	}
	add_part(&sweep, until, until);
	g_array_unref(sweep.held);
	g_free(sweep.blocker);
}

static gint compare_locks(gconstpointer pa, gconstpointer pb)
{
	const struct iot_claim *a = &((const struct iot_blocker *)pa)->claim;
	const struct iot_claim *b = &((const struct iot_blocker *)pb)->claim;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->cat != b->cat)
		return a->cat < b->cat ? -1 : 1;
	return a->t0 < b->t0 ? -1 : a->t0 > b->t0;
}

void iot_wait_merge(struct iot_wait *wait)
{
	GArray *blockers = wait->blockers;
	guint n = 0;

	g_array_sort(blockers, compare_locks);
	for (guint i = 0; i < blockers->len; i++) {
		const struct iot_blocker *next = iot_wait_blocker(wait, i);
		struct iot_blocker *last =
			&g_array_index(blockers, struct iot_blocker, n ? n - 1 : 0);

		if (!n || !iot_claim_same_lock(&last->claim, &next->claim) ||
		    last->claim.cat != next->claim.cat) {
			g_array_index(blockers, struct iot_blocker, n++) = *next;
			continue;
		}
		last->ns += next->ns;
		last->alone_ns += next->alone_ns;
		last->whole_ns += next->whole_ns;
		last->proved = last->proved && next->proved;
		last->claim.t1 = next->claim.t1;
	}
	g_array_set_size(blockers, n);
	g_array_set_size(wait->parts, 0);
	g_array_set_size(wait->in_part, 0);
}
