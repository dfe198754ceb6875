/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace events of system "iotrace": file I/O as pairs of start and end, and asynchronous calls of any
 * protocol. EVENTS.md in this folder describes every event and field.
 *
 * Fields are sorted by size, so that records have no holes. A start and its end carry the same id,
 * unique on this node. An unknown descriptor or position is -1, any other unknown value is 0.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM iotrace

#if !defined(IOTRACE_TRACE_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define IOTRACE_TRACE_EVENTS_H

#include <linux/tracepoint.h>
#include "event-args.h"

/* A call of a task on an open file, or on memory mapped from one. */
DECLARE_EVENT_CLASS(iotrace_file_start,

	TP_PROTO(const struct iotrace_file_args *a),

	TP_ARGS(a),

	TP_STRUCT__entry(
		__field(u64, id)	/* of the call, unique on this node since boot */
		__field(u64, ino)	/* inode */
		__field(s64, pos)	/* first byte; -1: the file has no position */
		__field(s64, len)	/* bytes requested; 0 if the call has no length; -1: the list of buffers was not in memory */
		__field(s32, tgid)	/* process */
		__field(s32, fd)	/* descriptor; -1: none */
		__field(u32, dev)	/* device of the file system, as the kernel packs it: major << 20 | minor */
		__field(u32, flags)	/* of the call: RWF_, SPLICE_F_, FALLOC_FL_ ...; mmap: MAP_ | PROT_ << 24 */
		__field(u32, segs)	/* buffers of a vectored call; 1 else */
		__field(u16, op)	/* enum iotrace_op: the system call */
		__field(u16, kind)	/* of the file: S_IFMT bits of its mode, 0100000 is a regular file */
	),

	TP_fast_assign(
		__entry->id = a->id;
		__entry->ino = a->ino;
		__entry->pos = a->pos;
		__entry->len = a->len;
		__entry->tgid = a->tgid;
		__entry->fd = a->fd;
		__entry->dev = a->dev;
		__entry->flags = a->flags;
		__entry->segs = a->segs;
		__entry->op = a->op;
		__entry->kind = a->kind;
	),

	TP_printk("id=%llu tgid=%d op=%s fd=%d dev=%u:%u ino=%llu pos=%lld len=%lld flags=0x%x segs=%u kind=0%o",
		  __entry->id, __entry->tgid, iotrace_show_file_op(__entry->op), __entry->fd,
		  __entry->dev >> 20, __entry->dev & 0xfffff, __entry->ino, __entry->pos,
		  __entry->len, __entry->flags, __entry->segs, __entry->kind)
);

/* A call of a task that names a file by path, or reads or changes the metadata of a file. */
DECLARE_EVENT_CLASS(iotrace_path_start,

	TP_PROTO(const struct iotrace_path_args *a),

	TP_ARGS(a),

	TP_STRUCT__entry(
		__field(u64, id)	/* of the call */
		__field(u64, ino)	/* inode of fd if the call works on an open file */
		__field(u64, arg)	/* length of truncate, size of the buffer of getdents ...; 0 else */
		__field(s32, tgid)	/* process */
		__field(s32, fd)	/* descriptor, or directory that the path is relative to; -100: the current one */
		__field(u32, dev)	/* device of fd's file */
		__field(u32, flags)	/* O_, AT_, RENAME_ ... */
		__field(u32, mode)	/* permissions for open with O_CREAT, mkdir, chmod ... */
		__field(u16, op)	/* enum iotrace_op */
		__field(u16, kind)	/* of fd's file, as above; 0: unknown or by path */
		__string(path, a->path)	/* as the program wrote it; cut at IOTRACE_PATH_MAX */
		__string(path2, a->path2) /* the second of rename, link, symlink; name of a xattr; else empty */
	),

	TP_fast_assign(
		__entry->id = a->id;
		__entry->ino = a->ino;
		__entry->arg = a->arg;
		__entry->tgid = a->tgid;
		__entry->fd = a->fd;
		__entry->dev = a->dev;
		__entry->flags = a->flags;
		__entry->mode = a->mode;
		__entry->op = a->op;
		__entry->kind = a->kind;
		iotrace_assign_str(path, a->path);
		iotrace_assign_str(path2, a->path2);
	),

	TP_printk("id=%llu tgid=%d op=%s fd=%d path=%s path2=%s flags=0x%x mode=0%o arg=%llu dev=%u:%u ino=%llu kind=0%o",
		  __entry->id, __entry->tgid, iotrace_show_path_op(__entry->op), __entry->fd,
		  __get_str(path), __get_str(path2), __entry->flags, __entry->mode, __entry->arg,
		  __entry->dev >> 20, __entry->dev & 0xfffff, __entry->ino, __entry->kind)
);

