/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/waits.h"
#include "analysis/unexplained.h"
#include "base/interrupt.h"

/* The part of a resource: open waits that were explained up to some instant. */
struct explained {
	GPtrArray *partial; /* struct iot_wait or NULL; NULL: there are none */
};

struct listener {
	iot_wait_func func;
	gpointer user_data;
};

struct iot_waits {
	struct iot_timeline *tl;
	struct iot_locks *locks;
	gsize room; /* of struct explained */
	struct iot_explainer *explainer;
	const struct iot_anatomy *anatomy; /* NULL: unexplained time is not split */
	struct iot_wait *spare; /* for the next wait that is explained; NULL: it is in use */
	GArray *listeners;	/* struct listener */
};

static struct explained *explained_of(const struct iot_waits *waits, struct iot_resource *resource)
{
	return iot_locks_part(resource, waits->room);
}

/* The resource of a claim. */
static struct iot_resource *resource_of(const struct iot_waits *waits,
					const struct iot_claim *claim)
{
	return iot_locks_resource(waits->locks, claim->resource);
}

void iot_waits_use_parts(struct iot_waits *waits, const struct iot_anatomy *anatomy)
{
	waits->anatomy = anatomy;
}

void iot_waits_listen(struct iot_waits *waits, iot_wait_func func, gpointer user_data)
{
	const struct listener listener = { func, user_data };

	g_array_append_val(waits->listeners, listener);
}

struct iot_locks *iot_waits_locks(const struct iot_waits *waits)
{
	return waits->locks;
}

/* The open wait that was explained in part, or a new one. */
static struct iot_wait *take_wait(struct iot_waits *waits, const struct iot_claim *claim)
{
	struct iot_wait *wait;

	if (claim->partial) {
		wait = g_steal_pointer(&explained_of(waits, resource_of(waits, claim))
						->partial->pdata[claim->partial - 1]);
		wait->claim = *claim;
		return wait;
	}
	wait = g_steal_pointer(&waits->spare);
	if (!wait)
		return iot_wait_new(claim);
	iot_wait_reset(wait, claim);
	return wait;
}

static void give_back(struct iot_waits *waits, struct iot_wait *wait)
{
	if (waits->spare)
		iot_wait_free(wait);
	else
		waits->spare = wait;
}

/*
 * Append the parts of a wait up to @until.
 * Returns: FALSE if there may have been more gaps or recoveries.
 */
static gboolean explain_until(struct iot_waits *waits, struct iot_wait *wait, guint64 until)
{
	struct iot_claims *claims = &resource_of(waits, &wait->claim)->claims;
	guint n = claims->others->len;
	gboolean all = iot_locks_intervals(waits->locks, wait->claim.resource, wait->until, until,
					   claims->others);

	iot_explain(waits->explainer, wait, claims, until);
	if (claims->others->len > n)
		g_array_set_size(claims->others, n);
	return all;
}

static struct iot_wait *explain(struct iot_waits *waits, const struct iot_claim *claim,
				guint64 until)
{
	struct iot_wait *wait = take_wait(waits, claim);

	if (!explain_until(waits, wait, until) && !wait->misses_intervals) {
		wait->misses_intervals = TRUE;
		iot_diag_add(&waits->tl->stage_diag, IOT_DIAG_intervals_forgotten, 1);
	}
	if (iot_wait_limit(waits->tl, wait))
		iot_diag_add(&waits->tl->stage_diag, IOT_DIAG_holders_folded, 1);
	return wait;
}

static void free_wait(gpointer wait)
{
	iot_wait_free(wait);
}

