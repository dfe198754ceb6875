/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Categories of [values] and [points], and items of their types. */
#ifndef IOT_MODEL_VALUES_H
#define IOT_MODEL_VALUES_H

#include "model/model-local.h"

/** iot_values_find_cat - iot_values_cat on a cache miss */
iot_cat_id iot_values_find_cat(struct iot_model *model, struct iot_values *values, iot_str text);
/** iot_values_cat - the category whose name is @text; it is made if there is none */
static inline iot_cat_id iot_values_cat(struct iot_model *model, struct iot_values *values,
					iot_str text)
{
	guint at = text % IOT_RECENT_CATS;

	if (G_LIKELY(values->recent[at].cat && values->recent[at].text == text) && !iot_slow_only())
		return values->recent[at].cat;
	return iot_values_find_cat(model, values, text);
}
/** iot_values_listed_cat - the same if there is one; 0 otherwise */
iot_cat_id iot_values_listed_cat(const struct iot_values *values, iot_str text);
/** iot_values_free - GDestroyNotify of a struct iot_values */
void iot_values_free(gpointer values);
/** iot_item_start - make @item a zeroed item of the type of @values */
void iot_item_start(const struct iot_model *model, struct iot_item *item,
		    const struct iot_values *values);

#endif
