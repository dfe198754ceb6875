/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2-preview.h"
#include "sinks/slog2-bytes.h"
#include "sinks/slog2-sort.h"
#include "base/chunk.h"
#include "base/intern.h"

#include <stdlib.h>

enum {
	COUNT_BYTES = 4,
	WEIGHT_BYTES = 20,
	PREVIEW_FIXED_BYTES = 36,
	VERTEX_BYTES = 12,
	FEW_WEIGHTS = 16
};

gboolean iot_slog2_grow(struct iot_out *out, gpointer *array, guint32 n, guint32 *size, gsize elem)
{
	guint32 larger = *size ? *size * 2 : 16;
	gpointer grown;

	if (G_LIKELY(n < *size))
		return TRUE;
	if (iot_out_failed(out))
		return FALSE;
	grown = iot_try_realloc(*array, larger * elem, "the SLOG2 tree", &out->error);
	if (!grown)
		return FALSE;
	*array = grown;
	*size = larger;
	return TRUE;
}

struct iot_slog2_previews *iot_slog2_previews_new(struct iot_out *out)
{
	struct iot_slog2_previews *set = g_new0(struct iot_slog2_previews, 1);

	set->out = out;
	return set;
}

void iot_slog2_previews_free(struct iot_slog2_previews *set)
{
	if (!set)
		return;
	g_free(set->list);
	g_free(set->weights);
	g_free(set->slots);
	g_free(set);
}

void iot_slog2_previews_clear(struct iot_slog2_previews *set)
{
	/* The table may have grown near the root: touch only what is used. */
	for (guint32 i = 0; i < set->n; i++)
		set->slots[set->list[i].slot] = 0;
	set->n = 0;
	set->n_weights = 0;
	memset(set->n_of, 0, sizeof(set->n_of));
}

/* The slot that holds the preview, or the free one where it would go. */
static guint32 find_slot(const struct iot_slog2_previews *set, guint8 topology, guint32 line)
{
	guint32 mask = set->n_slots - 1;
	guint32 i = (guint32)iot_hash_mix(topology, line) & mask;

	for (;; i = (i + 1) & mask) {
		const struct iot_slog2_preview *preview;

		if (!set->slots[i])
			return i;
		preview = &set->list[set->slots[i] - 1];
		if (preview->line == line && preview->topology == topology)
			return i;
	}
}

static gboolean grow_slots(struct iot_slog2_previews *set)
{
	guint32 n_slots = set->n_slots ? set->n_slots * 2 : 64;
	guint32 *slots;

	if (iot_out_failed(set->out))
		return FALSE;
	slots = iot_try_malloc((gsize)n_slots * sizeof(*slots), "the SLOG2 tree", &set->out->error);
	if (!slots)
		return FALSE;
	memset(slots, 0, (gsize)n_slots * sizeof(*slots));
	g_free(set->slots);
	set->slots = slots;
	set->n_slots = n_slots;
	for (guint32 i = 0; i < set->n; i++) {
		struct iot_slog2_preview *preview = &set->list[i];

		preview->slot = find_slot(set, preview->topology, preview->line);
		slots[preview->slot] = i + 1;
	}
	return TRUE;
}

guint32 iot_slog2_previews_find(const struct iot_slog2_previews *set, guint8 topology, guint32 line)
{
	if (!set->n)
		return IOT_SLOG2_NONE;
	return set->slots[find_slot(set, topology, line)] - 1;
}

static guint32 get_preview(struct iot_slog2_previews *set, guint8 topology, guint32 line)
{
	struct iot_slog2_preview *preview;
	guint32 slot;

	if (set->n >= set->n_slots / 2 && !grow_slots(set))
		return IOT_SLOG2_NONE;
	slot = find_slot(set, topology, line);
	if (set->slots[slot])
		return set->slots[slot] - 1;
	if (!iot_slog2_grow(set->out, (gpointer *)&set->list, set->n, &set->size,
			    sizeof(*set->list)))
		return IOT_SLOG2_NONE;
	preview = &set->list[set->n];
	*preview = (struct iot_slog2_preview){
		.topology = topology,
		.line = line,
		.slot = slot,
		.weights = IOT_SLOG2_NONE,
		.top = IOT_SLOG2_NONE,
		.t0 = G_MAXUINT64,
	};
	set->n_of[topology]++;
	set->slots[slot] = ++set->n;
	return set->n - 1;
}