/* The end of either. */
DECLARE_EVENT_CLASS(iotrace_end,

	TP_PROTO(u64 id, s64 ret, s64 pos),

	TP_ARGS(id, ret, pos),

	TP_STRUCT__entry(
		__field(u64, id)	/* of the start */
		__field(s64, ret)	/* result of the system call; negative: errno */
		__field(s64, pos)	/* position reached: after the last byte; -1: none */
	),

	TP_fast_assign(
		__entry->id = id;
		__entry->ret = ret;
		__entry->pos = pos;
	),

	TP_printk("id=%llu ret=%lld pos=%lld", __entry->id, __entry->ret, __entry->pos)
);

#define IOTRACE_FILE_PAIR(name)                                                                    \
	DEFINE_EVENT(iotrace_file_start, name##_start, TP_PROTO(const struct iotrace_file_args *a), TP_ARGS(a)); \
	DEFINE_EVENT(iotrace_end, name##_end, TP_PROTO(u64 id, s64 ret, s64 pos), TP_ARGS(id, ret, pos))

IOTRACE_FILE_PAIR(read);	/* read, pread64, readv, preadv, preadv2; the source of sendfile, splice, copy_file_range */
IOTRACE_FILE_PAIR(write);	/* write and so on; the target of sendfile, splice, copy_file_range */
IOTRACE_FILE_PAIR(sync);	/* fsync, fdatasync, sync_file_range, syncfs, sync, msync */
IOTRACE_FILE_PAIR(truncate);	/* ftruncate, fallocate */
IOTRACE_FILE_PAIR(mmap);	/* mmap of a file: pos and len of the mapping */
IOTRACE_FILE_PAIR(close);	/* close; close_range one pair for each open file */
IOTRACE_FILE_PAIR(submit);	/* io_submit: one pair for each request; ret 1: it was accepted, 0: not */

/* fcntl(F_GETLK, F_SETLK, F_SETLKW, F_OFD_...), flock: the request and its file. */
TRACE_EVENT(lock_start,

	TP_PROTO(const struct iotrace_lock_args *a),

	TP_ARGS(a),

	TP_STRUCT__entry(
		__field(u64, id)	/* of the call */
		__field(u64, ino)	/* inode */
		__field(s64, start)	/* first byte, counted from whence; flock: 0 */
		__field(u64, len)	/* bytes; 0: to the end of the file, however it grows; flock: 0 */
		__field(s32, tgid)	/* process */
		__field(s32, fd)	/* descriptor */
		__field(u32, dev)	/* device of the file system */
		__field(u32, wait)	/* 1: the call waits until it can have the lock */
		__field(u16, op)	/* enum iotrace_op */
		__field(u16, kind)	/* of the file: S_IFMT bits of its mode */
		__field(u16, type)	/* 0 read (shared), 1 write (exclusive), 2 unlock; 3 unknown */
		__field(u16, whence)	/* 0: beginning of the file; 2: its end */
	),

	TP_fast_assign(
		__entry->id = a->id;
		__entry->ino = a->ino;
		__entry->start = a->start;
		__entry->len = a->len;
		__entry->tgid = a->tgid;
		__entry->fd = a->fd;
		__entry->dev = a->dev;
		__entry->wait = a->wait;
		__entry->op = a->op;
		__entry->kind = a->kind;
		__entry->type = a->type;
		__entry->whence = a->whence;
	),

	TP_printk("id=%llu tgid=%d op=%s fd=%d dev=%u:%u ino=%llu type=%s wait=%u start=%lld len=%llu whence=%u kind=0%o",
		  __entry->id, __entry->tgid, iotrace_show_file_op(__entry->op), __entry->fd,
		  __entry->dev >> 20, __entry->dev & 0xfffff, __entry->ino,
		  iotrace_show_lock_type(__entry->type), __entry->wait, __entry->start,
		  __entry->len, __entry->whence, __entry->kind)
);

DEFINE_EVENT(iotrace_end, lock_end, TP_PROTO(u64 id, s64 ret, s64 pos), TP_ARGS(id, ret, pos));

DEFINE_EVENT(iotrace_path_start, meta_start, TP_PROTO(const struct iotrace_path_args *a), TP_ARGS(a));

TRACE_EVENT(meta_end,

	TP_PROTO(u64 id, s64 ret, bool elsewhere),

	TP_ARGS(id, ret, elsewhere),

	TP_STRUCT__entry(
		__field(u64, id)	/* of the start */
		__field(s64, ret)	/* result of the system call; negative: errno */
		__field(s64, pos)	/* -1 */
		__field(u32, elsewhere)	/* as in open_end */
	),

	TP_fast_assign(
		__entry->id = id;
		__entry->ret = ret;
		__entry->pos = -1;
		__entry->elsewhere = elsewhere;
	),

	TP_printk("id=%llu ret=%lld pos=%lld elsewhere=%u", __entry->id, __entry->ret, __entry->pos,
		  __entry->elsewhere)
);

DEFINE_EVENT(iotrace_path_start, open_start, TP_PROTO(const struct iotrace_path_args *a), TP_ARGS(a));

/* The end of open, openat, openat2, creat, open_by_handle_at: the opened file. */
TRACE_EVENT(open_end,

	TP_PROTO(const struct iotrace_opened *a),

	TP_ARGS(a),

	TP_STRUCT__entry(
		__field(u64, id)	/* of the start */
		__field(s64, ret)	/* descriptor; negative: errno */
		__field(u64, ino)	/* inode; 0 after an error */
		__field(u32, dev)	/* device of its file system */
		__field(u32, kind)	/* S_IFMT bits of its mode */
		__field(u32, elsewhere)	/* 1: the file turned out to be on a file system that is not recorded */
		__field(u32, gen)	/* generation of the inode: another one has another file; 0: unknown */
		__string(path, a->path)	/* the file's path below the root directory of the task; empty: unknown */
	),

	TP_fast_assign(
		__entry->id = a->id;
		__entry->ret = a->ret;
		__entry->ino = a->file.ino;
		__entry->dev = a->file.dev;
		__entry->kind = a->file.kind;
		__entry->elsewhere = a->elsewhere;
		__entry->gen = a->file.gen;
		iotrace_assign_str(path, a->path);
	),

	TP_printk("id=%llu ret=%lld dev=%u:%u ino=%llu kind=0%o elsewhere=%u gen=%u path=%s", __entry->id, __entry->ret,
		  __entry->dev >> 20, __entry->dev & 0xfffff, __entry->ino, __entry->kind,
		  __entry->elsewhere, __entry->gen, __get_str(path))
);

/*
 * The path of a call whose start could not read it, because its page was not in memory yet. Emitted
 * between the start, which has empty paths, and the end.
 */
TRACE_EVENT(path_late,

	TP_PROTO(u64 id, const char *path, const char *path2),

	TP_ARGS(id, path, path2),

	TP_STRUCT__entry(
		__field(u64, id)	/* of the start */
		__string(path, path)	/* as in the start */
		__string(path2, path2)
	),

	TP_fast_assign(
		__entry->id = id;
		iotrace_assign_str(path, path);
		iotrace_assign_str(path2, path2);
	),

	TP_printk("id=%llu path=%s path2=%s", __entry->id, __get_str(path), __get_str(path2))
);

/*
 * Submission of a request that completes later (io_uring). Another task may emit the done event,
 * before or after the submitting system call returns.
 */
DEFINE_EVENT(iotrace_file_start, aio_start, TP_PROTO(const struct iotrace_file_args *a), TP_ARGS(a));
DEFINE_EVENT(iotrace_file_start, aio_skip, TP_PROTO(const struct iotrace_file_args *a), TP_ARGS(a)); /* no done, see EVENTS.md */
DEFINE_EVENT(iotrace_end, aio_done, TP_PROTO(u64 id, s64 ret, s64 pos), TP_ARGS(id, ret, pos));

/* Identity of a task: before its first pair, and again when its name or its cgroup has changed. */
TRACE_EVENT(task,

	TP_PROTO(struct task_struct *task),

	TP_ARGS(task),

	TP_STRUCT__entry(
		__field(u64, cgroup)		/* of cgroup2: the inode of its directory */
		__field(s32, tgid)		/* process */
		__field(s32, ptgid)		/* process of its parent */
		__field(s32, nspid)		/* thread number in its own PID namespace */
		__field(s32, nstgid)		/* process number in its own PID namespace */
		__field(u32, pidns)		/* PID namespace: the inode of /proc/PID/ns/pid */
		__array(char, comm, TASK_COMM_LEN)
	),

	TP_fast_assign(
		__entry->cgroup = iotrace_cgroup(task);
		__entry->tgid = task->tgid;
		__entry->ptgid = iotrace_parent_tgid(task);
		__entry->nspid = task_pid_vnr(task);
		__entry->nstgid = task_tgid_vnr(task);
		__entry->pidns = task_active_pid_ns(task)->ns.inum;
		memcpy(__entry->comm, task->comm, TASK_COMM_LEN);
	),

	TP_printk("tgid=%d ptgid=%d comm=%s cgroup=%llu pidns=%u nspid=%d nstgid=%d", __entry->tgid, __entry->ptgid,
		  __entry->comm, __entry->cgroup, __entry->pidns, __entry->nspid, __entry->nstgid)
);

/* Identity of a file system: before the first event about a file on it. */
TRACE_EVENT(fs,

	TP_PROTO(struct super_block *sb),

	TP_ARGS(sb),

	TP_STRUCT__entry(
		__field(u64, uuid_hi)	/* of the file system, the first 8 bytes; 0: it has none */
		__field(u64, uuid_lo)	/* and the last 8 */
		__field(u32, dev)	/* device, as in the other events */
		__string(type, sb->s_type->name)	/* ext4, gfs2, nfs4 ... */
		__string(source, sb->s_id)	/* name of its device, as the kernel's messages have it */
	),

	TP_fast_assign(
		__entry->uuid_hi = iotrace_uuid_half(sb, 0);
		__entry->uuid_lo = iotrace_uuid_half(sb, 8);
		__entry->dev = sb->s_dev;
		iotrace_assign_str(type, sb->s_type->name);
		iotrace_assign_str(source, sb->s_id);
	),

	TP_printk("dev=%u:%u type=%s source=%s uuid=%016llx%016llx", __entry->dev >> 20, __entry->dev & 0xfffff,
		  __get_str(type), __get_str(source), __entry->uuid_hi, __entry->uuid_lo)
);

/*
 * Asynchronous calls of any protocol, modelled on a lock manager: start and end bracket the call
 * itself, done is its completion (the ast), notify informs a holder that somebody else waits (the
 * bast).
 */
DECLARE_EVENT_CLASS(iotrace_call,

	TP_PROTO(const struct iotrace_call_args *a),

	TP_ARGS(a),

	TP_STRUCT__entry(
		__field(u64, id)	/* of the call; the caller may choose it and pass it to a server */
		__field(u64, object)	/* shared by several calls, such as a lock; 0: standalone call */
		__field(s32, tgid)	/* process */
		__field(s32, mode)	/* asked for, held, or wanted by the other; -1: none */
		__field(s32, status)	/* result of the call (end), of the completion (done); 0 is success */
		__field(u32, flags)	/* of the protocol */
		__string(domain, a->domain)	/* protocol or lockspace */
		__string(resource, a->resource)	/* subject of the call */
		__string(op, a->op)		/* operation: lock, unlock, read ... */
	),

	TP_fast_assign(
		__entry->id = a->id;
		__entry->object = a->object;
		__entry->tgid = a->tgid;
		__entry->mode = a->mode;
		__entry->status = a->status;
		__entry->flags = a->flags;
		iotrace_assign_str(domain, a->domain);
		iotrace_assign_str(resource, a->resource);
		iotrace_assign_str(op, a->op);
	),

	TP_printk("id=%llu domain=%s resource=%s op=%s mode=%d status=%d object=%llu flags=0x%x tgid=%d",
		  __entry->id, __get_str(domain), __get_str(resource), __get_str(op), __entry->mode,
		  __entry->status, __entry->object, __entry->flags, __entry->tgid)
);

/* Each has callbacks for the begin and the end of recording: iotrace_call_start_reg ... */
#define IOTRACE_CALL_EVENT(name)                                                                   \
	DEFINE_EVENT_FN(iotrace_call, name, TP_PROTO(const struct iotrace_call_args *a), TP_ARGS(a), \
			iotrace_##name##_reg, iotrace_##name##_unreg)

IOTRACE_CALL_EVENT(call_start);
IOTRACE_CALL_EVENT(call_end);
IOTRACE_CALL_EVENT(call_done);
IOTRACE_CALL_EVENT(call_notify);

#endif /* IOTRACE_TRACE_EVENTS_H */

/* This part must be outside the guard. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE iotrace
#include <trace/define_trace.h>
