/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies one event: hooks, points, objects and calls. */
#ifndef IOT_MODEL_TAKE_H
#define IOT_MODEL_TAKE_H

#include "model/model-local.h"

/** iot_model_take - apply an event completely; @first: its first role */
void iot_model_take(struct iot_model *model, struct iot_event_role *first,
		    const struct iot_rec *rec);
/** iot_model_take_role - the same, but with one of its roles only */
void iot_model_take_role(struct iot_model *model, struct iot_event_role *role,
			 const struct iot_rec *rec);
/** iot_model_join - only one role: its object or its call */
void iot_model_join(struct iot_model *model, struct iot_event_role *role,
		    const struct iot_rec *rec);

#endif
