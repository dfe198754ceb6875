/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds of clocks against clocks whose true error is known. Each random machine keeps the
 * assumptions of the judge, so its true time must lie inside the bound at every instant asked.
 * IOT_CLOCKS=N makes N machines of each kind (default 1000).
 */
#include "input/clock-judge.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#define SECOND	     G_GINT64_CONSTANT(1000000000)
#define MAX_SEGMENTS 64

static const struct iot_clock_assumed assumed = { 20000, 8000, 150000 };

/* The host's time of a guest's instant: a line with another rate in each segment. */
struct machine {
	guint n;
	gint64 from[MAX_SEGMENTS];   /* guest's time, first 0 */
	double offset[MAX_SEGMENTS]; /* host - guest at from */
	double rate[MAX_SEGMENTS];   /* of the offset: 1e-6 is 1 ppm */
};

static guint n_machines(void)
{
	const char *text = g_getenv("IOT_CLOCKS");

	return text ? (guint)strtoul(text, NULL, 10) : 1000;
}

static void make_machine(GRand *rand, struct machine *m, gint64 length)
{
	double mean = g_rand_double_range(rand, -140e-6, 140e-6);
	gboolean wanders = g_rand_boolean(rand);

	/* some bends as large as the assumptions allow, or a rate that wanders within them */
	m->n = (guint)g_rand_int_range(rand, 1, wanders ? MAX_SEGMENTS : 5);
	m->from[0] = 0;
	m->offset[0] = g_rand_double_range(rand, -1e12, 1e12) + 2e12;
	for (guint i = 0; i < m->n; i++) {
		m->rate[i] = mean + (wanders ? g_rand_double_range(rand, -4e-6, 4e-6)
				     : i % 2 ? 4e-6
					     : -4e-6);
		if (!i)
			continue;
		m->from[i] = m->from[i - 1] +
			     (gint64)g_rand_double_range(rand, 1, 2. * (double)length / m->n);
		m->offset[i] =
			m->offset[i - 1] + m->rate[i - 1] * (double)(m->from[i] - m->from[i - 1]);
	}
}

static double offset_at(const struct machine *m, gint64 guest)
{
	guint i = m->n - 1;

	while (i && m->from[i] > guest)
		i--;
	return m->offset[i] + m->rate[i] * (double)(guest - m->from[i]);
}

static struct iot_clock ptp_clock(GRand *rand, const struct machine *m, gint64 length)
{
	struct iot_clock clock = { .present = TRUE, .interpolate = TRUE };
	guint n = (guint)g_rand_int_range(rand, 1, 12);

	clock.n_cpus = (guint)g_rand_int_range(rand, 1, 4);
	clock.cpu = g_new0(struct iot_clock_cpu, clock.n_cpus);
	for (guint cpu = 0; cpu < clock.n_cpus; cpu++) {
		/* at regular intervals from begin to end, the CPUs one after the other */
		clock.cpu[cpu].n = n;
		clock.cpu[cpu].sample = g_new0(struct iot_clock_sample, n);
		for (guint i = 0; i < n; i++) {
			gint64 t = SECOND / 10 * (cpu + 1) + length / (n > 1 ? n - 1 : 1) * i;
			double error = g_rand_double_range(rand, -20000, 20000);

			clock.cpu[cpu].sample[i] = (struct iot_clock_sample){
				.time = t,
				.offset = (gint64)(offset_at(m, t) + error),
				.scaling = 1,
			};
		}
	}
	return clock;
}

/* The greatest true error at the instants asked; fails where it is above the bound. */
static double greatest_error(GRand *rand, const struct machine *m, const struct iot_clock *clock,
			     gint64 length, guint64 *out_bound)
{
	struct iot_clock_facts facts;
	double most = 0;
	guint failed = 0;

	iot_clock_judge(clock, "local", &assumed, (guint64)offset_at(m, 0),
			iot_clock_correct(clock, 0, (guint64)(length + SECOND)), &facts);
	CU_ASSERT_FALSE(facts.drift_impossible);
	CU_ASSERT_FALSE(facts.rate_widened);
	CU_ASSERT_FALSE(facts.error_widened);
	*out_bound = 0;
	for (guint i = 0; i < 200; i++) {
		gint64 guest = (gint64)g_rand_double_range(rand, 0, (double)(length + SECOND));
		double truth = (double)guest + offset_at(m, guest);
		guint64 stated = iot_clock_correct(clock, 0, (guint64)guest);
		guint64 bound = iot_clock_facts_bound(&facts, stated);
		double error = fabs((double)stated - truth);

		failed += error > (double)bound + 2; /* doubles hold 0.5 ns at 4e12 */
		most = fmax(most, error);
		*out_bound = MAX(*out_bound, bound);
	}
	CU_ASSERT_EQUAL(failed, 0);
	iot_clock_facts_clear(&facts);
	return most;
}

