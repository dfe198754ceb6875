// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests of io_uring begin when the kernel has read them from the ring, and are done when their completion
 * is written into the ring, often by another task. The address of the request joins both.
 *
 * Not every request has a completion: with IOSQE_CQE_SKIP_SUCCESS only failed requests have one, and requests
 * that are cancelled because a linked request failed may have none. Then the kernel gives no sign, and reuses the
 * address for the next request of this ring or another. So each submission first evicts the previous
 * request of its address, and a completion must have the same ring, operation and user_data as the submission.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/hash.h>
#include <linux/io_uring_types.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/stat.h>
#include <linux/uaccess.h>
#include <trace/events/io_uring.h>
#include "announce.h"
#include "btf.h"
#include "compat.h"
#include "files.h"
#include "filter.h"
#include "ids.h"
#include "iotrace.h"
#include "stats.h"
#include "uring.h"
#include "watch.h"

struct request {
	struct io_ring_ctx *ring;	/* written last; NULL: the rest is not valid */
	struct io_kiocb *req;
	struct list_head node;		/* of its ring_list */
	u64 id;
	u64 user_data;
	s64 pos;	/* first byte of a read or write; -1: unknown, or neither */
	u8 opcode;
};

/*
 * The requests of the rings that share a hash value. A completion that is put aside names the ring only, so its request is
 * searched in this list; and its length is limited, so that a program whose requests never complete does not fill the
 * table. Rings that share a value share the limit.
 */
struct ring_list {
	raw_spinlock_t lock;
	unsigned int count;
	struct list_head requests;
};

#define RING_LIST_BITS 8
/* Of the slots, for each list; and the most that are searched with preemption disabled. */
#define RING_SHARE 8
#define RING_MAX 1024

static struct ring_list ring_lists[1 << RING_LIST_BITS];

static struct ring_list *list_of(const void *ring)
{
	return &ring_lists[hash_ptr(ring, RING_LIST_BITS)];
}

static void clear_lists(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(ring_lists); i++) {
		raw_spin_lock_init(&ring_lists[i].lock);
		INIT_LIST_HEAD(&ring_lists[i].requests);
		ring_lists[i].count = 0;
	}
}

/* The list is locked. Clears the ring, so that nobody mistakes the rest for the next request. */
static void unlink(struct ring_list *list, struct request *request)
{
	WRITE_ONCE(request->ring, NULL);
	list_del(&request->node);
	list->count--;
}

/* A read or a write. The length of a vector is unknown here, its end position is known at the completion. */
static void read_rw(struct io_kiocb *req, struct iotrace_file_args *a, bool vector)
{
	const struct iotrace_uring_rw *rw = io_kiocb_to_cmd(req, struct iotrace_uring_rw);

	a->segs = vector ? rw->len : 1;
	a->pos = rw->kiocb.ki_pos;
	a->len = vector ? 0 : rw->len;
	a->flags = (__force u32)rw->flags;
}

static void read_sync(struct io_kiocb *req, struct iotrace_file_args *a)
{
	const struct iotrace_uring_sync *sync = io_kiocb_to_cmd(req, struct iotrace_uring_sync);

	a->pos = sync->off;
	a->len = sync->len;
	a->flags = req->opcode == IORING_OP_FALLOCATE ? sync->mode : sync->flags;
}

/* The event of a request; false: the request concerns no file. */
static bool read_request(struct io_kiocb *req, struct iotrace_file_args *a)
{
	switch (req->opcode) {
	case IORING_OP_READ:
	case IORING_OP_READ_FIXED:
	case IORING_OP_READV:
		a->op = IOTRACE_OP_URING_READ;
		read_rw(req, a, req->opcode == IORING_OP_READV);
		return true;
	case IORING_OP_WRITE:
	case IORING_OP_WRITE_FIXED:
	case IORING_OP_WRITEV:
		a->op = IOTRACE_OP_URING_WRITE;
		read_rw(req, a, req->opcode == IORING_OP_WRITEV);
		return true;
	case IORING_OP_FSYNC:
	case IORING_OP_SYNC_FILE_RANGE:
		a->op = IOTRACE_OP_URING_FSYNC;
		read_sync(req, a);
		return true;
	case IORING_OP_FALLOCATE:
		a->op = IOTRACE_OP_URING_OTHER;
		read_sync(req, a);
		return true;
	}
	return false;
}

/* The file by its descriptor, or by its number in the ring's registered files. */
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

