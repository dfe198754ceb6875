/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/strace/strace-events.h"

static const char *const field_names[IOT_STRACE_FIELDS] = {
	[IOT_STRACE_ID] = "id",		[IOT_STRACE_INO] = "ino",     [IOT_STRACE_POS] = "pos",
	[IOT_STRACE_LEN] = "len",	[IOT_STRACE_TGID] = "tgid",   [IOT_STRACE_FD] = "fd",
	[IOT_STRACE_DEV] = "dev",	[IOT_STRACE_FLAGS] = "flags", [IOT_STRACE_OP] = "op",
	[IOT_STRACE_ARG] = "arg",	[IOT_STRACE_MODE] = "mode",   [IOT_STRACE_RET] = "ret",
	[IOT_STRACE_START] = "start",	[IOT_STRACE_WAIT] = "wait",   [IOT_STRACE_TYPE] = "type",
	[IOT_STRACE_WHENCE] = "whence", [IOT_STRACE_PATH] = "path",   [IOT_STRACE_PATH2] = "path2",
	[IOT_STRACE_COMM] = "comm",	[IOT_STRACE_FIRST] = "first", [IOT_STRACE_SCOPE] = "scope",
	[IOT_STRACE_FROM] = "from",	[IOT_STRACE_TO] = "to",
};

#define F(field) (1u << IOT_STRACE_##field)
enum {
	CALL = F(ID) | F(TGID) | F(FD) | F(OP),
	ON_FILE = CALL | F(INO) | F(DEV) | F(POS) | F(LEN) | F(FLAGS),
	BY_PATH = CALL | F(INO) | F(DEV) | F(ARG) | F(FLAGS) | F(MODE) | F(PATH) | F(PATH2),
	ON_RANGE = CALL | F(INO) | F(DEV) | F(START) | F(LEN) | F(WAIT) | F(TYPE) | F(WHENCE),
	END = F(ID) | F(RET) | F(POS),
	MOVE = F(TGID) | F(FIRST) | F(SCOPE) | F(FROM) | F(TO),
	OPEN_END = F(ID) | F(RET) | F(INO) | F(DEV) | F(PATH),
};

/* As in events/iotrace.h; those after "task" are of logs only. */
static const struct iot_made_event events[IOT_STRACE_EVENTS] = {
	[IOT_STRACE_OPEN_START] = { "iotrace", "open_start", BY_PATH },
	[IOT_STRACE_OPEN_END] = { "iotrace", "open_end", OPEN_END },
	[IOT_STRACE_CLOSE_START] = { "iotrace", "close_start", ON_FILE },
	[IOT_STRACE_CLOSE_END] = { "iotrace", "close_end", END },
	[IOT_STRACE_READ_START] = { "iotrace", "read_start", ON_FILE },
	[IOT_STRACE_READ_END] = { "iotrace", "read_end", END },
	[IOT_STRACE_WRITE_START] = { "iotrace", "write_start", ON_FILE },
	[IOT_STRACE_WRITE_END] = { "iotrace", "write_end", END },
	[IOT_STRACE_SYNC_START] = { "iotrace", "sync_start", ON_FILE },
	[IOT_STRACE_SYNC_END] = { "iotrace", "sync_end", END },
	[IOT_STRACE_TRUNCATE_START] = { "iotrace", "truncate_start", ON_FILE },
	[IOT_STRACE_TRUNCATE_END] = { "iotrace", "truncate_end", END },
	[IOT_STRACE_MMAP_START] = { "iotrace", "mmap_start", ON_FILE },
	[IOT_STRACE_MMAP_END] = { "iotrace", "mmap_end", END },
	[IOT_STRACE_META_START] = { "iotrace", "meta_start", BY_PATH },
	[IOT_STRACE_META_END] = { "iotrace", "meta_end", END },
	[IOT_STRACE_LOCK_START] = { "iotrace", "lock_start", ON_RANGE },
	[IOT_STRACE_LOCK_END] = { "iotrace", "lock_end", END },
	[IOT_STRACE_TASK] = { "iotrace", "task", F(TGID) | F(COMM) },
	[IOT_STRACE_FILE] = { "iotrace", "file", F(INO) | F(DEV) | F(PATH) },
	[IOT_STRACE_SENT] = { "iotrace", "sent", MOVE },
	[IOT_STRACE_RECEIVED] = { "iotrace", "received", MOVE },
};

const struct iot_made_kinds iot_strace_kinds = {
	.file = "a log of strace",
	.event = events,
	.n_events = IOT_STRACE_EVENTS,
	.field = field_names,
	.n_fields = IOT_STRACE_FIELDS,
	.first_real = IOT_STRACE_NUMBERS,
	.first_text = IOT_STRACE_NUMBERS,
};
