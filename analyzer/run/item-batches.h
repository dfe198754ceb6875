/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bounded queue of items from one thread to several others, in batches: a ring (base/ring.h)
 * whose slots hold many items, because passing each item by itself would cost more than making it.
 */
#ifndef IOT_RUN_ITEM_BATCHES_H
#define IOT_RUN_ITEM_BATCHES_H

#include "base/ring.h"
#include "timeline/timeline.h"

enum { IOT_ITEM_BATCH_SIZE = 1024 };

struct iot_item_batch {
	guint n;
	/* Before its first item the states of this machine may be unseen from an instant on
	 * (iot_timeline_set_unobserved); node 0: no such news. */
	iot_str unseen_node;
	guint64 unseen_ns;
	struct iot_item item[IOT_ITEM_BATCH_SIZE];
};

/* The writer's side. Readers take batches from the ring. */
struct iot_item_batches {
	struct iot_ring *ring; /* of struct iot_item_batch; NULL: there is no queue */
	struct iot_item_batch *filling;
	struct iot_item *room, *room_end; /* free items in "filling" */
};

/** iot_item_batches_init - a queue of @n batches (an even number) for @n_readers threads */
void iot_item_batches_init(struct iot_item_batches *batches, guint n, guint n_readers);
/** iot_item_batches_clear - after the readers have ended */
void iot_item_batches_clear(struct iot_item_batches *batches);
/** iot_item_batches_next - let the readers have the present batch, and wait for a free one; FALSE:
 * a reader has stopped the ring */
gboolean iot_item_batches_next(struct iot_item_batches *batches);
/** iot_item_batches_close - let the readers have the last batch; no item may follow */
void iot_item_batches_close(struct iot_item_batches *batches);

/** iot_item_batches_add - append a copy of an item; FALSE: a reader has stopped the ring */
static inline gboolean iot_item_batches_add(struct iot_item_batches *batches,
					    const struct iot_item *item)
{
	if (batches->room == batches->room_end && !iot_item_batches_next(batches))
		return FALSE;
	*batches->room++ = *item;
	return TRUE;
}

#endif
