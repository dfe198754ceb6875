/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks with unusual calls: more calls at once than there are slots, a task killed
 * in a call, a process that replaces itself while its threads are in calls, system calls of the
 * 32-bit table, one call that closes very many descriptors. Each case has its own process.
 * usage: odd-tasks crowd N|killed|exec|compat|closes PIPES FILES
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int fds[2];

/* Waits until task tid sleeps in a system call. The kernel shows "number arguments ...", or
 * "running". */
static void until_in_call(pid_t pid, pid_t tid, int number)
{
	char path[64], text[256];
	int got = -1;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", pid, tid);
	while (got != number) {
		FILE *file = fopen(path, "r");

		if (!file || !fgets(text, sizeof(text), file))
			err(1, "%s", path);
		fclose(file);
		got = text[0] == 'r' ? -1 : atoi(text);
	}
}

static void *read_byte(void *tid)
{
	char byte;

	__atomic_store_n((pid_t *)tid, gettid(), __ATOMIC_SEQ_CST);
	if (read(fds[0], &byte, 1) != 1)
		err(1, "read");
	return NULL;
}

static void start_readers(pthread_t *threads, int count)
{
	for (int i = 0; i < count; i++) {
		pid_t tid = 0;

		if (pthread_create(&threads[i], NULL, read_byte, &tid))
			errx(1, "cannot start thread %d", i);
		while (!__atomic_load_n(&tid, __ATOMIC_SEQ_CST))
			sched_yield();
		until_in_call(getpid(), tid, SYS_read);
	}
}

static void crowd(int count)
{
	pthread_t *threads = calloc(count, sizeof(*threads));
	char bytes[4096] = "";

	start_readers(threads, count);
	if (write(fds[1], bytes, count) != count)
		err(1, "write");
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

static void killed(void)
{
	pid_t child = fork();
	char byte;

	if (!child)
		_exit(read(fds[0], &byte, 1));
	until_in_call(child, child, SYS_read);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void exec_beside_readers(void)
{
	pthread_t threads[3];

	start_readers(threads, 3);
	execl("/bin/busybox", "true", NULL);
	err(1, "exec");
}

/* read() by the table of 32-bit programs, in which it has number 3. */
static void compat(void)
{
#ifdef __x86_64__
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(3), "b"(-1), "c"(0), "d"(0)
			 : "memory", "r8", "r9", "r10", "r11");
	if (ret != -9)
		errx(1, "a 32-bit call returned %ld", ret);
#endif
}

/* One call that closes ends of a pipe and, after them, descriptors of a file. */
static void closes(int pipes, int files)
{
	struct rlimit limit = { 10000, 10000 };
	int file = open("/mnt/closes", O_RDWR | O_CREAT, 0600);

	if (file < 0 || setrlimit(RLIMIT_NOFILE, &limit))
		err(1, "closes");
	for (int i = 0; i < pipes + files; i++)
		if (dup2(i < pipes ? fds[0] : file, 100 + i) < 0)
			err(1, "dup2");
	if (close_range(100, ~0U, 0))
		err(1, "close_range");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (pipe(fds))
		err(1, "pipe");
	if (!strcmp(what, "crowd") && argc > 2)
		crowd(atoi(argv[2]));
	else if (!strcmp(what, "killed"))
		killed();
	else if (!strcmp(what, "exec"))
		exec_beside_readers();
	else if (!strcmp(what, "compat"))
		compat();
	else if (!strcmp(what, "closes") && argc > 3)
		closes(atoi(argv[2]), atoi(argv[3]));
	else
		errx(2, "usage: odd-tasks crowd N|killed|exec|compat|closes PIPES FILES");
	return 0;
}
