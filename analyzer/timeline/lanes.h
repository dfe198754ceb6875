/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lanes: the lines of one row, for objects or calls that exist at the same time. Each takes the
 * lowest free lane and releases it, so that no span is hidden under another. Pipeline thread only.
 *
 * An object that is first seen in the middle of its life gets a lane that was never used, because
 * it is drawn back to before its first event and must not overlap earlier spans.
 */
#ifndef IOT_TIMELINE_LANES_H
#define IOT_TIMELINE_LANES_H

#include "timeline/timeline.h"

struct iot_lanes;

struct iot_lanes *iot_lanes_new(struct iot_timeline *tl);
void iot_lanes_free(struct iot_lanes *lanes);
/**
 * iot_lanes_take - the lowest lane of @row that is free from @t0 on
 *
 * Deferred events are applied late, so a lane may have been released at a time after @t0; it is not
 * free then. Without a free lane the last one is shared (IOT_LAST_LANE), and that is counted.
 */
guint16 iot_lanes_take(struct iot_lanes *lanes, iot_row_id row, guint64 t0);
/** iot_lanes_take_unused - the lowest lane that was never used, for spans that begin in the past */
guint16 iot_lanes_take_unused(struct iot_lanes *lanes, iot_row_id row);
/** iot_lanes_mark_used - an item without a lane was drawn on lane 0 at @t */
void iot_lanes_mark_used(struct iot_lanes *lanes, iot_row_id row, guint64 t);
/** iot_lanes_release - the lane is free from @t1 on */
void iot_lanes_release(struct iot_lanes *lanes, iot_row_id row, guint16 lane, guint64 t1);
/** iot_lanes_assign - take and release in one call, for a completed span */
guint16 iot_lanes_assign(struct iot_lanes *lanes, iot_row_id row, guint64 t0, guint64 t1);

/** iot_lanes_save - append the lanes of all rows; no time is after @now_ns */
void iot_lanes_save(const struct iot_lanes *lanes, guint64 now_ns, GByteArray *out);
/** iot_lanes_load - load saved lanes before any lane is used; FALSE if @in is malformed */
gboolean iot_lanes_load(struct iot_lanes *lanes, guint64 now_ns, struct iot_unpack *in);
/** iot_lanes_busy - whether the lane is taken */
gboolean iot_lanes_busy(const struct iot_lanes *lanes, iot_row_id row, guint16 lane);

#endif
