/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expected values were computed with integers of unlimited size, not by the code under test. */
#include "input/clock-change.h"
#include "unit.h"

#include <string.h>

struct option {
	GByteArray *bytes;
	gboolean big_endian;
};

static void put32(struct option *o, guint32 v)
{
	v = o->big_endian ? GUINT32_TO_BE(v) : GUINT32_TO_LE(v);
	g_byte_array_append(o->bytes, (const guint8 *)&v, 4);
}

static void put64(struct option *o, gint64 value)
{
	guint64 v = (guint64)value;

	v = o->big_endian ? GUINT64_TO_BE(v) : GUINT64_TO_LE(v);
	g_byte_array_append(o->bytes, (const guint8 *)&v, 8);
}

static struct option option_new(guint32 flags, guint32 n_cpus, gboolean big_endian)
{
	struct option o = { g_byte_array_new(), big_endian };

	put64(&o, 0x1122334455667788);
	put32(&o, flags);
	put32(&o, n_cpus);
	return o;
}

/* times, offsets, scalings: the arrays of one CPU */
static void put_cpu(struct option *o, guint n, const gint64 *times, const gint64 *offsets,
		    const gint64 *scalings)
{
	put32(o, n);
	for (guint i = 0; i < n; i++)
		put64(o, times[i]);
	for (guint i = 0; i < n; i++)
		put64(o, offsets[i]);
	for (guint i = 0; i < n; i++)
		put64(o, scalings ? scalings[i] : 1);
}

static gboolean parse(struct iot_clock *clock, struct option *o)
{
	gboolean ok = iot_clock_parse_shift(clock, o->bytes->data, o->bytes->len, o->big_endian);

	g_byte_array_unref(o->bytes);
	return ok;
}

/* The cursor must agree with the plain function wherever it is asked, in any order. */
static guint64 correct(const struct iot_clock *clock, guint cpu, guint64 raw)
{
	static const gint64 steps[] = {
		0, 1, -1, 1000000, -1000000, G_GINT64_CONSTANT(1) << 40, 0
	};
	guint64 expected = iot_clock_correct(clock, cpu, raw);
	struct iot_clock_cursor cursor;

	iot_clock_cursor_init(&cursor, clock, cpu);
	for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
		guint64 at = raw + (guint64)steps[i];

		CU_ASSERT_EQUAL(iot_clock_cursor_correct(&cursor, at),
				iot_clock_correct(clock, cpu, at));
	}
	CU_ASSERT_EQUAL(iot_clock_cursor_correct(&cursor, raw), expected);
	return expected;
}

UNIT_TEST(without_options_time_stays)
{
	struct iot_clock clock = { 0 };

	CU_ASSERT_EQUAL(correct(&clock, 0, 123456789), 123456789);
	CU_ASSERT_STRING_EQUAL(iot_clock_protocol(&clock), "none");
}

UNIT_TEST(two_measurements_give_a_line)
{
	/* published example of linear correction: 1094221333343713.9996 */
	static const gint64 t[] = { 1094222084364163, 1094222088772874 };
	static const gint64 offset[] = { 1094221333343677 - 1094222084364163,
					 1094221337752345 - 1094222088772874 };
	struct iot_clock clock = { 0 };
	struct option o = option_new(1, 1, FALSE);

	put_cpu(&o, 2, t, offset, NULL);
	CU_ASSERT_TRUE(parse(&clock, &o));
	CU_ASSERT_TRUE(clock.present && clock.interpolate);
	CU_ASSERT_EQUAL(clock.peer, 0x1122334455667788);
	CU_ASSERT_EQUAL(clock.n_cpus, 1);
	CU_ASSERT_STRING_EQUAL(iot_clock_protocol(&clock), "ptp");
	CU_ASSERT_EQUAL(correct(&clock, 0, 1094222084364200), 1094221333343714);
	CU_ASSERT_EQUAL(correct(&clock, 0, 1094222084364163), 1094221333343677);
	/* a falling line is rounded up, as the library does: 1 ns more than measured */
	CU_ASSERT_EQUAL(correct(&clock, 0, 1094222088772874), 1094221337752346);
	iot_clock_clear(&clock);
}

UNIT_TEST(products_need_more_than_64_bits)
{
	/* samples of a recording whose clocks drift by half a second per second */
	static const gint64 t[] = { 56692322961, 238181227897 };
	static const gint64 offset[] = { -39587872261, -142168216681 };
	struct iot_clock clock = { 0 };
	struct option o = option_new(1, 1, TRUE);

	put_cpu(&o, 2, t, offset, NULL);
	CU_ASSERT_TRUE(parse(&clock, &o));
	CU_ASSERT_EQUAL(correct(&clock, 0, 40000000000), G_GUINT64_CONSTANT(9846887617));
	CU_ASSERT_EQUAL(correct(&clock, 0, 150000000000), G_GUINT64_CONSTANT(57673181240));
	CU_ASSERT_EQUAL(correct(&clock, 0, 300000000000), G_GUINT64_CONSTANT(122890854362));
	/* host time first, cycles to ns after that */
	clock.tsc_mult = 933698285;
	clock.tsc_shift = 31;
	CU_ASSERT_EQUAL(correct(&clock, 0, 87034477476), G_GUINT64_CONSTANT(13172636924));
	iot_clock_clear(&clock);
}

