/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/begin-slots.h"

void iot_begin_slots_clear(struct iot_begin_slots *places)
{
	g_free(places->ring);
	*places = (struct iot_begin_slots){ 0 };
}

static void grow(struct iot_begin_slots *places)
{
	guint size = places->size ? 2 * places->size : 64;
	struct iot_begin_slot *ring = g_new(struct iot_begin_slot, size);

	for (guint i = 0; i < places->n; i++)
		ring[i] = places->ring[(places->at + i) & (places->size - 1)];
	g_free(places->ring);
	places->ring = ring;
	places->at = 0;
	places->size = size;
}

guint64 iot_begin_slots_reserve(struct iot_begin_slots *places, guint64 t)
{
	guint64 last_t = 0;

	if (places->n)
		last_t = places->ring[(places->at + places->n - 1) & (places->size - 1)].t;
	if (!places->n || last_t < t) {
		if (places->n == places->size)
			grow(places);
		places->ring[(places->at + places->n++) & (places->size - 1)] =
			(struct iot_begin_slot){ t, NULL, NULL };
	} else if (last_t > t) {
		return 0;
	}
	return places->n_gone + places->n;
}

void iot_begin_slots_forget(struct iot_begin_slots *places)
{
	places->n_gone += places->n;
	places->n = 0;
}
