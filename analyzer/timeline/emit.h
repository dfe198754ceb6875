/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where models put points and spans. Numbers the items, clips them to the window, sums what rows
 * are ranked by, and hands them to the resequencer, whose order is that of the feed. Pipeline
 * thread only.
 *
 * Errors of the outputs are kept and returned by iot_emit_advance, so that joiners need no error
 * paths.
 */
#ifndef IOT_TIMELINE_EMIT_H
#define IOT_TIMELINE_EMIT_H

#include "timeline/resequence.h"

struct iot_emit;

/* An open span; embedded in its owner, who fills type, cat, row, lane, flags, t0 and attr. */
struct iot_span {
	struct iot_item item;
	gboolean open;
	gboolean begun;		      /* its begin has been handed to the TIME feed */
	struct iot_span *prev, *next; /* spans that are open to the left of the window */
};

struct iot_emit_config {
	guint64 from_ns, to_ns; /* window; 0 and G_MAXUINT64: none */
	guint64 memory;		/* for items that wait */
	gboolean begins;	/* the feed is TIME, not END */
	iot_item_func func;	/* NULL: nobody wants items */
	gpointer user_data;	/* of this; see also iot_emit_connect */
};

struct iot_emit *iot_emit_new(struct iot_timeline *tl, const struct iot_emit_config *config);
void iot_emit_free(struct iot_emit *emit);
/** iot_emit_connect - the user_data of the function, if it was not known yet; before any item */
void iot_emit_connect(struct iot_emit *emit, gpointer user_data);

/** iot_emit_point - @item has type, cat, row, lane, flags, t0 and attr filled in */
void iot_emit_point(struct iot_emit *emit, struct iot_item *item);
/** iot_emit_sample - the same for a new value of a counter */
void iot_emit_sample(struct iot_emit *emit, struct iot_item *item);
/** iot_emit_gap - events of a node are missing between item->t0 and item->t1 */
void iot_emit_gap(struct iot_emit *emit, struct iot_item *item);
/** iot_emit_place - it is @t0 now, and spans may begin here that will be emitted whole later. It
 * only makes things faster */
guint64 iot_emit_place(struct iot_emit *emit, guint64 t0);
/** iot_emit_begin - open a span */
void iot_emit_begin(struct iot_emit *emit, struct iot_span *span);
/** iot_emit_end - close an open span at @t1; @flags are added to those it has; nothing if it is not
 * open */
void iot_emit_end(struct iot_emit *emit, struct iot_span *span, guint64 t1, guint flags);
/** iot_emit_span - begin and end in one, of a span that is over; @item is used up but for its
 * attributes, @flags are those of the end, @place is of iot_emit_place or 0 */
void iot_emit_span(struct iot_emit *emit, struct iot_item *item, guint64 place, guint64 t1,
		   guint flags);

/** iot_emit_to - the end of the window: what is known only by a later event is not drawn in it */
guint64 iot_emit_to(const struct iot_emit *emit);

/**
 * iot_emit_advance - nothing will be emitted before @watermark_ns any more; deliver what is before
 * it
 *
 * Only spans flagged BEFORE or SUSPECT may still begin earlier, on a lane that was never used.
 */
gboolean iot_emit_advance(struct iot_emit *emit, guint64 watermark_ns, GError **error);
/** iot_emit_finish - deliver the rest; all spans must have been closed */
gboolean iot_emit_finish(struct iot_emit *emit, GError **error);
/** iot_emit_spilled - items that went through a temporary file */
guint64 iot_emit_spilled(const struct iot_emit *emit);
/** iot_emit_memory - the most bytes that waiting items took so far */
gsize iot_emit_memory(const struct iot_emit *emit);
/** iot_emit_items - items handed to the feeds */
guint64 iot_emit_items(const struct iot_emit *emit);

/*
 * What was emitted before an instant is of no interest to a window that begins behind it, but for
 * the spans that are open there. Load happens before anything is emitted: first iot_emit_load, then
 * every span, then iot_emit_loaded.
 */
void iot_emit_save(const struct iot_emit *emit, GByteArray *out);
gboolean iot_emit_load(struct iot_emit *emit, struct iot_unpack *in);
/** iot_span_save - a span that is open, or that it is not */
void iot_span_save(const struct iot_span *span, GByteArray *out);
/** iot_emit_load_span - FALSE if there can be no such span */
gboolean iot_emit_load_span(struct iot_emit *emit, struct iot_span *span, struct iot_unpack *in);
void iot_emit_loaded(struct iot_emit *emit);

#endif
