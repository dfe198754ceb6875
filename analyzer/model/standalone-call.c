/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/standalone-call.h"
#include "model/asks.h"
#include "model/hook-run.h"
#include "model/link.h"
#include "model/pair.h"
#include "model/point.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/setter.h"
#include "model/ties.h"
#include "model/values.h"
#include "base/hashset.h"

#include <string.h>

/* Joins the start and the end of a call. */
struct call_id {
	struct iot_pair *pair;
	guint32 input;
	guint64 hash, key[IOT_MAX_KEYS];
};

struct open_call {
	struct call_id id;
	/* begin slot of its spans (iot_emit_reserve) */
	guint64 place;
	/* all open calls, by start */
	struct open_call *older, *newer;
	/* ends of links at its start; NULL: none */
	struct iot_link_end *links;
	/* position in the saved state */
	guint64 saved;
	/* copy; its slots follow */
	struct iot_rec start;
};

struct iot_standalone_calls {
	/* of struct open_call */
	struct iot_hashset open;
	struct open_call *oldest, *newest;
	/* for reuse, with room for any record; linked by newer */
	struct open_call *spare;
};

/* How a call ends. */
struct ending {
	/* NULL: the end was not seen */
	const struct iot_rec *rec;
	/* number of the end event in the pair, from 1; 0: the end was not seen */
	guint number;
	guint64 t1;
	/* of the spans and points */
	guint16 flags;
};

static void set_hash(struct call_id *id)
{
	id->hash = iot_hash_keys(id->pair->number << 32 | id->input, id->key, id->pair->n_keys);
}

static inline struct open_call *find_call(const struct iot_standalone_calls *calls,
					  const struct call_id *id)
{
	guint at = iot_hashset_first(&calls->open, id->hash);
	struct open_call *call;

	while ((call = iot_hashset_next(&calls->open, id->hash, &at)) &&
	       (call->id.pair != id->pair || call->id.input != id->input ||
		memcmp(call->id.key, id->key, id->pair->n_keys * sizeof(*id->key))))
		;
	return call;
}

struct iot_standalone_calls *iot_standalone_calls_new(void)
{
	struct iot_standalone_calls *calls = g_new0(struct iot_standalone_calls, 1);

	iot_hashset_init(&calls->open);
	return calls;
}

static void free_list(struct open_call *call)
{
	while (call) {
		struct open_call *next = call->newer;

		g_free(call);
		call = next;
	}
}

void iot_standalone_calls_free(struct iot_standalone_calls *calls)
{
	iot_hashset_clear(&calls->open);
	free_list(calls->oldest);
	free_list(calls->spare);
	g_free(calls);
}

guint64 iot_standalone_calls_oldest(const struct iot_standalone_calls *calls)
{
	return calls->oldest ? calls->oldest->start.ts : G_MAXUINT64;
}

/* ---- drawing */

/* A call that is being drawn. */
struct drawing {
	struct iot_model *model;
	const struct open_call *call;
	const struct ending *ending;
	struct iot_eval eval;
};

static void draw_state(const struct drawing *d, struct iot_state *state)
{
	const struct iot_eval *eval = &d->eval;
	struct iot_model *model = d->model;
	struct iot_item *item = &state->item;
	guint16 flags = d->ending->flags;
	guint64 t0 = d->call->start.ts, t1 = d->ending->t1;
	iot_row_id row;

	if (state->when && !iot_expr_eval(state->when, eval))
		return;
	row = iot_row_path_find(model, state->path, eval);
	/* categories and lanes must not depend on the selection */
	item->cat = iot_values_cat(model, state->values, iot_template_eval(state->value, eval));
	item->row = row;
	item->lane = iot_lanes_assign(model->lanes, row, t0, t1);
	state->placed = eval->number;
	if (iot_row_at(model->tl, row)->silent)
		return;
	item->t0 = t0;
	item->flags = 0;
	if (state->failed && iot_expr_eval(state->failed, eval))
		flags |= IOT_FAILED;
	if (state->asks)
		item->asks = iot_asks_mode(model->tl, d->call->id.pair, state->values, eval);
	iot_setter_apply(&state->set.all, eval, item);
	iot_emit_span(model->emit, item, d->call->place, t1, flags);
}

/* Set the lane of the call on that row: its points are drawn at its state. FALSE if it has none. */
static gboolean find_lane(const struct drawing *d, struct iot_point_at *at)
{
	const struct iot_pair *pair = d->call->id.pair;

	for (guint i = pair->states->len; i-- > 0;) {
		const struct iot_state *state = pair->states->pdata[i];

		if (state->placed != d->eval.number || state->item.row != at->row)
			continue;
		at->lane = state->item.lane;
		return TRUE;
	}
	return FALSE;
}

