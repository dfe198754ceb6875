// SPDX-License-Identifier: GPL-2.0-only
/* The checks that probes make before any costly work. */
#include <linux/bitops.h>
#include <linux/cgroup.h>
#include <linux/fcntl.h>
#include <linux/fs_struct.h>
#include <linux/glob.h>
#include <linux/string.h>
#include "files.h"
#include "filter.h"

struct iotrace_filter __rcu *iotrace_filter;

static bool match_comm(const struct iotrace_filter *filter)
{
	int i;

	for (i = 0; i < filter->comms; i++) {
		const char *pattern = filter->comm[i];
		bool except = *pattern == '!';

		if (glob_match(pattern + except, current->comm))
			return !except;
	}
	return !filter->only_comms;
}

static bool match_cgroup(const struct iotrace_filter *filter)
{
	bool match;

	rcu_read_lock();
	match = task_under_cgroup_hierarchy(current, filter->cgroup);
	rcu_read_unlock();
	return match;
}

bool iotrace_filter_task(const struct iotrace_filter *filter)
{
	if (filter->tgids && !test_bit(current->tgid, filter->tgids))
		return false;
	if (filter->comms && !match_comm(filter))
		return false;
	return !filter->cgroup || match_cgroup(filter);
}

bool iotrace_filter_dev(const struct iotrace_filter *filter, u32 dev)
{
	int i;

	for (i = 0; i < filter->mounts; i++) {
		if (filter->mount[i].dev == dev)
			return true;
	}
	return !filter->mounts;
}

static bool is_below(const char *path, const struct iotrace_mount *mount)
{
	return !strncmp(path, mount->path, mount->len) && (!path[mount->len] || path[mount->len] == '/');
}

/* A new namespace copies all mounts, so the mount at the root also identifies the namespace. */
static void root_of_task(const void *root[2])
{
	struct fs_struct *fs = current->fs;

	root[0] = fs ? READ_ONCE(fs->root.mnt) : NULL;
	root[1] = fs ? READ_ONCE(fs->root.dentry) : NULL;
}

void iotrace_filter_set_root(struct iotrace_filter *filter)
{
	root_of_task(filter->root);
}

static enum iotrace_place place_of_dev(const struct iotrace_filter *filter, u32 dev)
{
	return iotrace_filter_dev(filter, dev) ? IOTRACE_INSIDE : IOTRACE_OUTSIDE;
}

static enum iotrace_place place_of_relative(const struct iotrace_filter *filter, int fd)
{
	struct iotrace_file dir;

	if (fd == AT_FDCWD)
		return place_of_dev(filter, iotrace_cwd_dev());
	return iotrace_file_at(fd, &dir) ? place_of_dev(filter, dir.dev) : IOTRACE_OUTSIDE;
}

enum iotrace_place iotrace_filter_path(const struct iotrace_filter *filter, const char *path, int fd)
{
	const void *root[2];
	int i;

	if (!filter->mounts)
		return IOTRACE_INSIDE;
	if (*path != '/')
		return place_of_relative(filter, fd);
	root_of_task(root);
	if (root[0] != filter->root[0] || root[1] != filter->root[1])
		return iotrace_filter_dev(filter, iotrace_root_dev()) ? IOTRACE_INSIDE : IOTRACE_ANYWHERE;
	for (i = 0; i < filter->mounts; i++) {
		if (is_below(path, &filter->mount[i]))
			return IOTRACE_INSIDE;
	}
	return IOTRACE_OUTSIDE;
}
