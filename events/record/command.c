/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command.h"
#include "record-folder.h"
#include "base/error.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

GPid rec_command_start(char **command)
{
	GPid pid = fork();
	sigset_t none;

	if (pid)
		return MAX(pid, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	if (rec_become_user())
		execvp(command[0], command);
	fprintf(stderr, "iotrace-record: %s: %s\n", command[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

int rec_command_status(int wait_status)
{
	return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}
