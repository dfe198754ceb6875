/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOT_KERNELSHARK_BARS_H
#define IOT_KERNELSHARK_BARS_H

/*
 * Calls and waits of tasks as bars for KernelShark. A bar extends from a beginning event to an
 * ending event, on the row of the task of the beginning. This file does not draw.
 */

#include <glib.h>
#include <libkshark.h>
#include <libkshark-plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bar_kind {
	BAR_READ,
	BAR_WRITE,
	BAR_SYNC,
	BAR_OPEN, /* and close */
	BAR_META, /* metadata, truncate, mmap */
	BAR_AIO,
	BAR_CALL,
	BAR_LOCK, /* a lock of the DLM, from request to ast */
	BAR_KINDS,
};

struct bar {
	const struct kshark_entry *begin, *end;
	enum bar_kind kind;
};

/**
 * bars_watch - collect the events of @stream, which is about to be loaded
 *
 * Returns the number of kinds of events, 0 if the recording has none of ours. One thread makes all
 * calls.
 */
int bars_watch(struct kshark_data_stream *stream);
/** bars_unwatch - discard the collected events, before the entries are freed */
void bars_unwatch(struct kshark_data_stream *stream);
/**
 * bars_of_task - its bars in the order of their beginnings; NULL if there is none
 * @sd: number of the stream
 *
 * The array is valid until more is loaded. Times are those of the entries.
 */
const struct bar *bars_of_task(int sd, int pid, guint *out_n);

#ifdef __cplusplus
}
#endif

#endif
