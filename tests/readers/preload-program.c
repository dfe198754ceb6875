/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libiotrace-preload must record: usage: preload-program WHAT [N]
 *
 * calls N      N random calls of each kind, the same for the same N; in the current folder
 * threads N    four threads, each with N writes of one byte; two of them on one descriptor
 * children     by fork, vfork, posix_spawn, exec, clone(CLONE_VM); each writes its own number of
 * bytes killed N     N writes, then SIGKILL exits N      N writes, then _exit cost N       the
 * median cost of a call in ns: "pwrite A clock B open C", of N runs
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static char bytes[4096];
static uint64_t state;

/* At most @n - 1. */
static unsigned int draw(unsigned int n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(state >> 33) % n;
}

/* A result that does not matter. */
static void ignore(long result)
{
	(void)result;
}

static void on_descriptor(int fd, int other)
{
	struct iovec iov[3] = { { bytes, draw(100) }, { bytes, draw(100) }, { bytes, 1 } };
	struct flock lock = { .l_type = (short)draw(3), .l_start = draw(50), .l_len = draw(50) };
	off_t at = draw(1000), to = draw(1000);

	switch (draw(24)) {
	case 0:
	case 1:
		ignore(read(fd, bytes, draw(500)));
		break;
	case 2:
	case 3:
	case 4:
		ignore(write(fd, bytes, draw(500)));
		break;
	case 5:
		ignore(pread(fd, bytes, draw(500), at));
		break;
	case 6:
		ignore(pwrite(fd, bytes, draw(500), at));
		break;
	case 7:
		ignore(readv(fd, iov, 3));
		break;
	case 8:
		ignore(writev(fd, iov, 3));
		break;
	case 9:
		ignore(preadv(fd, iov, 2, at));
		break;
	case 10:
		ignore(pwritev(fd, iov, 2, at));
		break;
	case 11:
		ignore(lseek(fd, draw(1000), SEEK_SET));
		break;
	case 12:
		ignore(lseek(fd, draw(10), SEEK_CUR));
		break;
	case 13:
		ignore(fsync(fd));
		break;
	case 14:
		ignore(fdatasync(fd));
		break;
	case 15:
		ignore(ftruncate(fd, draw(2000)));
		break;
	case 16:
		ignore(posix_fallocate(fd, draw(100), 1 + draw(100)));
		break;
	case 17:
		ignore(fcntl(fd, F_SETLK, &lock));
		break;
	case 18:
		ignore(flock(fd, draw(2) ? LOCK_SH | LOCK_NB : LOCK_UN));
		break;
	case 19:
		ignore(copy_file_range(fd, &at, other, &to, draw(300), 0));
		break;
	case 20:
		ignore(sendfile(other, fd, draw(2) ? &at : NULL, draw(300)));
		break;
	case 21:
		ignore(fchmod(fd, 0600 + draw(0100)));
		break;
	case 22:
		ignore((long)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0));
		break;
	case 23:
		ignore(preadv2(fd, iov, 2, draw(2) ? -1 : at, 0));
		break;
	}
}

static void by_path(int folder)
{
	static const char *const names[] = { "a", "b", "c", "d/e", "none/f" };
	const char *name = names[draw(5)], *other = names[draw(5)];
	struct stat st;

	switch (draw(15)) {
	case 0:
		ignore(stat(name, &st));
		break;
	case 1:
		ignore(lstat(name, &st));
		break;
	case 2:
		ignore(access(name, R_OK));
		break;
	case 3:
		ignore(rename(name, other));
		break;
	case 4:
		ignore(unlink(name));
		break;
	case 5:
		ignore(mkdir(name, 0700));
		break;
	case 6:
		ignore(rmdir(name));
		break;
	case 7:
		ignore(link(name, other));
		break;
	case 8:
		ignore(symlink("target of a link", name));
		break;
	case 9:
		ignore(readlink(name, bytes, draw(100)));
		break;
	case 10:
		ignore(chmod(name, 0600));
		break;
	case 11:
		ignore(utimensat(folder, name, NULL, 0));
		break;
	case 12:
		ignore(truncate(name, draw(1000)));
		break;
	case 13:
		ignore(unlinkat(folder, name, draw(2) ? AT_REMOVEDIR : 0));
		break;
	case 14:
		ignore(fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW));
		break;
	}
}

static int open_one(int folder)
{
	static const char *const names[] = { "a", "b", "c", "d/e", "none/f" };
	int flags = (int[]){ O_RDONLY, O_RDWR | O_CREAT, O_WRONLY | O_CREAT | O_TRUNC,
			     O_RDWR | O_CREAT | O_APPEND, O_RDWR | O_CREAT | O_CLOEXEC }[draw(5)];

	return draw(2) ? open(names[draw(5)], flags, 0600)
		       : openat(folder, names[draw(5)], flags, 0600);
}

