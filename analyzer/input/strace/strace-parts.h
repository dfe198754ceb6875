/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a log: one, or those of strace -ff, which writes the calls of thread 17 to NAME.17.
 * Their lines have no process id, which tells them from logs with other numbers in their names.
 */
#ifndef IOT_INPUT_STRACE_PARTS_H
#define IOT_INPUT_STRACE_PARTS_H

#include <glib.h>

/** iot_strace_part_pid - the thread that the name of a file tells; 0: none */
gint32 iot_strace_part_pid(const char *path);
/** iot_strace_parts - paths of all files of the log that the file belongs to, by thread; only
 * @path if it is no file of strace -ff, or cannot be read */
GPtrArray *iot_strace_parts(const char *path);
/** iot_strace_first_part - the first of them; NULL: it is no part; the caller frees */
char *iot_strace_first_part(const char *path);

#endif
