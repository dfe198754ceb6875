/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of a call of one thread, by reason. Each instant has one reason: the first one of enum
 * iot_reason for which a span of the thread is open; IOT_REASON_NONE: there is none. So the parts
 * add up to the length of the call, to the nanosecond.
 *
 * One thread at a time.
 */
#ifndef IOT_ANALYSIS_REASONS_H
#define IOT_ANALYSIS_REASONS_H

#include "timeline/timeline.h"

struct iot_reasons;

/* An interval, ns. */
struct iot_free_time {
	guint64 t0, t1;
};

/** iot_reasons_new - of one thread, without spans and call. The caller frees
 * @keeps_free: iot_reasons_free_time will be asked */
struct iot_reasons *iot_reasons_new(gboolean keeps_free);
/** iot_reasons_free - accepts NULL */
void iot_reasons_free(struct iot_reasons *reasons);
/** iot_reasons_span - a span with the reason @reason begins, or ends (item->kind);
 * NONE: its length means nothing, so it does not count */
void iot_reasons_span(struct iot_reasons *reasons, const struct iot_item *item,
		      enum iot_reason reason);
/** iot_reasons_stolen - from @t on the machine of a thread in a call is stolen by its host, or no
 * longer: while the thread runs or waits for a CPU the reason is HOST */
void iot_reasons_stolen(struct iot_reasons *reasons, guint64 t, gboolean begins);
/** iot_reasons_is_idle - no span is open, and no call */
gboolean iot_reasons_is_idle(const struct iot_reasons *reasons);
/** iot_reasons_call - a call begins at @t0 (ns) */
void iot_reasons_call(struct iot_reasons *reasons, guint64 t0);
/** iot_reasons_end - the call ends at @t1; @out_ns: its time by reason, IOT_N_REASONS + 1 sums */
void iot_reasons_end(struct iot_reasons *reasons, guint64 t1, guint64 *out_ns);
/** iot_reasons_free_time - the intervals of the call that ended last, in order, that have no
 * reason; of very many, the first. Elements: struct iot_free_time, valid until the next call of a
 * function */
const GArray *iot_reasons_free_time(const struct iot_reasons *reasons);

#endif
