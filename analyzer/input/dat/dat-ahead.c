/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-ahead.h"
#include "base/try-alloc.h"

#include <pthread.h>

enum {
	N_GROUPS = 4,
	FILE_GROUPS = 8,	   /* of all CPUs of a file: 1 MiB */
	GROUP_BYTES = 128 << 10,   /* unpacked: some tenths of a millisecond */
	CHUNK_BYTES_MAX = 1 << 20, /* larger chunks are left to the reader */
	GROUP_CHUNKS = 64,
};

enum state { UNPACKING, READY };

struct group {
	enum state state;
	guint64 pos;   /* offset in the file of the next chunk to take, ... */
	guint n, next; /* ... which is number next of n */
	gsize next_at; /* its offset in data */
	struct iot_dat_chunk chunk[GROUP_CHUNKS];
	GByteArray *packed; /* without headers */
	guint8 *data;
	gint *n_groups; /* counter of the file that includes this group */
};

struct iot_dat_ahead {
	pthread_mutex_t lock;
	pthread_cond_t ready;
	struct iot_dat_window window; /* after the last group */
	struct group group[N_GROUPS]; /* a ring in the order of the file */
	guint at, n;
	guint64 from;	 /* offset at which the next group begins, ... */
	gboolean wanted; /* ... if the reader wants it */
	GError *error;	 /* found after the last group */
};

struct iot_dat_ahead *iot_dat_ahead_new(const struct iot_dat_file *file,
					const struct iot_dat_area *area, gsize page_size)
{
	struct iot_dat_ahead *ahead = g_new0(struct iot_dat_ahead, 1);

	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->ready, NULL);
	iot_dat_window_init(&ahead->window, file, area, page_size);
	return ahead;
}

static struct group *first_group(struct iot_dat_ahead *ahead)
{
	return &ahead->group[ahead->at];
}

static void drop_data(struct group *group)
{
	g_clear_pointer(&group->data, g_free);
	if (group->n_groups)
		g_atomic_int_add(group->n_groups, -1);
	group->n_groups = NULL;
}

static void drop_group(struct iot_dat_ahead *ahead)
{
	drop_data(first_group(ahead));
	ahead->at = (ahead->at + 1) % N_GROUPS;
	ahead->n--;
}

void iot_dat_ahead_free(struct iot_dat_ahead *ahead)
{
	if (!ahead)
		return;
	while (ahead->n)
		drop_group(ahead);
	for (guint i = 0; i < N_GROUPS; i++)
		if (ahead->group[i].packed)
			g_byte_array_unref(ahead->group[i].packed);
	iot_dat_window_clear(&ahead->window);
	g_clear_error(&ahead->error);
	pthread_cond_destroy(&ahead->ready);
	pthread_mutex_destroy(&ahead->lock);
	g_free(ahead);
}

/* Add the chunk at the window's position; FALSE if it has no place in the group, or on errors. */
static gboolean add_chunk(struct iot_dat_window *window, struct group *group, gsize *bytes,
			  GError **error)
{
	struct iot_dat_chunk *chunk = &group->chunk[group->n];
	gboolean cut = FALSE;
	gsize size;

	if (group->n == GROUP_CHUNKS ||
	    !iot_dat_window_fill(window, IOT_DAT_CHUNK_START, &cut, error) ||
	    !iot_dat_window_chunk(window, chunk) || chunk->unpacked > CHUNK_BYTES_MAX ||
	    (group->n && *bytes + chunk->unpacked > GROUP_BYTES))
		return FALSE;
	size = IOT_DAT_CHUNK_HEADER + (gsize)chunk->packed;
	if (!iot_dat_window_fill(window, size, &cut, error) || iot_dat_window_left(window) < size)
		return FALSE;
	g_byte_array_append(group->packed, window->data + window->at + IOT_DAT_CHUNK_HEADER,
			    chunk->packed);
	iot_dat_window_go(window, size);
	*bytes += chunk->unpacked;
	group->n++;
	return TRUE;
}

