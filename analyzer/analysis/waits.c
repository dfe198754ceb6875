/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/waits.h"
#include "analysis/intervals.h"
#include "analysis/places.h"
#include "analysis/span-claims.h"
#include "analysis/unexplained.h"

#include <string.h>

enum {
	/* Ended spans of a resource that are kept, at most, for its open waits. */
	MAX_ENDED = 4096
};

struct resource {
	struct iot_claims claims;
	/* struct iot_wait or NULL: open waits that were explained up to some instant */
	GPtrArray *partial;
	guint n_waits;	  /* in claims, that have not been reported */
	guint n_kept;	  /* claims after the last search for ended ones that no wait needs */
	gboolean changed; /* in the present instant, with the next one: */
	struct resource *next;
};

/* What listeners ask for. */
enum event { BEGAN, RELEASED, SETTLED, ANSWERED, ENDED, BLOCKED, N_EVENTS };

struct iot_waits {
	struct iot_timeline *tl;
	struct iot_explainer *explainer;
	const struct iot_anatomy *anatomy; /* NULL: unexplained time is not split */
	struct iot_wait *spare; /* for the next wait that is explained; NULL: it is in use */
	GArray *holds, *fresh;	/* guint, in report_pairs: claims that hold, and that do so now */
	GArray *listeners[N_EVENTS]; /* struct iot_waits_listener: those that ask for it */
	struct iot_span_claims *spans;
	struct iot_places places;
	GPtrArray *resources; /* struct resource or NULL, by row of the resource */
	struct iot_intervals *intervals;
	guint64 now;
	struct resource *changed, **last_changed; /* in the present instant */
	guint64 seq;
};

static void resource_free(gpointer data)
{
	struct resource *resource = data;

	if (!resource)
		return;
	iot_claims_clear(&resource->claims);
	g_clear_pointer(&resource->partial, g_ptr_array_unref);
	g_free(resource);
}

gboolean iot_waits_possible(const struct iot_timeline *tl)
{
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_at(tl, cat)->mode)
			return TRUE;
	return FALSE;
}

struct iot_waits *iot_waits_new(struct iot_timeline *tl)
{
	struct iot_waits *waits = g_new0(struct iot_waits, 1);

	waits->tl = tl;
	waits->explainer = iot_explainer_new(tl);
	waits->holds = g_array_new(FALSE, FALSE, sizeof(guint));
	waits->fresh = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < N_EVENTS; i++)
		waits->listeners[i] = g_array_new(FALSE, FALSE, sizeof(struct iot_waits_listener));
	iot_places_init(&waits->places, tl);
	waits->last_changed = &waits->changed;
	waits->spans = iot_span_claims_new(tl);
	waits->resources = g_ptr_array_new_with_free_func(resource_free);
	waits->intervals = iot_intervals_new(tl);
	return waits;
}

void iot_waits_free(struct iot_waits *waits)
{
	if (!waits)
		return;
	iot_explainer_free(waits->explainer);
	iot_wait_free(waits->spare);
	g_array_unref(waits->holds);
	g_array_unref(waits->fresh);
	for (guint i = 0; i < N_EVENTS; i++)
		g_array_unref(waits->listeners[i]);
	iot_places_clear(&waits->places);
	iot_span_claims_free(waits->spans);
	g_ptr_array_unref(waits->resources);
	iot_intervals_free(waits->intervals);
	g_free(waits);
}

void iot_waits_use_parts(struct iot_waits *waits, const struct iot_anatomy *anatomy)
{
	waits->anatomy = anatomy;
}

void iot_waits_listen(struct iot_waits *waits, const struct iot_waits_listener *listener)
{
	const gboolean asks[N_EVENTS] = {
		[BEGAN] = listener->began != NULL,     [RELEASED] = listener->released != NULL,
		[SETTLED] = listener->settled != NULL, [ANSWERED] = listener->answered != NULL,
		[ENDED] = listener->ended != NULL,     [BLOCKED] = listener->blocked != NULL,
	};

	for (guint i = 0; i < N_EVENTS; i++)
		if (asks[i])
			g_array_append_val(waits->listeners[i], *listener);
}

guint64 iot_waits_now(const struct iot_waits *waits)
{
	return waits->now;
}

/* ---- a resource */

/* The resource on a row; it is made if there is none. */
static struct resource *find_resource(struct iot_waits *waits, iot_row_id row)
{
	struct resource *resource;

