/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sources make of calls on files: the start and end events of events/iotrace.h (system
 * "iotrace"), which models know already. In logs of strace files (strace-files.h) have the
 * device 0.
 */
#ifndef IOT_INPUT_FILE_EVENTS_H
#define IOT_INPUT_FILE_EVENTS_H

#include "input/made-events.h"

/* Each pair of start and end has the same id. */
enum iot_file_event {
	IOT_FILE_OPEN_START,
	IOT_FILE_OPEN_END,
	IOT_FILE_CLOSE_START,
	IOT_FILE_CLOSE_END,
	IOT_FILE_READ_START,
	IOT_FILE_READ_END,
	IOT_FILE_WRITE_START,
	IOT_FILE_WRITE_END,
	IOT_FILE_SYNC_START,
	IOT_FILE_SYNC_END,
	IOT_FILE_TRUNCATE_START,
	IOT_FILE_TRUNCATE_END,
	IOT_FILE_MMAP_START,
	IOT_FILE_MMAP_END,
	IOT_FILE_META_START,
	IOT_FILE_META_END,
	IOT_FILE_LOCK_START,
	IOT_FILE_LOCK_END,
	IOT_FILE_TASK,
	IOT_FILE_FILE,
	IOT_FILE_SENT,
	IOT_FILE_RECEIVED,
	IOT_FILE_STDIO_START,
	IOT_FILE_STDIO_END,
	IOT_FILE_EVENTS
};

/* Fields of these events; which event has which: file-events.c. */
enum iot_file_field {
	IOT_FILE_ID,
	IOT_FILE_INO,
	IOT_FILE_POS,
	IOT_FILE_LEN,
	IOT_FILE_TGID,
	IOT_FILE_FD,
	IOT_FILE_DEV,
	IOT_FILE_FLAGS,
	IOT_FILE_OP,
	IOT_FILE_ARG,
	IOT_FILE_MODE,
	IOT_FILE_RET,
	IOT_FILE_START,
	IOT_FILE_WAIT,
	IOT_FILE_TYPE,
	IOT_FILE_WHENCE,
	IOT_FILE_FIRST,
	IOT_FILE_SCOPE,
	IOT_FILE_NUMBERS,
	/* numbers of texts */
	IOT_FILE_PATH = IOT_FILE_NUMBERS,
	IOT_FILE_PATH2,
	IOT_FILE_COMM,
	IOT_FILE_FROM,
	IOT_FILE_TO,
	IOT_FILE_OPERATION,
	IOT_FILE_FIELDS
};

/** iot_strace_kinds, iot_preload_kinds - names and fields of these events */
extern const struct iot_made_kinds iot_strace_kinds, iot_preload_kinds;

#endif
