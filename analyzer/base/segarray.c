/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/segarray.h"

#include <sys/mman.h>

/* Of segments: half a MiB, of which most arrays use one pointer. */
enum { SEGMENTS_BYTES = IOT_SEG_MAX * sizeof(guint8 *) };

void iot_segarray_init(struct iot_segarray *array, gsize elem_size)
{
	/* zeroes, of which the kernel makes the pages that are used */
	void *segments = mmap(NULL, SEGMENTS_BYTES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (segments == MAP_FAILED)
		g_error("no memory for an array");
	array->segments = segments;
	array->elem_size = elem_size;
	array->n = 0;
}

void iot_segarray_clear(struct iot_segarray *array)
{
	for (guint i = 0; array->segments && i < IOT_SEG_MAX && array->segments[i]; i++)
		g_free(array->segments[i]);
	if (array->segments)
		munmap(array->segments, SEGMENTS_BYTES);
	*array = (struct iot_segarray){ 0 };
}

gpointer iot_segarray_add(struct iot_segarray *array)
{
	guint segment = array->n >> IOT_SEG_BITS;

	g_assert(segment < IOT_SEG_MAX);
	if (!array->segments[segment])
		array->segments[segment] = g_malloc0_n(IOT_SEG_SIZE, array->elem_size);
	__atomic_store_n(&array->n, array->n + 1, __ATOMIC_RELAXED);
	return iot_segarray_at(array, array->n - 1);
}

gsize iot_segarray_memory(const struct iot_segarray *array)
{
	gsize segments = (array->n + IOT_SEG_SIZE - 1) >> IOT_SEG_BITS;

	return segments * IOT_SEG_SIZE * array->elem_size;
}
