/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/queue.h"
#include "unit.h"

#include <pthread.h>

enum { N_ITEMS = 20000 };

struct side {
	struct iot_queue *queue;
	guint n;		/* items handled */
	guint64 sum;
	gboolean in_order;
};

static gint n_freed;

static void count_free(gpointer item)
{
	(void)item;
	g_atomic_int_inc(&n_freed);
}

static void *push_numbers(void *data)
{
	struct side *side = data;

	while (side->n < N_ITEMS && iot_queue_push(side->queue, GUINT_TO_POINTER(side->n + 1)))
		side->n++;
	iot_queue_close(side->queue);
	return NULL;
}

static void *pop_numbers(void *data)
{
	struct side *side = data;
	gpointer item;

	side->in_order = TRUE;
	while ((item = iot_queue_pop(side->queue))) {
		side->n++;
		side->sum += GPOINTER_TO_UINT(item);
		side->in_order &= GPOINTER_TO_UINT(item) == side->n;
	}
	return NULL;
}

UNIT_TEST(queue_keeps_order_between_threads)
{
	struct iot_queue *queue = iot_queue_new(3, NULL);
	struct side pusher = { .queue = queue }, popper = { .queue = queue };
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, push_numbers, &pusher);
	pthread_create(&threads[1], NULL, pop_numbers, &popper);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	CU_ASSERT_EQUAL(pusher.n, N_ITEMS);
	CU_ASSERT_EQUAL(popper.n, N_ITEMS);
	CU_ASSERT_EQUAL(popper.sum, (guint64)N_ITEMS * (N_ITEMS + 1) / 2);
	CU_ASSERT(popper.in_order);
	iot_queue_free(queue);
}

UNIT_TEST(queue_is_bounded)
{
	struct iot_queue *queue = iot_queue_new(4, NULL);
	struct side pusher = { .queue = queue };
	pthread_t thread;

	/* nobody pops: the pusher fills the queue, then waits until it is stopped */
	pthread_create(&thread, NULL, push_numbers, &pusher);
	for (guint i = 1; i <= 2; i++)
		CU_ASSERT_EQUAL(GPOINTER_TO_UINT(iot_queue_pop(queue)), i);
	iot_queue_stop(queue);
	pthread_join(thread, NULL);
	CU_ASSERT(pusher.n >= 2 && pusher.n <= 6);
	CU_ASSERT_PTR_NULL(iot_queue_pop(queue));
	iot_queue_free(queue);
}

UNIT_TEST(queue_closed_hands_out_the_rest)
{
	struct iot_queue *queue = iot_queue_new(4, NULL);
	int a, b;

	CU_ASSERT(iot_queue_push(queue, &a));
	CU_ASSERT(iot_queue_push(queue, &b));
	iot_queue_close(queue);
	CU_ASSERT_PTR_EQUAL(iot_queue_pop(queue), &a);
	CU_ASSERT_PTR_EQUAL(iot_queue_pop(queue), &b);
	CU_ASSERT_PTR_NULL(iot_queue_pop(queue));
	CU_ASSERT_PTR_NULL(iot_queue_pop(queue));
	iot_queue_free(queue);
}

UNIT_TEST(queue_stopped_frees_the_rest)
{
	struct iot_queue *queue = iot_queue_new(4, count_free);
	int a, b, c;

	g_atomic_int_set(&n_freed, 0);
	CU_ASSERT(iot_queue_push(queue, &a));
	CU_ASSERT(iot_queue_push(queue, &b));
	iot_queue_stop(queue);
	CU_ASSERT_FALSE(iot_queue_push(queue, &c));	/* c stays the caller's */
	CU_ASSERT_PTR_NULL(iot_queue_pop(queue));
	iot_queue_free(queue);
	CU_ASSERT_EQUAL(g_atomic_int_get(&n_freed), 2);
	iot_queue_free(NULL);
}

UNIT_TEST(queue_stop_wakes_a_waiting_reader)
{
	struct iot_queue *queue = iot_queue_new(4, NULL);
	struct side popper = { .queue = queue };
	pthread_t thread;

	pthread_create(&thread, NULL, pop_numbers, &popper);
	iot_queue_stop(queue);
	pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(popper.n, 0);
	iot_queue_free(queue);
}
