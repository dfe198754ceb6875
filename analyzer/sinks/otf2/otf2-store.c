/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/otf2/otf2-store.h"
#include "base/try-alloc.h"

/* In front of each part in the file. */
struct part {
	guint64 before; /* offset of the part of the same stream before it, plus 1; 0: none */
	guint64 len;
};

enum { FIRST_SIZE = 128 };

static void free_stream(gpointer data)
{
	struct otf2_stream *stream = data;

	g_free(stream->data);
	g_free(stream);
}

struct otf2_store *otf2_store_new(const char *near_path, guint64 limit)
{
	struct otf2_store *store = g_new0(struct otf2_store, 1);

	store->path = g_strdup(near_path);
	store->limit = limit;
	store->streams = g_ptr_array_new_with_free_func(free_stream);
	store->by_key = g_hash_table_new(g_int64_hash, g_int64_equal);
	return store;
}

void otf2_store_free(struct otf2_store *store)
{
	if (!store)
		return;
	g_hash_table_unref(store->by_key);
	g_ptr_array_unref(store->streams);
	iot_out_free(store->file);
	g_free(store->path);
	g_free(store);
}

struct otf2_stream *otf2_store_stream(struct otf2_store *store, guint64 key)
{
	struct otf2_stream *stream = g_hash_table_lookup(store->by_key, &key);

	if (stream)
		return stream;
	stream = g_new0(struct otf2_stream, 1);
	stream->key = key;
	g_ptr_array_add(store->streams, stream);
	g_hash_table_insert(store->by_key, &stream->key, stream);
	return stream;
}

static void write_part(struct otf2_store *store, struct otf2_stream *stream)
{
	struct part part = { .before = stream->last, .len = stream->len };

	stream->last = iot_out_tell(store->file) + 1;
	iot_out_write(store->file, &part, sizeof(part));
	iot_out_write(store->file, stream->data, stream->len);
	g_clear_pointer(&stream->data, g_free);
	stream->len = stream->size = 0;
}

static gboolean write_all(struct otf2_store *store, GError **error)
{
	if (!store->file &&
	    !(store->file = iot_out_open_scratch(store->path, IOT_OUT_BUFFER, error)))
		return FALSE;
	for (guint i = 0; i < store->streams->len; i++) {
		struct otf2_stream *stream = g_ptr_array_index(store->streams, i);

		if (stream->len)
			write_part(store, stream);
	}
	store->used = 0;
	return iot_out_check(store->file, error);
}

gboolean otf2_store_append(struct otf2_store *store, struct otf2_stream *stream, const void *data,
			   gsize len, GError **error)
{
	if (stream->size - stream->len < len) {
		guint32 size = MAX(stream->size * 2, FIRST_SIZE);
		guint8 *grown;

		if (store->used + size - stream->size > store->limit && store->used) {
			if (!write_all(store, error))
				return FALSE;
			size = FIRST_SIZE;
		}
		size = MAX(size, stream->len + (guint32)len);
		grown = iot_try_realloc(stream->data, size, "events of a location", error);
		if (!grown)
			return FALSE;
		store->used += size - stream->size;
		stream->data = grown;
		stream->size = size;
	}
	memcpy(stream->data + stream->len, data, len);
	stream->len += (guint32)len;
	return TRUE;
}

/* Parts are linked from the last one to the first one. */
static GArray *offsets_of(struct otf2_store *store, const struct otf2_stream *stream,
			  GError **error)
{
	g_autoptr(GArray) offsets = g_array_new(FALSE, FALSE, sizeof(guint64));
	struct part part;

	for (guint64 at = stream->last; at; at = part.before) {
		at--;
		g_array_append_val(offsets, at);
		if (!iot_out_read_at(store->file, at, &part, sizeof(part), error))
			return NULL;
	}
	return g_steal_pointer(&offsets);
}

gboolean otf2_store_read(struct otf2_store *store, struct otf2_stream *stream,
			 gboolean (*each)(struct iot_unpack *part, void *data, GError **error),
			 void *data, GError **error)
{
	g_autoptr(GArray) offsets = offsets_of(store, stream, error);
	g_autofree guint8 *bytes = NULL;
	struct iot_unpack unpack;

	if (!offsets)
		return FALSE;
	for (guint i = offsets->len; i-- > 0;) {
		guint64 at = g_array_index(offsets, guint64, i);
		struct part part;

		g_clear_pointer(&bytes, g_free);
		if (!iot_out_read_at(store->file, at, &part, sizeof(part), error) ||
		    !(bytes = iot_try_malloc(part.len, "events of a location", error)) ||
		    !iot_out_read_at(store->file, at + sizeof(part), bytes, part.len, error))
			return FALSE;
		unpack = iot_unpack_init(bytes, part.len);
		if (!each(&unpack, data, error))
			return FALSE;
	}
	unpack = iot_unpack_init(stream->data, stream->len);
	return each(&unpack, data, error);
}
