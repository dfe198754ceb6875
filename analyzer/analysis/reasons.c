/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/reasons.h"

#include <string.h>

/* Ended spans that are kept; more are added up. Intervals without a reason that are kept. */
enum { MAX_ENDED = 1024, MAX_FREE = 4096 };

/* A span in which the machine is stolen: no reason of its own. */
enum { STOLEN = IOT_N_REASONS };

struct reason_span {
	guint64 t0, t1; /* t1 is G_MAXUINT64 while it is open */
	iot_row_id row;
	iot_type_id type;
	guint16 lane;
	guint8 reason;
};

struct edge {
	guint64 t;
	guint8 reason;
	gint8 change;
};

struct iot_reasons {
	GArray *open, *ended; /* struct reason_span */
	GArray *free;	      /* struct iot_free_time; NULL: nobody asks */
	gboolean in_call;
	guint64 done; /* the time of the call up to here is in the sums */
	guint64 ns[IOT_N_REASONS + 1];
};

struct iot_reasons *iot_reasons_new(gboolean keeps_free)
{
	struct iot_reasons *reasons = g_new0(struct iot_reasons, 1);

	reasons->open = g_array_new(FALSE, FALSE, sizeof(struct reason_span));
	reasons->ended = g_array_new(FALSE, FALSE, sizeof(struct reason_span));
	if (keeps_free)
		reasons->free = g_array_new(FALSE, FALSE, sizeof(struct iot_free_time));
	return reasons;
}

void iot_reasons_free(struct iot_reasons *reasons)
{
	if (!reasons)
		return;
	g_array_unref(reasons->open);
	g_array_unref(reasons->ended);
	g_clear_pointer(&reasons->free, g_array_unref);
	g_free(reasons);
}

gboolean iot_reasons_is_idle(const struct iot_reasons *reasons)
{
	return !reasons->in_call && !reasons->open->len;
}

static void add_edges(const struct iot_reasons *reasons, const GArray *spans, guint64 until,
		      GArray *edges)
{
	for (guint i = 0; i < spans->len; i++) {
		const struct reason_span *span = &g_array_index(spans, struct reason_span, i);
		struct edge edge = { MAX(span->t0, reasons->done), span->reason, 1 };

		if (edge.t >= MIN(span->t1, until))
			continue;
		g_array_append_val(edges, edge);
		edge.t = MIN(span->t1, until);
		edge.change = -1;
		g_array_append_val(edges, edge);
	}
}

static gint by_time(gconstpointer pa, gconstpointer pb)
{
	const struct edge *a = pa, *b = pb;

	return (a->t > b->t) - (a->t < b->t);
}

static void add_free(struct iot_reasons *reasons, guint64 t0, guint64 t1)
{
	GArray *free = reasons->free;
	struct iot_free_time new = { t0, t1 };
	struct iot_free_time *last =
		free->len ? &g_array_index(free, struct iot_free_time, free->len - 1) : NULL;

	if (last && last->t1 == t0)
		last->t1 = t1;
	else if (t0 < t1 && free->len < MAX_FREE)
		g_array_append_val(free, new);
}

/* Add the time from done to @until to the sums. */
static void add_up(struct iot_reasons *reasons, guint64 until)
{
	g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(struct edge));
	guint n_open[STOLEN + 1] = { 0 };
	guint64 from = reasons->done;

	until = MAX(until, reasons->done);
	add_edges(reasons, reasons->ended, until, edges);
	add_edges(reasons, reasons->open, until, edges);
	g_array_sort(edges, by_time);
	for (guint i = 0; i <= edges->len; i++) {
		const struct edge *edge =
			i < edges->len ? &g_array_index(edges, struct edge, i) : NULL;
		guint64 to = edge ? edge->t : until;
		guint reason = 0;

		while (reason < IOT_N_REASONS && !n_open[reason])
			reason++;
		if (n_open[STOLEN] && (reason == IOT_REASON_RUNNABLE || reason == IOT_REASON_OWN))
			reason = IOT_REASON_HOST;
		reasons->ns[reason] += to - from;
		if (reasons->free && reason == IOT_REASON_NONE)
			add_free(reasons, from, to);
		from = to;
		if (edge)
			n_open[edge->reason] += (guint)edge->change;
	}
	reasons->done = until;
	g_array_set_size(reasons->ended, 0);
}

static gboolean take_open(struct iot_reasons *reasons, const struct iot_item *item,
			  struct reason_span *out)
{
	for (guint i = reasons->open->len; i; i--) {
		*out = g_array_index(reasons->open, struct reason_span, i - 1);
		if (out->row != item->row || out->lane != item->lane || out->type != item->type ||
		    out->t0 != item->t0)
			continue;
		g_array_remove_index_fast(reasons->open, i - 1);
		return TRUE;
	}
	return FALSE;
}

static void end_span(struct iot_reasons *reasons, struct reason_span *span, guint64 t1)
{
	span->t1 = t1;
	g_array_append_val(reasons->ended, *span);
	if (reasons->ended->len >= MAX_ENDED)
		add_up(reasons, t1);
}

void iot_reasons_span(struct iot_reasons *reasons, const struct iot_item *item,
		      enum iot_reason reason)
{
	struct reason_span span = { .t0 = item->t0,
				    .t1 = G_MAXUINT64,
				    .row = item->row,
				    .type = item->type,
				    .lane = item->lane,
				    .reason = (guint8)reason };

	if (item->kind == IOT_ITEM_SPAN_BEGIN && reason == IOT_REASON_NONE)
		return;
	if (item->kind == IOT_ITEM_SPAN_BEGIN) {
		g_array_append_val(reasons->open, span);
		return;
	}
	if (!take_open(reasons, item, &span) || !reasons->in_call || reason == IOT_REASON_NONE)
		return;
	end_span(reasons, &span, item->t1);
}

void iot_reasons_stolen(struct iot_reasons *reasons, guint64 t, gboolean begins)
{
	struct reason_span span = { .t0 = t, .t1 = G_MAXUINT64, .reason = STOLEN };

	if (begins) {
		g_array_append_val(reasons->open, span);
		return;
	}
	for (guint i = reasons->open->len; i; i--) {
		span = g_array_index(reasons->open, struct reason_span, i - 1);
		if (span.reason != STOLEN)
			continue;
		g_array_remove_index_fast(reasons->open, i - 1);
		end_span(reasons, &span, t);
		return;
	}
}

void iot_reasons_call(struct iot_reasons *reasons, guint64 t0)
{
	reasons->in_call = TRUE;
	reasons->done = t0;
	if (reasons->free)
		g_array_set_size(reasons->free, 0);
	memset(reasons->ns, 0, sizeof(reasons->ns));
}

void iot_reasons_end(struct iot_reasons *reasons, guint64 t1, guint64 *out_ns)
{
	add_up(reasons, t1);
	iot_reasons_stolen(reasons, t1, FALSE);
	g_array_set_size(reasons->ended, 0);
	memcpy(out_ns, reasons->ns, sizeof(reasons->ns));
	reasons->in_call = FALSE;
}

const GArray *iot_reasons_free_time(const struct iot_reasons *reasons)
{
	return reasons->free;
}
