/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/item-batches.h"

void iot_item_batches_init(struct iot_item_batches *batches, guint n, guint n_readers)
{
	*batches = (struct iot_item_batches){ 0 };
	batches->ring = iot_ring_new(sizeof(struct iot_item_batch), n, n_readers);
}

void iot_item_batches_clear(struct iot_item_batches *batches)
{
	iot_ring_free(batches->ring);
}

static void publish(struct iot_item_batches *batches)
{
	if (!batches->filling)
		return;
	batches->filling->n = (guint)(batches->room - batches->filling->item);
	iot_ring_publish(batches->ring);
	batches->filling = NULL;
	batches->room = batches->room_end = NULL;
}

gboolean iot_item_batches_next(struct iot_item_batches *batches)
{
	publish(batches);
	batches->filling = iot_ring_room(batches->ring);
	if (!batches->filling)
		return FALSE;
	batches->filling->unseen_node = 0;
	batches->room = batches->filling->item;
	batches->room_end = batches->room + IOT_ITEM_BATCH_SIZE;
	return TRUE;
}

void iot_item_batches_close(struct iot_item_batches *batches)
{
	publish(batches);
	iot_ring_close(batches->ring);
}
