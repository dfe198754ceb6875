/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/waits.h"
#include "analysis/intervals.h"
#include "analysis/places.h"
#include "analysis/unexplained.h"

#include <string.h>

enum {
	/* Ended spans of a resource that are kept, at most, for its open waits. */
	MAX_ENDED = 4096
};

/* A type and the positions of its attributes; -1: there is none. */
struct type_facts {
	gboolean compared; /* spans of the type are claims */
	int pid, command, result, flags;
	iot_str try_flag; /* 0: no call only tries */
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
enum event { EXPLAINED, BEGAN, RELEASED, SETTLED, ANSWERED, ENDED, BLOCKED, N_EVENTS };

struct iot_waits {
	struct iot_timeline *tl;
	struct iot_explainer *explainer;
	const struct iot_anatomy *anatomy; /* NULL: unexplained time is not split */
	struct iot_wait *spare; /* for the next wait that is explained; NULL: it is in use */
	GArray *holds, *fresh;	/* guint, in report_pairs: claims that hold, and that do so now */
	GArray *listeners[N_EVENTS]; /* struct iot_waits_listener: those that ask for it */
	GArray *types;		     /* struct type_facts, by type */
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

static gboolean is_compared(const struct iot_timeline *tl, iot_type_id type)
{
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_at(tl, cat)->type == type && iot_cat_at(tl, cat)->mode)
			return TRUE;
	return FALSE;
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
	waits->types = g_array_new(FALSE, TRUE, sizeof(struct type_facts));
	g_array_set_size(waits->types, tl->types.n);
	for (iot_type_id id = 1; id < tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(tl, id);

		g_array_index(waits->types, struct type_facts, id) = (struct type_facts){
			.compared = is_compared(tl, id) && !type->repeats,
			.pid = iot_type_attr(tl, type, "pid"),
			.command = iot_type_attr(tl, type, "command"),
			.result = iot_type_attr(tl, type, "result"),
			.flags = (int)type->try_attr - 1,
			.try_flag = type->try_flag,
		};
	}
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
	g_array_unref(waits->types);
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
		[EXPLAINED] = listener->explained != NULL, [BEGAN] = listener->began != NULL,
		[RELEASED] = listener->released != NULL,   [SETTLED] = listener->settled != NULL,
		[ANSWERED] = listener->answered != NULL,   [ENDED] = listener->ended != NULL,
		[BLOCKED] = listener->blocked != NULL,
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
	CALL(waits, EXPLAINED, explained, wait);
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
		iot_wait_merge(wait);
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
		if (!asks(waits, EXPLAINED) && !asks(waits, ENDED))
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
			g_array_append_vals(copy->blockers, known->blockers->data,
					    known->blockers->len);
		}
		copy->claim = *claim;
		explain_until(waits, resource, copy, MIN(claim->t1, waits->now));
	}
	return copy;
}

/* ---- items */

/* The kind of claim that a span makes; FALSE: none. */
static gboolean kind_of(const struct iot_timeline *tl, const struct iot_item *item, guint8 *out)
{
	const struct iot_category *cat = iot_cat_at(tl, item->cat);

	if (cat->role == IOT_ROLE_WAIT)
		*out = IOT_CLAIM_WAIT;
	else if (cat->role == IOT_ROLE_LEAVING)
		*out = IOT_CLAIM_LEAVING;
	else if (cat->role == IOT_ROLE_HOLD && item->flags & IOT_UNKNOWN)
		*out = IOT_CLAIM_UNKNOWN;
	else if (cat->role == IOT_ROLE_HOLD && cat->mode)
		*out = IOT_CLAIM_HOLD;
	else
		return FALSE;
	return TRUE;
}

static guint64 attr_at(const struct iot_item *item, int attr)
{
	return attr >= 0 && attr < item->n_attrs ? item->attr[attr].u : 0;
}

/* Whether a call only tries: its flags ("NOQUEUE|CONVERT") have the flag that says so. */
static gboolean has_flag(const struct iot_timeline *tl, guint64 flags, iot_str flag)
{
	char digits[IOT_DIGITS_ROOM];
	const char *text = flags ? iot_tl_text(tl, flags, digits, NULL) : "";
	const char *name = iot_tl_str(tl, flag);
	gsize len = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += len)
		if ((at == text || at[-1] == '|') && (!at[len] || at[len] == '|'))
			return TRUE;
	return FALSE;
}

/* The mode that a claim is about. */
static iot_cat_id mode_of(const struct iot_item *item, guint8 kind)
{
	return kind == IOT_CLAIM_WAIT || kind == IOT_CLAIM_LEAVING ? item->asks : item->cat;
}

/* The claim of a span that begins. */
static struct iot_claim claim_of(struct iot_waits *waits, const struct iot_item *item, guint8 kind)
{
	const struct type_facts *facts =
		&g_array_index(waits->types, struct type_facts, item->type);

	return (struct iot_claim){
		.kind = kind,
		.open = TRUE,
		.lane = item->lane,
		.flags = item->flags,
		.row = item->row,
		.tries = facts->try_flag && kind == IOT_CLAIM_WAIT &&
			 has_flag(waits->tl, attr_at(item, facts->flags), facts->try_flag),
		.node = iot_place_of(&waits->places, item->row)->name,
		.cat = mode_of(item, kind),
		.t0 = item->t0,
		.drawn = item->t0,
		.t1 = G_MAXUINT64,
		.began = waits->now,
		.lock = attr_at(item, 0),
		.pid = attr_at(item, facts->pid),
		.command = attr_at(item, facts->command),
		.result = attr_at(item, facts->result),
		.seq = waits->seq++,
	};
}

static void begin(struct iot_waits *waits, struct resource *resource, const struct iot_item *item,
		  guint8 kind)
{
	struct iot_claim claim = claim_of(waits, item, kind);

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
	const struct type_facts *facts =
		&g_array_index(waits->types, struct type_facts, item->type);
	const struct iot_claim like = { .kind = kind,
					.lane = item->lane,
					.flags = item->flags,
					.row = item->row,
					.cat = mode_of(item, kind),
					.drawn = item->t0,
					.result = attr_at(item, facts->result) };

	if (iot_item_leaves(waits->tl, item))
		iot_claims_end_leaving(&resource->claims, &like, item->t1, waits->now);
	if (kind != IOT_CLAIM_LEAVING)
		iot_claims_end(&resource->claims, &like, item->t1);
}

gboolean iot_waits_wants(const struct iot_waits *waits, enum iot_item_kind kind, iot_cat_id cat)
{
	enum iot_role role = iot_cat_at(waits->tl, cat)->role;
	iot_type_id type = iot_cat_at(waits->tl, cat)->type;

	if (iot_intervals_wants(kind, role))
		return TRUE;
	if (kind != IOT_ITEM_SPAN && kind != IOT_ITEM_SPAN_BEGIN)
		return FALSE;
	return type < waits->types->len &&
	       g_array_index(waits->types, struct type_facts, type).compared &&
	       (role == IOT_ROLE_WAIT || role == IOT_ROLE_LEAVING || role == IOT_ROLE_HOLD);
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
	if (!g_array_index(waits->types, struct type_facts, item->type).compared ||
	    !kind_of(waits->tl, item, &kind))
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
