/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/clock-judge.h"

#include <string.h>

#define PPB 1000000000

struct judge {
	const struct iot_clock *clock;
	/* raw times count cycles: two processors may differ in frequency by any factor */
	gboolean cycles;
	struct iot_clock_assumed assumed; /* widened where the samples contradict it */
	guint64 begin_ns, end_ns;
	struct iot_clock_facts *facts;
};

static guint64 magnitude(__int128 value)
{
	__int128 size = value < 0 ? -value : value;

	return size > G_MAXINT64 ? G_MAXINT64 : (guint64)size;
}

/* a * ppb / 10^9, rounded up */
static guint64 share(guint64 ns, guint64 ppb)
{
	return magnitude(((__int128)ns * ppb + PPB - 1) / PPB);
}

static guint64 resolution(const char *name)
{
	/* a tick of HZ = 100, the slowest in use */
	if (!g_strcmp0(name, "jiffies") || !g_strcmp0(name, "uptime"))
		return 10000000;
	return 1;
}

/* A difference of raw host times in ns. */
static __int128 host_ns(const struct iot_clock *clock, __int128 raw)
{
	return clock->tsc_mult ? raw * clock->tsc_mult / ((__int128)1 << clock->tsc_shift) : raw;
}

static guint64 sample_ns(const struct iot_clock *clock, guint cpu,
			 const struct iot_clock_sample *sample)
{
	return iot_clock_correct(clock, cpu, (guint64)MAX(sample->time, 0));
}

/* ---- PTP: one line between each two samples */

/* Rate of the offset between two samples, in ppb. */
static gint64 slope(const struct iot_clock_sample *s)
{
	__int128 rise = ((__int128)s[1].offset - s[0].offset) * PPB;
	__int128 ppb = rise / ((__int128)s[1].time - s[0].time);

	return (gint64)CLAMP(ppb, -(__int128)G_MAXINT64, (__int128)G_MAXINT64);
}

static guint64 segment_ns(const struct judge *judge, const struct iot_clock_sample *s)
{
	return magnitude(host_ns(judge->clock, (__int128)s[1].time - s[0].time)) + 1;
}

/* How much the slope of a segment may be wrong because its two samples are, in ppb. */
static guint64 slope_error(const struct judge *judge, const struct iot_clock_sample *s)
{
	return magnitude((__int128)2 * judge->assumed.ptp_ns * PPB / segment_ns(judge, s) + 1);
}

static void widen_rate(struct judge *judge, const struct iot_clock_cpu *samples)
{
	struct iot_clock_facts *facts = judge->facts;
	/* of the slopes: as measured, and their bounds */
	gint64 most = G_MININT64, least = G_MAXINT64;
	__int128 surely_most = G_MININT64, surely_least = G_MAXINT64;

	for (guint i = 0; i + 1 < samples->n; i++) {
		const struct iot_clock_sample *s = &samples->sample[i];
		guint64 error = slope_error(judge, s);

		if (!judge->cycles && magnitude(slope(s)) > judge->assumed.drift_ppb + error)
			facts->drift_impossible = TRUE;
		most = MAX(most, slope(s));
		least = MIN(least, slope(s));
		surely_most = MAX(surely_most, (__int128)slope(s) - error);
		surely_least = MIN(surely_least, (__int128)slope(s) + error);
	}
	facts->change_ppb = samples->n > 2 ? magnitude((__int128)most - least) : 0;
	facts->rate_widened = surely_most - surely_least > (__int128)judge->assumed.rate_ppb;
	if (facts->rate_widened)
		judge->assumed.rate_ppb = facts->change_ppb;
}

/* Before the first and after the last sample the line of the nearest two is extended. */
static guint64 beyond(const struct judge *judge, guint64 away_ns, guint64 segment)
{
	guint64 error = judge->assumed.ptp_ns;

	return judge->facts->resolution_ns + error +
	       magnitude((__int128)2 * error * away_ns / segment + 1) +
	       share(away_ns, judge->assumed.rate_ppb);
}

