/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the host of a guest let the guest's processor wait while a thread of the guest waited or
 * ran. A model draws the states of virtual CPUs from the host's recording; a span of the guest is
 * compared with the states of the virtual CPU on which the event was recorded that ended it. If the
 * guest has one virtual CPU only, it is that one.
 *
 * The history of a virtual CPU is bounded: of the remote past it keeps sums over several states.
 * The part of a span that begins inside such a sum is not known.
 *
 * Pipeline thread only.
 *
 * A window starts the history at its left edge, so that a run from a checkpoint has the same one.
 */
#ifndef IOT_TIMELINE_STEAL_H
#define IOT_TIMELINE_STEAL_H

#include "timeline/timeline.h"

struct iot_steal;

/**
 * iot_steal_new - add the attributes "stolen" and "stolen_unknown" to the types of @tl whose spans
 * wait for something or need a processor; after all models are loaded
 *
 * NULL if no type of @tl has states of virtual CPUs. The caller frees.
 */
struct iot_steal *iot_steal_new(struct iot_timeline *tl);
/** iot_steal_free - accepts NULL */
void iot_steal_free(struct iot_steal *steal);
/** iot_steal_add_cpu - a virtual CPU of the guest with the identity @node */
void iot_steal_add_cpu(struct iot_steal *steal, iot_str node, guint32 cpu);
/** iot_steal_add_run - the number of the next run: its events are recorded on that CPU, which may
 * be no virtual one */
void iot_steal_add_run(struct iot_steal *steal, iot_str node, guint32 cpu);
/** iot_steal_set_window - nothing is asked about the time before and after, ns */
void iot_steal_set_window(struct iot_steal *steal, guint64 from_ns, guint64 to_ns);

/** iot_steal_cpus - the number of virtual CPUs of the node above @row */
guint iot_steal_cpus(const struct iot_steal *steal, iot_row_id row);

/** iot_steal_state - a span begins or ends at @t; ignored unless it is a state of a virtual CPU */
void iot_steal_state(struct iot_steal *steal, const struct iot_item *item, guint64 t,
		     gboolean begins);
/** iot_steal_mark - fill the two attributes of a whole span that an event of @run ended; a span
 * without such an event has the flag UNFINISHED, SUSPECT or CUT_RIGHT */
void iot_steal_mark(struct iot_steal *steal, struct iot_item *item, guint32 run);

#endif
