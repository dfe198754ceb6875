// SPDX-License-Identifier: GPL-2.0-only
/*
 * One probe at the start and one at the end of every system call. The start stores its data in a slot of
 * the task; the end adds the result. Both run in the task itself with preemption disabled and never sleep.
 */
#include <linux/bitmap.h>
#include <linux/close_range.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/mman.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <asm/syscall.h>
#include <trace/events/syscalls.h>
#include "announce.h"
#include "compat.h"
#include "fileio.h"
#include "files.h"
#include "filter.h"
#include "ids.h"
#include "lock.h"
#include "pairs.h"
#include "stats.h"
#include "submit.h"
#include "usercopy.h"
#include "watch.h"

/* Limits of one close_range(): files that are recorded, and descriptors that are examined. */
#define CLOSE_RANGE_MAX 1024
#define CLOSE_RANGE_LOOKS 4096

/* One file of a call. */
struct side {
	struct iotrace_file file;
	s32 fd;
	u8 pair;	/* IOTRACE_NO_PAIR: this side is not recorded */
	u8 at;
};

/* A call between its start and its end. */
struct pending {
	u64 id;
	u32 count;	/* files of close_range(), requests of io_submit(); their ids are consecutive */
	u8 pair;
	bool late;	/* the start has no path: not readable, or the file may be elsewhere */
	bool doubt;	/* only the end of the call shows whether the filter accepts it */
	union {
		struct side side[2];
		DECLARE_BITMAP(submitted, IOTRACE_SUBMIT_MAX);	/* requests of io_submit() that are recorded */
	};
};

struct paths {
	char path[IOTRACE_PATH_MAX];
	char path2[IOTRACE_PATH_MAX];
};

static struct paths __percpu *paths;

static struct pending *claim(u8 pair, u32 ids)
{
	struct pending *pending = iotrace_slots_claim(&iotrace_fileio.slots, current);

	if (!pending)
		return NULL;
	pending->pair = pair;
	pending->id = iotrace_new_ids(ids);
	pending->count = 1;
	pending->late = false;
	pending->doubt = false;
	iotrace_count(calls);
	iotrace_announce();
	return pending;
}

/* Calls on a bad descriptor pass, to show the failure, except close: programs close descriptors blindly. */
static bool wanted(const struct iotrace_filter *filter, const struct side *side, bool found)
{
	if (!found)
		return !filter->mounts && side->pair != IOTRACE_CLOSE;
	return (filter->kinds & IOTRACE_KIND(side->file.kind)) && iotrace_filter_dev(filter, side->file.dev);
}

static s64 start_position(struct side *side, unsigned long pos)
{
	switch (side->at) {
	case IOTRACE_AT_NOWHERE:
		return -1;
	case IOTRACE_AT_POINTER:
		side->at = pos ? IOTRACE_AT_ARG : IOTRACE_AT_FILE;
		return pos ? iotrace_copy_position(pos) : side->file.pos;
	case IOTRACE_AT_ARG_OR_FILE:
		side->at = pos != -1 ? IOTRACE_AT_ARG : IOTRACE_AT_FILE;
		break;
	}
	return side->at == IOTRACE_AT_ARG ? pos : side->file.pos;
}

/* Reads one file of a call; drops the pair if the filter rejects the file. */
static bool look_at(struct side *side, const struct iotrace_filter *filter, u8 pair, int fd, u8 at,
		    unsigned long pos)
{
	bool found;

	side->pair = IOTRACE_NO_PAIR;
	if (!iotrace_pair_enabled(pair))
		return false;
	found = iotrace_file_at(fd, &side->file);
	side->pair = pair;
	side->fd = fd;
	side->at = at;
	if (!wanted(filter, side, found)) {
		side->pair = IOTRACE_NO_PAIR;
		return false;
	}
	side->file.pos = start_position(side, pos);
	return true;
}

static void emit_file_start(const struct side *side, u64 id, struct iotrace_file_args *a)
{
	a->id = id;
	a->fd = side->fd;
	a->ino = side->file.ino;
	a->dev = side->file.dev;
	a->kind = side->file.kind;
	a->pos = side->file.pos;
	iotrace_file_start(side->pair, a);
}

/* MAP_ flags in the lower 24 bits, PROT_ bits above. */
static u32 mmap_flags(u32 flags, u32 prot)
{
	return (flags & 0xffffff) | prot << 24;
}

