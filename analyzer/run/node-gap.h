/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The gaps of one node. Every CPU reports its own gaps, and they overlap; a lost event on one CPU
 * may be the end of a call that began on another. So the node has one gap from the first begin to
 * the last end. Pipeline thread only.
 */
#ifndef IOT_RUN_NODE_GAP_H
#define IOT_RUN_NODE_GAP_H

#include "base/pack.h"
#include "input/record.h"
#include "timeline/timeline.h"

struct iot_node_gap {
	iot_str node; /* display name */
	guint depth;  /* CPUs that are in a gap */
	/* The rest is valid while depth is not 0. */
	guint64 t0, lost; /* ns; events */
	gboolean lost_unknown;
};

/** iot_node_gap_record - apply a gap record; TRUE and an item when the last open gap ends */
gboolean iot_node_gap_record(struct iot_node_gap *gap, const struct iot_rec *rec,
			     struct iot_item *out_item);
/** iot_node_gap_unfinished - TRUE and an item that ends at @end_ns, if a gap never ended */
gboolean iot_node_gap_unfinished(const struct iot_node_gap *gap, guint64 end_ns,
				 struct iot_item *out_item);

/** iot_node_gap_save - append the state, except the node, to @out */
void iot_node_gap_save(const struct iot_node_gap *gap, GByteArray *out);
/** iot_node_gap_load - restore the state; @n_runs limits its depth; errors are in @in */
void iot_node_gap_load(struct iot_node_gap *gap, guint n_runs, struct iot_unpack *in);

#endif
