/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorting by time. Lists are in order of their ends and wanted in order of their starts, some
 * thousands at a time, many times in a file: digits of the start are compared, not elements. One
 * thread for each list.
 */
#ifndef IOT_SINKS_SLOG2_SORT_H
#define IOT_SINKS_SLOG2_SORT_H

#include <glib.h>

struct iot_slog2_timed {
	guint64 t0;
	gconstpointer what;
};

/**
 * iot_slog2_sort - by t0; elements with equal t0 by @compare
 * @room: for @n more elements
 * @compare: a total order of struct iot_slog2_timed, t0 first
 */
void iot_slog2_sort(struct iot_slog2_timed *list, struct iot_slog2_timed *room, guint32 n,
		    int (*compare)(const void *a, const void *b));

#endif
