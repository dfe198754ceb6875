/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-sort.h"

#include <stdlib.h>
#include <string.h>

enum {
	FEW = 48,    /* for fewer elements clearing the counters costs more than the rest */
	MANY = 2048, /* for more elements longer digits save more than their counters cost */
	DIGIT_BITS = 8,
	DIGIT_BITS_OF_MANY = 11,
	MOVES = 8,  /* limit of the insertion sort, per number */
	EQUAL = 16, /* elements with one start; for fewer qsort costs more */
};

static inline int compare(const struct iot_slog2_key *a, const struct iot_slog2_key *b)
{
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

static int compare_places(const void *pa, const void *pb, void *list)
{
	const struct iot_slog2_key *keys = list;

	return compare(&keys[*(const guint32 *)pa], &keys[*(const guint32 *)pb]);
}

static void sort_places(const struct iot_slog2_key *list, guint32 *order, guint32 n)
{
	if (n >= EQUAL) {
		qsort_r(order, n, sizeof(*order), compare_places, (void *)(gsize)list);
		return;
	}
	for (guint32 i = 1; i < n; i++) {
		guint32 one = order[i], k = i;

		for (; k && compare(&list[order[k - 1]], &list[one]) > 0; k--)
			order[k] = order[k - 1];
		order[k] = one;
	}
}

/* A number is the start minus the least start, followed by the index of the element. */
struct numbers {
	guint64 *list, *other;
	guint32 n;
	guint bits; /* of the start; 0: already in order */
	guint index_bits;
	guint64 least;
};

static struct numbers measure(const struct iot_slog2_key *list, guint64 *room, guint32 n)
{
	struct numbers numbers = { .list = room, .other = room + n, .n = n, .index_bits = 1 };
	guint64 least = G_MAXUINT64, most = 0;
	gboolean in_order = TRUE;

	while (n >> numbers.index_bits)
		numbers.index_bits++;
	for (guint32 i = 0; i < n; i++) {
		guint64 t0 = list[i].t0;

		in_order &= t0 >= most;
		least = MIN(least, t0);
		most = MAX(most, t0);
	}
	if (!in_order)
		numbers.bits = g_bit_storage(most - least);
	numbers.least = least;
	return numbers;
}

static void make_numbers(const struct numbers *numbers, const struct iot_slog2_key *list)
{
	for (guint32 i = 0; i < numbers->n; i++)
		numbers->list[i] = (list[i].t0 - numbers->least) << numbers->index_bits | i;
}

/* Insertion sort. FALSE if it takes too many moves. */
static gboolean sort_near(guint64 *list, guint32 n, gssize moves)
{
	for (guint64 *at = list + 1; at < list + n; at++) {
		guint64 one = *at, *to = at;

		if (to[-1] <= one)
			continue;
		do
			*to = to[-1];
		while (--to > list && to[-1] > one);
		*to = one;
		moves -= at - to;
		if (G_UNLIKELY(moves < 0))
			return FALSE;
	}
	return TRUE;
}

/* Sort by one digit into the other list; stable. */
static void sort_digit(const struct numbers *numbers, guint shift, guint n_digits)
{
	guint32 place[1 << DIGIT_BITS_OF_MANY], sum = 0, mask = n_digits - 1;
	const guint64 *from = numbers->list;
	guint64 *to = numbers->other;
	guint32 n = numbers->n;

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

/*
 * Starts are distributed about evenly, so after sorting by the first digit most numbers are near
 * their place, and insertion sort finishes. Otherwise: radix sort from the last digit.
 */
static guint64 *sort_many(struct numbers *numbers)
{
	guint digit_bits = numbers->n < MANY ? DIGIT_BITS : DIGIT_BITS_OF_MANY;
	guint shift = numbers->index_bits, end = shift + numbers->bits;

	sort_digit(numbers, end - MIN(numbers->bits, digit_bits), 1u << digit_bits);
	if (sort_near(numbers->other, numbers->n, (gssize)numbers->n * MOVES))
		return numbers->other;
	for (; shift < end; shift += digit_bits) {
		guint64 *sorted = numbers->other;

		sort_digit(numbers, shift, 1u << digit_bits);
		numbers->other = numbers->list;
		numbers->list = sorted;
	}
	return numbers->list;
}

/* A call that is drawn on two rows makes two elements with one start, usually in order. */
static inline void sort_equal(const struct iot_slog2_key *list, guint32 *order, guint32 n)
{
	if (n > 2 || (n == 2 && compare(&list[order[0]], &list[order[1]]) > 0))
		sort_places(list, order, n);
}

/* The indices in the order of the numbers. */
static void take_places(const struct iot_slog2_key *list, const guint64 *numbers, guint32 *order,
			guint32 n, guint index_bits)
{
	guint64 mask = (G_GUINT64_CONSTANT(1) << index_bits) - 1;
	guint64 start = n ? *numbers >> index_bits : 0;
	guint32 begin = 0;

	for (guint32 i = 0; i < n; i++) {
		guint64 number = numbers[i];

		order[i] = (guint32)(number & mask);
		if (number >> index_bits == start)
			continue;
		sort_equal(list, order + begin, i - begin);
		begin = i;
		start = number >> index_bits;
	}
	sort_equal(list, order + begin, n - begin);
}

static const guint32 *sort_all(const struct iot_slog2_key *list, guint32 *order, guint32 n)
{
	for (guint32 i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), compare_places, (void *)(gsize)list);
	return order;
}

const guint32 *iot_slog2_sort(const struct iot_slog2_key *list, guint64 *room, guint32 n)
{
	struct numbers numbers = measure(list, room, n);
	guint64 *sorted = room;
	guint32 *order;

	if (numbers.bits + numbers.index_bits > 64)
		return sort_all(list, (guint32 *)room, n);
	make_numbers(&numbers, list);
	if (numbers.bits && n < FEW)
		sort_near(room, n, FEW * FEW);
	else if (numbers.bits)
		sorted = sort_many(&numbers);
	order = (guint32 *)(sorted == room ? room + n : room);
	take_places(list, sorted, order, n, numbers.index_bits);
	return order;
}