static void file_args(struct iotrace_file_args *a, const struct iotrace_call *call, const unsigned long *args)
{
	a->tgid = current->tgid;
	a->op = call->op;
	a->len = iotrace_arg(args, call->len);
	a->flags = iotrace_arg(args, call->flags);
	a->segs = 1;
	if (call->iov) {
		a->segs = args[call->iov];
		a->len = iotrace_sum_iovec(args[call->iov - 1], a->segs);
	}
	if (call->op == IOTRACE_OP_MMAP)
		a->flags = mmap_flags(a->flags, iotrace_arg(args, call->mode));
}

/* sync and msync: there is no descriptor. */
static bool look_at_nothing(struct side *side, const struct iotrace_filter *filter, u8 pair)
{
	*side = (struct side){ .file.pos = -1, .fd = -1, .pair = pair };
	return !filter->mounts && iotrace_pair_enabled(pair);
}

/* RWF_APPEND and its opposite override O_APPEND for one call. */
static void note_append(struct side *side, const struct iotrace_call *call, const unsigned long *args)
{
	if (call->op == IOTRACE_OP_PWRITEV2)
		side->file.append = iotrace_appends(side->file.append, iotrace_arg(args, call->flags));
}

static void begin_file(const struct iotrace_filter *filter, const struct iotrace_call *call,
		       const unsigned long *args)
{
	struct side side[2] = {};
	struct iotrace_file_args a;
	struct pending *pending;
	bool any;

	if (call->op == IOTRACE_OP_MMAP && (iotrace_arg(args, call->flags) & MAP_ANONYMOUS))
		return;
	if (call->fd)
		any = look_at(&side[0], filter, call->pair, args[call->fd - 1], call->at,
			      iotrace_arg(args, call->pos));
	else
		any = look_at_nothing(&side[0], filter, call->pair);
	if (call->fd2)
		any |= look_at(&side[1], filter, IOTRACE_WRITE, args[call->fd2 - 1], call->at,
			       iotrace_arg(args, call->pos2));
	if (!any)
		return;
	note_append(&side[0], call, args);
	pending = claim(call->pair, 1);
	if (!pending)
		return;
	memcpy(pending->side, side, sizeof(side));
	file_args(&a, call, args);
	emit_file_start(&side[0], pending->id, &a);
	emit_file_start(&side[1], pending->id, &a);
}

/*
 * Emits a start for each file that close_range() is going to close, or with @a NULL only counts them. Because preemption is
 * disabled, only the first descriptors are examined, recorded or not. Returns the number found.
 */
static u32 each_in_range(const struct iotrace_filter *filter, const unsigned long *args, u32 limit,
			 struct iotrace_file_args *a, u64 id, int *out_next)
{
	unsigned int last = args[1];
	struct side side;
	u32 found = 0, looks;
	int fd = iotrace_file_next(args[0], last);

	for (looks = 0; fd >= 0 && found < limit && looks < CLOSE_RANGE_LOOKS; looks++) {
		if (look_at(&side, filter, IOTRACE_CLOSE, fd, IOTRACE_AT_NOWHERE, 0)) {
			if (a)
				emit_file_start(&side, iotrace_nth_id(id, found), a);
			found++;
		}
		fd = iotrace_file_next(fd + 1, last);
	}
	*out_next = fd;
	return found;
}

static void begin_close_range(const struct iotrace_filter *filter, const struct iotrace_call *call,
			      const unsigned long *args)
{
	struct iotrace_file_args a;
	struct pending *pending;
	int next;
	u32 found;

	if (!iotrace_pair_enabled(IOTRACE_CLOSE) || (args[2] & CLOSE_RANGE_CLOEXEC))
		return;
	found = each_in_range(filter, args, CLOSE_RANGE_MAX, NULL, 0, &next);
	if (next >= 0)
		iotrace_count_more(cut_range, iotrace_files_from(next, args[1]));
	if (!found)
		return;
	pending = claim(IOTRACE_CLOSE, found);
	if (!pending)
		return;
	file_args(&a, call, args);
	pending->count = each_in_range(filter, args, found, &a, pending->id, &next);
	pending->side[0] = (struct side){ .pair = IOTRACE_CLOSE, .at = IOTRACE_AT_NOWHERE };
	pending->side[1].pair = IOTRACE_NO_PAIR;
}

