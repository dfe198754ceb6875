/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/emit.h"
#include "timeline/certainty.h"
#include "timeline/selected.h"
#include "timeline/steal.h"

struct iot_emit {
	struct iot_timeline *tl;
	guint64 from, to;
	guint64 seq;
	guint64 moved[IOT_MOVED_ATTRS]; /* values of tl->moved for the present record */
	guint32 run;			/* of the present record */
	struct iot_resequence *reseq;	/* NULL: items are only summed */
	gboolean begins;
	gboolean window_open; /* the left edge has been reached */
	gboolean late;	      /* items are selected and summed after the stages */
	/* Open spans from before the left edge, in order of begin. */
	struct iot_span *waiting, *waiting_tail;
	GPtrArray *loaded; /* of struct iot_span, until they are sorted; NULL: none */
	GError *error;
};

struct iot_emit *iot_emit_new(struct iot_timeline *tl, const struct iot_emit_config *config)
{
	struct iot_emit *emit = g_new0(struct iot_emit, 1);

	emit->tl = tl;
	emit->from = config->from_ns;
	emit->to = config->to_ns;
	if (tl->steal)
		iot_steal_set_window(tl->steal, emit->from, emit->to);
	emit->window_open = emit->from == 0;
	emit->begins = config->begins && config->func;
	emit->late = tl->selects_late;
	if (config->func)
		emit->reseq = iot_resequence_new(config->memory, config->func, config->user_data);
	return emit;
}

void iot_emit_free(struct iot_emit *emit)
{
	if (!emit)
		return;
	iot_resequence_free(emit->reseq);
	g_clear_pointer(&emit->loaded, g_ptr_array_unref);
	g_clear_error(&emit->error);
	g_free(emit);
}

void iot_emit_connect(struct iot_emit *emit, gpointer user_data)
{
	if (emit->reseq)
		iot_resequence_connect(emit->reseq, user_data);
}

void iot_emit_moved(struct iot_emit *emit, guint64 shift, guint64 round)
{
	emit->moved[IOT_MOVED_SHIFT] = shift;
	emit->moved[IOT_MOVED_ROUND] = round;
}

void iot_emit_run(struct iot_emit *emit, guint32 run)
{
	emit->run = run;
}

static void mark_moved(const struct iot_emit *emit, struct iot_item *item)
{
	const struct iot_type *type;

	if (G_LIKELY(!emit->tl->moves) || !item->n_attrs)
		return;
	type = iot_type_at(emit->tl, item->type);
	for (guint i = 0; i < IOT_MOVED_ATTRS; i++)
		if (type->moved[i])
			item->attr[type->moved[i] - 1].u = emit->moved[i];
}

static void mark_stolen(const struct iot_emit *emit, struct iot_item *item)
{
	if (G_UNLIKELY(emit->tl->steal))
		iot_steal_mark(emit->tl->steal, item, emit->run);
}

static gboolean wants_items(const struct iot_emit *emit)
{
	return emit->reseq && G_LIKELY(!emit->error);
}

static void push(struct iot_emit *emit, struct iot_item *item, enum iot_item_kind kind, guint64 seq)
{
	if (!wants_items(emit))
		return;
	item->kind = (guint8)kind;
	item->seq = seq;
	mark_moved(emit, item);
	iot_resequence_push(emit->reseq, item, &emit->error);
}

static gboolean in_window(const struct iot_emit *emit, guint64 t)
{
	return t >= emit->from && t <= emit->to;
}

static void emit_instant(struct iot_emit *emit, struct iot_item *item, enum iot_item_kind kind)
{
	struct iot_row *row = iot_row_at(emit->tl, item->row);
	guint64 seq = emit->seq++;

	item->t1 = item->t0;
	item->kind = (guint8)kind;
	if (!in_window(emit, item->t0) || row->silent)
		return;
	if (!emit->late)
		iot_row_sums_add(emit->tl, row, item);
	push(emit, item, kind, seq);
}

void iot_emit_point(struct iot_emit *emit, struct iot_item *item)
{
	emit_instant(emit, item, IOT_ITEM_POINT);
}

void iot_emit_sample(struct iot_emit *emit, struct iot_item *item)
{
	emit_instant(emit, item, IOT_ITEM_SAMPLE);
}

