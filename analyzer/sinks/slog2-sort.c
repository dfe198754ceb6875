/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2-sort.h"

#include <stdlib.h>
#include <string.h>

enum {
	DIGITS = 256,
	FEW = 48,   /* below that clearing the counters would cost more than the rest */
	EQUAL = 16, /* with one start; below that qsort would */
};

static int compare(const void *pa, const void *pb)
{
	const struct iot_slog2_key *a = pa, *b = pb;

	if (a->t0 != b->t0)
		return a->t0 < b->t0 ? -1 : 1;
	if (a->t1 != b->t1)
		return a->t1 > b->t1 ? -1 : 1;
	if (a->category != b->category)
		return a->category < b->category ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* A call that is drawn on two rows makes two with one start. */
static void sort_equal(struct iot_slog2_key *list, guint32 n)
{
	if (n >= EQUAL) {
		qsort(list, n, sizeof(*list), compare);
		return;
	}
	for (guint32 i = 1; i < n; i++) {
		struct iot_slog2_key one = list[i];
		guint32 k = i;

		for (; k && compare(&list[k - 1], &one) > 0; k--)
			list[k] = list[k - 1];
		list[k] = one;
	}
}

/* The bits in which times differ, relative to the least; 0 if the list is sorted by time already.
 */
static guint64 find_range(const struct iot_slog2_key *list, guint32 n, guint64 *out_least)
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

static void sort_few(struct iot_slog2_key *list, guint32 n)
{
	for (guint32 i = 1; i < n; i++) {
		struct iot_slog2_key one = list[i];
		guint32 k = i;

		for (; k && list[k - 1].t0 > one.t0; k--)
			list[k] = list[k - 1];
		list[k] = one;
	}
}

/* One digit; the order of elements with equal digits is kept. */
static void sort_digit(const struct iot_slog2_key *from, struct iot_slog2_key *to, guint32 n,
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

static void sort_many(struct iot_slog2_key *list, struct iot_slog2_key *room, guint32 n,
		      guint64 least, guint64 range)
{
	struct iot_slog2_key *from = list, *to = room;

	for (guint shift = 0; shift < 64 && range >> shift; shift += 8) {
		struct iot_slog2_key *sorted = to;

		sort_digit(from, to, n, least, shift);
		to = from;
		from = sorted;
	}
	if (from != list)
		memcpy(list, from, n * sizeof(*list));
}

void iot_slog2_sort(struct iot_slog2_key *list, struct iot_slog2_key *room, guint32 n)
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
			sort_equal(list + i, end - i);
	}
}