/* The ended claims are going to be dropped: then the open waits need them no longer. */
static void explain_open(gpointer data, struct iot_resource *resource)
{
	struct iot_waits *waits = data;
	g_autoptr(GPtrArray) partial = g_ptr_array_new_with_free_func(free_wait);
	struct explained *explained = explained_of(waits, resource);

	for (guint i = 0; i < resource->claims.waits->len; i++) {
		struct iot_claim claim = *iot_claim_at(resource->claims.waits, i);
		struct iot_wait *wait;

		if (!claim.open)
			continue;
		wait = explain(waits, &claim, iot_locks_now(waits->locks));
		iot_wait_shrink(wait);
		g_ptr_array_add(partial, wait);
		iot_claim_at(resource->claims.waits, i)->partial = partial->len;
	}
	g_clear_pointer(&explained->partial, g_ptr_array_unref);
	explained->partial = g_steal_pointer(&partial);
}

static void split_unexplained(const struct iot_waits *waits, struct iot_wait *wait)
{
	const struct iot_claim *claim = &wait->claim;
	const struct iot_handover *instants = NULL;

	if (waits->anatomy)
		instants = iot_anatomy_instants(waits->anatomy, claim->row, claim->lock, claim->t0);
	if (instants)
		iot_unexplained_split(wait, instants);
}

static void wait_ended(gpointer data, const struct iot_claim *claim)
{
	const struct iot_claim ended = *claim;
	struct iot_waits *waits = data;
	struct iot_wait *wait;

	if (!waits->listeners->len || iot_interrupted())
		return;
	wait = explain(waits, &ended, ended.t1);
	split_unexplained(waits, wait);
	for (guint i = 0; i < waits->listeners->len; i++) {
		const struct listener *listener =
			&g_array_index(waits->listeners, struct listener, i);

		listener->func(listener->user_data, wait);
	}
	give_back(waits, wait);
}

/* ---- questions of listeners */

void iot_waits_queued(struct iot_waits *waits, const struct iot_wait *wait, struct iot_wait *copy)
{
	iot_wait_find_queued(wait, waits->tl, &resource_of(waits, &wait->claim)->claims, copy);
}

struct iot_wait *iot_waits_so_far(struct iot_waits *waits, const struct iot_claim *wait)
{
	struct iot_resource *resource = resource_of(waits, wait);
	const GPtrArray *partial = explained_of(waits, resource)->partial;
	struct iot_wait *copy = iot_wait_new(wait);

	for (guint i = 0; i < resource->claims.waits->len; i++) {
		const struct iot_claim *claim = iot_claim_at(resource->claims.waits, i);
		const struct iot_wait *known;

		if (claim->seq != wait->seq)
			continue;
		if (claim->partial && partial->pdata[claim->partial - 1]) {
			known = partial->pdata[claim->partial - 1];
			copy->until = known->until;
			copy->shrunk = TRUE;
			g_array_append_vals(copy->blockers, known->blockers->data,
					    known->blockers->len);
		}
		copy->claim = *claim;
		explain_until(waits, copy, MIN(claim->t1, iot_locks_now(waits->locks)));
		iot_wait_limit(waits->tl, copy);
	}
	return copy;
}

/* ---- life */

struct iot_waits *iot_waits_new(struct iot_timeline *tl, struct iot_locks *locks)
{
	struct iot_waits *waits = g_new0(struct iot_waits, 1);
	const struct iot_locks_listener listener = { .answered = wait_ended,
						     .crowded = explain_open,
						     .user_data = waits };

	waits->tl = tl;
	waits->locks = locks;
	waits->room = iot_locks_room_resource(locks, sizeof(struct explained));
	waits->explainer = iot_explainer_new(tl);
	waits->listeners = g_array_new(FALSE, FALSE, sizeof(struct listener));
	iot_locks_listen(locks, &listener);
	return waits;
}

void iot_waits_free(struct iot_waits *waits)
{
	if (!waits)
		return;
	for (iot_row_id row = 0; row < iot_locks_n_rows(waits->locks); row++) {
		struct iot_resource *resource = iot_locks_resource(waits->locks, row);

		if (resource)
			g_clear_pointer(&explained_of(waits, resource)->partial, g_ptr_array_unref);
	}
	iot_explainer_free(waits->explainer);
	iot_wait_free(waits->spare);
	g_array_unref(waits->listeners);
	g_free(waits);
}
