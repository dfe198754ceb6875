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

void iot_item_queue_clear(struct iot_item_queue *queue)
{
	free_blocks(queue->blocks);
	free_blocks(queue->singles);
	free_blocks(queue->unused);
}

static void give_back(struct iot_item_queue *queue, struct iot_item_block *block)
{
	block->next = queue->unused;
	queue->unused = block;
}

static void give_back_all(struct iot_item_queue *queue, struct iot_item_block **blocks)
{
	while (*blocks) {
		struct iot_item_block *block = *blocks;

		*blocks = block->next;
		give_back(queue, block);
	}
}

void iot_item_queue_reset(struct iot_item_queue *queue)
{
	give_back_all(queue, &queue->blocks);
	give_back_all(queue, &queue->singles);
	queue->last_block = NULL;
	queue->unused_single = NULL;
	queue->first = queue->first_end = queue->tail = queue->tail_end = NULL;
}

gsize iot_item_queue_memory(const struct iot_item_queue *queue)
{
	return queue->n_blocks * sizeof(struct iot_item_block);
}

static struct iot_item_block *take_block(struct iot_item_queue *queue)
{
	struct iot_item_block *block = queue->unused;

	if (block) {
		queue->unused = block->next;
	} else if (queue->n_blocks < queue->max_blocks) {
		block = g_new(struct iot_item_block, 1);
		queue->n_blocks++;
	} else {
		return NULL;
	}
	block->next = NULL;
	return block;
}

static void enter_first(struct iot_item_queue *queue)
{
	queue->first = queue->blocks->item;
	queue->first_end = queue->first + BLOCK_ITEMS;
}

gboolean iot_item_queue_grow_queue(struct iot_item_queue *queue)
{
	struct iot_item_block *block = take_block(queue);

	if (!block)
		return FALSE;
	*(queue->blocks ? &queue->last_block->next : &queue->blocks) = block;
	queue->last_block = block;
	queue->tail = block->item;
	queue->tail_end = queue->tail + BLOCK_ITEMS;
	if (queue->blocks == block)
		enter_first(queue);
	return TRUE;
}

gboolean iot_item_queue_grow_singles(struct iot_item_queue *queue)
{
	struct iot_item_block *block = take_block(queue);

	if (!block)
		return FALSE;
	block->next = queue->singles;
	queue->singles = block;
	for (guint i = BLOCK_ITEMS; i-- > 0;)
		iot_item_queue_leave(queue, &block->item[i]);
	return TRUE;
}

void iot_item_queue_next_block(struct iot_item_queue *queue)
{
	struct iot_item_block *block = queue->blocks;

	if (block == queue->last_block) {
		queue->tail = block->item;
	} else {
		queue->blocks = block->next;
		give_back(queue, block);
	}
	enter_first(queue);
}
