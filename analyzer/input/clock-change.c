/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/clock-change.h"

void iot_clock_change_clear(struct iot_clock_change *change)
{
	g_clear_pointer(&change->pairs, g_array_unref);
	g_clear_pointer(&change->knots, g_array_unref);
	g_clear_pointer(&change->ranks, g_array_unref);
}

void iot_clock_change_copy(struct iot_clock_change *to, const struct iot_clock_change *from)
{
	*to = *from;
	to->pairs = from->pairs ? g_array_ref(from->pairs) : NULL;
	to->knots = from->knots ? g_array_ref(from->knots) : NULL;
	to->ranks = from->ranks ? g_array_ref(from->ranks) : NULL;
}

gboolean iot_clock_change_is_none(const struct iot_clock_change *change)
{
	return !change ||
	       (!change->pairs && !change->is_reference && !change->shift_ns && !change->method);
}

/* The raw time that becomes @ns without samples. */
static gint64 raw_time(const struct iot_clock *clock, guint64 ns)
{
	__int128 raw = ns;

	if (clock->tsc_mult)
		raw = (raw << clock->tsc_shift) / clock->tsc_mult;
	return (gint64)MIN(raw, (__int128)G_MAXINT64);
}

static void set_samples(struct iot_clock *clock, const GArray *pairs)
{
	struct iot_clock_cpu *cpu = g_new0(struct iot_clock_cpu, 1);

	cpu->n = pairs->len;
	cpu->sample = g_new0(struct iot_clock_sample, pairs->len);
	for (guint i = 0; i < pairs->len; i++) {
		const struct iot_clock_pair *pair = &g_array_index(pairs, struct iot_clock_pair, i);
		gint64 machine = raw_time(clock, pair->machine_ns);

		cpu->sample[i] = (struct iot_clock_sample){
			.time = machine,
			.offset = raw_time(clock, pair->reference_ns) - machine,
			.scaling = 1,
		};
		clock->sample_error_ns = MAX(clock->sample_error_ns, pair->error_ns);
	}
	clock->cpu = cpu;
	clock->n_cpus = 1;
	clock->present = clock->interpolate = TRUE;
}

void iot_clock_change_apply(const struct iot_clock_change *change, struct iot_clock *clock)
{
	if (iot_clock_change_is_none(change))
		return;
	if (change->pairs || change->is_reference || change->method) {
		/* the pairs are of the clock as it was recorded */
		struct iot_clock bare = { .tsc_mult = clock->tsc_mult,
					  .tsc_shift = clock->tsc_shift,
					  .method = change->method ? change->method : "file" };

		iot_clock_clear(clock);
		*clock = bare;
	}
	if (change->pairs)
		set_samples(clock, change->pairs);
	clock->knots = change->knots ? g_array_ref(change->knots) : NULL;
	clock->shift_ns = change->shift_ns;
	clock->offset_ns = (gint64)CLAMP((__int128)clock->offset_ns + change->shift_ns,
					 (__int128)G_MININT64, (__int128)G_MAXINT64);
}
