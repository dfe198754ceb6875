/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-run.h"
#include "input/dat/dat-seen.h"
#include "base/error.h"

/*
 * Raw time units by which a page may be later than the next one. Smaller steps back are clamped; a
 * larger one is a damaged time stamp, because clamping would move all later events of the run.
 */
#define MAX_JUMP (G_GUINT64_CONSTANT(1) << 32)

/*
 * Bytes of pages after which a batch ends even if it has room: a run with few wanted events must
 * not delay the others, nor be read far past the end of a window.
 */
enum { MAX_READ = 256 << 10 };

/* ---- opening */

void iot_dat_run_open(struct iot_dat_run *run, const struct iot_dat_file *file,
		      const struct iot_dat_buffer *buffer, const struct iot_dat_area *area,
		      guint64 *consumed)
{
	run->file = file;
	run->buffer = buffer;
	run->area = area;
	run->pages = iot_dat_pages_new(file, buffer, area, &run->tally.now.diag, consumed);
	run->strings = iot_intern_new();
	run->tally.seen = iot_dat_seen_new(file);
	run->to_ns = G_MAXUINT64;
	iot_clock_cursor_init(&run->clock, &file->clock, area->cpu);
}

void iot_dat_run_clear(struct iot_dat_run *run)
{
	iot_dat_pages_free(run->pages);
	iot_intern_free(run->strings);
	g_free(run->tally.seen);
}

/*
 * The latest raw time that events of a page can have, judged by the next page.
 * @last: time of the last event before the page, NULL if it is the first
 * @start: time in the header of the page
 */
static guint64 time_limit(const struct iot_dat_page *page, const guint64 *last, guint64 start)
{
	guint64 next = page->next_ts;

	if (!next || next > G_MAXUINT64 - MAX_JUMP)
		return G_MAXUINT64;
	/* is the next page the wrong one? */
	if (last ? next < *last : page->after_ts >= start && next < start)
		return G_MAXUINT64;
	return next + MAX_JUMP;
}

gboolean iot_dat_run_first(const struct iot_dat_run *run, gboolean *out_found, guint64 *out_ns,
			   GError **error)
{
	struct iot_diag unused = { 0 };
	g_autoptr(iot_dat_pages) pages =
		iot_dat_pages_new(run->file, run->buffer, run->area, &unused, NULL);
	enum iot_dat_next next;
	struct iot_dat_page page;

	*out_found = FALSE;
	while ((next = iot_dat_pages_next(pages, &page, error)) == IOT_DAT_PAGE) {
		struct iot_ring_event event;
		struct iot_ring_page ring;
		guint64 page_ts;

		iot_ring_page_init(&ring, &run->file->layout, page.data, page.len);
		page_ts = ring.ts;
		if (!iot_ring_page_next(&ring, &event) ||
		    ring.ts > time_limit(&page, NULL, page_ts))
			continue;
		*out_ns = iot_clock_correct(&run->file->clock, run->area->cpu, ring.ts);
		*out_found = TRUE;
		return TRUE;
	}
	return next == IOT_DAT_END;
}

/* ---- reading */

/* Corrected time, but not before the records that have been delivered. */
static guint64 run_time(struct iot_dat_run *run, guint64 raw)
{
	guint64 ts = iot_clock_cursor_correct(&run->clock, raw);

	return MAX(ts, run->last_ts);
}

static void note_loss(struct iot_dat_run *run, guint64 lost)
{
	if (!run->gap)
		run->gap_lost = 0;
	run->gap = TRUE;
	if (lost == G_MAXUINT64 || run->gap_lost == G_MAXUINT64)
		run->gap_lost = G_MAXUINT64;
	else
		run->gap_lost += lost;
}

static gboolean has_room(const struct iot_batch *batch, gsize n, const struct iot_event *event)
{
	return batch->size - batch->used >= n * iot_rec_size(event);
}

/* Deliver both ends of the gap before an event at @raw; FALSE if the batch is full. */
static gboolean end_gap(struct iot_dat_run *run, struct iot_batch *batch, guint64 raw)
{
	const struct iot_dat_binding *binding = run->binding;
	guint64 from, to;

	if (!has_room(batch, 2, &binding->gap_begin))
		return FALSE;
	from = run_time(run, run->any ? run->last_raw : raw);
	run->last_ts = from;
	to = run_time(run, raw);
	run->last_ts = to;
	iot_rec_set_gap(iot_batch_add(batch, &binding->gap_begin, from, 0), run->gap_lost, to);
	iot_rec_set_gap(iot_batch_add(batch, &binding->gap_end, to, 0), run->gap_lost, from);
	iot_diag_add(&run->tally.now.diag, IOT_DIAG_gaps, 1);
	run->gap = FALSE;
	return TRUE;
}

