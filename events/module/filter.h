/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which calls are recorded. A filter never changes: control.c replaces it by a new one, so a probe sees
 * either the whole old filter or the whole new one.
 */
#ifndef IOTRACE_FILTER_H
#define IOTRACE_FILTER_H

#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>

#define IOTRACE_FILTER_MAX 8	/* names, mounts */
#define IOTRACE_PIDS_MAX 32
#define IOTRACE_MOUNT_MAX 128	/* bytes of a mount point with its NUL */

/* Bit for the kind of a file; the kind is the upper 4 bits of the mode, 0 for anonymous inodes. */
#define IOTRACE_KIND(mode) (1U << (((mode) & S_IFMT) >> 12))

struct iotrace_mount {
	u32 dev;
	u32 len;
	char path[IOTRACE_MOUNT_MAX];	/* without a slash at its end */
};

/* A guess about a call by path, before the kernel has followed the path. */
enum iotrace_place {
	IOTRACE_OUTSIDE,	/* probably on none of the mounts */
	IOTRACE_INSIDE,		/* probably on one of the mounts */
	IOTRACE_ANYWHERE,	/* the task sees other mounts than the filter's author */
};

struct iotrace_filter {
	unsigned long *tgids;	/* bit for each recorded process; NULL: all */
	struct cgroup *cgroup;	/* only tasks in this cgroup or below; NULL: all */
	u32 kinds;		/* IOTRACE_KIND() of recorded files */
	u32 comms;		/* number of names in comm; 0: all tasks */
	u32 mounts;		/* 0: all */
	bool only_comms;	/* comm has names, not only exceptions */
	const void *root[2];	/* "/" of the task that named the mounts; only to compare */
	pid_t roots[IOTRACE_PIDS_MAX];	/* ends with 0; the processes named by the user */
	char comm[IOTRACE_FILTER_MAX][TASK_COMM_LEN + 1];	/* pattern; a leading !: exception */
	struct iotrace_mount mount[IOTRACE_FILTER_MAX];
};

extern struct iotrace_filter __rcu *iotrace_filter;

/* The active filter; the caller has disabled preemption. */
static inline const struct iotrace_filter *iotrace_filter_get(void)
{
	return rcu_dereference_sched(iotrace_filter);
}

/** iotrace_filter_task - are calls of the current task recorded? */
bool iotrace_filter_task(const struct iotrace_filter *filter);

/** iotrace_filter_dev - are files of this file system recorded? */
bool iotrace_filter_dev(const struct iotrace_filter *filter, u32 dev);

/**
 * iotrace_filter_path - where does a path of the current task lead?
 * @filter: of iotrace_filter_get()
 * @path: as the program wrote it
 * @fd: start of a relative path: a descriptor or AT_FDCWD
 *
 * A guess, which ignores symbolic links, "..", and mounts below. An absolute path is compared with the names of the
 * mounts. This is meaningful only if the task has the same root directory and mount namespace as the task that
 * named the mounts.
 */
enum iotrace_place iotrace_filter_path(const struct iotrace_filter *filter, const char *path, int fd);

/** iotrace_filter_set_root - the names of the mounts of @filter are as seen by the current task */
void iotrace_filter_set_root(struct iotrace_filter *filter);

#endif /* IOTRACE_FILTER_H */
