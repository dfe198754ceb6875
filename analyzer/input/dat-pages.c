/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat-pages.h"
#include "base/chunk.h"
#include "base/error.h"

#include <zstd.h>

enum {
	WINDOW = 64 << 10,    /* of the file: more is not faster, and every run has one */
	CHUNK_HEADER = 8,     /* packed and unpacked size */
	MAX_CHUNK = 16 << 20, /* unpacked; trace-cmd packs ten pages at once */
	MAGIC_SIZE = 4,
};

static void free_unpacker(gpointer zstd)
{
	ZSTD_freeDCtx(zstd);
}

/* One for each thread: its tables are larger than a chunk, and nothing is kept in it between two.
 */
static GPrivate unpacker = G_PRIVATE_INIT(free_unpacker);

static const guint8 zstd_magic[MAGIC_SIZE] = { 0x28, 0xb5, 0x2f, 0xfd };

struct iot_dat_pages {
	const struct iot_dat_file *file;
	const struct iot_dat_area *area;
	gboolean compressed;
	gsize page_size;
	struct iot_diag *diag;
	guint64 *consumed;

	guint64 pos, end; /* in the file: of window[at], of the area */
	guint8 *window;
	gsize at, have, size; /* in the window: consumed, filled, allocated */

	guint8 *chunk;
	gsize chunk_at, chunk_have, chunk_size;
	guint64 chunk_from, chunk_to;
	guint32 n_chunks;
	gboolean skipped, ended;
	gboolean damaged; /* a chunk was left out, so n_chunks is not what it was */
};

struct iot_dat_pages *iot_dat_pages_new(const struct iot_dat_file *file,
					const struct iot_dat_buffer *buffer,
					const struct iot_dat_area *area, struct iot_diag *diag,
					guint64 *consumed)
{
	struct iot_dat_pages *pages = g_new0(struct iot_dat_pages, 1);

	pages->file = file;
	pages->area = area;
	pages->compressed = buffer->compressed;
	pages->page_size = buffer->page_size;
	pages->diag = diag;
	pages->consumed = consumed;
	pages->pos = area->offset;
	pages->end = area->offset + area->size;
	return pages;
}

void iot_dat_pages_free(struct iot_dat_pages *pages)
{
	if (!pages)
		return;
	g_free(pages->window);
	g_free(pages->chunk);
	g_free(pages);
}

static gboolean grow(guint8 **block, gsize *size, gsize need, const char *what, GError **error)
{
	guint8 *grown;

	if (need <= *size)
		return TRUE;
	grown = iot_try_realloc(*block, need, what, error);
	if (!grown)
		return FALSE;
	*block = grown;
	*size = need;
	return TRUE;
}

static void consume(struct iot_dat_pages *pages, gsize n)
{
	pages->at += n;
	pages->pos += n;
	if (pages->consumed)
		__atomic_add_fetch(pages->consumed, n, __ATOMIC_RELAXED);
}

/* The file became shorter than it was when it was opened. */
static void cut_here(struct iot_dat_pages *pages)
{
	pages->end = pages->pos + (pages->have - pages->at);
	pages->skipped = TRUE;
	iot_diag_add(pages->diag, IOT_DIAG_file_cut, 1);
}

/* Have at least @need bytes of the area in the window, or all that are left of it. */
static gboolean fill(struct iot_dat_pages *pages, gsize need, GError **error)
{
	guint64 left;
	gsize want, got;

	if (G_LIKELY(pages->have - pages->at >= need))
		return TRUE;
	want = MIN(MAX(WINDOW, 4 * pages->page_size), pages->area->size);
	if (!grow(&pages->window, &pages->size, MAX(need, want), "a window of a recording", error))
		return FALSE;
	memmove(pages->window, pages->window + pages->at, pages->have - pages->at);
	pages->have -= pages->at;
	pages->at = 0;
	left = pages->end - pages->pos - pages->have;
	want = MIN(left, pages->size - pages->have);
	if (!iot_dat_file_read(pages->file, pages->pos + pages->have, pages->window + pages->have,
			       want, &got, error))
		return FALSE;
	pages->have += got;
	if (got < want)
		cut_here(pages);
	return TRUE;
}

