/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/kept.h"

#include <pthread.h>
#include <string.h>

struct chunk {
	guint64 pos;
	gsize n;
	guint8 data[];
};

struct iot_kept {
	pthread_mutex_t lock;
	gsize room;
	GHashTable *chunks; /* of struct chunk, by its pos */
};

struct iot_kept *iot_kept_new(gsize room)
{
	struct iot_kept *kept = g_new0(struct iot_kept, 1);

	pthread_mutex_init(&kept->lock, NULL);
	kept->room = room;
	kept->chunks = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	return kept;
}

void iot_kept_free(struct iot_kept *kept)
{
	if (!kept)
		return;
	g_hash_table_unref(kept->chunks);
	pthread_mutex_destroy(&kept->lock);
	g_free(kept);
}

void iot_kept_put(struct iot_kept *kept, guint64 pos, const guint8 *data, gsize n)
{
	struct chunk *chunk;

	pthread_mutex_lock(&kept->lock);
	if (n <= kept->room && !g_hash_table_contains(kept->chunks, &pos) &&
	    (chunk = g_try_malloc(sizeof(*chunk) + n))) {
		chunk->pos = pos;
		chunk->n = n;
		memcpy(chunk->data, data, n);
		g_hash_table_insert(kept->chunks, &chunk->pos, chunk);
		kept->room -= n;
	}
	pthread_mutex_unlock(&kept->lock);
}

gboolean iot_kept_get(struct iot_kept *kept, guint64 pos, guint8 *to, gsize n, gboolean take)
{
	const struct chunk *chunk;

	pthread_mutex_lock(&kept->lock);
	chunk = g_hash_table_lookup(kept->chunks, &pos);
	if (chunk && chunk->n != n)
		chunk = NULL;
	if (chunk) {
		memcpy(to, chunk->data, n);
		if (take) {
			kept->room += n;
			g_hash_table_remove(kept->chunks, &pos);
		}
	}
	pthread_mutex_unlock(&kept->lock);
	return chunk != NULL;
}