/* Each request has its own file. Its id depends on its number, whether or not it is recorded. */
static void begin_submit(const struct iotrace_filter *filter, const unsigned long *args)
{
	struct iotrace_file_args a = { .tgid = current->tgid };
	u32 i, count = clamp_t(long, args[1], 0, IOTRACE_SUBMIT_MAX);
	struct pending *pending = NULL;
	struct side side;

	if (!iotrace_pair_enabled(IOTRACE_SUBMIT))
		return;
	for (i = 0; i < count; i++) {
		if (!iotrace_submit_read(args[2], i, &a) ||
		    !look_at(&side, filter, IOTRACE_SUBMIT, a.fd, IOTRACE_AT_ARG, a.pos))
			continue;
		if (!pending) {
			pending = claim(IOTRACE_SUBMIT, count);
			if (!pending)
				return;
			pending->count = count;
			bitmap_zero(pending->submitted, IOTRACE_SUBMIT_MAX);
		}
		__set_bit(i, pending->submitted);
		emit_file_start(&side, iotrace_nth_id(pending->id, i), &a);
	}
}

static void begin_lock(const struct iotrace_filter *filter, const struct iotrace_call *call,
		       const unsigned long *args)
{
	struct iotrace_lock_args a;
	struct pending *pending;
	struct side side;

	if (!iotrace_lock_wanted(call->op, args) ||
	    !look_at(&side, filter, IOTRACE_LOCK, args[0], IOTRACE_AT_FILE, 0))
		return;
	side.at = IOTRACE_AT_NOWHERE;	/* its end has no position */
	pending = claim(IOTRACE_LOCK, 1);
	if (!pending)
		return;
	pending->side[0] = side;
	pending->side[1].pair = IOTRACE_NO_PAIR;
	iotrace_lock_read(&a, call->op, args, &side.file);
	a.id = pending->id;
	trace_lock_start(&a);
}

static bool read_paths(const struct iotrace_call *call, const unsigned long *args, struct paths *out)
{
	bool ok = iotrace_copy_path(out->path, iotrace_arg(args, call->path));

	return iotrace_copy_path(out->path2, iotrace_arg(args, call->path2)) && ok;
}

static void path_args(struct iotrace_path_args *a, const struct iotrace_call *call, const unsigned long *args)
{
	*a = (struct iotrace_path_args){
		.tgid = current->tgid,
		.op = call->op,
		.fd = call->fd ? (int)args[call->fd - 1] : AT_FDCWD,
		.flags = iotrace_arg(args, call->flags),
		.mode = iotrace_arg(args, call->mode),
		.arg = iotrace_arg(args, call->arg),
	};
	if (call->op == IOTRACE_OP_OPENAT2)
		iotrace_copy_how(args[2], &a->flags, &a->mode);
	if (call->op == IOTRACE_OP_CREAT)
		a->flags = O_CREAT | O_WRONLY | O_TRUNC;
	if (call->pair == IOTRACE_OPEN && !(a->flags & (O_CREAT | __O_TMPFILE)))
		a->mode = 0;
}

/* The path that determines the file system of the call; the target of a symbolic link may be any text. */
static const char *leading_path(const struct iotrace_call *call, const struct paths *read)
{
	return call->op == IOTRACE_OP_SYMLINK || call->op == IOTRACE_OP_SYMLINKAT ? read->path2 : read->path;
}

/*
 * fstat(fd), and fstatat(fd, "", AT_EMPTY_PATH), concern the open file itself. If the path is not in memory, the flag decides,
 * because a path can only begin at a directory. @out: the file of the descriptor
 */
static bool on_open_file(const struct iotrace_call *call, const struct iotrace_path_args *a, const char *path,
			 bool readable, struct iotrace_file *out)
{
	if (!call->fd || a->fd == AT_FDCWD || call->pair == IOTRACE_OPEN)
		return false;
	if (!call->path || readable)
		return !call->path || !*path;
	return (a->flags & AT_EMPTY_PATH) && iotrace_file_at(a->fd, out) && !S_ISDIR(out->kind);
}

