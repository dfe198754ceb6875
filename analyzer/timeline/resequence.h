/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From order of emission to the order of a feed (timeline.h). Items wait until the
 * watermark, the time below which nothing more can come, has passed them. Beyond the memory budget
 * they go to a temporary file in sorted runs, which are merged on release; so a call that stays
 * open for an hour costs disk, not memory. Pipeline thread only.
 */
#ifndef IOT_TIMELINE_RESEQUENCE_H
#define IOT_TIMELINE_RESEQUENCE_H

#include "timeline/timeline.h"

/** Receives items; FALSE with an error ends the run. */
typedef gboolean (*iot_item_func)(gpointer user_data, const struct iot_item *item, GError **error);

struct iot_resequence;

/** iot_resequence_new - @memory: bytes that waiting items may take before they are spilled */
struct iot_resequence *iot_resequence_new(guint64 memory, iot_item_func func, gpointer user_data);
/** iot_resequence_connect - another user_data; before any item */
void iot_resequence_connect(struct iot_resequence *reseq, gpointer user_data);
void iot_resequence_free(struct iot_resequence *reseq);
/**
 * iot_resequence_keep - keep a place at @t, the present time, for the begins of spans that will be
 * pushed later
 *
 * Returns its number, or 0: then they find their place in another way.
 */
guint64 iot_resequence_keep(struct iot_resequence *reseq, guint64 t);
/** iot_resequence_push - add an item (copied) */
gboolean iot_resequence_push(struct iot_resequence *reseq, const struct iot_item *item,
			     GError **error);
/**
 * iot_resequence_push_whole - a span, and in front of it its begin at span->t0, numbered span->seq
 * - 1, with all attributes of the span and the flags @begin_flags; @place: the place kept for that
 */
gboolean iot_resequence_push_whole(struct iot_resequence *reseq, const struct iot_item *span,
				   guint16 begin_flags, guint64 place, GError **error);
/** iot_resequence_release - deliver all items before @watermark_ns; G_MAXUINT64 delivers the rest
 */
gboolean iot_resequence_release(struct iot_resequence *reseq, guint64 watermark_ns, GError **error);
/** iot_resequence_memory - the most bytes that waiting items took so far */
gsize iot_resequence_memory(const struct iot_resequence *reseq);
/** iot_resequence_spilled - items that went through the temporary file so far */
guint64 iot_resequence_spilled(const struct iot_resequence *reseq);

#endif