static void draw_point(const struct drawing *d, const struct iot_point *point)
{
	struct iot_point_at at = { .t = d->call->start.ts, .flags = d->ending->flags };

	if (point->when && !iot_expr_eval(point->when, &d->eval))
		return;
	at.row = iot_row_path_find(d->model, point->path, &d->eval);
	if (!find_lane(d, &at))
		iot_lanes_mark_used(d->model->lanes, at.row, at.t);
	iot_point_draw(d->model, point, &d->eval, &at);
}

static void draw(struct iot_model *model, const struct open_call *call, const struct ending *ending)
{
	const struct iot_pair *pair = call->id.pair;
	const struct iot_rec *end = ending->rec;
	struct drawing d;

	d.model = model;
	d.call = call;
	d.ending = ending;
	iot_eval_init(model, &d.eval, call->id.input, &call->start, end, NULL);
	d.eval.call = pair->name_str;
	d.eval.end = ending->number;
	if (end && pair->hooks.changes)
		iot_hooks_run(model, pair->hooks.changes, &d.eval, end->ts);
	for (guint i = 0; i < pair->states->len; i++)
		draw_state(&d, pair->states->pdata[i]);
	for (guint i = 0; i < pair->points->len; i++)
		draw_point(&d, pair->points->pdata[i]);
	if (pair->link_starts || pair->link_ends)
		iot_links_call_drawn(
			&(struct iot_link_call){ call->id.pair, &d.eval, call->links, ending->t1 });
	if (end && pair->hooks.drops)
		iot_hooks_run(model, pair->hooks.drops, &d.eval, end->ts);
	if (end && pair->hooks.pops)
		iot_hooks_run(model, pair->hooks.pops, &d.eval, end->ts);
}

guint64 iot_standalone_call_saved(gconstpointer call)
{
	return ((const struct open_call *)call)->saved;
}

struct iot_link_end **iot_standalone_call_links(gpointer call)
{
	return &((struct open_call *)call)->links;
}

guint16 iot_standalone_call_lane(const struct iot_pair *pair, const struct iot_eval *eval,
				 iot_row_id row)
{
	for (guint i = pair->states->len; i-- > 0;) {
		const struct iot_state *state = pair->states->pdata[i];

		if (state->placed == eval->number && state->item.row == row)
			return state->item.lane;
	}
	return 0;
}

/* ---- open calls */

static void release(struct iot_standalone_calls *calls, struct open_call *call)
{
	call->newer = calls->spare;
	calls->spare = call;
}

static void close_call(struct iot_model *model, struct open_call *call, const struct ending *ending)
{
	struct iot_standalone_calls *calls = model->calls;

	iot_hashset_remove(&calls->open, call->id.hash, call);
	*(call->older ? &call->older->newer : &calls->oldest) = call->newer;
	*(call->newer ? &call->newer->older : &calls->newest) = call->older;
	draw(model, call, ending);
	release(calls, call);
}

static struct open_call *alloc_call(struct iot_standalone_calls *calls)
{
	struct open_call *call = calls->spare;

	if (!call)
		return g_malloc(sizeof(*call) + IOT_MAX_SLOTS * sizeof(union iot_val));
	calls->spare = call->newer;
	return call;
}

static void link_call(struct iot_standalone_calls *calls, struct open_call *call)
{
	iot_hashset_add(&calls->open, call->id.hash, call);
	call->older = calls->newest;
	call->newer = NULL;
	*(calls->newest ? &calls->newest->newer : &calls->oldest) = call;
	calls->newest = call;
}

static void open_call(struct iot_model *model, const struct call_id *id, const struct iot_rec *rec)
{
	struct iot_standalone_calls *calls = model->calls;
	struct open_call *call;

	if (calls->open.n >= model->max_open) {
		iot_diag_add(model->diag, IOT_DIAG_open_evicted, 1);
		close_call(model, calls->oldest,
			   &(struct ending){ .t1 = rec->ts, .flags = IOT_UNFINISHED });
	}
	call = alloc_call(calls);
	call->id = *id;
	memcpy(&call->start, rec, iot_rec_size(rec->event));
	call->place = iot_emit_reserve(model->emit, rec->ts);
	call->links = NULL;
	link_call(calls, call);
	if (G_UNLIKELY(id->pair->link_starts))
		call->links = iot_links_call_starts(model, id->pair, rec, call);
}

/* The call of a start or an end. Fast path: keys that are fields or @pid need no scope. */
static void set_id(struct iot_model *model, const struct iot_event_role *role,
		   const struct iot_rec *rec, struct call_id *out)
{
	struct iot_pair *pair = role->pair;
	gboolean at_end = role->part == IOT_PART_END;
	const gint8 *slot = at_end ? pair->ends[role->end].slot : pair->start_slot;
	struct iot_eval eval;

	out->pair = pair;
	out->input = rec->event->input;
	if (G_UNLIKELY(!pair->plain_keys)) {
		iot_eval_init(model, &eval, out->input, rec, NULL, NULL);
		iot_pair_key(role, &eval, out->key);
	} else {
		memset(out->key, 0, sizeof(out->key));
		for (gsize i = 0; i < pair->n_keys; i++)
			out->key[i] = slot[i] < 0 ? (guint64)rec->pid : rec->slot[slot[i]].u;
	}
	set_hash(out);
}

