// SPDX-License-Identifier: GPL-2.0-only
/* A module that emits call events while it is loaded: from its init, a soft and a hard interrupt. */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/version.h>
#include "iotrace-kernel.h"

static struct iotrace_call_args call = {
	.object = 7,
	.mode = 5,
	.flags = 0x40,
	.domain = "call-source",
	.resource = "lock 1",
};
static DECLARE_COMPLETION(notified);
static struct hrtimer timer;

static void in_soft_interrupt(struct tasklet_struct *unused)
{
	struct iotrace_call_args done = call;

	done.status = in_serving_softirq() ? -11 : 1;
	done.op = "done";
	done.tgid = 4711;
	iotrace_call_done(&done);
	hrtimer_start(&timer, 0, HRTIMER_MODE_REL_HARD);
}

static DECLARE_TASKLET(tasklet, in_soft_interrupt);

static enum hrtimer_restart in_hard_interrupt(struct hrtimer *unused)
{
	struct iotrace_call_args notify = { .id = call.id, .tgid = 4711, .mode = -1 };

	notify.status = in_hardirq() ? 0 : 1;
	iotrace_call_notify(&notify);
	complete(&notified);
	return HRTIMER_NORESTART;
}

static int __init call_source_init(void)
{
	int kind;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
	hrtimer_setup(&timer, in_hard_interrupt, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
#else
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer.function = in_hard_interrupt;
#endif
	call.id = iotrace_call_id();
	call.op = "start";
	iotrace_call_start(&call);
	call.op = "end";
	iotrace_call_end(&call);
	tasklet_schedule(&tasklet);
	wait_for_completion(&notified);
	for (kind = IOTRACE_CALL_START; kind <= IOTRACE_CALL_NOTIFY; kind++)
		pr_info("call-source: kind %d recorded: %d\n", kind, iotrace_call_recorded(kind));
	return iotrace_call_id() == call.id + 1 ? 0 : -ERANGE;
}

static void __exit call_source_exit(void)
{
	hrtimer_cancel(&timer);
	tasklet_kill(&tasklet);
}

module_init(call_source_init);
module_exit(call_source_exit);

MODULE_DESCRIPTION("Call events from all contexts, for a test");
MODULE_LICENSE("GPL");
