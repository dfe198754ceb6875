/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unexplained time of waits: nothing recorded was in the way, but messages or callbacks of the wait
 * were under way (handover.h).
 */
#ifndef IOT_ANALYSIS_UNEXPLAINED_H
#define IOT_ANALYSIS_UNEXPLAINED_H

#include "analysis/handover.h"
#include "analysis/wait-parts.h"

/**
 * iot_unexplained_split - give unexplained time of a wait to the messages and callbacks in it
 * @wait: with its last parts, whose causes do not change; the time of dropped parts
 * (iot_wait_merge) stays unexplained
 * @instants: of the same wait
 */
void iot_unexplained_split(struct iot_wait *wait, const struct iot_handover *instants);

#endif
