// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * measure [-o FILE] PROGRAM [ARGUMENT...] - run a program with its standard output thrown away (or
 * in FILE) and print "WALL-SECONDS USER-SECONDS SYSTEM-SECONDS PEAK-RSS-KIB" to standard output.
 * Exit status: the program's, or 126 if it could not be run, 127 if it was killed.
 *
 * The peak belongs to the program alone, because this process, unlike a shell, is small when it
 * starts the child.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double seconds(const struct timeval *t)
{
	return t->tv_sec + t->tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	const char *out = "/dev/null";
	posix_spawn_file_actions_t actions;
	struct rusage usage;
	double start;
	int status, error;
	pid_t pid;

	argv++;
	if (argc > 2 && !strcmp(argv[0], "-o")) {
		out = argv[1];
		argv += 2;
	}
	if (!argv[0]) {
		fprintf(stderr, "usage: measure [-o FILE] PROGRAM [ARGUMENT...]\n");
		return 126;
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC,
					 0666);
	start = now();
	error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	if (error) {
		fprintf(stderr, "measure: %s: %s\n", argv[0], strerror(error));
		return 126;
	}
	if (wait4(pid, &status, 0, &usage) < 0)
		return 126;
	printf("%.3f %.3f %.3f %ld\n", now() - start, seconds(&usage.ru_utime),
	       seconds(&usage.ru_stime), usage.ru_maxrss);
	posix_spawn_file_actions_destroy(&actions);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}
