/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the host let the virtual CPUs of a node wait, from their states that a model draws. If a
 * node has several, it is not known which one a thread is on, so the node is stolen only while all
 * are. One thread at a time.
 */
#ifndef IOT_ANALYSIS_STOLEN_NODES_H
#define IOT_ANALYSIS_STOLEN_NODES_H

#include "timeline/timeline.h"

struct iot_stolen_nodes;

/** iot_stolen_nodes_new - no node is stolen; @tl lives longer. The caller frees */
struct iot_stolen_nodes *iot_stolen_nodes_new(const struct iot_timeline *tl);
/** iot_stolen_nodes_free - accepts NULL */
void iot_stolen_nodes_free(struct iot_stolen_nodes *nodes);
/** iot_stolen_nodes_item - the next span begins or ends, in the order of stages; TRUE if the node
 * whose name is *@out_node is stolen from now on, or no longer */
gboolean iot_stolen_nodes_item(struct iot_stolen_nodes *nodes, const struct iot_item *item,
			       iot_str *out_node);
/** iot_stolen_nodes_now - whether all virtual CPUs of the node are stolen */
gboolean iot_stolen_nodes_now(const struct iot_stolen_nodes *nodes, iot_str node);
/** iot_stolen_nodes_cpus - virtual CPUs that the node has; 0: their states are not recorded */
guint iot_stolen_nodes_cpus(const struct iot_stolen_nodes *nodes, iot_str node);

#endif
