/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/deferral.h"
#include "model/object-call.h"
#include "model/pair.h"
#include "model/scope.h"

#include <string.h>

enum { MAX_DEFERRED = 4096 };

struct iot_deferred *iot_deferral_append(struct iot_object *object, struct iot_event_role *role,
					 gsize size)
{
	struct iot_deferral *queue = &object->deferred;
	struct iot_deferred *waiting = g_malloc(G_STRUCT_OFFSET(struct iot_deferred, rec) + size);

	waiting->next = NULL;
	waiting->role = role;
	*(queue->first ? &queue->last->next : &queue->first) = waiting;
	queue->last = waiting;
	queue->n++;
	object->kind->n_deferred++;
	return waiting;
}

void iot_deferral_add(struct iot_object *object, struct iot_event_role *role,
		      const struct iot_rec *rec)
{
	gsize size = iot_rec_size(rec->event);

	memcpy(&iot_deferral_append(object, role, size)->rec, rec, size);
}

/* Remove the event at @link, which follows @previous (NULL: it is the oldest). */
static struct iot_deferred *unlink_event(struct iot_object *object, struct iot_deferred **link,
					 struct iot_deferred *previous)
{
	struct iot_deferred *taken = *link;

	*link = taken->next;
	if (!taken->next)
		object->deferred.last = previous;
	object->deferred.n--;
	object->kind->n_deferred--;
	return taken;
}

/* Whether @waiting starts or ends the call of @pair with that key. */
static gboolean is_of_call(const struct iot_object *object, const struct iot_deferred *waiting,
			   const struct iot_pair *pair, const guint64 *key)
{
	enum iot_part part = waiting->role->part;
	struct iot_eval eval;
	guint64 other[IOT_MAX_KEYS];

	if (waiting->role->pair != pair || (part != IOT_PART_START && part != IOT_PART_END))
		return FALSE;
	iot_eval_init(object->kind->model, &eval, object->input, &waiting->rec, NULL, NULL);
	iot_pair_key(waiting->role, &eval, other);
	return !memcmp(other, key, sizeof(other));
}

static gboolean ends_open_call(const struct iot_object *object, const struct iot_deferred *waiting)
{
	const struct iot_pair *pair = waiting->role->pair;
	struct iot_eval eval;
	guint64 key[IOT_MAX_KEYS];

	if (waiting->role->part != IOT_PART_END)
		return FALSE;
	iot_eval_init(object->kind->model, &eval, object->input, &waiting->rec, NULL, NULL);
	iot_pair_key(waiting->role, &eval, key);
	return iot_call_find(object, pair, key) != NULL;
}

struct iot_deferred *iot_deferral_take_ready(struct iot_object *object)
{
	struct iot_deferred **link = &object->deferred.first, *previous = NULL;

	while (*link && object->open && !ends_open_call(object, *link)) {
		previous = *link;
		link = &(*link)->next;
	}
	return *link ? unlink_event(object, link, previous) : NULL;
}

struct iot_deferred *iot_deferral_take_first(struct iot_object_kind *kind,
					     struct iot_deferral *queue)
{
	struct iot_deferred *taken = queue->first;

	if (!taken)
		return NULL;
	queue->first = taken->next;
	queue->n--;
	kind->n_deferred--;
	return taken;
}

void iot_deferral_move(struct iot_deferral *from, struct iot_deferral *to)
{
	if (!from->first)
		return;
	from->last->next = to->first;
	if (!to->first)
		to->last = from->last;
	to->first = from->first;
	to->n += from->n;
	*from = (struct iot_deferral){ 0 };
}

/* The end of the call that @start began, if it waits, too. */
static void drop_end(struct iot_object *object, const struct iot_deferred *start)
{
	struct iot_deferred **link = &object->deferred.first, *previous = NULL;
	guint64 key[IOT_MAX_KEYS];
	struct iot_eval eval;

	iot_eval_init(object->kind->model, &eval, object->input, &start->rec, NULL, NULL);
	iot_pair_key(start->role, &eval, key);
	while (*link && !is_of_call(object, *link, start->role->pair, key)) {
		previous = *link;
		link = &previous->next;
	}
	if (*link && (*link)->role->part == IOT_PART_END)
		g_free(unlink_event(object, link, previous));
}

void iot_deferral_drop(struct iot_object *object, guint16 flags)
{
	while (object->deferred.first) {
		struct iot_deferred *waiting = unlink_event(object, &object->deferred.first, NULL);

		if (waiting->role->part == IOT_PART_START) {
			drop_end(object, waiting);
			iot_call_drop_start(object, waiting->role->pair, &waiting->rec, flags);
		} else if (waiting->role->part == IOT_PART_END) {
			iot_kind_count(object->kind, IOT_DIAG_pair_end_without_start);
		} else {
			iot_kind_count(object->kind, IOT_DIAG_deferred_dropped);
		}
		g_free(waiting);
	}
}

void iot_deferral_free(struct iot_object *object)
{
	while (object->deferred.first)
		g_free(unlink_event(object, &object->deferred.first, NULL));
}

gboolean iot_deferral_has_start(const struct iot_object *object, const struct iot_pair *pair,
				const guint64 *key)
{
	for (const struct iot_deferred *waiting = object->deferred.first; waiting;
	     waiting = waiting->next)
		if (waiting->role->part == IOT_PART_START && is_of_call(object, waiting, pair, key))
			return TRUE;
	return FALSE;
}

/* The link to the start of a call whose end does not wait, and the event before it. */
struct unended {
	struct iot_deferred **link, *previous;
};

static struct unended find_unended(struct iot_object *object, const struct iot_pair *pair,
				   const guint64 *key)
{
	struct unended found = { NULL, NULL };
	struct iot_deferred *previous = NULL;

	for (struct iot_deferred **link = &object->deferred.first; *link; link = &previous->next) {
		if (is_of_call(object, *link, pair, key)) {
			found.link = (*link)->role->part == IOT_PART_START ? link : NULL;
			found.previous = previous;
		}
		previous = *link;
	}
	return found;
}

gboolean iot_deferral_has_unended(struct iot_object *object, const struct iot_pair *pair,
				  const guint64 *key)
{
	return find_unended(object, pair, key).link != NULL;
}

struct iot_deferred *iot_deferral_take_unended(struct iot_object *object,
					       const struct iot_pair *pair, const guint64 *key)
{
	struct unended found = find_unended(object, pair, key);

	return found.link ? unlink_event(object, found.link, found.previous) : NULL;
}

gboolean iot_deferral_has(const struct iot_object *object, enum iot_part part)
{
	const struct iot_deferred *waiting = object->deferred.first;

	while (waiting && waiting->role->part != part)
		waiting = waiting->next;
	return waiting != NULL;
}

gboolean iot_deferral_is_full(const struct iot_object *object)
{
	const struct iot_object_kind *kind = object->kind;
	guint n = object->deferred.n;

	return n > MAX_DEFERRED ||
	       (n && kind->n_deferred > MAX(kind->model->max_open, MAX_DEFERRED));
}
