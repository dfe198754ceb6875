/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Circular waits of nodes that hang: at the end, each node has waited for 10 s or longer for a mode
 * that the next node held all that time, whichever of its processes. A node may keep locks that
 * were asked for by processes that have gone, as GFS2 does; then no process both holds and waits. A
 * node that waits for one lock may give up another one, so such a cycle is possible, never proved.
 * One thread at a time.
 */
#ifndef IOT_ANALYSIS_HANGS_H
#define IOT_ANALYSIS_HANGS_H

#include "analysis/cycles.h"
#include "analysis/wait-parts.h"

struct iot_hangs;

struct iot_hangs *iot_hangs_new(struct iot_timeline *tl);
/** iot_hangs_free - accepts NULL */
void iot_hangs_free(struct iot_hangs *hangs);
/** iot_hangs_add - look at a wait that has ended; several holds in one blocker are left out, and
 * counted (cycle_forgotten) if one of them may have lasted */
void iot_hangs_add(struct iot_hangs *hangs, const struct iot_wait *wait);
/** iot_hangs_find - add the cycles to those of @cycles; after the last wait */
void iot_hangs_find(const struct iot_hangs *hangs, struct iot_cycles *cycles);

#endif