	if (waits->resources->len <= row)
		g_ptr_array_set_size(waits->resources, (gint)row + 1);
	resource = waits->resources->pdata[row];
	if (!resource) {
		resource = waits->resources->pdata[row] = g_new0(struct resource, 1);
		iot_claims_init(&resource->claims);
	}
	return resource;
}

/* The resource of a claim. */
static struct resource *resource_at(struct iot_waits *waits, iot_row_id row)
{
	return waits->resources->pdata[iot_place_of(&waits->places, row)->resource];
}

/* The open wait that was explained in part, or a new one. */
static struct iot_wait *take_wait(struct iot_waits *waits, struct resource *resource,
				  const struct iot_claim *claim)
{
	struct iot_wait *wait;

	if (claim->partial) {
		wait = g_steal_pointer(&resource->partial->pdata[claim->partial - 1]);
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

/* Call a function of all listeners that have it. */
#define CALL(waits, event, function, ...)                                                         \
	for (guint l_ = 0; l_ < (waits)->listeners[event]->len; l_++) {                           \
		const struct iot_waits_listener *listener_ =                                      \
			&g_array_index((waits)->listeners[event], struct iot_waits_listener, l_); \
		listener_->function(listener_->user_data, __VA_ARGS__);                           \
	}

static gboolean asks(const struct iot_waits *waits, enum event event)
{
	return waits->listeners[event]->len > 0;
}

/*
 * Append the parts of a wait up to @until. Gaps count for all resources. A recovery counts for all
 * resources of its lockspace, whichever node it was recorded on: the nodes recover together, in
 * steps for which they wait for each other, and a node that is still at it answers no request of
 * those that are done.
 * Returns: FALSE if there may have been more gaps or recoveries.
 */
static gboolean explain_until(struct iot_waits *waits, struct resource *resource,
			      struct iot_wait *wait, guint64 until)
{
	const struct iot_place *place = iot_place_of(&waits->places, wait->claim.row);
	GArray *others = resource->claims.others;
	guint n = others->len;
	gboolean all =
		iot_intervals_append(waits->intervals, place->resource, wait->until, until, others);

	iot_explain(waits->explainer, wait, &resource->claims, until);
	if (others->len > n)
		g_array_set_size(others, n);
	return all;
}

static struct iot_wait *explain(struct iot_waits *waits, struct resource *resource,
				const struct iot_claim *claim, guint64 until)
{
	struct iot_wait *wait = take_wait(waits, resource, claim);

	if (!explain_until(waits, resource, wait, until) && !wait->misses_intervals) {
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

static void drop_ended(struct resource *resource, guint64 least)
{
	iot_claims_drop_ended(&resource->claims, least);
	resource->n_kept = iot_claims_count(&resource->claims);
}

/* There are too many ended claims: the open waits need them no longer. */
static void explain_open(struct iot_waits *waits, struct resource *resource)
{
	g_autoptr(GPtrArray) partial = g_ptr_array_new_with_free_func(free_wait);

	for (guint i = 0; i < resource->claims.waits->len; i++) {
		struct iot_claim claim = *iot_claim_at(resource->claims.waits, i);
		struct iot_wait *wait;

		if (!claim.open)
			continue;
		wait = explain(waits, resource, &claim, waits->now);
		iot_wait_shrink(wait);
		g_ptr_array_add(partial, wait);
		iot_claim_at(resource->claims.waits, i)->partial = partial->len;
	}
	g_clear_pointer(&resource->partial, g_ptr_array_unref);
	resource->partial = g_steal_pointer(&partial);
	drop_ended(resource, G_MAXUINT64 - 1);
}

static guint count_ended(const GArray *list)
{
	guint n = 0;

	for (guint i = 0; i < list->len; i++)
		n += !iot_claim_at(list, i)->open;
	return n;
}

static void limit_claims(struct iot_waits *waits, struct resource *resource)
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
	if (count_ended(queue) + count_ended(resource->claims.others) > MAX_ENDED)
		explain_open(waits, resource);
}

/* ---- instants */

static gboolean is_in_way(const struct iot_waits *waits, const struct iot_claim *wait,
			  const struct iot_claim *hold)
{
	return hold->kind == IOT_CLAIM_HOLD && hold->open && !iot_claim_same_lock(wait, hold) &&
	       wait->cat && !iot_cats_compatible(waits->tl, wait->cat, hold->cat);
}

/* Report the pairs of which a member began in this instant. */
static void report_pairs(struct iot_waits *waits, const struct resource *resource)
{
	const GArray *others = resource->claims.others, *queue = resource->claims.waits;

	g_array_set_size(waits->holds, 0);
	g_array_set_size(waits->fresh, 0);
	for (guint i = 0; i < others->len; i++) {
		const struct iot_claim *hold = iot_claim_at(others, i);

		if (hold->kind != IOT_CLAIM_HOLD || !hold->open)
			continue;
		g_array_append_val(waits->holds, i);
		if (hold->began == waits->now)
			g_array_append_val(waits->fresh, i);
	}
	for (guint i = 0; waits->holds->len && i < queue->len; i++) {
		const struct iot_claim *wait = iot_claim_at(queue, i);
		const GArray *holds = wait->began == waits->now ? waits->holds : waits->fresh;

		for (guint k = 0; wait->open && k < holds->len; k++) {
			const struct iot_claim *hold =
				iot_claim_at(others, g_array_index(holds, guint, k));

			if (is_in_way(waits, wait, hold))
				CALL(waits, BLOCKED, blocked, wait, hold);
		}
	}
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

/* Report the waits that ended. */
static void report_ended(struct iot_waits *waits, struct resource *resource)
{
	for (guint i = 0; resource->n_waits && i < resource->claims.n_changed; i++) {
		struct iot_claim *claim = iot_claims_changed(&resource->claims, i);
		struct iot_claim ended;
		struct iot_wait *wait;

		if (claim->kind != IOT_CLAIM_WAIT || claim->open || claim->reported)
			continue;
		claim->reported = TRUE;
		ended = *claim;
		resource->n_waits--;
		CALL(waits, ANSWERED, answered, &ended);
		if (!asks(waits, ENDED))
			continue;
		wait = explain(waits, resource, &ended, ended.t1);
		split_unexplained(waits, wait);
		CALL(waits, ENDED, ended, wait);
		give_back(waits, wait);
	}
}

/* Report the claims that began in this instant, and the holds that ended. */
static void report_changes(const struct iot_waits *waits, const struct resource *resource)
{
	for (guint i = 0; i < resource->claims.n_changed; i++) {
		struct iot_claim *claim = iot_claims_changed(&resource->claims, i);

		if (claim->open && claim->began == waits->now &&
		    (claim->kind == IOT_CLAIM_WAIT || claim->kind == IOT_CLAIM_HOLD))
			CALL(waits, BEGAN, began, claim);
		if (claim->open || claim->kind != IOT_CLAIM_HOLD || claim->reported)
			continue;
		claim->reported = TRUE;
		CALL(waits, RELEASED, released, claim);
	}
}

static gboolean some_began(const struct resource *resource)
{
	for (guint i = 0; i < resource->claims.n_changed; i++)
		if (iot_claims_changed(&resource->claims, i)->open)
			return TRUE;
	return FALSE;
}

static void complete_instant(struct iot_waits *waits)
{
	while (waits->changed) {
		struct resource *resource = waits->changed;

		waits->changed = resource->next;
		resource->changed = FALSE;
		resource->next = NULL;
		iot_claims_sort_changed(&resource->claims);
		report_ended(waits, resource);
		if (asks(waits, BLOCKED) && resource->n_waits && some_began(resource))
			report_pairs(waits, resource);
		report_changes(waits, resource);
		iot_claims_settle(&resource->claims);
		limit_claims(waits, resource);
	}
	waits->last_changed = &waits->changed;
	CALL(waits, SETTLED, settled, waits->now);
}

static void mark_changed(struct iot_waits *waits, struct resource *resource)
{
	if (resource->changed)
		return;
	resource->changed = TRUE;
	*waits->last_changed = resource;
	waits->last_changed = &resource->next;
}

/* ---- questions of listeners */

void iot_waits_in_way(struct iot_waits *waits, const struct iot_claim *wait, GArray *holds)
{
	const GArray *others = resource_at(waits, wait->row)->claims.others;

	g_array_set_size(holds, 0);
	for (guint i = 0; i < others->len; i++)
		if (is_in_way(waits, wait, iot_claim_at(others, i)))
			g_array_append_val(holds, *iot_claim_at(others, i));
}

void iot_waits_ahead(struct iot_waits *waits, const struct iot_claim *wait, GArray *ahead)
{
	const GArray *queue = resource_at(waits, wait->row)->claims.waits;

	for (guint i = 0; wait->converts && i < queue->len; i++) {
		const struct iot_claim *other = iot_claim_at(queue, i);

		if (other->open && other->converts && other->seq < wait->seq && other->cat &&
		    !iot_claim_same_lock(wait, other) &&
		    !iot_cats_compatible(waits->tl, wait->cat, other->cat))
			g_array_append_val(ahead, *other);
	}
}

void iot_waits_queued(struct iot_waits *waits, const struct iot_wait *wait, struct iot_wait *copy)
{
	iot_wait_find_queued(wait, waits->tl, &resource_at(waits, wait->claim.row)->claims, copy);
}

gboolean iot_waits_granted(struct iot_waits *waits, const struct iot_claim *wait)
{
	const GArray *others = resource_at(waits, wait->row)->claims.others;

	for (guint i = 0; i < others->len; i++) {
		const struct iot_claim *hold = iot_claim_at(others, i);

		if (hold->kind == IOT_CLAIM_HOLD && hold->drawn == wait->t1 &&
		    iot_claim_same_lock(hold, wait))
			return TRUE;
	}
	return FALSE;
}

struct iot_wait *iot_waits_so_far(struct iot_waits *waits, const struct iot_claim *wait)
{
	struct resource *resource = resource_at(waits, wait->row);
	struct iot_wait *copy = iot_wait_new(wait);

	for (guint i = 0; i < resource->claims.waits->len; i++) {
		const struct iot_claim *claim = iot_claim_at(resource->claims.waits, i);
		const struct iot_wait *known;

		if (claim->seq != wait->seq)
			continue;
		if (claim->partial && resource->partial->pdata[claim->partial - 1]) {
			known = resource->partial->pdata[claim->partial - 1];
			copy->until = known->until;
			copy->shrunk = TRUE;
			g_array_append_vals(copy->blockers, known->blockers->data,
					    known->blockers->len);
		}
		copy->claim = *claim;
		explain_until(waits, resource, copy, MIN(claim->t1, waits->now));
		iot_wait_limit(waits->tl, copy);
	}
	return copy;
}

/* ---- items */

static void begin(struct iot_waits *waits, struct resource *resource, const struct iot_item *item,
		  guint8 kind)
{
	struct iot_claim claim = iot_span_claim_begin(waits->spans, item, kind);

	claim.node = iot_place_of(&waits->places, item->row)->name;
	claim.began = waits->now;
	claim.seq = waits->seq++;
	if (iot_item_leaves(waits->tl, item)) {
		iot_cat_id keeps = kind == IOT_CLAIM_LEAVING ? item->asks : 0;

		iot_claims_begin_leaving(&resource->claims, &claim,
					 keeps && iot_cat_at(waits->tl, keeps)->mode ? keeps : 0);
	}
	if (kind == IOT_CLAIM_LEAVING)
		return;
	resource->n_waits += kind == IOT_CLAIM_WAIT;
	iot_claims_begin(&resource->claims, &claim);
}

static void end(struct iot_waits *waits, struct resource *resource, const struct iot_item *item,
		guint8 kind)
{
	const struct iot_claim like = iot_span_claim_end(waits->spans, item, kind);

	if (iot_item_leaves(waits->tl, item))
		iot_claims_end_leaving(&resource->claims, &like, item->t1, waits->now);
	if (kind != IOT_CLAIM_LEAVING)
		iot_claims_end(&resource->claims, &like, item->t1);
}

gboolean iot_waits_wants(const struct iot_waits *waits, enum iot_item_kind kind, iot_cat_id cat)
{
	if (iot_intervals_wants(kind, iot_cat_at(waits->tl, cat)->role))
		return TRUE;
	return (kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN) &&
	       iot_span_claims_wants(waits->spans, cat);
}

void iot_waits_advance(struct iot_waits *waits, guint64 now)
{
	if (now <= waits->now)
		return;
	if (waits->changed)
		complete_instant(waits);
	waits->now = now;
}

void iot_waits_item(struct iot_waits *waits, const struct iot_item *item)
{
	struct resource *resource;
	iot_row_id row;
	guint8 kind;

	iot_waits_advance(waits, item->t1);
	iot_intervals_item(waits->intervals, item);
	if (item->kind != IOT_ITEM_SPAN && item->kind != IOT_ITEM_SPAN_BEGIN)
		return;
	if (!iot_span_claim_kind(waits->spans, item, &kind))
		return;
	row = iot_place_of(&waits->places, item->row)->resource;
	if (!row)
		return;
	resource = find_resource(waits, row);
	mark_changed(waits, resource);
	if (item->kind == IOT_ITEM_SPAN_BEGIN)
		begin(waits, resource, item, kind);
	else
		end(waits, resource, item, kind);
}

void iot_waits_finish(struct iot_waits *waits)
{
	complete_instant(waits);
}