/*
 * Within a segment of length d the offset leaves the line by at most rate * x * (d - x) / d, where
 * rate is the greatest difference of two rates. The knots are its tangents and its maximum.
 */
static void bound_of_segment(struct judge *judge, guint64 from, guint64 to)
{
	guint64 error = judge->assumed.ptp_ns + judge->facts->resolution_ns;
	guint64 quarter = (to - from) / 4;
	guint64 most = error + share((to - from) / 4 + 1, judge->assumed.rate_ppb);

	iot_clock_facts_knot(judge->facts, from, error);
	if (quarter) {
		iot_clock_facts_knot(judge->facts, from + quarter, most);
		iot_clock_facts_knot(judge->facts, to - quarter, most);
	}
	iot_clock_facts_knot(judge->facts, to, error);
}

static void bound_of_lines(struct judge *judge, const struct iot_clock_cpu *samples)
{
	struct iot_clock_facts *facts = judge->facts;
	guint cpu = judge->clock->common;
	const struct iot_clock_sample *s = samples->sample;

	if (judge->begin_ns < facts->first_ns)
		iot_clock_facts_knot(
			facts, judge->begin_ns,
			beyond(judge, facts->first_ns - judge->begin_ns, segment_ns(judge, s)));
	for (guint i = 0; i + 1 < samples->n; i++) {
		guint64 from = sample_ns(judge->clock, cpu, &s[i]);

		bound_of_segment(judge, from, MAX(sample_ns(judge->clock, cpu, &s[i + 1]), from));
	}
	if (judge->end_ns > facts->last_ns)
		iot_clock_facts_knot(facts, judge->end_ns,
				     beyond(judge, judge->end_ns - facts->last_ns,
					    segment_ns(judge, &s[samples->n - 2])));
}

static void bound_of_one(struct judge *judge)
{
	struct iot_clock_facts *facts = judge->facts;
	guint64 error = judge->assumed.ptp_ns + facts->resolution_ns;
	guint64 drift = judge->assumed.drift_ppb;

	if (judge->begin_ns < facts->first_ns)
		iot_clock_facts_knot(facts, judge->begin_ns,
				     error + share(facts->first_ns - judge->begin_ns, drift));
	iot_clock_facts_knot(facts, facts->first_ns, error);
	if (judge->end_ns > facts->first_ns)
		iot_clock_facts_knot(facts, judge->end_ns,
				     error + share(judge->end_ns - facts->first_ns, drift));
}

static void bound_of_samples(struct judge *judge)
{
	const struct iot_clock_cpu *samples = iot_clock_samples(judge->clock, judge->clock->common);

	iot_clock_facts_clear(judge->facts);
	if (samples->n > 1)
		bound_of_lines(judge, samples);
	else
		bound_of_one(judge);
}

/*
 * How far the samples of @cpu lie from the correction that is used (residual_ns), and beyond its
 * bound and their own error (the result).
 */
static guint64 excess(struct judge *judge, guint cpu)
{
	const struct iot_clock *clock = judge->clock;
	guint64 most = 0;

	for (guint i = 0; i < clock->cpu[cpu].n; i++) {
		const struct iot_clock_sample *s = &clock->cpu[cpu].sample[i];
		guint64 at = sample_ns(clock, cpu, s), distance, allowed;

		if (s->time <= 0)
			continue;
		distance = magnitude((__int128)at - clock->offset_ns -
				     host_ns(clock, (__int128)s->time + s->offset));
		allowed = iot_clock_facts_bound(judge->facts, at) + judge->assumed.ptp_ns;
		judge->facts->residual_ns = MAX(judge->facts->residual_ns, distance);
		most = MAX(most, distance > allowed ? distance - allowed : 0);
	}
	return most;
}