static gint compare_double(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

UNIT_TEST(truth_lies_inside_the_bound)
{
	guint n = n_machines();
	g_autofree double *ratio = g_new(double, n);
	GRand *rand = g_rand_new_with_seed(20261122);

	for (guint i = 0; i < n; i++) {
		gint64 length = (gint64)g_rand_double_range(rand, (double)SECOND, 600. * SECOND);
		struct iot_clock clock;
		struct machine m;
		guint64 bound;
		double error;

		make_machine(rand, &m, length);
		clock = ptp_clock(rand, &m, length);
		for (guint cpu = 1; cpu < clock.n_cpus; cpu++)
			if (clock.cpu[cpu].n > clock.cpu[clock.common].n)
				clock.common = cpu;
		error = greatest_error(rand, &m, &clock, length, &bound);
		ratio[i] = (double)bound / error;
		iot_clock_clear(&clock);
	}
	qsort(ratio, n, sizeof(*ratio), compare_double);
	/* a bound is worth something if it is near the error: within 3, in the median */
	CU_ASSERT(ratio[n / 2] <= 3);
	if (g_getenv("IOT_CLOCKS"))
		printf("bound / greatest error: median %.2f\n", ratio[n / 2]);
	g_rand_free(rand);
}

static struct iot_clock kvm_clock(GArray *samples)
{
	struct iot_clock clock = { .present = TRUE, .n_cpus = 1 };

	clock.cpu = g_new0(struct iot_clock_cpu, 1);
	clock.cpu->n = samples->len;
	clock.cpu->sample = (struct iot_clock_sample *)(void *)g_array_free(samples, FALSE);
	return clock;
}

static struct iot_clock kvm_of(gint64 t0, gint64 o0, gint64 t1, gint64 o1)
{
	struct iot_clock_sample two[] = { { t0, o0, 1, 0 }, { t1, o1, 1, 0 } };
	GArray *samples = g_array_new(FALSE, FALSE, sizeof(two[0]));

	g_array_append_vals(samples, two, 2);
	return kvm_clock(samples);
}

UNIT_TEST(kvm_offsets_are_exact)
{
	struct iot_clock clock = kvm_of(1000, 5000, 9000, 5000);
	struct iot_clock_facts facts;

	iot_clock_judge(&clock, "tsc2nsec", &assumed, 5500, 20000, &facts);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 0), 1);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 10000), 1);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, G_MAXUINT64), 1);
	CU_ASSERT_EQUAL(facts.n_samples, 2);
	CU_ASSERT_EQUAL(facts.first_ns, 6000);
	CU_ASSERT_EQUAL(facts.last_ns, 14000);
	CU_ASSERT_EQUAL(facts.residual_ns, 0);
	CU_ASSERT_FALSE(facts.scaled);
	iot_clock_facts_clear(&facts);
	iot_clock_clear(&clock);
}

UNIT_TEST(a_step_between_kvm_samples_is_the_bound)
{
	/* somewhere between 6000 and 14700 the offset grew by 700 */
	struct iot_clock clock = kvm_of(1000, 5000, 9000, 5700);
	struct iot_clock_facts facts;

	iot_clock_judge(&clock, "tsc2nsec", &assumed, 5500, 20000, &facts);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 5999), 1);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 6000), 701);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 10000), 701);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 14700), 701);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 14701), 1);
	CU_ASSERT_EQUAL(facts.residual_ns, 700);
	CU_ASSERT_EQUAL(iot_clock_facts_greatest(&facts), 701);
	iot_clock_facts_clear(&facts);
	iot_clock_clear(&clock);
}

UNIT_TEST(coarse_clocks_have_coarse_bounds)
{
	struct iot_clock clock = kvm_of(1000, 5000, 9000, 5000);
	struct iot_clock_facts facts;

	iot_clock_judge(&clock, "uptime", &assumed, 0, 20000, &facts);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 7000), 10000000);
	iot_clock_facts_clear(&facts);
	iot_clock_clear(&clock);
	/* DATE */
	clock.offset_ns = 12345;
	iot_clock_judge(&clock, "local", &assumed, 0, 20000, &facts);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 7000), 1000);
	iot_clock_facts_clear(&facts);
	/* --shift states no error */
	clock.shift_ns = 12345;
	iot_clock_judge(&clock, "local", &assumed, 0, 20000, &facts);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 7000), 1);
	iot_clock_facts_clear(&facts);
}

