/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/clock.h"
#include "input/bytes.h"

#include <string.h>

#define WIDE_LIMIT ((__int128)1 << 64)

static gint compare_time(gconstpointer a, gconstpointer b, gpointer unused)
{
	const struct iot_clock_sample *x = a, *y = b;

	(void)unused;
	return x->time < y->time ? -1 : x->time > y->time;
}

static void sort_samples(struct iot_clock_cpu *cpu)
{
	guint n = 0;

	/* the sort is stable: the first sample of equal times stays */
	g_qsort_with_data(cpu->sample, (gint)cpu->n, sizeof(*cpu->sample), compare_time, NULL);
	for (guint i = 0; i < cpu->n; i++)
		if (!n || cpu->sample[n - 1].time != cpu->sample[i].time)
			cpu->sample[n++] = cpu->sample[i];
	cpu->n = n;
}

static gboolean parse_cpu(struct iot_clock_cpu *cpu, struct iot_bytes *b)
{
	guint32 n = iot_bytes_u32(b);

	if (b->bad || n > iot_bytes_left(b) / 24)
		return FALSE;
	cpu->n = n;
	cpu->sample = g_new0(struct iot_clock_sample, n);
	for (guint32 i = 0; i < n; i++)
		cpu->sample[i].time = (gint64)iot_bytes_u64(b);
	for (guint32 i = 0; i < n; i++)
		cpu->sample[i].offset = (gint64)iot_bytes_u64(b);
	for (guint32 i = 0; i < n; i++)
		cpu->sample[i].scaling = (gint64)iot_bytes_u64(b);
	return TRUE;
}

/* Older writers end here; newer ones add the fraction bits of all samples. */
static gboolean parse_fractions(struct iot_clock *clock, struct iot_bytes *b)
{
	if (!iot_bytes_left(b))
		return TRUE;
	for (guint c = 0; c < clock->n_cpus; c++)
		for (guint i = 0; i < clock->cpu[c].n; i++)
			clock->cpu[c].sample[i].fraction = (gint64)iot_bytes_u64(b);
	return !b->bad && !iot_bytes_left(b);
}

static gboolean check_samples(const struct iot_clock_cpu *cpu)
{
	for (guint i = 0; i < cpu->n; i++) {
		const struct iot_clock_sample *sample = &cpu->sample[i];

		if (sample->scaling <= 0 || sample->fraction < 0 || sample->fraction > 63)
			return FALSE;
	}
	return TRUE;
}

static gboolean parse(struct iot_clock *clock, struct iot_bytes *b)
{
	guint32 n_cpus;

	clock->peer = iot_bytes_u64(b);
	clock->interpolate = iot_bytes_u32(b) & 1;
	n_cpus = iot_bytes_u32(b);
	if (b->bad || n_cpus > iot_bytes_left(b) / 4)
		return FALSE;
	clock->cpu = g_new0(struct iot_clock_cpu, n_cpus);
	clock->n_cpus = n_cpus;
	for (guint c = 0; c < n_cpus; c++)
		if (!parse_cpu(&clock->cpu[c], b))
			return FALSE;
	if (!parse_fractions(clock, b))
		return FALSE;
	for (guint c = 0; c < n_cpus; c++) {
		if (!check_samples(&clock->cpu[c]))
			return FALSE;
		sort_samples(&clock->cpu[c]);
	}
	return TRUE;
}

static guint cpu_with_most_samples(const struct iot_clock *clock)
{
	guint best = 0;

	for (guint c = 1; c < clock->n_cpus; c++)
		if (clock->cpu[c].n > clock->cpu[best].n)
			best = c;
	return best;
}

static void free_cpus(struct iot_clock *clock)
{
	for (guint c = 0; c < clock->n_cpus; c++)
		g_free(clock->cpu[c].sample);
	g_clear_pointer(&clock->cpu, g_free);
	clock->n_cpus = 0;
}