static enum iot_dat_next at_end(struct iot_dat_pages *pages, struct iot_dat_page *page)
{
	if (!pages->ended && pages->area->cut)
		pages->skipped = TRUE;
	page->skipped = pages->skipped;
	page->data = NULL;
	page->len = 0;
	pages->skipped = FALSE;
	pages->ended = TRUE;
	return IOT_DAT_END;
}

static guint64 peek_ts(const struct iot_dat_pages *pages, const guint8 *data, gsize len, gsize at)
{
	const struct iot_ring_layout *layout = &pages->file->layout;

	if (len < at || len - at < iot_ring_header_size(layout))
		return 0;
	return iot_ring_page_peek(layout, data + at, pages->page_size);
}

/* The page at @data, where @len bytes can be looked at. */
static void give_page(struct iot_dat_pages *pages, struct iot_dat_page *page, const guint8 *data,
		      gsize len)
{
	page->data = data;
	page->len = MIN(pages->page_size, len);
	page->next_ts = peek_ts(pages, data, len, pages->page_size);
	page->after_ts = peek_ts(pages, data, len, 2 * pages->page_size);
	page->skipped = pages->skipped;
	pages->skipped = FALSE;
}

static enum iot_dat_next next_plain(struct iot_dat_pages *pages, struct iot_dat_page *page,
				    GError **error)
{
	/* the two pages behind are looked at, too */
	gsize want = 2 * pages->page_size + iot_ring_header_size(&pages->file->layout);

	if (!fill(pages, want, error))
		return IOT_DAT_ERROR;
	if (pages->at == pages->have)
		return at_end(pages, page);
	give_page(pages, page, pages->window + pages->at, pages->have - pages->at);
	page->from = pages->pos;
	page->to = pages->pos + page->len;
	consume(pages, page->len);
	return IOT_DAT_PAGE;
}

struct chunk_header {
	guint32 packed, unpacked;
};

/* Read the header at window[at]; FALSE if it cannot be one. */
static gboolean parse_chunk_header(const struct iot_dat_pages *pages, struct chunk_header *out)
{
	const guint8 *p = pages->window + pages->at;
	gboolean big = pages->file->layout.big_endian;

	if (pages->have - pages->at < CHUNK_HEADER + MAGIC_SIZE)
		return FALSE;
	out->packed = iot_load_u32(p, big);
	out->unpacked = iot_load_u32(p + 4, big);
	return out->unpacked > 0 && out->unpacked <= MAX_CHUNK && out->packed > MAGIC_SIZE &&
	       out->packed <= ZSTD_compressBound(out->unpacked) &&
	       out->packed <= pages->end - pages->pos - CHUNK_HEADER &&
	       !memcmp(p + CHUNK_HEADER, zstd_magic, MAGIC_SIZE);
}

/* Go to the next place at or behind the position that looks like a chunk, or to the end. */
static gboolean find_chunk(struct iot_dat_pages *pages, GError **error)
{
	struct chunk_header header;

	while (pages->end - pages->pos >= CHUNK_HEADER + MAGIC_SIZE) {
		const guint8 *from, *hit;
		gsize have;

		if (!fill(pages, CHUNK_HEADER + MAGIC_SIZE, error))
			return FALSE;
		have = pages->have - pages->at;
		if (have < CHUNK_HEADER + MAGIC_SIZE)
			break;
		if (parse_chunk_header(pages, &header))
			return TRUE;
		from = pages->window + pages->at + CHUNK_HEADER + 1;
		hit = have - CHUNK_HEADER > MAGIC_SIZE
			      ? memmem(from, have - CHUNK_HEADER - 1, zstd_magic, MAGIC_SIZE)
			      : NULL;
		/* without a hit the last bytes stay: a frame may begin in them */
		consume(pages,
			hit ? (gsize)(hit - from) + 1 : have - CHUNK_HEADER - MAGIC_SIZE + 1);
	}
	if (!fill(pages, pages->end - pages->pos, error))
		return FALSE;
	consume(pages, pages->have - pages->at);
	return TRUE;
}

