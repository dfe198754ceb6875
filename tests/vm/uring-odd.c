/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests of io_uring without a completion in the completion ring, or with a late one.
 * usage: uring-odd skip FILE N | cancelled FILE | overflow FILE | crowd FILE N
 *
 * skip       N reads that want no completion, one that does
 *
 * cancelled  a failing read that wants no completion, and a read linked to it, which then has none
 *            either; then requests that are not recorded, one in the memory of the second read
 *
 * overflow   twice as many reads as completions fit into the ring; all have the same user_data
 *
 * crowd      N reads of an empty pipe, which end with the program
 */
#define _GNU_SOURCE
#include "uring-ring.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES 32
#define LATER	7

static char buffer[64];
static int file;

static struct io_uring_sqe reading(int fd, unsigned int len, unsigned int flags)
{
	return (struct io_uring_sqe){ .opcode = IORING_OP_READ,
				      .fd = fd,
				      .len = len,
				      .addr = (unsigned long)buffer,
				      .flags = (__u8)flags,
				      .user_data = LATER };
}

static int skip(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		queue(reading(file, 1, IOSQE_CQE_SKIP_SUCCESS));
		enter_ring(1, 0);
	}
	queue(reading(file, 2, 0));
	enter_ring(1, 1);
	return take() != 2;
}

/* The same user_data, so that only address and operation differ. */
static int cancelled(void)
{
	queue(reading(-1, 3, IOSQE_CQE_SKIP_SUCCESS | IOSQE_IO_LINK));
	queue(reading(file, 4, 0));
	enter_ring(2, 1);
	if (take() != -EBADF)
		errx(1, "the first read has not failed");
	for (unsigned int i = 0; i < ENTRIES; i++) {
		queue((struct io_uring_sqe){
			.opcode = IORING_OP_CLOSE, .fd = 1000, .user_data = LATER });
		enter_ring(1, 1);
		if (take() != -EBADF)
			errx(1, "close of no file has not failed");
	}
	return 0;
}

static int overflow(void)
{
	for (unsigned int n = 0; n < 4; n++) {
		for (unsigned int i = 0; i < ENTRIES; i++)
			queue(reading(file, n * ENTRIES + i < 10 ? i + 1 : 11, 0));
		enter_ring(ENTRIES, 0);
	}
	return 0;
}

static int crowd(unsigned int n)
{
	int ends[2];

	if (pipe(ends))
		err(1, "pipe");
	for (unsigned int i = 0; i < n; i++) {
		queue(reading(ends[0], 1, 0));
		enter_ring(1, 0);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		errx(2, "usage: uring-odd skip FILE N | cancelled FILE | overflow FILE | crowd FILE N");
	file = open(argv[2], O_RDONLY);
	if (file < 0)
		err(1, "%s", argv[2]);
	open_ring(ENTRIES);
	if (!strcmp(argv[1], "skip"))
		return skip(argc > 3 ? (unsigned int)atoi(argv[3]) : 1);
	if (!strcmp(argv[1], "crowd"))
		return crowd(argc > 3 ? (unsigned int)atoi(argv[3]) : 1);
	return !strcmp(argv[1], "cancelled") ? cancelled() : overflow();
}
