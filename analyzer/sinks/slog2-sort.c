/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2-sort.h"

#include <stdlib.h>
#include <string.h>

enum {
	FEW = 48,    /* below that clearing the counters would cost more than the rest */
	MANY = 2048, /* from there on longer digits save more than their counters cost */
	DIGIT_BITS = 8,
	DIGIT_BITS_OF_MANY = 11,
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

static void sort_some(struct iot_slog2_key *list, guint32 n)
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

/* A call that is drawn on two rows makes two with one start, mostly in order. */
static void sort_equal(struct iot_slog2_key *list, guint32 n)
{
	for (guint32 i = 0, end; i + 1 < n; i = end) {
		end = i + 1;
		if (list[end].t0 != list[i].t0)
			continue;
		while (++end < n && list[end].t0 == list[i].t0)
			;
		if (end > i + 2 || compare(&list[i], &list[i + 1]) > 0)
			sort_some(list + i, end - i);
	}
}

/*
 * A number is the start, and behind it where the element is: what is moved for each digit is short.
 * Returns how many low bits of the start tell them apart; 0 if they are sorted by it already.
 */
static guint make_numbers(const struct iot_slog2_key *list, guint64 *numbers, guint32 n,
			  guint index_bits)
{
	guint64 last = n ? list->t0 : 0, differing = 0;
	gboolean sorted = TRUE;
	guint bits = 0;

	for (guint32 i = 0; i < n; i++) {
		guint64 t0 = list[i].t0;

		sorted &= t0 >= last;
		differing |= t0 ^ last;
		last = t0;
		numbers[i] = t0 << index_bits | i;
	}
	while (!sorted && bits < 64 && differing >> bits)
		bits++;
	return bits;
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

/* One digit; the order of numbers with equal digits is kept. */
static void sort_digit(const guint64 *from, guint64 *to, guint32 n, guint shift, guint n_digits)
{
	guint32 place[1 << DIGIT_BITS_OF_MANY], sum = 0, mask = n_digits - 1;

	memset(place, 0, n_digits * sizeof(*place));
	for (guint32 i = 0; i < n; i++)
		place[(guint32)(from[i] >> shift) & mask]++;
	for (guint digit = 0; digit < n_digits; digit++) {
		guint32 count = place[digit];

		place[digit] = sum;
		sum += count;
	}
	for (guint32 i = 0; i < n; i++)
		to[place[(guint32)(from[i] >> shift) & mask]++] = from[i];
}

static void sort_many(const struct iot_slog2_key *list, struct iot_slog2_key *to, guint64 *numbers,
		      guint32 n, guint bits, guint index_bits)
{
	guint64 *from = numbers, *other = numbers + n;
	guint digit_bits = n < MANY ? DIGIT_BITS : DIGIT_BITS_OF_MANY;

	for (guint shift = index_bits; shift < index_bits + bits; shift += digit_bits) {
		guint64 *sorted = other;

		sort_digit(from, sorted, n, shift, 1u << digit_bits);
		other = from;
		from = sorted;
	}
	for (guint32 i = 0; i < n; i++)
		to[i] = list[from[i] & ((G_GUINT64_CONSTANT(1) << index_bits) - 1)];
}

struct iot_slog2_key *iot_slog2_sort(struct iot_slog2_key *list, struct iot_slog2_key *room,
				     guint64 *numbers, guint32 n)
{
	guint bits, index_bits = 1;

	while (n >> index_bits)
		index_bits++;
	bits = make_numbers(list, numbers, n, index_bits);
	if (bits && bits + index_bits > 64) {
		qsort(list, n, sizeof(*list), compare);
	} else if (bits && n < FEW) {
		sort_few(list, n);
	} else if (bits) {
		sort_many(list, room, numbers, n, bits, index_bits);
		list = room;
	}
	sort_equal(list, n);
	return list;
}