static void judge_lines(struct judge *judge)
{
	const struct iot_clock *clock = judge->clock;
	const struct iot_clock_cpu *samples = iot_clock_samples(clock, clock->common);
	struct iot_clock_facts *facts = judge->facts;
	guint64 most = 0;

	widen_rate(judge, samples);
	if (samples->n > 1) {
		const struct iot_clock_sample ends[] = { samples->sample[0],
							 samples->sample[samples->n - 1] };

		facts->drift_ppb = slope(ends);
	}
	bound_of_samples(judge);
	for (guint cpu = 0; cpu < clock->n_cpus; cpu++)
		most = MAX(most, excess(judge, cpu));
	facts->spread_ns = facts->residual_ns;
	facts->error_widened = most > 0;
	if (most) {
		judge->assumed.ptp_ns += most;
		bound_of_samples(judge);
	}
	/* the bound counts on clocks that work; one sample gives no frequency */
	if (facts->drift_impossible || (judge->cycles && samples->n == 1))
		iot_clock_facts_clear(facts);
}

/* ---- KVM: exact offsets, which hold until they change */

/* Offsets of two samples, or of two CPUs, as times of the host; scaled or not, at a raw time. */
static guint64 offset_step(const struct iot_clock *clock, const struct iot_clock_sample *a,
			   const struct iot_clock_sample *b)
{
	__int128 step = (__int128)b->offset - a->offset;

	if (!iot_clock_sample_unscaled(b))
		step = step * ((__int128)1 << MIN(b->fraction, 62)) / b->scaling;
	return magnitude(host_ns(clock, step));
}

/* Two samples with different offsets: between them nobody knows which one is valid. */
struct step {
	guint64 from, to, size;
};

