/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The drawables of the node that is closed, line by line: how they are summed up, and the time of
 * each state without the states nested in it. What is summed up for one line stays in the nearest
 * cache; in order of time it would be another line for each drawable.
 *
 * Legal order: room, sum, for states also subtract_child ... and subtract_nested. Errors are
 * remembered in the iot_out of the sums.
 */
#ifndef IOT_SINKS_SLOG2_GROUP_H
#define IOT_SINKS_SLOG2_GROUP_H

#include "sinks/slog2-preview.h"

struct iot_slog2_group {
	struct iot_slog2_previews *sums; /* borrowed */
	struct iot_slog2_key *keys;	 /* those of one line together, in the order of the file */
	guint32 *line_end;		 /* by line: where the next one begins */
	gint64 *exclusive_ns;		 /* of states: without what is nested in them */
	guint32 *weight, *under; /* of states: weight in the sums, state that covers this one */
	guint32 size, size_lines, n_lines;
};

void iot_slog2_group_clear(struct iot_slog2_group *group);
/** iot_slog2_group_room - room for @n drawables, also in @keys; FALSE without memory */
gboolean iot_slog2_group_room(struct iot_slog2_group *group, guint32 n, guint32 n_lines);
/** iot_slog2_group_sum - add sorted drawables of one kind to the sums; FALSE without memory */
gboolean iot_slog2_group_sum(struct iot_slog2_group *group, const struct iot_slog2_key *keys,
			     guint32 n, guint8 topology);
/**
 * iot_slog2_group_subtract_child - take what lies in a child from the states that were summed last
 *
 * Below the children only previews are known, so that outer states get somewhat too little: the
 * approximation of the SDK.
 */
void iot_slog2_group_subtract_child(struct iot_slog2_group *group,
				    const struct iot_slog2_preview *child);
/** iot_slog2_group_subtract_nested - likewise what lies in the node itself; add up what remains */
void iot_slog2_group_subtract_nested(struct iot_slog2_group *group, guint32 n);

#endif