/* A write that appends ends at the end of the file, whatever its position. */
static s64 known_position(const struct iotrace_file_args *a, const struct iotrace_file *file)
{
	bool appends = iotrace_appends(file->append, a->flags);

	if (a->op == IOTRACE_OP_URING_READ)
		return a->pos;
	return a->op == IOTRACE_OP_URING_WRITE && !appends ? a->pos : -1;
}

/* Removes a request from the table. Another CPU may have done so, and the slot may have the next request. */
static void forget(struct io_kiocb *req, struct request *request)
{
	struct io_ring_ctx *ring = READ_ONCE(request->ring);
	struct ring_list *list = list_of(ring);
	unsigned long flags;

	if (ring) {
		raw_spin_lock_irqsave(&list->lock, flags);
		if (request->ring == ring && request->req == req)
			unlink(list, request);
		raw_spin_unlock_irqrestore(&list->lock, flags);
	}
	iotrace_slots_release(&iotrace_uring.slots, req);
}

static void forget_unanswered(struct io_kiocb *req)
{
	struct request *request = iotrace_slots_find(&iotrace_uring.slots, req);

	if (!request)
		return;
	iotrace_count(unanswered);
	forget(req, request);
}

/* Stores a request until its completion; false: no slot is free, or its ring has enough. */
static bool remember(struct io_kiocb *req, const struct iotrace_file_args *a, s64 pos)
{
	struct ring_list *list = list_of(req->ctx);
	struct request *request = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&list->lock, flags);
	if (list->count < min(iotrace_slots_count(&iotrace_uring.slots) / RING_SHARE, RING_MAX))
		request = iotrace_slots_claim(&iotrace_uring.slots, req);
	else
		iotrace_count(ring_full);
	if (request) {
		request->req = req;
		request->id = a->id;
		request->user_data = req->cqe.user_data;
		request->pos = pos;
		request->opcode = req->opcode;
		list_add_tail(&request->node, &list->requests);
		list->count++;
		smp_store_release(&request->ring, req->ctx);
	}
	raw_spin_unlock_irqrestore(&list->lock, flags);
	return request;
}

static void begin(struct io_kiocb *req)
{
	struct iotrace_file_args a = { .tgid = current->tgid, .fd = -1, .pos = -1, .segs = 1 };
	bool skips = req->flags & REQ_F_CQE_SKIP;
	struct iotrace_file file = {};
	bool found;

	if (!read_request(req, &a))
		return;
	found = find_file(req, &file);
	if (!wanted(iotrace_filter_get(), found, &file))
		return;
	a.id = iotrace_new_ids(1);
	if (!skips && !remember(req, &a, known_position(&a, &file)))
		return;
	if (!(req->flags & REQ_F_FIXED_FILE))
		a.fd = req->cqe.fd;
	a.ino = file.ino;
	a.dev = file.dev;
	a.kind = file.kind;
	iotrace_count(calls);
	iotrace_announce();
	if (skips)
		trace_aio_skip(&a);
	else
		trace_aio_start(&a);
}

static void submit(struct io_kiocb *req)
{
	preempt_disable_notrace();
	forget_unanswered(req);
	begin(req);
	preempt_enable_notrace();
}

/* Before 6.4. */
static void uring_submit_sqe(void *data, struct io_kiocb *req, bool force_nonblock)
{
	submit(req);
}

static void uring_submit_req(void *data, struct io_kiocb *req)
{
	submit(req);
}

static void emit_done(const struct request *request, s64 ret)
{
	trace_aio_done(request->id, ret, request->pos < 0 ? -1 : request->pos + max(ret, 0LL));
}

static bool is_answer(const struct io_kiocb *req, const struct request *request)
{
	return request->ring == req->ctx && request->user_data == req->cqe.user_data &&
	       request->opcode == req->opcode;
}

/* The result is in the request, and also in the further arguments, which differ between kernels. */
static void answer(struct io_kiocb *req)
{
	struct request *request;

	if (!req)
		return;
	preempt_disable_notrace();
	request = iotrace_slots_find(&iotrace_uring.slots, req);
	if (request && is_answer(req, request)) {
		emit_done(request, req->cqe.res);
		forget(req, request);
	} else if (request) {
		forget_unanswered(req);
	}
	preempt_enable_notrace();
}

static void __maybe_unused uring_complete_values(void *data, void *ctx, void *req, u64 user_data, int res,
						 unsigned int cflags, u64 extra1, u64 extra2)
{
	answer(req);
}

