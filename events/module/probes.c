// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include "probes.h"

struct search {
	struct iotrace_probe *probes;
	int count;
};

static void take_if_named(struct tracepoint *tp, struct iotrace_probe *probe)
{
	if (!strcmp(tp->name, probe->name)) {
		probe->tp = tp;
	} else if (probe->old_name && !strcmp(tp->name, probe->old_name)) {
		probe->tp = tp;
		probe->function = probe->old_function ?: probe->function;
	}
}

static void compare(struct tracepoint *tp, void *data)
{
	struct search *search = data;
	int i;

	for (i = 0; i < search->count; i++)
		take_if_named(tp, &search->probes[i]);
}

int iotrace_probes_find(struct iotrace_probe *probes, int count)
{
	struct search search = { probes, count };
	int i;

	for_each_kernel_tracepoint(compare, &search);
	for (i = 0; i < count; i++) {
		if (!probes[i].tp) {
			pr_err("this kernel has no tracepoint %s\n", probes[i].name);
			return -ENOENT;
		}
	}
	return 0;
}

int iotrace_probes_on(struct iotrace_probe *probes, int count)
{
	int i, err;

	for (i = 0; i < count; i++) {
		err = tracepoint_probe_register(probes[i].tp, probes[i].function, NULL);
		if (err) {
			pr_err("cannot watch tracepoint %s: error %d\n", probes[i].name, err);
			iotrace_probes_off(probes, i);
			return err;
		}
	}
	return 0;
}

void iotrace_probes_off(struct iotrace_probe *probes, int count)
{
	while (count--)
		tracepoint_probe_unregister(probes[count].tp, probes[count].function, NULL);
	tracepoint_synchronize_unregister();
}
