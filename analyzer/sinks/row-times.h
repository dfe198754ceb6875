/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions of the waits, calls and holds of each row, for the report with -v. Memory grows
 * with the number of rows, up to a limit. One thread at a time.
 */
#ifndef IOT_SINKS_ROW_TIMES_H
#define IOT_SINKS_ROW_TIMES_H

#include "base/histogram.h"
#include "timeline/timeline.h"

enum iot_time_kind {
	IOT_TIME_WAIT,
	IOT_TIME_CALL, /* that is drawn as a span */
	IOT_TIME_HOLD, /* of a mode that excludes another one */
	IOT_TIME_KINDS
};

struct iot_row_times {
	const struct iot_timeline *tl;
	/* row -> struct iot_histogram[IOT_TIME_KINDS] */
	GHashTable *rows;
	guint64 n_partial;  /* their true length is unknown; they are left out */
	guint64 n_left_out; /* of further rows */
};

struct iot_row_times *iot_row_times_new(const struct iot_timeline *tl);
/** iot_row_times_free - accepts NULL */
void iot_row_times_free(struct iot_row_times *times);
void iot_row_times_add(struct iot_row_times *times, const struct iot_item *item);

#endif
