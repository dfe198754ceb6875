/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/wait-parts.h"
#include "base/units.h"
#include "timeline/certainty.h"
#include "timeline/findings.h"

#include <string.h>

/* Claims begin or end to matter. */
struct edge {
	guint64 t;
	guint claim; /* holds: position; others: G_MAXUINT */
	gboolean begins;
	enum iot_cause cause;
};

/* Overlapping claims with one effect that is no hold. */
struct run {
	guint64 t0, t1;
};

struct iot_explainer {
	const struct iot_timeline *tl;
	GArray *edges;	 /* struct edge */
	GArray *held;	 /* guint: positions of holds in the way now */
	GArray *blocker; /* guint, by claim: 1 + its position in wait->blockers; 0: it has none */
	/* the wait that is explained */
	struct iot_wait *wait;
	const GArray *others; /* struct iot_claim */
	guint64 until;
	guint64 seen_until; /* from then on locks may be unseen */
	/* the present part: of other locks, the mode is unknown since; it was in a part of it */
	guint64 unknown_since;
	gboolean doubt;
	struct run run[IOT_N_CAUSES];
	guint n[IOT_N_CAUSES];
};

const char *iot_cause_name(enum iot_cause cause)
{
	static const char *const names[IOT_N_CAUSES] = { "held",      "hand-over",    "queue",
							 "recovery",  "not observed", "messages",
							 "callbacks", "unexplained" };

	return names[cause];
}

struct iot_wait *iot_wait_new(const struct iot_claim *claim)
{
	struct iot_wait *wait = g_new0(struct iot_wait, 1);

	wait->claim = *claim;
	wait->until = claim->t0;
	wait->blockers = g_array_new(FALSE, FALSE, sizeof(struct iot_blocker));
	wait->parts = g_array_new(FALSE, FALSE, sizeof(struct iot_wait_part));
	return wait;
}

void iot_wait_reset(struct iot_wait *wait, const struct iot_claim *claim)
{
	wait->claim = *claim;
	wait->until = claim->t0;
	wait->doubt = FALSE;
	wait->misses_intervals = FALSE;
	wait->shrunk = FALSE;
	wait->lost_names = FALSE;
	wait->n_queued = 0;
	wait->forgotten_ns = 0;
	memset(wait->cause_ns, 0, sizeof(wait->cause_ns));
	g_array_set_size(wait->blockers, 0);
	g_array_set_size(wait->parts, 0);
}

void iot_wait_free(struct iot_wait *wait)
{
	if (!wait)
		return;
	g_array_unref(wait->blockers);
	g_array_unref(wait->parts);
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
	if (!iot_claim_queues(other))
		return FALSE;
	if (other->converts != wait->converts)
		return other->converts;
	return other->t0 != wait->t0 ? other->t0 < wait->t0 : other->seq < wait->seq;
}

