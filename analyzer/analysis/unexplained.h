/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unexplained time of waits: nothing recorded was in the way, but messages or callbacks of the wait
 * were under way (handover.h).
 */
#ifndef IOT_ANALYSIS_UNEXPLAINED_H
#define IOT_ANALYSIS_UNEXPLAINED_H

#include "analysis/handover.h"
#include "analysis/wait-parts.h"

enum iot_under_way {
	IOT_UNDER_WAY_MESSAGES,	 /* the request, the release or the grant travels */
	IOT_UNDER_WAY_CALLBACKS, /* to the holder, to the waiter */
	IOT_UNDER_WAY_NOTHING,	 /* that is known */
	IOT_N_UNDER_WAY
};

/** iot_under_way_name - "messages", "callbacks"; "unexplained" if nothing is known */
const char *iot_under_way_name(enum iot_under_way what);
/**
 * iot_unexplained_split - messages and callbacks in the unexplained time of a wait
 * @wait: with its last parts; the time of dropped parts (iot_wait_merge) is not known
 * @instants: of the same wait; NULL: not known
 * @out_ns: adds up to the wait's cause_ns[IOT_CAUSE_UNEXPLAINED]
 */
void iot_unexplained_split(const struct iot_wait *wait, const struct iot_handover *instants,
			   guint64 out_ns[IOT_N_UNDER_WAY]);

#endif
