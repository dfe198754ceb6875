/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes the items to all sinks. With threads every sink has its own thread, and all read one
 * bounded queue of item batches; without threads the sinks are called directly. One
 * thread at a time.
 */
#ifndef IOT_RUN_FANOUT_H
#define IOT_RUN_FANOUT_H

#include "run/request.h"

struct iot_fanout;
struct iot_usage;

/**
 * iot_fanout_new - open all outputs of @options; they get half of its memory, and a thread each
 * unless the run has one thread. With --audit the contract of the timeline is checked
 * (timeline/validate.h)
 * @feed: of the items that will be passed
 *
 * The caller frees. NULL and an error of code OUTPUT or MEMORY if an output cannot be opened.
 */
struct iot_fanout *iot_fanout_new(const struct iot_timeline *tl, const struct iot_options *options,
				  enum iot_feed feed, GError **error);
/** iot_fanout_free - remove unfinished outputs; accepts NULL */
void iot_fanout_free(struct iot_fanout *fanout);
/** iot_fanout_item - pass the next item (an iot_item_func) */
gboolean iot_fanout_item(gpointer fanout, const struct iot_item *item, GError **error);
/** iot_fanout_drain - wait until the sinks have taken all items; returns their first error */
gboolean iot_fanout_drain(struct iot_fanout *fanout, GError **error);
/** iot_fanout_usage - add the peak memory of the queue and of the outputs; between drain and finish
 */
void iot_fanout_usage(const struct iot_fanout *fanout, struct iot_usage *usage);
/** iot_fanout_finish - finish all outputs, reports last; adds the counters of sinks to @summary */
gboolean iot_fanout_finish(struct iot_fanout *fanout, struct iot_summary *summary, GError **error);

#endif
