/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-preview.h"
#include "sinks/slog2/slog2-bytes.h"
#include "base/fault.h"
#include "base/try-alloc.h"

#include <stdlib.h>

enum {
	COUNT_BYTES = 4,
	WEIGHT_BYTES = 20,
	PREVIEW_FIXED_BYTES = 36,
	VERTEX_BYTES = 12,
	FEW_WEIGHTS = 16,
	FETCH_BYTES = 65536,
};

gboolean iot_slog2_enlarge(struct iot_out *out, gpointer *array, guint32 *size, guint32 n,
			   gsize elem)
{
	guint32 larger = MAX(*size, 16);
	gpointer grown;

	if (iot_out_failed(out))
		return FALSE;
	while (larger < n)
		larger *= 2;
	grown = iot_try_realloc(*array, larger * elem, "the SLOG2 tree", &out->error);
	if (!grown)
		return FALSE;
	*array = grown;
	*size = larger;
	return TRUE;
}

gboolean iot_slog2_enlarge_zeroed(struct iot_out *out, gpointer *array, guint32 *size, guint32 n,
				  gsize elem)
{
	guint32 old = *size;

	if (!iot_slog2_enlarge(out, array, size, n, elem))
		return FALSE;
	memset((guint8 *)*array + old * elem, 0, (*size - old) * elem);
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
	g_free(set->index);
	g_free(set->order);
	g_free(set->weight_of);
	g_free(set);
}

static guint32 index_of(guint8 topology, guint32 line)
{
	return line * IOT_SLOG2_TOPOLOGIES + topology;
}

void iot_slog2_previews_clear(struct iot_slog2_previews *set)
{
	for (guint32 i = 0; i < set->n; i++)
		set->index[index_of(set->list[i].topology, set->list[i].line)] = 0;
	set->n = 0;
	set->n_weights = 0;
	memset(set->n_of, 0, sizeof(set->n_of));
}

static guint32 add_preview(struct iot_slog2_previews *set, guint8 topology, guint32 line)
{
	guint32 at = index_of(topology, line);

	if ((at >= set->n_index &&
	     !iot_slog2_enlarge_zeroed(set->out, (gpointer *)&set->index, &set->n_index, at + 1,
				       sizeof(*set->index))) ||
	    !iot_slog2_grow(set->out, (gpointer *)&set->list, set->n, &set->size,
			    sizeof(*set->list)))
		return IOT_SLOG2_NONE;
	set->list[set->n] = (struct iot_slog2_preview){
		.topology = topology,
		.line = line,
		.weights = IOT_SLOG2_NONE,
		.t0 = G_MAXUINT64,
	};
	set->n_of[topology]++;
	set->index[at] = ++set->n;
	return set->n - 1;
}

static guint32 get_preview(struct iot_slog2_previews *set, guint8 topology, guint32 line)
{
	const struct iot_slog2_preview *preview = iot_slog2_previews_find(set, topology, line);

	return preview ? (guint32)(preview - set->list) : add_preview(set, topology, line);
}

static guint32 add_weight(struct iot_slog2_previews *set, struct iot_slog2_preview *preview,
			  gint32 category)
{
	guint32 w = set->n_weights;

	if ((guint32)category >= set->n_weight_of &&
	    !iot_slog2_enlarge_zeroed(set->out, (gpointer *)&set->weight_of, &set->n_weight_of,
				      (guint32)category + 1, sizeof(*set->weight_of)))
		return IOT_SLOG2_NONE;
	if (!iot_slog2_grow(set->out, (gpointer *)&set->weights, w, &set->size_weights,
			    sizeof(*set->weights)))
		return IOT_SLOG2_NONE;
	set->n_weights++;
	set->weights[w] = (struct iot_slog2_weight){
		.category = category,
		.next = preview->weights,
	};
	set->weight_of[category] = w;
	preview->weights = w;
	preview->n_weights++;
	return w;
}

static inline guint32 get_weight(struct iot_slog2_previews *set, struct iot_slog2_preview *preview,
				 gint32 category)
{
	const struct iot_slog2_weight *weights = set->weights;
	guint32 w = preview->weights;

	while (w != IOT_SLOG2_NONE && weights[w].category != category)
		w = weights[w].next;
	return G_LIKELY(w != IOT_SLOG2_NONE) ? w : add_weight(set, preview, category);
}

/* The weight in a new preview, to which all weights from @first on belong. */
static inline guint32 get_new_weight(struct iot_slog2_previews *set,
				     struct iot_slog2_preview *preview, guint32 first,
				     gint32 category)
{
	if (iot_slow_only())
		return get_weight(set, preview, category);
	/* fast path */
	if (G_LIKELY((guint32)category < set->n_weight_of)) {
		guint32 w = set->weight_of[category];

		if (G_LIKELY(w - first < set->n_weights - first &&
			     set->weights[w].category == category))
			return w;
	}
	return add_weight(set, preview, category);
}

