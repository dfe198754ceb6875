/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "set" and "always" lines: the attributes of a point or span. */
#ifndef IOT_MODEL_SETTER_H
#define IOT_MODEL_SETTER_H

#include "model/model-local.h"

/** iot_bind_setter - compile the lines of the section for attributes of @values */
gboolean iot_bind_setter(const struct iot_builder *b, const struct iot_values *values,
			 struct iot_scope_events *scope, struct iot_setter *setter);
/** iot_bind_always - the same without the "set" lines: for states that began unseen, whose call is
 * not known */
gboolean iot_bind_always(const struct iot_builder *b, const struct iot_values *values,
			 struct iot_scope_events *scope, struct iot_setter *setter);
/** iot_setter_clear - free the contents */
void iot_setter_clear(struct iot_setter *setter);
/** iot_setter_apply - evaluate the attributes of a list into @item */
void iot_setter_apply(const struct iot_set_list *list, const struct iot_eval *eval,
		      struct iot_item *item);

#endif
