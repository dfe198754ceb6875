/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mode that a call on an object asks for: "asks" and "may weaken" of [pair]. */
#ifndef IOT_MODEL_ASKS_H
#define IOT_MODEL_ASKS_H

#include "model/tracked.h"

/** iot_asks_build - compile the settings of the section of @pair */
gboolean iot_asks_build(const struct iot_builder *b, struct iot_pair *pair);
/** iot_asks_check - whether the modes of @machine, which the pair's calls ask for, are compared */
gboolean iot_asks_check(const struct iot_builder *b, const struct iot_pair *pair,
			const struct iot_values *machine);
/** iot_asks_free - GDestroyNotify of a struct iot_asks */
void iot_asks_free(gpointer asks);
/** iot_asks_cat - the mode that the call asks for, its start being SELF of @eval; 0: none, or it is
 * not known */
iot_cat_id iot_asks_cat(const struct iot_call *call, const struct iot_eval *eval);

#endif
