/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The claims of resources: kept as long as a wait needs them, reported when an instant is complete.
 */
#include "base/interrupt.h"
#include "locks/locks-local.h"

enum {
	/* Ended spans of a resource that are kept, at most, for its open waits. */
	MAX_ENDED = 4096
};

static gboolean asks(const struct iot_locks *locks, enum event event)
{
	return locks->listeners[event]->len > 0;
}

/* ---- ended claims */

static void drop_ended(struct iot_resource *resource, guint64 least)
{
	iot_claims_drop_ended(&resource->claims, least);
	resource->n_kept = iot_claims_count(&resource->claims);
}

static guint count_ended(const GArray *list)
{
	guint n = 0;

	for (guint i = 0; i < list->len; i++)
		n += !iot_claim_at(list, i)->open;
	return n;
}

static void limit_claims(const struct iot_locks *locks, struct iot_resource *resource)
{
	const GArray *queue = resource->claims.waits;
	guint64 oldest = G_MAXUINT64 - 1;

	if (!resource->n_waits) {
		drop_ended(resource, oldest);
		return;
	}
	if (iot_claims_count(&resource->claims) < 2 * resource->n_kept + 32)
		return;
	for (guint i = 0; i < queue->len; i++)
		if (iot_claim_at(queue, i)->open)
			oldest = MIN(oldest, iot_claim_at(queue, i)->t0);
	drop_ended(resource, oldest);
	if (count_ended(queue) + count_ended(resource->claims.others) > MAX_ENDED) {
		CALL(locks, CROWDED, crowded, resource);
		drop_ended(resource, G_MAXUINT64 - 1);
	}
}

/* ---- instants */

static gboolean is_in_way(const struct iot_locks *locks, const struct iot_claim *wait,
			  const struct iot_claim *hold)
{
	return hold->kind == IOT_CLAIM_HOLD && hold->open && !iot_claim_same_lock(wait, hold) &&
	       iot_claims_exclude(locks->tl, wait, hold);
}

/* Report the pairs of which a member began in this instant. */
static void report_pairs(const struct iot_locks *locks, const struct iot_resource *resource)
{
	const GArray *others = resource->claims.others, *queue = resource->claims.waits;

	g_array_set_size(locks->holds, 0);
	g_array_set_size(locks->fresh, 0);
	for (guint i = 0; i < others->len; i++) {
		const struct iot_claim *hold = iot_claim_at(others, i);

		if (hold->kind != IOT_CLAIM_HOLD || !hold->open)
			continue;
		g_array_append_val(locks->holds, i);
		if (hold->began == locks->now)
			g_array_append_val(locks->fresh, i);
	}
	for (guint i = 0; locks->holds->len && i < queue->len; i++) {
		const struct iot_claim *wait = iot_claim_at(queue, i);
		const GArray *holds = wait->began == locks->now ? locks->holds : locks->fresh;

		for (guint k = 0; wait->open && k < holds->len; k++) {
			const struct iot_claim *hold =
				iot_claim_at(others, g_array_index(holds, guint, k));

			if (is_in_way(locks, wait, hold))
				CALL(locks, BLOCKED, blocked, wait, hold);
		}
	}
}

/* Report the waits that ended. */
static void report_ended(const struct iot_locks *locks, struct iot_resource *resource)
{
	for (guint i = 0; resource->n_waits && i < resource->claims.n_changed; i++) {
		struct iot_claim *claim = iot_claims_changed(&resource->claims, i);

		if (claim->kind != IOT_CLAIM_WAIT || claim->open || claim->reported)
			continue;
		claim->reported = TRUE;
		resource->n_waits--;
		CALL(locks, ANSWERED, answered, claim);
	}
}

/* Report the claims that began in this instant, and the holds that ended. */
static void report_changes(const struct iot_locks *locks, const struct iot_resource *resource)
{
	for (guint i = 0; i < resource->claims.n_changed; i++) {
		struct iot_claim *claim = iot_claims_changed(&resource->claims, i);

		if (claim->open && claim->began == locks->now &&
		    (claim->kind == IOT_CLAIM_WAIT || claim->kind == IOT_CLAIM_HOLD))
			CALL(locks, BEGAN, began, claim);
		if (claim->open || claim->kind != IOT_CLAIM_HOLD || claim->reported)
			continue;
		claim->reported = TRUE;
		CALL(locks, RELEASED, released, claim);
	}
}

static gboolean some_began(const struct iot_resource *resource)
{
	for (guint i = 0; i < resource->claims.n_changed; i++)
		if (iot_claims_changed(&resource->claims, i)->open)
			return TRUE;
	return FALSE;
}

