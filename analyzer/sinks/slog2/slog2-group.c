/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-group.h"

void iot_slog2_group_clear(struct iot_slog2_group *group)
{
	g_free(group->keys);
	g_free(group->states);
	g_free(group->line_end);
}

gsize iot_slog2_group_memory(const struct iot_slog2_group *group)
{
	return group->size * (sizeof(*group->keys) + sizeof(*group->states)) +
	       group->size_lines * sizeof(*group->line_end);
}

static gboolean reach(struct iot_slog2_group *group, gpointer *array, guint32 *size, guint32 n,
		      gsize elem)
{
	return n <= *size || iot_slog2_enlarge(group->sums->out, array, size, n, elem);
}

static gboolean make_room(struct iot_slog2_group *group, guint32 n, guint32 n_lines)
{
	guint32 size = group->size;

	group->n_lines = n_lines;
	return reach(group, (gpointer *)&group->line_end, &group->size_lines, n_lines,
		     sizeof(*group->line_end)) &&
	       reach(group, (gpointer *)&group->keys, &size, n, sizeof(*group->keys)) &&
	       reach(group, (gpointer *)&group->states, &group->size, n, sizeof(*group->states));
}

static void group_by_line(struct iot_slog2_group *group, const struct iot_slog2_key *keys,
			  const guint32 *order, guint32 n)
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
	for (guint32 i = 0; i < n; i++) {
		const struct iot_slog2_key *key = &keys[order[i]];

		group->keys[place[key->line]++] = *key;
	}
}

static gboolean sum_lines(struct iot_slog2_group *group, guint32 n, guint8 topology)
{
	struct iot_slog2_own *states = topology == IOT_SLOG2_STATE ? group->states : NULL;
	guint32 end;

	for (guint32 i = 0; i < n; i = end) {
		struct iot_slog2_preview *preview;

		end = group->line_end[group->keys[i].line];
		preview = iot_slog2_previews_add(group->sums, topology, group->keys + i, end - i,
						 states ? states + i : NULL);
		if (!preview)
			return FALSE;
		preview->first = i;
		preview->n_states = end - i;
	}
	return TRUE;
}

const guint32 *iot_slog2_group_sort(struct iot_slog2_group *group, const struct iot_slog2_key *keys,
				    guint32 n, guint32 n_lines)
{
	G_STATIC_ASSERT(sizeof(*group->states) == 2 * sizeof(guint64));
	if (!make_room(group, n, n_lines))
		return NULL;
	return iot_slog2_sort(keys, (guint64 *)group->states, n);
}

gboolean iot_slog2_group_sum(struct iot_slog2_group *group, const struct iot_slog2_key *keys,
			     const guint32 *order, guint32 n, guint8 topology)
{
	group_by_line(group, keys, order, n);
	return sum_lines(group, n, topology);
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
			group->states[i].exclusive_ns -= (gint64)(to - from);
	}
}

/* A state is covered by an earlier one of its line that ends no earlier. */
void iot_slog2_group_subtract_nested(struct iot_slog2_group *group, guint32 n)
{
	const struct iot_slog2_key *keys = group->keys;
	struct iot_slog2_weight *weights = group->sums->weights;
	struct iot_slog2_own *states = group->states;
	guint32 top = IOT_SLOG2_NONE;

	for (guint32 i = 0; i < n; i++) {
		if (top != IOT_SLOG2_NONE && keys[top].line != keys[i].line)
			top = IOT_SLOG2_NONE;
		while (top != IOT_SLOG2_NONE && keys[top].t1 < keys[i].t1)
			top = states[top].under;
		if (top != IOT_SLOG2_NONE)
			weights[states[top].weight].exclusive_ns -= states[i].exclusive_ns;
		weights[states[i].weight].exclusive_ns += states[i].exclusive_ns;
		states[i].under = top;
		top = i;
	}
}
