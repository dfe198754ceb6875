/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/ring.h"

#include <pthread.h>

struct ring_reader {
	pthread_cond_t filled;
	guint64 n_left;	 /* slots that it needs no more */
	gboolean inside; /* it reads slot number n_left */
	gboolean waiting;
};

struct iot_ring {
	pthread_mutex_t lock; /* not GMutex: the thread sanitizer knows pthread locks only */
	pthread_cond_t room;
	gboolean waiting; /* the writer, for room */
	gboolean closed, stopped;
	guint64 n_filled;
	guint n_slots, n_readers;
	gsize slot_bytes;
	guint8 *slots;
	struct ring_reader *readers;
};

struct iot_ring *iot_ring_new(gsize slot_bytes, guint n_slots, guint n_readers)
{
	struct iot_ring *ring = g_new0(struct iot_ring, 1);

	pthread_mutex_init(&ring->lock, NULL);
	pthread_cond_init(&ring->room, NULL);
	ring->slot_bytes = slot_bytes;
	ring->n_slots = n_slots;
	ring->slots = g_malloc(slot_bytes * n_slots);
	ring->n_readers = n_readers;
	ring->readers = g_new0(struct ring_reader, MAX(n_readers, 1));
	for (guint i = 0; i < n_readers; i++)
		pthread_cond_init(&ring->readers[i].filled, NULL);
	return ring;
}

void iot_ring_free(struct iot_ring *ring)
{
	if (!ring)
		return;
	for (guint i = 0; i < ring->n_readers; i++)
		pthread_cond_destroy(&ring->readers[i].filled);
	pthread_cond_destroy(&ring->room);
	pthread_mutex_destroy(&ring->lock);
	g_free(ring->readers);
	g_free(ring->slots);
	g_free(ring);
}

static gpointer slot_at(const struct iot_ring *ring, guint64 number)
{
	return ring->slots + number % ring->n_slots * ring->slot_bytes;
}

/* Slots that somebody has still to read. */
static guint n_used(const struct iot_ring *ring)
{
	guint64 n = 0;

	for (guint i = 0; i < ring->n_readers; i++)
		n = MAX(n, ring->n_filled - ring->readers[i].n_left);
	return (guint)n;
}

gpointer iot_ring_room(struct iot_ring *ring)
{
	gpointer slot;

	pthread_mutex_lock(&ring->lock);
	ring->waiting = n_used(ring) == ring->n_slots;
	while (ring->waiting && !ring->stopped)
		pthread_cond_wait(&ring->room, &ring->lock);
	slot = ring->stopped ? NULL : slot_at(ring, ring->n_filled);
	pthread_mutex_unlock(&ring->lock);
	return slot;
}

static void wake_reader(struct ring_reader *reader)
{
	reader->waiting = FALSE;
	pthread_cond_signal(&reader->filled);
}

void iot_ring_publish(struct iot_ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	ring->n_filled++;
	for (guint i = 0; i < ring->n_readers; i++) {
		struct ring_reader *reader = &ring->readers[i];

		if (reader->waiting && ring->n_filled - reader->n_left >= ring->n_slots / 2)
			wake_reader(reader);
	}
	pthread_mutex_unlock(&ring->lock);
}

gconstpointer iot_ring_next(struct iot_ring *ring, guint number)
{
	struct ring_reader *reader = &ring->readers[number];
	gconstpointer slot = NULL;

	pthread_mutex_lock(&ring->lock);
	reader->n_left += (guint)reader->inside;
	if (ring->waiting && n_used(ring) <= ring->n_slots / 2) {
		ring->waiting = FALSE;
		pthread_cond_signal(&ring->room);
	}
	reader->waiting = reader->n_left == ring->n_filled && !ring->closed;
	while (reader->waiting && !ring->stopped)
		pthread_cond_wait(&reader->filled, &ring->lock);
	reader->inside = !ring->stopped && reader->n_left < ring->n_filled;
	if (reader->inside)
		slot = slot_at(ring, reader->n_left);
	pthread_mutex_unlock(&ring->lock);
	return slot;
}

static void wake_readers(struct iot_ring *ring)
{
	for (guint i = 0; i < ring->n_readers; i++)
		wake_reader(&ring->readers[i]);
}

void iot_ring_close(struct iot_ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	ring->closed = TRUE;
	wake_readers(ring);
	pthread_mutex_unlock(&ring->lock);
}

void iot_ring_stop(struct iot_ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	ring->stopped = TRUE;
	wake_readers(ring);
	pthread_cond_signal(&ring->room);
	pthread_mutex_unlock(&ring->lock);
}

gsize iot_ring_memory(const struct iot_ring *ring)
{
	return ring->n_slots * ring->slot_bytes;
}
