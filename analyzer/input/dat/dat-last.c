/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-last.h"
#include "input/dat/dat-pages.h"
#include "input/dat/dat-window.h"
#include "base/try-alloc.h"

#include <string.h>

enum {
	TAIL = 1 << 20, /* bytes searched for the last chunk; trace-cmd packs ten pages */
	MAX_REST = 7,	/* bytes that some writers leave after the last chunk */
};

/* Offset of the last chunk in @data: the chunk whose size leads to the end. G_MAXSIZE: none. */
static gsize last_chunk(const struct iot_dat_file *file, const guint8 *data, gsize len)
{
	static const guint8 magic[] = { 0x28, 0xb5, 0x2f, 0xfd }; /* of a zstd frame */

	for (gsize at = len; at-- > 0;) {
		const guint8 *p = data + at;
		gsize rest, packed;

		if (len - at < IOT_DAT_CHUNK_START ||
		    memcmp(p + IOT_DAT_CHUNK_HEADER, magic, sizeof(magic)) != 0)
			continue;
		packed = iot_load_u32(p, file->layout.big_endian);
		rest = len - at - IOT_DAT_CHUNK_HEADER;
		if (packed <= rest && rest - packed <= MAX_REST)
			return at;
	}
	return G_MAXSIZE;
}

/* Make a mark of the last page or chunk; at 0 if there is none. FALSE only for errors of the
 * system. */
static gboolean find_end(const struct iot_dat_file *file, const struct iot_dat_buffer *buffer,
			 const struct iot_dat_area *area, struct iot_dat_mark *mark, GError **error)
{
	guint64 tail = MIN(area->size, TAIL), from = area->offset + area->size - tail;
	g_autofree guint8 *data = NULL;
	gsize got, at;

	if (!buffer->compressed) {
		mark->pos = area->offset + (area->size - 1) / buffer->page_size * buffer->page_size;
		return TRUE;
	}
	data = iot_try_malloc(tail, "the end of a recording", error);
	if (!data || !iot_dat_file_read(file, from, data, tail, &got, error))
		return FALSE;
	at = got == tail ? last_chunk(file, data, tail) : G_MAXSIZE;
	mark->pos = at == G_MAXSIZE ? 0 : from + at;
	mark->in_chunk = TRUE;
	return TRUE;
}

/* Update @last to the last event of a page, if it has one; 0 if the page is damaged. */
static void look_at_page(const struct iot_dat_file *file, const struct iot_dat_page *page,
			 guint64 *last)
{
	struct iot_ring_page ring;
	struct iot_ring_event event;

	iot_ring_page_init(&ring, &file->layout, page->data, page->len);
	while (iot_ring_page_next(&ring, &event))
		*last = ring.ts;
	if (ring.damaged)
		*last = 0;
}

gboolean iot_dat_last(const struct iot_dat_file *file, const struct iot_dat_buffer *buffer,
		      const struct iot_dat_area *area, guint64 *out_raw, GError **error)
{
	struct iot_diag unused = { 0 };
	g_autoptr(iot_dat_pages) pages = NULL;
	struct iot_dat_mark mark = { 0 };
	enum iot_dat_next next;
	struct iot_dat_page page;
	GError *failed = NULL;

	*out_raw = 0;
	if (!area->size || area->cut)
		return TRUE;
	if (!find_end(file, buffer, area, &mark, error))
		return FALSE;
	if (!mark.pos)
		return TRUE;
	pages = iot_dat_pages_new(file, buffer, area, &unused, NULL);
	if (!iot_dat_pages_seek(pages, &mark, &failed)) {
		if (failed)
			g_propagate_error(error, failed);
		return !failed;
	}
	while ((next = iot_dat_pages_next(pages, &page, error)) == IOT_DAT_PAGE)
		look_at_page(file, &page, out_raw);
	return next == IOT_DAT_END;
}
