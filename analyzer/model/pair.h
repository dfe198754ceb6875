/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [pair]: a start and an end event that are joined by key. Calls on objects are in object-call.h,
 * calls without an object in standalone-call.h. */
#ifndef IOT_MODEL_PAIR_H
#define IOT_MODEL_PAIR_H

#include "model/model-local.h"

#include <string.h>

/** iot_pair_finish - when all sections are compiled: map the end's fields to the start's */
void iot_pair_finish(struct iot_pair *pair);
/** iot_pair_free - GDestroyNotify of a struct iot_pair */
void iot_pair_free(gpointer pair);
/** iot_pair_key - the pair's own key of a start, or an end (of @role), that is SELF of @eval */
static inline void iot_pair_key(const struct iot_event_role *role, const struct iot_eval *eval,
				guint64 *out_key)
{
	const struct iot_pair *pair = role->pair;
	struct iot_expr *const *exprs =
		role->part == IOT_PART_END ? pair->ends[role->end].key : pair->start_key;

	memset(out_key, 0, IOT_MAX_KEYS * sizeof(*out_key));
	for (gsize i = 0; i < pair->n_keys; i++)
		out_key[i] = (guint64)iot_expr_eval(exprs[i], eval);
}
/* Room for any record. */
struct iot_rec_room {
	union {
		struct iot_rec rec;
		guint8 bytes[sizeof(struct iot_rec) + IOT_MAX_SLOTS * sizeof(union iot_val)];
	};
};
/**
 * iot_pair_end_record - an end as a record of the pair's first end event, which "end." fields name
 *
 * Returns @rec itself if it is one; else @room, filled with the fields of the same names.
 */
const struct iot_rec *iot_pair_end_record(struct iot_model *model,
					  const struct iot_event_role *role,
					  const struct iot_rec *rec, struct iot_rec_room *room);

#endif
