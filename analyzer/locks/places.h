/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The node and the resource of rows, looked up once for each row. One thread at a time. */
#ifndef IOT_LOCKS_PLACES_H
#define IOT_LOCKS_PLACES_H

#include "timeline/timeline.h"

struct iot_place {
	gboolean known;
	iot_row_id node;     /* the row of its node, or 0 */
	iot_row_id resource; /* the row above that one, or 0 */
	iot_str name;	     /* of the node, or 0 */
};

struct iot_places {
	const struct iot_timeline *tl;
	GArray *by_row; /* struct iot_place */
};

void iot_places_init(struct iot_places *places, const struct iot_timeline *tl);
void iot_places_clear(struct iot_places *places);
/** iot_place_find - the slow path of iot_place_of */
const struct iot_place *iot_place_find(struct iot_places *places, iot_row_id row);

/** iot_place_of - the place of @row; valid until the next call */
static inline const struct iot_place *iot_place_of(struct iot_places *places, iot_row_id row)
{
	if (G_LIKELY(row < places->by_row->len)) {
		const struct iot_place *place =
			&g_array_index(places->by_row, struct iot_place, row);

		if (place->known)
			return place;
	}
	return iot_place_find(places, row);
}

#endif
