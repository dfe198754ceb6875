/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * File I/O of threads and processes that share and copy descriptors, with calls of many kinds, for
 * comparison with strace. usage: thread-files FOLDER
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_THREADS = 3, N_ROUNDS = 20, SIZE = 100, N_SEEKS = 37 };

static const char *folder;
static int shared;

static void need(int good)
{
	if (good)
		return;
	perror("thread-files");
	exit(1);
}

static char *path_of(const char *name, long number)
{
	char *path;

	need(asprintf(&path, "%s/%s%ld", folder, name, number) > 0);
	return path;
}

/* Writes a file of its own, and reads that of the main thread. */
static void *work(void *number)
{
	char *path = path_of("own", (long)number), buffer[SIZE] = "";
	int fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0644);
	struct iovec parts[2] = { { buffer, 10 }, { buffer, 20 } };

	need(fd >= 0);
	for (int i = 0; i < N_ROUNDS; i++) {
		need(write(fd, buffer, SIZE) == SIZE);
		need(writev(fd, parts, 2) == 30);
		need(pwritev(fd, parts, 2, 5) == 30);
		need(pread(shared, buffer, SIZE, i) == SIZE);
		need(preadv2(fd, parts, 1, 0, 0) == 10);
	}
	need(fdatasync(fd) == 0 && ftruncate(fd, 7) == 0 && close(fd) == 0);
	free(path);
	return NULL;
}

/* A child has copies: its close is not that of the parent. */
static void make_child(void)
{
	pid_t child = fork();
	char buffer[SIZE];

	need(child >= 0);
	if (!child) {
		int copy = dup(shared);

		need(copy >= 0 && close(shared) == 0 && read(copy, buffer, 3) == 3);
		_exit(0);
	}
	need(waitpid(child, NULL, 0) == child);
	need(pread(shared, buffer, 5, 0) == 5);
}

/* The number of a closed file is given to another one. */
static void use_again(void)
{
	char *path = path_of("again", 0), *other = path_of("moved", 0);
	int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0644), out;

	need(fd >= 0 && fallocate(fd, 0, 0, 50) == 0 && close(fd) == 0);
	need(rename(path, other) == 0);
	out = creat(path, 0644);
	need(out == fd);
	need(sendfile(out, shared, NULL, 4) == 4);
	need(copy_file_range(shared, NULL, out, NULL, 6, 0) == 6);
	need(close(out) == 0 && unlink(other) == 0);
	free(path);
	free(other);
}

int main(int argc, char **argv)
{
	pthread_t threads[N_THREADS];
	char buffer[2 * SIZE] = "", *path;

	need(argc == 2);
	folder = argv[1];
	path = path_of("shared", 0);
	shared = open(path, O_CREAT | O_TRUNC | O_RDWR, 0644);
	need(shared >= 0 && write(shared, buffer, sizeof(buffer)) == sizeof(buffer));
	for (long i = 0; i < N_THREADS; i++)
		need(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (int i = 0; i < N_THREADS; i++)
		need(pthread_join(threads[i], NULL) == 0);
	for (int i = 0; i < N_SEEKS; i++)
		need(lseek(shared, 0, SEEK_SET) == 0);
	make_child();
	use_again();
	free(path);
	return close(shared) != 0;
}