/* Count the link for the two nodes that it ties, if it ties two. */
static void judge_link(struct iot_timeline *tl, const struct iot_item *item)
{
	iot_row_id from = iot_row_node(tl, item->row), to = iot_row_node(tl, item->row_to);

	if (tl->clocks && from && to &&
	    !iot_clocks_link(tl->clocks, iot_row_at(tl, from)->name, iot_link_from(item),
			     iot_row_at(tl, to)->name, iot_link_to(item)))
		iot_diag_add(&tl->diag, IOT_DIAG_clock_contradicted, 1);
}

void iot_emit_link(struct iot_emit *emit, struct iot_item *item)
{
	guint64 seq = emit->seq++;

	if (!in_window(emit, item->t1))
		return;
	/* also a link between rows that are not selected: clocks have no rows */
	if (!iot_link_is_stub(item))
		judge_link(emit->tl, item);
	if ((!emit->late && !iot_link_select(emit->tl, item)))
		return;
	if (item->t0 < emit->from) {
		item->t0 = emit->from;
		item->flags |= IOT_CUT_LEFT;
	}
	push(emit, item, IOT_ITEM_LINK, seq);
}

static gboolean cut(const struct iot_emit *emit, struct iot_item *item)
{
	if (item->t1 < emit->from || item->t0 > emit->to ||
	    (item->t0 < item->t1 && (item->t1 == emit->from || item->t0 == emit->to)))
		return FALSE;
	if (item->t0 < emit->from) {
		item->t0 = emit->from;
		item->flags |= IOT_CUT_LEFT;
	}
	if (item->t1 > emit->to) {
		item->t1 = emit->to;
		item->flags |= IOT_CUT_RIGHT;
		item->flags &= (guint16)~IOT_UNFINISHED;
	}
	return TRUE;
}

/* Cut to the window; FALSE if nothing is left. A span that only touches the window is outside. */
static inline gboolean clip(const struct iot_emit *emit, struct iot_item *item)
{
	/* fast path: wholly in the window; slow path: cut() */
	return (G_LIKELY(item->t0 >= emit->from && item->t1 <= emit->to) && !iot_slow_only()) ||
	       cut(emit, item);
}

void iot_emit_gap(struct iot_emit *emit, struct iot_item *item)
{
	guint64 seq = emit->seq++;

	if (!clip(emit, item))
		return;
	push(emit, item, IOT_ITEM_GAP, seq);
}

static void waiting_remove(struct iot_emit *emit, struct iot_span *span)
{
	if (span->prev)
		span->prev->next = span->next;
	else if (emit->waiting == span)
		emit->waiting = span->next;
	else
		return;
	if (span->next)
		span->next->prev = span->prev;
	else
		emit->waiting_tail = span->prev;
	span->prev = span->next = NULL;
}

static void push_begin(struct iot_emit *emit, struct iot_span *span)
{
	struct iot_item item = span->item;

	span->begun = TRUE;
	item.t1 = item.t0 = MAX(item.t0, emit->from);
	if (span->item.t0 < emit->from)
		item.flags |= IOT_CUT_LEFT;
	push(emit, &item, IOT_ITEM_SPAN_BEGIN, item.seq);
}

static void waiting_append(struct iot_emit *emit, struct iot_span *span)
{
	span->prev = emit->waiting_tail;
	span->next = NULL;
	if (emit->waiting_tail)
		emit->waiting_tail->next = span;
	else
		emit->waiting = span;
	emit->waiting_tail = span;
}

guint64 iot_emit_reserve(struct iot_emit *emit, guint64 t0)
{
	/* fast path: a begin slot; slow path: the begin is an item of its own */
	return emit->begins && !iot_slow_only() ? iot_resequence_reserve(emit->reseq, t0) : 0;
}

void iot_emit_begin(struct iot_emit *emit, struct iot_span *span)
{
	struct iot_item *item = &span->item;

	span->open = TRUE;
	span->begun = FALSE;
	span->prev = span->next = NULL;
	/* also before the window: the number orders the spans that wait for its left edge */
	item->seq = emit->seq++;
	if (G_UNLIKELY(emit->tl->steal))
		iot_steal_state(emit->tl->steal, item, item->t0, TRUE);
	if (!emit->begins || iot_row_at(emit->tl, item->row)->silent || item->t0 >= emit->to)
		return;
	if (emit->window_open || item->t0 >= emit->from)
		push_begin(emit, span);
	else
		waiting_append(emit, span);
}

static void close_item(struct iot_item *item, guint64 t1, guint flags)
{
	item->t1 = MAX(t1, item->t0);
	item->flags |= (guint16)flags;
	item->kind = IOT_ITEM_SPAN;
}

