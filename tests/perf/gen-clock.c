// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Guest clocks. The samples in the file define the truth: an event gets the raw stamp nearest to
 * its simulated time, and its true time is this stamp, converted by the published formula.
 */
#include "gen.h"

/* a 2.3 GHz time stamp counter */
enum { TSC_MULT = 933696661, TSC_SHIFT = 31 };

static gint64 to_raw_units(const struct gen_clock *clock, gint64 ns)
{
	if (!clock->mult)
		return ns;
	return (__int128)ns * (G_GINT64_CONSTANT(1) << clock->shift) / clock->mult;
}

void gen_clock_init(struct gen_clock *clock, struct gen *gen, gint64 offset_ns, gboolean is_host)
{
	const struct gen_opts *o = &gen->opts;
	gint64 interval, t, offset;

	if (o->tsc2nsec) {
		clock->mult = TSC_MULT;
		clock->shift = TSC_SHIFT;
	}
	if (is_host)
		return;
	clock->n = o->samples;
	clock->interpolate = o->ptp;
	clock->error = o->ptp ? to_raw_units(clock, o->sample_error_ns) : 0;
	clock->time = g_new(gint64, clock->n);
	clock->offset = g_new(gint64, clock->n);
	interval = to_raw_units(clock, (gint64)o->sample_ms * 1000000);
	offset = to_raw_units(clock, offset_ns);
	/* the first sample is taken some time after the first event, as the line must hold before
	 * it as well */
	t = to_raw_units(clock, GEN_BASE_NS + 10 * 1000 * 1000) - offset;
	for (int i = 0; i < clock->n; i++) {
		clock->time[i] = t;
		clock->offset[i] = offset;
		t += interval;
		/* drift differs between the samples, so that a wrong pair of samples shows */
		if (o->ptp)
			offset += (gint64)(interval * o->drift_ppm / 1e6 *
					   (50 + gen_below(gen, 101)) / 100);
	}
}

void gen_clock_cut(struct gen_clock *clock, guint64 end)
{
	while (clock->n > 1 && gen_clock_true(clock, clock->time[clock->n - 1]) >= end)
		clock->n--;
}

void gen_clock_measure(struct gen_clock *clock, struct gen *gen, const struct gen_node *node,
		       int cpu)
{
	const struct gen_opts *o = &gen->opts;

	clock->interpolate = TRUE;
	clock->time = g_new0(gint64, o->samples);
	clock->offset = g_new0(gint64, o->samples);
	/* at regular intervals, the CPUs one after the other */
	for (int i = 0; i < o->samples; i++) {
		guint64 t = GEN_BASE_NS + ((guint64)o->sample_ms * i + cpu + 1) * 1000000;

		if (t >= node->begins && t < node->ends) {
			gen_drift_sample(gen, node->drift, t, &clock->time[clock->n],
					 &clock->offset[clock->n]);
			clock->n++;
		}
	}
}

void gen_clock_copy(struct gen_clock *clock, const struct gen_clock *of)
{
	*clock = *of;
	clock->time = g_memdup2(of->time, of->n * sizeof(*of->time));
	clock->offset = g_memdup2(of->offset, of->n * sizeof(*of->offset));
}

/* The first CPU is measured without error, the others by turns too early and too late. */
gint64 gen_clock_error(const struct gen_clock *clock, int cpu)
{
	return clock->error * (cpu % 2 ? cpu : -cpu);
}

static gint64 correction(const struct gen_clock *clock, guint64 raw)
{
	int i = 0, n = clock->n;
	gint64 d, rise;

	if (!n)
		return 0;
	if (n == 1 || !clock->interpolate)
		return clock->offset[0];
	while (i < n - 2 && (gint64)raw >= clock->time[i + 1])
		i++;
	d = clock->time[i + 1] - clock->time[i];
	rise = clock->offset[i + 1] - clock->offset[i];
	return clock->offset[i] +
	       (gint64)((((__int128)((gint64)raw - clock->time[i])) * rise + d / 2) / d);
}

guint64 gen_clock_true(const struct gen_clock *clock, guint64 raw)
{
	guint64 host = raw + correction(clock, raw);

	return clock->mult ? (guint64)(((unsigned __int128)host * clock->mult) >> clock->shift)
			   : host;
}

guint64 gen_clock_raw(const struct gen_clock *clock, guint64 true_ns)
{
	guint64 host = to_raw_units(clock, true_ns), raw;

	raw = host - (clock->n ? clock->offset[0] : 0);
	if (!clock->interpolate)
		return raw;
	/* drift is small, so this converges at once */
	for (int i = 0; i < 3; i++)
		raw = host - correction(clock, raw);
	return raw;
}
