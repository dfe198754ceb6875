// SPDX-License-Identifier: GPL-2.0-only
/*
 * One number for each call of this node. Every CPU counts for itself, so that no cache line bounces; the
 * low bits are the number of the CPU. The counters start at the time since boot in units of 64 ns, faster than
 * any CPU can count. So ids stay unique when the module is unloaded and loaded again.
 */
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include "ids.h"
#include "../iotrace-abi.h"

#define NS_PER_ID_SHIFT 6

static DEFINE_PER_CPU(u64, counter);
static unsigned int cpu_bits;

/* Ids of calls have bit 62 set, ids of file I/O do not: with 8192 CPUs they wrap after 417 days. */
static u64 make_id(u64 n, unsigned int cpu)
{
	return ((n << cpu_bits) | cpu) & (IOTRACE_ID_CALL - 1);
}

u64 iotrace_new_ids(unsigned int count)
{
	u64 id;

	preempt_disable_notrace();
	id = make_id(this_cpu_add_return(counter, count) - count + 1, raw_smp_processor_id());
	preempt_enable_notrace();
	return id;
}

u64 iotrace_nth_id(u64 first, unsigned int n)
{
	return (first + ((u64)n << cpu_bits)) & (IOTRACE_ID_CALL - 1);
}

int iotrace_ids_init(void)
{
	u64 first = ktime_get_boottime_ns() >> NS_PER_ID_SHIFT;
	int cpu;

	cpu_bits = order_base_2(nr_cpu_ids);
	for_each_possible_cpu(cpu)
		per_cpu(counter, cpu) = first;
	return 0;
}