/* Not inlined into the reading loop, so that each has enough registers. */
G_GNUC_NO_INLINE void iot_standalone_calls_event(struct iot_model *model,
						 struct iot_event_role *role,
						 const struct iot_rec *rec)
{
	gboolean at_end = role->part == IOT_PART_END;
	struct iot_rec_room room;
	struct open_call *call;
	struct call_id id;

	set_id(model, role, rec, &id);
	call = find_call(model->calls, &id);
	/* an end without a start, or a start of an open call */
	if (G_UNLIKELY(at_end == (call == NULL)) && (at_end || !role->pair->start_again) &&
	    iot_tie_waits(model, role, rec, at_end ? IOT_NOT_STARTED : IOT_NOT_ENDED))
		return;
	if (at_end && call) {
		rec = iot_pair_end_record(model, role, rec, &room);
		close_call(model, call, &(struct ending){ rec, role->end + 1, rec->ts, 0 });
	} else if (at_end) {
		if (!role->pair->lone_ends)
			iot_diag_add(model->diag, IOT_DIAG_pair_end_without_start, 1);
	} else if (!call || !role->pair->start_again) {
		if (call) {
			iot_diag_add(model->diag, IOT_DIAG_call_restarted, 1);
			close_call(model, call,
				   &(struct ending){ .t1 = rec->ts, .flags = IOT_UNFINISHED });
		}
		open_call(model, &id, rec);
	}
}

void iot_standalone_calls_gap(struct iot_model *model, guint input, guint64 ts)
{
	struct open_call *next;

	for (struct open_call *call = model->calls->oldest; call; call = next) {
		next = call->newer;
		if (call->id.input != input)
			continue;
		iot_diag_add(model->diag, IOT_DIAG_call_closed_by_gap, 1);
		close_call(model, call,
			   &(struct ending){ .t1 = MAX(ts, call->start.ts), .flags = IOT_SUSPECT });
	}
}

void iot_standalone_calls_finish(struct iot_model *model, guint64 ts, gboolean at_end)
{
	struct open_call *call;

	while ((call = model->calls->oldest)) {
		if (at_end)
			iot_diag_add(model->diag, IOT_DIAG_pair_start_without_end, 1);
		close_call(
			model, call,
			&(struct ending){ .t1 = MAX(ts, call->start.ts), .flags = IOT_UNFINISHED });
	}
}

/* ---- saved state */

void iot_standalone_calls_save(struct iot_saver *s)
{
	const struct iot_standalone_calls *calls = s->model->calls;
	guint64 n = 0;

	iot_pack_uint(s->out, calls->open.n);
	for (struct open_call *call = calls->oldest; call; call = call->newer) {
		call->saved = n++;
		iot_pack_uint(s->out, call->id.pair->number);
		iot_save_key(s, call->id.key);
		iot_save_rec(s, &call->start);
	}
}

static gboolean load_call(struct iot_loader *l)
{
	struct iot_model *model = l->model;
	struct iot_standalone_calls *calls = model->calls;
	guint64 number = model->pairs->len ? iot_unpack_uint(l->in, model->pairs->len - 1) : 0;
	struct open_call *call;
	const struct iot_event *event;

	if (!model->pairs->len)
		return iot_unpack_fail(l->in);
	call = alloc_call(calls);
	call->id.pair = model->pairs->pdata[number];
	call->place = 0;
	iot_load_key(l, call->id.key);
	event = iot_load_event(l);
	iot_load_rec(l, event, &call->start);
	if (l->in->bad || call->id.pair->of || event->index != call->id.pair->start->index ||
	    (calls->newest && calls->newest->start.ts > call->start.ts)) {
		release(calls, call);
		return iot_unpack_fail(l->in);
	}
	call->id.input = event->input;
	set_hash(&call->id);
	if (find_call(calls, &call->id)) {
		release(calls, call);
		return iot_unpack_fail(l->in);
	}
	call->links = NULL;
	link_call(calls, call);
	g_ptr_array_add(l->standalone, call);
	return TRUE;
}

gboolean iot_standalone_calls_load(struct iot_loader *l)
{
	for (guint32 n = iot_unpack_count(l->in); n; n--)
		if (!load_call(l))
			return FALSE;
	return !l->in->bad;
}

gsize iot_standalone_calls_memory(const struct iot_standalone_calls *calls)
{
	gsize n = 0;

	for (const struct open_call *call = calls->oldest; call; call = call->newer)
		n++;
	for (const struct open_call *call = calls->spare; call; call = call->newer)
		n++;
	return iot_hashset_memory(&calls->open) +
	       n * (sizeof(struct open_call) + IOT_MAX_SLOTS * sizeof(union iot_val));
}
