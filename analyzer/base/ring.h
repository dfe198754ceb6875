/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring of memory slots between one writer thread and several reader threads. Each reader sees all
 * slots in order, at its own pace. A slot is reused after the last reader has left it, so nothing
 * is allocated on the way.
 *
 * A thread that must wait, waits until half of the ring is free or filled: a wakeup for each slot
 * costs more than filling it.
 */
#ifndef IOT_BASE_RING_H
#define IOT_BASE_RING_H

#include <glib.h>

struct iot_ring;

/** iot_ring_new - @n_slots (an even number) of @slot_bytes each, for @n_readers threads */
struct iot_ring *iot_ring_new(gsize slot_bytes, guint n_slots, guint n_readers);
void iot_ring_free(struct iot_ring *ring);
/** iot_ring_room - wait for a free slot to fill; NULL if a reader has stopped */
gpointer iot_ring_room(struct iot_ring *ring);
/** iot_ring_publish - the slot is filled */
void iot_ring_publish(struct iot_ring *ring);
/**
 * iot_ring_next - leave the present slot of reader @reader and wait for its next slot
 *
 * Returns NULL after the last slot of a closed ring, or if a thread has stopped.
 */
gconstpointer iot_ring_next(struct iot_ring *ring, guint reader);
/** iot_ring_close - no more slots will be filled */
void iot_ring_close(struct iot_ring *ring);
/** iot_ring_stop - give up; all threads return at once */
void iot_ring_stop(struct iot_ring *ring);
/** iot_ring_memory - bytes of all slots */
gsize iot_ring_memory(const struct iot_ring *ring);

#endif
