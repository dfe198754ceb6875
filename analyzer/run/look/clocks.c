/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/look/clocks.h"
#include "timeline/node-names.h"

guint64 iot_inputs_session(const struct iot_input_info *info)
{
	return info->sync == IOT_SYNC_HOST ? info->trace_id : info->peer_id;
}

gboolean iot_inputs_clock_stated(const struct iot_input_info *info)
{
	return !g_strcmp0(info->protocol, "file") ||
	       !g_strcmp0(info->protocol, IOT_CLOCK_CHANGE_PROTOCOL) ||
	       !g_strcmp0(info->protocol, IOT_CLOCK_CHANGE_MARKS);
}

/* The clock of the input was recorded as one of the group. */
static gboolean is_member(const struct iot_input_info *info, const struct iot_clock_group *group)
{
	guint64 id = iot_inputs_session(info);

	return info->sync != IOT_SYNC_NO && !iot_inputs_clock_stated(info) &&
	       (!id || id == group->session) && !g_strcmp0(info->clock, group->clock);
}

static gboolean is_better(const struct iot_clock_group *a, const struct iot_clock_group *b)
{
	int by_clock = g_strcmp0(a->clock, b->clock);

	if (a->n != b->n)
		return a->n > b->n;
	return by_clock ? by_clock < 0 : a->session < b->session;
}

struct iot_clock_group iot_inputs_clock_group(const struct iot_inputs *inputs)
{
	struct iot_clock_group best = { 0 };
	guint n = iot_inputs_count(inputs);

	for (guint any = 0; any < 2 && !best.n; any++)
		for (guint i = 0; i < n; i++) {
			const struct iot_input_info *info = &iot_inputs_at(inputs, i)->info;
			struct iot_clock_group group = { .clock = info->clock };

			if (!any)
				group.session = iot_inputs_session(info);
			for (guint k = 0; k < n; k++) {
				const struct iot_input_info *other = &iot_inputs_at(inputs, k)->info;

				group.n += !other->machine &&
					   (any ? !g_strcmp0(other->clock, info->clock)
						: is_member(other, &group));
			}
			if (group.n && (!best.n || is_better(&group, &best)))
				best = group;
		}
	return best;
}

struct iot_clocks *iot_inputs_clocks(const struct iot_inputs *inputs,
				     const struct iot_clock_assumed *assumed)
{
	struct iot_clocks *clocks = iot_clocks_new();
	struct iot_clock_group group = iot_inputs_clock_group(inputs);
	guint n = iot_inputs_count(inputs);

	for (guint i = 0; i < n; i++) {
		const struct iot_input *input = iot_inputs_at(inputs, i);
		struct iot_clock_facts facts;

		input->source->ops->judge(input->source, assumed, &facts);
		if (n > 1 && !iot_inputs_clock_stated(&input->info) &&
		    !is_member(&input->info, &group))
			iot_clock_facts_clear(&facts);
		iot_clocks_add(clocks, input->gap.node, &facts);
		iot_clock_facts_clear(&facts);
	}
	return clocks;
}

/* While the clock of one recording is told of the nodes on which its ranks ran. */
struct rank_clock {
	struct iot_clocks *clocks;
	const struct iot_clock_facts *facts;
	iot_str own;
};

static void add_rank_clock(gpointer data, iot_str name)
{
	const struct rank_clock *rank = data;

	if (name != rank->own)
		iot_clocks_add(rank->clocks, name, rank->facts);
}

void iot_inputs_rank_clocks(const struct iot_inputs *inputs, const struct iot_timeline *tl,
			    struct iot_clocks *clocks)
{
	for (guint i = 0; i < iot_inputs_count(inputs); i++) {
		const struct iot_input *input = iot_inputs_at(inputs, i);
		struct rank_clock rank = { .clocks = clocks, .own = input->gap.node };
		const char *const *systems = input->info.systems;
		struct iot_clock_facts facts = *iot_clocks_facts(clocks, i);

		/* a source that knows no systems may have events of any */
		if (systems && systems[0] && systems[0][0] && !g_strv_contains(systems, "mpi"))
			continue;
		rank.facts = &facts;
		iot_node_names_rank_nodes(tl->names, add_rank_clock, &rank);
	}
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
