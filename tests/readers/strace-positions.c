/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random reads and writes at the positions of descriptors, for a log of strace. Each has a length
 * of its own, and standard output gets "LENGTH POSITION" of each, as the kernel has it
 * (/proc/self/fdinfo), or, where two threads read at one time, as the bytes that were read say.
 * Copies of descriptors, children and threads, and descriptors with O_APPEND take part. usage:
 * strace-positions SEED; files are made in the working directory
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FDS = 6, STEPS = 120, WORDS = 1 << 19, READS = 40 };

static int fds[FDS], pattern;
static long length = 20000; /* of the next call, multiples of 8 */
static char buffer[1 << 20];

static long long position(int fd)
{
	char name[64], text[256];
	long long pos = -1;
	FILE *info;

	snprintf(name, sizeof(name), "/proc/self/fdinfo/%d", fd);
	info = fopen(name, "r");
	if (!info || !fgets(text, sizeof(text), info) || sscanf(text, "pos: %lld", &pos) != 1)
		exit(2);
	fclose(info);
	return pos;
}

static int open_one(void)
{
	static const int flags[] = { O_RDWR, O_RDWR | O_APPEND, O_RDWR | O_CLOEXEC };
	int fd = open(random() % 2 ? "f1" : "f2", flags[random() % 3] | O_CREAT, 0600);

	if (fd < 0)
		exit(2);
	return fd;
}

/* What stands in the place of the descriptor: another open, or a copy. */
static void replace(int i)
{
	close(fds[i]);
	fds[i] = random() % 2 ? open_one()
			      : dup(fds[random() % FDS == i ? (i + 1) % FDS : (i + 2) % FDS]);
}

static void step(int i)
{
	struct iovec parts[2] = { { buffer, 8000 }, { buffer, 0 } };
	int fd = fds[i];

	length += 8;
	parts[1].iov_len = (size_t)length - 8000;
	switch (random() % 8) {
	case 0:
		replace(i);
		return;
	case 1:
		lseek(fd, random() % 100000, random() % 2 ? SEEK_SET : SEEK_CUR);
		return;
	case 2:
		if (pread(fd, buffer, 100, random() % 1000) < 0)
			exit(2);
		return;
	case 3:
		fcntl(fd, F_SETFL, random() % 3 ? 0 : O_APPEND);
		return;
	case 4:
		printf("%ld %lld\n", length, position(fd));
		if (writev(fd, parts, 2) < 0)
			exit(2);
		return;
	case 5:
		printf("%ld %lld\n", length, position(fd));
		if (read(fd, buffer, (size_t)length) < 0)
			exit(2);
		return;
	case 6:
		printf("%ld %lld\n", length, position(pattern));
		if (sendfile(fd, pattern, NULL, (size_t)length) < 0 && lseek(fd, 0, SEEK_CUR) < 0)
			exit(2);
		return;
	default:
		printf("%ld %lld\n", length, position(fd));
		if (write(fd, buffer, (size_t)length) != length)
			exit(2);
	}
}

static void steps(int n)
{
	while (n--)
		step((int)(random() % FDS));
	fflush(stdout);
}

static void *in_thread(void *unused)
{
	steps(STEPS / 4);
	return unused;
}

/* The position is that of the first word. */
static void *read_words(void *data)
{
	long own = *(long *)data;
	uint64_t words[1200];

	for (int i = 0; i < READS; i++, own += 8) {
		ssize_t n = read(pattern, words, (size_t)own);

		if (n >= 8)
			printf("%ld %lld\n", own, (long long)words[0] * 8);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static uint64_t words[WORDS];
	long from[2] = { 6000, 6000 + 8 * READS };
	pthread_t threads[2];
	int status;

	srandom(argc > 1 ? (unsigned int)atoi(argv[1]) : 1);
	for (uint64_t i = 0; i < WORDS; i++)
		words[i] = i;
	pattern = open("pattern", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (pattern < 0 || write(pattern, words, sizeof(words)) != sizeof(words))
		return 2;
	lseek(pattern, 0, SEEK_SET);
	for (int i = 0; i < FDS; i++)
		fds[i] = open_one();
	steps(STEPS);
	/* the numbers of the lengths go on in the parent after those of the child */
	if (!fork()) {
		steps(STEPS / 2);
		_exit(0);
	}
	if (wait(&status) < 0 || status)
		return 2;
	length += 8 * STEPS;
	steps(STEPS / 2);
	pthread_create(&threads[0], NULL, in_thread, NULL);
	pthread_join(threads[0], NULL);
	steps(STEPS / 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, read_words, &from[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
