/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/queue.h"

#include <pthread.h>

struct iot_queue {
	pthread_mutex_t lock; /* not GMutex: the thread sanitizer knows pthread locks only */
	pthread_cond_t not_full, not_empty;
	GQueue items;
	guint depth;
	gboolean closed, stopped;
	GDestroyNotify free_func;
};

struct iot_queue *iot_queue_new(guint depth, GDestroyNotify free_func)
{
	struct iot_queue *queue = g_new0(struct iot_queue, 1);

	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->not_full, NULL);
	pthread_cond_init(&queue->not_empty, NULL);
	g_queue_init(&queue->items);
	queue->depth = depth;
	queue->free_func = free_func;
	return queue;
}

void iot_queue_free(struct iot_queue *queue)
{
	if (!queue)
		return;
	g_queue_clear_full(&queue->items, queue->free_func);
	pthread_mutex_destroy(&queue->lock);
	pthread_cond_destroy(&queue->not_full);
	pthread_cond_destroy(&queue->not_empty);
	g_free(queue);
}

gboolean iot_queue_push(struct iot_queue *queue, gpointer item)
{
	gboolean ok;

	pthread_mutex_lock(&queue->lock);
	while (!queue->stopped && queue->items.length >= queue->depth)
		pthread_cond_wait(&queue->not_full, &queue->lock);
	ok = !queue->stopped;
	if (ok) {
		g_queue_push_tail(&queue->items, item);
		pthread_cond_signal(&queue->not_empty);
	}
	pthread_mutex_unlock(&queue->lock);
	return ok;
}

gpointer iot_queue_pop(struct iot_queue *queue)
{
	gpointer item = NULL;

	pthread_mutex_lock(&queue->lock);
	while (!queue->stopped && !queue->closed && !queue->items.length)
		pthread_cond_wait(&queue->not_empty, &queue->lock);
	if (!queue->stopped)
		item = g_queue_pop_head(&queue->items);
	pthread_cond_signal(&queue->not_full);
	pthread_mutex_unlock(&queue->lock);
	return item;
}

void iot_queue_close(struct iot_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->closed = TRUE;
	pthread_cond_broadcast(&queue->not_empty);
	pthread_mutex_unlock(&queue->lock);
}

void iot_queue_stop(struct iot_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->stopped = TRUE;
	pthread_cond_broadcast(&queue->not_empty);
	pthread_cond_broadcast(&queue->not_full);
	pthread_mutex_unlock(&queue->lock);
}
