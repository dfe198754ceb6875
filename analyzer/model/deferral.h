/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deferred events of an object.
 *
 * A completion may be recorded between start and end of the call that caused it, and only the end
 * says whether one is due. So while a call on an object is open, its later events wait in its
 * queue; other objects are not delayed. Points are drawn at once, at their own time: only
 * the effects of an event are deferred.
 *
 * The end of another call whose start was not seen waits, too. Deferred events are applied after
 * the call returns, with their own times. If the object has ended by then, or its key is used
 * again, they belong to the next object with its key. When too many events wait for one call
 * (4096), the call is closed as unfinished (defer_overflow); --max-open limits the deferred events
 * of all objects together.
 */
#ifndef IOT_MODEL_DEFERRAL_H
#define IOT_MODEL_DEFERRAL_H

#include "model/tracked.h"

/** iot_deferral_append - room for an event at the end of the queue; the caller fills in its record
 * of @size bytes */
struct iot_deferred *iot_deferral_append(struct iot_object *object, struct iot_event_role *role,
					 gsize size);
/** iot_deferral_add - append a copy of @rec */
void iot_deferral_add(struct iot_object *object, struct iot_event_role *role,
		      const struct iot_rec *rec);
/** iot_deferral_take_ready - remove the first event that may be applied now: any if no call is
 * open, else the end of an open call; the caller frees it; NULL if there is none */
struct iot_deferred *iot_deferral_take_ready(struct iot_object *object);
/** iot_deferral_take_first - remove the oldest event of a queue that belongs to no object; the
 * caller frees it; NULL if it is empty */
struct iot_deferred *iot_deferral_take_first(struct iot_object_kind *kind,
					     struct iot_deferral *queue);
/** iot_deferral_move - prepend all events of @from to @to; @from is empty afterwards */
void iot_deferral_move(struct iot_deferral *from, struct iot_deferral *to);
/** iot_deferral_drop - forget all events; calls whose starts waited are drawn with @flags */
void iot_deferral_drop(struct iot_object *object, guint16 flags);
/** iot_deferral_free - free the events of an object that goes away with its model */
void iot_deferral_free(struct iot_object *object);

/** iot_deferral_has_start - whether a start of the call waits */
gboolean iot_deferral_has_start(const struct iot_object *object, const struct iot_pair *pair,
				const guint64 *key);
/** iot_deferral_has_unended - whether a start of the call waits whose end does not */
gboolean iot_deferral_has_unended(struct iot_object *object, const struct iot_pair *pair,
				  const guint64 *key);
/** iot_deferral_take_unended - remove that start; the caller frees it; NULL if there is none */
struct iot_deferred *iot_deferral_take_unended(struct iot_object *object,
					       const struct iot_pair *pair, const guint64 *key);
/** iot_deferral_has - whether a start, an end, a completion or a notice waits */
gboolean iot_deferral_has(const struct iot_object *object, enum iot_part part);
/** iot_deferral_is_full - whether more events wait than this object, or all, may keep */
gboolean iot_deferral_is_full(const struct iot_object *object);

#endif
