/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that a log has named so far. A log names files by their paths only (-y, -yy), or not at
 * all; then the descriptors of processes lead to paths (strace-fds.h). A file is its path on its
 * machine: its inode number is made of the path and the name of the log. One thread.
 */
#ifndef IOT_INPUT_STRACE_FILES_H
#define IOT_INPUT_STRACE_FILES_H

#include "base/intern.h"
#include "input/strace/strace-fds.h"
#include "input/strace/strace-line.h"

struct iot_strace_files {
	struct iot_intern *strings;
	GHashTable *named; /* numbers of paths that models know */
	guint64 log;	   /* hash of the log's name */
	struct iot_descriptors *fds;
	gboolean names; /* the log names files (-y, -yy) */
	gint32 tgid;	/* of the present call */
	GString *path;	/* the last one */
};

/** iot_strace_files_new - @log: the name of the log, so that equal paths of two machines differ;
 * @strings: numbers of texts, which outlives it */
struct iot_strace_files *iot_strace_files_new(const char *log, struct iot_intern *strings);
/** iot_strace_files_free - accepts NULL */
void iot_strace_files_free(struct iot_strace_files *files);
/** iot_strace_files_find - the path of a descriptor, an argument of the present call, becomes the
 * last path: as the log names it, else by the table of its process; FALSE: it is not known */
gboolean iot_strace_files_find(struct iot_strace_files *files, struct iot_strace_text arg);
/** iot_strace_files_number - the number of the last path as a text */
guint32 iot_strace_files_number(struct iot_strace_files *files);
/** iot_strace_files_inode - the inode number of the last path; never 0, which means no file */
gint64 iot_strace_files_inode(const struct iot_strace_files *files);

#endif
