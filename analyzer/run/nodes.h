/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which node of the cluster each input is: --map, else what its events tell, else its own name. */
#ifndef IOT_RUN_NODES_H
#define IOT_RUN_NODES_H

#include "input/source.h"
#include "run/request.h"

/**
 * iot_nodes_resolve - one node name for each input
 * @told: by input: the node that its own events name, or NULL
 * @infos: what is known of the inputs
 *
 * Returns a NULL-terminated vector, freed with g_strfreev; NULL and IOT_ERROR_USAGE if a mapping
 * fits no input or several, or two inputs would be the same node.
 */
char **iot_nodes_resolve(const GPtrArray *mappings, const char *const *told,
			 const struct iot_input_info *infos, guint n_inputs, GError **error);
/** iot_nodes_contradict - whether @node is another number than the one that messages told, if any
 */
gboolean iot_nodes_contradict(const char *node, const char *told);
/** iot_nodes_check - an error that lists the nodes if one of @wanted (of --node) is neither a node
 * nor a node's display name */
gboolean iot_nodes_check(const GPtrArray *wanted, char *const *nodes, GError **error);
/** iot_nodes_display - "node 1" for "1", others as they are; the caller frees */
char *iot_nodes_display(const char *node);

#endif
