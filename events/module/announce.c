// SPDX-License-Identifier: GPL-2.0
/*
 * Which tasks have been told is kept in a small table of hashes without chains: where two tasks meet
 * in one place, both are told more often than needed, which does no harm.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include "announce.h"
#include "iotrace.h"

#define TOLD_BITS 12

static u64 told[1 << TOLD_BITS];
static atomic_t listeners = ATOMIC_INIT(1);

static u64 fingerprint(const struct task_struct *task)
{
	u64 name[TASK_COMM_LEN / sizeof(u64)], hash = task->start_time + atomic_read(&listeners);
	/* A task that moves to another cgroup gets another one of these. */
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
	last = &told[hash_32(current->pid, TOLD_BITS)];
	if (READ_ONCE(*last) == now)
		return;
	WRITE_ONCE(*last, now);
	trace_task(current);
}

void iotrace_announce_again(void)
{
	atomic_inc(&listeners);
}
