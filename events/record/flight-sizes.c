/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flight-sizes.h"

static struct rec_ring_cpu *cpu_at(const GArray *cpus, guint i)
{
	return &g_array_index(cpus, struct rec_ring_cpu, i);
}

/* A size at which a buffer holds @ns, with a tenth for changes of the rate. */
static guint64 wanted_bytes(const struct rec_ring_cpu *cpu, guint64 ns)
{
	guint64 span = cpu->oldest && cpu->now > cpu->oldest ? cpu->now - cpu->oldest : 0;

	/* the first events say nothing about the rate */
	if (!span || (!cpu->overrun && span < G_GUINT64_CONSTANT(1000000000)))
		return cpu->size;
	return (guint64)((double)cpu->bytes * (double)ns / (double)span * 1.1);
}

/* The share of what the processors want beyond @least that the memory has room for. */
static double share_of(const GArray *cpus, guint64 memory, guint64 least, guint64 ns)
{
	double more = 0;

	for (guint i = 0; i < cpus->len; i++) {
		guint64 wanted = wanted_bytes(cpu_at(cpus, i), ns);

		more += wanted > least ? (double)(wanted - least) : 0;
	}
	return (double)(memory - cpus->len * least) / MAX(more, 1);
}

/* Let buffers grow to their next size, as far as the memory has room. */
static void limit(GArray *cpus, guint64 memory)
{
	double room = (double)memory, more = 0;

	for (guint i = 0; i < cpus->len; i++) {
		const struct rec_ring_cpu *cpu = cpu_at(cpus, i);

		room -= (double)MIN(cpu->size, cpu->next_size);
		more += cpu->next_size > cpu->size ? (double)(cpu->next_size - cpu->size) : 0;
	}
	for (guint i = 0; more > room && i < cpus->len; i++) {
		struct rec_ring_cpu *cpu = cpu_at(cpus, i);

		if (cpu->next_size > cpu->size)
			cpu->next_size =
				cpu->size + (guint64)((double)(cpu->next_size - cpu->size) *
						      MAX(room, 0) / more);
	}
}

void rec_plan_sizes(GArray *cpus, guint64 memory, guint64 ns)
{
	/* a quarter of an equal share for all: a quiet processor may become busy */
	const guint64 least = cpus->len ? memory / cpus->len / 4 : 0;
	const double share = share_of(cpus, memory, least, ns);

	for (guint i = 0; i < cpus->len; i++) {
		struct rec_ring_cpu *cpu = cpu_at(cpus, i);
		guint64 wanted = wanted_bytes(cpu, ns);

		if (share < 1 && wanted > least)
			wanted = least + (guint64)((double)(wanted - least) * share);
		cpu->next_size = cpu->size;
		/* each change stops the processors for a moment */
		if (wanted > cpu->size + cpu->size / 8)
			cpu->next_size = wanted;
		else if (share < 1 && wanted < cpu->size - cpu->size / 8)
			cpu->next_size = MAX(wanted, MIN(least, cpu->size));
	}
	limit(cpus, memory);
}
