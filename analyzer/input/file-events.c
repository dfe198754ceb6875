/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/file-events.h"

static const char *const field_names[IOT_FILE_FIELDS] = {
	[IOT_FILE_ID] = "id",	      [IOT_FILE_INO] = "ino",	  [IOT_FILE_POS] = "pos",
	[IOT_FILE_LEN] = "len",	      [IOT_FILE_TGID] = "tgid",	  [IOT_FILE_FD] = "fd",
	[IOT_FILE_DEV] = "dev",	      [IOT_FILE_FLAGS] = "flags", [IOT_FILE_OP] = "op",
	[IOT_FILE_ARG] = "arg",	      [IOT_FILE_MODE] = "mode",	  [IOT_FILE_RET] = "ret",
	[IOT_FILE_START] = "start",   [IOT_FILE_WAIT] = "wait",	  [IOT_FILE_TYPE] = "type",
	[IOT_FILE_WHENCE] = "whence", [IOT_FILE_PATH] = "path",	  [IOT_FILE_PATH2] = "path2",
	[IOT_FILE_COMM] = "comm",     [IOT_FILE_FIRST] = "first", [IOT_FILE_SCOPE] = "scope",
	[IOT_FILE_FROM] = "from",     [IOT_FILE_TO] = "to",	  [IOT_FILE_OPERATION] = "op",
};

#define F(field) (1u << IOT_FILE_##field)
enum {
	CALL = F(ID) | F(TGID) | F(FD) | F(OP),
	ON_FILE = CALL | F(INO) | F(DEV) | F(POS) | F(LEN) | F(FLAGS),
	BY_PATH = CALL | F(INO) | F(DEV) | F(ARG) | F(FLAGS) | F(MODE) | F(PATH) | F(PATH2),
	ON_RANGE = CALL | F(INO) | F(DEV) | F(START) | F(LEN) | F(WAIT) | F(TYPE) | F(WHENCE),
	END = F(ID) | F(RET) | F(POS),
	MOVE = F(TGID) | F(FIRST) | F(SCOPE) | F(FROM) | F(TO),
	ON_STREAM = F(ID) | F(TGID) | F(FD) | F(PATH) | F(OPERATION),
	OPEN_END = F(ID) | F(RET) | F(INO) | F(DEV) | F(PATH),
};

/* As in events/iotrace.h; those without a definition there are of such sources only. */
static const struct iot_made_event events[IOT_FILE_EVENTS] = {
	[IOT_FILE_OPEN_START] = { "iotrace", "open_start", BY_PATH },
	[IOT_FILE_OPEN_END] = { "iotrace", "open_end", OPEN_END },
	[IOT_FILE_CLOSE_START] = { "iotrace", "close_start", ON_FILE },
	[IOT_FILE_CLOSE_END] = { "iotrace", "close_end", END },
	[IOT_FILE_READ_START] = { "iotrace", "read_start", ON_FILE },
	[IOT_FILE_READ_END] = { "iotrace", "read_end", END },
	[IOT_FILE_WRITE_START] = { "iotrace", "write_start", ON_FILE },
	[IOT_FILE_WRITE_END] = { "iotrace", "write_end", END },
	[IOT_FILE_SYNC_START] = { "iotrace", "sync_start", ON_FILE },
	[IOT_FILE_SYNC_END] = { "iotrace", "sync_end", END },
	[IOT_FILE_TRUNCATE_START] = { "iotrace", "truncate_start", ON_FILE },
	[IOT_FILE_TRUNCATE_END] = { "iotrace", "truncate_end", END },
	[IOT_FILE_MMAP_START] = { "iotrace", "mmap_start", ON_FILE },
	[IOT_FILE_MMAP_END] = { "iotrace", "mmap_end", END },
	[IOT_FILE_META_START] = { "iotrace", "meta_start", BY_PATH },
	[IOT_FILE_META_END] = { "iotrace", "meta_end", END },
	[IOT_FILE_LOCK_START] = { "iotrace", "lock_start", ON_RANGE },
	[IOT_FILE_LOCK_END] = { "iotrace", "lock_end", END },
	[IOT_FILE_TASK] = { "iotrace", "task", F(TGID) | F(COMM) },
	[IOT_FILE_FILE] = { "iotrace", "file", F(INO) | F(DEV) | F(PATH) },
	[IOT_FILE_STDIO_START] = { "iotrace", "stdio_start", ON_STREAM },
	[IOT_FILE_STDIO_END] = { "iotrace", "stdio_end", F(ID) | F(RET) | F(LEN) },
	[IOT_FILE_SENT] = { "iotrace", "sent", MOVE },
	[IOT_FILE_RECEIVED] = { "iotrace", "received", MOVE },
};

#define KINDS(file_)                                                                               \
	{                                                                                          \
		.file = (file_), .event = events, .n_events = IOT_FILE_EVENTS,                     \
		.field = field_names, .n_fields = IOT_FILE_FIELDS, .first_real = IOT_FILE_NUMBERS, \
		.first_text = IOT_FILE_NUMBERS                                                     \
	}

const struct iot_made_kinds iot_strace_kinds = KINDS("a log of strace");
const struct iot_made_kinds iot_preload_kinds = KINDS("a recording of libiotrace-preload");
