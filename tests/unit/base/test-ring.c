/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/ring.h"
#include "unit.h"

#include <pthread.h>

enum { N_SLOTS = 4, N_READERS = 3, N_NUMBERS = 20000 };

struct side {
	struct iot_ring *ring;
	guint reader;
	guint leave_at; /* stop the ring after so many; 0: never */
	guint n;	/* numbers written or read */
	gboolean in_order;
};

static void *write_numbers(void *data)
{
	struct side *side = data;
	guint *slot;

	while (side->n < N_NUMBERS && (slot = iot_ring_room(side->ring))) {
		*slot = ++side->n;
		iot_ring_publish(side->ring);
	}
	iot_ring_close(side->ring);
	return NULL;
}

static void *read_numbers(void *data)
{
	struct side *side = data;
	const guint *slot;

	side->in_order = TRUE;
	while ((slot = iot_ring_next(side->ring, side->reader))) {
		side->in_order &= *slot == ++side->n;
		if (side->n == side->leave_at)
			iot_ring_stop(side->ring);
	}
	return NULL;
}

/* One writer and N_READERS readers, of which the second may give up. */
static void run(struct side *writer, struct side *readers, guint leave_at)
{
	struct iot_ring *ring = iot_ring_new(sizeof(guint), N_SLOTS, N_READERS);
	pthread_t threads[N_READERS + 1];

	*writer = (struct side){ .ring = ring };
	for (guint i = 0; i < N_READERS; i++) {
		readers[i] = (struct side){ .ring = ring,
					    .reader = i,
					    .leave_at = i == 1 ? leave_at : 0 };
		pthread_create(&threads[i], NULL, read_numbers, &readers[i]);
	}
	pthread_create(&threads[N_READERS], NULL, write_numbers, writer);
	for (guint i = 0; i <= N_READERS; i++)
		pthread_join(threads[i], NULL);
	iot_ring_free(ring);
}

UNIT_TEST(ring_shows_all_slots_to_all_readers_in_order)
{
	struct side writer, readers[N_READERS];

	run(&writer, readers, 0);
	CU_ASSERT_EQUAL(writer.n, N_NUMBERS);
	for (guint i = 0; i < N_READERS; i++) {
		CU_ASSERT_EQUAL(readers[i].n, N_NUMBERS);
		CU_ASSERT(readers[i].in_order);
	}
}

UNIT_TEST(ring_that_one_reader_stops_ends_for_all)
{
	struct side writer, readers[N_READERS];

	run(&writer, readers, 100);
	CU_ASSERT_EQUAL(readers[1].n, 100);
	/* the other threads are at most one ring ahead */
	CU_ASSERT(writer.n >= 100 && writer.n <= 100 + N_SLOTS);
	for (guint i = 0; i < N_READERS; i++) {
		CU_ASSERT(readers[i].n <= 100 + N_SLOTS);
		CU_ASSERT(readers[i].in_order);
	}
}

UNIT_TEST(ring_gives_what_is_in_it_when_closed)
{
	struct iot_ring *ring = iot_ring_new(sizeof(guint), N_SLOTS, 1);
	const guint *slot;

	/* fewer than the half for which a reader would wait */
	*(guint *)iot_ring_room(ring) = 7;
	iot_ring_publish(ring);
	iot_ring_close(ring);
	slot = iot_ring_next(ring, 0);
	CU_ASSERT_PTR_NOT_NULL(slot);
	if (slot)
		CU_ASSERT_EQUAL(*slot, 7);
	CU_ASSERT_PTR_NULL(iot_ring_next(ring, 0));
	CU_ASSERT_PTR_NULL(iot_ring_next(ring, 0));
	iot_ring_free(ring);
}

UNIT_TEST(ring_without_readers_and_stopped)
{
	struct iot_ring *ring = iot_ring_new(16, N_SLOTS, 0);

	/* nobody needs a slot, so there is always room */
	for (guint i = 0; i < 3 * N_SLOTS; i++) {
		CU_ASSERT_PTR_NOT_NULL(iot_ring_room(ring));
		iot_ring_publish(ring);
	}
	CU_ASSERT_EQUAL(iot_ring_memory(ring), 16 * N_SLOTS);
	iot_ring_stop(ring);
	CU_ASSERT_PTR_NULL(iot_ring_room(ring));
	iot_ring_free(ring);
	iot_ring_free(NULL);
}
