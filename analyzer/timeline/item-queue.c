/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/item-queue.h"

enum { BLOCK_ITEMS = 32 };

struct iot_item_block {
	struct iot_queued_item item[BLOCK_ITEMS];
	struct iot_item_block *next;
};

guint iot_item_queue_max(guint64 memory, gsize more)
{
	gsize bytes = sizeof(struct iot_item_block) + BLOCK_ITEMS * more;

	return (guint)CLAMP(memory / bytes, 2, 1u << 23);
}

static void free_blocks(struct iot_item_block *block)
{
	while (block) {
		struct iot_item_block *next = block->next;

		g_free(block);
		block = next;
	}
}

void iot_item_queue_clear(struct iot_item_queue *room)
{
	free_blocks(room->queue);
	free_blocks(room->single);
	free_blocks(room->unused);
}

static void give_back(struct iot_item_queue *room, struct iot_item_block *block)
{
	block->next = room->unused;
	room->unused = block;
}

static void give_back_all(struct iot_item_queue *room, struct iot_item_block **blocks)
{
	while (*blocks) {
		struct iot_item_block *block = *blocks;

		*blocks = block->next;
		give_back(room, block);
	}
}

void iot_item_queue_reset(struct iot_item_queue *room)
{
	give_back_all(room, &room->queue);
	give_back_all(room, &room->single);
	room->last = NULL;
	room->unused_single = NULL;
	room->first = room->first_end = room->tail = room->tail_end = NULL;
}

gsize iot_item_queue_memory(const struct iot_item_queue *room)
{
	return room->n_blocks * sizeof(struct iot_item_block);
}

static struct iot_item_block *take_block(struct iot_item_queue *room)
{
	struct iot_item_block *block = room->unused;

	if (block) {
		room->unused = block->next;
	} else if (room->n_blocks < room->max_blocks) {
		block = g_new(struct iot_item_block, 1);
		room->n_blocks++;
	} else {
		return NULL;
	}
	block->next = NULL;
	return block;
}

static void enter_first(struct iot_item_queue *room)
{
	room->first = room->queue->item;
	room->first_end = room->first + BLOCK_ITEMS;
}

gboolean iot_item_queue_grow_queue(struct iot_item_queue *room)
{
	struct iot_item_block *block = take_block(room);

	if (!block)
		return FALSE;
	*(room->queue ? &room->last->next : &room->queue) = block;
	room->last = block;
	room->tail = block->item;
	room->tail_end = room->tail + BLOCK_ITEMS;
	if (room->queue == block)
		enter_first(room);
	return TRUE;
}

gboolean iot_item_queue_grow_singles(struct iot_item_queue *room)
{
	struct iot_item_block *block = take_block(room);

	if (!block)
		return FALSE;
	block->next = room->single;
	room->single = block;
	for (guint i = BLOCK_ITEMS; i-- > 0;)
		iot_item_queue_leave(room, &block->item[i]);
	return TRUE;
}

void iot_item_queue_next_block(struct iot_item_queue *room)
{
	struct iot_item_block *block = room->queue;

	if (block == room->last) {
		room->tail = block->item;
	} else {
		room->queue = block->next;
		give_back(room, block);
	}
	enter_first(room);
}
