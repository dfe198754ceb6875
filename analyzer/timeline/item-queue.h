/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of waiting items: a queue of adjacent items, and single items. Both consist of blocks, so
 * nothing moves, and a block that the queue has left is used again at once, while it is in the
 * cache. Pipeline thread only.
 */
#ifndef IOT_TIMELINE_ITEM_QUEUE_H
#define IOT_TIMELINE_ITEM_QUEUE_H

#include "timeline/timeline.h"

struct iot_queued_item {
	struct iot_item item;
	struct iot_queued_item *next; /* in the same begin slot (begin-slots.h) */
	guint16 begin_flags;	      /* of a span in a begin slot: the flags of its begin */
};

struct iot_item_block;

/* Empty if all members but max_blocks are 0. */
struct iot_item_queue {
	guint max_blocks, n_blocks;		   /* limit, at least 2; blocks that exist */
	struct iot_queued_item *first, *first_end; /* of the queue, and the end of its block */
	struct iot_queued_item *tail, *tail_end; /* the next free item, and the end of its block */
	struct iot_item_block *blocks, *last_block; /* of the queue */
	struct iot_item_block *singles;		    /* blocks of single items */
	struct iot_item_block *unused;
	struct iot_queued_item *unused_single; /* linked by next */
};

/** iot_item_queue_max - blocks that fit into @memory bytes, if each item needs @more other bytes */
guint iot_item_queue_max(guint64 memory, gsize more);
void iot_item_queue_clear(struct iot_item_queue *queue);
/** iot_item_queue_reset - remove all items; the blocks are kept */
void iot_item_queue_reset(struct iot_item_queue *queue);
/** iot_item_queue_memory - bytes of all blocks */
gsize iot_item_queue_memory(const struct iot_item_queue *queue);

/* Slow paths, once for each block. FALSE at the limit. */
gboolean iot_item_queue_grow_queue(struct iot_item_queue *queue);
gboolean iot_item_queue_grow_singles(struct iot_item_queue *queue);
void iot_item_queue_next_block(struct iot_item_queue *queue);

/** iot_item_queue_has_room - whether the last block of the queue is not full */
static inline gboolean iot_item_queue_has_room(const struct iot_item_queue *queue)
{
	return queue->tail != queue->tail_end;
}

/** iot_item_queue_append - a new item at the end of the queue; NULL at the limit */
static inline struct iot_queued_item *iot_item_queue_append(struct iot_item_queue *queue)
{
	if (G_UNLIKELY(!iot_item_queue_has_room(queue)) && !iot_item_queue_grow_queue(queue))
		return NULL;
	return queue->tail++;
}

/** iot_item_queue_first - the first item of the queue; NULL if it is empty */
static inline const struct iot_queued_item *iot_item_queue_first(const struct iot_item_queue *queue)
{
	return queue->first == queue->tail ? NULL : queue->first;
}

/** iot_item_queue_drop - remove the first item of the queue */
static inline void iot_item_queue_drop(struct iot_item_queue *queue)
{
	if (G_UNLIKELY(++queue->first == queue->first_end))
		iot_item_queue_next_block(queue);
}

/** iot_item_queue_single - a new single item; NULL at the limit */
static inline struct iot_queued_item *iot_item_queue_single(struct iot_item_queue *queue)
{
	struct iot_queued_item *single;

	if (!queue->unused_single && !iot_item_queue_grow_singles(queue))
		return NULL;
	single = queue->unused_single;
	queue->unused_single = single->next;
	return single;
}

/** iot_item_queue_leave - remove a single item */
static inline void iot_item_queue_leave(struct iot_item_queue *queue,
					struct iot_queued_item *single)
{
	single->next = queue->unused_single;
	queue->unused_single = single;
}

#endif
