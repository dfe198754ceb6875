/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots of memory in a circle: one thread fills them, several read them, each at its own pace, and
 * all see all slots in the same order. A slot is filled anew when the last of them has left it, so
 * nothing is allocated on the way.
 *
 * Whoever has to wait, waits until half of the ring is free or filled: to be woken up for each slot
 * costs more than to fill it.
 */
#ifndef IOT_BASE_RING_H
#define IOT_BASE_RING_H

#include <glib.h>

struct iot_ring;

/** iot_ring_new - @n_slots (an even number) of @slot_bytes each, for @n_readers threads */
struct iot_ring *iot_ring_new(gsize slot_bytes, guint n_slots, guint n_readers);
void iot_ring_free(struct iot_ring *ring);
/** iot_ring_room - the slot to be filled next, waiting for it; NULL if a reader has stopped */
gpointer iot_ring_room(struct iot_ring *ring);
/** iot_ring_publish - the slot is filled */
void iot_ring_publish(struct iot_ring *ring);
/**
 * iot_ring_next - the next slot for reader number @reader, which leaves the one before
 *
 * Returns NULL when all have been read after iot_ring_close, or somebody has stopped.
 */
gconstpointer iot_ring_next(struct iot_ring *ring, guint reader);
/** iot_ring_close - no more slots will be filled */
void iot_ring_close(struct iot_ring *ring);
/** iot_ring_stop - give up; all sides return at once */
void iot_ring_stop(struct iot_ring *ring);
/** iot_ring_memory - bytes of all slots */
gsize iot_ring_memory(const struct iot_ring *ring);

#endif