static void count_damage(struct iot_dat_pages *pages)
{
	/* the cut itself is counted already */
	if (!pages->area->cut || pages->end - pages->pos > MAX_CHUNK)
		iot_diag_add(pages->diag, IOT_DIAG_chunk_damaged, 1);
	pages->skipped = pages->damaged = TRUE;
}

static ZSTD_DCtx *get_unpacker(const struct iot_dat_pages *pages, GError **error)
{
	ZSTD_DCtx *zstd = g_private_get(&unpacker);

	if (zstd)
		return zstd;
	zstd = ZSTD_createDCtx();
	g_private_set(&unpacker, zstd);
	if (!zstd)
		g_set_error(error, IOT_ERROR, IOT_ERROR_MEMORY, "no memory to unpack %s",
			    pages->file->path);
	return zstd;
}

/* Unpack the chunk at the position and go behind it; FALSE only for errors of the system. */
static gboolean unpack_chunk(struct iot_dat_pages *pages, const struct chunk_header *header,
			     GError **error)
{
	gsize packed = CHUNK_HEADER + (gsize)header->packed, n;
	ZSTD_DCtx *zstd;

	pages->chunk_at = pages->chunk_have = 0;
	if (!fill(pages, packed, error) || !grow(&pages->chunk, &pages->chunk_size,
						 header->unpacked, "a chunk of a recording", error))
		return FALSE;
	if (pages->have - pages->at < packed) {
		consume(pages, pages->have - pages->at);
		return TRUE;
	}
	zstd = get_unpacker(pages, error);
	if (!zstd)
		return FALSE;
	n = ZSTD_decompressDCtx(zstd, pages->chunk, header->unpacked,
				pages->window + pages->at + CHUNK_HEADER, header->packed);
	if (n != header->unpacked) {
		count_damage(pages);
		/* perhaps only the size in the header is wrong: another chunk may begin within this
		 * one */
		consume(pages, 1);
		return find_chunk(pages, error);
	}
	pages->chunk_have = n;
	pages->chunk_from = pages->pos;
	pages->chunk_to = pages->pos + packed;
	consume(pages, packed);
	return TRUE;
}

static gboolean next_chunk(struct iot_dat_pages *pages, GError **error)
{
	struct chunk_header header;

	pages->n_chunks++;
	if (!fill(pages, CHUNK_HEADER + MAGIC_SIZE, error))
		return FALSE;
	if (!parse_chunk_header(pages, &header)) {
		count_damage(pages);
		return find_chunk(pages, error);
	}
	return unpack_chunk(pages, &header, error);
}

/* Some writers count the leading number of chunks as data: then a few bytes are left behind the
 * last chunk. */
static gboolean drop_tail(struct iot_dat_pages *pages, GError **error)
{
	guint64 left = pages->end - pages->pos;

	if (!left || left >= CHUNK_HEADER || pages->n_chunks != pages->area->n_chunks)
		return TRUE;
	if (!fill(pages, left, error))
		return FALSE;
	consume(pages, pages->have - pages->at);
	return TRUE;
}

