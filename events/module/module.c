// SPDX-License-Identifier: GPL-2.0-only
/* iotrace.ko: trace events for file I/O and asynchronous calls; see EVENTS.md. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include "control.h"
#include "fileio.h"
#include "ids.h"
#include "iotrace-kernel.h"
#include "uring.h"

/* The parts in the order of their start; they stop in reverse order. */
static const struct {
	int (*init)(void);
	void (*exit)(void);
} parts[] = {
	{ iotrace_ids_init, NULL },
	{ iotrace_control_init, iotrace_control_exit },
	{ iotrace_fileio_init, iotrace_fileio_exit },
	{ iotrace_uring_init, iotrace_uring_exit },
	{ iotrace_calls_init, iotrace_calls_exit },
};

static void stop_parts(int n)
{
	while (n--) {
		if (parts[n].exit)
			parts[n].exit();
	}
}

static int __init iotrace_init(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		err = parts[i].init();
		if (err) {
			stop_parts(i);
			return err;
		}
	}
	return 0;
}

static void __exit iotrace_exit(void)
{
	stop_parts(ARRAY_SIZE(parts));
}

module_init(iotrace_init);
module_exit(iotrace_exit);

MODULE_DESCRIPTION("Trace events for file I/O and asynchronous calls");
MODULE_AUTHOR("iotrace maintainers");
MODULE_LICENSE("GPL");
