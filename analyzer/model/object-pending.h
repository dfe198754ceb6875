/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls on objects from their return to their completion. None of these frees the object. */
#ifndef IOT_MODEL_OBJECT_PENDING_H
#define IOT_MODEL_OBJECT_PENDING_H

#include "model/tracked.h"

/** iot_object_return_call - an open call returns; @end NULL: it is taken as accepted although its
 * end was not seen */
void iot_object_return_call(struct iot_call *call, const struct iot_rec *end, guint16 flags);
/** iot_object_add_pending - an accepted call waits for its completion; its span begins at @begin
 * unless the object's span is open */
void iot_object_add_pending(struct iot_object *object, struct iot_call *call,
			    struct iot_begin begin);
/* The pending call that a completion is for. */
struct iot_answered {
	/* NULL: there is none */
	struct iot_call **link, *previous;
	/* the call's "answers" confirms it */
	gboolean sure;
};
/** iot_object_answered - the oldest pending call that @done (DONE of @eval) completes and that
 * confirms it, else the oldest */
struct iot_answered iot_object_answered(struct iot_object *object, const struct iot_rec *done,
					const struct iot_eval *eval);
/** iot_object_complete_call - complete and free a call that was taken from the pending ones */
void iot_object_complete_call(struct iot_call *call, const struct iot_rec *done);
/** iot_object_give_up_oldest - give up the oldest open call, because too many events wait for it; a
 * completion among them proves that it was accepted */
void iot_object_give_up_oldest(struct iot_object *object);

#endif
