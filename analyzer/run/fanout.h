/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the feed to all sinks. With threads every sink has one of its own behind a bounded queue of
 * item batches, which all sinks share; without, sinks are called at once.
 */
#ifndef IOT_RUN_FANOUT_H
#define IOT_RUN_FANOUT_H

#include "run/request.h"

struct iot_fanout;
struct iot_usage;

/** iot_fanout_new - open all outputs; @feed: of the items that will come, TIME if one output wants
 * that
 */
struct iot_fanout *iot_fanout_new(const struct iot_timeline *tl, const GPtrArray *outputs,
				  enum iot_feed feed, guint64 memory, gboolean threaded,
				  gboolean audit, GError **error);
/** iot_fanout_free - also after failure: unfinished outputs vanish; accepts NULL */
void iot_fanout_free(struct iot_fanout *fanout);
/** iot_fanout_item - the next item (an iot_item_func) */
gboolean iot_fanout_item(gpointer fanout, const struct iot_item *item, GError **error);
/** iot_fanout_drain - wait until the sinks have taken everything; their first error */
gboolean iot_fanout_drain(struct iot_fanout *fanout, GError **error);
/** iot_fanout_usage - the most memory that outputs and the queues in front of them took; between
 * iot_fanout_drain and iot_fanout_finish */
void iot_fanout_usage(const struct iot_fanout *fanout, struct iot_usage *usage);
/** iot_fanout_finish - finish all outputs; counters of the sinks are added to @summary before the
 * reports see it */
gboolean iot_fanout_finish(struct iot_fanout *fanout, struct iot_summary *summary, GError **error);

#endif
