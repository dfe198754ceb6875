/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mode that a call on an object asks for: "asks" and "may weaken" of [pair]. */
#ifndef IOT_MODEL_ASKS_H
#define IOT_MODEL_ASKS_H

#include "model/tracked.h"

/** iot_asks_build - compile the settings of the section of @pair */
gboolean iot_asks_build(const struct iot_builder *b, struct iot_pair *pair);
/** iot_asks_check - whether the modes of @machine, which the pair's calls ask for, are compared */
gboolean iot_asks_check(const struct iot_builder *b, const struct iot_pair *pair,
			const struct iot_values *machine);
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
