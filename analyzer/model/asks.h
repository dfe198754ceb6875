/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mode that a call on an object asks for: "asks" and "may weaken" of [pair].
 *
 * Modes that exclude each other ([compatible]) are kept in the categories of the timeline
 * (iot_cats_compatible, iot_cat_covers), and a span of a call has the category of the mode that
 * the call asks for. So analyses compare modes without knowledge of a protocol.
 *
 * Certain and leaving. A hold is drawn up to the completion that ends it, but its holder gives it
 * up with the call. While a span of role LEAVING or with the flag LEAVING lies in a hold, on its
 * row and lane (iot_item_leaves), the hold is not certain, except in the mode that a span of role
 * LEAVING asks for. Nothing is changed in the past: the open call holds the watermark until its
 * end says whether it was accepted. The attribute "leaving" of a hold is the sum of these spans
 * within the window.
 *
 * Keeping. A call that asks for the mode that is held gives up nothing, and nothing is in its way:
 * its span has the role KEEPING. So it is no wait to analyses and rankings, only time. A call that
 * asks for something else takes its place.
 */
#ifndef IOT_MODEL_ASKS_H
#define IOT_MODEL_ASKS_H

#include "model/tracked.h"

/** iot_asks_build - compile the settings of the section of @pair */
gboolean iot_asks_build(const struct iot_builder *b, struct iot_pair *pair);
/** iot_asks_check - whether the modes of @values, which the pair's calls ask for, are compared */
gboolean iot_asks_check(const struct iot_builder *b, const struct iot_pair *pair,
			const struct iot_values *values);
/** iot_asks_mode - the mode among @values that a standalone call asks for, its start being SELF of
 * @eval; 0: none */
iot_cat_id iot_asks_mode(const struct iot_timeline *tl, const struct iot_pair *pair,
			 const struct iot_values *values, const struct iot_eval *eval);
/** iot_asks_free - GDestroyNotify of a struct iot_asks */
void iot_asks_free(gpointer asks);
/* The part of a hold that the object gives up by a call, from its start to its completion. */
enum iot_gives_up {
	IOT_GIVES_UP_NOTHING,
	/* the call asks for the mode that is held */
	IOT_ASKS_FOR_THE_SAME,
	/* it asks for less than is held, or for nothing: nobody waits */
	IOT_RELEASES,
	/* it asks for another mode, and the hold cannot be relied on until then */
	IOT_LEAVES,
};
struct iot_asked {
	/* 0: none, or it is not certain */
	iot_cat_id cat;
	enum iot_gives_up gives_up;
};
/** iot_asks_judge - compare the mode that the call asks for, its start being SELF of @eval, with
 * the mode of its object */
struct iot_asked iot_asks_judge(const struct iot_call *call, const struct iot_eval *eval);
/** iot_asks_releases - whether all calls of the pair give their object up */
gboolean iot_asks_releases(const struct iot_pair *pair);

#endif
