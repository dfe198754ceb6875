/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/selected.h"

gboolean iot_link_select(const struct iot_timeline *tl, struct iot_item *item)
{
	gboolean from_hidden = iot_row_at(tl, item->row)->hidden;
	gboolean to_hidden = iot_row_at(tl, item->row_to)->hidden;

	if (from_hidden && to_hidden)
		return FALSE;
	if (from_hidden) {
		item->row = item->row_to;
		item->lane = item->lane_to;
		item->flags |= IOT_FROM_HIDDEN;
	} else if (to_hidden) {
		item->row_to = item->row;
		item->lane_to = item->lane;
		item->flags |= IOT_TO_HIDDEN;
	}
	return TRUE;
}

/* A row has a greater number than its parent. */
void iot_row_sums_finish(struct iot_timeline *tl)
{
	for (iot_row_id id = tl->rows.n; id-- > 1;) {
		const struct iot_row *row = iot_row_at(tl, id);
		struct iot_row *parent = iot_row_at(tl, row->parent);

		parent->n_items += row->n_items;
		parent->wait_ns += row->wait_ns;
		parent->bounded_ns += row->bounded_ns;
	}
}
