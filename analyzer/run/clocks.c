/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/clocks.h"

guint64 iot_inputs_session(const struct iot_input_info *info)
{
	return info->sync == IOT_SYNC_HOST ? info->trace_id : info->peer_id;
}

/* The first session that an input names. */
static guint64 first_session(const struct iot_inputs *inputs)
{
	for (guint i = 0; i < iot_inputs_count(inputs); i++) {
		guint64 id = iot_inputs_session(&iot_inputs_at(inputs, i)->info);

		if (id)
			return id;
	}
	return 0;
}

/* Times of the input can be compared with those of the others. */
static gboolean is_comparable(const struct iot_inputs *inputs, guint index)
{
	const struct iot_input_info *info = &iot_inputs_at(inputs, index)->info;
	guint64 id = iot_inputs_session(info), first = first_session(inputs);

	if (iot_inputs_count(inputs) == 1 || !g_strcmp0(info->protocol, "file"))
		return TRUE;
	return info->sync != IOT_SYNC_NO && (!id || id == first) &&
	       !g_strcmp0(info->clock, iot_inputs_at(inputs, 0)->info.clock);
}

void iot_inputs_judge(const struct iot_inputs *inputs, guint index,
		      const struct iot_clock_assumed *assumed, struct iot_clock_facts *out)
{
	const struct iot_source *source = iot_inputs_at(inputs, index)->source;

	*out = (struct iot_clock_facts){ 0 };
	source->ops->judge(source, assumed, out);
	if (!is_comparable(inputs, index))
		iot_clock_facts_clear(out);
}

struct iot_clocks *iot_inputs_clocks(const struct iot_inputs *inputs,
				     const struct iot_clock_assumed *assumed)
{
	struct iot_clocks *clocks = iot_clocks_new();

	for (guint i = 0; i < iot_inputs_count(inputs); i++) {
		struct iot_clock_facts facts;

		iot_inputs_judge(inputs, i, assumed, &facts);
		iot_clocks_add(clocks, iot_inputs_at(inputs, i)->gap.node, &facts);
		iot_clock_facts_clear(&facts);
	}
	return clocks;
}

/* The greatest bound of an input, at the knots of which it has its maximum. */
static guint64 greatest_bound(const struct iot_clock_facts *facts)
{
	guint64 most = 0;

	if (!facts->knots)
		return IOT_CLOCK_UNBOUNDED;
	for (guint i = 0; i < facts->knots->len; i++)
		most = MAX(most, g_array_index(facts->knots, struct iot_clock_knot, i).bound_ns);
	return most;
}

guint64 iot_inputs_clock_error(const struct iot_inputs *inputs, const struct iot_options *options)
{
	const guint64 unknown = 10000000;
	guint64 most = 0, second = 0;
	gboolean unbounded = FALSE;
	guint n = 0;

	if (options->clock_error_ns != IOT_CLOCK_UNBOUNDED)
		return options->clock_error_ns;
	for (guint i = 0; i < iot_inputs_count(inputs); i++) {
		struct iot_clock_facts facts;
		guint64 bound;

		if (!iot_inputs_at(inputs, i)->used)
			continue;
		iot_inputs_judge(inputs, i, &options->clock, &facts);
		bound = greatest_bound(&facts);
		iot_clock_facts_clear(&facts);
		unbounded |= bound == IOT_CLOCK_UNBOUNDED;
		second = MAX(second, MIN(most, bound));
		most = MAX(most, bound);
		n++;
	}
	if (n < 2)
		return 0;
	return unbounded ? unknown : most + second;
}
