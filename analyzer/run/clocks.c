/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/clocks.h"

guint64 iot_inputs_session(const struct iot_input_info *info)
{
	return info->sync == IOT_SYNC_HOST ? info->trace_id : info->peer_id;
}

guint64 iot_inputs_first_session(const struct iot_inputs *inputs)
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
	guint64 id = iot_inputs_session(info), first = iot_inputs_first_session(inputs);

	if (iot_inputs_count(inputs) == 1 || !g_strcmp0(info->protocol, "file") ||
	    !g_strcmp0(info->protocol, "protocol"))
		return TRUE;
	return info->sync != IOT_SYNC_NO && (!id || id == first) &&
	       !g_strcmp0(info->clock, iot_inputs_at(inputs, 0)->info.clock);
}

struct iot_clocks *iot_inputs_clocks(const struct iot_inputs *inputs,
				     const struct iot_clock_assumed *assumed)
{
	struct iot_clocks *clocks = iot_clocks_new();

	for (guint i = 0; i < iot_inputs_count(inputs); i++) {
		const struct iot_input *input = iot_inputs_at(inputs, i);
		struct iot_clock_facts facts;

		input->source->ops->judge(input->source, assumed, &facts);
		if (!is_comparable(inputs, i))
			iot_clock_facts_clear(&facts);
		iot_clocks_add(clocks, input->gap.node, &facts);
		iot_clock_facts_clear(&facts);
	}
	return clocks;
}

guint64 iot_inputs_clock_error(const struct iot_inputs *inputs, const struct iot_clocks *clocks,
			       const struct iot_options *options)
{
	const guint64 unknown = 10000000;
	/* 36 years: no recording is as long, and some such errors add up without overflow */
	const guint64 limit = G_MAXINT64 / 8;
	guint64 most = 0, second = 0;

	if (options->clock_error_ns != IOT_CLOCK_UNBOUNDED)
		return MIN(options->clock_error_ns, limit);
	for (guint i = 0; i < iot_inputs_count(inputs); i++) {
		guint64 bound = iot_clock_facts_greatest(iot_clocks_facts(clocks, i));

		if (!iot_inputs_at(inputs, i)->used)
			continue;
		second = MAX(second, MIN(most, bound));
		most = MAX(most, bound);
	}
	return most == IOT_CLOCK_UNBOUNDED ? unknown : MIN(most + second, limit);
}
