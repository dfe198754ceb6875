/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bounded queue of pointers between two threads. stop() wakes both sides for good: push then
 * returns FALSE and pop NULL. What is still inside is handed to the free function.
 */
#ifndef IOT_BASE_QUEUE_H
#define IOT_BASE_QUEUE_H

#include <glib.h>

struct iot_queue;

/** iot_queue_new - a queue for at most @depth pointers; @free_func for what is left at the end */
struct iot_queue *iot_queue_new(guint depth, GDestroyNotify free_func);
void iot_queue_free(struct iot_queue *queue);
/** iot_queue_push - wait for room; FALSE if stopped (the caller keeps the item) */
gboolean iot_queue_push(struct iot_queue *queue, gpointer item);
/** iot_queue_pop - wait for an item; NULL when stopped, or closed and empty */
gpointer iot_queue_pop(struct iot_queue *queue);
/** iot_queue_close - no more items will be pushed */
void iot_queue_close(struct iot_queue *queue);
/** iot_queue_stop - give up; both sides return at once */
void iot_queue_stop(struct iot_queue *queue);

#endif
