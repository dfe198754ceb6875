/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-node-sums.h"

void iot_slog2_node_sums_clear(struct iot_slog2_node_sums *sums)
{
	g_free(sums->keys);
	g_free(sums->states);
	g_free(sums->line_end);
}

gsize iot_slog2_node_sums_memory(const struct iot_slog2_node_sums *sums)
{
	return sums->size * (sizeof(*sums->keys) + sizeof(*sums->states)) +
	       sums->size_lines * sizeof(*sums->line_end);
}

static gboolean make_room(struct iot_slog2_node_sums *sums)
{
	struct iot_out *out = sums->previews->out;
	guint32 size = sums->size;

	if (sums->n_lines > sums->size_lines &&
	    !iot_slog2_enlarge(out, (gpointer *)&sums->line_end, &sums->size_lines, sums->n_lines,
			       sizeof(*sums->line_end)))
		return FALSE;
	if (sums->n <= sums->size)
		return TRUE;
	return iot_slog2_enlarge(out, (gpointer *)&sums->keys, &size, sums->n,
				 sizeof(*sums->keys)) &&
	       iot_slog2_enlarge(out, (gpointer *)&sums->states, &sums->size, sums->n,
				 sizeof(*sums->states));
}

const guint32 *iot_slog2_node_sums_sort(struct iot_slog2_node_sums *sums,
					const struct iot_slog2_key *keys, guint32 n,
					guint32 n_lines)
{
	G_STATIC_ASSERT(sizeof(*sums->states) == 2 * sizeof(guint64));
	sums->n = n;
	sums->n_lines = n_lines;
	sums->order = make_room(sums) ? iot_slog2_sort(keys, (guint64 *)sums->states, n) : NULL;
	return sums->order;
}

/* A counting sort, which keeps the order of the file within a line. */
static void sort_by_line(struct iot_slog2_node_sums *sums, const struct iot_slog2_key *keys)
{
	guint32 *place = sums->line_end, sum = 0;

	memset(place, 0, sums->n_lines * sizeof(*place));
	for (guint32 i = 0; i < sums->n; i++)
		place[keys[i].line]++;
	for (guint32 line = 0; line < sums->n_lines; line++) {
		guint32 count = place[line];

		place[line] = sum;
		sum += count;
	}
	for (guint32 i = 0; i < sums->n; i++) {
		const struct iot_slog2_key *key = &keys[sums->order[i]];

		sums->keys[place[key->line]++] = *key;
	}
}

gboolean iot_slog2_node_sums_add(struct iot_slog2_node_sums *sums, const struct iot_slog2_key *keys,
				 guint8 topology)
{
	struct iot_slog2_exclusive *states = topology == IOT_SLOG2_STATE ? sums->states : NULL;
	guint32 end;

	sort_by_line(sums, keys);
	for (guint32 i = 0; i < sums->n; i = end) {
		struct iot_slog2_preview *preview;

		end = sums->line_end[sums->keys[i].line];
		preview = iot_slog2_previews_add(sums->previews, topology, sums->keys + i, end - i,
						 states ? states + i : NULL);
		if (!preview)
			return FALSE;
		preview->first = i;
		preview->n_states = end - i;
	}
	return TRUE;
}

void iot_slog2_node_sums_subtract_child(struct iot_slog2_node_sums *sums,
					const struct iot_slog2_preview *child)
{
	const struct iot_slog2_preview *preview =
		iot_slog2_previews_find(sums->previews, child->topology, child->line);

	if (child->topology != IOT_SLOG2_STATE || !preview)
		return;
	for (guint32 i = preview->first; i < preview->first + preview->n_states; i++) {
		guint64 from = MAX(sums->keys[i].t0, child->t0);
		guint64 to = MIN(sums->keys[i].t1, child->t1);

		if (to > from)
			sums->states[i].exclusive_ns -= (gint64)(to - from);
	}
}

/* A state is nested in an earlier one of its line that ends no earlier. */
void iot_slog2_node_sums_subtract_nested(struct iot_slog2_node_sums *sums)
{
	const struct iot_slog2_key *keys = sums->keys;
	struct iot_slog2_weight *weights = sums->previews->weights;
	struct iot_slog2_exclusive *states = sums->states;
	guint32 top = IOT_SLOG2_NONE;

	for (guint32 i = 0; i < sums->n; i++) {
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