static struct iot_clock ptp_of(const gint64 (*samples)[2], guint n)
{
	struct iot_clock clock = { .present = TRUE, .interpolate = TRUE, .n_cpus = 1 };

	clock.cpu = g_new0(struct iot_clock_cpu, 1);
	clock.cpu->n = n;
	clock.cpu->sample = g_new0(struct iot_clock_sample, n);
	for (guint i = 0; i < n; i++)
		clock.cpu->sample[i] =
			(struct iot_clock_sample){ samples[i][0], samples[i][1], 1, 0 };
	return clock;
}

UNIT_TEST(samples_that_contradict_the_assumptions_widen_them)
{
	/* 0 ppm for 100 s, then 50 ppm: the change is above 8 ppm and twice the errors' 0.4 ppm */
	static const gint64 bent[][2] = { { 1, 0 },
					  { 100 * SECOND, 0 },
					  { 200 * SECOND, 5000000 } };
	/* 1000 ppm */
	static const gint64 steep[][2] = { { 1, 0 }, { 100 * SECOND, 100000000 } };
	struct iot_clock clock = ptp_of(bent, 3);
	struct iot_clock_facts facts;

	iot_clock_judge(&clock, "local", &assumed, 0, 200 * SECOND, &facts);
	CU_ASSERT_TRUE(facts.rate_widened);
	CU_ASSERT_FALSE(facts.drift_impossible);
	CU_ASSERT_EQUAL(facts.change_ppb, 50000);
	/* 50 s from both samples: 20 us and 50 ppm of 25 s */
	CU_ASSERT(iot_clock_facts_bound(&facts, 50 * SECOND) >= 1270000);
	CU_ASSERT(iot_clock_facts_bound(&facts, 50 * SECOND) <= 1270100);
	iot_clock_facts_clear(&facts);
	iot_clock_clear(&clock);
	clock = ptp_of(steep, 2);
	iot_clock_judge(&clock, "local", &assumed, 0, 200 * SECOND, &facts);
	CU_ASSERT_TRUE(facts.drift_impossible);
	CU_ASSERT_FALSE(facts.rate_widened);
	CU_ASSERT_EQUAL(facts.drift_ppb, 1000000);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 50 * SECOND), IOT_CLOCK_UNBOUNDED);
	iot_clock_facts_clear(&facts);
	/* cycles of two processors */
	iot_clock_judge(&clock, "x86-tsc", &assumed, 0, 200 * SECOND, &facts);
	CU_ASSERT_FALSE(facts.drift_impossible);
	CU_ASSERT(iot_clock_facts_bound(&facts, 50 * SECOND) < SECOND);
	iot_clock_facts_clear(&facts);
	clock.cpu[0].n = 1;
	iot_clock_judge(&clock, "x86-tsc", &assumed, 0, 200 * SECOND, &facts);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 50 * SECOND), IOT_CLOCK_UNBOUNDED);
	iot_clock_facts_clear(&facts);
	iot_clock_clear(&clock);
}

UNIT_TEST(cpus_that_differ_widen_the_error_of_a_sample)
{
	static const gint64 a[][2] = { { 1, 1000000 }, { 100 * SECOND, 1000000 } };
	struct iot_clock clock = ptp_of(a, 2);
	struct iot_clock_facts facts;

	clock.n_cpus = 2;
	clock.cpu = g_renew(struct iot_clock_cpu, clock.cpu, 2);
	clock.cpu[1].n = 1;
	clock.cpu[1].sample = g_new0(struct iot_clock_sample, 1);
	clock.cpu[1].sample[0] = (struct iot_clock_sample){ SECOND, 1070000, 1, 0 };
	iot_clock_judge(&clock, "local", &assumed, 0, 100 * SECOND, &facts);
	CU_ASSERT_EQUAL(facts.residual_ns, 70000);
	CU_ASSERT_TRUE(facts.error_widened);
	/* 70 us apart, of which the rate may explain 8: one of the two is wrong by 31 at least */
	CU_ASSERT(iot_clock_facts_bound(&facts, 1000001) >= 31000);
	CU_ASSERT(iot_clock_facts_bound(&facts, 1000001) <= 45000);
	iot_clock_facts_clear(&facts);
	iot_clock_clear(&clock);
}
