/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and fields of the events that an OTF2 archive becomes (otf2-convert.h). */
#ifndef IOT_INPUT_OTF2_KINDS_H
#define IOT_INPUT_OTF2_KINDS_H

#include "input/made-events.h"

enum iot_otf2_made {
	IOT_OTF2_STATE_START,
	IOT_OTF2_STATE_END,
	IOT_OTF2_POINT,
	IOT_OTF2_SEND,
	IOT_OTF2_RECEIVE,
	IOT_OTF2_METRIC,
	IOT_OTF2_TASK,
	IOT_OTF2_FILE_NAME,
	IOT_OTF2_PATH_LATE,
	IOT_OTF2_OPEN_START,
	IOT_OTF2_OPEN_END,
	IOT_OTF2_CLOSE_START,
	IOT_OTF2_CLOSE_END,
	IOT_OTF2_READ_START,
	IOT_OTF2_READ_END,
	IOT_OTF2_WRITE_START,
	IOT_OTF2_WRITE_END,
	IOT_OTF2_SYNC_START,
	IOT_OTF2_SYNC_END,
	IOT_OTF2_META_START,
	IOT_OTF2_META_END,
	IOT_OTF2_EVENTS
};

enum iot_otf2_field {
	IOT_OTF2_RANK, /* of the program */
	IOT_OTF2_THREAD,
	IOT_OTF2_ID,
	IOT_OTF2_USER, /* 1: of the program itself, not of a library whose calls are waits */
	IOT_OTF2_PEER, /* rank at the other end of a message; -1: not known */
	IOT_OTF2_COMM,
	IOT_OTF2_TAG,
	IOT_OTF2_SIZE,
	IOT_OTF2_INO,
	IOT_OTF2_POS,
	IOT_OTF2_LEN,
	IOT_OTF2_TGID,
	IOT_OTF2_FD,
	IOT_OTF2_DEV,
	IOT_OTF2_FLAGS,
	IOT_OTF2_OP,
	IOT_OTF2_ARG,
	IOT_OTF2_MODE,
	IOT_OTF2_RET,
	IOT_OTF2_ELSEWHERE,
	IOT_OTF2_VALUE, /* a real number */
	IOT_OTF2_ROW,	/* numbers of texts from here on */
	IOT_OTF2_NAME,
	IOT_OTF2_VALUES,
	IOT_OTF2_PATH,
	IOT_OTF2_PATH2,
	IOT_OTF2_TASK_NAME,
	IOT_OTF2_FIELDS
};

/** iot_otf2_kinds - names and fields of these events */
extern const struct iot_made_kinds iot_otf2_kinds;

#endif
