/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of tables and counters by events and by calls that have returned. */
#ifndef IOT_MODEL_HOOK_RUN_H
#define IOT_MODEL_HOOK_RUN_H

#include "model/model-local.h"

/** iot_hooks_run - apply to every table and counter its first line in @hooks that fits, at @ts */
void iot_hooks_run(struct iot_model *model, const GPtrArray *hooks, const struct iot_eval *eval,
		   guint64 ts);

#endif