static void __maybe_unused uring_complete_cqe(void *data, struct io_ring_ctx *ctx, void *req, struct io_uring_cqe *cqe)
{
	answer(req);
}

struct completion_aside {
	void *ring;
	struct io_cqe cqe;
};

/* Does this request have this result? A running request has its descriptor in the place of cqe.flags. */
static bool has_ended(const struct request *request, const struct completion_aside *aside)
{
	struct io_cqe cqe;

	if (request->ring != aside->ring || request->user_data != aside->cqe.user_data)
		return false;
	/* If it never had a completion, its memory may have been freed. */
	if (copy_from_kernel_nofault(&cqe, &request->req->cqe, sizeof(cqe)))
		return false;
	return cqe.user_data == aside->cqe.user_data && cqe.res == aside->cqe.res && cqe.flags == aside->cqe.flags;
}

/*
 * The completion ring is full: the kernel queues the completion elsewhere, and the tracepoint does not name the
 * request. But the request has its result. If several requests of a ring have the same user_data and result, any
 * one is right.
 */
static void uring_overflow(void *data, void *ctx, unsigned long long user_data, s32 res, u32 cflags, void *ocqe)
{
	const struct completion_aside aside = { ctx, { .user_data = user_data, .res = res, .flags = cflags } };
	struct ring_list *list = list_of(ctx);
	struct request *request, ended = {};
	unsigned long flags;

	preempt_disable_notrace();
	raw_spin_lock_irqsave(&list->lock, flags);
	list_for_each_entry(request, &list->requests, node) {
		if (has_ended(request, &aside)) {
			ended = *request;
			unlink(list, request);
			break;
		}
	}
	raw_spin_unlock_irqrestore(&list->lock, flags);
	if (ended.req) {
		emit_done(&ended, res);
		iotrace_slots_release(&iotrace_uring.slots, ended.req);
	}
	preempt_enable_notrace();
}

#define uring_complete IOTRACE_PROBE_THAT_FITS(io_uring_complete, uring_complete_values, uring_complete_cqe)

static struct iotrace_probe probes[] = {
	{ "io_uring_complete", uring_complete },
	{ "io_uring_cqe_overflow", uring_overflow },
	{ "io_uring_submit_req", uring_submit_req, "io_uring_submit_sqe", uring_submit_sqe },
};

IOTRACE_CHECK_PROBE(io_uring_complete, uring_complete);
IOTRACE_CHECK_PROBE(io_uring_cqe_overflow, uring_overflow);

struct iotrace_watch iotrace_uring = IOTRACE_WATCH(iotrace_uring, probes, clear_lists);

/* The layout of private kernel structures that compat.h assumes. */
#define RW(member, name) { "io_rw", name, offsetof(struct iotrace_uring_rw, member) }
#define SYNC(member) { "io_sync", #member, offsetof(struct iotrace_uring_sync, member) }
static const struct iotrace_member members[] = {
	RW(kiocb, "kiocb"), RW(len, "len"), RW(flags, "flags"), SYNC(len), SYNC(off), SYNC(flags), SYNC(mode),
};

/* Whether requests can be read: by the kernel's own description (BTF), with its version as a fallback. */
static bool is_known(void)
{
	int err = iotrace_btf_check(members, ARRAY_SIZE(members));

	if (!err || err == -EINVAL)
		return !err;
	if (IOTRACE_URING_KNOWN) {
		pr_info("no description of this kernel (/sys/kernel/btf/vmlinux, error %d): requests of io_uring are read as in Linux 6.1 to 7.3\n",
			err);
		return true;
	}
	pr_warn("no description of this kernel (/sys/kernel/btf/vmlinux, error %d), and it is newer than Linux 7.3\n", err);
	return false;
}

/* Without io_uring, file I/O still works; the events of io_uring never occur. */
int iotrace_uring_init(void)
{
	int err;

	if (!IS_ENABLED(CONFIG_IO_URING))
		return 0;
	err = is_known() ? iotrace_watch_init(&iotrace_uring, sizeof(struct request)) : -ENOENT;
	if (err != -ENOENT)
		return err;
	pr_warn("requests of io_uring are not recorded; everything else is\n");
	return 0;
}

void iotrace_uring_exit(void)
{
	if (IS_ENABLED(CONFIG_IO_URING))
		iotrace_watch_exit(&iotrace_uring);
}