/* Deliver the begin of a gap that no event follows; FALSE if the batch is full. */
static gboolean end_run(struct iot_dat_run *run, struct iot_batch *batch)
{
	if (run->gap) {
		guint64 from = run->any ? run_time(run, run->last_raw) : run->first_ns;

		if (!has_room(batch, 1, &run->binding->gap_begin))
			return FALSE;
		iot_rec_set_gap(iot_batch_add(batch, &run->binding->gap_begin, from, 0),
				run->gap_lost, G_MAXUINT64);
		iot_diag_add(&run->tally.now.diag, IOT_DIAG_gaps, 1);
		run->gap = FALSE;
	}
	run->ended = TRUE;
	return TRUE;
}

/* Deliver a wanted event; FALSE if the batch is full. */
static inline gboolean deliver(struct iot_dat_run *run, struct iot_batch *batch,
			       const struct iot_dat_event *event, const struct iot_ring_event *raw,
			       guint64 raw_ts)
{
	struct iot_rec *rec = iot_batch_add(batch, &event->event, 0, 0);
	guint64 ts;

	if (G_UNLIKELY(!rec)) {
		batch->end_ns = run_time(run, raw_ts);
		return FALSE;
	}
	ts = iot_clock_cursor_correct(&run->clock, raw_ts);
	if (G_UNLIKELY(ts < run->last_ts)) {
		iot_diag_add(&run->tally.now.diag, IOT_DIAG_clock_stepped_back, 1);
		ts = run->last_ts;
	}
	run->last_ts = rec->ts = ts;
	iot_dat_decode(run->binding, event, raw, rec, run->strings, &run->tally.now.diag);
	return TRUE;
}

/* Whether an event of the current page may be after to_ns. */
static gboolean may_pass(struct iot_dat_run *run, guint64 next_raw)
{
	if (run->to_ns == G_MAXUINT64 || run->tally.passed)
		return FALSE;
	return !next_raw || run_time(run, next_raw) > run->to_ns;
}

/* An event or page is at @ts; @n events before it, @unknown without a format, are not counted yet.
 */
static gboolean note_passed(struct iot_dat_run *run, guint64 ts, guint64 n, guint64 unknown)
{
	if (G_LIKELY(ts <= run->to_ns) || run->tally.passed)
		return FALSE;
	iot_run_tally_pass(&run->tally, ts);
	run->tally.at_to.n_events += n;
	iot_diag_add(&run->tally.at_to.diag, IOT_DIAG_event_unknown_id, unknown);
	return TRUE;
}

/* Deliver the events of the page; FALSE if the batch is full. */
static gboolean scan_events(struct iot_dat_run *run, struct iot_batch *batch)
{
	const guint16 *kinds = run->binding->kind;
	struct iot_dat_event *const *events =
		(struct iot_dat_event *const *)run->binding->events->pdata;
	gboolean big_endian = run->file->layout.big_endian, room = TRUE;
	guint8 *seen = run->tally.seen, see = !run->tally.passed;
	struct iot_ring_page page = run->page;
	struct iot_ring_event event;
	guint64 n = 0, unknown = 0, last = run->last_raw;
	guint64 look = run->may_pass ? 0 : run->limit; /* later times are checked */

	for (;;) {
		const guint8 *p = page.p;
		guint64 ts = page.ts;
		guint kind, id;

		if (!iot_ring_page_next(&page, &event))
			break;
		if (G_UNLIKELY(page.ts > look)) {
			if (page.ts > run->limit) {
				page.p = page.end;
				page.damaged = TRUE;
				break;
			}
			if (note_passed(run, run_time(run, page.ts), n, unknown)) {
				look = run->limit;
				see = FALSE;
			}
		}
		id = iot_load_u16(event.payload, big_endian);
		kind = kinds[id];
		if (kind >= IOT_DAT_ID_FIRST) {
			if (!deliver(run, batch, events[kind - IOT_DAT_ID_FIRST], &event,
				     page.ts)) {
				/* the next batch begins with this event */
				note_passed(run, batch->end_ns, n, unknown);
				page.p = p;
				page.ts = ts;
				room = FALSE;
				break;
			}
			if (note_passed(run, run->last_ts, n, unknown))
				see = FALSE;
			seen[id] |= see;
		} else if (G_UNLIKELY(kind == IOT_DAT_ID_UNKNOWN)) {
			unknown++;
		} else {
			seen[id] |= see;
		}
		last = page.ts;
		n++;
	}
	run->page = page;
	run->last_raw = last;
	run->any |= n > 0;
	run->tally.now.n_events += n;
	run->tally.now.diag.count[IOT_DIAG_event_unknown_id] += unknown;
	return room;
}

