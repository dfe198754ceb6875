/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/begin-slots.h"

void iot_begin_slots_clear(struct iot_begin_slots *slots)
{
	g_free(slots->ring);
	*slots = (struct iot_begin_slots){ 0 };
}

static void grow(struct iot_begin_slots *slots)
{
	guint size = slots->size ? 2 * slots->size : 64;
	struct iot_begin_slot *ring = g_new(struct iot_begin_slot, size);

	for (guint i = 0; i < slots->n; i++)
		ring[i] = slots->ring[(slots->at + i) & (slots->size - 1)];
	g_free(slots->ring);
	slots->ring = ring;
	slots->at = 0;
	slots->size = size;
}

guint64 iot_begin_slots_reserve(struct iot_begin_slots *slots, guint64 t)
{
	guint64 last_t = 0;

	if (slots->n)
		last_t = slots->ring[(slots->at + slots->n - 1) & (slots->size - 1)].t;
	if (!slots->n || last_t < t) {
		if (slots->n == slots->size)
			grow(slots);
		slots->ring[(slots->at + slots->n++) & (slots->size - 1)] =
			(struct iot_begin_slot){ t, NULL, NULL };
	} else if (last_t > t) {
		return 0;
	}
	return slots->n_gone + slots->n;
}

void iot_begin_slots_forget(struct iot_begin_slots *slots)
{
	slots->n_gone += slots->n;
	slots->n = 0;
}