/* Collect the packed chunks of a new group and allocate their room; FALSE if there are none. */
static gboolean gather(struct iot_dat_ahead *ahead, struct group *group)
{
	struct iot_dat_window *window = &ahead->window;
	gsize bytes = 0;

	if (!group->packed)
		group->packed = g_byte_array_new();
	g_byte_array_set_size(group->packed, 0);
	group->n = group->next = 0;
	group->next_at = 0;
	group->pos = ahead->from;
	iot_dat_window_go(window, ahead->from - window->pos);
	while (add_chunk(window, group, &bytes, &ahead->error))
		;
	ahead->from = window->pos;
	if (group->n)
		group->data = iot_try_malloc(bytes, "chunks of a recording",
					     ahead->error ? NULL : &ahead->error);
	ahead->wanted = group->data && !ahead->error;
	return group->data != NULL;
}

/* Returns the number of good chunks: none without memory, which the reader will notice, too. */
static guint unpack(const struct iot_dat_file *file, const struct group *group)
{
	const guint8 *packed = group->packed->data;
	guint64 pos = group->pos;
	guint8 *to = group->data;

	for (guint i = 0; i < group->n; i++) {
		gboolean good;

		if (!iot_dat_unpack(file, pos, packed, &group->chunk[i], to, &good, NULL) || !good)
			return i;
		packed += group->chunk[i].packed;
		pos += IOT_DAT_CHUNK_HEADER + group->chunk[i].packed;
		to += group->chunk[i].unpacked;
	}
	return group->n;
}

/* Append a group to the ring; NULL if there is nothing to prefetch. The lock is held. */
static struct group *begin_group(struct iot_dat_ahead *ahead, gint *n_groups)
{
	struct group *group = &ahead->group[(ahead->at + ahead->n) % N_GROUPS];

	if (!ahead->wanted || ahead->n == N_GROUPS)
		return NULL;
	group->n_groups = n_groups;
	if (g_atomic_int_add(n_groups, 1) < FILE_GROUPS && gather(ahead, group)) {
		group->state = UNPACKING;
		ahead->n++;
		return group;
	}
	drop_data(group);
	return NULL;
}

gboolean iot_dat_ahead_work(struct iot_dat_ahead *ahead, gint *n_groups)
{
	struct group *group;
	guint n;

	pthread_mutex_lock(&ahead->lock);
	group = begin_group(ahead, n_groups);
	pthread_mutex_unlock(&ahead->lock);
	if (!group)
		return FALSE;
	n = unpack(ahead->window.file, group);
	pthread_mutex_lock(&ahead->lock);
	group->n = n;
	group->state = READY;
	pthread_cond_broadcast(&ahead->ready);
	pthread_mutex_unlock(&ahead->lock);
	return TRUE;
}

void iot_dat_ahead_from(struct iot_dat_ahead *ahead, guint64 pos)
{
	pthread_mutex_lock(&ahead->lock);
	if (pos > ahead->from) {
		ahead->from = pos;
		ahead->wanted = TRUE;
	}
	pthread_mutex_unlock(&ahead->lock);
}

/* Instead of waiting for a group, unpack the next one. The lock is held. */
static void wait_for_group(struct iot_dat_ahead *ahead, gint *n_groups)
{
	gboolean worked;

	pthread_mutex_unlock(&ahead->lock);
	worked = iot_dat_ahead_work(ahead, n_groups);
	pthread_mutex_lock(&ahead->lock);
	while (!worked && first_group(ahead)->state == UNPACKING)
		pthread_cond_wait(&ahead->ready, &ahead->lock);
}

static const guint8 *take_from(struct group *group, struct iot_dat_chunk *out)
{
	const guint8 *data = group->data + group->next_at;

	*out = group->chunk[group->next++];
	group->pos += IOT_DAT_CHUNK_HEADER + out->packed;
	group->next_at += out->unpacked;
	return data;
}

const guint8 *iot_dat_ahead_take(struct iot_dat_ahead *ahead, guint64 pos,
				 struct iot_dat_chunk *out, GError **error)
{
	const guint8 *data = NULL;

	pthread_mutex_lock(&ahead->lock);
	while (!data && ahead->n && first_group(ahead)->pos <= pos) {
		struct group *group = first_group(ahead);

		if (group->state == UNPACKING)
			wait_for_group(ahead, group->n_groups);
		else if (group->pos == pos && group->next < group->n)
			data = take_from(group, out);
		else
			drop_group(ahead);
	}
	if (!data && !ahead->n && ahead->error)
		g_propagate_error(error, g_steal_pointer(&ahead->error));
	pthread_mutex_unlock(&ahead->lock);
	return data;
}
