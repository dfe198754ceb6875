/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/html/html-thin.h"

#include <string.h>

/* Sums of one step are put together when so many parts have come. */
enum { PARTS = 4096 };
/* only links with the same ones of these flags are added up */
enum { LINK_FLAGS = IOT_BACKWARDS | IOT_FROM_UNSEEN | IOT_TO_UNSEEN };

/* The share of one item in a step. */
struct part {
	iot_row_id row, row_to;
	iot_cat_id cat;
	guint16 lane, lane_to, flags;
	guint32 n;
	guint64 ns;    /* total length of spans, greatest length of links */
	guint64 order; /* of the last item */
	gint64 value;  /* of the last sample */
};

struct run {
	struct iot_html_thin *thin;
	const struct iot_timeline *tl;
	struct iot_html_chunk *to;
	GArray *parts;	 /* struct part, of the step that @end_ns ends */
	guint compacted; /* that many are put together and sorted */
	guint64 n_items; /* of the whole page, so far */
	guint64 end_ns;
	guint64 last_ns; /* end of the last item */
};

struct candidate {
	iot_row_id unit;
	guint64 wait_ns, n_items;
};

static int compare_candidates(gconstpointer pa, gconstpointer pb)
{
	const struct candidate *a = pa, *b = pb;

	if (a->wait_ns != b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	return a->unit < b->unit ? -1 : a->unit > b->unit;
}

guint64 iot_html_thin_plan(struct iot_html_thin *thin, const struct iot_aggregate *sums,
			   const guint64 *own, guint64 keep)
{
	const struct iot_timeline *tl = sums->tl;
	g_autoptr(GArray) units = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	g_autofree guint64 *of_unit = g_new0(guint64, tl->rows.n);
	g_autofree guint8 *fits = g_new0(guint8, tl->rows.n);
	guint64 kept = 0;

	for (iot_row_id row = 0; row < tl->rows.n; row++)
		of_unit[iot_aggregate_row(sums, row)->unit] += own[row];
	for (iot_row_id unit = 0; unit < tl->rows.n; unit++) {
		struct candidate candidate = { unit, iot_aggregate_row(sums, unit)->bounded_ns,
					       of_unit[unit] };

		if (candidate.n_items)
			g_array_append_val(units, candidate);
	}
	g_array_sort(units, compare_candidates);
	for (guint i = 0; i < units->len; i++) {
		const struct candidate *candidate = &g_array_index(units, struct candidate, i);

		if (candidate->n_items > keep - kept)
			break;
		kept += candidate->n_items;
		fits[candidate->unit] = TRUE;
	}
	g_free(thin->coarse);
	thin->coarse = g_new0(guint8, tl->rows.n);
	thin->n_coarse = 0;
	for (iot_row_id row = 1; row < tl->rows.n; row++) {
		thin->coarse[row] = !fits[iot_aggregate_row(sums, row)->unit];
		thin->n_coarse += thin->coarse[row] && own[row];
	}
	return kept;
}

void iot_html_thin_clear(struct iot_html_thin *thin)
{
	g_clear_pointer(&thin->coarse, g_free);
}

static int compare_uint(guint64 a, guint64 b)
{
	return a < b ? -1 : a > b;
}

static int compare_parts(gconstpointer pa, gconstpointer pb)
{
	const struct part *a = pa, *b = pb;
	int by = compare_uint(a->row, b->row);

	by = by ? by : compare_uint(a->lane, b->lane);
	by = by ? by : compare_uint(a->cat, b->cat);
	by = by ? by : compare_uint(a->row_to, b->row_to);
	by = by ? by : compare_uint(a->lane_to, b->lane_to);
	return by ? by : compare_uint(a->flags & LINK_FLAGS, b->flags & LINK_FLAGS);
}

static enum iot_type_kind kind_of(const struct run *run, iot_cat_id cat)
{
	return iot_type_at(run->tl, iot_cat_at(run->tl, cat)->type)->kind;
}

static void add_part(const struct run *run, struct part *to, const struct part *part)
{
	to->n += part->n;
	to->flags |= part->flags;
	if (kind_of(run, to->cat) == IOT_TYPE_LINK)
		to->ns = MAX(to->ns, part->ns);
	else
		to->ns += part->ns;
	if (part->order > to->order) {
		to->order = part->order;
		to->value = part->value;
	}
}

/* Parts of the same row, lane and category become one; of links, of the same ends. */
static void compact(struct run *run)
{
	guint n = 0;

	g_array_sort(run->parts, compare_parts);
	for (guint i = 0; i < run->parts->len; i++) {
		const struct part *part = &g_array_index(run->parts, struct part, i);
		struct part *last = n ? &g_array_index(run->parts, struct part, n - 1) : NULL;

		if (last && !compare_parts(last, part))
			add_part(run, last, part);
		else
			g_array_index(run->parts, struct part, n++) = *part;
	}
	g_array_set_size(run->parts, n);
	run->compacted = n;
}

static gboolean emit(struct run *run, const struct iot_item *item, GError **error)
{
	run->thin->n_items++;
	return iot_html_chunk_add(run->to, item, error);
}

/* One item for a part; it ends with the step. */
static struct iot_item item_of(const struct run *run, const struct part *part)
{
	guint64 longest = run->end_ns - run->thin->begin_ns;
	struct iot_item item = {
		.kind = IOT_ITEM_POINT,
		.flags = part->flags | IOT_HTML_MERGED,
		.lane = part->lane,
		.type = iot_cat_at(run->tl, part->cat)->type,
		.cat = part->cat,
		.row = part->row,
		.t0 = run->end_ns - MIN(part->ns, longest),
		.t1 = run->end_ns,
		.seq = part->n,
	};

	switch (kind_of(run, part->cat)) {
	case IOT_TYPE_SPAN:
		item.kind = IOT_ITEM_SPAN;
		break;
	case IOT_TYPE_LINK:
		item.kind = IOT_ITEM_LINK;
		item.row_to = part->row_to;
		item.lane_to = part->lane_to;
		break;
	case IOT_TYPE_COUNTER:
		item.kind = IOT_ITEM_SAMPLE;
		iot_sample_set(&item, part->value, 0);
		break;
	default:
		break;
	}
	return item;
}

/* All sums of the step so far; they end with it, and no item that follows ends before that. */
static gboolean end_step(struct run *run, GError **error)
{
	compact(run);
	for (guint i = 0; i < run->parts->len; i++) {
		struct iot_item item = item_of(run, &g_array_index(run->parts, struct part, i));

		if (!emit(run, &item, error))
			return FALSE;
	}
	g_array_set_size(run->parts, 0);
	run->compacted = 0;
	return TRUE;
}

/* Gaps, spans of a step or longer, and items on rows that keep all. */
static gboolean stays(const struct run *run, const struct iot_item *item)
{
	const guint8 *coarse = run->thin->coarse;

	if (item->kind == IOT_ITEM_GAP)
		return TRUE;
	if (item->kind == IOT_ITEM_LINK)
		return !coarse[item->row] && !coarse[item->row_to];
	return !coarse[item->row] ||
	       (item->kind == IOT_ITEM_SPAN && item->t1 - item->t0 >= run->thin->step_ns);
}

static gboolean thin_item(const struct iot_item *item, gpointer data, GError **error)
{
	struct run *run = data;
	guint64 step = run->thin->step_ns;
	struct part part = {
		.row = item->row,
		.row_to = item->row_to,
		.cat = item->cat,
		.lane = item->lane,
		.lane_to = item->lane_to,
		.flags = item->flags & (IOT_FAILED | LINK_FLAGS),
		.n = 1,
		.ns = item->t1 - item->t0,
		.order = run->n_items++,
	};

	run->last_ns = item->t1;
	if (item->t1 > run->end_ns) {
		if (!end_step(run, error))
			return FALSE;
		run->end_ns += (item->t1 - run->end_ns + step - 1) / step * step;
	}
	if (stays(run, item))
		return emit(run, item, error);
	if (item->kind == IOT_ITEM_SAMPLE)
		part.value = iot_sample_value(item);
	run->thin->n_thinned++;
	g_array_append_val(run->parts, part);
	if (run->parts->len >= run->compacted + run->compacted / 2 + PARTS)
		compact(run);
	return TRUE;
}

gboolean iot_html_thin_run(struct iot_html_thin *thin, struct iot_html_chunk *from,
			   struct iot_html_chunk *to, GError **error)
{
	struct run run = {
		.thin = thin,
		.tl = iot_html_chunk_timeline(from),
		.to = to,
		.parts = g_array_new(FALSE, FALSE, sizeof(struct part)),
		.end_ns = thin->begin_ns,
	};
	gboolean ok;

	thin->n_thinned = thin->n_items = 0;
	ok = iot_html_chunk_walk(from, thin_item, &run, error);
	/* the last step ends with the recording */
	run.end_ns = MAX(run.last_ns, thin->begin_ns);
	ok = ok && end_step(&run, error);
	g_array_unref(run.parts);
	return ok;
}
