/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last steps before the outputs: items on hidden rows are left out, the others are added to the
 * sums that rank rows. timeline/emit.c takes these steps, or, if there are stages, run/tools/chosen.c
 * after the stages. One thread at a time.
 */
#ifndef IOT_TIMELINE_SELECTED_H
#define IOT_TIMELINE_SELECTED_H

#include "timeline/timeline.h"

/**
 * iot_link_select - FALSE if both ends of a link are on hidden rows
 *
 * If one end is, it moves to the row and lane of the other one (FROM_HIDDEN, TO_HIDDEN).
 */
gboolean iot_link_select(const struct iot_timeline *tl, struct iot_item *item);

/** iot_row_sums_add - add a span, point or sample to the sums of its row */
static inline void iot_row_sums_add(const struct iot_timeline *tl, struct iot_row *row,
				    const struct iot_item *item)
{
	row->n_items++;
	if (item->kind != IOT_ITEM_SPAN || !iot_item_waited(item, iot_cat_at(tl, item->cat)))
		return;
	row->wait_ns += item->t1 - item->t0;
	if (!iot_item_is_unbounded(item))
		row->bounded_ns += item->t1 - item->t0;
}

/** iot_row_sums_finish - after the last item: add the sums of each row to the row above */
void iot_row_sums_finish(struct iot_timeline *tl);

#endif
