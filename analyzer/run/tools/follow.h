/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --follow: all that is linked to one call. Two looks at the recordings before the outputs are
 * written, because a link may lead to a span that has already ended:
 *
 * 1. the seeds, which are the items with the asked attribute, and all links;
 * 2. if there are links: the innermost span at each end of a link. Links that end in one span, or
 *    at one instant of a lane without a span, follow from each other, transitively. States that are
 *    held (role HOLD) connect nothing: a lock is held through many calls.
 *
 * Shown are the seeds, the connected links and spans, and the items inside these spans on their
 * lanes. Memory grows with the number of links of the recordings, 64 bytes each. Pipeline thread
 * only.
 */
#ifndef IOT_RUN_TOOLS_FOLLOW_H
#define IOT_RUN_TOOLS_FOLLOW_H

#include "timeline/resequence.h"

struct iot_follow;

/**
 * iot_follow_new - @what is VALUE, of an attribute "id" or "call", or NAME=VALUE
 *
 * Its error says how to write it.
 */
struct iot_follow *iot_follow_new(const char *what, GError **error);
/** iot_follow_free - accepts NULL */
void iot_follow_free(struct iot_follow *follow);

/** iot_follow_begin - a look begins, at a timeline that is the same in each of them */
void iot_follow_begin(struct iot_follow *follow, struct iot_timeline *tl);
/** iot_follow_observe - an item of a look: whole spans of all rows (an iot_item_func) */
gboolean iot_follow_observe(gpointer follow, const struct iot_item *item, GError **error);
/** iot_follow_end - a look is over; TRUE if another one is needed */
gboolean iot_follow_end(struct iot_follow *follow);

/** iot_follow_shows - whether to show an item of the last pass, with begins or without; the links
 * must come in the order of the looks, and all of them */
gboolean iot_follow_shows(struct iot_follow *follow, const struct iot_item *item);
/** iot_follow_missing - NULL if there were seeds, else a sentence; the caller frees */
char *iot_follow_missing(const struct iot_follow *follow);
/** iot_follow_count - add the links beyond the limit, which were not followed */
void iot_follow_count(const struct iot_follow *follow, struct iot_diag *diag);

#endif
