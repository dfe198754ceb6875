/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of items that wait: a queue, whose items stand one behind the other, and single ones. Both
 * are made of blocks, so nothing moves, and what the queue has left is used anew at once, while it
 * is still in the cache. Pipeline thread only.
 */
#ifndef IOT_TIMELINE_WAITING_H
#define IOT_TIMELINE_WAITING_H

#include "timeline/timeline.h"

struct iot_waiting {
	struct iot_item item;
	struct iot_waiting *next; /* at the same place (places.h) */
	guint16 begin_flags;	  /* of a span that is at a place: of its begin */
};

struct iot_waiting_block;

/* A zeroed struct, but for max_blocks, is empty. */
struct iot_waiting_room {
	guint max_blocks, n_blocks;		/* at least 2; those that exist */
	struct iot_waiting *first, *first_end;	/* of the queue, and the end of its block */
	struct iot_waiting *tail, *tail_end;	/* where the next one goes */
	struct iot_waiting_block *queue, *last; /* blocks of the queue */
	struct iot_waiting_block *single;	/* of single items */
	struct iot_waiting_block *unused;
	struct iot_waiting *unused_single; /* linked by next */
};

/** iot_waiting_max - how many blocks go into so many bytes, if each item needs @more beside them */
guint iot_waiting_max(guint64 memory, gsize more);
void iot_waiting_clear(struct iot_waiting_room *room);
/** iot_waiting_reset - nothing waits any more */
void iot_waiting_reset(struct iot_waiting_room *room);
/** iot_waiting_memory - bytes of all blocks */
gsize iot_waiting_memory(const struct iot_waiting_room *room);

/* Out of line: once for each block. FALSE if there may be no more. */
gboolean iot_waiting_grow_queue(struct iot_waiting_room *room);
gboolean iot_waiting_grow_singles(struct iot_waiting_room *room);
void iot_waiting_next_block(struct iot_waiting_room *room);

/** iot_waiting_has_room - whether the last block of the queue is not full */
static inline gboolean iot_waiting_has_room(const struct iot_waiting_room *room)
{
	return room->tail != room->tail_end;
}

/** iot_waiting_append - at the end of the queue; NULL if there is no memory for it */
static inline struct iot_waiting *iot_waiting_append(struct iot_waiting_room *room)
{
	if (G_UNLIKELY(!iot_waiting_has_room(room)) && !iot_waiting_grow_queue(room))
		return NULL;
	return room->tail++;
}

/** iot_waiting_first - the first of the queue; NULL if it is empty */
static inline const struct iot_waiting *iot_waiting_first(const struct iot_waiting_room *room)
{
	return room->first == room->tail ? NULL : room->first;
}

/** iot_waiting_drop - the first of the queue has gone */
static inline void iot_waiting_drop(struct iot_waiting_room *room)
{
	if (G_UNLIKELY(++room->first == room->first_end))
		iot_waiting_next_block(room);
}

/** iot_waiting_single - one that is not in the queue; NULL if there is no memory for it */
static inline struct iot_waiting *iot_waiting_single(struct iot_waiting_room *room)
{
	struct iot_waiting *single;

	if (!room->unused_single && !iot_waiting_grow_singles(room))
		return NULL;
	single = room->unused_single;
	room->unused_single = single->next;
	return single;
}

/** iot_waiting_leave - a single one has gone */
static inline void iot_waiting_leave(struct iot_waiting_room *room, struct iot_waiting *single)
{
	single->next = room->unused_single;
	room->unused_single = single;
}

#endif
