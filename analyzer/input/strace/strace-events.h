/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a log becomes: the start and end events of events/iotrace.h (system "iotrace"), which models
 * know already. Files (strace-files.h) have the device 0.
 */
#ifndef IOT_INPUT_STRACE_EVENTS_H
#define IOT_INPUT_STRACE_EVENTS_H

#include "input/made-events.h"

/* Events that a log becomes. Each pair of start and end has the same id. */
enum iot_strace_event {
	IOT_STRACE_OPEN_START,
	IOT_STRACE_OPEN_END,
	IOT_STRACE_CLOSE_START,
	IOT_STRACE_CLOSE_END,
	IOT_STRACE_READ_START,
	IOT_STRACE_READ_END,
	IOT_STRACE_WRITE_START,
	IOT_STRACE_WRITE_END,
	IOT_STRACE_SYNC_START,
	IOT_STRACE_SYNC_END,
	IOT_STRACE_TRUNCATE_START,
	IOT_STRACE_TRUNCATE_END,
	IOT_STRACE_MMAP_START,
	IOT_STRACE_MMAP_END,
	IOT_STRACE_META_START,
	IOT_STRACE_META_END,
	IOT_STRACE_LOCK_START,
	IOT_STRACE_LOCK_END,
	IOT_STRACE_TASK,
	IOT_STRACE_FILE,
	IOT_STRACE_SENT,
	IOT_STRACE_RECEIVED,
	IOT_STRACE_EVENTS
};

/* Fields of these events; which event has which: iot_strace_kinds. */
enum iot_strace_field {
	IOT_STRACE_ID,
	IOT_STRACE_INO,
	IOT_STRACE_POS,
	IOT_STRACE_LEN,
	IOT_STRACE_TGID,
	IOT_STRACE_FD,
	IOT_STRACE_DEV,
	IOT_STRACE_FLAGS,
	IOT_STRACE_OP,
	IOT_STRACE_ARG,
	IOT_STRACE_MODE,
	IOT_STRACE_RET,
	IOT_STRACE_START,
	IOT_STRACE_WAIT,
	IOT_STRACE_TYPE,
	IOT_STRACE_WHENCE,
	IOT_STRACE_FIRST,
	IOT_STRACE_SCOPE,
	IOT_STRACE_NUMBERS,
	/* numbers of texts */
	IOT_STRACE_PATH = IOT_STRACE_NUMBERS,
	IOT_STRACE_PATH2,
	IOT_STRACE_COMM,
	IOT_STRACE_FROM,
	IOT_STRACE_TO,
	IOT_STRACE_FIELDS
};

/** iot_strace_kinds - names and fields of these events */
extern const struct iot_made_kinds iot_strace_kinds;

#endif
