/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/item-thread.h"

iot_row_id iot_thread_row(const struct iot_timeline *tl, iot_row_id row, guint64 *out_pid)
{
	for (; row; row = iot_row_at(tl, row)->parent)
		if (g_ascii_string_to_unsigned(iot_tl_str(tl, iot_row_at(tl, row)->id), 10, 1,
					       G_MAXINT32, out_pid, NULL))
			return row;
	*out_pid = 0;
	return 0;
}

guint64 iot_item_thread(const struct iot_timeline *tl, const struct iot_item *item)
{
	const guint8 thread = iot_type_at(tl, item->type)->thread;
	guint64 pid;

	if (thread != IOT_THREAD_OF_ROW)
		return thread && thread <= item->n_attrs ? item->attr[thread - 1].u : 0;
	iot_thread_row(tl, item->row, &pid);
	return pid;
}
