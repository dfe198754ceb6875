/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which calls are recorded. A filter is never changed: control.c puts a new one in its place, so a probe
 * sees either the old or the new one as a whole.
 */
#ifndef IOTRACE_FILTER_H
#define IOTRACE_FILTER_H

#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>

#define IOTRACE_FILTER_MAX 8	/* names, mounts */
#define IOTRACE_PIDS_MAX 32
#define IOTRACE_MOUNT_MAX 128	/* bytes of a mount point with its NUL */

/* Bit for the kind of a file; kinds are the upper 4 bits of its mode, 0 those of anonymous inodes. */
#define IOTRACE_KIND(mode) (1U << (((mode) & S_IFMT) >> 12))

struct iotrace_mount {
	u32 dev;
	u32 len;
	char path[IOTRACE_MOUNT_MAX];	/* without a slash at its end */
};

/* What can be said of a call by path before the kernel has followed the path. */
enum iotrace_place {
	IOTRACE_OUTSIDE,	/* on none of the mounts, as it seems */
	IOTRACE_INSIDE,		/* on one of them, as it seems */
	IOTRACE_ANYWHERE,	/* the task sees other mounts than those that the filter names */
};

struct iotrace_filter {
	unsigned long *tgids;	/* bit for each process that is recorded; NULL: all are */
	struct cgroup *cgroup;	/* only tasks in it or below; NULL: all */
	u32 kinds;		/* IOTRACE_KIND() of the files that are recorded */
	u32 comms;		/* names below; 0: all tasks */
	u32 mounts;		/* 0: all */
	bool only_comms;	/* names are given, not only exceptions */
	const void *root[2];	/* what "/" was for the one who named the mounts; only to be compared */
	pid_t roots[IOTRACE_PIDS_MAX];	/* ends with 0; processes that tgids began with */
	char comm[IOTRACE_FILTER_MAX][TASK_COMM_LEN + 1];	/* pattern; ! at the front: not these */
	struct iotrace_mount mount[IOTRACE_FILTER_MAX];
};

extern struct iotrace_filter __rcu *iotrace_filter;

/* The filter now; the caller has disabled preemption. */
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
 * @path: as the program gave it
 * @fd: what it is relative to: a descriptor or AT_FDCWD
 *
 * A guess: symbolic links, "..", and what is mounted on the way are not looked at. An absolute path is compared
 * with the names of the mounts, which means something only if the task has the same root directory in the same
 * mount namespace as the one who named them.
 */
enum iotrace_place iotrace_filter_path(const struct iotrace_filter *filter, const char *path, int fd);

/** iotrace_filter_set_root - the names of the mounts of @filter are those that the current task sees */
void iotrace_filter_set_root(struct iotrace_filter *filter);

#endif /* IOTRACE_FILTER_H */