UNIT_TEST(steps_hold_until_the_next_sample)
{
	/* not sorted, and one time twice: the first of the two counts */
	static const gint64 t[] = { 3000, 1000, 2000, 2000 };
	static const gint64 offset[] = { 300, 100, 200, 999 };
	struct iot_clock clock = { 0 };
	struct option o = option_new(0, 1, FALSE);

	put_cpu(&o, 4, t, offset, NULL);
	CU_ASSERT_TRUE(parse(&clock, &o));
	CU_ASSERT_STRING_EQUAL(iot_clock_protocol(&clock), "kvm");
	CU_ASSERT_EQUAL(clock.cpu[0].n, 3);
	CU_ASSERT_EQUAL(correct(&clock, 0, 0), 100);
	CU_ASSERT_EQUAL(correct(&clock, 0, 1000), 1100);
	CU_ASSERT_EQUAL(correct(&clock, 0, 1999), 2099);
	CU_ASSERT_EQUAL(correct(&clock, 0, 2000), 2200);
	CU_ASSERT_EQUAL(correct(&clock, 0, 2999), 3199);
	CU_ASSERT_EQUAL(correct(&clock, 0, 3000), 3300);
	CU_ASSERT_EQUAL(correct(&clock, 0, 9000), 9300);
	iot_clock_clear(&clock);
}

UNIT_TEST(last_of_two_samples_is_used)
{
	static const gint64 t[] = { 1000, 2000 }, offset[] = { 10, 20 };
	struct iot_clock clock = { 0 };
	struct option o = option_new(0, 1, FALSE);

	put_cpu(&o, 2, t, offset, NULL);
	CU_ASSERT_TRUE(parse(&clock, &o));
	CU_ASSERT_EQUAL(correct(&clock, 0, 1999), 2009);
	CU_ASSERT_EQUAL(correct(&clock, 0, 2000), 2020);
	iot_clock_clear(&clock);
}

UNIT_TEST(one_sample_scales)
{
	static const gint64 t[] = { 5000 }, offset[] = { -1000 }, scaling[] = { 3 };
	struct iot_clock clock = { 0 };
	struct option o = option_new(0, 1, FALSE);

	put_cpu(&o, 1, t, offset, scaling);
	CU_ASSERT_TRUE(parse(&clock, &o));
	CU_ASSERT_EQUAL(correct(&clock, 0, 7000), 2000);
	CU_ASSERT_EQUAL(correct(&clock, 0, 500), 0); /* not before 0 */
	iot_clock_clear(&clock);
}

/*
 * KVM: guest = (host * ratio >> fraction bits) + tsc_offset, rounded down, here with tsc_offset
 * -1000. The host's cycle is found again, or the one before it.
 */
UNIT_TEST(scaled_guests_are_converted_back)
{
	static const struct {
		gint64 fraction, ratio;
		guint64 guest, host;
	} cases[] = {
		{ 48, G_GINT64_CONSTANT(422212465065984), 277777775275275, 185185183517517 },
		{ 48, G_GINT64_CONSTANT(422212465065984), 1729382256910269464,
		  1152921504606846976 },
		{ 48, G_GINT64_CONSTANT(422212465065984), 185184183, 123456789 },
		{ 32, G_GINT64_CONSTANT(3865470566), 166666665147518, 185185183517517 },
		{ 32, G_GINT64_CONSTANT(3865470566), 1037629354038787096, 1152921504606846976 },
		{ 48, G_GINT64_CONSTANT(562949981568809), 370370385552551, 185185183517517 },
		{ 48, G_GINT64_CONSTANT(562949981568809), 2305843124505840664,
		  1152921504606846976 },
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const gint64 t[] = { 100, 200 }, offset[] = { 1000, 1000 };
		const gint64 scaling[] = { cases[i].ratio, cases[i].ratio };
		struct iot_clock clock = { 0 };
		struct option o = option_new(0, 1, FALSE);
		guint64 found;

		put_cpu(&o, 2, t, offset, scaling);
		put64(&o, cases[i].fraction);
		put64(&o, cases[i].fraction);
		CU_ASSERT_TRUE(parse(&clock, &o));
		CU_ASSERT_EQUAL(clock.cpu[0].sample[1].fraction, cases[i].fraction);
		found = correct(&clock, 0, cases[i].guest);
		CU_ASSERT(found == cases[i].host || found + 1 == cases[i].host);
		iot_clock_clear(&clock);
	}
}

