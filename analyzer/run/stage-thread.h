/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread of their own for the stages and the selection after them, so that the pipeline thread
 * reads on meanwhile. Whatever the stages learn travels in the order of the items: also that a
 * machine has a gap. So the result does not depend on how far the pipeline thread is ahead.
 * Functions: pipeline thread only.
 *
 * The pipeline thread is ahead by an amount that depends on timing. So a stage must not ask the
 * timeline how many rows there are, or whether a machine has had a gap so far: both come with the
 * items (iot_timeline.rows_seen, iot_stage_thread_unobserved). Findings are added by models and
 * stages, so "check" runs its stages in the pipeline thread.
 */
#ifndef IOT_RUN_STAGE_THREAD_H
#define IOT_RUN_STAGE_THREAD_H

#include "timeline/resequence.h"

struct iot_stage_thread;

/**
 * iot_stage_thread_start - start the thread, which calls @func for each item
 *
 * From now on only that thread changes the gaps of @tl. The caller ends it with
 * iot_stage_thread_free(). NULL and an error of code MEMORY if the system has no thread.
 */
struct iot_stage_thread *iot_stage_thread_start(struct iot_timeline *tl, iot_item_func func,
						gpointer user_data, GError **error);
/** iot_stage_thread_item - the next item (an iot_item_func); FALSE with the error of the thread's
 * function, perhaps for an earlier item */
gboolean iot_stage_thread_item(gpointer thread, const struct iot_item *item, GError **error);
/** iot_stage_thread_unobserved - iot_timeline_set_unobserved, after the items so far and before
 * those that follow */
void iot_stage_thread_unobserved(struct iot_stage_thread *thread, iot_str node, guint64 ns);
/** iot_stage_thread_finish - after the last item: wait for the thread's end; FALSE with its error
 */
gboolean iot_stage_thread_finish(struct iot_stage_thread *thread, GError **error);
/** iot_stage_thread_free - stop the thread if it has not ended; accepts NULL */
void iot_stage_thread_free(struct iot_stage_thread *thread);
/** iot_stage_thread_memory - bytes of the queue */
gsize iot_stage_thread_memory(const struct iot_stage_thread *thread);

#endif
