/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests of io_uring with known arguments, one after the other, listed as in file-calls.
 * usage: uring-calls FOLDER
 */
#define _GNU_SOURCE
#include "uring-ring.h"

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

static FILE *list;
static struct stat st;

/* Submits and waits for the result. */
static int run(struct io_uring_sqe sqe)
{
	queue(sqe);
	enter_ring(1, 1);
	return take();
}

/* One request and its expected event; end: -1, or the position after success. */
static void request(const char *op, int opcode, int fd, const void *addr, unsigned int len,
		    long pos, unsigned int flags)
{
	struct io_uring_sqe sqe = {
		.opcode = opcode, .fd = fd, .addr = (unsigned long)addr, .len = len, .off = pos
	};
	int vector = opcode == IORING_OP_READV || opcode == IORING_OP_WRITEV;
	int moves = opcode != IORING_OP_FSYNC;
	int ret;

	sqe.rw_flags = flags;
	ret = run(sqe);
	fprintf(list,
		"aio op=io_uring %s fd=%d dev=%u:%u ino=%lu pos=%ld len=%u flags=0x%x segs=%u "
		"kind=0%o -> ret=%d pos=%ld\n",
		op, fd, major(st.st_dev), minor(st.st_dev), st.st_ino, pos, vector ? 0 : len, flags,
		vector ? len : 1, st.st_mode & S_IFMT, ret,
		moves && pos >= 0 ? pos + (ret > 0 ? ret : 0) : -1);
}

static void requests(int fd)
{
	static char buffer[65536];
	struct iovec iov[2] = { { buffer, 100 }, { buffer, 50 } };

	request("write", IORING_OP_WRITE, fd, buffer, 10000, 0, 0);
	request("write", IORING_OP_WRITEV, fd, iov, 2, 20000, 0);
	request("read", IORING_OP_READ, fd, buffer, 65536, 4096, 0);
	request("read", IORING_OP_READV, fd, iov, 2, 100, 0);
	request("read", IORING_OP_READ, fd, (void *)16, 10, 0, 0);
	request("write", IORING_OP_WRITE, fd, buffer, 10, -1, 0);
	request("fsync", IORING_OP_FSYNC, fd, NULL, 0, 0, IORING_FSYNC_DATASYNC);
}

int main(int argc, char **argv)
{
	size_t size;
	char *text;
	int fd;

	if (argc != 2 || chdir(argv[1])) {
		fprintf(stderr, "usage: uring-calls FOLDER\n");
		return 2;
	}
	fd = open("ring", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || fstat(fd, &st))
		err(1, "ring");
	open_ring(8);
	list = open_memstream(&text, &size);
	access("/list-begins", F_OK);
	requests(fd);
	access("/list-ends", F_OK);
	fclose(list);
	fwrite(text, 1, size, stdout);
	return 0;
}
