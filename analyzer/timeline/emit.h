/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Models emit points and spans here. Items are numbered, clipped to the window, added to the sums
 * that rank rows, and pushed to the resequencer, which delivers them in the order of the feed.
 * Pipeline thread only.
 *
 * With tl->selects_late the items of hidden rows are emitted, too, and nothing is summed here:
 * the receiver of the items does both (timeline/selected.h).
 *
 * Errors of outputs are kept until iot_emit_advance returns them, so that models need no error
 * paths.
 *
 * A span that began before the recording (flag BEFORE) or in a gap (SUSPECT) may be emitted late.
 * It gets a lane on which nothing has been drawn, so that readers that demand order in each row
 * still get it.
 *
 * The watermark is the position of the merge, or the start of the oldest open call: open calls
 * form a list by start, so the oldest is its head.
 */
#ifndef IOT_TIMELINE_EMIT_H
#define IOT_TIMELINE_EMIT_H

#include "timeline/resequence.h"

struct iot_emit;

/* An open span, embedded in its owner, which fills type, cat, row, lane, flags, t0 and attr. */
struct iot_span {
	struct iot_item item;
	gboolean open;
	gboolean begun;		      /* its SPAN_BEGIN item was emitted */
	struct iot_span *prev, *next; /* list of the spans that wait for the left edge */
};

struct iot_emit_config {
	guint64 from_ns, to_ns; /* window; 0 and G_MAXUINT64: none */
	guint64 memory;		/* bytes for waiting items; beyond that they are spilled */
	gboolean begins;	/* the feed is WITH_BEGINS */
	iot_item_func func;	/* NULL: items are only summed */
	gpointer user_data;	/* of func; see also iot_emit_connect */
};

struct iot_emit *iot_emit_new(struct iot_timeline *tl, const struct iot_emit_config *config);
void iot_emit_free(struct iot_emit *emit);
/** iot_emit_connect - set the user_data of the function; before the first item */
void iot_emit_connect(struct iot_emit *emit, gpointer user_data);

/** iot_emit_point - @item has type, cat, row, lane, flags, t0 and attr filled in */
void iot_emit_point(struct iot_emit *emit, struct iot_item *item);
/** iot_emit_sample - the same for a new value of a counter */
void iot_emit_sample(struct iot_emit *emit, struct iot_item *item);
/**
 * iot_emit_link - @item has type, cat, row, lane, flags and attr filled in, and iot_link_set
 *
 * A link that ends after the window is left out, because its later end is an event after the
 * window. One that begins before the window is cut there (CUT_LEFT). If the row of one end is
 * hidden, that end moves to the other one's row and lane (FROM_HIDDEN, TO_HIDDEN), here or after
 * the stages. Links rank no rows.
 */
void iot_emit_link(struct iot_emit *emit, struct iot_item *item);
/** iot_emit_gap - events of a node are missing between item->t0 and item->t1 */
void iot_emit_gap(struct iot_emit *emit, struct iot_item *item);
/**
 * iot_emit_reserve - reserve a begin slot at @t0, the present time, for spans that will be emitted
 * whole by iot_emit_span
 *
 * Returns a number for iot_emit_span. It is an optimisation: 0 is always valid, too.
 */
guint64 iot_emit_reserve(struct iot_emit *emit, guint64 t0);
/** iot_emit_begin - open a span */
void iot_emit_begin(struct iot_emit *emit, struct iot_span *span);
/** iot_emit_end - close the span at @t1 and add @flags; ignored if the span is not open */
void iot_emit_end(struct iot_emit *emit, struct iot_span *span, guint64 t1, guint flags);
/** iot_emit_leaving - the open span of a hold was being left from @t0 to @t1; adds the part in the
 * window to its attribute "leaving", if its type has one */
void iot_emit_leaving(const struct iot_emit *emit, struct iot_span *hold, guint64 t0, guint64 t1);
/**
 * iot_emit_span - emit a completed span
 * @item: type, cat, row, lane, flags, t0 and attr are filled in; attr stays, the rest is changed
 * @slot: of iot_emit_reserve, or 0
 * @t1: end, ns
 * @flags: added at the end
 */
void iot_emit_span(struct iot_emit *emit, struct iot_item *item, guint64 slot, guint64 t1,
		   guint flags);

/** iot_emit_moved - the values of tl->moved for the items of the present record, which are its
 * points and the spans that it ends */
void iot_emit_moved(struct iot_emit *emit, guint64 shift, guint64 round);

/** iot_emit_run - the run of the record whose consequences are emitted from now on */
void iot_emit_run(struct iot_emit *emit, guint32 run);

/** iot_emit_to - the end of the window; facts from later events must not be drawn */
guint64 iot_emit_to(const struct iot_emit *emit);

/**
 * iot_emit_advance - deliver all items before @watermark_ns
 *
 * No later item may be before it, except spans flagged BEFORE or SUSPECT, which may begin earlier
 * on a lane that was never used.
 */
gboolean iot_emit_advance(struct iot_emit *emit, guint64 watermark_ns, GError **error);
/** iot_emit_finish - deliver the rest; all spans must have been closed */
gboolean iot_emit_finish(struct iot_emit *emit, GError **error);
/** iot_emit_spilled - items that went through a temporary file */
guint64 iot_emit_spilled(const struct iot_emit *emit);
/** iot_emit_memory - peak memory of waiting items, in bytes */
gsize iot_emit_memory(const struct iot_emit *emit);
/** iot_emit_items - items handed to the feeds */
guint64 iot_emit_items(const struct iot_emit *emit);

/*
 * Checkpoints. A window that begins after a checkpoint needs the spans that are open there, and no
 * other items. Load before the first item: iot_emit_load, then all spans, then iot_emit_loaded.
 */
void iot_emit_save(const struct iot_emit *emit, GByteArray *out);
gboolean iot_emit_load(struct iot_emit *emit, struct iot_unpack *in);
/** iot_span_save - append a span; a closed span is one number */
void iot_span_save(const struct iot_span *span, GByteArray *out);
/** iot_emit_load_span - fill @span; FALSE if @in is malformed */
gboolean iot_emit_load_span(struct iot_emit *emit, struct iot_span *span, struct iot_unpack *in);
void iot_emit_loaded(struct iot_emit *emit);

#endif
