/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/ring-page.h"

enum {
	TYPE_LONG = 0,
	TYPE_PADDING = 29,
	TYPE_EXTEND = 30,
	TYPE_ABSOLUTE = 31,
};

#define COMMIT_MASK   0x07ffffffu /* number of valid bytes */
#define COMMIT_UNUSED 0x38000000u /* no kernel sets these */
#define COMMIT_STORED 0x40000000u /* the number of lost events follows the valid bytes */
#define COMMIT_LOST   0x80000000u

#define ABSOLUTE_MASK ((G_GUINT64_CONSTANT(1) << 59) - 1)

static guint64 load_commit(const struct iot_ring_layout *layout, const guint8 *p)
{
	return layout->commit_size == 8 ? iot_load_u64(p, layout->big_endian)
					: iot_load_u32(p, layout->big_endian);
}

static void read_lost(struct iot_ring_page *page, const struct iot_ring_layout *layout,
		      guint64 commit, gsize room)
{
	page->lost = (commit & COMMIT_LOST) != 0;
	page->n_lost = G_MAXUINT64;
	if (!page->lost || !(commit & COMMIT_STORED) || room < layout->commit_size)
		return;
	page->n_lost = load_commit(layout, page->end);
	/* a count of 0 contradicts the flag, and so does a negative one */
	if (!page->n_lost || page->n_lost > G_MAXINT64)
		page->n_lost = G_MAXUINT64;
}

/* FALSE if the header contradicts itself. */
static gboolean read_header(const struct iot_ring_layout *layout, const guint8 *header, guint64 *ts,
			    guint64 *commit)
{
	*ts = iot_load_u64(header, layout->big_endian);
	*commit = load_commit(layout, header + 8);
	/* 64-bit kernels add the flag as a negative int, which sets the upper half, too */
	if ((*commit & COMMIT_LOST) && *commit >> 32 == G_MAXUINT32)
		*commit = (guint32)*commit;
	/* a kernel does not hand out pages of zeros, but a hole in a file reads like this */
	return *commit <= G_MAXUINT32 && !(*commit & COMMIT_UNUSED) && (*commit || *ts);
}

guint64 iot_ring_page_peek(const struct iot_ring_layout *layout, const guint8 *header, gsize size)
{
	guint64 ts, commit;

	if (!read_header(layout, header, &ts, &commit) ||
	    (commit & COMMIT_MASK) > size - iot_ring_header_size(layout))
		return 0;
	return ts;
}

void iot_ring_page_init(struct iot_ring_page *page, const struct iot_ring_layout *layout,
			const guint8 *data, gsize len)
{
	gsize header = iot_ring_header_size(layout), room;
	guint64 ts, commit, valid;

	*page = (struct iot_ring_page){
		.p = data, .end = data, .big_endian = layout->big_endian, .damaged = TRUE
	};
	if (len < header || !read_header(layout, data, &ts, &commit))
		return;
	page->ts = ts;
	page->p = data + header;
	room = len - header;
	valid = commit & COMMIT_MASK;
	page->end = page->p + MIN(valid, room);
	page->damaged = valid > room;
	read_lost(page, layout, commit, room - MIN(valid, room));
}

/* Callers may read the first 4 bytes of every payload, and the 8 bytes before. */
static const guint8 no_payload[8 + 4];

static gboolean stop(struct iot_ring_page *page, gboolean damaged)
{
	page->p = page->end;
	page->damaged |= damaged;
	return FALSE;
}

/* TYPE_LONG: the next word is the length, including that word. */
static gboolean take_long(struct iot_ring_page *page, struct iot_ring_event *event, guint32 length,
			  guint32 delta)
{
	gsize left = (gsize)(page->end - page->p) - 4;

	if (length < 4 || length > left || ((gsize)length + 3) / 4 * 4 > left)
		return stop(page, TRUE);
	page->ts += delta;
	event->payload = length >= 8 ? page->p + 8 : no_payload + 8;
	event->size = length - 4;
	page->p += 4 + ((gsize)length + 3) / 4 * 4;
	return TRUE;
}

gboolean iot_ring_page_slow(struct iot_ring_page *page, struct iot_ring_event *event)
{
	while (page->end - page->p >= 8) {
		guint32 word = iot_load_u32(page->p, page->big_endian);
		guint32 next = iot_load_u32(page->p + 4, page->big_endian);
		guint32 type = page->big_endian ? word >> 27 : word & 31;
		guint32 delta = page->big_endian ? word & 0x7ffffff : word >> 5;
		guint64 time = ((guint64)next << 27) + delta;

		switch (type) {
		case TYPE_LONG:
			return take_long(page, event, next, delta);
		case TYPE_PADDING:
			if (!delta)
				return stop(page, FALSE);
			if (next < 4 || next > (gsize)(page->end - page->p) - 4)
				return stop(page, TRUE);
			page->ts += delta;
			page->p += 4 + (gsize)next;
			break;
		case TYPE_EXTEND:
			page->ts += time;
			page->p += 8;
			break;
		case TYPE_ABSOLUTE:
			page->ts = (page->ts & ~ABSOLUTE_MASK) | (time & ABSOLUTE_MASK);
			page->p += 8;
			break;
		default:
			/* after an entry without payload the next may be a short event again */
			if ((gsize)type * 4 + 4 > (gsize)(page->end - page->p))
				return stop(page, TRUE);
			page->ts += delta;
			event->payload = page->p + 4;
			event->size = type * 4;
			page->p += 4 + (gsize)type * 4;
			return TRUE;
		}
	}
	/* one word can only be "rest unused": all other entries are longer */
	if (page->end - page->p == 4) {
		guint32 word = iot_load_u32(page->p, page->big_endian);

		return stop(page, (page->big_endian ? word : word >> 5 | word << 27) !=
					  (guint32)TYPE_PADDING << 27);
	}
	return stop(page, page->p != page->end);
}

gboolean iot_ring_page_plausible(const struct iot_ring_layout *layout, const guint8 *data,
				 gsize len, guint64 *first_ts, guint64 *last_ts)
{
	struct iot_ring_page page;
	struct iot_ring_event event;

	iot_ring_page_init(&page, layout, data, len);
	if (page.damaged || !page.ts || !iot_ring_page_next(&page, &event))
		return FALSE;
	if (first_ts)
		*first_ts = page.ts;
	while (iot_ring_page_next(&page, &event))
		;
	if (last_ts)
		*last_ts = page.ts;
	return !page.damaged;
}