UNIT_TEST(each_cpu_has_its_own_samples)
{
	static const gint64 t[] = { 1, 2 }, a[] = { 10, 10 }, b[] = { 20, 20 };
	struct iot_clock clock = { 0 };
	struct option o = option_new(0, 3, TRUE);

	put_cpu(&o, 2, t, a, NULL);
	put_cpu(&o, 0, NULL, NULL, NULL);
	put_cpu(&o, 1, t, b, NULL);
	/* the newer layout, one number per sample of all CPUs */
	for (int i = 0; i < 3; i++)
		put64(&o, 0);
	CU_ASSERT_TRUE(parse(&clock, &o));
	CU_ASSERT_EQUAL(correct(&clock, 0, 100), 110);
	CU_ASSERT_EQUAL(correct(&clock, 1, 100), 100);
	CU_ASSERT_EQUAL(correct(&clock, 2, 100), 120);
	CU_ASSERT_EQUAL(correct(&clock, 3, 100), 100); /* not in the table */
	iot_clock_clear(&clock);
}

UNIT_TEST(measured_samples_serve_all_cpus)
{
	/* one clock, measured for each of three CPUs; CPU 1 has the most samples */
	static const gint64 t0[] = { 1000, 5000 }, a[] = { 130, 130 };
	static const gint64 t1[] = { 1100, 5100, 9100 }, b[] = { 100, 100, 500 };
	static const gint64 t2[] = { 1200, 5200, 9200 }, c[] = { 70, 70, 70 };
	struct iot_clock clock = { 0 };
	struct option o = option_new(1, 3, FALSE);

	put_cpu(&o, 2, t0, a, NULL);
	put_cpu(&o, 3, t1, b, NULL);
	put_cpu(&o, 3, t2, c, NULL);
	CU_ASSERT_TRUE(parse(&clock, &o));
	/* also of CPU 3, which came later and is not in the table */
	for (guint cpu = 0; cpu < 4; cpu++) {
		CU_ASSERT_EQUAL(correct(&clock, cpu, 3000), 3100);
		CU_ASSERT_EQUAL(correct(&clock, cpu, 6100), 6300);
	}
	iot_clock_clear(&clock);
}

UNIT_TEST(cycles_and_offsets)
{
	struct iot_clock clock = { .tsc_mult = 933696661, .tsc_shift = 31, .offset_ns = -7 };

	CU_ASSERT_EQUAL(correct(&clock, 0, 525153412940), G_GUINT64_CONSTANT(228329556137));
	/* 62 bits times 30 bits */
	clock.tsc_mult = 933698285;
	clock.offset_ns = 0;
	CU_ASSERT_EQUAL(iot_clock_correct(&clock, 0, G_GUINT64_CONSTANT(1) << 62),
			G_GUINT64_CONSTANT(2005101799203143680));
	CU_ASSERT_EQUAL(correct(&clock, 0, 1), 0);
	clock.offset_ns = -1000;
	CU_ASSERT_EQUAL(correct(&clock, 0, 1), 0);
}

UNIT_TEST(absurd_values_are_clamped)
{
	static const gint64 t[] = { G_MININT64, G_MAXINT64 }, offset[] = { G_MAXINT64, G_MININT64 };
	static const gint64 scaling[] = { G_MAXINT64, G_MAXINT64 };
	struct iot_clock clock = { .tsc_mult = G_MAXUINT32, .offset_ns = G_MAXINT64 };
	struct option o = option_new(1, 1, FALSE);

	put_cpu(&o, 2, t, offset, scaling);
	CU_ASSERT_TRUE(parse(&clock, &o));
	CU_ASSERT_EQUAL(correct(&clock, 0, G_MAXUINT64), G_MAXINT64);
	CU_ASSERT(correct(&clock, 0, 0) <= G_MAXINT64);
	iot_clock_clear(&clock);
}

