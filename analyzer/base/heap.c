/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/heap.h"

void iot_heap_clear(struct iot_heap *heap)
{
	g_free(heap->entries);
	*heap = (struct iot_heap){ 0 };
}

static void sift_down(struct iot_heap *heap, struct iot_heap_entry moving)
{
	guint at = 0;

	for (;;) {
		guint child = 2 * at + 1;

		if (child >= heap->n)
			break;
		if (child + 1 < heap->n)
			child += (guint)iot_heap_less(&heap->entries[child + 1],
						      &heap->entries[child]);
		if (!iot_heap_less(&heap->entries[child], &moving))
			break;
		heap->entries[at] = heap->entries[child];
		at = child;
	}
	heap->entries[at] = moving;
}

void iot_heap_push(struct iot_heap *heap, guint64 key, guint64 tie, guint64 value)
{
	struct iot_heap_entry moving = { key, tie, value };
	guint at = heap->n;

	if (heap->n == heap->size) {
		heap->size = heap->size ? 2 * heap->size : 16;
		heap->entries = g_renew(struct iot_heap_entry, heap->entries, heap->size);
	}
	heap->n++;
	while (at && iot_heap_less(&moving, &heap->entries[(at - 1) / 2])) {
		heap->entries[at] = heap->entries[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap->entries[at] = moving;
}

struct iot_heap_entry iot_heap_pop(struct iot_heap *heap)
{
	struct iot_heap_entry top;

	g_assert(heap->n);
	top = heap->entries[0];
	if (--heap->n)
		sift_down(heap, heap->entries[heap->n]);
	return top;
}

void iot_heap_replace_top(struct iot_heap *heap, guint64 key, guint64 tie, guint64 value)
{
	g_assert(heap->n);
	sift_down(heap, (struct iot_heap_entry){ key, tie, value });
}
