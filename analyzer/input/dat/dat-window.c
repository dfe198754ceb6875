/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-window.h"
#include "input/kept.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/try-alloc.h"

#include <zstd.h>

enum { USUAL = 64 << 10 }; /* more is not faster, and every run has a window */

static const guint8 zstd_magic[IOT_DAT_CHUNK_START - IOT_DAT_CHUNK_HEADER] = { 0x28, 0xb5, 0x2f,
									       0xfd };

static void free_unpacker(gpointer zstd)
{
	ZSTD_freeDCtx(zstd);
}

/* One for each thread, because its tables are larger than a chunk; it keeps no state between two
 * chunks. */
static GPrivate unpacker = G_PRIVATE_INIT(free_unpacker);

void iot_dat_window_init(struct iot_dat_window *window, const struct iot_dat_file *file,
			 const struct iot_dat_area *area, gsize page_size)
{
	*window = (struct iot_dat_window){
		.file = file,
		.pos = area->offset,
		.end = area->offset + area->size,
		.usual = MIN(MAX(USUAL, 4 * page_size), area->size),
	};
}

void iot_dat_window_clear(struct iot_dat_window *window)
{
	g_free(window->data);
	window->data = NULL;
}

gboolean iot_dat_window_fetch(struct iot_dat_window *window, gsize need, gboolean *out_cut,
			      GError **error)
{
	gsize room = MAX(need, window->usual), left = iot_dat_window_left(window), want, got;

	if (room > window->size) {
		guint8 *grown =
			iot_try_realloc(window->data, room, "a window of a recording", error);

		if (!grown)
			return FALSE;
		window->data = grown;
		window->size = room;
	}
	memmove(window->data, window->data + window->at, left);
	window->have = left;
	window->at = 0;
	want = (gsize)MIN(window->end - window->pos - left, window->size - left);
	if (!iot_dat_file_read(window->file, window->pos + left, window->data + left, want, &got,
			       error))
		return FALSE;
	window->have += got;
	if (got < want) {
		window->end = window->pos + window->have;
		*out_cut = TRUE;
	}
	return TRUE;
}

void iot_dat_window_go(struct iot_dat_window *window, guint64 n)
{
	window->pos += n;
	window->at += (gsize)MIN(n, iot_dat_window_left(window));
}

gboolean iot_dat_window_chunk(const struct iot_dat_window *window, struct iot_dat_chunk *out)
{
	const guint8 *p = window->data + window->at;
	gboolean big = window->file->layout.big_endian;

	if (iot_dat_window_left(window) < IOT_DAT_CHUNK_START)
		return FALSE;
	out->packed = iot_load_u32(p, big);
	out->unpacked = iot_load_u32(p + 4, big);
	return out->unpacked > 0 && out->unpacked <= IOT_DAT_CHUNK_MAX &&
	       out->packed > sizeof(zstd_magic) &&
	       out->packed <= ZSTD_compressBound(out->unpacked) &&
	       out->packed <= window->end - window->pos - IOT_DAT_CHUNK_HEADER &&
	       !memcmp(p + IOT_DAT_CHUNK_HEADER, zstd_magic, sizeof(zstd_magic));
}

gsize iot_dat_window_search(const struct iot_dat_window *window)
{
	gsize left = iot_dat_window_left(window);
	const guint8 *from = window->data + window->at + IOT_DAT_CHUNK_HEADER + 1, *hit = NULL;

	if (left > IOT_DAT_CHUNK_START)
		hit = memmem(from, left - IOT_DAT_CHUNK_HEADER - 1, zstd_magic, sizeof(zstd_magic));
	/* without a hit keep the last bytes: a frame may begin in them */
	return hit ? (gsize)(hit - from) + 1 : left - IOT_DAT_CHUNK_START + 1;
}

gboolean iot_dat_unpack(const struct iot_dat_file *file, guint64 pos, const guint8 *packed,
			const struct iot_dat_chunk *chunk, guint8 *to, gboolean *out_good,
			GError **error)
{
	ZSTD_DCtx *zstd = g_private_get(&unpacker);

	/* fast path */
	if (file->kept && !iot_slow_only() &&
	    iot_kept_get(file->kept, pos, to, chunk->unpacked, !file->keeps)) {
		*out_good = TRUE;
		return TRUE;
	}
	/* slow path */
	if (!zstd) {
		zstd = ZSTD_createDCtx();
		g_private_set(&unpacker, zstd);
	}
	if (!zstd) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_MEMORY, "no memory to unpack %s",
			    file->path);
		return FALSE;
	}
	*out_good = ZSTD_decompressDCtx(zstd, to, chunk->unpacked, packed, chunk->packed) ==
		    chunk->unpacked;
	if (*out_good && file->keeps)
		iot_kept_put(file->kept, pos, to, chunk->unpacked);
	return TRUE;
}
