/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/publish.h"

static void publish_given(const struct iot_publishing *from, struct iot_results *to)
{
	if (from->summary->results)
		iot_results_share(to, from->summary->results);
}

/* clang-format off */
/* in the order in which people read the tables */
static void (*const publishers[])(const struct iot_publishing *from, struct iot_results *to) = {
	iot_publish_verdict,
	iot_publish_inputs,
	iot_publish_ranges,
	iot_publish_units,
	iot_publish_times,
	iot_publish_results,
	iot_publish_longest,
	iot_publish_stolen,
	iot_publish_gaps,
	iot_publish_clocks,
	publish_given,
	iot_publish_diagnostics,
};
/* clang-format on */

struct iot_results *iot_publish(const struct iot_publishing *from)
{
	struct iot_results *results = iot_results_new();

	results->from_ns = iot_shown_from(from->summary);
	results->to_ns = iot_shown_to(from->summary);
	for (guint i = 0; i < G_N_ELEMENTS(publishers); i++)
		publishers[i](from, results);
	return results;
}

struct iot_results *iot_publish_sync(const struct iot_publishing *from)
{
	struct iot_results *results = iot_results_new();

	iot_publish_inputs(from, results);
	iot_publish_all_clocks(from, results);
	return results;
}
