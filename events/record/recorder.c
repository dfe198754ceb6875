/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder.h"
#include "command.h"
#include "mark.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <termios.h>
#include <unistd.h>

struct rec_recorder {
	GPid pid;
	int terminal; /* our end; -1: closed */
	guint source; /* of the terminal; 0: none */
	GString *log;
	gboolean records, stopping, ended;
	int wait_status;
	rec_recorder_func changed;
	gpointer data;
};

static const char recording_line[] = "Hit Ctrl^C to stop recording";

static void setup_child(gpointer data)
{
	(void)data;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGINT);
	signal(SIGINT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
}

/* A terminal that does not change the output. Returns our end, or -1. */
static int open_terminal(int *out_child)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char name[64];
	struct termios modes;

	if (terminal < 0)
		return -1;
	if (grantpt(terminal) || unlockpt(terminal) || ptsname_r(terminal, name, sizeof(name)) ||
	    (*out_child = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0) {
		close(terminal);
		return -1;
	}
	tcgetattr(*out_child, &modes);
	cfmakeraw(&modes);
	tcsetattr(*out_child, TCSANOW, &modes);
	fcntl(terminal, F_SETFL, O_NONBLOCK);
	return terminal;
}

/* Take the output; FALSE at its end. */
static gboolean read_log(struct rec_recorder *recorder)
{
	char buffer[4096];
	ssize_t n;

	while ((n = read(recorder->terminal, buffer, sizeof(buffer))) > 0)
		g_string_append_len(recorder->log, buffer, n);
	return n < 0 && errno == EAGAIN;
}

static gboolean on_output(gint fd, GIOCondition condition, gpointer data)
{
	struct rec_recorder *recorder = data;
	gboolean more = read_log(recorder);

	(void)fd;
	(void)condition;
	if (!recorder->records && strstr(recorder->log->str, recording_line)) {
		recorder->records = TRUE;
		if (recorder->stopping)
			kill(recorder->pid, SIGINT);
		recorder->changed(recorder->data);
	}
	if (!more)
		recorder->source = 0;
	return more;
}

static void on_end(GPid pid, gint wait_status, gpointer data)
{
	struct rec_recorder *recorder = data;

	(void)pid;
	read_log(recorder);
	/* a trace-cmd that fails leaves its recorders, which keep the instance busy */
	kill(-recorder->pid, SIGKILL);
	recorder->ended = TRUE;
	recorder->wait_status = wait_status;
	recorder->changed(recorder->data);
}

struct rec_recorder *rec_recorder_start(char **argv, rec_recorder_func changed, gpointer data,
					GError **error)
{
	struct rec_recorder *recorder;
	GPid pid;
	int child = -1, terminal = open_terminal(&child);
	g_autofree char *id = rec_mark_id();
	g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), REC_MARK_VARIABLE, id, TRUE);
	gboolean started;

	if (terminal < 0) {
		iot_usage_error(error, "no pseudo terminal for trace-cmd: %s", g_strerror(errno));
		return NULL;
	}
	started = g_spawn_async_with_fds(NULL, argv, environment,
					 G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD,
					 setup_child, NULL, &pid, -1, child, child, error);
	close(child);
	if (!started) {
		g_prefix_error(error,
			       "trace-cmd cannot be started (Debian: apt-get install trace-cmd): ");
		close(terminal);
		return NULL;
	}
	setpgid(pid, pid); /* parent or child, the first one does it */
	recorder = g_new0(struct rec_recorder, 1);
	recorder->pid = pid;
	recorder->terminal = terminal;
	recorder->log = g_string_new(NULL);
	recorder->changed = changed;
	recorder->data = data;
	recorder->source = g_unix_fd_add(terminal, G_IO_IN | G_IO_HUP, on_output, recorder);
	g_child_watch_add(pid, on_end, recorder);
	return recorder;
}

void rec_recorder_free(struct rec_recorder *recorder)
{
	if (!recorder)
		return;
	g_assert(recorder->ended);
	if (recorder->source)
		g_source_remove(recorder->source);
	close(recorder->terminal);
	g_string_free(recorder->log, TRUE);
	g_free(recorder);
}

gboolean rec_recorder_records(const struct rec_recorder *recorder)
{
	return recorder->records;
}

gboolean rec_recorder_ended(const struct rec_recorder *recorder)
{
	return recorder->ended;
}

int rec_recorder_status(const struct rec_recorder *recorder)
{
	return rec_command_status(recorder->wait_status);
}

const char *rec_recorder_log(const struct rec_recorder *recorder)
{
	return recorder->log->str;
}

GPid rec_recorder_pid(const struct rec_recorder *recorder)
{
	return recorder->pid;
}

void rec_recorder_stop(struct rec_recorder *recorder)
{
	/* before it records, trace-cmd does not catch the signal, and would leave agents busy */
	if (!recorder->stopping && recorder->records && !recorder->ended)
		kill(recorder->pid, SIGINT);
	recorder->stopping = TRUE;
}

void rec_recorder_kill(struct rec_recorder *recorder)
{
	if (!recorder->ended)
		kill(-recorder->pid, SIGKILL);
}

/* @stat: of /proc/PID/stat, after the name. Fields: state, parent, group, ... 11: user, 12: system
 * time */
static guint64 ticks_of_member(const char *stat, GPid group)
{
	g_auto(GStrv) fields = g_strsplit(stat, " ", 15);

	if (g_strv_length(fields) < 14 || atoi(fields[2]) != group)
		return 0;
	return g_ascii_strtoull(fields[11], NULL, 10) + g_ascii_strtoull(fields[12], NULL, 10);
}

guint64 rec_group_cpu_ms(GPid group)
{
	GDir *proc = g_dir_open("/proc", 0, NULL);
	guint64 ticks = 0;
	const char *pid;

	while (proc && (pid = g_dir_read_name(proc))) {
		g_autofree char *path = g_build_filename("/proc", pid, "stat", NULL);
		g_autofree char *text = NULL;
		const char *name_end;

		if (!g_ascii_isdigit(*pid) || !g_file_get_contents(path, &text, NULL, NULL))
			continue;
		name_end = strrchr(text, ')');
		if (name_end && name_end[1])
			ticks += ticks_of_member(name_end + 2, group);
	}
	g_clear_pointer(&proc, g_dir_close);
	return ticks * 1000 / (guint64)sysconf(_SC_CLK_TCK);
}
