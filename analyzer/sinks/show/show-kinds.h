/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of spans in a picture of text: their letters, and the legend. */
#ifndef IOT_SINKS_SHOW_KINDS_H
#define IOT_SINKS_SHOW_KINDS_H

#include "timeline/timeline.h"

struct iot_show_kind {
	iot_cat_id cat;
	char letter;
	guint64 count, sum_ns, longest_ns;
};

/** iot_show_kinds_new - an array of struct iot_show_kind */
GArray *iot_show_kinds_new(void);
/** iot_show_kinds_at - the entry of a kind, which is added if it is missing; valid until the next
 * call */
struct iot_show_kind *iot_show_kinds_at(GArray *kinds, iot_cat_id cat);
/** iot_show_kinds_find - the entry of a kind, or NULL */
const struct iot_show_kind *iot_show_kinds_find(const GArray *kinds, iot_cat_id cat);
/**
 * iot_show_kinds_name - sort by category and give each kind a letter of its own
 *
 * '#' is the first kind of role WAIT, '?' is "unknown". Every other kind gets a capital letter of
 * its name as long as there is a choice of letters in which all get one, else a digit or '*'.
 */
void iot_show_kinds_name(GArray *kinds, const struct iot_timeline *tl);

#endif
