/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/thread-rows.h"

struct thread {
	/* input and pid */
	guint64 key;
	iot_row_id row;
	guint64 since;
};

struct iot_thread_rows {
	const struct iot_timeline *tl;
	iot_type_id type;
	gboolean disabled;
	/* of struct thread, in order of arrival; and by key */
	GPtrArray *threads;
	GHashTable *by_key;
	/* NULL: nobody follows */
	iot_thread_func func;
	gpointer user_data;
};

struct iot_thread_rows *iot_thread_rows_new(struct iot_timeline *tl)
{
	struct iot_thread_rows *threads = g_new0(struct iot_thread_rows, 1);

	threads->tl = tl;
	threads->threads = g_ptr_array_new_with_free_func(g_free);
	threads->by_key = g_hash_table_new(g_int64_hash, g_int64_equal);
	return threads;
}

void iot_thread_rows_free(struct iot_thread_rows *threads)
{
	g_hash_table_unref(threads->by_key);
	g_ptr_array_unref(threads->threads);
	g_free(threads);
}

void iot_thread_rows_disable(struct iot_thread_rows *threads)
{
	threads->disabled = TRUE;
}

void iot_thread_rows_set_type(struct iot_thread_rows *threads, iot_type_id type)
{
	if (!threads->type)
		threads->type = type;
}

iot_type_id iot_thread_rows_type(const struct iot_thread_rows *threads)
{
	return threads->disabled ? 0 : threads->type;
}

void iot_thread_rows_follow(struct iot_thread_rows *threads, iot_thread_func func,
			    gpointer user_data)
{
	threads->func = func;
	threads->user_data = user_data;
}

static guint64 thread_key(guint32 input, gint64 pid)
{
	return (guint64)input << 32 | (guint32)pid;
}

static struct thread *find(const struct iot_thread_rows *threads, guint64 key)
{
	return g_hash_table_lookup(threads->by_key, &key);
}

static struct thread *add(struct iot_thread_rows *threads, guint64 key, guint64 since)
{
	struct thread *thread = g_new0(struct thread, 1);

	thread->key = key;
	thread->since = since;
	g_ptr_array_add(threads->threads, thread);
	g_hash_table_insert(threads->by_key, &thread->key, thread);
	return thread;
}

void iot_thread_rows_note(struct iot_thread_rows *threads, guint32 input, gint64 pid,
			  iot_row_id row, guint64 ts)
{
	guint64 key = thread_key(input, pid);
	struct thread *thread = find(threads, key);

	if (!thread)
		thread = add(threads, key, ts);
	if (thread->row == row)
		return;
	thread->row = row;
	if (threads->func)
		threads->func(threads->user_data, input, pid, ts);
}

iot_row_id iot_thread_rows_find(const struct iot_thread_rows *threads, guint32 input, gint64 pid,
				guint64 *out_since)
{
	const struct thread *thread = find(threads, thread_key(input, pid));

	if (thread && out_since)
		*out_since = thread->since;
	return thread ? thread->row : 0;
}

void iot_thread_rows_save(const struct iot_thread_rows *threads, GByteArray *out)
{
	iot_pack_uint(out, threads->threads->len);
	for (guint i = 0; i < threads->threads->len; i++) {
		const struct thread *thread = threads->threads->pdata[i];

		iot_pack_uint(out, thread->key);
		iot_pack_uint(out, thread->row);
		iot_pack_uint(out, thread->since);
	}
}

gboolean iot_thread_rows_load(struct iot_thread_rows *threads, struct iot_unpack *in)
{
	for (guint32 n = iot_unpack_count(in); n; n--) {
		guint64 key = iot_unpack_uint(in, G_MAXUINT64);
		iot_row_id row = (iot_row_id)iot_unpack_uint(in, threads->tl->rows.n - 1);
		guint64 since = iot_unpack_uint(in, G_MAXUINT64);

		const struct thread *known = find(threads, key);

		if (in->bad || !row || (known && known->row != row) ||
		    iot_row_at(threads->tl, row)->type != threads->type)
			return iot_unpack_fail(in);
		if (!known)
			add(threads, key, since)->row = row;
	}
	return !in->bad;
}
