/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests of io_uring with known arguments, one after the other, listed as file-calls does.
 * usage: uring-calls FOLDER
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

static struct {
	int fd;
	unsigned int *sq_tail, *sq_array, *sq_mask, *cq_head, *cq_tail, *cq_mask;
	struct io_uring_sqe *sqes;
	struct io_uring_cqe *cqes;
} ring;

static FILE *list;
static struct stat st;

static void *map(size_t size, off_t what)
{
	void *at =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring.fd, what);

	if (at == MAP_FAILED)
		err(1, "mmap of the ring");
	return at;
}

static void open_ring(void)
{
	struct io_uring_params p = { 0 };
	char *sq, *cq;

	ring.fd = syscall(SYS_io_uring_setup, 8, &p);
	if (ring.fd < 0)
		err(1, "io_uring_setup");
	sq = map(p.sq_off.array + p.sq_entries * sizeof(unsigned int), IORING_OFF_SQ_RING);
	cq = map(p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe), IORING_OFF_CQ_RING);
	ring.sqes = map(p.sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
	ring.sq_tail = (unsigned int *)(sq + p.sq_off.tail);
	ring.sq_mask = (unsigned int *)(sq + p.sq_off.ring_mask);
	ring.sq_array = (unsigned int *)(sq + p.sq_off.array);
	ring.cq_head = (unsigned int *)(cq + p.cq_off.head);
	ring.cq_tail = (unsigned int *)(cq + p.cq_off.tail);
	ring.cq_mask = (unsigned int *)(cq + p.cq_off.ring_mask);
	ring.cqes = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
}

/* Submits and waits for the result. */
static int run(struct io_uring_sqe sqe)
{
	unsigned int tail = *ring.sq_tail, slot = tail & *ring.sq_mask, head = *ring.cq_head;
	int res;

	ring.sqes[slot] = sqe;
	ring.sq_array[slot] = slot;
	__atomic_store_n(ring.sq_tail, tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		err(1, "io_uring_enter");
	if (__atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE) == head)
		errx(1, "no completion");
	res = ring.cqes[head & *ring.cq_mask].res;
	__atomic_store_n(ring.cq_head, head + 1, __ATOMIC_RELEASE);
	return res;
}

/* One request and what must be seen of it; end: -1 or where it left off if all goes well. */
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
	open_ring();
	list = open_memstream(&text, &size);
	access("/list-begins", F_OK);
	requests(fd);
	access("/list-ends", F_OK);
	fclose(list);
	fwrite(text, 1, size, stdout);
	return 0;
}
