/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of one span, from the accounts of what was done for it. */
#ifndef IOT_ANALYSIS_ACCOUNT_FOLD_H
#define IOT_ANALYSIS_ACCOUNT_FOLD_H

#include "timeline/part.h"

struct iot_account_part {
	guint64 t0, t1; /* ns */
	iot_cat_id
		asked; /* category of the span that the caller asked for; 0: a span of its thread */
	iot_cat_id cat; /* of the innermost span */
	iot_row_id row; /* its row */
	enum iot_phase phase;
	guint32 wakers; /* the thread slept: who woke it (wakers.h); 0: it did not, or is not known
			 */
};

/* A span that was done for another one. */
struct iot_child {
	guint64 t0, t1; /* from the request to the answer, ns; it may begin before the caller */
	guint64 w0, w1; /* the span itself */
	GArray *parts;	/* its account, without holes; a reference */
	iot_cat_id cat; /* its category and place, to find it again when the answer comes */
	iot_row_id row;
	guint16 lane;
	gboolean linked; /* by a request, not by its thread */
};

/** iot_child_clear - drop the reference */
void iot_child_clear(gpointer child);
/**
 * iot_account_fold - the parts of all @children in [@t0, @t1], without overlap, which the caller
 * frees
 * @children: struct iot_child; they are sorted
 * @n_concurrent: is increased by the number of linked children that lost time to others
 */
GArray *iot_account_fold(GArray *children, guint64 t0, guint64 t1, guint64 *n_concurrent);
/** iot_account_fill - @parts, with the holes in [@t0, @t1] given to the span itself: its category
 * and row; before and after a request that travels, the phases say so */
GArray *iot_account_fill(const GArray *parts, guint64 t0, guint64 t1,
			 const struct iot_account_part *own);
/** iot_account_append - append the part, cut to [@t0, @t1]; neighbours that are alike become one */
void iot_account_append(GArray *parts, const struct iot_account_part *part, guint64 t0, guint64 t1);
/** iot_account_shrink - merge short neighbours until there are at most @max parts */
void iot_account_shrink(GArray *parts, guint max);

#endif