static gint by_from(gconstpointer a, gconstpointer b)
{
	const struct step *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

static GArray *find_steps(const struct iot_clock *clock)
{
	GArray *steps = g_array_new(FALSE, FALSE, sizeof(struct step));

	for (guint cpu = 0; cpu < clock->n_cpus; cpu++)
		for (guint i = 0; i + 1 < clock->cpu[cpu].n; i++) {
			const struct iot_clock_sample *s = &clock->cpu[cpu].sample[i];
			guint64 a = sample_ns(clock, cpu, &s[0]), b = sample_ns(clock, cpu, &s[1]);
			struct step step = { MIN(a, b), MAX(a, b), offset_step(clock, s, s + 1) };

			if (step.size)
				g_array_append_val(steps, step);
		}
	g_array_sort(steps, by_from);
	return steps;
}

/* Steps that overlap, as those of the CPUs of one machine do, become one of the greatest size. */
static void bound_of_steps(struct judge *judge)
{
	struct iot_clock_facts *facts = judge->facts;
	g_autoptr(GArray) steps = find_steps(judge->clock);

	iot_clock_facts_knot(facts, 0, facts->resolution_ns);
	for (guint i = 0; i < steps->len;) {
		struct step all = g_array_index(steps, struct step, i);

		for (i++; i < steps->len; i++) {
			const struct step *next = &g_array_index(steps, struct step, i);

			if (next->from > all.to + 1)
				break;
			all.to = MAX(all.to, next->to);
			all.size = MAX(all.size, next->size);
		}
		iot_clock_facts_knot(facts, MAX(all.from, 1) - 1, facts->resolution_ns);
		iot_clock_facts_knot(facts, all.from, facts->resolution_ns + all.size);
		iot_clock_facts_knot(facts, all.to, facts->resolution_ns + all.size);
		iot_clock_facts_knot(facts, all.to + 1, facts->resolution_ns);
	}
}

static void judge_steps(struct judge *judge)
{
	const struct iot_clock *clock = judge->clock;
	const struct iot_clock_sample *first = NULL;

	for (guint cpu = 0; cpu < clock->n_cpus; cpu++) {
		const struct iot_clock_cpu *samples = &clock->cpu[cpu];

		for (guint i = 0; i < samples->n; i++)
			judge->facts->scaled |= !iot_clock_sample_unscaled(&samples->sample[i]);
		for (guint i = 0; i + 1 < samples->n; i++)
			judge->facts->residual_ns = MAX(
				judge->facts->residual_ns,
				offset_step(clock, &samples->sample[i], &samples->sample[i + 1]));
		if (!samples->n)
			continue;
		if (first)
			judge->facts->spread_ns = MAX(judge->facts->spread_ns,
						      offset_step(clock, first, samples->sample));
		else
			first = samples->sample;
	}
	bound_of_steps(judge);
}

static void find_samples(struct judge *judge)
{
	const struct iot_clock *clock = judge->clock;
	struct iot_clock_facts *facts = judge->facts;

	for (guint cpu = 0; cpu < clock->n_cpus; cpu++) {
		const struct iot_clock_cpu *samples = &clock->cpu[cpu];

		if (!samples->n || (clock->interpolate && cpu != clock->common))
			continue;
		if (!facts->n_samples)
			facts->first_ns = G_MAXUINT64;
		facts->n_samples = MAX(facts->n_samples, samples->n);
		facts->first_ns = MIN(facts->first_ns, sample_ns(clock, cpu, &samples->sample[0]));
		facts->last_ns = MAX(facts->last_ns,
				     sample_ns(clock, cpu, &samples->sample[samples->n - 1]));
	}
}

/* ---- recovered from messages: the bound is stated */

static void take_stated(struct judge *judge)
{
	const struct iot_clock *clock = judge->clock;
	const struct iot_clock_cpu *samples = iot_clock_samples(clock, 0);
	const struct iot_clock_sample ends[] = { samples->sample[0],
						 samples->sample[samples->n - 1] };

	judge->facts->recovered = TRUE;
	judge->facts->drift_ppb = slope(ends);
	for (guint i = 0; i + 1 < samples->n; i++)
		judge->facts->change_ppb =
			MAX(judge->facts->change_ppb,
			    magnitude((__int128)slope(&samples->sample[i]) - slope(ends)));
	for (guint i = 0; clock->knots && i < clock->knots->len; i++) {
		const struct iot_clock_knot *knot =
			&g_array_index(clock->knots, struct iot_clock_knot, i);
		__int128 ns = (__int128)knot->ns + clock->shift_ns;

		iot_clock_facts_knot(judge->facts, (guint64)CLAMP(ns, 0, (__int128)G_MAXINT64),
				     knot->bound_ns);
	}
}

/* ---- */

void iot_clock_judge(const struct iot_clock *clock, const char *name,
		     const struct iot_clock_assumed *assumed, guint64 begin_ns, guint64 end_ns,
		     struct iot_clock_facts *out)
{
	struct judge judge = {
		.clock = clock,
		.cycles = clock->tsc_mult || !g_strcmp0(name, "x86-tsc"),
		.assumed = *assumed,
		.begin_ns = begin_ns,
		.end_ns = end_ns,
		.facts = out,
	};

	if (clock->sample_error_ns)
		judge.assumed.ptp_ns = clock->sample_error_ns;
	*out = (struct iot_clock_facts){ .resolution_ns = resolution(name),
					 .cycles = judge.cycles };
	/* DATE is cut to microseconds; the sum does not show whether there is one */
	if (clock->offset_ns != clock->shift_ns)
		out->resolution_ns = MAX(out->resolution_ns, 1000);
	if (!g_strcmp0(clock->method, "protocol") && clock->present) {
		take_stated(&judge);
		return;
	}
	if (clock->present)
		find_samples(&judge);
	if (!out->n_samples)
		iot_clock_facts_knot(out, 0, out->resolution_ns);
	else if (clock->interpolate)
		judge_lines(&judge);
	else
		judge_steps(&judge);
}

void iot_clock_judge_stated(const struct iot_clock *clock, const char *name,
			    const struct iot_clock_assumed *assumed, guint64 begin_ns,
			    guint64 end_ns, struct iot_clock_facts *out)
{
	*out = (struct iot_clock_facts){ 0 };
	if (clock->method)
		iot_clock_judge(clock, name, assumed, begin_ns, end_ns, out);
}
