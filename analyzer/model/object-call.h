/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls on objects. A call is in one of two lists of its object: open (it has not returned) or
 * pending (it has returned, and its completion is due). Open calls are also chained by start, so
 * that the oldest one of a kind bounds the watermark.
 */
#ifndef IOT_MODEL_OBJECT_CALL_H
#define IOT_MODEL_OBJECT_CALL_H

#include "model/tracked.h"

/** iot_call_new - a zeroed call in no list */
struct iot_call *iot_call_new(struct iot_object *object, struct iot_pair *pair);
/** iot_call_free - of a call in no list; its memory serves the next one */
void iot_call_free(struct iot_call *call);
/** iot_call_free_list - free all calls of an object's list */
void iot_call_free_list(struct iot_call **list);

/** iot_call_open - a call that starts now */
struct iot_call *iot_call_open(struct iot_object *object, struct iot_pair *pair,
			       const struct iot_rec *start);
/** iot_call_unseen - a call known from its end only; in no list */
struct iot_call *iot_call_unseen(struct iot_object *object, struct iot_pair *pair,
				 const struct iot_rec *end);
/** iot_call_find - the open call of the pair with that key; NULL if there is none */
struct iot_call *iot_call_find(const struct iot_object *object, const struct iot_pair *pair,
			       const guint64 *key);
/** iot_call_close - take an open call out of its lists */
void iot_call_close(struct iot_call *call);
/** iot_call_give_up - draw an open call without its end, close and free it */
void iot_call_give_up(struct iot_call *call, guint16 flags);
/** iot_call_drop_start - draw a call of which only the start will be known */
void iot_call_drop_start(struct iot_object *object, struct iot_pair *pair,
			 const struct iot_rec *start, guint16 flags);
/** iot_call_chain - insert into the chain of all open calls of the kind, by t0 */
void iot_call_chain(struct iot_call *call);

/** iot_call_add_pending - append to the pending calls of @object */
void iot_call_add_pending(struct iot_object *object, struct iot_call *call);
/** iot_call_take_pending - remove the call at @link, which follows @previous (NULL: the oldest) */
struct iot_call *iot_call_take_pending(struct iot_object *object, struct iot_call **link,
				       struct iot_call *previous);

/** iot_call_draw - the points of a call; @end NULL: its end is not known */
void iot_call_draw(const struct iot_call *call, const struct iot_rec *end, guint16 flags);
/** iot_call_expects_done - whether the call was accepted and a completion will follow; @end NULL:
 * taken as accepted */
gboolean iot_call_expects_done(const struct iot_call *call, const struct iot_rec *end);
/** iot_call_may_be_answered - whether the completion is of the call's pair and key */
gboolean iot_call_may_be_answered(const struct iot_call *call, const struct iot_rec *done);

#endif
