// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitops.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/threads.h>
#include <trace/events/sched.h>
#include "probes.h"
#include "processes.h"

/* The probes exist before the first filter. */
static void process_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	const struct iotrace_filter *filter;

	preempt_disable_notrace();
	filter = iotrace_filter_get();
	if (filter && filter->tgids && test_bit(parent->tgid, filter->tgids))
		set_bit(child->tgid, filter->tgids);
	preempt_enable_notrace();
}

static void forget(struct task_struct *task)
{
	const struct iotrace_filter *filter;

	if (atomic_read(&task->signal->live))
		return;		/* other threads are left */
	preempt_disable_notrace();
	filter = iotrace_filter_get();
	if (filter && filter->tgids)
		clear_bit(task->tgid, filter->tgids);
	preempt_enable_notrace();
}

static void __maybe_unused process_exit_task(void *data, struct task_struct *task)
{
	forget(task);
}

static void __maybe_unused process_exit_group(void *data, struct task_struct *task, bool group_dead)
{
	forget(task);
}

#define process_exit IOTRACE_PROBE_THAT_FITS(sched_process_exit, process_exit_task, process_exit_group)

static struct iotrace_probe probes[] = {
	{ "sched_process_exit", process_exit },
	{ "sched_process_fork", process_fork },
};

IOTRACE_CHECK_PROBE(sched_process_exit, process_exit);
IOTRACE_CHECK_PROBE(sched_process_fork, process_fork);

static bool watching;

unsigned long *iotrace_processes_set(void)
{
	return kvcalloc(BITS_TO_LONGS(PID_MAX_LIMIT), sizeof(long), GFP_KERNEL);
}

/*
 * The bit of an exiting process is cleared when no thread is alive. So if a thread is alive after we set the bit, the
 * bit will be cleared later. Otherwise it might stay, and a later process with this number would be recorded.
 */
static bool mark(struct iotrace_filter *filter, struct task_struct *task)
{
	bool was_set = test_and_set_bit(task->tgid, filter->tgids);

	if (atomic_read(&task->signal->live))
		return !was_set;
	clear_bit(task->tgid, filter->tgids);
	return false;
}

static void mark_root(struct iotrace_filter *filter, pid_t tgid)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_pid_ns(tgid, &init_pid_ns), PIDTYPE_TGID);
	if (task)
		mark(filter, task);
	rcu_read_unlock();
}

/* A process forked meanwhile inherits the bit of its parent, if already set; else the next round finds it. */
void iotrace_processes_mark(struct iotrace_filter *filter)
{
	struct task_struct *task;
	bool again;
	int i;

	for (i = 0; i < IOTRACE_PIDS_MAX && filter->roots[i]; i++)
		mark_root(filter, filter->roots[i]);
	do {
		again = false;
		rcu_read_lock();
		for_each_process(task) {
			pid_t parent = rcu_dereference(task->real_parent)->tgid;

			if (test_bit(parent, filter->tgids))
				again |= mark(filter, task);
		}
		rcu_read_unlock();
		cond_resched();
	} while (again);
}

int iotrace_processes_watch(bool on)
{
	int err = 0;

	if (on && !watching)
		err = iotrace_probes_on(probes, ARRAY_SIZE(probes));
	else if (!on && watching)
		iotrace_probes_off(probes, ARRAY_SIZE(probes));
	if (!err)
		watching = on;
	return err;
}

int iotrace_processes_init(void)
{
	return iotrace_probes_find(probes, ARRAY_SIZE(probes));
}
