/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static gboolean is_program(const char *name)
{
	g_autofree char *path = g_find_program_in_path(name);

	return path != NULL;
}

/* The shell command of the pager; NULL: none. */
static const char *find_pager(void)
{
	const char *pager = getenv("PAGER");
	g_autofree char *program = NULL;

	if (!pager)
		return is_program("less") ? "less" : is_program("more") ? "more" : NULL;
	if (!*pager || !strcmp(pager, "cat"))
		return NULL;
	/* A missing program would swallow the output. Only the shell can judge more than words. */
	program = g_strndup(pager, strcspn(pager, " \t"));
	if (!strpbrk(program, "'\"\\$`~=;|&()<>") && !is_program(program))
		return NULL;
	return pager;
}

/* In the child. Nothing was written if the pipe is closed without data: no pager is needed. */
static void run_pager(const char *command)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	signal(SIGPIPE, SIG_DFL); /* the program ignores it, a pager should not */
	while (poll(&input, 1, -1) < 0 && errno == EINTR)
		;
	if (!(input.revents & POLLIN))
		_exit(0);
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

void iot_pager_start(struct iot_pager *pager)
{
	const char *command = isatty(STDOUT_FILENO) ? find_pager() : NULL;
	int ends[2];

	memset(pager, 0, sizeof(*pager));
	if (!command || pipe2(ends, O_CLOEXEC) < 0)
		return;
	pager->terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	pager->child = fork();
	if (pager->child == 0) {
		dup2(ends[0], STDIN_FILENO);
		close(ends[1]);
		run_pager(command);
	}
	if (pager->child > 0) {
		dup2(ends[1], STDOUT_FILENO);
	} else {
		close(pager->terminal);
		pager->child = 0;
	}
	close(ends[0]);
	close(ends[1]);
}

void iot_pager_end(struct iot_pager *pager)
{
	if (!pager->child)
		return;
	dup2(pager->terminal, STDOUT_FILENO);
	close(pager->terminal);
	while (waitpid(pager->child, NULL, 0) < 0 && errno == EINTR)
		;
	pager->child = 0;
}
