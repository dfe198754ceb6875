/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that are applied to objects, in causal order: starts and ends of calls, completions, and
 * notices. object.h says which of these calls may free an object.
 */
#ifndef IOT_MODEL_OBJECT_EVENTS_H
#define IOT_MODEL_OBJECT_EVENTS_H

#include "model/tracked.h"

/** iot_object_event - apply a record to the object it names, if the role applies to it */
void iot_object_event(struct iot_model *model, struct iot_event_role *role,
		      const struct iot_rec *rec);
/** iot_object_drain - apply the deferred events that may be applied now; frees the object if it is
 * over afterwards */
void iot_object_drain(struct iot_object *object);

#endif
