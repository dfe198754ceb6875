// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/printk.h>
#include "stats.h"

DEFINE_PER_CPU(struct iotrace_stats, iotrace_stats);

static const struct {
	size_t offset;
	const char *name, *text;
} stats[] = {
#define STAT_ROW(name, text) { offsetof(struct iotrace_stats, name), #name, text },
	IOTRACE_STATS(STAT_ROW)
};

static u64 sum(size_t offset)
{
	u64 value = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		value += *(u64 *)((char *)per_cpu_ptr(&iotrace_stats, cpu) + offset);
	return value;
}

void iotrace_stats_show(struct seq_file *file)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(stats); i++)
		seq_printf(file, "%-10s %10llu  %s\n", stats[i].name, sum(stats[i].offset), stats[i].text);
}

void iotrace_stats_report(void)
{
	static u64 reported[ARRAY_SIZE(stats)];
	int i;

	for (i = 1; i < ARRAY_SIZE(stats); i++) {
		u64 value = sum(stats[i].offset);

		if (value != reported[i])
			pr_info("%llu %s\n", value - reported[i], stats[i].text);
		reported[i] = value;
	}
}
