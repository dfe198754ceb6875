/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [because]: why the time of a thread passes. */
#ifndef IOT_MODEL_BECAUSE_H
#define IOT_MODEL_BECAUSE_H

#include "model/model-local.h"

/** iot_because_connect - find the locks that "through" names among the objects of @models (struct
 * iot_model) that are loaded; @out_missing: as in iot_bind_other_kind */
gboolean iot_because_connect(const struct iot_values *values, const GPtrArray *models,
			     char **out_missing, GError **error);

#endif
