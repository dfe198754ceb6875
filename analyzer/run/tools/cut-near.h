/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that may belong to a finding. A pass notes the instants of the items on the rows of the
 * finding; an event at such an instant, on the same node, is near. Pipeline thread only.
 */
#ifndef IOT_RUN_TOOLS_CUT_NEAR_H
#define IOT_RUN_TOOLS_CUT_NEAR_H

#include "input/record.h"
#include "timeline/findings.h"

/* How far an event is from the finding. */
enum iot_cut_distance {
	IOT_CUT_OBJECTS,  /* it changes one of its objects, or is one of its instants */
	IOT_CUT_RESOURCE, /* it changes something on the same resource, or events are missing */
	IOT_CUT_ANYTHING,
	IOT_CUT_N_DISTANCES
};

struct iot_cut_near;

/** iot_cut_near_new - @finding is one of @tl; its rows and nodes are copied by name */
struct iot_cut_near *iot_cut_near_new(const struct iot_timeline *tl,
				      const struct iot_finding *finding);
/** iot_cut_near_free - accepts NULL */
void iot_cut_near_free(struct iot_cut_near *near);
/** iot_cut_near_start - before a pass whose items are noted; their rows are those of @tl */
void iot_cut_near_start(struct iot_cut_near *near, struct iot_timeline *tl);
/** iot_cut_near_item - an iot_item_func: notes the instants of an item; @near is a struct
 * iot_cut_near */
gboolean iot_cut_near_item(gpointer near, const struct iot_item *item, GError **error);
/** iot_cut_near_distance - of an event of @node, after the pass of the items; the strings have the
 * same numbers in each pass */
enum iot_cut_distance iot_cut_near_distance(const struct iot_cut_near *near, iot_str node,
					    const struct iot_rec *rec);

#endif
