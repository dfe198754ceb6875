/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [check]: invariants of a protocol. Checks of spans are left to the stages (timeline/findings.h);
 * these functions are those about objects and their calls. They do nothing unless findings are
 * wanted.
 */
#ifndef IOT_MODEL_OBJECT_CHECK_H
#define IOT_MODEL_OBJECT_CHECK_H

#include "model/object.h"

/** iot_check_event - an event of an object, before it is applied */
void iot_check_event(struct iot_step *step);
/** iot_check_stray - a completion without a call, before it is applied */
void iot_check_stray(const struct iot_step *step, const struct iot_eval *done);
/** iot_check_second - @call was accepted while others of its object are pending */
void iot_check_second(const struct iot_object *object, const struct iot_call *call);
/** iot_check_unanswered - the object begins a new life at @ts, with calls pending */
void iot_check_unanswered(const struct iot_object *object, guint64 ts);

#endif
