/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2-group.h"

void iot_slog2_group_clear(struct iot_slog2_group *group)
{
	g_free(group->keys);
	g_free(group->line_end);
	g_free(group->exclusive_ns);
	g_free(group->weight);
	g_free(group->under);
}

gboolean iot_slog2_group_room(struct iot_slog2_group *group, guint32 n, guint32 n_lines)
{
	const struct {
		gpointer *array;
		gsize elem;
	} arrays[] = {
		{ (gpointer *)&group->keys, sizeof(*group->keys) },
		{ (gpointer *)&group->exclusive_ns, sizeof(*group->exclusive_ns) },
		{ (gpointer *)&group->weight, sizeof(*group->weight) },
		{ (gpointer *)&group->under, sizeof(*group->under) },
	};
	guint32 size = group->size;

	group->n_lines = n_lines;
	while (group->size_lines < n_lines)
		if (!iot_slog2_enlarge(group->sums->out, (gpointer *)&group->line_end,
				       &group->size_lines, sizeof(*group->line_end)))
			return FALSE;
	while (group->size < n) {
		for (guint i = 0; i < G_N_ELEMENTS(arrays); i++) {
			size = group->size;
			if (!iot_slog2_enlarge(group->sums->out, arrays[i].array, &size,
					       arrays[i].elem))
				return FALSE;
		}
		group->size = size;
	}
	return TRUE;
}

static void group_by_line(struct iot_slog2_group *group, const struct iot_slog2_key *keys,
			  guint32 n)
{
	guint32 *place = group->line_end, sum = 0;

	memset(place, 0, group->n_lines * sizeof(*place));
	for (guint32 i = 0; i < n; i++)
		place[keys[i].line]++;
	for (guint32 line = 0; line < group->n_lines; line++) {
		guint32 count = place[line];

		place[line] = sum;
		sum += count;
	}
	for (guint32 i = 0; i < n; i++)
		group->keys[place[keys[i].line]++] = keys[i];
}

gboolean iot_slog2_group_sum(struct iot_slog2_group *group, const struct iot_slog2_key *keys,
			     guint32 n, guint8 topology)
{
	gboolean states = topology == IOT_SLOG2_STATE;
	guint32 end;

	group_by_line(group, keys, n);
	for (guint32 i = 0; i < n; i = end) {
		struct iot_slog2_preview *preview;

		end = group->line_end[group->keys[i].line];
		preview = iot_slog2_previews_add(group->sums, topology, group->keys + i, end - i,
						 states ? group->weight + i : NULL);
		if (!preview)
			return FALSE;
		preview->first = i;
		preview->n_states = end - i;
	}
	for (guint32 i = 0; states && i < n; i++)
		group->exclusive_ns[i] = (gint64)(group->keys[i].t1 - group->keys[i].t0);
	return TRUE;
}

void iot_slog2_group_subtract_child(struct iot_slog2_group *group,
				    const struct iot_slog2_preview *child)
{
	const struct iot_slog2_preview *own =
		iot_slog2_previews_find(group->sums, child->topology, child->line);

	if (child->topology != IOT_SLOG2_STATE || !own)
		return;
	for (guint32 i = own->first; i < own->first + own->n_states; i++) {
		guint64 from = MAX(group->keys[i].t0, child->t0);
		guint64 to = MIN(group->keys[i].t1, child->t1);

		if (to > from)
			group->exclusive_ns[i] -= (gint64)(to - from);
	}
}

/* A state is covered by an earlier one of its line that ends no earlier. */
void iot_slog2_group_subtract_nested(struct iot_slog2_group *group, guint32 n)
{
	const struct iot_slog2_key *state = group->keys;
	guint32 top = IOT_SLOG2_NONE;

	for (guint32 i = 0; i < n; i++) {
		if (i && state[i].line != state[i - 1].line)
			top = IOT_SLOG2_NONE;
		while (top != IOT_SLOG2_NONE && state[top].t1 < state[i].t1)
			top = group->under[top];
		if (top != IOT_SLOG2_NONE)
			group->exclusive_ns[top] -= group->exclusive_ns[i];
		group->under[i] = top;
		top = i;
	}
	for (guint32 i = 0; i < n; i++)
		group->sums->weights[group->weight[i]].exclusive_ns += group->exclusive_ns[i];
}
