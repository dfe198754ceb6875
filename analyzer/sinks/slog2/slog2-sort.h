/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorting by time. Lists are in order of their ends and wanted in order of their starts, some
 * thousands at a time, many times in a file: digits of the start are compared, and elements stay
 * where they are. One thread for each list.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_SORT_H
#define IOT_SINKS_SLOG2_SLOG2_SORT_H

#include <glib.h>

/* What is sorted, and all that is asked about it afterwards: reading that from somewhere else would
 * mean to wait for memory at each of them. */
struct iot_slog2_key {
	guint64 t0, t1;
	gint32 category;
	guint32 line;
	guint32 at, bytes; /* where it lies */
};

/**
 * iot_slog2_sort - the order of drawables: start increasing, end decreasing, then as the SDK does,
 * whose reader merges levels by this order: category, line; at last @at
 * @room: for twice @n numbers
 *
 * Returns the places of the elements in @list; they are in the room.
 */
const guint32 *iot_slog2_sort(const struct iot_slog2_key *list, guint64 *room, guint32 n);

#endif
