/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/distributions.h"

static void part_free(gpointer data)
{
	iot_histogram_clear(&((struct iot_part_distribution *)data)->durations.top);
	g_free(data);
}

static void cause_free(gpointer data)
{
	iot_histogram_clear(&((struct iot_cause_shares *)data)->shares.top);
	g_free(data);
}

static void waits_free(gpointer data)
{
	g_ptr_array_unref(((struct iot_waits_sum *)data)->causes);
	g_free(data);
}

struct iot_distributions *iot_distributions_new(void)
{
	struct iot_distributions *distributions = g_new0(struct iot_distributions, 1);

	distributions->parts = g_ptr_array_new_with_free_func(part_free);
	distributions->store = iot_histogram_store_new("-", 0);
	distributions->waits = g_ptr_array_new_with_free_func(waits_free);
	return distributions;
}

struct iot_waits_sum *iot_distributions_add_waits(struct iot_distributions *distributions,
						  iot_row_id row)
{
	struct iot_waits_sum *sum = g_new0(struct iot_waits_sum, 1);

	sum->row = row;
	sum->causes = g_ptr_array_new_with_free_func(cause_free);
	g_ptr_array_add(distributions->waits, sum);
	return sum;
}

void iot_distributions_free(struct iot_distributions *distributions)
{
	if (!distributions)
		return;
	g_ptr_array_unref(distributions->parts);
	g_ptr_array_unref(distributions->waits);
	iot_histogram_store_free(distributions->store);
	g_free(distributions);
}
