// SPDX-License-Identifier: GPL-2.0-only
/*
 * Small hash tables without chains remember the announced tasks and file systems. If two share a slot, both are
 * announced more often than needed, which does no harm.
 */
#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include "announce.h"
#include "iotrace.h"

#define ANNOUNCED_BITS 12
#define FS_BITS 6

static u64 announced[1 << ANNOUNCED_BITS], announced_fs[1 << FS_BITS];
static atomic_t listeners = ATOMIC_INIT(1);

static u64 fingerprint(const struct task_struct *task)
{
	u64 name[TASK_COMM_LEN / sizeof(u64)], hash = task->start_time + atomic_read(&listeners);
	/* A task that moves to another cgroup gets another css_set. */
	u64 group = (unsigned long)rcu_access_pointer(task->cgroups);
	int i;

	memcpy(name, task->comm, sizeof(name));
	for (i = 0; i < ARRAY_SIZE(name); i++)
		hash = hash_64(hash ^ name[i], 64);
	return hash_64(hash ^ group, 64) ^ task->pid;
}

void iotrace_announce(void)
{
	u64 now, *last;

	if (!trace_task_enabled())
		return;
	now = fingerprint(current);
	last = &announced[hash_32(current->pid, ANNOUNCED_BITS)];
	if (READ_ONCE(*last) == now)
		return;
	WRITE_ONCE(*last, now);
	trace_task(current);
}

void iotrace_announce_fs(struct super_block *sb)
{
	u64 now, *last;

	if (!trace_fs_enabled())
		return;
	/* the numbers of devices without a disk are used again */
	now = hash_64((unsigned long)sb + atomic_read(&listeners), 64) ^ sb->s_dev;
	last = &announced_fs[hash_32(sb->s_dev, FS_BITS)];
	if (READ_ONCE(*last) == now)
		return;
	WRITE_ONCE(*last, now);
	trace_fs(sb);
}

void iotrace_announce_again(void)
{
	atomic_inc(&listeners);
}
