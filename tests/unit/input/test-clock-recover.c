/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clocks recovered from messages, against clusters whose true time is known: the true time of
 * every instant asked must lie inside the bound, with any messages. IOT_CLOCKS=N makes N
 * clusters of each kind (default 200).
 */
#include "input/clock-judge.h"
#include "input/clock-recover.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#define SECOND	 1e9
#define MAX_N	 6
#define MAX_BEND 8

/* The machine's clock by true time: offset + true time * (1 + rate), with some bends. */
struct machine {
	double offset;
	guint n;
	double from[MAX_BEND], value[MAX_BEND], rate[MAX_BEND];
};

struct cluster {
	guint n;
	double length;
	struct machine machine[MAX_N];
	struct iot_recover_machine recorded[MAX_N];
	GArray *messages;
};

static guint n_clusters(void)
{
	const char *text = g_getenv("IOT_CLOCKS");

	return text ? (guint)strtoul(text, NULL, 10) : 200;
}

static double clock_at(const struct machine *m, double t)
{
	guint i = m->n - 1;

	while (i && m->from[i] > t)
		i--;
	return m->value[i] + (t - m->from[i]) * m->rate[i];
}

/* @bend: greatest difference of two rates */
static void make_machine(GRand *rand, const struct cluster *cluster, double bend, struct machine *m)
{
	double mean = 1 + g_rand_double_range(rand, -45e-6, 45e-6);

	m->n = bend > 0 ? (guint)g_rand_int_range(rand, 1, MAX_BEND + 1) : 1;
	m->from[0] = 0;
	m->value[0] = floor(g_rand_double_range(rand, 0, 1e14));
	for (guint i = 0; i < m->n; i++) {
		m->rate[i] = mean + g_rand_double_range(rand, -bend / 2, bend / 2);
		if (!i)
			continue;
		m->from[i] =
			m->from[i - 1] + g_rand_double_range(rand, 0, 2 * cluster->length / m->n);
		m->value[i] = m->value[i - 1] + (m->from[i] - m->from[i - 1]) * m->rate[i - 1];
	}
}

/* Messages need @fastest or more; some kinds of traffic go one way only. */
static void make_messages(GRand *rand, struct cluster *cluster)
{
	double fastest = pow(10, g_rand_double_range(rand, 2, 5.5));
	guint n = (guint)g_rand_int_range(rand, 4, 3000);

	cluster->messages = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_message));
	for (guint i = 0; i < n; i++) {
		guint a = (guint)g_rand_int_range(rand, 0, (gint32)cluster->n);
		guint b = (guint)g_rand_int_range(rand, 0, (gint32)cluster->n);
		double t = g_rand_double_range(rand, 0, cluster->length);
		double way = fastest * (1 - log(1 - g_rand_double(rand)) * 2);
		struct iot_clock_message message = {
			a, b, (guint64)floor(clock_at(&cluster->machine[a], t)),
			(guint64)floor(clock_at(&cluster->machine[b], t + way))
		};

		if (a != b && t + way < cluster->length)
			g_array_append_val(cluster->messages, message);
	}
}

static void make_cluster(GRand *rand, struct cluster *cluster, double bend)
{
	cluster->n = (guint)g_rand_int_range(rand, 2, MAX_N + 1);
	cluster->length = SECOND * pow(10, g_rand_double_range(rand, -1, 2.8));
	for (guint i = 0; i < cluster->n; i++) {
		struct machine *m = &cluster->machine[i];

		make_machine(rand, cluster, bend, m);
		cluster->recorded[i] = (struct iot_recover_machine){
			(guint64)clock_at(m, 0), (guint64)clock_at(m, cluster->length), 1, FALSE
		};
	}
	make_messages(rand, cluster);
}

/* ---- results */

struct result {
	guint n_bounded, n_wrong;
	double ratio; /* of the bound and the greatest error; of the last clock */
};

