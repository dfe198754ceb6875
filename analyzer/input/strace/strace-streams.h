/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP connections in logs that name sockets by both addresses (-yy): which byte of a connection a
 * call sends or receives first. The sender's log and the receiver's agree on it, so the two calls
 * can be joined. It is known only if the log has all that happens to the connection: it shows how
 * it was made (connect, accept), the log begins with its program, all that the program started is
 * in the log, no descriptor is passed through a socket, and calls on one direction do not overlap.
 * One thread.
 */
#ifndef IOT_INPUT_STRACE_STREAMS_H
#define IOT_INPUT_STRACE_STREAMS_H

#include "base/intern.h"
#include "input/file-events.h"
#include "input/strace/strace-line.h"

struct iot_strace_streams;
struct iot_strace_direction;

/* A call that moves bytes of a connection, while it lasts. */
struct iot_strace_transfer {
	struct iot_strace_direction *direction; /* NULL: it is none */
	guint64 first;				/* number of its first byte */
	gboolean sends;
	gint64 result;
};

/** iot_strace_streams_new - @strings: numbers of texts, which outlives it; @machine: not 0, another
 * number for another machine, whose addresses 127.0.0.1 are others */
struct iot_strace_streams *iot_strace_streams_new(struct iot_intern *strings, guint64 machine);
/** iot_strace_streams_free - accepts NULL */
void iot_strace_streams_free(struct iot_strace_streams *streams);
/**
 * iot_strace_streams_begin - a call of process @tgid begins
 * @line: a whole call, or the first part of one
 * @sent: filled (but for time and process) if TRUE is returned: a send of a known first byte
 */
gboolean iot_strace_streams_begin(struct iot_strace_streams *streams,
				  const struct iot_strace_line *line, gint32 tgid,
				  struct iot_strace_transfer *call, struct iot_made_rec *sent);
/** iot_strace_streams_follow - the second part of a call that may make a connection */
void iot_strace_streams_follow(struct iot_strace_streams *streams,
			       const struct iot_strace_line *line, gint32 tgid);
/** iot_strace_streams_result - the result of a call, in its second part */
void iot_strace_streams_result(struct iot_strace_transfer *call, struct iot_strace_text result);
/** iot_strace_streams_end - the call ends with @call->result; the same for what is received */
gboolean iot_strace_streams_end(struct iot_strace_transfer *call, struct iot_made_rec *received);
/** iot_strace_streams_hidden - whether a call can change connections in ways that logs do not show
 */
gboolean iot_strace_streams_hidden(const struct iot_strace_line *line);

#endif
