/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-run.h"

enum {
	IN_PAGE = 1 << 0,
	DAMAGED = 1 << 1,
	ENDED = 1 << 2,
	ANY = 1 << 3,
	GAP = 1 << 4,
	IN_CHUNK = 1 << 5,
	SKIPPED = 1 << 6,
	PAGES_ENDED = 1 << 7,
	PAGES_DAMAGED = 1 << 8,
	ALL_FLAGS = (1 << 9) - 1,
};

static guint pack_flags(const struct iot_dat_run *run, const struct iot_dat_mark *pages)
{
	return (run->in_page ? IN_PAGE : 0) | (run->page.damaged ? DAMAGED : 0) |
	       (run->ended ? ENDED : 0) | (run->any ? ANY : 0) | (run->gap ? GAP : 0) |
	       (pages->in_chunk ? IN_CHUNK : 0) | (pages->skipped ? SKIPPED : 0) |
	       (pages->ended ? PAGES_ENDED : 0) | (pages->damaged ? PAGES_DAMAGED : 0);
}

void iot_dat_run_tell(const struct iot_dat_run *run, GByteArray *mark)
{
	gsize left = run->in_page ? (gsize)(run->page.end - run->page.p) : 0;
	struct iot_dat_mark pages;

	if (!iot_dat_pages_tell(run->pages, run->in_page ? run->page_len : 0, &pages))
		return;
	iot_pack_uint(mark, pack_flags(run, &pages));
	iot_pack_uint(mark, pages.pos);
	iot_pack_uint(mark, pages.chunk_at);
	iot_pack_uint(mark, pages.n_chunks);
	iot_pack_uint(mark, left);
	iot_pack_uint(mark, run->page.ts);
	iot_pack_uint(mark, run->limit);
	iot_pack_uint(mark, run->gap_lost);
	iot_pack_uint(mark, run->last_raw);
	iot_pack_uint(mark, run->last_ts);
	iot_pack_uint(mark, run->count.n_events);
	iot_pack_uint(mark, run->count.n_lost);
	iot_pack_diag(mark, &run->count.diag);
}

/* Read the page again; @left bytes of it were not decoded. */
static gboolean enter_page(struct iot_dat_run *run, const struct iot_dat_file *file, guint64 left,
			   GError **error)
{
	struct iot_dat_page page;

	if (iot_dat_pages_next(run->pages, &page, error) != IOT_DAT_PAGE)
		return FALSE;
	run->page_len = page.len;
	iot_ring_page_init(&run->page, &file->layout, page.data, page.len);
	if (left > (gsize)(run->page.end - run->page.p))
		return FALSE;
	run->page.p = run->page.end - left;
	return TRUE;
}

gboolean iot_dat_run_seek(struct iot_dat_run *run, const struct iot_dat_file *file,
			  struct iot_unpack *mark, GError **error)
{
	guint flags = (guint)iot_unpack_uint(mark, ALL_FLAGS);
	struct iot_dat_mark pages = {
		.pos = iot_unpack_uint(mark, G_MAXUINT64),
		.chunk_at = iot_unpack_uint(mark, G_MAXUINT64),
		.n_chunks = (guint32)iot_unpack_uint(mark, G_MAXUINT32),
		.in_chunk = (flags & IN_CHUNK) != 0,
		.skipped = (flags & SKIPPED) != 0,
		.ended = (flags & PAGES_ENDED) != 0,
		.damaged = (flags & PAGES_DAMAGED) != 0,
	};
	guint64 left = iot_unpack_uint(mark, G_MAXUINT64), ts = iot_unpack_uint(mark, G_MAXUINT64);

	if (mark->bad || !iot_dat_pages_seek(run->pages, &pages, error))
		return FALSE;
	run->in_page = (flags & IN_PAGE) != 0;
	if (run->in_page && !enter_page(run, file, left, error))
		return FALSE;
	run->page.ts = ts;
	run->page.damaged = (flags & DAMAGED) != 0;
	run->ended = (flags & ENDED) != 0;
	run->any = (flags & ANY) != 0;
	run->gap = (flags & GAP) != 0;
	run->limit = iot_unpack_uint(mark, G_MAXUINT64);
	run->gap_lost = iot_unpack_uint(mark, G_MAXUINT64);
	run->last_raw = iot_unpack_uint(mark, G_MAXUINT64);
	run->last_ts = iot_unpack_uint(mark, G_MAXUINT64);
	run->count.n_events = iot_unpack_uint(mark, G_MAXUINT64);
	run->count.n_lost = iot_unpack_uint(mark, G_MAXUINT64);
	iot_unpack_diag(mark, &run->count.diag);
	return !mark->bad;
}
