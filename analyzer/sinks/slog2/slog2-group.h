/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The drawables of the node that is closed, line by line: how they are summed up, and the time of
 * each state without the states nested in it. What is summed up for one line stays in the nearest
 * cache; in order of time it would be another line for each drawable.
 *
 * Legal order: sort, sum, for states also subtract_child ... and subtract_nested. Errors are
 * remembered in the iot_out of the sums.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_GROUP_H
#define IOT_SINKS_SLOG2_SLOG2_GROUP_H

#include "sinks/slog2/slog2-preview.h"

struct iot_slog2_group {
	struct iot_slog2_previews *sums; /* borrowed */
	struct iot_slog2_key *keys;	 /* those of one line together, in the order of the file */
	struct iot_slog2_own *states;	 /* before there are any: room for the numbers of sorting */
	guint32 *line_end;		 /* by line: where the next one begins */
	guint32 size, size_lines, n_lines;
};

void iot_slog2_group_clear(struct iot_slog2_group *group);
gsize iot_slog2_group_memory(const struct iot_slog2_group *group);
/** iot_slog2_group_sort - the order of @keys in the file, valid until they are summed up; NULL
 * without memory */
const guint32 *iot_slog2_group_sort(struct iot_slog2_group *group, const struct iot_slog2_key *keys,
				    guint32 n, guint32 n_lines);
/** iot_slog2_group_sum - add the drawables of one kind, which have been sorted, to the sums; FALSE
 * without memory */
gboolean iot_slog2_group_sum(struct iot_slog2_group *group, const struct iot_slog2_key *keys,
			     const guint32 *order, guint32 n, guint8 topology);
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
