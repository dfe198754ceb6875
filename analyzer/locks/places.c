/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "locks/places.h"

void iot_places_init(struct iot_places *places, const struct iot_timeline *tl)
{
	places->tl = tl;
	places->by_row = g_array_new(FALSE, TRUE, sizeof(struct iot_place));
}

void iot_places_clear(struct iot_places *places)
{
	g_array_unref(places->by_row);
}

const struct iot_place *iot_place_find(struct iot_places *places, iot_row_id row)
{
	iot_row_id node = iot_row_node(places->tl, row);
	struct iot_place *place;

	if (places->by_row->len <= row)
		g_array_set_size(places->by_row, row + 1);
	place = &g_array_index(places->by_row, struct iot_place, row);
	place->known = TRUE;
	place->node = node;
	place->resource = iot_row_thing(places->tl, node);
	place->name = node ? iot_row_at(places->tl, node)->name : 0;
	return place;
}
