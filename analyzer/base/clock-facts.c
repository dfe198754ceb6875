/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/clock-facts.h"

void iot_clock_facts_clear(struct iot_clock_facts *facts)
{
	g_clear_pointer(&facts->knots, g_array_unref);
}

void iot_clock_facts_knot(struct iot_clock_facts *facts, guint64 ns, guint64 bound_ns)
{
	struct iot_clock_knot knot = { ns, bound_ns };

	if (!facts->knots)
		facts->knots = g_array_new(FALSE, FALSE, sizeof(knot));
	g_array_append_val(facts->knots, knot);
}

static guint64 between(const struct iot_clock_knot *a, guint64 ns)
{
	const struct iot_clock_knot *b = a + 1;
	guint64 low = MIN(a->bound_ns, b->bound_ns);
	guint64 rise = MAX(a->bound_ns, b->bound_ns) - low;
	guint64 run = b->bound_ns >= a->bound_ns ? ns - a->ns : b->ns - ns;
	guint64 width = b->ns - a->ns;

	return low + (guint64)(((unsigned __int128)rise * run + width - 1) / width);
}

guint64 iot_clock_facts_bound(const struct iot_clock_facts *facts, guint64 ns)
{
	const struct iot_clock_knot *knots;
	guint low = 0, high;

	if (!facts->knots)
		return IOT_CLOCK_UNBOUNDED;
	knots = (const struct iot_clock_knot *)(const void *)facts->knots->data;
	high = facts->knots->len;
	/* low: the last knot at or before ns, or the first */
	while (high - low > 1) {
		guint mid = low + (high - low) / 2;

		if (knots[mid].ns <= ns)
			low = mid;
		else
			high = mid;
	}
	if (ns <= knots[low].ns || low + 1 == facts->knots->len)
		return knots[low].bound_ns;
	return between(&knots[low], ns);
}

guint64 iot_clock_facts_greatest(const struct iot_clock_facts *facts)
{
	guint64 most = 0;

	if (!facts->knots)
		return IOT_CLOCK_UNBOUNDED;
	for (guint i = 0; i < facts->knots->len; i++)
		most = MAX(most, g_array_index(facts->knots, struct iot_clock_knot, i).bound_ns);
	return most;
}

const char *iot_clock_grade_name(enum iot_clock_grade grade)
{
	static const char *const names[] = { "none", "one-sided", "contradicted", "bounded",
					     "exact" };

	return names[grade];
}
