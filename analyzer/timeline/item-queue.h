/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of items that wait: a queue, whose items stand one behind the other, and single ones. Both
 * are made of blocks, so nothing moves, and what the queue has left is used anew at once, while it
 * is still in the cache. Pipeline thread only.
 */
#ifndef IOT_TIMELINE_ITEM_QUEUE_H
#define IOT_TIMELINE_ITEM_QUEUE_H

#include "timeline/timeline.h"

struct iot_queued_item {
	struct iot_item item;
	struct iot_queued_item *next; /* at the same place (begin-slots.h) */
	guint16 begin_flags;	      /* of a span that is at a place: of its begin */
};

struct iot_item_block;

/* A zeroed struct, but for max_blocks, is empty. */
struct iot_item_queue {
	guint max_blocks, n_blocks;		   /* at least 2; those that exist */
	struct iot_queued_item *first, *first_end; /* of the queue, and the end of its block */
	struct iot_queued_item *tail, *tail_end;   /* where the next one goes */
	struct iot_item_block *queue, *last;	   /* blocks of the queue */
	struct iot_item_block *single;		   /* of single items */
	struct iot_item_block *unused;
	struct iot_queued_item *unused_single; /* linked by next */
};

/** iot_item_queue_max - how many blocks go into so many bytes, if each item needs @more beside them
 */
guint iot_item_queue_max(guint64 memory, gsize more);
void iot_item_queue_clear(struct iot_item_queue *room);
/** iot_item_queue_reset - nothing waits any more */
void iot_item_queue_reset(struct iot_item_queue *room);
/** iot_item_queue_memory - bytes of all blocks */
gsize iot_item_queue_memory(const struct iot_item_queue *room);

/* Out of line: once for each block. FALSE if there may be no more. */
gboolean iot_item_queue_grow_queue(struct iot_item_queue *room);
gboolean iot_item_queue_grow_singles(struct iot_item_queue *room);
void iot_item_queue_next_block(struct iot_item_queue *room);

/** iot_item_queue_has_room - whether the last block of the queue is not full */
static inline gboolean iot_item_queue_has_room(const struct iot_item_queue *room)
{
	return room->tail != room->tail_end;
}

/** iot_item_queue_append - at the end of the queue; NULL if there is no memory for it */
static inline struct iot_queued_item *iot_item_queue_append(struct iot_item_queue *room)
{
	if (G_UNLIKELY(!iot_item_queue_has_room(room)) && !iot_item_queue_grow_queue(room))
		return NULL;
	return room->tail++;
}

/** iot_item_queue_first - the first of the queue; NULL if it is empty */
static inline const struct iot_queued_item *iot_item_queue_first(const struct iot_item_queue *room)
{
	return room->first == room->tail ? NULL : room->first;
}

/** iot_item_queue_drop - the first of the queue has gone */
static inline void iot_item_queue_drop(struct iot_item_queue *room)
{
	if (G_UNLIKELY(++room->first == room->first_end))
		iot_item_queue_next_block(room);
}

/** iot_item_queue_single - one that is not in the queue; NULL if there is no memory for it */
static inline struct iot_queued_item *iot_item_queue_single(struct iot_item_queue *room)
{
	struct iot_queued_item *single;

	if (!room->unused_single && !iot_item_queue_grow_singles(room))
		return NULL;
	single = room->unused_single;
	room->unused_single = single->next;
	return single;
}

/** iot_item_queue_leave - a single one has gone */
static inline void iot_item_queue_leave(struct iot_item_queue *room, struct iot_queued_item *single)
{
	single->next = room->unused_single;
	room->unused_single = single;
}

#endif