/* The averages of arrows are those of from-ends and to-ends. */
static void sum_ends(struct iot_slog2_preview *preview, const struct iot_slog2_key *keys, guint32 n)
{
	preview->arrow = TRUE;
	for (guint32 i = 0; i < n; i++) {
		double step = (double)(keys[i].t1 - keys[i].t0);

		if (!keys[i].backwards)
			continue;
		preview->sum0 += step;
		preview->sum1 -= step;
	}
}

struct iot_slog2_preview *iot_slog2_previews_add(struct iot_slog2_previews *set, guint8 topology,
						 const struct iot_slog2_key *keys, guint32 n,
						 struct iot_slog2_exclusive *out)
{
	guint32 index = add_preview(set, topology, keys->line), first = set->n_weights;
	struct iot_slog2_preview *preview;
	guint64 last = 0;
	double sum0 = 0, sum1 = 0;

	if (index == IOT_SLOG2_NONE)
		return NULL;
	preview = &set->list[index];
	for (guint32 i = 0; i < n; i++) {
		guint64 t0 = keys[i].t0, t1 = keys[i].t1;
		guint32 w = get_new_weight(set, preview, first, keys[i].category);
		struct iot_slog2_weight *weight = &set->weights[w];

		if (w == IOT_SLOG2_NONE)
			return NULL;
		if (out) {
			out[i].exclusive_ns = (gint64)(t1 - t0);
			out[i].weight = w;
		}
		weight->count++;
		weight->inclusive_ns += (gint64)(t1 - t0);
		last = MAX(last, t1);
		sum0 += (double)t0;
		sum1 += (double)t1;
	}
	preview->count = n;
	preview->t0 = keys->t0; /* sorted by start */
	preview->t1 = last;
	preview->sum0 = sum0;
	preview->sum1 = sum1;
	if (G_UNLIKELY(keys->topology == IOT_SLOG2_ARROW))
		sum_ends(preview, keys, n);
	return preview;
}

void iot_slog2_previews_merge(struct iot_slog2_previews *into,
			      const struct iot_slog2_preview *packed)
{
	const struct iot_slog2_weight *weights = iot_slog2_preview_weights(packed);
	guint32 index = get_preview(into, packed->topology, packed->line);
	struct iot_slog2_preview *preview;

	if (index == IOT_SLOG2_NONE)
		return;
	preview = &into->list[index];
	preview->arrow = packed->arrow;
	preview->t0 = MIN(preview->t0, packed->t0);
	preview->t1 = MAX(preview->t1, packed->t1);
	preview->sum0 += packed->sum0;
	preview->sum1 += packed->sum1;
	preview->count += packed->count;
	for (guint32 i = 0; i < packed->n_weights; i++) {
		guint32 at = get_weight(into, preview, weights[i].category);

		if (at == IOT_SLOG2_NONE)
			return;
		into->weights[at].count += weights[i].count;
		into->weights[at].inclusive_ns += weights[i].inclusive_ns;
		into->weights[at].exclusive_ns += weights[i].exclusive_ns;
	}
}

static gboolean fetch(struct iot_slog2_cursor *cursor, gsize wanted)
{
	guint64 at = cursor->at - cursor->left;

	if (cursor->left >= wanted)
		return TRUE;
	cursor->left = MIN(MAX(FETCH_BYTES, wanted), cursor->end - at);
	cursor->at = at + cursor->left;
	cursor->next = iot_park_at(cursor->park, at, cursor->left);
	return cursor->next != NULL;
}

const struct iot_slog2_preview *iot_slog2_cursor_next(struct iot_slog2_cursor *cursor)
{
	const struct iot_slog2_preview *preview;
	gsize size = sizeof(*preview);

	if (!fetch(cursor, size))
		return NULL;
	preview = (gconstpointer)cursor->next;
	size += preview->n_weights * sizeof(struct iot_slog2_weight);
	if (!fetch(cursor, size))
		return NULL;
	preview = (gconstpointer)cursor->next;
	cursor->next += size;
	cursor->left -= size;
	return preview;
}

