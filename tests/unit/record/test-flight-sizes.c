/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buffers of a flight recorder, with processors whose rates change: bytes of a second in, sizes
 * out. */
#include "flight-sizes.h"
#include "unit.h"

enum { MAX_CPUS = 8, MAX_SECONDS = 400 };

static const guint64 second = 1000000000, mib = 1 << 20;

/* What processors wrote, and what their buffers still have. */
struct bench {
	GArray *cpus;
	guint64 wrote[MAX_CPUS][MAX_SECONDS]; /* bytes in each second */
	guint n_seconds;
};

static struct rec_ring_cpu *cpu_at(const struct bench *b, guint i)
{
	return &g_array_index(b->cpus, struct rec_ring_cpu, i);
}

static void bench_init(struct bench *b, guint n_cpus, guint64 size)
{
	*b = (struct bench){ .cpus = g_array_new(FALSE, TRUE, sizeof(struct rec_ring_cpu)) };
	g_array_set_size(b->cpus, n_cpus);
	for (guint i = 0; i < n_cpus; i++) {
		cpu_at(b, i)->cpu = i;
		cpu_at(b, i)->size = size;
	}
}

/* The seconds, from the last one on, that fit into the buffer; a smaller buffer has lost the
 * others. */
static void keep(struct bench *b, struct rec_ring_cpu *cpu)
{
	guint64 *wrote = b->wrote[cpu->cpu];
	guint first = b->n_seconds;

	cpu->bytes = 0;
	while (first && cpu->bytes + wrote[first - 1] <= cpu->size)
		cpu->bytes += wrote[--first];
	for (guint i = 0; i < first; i++)
		wrote[i] = cpu->size + 1;
	cpu->overrun = first;
	cpu->now = (b->n_seconds + 1) * second;
	cpu->oldest = cpu->bytes ? (first + 1) * second : 0;
}

/* A second with the given rates, bytes per second, and the change of sizes after it. Returns:
 * whether sizes changed. */
static gboolean pass(struct bench *b, const guint64 *rates, guint64 memory, guint64 ns)
{
	guint64 all = 0;
	gboolean changed = FALSE;

	for (guint i = 0; i < b->cpus->len; i++)
		b->wrote[i][b->n_seconds] = rates[i];
	b->n_seconds++;
	for (guint i = 0; i < b->cpus->len; i++)
		keep(b, cpu_at(b, i));
	rec_plan_sizes(b->cpus, memory, ns);
	for (guint i = 0; i < b->cpus->len; i++) {
		struct rec_ring_cpu *cpu = cpu_at(b, i);

		changed |= cpu->next_size != cpu->size;
		cpu->size = cpu->next_size;
		all += cpu->size;
		keep(b, cpu);
	}
	CU_ASSERT(all <= memory);
	return changed;
}

static guint64 held_ns(const struct bench *b, guint i)
{
	return cpu_at(b, i)->oldest ? cpu_at(b, i)->now - cpu_at(b, i)->oldest : 0;
}

UNIT_TEST(with_enough_memory_buffers_hold_the_time_and_keep_their_size)
{
	const guint64 rates[] = { 100000, 400000, 20000 }, quiet[] = { 1000, 1000, 1000 };
	guint64 size[3];
	struct bench b;

	bench_init(&b, 3, mib);
	for (guint t = 0; t < 200; t++)
		pass(&b, rates, 64 * mib, 60 * second);
	for (guint i = 0; i < 3; i++) {
		CU_ASSERT(held_ns(&b, i) >= 60 * second);
		CU_ASSERT(cpu_at(&b, i)->size <= MAX(mib, rates[i] * 60 * 5 / 4));
		size[i] = cpu_at(&b, i)->size;
	}
	for (guint t = 0; t < 100; t++)
		pass(&b, quiet, 64 * mib, 60 * second);
	for (guint i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(cpu_at(&b, i)->size, size[i]);
	g_array_unref(b.cpus);
}

/* First one processor is busy and takes the memory; then another becomes busy, too. */
UNIT_TEST(memory_moves_to_processors_that_become_busy)
{
	const guint64 first[] = { 0, 400000 }, later[] = { 300000, 400000 };
	gboolean changed = FALSE;
	struct bench b;

	bench_init(&b, 2, mib);
	for (guint t = 0; t < 100; t++)
		pass(&b, first, 16 * mib, 1000 * second);
	CU_ASSERT(cpu_at(&b, 1)->size > 11 * mib);
	for (guint t = 0; t < 300; t++) {
		gboolean now = pass(&b, later, 16 * mib, 1000 * second);

		changed |= t >= 200 && now;
	}
	CU_ASSERT_FALSE(changed);
	/* 16 MiB at 700 kB/s: 24 s */
	CU_ASSERT(held_ns(&b, 0) >= 18 * second && held_ns(&b, 1) >= 18 * second);
	CU_ASSERT(held_ns(&b, 0) <= 30 * second && held_ns(&b, 1) <= 30 * second);
	g_array_unref(b.cpus);
}

/* A buffer that is overwritten in less than a second. */
UNIT_TEST(a_high_rate_is_known_from_overwritten_events)
{
	struct rec_ring_cpu fast = { .size = mib,
				     .bytes = mib,
				     .overrun = 1,
				     .oldest = second,
				     .now = second + second / 10 };
	struct rec_ring_cpu fresh = fast;
	GArray *cpus = g_array_new(FALSE, FALSE, sizeof(fast));

	fresh.overrun = 0;
	g_array_append_val(cpus, fast);
	g_array_append_val(cpus, fresh);
	rec_plan_sizes(cpus, 100 * mib, second);
	CU_ASSERT_EQUAL(g_array_index(cpus, struct rec_ring_cpu, 0).next_size, 11 * mib);
	CU_ASSERT_EQUAL(g_array_index(cpus, struct rec_ring_cpu, 1).next_size, mib);
	g_array_unref(cpus);
}

UNIT_TEST(rates_at_random_never_exceed_the_memory)
{
	GRand *rand = g_rand_new_with_seed(3);

	for (guint run = 0; run < 200; run++) {
		guint n = (guint)g_rand_int_range(rand, 1, MAX_CPUS + 1);
		guint64 rates[MAX_CPUS] = { 0 };
		struct bench b;

		bench_init(&b, n, mib / 2);
		for (guint t = 0; t < 100; t++) {
			for (guint i = 0; i < n; i++)
				if (!g_rand_int_range(rand, 0, 10))
					rates[i] = 1ULL << g_rand_int_range(rand, 0, 24);
			pass(&b, rates, 8 * mib, 30 * second);
		}
		g_array_unref(b.cpus);
	}
	g_rand_free(rand);
}
