/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts items from the order of emission into the order of a feed (timeline.h). Items wait until
 * the watermark has passed them: the time before which no more items can come. Beyond the memory
 * budget they are spilled in sorted runs to a temporary file, and merged on release. So a call that
 * stays open for an hour costs disk, not memory. Pipeline thread only.
 */
#ifndef IOT_TIMELINE_RESEQUENCE_H
#define IOT_TIMELINE_RESEQUENCE_H

#include "timeline/timeline.h"

/** Receives items; FALSE with an error ends the run. */
typedef gboolean (*iot_item_func)(gpointer user_data, const struct iot_item *item, GError **error);

struct iot_resequence;

/** iot_resequence_new - @memory: bytes of waiting items, beyond which they are spilled */
struct iot_resequence *iot_resequence_new(guint64 memory, iot_item_func func, gpointer user_data);
/** iot_resequence_connect - set the user_data of the function; before the first item */
void iot_resequence_connect(struct iot_resequence *reseq, gpointer user_data);
void iot_resequence_free(struct iot_resequence *reseq);
/**
 * iot_resequence_reserve - reserve a begin slot at @t, the present time
 *
 * Returns its number, or 0: then the begins of spans are sorted like other items.
 */
guint64 iot_resequence_reserve(struct iot_resequence *reseq, guint64 t);
/** iot_resequence_push - add a copy of an item */
gboolean iot_resequence_push(struct iot_resequence *reseq, const struct iot_item *item,
			     GError **error);
/**
 * iot_resequence_push_whole - add a copy of a span and its begin
 * @begin_flags: flags of the begin, whose t1 is span->t0 and whose seq is span->seq - 1
 * @slot: the begin slot, or 0
 */
gboolean iot_resequence_push_whole(struct iot_resequence *reseq, const struct iot_item *span,
				   guint16 begin_flags, guint64 slot, GError **error);
/** iot_resequence_release - deliver all items before @watermark_ns; G_MAXUINT64 delivers the rest
 */
gboolean iot_resequence_release(struct iot_resequence *reseq, guint64 watermark_ns, GError **error);
/** iot_resequence_memory - peak memory of waiting items, in bytes */
gsize iot_resequence_memory(const struct iot_resequence *reseq);
/** iot_resequence_spilled - number of items spilled so far */
guint64 iot_resequence_spilled(const struct iot_resequence *reseq);

#endif
