/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A binary heap of (key, tie, value), smallest (key, tie) on top. Keys are inline: two integers are
 * compared, and no function is called. Not thread safe.
 */
#ifndef IOT_BASE_HEAP_H
#define IOT_BASE_HEAP_H

#include <glib.h>

struct iot_heap_entry {
	guint64 key;   /* usually a time in ns */
	guint64 tie;   /* must not repeat for equal keys: it makes the order total */
	guint64 value; /* index or pointer of the caller */
};

struct iot_heap {
	struct iot_heap_entry *entries;
	guint n, size;
};

/** iot_heap_clear - free the storage; the heap may be used again. A zeroed struct is an empty heap.
 */
void iot_heap_clear(struct iot_heap *heap);
/** iot_heap_push - add an entry */
void iot_heap_push(struct iot_heap *heap, guint64 key, guint64 tie, guint64 value);
/** iot_heap_pop - remove and return the smallest; the heap must not be empty */
struct iot_heap_entry iot_heap_pop(struct iot_heap *heap);
/** iot_heap_replace_top - the smallest gets another key; cheaper than pop and push */
void iot_heap_replace_top(struct iot_heap *heap, guint64 key, guint64 tie, guint64 value);

static inline const struct iot_heap_entry *iot_heap_top(const struct iot_heap *heap)
{
	return heap->n ? &heap->entries[0] : NULL;
}

static inline gboolean iot_heap_less(const struct iot_heap_entry *a, const struct iot_heap_entry *b)
{
	/* as one number: no branch, and in a heap which of two is smaller cannot be predicted */
	return ((unsigned __int128)a->key << 64 | a->tie) <
	       ((unsigned __int128)b->key << 64 | b->tie);
}

#endif
