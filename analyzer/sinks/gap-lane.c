/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/gap-lane.h"

const struct iot_gap_lane *iot_gap_lane_take(GArray *lanes, const struct iot_item *gap)
{
	struct iot_gap_lane next = { .node = iot_gap_node(gap),
				     .number = lanes->len + 1,
				     .end = gap->t1 };

	for (guint i = 0; i < lanes->len; i++) {
		struct iot_gap_lane *lane = &g_array_index(lanes, struct iot_gap_lane, i);

		if (lane->node != next.node)
			continue;
		if (lane->end <= gap->t0) {
			lane->end = gap->t1;
			return lane;
		}
		next.number = lane->number;
		next.lane++;
	}
	g_array_append_val(lanes, next);
	return &g_array_index(lanes, struct iot_gap_lane, lanes->len - 1);
}
