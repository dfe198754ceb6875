/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ring of io_uring without liburing, for the programs that test how its requests are recorded. */
#ifndef URING_RING_H
#define URING_RING_H

#include <err.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
	int fd;
	unsigned int *sq_tail, *sq_array, *sq_mask, *cq_head, *cq_tail, *cq_mask;
	struct io_uring_sqe *sqes;
	struct io_uring_cqe *cqes;
} ring;

static void *map(size_t size, off_t what)
{
	void *at =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring.fd, what);

	if (at == MAP_FAILED)
		err(1, "mmap of the ring");
	return at;
}

static void open_ring(unsigned int entries)
{
	struct io_uring_params p = { 0 };
	char *sq, *cq;

	ring.fd = syscall(SYS_io_uring_setup, entries, &p);
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

/* Puts a request into the ring; enter_ring() submits all requests. */
static void queue(struct io_uring_sqe sqe)
{
	unsigned int tail = *ring.sq_tail, slot = tail & *ring.sq_mask;

	ring.sqes[slot] = sqe;
	ring.sq_array[slot] = slot;
	__atomic_store_n(ring.sq_tail, tail + 1, __ATOMIC_RELEASE);
}

static void enter_ring(unsigned int submit, unsigned int wait)
{
	if (syscall(SYS_io_uring_enter, ring.fd, submit, wait, IORING_ENTER_GETEVENTS, NULL, 0) !=
	    (long)submit)
		err(1, "io_uring_enter");
}

/* The result of the next completion; there must be one. */
static int take(void)
{
	unsigned int head = *ring.cq_head;
	int res;

	if (__atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE) == head)
		errx(1, "no completion");
	res = ring.cqes[head & *ring.cq_mask].res;
	__atomic_store_n(ring.cq_head, head + 1, __ATOMIC_RELEASE);
	return res;
}

#endif