UNIT_TEST(malformed_options_change_nothing)
{
	static const gint64 t[] = { 1, 2 }, offset[] = { 10, 20 }, zero[] = { 1, 0 };
	struct option whole = option_new(1, 1, FALSE), o;
	struct iot_clock clock = { 0 };

	put_cpu(&whole, 2, t, offset, NULL);
	for (guint len = 0; len < whole.bytes->len; len++)
		CU_ASSERT_FALSE(iot_clock_parse_shift(&clock, whole.bytes->data, len, FALSE));
	/* like the old writer if the numbers of samples differ: the arrays do not add up */
	o = option_new(1, 2, FALSE);
	put_cpu(&o, 1, t, offset, NULL);
	put32(&o, 2);
	put64(&o, 1);
	CU_ASSERT_FALSE(parse(&clock, &o));
	o = option_new(0, 0xffffffff, FALSE);
	CU_ASSERT_FALSE(parse(&clock, &o));
	o = option_new(0, 1, FALSE);
	put32(&o, 0xffffffff);
	put64(&o, 1);
	CU_ASSERT_FALSE(parse(&clock, &o));
	o = option_new(0, 1, FALSE);
	put_cpu(&o, 2, t, offset, zero);
	CU_ASSERT_FALSE(parse(&clock, &o));
	o = option_new(0, 1, FALSE);
	put_cpu(&o, 1, t, offset, NULL);
	put64(&o, 64);
	CU_ASSERT_FALSE(parse(&clock, &o));
	CU_ASSERT_FALSE(clock.present);
	/* a good one still works, and a second one replaces it */
	CU_ASSERT_TRUE(iot_clock_parse_shift(&clock, whole.bytes->data, whole.bytes->len, FALSE));
	CU_ASSERT_TRUE(parse(&clock, &whole));
	iot_clock_clear(&clock);
}

static struct iot_clock_change two_pairs(guint64 r0, guint64 l0, guint64 rn, guint64 ln)
{
	const struct iot_clock_pair pairs[] = { { r0, l0, 0 }, { rn, ln, 0 } };
	struct iot_clock_change change = {
		.pairs = g_array_new(FALSE, FALSE, sizeof(pairs[0])),
	};

	g_array_append_vals(change.pairs, pairs, 2);
	return change;
}

/*
 * The worked example of the method (Maillet and Tron), in us: r0 = 1094221333343677,
 * rn = 1094221337752345, l0 = 1094222084364163, ln = 1094222088772874, t = 1094222084364200.
 * t_ref = r0 + 37 * 4408668 / 4408711 = ...713.99964, which the source cuts to ...713.
 */
UNIT_TEST(pairs_of_clocks_correct_linearly)
{
	struct iot_clock_change change = two_pairs(1094221333343677000, 1094222084364163000,
						   1094221337752345000, 1094222088772874000);
	struct iot_clock clock = { 0 };

	iot_clock_change_apply(&change, &clock);
	CU_ASSERT_EQUAL(correct(&clock, 0, 1094222084364200000), 1094221333343714000);
	CU_ASSERT_EQUAL(correct(&clock, 0, 1094222084364163000), 1094221333343677000);
	/* falling lines are rounded up */
	CU_ASSERT_EQUAL(correct(&clock, 0, 1094222088772874000), 1094221337752345001);
	/* the line goes on: 4408711 us later, 4408668 us later on the reference */
	CU_ASSERT_EQUAL(correct(&clock, 3, 1094222093181585000), 1094221342161013001);
	CU_ASSERT_STRING_EQUAL(iot_clock_protocol(&clock), "file");
	iot_clock_clear(&clock);
	iot_clock_change_clear(&change);
}

UNIT_TEST(pairs_replace_recorded_samples)
{
	static const gint64 t[] = { 1000, 2000 }, offset[] = { 10, 20 };
	struct iot_clock_change change = two_pairs(5000, 1000, 7000, 2000);
	struct iot_clock clock = { 0 };
	struct option o = option_new(0, 1, FALSE);

	put_cpu(&o, 2, t, offset, NULL);
	CU_ASSERT_TRUE(parse(&clock, &o));
	clock.offset_ns = 99;
	change.shift_ns = -3;
	iot_clock_change_apply(&change, &clock);
	CU_ASSERT_EQUAL(correct(&clock, 0, 1500), 5997);
	iot_clock_clear(&clock);
	/* cycles of 0.25 ns: the pairs are in ns */
	clock = (struct iot_clock){ .tsc_mult = 1, .tsc_shift = 2 };
	iot_clock_change_apply(&change, &clock);
	CU_ASSERT_EQUAL(correct(&clock, 0, 6000), 5997);
	iot_clock_clear(&clock);
	iot_clock_change_clear(&change);
}

UNIT_TEST(a_shift_keeps_the_recorded_correction)
{
	static const gint64 t[] = { 1000, 2000 }, offset[] = { 10, 20 };
	struct iot_clock_change change = { .shift_ns = 100 };
	struct iot_clock clock = { 0 };
	struct option o = option_new(0, 1, FALSE);

	CU_ASSERT_TRUE(iot_clock_change_is_none(NULL));
	CU_ASSERT_FALSE(iot_clock_change_is_none(&change));
	put_cpu(&o, 2, t, offset, NULL);
	CU_ASSERT_TRUE(parse(&clock, &o));
	iot_clock_change_apply(&change, &clock);
	CU_ASSERT_EQUAL(correct(&clock, 0, 1500), 1610);
	CU_ASSERT_STRING_EQUAL(iot_clock_protocol(&clock), "kvm");
	iot_clock_clear(&clock);
}
