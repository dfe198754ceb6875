/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields that no recording has: a [role] computes them from a text, "let ls_id = lockspace in msg
 * PATTERN". (Sources compute those of "let state = NUMBERS of FIELD", from the recording's print
 * format.) They are computed before anything else sees the event, so rules, keys and rows use them
 * like recorded fields.
 */
#ifndef IOT_MODEL_DERIVE_H
#define IOT_MODEL_DERIVE_H

#include "model/model-local.h"

/** iot_derive_is - whether the value of a "let" of [role] says how to compute a field */
gboolean iot_derive_is(const struct iot_setting *setting);
/** iot_derive_add - compile such a "let" of the event @role, for the field @name; FALSE and an
 * error
 */
gboolean iot_derive_add(const struct iot_builder *b, struct iot_schema_event *role,
			const struct iot_setting *setting, const char *name);
/** iot_derive - the record with the computed fields, valid until the next call; @role, the first
 * one of the event, computes some */
const struct iot_rec *iot_derive(struct iot_model *model, struct iot_event_role *role,
				 const struct iot_rec *rec);

#endif