static void calls(unsigned int n)
{
	int folder, fd[8], copy;

	state = n;
	ignore(mkdir("d", 0700));
	folder = open(".", O_RDONLY | O_DIRECTORY);
	for (int i = 0; i < 8; i++)
		fd[i] = open_one(folder);
	for (unsigned int i = 0; i < n; i++) {
		int which = (int)draw(8);

		switch (draw(8)) {
		case 0:
			ignore(close(fd[which]));
			fd[which] = open_one(folder);
			break;
		case 1:
			copy = draw(2) ? dup(fd[draw(8)]) : fcntl(fd[draw(8)], F_DUPFD_CLOEXEC, 0);
			if (copy >= 0) {
				ignore(close(fd[which]));
				fd[which] = copy;
			}
			break;
		case 2:
			by_path(folder);
			break;
		default:
			on_descriptor(fd[which], fd[draw(8)]);
		}
	}
}

/* ---- threads */

static int shared;
static unsigned int count;

static void *write_all(void *own)
{
	int fd = own ? open(own, O_WRONLY | O_CREAT, 0600) : shared;

	for (unsigned int i = 0; i < count; i++)
		ignore(write(fd, bytes, 1));
	return NULL;
}

static void threads(void)
{
	pthread_t thread[4];
	char *own[] = { NULL, NULL, (char[]){ "t1" }, (char[]){ "t2" } };

	shared = open("t0", O_WRONLY | O_CREAT, 0600);
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, write_all, own[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

/* ---- children */

static int output;

static int in_clone(void *data)
{
	(void)data;
	ignore(write(output, bytes, 105));
	return 0;
}

static void children(const char *self)
{
	static char stack[65536] __attribute__((aligned(16)));
	char *const spawned[] = { (char *)(uintptr_t)self, (char[]){ "writes" }, (char[]){ "103" },
				  NULL };
	posix_spawn_file_actions_t actions;
	pid_t pid;

	output = open("children", O_WRONLY | O_CREAT | O_APPEND, 0600);
	ignore(write(output, bytes, 100));
	pid = fork();
	if (!pid) {
		ignore(write(output, bytes, 101));
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	pid = _Fork(); /* without the handlers of pthread_atfork */
	if (!pid) {
		ignore(write(output, bytes, 106));
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	pid = vfork();
	if (!pid) {
		ignore(write(output, bytes, 102));
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	ignore(write(output, bytes, 110));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output, 1);
	posix_spawn(&pid, self, &actions, NULL, spawned, environ);
	posix_spawn_file_actions_destroy(&actions);
	waitpid(pid, NULL, 0);
	pid = fork();
	if (!pid) {
		dup2(output, 1);
		execl(self, self, "writes", "104", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	pid = clone(in_clone, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
	waitpid(pid, NULL, 0);
	ignore(write(output, bytes, 111));
}

/* ---- cost */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void cost(unsigned int n)
{
	enum { CALLS = 500, OPENS = 100 };
	double *took[3], begin;
	int fd = open("/dev/null", O_RDWR);

	for (int k = 0; k < 3; k++)
		took[k] = calloc(n, sizeof(double));
	for (unsigned int i = 0; i < n; i++) {
		begin = now();
		for (int k = 0; k < CALLS; k++)
			ignore(pwrite(fd, bytes, 1, 0));
		took[0][i] = (now() - begin) / CALLS;
		begin = now();
		for (int k = 0; k < CALLS; k++)
			now();
		took[1][i] = (now() - begin) / CALLS;
		begin = now();
		for (int k = 0; k < OPENS; k++)
			close(open("/dev/null", O_RDONLY));
		took[2][i] = (now() - begin) / OPENS;
	}
	for (int k = 0; k < 3; k++)
		qsort(took[k], n, sizeof(double), by_value);
	printf("pwrite %.1f clock %.1f open %.1f\n", took[0][n / 2], took[1][n / 2],
	       took[2][n / 2]);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	count = argc > 2 ? (unsigned int)atoi(argv[2]) : 0;
	if (!strcmp(what, "calls"))
		calls(count);
	else if (!strcmp(what, "threads"))
		threads();
	else if (!strcmp(what, "children"))
		children(argv[0]);
	else if (!strcmp(what, "writes"))
		ignore(write(1, bytes, count));
	else if (!strcmp(what, "cost"))
		cost(count);
	else if (!strcmp(what, "killed") || !strcmp(what, "exits")) {
		int fd = open("k", O_WRONLY | O_CREAT, 0600);

		for (unsigned int i = 0; i < count; i++)
			ignore(write(fd, bytes, 1));
		if (*what == 'k')
			kill(getpid(), SIGKILL);
		_exit(0);
	} else
		return 2;
	return 0;
}
