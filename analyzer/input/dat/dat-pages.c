/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-pages.h"
#include "input/dat/dat-ahead.h"
#include "base/try-alloc.h"

struct iot_dat_pages {
	const struct iot_dat_area *area;
	struct iot_dat_window window;
	gboolean compressed;
	gsize page_size;
	struct iot_diag *diag;
	guint64 *consumed;

	struct iot_dat_ahead *ahead; /* NULL: not compressed */
	const guint8 *chunk;	     /* unpacked: "own", or prefetched */
	guint8 *own;
	gsize chunk_at, chunk_have, own_size;
	guint64 chunk_from, chunk_to;
	guint32 n_chunks;
	gboolean skipped, ended;
	gboolean damaged; /* a chunk was skipped, so n_chunks is too small */
};

struct iot_dat_pages *iot_dat_pages_new(const struct iot_dat_file *file,
					const struct iot_dat_buffer *buffer,
					const struct iot_dat_area *area, struct iot_diag *diag,
					guint64 *consumed)
{
	struct iot_dat_pages *pages = g_new0(struct iot_dat_pages, 1);

	iot_dat_window_init(&pages->window, file, area, buffer->page_size);
	pages->area = area;
	pages->compressed = buffer->compressed;
	pages->page_size = buffer->page_size;
	if (buffer->compressed)
		pages->ahead = iot_dat_ahead_new(file, area, buffer->page_size);
	pages->diag = diag;
	pages->consumed = consumed;
	return pages;
}

void iot_dat_pages_free(struct iot_dat_pages *pages)
{
	if (!pages)
		return;
	iot_dat_window_clear(&pages->window);
	iot_dat_ahead_free(pages->ahead);
	g_free(pages->own);
	g_free(pages);
}

static void consume(struct iot_dat_pages *pages, gsize n)
{
	iot_dat_window_go(&pages->window, n);
	if (pages->consumed)
		__atomic_add_fetch(pages->consumed, n, __ATOMIC_RELAXED);
}

/* Have at least @need bytes of the area in the window, or its whole rest. */
static gboolean fill(struct iot_dat_pages *pages, gsize need, GError **error)
{
	gboolean cut = FALSE;

	if (!iot_dat_window_fill(&pages->window, need, &cut, error))
		return FALSE;
	if (G_UNLIKELY(cut)) {
		pages->skipped = TRUE;
		iot_diag_add(pages->diag, IOT_DIAG_file_cut, 1);
	}
	return TRUE;
}

static guint64 left_in_area(const struct iot_dat_pages *pages)
{
	return pages->window.end - pages->window.pos;
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
	const struct iot_ring_layout *layout = &pages->window.file->layout;

	if (len < at || len - at < iot_ring_header_size(layout))
		return 0;
	return iot_ring_page_peek(layout, data + at, pages->page_size);
}

/* Return the page at @data, after which there are more pages up to @len bytes. */
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
	/* the headers of the next two pages are needed, too */
	const struct iot_dat_window *window = &pages->window;
	gsize want = 2 * pages->page_size + iot_ring_header_size(&window->file->layout);

	if (!fill(pages, want, error))
		return IOT_DAT_ERROR;
	if (!iot_dat_window_left(window))
		return at_end(pages, page);
	give_page(pages, page, window->data + window->at, iot_dat_window_left(window));
	page->from = window->pos;
	page->to = window->pos + page->len;
	consume(pages, page->len);
	return IOT_DAT_PAGE;
}

/* Go to the next place from the position on that looks like a chunk, or to the end. */
static gboolean find_chunk(struct iot_dat_pages *pages, GError **error)
{
	struct iot_dat_chunk chunk;

	while (left_in_area(pages) >= IOT_DAT_CHUNK_START) {
		if (!fill(pages, IOT_DAT_CHUNK_START, error))
			return FALSE;
		if (iot_dat_window_left(&pages->window) < IOT_DAT_CHUNK_START)
			break;
		if (iot_dat_window_chunk(&pages->window, &chunk))
			return TRUE;
		consume(pages, iot_dat_window_search(&pages->window));
	}
	if (!fill(pages, left_in_area(pages), error))
		return FALSE;
	consume(pages, iot_dat_window_left(&pages->window));
	return TRUE;
}

static void count_damage(struct iot_dat_pages *pages)
{
	/* the cut itself has been counted */
	if (!pages->area->cut || left_in_area(pages) > IOT_DAT_CHUNK_MAX)
		iot_diag_add(pages->diag, IOT_DIAG_chunk_damaged, 1);
	pages->skipped = pages->damaged = TRUE;
}

static gboolean grow_own(struct iot_dat_pages *pages, gsize need, GError **error)
{
	guint8 *grown;

	if (need <= pages->own_size)
		return TRUE;
	grown = iot_try_realloc(pages->own, need, "a chunk of a recording", error);
	if (!grown)
		return FALSE;
	pages->own = grown;
	pages->own_size = need;
	return TRUE;
}

