/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorting by time. Lists of some thousand elements, in order of end, are sorted by start, many
 * times in a file: a radix sort by start, which moves indices instead of elements. One thread for
 * each list.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_SORT_H
#define IOT_SINKS_SLOG2_SLOG2_SORT_H

#include <glib.h>

/* An element, with all that is needed after sorting: reading these from the drawable would be a
 * cache miss for each. */
struct iot_slog2_key {
	guint64 t0, t1;
	gint32 category;
	guint32 line;
	guint32 at;    /* of the drawable in the arena of its list */
	guint16 bytes; /* likewise */
	guint8 topology, backwards;
};

/**
 * iot_slog2_sort - the order of drawables: start increasing, end decreasing, category, line, @at
 * @room: for twice @n numbers
 *
 * The reader of the SDK merges levels by this order. Returns the indices of the elements in @list;
 * they are in the room.
 */
const guint32 *iot_slog2_sort(const struct iot_slog2_key *list, guint64 *room, guint32 n);

#endif
