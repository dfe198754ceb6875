/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records that expressions and templates of a section name: as events when they are compiled,
 * as records when they are evaluated. */
#ifndef IOT_MODEL_SCOPE_H
#define IOT_MODEL_SCOPE_H

#include "model/model-local.h"

/** iot_bind_scope - scope for compiling: events of start (or the only event), end and completion,
 * NULL where there is none; @required: an input without a named field cannot be used */
struct iot_scope_events iot_bind_scope(struct iot_model *model, const struct iot_section *section,
				       struct iot_schema_event *self, struct iot_schema_event *end,
				       struct iot_schema_event *done, gboolean required);
/** iot_bind_pair_scope - start, end and aliases of a pair */
struct iot_scope_events iot_bind_pair_scope(struct iot_model *model,
					    const struct iot_section *section,
					    const struct iot_pair *pair, gboolean required);
/** iot_eval_init - scope for evaluating: records of @input, NULL where there is none */
void iot_eval_init(struct iot_model *model, struct iot_eval *eval, guint32 input,
		   const struct iot_rec *self, const struct iot_rec *end,
		   const struct iot_rec *done);

#endif
