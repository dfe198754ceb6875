/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls in logs of strace that read and write files, as the start and end events of
 * events/iotrace.h (system "iotrace"), which models know already. Files (strace-files.h) have the
 * device 0.
 */
#ifndef IOT_INPUT_STRACE_CALL_H
#define IOT_INPUT_STRACE_CALL_H

#include "input/strace/strace-files.h"

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
	IOT_STRACE_EVENTS
};

/* Fields of these events; which event has which: iot_strace_event_fields. */
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
	IOT_STRACE_NUMBERS,
	/* numbers of texts */
	IOT_STRACE_PATH = IOT_STRACE_NUMBERS,
	IOT_STRACE_PATH2,
	IOT_STRACE_COMM,
	IOT_STRACE_FIELDS
};

/* An event before its slots are known. */
struct iot_strace_rec {
	enum iot_strace_event event;
	guint64 ts;
	gint32 pid;
	gint64 field[IOT_STRACE_FIELDS];
};

/** iot_strace_event_name - "open_start" */
const char *iot_strace_event_name(enum iot_strace_event event);
/** iot_strace_event_has - whether the event has the field */
gboolean iot_strace_event_has(enum iot_strace_event event, enum iot_strace_field field);
/** iot_strace_field_name - "ino" */
const char *iot_strace_field_name(enum iot_strace_field field);

/* Up to two pairs of events (the source and the target of sendfile), and files that are named for
 * the first time. */
struct iot_strace_call {
	guint n; /* pairs, 0 to 2 */
	struct iot_strace_rec start[2], end[2];
	guint n_files;
	struct iot_strace_rec file[4];
	guint32 opens;	  /* number of the path that an open names; 0: not known */
	gboolean closes;  /* an exec closes what it opens */
	gboolean unnamed; /* a descriptor whose file is not known */
};

/**
 * iot_strace_call_make - the events of a call
 * @line: a whole call, or its first part: then the ends have no result
 * @tgid: the process
 * @out: times, process and ids are left 0
 *
 * FALSE: the call is not about a file, and nothing is made.
 */
gboolean iot_strace_call_make(struct iot_strace_files *files, const struct iot_strace_line *line,
			      gint32 tgid, struct iot_strace_call *out);
/** iot_strace_call_end - fill the ends of a call that was begun with its first part; @line: its
 * second part; further files are added to @out */
void iot_strace_call_end(struct iot_strace_files *files, const struct iot_strace_line *line,
			 gint32 tgid, struct iot_strace_call *out);
/** iot_strace_call_is_sorted - for tests: whether the table of calls can be searched */
gboolean iot_strace_call_is_sorted(void);

#endif
