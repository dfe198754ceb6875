/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls on files: which events they become, and which argument is what. */
#ifndef IOT_INPUT_STRACE_TABLE_H
#define IOT_INPUT_STRACE_TABLE_H

#include "input/strace/strace-line.h"

/* Where a call has what: numbers of arguments, from 1; 0: nowhere. The second number of each row is
 * that of [names op] in events/models/fileio.model. */
struct iot_strace_row {
	const char *name;
	guint8 op;
	guint8 start; /* event; the end follows it */
	guint8 fd, path, path2, fd2, len, iov, pos, pos2, flags, mode, arg, how;
};

/** iot_strace_find_row - the row of a call; NULL: it is not about files */
const struct iot_strace_row *iot_strace_find_row(struct iot_strace_text name);
/** iot_strace_table_is_sorted - for tests: whether the table can be searched */
gboolean iot_strace_table_is_sorted(void);

#endif
