/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that stand alone: a [pair] without an object. A call is drawn when it has ended, because
 * its row, its category and its attributes may depend on its end; so the oldest open call holds the
 * watermark. Calls that overlap on a row get lanes.
 */
#include "model/model-local.h"

#include <string.h>

enum { N_BUCKETS = 1024 };

struct open_call {
	struct iot_pair *pair;
	guint64 key[IOT_MAX_KEYS];
	guint64 hash;
	struct open_call *chain;	 /* hash bucket */
	struct open_call *older, *newer; /* all, by start */
	struct iot_rec start;		 /* copy; its slots follow */
};

struct iot_calls {
	struct open_call *buckets[N_BUCKETS];
	struct open_call *oldest, *newest;
	guint n;
	struct open_call *spare; /* of the greatest size */
};

struct iot_calls *iot_calls_new(void)
{
	return g_new0(struct iot_calls, 1);
}

void iot_calls_free(struct iot_calls *calls)
{
	struct open_call *next;

	for (struct open_call *call = calls->oldest; call; call = next) {
		next = call->newer;
		g_free(call);
	}
	for (struct open_call *call = calls->spare; call; call = next) {
		next = call->chain;
		g_free(call);
	}
	g_free(calls);
}

guint64 iot_calls_oldest(const struct iot_calls *calls)
{
	return calls->oldest ? calls->oldest->start.ts : G_MAXUINT64;
}

static guint64 call_hash(const struct iot_pair *pair, guint32 input, const guint64 *key)
{
	guint64 hash = iot_hash_mix(pair->number, input);

	for (guint i = 0; i < IOT_MAX_KEYS; i++)
		hash = iot_hash_mix(hash, key[i]);
	return hash;
}

static struct open_call *find(const struct iot_calls *calls, const struct iot_pair *pair,
			      guint32 input, const guint64 *key, guint64 hash)
{
	struct open_call *call = calls->buckets[hash % N_BUCKETS];

	while (call &&
	       (call->hash != hash || call->pair != pair || call->start.event->input != input ||
		memcmp(call->key, key, sizeof(call->key))))
		call = call->chain;
	return call;
}

/* ---- drawing */

/* The row and lane of what was drawn last: points of the call stand beside it. */
struct place {
	iot_box_id box;
	guint16 lane;
};

static void draw_state(struct iot_model *model, const struct iot_state *state,
		       const struct iot_eval *eval, guint64 t0, guint64 t1, guint16 flags,
		       struct place *out_place)
{
	struct iot_span span = { 0 };
	iot_box_id box;

	if (state->when && !iot_expr_eval(state->when, eval))
		return;
	box = iot_boxer_find(model, &state->boxer, eval);
	iot_item_start(model, &span.item, state->values);
	/* categories and lanes are what they are, whatever is selected */
	span.item.cat = iot_values_cat(model, state->values, iot_template_eval(state->value, eval));
	span.item.box = out_place->box = box;
	span.item.lane = out_place->lane = iot_lanes_take(model->lanes, box, t0);
	iot_lanes_release(model->lanes, box, span.item.lane, t1);
	if (iot_box_at(model->tl, box)->hidden)
		return;
	span.item.t0 = t0;
	if (state->failed && iot_expr_eval(state->failed, eval))
		flags |= IOT_FAILED;
	iot_setter_apply(&state->set, eval, FALSE, &span.item);
	iot_emit_begin(model->emit, &span);
	iot_emit_end(model->emit, &span, t1, flags);
}

static void draw_point(struct iot_model *model, const struct iot_point *point,
		       const struct iot_eval *eval, guint64 t0, guint16 flags,
		       const struct place *place)
{
	iot_box_id box;

	if (point->when && !iot_expr_eval(point->when, eval))
		return;
	box = iot_boxer_find(model, &point->boxer, eval);
	if (box != place->box)
		iot_lanes_touch(model->lanes, box, t0);
	iot_point_draw(model, point, eval, box, box == place->box ? place->lane : 0, t0, flags);
}

/* @end NULL: it was not seen to end */
static void draw(struct iot_model *model, const struct open_call *call, const struct iot_rec *end,
		 guint64 t1, guint16 flags)
{
	const struct iot_pair *pair = call->pair;
	struct place place = { 0 };
	struct iot_eval eval;

	iot_eval_set(model, &eval, call->start.event->input, &call->start, end, NULL);
	eval.call = pair->name_str;
	if (end)
		iot_hooks_run(model, pair->hooks, &eval, end->ts, FALSE);
	for (guint i = 0; i < pair->states->len; i++)
		draw_state(model, pair->states->pdata[i], &eval, call->start.ts, t1, flags, &place);
	for (guint i = 0; i < pair->points->len; i++)
		draw_point(model, pair->points->pdata[i], &eval, call->start.ts, flags, &place);
	if (end)
		iot_hooks_run(model, pair->hooks, &eval, end->ts, TRUE);
}

/* ---- open calls */

