/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "locks/locks-local.h"

#include <string.h>

/* ---- life */

static void resource_free(gpointer data)
{
	struct iot_resource *resource = data;

	if (!resource)
		return;
	iot_claims_clear(&resource->claims);
	g_ptr_array_unref(resource->locks);
	g_free(resource);
}

static void row_clear(gpointer row)
{
	g_free(((struct row *)row)->lane);
}

static gboolean has_role(enum iot_role role)
{
	return role == IOT_ROLE_WAIT || role == IOT_ROLE_HOLD || role == IOT_ROLE_LEAVING;
}

gboolean iot_locks_compared(const struct iot_timeline *tl)
{
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_at(tl, cat)->mode)
			return TRUE;
	return FALSE;
}

struct iot_locks *iot_locks_new(struct iot_timeline *tl)
{
	struct iot_locks *locks = g_new0(struct iot_locks, 1);

	locks->tl = tl;
	for (guint i = 0; i < N_EVENTS; i++)
		locks->listeners[i] = g_array_new(FALSE, FALSE, sizeof(struct iot_locks_listener));
	locks->lock_size = sizeof(struct iot_lock);
	locks->resource_size = sizeof(struct iot_resource);
	locks->types = g_array_new(FALSE, TRUE, sizeof(gboolean));
	g_array_set_size(locks->types, tl->types.n);
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (has_role(iot_cat_at(tl, cat)->role))
			g_array_index(locks->types, gboolean, iot_cat_at(tl, cat)->type) = TRUE;
	locks->spans = iot_span_claims_new(tl);
	iot_places_init(&locks->places, tl);
	locks->intervals = iot_intervals_new(tl);
	locks->resources = g_ptr_array_new_with_free_func(resource_free);
	locks->rows = g_array_new(FALSE, TRUE, sizeof(struct row));
	g_array_set_clear_func(locks->rows, row_clear);
	locks->idle = g_ptr_array_new();
	locks->holds = g_array_new(FALSE, FALSE, sizeof(guint));
	locks->fresh = g_array_new(FALSE, FALSE, sizeof(guint));
	locks->last_changed = &locks->changed;
	return locks;
}

void iot_locks_free(struct iot_locks *locks)
{
	if (!locks)
		return;
	for (guint i = 0; i < N_EVENTS; i++)
		g_array_unref(locks->listeners[i]);
	g_array_unref(locks->types);
	iot_span_claims_free(locks->spans);
	iot_places_clear(&locks->places);
	iot_intervals_free(locks->intervals);
	g_ptr_array_unref(locks->resources);
	g_array_unref(locks->rows);
	g_ptr_array_unref(locks->idle);
	g_array_unref(locks->holds);
	g_array_unref(locks->fresh);
	g_free(locks);
}

void iot_locks_listen(struct iot_locks *locks, const struct iot_locks_listener *listener)
{
	const gboolean asks[N_EVENTS] = {
		[HOLDS] = listener->holds != NULL,	   [HELD] = listener->held != NULL,
		[SPAN] = listener->span != NULL,	   [QUEUE] = listener->queue != NULL,
		[FORGOTTEN] = listener->forgotten != NULL, [BEGAN] = listener->began != NULL,
		[RELEASED] = listener->released != NULL,   [ANSWERED] = listener->answered != NULL,
		[BLOCKED] = listener->blocked != NULL,	   [CROWDED] = listener->crowded != NULL,
		[SETTLED] = listener->settled != NULL,
	};

	for (guint i = 0; i < N_EVENTS; i++) {
		if (!asks[i])
			continue;
		g_array_append_val(locks->listeners[i], *listener);
		locks->follows_locks |= i <= FORGOTTEN;
		locks->follows_claims |= i > FORGOTTEN;
	}
}

static gsize reserve(gsize *whole, gsize size)
{
	gsize room = *whole;

	*whole += (size + sizeof(guint64) - 1) / sizeof(guint64) * sizeof(guint64);
	return room;
}

gsize iot_locks_room_lock(struct iot_locks *locks, gsize size)
{
	return reserve(&locks->lock_size, size);
}

gsize iot_locks_room_resource(struct iot_locks *locks, gsize size)
{
	return reserve(&locks->resource_size, size);
}

guint32 iot_locks_keeper(struct iot_locks *locks)
{
	g_assert(locks->n_keepers < 32);
	return 1U << locks->n_keepers++;
}