static void emit_path_start(const struct iotrace_call *call, struct iotrace_path_args *a, struct pending *pending,
			    const struct iotrace_file *file, const struct paths *read)
{
	a->id = pending->id;
	a->ino = file->ino;
	a->dev = file->dev;
	a->kind = file->kind;
	a->path = pending->late ? "" : read->path;
	a->path2 = pending->late ? "" : read->path2;
	if (call->pair == IOTRACE_OPEN)
		trace_open_start(a);
	else
		trace_meta_start(a);
}

/*
 * With the filter mounts only the end of an open shows the file system for certain. An open that the filter probably rejects
 * gets a start without paths, so that its time is known if the filter accepts it after all.
 */
static void begin_path(const struct iotrace_filter *filter, const struct iotrace_call *call,
		       const unsigned long *args)
{
	struct paths *buffer = this_cpu_ptr(paths);
	enum iotrace_place place = IOTRACE_INSIDE;
	struct side side = { .pair = call->pair };
	struct iotrace_path_args a;
	struct pending *pending;
	bool readable;

	if (!iotrace_pair_enabled(call->pair))
		return;
	path_args(&a, call, args);
	readable = read_paths(call, args, buffer);
	if (on_open_file(call, &a, buffer->path, readable, &side.file)) {
		if (!look_at(&side, filter, call->pair, a.fd, IOTRACE_AT_NOWHERE, 0))
			return;
	} else if (filter->mounts) {
		place = readable ? iotrace_filter_path(filter, leading_path(call, buffer), a.fd) : IOTRACE_ANYWHERE;
	}
	if (place == IOTRACE_OUTSIDE && call->pair == IOTRACE_META)
		return;
	pending = claim(call->pair, 1);
	if (!pending)
		return;
	pending->doubt = place == IOTRACE_OUTSIDE || (place == IOTRACE_ANYWHERE && !readable);
	pending->late = !readable || (place != IOTRACE_INSIDE && call->pair == IOTRACE_OPEN);
	pending->side[0].pair = IOTRACE_NO_PAIR;
	emit_path_start(call, &a, pending, &side.file, buffer);
}

static void sys_enter(void *data, struct pt_regs *regs, long nr)
{
	const struct iotrace_filter *filter;
	const struct iotrace_call *call;
	unsigned long args[6];

	if (iotrace_compat_task()) {
		iotrace_count(compat);
		return;
	}
	call = iotrace_find_call(nr);
	if (!call)
		return;
	preempt_disable_notrace();
	filter = iotrace_filter_get();
	if (iotrace_filter_task(filter)) {
		syscall_get_arguments(current, regs, args);
		if (call->op == IOTRACE_OP_CLOSE_RANGE)
			begin_close_range(filter, call, args);
		else if (call->pair == IOTRACE_SUBMIT)
			begin_submit(filter, args);
		else if (call->pair == IOTRACE_OPEN || call->pair == IOTRACE_META)
			begin_path(filter, call, args);
		else if (call->pair == IOTRACE_LOCK)
			begin_lock(filter, call, args);
		else
			begin_file(filter, call, args);
	}
	preempt_enable_notrace();
}

/* The position after the call; -1 if another thread has closed the file. Another thread may also have moved it. */
static s64 end_position(const struct side *side, s64 ret)
{
	struct iotrace_file now;

	switch (side->at) {
	case IOTRACE_AT_FILE:
		if (!iotrace_file_at(side->fd, &now) || now.ino != side->file.ino || now.dev != side->file.dev)
			return -1;
		return now.pos;
	case IOTRACE_AT_ARG:
		if (side->pair == IOTRACE_READ || (side->pair == IOTRACE_WRITE && !side->file.append))
			return side->file.pos + max(ret, 0LL);
		return -1;
	}
	return -1;
}

static void end_files(const struct pending *pending, s64 ret)
{
	const struct side *side;
	u32 i;

	for (side = pending->side; side < pending->side + 2; side++) {
		if (!side->pair)
			continue;
		for (i = 0; i < pending->count; i++)
			iotrace_file_end(side->pair, iotrace_nth_id(pending->id, i), ret, end_position(side, ret));
	}
}

/* The call returns the number of accepted requests, always the first ones, or an error if it accepted none. */
static void end_submit(const struct pending *pending, s64 ret)
{
	u32 i;

	for_each_set_bit(i, pending->submitted, pending->count)
		iotrace_file_end(IOTRACE_SUBMIT, iotrace_nth_id(pending->id, i), ret < 0 ? ret : i < ret, -1);
	if (ret > pending->count)
		iotrace_count_more(cut_submit, ret - pending->count);
}

