/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of one row for things that live at the same time: whoever comes takes the lowest free lane
 * and gives it back, so nothing is hidden under another. Pipeline thread only.
 */
#ifndef IOT_TIMELINE_LANES_H
#define IOT_TIMELINE_LANES_H

#include "timeline/timeline.h"

struct iot_lanes;

struct iot_lanes *iot_lanes_new(struct iot_timeline *tl);
void iot_lanes_free(struct iot_lanes *lanes);
/**
 * iot_lanes_take - the lowest lane of @row that is free from @t0 on; beyond 65535 all share the
 * last
 *
 * Events that waited are applied late, so a lane may have been released at a later time than that
 * for which the next one is wanted: such a lane is not free yet.
 */
guint16 iot_lanes_take(struct iot_lanes *lanes, iot_row_id row, guint64 t0);
/** iot_lanes_take_unused - the lowest lane that was never used, for spans that began in the past */
guint16 iot_lanes_take_unused(struct iot_lanes *lanes, iot_row_id row);
/** iot_lanes_mark_used - something that has no lane of its own was drawn on lane 0 at @t */
void iot_lanes_mark_used(struct iot_lanes *lanes, iot_row_id row, guint64 t);
/** iot_lanes_release - the lane is free from @t1 on */
void iot_lanes_release(struct iot_lanes *lanes, iot_row_id row, guint16 lane, guint64 t1);
/** iot_lanes_assign - take and release in one, by what is over */
guint16 iot_lanes_assign(struct iot_lanes *lanes, iot_row_id row, guint64 t0, guint64 t1);

/** iot_lanes_save - append the lanes of all rows; no time is after @now_ns */
void iot_lanes_save(const struct iot_lanes *lanes, guint64 now_ns, GByteArray *out);
/** iot_lanes_load - take them over into lanes of which none was used; FALSE if they cannot be */
gboolean iot_lanes_load(struct iot_lanes *lanes, guint64 now_ns, struct iot_unpack *in);
/** iot_lanes_busy - whether somebody has that lane now */
gboolean iot_lanes_busy(const struct iot_lanes *lanes, iot_row_id row, guint16 lane);

#endif
