/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [counter]: a number for each row, changed by events and by calls that have returned. Every new
 * value is a sample. Changes lost in a gap are not counted.
 */
#ifndef IOT_MODEL_COUNTER_H
#define IOT_MODEL_COUNTER_H

#include "model/hook.h"

/** iot_counter_change - change the value of @row at @ts; emits a sample if it is a new one. The
 * amount of a counter with format "real" is the value of a real number (base/real.h) */
void iot_counter_change(struct iot_counter *counter, iot_row_id row, enum iot_change change,
			gint64 amount, guint64 ts);
/** iot_counter_free - GDestroyNotify of a struct iot_counter */
void iot_counter_free(gpointer counter);
/** iot_counter_save - append the values of all rows to @out */
void iot_counter_save(const struct iot_counter *counter, GByteArray *out);
/** iot_counter_load - set the values of all rows; FALSE if they do not fit the timeline */
gboolean iot_counter_load(struct iot_counter *counter, struct iot_unpack *in);

#endif