void iot_lock_claims_settle(struct iot_locks *locks)
{
	while (locks->changed) {
		struct iot_resource *resource = locks->changed;

		locks->changed = resource->next;
		resource->changed = FALSE;
		resource->next = NULL;
		iot_claims_sort_changed(&resource->claims);
		report_ended(locks, resource);
		if (asks(locks, BLOCKED) && resource->n_waits && some_began(resource) &&
		    !iot_interrupted())
			report_pairs(locks, resource);
		report_changes(locks, resource);
		iot_claims_settle(&resource->claims);
		limit_claims(locks, resource);
	}
	locks->last_changed = &locks->changed;
	CALL(locks, SETTLED, settled, locks->now);
}

static void mark_changed(struct iot_locks *locks, struct iot_resource *resource)
{
	if (resource->changed)
		return;
	resource->changed = TRUE;
	*locks->last_changed = resource;
	locks->last_changed = &resource->next;
}

/* ---- questions of listeners */

static const struct iot_claims *claims_at(const struct iot_locks *locks,
					  const struct iot_claim *claim)
{
	return &iot_locks_resource(locks, claim->resource)->claims;
}

void iot_locks_in_way(const struct iot_locks *locks, const struct iot_claim *wait, GArray *holds)
{
	const GArray *others = claims_at(locks, wait)->others;

	g_array_set_size(holds, 0);
	for (guint i = 0; i < others->len; i++)
		if (is_in_way(locks, wait, iot_claim_at(others, i)))
			g_array_append_val(holds, *iot_claim_at(others, i));
}

void iot_locks_ahead(const struct iot_locks *locks, const struct iot_claim *wait, GArray *ahead)
{
	const GArray *queue = claims_at(locks, wait)->waits;

	for (guint i = 0; wait->converts && i < queue->len; i++) {
		const struct iot_claim *other = iot_claim_at(queue, i);

		if (other->open && other->converts && other->seq < wait->seq &&
		    !iot_claim_same_lock(wait, other) && iot_claims_exclude(locks->tl, wait, other))
			g_array_append_val(ahead, *other);
	}
}

gboolean iot_locks_granted(const struct iot_locks *locks, const struct iot_claim *wait)
{
	const GArray *others = claims_at(locks, wait)->others;

	for (guint i = 0; i < others->len; i++) {
		const struct iot_claim *hold = iot_claim_at(others, i);

		if (hold->kind == IOT_CLAIM_HOLD && hold->drawn == wait->t1 &&
		    iot_claim_same_lock(hold, wait))
			return TRUE;
	}
	return FALSE;
}

gboolean iot_locks_intervals(const struct iot_locks *locks, iot_row_id resource, guint64 t0,
			     guint64 t1, GArray *claims)
{
	return iot_intervals_append(locks->intervals, resource, t0, t1, claims);
}

/* ---- spans */

static void begin(struct iot_locks *locks, struct iot_resource *resource,
		  const struct iot_item *item, guint8 kind)
{
	struct iot_claim claim = iot_span_claim_begin(locks->spans, item, kind);

	claim.resource = resource->row;
	claim.node = iot_place_of(&locks->places, item->row)->name;
	claim.began = locks->now;
	claim.seq = locks->seq++;
	if (iot_item_leaves(locks->tl, item)) {
		iot_cat_id keeps = kind == IOT_CLAIM_LEAVING ? item->asks : 0;

		iot_claims_begin_leaving(&resource->claims, &claim,
					 keeps && iot_cat_at(locks->tl, keeps)->mode ? keeps : 0);
	}
	if (kind == IOT_CLAIM_LEAVING)
		return;
	resource->n_waits += kind == IOT_CLAIM_WAIT;
	iot_claims_begin(&resource->claims, &claim);
}

static void end(struct iot_locks *locks, struct iot_resource *resource, const struct iot_item *item,
		guint8 kind)
{
	const struct iot_claim like = iot_span_claim_end(locks->spans, item, kind);

	if (iot_item_leaves(locks->tl, item))
		iot_claims_end_leaving(&resource->claims, &like, item->t1, locks->now);
	if (kind != IOT_CLAIM_LEAVING)
		iot_claims_end(&resource->claims, &like, item->t1);
}

void iot_lock_claims_span(struct iot_locks *locks, struct iot_resource *resource,
			  const struct iot_item *item, guint8 kind)
{
	mark_changed(locks, resource);
	if (item->kind == IOT_ITEM_SPAN_BEGIN)
		begin(locks, resource, item, kind);
	else
		end(locks, resource, item, kind);
}