/* What a claim of another lock that does not wait does to the wait; UNEXPLAINED: nothing. */
static enum iot_cause effect(const struct iot_timeline *tl, const struct iot_claim *wait,
			     const struct iot_claim *other)
{
	if (other->kind == IOT_CLAIM_RECOVERY)
		return IOT_CAUSE_RECOVERY;
	if (other->kind == IOT_CLAIM_UNKNOWN && iot_claims_meet(wait, other))
		return IOT_CAUSE_UNOBSERVED;
	if (other->kind == IOT_CLAIM_UNKNOWN || !iot_claims_exclude(tl, wait, other))
		return IOT_CAUSE_UNEXPLAINED;
	return other->kind == IOT_CLAIM_HOLD ? IOT_CAUSE_HOLD : IOT_CAUSE_HANDOVER;
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

/* Mostly there are a few edges, or holds that followed each other: then a sort by insertion is
 * quick. */
static void sort_edges(GArray *edges)
{
	struct edge *edge = (struct edge *)(gpointer)edges->data;
	gssize moves = 16 + 8 * (gssize)edges->len;

	for (guint i = 1; i < edges->len && moves >= 0; i++) {
		struct edge moved = edge[i];
		guint at = i;

		for (; at && compare_edges(&moved, &edge[at - 1]) < 0; at--)
			edge[at] = edge[at - 1];
		edge[at] = moved;
		moves -= i - at;
	}
	if (moves < 0)
		g_array_sort(edges, compare_edges);
}

static void add_edges(struct iot_explainer *explainer, enum iot_cause cause, guint claim,
		      const struct run *run)
{
	struct edge edge = { run->t0, claim, TRUE, cause };

	g_array_append_val(explainer->edges, edge);
	if (run->t1 >= explainer->until)
		return;
	edge.t = run->t1;
	edge.begins = FALSE;
	g_array_append_val(explainer->edges, edge);
}

/* A claim that is no hold makes the last run of its cause longer, or is a new one. So a long queue
 * has few edges. */
static void add_to_run(struct iot_explainer *explainer, enum iot_cause cause,
		       const struct run *claim)
{
	struct run *run = &explainer->run[cause];

	if (run->t0 <= claim->t0 && claim->t0 <= run->t1) {
		run->t1 = MAX(run->t1, claim->t1);
		return;
	}
	if (run->t0 < run->t1)
		add_edges(explainer, cause, G_MAXUINT, run);
	*run = *claim;
}

/* Whether a claim of another lock overlaps with the time that is explained: @run. */
static gboolean overlaps(const struct iot_explainer *explainer, const struct iot_claim *claim,
			 struct run *run)
{
	const struct iot_wait *wait = explainer->wait;

	run->t0 = MAX(claim->t0, wait->until);
	run->t1 = claim->t1;
	return claim->t0 < explainer->until && claim->t1 > wait->until && claim->t0 < claim->t1 &&
	       !iot_claim_same_lock(claim, &wait->claim);
}

/* The time in which other waits were before this one. */
static void add_queue(struct iot_explainer *explainer, struct iot_claims *claims)
{
	const struct iot_wait *wait = explainer->wait;
	struct run run = { .t0 = wait->until };

	if (!iot_claim_queues(&wait->claim))
		return;
	if (iot_claims_queue(claims, &wait->claim, &run.t1)) {
		if (run.t1 > run.t0)
			add_to_run(explainer, IOT_CAUSE_QUEUE, &run);
		return;
	}
	for (guint i = 0; i < claims->waits->len; i++) {
		const struct iot_claim *other = iot_claim_at(claims->waits, i);

		if (overlaps(explainer, other, &run) && is_before(other, &wait->claim))
			add_to_run(explainer, IOT_CAUSE_QUEUE, &run);
	}
}

static void find_edges(struct iot_explainer *explainer, struct iot_claims *claims)
{
	const struct iot_claim *wait = &explainer->wait->claim, *last = NULL;
	enum iot_cause cause = IOT_CAUSE_UNEXPLAINED;
	struct run run;

	g_array_set_size(explainer->edges, 0);
	memset(explainer->run, 0, sizeof(explainer->run));
	for (guint i = 0; i < explainer->others->len; i++) {
		const struct iot_claim *claim = iot_claim_at(explainer->others, i);

		if (!overlaps(explainer, claim, &run))
			continue;
		if (!last || last->kind != claim->kind || last->cat != claim->cat || claim->ranged)
			cause = effect(explainer->tl, wait, claim);
		last = claim;
		if (cause == IOT_CAUSE_UNOBSERVED)
			explainer->wait->doubt = TRUE;
		if (cause == IOT_CAUSE_HOLD)
			add_edges(explainer, cause, i, &run);
		else if (cause != IOT_CAUSE_UNEXPLAINED)
			add_to_run(explainer, cause, &run);
	}
	add_queue(explainer, claims);
	for (guint i = IOT_CAUSE_HOLD + 1; i < IOT_CAUSE_UNEXPLAINED; i++)
		if (explainer->run[i].t0 < explainer->run[i].t1)
			add_edges(explainer, (enum iot_cause)i, G_MAXUINT, &explainer->run[i]);
	sort_edges(explainer->edges);
}

/* Whether the wait and the hold overlap, whatever the errors of the clocks are. */
static gboolean is_proved(const struct iot_explainer *explainer, const struct iot_claim *hold)
{
	const struct iot_clocks *clocks = explainer->tl->clocks;
	const struct iot_claim *wait = &explainer->wait->claim;
	guint64 until = explainer->until;

	return clocks &&
	       iot_order(clocks, hold->node, hold->t0, wait->node, MIN(wait->t1, until)) ==
		       IOT_PROVED &&
	       iot_order(clocks, wait->node, wait->t0, hold->node, MIN(hold->t1, until)) ==
		       IOT_PROVED;
}

static guint blocker_of(struct iot_explainer *explainer, guint at)
{
	GArray *blockers = explainer->wait->blockers;
	guint *known = &g_array_index(explainer->blocker, guint, at);
	struct iot_blocker new = { .claim = *iot_claim_at(explainer->others, at) };

	if (!*known) {
		new.undecided = MIN(new.claim.t1, explainer->until) > explainer->seen_until;
		new.proved = is_proved(explainer, &new.claim) && !new.undecided;
		g_array_append_val(blockers, new);
		*known = blockers->len;
	}
	return *known - 1;
}

/* The present holds share the next @ns. */
static void share(struct iot_explainer *explainer, guint64 ns)
{
	struct iot_wait *wait = explainer->wait;
	guint n = explainer->held->len, first = 0;

	for (guint i = 0; i < n; i++) {
		guint at = blocker_of(explainer, g_array_index(explainer->held, guint, i));
		struct iot_blocker *blocker =
			&g_array_index(wait->blockers, struct iot_blocker, at);

		blocker->ns += ns / n;
		blocker->whole_ns += ns;
		blocker->alone_ns += n == 1 ? ns : 0;
		if (explainer->doubt) {
			blocker->undecided = TRUE;
			blocker->proved = FALSE;
		}
		if (!i || iot_claim_order(explainer->tl, &blocker->claim,
					  &iot_wait_blocker(wait, first)->claim) < 0)
			first = at;
	}
	g_array_index(wait->blockers, struct iot_blocker, first).ns += ns % n;
}

/* The mode of some other lock may be unknown at some time from @t0 to @t1. */
static void take_doubt(struct iot_explainer *explainer, guint64 t0, guint64 t1)
{
	if (explainer->n[IOT_CAUSE_UNOBSERVED] && t1 > MAX(t0, explainer->unknown_since))
		explainer->doubt = TRUE;
}

/* Nothing has changed from wait->until to @t. */
static void add_part(struct iot_explainer *explainer, guint64 t)
{
	struct iot_wait *wait = explainer->wait;
	struct iot_wait_part part = { .t0 = wait->until, .t1 = t };
	struct iot_wait_part *last =
		wait->parts->len
			? &g_array_index(wait->parts, struct iot_wait_part, wait->parts->len - 1)
			: NULL;

	if (part.t0 == part.t1)
		return;
	while (part.cause < IOT_CAUSE_UNEXPLAINED && !explainer->n[part.cause])
		part.cause++;
	wait->cause_ns[part.cause] += t - part.t0;
	wait->until = t;
	if (part.cause == IOT_CAUSE_HOLD) {
		part.n = explainer->held->len;
		take_doubt(explainer, part.t0, t);
		share(explainer, t - part.t0);
		explainer->doubt = FALSE;
	} else if (last && last->cause == part.cause && last->t1 == part.t0) {
		last->t1 = t;
		return;
	}
	g_array_append_val(wait->parts, part);
}

static void apply(struct iot_explainer *explainer, const struct edge *edge)
{
	if (edge->cause == IOT_CAUSE_UNOBSERVED) {
		if (edge->begins)
			explainer->unknown_since = edge->t;
		else
			take_doubt(explainer, explainer->wait->until, edge->t);
	}
	explainer->n[edge->cause] += edge->begins ? 1 : -1U;
	if (edge->cause != IOT_CAUSE_HOLD)
		return;
	if (edge->begins) {
		g_array_append_val(explainer->held, edge->claim);
		return;
	}
	for (guint i = 0; i < explainer->held->len; i++)
		if (g_array_index(explainer->held, guint, i) == edge->claim) {
			g_array_remove_index(explainer->held, i);
			return;
		}
}

const char *iot_blocker_certainty(const struct iot_blocker *blocker)
{
	return blocker->undecided ? "undecided" : blocker->proved ? "proved" : "possible";
}

gboolean iot_nodes_prove(const struct iot_timeline *tl, iot_str node_a, iot_str node_b)
{
	return !(tl->clocks && iot_clocks_disagree(tl->clocks, node_a, node_b)) &&
	       !iot_findings_distrusted(tl->findings, node_a) &&
	       !iot_findings_distrusted(tl->findings, node_b);
}

gboolean iot_all_nodes_prove(const struct iot_timeline *tl)
{
	return !(tl->clocks && iot_clocks_some_disagree(tl->clocks)) &&
	       !iot_findings_some_distrusted(tl->findings);
}

const char *iot_certainty_of(const struct iot_timeline *tl, const char *certainty, iot_str node_a,
			     iot_str node_b)
{
	if (g_strcmp0(certainty, "proved") || iot_nodes_prove(tl, node_a, node_b))
		return certainty;
	return iot_findings_distrusted(tl->findings, node_a) ||
			       iot_findings_distrusted(tl->findings, node_b)
		       ? "undecided"
		       : "possible";
}

struct iot_explainer *iot_explainer_new(const struct iot_timeline *tl)
{
	struct iot_explainer *explainer = g_new0(struct iot_explainer, 1);

	explainer->tl = tl;
	explainer->edges = g_array_new(FALSE, FALSE, sizeof(struct edge));
	explainer->held = g_array_new(FALSE, FALSE, sizeof(guint));
	explainer->blocker = g_array_new(FALSE, TRUE, sizeof(guint));
	return explainer;
}

void iot_explainer_free(struct iot_explainer *explainer)
{
	if (!explainer)
		return;
	g_array_unref(explainer->edges);
	g_array_unref(explainer->held);
	g_array_unref(explainer->blocker);
	g_free(explainer);
}

void iot_explain(struct iot_explainer *explainer, struct iot_wait *wait, struct iot_claims *claims,
		 guint64 until)
{
	explainer->wait = wait;
	explainer->others = claims->others;
	explainer->until = until;
	explainer->seen_until = iot_timeline_first_unobserved(explainer->tl);
	memset(explainer->n, 0, sizeof(explainer->n));
	explainer->doubt = FALSE;
	g_array_set_size(explainer->held, 0);
	find_edges(explainer, claims);
	if (explainer->edges->len) {
		g_array_set_size(explainer->blocker, 0);
		g_array_set_size(explainer->blocker, claims->others->len);
	}
	for (guint i = 0; i < explainer->edges->len; i++) {
		const struct edge *edge = &g_array_index(explainer->edges, struct edge, i);

		/* while a hold is in the way, other claims end no part */
		if (edge->cause == IOT_CAUSE_HOLD || !explainer->n[IOT_CAUSE_HOLD])
			add_part(explainer, edge->t);
		apply(explainer, edge);
	}
	add_part(explainer, until);
}

static gboolean is_longer_queued(const struct iot_timeline *tl, const struct iot_queued *a,
				 const struct iot_queued *b)
{
	return a->ns != b->ns ? a->ns > b->ns : iot_claim_order(tl, &a->claim, &b->claim) < 0;
}

/* How long the queue was the cause of a wait up to @t; @sums: up to the begin of each part. */
static guint64 queued_until(const struct iot_wait *wait, const guint64 *sums, guint64 t)
{
	const struct iot_wait_part *part =
		(const struct iot_wait_part *)(gpointer)wait->parts->data;
	guint from = 0, to = wait->parts->len;

	while (from < to) {
		guint middle = from + (to - from) / 2;

		if (part[middle].t0 < t)
			from = middle + 1;
		else
			to = middle;
	}
	if (!from)
		return 0;
	part += from - 1;
	return sums[from - 1] + (part->cause == IOT_CAUSE_QUEUE ? MIN(part->t1, t) - part->t0 : 0);
}

/* For queued_until; the caller frees. */
static guint64 *sum_queue(const struct iot_wait *wait)
{
	guint64 *sums = g_new(guint64, wait->parts->len + 1);

	sums[0] = 0;
	for (guint i = 0; i < wait->parts->len; i++) {
		const struct iot_wait_part *part =
			&g_array_index(wait->parts, struct iot_wait_part, i);

		sums[i + 1] = sums[i] + (part->cause == IOT_CAUSE_QUEUE ? part->t1 - part->t0 : 0);
	}
	return sums;
}

void iot_wait_find_queued(const struct iot_wait *wait, const struct iot_timeline *tl,
			  const struct iot_claims *claims, struct iot_wait *copy)
{
	g_autofree guint64 *sums = sum_queue(wait);

	copy->n_queued = 0;
	copy->forgotten_ns = wait->cause_ns[IOT_CAUSE_QUEUE] - sums[wait->parts->len];
	for (guint i = 0; sums[wait->parts->len] && i < claims->waits->len; i++) {
		struct iot_queued new = { .claim = *iot_claim_at(claims->waits, i) };
		guint at = MIN(copy->n_queued, IOT_NAMED_QUEUED);

		if (iot_claim_same_lock(&new.claim, &wait->claim) ||
		    !is_before(&new.claim, &wait->claim))
			continue;
		new.ns = queued_until(wait, sums, new.claim.t1) -
			 queued_until(wait, sums, new.claim.t0);
		if (!new.ns)
			continue;
		copy->n_queued++;
		for (; at && is_longer_queued(tl, &new, &copy->queued[at - 1]); at--)
			if (at < IOT_NAMED_QUEUED)
				copy->queued[at] = copy->queued[at - 1];
		if (at < IOT_NAMED_QUEUED)
			copy->queued[at] = new;
	}
}
