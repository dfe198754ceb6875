/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a log, read as a stream. Those of the files of strace -ff are merged by their times;
 * equal times by the number of the thread. One thread.
 */
#ifndef IOT_INPUT_STRACE_LINES_H
#define IOT_INPUT_STRACE_LINES_H

#include "base/heap.h"
#include "input/strace/strace-line.h"

struct iot_strace_file;

struct iot_strace_lines {
	GPtrArray *files;	     /* of struct iot_strace_file */
	struct iot_heap next;	     /* of several files: the next line of each, by its time */
	struct iot_strace_file *now; /* that of the last line; NULL: there was none */
	guint64 size, offset;	     /* bytes of all files; those that are read */
};

/** iot_strace_lines_open - @path: any file of the log; NULL and IOT_ERROR_INPUT: one cannot be
 * opened */
struct iot_strace_lines *iot_strace_lines_open(const char *path, GError **error);
/** iot_strace_lines_free - accepts NULL */
void iot_strace_lines_free(struct iot_strace_lines *lines);
/** iot_strace_lines_rewind - begin again */
void iot_strace_lines_rewind(struct iot_strace_lines *lines);
/**
 * iot_strace_lines_next - the next line, without its newline, until the next call
 * @out_pid: the thread that the name of its file tells; 0: none
 *
 * FALSE at the end, or with @error if a file cannot be read.
 */
gboolean iot_strace_lines_next(struct iot_strace_lines *lines, struct iot_strace_text *out,
			       gint32 *out_pid, GError **error);
/** iot_strace_lines_ahead - what is read of the file after its last line, some ten thousand bytes
 * at least; nothing of a log of several files, whose calls are never in two parts */
struct iot_strace_text iot_strace_lines_ahead(const struct iot_strace_lines *lines);

#endif
