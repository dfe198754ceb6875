/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-sort.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

/* By start, the longer first, then by category, line and place. */
static int compare(const void *pa, const void *pb)
{
	const struct iot_slog2_key *a = pa, *b = pb;

	if (a->t0 != b->t0)
		return a->t0 < b->t0 ? -1 : 1;
	if (a->t1 != b->t1)
		return a->t1 < b->t1 ? 1 : -1;
	if (a->category != b->category)
		return a->category < b->category ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

enum times { RANDOM, FALLING, ONE_FAR_AWAY };

/* Times in @range from @base on; qsort gives the expected order. */
static void check(guint32 n, guint64 base, guint64 range, enum times times)
{
	g_autofree struct iot_slog2_key *list = g_new0(struct iot_slog2_key, MOST);
	g_autofree struct iot_slog2_key *expected = g_new0(struct iot_slog2_key, MOST);
	g_autofree guint64 *numbers = g_new(guint64, 2 * MOST);
	guint64 random = n + range;
	const guint32 *order;

	for (guint32 i = 0; i < n; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		list[i].t0 = base + (times == FALLING ? n - i : (random >> 1) % range);
		if (times == ONE_FAR_AWAY && i == n / 2)
			list[i].t0 += range << 16;
		list[i].t1 = list[i].t0 + (random >> 7) % 3;
		list[i].category = (gint32)(random >> 9) % 2;
		list[i].line = (random >> 11) % 2;
		list[i].at = (i * 7919) % MOST;
	}
	memcpy(expected, list, n * sizeof(*list));
	if (n)
		qsort(expected, n, sizeof(*expected), compare);
	order = iot_slog2_sort(list, numbers, n);
	for (guint32 i = 0; i < n; i++)
		CU_ASSERT(!memcmp(&list[order[i]], &expected[i], sizeof(*list)));
}

UNIT_TEST(the_order_is_that_of_qsort)
{
	static const guint32 numbers[] = { 0, 1, 2, 3, 47, 48, 49, 255, 1000, 2047, 2048, MOST };
	static const guint64 ranges[] = { 1,	 2,	  200,	      256,	  257,
					  65536, 1 << 20, 1ull << 33, 1ull << 56, G_MAXINT64 };

	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
		for (guint k = 0; k < G_N_ELEMENTS(ranges); k++) {
			check(numbers[i], 0, ranges[k], RANDOM);
			check(numbers[i], 123456789012345, ranges[k], RANDOM);
		}
		check(numbers[i], 1000, 1, FALLING);
		check(numbers[i], 1000, 1 << 20, ONE_FAR_AWAY);
	}
}
