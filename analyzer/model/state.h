/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [state]: the span of calls on an object, from start to return, or from start to the completion of
 * an accepted call. Calls that are pending at the same time on one object share one span.
 */
#ifndef IOT_MODEL_STATE_H
#define IOT_MODEL_STATE_H

#include "model/tracked.h"

/**
 * iot_state_begin - show a call from @t0 on
 *
 * Nothing if there is no [state] for it, or none for calls that ask for the mode that is held, or
 * if the object's span is open; but a call that gives something up ends a span that gives up
 * nothing, and any call that of a call that asks for the mode that is held.
 */
void iot_state_begin(const struct iot_call *call, guint64 t0, guint16 flags);
/**
 * iot_state_doubt - an open call whose end will not be seen may have given up the object's mode or
 * wait at any instant since its start: from there on both are in doubt
 */
void iot_state_doubt(const struct iot_call *call);
/** iot_state_resume - show the calls that are pending when another one was completed at @t0: the
 * youngest if it gives something up, else the oldest, if possible one that asks for another mode */
void iot_state_resume(struct iot_object *object, guint64 t0);
/** iot_state_set_late - set the late attributes of the open span from @eval, whose DONE is the
 * completion of @call */
void iot_state_set_late(const struct iot_call *call, const struct iot_eval *eval);
/** iot_state_end - end the object's span at @t1 if it is open */
void iot_state_end(struct iot_object *object, guint64 t1, guint16 flags);
/** iot_state_draw_stray - the span of a call of which only the completion @done was seen; @granted:
 * the machine has a rule for it */
void iot_state_draw_stray(struct iot_object *object, const struct iot_event_role *role,
			  const struct iot_rec *done, struct iot_begin begin, gboolean granted);
/** iot_state_over - the span of a call that needs no completion, if the model wants one; @end NULL:
 * nothing */
void iot_state_over(const struct iot_call *call, const struct iot_rec *end, guint16 flags);
/** iot_state_free - GDestroyNotify of a struct iot_state */
void iot_state_free(gpointer state);

#endif
