/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names to the module a process that has ended and only waits for its parent, then makes another
 * process with the same number, which opens a file. usage: ended-process PARAMETER FILE
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void set(const char *path, long number)
{
	FILE *file = fopen(path, "w");

	if (!file || fprintf(file, "%ld\n", number) < 0 || fclose(file))
		err(1, "%s", path);
}

static pid_t start(const char *file, pid_t wanted)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (!pid)
		_exit(getpid() == wanted && open(file, O_RDONLY) < 0);
	return pid;
}

int main(int argc, char **argv)
{
	siginfo_t info;
	pid_t ended;

	if (argc != 3)
		errx(2, "usage: ended-process PARAMETER FILE");
	ended = start(argv[2], 0);
	if (waitid(P_PID, (id_t)ended, &info, WEXITED | WNOWAIT))
		err(1, "waitid");
	set(argv[1], ended);
	waitpid(ended, NULL, 0);
	/* Other processes may take the number in between. */
	for (int i = 0; i < 1000; i++) {
		int status;
		pid_t pid;

		set("/proc/sys/kernel/ns_last_pid", ended - 1);
		pid = start(argv[2], ended);
		waitpid(pid, &status, 0);
		if (pid == ended)
			return status != 0;
	}
	errx(1, "no process has got number %d again", ended);
}
