/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The node of the cluster that each input was recorded on: --map or --names, else a fact from its
 * events, else its own name. An input that says beside which other one it was made has its node;
 * so have inputs with one host name and one boot id, unless they have events of one system, which
 * would count twice.
 */
#ifndef IOT_RUN_LOOK_NODES_H
#define IOT_RUN_LOOK_NODES_H

#include "input/source.h"
#include "run/request.h"

/**
 * iot_nodes_resolve - find the node of each input
 * @mappings: of struct iot_mapping *; may be NULL
 * @names: the file of --names; may be NULL
 * @found: by input: the node that its events name, or NULL
 * @boots: by input: the boot id of its machine, or NULL
 * @infos: of the inputs, NULL-terminated
 * @out_shared: by input, FALSE before: it is named by its file, because others have its host name
 *
 * Returns a NULL-terminated vector, freed with g_strfreev; NULL and IOT_ERROR_USAGE if a mapping
 * fits no input or several, or two inputs would be the same node without a mapping of each; or
 * IOT_ERROR_MODEL if the file says that an input is of two nodes.
 */
char **iot_nodes_resolve(const GPtrArray *mappings, const struct iot_names_file *names,
			 const char *const *found, const char *const *boots,
			 const struct iot_input_info *const *infos, gboolean *out_shared,
			 GError **error);
/** iot_nodes_input_is - whether @what names the input: its path, file, host, or N in trace-N.dat */
gboolean iot_nodes_input_is(const struct iot_input_info *info, const char *what);
/** iot_nodes_contradict - whether @node is a number other than the one its events name (or NULL) */
gboolean iot_nodes_contradict(const char *node, const char *found);
/** iot_nodes_check_found - an error about the first of @nodes that contradicts @found */
gboolean iot_nodes_check_found(char *const *nodes, const char *const *found,
			       const struct iot_input_info *const *infos, GError **error);
/** iot_nodes_check - an error that lists @nodes if one of @wanted (--node) is neither a node nor
 * the display name of a node */
gboolean iot_nodes_check(const GPtrArray *wanted, const struct iot_names_file *names,
			 char *const *nodes, GError **error);
/** iot_nodes_display - the name that @names (or NULL) says; else "node 1" for "1", other names
 * unchanged; the caller frees */
char *iot_nodes_display(const struct iot_names_file *names, const char *node);

#endif
