/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Identity and life of objects: found by key, on a lane while they live.
 *
 * Ownership: the kind owns its objects. An object is freed as soon as it is over and no event waits
 * for it: nothing is open or pending on it, and its machine has no mode. So these calls may free
 * the object they are given:
 *
 *   iot_object_release, iot_object_close_life, iot_object_drain, iot_object_event
 *
 * and these may free any object of the kind: iot_object_new (at the limit of open objects it closes
 * the oldest), iot_object_from_before and iot_object_begin (both call it), iot_kind_gap and
 * iot_kind_finish. After such a call a pointer to an object is stale; iot_step_find looks the
 * object up again.
 *
 * Limits. --max-open limits the number of objects: the oldest is evicted and counted
 * (open_evicted). It also limits pending calls: if completions never arrive, the oldest pending
 * call of the object is evicted and counted.
 */
#ifndef IOT_MODEL_OBJECT_H
#define IOT_MODEL_OBJECT_H

#include "model/tracked.h"

/* An event that is being applied to the objects of its kind. */
struct iot_step {
	struct iot_object_kind *kind;
	struct iot_event_role *role;
	const struct iot_rec *rec;
	/* of the object */
	guint32 input;
	guint64 key[IOT_MAX_KEYS], hash, apart;
	/* NULL: no such object is known */
	struct iot_object *object;
	/* the event was deferred, so its points are drawn already */
	gboolean replayed;
	/* if it was deferred: the events that waited after it, and have no object now */
	struct iot_deferral waiting;
	/* the event belongs to a former life of its key, which may be unknown */
	gboolean of_former;
	/* the event in scope SELF */
	struct iot_eval eval;
};

/** iot_step_find - look the object up and set step->object to the life that its key has now */
void iot_step_find(struct iot_step *step);
/** iot_step_has_key - whether @object is a life of the key of @step */
gboolean iot_step_has_key(const struct iot_step *step, const struct iot_object *object);
/** iot_step_hash - set step->hash; the key and the input are known */
static inline void iot_step_hash(struct iot_step *step)
{
	step->hash =
		iot_hash_keys(iot_hash_mix(0x510e527f, step->input), step->key, step->kind->n_keys);
}

/**
 * iot_object_new - make the object of @step, in no state; sets step->object
 *
 * @unused_lane: spans will be drawn that began in the past, so the lane must be empty
 */
void iot_object_new(struct iot_step *step, gboolean unused_lane);
/** iot_object_from_before - make an object that is first seen in the middle of its life */
void iot_object_from_before(struct iot_step *step);
/** iot_object_begin - make an object that begins with the event; @surely: not only perhaps */
void iot_object_begin(struct iot_step *step, gboolean surely);
/** iot_object_restore - append an object of a saved state, without contents; @former: its number,
 * if it is a former life; NULL if there is one already */
struct iot_object *iot_object_restore(struct iot_object_kind *kind, guint32 input,
				      const guint64 *key, guint64 former);
/** iot_object_since - begin of a span of step->object that was not seen to begin */
struct iot_begin iot_object_since(const struct iot_step *step);
/** iot_object_count_unseen - count an object whose begin was not seen; @flags of iot_object_since
 */
void iot_object_count_unseen(const struct iot_object *object, guint16 flags);

/** iot_object_is_over - nothing is open or pending, and the machine has no mode */
gboolean iot_object_is_over(const struct iot_object *object);
/** iot_object_lost_sight - its mode is unknown since a gap */
gboolean iot_object_lost_sight(const struct iot_object *object);
/** iot_object_release - free the object if it is over and no event waits */
void iot_object_release(struct iot_object *object);
/** iot_object_close_life - end everything that is open on the object at @ts; frees it */
void iot_object_close_life(struct iot_object *object, guint64 ts, guint16 flags);

/** iot_kind_start - before the first event, when all sections are compiled */
void iot_kind_start(struct iot_object_kind *kind);
/** iot_kind_free - the kind and all its objects */
void iot_kind_free(gpointer kind);
/** iot_kind_memory - bytes of objects and calls, including those kept for reuse */
gsize iot_kind_memory(const struct iot_object_kind *kind);

#endif