/* Deliver the current page; FALSE if the batch is full. */
static gboolean scan_page(struct iot_dat_run *run, struct iot_batch *batch)
{
	struct iot_ring_event event;

	if (run->gap) {
		struct iot_ring_page peek = run->page;

		if (iot_ring_page_next(&peek, &event) && peek.ts <= run->limit &&
		    !end_gap(run, batch, peek.ts))
			return FALSE;
	}
	if (!scan_events(run, batch))
		return FALSE;
	run->in_page = FALSE;
	if (run->any)
		run->last_ts = run_time(run, run->last_raw);
	note_passed(run, run->last_ts, 0, 0);
	if (!run->page.damaged)
		return TRUE;
	note_loss(run, G_MAXUINT64);
	/* a cut of the file has been counted already */
	if (!run->area->cut || run->page_len == run->buffer->page_size)
		iot_diag_add(&run->tally.now.diag, IOT_DIAG_page_damaged, 1);
	return TRUE;
}

/* Whether the page would step far back, but the next page continues from the last event. */
static gboolean starts_too_early(const struct iot_dat_run *run, const struct iot_dat_page *page)
{
	return run->any && run->page.ts < run->last_raw &&
	       run->last_raw - run->page.ts > MAX_JUMP && page->next_ts >= run->last_raw;
}

static void start_page(struct iot_dat_run *run, const struct iot_dat_page *page)
{
	iot_ring_page_init(&run->page, &run->file->layout, page->data, page->len);
	run->page_len = page->len;
	run->in_page = TRUE;
	run->limit = time_limit(page, run->any ? &run->last_raw : NULL, run->page.ts);
	run->may_pass = may_pass(run, page->next_ts);
	if (starts_too_early(run, page)) {
		run->page.p = run->page.end;
		run->page.damaged = TRUE;
	}
	if (!run->page.lost)
		return;
	note_loss(run, run->page.n_lost);
	if (run->page.n_lost != G_MAXUINT64) {
		run->tally.now.n_lost += run->page.n_lost;
		iot_diag_add(&run->tally.now.diag, IOT_DIAG_events_lost, run->page.n_lost);
	}
}

static enum iot_dat_next next_page(struct iot_dat_run *run, GError **error)
{
	struct iot_dat_page page;
	enum iot_dat_next next = iot_dat_pages_next(run->pages, &page, error);

	if (next == IOT_DAT_ERROR)
		return next;
	if (page.skipped)
		note_loss(run, G_MAXUINT64);
	if (next == IOT_DAT_PAGE)
		start_page(run, &page);
	return next;
}

enum iot_next iot_dat_run_read(struct iot_dat_run *run, struct iot_batch *batch, GError **error)
{
	gboolean room = TRUE;
	gsize bytes = 0;

	while (room && !run->ended && bytes < MAX_READ) {
		enum iot_dat_next next = run->in_page ? IOT_DAT_PAGE : next_page(run, error);

		if (next == IOT_DAT_ERROR)
			return IOT_NEXT_ERROR;
		room = next == IOT_DAT_PAGE ? scan_page(run, batch) : end_run(run, batch);
		bytes += run->page_len;
	}
	if (!batch->end_ns)
		batch->end_ns = run->last_ts;
	if (batch->n || (room && !run->ended))
		return IOT_NEXT_OK;
	return run->ended ? IOT_NEXT_END : iot_batch_too_small(batch, error);
}

/* ---- positions */

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
	iot_pack_uint(mark, run->tally.now.n_events);
	iot_pack_uint(mark, run->tally.now.n_lost);
	iot_pack_diag(mark, &run->tally.now.diag);
	iot_dat_seen_save(run->file, run->tally.seen, mark);
}

/* Read the page again; its last @left bytes were not decoded. */
static gboolean enter_page(struct iot_dat_run *run, guint64 left, GError **error)
{
	struct iot_dat_page page;

	if (iot_dat_pages_next(run->pages, &page, error) != IOT_DAT_PAGE)
		return FALSE;
	run->page_len = page.len;
	iot_ring_page_init(&run->page, &run->file->layout, page.data, page.len);
	if (left > (gsize)(run->page.end - run->page.p))
		return FALSE;
	run->page.p = run->page.end - left;
	return TRUE;
}

gboolean iot_dat_run_seek(struct iot_dat_run *run, struct iot_unpack *mark, GError **error)
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

	run->may_pass = run->to_ns != G_MAXUINT64;
	if (mark->bad || !iot_dat_pages_seek(run->pages, &pages, error))
		return FALSE;
	run->in_page = (flags & IN_PAGE) != 0;
	if (run->in_page && !enter_page(run, left, error))
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
	run->tally.now.n_events = iot_unpack_uint(mark, G_MAXUINT64);
	run->tally.now.n_lost = iot_unpack_uint(mark, G_MAXUINT64);
	iot_unpack_diag(mark, &run->tally.now.diag);
	iot_dat_seen_load(run->file, run->tally.seen, mark);
	return !mark->bad;
}
