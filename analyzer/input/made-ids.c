/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/intern.h"
#include "input/made-ids.h"

/* Numbers of what is open, in order of time. */
struct queue {
	GQueue ids;
	gboolean sends; /* of messages: which ends came */
};

struct iot_made_ids {
	GHashTable *open; /* struct iot_made_key -> struct queue */
	gboolean lost;
	guint64 n;
};

static guint hash_key(gconstpointer key)
{
	return (guint)iot_hash_bytes(key, sizeof(struct iot_made_key));
}

static gboolean equal_keys(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct iot_made_key));
}

static void free_queue(gpointer data)
{
	struct queue *queue = data;

	g_queue_clear(&queue->ids);
	g_free(queue);
}

struct iot_made_ids *iot_made_ids_new(void)
{
	struct iot_made_ids *ids = g_new0(struct iot_made_ids, 1);

	ids->open = g_hash_table_new_full(hash_key, equal_keys, g_free, free_queue);
	return ids;
}

void iot_made_ids_free(struct iot_made_ids *ids)
{
	if (!ids)
		return;
	g_hash_table_unref(ids->open);
	g_free(ids);
}

static struct queue *queue_at(struct iot_made_ids *ids, const struct iot_made_key *key)
{
	struct queue *queue = g_hash_table_lookup(ids->open, key);

	if (!queue) {
		queue = g_new0(struct queue, 1);
		g_queue_init(&queue->ids);
		g_hash_table_insert(ids->open, g_memdup2(key, sizeof(*key)), queue);
	}
	return queue;
}

static guint64 leave(struct iot_made_ids *ids, struct queue *queue)
{
	ids->n++;
	g_queue_push_tail(&queue->ids, GSIZE_TO_POINTER(ids->n));
	return ids->n;
}

/* What is empty is forgotten, so memory does not grow with the file. */
static void forget(struct iot_made_ids *ids, const struct iot_made_key *key,
		   const struct queue *queue)
{
	if (!queue->ids.length)
		g_hash_table_remove(ids->open, key);
}

guint64 iot_made_ids_leave(struct iot_made_ids *ids, const struct iot_made_key *key)
{
	return leave(ids, queue_at(ids, key));
}

guint64 iot_made_ids_take(struct iot_made_ids *ids, const struct iot_made_key *key)
{
	struct queue *queue = g_hash_table_lookup(ids->open, key);
	guint64 id;

	if (!queue)
		return 0;
	id = GPOINTER_TO_SIZE(g_queue_pop_tail(&queue->ids));
	forget(ids, key, queue);
	return id;
}

guint64 iot_made_ids_message(struct iot_made_ids *ids, const struct iot_made_key *key,
			     gboolean sends)
{
	struct queue *queue;
	guint64 id;

	if (ids->lost)
		return ++ids->n;
	queue = queue_at(ids, key);
	if (!queue->ids.length || queue->sends == sends) {
		queue->sends = sends;
		return leave(ids, queue);
	}
	id = GPOINTER_TO_SIZE(g_queue_pop_head(&queue->ids));
	forget(ids, key, queue);
	return id;
}

void iot_made_ids_lost(struct iot_made_ids *ids)
{
	g_hash_table_remove_all(ids->open);
	ids->lost = TRUE;
}
