/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/segarray.h"

void iot_segarray_init(struct iot_segarray *array, gsize elem_size)
{
	array->segments = g_new0(guint8 *, IOT_SEG_MAX);
	array->elem_size = elem_size;
	array->n = 0;
}

void iot_segarray_clear(struct iot_segarray *array)
{
	for (guint i = 0; array->segments && i < IOT_SEG_MAX && array->segments[i]; i++)
		g_free(array->segments[i]);
	g_free(array->segments);
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
