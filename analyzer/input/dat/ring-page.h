/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoding of one page (sub-buffer) of the kernel's ring buffer. Nothing in a page is trusted:
 * every length is checked against the valid bytes, and at the first contradiction the page ends and
 * is "damaged". Pages do not depend on each other. No allocation, no state outside of the struct;
 * any thread.
 */
#ifndef IOT_INPUT_DAT_RING_PAGE_H
#define IOT_INPUT_DAT_RING_PAGE_H

#include "base/fault.h"
#include "input/bytes.h"

struct iot_ring_layout {
	gboolean big_endian;
	guint commit_size; /* 4 or 8: a long of the recorded kernel */
};

static inline gsize iot_ring_header_size(const struct iot_ring_layout *layout)
{
	return 8 + layout->commit_size;
}

struct iot_ring_page {
	const guint8 *p, *end; /* bytes that are not decoded yet */
	guint64 ts; /* raw time of the last event that was returned; before the first: of the page
		     */
	gboolean big_endian;
	gboolean damaged; /* a contradiction ended the page: events may be missing */
	gboolean lost;	  /* events were lost before this page ... */
	guint64 n_lost;	  /* ... this many; G_MAXUINT64 if not known */
};

struct iot_ring_event {
	/* the 4 bytes from here and the 8 bytes before can be read whatever the size is */
	const guint8 *payload;
	guint32 size;
};

/**
 * iot_ring_page_init - start with a page
 * @data, @len: the page with its header; a page that was cut off is decoded to its end
 *
 * A page with a wrong header is empty and damaged.
 */
void iot_ring_page_init(struct iot_ring_page *page, const struct iot_ring_layout *layout,
			const guint8 *data, gsize len);

/**
 * iot_ring_page_peek - the raw time in a page's header
 * @header: at least the header; @size: of the whole page
 *
 * Returns 0 if the header is wrong.
 */
guint64 iot_ring_page_peek(const struct iot_ring_layout *layout, const guint8 *header, gsize size);

/* The slow path of iot_ring_page_next, for everything but short events: do not call. */
gboolean iot_ring_page_slow(struct iot_ring_page *page, struct iot_ring_event *event);

/* The slow path on copies, so that the fast path can keep the caller's structs in registers. */
static inline gboolean iot_ring_page_call_slow(struct iot_ring_page *page,
					       struct iot_ring_event *event)
{
	struct iot_ring_page page_copy = *page;
	struct iot_ring_event event_copy = { 0 };
	gboolean ok = iot_ring_page_slow(&page_copy, &event_copy);

	*page = page_copy;
	*event = event_copy;
	return ok;
}

/** iot_ring_page_next - the next event; its time is page->ts; FALSE at the end */
static inline gboolean iot_ring_page_next(struct iot_ring_page *page, struct iot_ring_event *event)
{
	gsize left = (gsize)(page->end - page->p);
	guint32 word, type, delta, size;

	/* fast path: a short event */
	if (G_LIKELY(left >= 4)) {
		word = iot_load_u32(page->p, page->big_endian);
		type = page->big_endian ? word >> 27 : word & 31;
		delta = page->big_endian ? word & 0x7ffffff : word >> 5;
		size = type * 4;
		/* fast path: a short event */
		if (G_LIKELY(type - 1 < 28 && left >= 4 + size) && !iot_slow_only()) {
			page->ts += delta;
			event->payload = page->p + 4;
			event->size = size;
			page->p += 4 + size;
			return TRUE;
		}
	}
	/* slow path */
	return iot_ring_page_call_slow(page, event);
}

/**
 * iot_ring_page_plausible - whether these bytes are a whole page with at least one event
 * @first_ts, @last_ts: raw times of its first and last event; may be NULL
 *
 * For finding pages in a file without a table of contents.
 */
gboolean iot_ring_page_plausible(const struct iot_ring_layout *layout, const guint8 *data,
				 gsize len, guint64 *first_ts, guint64 *last_ts);

#endif