/* Does the filter reject this call by path? @file NULL: it has opened none */
static bool is_elsewhere(const struct iotrace_filter *filter, const struct pending *pending,
			 const struct iotrace_call *call, const unsigned long *args, const struct paths *read,
			 const struct iotrace_file *file)
{
	if (!filter->mounts)
		return false;
	if (file)
		return !iotrace_filter_dev(filter, file->dev);
	return pending->doubt && (!read || iotrace_filter_path(filter, leading_path(call, read),
							       call->fd ? (int)args[call->fd - 1] : AT_FDCWD) ==
						   IOTRACE_OUTSIDE);
}

static void emit_late_path(const struct pending *pending, const struct paths *read)
{
	if (!read)
		iotrace_count(unreadable);
	else if (*read->path || *read->path2)
		trace_path_late(pending->id, read->path, read->path2);
}

static void emit_open_end(const struct iotrace_opened *opened, bool has_file)
{
	struct paths *buffer = this_cpu_ptr(paths);
	struct iotrace_opened a = *opened;

	a.path = has_file ? iotrace_file_path(a.ret, buffer->path, sizeof(buffer->path)) : "";
	trace_open_end(&a);
}

/* The kernel has read the paths itself by now, so they are in memory. */
static void end_path(const struct pending *pending, const struct iotrace_call *call, struct pt_regs *regs, s64 ret)
{
	const struct iotrace_filter *filter = iotrace_filter_get();
	struct iotrace_opened opened = { .id = pending->id, .ret = ret };
	const struct paths *read = NULL;
	unsigned long args[6];
	bool has_file = pending->pair == IOTRACE_OPEN && ret >= 0 && iotrace_file_at(ret, &opened.file);

	if (pending->late) {
		syscall_get_arguments(current, regs, args);
		read = read_paths(call, args, this_cpu_ptr(paths)) ? this_cpu_ptr(paths) : NULL;
	}
	opened.elsewhere = is_elsewhere(filter, pending, call, args, read, has_file ? &opened.file : NULL);
	if (pending->late && !opened.elsewhere)
		emit_late_path(pending, read);
	if (opened.elsewhere)
		opened.file = (struct iotrace_file){};
	if (pending->pair == IOTRACE_OPEN)
		emit_open_end(&opened, has_file && !opened.elsewhere);
	else
		trace_meta_end(opened.id, ret, opened.elsewhere);
}

static void finish(const struct pending *pending, const struct iotrace_call *call, struct pt_regs *regs, s64 ret)
{
	if (pending->pair == IOTRACE_OPEN || pending->pair == IOTRACE_META)
		end_path(pending, call, regs, ret);
	else if (pending->pair == IOTRACE_SUBMIT)
		end_submit(pending, ret);
	else
		end_files(pending, ret);
}

static void sys_exit(void *data, struct pt_regs *regs, long ret)
{
	const struct iotrace_call *call;
	const struct pending *pending;

	if (iotrace_compat_task())
		return;
	call = iotrace_find_call(syscall_get_nr(current, regs));
	if (!call)
		return;
	preempt_disable_notrace();
	pending = iotrace_slots_find(&iotrace_fileio.slots, current);
	if (pending) {
		finish(pending, call, regs, ret);
		iotrace_slots_release(&iotrace_fileio.slots, current);
	}
	preempt_enable_notrace();
}

/* The end first, so that no call has a start without an end. */
static struct iotrace_probe probes[] = {
	{ "sys_exit", sys_exit },
	{ "sys_enter", sys_enter },
};

IOTRACE_CHECK_PROBE(sys_exit, sys_exit);
IOTRACE_CHECK_PROBE(sys_enter, sys_enter);

struct iotrace_watch iotrace_fileio = IOTRACE_WATCH(iotrace_fileio, probes, NULL);

int iotrace_fileio_init(void)
{
	int err;

	paths = alloc_percpu(struct paths);
	if (!paths)
		return -ENOMEM;
	err = iotrace_watch_init(&iotrace_fileio, sizeof(struct pending));
	if (err)
		free_percpu(paths);
	return err;
}

void iotrace_fileio_exit(void)
{
	iotrace_watch_exit(&iotrace_fileio);
	free_percpu(paths);
}