guint64 iot_locks_now(const struct iot_locks *locks)
{
	return locks->now;
}

/* ---- resources and locks */

static struct iot_resource *add_resource(struct iot_locks *locks, iot_row_id row)
{
	struct iot_resource *resource = g_malloc0(locks->resource_size);

	if (locks->resources->len <= row)
		g_ptr_array_set_size(locks->resources, (gint)row + 1);
	locks->resources->pdata[row] = resource;
	resource->row = row;
	resource->locks = g_ptr_array_new_with_free_func(g_free);
	iot_claims_init(&resource->claims);
	return resource;
}

struct iot_resource *iot_locks_resource(const struct iot_locks *locks, iot_row_id row)
{
	return row < locks->resources->len ? locks->resources->pdata[row] : NULL;
}

guint iot_locks_n_rows(const struct iot_locks *locks)
{
	return locks->resources->len;
}

const struct iot_place *iot_locks_place(struct iot_locks *locks, iot_row_id row)
{
	return iot_place_of(&locks->places, row);
}

struct iot_lock *iot_locks_find(const struct iot_locks *locks, iot_row_id row, guint lane)
{
	const struct row *of_row;

	if (row >= locks->rows->len)
		return NULL;
	of_row = &g_array_index(locks->rows, struct row, row);
	return lane < of_row->n_lanes ? of_row->lane[lane] : NULL;
}

/* The place of a lock in the table. */
static struct iot_lock **slot_of(struct iot_locks *locks, iot_row_id row, guint lane)
{
	struct row *of_row;

	if (locks->rows->len <= row)
		g_array_set_size(locks->rows, MAX(row + 1, 2 * locks->rows->len));
	of_row = &g_array_index(locks->rows, struct row, row);
	if (of_row->n_lanes <= lane) {
		guint n = MAX(lane + 1, 2 * of_row->n_lanes);

		of_row->lane = g_renew(struct iot_lock *, of_row->lane, n);
		memset(of_row->lane + of_row->n_lanes, 0,
		       (n - of_row->n_lanes) * sizeof(*of_row->lane));
		of_row->n_lanes = n;
	}
	return &of_row->lane[lane];
}

static struct iot_lock *add_lock(struct iot_locks *locks, struct iot_resource *resource,
				 const struct iot_item *item)
{
	struct iot_lock *lock = g_malloc0(locks->lock_size);

	lock->resource = resource;
	lock->row = item->row;
	lock->lane = item->lane;
	lock->node = iot_place_of(&locks->places, item->row)->name;
	lock->type = item->type;
	lock->at = resource->locks->len;
	g_ptr_array_add(resource->locks, lock);
	*slot_of(locks, lock->row, lock->lane) = lock;
	return lock;
}

static void mark_idle(struct iot_locks *locks, struct iot_lock *lock)
{
	if (lock->idle || lock->n_spans)
		return;
	lock->idle = TRUE;
	g_ptr_array_add(locks->idle, lock);
}

/* Locks without a span that no listener keeps, at the end of an instant. */
static void forget_idle(struct iot_locks *locks)
{
	for (guint i = 0; i < locks->idle->len; i++) {
		struct iot_lock *lock = locks->idle->pdata[i];
		GPtrArray *all = lock->resource->locks;

		lock->idle = FALSE;
		if (lock->n_spans || lock->keepers)
			continue;
		CALL(locks, FORGOTTEN, forgotten, lock);
		*slot_of(locks, lock->row, lock->lane) = NULL;
		((struct iot_lock *)all->pdata[all->len - 1])->at = lock->at;
		g_ptr_array_remove_index_fast(all, lock->at);
	}
	g_ptr_array_set_size(locks->idle, 0);
}

static void end_hold(const struct iot_locks *locks, struct iot_lock *lock,
		     const struct iot_item *item, guint64 t1)
{
	if (!lock->hold.cat)
		return;
	CALL(locks, HELD, held, lock, item, t1);
	lock->hold.cat = 0;
}

/* The mode, unless it is none that is compared. */
static void begin_hold(const struct iot_locks *locks, struct iot_lock *lock,
		       const struct iot_item *item, const struct iot_hold *hold)
{
	if (!hold->cat || !iot_cat_at(locks->tl, hold->cat)->mode)
		return;
	lock->hold = *hold;
	CALL(locks, HOLDS, holds, lock, item);
}

