/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/heap.h"
#include "unit.h"

#include <stdlib.h>

static int compare_entries(const void *a, const void *b)
{
	const struct iot_heap_entry *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->tie < y->tie ? -1 : x->tie > y->tie;
}

UNIT_TEST(heap_empty_has_no_top)
{
	struct iot_heap heap = { 0 };

	CU_ASSERT_PTR_NULL(iot_heap_top(&heap));
	iot_heap_clear(&heap);
}

UNIT_TEST(heap_sorts_like_qsort)
{
	enum { N = 3000 };
	static struct iot_heap_entry expected[N];
	struct iot_heap heap = { 0 };
	guint64 random = 12345;

	for (guint i = 0; i < N; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		/* few keys, so that ties decide often; extreme keys too */
		expected[i].key = i % 100 ? random >> 60 : (i & 1 ? G_MAXUINT64 : 0);
		expected[i].tie = (random >> 20 & 0xffff) << 16 | i;
		expected[i].value = i;
		iot_heap_push(&heap, expected[i].key, expected[i].tie, i);
	}
	qsort(expected, N, sizeof(expected[0]), compare_entries);
	for (guint i = 0; i < N; i++) {
		const struct iot_heap_entry *top = iot_heap_top(&heap);
		struct iot_heap_entry entry;

		CU_ASSERT_PTR_NOT_NULL_FATAL(top);
		CU_ASSERT_EQUAL(top->value, expected[i].value);
		entry = iot_heap_pop(&heap);
		CU_ASSERT_EQUAL(entry.key, expected[i].key);
		CU_ASSERT_EQUAL(entry.tie, expected[i].tie);
		CU_ASSERT_EQUAL(entry.value, expected[i].value);
	}
	CU_ASSERT_PTR_NULL(iot_heap_top(&heap));
	iot_heap_clear(&heap);
}

UNIT_TEST(heap_replace_top_merges_streams)
{
	/* three streams of equal step: the order must be that of (time, stream) */
	struct iot_heap heap = { 0 };
	guint64 last_key = 0, last_tie = 0;

	for (guint stream = 0; stream < 3; stream++)
		iot_heap_push(&heap, 10, stream, stream);
	for (guint i = 0; i < 300; i++) {
		struct iot_heap_entry top = *iot_heap_top(&heap);

		if (i)
			CU_ASSERT(top.key > last_key || (top.key == last_key && top.tie > last_tie));
		CU_ASSERT_EQUAL(top.key, 10 + i / 3 * 5);
		CU_ASSERT_EQUAL(top.tie, i % 3);
		last_key = top.key;
		last_tie = top.tie;
		iot_heap_replace_top(&heap, top.key + 5, top.tie, top.value);
	}
	CU_ASSERT_EQUAL(heap.n, 3);
	iot_heap_clear(&heap);
	CU_ASSERT_EQUAL(heap.n, 0);
	iot_heap_push(&heap, 1, 1, 7);	/* a cleared heap may be used again */
	CU_ASSERT_EQUAL(iot_heap_pop(&heap).value, 7);
	iot_heap_clear(&heap);
}
