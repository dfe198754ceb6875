/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The times in which one node is not observed: a CPU has lost events, or the node's recording has
 * not begun or has ended. Every CPU reports its own gaps, and they overlap; a lost event on one CPU
 * may be the end of a call that began on another. So the node has one gap from the first begin to
 * the last end. Pipeline thread only.
 *
 * A recording that begins or ends well inside the time of the others (--early-end) is one of the
 * reasons. Outputs get one item for each interval (IOT_ITEM_GAP). It belongs to the machine, not
 * to rows: each format draws it once for each machine, and the page hatches all rows of the
 * machine. input/dat/dat-last.c finds the last event or clock sample of each recording when it is
 * opened, so a window sees the same as the whole recording. At an early end models see a gap that
 * never ends; before a late begin there is nothing that they could close.
 */
#ifndef IOT_RUN_NODE_GAP_H
#define IOT_RUN_NODE_GAP_H

#include "base/pack.h"
#include "input/record.h"
#include "timeline/timeline.h"

struct iot_node_gap {
	iot_str node;	   /* display name */
	guint64 unseen_ns; /* iot_timeline_unobserved of the node; G_MAXUINT64: it has had no gap */
	guint depth;	   /* reasons: CPUs that are in a gap, and the recording itself */
	/* The rest is valid while depth is not 0. */
	guint64 t0, lost; /* ns; events */
	gboolean lost_unknown;
};

/** iot_node_gap_begin - not observed from @ts on, because @lost events are missing: 0 if the
 * machine was not recorded, G_MAXUINT64 if their number is not known */
void iot_node_gap_begin(struct iot_node_gap *gap, guint64 ts, guint64 lost);
/** iot_node_gap_end - one reason ends; TRUE and an item when the last one ends */
gboolean iot_node_gap_end(struct iot_node_gap *gap, guint64 ts, struct iot_item *out_item);
/** iot_node_gap_unfinished - TRUE and an item that ends at @end_ns, if a gap never ended */
gboolean iot_node_gap_unfinished(const struct iot_node_gap *gap, guint64 end_ns,
				 struct iot_item *out_item);

/** iot_node_gap_save - append the state, except the node, to @out */
void iot_node_gap_save(const struct iot_node_gap *gap, GByteArray *out);
/** iot_node_gap_load - restore the state; @n_runs limits its depth; errors are in @in */
void iot_node_gap_load(struct iot_node_gap *gap, guint n_runs, struct iot_unpack *in);

#endif
