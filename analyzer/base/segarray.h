/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An array that only grows and whose elements never move. One thread appends; other threads may
 * read an element once its index has reached them through a lock (a queue), without any lock of
 * their own.
 */
#ifndef IOT_BASE_SEGARRAY_H
#define IOT_BASE_SEGARRAY_H

#include <glib.h>

enum { IOT_SEG_BITS = 10, IOT_SEG_SIZE = 1 << IOT_SEG_BITS, IOT_SEG_MAX = 1 << 16 };

struct iot_segarray {
	guint8 **segments; /* IOT_SEG_MAX pointers, never reallocated */
	gsize elem_size;
	guint32 n;
};

/** iot_segarray_init - prepare an array of elements of @elem_size bytes, at most 64 Mi elements */
void iot_segarray_init(struct iot_segarray *array, gsize elem_size);
/** iot_segarray_clear - free the storage (not what elements point to) */
void iot_segarray_clear(struct iot_segarray *array);
/** iot_segarray_add - append a zeroed element and return its address */
gpointer iot_segarray_add(struct iot_segarray *array);
/** iot_segarray_memory - bytes of storage */
gsize iot_segarray_memory(const struct iot_segarray *array);

/** iot_segarray_has - whether there is an element @i, for the checks of a thread that does not
 * append */
static inline gboolean iot_segarray_has(const struct iot_segarray *array, guint32 i)
{
	return i < __atomic_load_n(&array->n, __ATOMIC_RELAXED);
}

static inline gpointer iot_segarray_at(const struct iot_segarray *array, guint32 i)
{
	return array->segments[i >> IOT_SEG_BITS] + (i & (IOT_SEG_SIZE - 1)) * array->elem_size;
}

#endif
