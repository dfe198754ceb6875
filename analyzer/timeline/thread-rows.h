/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of threads: which row of the picture is which thread of which machine, by the number of
 * the machine's first recording. Models that draw threads announce them here; models that only add
 * to such rows, such as the states that a scheduler knows, ask here. Pipeline thread only.
 */
#ifndef IOT_TIMELINE_THREAD_ROWS_H
#define IOT_TIMELINE_THREAD_ROWS_H

#include "timeline/timeline.h"

struct iot_thread_rows;

/** iot_thread_func - from @ts on, a thread has this row */
typedef void (*iot_thread_func)(gpointer user_data, guint32 machine, gint64 pid, guint64 ts);

struct iot_thread_rows *iot_thread_rows_new(struct iot_timeline *tl);
void iot_thread_rows_free(struct iot_thread_rows *threads);
/** iot_thread_rows_disable - no type is announced: all models draw threads by themselves */
void iot_thread_rows_disable(struct iot_thread_rows *threads);
/** iot_thread_rows_set_type - a model draws threads on rows of this type; only the first counts */
void iot_thread_rows_set_type(struct iot_thread_rows *threads, iot_type_id type);
/** iot_thread_rows_type - that type; 0: no model draws threads */
iot_type_id iot_thread_rows_type(const struct iot_thread_rows *threads);
/** iot_thread_rows_follow - call @func for every thread that gets a row, or another one */
void iot_thread_rows_follow(struct iot_thread_rows *threads, iot_thread_func func,
			    gpointer user_data);
/** iot_thread_rows_note - from @ts on, thread @pid of @machine is on @row */
void iot_thread_rows_note(struct iot_thread_rows *threads, guint32 machine, gint64 pid,
			  iot_row_id row, guint64 ts);
/**
 * iot_thread_rows_find - the row of a thread; 0: it has none yet
 * @out_since: when it got its first row; may be NULL
 */
iot_row_id iot_thread_rows_find(const struct iot_thread_rows *threads, guint32 machine, gint64 pid,
				guint64 *out_since);

/** iot_thread_rows_save - append all threads */
void iot_thread_rows_save(const struct iot_thread_rows *threads, GByteArray *out);
/** iot_thread_rows_load - the same back, after the rows; several models may have saved them; FALSE
 * if they are damaged */
gboolean iot_thread_rows_load(struct iot_thread_rows *threads, struct iot_unpack *in);

#endif