static guint32 get_weight(struct iot_slog2_previews *set, guint32 index, gint32 category)
{
	struct iot_slog2_preview *preview = &set->list[index];
	guint32 w;

	for (w = preview->weights; w != IOT_SLOG2_NONE; w = set->weights[w].next)
		if (set->weights[w].category == category)
			return w;
	if (!iot_slog2_grow(set->out, (gpointer *)&set->weights, set->n_weights, &set->size_weights,
			    sizeof(*set->weights)))
		return IOT_SLOG2_NONE;
	w = set->n_weights++;
	set->weights[w] = (struct iot_slog2_weight){
		.category = category,
		.next = preview->weights,
	};
	preview->weights = w;
	preview->n_weights++;
	return w;
}

guint32 iot_slog2_previews_add(struct iot_slog2_previews *set, guint8 topology, guint32 line,
			       gint32 category, guint64 t0, guint64 t1, guint32 *out_weight)
{
	guint32 index = get_preview(set, topology, line);
	struct iot_slog2_preview *preview;
	guint32 w;

	if (index == IOT_SLOG2_NONE)
		return IOT_SLOG2_NONE;
	w = get_weight(set, index, category);
	if (w == IOT_SLOG2_NONE)
		return IOT_SLOG2_NONE;
	preview = &set->list[index];
	preview->t0 = MIN(preview->t0, t0);
	preview->t1 = MAX(preview->t1, t1);
	preview->sum0 += (double)t0;
	preview->sum1 += (double)t1;
	preview->count++;
	set->weights[w].count++;
	set->weights[w].inclusive_ns += (gint64)(t1 - t0);
	*out_weight = w;
	return index;
}

static void merge_weights(struct iot_slog2_previews *into, guint32 index,
			  const struct iot_slog2_previews *from, guint32 w)
{
	for (; w != IOT_SLOG2_NONE; w = from->weights[w].next) {
		const struct iot_slog2_weight *weight = &from->weights[w];
		guint32 at = get_weight(into, index, weight->category);

		if (at == IOT_SLOG2_NONE)
			return;
		into->weights[at].count += weight->count;
		into->weights[at].inclusive_ns += weight->inclusive_ns;
		into->weights[at].exclusive_ns += weight->exclusive_ns;
	}
}

void iot_slog2_previews_merge(struct iot_slog2_previews *into,
			      const struct iot_slog2_previews *from)
{
	for (guint32 i = 0; i < from->n; i++) {
		const struct iot_slog2_preview *other = &from->list[i];
		guint32 index = get_preview(into, other->topology, other->line);
		struct iot_slog2_preview *preview;

		if (index == IOT_SLOG2_NONE)
			return;
		preview = &into->list[index];
		preview->t0 = MIN(preview->t0, other->t0);
		preview->t1 = MAX(preview->t1, other->t1);
		preview->sum0 += other->sum0;
		preview->sum1 += other->sum1;
		preview->count += other->count;
		merge_weights(into, index, from, other->weights);
	}
}

guint64 iot_slog2_previews_bytes(const struct iot_slog2_previews *set)
{
	return 2 * COUNT_BYTES + (guint64)set->n * PREVIEW_FIXED_BYTES +
	       (guint64)set->n_of[IOT_SLOG2_EVENT] * VERTEX_BYTES +
	       (guint64)set->n_of[IOT_SLOG2_STATE] * 2 * VERTEX_BYTES +
	       (guint64)set->n_weights * WEIGHT_BYTES;
}

float iot_slog2_ratio(gint64 part, guint64 whole)
{
	/* Events, and several at one instant, have no duration to be a part of. */
	if (!whole || part <= 0)
		return 0;
	return (float)((double)part / (double)whole);
}

