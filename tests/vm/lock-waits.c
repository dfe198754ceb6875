/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A child waits for its parent's lock: by flock, by fcntl, and by fcntl until a signal arrives. The
 * parent continues when the kernel's list of locks shows a waiter. usage: lock-waits FILE
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

enum way { FLOCK, FCNTL, SIGNALLED, WAYS };

static void nothing(int signal)
{
	(void)signal;
}

static int lock(int fd, enum way way, int type)
{
	struct flock range = { .l_type = type, .l_whence = SEEK_SET, .l_start = 4, .l_len = 2 };

	if (way == FLOCK)
		return flock(fd, type == F_UNLCK ? LOCK_UN : LOCK_EX);
	return fcntl(fd, F_SETLKW, &range);
}

static int somebody_waits(void)
{
	FILE *file = fopen("/proc/locks", "r");
	char line[256];
	int found = 0;

	while (file && fgets(line, sizeof(line), file))
		found |= !!strstr(line, "->");
	if (file)
		fclose(file);
	return found;
}

/* The child opens the file itself, because an inherited descriptor has the parent's lock. */
static int wait_for_lock(const char *path, enum way way)
{
	int fd = open(path, O_RDWR);

	return lock(fd, way, F_WRLCK) == (way == SIGNALLED ? -1 : 0);
}

static int try(const char *path, enum way way)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600), status;
	pid_t child;

	if (fd < 0 || lock(fd, way, F_WRLCK))
		return 0;
	child = fork();
	if (!child)
		_exit(!wait_for_lock(path, way));
	while (!somebody_waits())
		usleep(1000);
	if (way == SIGNALLED) {
		kill(child, SIGUSR1);
		waitpid(child, &status, 0);
	}
	lock(fd, way, F_UNLCK);
	if (way != SIGNALLED)
		waitpid(child, &status, 0);
	close(fd);
	return status == 0;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = nothing };

	if (argc != 2)
		return 2;
	sigaction(SIGUSR1, &action, NULL);
	for (int way = 0; way < WAYS; way++)
		if (!try(argv[1], (enum way)way)) {
			fprintf(stderr, "lock-waits: failed in way %d\n", way);
			return 1;
		}
	return 0;
}
