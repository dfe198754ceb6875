/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptors of processes, for logs that name no files (strace without -y): which path each one
 * was opened by. A path is that of the call, absolute or below a directory that the log shows; it
 * is not resolved. The path of a descriptor that was open before the log, or that came by a
 * socket, is not known.
 * One thread.
 */
#ifndef IOT_INPUT_STRACE_FDS_H
#define IOT_INPUT_STRACE_FDS_H

#include "base/intern.h"
#include "input/strace/strace-line.h"

struct iot_strace_fds;

/** iot_strace_fds_new - @strings: numbers of texts, which outlives it */
struct iot_strace_fds *iot_strace_fds_new(struct iot_intern *strings);
/** iot_strace_fds_free - accepts NULL */
void iot_strace_fds_free(struct iot_strace_fds *fds);
/** iot_strace_fds_path - the number of the path of a descriptor of process @tgid; -100
 * (AT_FDCWD): its directory; 0: not known */
guint32 iot_strace_fds_path(const struct iot_strace_fds *fds, gint32 tgid, gint64 fd);
/** iot_strace_fds_open - the descriptor is opened by a path; 0: by one that is not known
 * @closes: it is closed by an exec (O_CLOEXEC) */
void iot_strace_fds_open(struct iot_strace_fds *fds, gint32 tgid, gint64 fd, guint32 path,
			 gboolean closes);
/** iot_strace_fds_fork - process @child begins with the descriptors of @parent, as they were when
 * the thread @maker began its last call that makes a process */
void iot_strace_fds_fork(struct iot_strace_fds *fds, gint32 child, gint32 parent, gint32 maker);
/** iot_strace_fds_exit - process @tgid has ended */
void iot_strace_fds_exit(struct iot_strace_fds *fds, gint32 tgid);
/** iot_strace_fds_follow - what a call changes but for opens: dup, close, exec, fork, chdir ...
 * @line: a whole call, or the first part of one; of thread @pid in process @tgid */
void iot_strace_fds_follow(struct iot_strace_fds *fds, gint32 tgid, gint32 pid,
			   const struct iot_strace_line *line);

#endif