/* Drop the facts from an end after the window: whether that end is read depends on other inputs. */
static void forget_end(const struct iot_emit *emit, struct iot_item *item, guint16 flags_before)
{
	const struct iot_type *type = iot_type_at(emit->tl, item->type);

	item->flags &= flags_before | IOT_CUT_LEFT | IOT_CUT_RIGHT;
	for (guint i = 0; i < type->n_attrs; i++)
		if (type->attr[i].late && i + 1 != type->leaving)
			item->attr[i].u = 0;
}

void iot_emit_end(struct iot_emit *emit, struct iot_span *span, guint64 t1, guint flags)
{
	struct iot_item item = span->item;
	struct iot_row *row;
	guint64 seq;

	if (!span->open)
		return;
	span->open = FALSE;
	waiting_remove(emit, span);
	seq = emit->seq++;
	row = iot_row_at(emit->tl, item.row);
	close_item(&item, t1, flags);
	if (G_UNLIKELY(emit->tl->steal))
		iot_steal_state(emit->tl->steal, &item, item.t1, FALSE);
	if (row->silent || !clip(emit, &item)) {
		g_assert(!span->begun || row->silent);
		return;
	}
	if (G_UNLIKELY(item.flags & IOT_CUT_RIGHT))
		forget_end(emit, &item, span->item.flags);
	mark_stolen(emit, &item);
	if (!emit->late)
		iot_row_sums_add(emit->tl, row, &item);
	if (emit->begins && !span->begun)
		push_begin(emit, span);
	push(emit, &item, IOT_ITEM_SPAN, seq);
}

void iot_emit_span(struct iot_emit *emit, struct iot_item *item, guint64 slot, guint64 t1,
		   guint flags)
{
	struct iot_row *row = iot_row_at(emit->tl, item->row);
	guint16 begin_flags = item->flags;

	item->seq = emit->seq + 1; /* the begin is numbered emit->seq */
	emit->seq += 2;
	close_item(item, t1, flags);
	if (row->silent || !clip(emit, item))
		return;
	if (!emit->late)
		iot_row_sums_add(emit->tl, row, item);
	if (!wants_items(emit))
		return;
	mark_moved(emit, item);
	mark_stolen(emit, item);
	if (emit->begins)
		iot_resequence_push_whole(emit->reseq, item,
					  begin_flags | (item->flags & IOT_CUT_LEFT), slot,
					  &emit->error);
	else
		iot_resequence_push(emit->reseq, item, &emit->error);
}

/* At the left edge of the window, the open spans begin, outer spans first. */
static void open_window(struct iot_emit *emit)
{
	emit->window_open = TRUE;
	while (emit->waiting) {
		struct iot_span *span = emit->waiting;

		waiting_remove(emit, span);
		push_begin(emit, span);
	}
}

gboolean iot_emit_advance(struct iot_emit *emit, guint64 watermark_ns, GError **error)
{
	if (!emit->window_open && watermark_ns > emit->from)
		open_window(emit);
	if (emit->reseq && !emit->error)
		iot_resequence_release(emit->reseq, watermark_ns, &emit->error);
	if (!emit->error)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&emit->error));
	return FALSE;
}

gboolean iot_emit_finish(struct iot_emit *emit, GError **error)
{
	if (!emit->late)
		iot_row_sums_finish(emit->tl);
	return iot_emit_advance(emit, G_MAXUINT64, error);
}

guint64 iot_emit_spilled(const struct iot_emit *emit)
{
	return emit->reseq ? iot_resequence_spilled(emit->reseq) : 0;
}

gsize iot_emit_memory(const struct iot_emit *emit)
{
	return emit->reseq ? iot_resequence_memory(emit->reseq) : 0;
}

guint64 iot_emit_items(const struct iot_emit *emit)
{
	return emit->seq;
}

void iot_emit_leaving(const struct iot_emit *emit, struct iot_span *hold, guint64 t0, guint64 t1)
{
	const struct iot_type *type = iot_type_at(emit->tl, hold->item.type);
	guint64 from = MAX(MAX(t0, hold->item.t0), emit->from), to = MIN(t1, emit->to);

	if (hold->open && type->leaving && from < to)
		hold->item.attr[type->leaving - 1].u += to - from;
}

guint64 iot_emit_to(const struct iot_emit *emit)
{
	return emit->to;
}

void iot_emit_save(const struct iot_emit *emit, GByteArray *out)
{
	iot_pack_uint(out, emit->seq);
}