static enum iot_dat_next next_packed(struct iot_dat_pages *pages, struct iot_dat_page *page,
				     GError **error)
{
	while (pages->chunk_at == pages->chunk_have) {
		if (!drop_tail(pages, error))
			return IOT_DAT_ERROR;
		if (pages->pos == pages->end) {
			/* all bytes were good, so it is the count in front of them that is wrong */
			if (!pages->ended && !pages->damaged && !pages->area->cut &&
			    pages->area->n_chunks && pages->area->n_chunks != pages->n_chunks)
				iot_diag_add(pages->diag, IOT_DIAG_option_damaged, 1);
			return at_end(pages, page);
		}
		if (!next_chunk(pages, error))
			return IOT_DAT_ERROR;
	}
	give_page(pages, page, pages->chunk + pages->chunk_at, pages->chunk_have - pages->chunk_at);
	page->from = pages->chunk_from;
	page->to = pages->chunk_to;
	pages->chunk_at += page->len;
	return IOT_DAT_PAGE;
}

enum iot_dat_next iot_dat_pages_next(struct iot_dat_pages *pages, struct iot_dat_page *page,
				     GError **error)
{
	return pages->compressed ? next_packed(pages, page, error) : next_plain(pages, page, error);
}

gboolean iot_dat_pages_tell(const struct iot_dat_pages *pages, gsize back,
			    struct iot_dat_mark *out_mark)
{
	gsize at = pages->chunk_at - back;

	*out_mark = (struct iot_dat_mark){
		.pos = pages->pos,
		.n_chunks = pages->n_chunks,
		.skipped = pages->skipped,
		.ended = pages->ended,
		.damaged = pages->damaged,
	};
	if (!pages->compressed) {
		out_mark->pos -= back;
	} else if (at < pages->chunk_have) {
		out_mark->in_chunk = TRUE;
		out_mark->pos = pages->chunk_from;
		out_mark->chunk_at = at;
	}
	return pages->end == pages->area->offset + pages->area->size;
}

/* Unpack the chunk that a mark is in. */
static gboolean enter_chunk(struct iot_dat_pages *pages, guint64 at, GError **error)
{
	guint64 from = pages->pos;
	struct chunk_header header;

	if (!fill(pages, CHUNK_HEADER + MAGIC_SIZE, error) || !parse_chunk_header(pages, &header) ||
	    !unpack_chunk(pages, &header, error))
		return FALSE;
	if (pages->chunk_from != from || at >= pages->chunk_have || pages->damaged)
		return FALSE;
	pages->chunk_at = at;
	return TRUE;
}

gboolean iot_dat_pages_seek(struct iot_dat_pages *pages, const struct iot_dat_mark *mark,
			    GError **error)
{
	if (mark->pos < pages->pos || mark->pos > pages->end ||
	    (mark->in_chunk && !pages->compressed))
		return FALSE;
	if (pages->consumed)
		__atomic_add_fetch(pages->consumed, mark->pos - pages->pos, __ATOMIC_RELAXED);
	pages->pos = mark->pos;
	pages->n_chunks = mark->n_chunks;
	pages->ended = mark->ended;
	if (mark->in_chunk && !enter_chunk(pages, mark->chunk_at, error))
		return FALSE;
	pages->skipped = mark->skipped;
	pages->damaged = mark->damaged;
	return TRUE;
}

gboolean iot_dat_pages_fit(const struct iot_dat_file *file, const struct iot_dat_buffer *buffer,
			   gboolean *out_fits, GError **error)
{
	struct iot_diag unused = { 0 };
	const struct iot_dat_area *area = &g_array_index(buffer->areas, struct iot_dat_area, 0);
	g_autoptr(iot_dat_pages) pages = iot_dat_pages_new(file, buffer, area, &unused, NULL);
	struct iot_dat_page page;

	*out_fits = TRUE;
	for (int i = 0; i < 2 && *out_fits; i++) {
		enum iot_dat_next next = iot_dat_pages_next(pages, &page, error);

		if (next == IOT_DAT_ERROR)
			return FALSE;
		if (next == IOT_DAT_END)
			break;
		*out_fits = iot_ring_page_plausible(&file->layout, page.data, page.len, NULL, NULL);
	}
	return TRUE;
}
