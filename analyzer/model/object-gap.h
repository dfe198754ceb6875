/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects when events are missing, and at the end of the recording.
 *
 * The lost events of one CPU may include the end of a call that began on another CPU, so a gap
 * concerns the whole input. At its begin and at its end all open calls are closed, states become
 * unknown, and completions of earlier calls are no longer trusted. An open call that gives up a
 * mode or a wait may have taken effect since its start, so from there to the gap its span is
 * drawn, UNKNOWN (iot_state_doubt). A state that looks right and is wrong is worse than an unknown
 * state.
 *
 * What a gap leaves undecided. A wait that begins in a gap is UNKNOWN: the completion of another
 * call may seem to be its own. Outputs draw it, sums leave it out (iot_item_waited). The same
 * holds for a call whose start a gap hides, unless its completion comes. The wait for a conversion
 * from an unknown mode is UNKNOWN, too, as the call may ask for the mode that is held; sums count
 * it. So is the wait for a call of which only the answer was seen, unless the model says what such
 * calls ask for, or they were refused (iot_state_draw_stray): it may have been a conversion to a
 * weaker mode. From iot_timeline_unobserved on, states of a machine may be unseen: an object that
 * began in a gap may be there until the end. So from there on no hold and no chain is proved
 * (iot_blocker.undecided), the number of waiters is the least, and tables of sums say so
 * (IOT_LOSS_UNDECIDED). A hold is undecided, too, while the mode of another lock of the resource
 * is unknown.
 *
 * Edges. A state that began before the recording is drawn from the recording's first event on,
 * flagged BEFORE, and is unknown until an event determines it. A state that is open at the end is
 * drawn to the end, UNFINISHED.
 */
#ifndef IOT_MODEL_OBJECT_GAP_H
#define IOT_MODEL_OBJECT_GAP_H

#include "model/tracked.h"

/** iot_kind_gap - events of @input are missing from @ts on (@begin), or up to @ts */
void iot_kind_gap(struct iot_object_kind *kind, guint input, guint64 ts, gboolean begin);
/** iot_kind_finish - close all objects at @ts; @at_end: the recording ends there, so open objects
 * and calls are counted */
void iot_kind_finish(struct iot_object_kind *kind, guint64 ts, gboolean at_end);

#endif