/* As the program corrects and judges times. */
static void check_clock(const struct cluster *cluster, const struct iot_recovered *recovered,
			guint number, struct result *result)
{
	const struct iot_clock_change *change = &recovered->changes[number];
	const struct machine *m = &cluster->machine[number],
			     *ref = &cluster->machine[recovered->reference];
	struct iot_clock clock = { 0 };
	struct iot_clock_facts facts;
	double worst = 0, widest = 0;

	if (change->is_reference || !change->knots)
		return;
	iot_clock_change_apply(change, &clock);
	iot_clock_judge(&clock, "local", &IOT_CLOCK_ASSUMED, 0, 0, &facts);
	for (guint i = 0; i <= 200; i++) {
		double t = cluster->length * i / 200, truth = clock_at(ref, t);
		guint64 ns = iot_clock_correct(&clock, 0, (guint64)floor(clock_at(m, t)));
		double bound = (double)iot_clock_facts_bound(&facts, ns);
		double error = fabs((double)ns - truth -
				    (double)recovered->changes[recovered->reference].shift_ns);

		/* the test's own arithmetic has 53 bits */
		result->n_wrong += error > bound + 0.1;
		worst = MAX(worst, error);
		widest = MAX(widest, bound);
	}
	result->n_bounded++;
	result->ratio = widest / MAX(worst, 1);
	iot_clock_facts_clear(&facts);
	iot_clock_clear(&clock);
}

static gint compare_doubles(gconstpointer a, gconstpointer b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Returns the median ratio of bound and greatest error. */
static double check_clusters(guint32 seed, double bend, struct iot_clock_assumed assumed)
{
	g_autoptr(GArray) ratios = g_array_new(FALSE, FALSE, sizeof(double));
	GRand *rand = g_rand_new_with_seed(seed);
	struct result result = { 0 };
	guint n_wrong_grade = 0;

	for (guint round = 0; round < n_clusters(); round++) {
		struct cluster cluster;
		struct iot_recovered *recovered;

		make_cluster(rand, &cluster, bend);
		recovered = iot_clock_recover(&(struct iot_recover_config){
			cluster.recorded, cluster.n, cluster.messages, assumed });
		for (guint i = 0; i < cluster.n; i++) {
			guint before = result.n_bounded;

			check_clock(&cluster, recovered, i, &result);
			if (result.n_bounded > before)
				g_array_append_val(ratios, result.ratio);
		}
		for (guint i = 0; i < recovered->pairs->len; i++) {
			const struct iot_recovered_pair *pair =
				&g_array_index(recovered->pairs, struct iot_recovered_pair, i);

			n_wrong_grade += pair->grade == IOT_CLOCK_CONTRADICTED ||
					 (bend == 0 && pair->n_wrong);
		}
		iot_recovered_free(recovered);
		g_array_unref(cluster.messages);
	}
	g_rand_free(rand);
	CU_ASSERT_EQUAL(result.n_wrong, 0);
	CU_ASSERT_EQUAL(n_wrong_grade, 0);
	CU_ASSERT(result.n_bounded > n_clusters());
	g_array_sort(ratios, compare_doubles);
	return ratios->len ? g_array_index(ratios, double, ratios->len / 2) : 0;
}

UNIT_TEST(recover_constant_rates)
{
	struct iot_clock_assumed constant = { 100000, 0, 200000 };

	printf("constant rate, bound / greatest error: median %.1f\n",
	       check_clusters(1, 0, constant));
}

UNIT_TEST(recover_constant_rates_that_might_change)
{
	printf("constant rate that might change: median %.1f\n",
	       check_clusters(2, 0, IOT_CLOCK_ASSUMED));
}

UNIT_TEST(recover_changing_rates)
{
	/* two clocks that change by 5 ppm each differ by 10 */
	printf("changing rate: median %.1f\n", check_clusters(3, 5e-6, IOT_CLOCK_ASSUMED));
}