/* The order of drawables; what the preview stands for is drawn as one. */
static int compare_previews(const void *pa, const void *pb)
{
	const struct iot_slog2_preview *a = ((const struct iot_slog2_timed *)pa)->what;
	const struct iot_slog2_preview *b = ((const struct iot_slog2_timed *)pb)->what;

	if (a->t0 != b->t0)
		return a->t0 < b->t0 ? -1 : 1;
	if (a->t1 != b->t1)
		return a->t1 > b->t1 ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static int compare_weights(const void *pa, const void *pb)
{
	const struct iot_slog2_weight *a = pa, *b = pb;

	if (a->inclusive_ns != b->inclusive_ns)
		return a->inclusive_ns < b->inclusive_ns ? -1 : 1;
	return a->category < b->category ? -1 : a->category > b->category;
}

static void sort_weights(struct iot_slog2_weight *list, guint n)
{
	if (n > FEW_WEIGHTS) {
		qsort(list, n, sizeof(*list), compare_weights);
		return;
	}
	for (guint i = 1; i < n; i++) {
		struct iot_slog2_weight one = list[i];
		guint k = i;

		for (; k && compare_weights(&list[k - 1], &one) > 0; k--)
			list[k] = list[k - 1];
		list[k] = one;
	}
}

static void write_weights(const struct iot_slog2_previews *set,
			  const struct iot_slog2_preview *preview, struct iot_slog2_weight *room)
{
	guint64 duration = preview->t1 - preview->t0;
	guint n = 0;

	for (guint32 w = preview->weights; w != IOT_SLOG2_NONE; w = set->weights[w].next)
		room[n++] = set->weights[w];
	sort_weights(room, n);
	for (guint i = 0; i < n; i++) {
		guint8 *p = iot_out_reserve(set->out, WEIGHT_BYTES);

		p = iot_put_u32(p, (guint32)room[i].category);
		p = iot_put_f32(p, iot_slog2_ratio(room[i].inclusive_ns, duration));
		p = iot_put_f32(p, iot_slog2_ratio(room[i].exclusive_ns, duration));
		iot_put_u64(p, room[i].count);
		iot_out_commit(set->out, WEIGHT_BYTES);
	}
}

/* An average; rounding must not carry it out of the box. */
static double average(const struct iot_slog2_preview *preview, double sum)
{
	return CLAMP(sum / (double)preview->count, (double)preview->t0, (double)preview->t1) / 1e9;
}

static void write_preview(const struct iot_slog2_previews *set,
			  const struct iot_slog2_preview *preview, struct iot_slog2_weight *room)
{
	gboolean state = preview->topology == IOT_SLOG2_STATE;
	guint8 *start = iot_out_reserve(set->out, PREVIEW_FIXED_BYTES + 2 * VERTEX_BYTES);
	guint8 *p = start;

	p = iot_put_u32(p, (guint32)(state ? IOT_SLOG2_PREVIEW_STATE : IOT_SLOG2_PREVIEW_EVENT));
	p = iot_put_u16(p, 0);
	p = iot_put_u16(p, state ? 2 : 1);
	p = iot_put_u32(iot_put_f64(p, average(preview, preview->sum0)), preview->line);
	if (state)
		p = iot_put_u32(iot_put_f64(p, average(preview, preview->sum1)), preview->line);
	p = iot_put_time(iot_put_time(p, preview->t0), preview->t1);
	p = iot_put_u64(p, preview->count);
	p = iot_put_u32(p, preview->n_weights);
	iot_out_commit(set->out, (gsize)(p - start));
	write_weights(set, preview, room);
}

static void write_list(const struct iot_slog2_previews *set, guint8 topology)
{
	g_autofree struct iot_slog2_timed *sorted =
		g_new(struct iot_slog2_timed, 2 * (gsize)set->n_of[topology]);
	g_autofree struct iot_slog2_weight *room = NULL;
	guint32 n = 0, most = 0;

	for (guint32 i = 0; i < set->n; i++) {
		const struct iot_slog2_preview *preview = &set->list[i];

		if (preview->topology != topology)
			continue;
		sorted[n++] = (struct iot_slog2_timed){ preview->t0, preview };
		most = MAX(most, preview->n_weights);
	}
	iot_slog2_sort(sorted, sorted + n, n, compare_previews);
	room = g_new(struct iot_slog2_weight, most);
	iot_put_u32(iot_out_reserve(set->out, COUNT_BYTES), n);
	iot_out_commit(set->out, COUNT_BYTES);
	for (guint32 i = 0; i < n; i++)
		write_preview(set, sorted[i].what, room);
}

void iot_slog2_previews_write(const struct iot_slog2_previews *set)
{
	write_list(set, IOT_SLOG2_EVENT);
	write_list(set, IOT_SLOG2_STATE);
}
