/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Begin slots. A call is emitted as a whole span when it ends, but its begin belongs where the call
 * began. So a slot is reserved when a call starts. When the call ends, its span is linked to the
 * slot, and the begin item is made from the span when the time of the slot has come.
 *
 * Calls start in time order, so reserving a slot appends to a ring, and filling it is a lookup by
 * number; a heap would sort again. Pipeline thread only.
 */
#ifndef IOT_TIMELINE_BEGIN_SLOTS_H
#define IOT_TIMELINE_BEGIN_SLOTS_H

#include <glib.h>

struct iot_queued_item;

struct iot_begin_slot {
	guint64 t;			      /* ns */
	struct iot_queued_item *first, *last; /* spans, linked by the resequencer; NULL: empty */
};

/* A zeroed struct has no slots. */
struct iot_begin_slots {
	struct iot_begin_slot *ring;
	guint at, n, size; /* index of the first, number, size of the ring (a power of two, or 0) */
	guint64 n_gone;	   /* number of slots that were dropped */
};

void iot_begin_slots_clear(struct iot_begin_slots *slots);
/**
 * iot_begin_slots_reserve - reserve a slot at @t (ns)
 *
 * Returns its number, or 0 if @t is before the last slot. Calls that start at one instant share a
 * slot.
 */
guint64 iot_begin_slots_reserve(struct iot_begin_slots *slots, guint64 t);
/** iot_begin_slots_forget - drop all slots; their numbers become invalid */
void iot_begin_slots_forget(struct iot_begin_slots *slots);

/** iot_begin_slots_find - slot @number; NULL if it is 0, was dropped, or is not at @t */
static inline struct iot_begin_slot *iot_begin_slots_find(const struct iot_begin_slots *slots,
							  guint64 number, guint64 t)
{
	guint64 i = number - 1 - slots->n_gone; /* very large for 0 and for dropped slots */
	struct iot_begin_slot *slot;

	if (i >= slots->n)
		return NULL;
	slot = &slots->ring[(slots->at + i) & (slots->size - 1)];
	return slot->t == t ? slot : NULL;
}

/** iot_begin_slots_ahead - the slot @n after the first one; NULL if there is none */
static inline struct iot_begin_slot *iot_begin_slots_ahead(const struct iot_begin_slots *slots,
							   guint n)
{
	return n < slots->n ? &slots->ring[(slots->at + n) & (slots->size - 1)] : NULL;
}

/** iot_begin_slots_start - time of the first slot; G_MAXUINT64 if there is none */
static inline guint64 iot_begin_slots_start(const struct iot_begin_slots *slots)
{
	return slots->n ? slots->ring[slots->at].t : G_MAXUINT64;
}

/** iot_begin_slots_drop - drop the first slot */
static inline void iot_begin_slots_drop(struct iot_begin_slots *slots)
{
	slots->at = (slots->at + 1) & (slots->size - 1);
	slots->n--;
	slots->n_gone++;
}

/**
 * iot_begin_slots_first - drop empty slots before @end; then the first slot, if it is not empty
 *
 * NULL if there is none, or if it is empty and may still be filled, because it is not before @end.
 */
static inline struct iot_begin_slot *iot_begin_slots_first(struct iot_begin_slots *slots,
							   guint64 end)
{
	while (slots->n) {
		struct iot_begin_slot *slot = &slots->ring[slots->at];

		if (slot->first)
			return slot;
		if (slot->t >= end)
			return NULL;
		iot_begin_slots_drop(slots);
	}
	return NULL;
}

#endif
