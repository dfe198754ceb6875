/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <string.h>

#include "input/strace/strace-fds.h"

/* Whether the path may be of a file without positions. A FIFO elsewhere is not told from a file. */
static gboolean has_no_position(const struct iot_intern *strings, guint32 path)
{
	const char *text = path ? iot_intern_get(strings, path, NULL) : "";

	return g_str_has_prefix(text, "/dev/") || g_str_has_prefix(text, "/proc/") ||
	       g_str_has_prefix(text, "/sys/");
}

void iot_strace_fds_open(struct iot_descriptors *fds, const struct iot_intern *strings, gint32 tgid,
			 gint64 fd, guint32 path, gboolean closes, gboolean appends)
{
	const struct iot_open_file file = { .path = path,
					    .appends = appends,
					    .unclear = has_no_position(strings, path) };

	iot_descriptors_open(fds, tgid, fd, &file, closes);
}

/* The number of a path of a call; 0: it is below a directory that is not known. */
static guint32 path_of(const struct iot_descriptors *fds, struct iot_intern *strings, gint32 tgid,
		       struct iot_strace_text arg)
{
	g_autoptr(GString) path = g_string_new(NULL);

	if (!arg.text || arg.len < 3 || *arg.text != '"')
		return 0;
	if (arg.text[1] != '/') {
		guint32 directory = iot_descriptors_path(fds, tgid, AT_FDCWD);

		if (!directory)
			return 0;
		g_string_append_printf(path, "%s/", iot_intern_get(strings, directory, NULL));
	}
	return iot_strace_string(arg, path) ? iot_intern_bytes(strings, path->str, path->len) : 0;
}

static void begin_fork(struct iot_descriptors *fds, gint32 tgid, gint32 pid,
		       const struct iot_strace_line *line)
{
	gboolean thread = iot_strace_has(line->args, "CLONE_THREAD");
	gboolean shares = iot_strace_has(line->args, "CLONE_FILES");

	if (thread || shares)
		iot_descriptors_share(fds, tgid);
	/* without -f the log does not show what the child does, with -ff not what comes first */
	if (line->pid < 0)
		iot_descriptors_pass(fds, tgid);
	if (line->pid < 0 && (thread || shares))
		iot_descriptors_blind(fds, tgid);
	/* threads have the table of their process */
	if (!thread)
		iot_descriptors_fork_begin(fds, tgid, pid, shares);
}

/* Calls whose effect does not depend on their result. */
static void follow_begin(struct iot_descriptors *fds, gint32 tgid, gint32 pid,
			 const struct iot_strace_line *line)
{
	if (iot_strace_is(line->name, "clone") || iot_strace_is(line->name, "clone3") ||
	    iot_strace_is(line->name, "fork") || iot_strace_is(line->name, "vfork"))
		begin_fork(fds, tgid, pid, line);
	else if (iot_strace_is(line->name, "io_uring_setup") ||
		 iot_strace_is(line->name, "unshare"))
		iot_descriptors_blind(fds, tgid);
	else if (g_str_has_prefix(line->name.text, "sendm") &&
		 iot_strace_has(line->args, "SCM_RIGHTS"))
		iot_descriptors_pass(fds, tgid);
}

static void seek(struct iot_descriptors *fds, gint32 tgid, gint64 fd,
		 const struct iot_strace_line *line, gint64 to)
{
	if (line->result.text && iot_strace_has(line->result, "ESPIPE"))
		iot_descriptors_unclear(fds, tgid, fd);
	if (line->result.text && to < 0)
		return;
	if (line->parted || line->kind == IOT_STRACE_UNFINISHED || line->pid < 0)
		iot_descriptors_parted(fds, tgid, fd);
	iot_descriptors_move(fds, tgid, fd, to);
}

static void follow_fcntl(struct iot_descriptors *fds, gint32 tgid, gint64 from, gint64 result,
			 const struct iot_strace_text *arg, guint n)
{
	if (iot_strace_has(arg[1], "F_DUPFD"))
		iot_descriptors_dup(fds, tgid, from, result, iot_strace_has(arg[1], "CLOEXEC"));
	else if (n > 2 && iot_strace_is(arg[1], "F_SETFD"))
		iot_descriptors_set_closes(fds, tgid, from, iot_strace_has(arg[2], "FD_CLOEXEC"));
	else if (n > 2 && iot_strace_is(arg[1], "F_SETFL"))
		iot_descriptors_set_appends(fds, tgid, from, iot_strace_has(arg[2], "O_APPEND"));
}

/* Calls that have succeeded. */
static void follow_result(struct iot_descriptors *fds, struct iot_intern *strings, gint32 tgid,
			  const struct iot_strace_line *line, const struct iot_strace_text *arg,
			  guint n, gint64 from, gint64 result)
{
	struct iot_strace_text name = line->name;

	if (iot_strace_is(name, "close")) {
		iot_descriptors_close(fds, tgid, from, from);
	} else if (iot_strace_is(name, "dup") || iot_strace_is(name, "dup2")) {
		iot_descriptors_dup(fds, tgid, from, result, FALSE);
	} else if (iot_strace_is(name, "dup3")) {
		iot_descriptors_dup(fds, tgid, from, result,
				    n > 2 && iot_strace_has(arg[2], "O_CLOEXEC"));
	} else if (g_str_has_prefix(name.text, "fcntl") && n > 1) {
		follow_fcntl(fds, tgid, from, result, arg, n);
	} else if (iot_strace_is(name, "close_range") && n > 2 &&
		   !iot_strace_has(arg[2], "CLOEXEC")) {
		gint64 last = G_MAXINT64;

		iot_strace_int(arg[1], &last);
		iot_descriptors_close(fds, tgid, from, last);
	} else if (iot_strace_is(name, "execve") || iot_strace_is(name, "execveat")) {
		iot_descriptors_exec(fds, tgid);
	} else if (iot_strace_is(name, "chdir") || iot_strace_is(name, "getcwd")) {
		iot_descriptors_set_directory(fds, tgid, path_of(fds, strings, tgid, arg[0]));
	} else if (iot_strace_is(name, "fchdir")) {
		iot_descriptors_set_directory(fds, tgid, iot_descriptors_path(fds, tgid, from));
	}
}

void iot_strace_fds_follow(struct iot_descriptors *fds, struct iot_intern *strings, gint32 tgid,
			   gint32 pid, const struct iot_strace_line *line)
{
	struct iot_strace_text arg[IOT_STRACE_ARGS];
	gint64 result = -1, from = -1;
	guint n;

	/* close, chdir, clone; dup; execve; fchdir, fcntl, fork; getcwd; io_uring; lseek; sendmsg;
	 * unshare; vfork */
	if (!line->name.len || !strchr("cdefgilsuv_", *line->name.text))
		return;
	follow_begin(fds, tgid, pid, line);
	n = iot_strace_split(line->args, arg);
	if (!n)
		return;
	iot_strace_int(arg[0], &from);
	if (line->result.text)
		iot_strace_int(line->result, &result);
	if (iot_strace_is(line->name, "lseek"))
		seek(fds, tgid, from, line, result);
	else if (iot_strace_is(line->name, "_llseek")) /* its result is an argument */
		iot_descriptors_move(fds, tgid, from, -1);
	if (result >= 0)
		follow_result(fds, strings, tgid, line, arg, n, from, result);
}
