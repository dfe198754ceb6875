/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls in logs of strace on files, as pairs of events. */
#ifndef IOT_INPUT_STRACE_CALL_H
#define IOT_INPUT_STRACE_CALL_H

#include "input/file-events.h"
#include "input/strace/strace-files.h"

/* Up to two pairs of events (the source and the target of sendfile), and files that are named for
 * the first time. */
struct iot_strace_call {
	guint n; /* pairs, 0 to 2 */
	struct iot_made_rec start[2], end[2];
	guint n_files;
	struct iot_made_rec file[4];
	guint32 opens;	  /* number of the path that an open names; 0: not known */
	gboolean closes;  /* an exec closes what it opens */
	gboolean appends; /* O_APPEND of an open */
	gboolean moves[2]; /* by pair: it reads or writes at the position of the descriptor */
	gboolean unnamed; /* a descriptor whose file is not known */
};

/**
 * iot_strace_call_make - the events of a call
 * @line: a whole call, or its first part: then the ends have no result
 * @tgid: the process
 * @out: times, process and ids are left 0
 *
 * FALSE: the call is not about a file, and nothing is made.
 */
gboolean iot_strace_call_make(struct iot_strace_files *files, const struct iot_strace_line *line,
			      gint32 tgid, struct iot_strace_call *out);
/** iot_strace_call_end - fill the ends of a call that was begun with its first part; @line: its
 * second part; further files are added to @out */
void iot_strace_call_end(struct iot_strace_files *files, const struct iot_strace_line *line,
			 gint32 tgid, struct iot_strace_call *out);

#endif
