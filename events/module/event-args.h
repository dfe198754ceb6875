/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments of the trace events in iotrace.h, and helpers for their macros. */
#ifndef IOTRACE_EVENT_ARGS_H
#define IOTRACE_EVENT_ARGS_H

#include <linux/cgroup.h>
#include <linux/fs.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>
#include "compat.h"
#include "files.h"
#include "iotrace-kernel.h"
#include "iotrace-ops.h"

/*
 * Bytes of a path with its NUL; longer paths are cut. Two paths and the other fields of
 * iotrace_path_start must fit into the largest record of a ring buffer page, 4076 bytes.
 */
#define IOTRACE_PATH_MAX 1984

struct iotrace_file_args {
	u64 id;
	u64 ino;
	s64 pos;
	s64 len;
	s32 tgid;
	s32 fd;
	u32 dev;
	u32 flags;
	u32 segs;
	u16 op;
	u16 kind;
};

/* A type that could not be read in time: unknown. */
#define IOTRACE_LOCK_UNKNOWN 3

struct iotrace_lock_args {
	u64 id;
	u64 ino;
	s64 start;
	u64 len;
	s32 tgid;
	s32 fd;
	u32 dev;
	u32 wait;
	u16 op;
	u16 kind;
	u16 type;
	u16 whence;
};

struct iotrace_path_args {
	u64 id;
	u64 ino;
	u64 arg;
	s32 tgid;
	s32 fd;
	u32 dev;
	u32 flags;
	u32 mode;
	u16 op;
	u16 kind;
	const char *path;	/* never NULL */
	const char *path2;
};

/* The result of an open. */
struct iotrace_opened {
	u64 id;
	s64 ret;
	struct iotrace_file file;
	const char *path;	/* never NULL */
	bool elsewhere;
};

#define IOTRACE_OP_TEXT(name, number, text) { number, text },
#define iotrace_show_file_op(op) \
	__print_symbolic(op, IOTRACE_FILE_OPS(IOTRACE_OP_TEXT) { 0, "unknown" })
#define iotrace_show_path_op(op) \
	__print_symbolic(op, IOTRACE_PATH_OPS(IOTRACE_OP_TEXT) { 0, "unknown" })

#define iotrace_show_lock_type(type)                                                               \
	__print_symbolic(type, { F_RDLCK, "read" }, { F_WRLCK, "write" }, { F_UNLCK, "unlock" },   \
			 { IOTRACE_LOCK_UNKNOWN, "unknown" })

static inline s32 iotrace_parent_tgid(struct task_struct *task)
{
	s32 tgid;

	rcu_read_lock();
	tgid = rcu_dereference(task->real_parent)->tgid;
	rcu_read_unlock();
	return tgid;
}

/* 8 bytes of the identity of a file system, from byte @at on, the first one as the highest. */
static inline u64 iotrace_uuid_half(const struct super_block *sb, unsigned int at)
{
	u64 half = 0;
	unsigned int i;

	for (i = 0; i < 8; i++)
		half = half << 8 | sb->s_uuid.b[at + i];
	return half;
}

static inline u64 iotrace_cgroup(struct task_struct *task)
{
	u64 id;

	rcu_read_lock();
	id = cgroup_id(task_dfl_cgroup(task));
	rcu_read_unlock();
	return id;
}

#endif /* IOTRACE_EVENT_ARGS_H */
