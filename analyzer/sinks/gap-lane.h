/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes for gaps, in formats that draw them as states: gaps of one node may overlap. */
#ifndef IOT_SINKS_GAP_LANE_H
#define IOT_SINKS_GAP_LANE_H

#include "timeline/timeline.h"

/* A lane on which gaps of a node do not overlap. */
struct iot_gap_lane {
	iot_str node;
	guint number; /* of the node, in the order of the gaps, from 1 */
	guint lane;   /* of the node, from 0 */
	guint64 end;  /* of the last gap on the lane, ns */
};

/**
 * iot_gap_lane_take - put a gap on the first lane of its node that is free
 * @lanes: of struct iot_gap_lane, kept by the caller for all gaps; a new lane is appended
 *
 * Gaps come in the order of their ends. The result is valid until the next call.
 */
const struct iot_gap_lane *iot_gap_lane_take(GArray *lanes, const struct iot_item *gap);

#endif
