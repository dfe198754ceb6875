// SPDX-License-Identifier: GPL-2.0
/*
 * Requests of io_uring: they begin when the kernel has read them from the ring, and are done when their
 * completion is written into it, often by another task. The request itself is what both have in
 * common; it is found again by its address.
 */
#include <linux/io_uring_types.h>
#include <linux/sched.h>
#include <linux/stat.h>
#include "announce.h"
#include "compat.h"
#include "files.h"
#include "filter.h"
#include "iotrace.h"
#include "module.h"
#include "stats.h"
#include "uring.h"
#include "watch.h"

struct request {
	u64 id;
	s64 pos;	/* where a read or write begins; -1: not known, or neither */
};

/* What of a request becomes an event; false: it is none on a file. */
static bool read_request(struct io_kiocb *req, struct iotrace_file_args *a)
{
	const struct iotrace_uring_rw *rw = io_kiocb_to_cmd(req, struct iotrace_uring_rw);
	const struct iotrace_uring_sync *sync = io_kiocb_to_cmd(req, struct iotrace_uring_sync);

	switch (req->opcode) {
	case IORING_OP_READV:
	case IORING_OP_WRITEV:
		a->segs = rw->len;
		fallthrough;
	case IORING_OP_READ:
	case IORING_OP_READ_FIXED:
	case IORING_OP_WRITE:
	case IORING_OP_WRITE_FIXED:
		a->op = req->opcode == IORING_OP_READ || req->opcode == IORING_OP_READV ||
			req->opcode == IORING_OP_READ_FIXED ? IOTRACE_OP_URING_READ : IOTRACE_OP_URING_WRITE;
		a->pos = rw->kiocb.ki_pos;
		a->len = a->segs == 1 ? rw->len : 0;
		a->flags = rw->flags;
		return true;
	case IORING_OP_FSYNC:
	case IORING_OP_SYNC_FILE_RANGE:
		a->op = IOTRACE_OP_URING_FSYNC;
		a->pos = sync->off;
		a->len = sync->len;
		a->flags = sync->flags;
		return true;
	case IORING_OP_FALLOCATE:
		a->op = IOTRACE_OP_URING_OTHER;
		a->pos = sync->off;
		a->len = sync->len;
		a->flags = sync->mode;
		return true;
	}
	return false;
}

/* The file by its descriptor, or by its number among those registered with the ring. */
static bool find_file(struct io_kiocb *req, struct iotrace_file *out)
{
	struct file *file;
	bool found;

	if (!(req->flags & REQ_F_FIXED_FILE))
		return iotrace_file_at(req->cqe.fd, out);
	file = iotrace_uring_registered(req->ctx, req->cqe.fd);
	rcu_read_lock();
	found = file && iotrace_file_read(file, out);
	rcu_read_unlock();
	return found;
}

static bool wanted(const struct iotrace_filter *filter, bool found, const struct iotrace_file *file)
{
	if (!iotrace_filter_task(filter))
		return false;
	if (!found)
		return !filter->mounts;
	return (filter->kinds & IOTRACE_KIND(file->kind)) && iotrace_filter_dev(filter, file->dev);
}

static void begin(struct io_kiocb *req)
{
	struct iotrace_file_args a = { .tgid = current->tgid, .fd = -1, .pos = -1, .segs = 1 };
	struct iotrace_file file = {};
	struct request *request;
	bool found;

	if (!read_request(req, &a))
		return;
	found = find_file(req, &file);
	if (!wanted(iotrace_filter_get(), found, &file))
		return;
	request = iotrace_slots_claim(&iotrace_uring.slots, req);
	if (!request)
		return;
	request->id = a.id = iotrace_new_ids(1);
	request->pos = a.op == IOTRACE_OP_URING_READ || a.op == IOTRACE_OP_URING_WRITE ? a.pos : -1;
	if (a.op == IOTRACE_OP_URING_WRITE && file.append)
		request->pos = -1;
	if (!(req->flags & REQ_F_FIXED_FILE))
		a.fd = req->cqe.fd;
	a.ino = file.ino;
	a.dev = file.dev;
	a.kind = file.kind;
	iotrace_count(calls);
	iotrace_announce();
	trace_aio_start(&a);
}

static void uring_submit(void *data, struct io_kiocb *req)
{
	preempt_disable_notrace();
	begin(req);
	preempt_enable_notrace();
}

/* What follows differs between kernels; the result is in the request as well. */
static void uring_complete(void *data, void *ctx, struct io_kiocb *req)
{
	const struct request *request;
	s64 ret;

	if (!req)
		return;
	preempt_disable_notrace();
	request = iotrace_slots_find(&iotrace_uring.slots, req);
	if (request) {
		ret = req->cqe.res;
		trace_aio_done(request->id, ret, request->pos < 0 ? -1 : request->pos + max(ret, 0LL));
		iotrace_slots_release(&iotrace_uring.slots, req);
	}
	preempt_enable_notrace();
}

static struct iotrace_probe probes[] = {
	{ "io_uring_complete", uring_complete },
	{ "io_uring_submit_req", uring_submit, "io_uring_submit_sqe" },
};

struct iotrace_watch iotrace_uring = IOTRACE_WATCH(iotrace_uring, probes);

int iotrace_uring_init(void)
{
	if (!IS_ENABLED(CONFIG_IO_URING))
		return 0;
	return iotrace_watch_init(&iotrace_uring, sizeof(struct request));
}

void iotrace_uring_exit(void)
{
	if (IS_ENABLED(CONFIG_IO_URING))
		iotrace_watch_exit(&iotrace_uring);
}
