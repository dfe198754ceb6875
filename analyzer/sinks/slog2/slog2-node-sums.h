/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums over the drawables of the node that is closed: one preview for each line, and the
 * exclusive time of each state, its duration without the states nested in it. Drawables are sorted
 * by line first, so that the sums of one line stay in the nearest cache.
 *
 * Legal order: sort, add, for states also subtract_child ... and subtract_nested. Errors are
 * remembered in the iot_out of the previews.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_NODE_SUMS_H
#define IOT_SINKS_SLOG2_SLOG2_NODE_SUMS_H

#include "sinks/slog2/slog2-preview.h"

struct iot_slog2_node_sums {
	struct iot_slog2_previews *previews; /* borrowed */
	const guint32 *order;		     /* of the keys in the file; in the room of states */
	struct iot_slog2_key *keys;	     /* by line, then in the order of the file */
	struct iot_slog2_exclusive *states;  /* as keys; until they exist, room for sorting */
	guint32 *line_end;		     /* by line: index of the first key of the next one */
	guint32 n, size;		     /* keys: used, allocated */
	guint32 n_lines, size_lines;
};

void iot_slog2_node_sums_clear(struct iot_slog2_node_sums *sums);
/** iot_slog2_node_sums_memory - bytes of storage, which never shrinks */
gsize iot_slog2_node_sums_memory(const struct iot_slog2_node_sums *sums);
/**
 * iot_slog2_node_sums_sort - the order of @keys in the file
 * @n_lines: greater than the line of each key
 *
 * The order is valid until the keys are added. NULL without memory.
 */
const guint32 *iot_slog2_node_sums_sort(struct iot_slog2_node_sums *sums,
					const struct iot_slog2_key *keys, guint32 n,
					guint32 n_lines);
/** iot_slog2_node_sums_add - add the sorted @keys, all of one topology, to the previews; FALSE
 * without memory */
gboolean iot_slog2_node_sums_add(struct iot_slog2_node_sums *sums, const struct iot_slog2_key *keys,
				 guint8 topology);
/**
 * iot_slog2_node_sums_subtract_child - subtract a child from the exclusive time of the states that
 * were added last
 *
 * Only previews are known of the nodes below the children, so outer states get slightly too little:
 * the approximation of the SDK.
 */
void iot_slog2_node_sums_subtract_child(struct iot_slog2_node_sums *sums,
					const struct iot_slog2_preview *child);
/** iot_slog2_node_sums_subtract_nested - subtract nested states of the node itself, then add the
 * exclusive times to the previews */
void iot_slog2_node_sums_subtract_nested(struct iot_slog2_node_sums *sums);

#endif
