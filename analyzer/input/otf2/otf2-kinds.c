/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/otf2/otf2-kinds.h"

static const char *const field_names[IOT_OTF2_FIELDS] = {
	[IOT_OTF2_RANK] = "rank",      [IOT_OTF2_THREAD] = "thread",
	[IOT_OTF2_ID] = "id",	       [IOT_OTF2_USER] = "user",
	[IOT_OTF2_PEER] = "peer",      [IOT_OTF2_COMM] = "comm",
	[IOT_OTF2_TAG] = "tag",	       [IOT_OTF2_SIZE] = "size",
	[IOT_OTF2_INO] = "ino",	       [IOT_OTF2_POS] = "pos",
	[IOT_OTF2_LEN] = "len",	       [IOT_OTF2_TGID] = "tgid",
	[IOT_OTF2_FD] = "fd",	       [IOT_OTF2_DEV] = "dev",
	[IOT_OTF2_FLAGS] = "flags",    [IOT_OTF2_OP] = "op",
	[IOT_OTF2_ARG] = "arg",	       [IOT_OTF2_MODE] = "mode",
	[IOT_OTF2_RET] = "ret",	       [IOT_OTF2_ELSEWHERE] = "elsewhere",
	[IOT_OTF2_VALUE] = "value",    [IOT_OTF2_ROW] = "row",
	[IOT_OTF2_NAME] = "name",      [IOT_OTF2_VALUES] = "values",
	[IOT_OTF2_PATH] = "path",      [IOT_OTF2_PATH2] = "path2",
	[IOT_OTF2_TASK_NAME] = "comm",
};

#define F(field) (1u << IOT_OTF2_##field)
enum {
	PLACE = F(RANK) | F(THREAD) | F(ROW),
	STATE = PLACE | F(ID) | F(USER) | F(NAME) | F(VALUES),
	MESSAGE = PLACE | F(ID) | F(PEER) | F(COMM) | F(TAG) | F(SIZE),
	CALL = F(ID) | F(TGID) | F(FD) | F(OP),
	ON_FILE = CALL | F(INO) | F(DEV) | F(POS) | F(LEN) | F(FLAGS),
	BY_PATH = CALL | F(INO) | F(DEV) | F(ARG) | F(FLAGS) | F(MODE) | F(PATH) | F(PATH2),
	END = F(ID) | F(RET) | F(POS),
};

static const struct iot_made_event events[IOT_OTF2_EVENTS] = {
	[IOT_OTF2_STATE_START] = { "mpi", "state_start", STATE },
	[IOT_OTF2_STATE_END] = { "mpi", "state_end", STATE },
	[IOT_OTF2_POINT] = { "mpi", "event", PLACE | F(USER) | F(NAME) | F(VALUES) },
	[IOT_OTF2_SEND] = { "mpi", "send", MESSAGE },
	[IOT_OTF2_RECEIVE] = { "mpi", "receive", MESSAGE },
	[IOT_OTF2_METRIC] = { "mpi", "metric", PLACE | F(NAME) | F(VALUE) },
	[IOT_OTF2_TASK] = { "iotrace", "task", F(TGID) | F(TASK_NAME) },
	[IOT_OTF2_FILE_NAME] = { "iotrace", "file", F(INO) | F(DEV) | F(PATH) },
	[IOT_OTF2_PATH_LATE] = { "iotrace", "path_late", F(ID) | F(PATH) | F(PATH2) },
	[IOT_OTF2_OPEN_START] = { "iotrace", "open_start", BY_PATH },
	[IOT_OTF2_OPEN_END] = { "iotrace", "open_end",
				F(ID) | F(RET) | F(INO) | F(DEV) | F(PATH) | F(ELSEWHERE) },
	[IOT_OTF2_CLOSE_START] = { "iotrace", "close_start", ON_FILE },
	[IOT_OTF2_CLOSE_END] = { "iotrace", "close_end", END },
	[IOT_OTF2_READ_START] = { "iotrace", "read_start", ON_FILE },
	[IOT_OTF2_READ_END] = { "iotrace", "read_end", END },
	[IOT_OTF2_WRITE_START] = { "iotrace", "write_start", ON_FILE },
	[IOT_OTF2_WRITE_END] = { "iotrace", "write_end", END },
	[IOT_OTF2_SYNC_START] = { "iotrace", "sync_start", ON_FILE },
	[IOT_OTF2_SYNC_END] = { "iotrace", "sync_end", END },
	[IOT_OTF2_META_START] = { "iotrace", "meta_start", BY_PATH },
	[IOT_OTF2_META_END] = { "iotrace", "meta_end", END },
};

const struct iot_made_kinds iot_otf2_kinds = {
	.file = "an OTF2 archive",
	.event = events,
	.n_events = IOT_OTF2_EVENTS,
	.field = field_names,
	.n_fields = IOT_OTF2_FIELDS,
	.first_real = IOT_OTF2_VALUE,
	.first_text = IOT_OTF2_ROW,
};