/* A call gives the hold up, or has been answered. */
static void take_leaving(const struct iot_locks *locks, struct iot_lock *lock,
			 const struct iot_item *item)
{
	gboolean leaving = iot_cat_at(locks->tl, item->cat)->role == IOT_ROLE_LEAVING;
	const struct iot_hold rest = { lock->hold.cat && leaving ? item->asks : 0, item->t0, TRUE };
	const struct iot_hold again = { lock->unknown ? 0 : lock->held, item->t1, FALSE };
	gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN;

	end_hold(locks, lock, item, begins ? item->t0 : item->t1);
	begin_hold(locks, lock, item, begins ? &rest : &again);
}

static void take_hold(const struct iot_locks *locks, struct iot_lock *lock,
		      const struct iot_item *item)
{
	gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN;
	const struct iot_hold hold = { item->flags & IOT_UNKNOWN ? 0 : item->cat, item->t0, FALSE };

	if (!begins && lock->held != item->cat)
		return;
	end_hold(locks, lock, item, begins ? item->t0 : item->t1);
	lock->held = begins ? item->cat : 0;
	lock->unknown = begins && item->flags & IOT_UNKNOWN;
	if (begins)
		begin_hold(locks, lock, item, &hold);
}

static void count_span(struct iot_locks *locks, struct iot_resource *resource,
		       const struct iot_item *item)
{
	struct iot_lock *lock = iot_locks_find(locks, item->row, item->lane);
	gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN, changes = FALSE;
	enum iot_role role = iot_cat_at(locks->tl, item->cat)->role;

	if (!lock && !begins)
		return;
	if (!lock)
		lock = add_lock(locks, resource, item);
	if (iot_item_leaves(locks->tl, item))
		take_leaving(locks, lock, item);
	if (role == IOT_ROLE_HOLD)
		take_hold(locks, lock, item);
	if (role == IOT_ROLE_WAIT)
		changes = begins ? !lock->n_waits++ : lock->n_waits && !--lock->n_waits;
	if (begins)
		lock->n_spans++;
	else if (lock->n_spans)
		lock->n_spans--;
	if (changes)
		CALL(locks, QUEUE, queue, lock, item);
	CALL(locks, SPAN, span, lock, item);
	mark_idle(locks, lock);
}

/* ---- items */

static gboolean is_of_lock(const struct iot_locks *locks, iot_cat_id cat)
{
	iot_type_id type = iot_cat_at(locks->tl, cat)->type;

	return type < locks->types->len && !iot_type_at(locks->tl, type)->repeats &&
	       (has_role(iot_cat_at(locks->tl, cat)->role) ||
		g_array_index(locks->types, gboolean, type));
}

gboolean iot_locks_wants(const struct iot_locks *locks, enum iot_item_kind kind, iot_cat_id cat)
{
	gboolean is_span = kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN;

	if (locks->follows_locks && is_span && is_of_lock(locks, cat))
		return TRUE;
	if (!locks->follows_claims)
		return FALSE;
	return iot_intervals_wants(kind, iot_cat_at(locks->tl, cat)->role) ||
	       (is_span && iot_span_claims_wants(locks->spans, cat));
}

void iot_locks_advance(struct iot_locks *locks, guint64 now)
{
	if (now <= locks->now)
		return;
	if (locks->changed)
		iot_lock_claims_settle(locks);
	if (locks->idle->len)
		forget_idle(locks);
	locks->now = now;
}

void iot_locks_item(struct iot_locks *locks, const struct iot_item *item)
{
	struct iot_resource *resource;
	iot_row_id row;
	guint8 kind;

	iot_locks_advance(locks, item->t1);
	iot_intervals_item(locks->intervals, item);
	if (item->kind != IOT_ITEM_SPAN && item->kind != IOT_ITEM_SPAN_BEGIN)
		return;
	row = iot_place_of(&locks->places, item->row)->resource;
	if (!row)
		return;
	resource = iot_locks_resource(locks, row);
	if (!resource)
		resource = add_resource(locks, row);
	if (locks->follows_locks)
		count_span(locks, resource, item);
	if (!locks->follows_claims || !iot_span_claim_kind(locks->spans, item, &kind))
		return;
	iot_lock_claims_span(locks, resource, item, kind);
}

void iot_locks_finish(struct iot_locks *locks)
{
	iot_lock_claims_settle(locks);
	forget_idle(locks);
}
