/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line of a log of strace, such as
 *
 *	17 1795310205.133597254 read(3</etc/passwd>, "root"..., 4096) = 1024 <0.000007612>
 *
 * The process id (-f) may be missing, may stand in brackets ("[pid 17]", without -o) and may have a
 * name (17<tar>, -Y). Times are seconds since 1970 (-ttt, or --absolute-timestamps=format:unix). A
 * call that another thread interrupts in the log has two lines, "... <unfinished ...>" and
 * "<... read resumed>...". Source: strace(1) of strace 6.1, sections "OPTIONS" and "DESCRIPTION".
 *
 * Any thread; nothing is allocated: texts are places in the line.
 */
#ifndef IOT_INPUT_STRACE_LINE_H
#define IOT_INPUT_STRACE_LINE_H

#include <glib.h>

/* A part of the line; text is NULL if it is not there. */
struct iot_strace_text {
	const char *text;
	gsize len;
};

enum iot_strace_kind {
	IOT_STRACE_CALL,       /* with result and, with -T, duration */
	IOT_STRACE_UNFINISHED, /* the first part of a call */
	IOT_STRACE_RESUMED,    /* the second part */
	IOT_STRACE_EXIT,       /* the end of a thread */
	IOT_STRACE_OTHER,      /* a signal, a message of strace */
};

struct iot_strace_line {
	enum iot_strace_kind kind;
	gint32 pid; /* -1: the line has none */
	struct iot_strace_text comm;
	guint64 ns;			   /* since 1970 */
	guint digits;			   /* of the fraction of the second, 0 to 9 */
	struct iot_strace_text name, args; /* args: without the parentheses */
	gboolean parted;		   /* two parts of the log, put together */
	struct iot_strace_text result;	   /* "-1 ENOENT (No such file or directory)" */
	gboolean timed;			   /* took_ns is there */
	guint64 took_ns;
};

/** iot_strace_line_parse - take a line of @len bytes apart, without its newline; FALSE if it is
 * none of strace with times, or cut */
gboolean iot_strace_line_parse(const char *text, gsize len, struct iot_strace_line *out);

/** iot_strace_line_is_untimed - whether a duration is missing: the log has none, or the line is
 * cut; a call that never returned has none */
static inline gboolean iot_strace_line_is_untimed(const struct iot_strace_line *line)
{
	return line->result.text && !line->timed && *line->result.text != '?';
}
/** iot_strace_line_head - only the thread and the time of a line, if it begins with them */
gboolean iot_strace_line_head(const char *text, gsize len, struct iot_strace_line *out);
/** iot_strace_line_probe - whether the begin of a line is one of strace, with a time or without */
gboolean iot_strace_line_probe(const char *text, gsize len);

/* An argument of a call; "dirfd</path>" is a number with a path. */
enum { IOT_STRACE_ARGS = 8 };

/** iot_strace_split - the first arguments in @args; returns how many there are, at most
 * IOT_STRACE_ARGS */
guint iot_strace_split(struct iot_strace_text args, struct iot_strace_text out[IOT_STRACE_ARGS]);
/** iot_strace_int - the number at the begin of an argument (decimal, hexadecimal, octal with a
 * leading 0); FALSE if there is none */
gboolean iot_strace_int(struct iot_strace_text arg, gint64 *out);
/** iot_strace_path - what stands in "<...>" after the number of a descriptor; NULL: nothing */
struct iot_strace_text iot_strace_path(struct iot_strace_text arg);
/** iot_strace_string - append the bytes of a "string" to @out, or those of a path in "<...>";
 * FALSE if @arg is no string */
gboolean iot_strace_string(struct iot_strace_text arg, GString *out);
/** iot_strace_unescape - append the bytes of a text with the escapes of C */
void iot_strace_unescape(struct iot_strace_text text, GString *out);
/** iot_strace_member - the value of a member of a structure, "l_type" in "{l_type=F_WRLCK, ...}";
 * NULL if there is none. The search begins at *@from, which moves after the value */
struct iot_strace_text iot_strace_member(struct iot_strace_text arg, const char *name, gsize *from);

static inline gboolean iot_strace_is(struct iot_strace_text text, const char *word)
{
	return strlen(word) == text.len && !memcmp(word, text.text, text.len);
}

static inline gboolean iot_strace_has(struct iot_strace_text text, const char *word)
{
	return text.text && memmem(text.text, text.len, word, strlen(word));
}

#endif