gboolean iot_emit_load(struct iot_emit *emit, struct iot_unpack *in)
{
	emit->seq = iot_unpack_uint(in, G_MAXINT64);
	return !in->bad;
}

void iot_span_save(const struct iot_span *span, GByteArray *out)
{
	const struct iot_item *item = &span->item;

	iot_pack_uint(out, span->open);
	if (!span->open)
		return;
	iot_pack_uint(out, item->flags);
	iot_pack_uint(out, item->lane);
	iot_pack_uint(out, item->type);
	iot_pack_uint(out, item->cat);
	iot_pack_uint(out, item->row);
	iot_pack_uint(out, item->t0);
	iot_pack_uint(out, item->seq);
	iot_pack_uint(out, item->asks);
	for (guint i = 0; i < item->n_attrs; i++)
		iot_pack_uint(out, item->attr[i].u);
}

static void load_attrs(const struct iot_emit *emit, struct iot_item *item, struct iot_unpack *in)
{
	const struct iot_type *type = iot_type_at(emit->tl, item->type);

	item->n_attrs = (guint8)type->n_attrs;
	for (guint i = 0; i < type->n_attrs; i++)
		item->attr[i].u = type->attr[i].format == IOT_ATTR_STR
					  ? iot_timeline_load_text(emit->tl, in)
					  : iot_unpack_uint(in, G_MAXUINT64);
	/* the window begins after the checkpoint */
	if (type->leaving)
		item->attr[type->leaving - 1].u = 0;
}

static gboolean load_item(const struct iot_emit *emit, struct iot_item *item, struct iot_unpack *in)
{
	const struct iot_timeline *tl = emit->tl;

	item->flags = (guint16)iot_unpack_uint(in, G_MAXUINT16);
	item->lane = (guint16)iot_unpack_uint(in, G_MAXUINT16);
	item->type = (iot_type_id)iot_unpack_uint(in, tl->types.n - 1);
	item->cat = (iot_cat_id)iot_unpack_uint(in, tl->cats.n - 1);
	item->row = (iot_row_id)iot_unpack_uint(in, tl->rows.n - 1);
	item->t0 = iot_unpack_uint(in, emit->from - 1);
	item->seq = iot_unpack_uint(in, emit->seq);
	item->asks = (iot_cat_id)iot_unpack_uint(in, tl->cats.n - 1);
	if (in->bad || !item->type || !item->cat || !item->row ||
	    iot_cat_at(tl, item->cat)->type != item->type ||
	    iot_type_at(tl, item->type)->kind != IOT_TYPE_SPAN ||
	    iot_type_at(tl, item->type)->on != iot_row_at(tl, item->row)->type ||
	    item->lane >= iot_row_at(tl, item->row)->n_lanes ||
	    (item->asks && !iot_cat_at(tl, item->asks)->mode))
		return iot_unpack_fail(in);
	load_attrs(emit, item, in);
	return !in->bad;
}

gboolean iot_emit_load_span(struct iot_emit *emit, struct iot_span *span, struct iot_unpack *in)
{
	gboolean open = (gboolean)iot_unpack_uint(in, 1);

	if (in->bad || !emit->from || emit->window_open)
		return iot_unpack_fail(in);
	if (!open)
		return TRUE;
	if (!load_item(emit, &span->item, in))
		return FALSE;
	span->open = TRUE;
	if (emit->tl->steal)
		iot_steal_state(emit->tl->steal, &span->item, span->item.t0, TRUE);
	if (!emit->loaded)
		emit->loaded = g_ptr_array_new();
	g_ptr_array_add(emit->loaded, span);
	return TRUE;
}

static gint compare_seq(gconstpointer pa, gconstpointer pb)
{
	const struct iot_span *a = *(const struct iot_span *const *)pa;
	const struct iot_span *b = *(const struct iot_span *const *)pb;

	return a->item.seq < b->item.seq ? -1 : a->item.seq > b->item.seq;
}

void iot_emit_loaded(struct iot_emit *emit)
{
	if (!emit->loaded)
		return;
	g_ptr_array_sort(emit->loaded, compare_seq);
	for (guint i = 0; i < emit->loaded->len; i++) {
		struct iot_span *span = emit->loaded->pdata[i];

		if (emit->begins && !iot_row_at(emit->tl, span->item.row)->silent)
			waiting_append(emit, span);
	}
	g_clear_pointer(&emit->loaded, g_ptr_array_unref);
}
