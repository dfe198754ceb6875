/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptors of processes: which path each one was opened by, for logs that name no files (strace
 * without -y), and at which position of its file the next read or write is. A path is that of the
 * call, absolute or below a directory that the log shows; it is not resolved. Of a descriptor that
 * was open before the log, or that came by a socket, neither is known.
 *
 * Copies of a descriptor (dup, fork) have one position. It is known from the open, lseek, and the
 * results of reads and writes, as long as the log shows all that may move it: not after writes with
 * O_APPEND; not where a call in two parts of the log may overlap another one; not in processes
 * whose children or threads are not in the log, that pass descriptors by a socket, or use io_uring.
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
/* How it was opened. */
enum { IOT_STRACE_FD_CLOSES = 1 /* O_CLOEXEC */, IOT_STRACE_FD_APPENDS = 2 /* O_APPEND */ };
/** iot_strace_fds_open - the descriptor is opened by a path; 0: by one that is not known
 * @flags: IOT_STRACE_FD_... */
void iot_strace_fds_open(struct iot_strace_fds *fds, gint32 tgid, gint64 fd, guint32 path,
			 guint flags);
/** iot_strace_fds_position - where the next read, or write (@writes), is in the file, in bytes; -1:
 * not known */
gint64 iot_strace_fds_position(const struct iot_strace_fds *fds, gint32 tgid, gint64 fd,
			       gboolean writes);
/** iot_strace_fds_move - its position is @to now; -1: not known */
void iot_strace_fds_move(struct iot_strace_fds *fds, gint32 tgid, gint64 fd, gint64 to);
/** iot_strace_fds_parted - a call that moves its position has two parts in the log: from now on the
 * position is not known if others may move it meanwhile */
void iot_strace_fds_parted(struct iot_strace_fds *fds, gint32 tgid, gint64 fd);
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
