/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where recordings begin and end, and what is not observed of their machines there. */
#include "run/inputs-local.h"

static void find_next_edge(struct iot_inputs *inputs)
{
	inputs->next_edge_ns = G_MAXUINT64;
	for (guint i = 0; i < inputs->n; i++) {
		const struct iot_input *input = &inputs->input[i];

		if (!input->begun)
			inputs->next_edge_ns = MIN(inputs->next_edge_ns, input->late_begin_ns);
		if (!input->ended)
			inputs->next_edge_ns = MIN(inputs->next_edge_ns, input->early_end_ns);
	}
}

gboolean iot_inputs_lose_sight(struct iot_inputs *inputs, guint index, guint64 ns)
{
	iot_str node = inputs->input[index].gap.node;

	/* the host of the guests has no states of theirs */
	if (!inputs->input[index].sets_range || inputs->input[index].gap.unseen_ns != G_MAXUINT64)
		return FALSE;
	/* several recordings may be of one machine */
	for (guint i = 0; i < inputs->n; i++)
		if (inputs->input[i].gap.node == node)
			inputs->input[i].gap.unseen_ns = ns;
	return TRUE;
}

/* Whether the machine of the input is observed outside of it: another recording of it covers @from
 * to @to. States of objects follow from events of one recording only, so one with objects does not
 * go on in another one. */
static gboolean goes_on(const struct iot_inputs *inputs, guint index, guint64 from, guint64 to)
{
	for (guint i = 0; i < inputs->n && !inputs->input[index].of_objects; i++) {
		const struct iot_input_info *info = &inputs->input[i].info;

		if (i != index && inputs->input[i].used && info->has_times &&
		    inputs->for_models[i].machine == inputs->for_models[index].machine &&
		    (info->nothing_before || info->first_seen_ns <= from) &&
		    (info->nothing_after || info->seen_ns >= to))
			return TRUE;
	}
	return FALSE;
}

/*
 * A recording ends with its last event of any kind, or with the clock sample that is taken when it
 * is stopped; it begins with the first one. Recordings stop one after the other, so only one that
 * ends long before the last event of another one is of interest: after that event nothing is drawn.
 * Nor is anything drawn after the window. A complete recording misses nothing.
 */
void iot_inputs_find_edges(struct iot_inputs *inputs, guint64 to_ns)
{
	guint64 begin = iot_inputs_begin(inputs), last = 0;

	for (guint i = 0; i < inputs->n; i++)
		if (inputs->input[i].sets_range)
			last = MAX(last, inputs->input[i].info.end_ns);
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];
		guint64 first = input->info.first_seen_ns, seen = input->info.seen_ns;
		gboolean early = input->used && !input->info.nothing_after && seen &&
				 seen <= to_ns && last > seen && last - seen > inputs->early_end_ns;
		gboolean late = input->used && !input->info.nothing_before && first > begin &&
				first - begin > inputs->early_end_ns;

		late = late && !goes_on(inputs, i, begin, first);
		input->early_end_ns = early ? seen : G_MAXUINT64;
		input->goes_on = early && goes_on(inputs, i, seen, last);
		input->late_begin_ns = late ? first : G_MAXUINT64;
		if (late) {
			iot_node_gap_begin(&input->gap, begin, 0);
			if (iot_inputs_lose_sight(inputs, i, begin))
				iot_timeline_set_unobserved(inputs->tl, input->gap.node, begin);
		}
	}
	find_next_edge(inputs);
}

struct iot_node_gap *iot_inputs_gap(struct iot_inputs *inputs, guint index)
{
	return &inputs->input[index].gap;
}

guint64 iot_inputs_next_edge(const struct iot_inputs *inputs)
{
	return inputs->next_edge_ns;
}

gboolean iot_inputs_edge(struct iot_inputs *inputs, guint64 ts, struct iot_input_edge *out)
{
	guint64 next = inputs->next_edge_ns;

	if (next >= ts)
		return FALSE;
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];

		*out = (struct iot_input_edge){ .input = i, .ns = next };
		if (!input->begun && input->late_begin_ns == next) {
			input->begun = out->begins = TRUE;
			break;
		}
		if (!input->ended && input->early_end_ns == next) {
			input->ended = TRUE;
			out->goes_on = input->goes_on;
			break;
		}
	}
	find_next_edge(inputs);
	return TRUE;
}

/* ---- checkpoints */

void iot_inputs_save(const struct iot_inputs *inputs, GByteArray *out)
{
	for (guint i = 0; i < inputs->n; i++) {
		iot_node_gap_save(&inputs->input[i].gap, out);
		iot_pack_uint(out, inputs->input[i].ended);
		iot_pack_uint(out, inputs->input[i].begun);
	}
}

gboolean iot_inputs_load(struct iot_inputs *inputs, struct iot_unpack *in)
{
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_node_gap *gap = &inputs->input[i].gap;

		iot_node_gap_load(gap, inputs->n_runs, in);
		if (gap->unseen_ns != G_MAXUINT64)
			iot_timeline_set_unobserved(inputs->tl, gap->node, gap->unseen_ns);
		inputs->input[i].ended = (gboolean)iot_unpack_uint(in, 1);
		inputs->input[i].begun = (gboolean)iot_unpack_uint(in, 1);
	}
	find_next_edge(inputs);
	return !in->bad;
}