static void close_call(struct iot_model *model, struct open_call *call, const struct iot_rec *end,
		       guint64 t1, guint16 flags)
{
	struct iot_calls *calls = model->calls;
	struct open_call **link = &calls->buckets[call->hash % N_BUCKETS];

	while (*link != call)
		link = &(*link)->chain;
	*link = call->chain;
	*(call->older ? &call->older->newer : &calls->oldest) = call->newer;
	*(call->newer ? &call->newer->older : &calls->newest) = call->older;
	calls->n--;
	draw(model, call, end, t1, flags);
	call->chain = calls->spare;
	calls->spare = call;
}

static struct open_call *alloc_call(struct iot_calls *calls)
{
	struct open_call *call = calls->spare;

	if (!call)
		return g_malloc(sizeof(*call) + IOT_MAX_SLOTS * sizeof(union iot_val));
	calls->spare = call->chain;
	return call;
}

static void link_call(struct iot_calls *calls, struct open_call *call, guint64 hash)
{
	call->hash = hash;
	call->chain = calls->buckets[hash % N_BUCKETS];
	calls->buckets[hash % N_BUCKETS] = call;
	call->older = calls->newest;
	call->newer = NULL;
	*(calls->newest ? &calls->newest->newer : &calls->oldest) = call;
	calls->newest = call;
	calls->n++;
}

static void open_call(struct iot_model *model, struct iot_pair *pair, const struct iot_rec *rec,
		      const guint64 *key, guint64 hash)
{
	struct iot_calls *calls = model->calls;
	struct open_call *call;

	if (calls->n >= model->max_open) {
		iot_diag_add(model->diag, IOT_DIAG_open_evicted, 1);
		close_call(model, calls->oldest, NULL, rec->ts, IOT_UNFINISHED);
	}
	call = alloc_call(calls);
	call->pair = pair;
	memcpy(call->key, key, sizeof(call->key));
	memcpy(&call->start, rec, iot_rec_size(rec->event));
	link_call(calls, call, hash);
}

void iot_calls_event(struct iot_model *model, const struct iot_use *use, const struct iot_rec *rec)
{
	gboolean at_end = use->part == IOT_PART_END;
	guint64 key[IOT_MAX_KEYS], hash;
	struct open_call *call;
	struct iot_eval eval;

	iot_eval_set(model, &eval, rec->event->input, rec, NULL, NULL);
	iot_pair_key(use->pair, at_end, &eval, key);
	hash = call_hash(use->pair, rec->event->input, key);
	call = find(model->calls, use->pair, rec->event->input, key, hash);
	if (at_end && call) {
		close_call(model, call, rec, rec->ts, 0);
	} else if (at_end) {
		iot_diag_add(model->diag, IOT_DIAG_pair_end_without_start, 1);
	} else {
		if (call) {
			iot_diag_add(model->diag, IOT_DIAG_call_restarted, 1);
			close_call(model, call, NULL, rec->ts, IOT_UNFINISHED);
		}
		open_call(model, use->pair, rec, key, hash);
	}
}

void iot_calls_close(struct iot_model *model, guint input, guint64 ts, guint16 flags,
		     enum iot_diag_id counted_as)
{
	struct open_call *next;

	for (struct open_call *call = model->calls->oldest; call; call = next) {
		next = call->newer;
		if (input != G_MAXUINT && call->start.event->input != input)
			continue;
		if (counted_as != IOT_DIAG_COUNT)
			iot_diag_add(model->diag, counted_as, 1);
		close_call(model, call, NULL, MAX(ts, call->start.ts), flags);
	}
}

/* ---- saved state */

void iot_calls_save(struct iot_saver *s)
{
	const struct iot_calls *calls = s->model->calls;

	iot_pack_uint(s->out, calls->n);
	for (const struct open_call *call = calls->oldest; call; call = call->newer) {
		iot_pack_uint(s->out, call->pair->number);
		iot_save_key(s, call->key);
		iot_save_rec(s, &call->start);
	}
}

static gboolean load_call(struct iot_loader *l)
{
	struct iot_model *model = l->model;
	struct iot_calls *calls = model->calls;
	guint64 number = model->pairs->len ? iot_unpack_uint(l->in, model->pairs->len - 1) : 0;
	struct open_call *call;
	const struct iot_event *event;

	if (!model->pairs->len)
		return iot_unpack_fail(l->in);
	call = alloc_call(calls);
	call->pair = model->pairs->pdata[number];
	iot_load_key(l, call->key);
	event = iot_load_event(l);
	iot_load_rec(l, event, &call->start);
	if (l->in->bad || call->pair->of || event->index != call->pair->start->index ||
	    (calls->newest && calls->newest->start.ts > call->start.ts)) {
		call->chain = calls->spare;
		calls->spare = call;
		return iot_unpack_fail(l->in);
	}
	link_call(calls, call, call_hash(call->pair, event->input, call->key));
	return TRUE;
}

gboolean iot_calls_load(struct iot_loader *l)
{
	for (guint32 n = iot_unpack_count(l->in); n; n--)
		if (!load_call(l))
			return FALSE;
	return !l->in->bad;
}
