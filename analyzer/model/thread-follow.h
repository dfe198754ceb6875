/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows below the threads of other models (timeline/thread-rows.h). A model that draws threads notes
 * the row of each thread at the first event of a call, so that the rows exist before the call ends.
 * A model that follows keeps its objects from their first event on, and draws them from the moment
 * at which their thread has a row.
 *
 * Until an object has a row its spans are not emitted (iot_machine_move), and a state is only the
 * record that began it: its value and attributes are evaluated when the thread gets a row or a
 * rule asks for the mode (iot_machine_settle). A notice of such an object has a fast path
 * (note_unseen in object-events.c).
 */
#ifndef IOT_MODEL_THREAD_FOLLOW_H
#define IOT_MODEL_THREAD_FOLLOW_H

#include "model/model-local.h"

/** iot_bind_own_rows - FALSE and an error if rows of @on may be below other models' threads: only
 * a machine can be drawn there */
gboolean iot_bind_own_rows(const struct iot_builder *b, const struct iot_setting *setting,
			   const struct iot_row_type *on);
/** iot_threads_start - before the first event: hear of the threads that other models draw */
void iot_threads_start(struct iot_model *model);
/** iot_threads_note - announce the row of the thread that @rec belongs to */
void iot_threads_note(struct iot_model *model, const struct iot_event_role *first,
		      const struct iot_rec *rec);

#endif
