/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/hashset.h"
#include "base/intern.h"
#include "input/made-ids.h"

/* Numbers of what is open, in order of time: a ring. */
struct queue {
	struct iot_made_key key;
	gboolean sends; /* of messages: which ends came */
	guint first, n, room;
	guint64 *ids;
};

struct iot_made_ids {
	struct iot_hashset open; /* of struct queue, none is empty between calls */
	GPtrArray *unused;	 /* queues for reuse */
	gboolean lost;
	guint64 n;
};

enum { FIRST_ROOM = 4 };

static void free_queue(gpointer data)
{
	struct queue *queue = data;

	g_free(queue->ids);
	g_free(queue);
}

struct iot_made_ids *iot_made_ids_new(void)
{
	struct iot_made_ids *ids = g_new0(struct iot_made_ids, 1);

	iot_hashset_init(&ids->open);
	ids->unused = g_ptr_array_new_with_free_func(free_queue);
	return ids;
}

void iot_made_ids_free(struct iot_made_ids *ids)
{
	if (!ids)
		return;
	iot_hashset_clear_full(&ids->open, free_queue);
	g_ptr_array_unref(ids->unused);
	g_free(ids);
}

/* ---- queues */

static guint64 hash_of(const struct iot_made_key *key)
{
	return iot_hash_bytes(key, sizeof(*key));
}

static struct queue *find(const struct iot_made_ids *ids, const struct iot_made_key *key)
{
	guint64 hash = hash_of(key);
	guint at = iot_hashset_first(&ids->open, hash);
	struct queue *queue;

	while ((queue = iot_hashset_next(&ids->open, hash, &at)))
		if (!memcmp(&queue->key, key, sizeof(*key)))
			break;
	return queue;
}

static struct queue *begin(struct iot_made_ids *ids, const struct iot_made_key *key)
{
	guint n = ids->unused->len;
	struct queue *queue =
		n ? g_ptr_array_steal_index_fast(ids->unused, n - 1) : g_new0(struct queue, 1);

	queue->key = *key;
	iot_hashset_add(&ids->open, hash_of(key), queue);
	return queue;
}

/* What is empty is forgotten, so memory does not grow with the file. */
static void forget_empty(struct iot_made_ids *ids, struct queue *queue)
{
	if (queue->n)
		return;
	iot_hashset_remove(&ids->open, hash_of(&queue->key), queue);
	g_ptr_array_add(ids->unused, queue);
}

static void grow(struct queue *queue)
{
	guint room = MAX(2 * queue->room, FIRST_ROOM);
	guint64 *ids = g_new(guint64, room);

	for (guint i = 0; i < queue->n; i++)
		ids[i] = queue->ids[(queue->first + i) % queue->room];
	g_free(queue->ids);
	queue->ids = ids;
	queue->room = room;
	queue->first = 0;
}

static guint64 leave(struct iot_made_ids *ids, struct queue *queue)
{
	if (queue->n == queue->room)
		grow(queue);
	queue->ids[(queue->first + queue->n++) % queue->room] = ++ids->n;
	return ids->n;
}

static guint64 take_first(struct iot_made_ids *ids, struct queue *queue)
{
	guint64 id = queue->ids[queue->first];

	queue->first = (queue->first + 1) % queue->room;
	queue->n--;
	forget_empty(ids, queue);
	return id;
}

static guint64 take_last(struct iot_made_ids *ids, struct queue *queue)
{
	guint64 id = queue->ids[(queue->first + --queue->n) % queue->room];

	forget_empty(ids, queue);
	return id;
}

/* ---- numbers */

guint64 iot_made_ids_leave(struct iot_made_ids *ids, const struct iot_made_key *key)
{
	struct queue *queue = find(ids, key);

	return leave(ids, queue ? queue : begin(ids, key));
}

guint64 iot_made_ids_take(struct iot_made_ids *ids, const struct iot_made_key *key)
{
	struct queue *queue = find(ids, key);

	return queue ? take_last(ids, queue) : 0;
}

guint64 iot_made_ids_message(struct iot_made_ids *ids, const struct iot_made_key *key,
			     gboolean sends)
{
	struct queue *queue;

	if (ids->lost)
		return ++ids->n;
	queue = find(ids, key);
	if (queue && queue->sends != sends)
		return take_first(ids, queue);
	if (!queue)
		queue = begin(ids, key);
	queue->sends = sends;
	return leave(ids, queue);
}

void iot_made_ids_lost(struct iot_made_ids *ids)
{
	iot_hashset_clear_full(&ids->open, free_queue);
	iot_hashset_init(&ids->open);
	ids->lost = TRUE;
}
