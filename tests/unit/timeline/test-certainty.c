/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/certainty.h"
#include "unit.h"

/* Node 1 is exact to 1 ns; node 2 to 10 ns at 1000, rising to 110 at 2000; node 3 is unbounded. */
static struct iot_clocks *three_nodes(void)
{
	struct iot_clock_facts exact = { 0 }, rising = { 0 }, none = { 0 };
	struct iot_clocks *clocks = iot_clocks_new();

	iot_clock_facts_knot(&exact, 0, 1);
	iot_clock_facts_knot(&rising, 1000, 10);
	iot_clock_facts_knot(&rising, 2000, 110);
	iot_clocks_add(clocks, 1, &exact);
	iot_clocks_add(clocks, 2, &rising);
	iot_clocks_add(clocks, 3, &none);
	iot_clock_facts_clear(&exact);
	iot_clock_facts_clear(&rising);
	return clocks;
}

UNIT_TEST(bounds_are_linear_between_knots)
{
	g_autoptr(iot_clocks) clocks = three_nodes();

	CU_ASSERT_EQUAL(iot_clocks_bound(clocks, 2, 0), 10);
	CU_ASSERT_EQUAL(iot_clocks_bound(clocks, 2, 1000), 10);
	CU_ASSERT_EQUAL(iot_clocks_bound(clocks, 2, 1500), 60);
	CU_ASSERT_EQUAL(iot_clocks_bound(clocks, 2, 1501), 61); /* 60.1, rounded up */
	CU_ASSERT_EQUAL(iot_clocks_bound(clocks, 2, 2000), 110);
	CU_ASSERT_EQUAL(iot_clocks_bound(clocks, 2, G_MAXUINT64), 110);
	CU_ASSERT_EQUAL(iot_clocks_bound(clocks, 3, 5), IOT_CLOCK_UNBOUNDED);
	CU_ASSERT_EQUAL(iot_clocks_bound(clocks, 4, 5), IOT_CLOCK_UNBOUNDED);
}

UNIT_TEST(falling_bounds_are_linear_too)
{
	struct iot_clock_facts facts = { 0 };

	iot_clock_facts_knot(&facts, 100, 30);
	iot_clock_facts_knot(&facts, 200, 0);
	iot_clock_facts_knot(&facts, 200, 5);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 150), 15);
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 199), 1); /* 0.3, rounded up */
	CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, 200), 5);
	iot_clock_facts_clear(&facts);
}

UNIT_TEST(times_of_one_node_are_ordered)
{
	g_autoptr(iot_clocks) clocks = three_nodes();

	CU_ASSERT_EQUAL(iot_order(clocks, 3, 10, 3, 11), IOT_PROVED);
	CU_ASSERT_EQUAL(iot_order(clocks, 3, 11, 3, 10), IOT_CONTRADICTED);
	CU_ASSERT_EQUAL(iot_order(clocks, 3, 11, 3, 11), IOT_WITHIN_ERROR);
}

UNIT_TEST(between_nodes_both_bounds_count)
{
	g_autoptr(iot_clocks) clocks = three_nodes();

	CU_ASSERT_EQUAL(iot_order(clocks, 1, 1000, 2, 1012), IOT_WITHIN_ERROR); /* 1 + 11.2 */
	CU_ASSERT_EQUAL(iot_order(clocks, 1, 1000, 2, 1014), IOT_PROVED);	/* 1 + 11.4 */
	CU_ASSERT_EQUAL(iot_order(clocks, 2, 1000, 1, 989), IOT_WITHIN_ERROR);
	CU_ASSERT_EQUAL(iot_order(clocks, 2, 1000, 1, 988), IOT_CONTRADICTED);
	CU_ASSERT_EQUAL(iot_order(clocks, 1, 0, 3, G_MAXINT64), IOT_WITHIN_ERROR);
}

UNIT_TEST(nothing_is_proved_against_contradicted_bounds)
{
	g_autoptr(iot_clocks) clocks = three_nodes();

	iot_clocks_contradict(clocks, 2, 1);
	iot_clocks_contradict(clocks, 1, 2);
	CU_ASSERT_EQUAL(iot_order(clocks, 1, 0, 2, 100000), IOT_WITHIN_ERROR);
	CU_ASSERT_EQUAL(iot_order(clocks, 2, 0, 1, 100000), IOT_WITHIN_ERROR);
	CU_ASSERT_EQUAL(iot_order(clocks, 2, 0, 2, 100000), IOT_PROVED);
}

UNIT_TEST(a_node_of_two_recordings_has_the_greater_bound)
{
	g_autoptr(iot_clocks) clocks = three_nodes();
	struct iot_clock_facts coarse = { 0 };

	iot_clock_facts_knot(&coarse, 0, 500);
	iot_clocks_add(clocks, 1, &coarse);
	iot_clock_facts_clear(&coarse);
	CU_ASSERT_EQUAL(iot_clocks_bound(clocks, 1, 7), 500);
}

UNIT_TEST(links_are_counted_by_direction)
{
	g_autoptr(iot_clocks) clocks = three_nodes();
	const struct iot_link_sum *sums;
	guint n;

	CU_ASSERT_TRUE(iot_clocks_link(clocks, 1, 1000, 2, 1500));
	CU_ASSERT_TRUE(iot_clocks_link(clocks, 1, 1000, 2, 1011)); /* no more than the bounds */
	CU_ASSERT_TRUE(iot_clocks_link(clocks, 2, 1000, 1, 995)); /* 5 ns: the bounds are 11 */
	CU_ASSERT_FALSE(iot_clocks_link(clocks, 2, 1000, 1, 980));
	CU_ASSERT_TRUE(iot_clocks_link(clocks, 3, 1000, 1, 10)); /* no bound, no contradiction */
	CU_ASSERT_TRUE(iot_clocks_link(clocks, 1, 1000, 1, 10));
	sums = iot_clocks_links(clocks, &n);
	CU_ASSERT_EQUAL_FATAL(n, 3);
	CU_ASSERT_EQUAL(sums[0].from, 1);
	CU_ASSERT_EQUAL(sums[0].to, 2);
	CU_ASSERT_EQUAL(sums[0].n, 2);
	CU_ASSERT_EQUAL(sums[0].n_proved, 1);
	CU_ASSERT_EQUAL(sums[0].n_backwards, 0);
	CU_ASSERT_EQUAL(sums[1].n, 2);
	CU_ASSERT_EQUAL(sums[1].n_proved, 0);
	CU_ASSERT_EQUAL(sums[1].n_backwards, 2);
	CU_ASSERT_EQUAL(sums[1].worst_ns, 20);
	CU_ASSERT_EQUAL(sums[1].worst_at_ns, 980);
	CU_ASSERT_EQUAL(sums[1].n_contradicted, 1);
	CU_ASSERT_EQUAL(sums[2].n_backwards, 1);
	CU_ASSERT_EQUAL(sums[2].n_contradicted, 0);
}
