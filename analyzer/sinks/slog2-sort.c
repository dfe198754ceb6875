/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2-sort.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 256, FEW = 48 }; /* below FEW clearing the counters would cost more than the rest */

/* The bits in which times differ, relative to the least; 0 if the list is sorted by time already.
 */
static guint64 find_range(const struct iot_slog2_timed *list, guint32 n, guint64 *out_least)
{
	guint64 least = G_MAXUINT64, greatest = 0;
	gboolean sorted = TRUE;

	for (guint32 i = 0; i < n; i++) {
		sorted &= list[i].t0 >= greatest;
		least = MIN(least, list[i].t0);
		greatest = MAX(greatest, list[i].t0);
	}
	*out_least = least;
	return sorted ? 0 : greatest - least;
}

static void sort_few(struct iot_slog2_timed *list, guint32 n)
{
	for (guint32 i = 1; i < n; i++) {
		struct iot_slog2_timed one = list[i];
		guint32 k = i;

		for (; k && list[k - 1].t0 > one.t0; k--)
			list[k] = list[k - 1];
		list[k] = one;
	}
}

/* One digit; the order of elements with equal digits is kept. */
static void sort_digit(const struct iot_slog2_timed *from, struct iot_slog2_timed *to, guint32 n,
		       guint64 least, guint shift)
{
	guint32 place[DIGITS] = { 0 }, sum = 0;

	for (guint32 i = 0; i < n; i++)
		place[(from[i].t0 - least) >> shift & (DIGITS - 1)]++;
	for (guint digit = 0; digit < DIGITS; digit++) {
		guint32 count = place[digit];

		place[digit] = sum;
		sum += count;
	}
	for (guint32 i = 0; i < n; i++)
		to[place[(from[i].t0 - least) >> shift & (DIGITS - 1)]++] = from[i];
}

static void sort_many(struct iot_slog2_timed *list, struct iot_slog2_timed *room, guint32 n,
		      guint64 least, guint64 range)
{
	struct iot_slog2_timed *from = list, *to = room;

	for (guint shift = 0; shift < 64 && range >> shift; shift += 8) {
		struct iot_slog2_timed *sorted = to;

		sort_digit(from, to, n, least, shift);
		to = from;
		from = sorted;
	}
	if (from != list)
		memcpy(list, from, n * sizeof(*list));
}

void iot_slog2_sort(struct iot_slog2_timed *list, struct iot_slog2_timed *room, guint32 n,
		    int (*compare)(const void *a, const void *b))
{
	guint64 least, range = find_range(list, n, &least);

	if (range && n < FEW)
		sort_few(list, n);
	else if (range)
		sort_many(list, room, n, least, range);
	for (guint32 i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && list[end].t0 == list[i].t0;)
			end++;
		if (end > i + 1)
			qsort(list + i, end - i, sizeof(*list), compare);
	}
}
