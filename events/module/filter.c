// SPDX-License-Identifier: GPL-2.0
/* The questions that probes ask before they do anything costly, and the watch on new processes. */
#include <linux/bitops.h>
#include <linux/cgroup.h>
#include <linux/fcntl.h>
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

bool iotrace_filter_path(const struct iotrace_filter *filter, const char *path, int fd)
{
	struct iotrace_file dir;
	int i;

	if (!filter->mounts)
		return true;
	if (*path != '/') {
		if (fd == AT_FDCWD)
			return iotrace_filter_dev(filter, iotrace_cwd_dev());
		return iotrace_file_at(fd, &dir) && iotrace_filter_dev(filter, dir.dev);
	}
	for (i = 0; i < filter->mounts; i++) {
		if (is_below(path, &filter->mount[i]))
			return true;
	}
	return false;
}
