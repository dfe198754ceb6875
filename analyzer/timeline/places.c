/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/places.h"

void iot_places_clear(struct iot_places *places)
{
	g_free(places->ring);
	*places = (struct iot_places){ 0 };
}

static void grow(struct iot_places *places)
{
	guint size = places->size ? 2 * places->size : 64;
	struct iot_place *ring = g_new(struct iot_place, size);

	for (guint i = 0; i < places->n; i++)
		ring[i] = places->ring[(places->at + i) & (places->size - 1)];
	g_free(places->ring);
	places->ring = ring;
	places->at = 0;
	places->size = size;
}

guint64 iot_places_keep(struct iot_places *places, guint64 t)
{
	guint64 last_t = 0;

	if (places->n)
		last_t = places->ring[(places->at + places->n - 1) & (places->size - 1)].t;
	if (!places->n || last_t < t) {
		if (places->n == places->size)
			grow(places);
		places->ring[(places->at + places->n++) & (places->size - 1)] =
			(struct iot_place){ t, NULL, NULL };
	} else if (last_t > t) {
		return 0;
	}
	return places->n_gone + places->n;
}

void iot_places_forget(struct iot_places *places)
{
	places->n_gone += places->n;
	places->n = 0;
}
