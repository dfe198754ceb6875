/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log of strace. Opening it reads it once, for what only later lines tell: which threads are of
 * one process, and when it ends. One thread.
 */
#ifndef IOT_INPUT_STRACE_LOG_H
#define IOT_INPUT_STRACE_LOG_H

#include "input/strace/strace-lines.h"

/* How a log that can be read is made; for error texts and docs. */
#define IOT_STRACE_COMMAND                                                                         \
	"strace -f -yy --absolute-timestamps=format:unix,precision:ns --syscall-times=ns -o FILE " \
	"COMMAND"

/* A name as the kernel keeps it, with a NUL. */
enum { IOT_STRACE_COMM_SIZE = 16 };

/* A thread, as the whole log tells of it. */
struct iot_strace_task {
	gint32 group, parent;		 /* its process; the thread that made it, 0: not known */
	char comm[IOT_STRACE_COMM_SIZE]; /* the last one; empty: not known */
	char exec[IOT_STRACE_COMM_SIZE]; /* of the program that it begins to run */
	gboolean clones;		 /* it has begun a call that makes a thread */
	gboolean runs;			 /* it has lines, and no end yet */
	gboolean seen;			 /* it has lines, or an end */
};

struct iot_strace_log {
	char *path;
	struct iot_strace_lines *lines;
	/* of the whole log */
	guint64 first_ns, last_ns, n_lines, n_bad;
	/* complete: it begins with the program, and shows the ends of all its threads */
	gboolean begins, ends;
	guint n_running; /* threads without an end */
	/* whole: it begins with its program, has all that this starts, and nothing hides what
	 * happens to descriptors; it has calls of every program, so strace was not told to select
	 * some */
	gboolean whole, hides, has_memory;
	guint digits;	   /* of fractions of a second */
	gint32 pid;	   /* of lines without one; 0: not known */
	GHashTable *tasks; /* thread -> struct iot_strace_task */
};

/** iot_strace_log_open - read a log once; NULL and IOT_ERROR_INPUT: it cannot be read, or lines
 * have no time or duration */
struct iot_strace_log *iot_strace_log_open(const char *path, GError **error);
/** iot_strace_log_free - accepts NULL */
void iot_strace_log_free(struct iot_strace_log *log);
/**
 * iot_strace_log_next - the next line, without its newline, until the next call
 *
 * FALSE at the end, or with @error if a file cannot be read.
 */
gboolean iot_strace_log_next(struct iot_strace_log *log, struct iot_strace_text *out,
			     GError **error);
/**
 * iot_strace_log_resumed - look for the second part of a call in the lines that follow
 *
 * Some ten thousand bytes are searched, so that a call that waits for long costs little. FALSE: it
 * is not there.
 */
gboolean iot_strace_log_resumed(const struct iot_strace_log *log, gint32 pid,
				struct iot_strace_line *out);
/** iot_strace_log_task - what the whole log tells of the thread of a line; it lives as long as the
 * log */
const struct iot_strace_task *iot_strace_log_task(const struct iot_strace_log *log, gint32 pid);
/** iot_strace_log_commands - lines "PID NAME" of all threads, by number; the caller frees */
char *iot_strace_log_commands(const struct iot_strace_log *log);
/**
 * iot_strace_line_name - whether a line gives its thread another name (execve, prctl, -Y)
 * @exec: of the thread: a program that it begins to run
 * @comm: its name, changed if TRUE is returned
 */
gboolean iot_strace_line_name(const struct iot_strace_line *line, char exec[IOT_STRACE_COMM_SIZE],
			      char comm[IOT_STRACE_COMM_SIZE]);

#endif
