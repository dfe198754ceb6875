/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/race-ranges.h"

static struct iot_race_range *range_at(const struct iot_race_ranges *ranges, guint i)
{
	return &g_array_index(ranges->ranges, struct iot_race_range, i);
}

static void clear_range(gpointer data)
{
	struct iot_race_range *range = data;

	if (range->locks)
		g_array_unref(range->locks);
}

static GArray *new_ranges(void)
{
	GArray *ranges = g_array_new(FALSE, FALSE, sizeof(struct iot_race_range));

	g_array_set_clear_func(ranges, clear_range);
	return ranges;
}

void iot_race_ranges_clear(struct iot_race_ranges *ranges)
{
	g_clear_pointer(&ranges->ranges, g_array_unref);
}

guint iot_race_ranges_first(const struct iot_race_ranges *ranges, guint64 from)
{
	guint low = 0, high = ranges->ranges ? ranges->ranges->len : 0;

	while (low < high) {
		guint middle = (low + high) / 2;

		if (range_at(ranges, middle)->to > from)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

const struct iot_race_range *iot_race_ranges_at(const struct iot_race_ranges *ranges, guint i)
{
	return ranges->ranges && i < ranges->ranges->len ? range_at(ranges, i) : NULL;
}

static void insert(struct iot_race_ranges *ranges, struct iot_race_budget *budget, guint at,
		   const struct iot_race_range *range)
{
	g_array_insert_vals(ranges->ranges, at, range, 1);
	if (range->locks)
		g_array_ref(range->locks);
	budget->n++;
}

static void forget(struct iot_race_ranges *ranges, struct iot_race_budget *budget, guint at)
{
	g_array_remove_index(ranges->ranges, at);
	budget->n--;
}

static int compare_ns(gconstpointer pa, gconstpointer pb)
{
	const guint64 a = *(const guint64 *)pa, b = *(const guint64 *)pb;

	return a < b ? -1 : a > b;
}

/* A quarter at a time, as it means to look at all. */
static void forget_oldest(struct iot_race_ranges *ranges, struct iot_race_budget *budget)
{
	g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(guint64));
	GArray *all = ranges->ranges;
	guint64 oldest;

	for (guint i = 0; i < all->len; i++)
		g_array_append_val(ends, range_at(ranges, i)->t1);
	g_array_sort(ends, compare_ns);
	oldest = g_array_index(ends, guint64, all->len / 4);
	ranges->ranges = new_ranges();
	for (guint i = 0; i < all->len; i++) {
		const struct iot_race_range *range = &g_array_index(all, struct iot_race_range, i);

		if (range->t1 > oldest) {
			insert(ranges, budget, ranges->ranges->len, range);
			budget->n--;
		}
	}
	budget->n -= all->len - ranges->ranges->len;
	budget->n_forgotten += all->len - ranges->ranges->len;
	g_array_unref(all);
}

void iot_race_ranges_set(struct iot_race_ranges *ranges, struct iot_race_budget *budget,
			 const struct iot_race_range *range)
{
	guint at;

	if (!ranges->ranges)
		ranges->ranges = new_ranges();
	at = iot_race_ranges_first(ranges, range->from);
	if (at < ranges->ranges->len && range_at(ranges, at)->from < range->from) {
		struct iot_race_range left = *range_at(ranges, at);

		left.to = range->from;
		range_at(ranges, at)->from = range->from;
		insert(ranges, budget, at++, &left);
	}
	while (at < ranges->ranges->len && range_at(ranges, at)->to <= range->to)
		forget(ranges, budget, at);
	if (at < ranges->ranges->len && range_at(ranges, at)->from < range->to)
		range_at(ranges, at)->from = range->to;
	insert(ranges, budget, at, range);
	if (ranges->ranges->len > budget->max_of_one || budget->n > budget->max_of_all)
		forget_oldest(ranges, budget);
}