float iot_slog2_ratio(gint64 part, guint64 whole)
{
	/* a set of events at one instant has no duration */
	if (!whole || part <= 0)
		return 0;
	return (float)((double)part / (double)whole);
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

/* Returns the end. */
static gpointer pack_preview(const struct iot_slog2_previews *set,
			     const struct iot_slog2_preview *preview, gpointer to)
{
	struct iot_slog2_preview *packed = to;
	struct iot_slog2_weight *weights = (struct iot_slog2_weight *)(packed + 1);
	guint32 n = 0;

	*packed = *preview;
	for (guint32 w = preview->weights; w != IOT_SLOG2_NONE; w = set->weights[w].next)
		weights[n++] = set->weights[w];
	sort_weights(weights, n);
	return weights + n;
}

/* In the order of drawables, as a viewer draws previews as drawables; NULL: there are none. */
static const guint32 *sort_previews(const struct iot_slog2_previews *set, guint8 topology)
{
	guint32 n = 0;

	if (!set->n_of[topology])
		return NULL; /* there may be no array */
	for (guint32 i = 0; i < set->n; i++)
		if (set->list[i].topology == topology)
			set->order[n++] = (struct iot_slog2_key){ .t0 = set->list[i].t0,
								  .t1 = set->list[i].t1,
								  .line = set->list[i].line,
								  .at = i };
	/* the second half of the array is the room: an element is larger than two numbers */
	return iot_slog2_sort(set->order, (guint64 *)(set->order + set->n), n);
}

gsize iot_slog2_previews_size(const struct iot_slog2_previews *set)
{
	return set->n * sizeof(struct iot_slog2_preview) +
	       set->n_weights * sizeof(struct iot_slog2_weight);
}

/* Not by doubling: the number of previews soon reaches its maximum. */
static gboolean make_room_for_order(struct iot_slog2_previews *set)
{
	guint32 size = 2 * set->n;
	gpointer grown;

	if (size <= set->size_order)
		return TRUE;
	if (iot_out_failed(set->out))
		return FALSE;
	grown = iot_try_realloc(set->order, size * sizeof(*set->order), "the SLOG2 tree",
				&set->out->error);
	if (!grown)
		return FALSE;
	set->order = grown;
	set->size_order = size;
	return TRUE;
}

struct iot_slog2_packed iot_slog2_previews_pack(struct iot_slog2_previews *set, gpointer to)
{
	struct iot_slog2_packed packed = { .n_weights = set->n_weights };

	if (!make_room_for_order(set))
		return packed;
	for (guint8 topology = 0; topology < IOT_SLOG2_TOPOLOGIES; topology++) {
		const guint32 *order = sort_previews(set, topology);

		for (guint32 i = 0; i < set->n_of[topology]; i++) {
			const struct iot_slog2_preview *preview =
				&set->list[set->order[order[i]].at];

			packed.n_arrows += preview->arrow;
			to = pack_preview(set, preview, to);
		}
		packed.n_of[topology] = set->n_of[topology];
	}
	return packed;
}

guint64 iot_slog2_packed_bytes(const struct iot_slog2_packed *packed)
{
	guint64 n_events = packed->n_of[IOT_SLOG2_EVENT], n_states = packed->n_of[IOT_SLOG2_STATE];

	return 2 * COUNT_BYTES + (n_events + n_states) * PREVIEW_FIXED_BYTES +
	       (n_events + packed->n_arrows + 2 * n_states) * VERTEX_BYTES +
	       (guint64)packed->n_weights * WEIGHT_BYTES;
}

static void write_weights(struct iot_out *out, const struct iot_slog2_preview *preview)
{
	const struct iot_slog2_weight *weights = iot_slog2_preview_weights(preview);
	guint64 duration = preview->t1 - preview->t0;

	for (guint32 i = 0; i < preview->n_weights; i++) {
		guint8 *p = iot_out_reserve(out, WEIGHT_BYTES);

		p = iot_put_u32(p, (guint32)weights[i].category);
		p = iot_put_f32(p, iot_slog2_ratio(weights[i].inclusive_ns, duration));
		p = iot_put_f32(p, iot_slog2_ratio(weights[i].exclusive_ns, duration));
		iot_put_u64(p, weights[i].count);
		iot_out_commit(out, WEIGHT_BYTES);
	}
}

/* The average in seconds; rounding must not leave the range. */
static double average(const struct iot_slog2_preview *preview, double sum)
{
	return CLAMP(sum / (double)preview->count, (double)preview->t0, (double)preview->t1) / 1e9;
}

static gint32 category_of(const struct iot_slog2_preview *preview)
{
	if (preview->arrow)
		return IOT_SLOG2_PREVIEW_ARROW;
	return preview->topology == IOT_SLOG2_STATE ? IOT_SLOG2_PREVIEW_STATE
						    : IOT_SLOG2_PREVIEW_EVENT;
}

void iot_slog2_preview_write(struct iot_out *out, const struct iot_slog2_preview *preview,
			     const struct iot_slog2_pair *pair)
{
	gboolean two = preview->arrow || preview->topology == IOT_SLOG2_STATE;
	guint8 *start = iot_out_reserve(out, PREVIEW_FIXED_BYTES + 2 * VERTEX_BYTES);
	guint8 *p = start;

	p = iot_put_u32(p, (guint32)category_of(preview));
	p = iot_put_u16(p, 0);
	p = iot_put_u16(p, two ? 2 : 1);
	p = iot_put_u32(iot_put_f64(p, average(preview, preview->sum0)),
			pair ? pair->from : preview->line);
	if (two)
		p = iot_put_u32(iot_put_f64(p, average(preview, preview->sum1)),
				pair ? pair->to : preview->line);
	p = iot_put_time(iot_put_time(p, preview->t0), preview->t1);
	p = iot_put_u64(p, preview->count);
	p = iot_put_u32(p, preview->n_weights);
	iot_out_commit(out, (gsize)(p - start));
	write_weights(out, preview);
}

gsize iot_slog2_previews_memory(const struct iot_slog2_previews *set)
{
	return set->size * sizeof(*set->list) + set->size_weights * sizeof(*set->weights) +
	       set->n_index * sizeof(*set->index) + set->n_weight_of * sizeof(*set->weight_of) +
	       set->size_order * sizeof(*set->order);
}