gboolean iot_clock_parse_shift(struct iot_clock *clock, const guint8 *data, gsize len,
			       gboolean big_endian)
{
	struct iot_clock parsed = { 0 };
	struct iot_bytes b;

	iot_bytes_init(&b, data, len, big_endian);
	if (!parse(&parsed, &b)) {
		free_cpus(&parsed);
		return FALSE;
	}
	free_cpus(clock);
	clock->present = TRUE;
	clock->peer = parsed.peer;
	clock->interpolate = parsed.interpolate;
	clock->n_cpus = parsed.n_cpus;
	clock->cpu = parsed.cpu;
	clock->common = cpu_with_most_samples(clock);
	return TRUE;
}

void iot_clock_clear(struct iot_clock *clock)
{
	free_cpus(clock);
	g_clear_pointer(&clock->knots, g_array_unref);
	memset(clock, 0, sizeof(*clock));
}

const struct iot_clock_cpu *iot_clock_samples(const struct iot_clock *clock, guint cpu)
{
	if (clock->interpolate)
		cpu = clock->common;
	if (!clock->present || cpu >= clock->n_cpus || !clock->cpu[cpu].n)
		return NULL;
	return &clock->cpu[cpu];
}

/* Index of the sample whose formula is valid at @raw. */
static guint find_segment(const struct iot_clock *clock, const struct iot_clock_cpu *cpu,
			  __int128 raw)
{
	guint low = 0, high = cpu->n;

	/* low: the last sample at or before raw, or the first */
	while (high - low > 1) {
		guint mid = low + (high - low) / 2;

		if (cpu->sample[mid].time <= raw)
			low = mid;
		else
			high = mid;
	}
	/* a line needs two ends: later times use the line of the last two samples */
	if (clock->interpolate && low == cpu->n - 1 && low > 0)
		low--;
	return low;
}

static __int128 interpolated(const struct iot_clock_sample *s, __int128 raw)
{
	__int128 d = (__int128)s[1].time - s[0].time;
	__int128 rise = (__int128)s[1].offset - s[0].offset;
	__int128 run = raw - s[0].time;

	/* only absurd samples need more than 127 bits; no line is drawn through these */
	if (__builtin_mul_overflow(run, rise, &rise) || __builtin_add_overflow(rise, d / 2, &rise))
		return s[0].offset;
	return CLAMP(s[0].offset + rise / d, -WIDE_LIMIT, WIDE_LIMIT);
}

/*
 * KVM makes the guest's clock of the host's: guest = host * ratio + tsc_offset. A sample holds the
 * ratio and -tsc_offset, so host = (guest + offset) / ratio. (libtracecmd multiplies.)
 */
static __int128 unscaled(const struct iot_clock_sample *s, guint64 raw)
{
	const __int128 limit = (__int128)1 << 63;
	__int128 t = (__int128)raw + s->offset;

	if (iot_clock_sample_unscaled(s))
		return t;
	/* at most 63 fraction bits: the product fits */
	return CLAMP(t, -limit, limit) * ((__int128)1 << s->fraction) / s->scaling;
}

static __int128 host_time(const struct iot_clock *clock, const struct iot_clock_cpu *cpu,
			  guint64 raw)
{
	const struct iot_clock_sample *s = &cpu->sample[find_segment(clock, cpu, raw)];

	if (clock->interpolate && cpu->n > 1)
		return (__int128)raw + interpolated(s, raw);
	return unscaled(s, raw);
}

/* The steps after host synchronisation: cycles to ns, and the offsets of the file. */
static guint64 finish(const struct iot_clock *clock, __int128 t)
{
	t = CLAMP(t, -WIDE_LIMIT, WIDE_LIMIT);
	if (clock->tsc_mult)
		t = (t * clock->tsc_mult) >> clock->tsc_shift;
	t += clock->offset_ns;
	return (guint64)CLAMP(t, (__int128)0, (__int128)G_MAXINT64);
}

