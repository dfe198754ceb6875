/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose time passes in a span: the thread. */
#ifndef IOT_ANALYSIS_ITEM_THREAD_H
#define IOT_ANALYSIS_ITEM_THREAD_H

#include "timeline/timeline.h"

/** iot_thread_row - the row that is a thread: @row, or one above it, whose identity is a number
 * @out_pid: that number; 0: there is no such row */
iot_row_id iot_thread_row(const struct iot_timeline *tl, iot_row_id row, guint64 *out_pid);
/** iot_item_thread - the pid of the thread that a span with a reason belongs to; 0: the span does
 * not say */
guint64 iot_item_thread(const struct iot_timeline *tl, const struct iot_item *item);

#endif
