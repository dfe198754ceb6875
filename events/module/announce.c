// SPDX-License-Identifier: GPL-2.0-only
/*
 * A small hash table without chains remembers the announced tasks. If two tasks share a slot, both are
 * announced more often than needed, which does no harm.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include "announce.h"
#include "iotrace.h"

#define ANNOUNCED_BITS 12

static u64 announced[1 << ANNOUNCED_BITS];
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

void iotrace_announce_again(void)
{
	atomic_inc(&listeners);
}
