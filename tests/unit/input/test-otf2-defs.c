/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Definitions of OTF2 archives: numbers of all sizes, and times of clocks of all rates. Archives:
 * tests/readers. */
#include "unit.h"

#ifdef IOT_OTF2
#include "input/otf2/otf2-defs.h"

/* Numbers 0 to n - 1, and some greater ones before and after them. */
UNIT_TEST(definitions_by_number)
{
	static const guint32 great[] = { 4000, 4095, 4096, 5000, 1u << 20, G_MAXUINT32 - 1 };
	const guint32 n = 30000;
	struct iot_otf2_table table;
	guint defined = 0;

	iot_otf2_table_init(&table, NULL);
	CU_ASSERT_PTR_NULL(iot_otf2_find(&table, 0));
	for (guint i = 0; i < G_N_ELEMENTS(great); i++)
		iot_otf2_table_add(&table, great[i], GUINT_TO_POINTER(great[i] + 1));
	for (guint32 ref = 0; ref < n; ref++)
		if (!iot_otf2_find(&table, ref))
			iot_otf2_table_add(&table, ref, GUINT_TO_POINTER(ref + 1));
	for (guint32 ref = 0; ref < n; ref++)
		defined += iot_otf2_number(&table, ref, n) == ref;
	CU_ASSERT_EQUAL(defined, n);
	for (guint i = 0; i < G_N_ELEMENTS(great); i++)
		CU_ASSERT_EQUAL(iot_otf2_number(&table, great[i], 0), great[i]);
	CU_ASSERT_EQUAL(table.n, n + 2);
	CU_ASSERT_EQUAL(iot_otf2_number(&table, n, 7), 7);
	CU_ASSERT_EQUAL(iot_otf2_number(&table, G_MAXUINT32, 7), 7);
	iot_otf2_table_clear(&table);
}

/* A number of any size. */
static guint64 any(GRand *rnd)
{
	return ((guint64)g_rand_int(rnd) << 32 | g_rand_int(rnd)) >> g_rand_int_range(rnd, 0, 64);
}

/* As the sum and the quotient of numbers without limits. */
static guint64 expected_ns(const struct iot_otf2_defs *defs, guint64 tick)
{
	gboolean dated = defs->realtime_ns != OTF2_UNDEFINED_TIMESTAMP;
	guint64 from = dated ? MIN(defs->first_tick, tick) : 0;
	unsigned __int128 ns = (unsigned __int128)(tick - from) * 1000000000;

	ns = ns / MAX(defs->ticks_per_s, 1) + (dated ? defs->realtime_ns : 0);
	return (guint64)MIN(ns, G_MAXUINT64 / 2);
}

UNIT_TEST(ticks_as_ns)
{
	static const guint64 rates[] = { 0,	    1,		3,	    1000,
					 512000000, 1000000000, 2399987654, G_MAXUINT64 };
	GRand *rnd = g_rand_new_with_seed(1);
	guint wrong = 0;

	for (guint i = 0; i < 2000; i++) {
		struct iot_intern *strings = iot_intern_new();
		struct iot_otf2_defs *defs = iot_otf2_defs_new(strings);
		guint rate = (guint)g_rand_int_range(rnd, 0, 2 * G_N_ELEMENTS(rates));

		defs->ticks_per_s = rate < G_N_ELEMENTS(rates) ? rates[rate] : any(rnd);
		defs->first_tick = any(rnd);
		if (g_rand_boolean(rnd))
			defs->realtime_ns = any(rnd);
		iot_otf2_defs_finish(defs);
		for (guint k = 0; k < 50; k++) {
			/* multiples of a second, too, where rounding could be wrong */
			guint64 tick = any(rnd);

			tick = k % 2 ? tick : defs->first_tick + defs->ticks_per_s * (tick % 100);
			wrong += iot_otf2_ns(defs, tick) != expected_ns(defs, tick);
		}
		iot_otf2_defs_free(defs);
		iot_intern_free(strings);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	g_rand_free(rnd);
}
#endif
