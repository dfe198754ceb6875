/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of calls by reason, compared with a count of single instants. */
#include "unit.h"
#include "analysis/reasons.h"

enum { LENGTH = 200, MAX_SPANS = 2500 };

static void span(struct iot_reasons *reasons, guint8 kind, guint number, guint64 t0, guint64 t1)
{
	struct iot_item item = { .kind = kind, .row = number, .t0 = t0, .t1 = t1 };

	iot_reasons_span(reasons, &item, (enum iot_reason)(number % IOT_N_REASONS));
}

/* Begins and ends in order of time; @n random spans and a call. */
static void compare(GRand *rand, guint n)
{
	struct iot_reasons *reasons = iot_reasons_new(TRUE);
	guint64 from[MAX_SPANS], to[MAX_SPANS], ns[IOT_N_REASONS + 1],
		expected[IOT_N_REASONS + 1] = { 0 };
	guint64 t0 = (guint64)g_rand_int_range(rand, 0, LENGTH),
		t1 = (guint64)g_rand_int_range(rand, (gint)t0, LENGTH + 1);

	for (guint i = 0; i < n; i++) {
		from[i] = (guint64)g_rand_int_range(rand, 0, LENGTH);
		to[i] = (guint64)g_rand_int_range(rand, (gint)from[i], LENGTH + 1);
	}
	for (guint64 t = 0; t <= LENGTH; t++) {
		if (t == t0)
			iot_reasons_call(reasons, t0);
		for (guint i = 0; i < n; i++)
			if (from[i] == t)
				span(reasons, IOT_ITEM_SPAN_BEGIN, i, t, t);
		for (guint i = 0; i < n; i++)
			if (to[i] == t)
				span(reasons, IOT_ITEM_SPAN, i, from[i], t);
		if (t == t1)
			iot_reasons_end(reasons, t1, ns);
	}
	for (guint64 t = t0; t < t1; t++) {
		guint reason = IOT_N_REASONS;

		for (guint i = 0; i < n; i++)
			if (from[i] <= t && t < to[i])
				reason = MIN(reason, i % IOT_N_REASONS);
		expected[reason]++;
	}
	for (guint i = 0; i <= IOT_N_REASONS; i++)
		CU_ASSERT_EQUAL(ns[i], expected[i]);
	CU_ASSERT_TRUE(iot_reasons_is_idle(reasons));
	iot_reasons_free(reasons);
}

UNIT_TEST(each_instant_has_one_reason)
{
	GRand *rand = g_rand_new_with_seed(16);

	for (guint i = 0; i < 300; i++)
		compare(rand, i % 12);
	/* more than are kept */
	compare(rand, MAX_SPANS);
	g_rand_free(rand);
}
