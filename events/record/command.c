/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command.h"
#include "record-folder.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static mode_t users_mask;

void rec_command_private(void)
{
	users_mask = umask(077);
}

int rec_command_check(char *const *command, GError **error)
{
	g_autofree char *path = g_find_program_in_path(command[0]);
	g_autofree char *shown = g_strescape(command[0], NULL);

	if (path && !g_file_test(path, G_FILE_TEST_IS_DIR))
		return 0;
	if (path || g_file_test(command[0], G_FILE_TEST_EXISTS)) {
		iot_usage_error(error, "the command %s cannot be executed; nothing was recorded",
				shown);
		return 126;
	}
	iot_usage_error(error, "there is no command %s; nothing was recorded", shown);
	return 127;
}

/* Without a word, the recording was not begun. The command closes the gate. */
static void wait_for_release(int gate)
{
	char word;
	ssize_t n;

	do
		n = read(gate, &word, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(0);
}

/* Everything but the command's own calls is done before they may be recorded. */
static void become(char **command, GPid parent, int gate)
{
	sigset_t none;
	gboolean is_user;
	int code;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	umask(users_mask);
	is_user = rec_become_user();
	code = errno;
	/* a change of the user clears this */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(128 + SIGTERM); /* we were killed already */
	wait_for_release(gate);
	errno = code;
	if (is_user)
		execvp(command[0], command);
	fprintf(stderr, "iotrace-record: %s: %s\n", command[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

struct rec_command rec_command_hold(char **command)
{
	struct rec_command held = { 0, -1 };
	GPid parent = getpid();
	int ends[2];

	if (!g_unix_open_pipe(ends, FD_CLOEXEC, NULL))
		return held;
	held.pid = fork();
	if (!held.pid) {
		close(ends[1]);
		become(command, parent, ends[0]);
	}
	close(ends[0]);
	held.gate = ends[1];
	if (held.pid > 0)
		return held;
	close(held.gate);
	return (struct rec_command){ 0, -1 };
}

GPid rec_command_release(struct rec_command *command)
{
	if (command->gate >= 0 && write(command->gate, "", 1) == 1) {
		close(command->gate);
		command->gate = -1;
		return command->pid;
	}
	return 0;
}

void rec_command_cancel(struct rec_command *command)
{
	if (command->gate < 0)
		return;
	close(command->gate);
	command->gate = -1;
	waitpid(command->pid, NULL, 0);
}

int rec_command_status(int wait_status)
{
	return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}