/* Enter the chunk at the position, which is unpacked at @data. */
static void enter_data(struct iot_dat_pages *pages, const guint8 *data,
		       const struct iot_dat_chunk *chunk)
{
	pages->chunk = data;
	pages->chunk_at = 0;
	pages->chunk_have = chunk->unpacked;
	pages->chunk_from = pages->window.pos;
	consume(pages, IOT_DAT_CHUNK_HEADER + (gsize)chunk->packed);
	pages->chunk_to = pages->window.pos;
}

/* Unpack and enter the chunk at the position; FALSE only for errors of the system. */
static gboolean unpack_chunk(struct iot_dat_pages *pages, const struct iot_dat_chunk *chunk,
			     GError **error)
{
	const struct iot_dat_window *window = &pages->window;
	gsize packed = IOT_DAT_CHUNK_HEADER + (gsize)chunk->packed;
	gboolean good;

	pages->chunk_at = pages->chunk_have = 0;
	if (!fill(pages, packed, error) || !grow_own(pages, chunk->unpacked, error))
		return FALSE;
	if (iot_dat_window_left(window) < packed) {
		consume(pages, iot_dat_window_left(window));
		return TRUE;
	}
	iot_dat_ahead_from(pages->ahead, window->pos + packed);
	if (!iot_dat_unpack(window->file, window->pos,
			    window->data + window->at + IOT_DAT_CHUNK_HEADER, chunk, pages->own,
			    &good, error))
		return FALSE;
	if (!good) {
		count_damage(pages);
		/* if only the size in the header is wrong, the next chunk begins within this one
		 */
		consume(pages, 1);
		return find_chunk(pages, error);
	}
	enter_data(pages, pages->own, chunk);
	return TRUE;
}

static gboolean next_chunk(struct iot_dat_pages *pages, GError **error)
{
	struct iot_dat_chunk chunk;
	GError *failed = NULL;
	const guint8 *data;

	pages->n_chunks++;
	data = iot_dat_ahead_take(pages->ahead, pages->window.pos, &chunk, &failed);
	if (data) {
		enter_data(pages, data, &chunk);
		return TRUE;
	}
	if (failed) {
		g_propagate_error(error, failed);
		return FALSE;
	}
	if (!fill(pages, IOT_DAT_CHUNK_START, error))
		return FALSE;
	if (!iot_dat_window_chunk(&pages->window, &chunk)) {
		count_damage(pages);
		return find_chunk(pages, error);
	}
	return unpack_chunk(pages, &chunk, error);
}

/* Some writers count the leading number of chunks as data: then a few bytes follow the last chunk.
 */
static gboolean drop_tail(struct iot_dat_pages *pages, GError **error)
{
	guint64 left = left_in_area(pages);

	if (!left || left >= IOT_DAT_CHUNK_HEADER || pages->n_chunks != pages->area->n_chunks)
		return TRUE;
	if (!fill(pages, left, error))
		return FALSE;
	consume(pages, iot_dat_window_left(&pages->window));
	return TRUE;
}

static enum iot_dat_next next_packed(struct iot_dat_pages *pages, struct iot_dat_page *page,
				     GError **error)
{
	while (pages->chunk_at == pages->chunk_have) {
		if (!drop_tail(pages, error))
			return IOT_DAT_ERROR;
		if (!left_in_area(pages)) {
			/* all chunks were good, so their count is wrong */
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

gboolean iot_dat_pages_ahead(struct iot_dat_pages *pages, gint *n_groups)
{
	return pages->ahead && iot_dat_ahead_work(pages->ahead, n_groups);
}

gboolean iot_dat_pages_tell(const struct iot_dat_pages *pages, gsize back,
			    struct iot_dat_mark *out_mark)
{
	gsize at = pages->chunk_at - back;

	*out_mark = (struct iot_dat_mark){
		.pos = pages->window.pos,
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
	return pages->window.end == pages->area->offset + pages->area->size;
}

/* Unpack the chunk of a mark. */
static gboolean enter_chunk(struct iot_dat_pages *pages, guint64 at, GError **error)
{
	guint64 from = pages->window.pos;
	struct iot_dat_chunk chunk;

	if (!fill(pages, IOT_DAT_CHUNK_START, error) ||
	    !iot_dat_window_chunk(&pages->window, &chunk) || !unpack_chunk(pages, &chunk, error))
		return FALSE;
	if (pages->chunk_from != from || at >= pages->chunk_have || pages->damaged)
		return FALSE;
	pages->chunk_at = at;
	return TRUE;
}

gboolean iot_dat_pages_seek(struct iot_dat_pages *pages, const struct iot_dat_mark *mark,
			    GError **error)
{
	if (mark->pos < pages->window.pos || mark->pos > pages->window.end ||
	    (mark->in_chunk && !pages->compressed))
		return FALSE;
	consume(pages, (gsize)(mark->pos - pages->window.pos));
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
