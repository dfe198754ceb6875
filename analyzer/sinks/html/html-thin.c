/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/html/html-thin.h"

#include <string.h>

/* Sums of one step are put together when there are so many parts. */
enum { PARTS = 1 << 16 };

/* What one item adds to a step. */
struct part {
	iot_row_id row;
	iot_cat_id cat;
	guint32 lane, flags;
	guint64 n, ns;
};

struct run {
	struct iot_html_thin *thin;
	const struct iot_timeline *tl;
	struct iot_html_chunk *to;
	GArray *parts;	 /* struct part, of the step that @end_ns ends */
	guint compacted; /* that many are put together and sorted */
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

void iot_html_thin_plan(struct iot_html_thin *thin, const struct iot_aggregate *sums,
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
}

void iot_html_thin_clear(struct iot_html_thin *thin)
{
	g_clear_pointer(&thin->coarse, g_free);
}

static int compare_parts(gconstpointer pa, gconstpointer pb)
{
	const struct part *a = pa, *b = pb;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->cat != b->cat)
		return a->cat < b->cat ? -1 : 1;
	return 0;
}

/* Parts of the same row, lane and category become one. */
static void compact(struct run *run)
{
	guint n = 0;

	g_array_sort(run->parts, compare_parts);
	for (guint i = 0; i < run->parts->len; i++) {
		const struct part *part = &g_array_index(run->parts, struct part, i);
		struct part *last = n ? &g_array_index(run->parts, struct part, n - 1) : NULL;

		if (last && !compare_parts(last, part)) {
			last->n += part->n;
			last->ns += part->ns;
			last->flags |= part->flags;
		} else {
			g_array_index(run->parts, struct part, n++) = *part;
		}
	}
	g_array_set_size(run->parts, n);
	run->compacted = n;
}

static gboolean emit(struct run *run, const struct iot_item *item, GError **error)
{
	run->thin->n_items++;
	return iot_html_chunk_add(run->to, item, error);
}

/* All sums of the step so far; they end with it, and no item that follows ends before that. */
static gboolean end_step(struct run *run, GError **error)
{
	compact(run);
	for (guint i = 0; i < run->parts->len; i++) {
		const struct part *part = &g_array_index(run->parts, struct part, i);
		iot_type_id type = iot_cat_at(run->tl, part->cat)->type;
		gboolean span = iot_type_at(run->tl, type)->kind == IOT_TYPE_SPAN;
		struct iot_item item = {
			.kind = span ? IOT_ITEM_SPAN : IOT_ITEM_POINT,
			.flags = (guint16)(part->flags | IOT_HTML_MERGED),
			.lane = (guint16)part->lane,
			.type = type,
			.cat = part->cat,
			.row = part->row,
			.t0 = run->end_ns - MIN(part->ns, run->end_ns - run->thin->begin_ns),
			.t1 = run->end_ns,
			.seq = part->n,
		};

		if (!emit(run, &item, error))
			return FALSE;
	}
	g_array_set_size(run->parts, 0);
	run->compacted = 0;
	return TRUE;
}

static gboolean thin_item(const struct iot_item *item, gpointer data, GError **error)
{
	struct run *run = data;
	guint64 step = run->thin->step_ns;
	struct part part = {
		.row = item->row,
		.cat = item->cat,
		.lane = item->lane,
		.flags = item->flags & IOT_FAILED,
		.n = 1,
		.ns = item->t1 - item->t0,
	};

	run->last_ns = item->t1;
	if (item->t1 > run->end_ns) {
		if (!end_step(run, error))
			return FALSE;
		run->end_ns += (item->t1 - run->end_ns + step - 1) / step * step;
	}
	if ((item->kind != IOT_ITEM_SPAN && item->kind != IOT_ITEM_POINT) ||
	    !run->thin->coarse[item->row] || part.ns >= step)
		return emit(run, item, error);
	run->thin->n_thinned++;
	g_array_append_val(run->parts, part);
	if (run->parts->len >= run->compacted * 2 + PARTS)
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