guint64 iot_clock_correct(const struct iot_clock *clock, guint cpu, guint64 raw)
{
	const struct iot_clock_cpu *samples = iot_clock_samples(clock, cpu);

	return finish(clock, samples ? host_time(clock, samples, raw) : (__int128)raw);
}

void iot_clock_cursor_init(struct iot_clock_cursor *cursor, const struct iot_clock *clock,
			   guint cpu)
{
	*cursor = (struct iot_clock_cursor){ .clock = clock, .cpu = cpu, .from = 1, .to = 0 };
	cursor->mult = clock->tsc_mult ? clock->tsc_mult : 1;
	cursor->shift = clock->tsc_mult ? clock->tsc_shift : 0;
	cursor->offset_ns = clock->offset_ns;
}

static gboolean segment_adds_only(const struct iot_clock *clock, const struct iot_clock_cpu *cpu,
				  guint i)
{
	const struct iot_clock_sample *s = &cpu->sample[i];

	if (clock->interpolate && cpu->n > 1)
		return s[0].offset == s[1].offset;
	return iot_clock_sample_unscaled(s);
}

static guint64 clamp_raw(gint64 time)
{
	return (guint64)MAX(time, 0);
}

/* Cache the segment that is valid at @raw. */
static void load_segment(struct iot_clock_cursor *cursor, guint64 raw)
{
	const struct iot_clock *clock = cursor->clock;
	const struct iot_clock_cpu *cpu = iot_clock_samples(clock, cursor->cpu);
	guint i, last;

	cursor->from = 0;
	cursor->to = G_MAXUINT64;
	cursor->add = 0;
	cursor->add_only = TRUE;
	if (!cpu)
		return;
	i = find_segment(clock, cpu, raw);
	last = clock->interpolate && cpu->n > 1 ? cpu->n - 2 : cpu->n - 1;
	cursor->add = cpu->sample[i].offset;
	cursor->add_only = segment_adds_only(clock, cpu, i);
	if (i > 0)
		cursor->from = clamp_raw(cpu->sample[i].time);
	/* raw is below the next sample's time, so that one is above 0 */
	if (i < last)
		cursor->to = clamp_raw(cpu->sample[i + 1].time) - 1;
}

/*
 * The part of the cached segment in which raw + add is not negative and gives less than 2^62 ns.
 * There the sum with any 64-bit offset cannot overflow into the range of valid times.
 */
static void quick_range(struct iot_clock_cursor *cursor)
{
	const __int128 limit = (__int128)1 << 62;
	__int128 most = MIN((limit << cursor->shift) / cursor->mult, limit);
	__int128 from = MAX((__int128)cursor->from, -(__int128)cursor->add);
	__int128 to = MIN((__int128)cursor->to + 1, most - cursor->add);

	cursor->quick_from = 0;
	cursor->quick_n = 0;
	if (!cursor->add_only || from >= to)
		return;
	cursor->quick_from = (guint64)from;
	cursor->quick_n = (guint64)(to - from);
}

guint64 iot_clock_cursor_slow(struct iot_clock_cursor *cursor, guint64 raw)
{
	if (iot_slow_only())
		return iot_clock_correct(cursor->clock, cursor->cpu, raw);
	/* fast path: the segment of the time before */
	if (raw < cursor->from || raw > cursor->to) {
		load_segment(cursor, raw);
		quick_range(cursor);
	}
	if (cursor->add_only)
		return finish(cursor->clock, (__int128)raw + cursor->add);
	return iot_clock_correct(cursor->clock, cursor->cpu, raw);
}

const char *iot_clock_protocol(const struct iot_clock *clock)
{
	if (clock->method)
		return clock->method;
	if (!clock->present)
		return "none";
	return clock->interpolate ? "ptp" : "kvm";
}

gboolean iot_clock_is_stated(const struct iot_clock *clock)
{
	return clock->method && strcmp(clock->method, "none") != 0;
}
