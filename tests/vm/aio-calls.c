/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests of Linux AIO with known arguments, listed as in file-calls: the events of each
 * io_submit. usage: aio-calls FOLDER
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#define MANY 300

static aio_context_t context;
static struct stat st;

/* The kernel accepts the first ones, up to one that is wrong. */
static long submit(struct iocb *iocbs, unsigned int n)
{
	struct io_event events[MANY];
	struct iocb *list[MANY];
	long accepted;

	for (unsigned int i = 0; i < n; i++)
		list[i] = &iocbs[i];
	accepted = syscall(SYS_io_submit, context, (long)n, list);
	if (accepted < 0)
		return -errno;
	if (syscall(SYS_io_getevents, context, accepted, accepted, events, NULL) != accepted)
		err(1, "io_getevents");
	return accepted;
}

static struct iocb request(int opcode, int fd, void *buffer, unsigned long n, long pos)
{
	return (struct iocb){ .aio_lio_opcode = (__u16)opcode,
			      .aio_fildes = (__u32)fd,
			      .aio_buf = (unsigned long)buffer,
			      .aio_nbytes = n,
			      .aio_offset = pos };
}

static void line(FILE *list, const char *op, int fd, long pos, unsigned long len,
		 unsigned int flags, unsigned int segs, long ret)
{
	fprintf(list,
		"submit op=io_submit %s fd=%d dev=%u:%u ino=%lu pos=%ld len=%lu flags=0x%x segs=%u "
		"kind=0%o "
		"-> ret=%ld pos=-1\n",
		op, fd, major(st.st_dev), minor(st.st_dev), st.st_ino, pos, len, flags, segs,
		st.st_mode & S_IFMT, ret);
}

static void requests(FILE *list, int fd)
{
	static char buffer[8192];
	static struct iovec iov[3] = { { buffer, 100 }, { buffer, 50 }, { buffer, 7 } };
	struct iocb all[5], bad[3], many[MANY];

	all[0] = request(IOCB_CMD_PWRITE, fd, buffer, sizeof(buffer), 4096);
	all[1] = request(IOCB_CMD_PWRITEV, fd, iov, 3, 0);
	all[2] = request(IOCB_CMD_PREAD, fd, buffer, 512, 1024);
	all[2].aio_rw_flags = 2; /* RWF_DSYNC: of writes, but reads may have it */
	all[3] = request(IOCB_CMD_PREADV, fd, iov, 2, 10);
	all[4] = request(IOCB_CMD_FDSYNC, fd, NULL, 0, 0);
	if (submit(all, 5) != 5)
		errx(1, "io_submit of five");
	line(list, "write", fd, 4096, sizeof(buffer), 0, 1, 1);
	line(list, "write", fd, 0, 157, 0, 3, 1);
	line(list, "read", fd, 1024, 512, 2, 1, 1);
	line(list, "read", fd, 10, 150, 0, 2, 1);
	line(list, "fsync", fd, -1, 0, 0, 1, 1);

	bad[0] = all[2];
	bad[1] = request(IOCB_CMD_PREAD, fd, buffer, 9, -5);
	bad[2] = all[2];
	if (submit(bad, 3) != 1)
		errx(1, "io_submit with a wrong one");
	line(list, "read", fd, 1024, 512, 2, 1, 1);
	line(list, "read", fd, -5, 9, 0, 1, 0);
	line(list, "read", fd, 1024, 512, 2, 1, 0);
	if (submit(bad + 1, 2) != -EINVAL)
		errx(1, "io_submit of a wrong one");
	line(list, "read", fd, -5, 9, 0, 1, -EINVAL);
	line(list, "read", fd, 1024, 512, 2, 1, -EINVAL);

	for (int i = 0; i < MANY; i++)
		many[i] = request(IOCB_CMD_PREAD, fd, buffer, 1, i);
	if (submit(many, MANY) != MANY)
		errx(1, "io_submit of many");
	for (int i = 0; i < 256; i++)
		line(list, "read", fd, i, 1, 0, 1, 1);
}

int main(int argc, char **argv)
{
	size_t size;
	char *text;
	FILE *list;
	int fd;

	if (argc != 2 || chdir(argv[1])) {
		fprintf(stderr, "usage: aio-calls FOLDER\n");
		return 2;
	}
	fd = open("aio", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || fstat(fd, &st) || syscall(SYS_io_setup, MANY, &context))
		err(1, "aio");
	list = open_memstream(&text, &size);
	access("/list-begins", F_OK);
	requests(list, fd);
	access("/list-ends", F_OK);
	fclose(list);
	fwrite(text, 1, size, stdout);
	return 0;
}
