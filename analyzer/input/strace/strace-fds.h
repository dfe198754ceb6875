/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the lines of a log do to the descriptors of processes (input/descriptors.h), for logs that
 * name no files (strace without -y). A path is that of the call, absolute or below a directory that
 * the log shows; it is not resolved. Of a descriptor that was open before the log, or that came by
 * a socket, neither path nor position is known.
 *
 * A position is not known after writes with O_APPEND; where a call in two parts of the log may
 * overlap another one; in processes whose children or threads are not in the log, that pass
 * descriptors by a socket, or use io_uring. One thread.
 */
#ifndef IOT_INPUT_STRACE_FDS_H
#define IOT_INPUT_STRACE_FDS_H

#include "base/intern.h"
#include "input/descriptors.h"
#include "input/strace/strace-line.h"

/** iot_strace_fds_open - the descriptor is opened by a path; 0: by one that is not known
 * @strings: numbers of texts; @closes: O_CLOEXEC; @appends: O_APPEND */
void iot_strace_fds_open(struct iot_descriptors *fds, const struct iot_intern *strings, gint32 tgid,
			 gint64 fd, guint32 path, gboolean closes, gboolean appends);
/** iot_strace_fds_follow - what a call changes but for opens: dup, close, exec, fork, chdir ...
 * @line: a whole call, or the first part of one; of thread @pid in process @tgid */
void iot_strace_fds_follow(struct iot_descriptors *fds, struct iot_intern *strings, gint32 tgid,
			   gint32 pid, const struct iot_strace_line *line);

#endif
