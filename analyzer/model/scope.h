/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records that expressions and templates of a section name: as events when they are compiled,
 * as records when they are evaluated. */
#ifndef IOT_MODEL_SCOPE_H
#define IOT_MODEL_SCOPE_H

#include "model/model-local.h"

/* Events that a section names; NULL: the section names no such event. */
struct iot_in_scope {
	/* the start, or the only event */
	struct iot_schema_event *self;
	struct iot_schema_event *end, *done;
	/* named fields may be absent; otherwise an input without them cannot be used */
	gboolean optional;
};

/** iot_bind_scope - scope for compiling */
struct iot_scope_events iot_bind_scope(const struct iot_builder *b, struct iot_in_scope in);
/** iot_bind_pair_scope - start, end and aliases of a pair; @required: the fields may not be absent
 */
struct iot_scope_events iot_bind_pair_scope(const struct iot_builder *b,
					    const struct iot_pair *pair, gboolean required);
/** iot_eval_init - scope for evaluating: records of @input, NULL where there is none */
void iot_eval_init(struct iot_model *model, struct iot_eval *eval, guint32 input,
		   const struct iot_rec *self, const struct iot_rec *end,
		   const struct iot_rec *done);

#endif
