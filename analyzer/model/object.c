/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects: found by key, in a lane while they live, told of events in causal order.
 *
 * A completion may be recorded between start and end of the call that caused it, and only the end
 * tells whether one is to be expected. So while a call on an object is open, later events of that
 * object wait behind it (and no other object is delayed). Points are drawn at once, at their own
 * time; waiting concerns only what an event does.
 */
#include "model/model-local.h"

#include <string.h>

enum { MAX_DEFERRED = 4096 };

/* ---- table */

static guint64 key_hash(guint32 input, const guint64 *key)
{
	return iot_hash_keys(iot_hash_mix(0x510e527f, input), key, IOT_MAX_KEYS);
}

static struct iot_object *lookup(const struct iot_object_kind *kind, guint32 input,
				 const guint64 *key, guint64 hash)
{
	guint at = iot_hashset_first(&kind->objects, hash);
	struct iot_object *object;

	while ((object = iot_hashset_next(&kind->objects, hash, &at)) &&
	       (object->input != input || memcmp(object->key, key, sizeof(object->key))))
		;
	return object;
}

static void link_object(struct iot_object_kind *kind, struct iot_object *object)
{
	struct iot_kind_input *input = &kind->inputs[object->input];

	iot_hashset_add(&kind->objects, object->hash, object);
	object->prev = kind->last;
	*(kind->last ? &kind->last->next : &kind->first) = object;
	kind->last = object;
	object->input_prev = input->last;
	*(input->last ? &input->last->input_next : &input->first) = object;
	input->last = object;
}

static void unlink_object(struct iot_object_kind *kind, struct iot_object *object)
{
	struct iot_kind_input *input = &kind->inputs[object->input];

	iot_hashset_remove(&kind->objects, object->hash, object);
	*(object->prev ? &object->prev->next : &kind->first) = object->next;
	*(object->next ? &object->next->prev : &kind->last) = object->prev;
	*(object->input_prev ? &object->input_prev->input_next : &input->first) =
		object->input_next;
	*(object->input_next ? &object->input_next->input_prev : &input->last) = object->input_prev;
}

/* ---- life */

gboolean iot_kind_in_gap(const struct iot_object_kind *kind, guint32 input)
{
	return kind->inputs[input].gap_depth > 0;
}

static void count(struct iot_object_kind *kind, enum iot_diag_id id)
{
	iot_diag_add(kind->model->diag, id, 1);
}

/* Nothing is going on with it. */
static gboolean is_over(const struct iot_object *object)
{
	return !object->open && !object->pending && object->mode == IOT_MODE_NONE &&
	       !object->state_span.open;
}

/* Free the object unless something is still going on with it, or waits. */
static void release_if_idle(struct iot_object_kind *kind, struct iot_object *object)
{
	if (object->deferred || !is_over(object))
		return;
	if (object->in_sight)
		iot_ended_note(kind, object->hash, object->last_ns);
	iot_lanes_release(kind->model->lanes, object->row, object->lane, object->last_ns);
	unlink_object(kind, object);
	object->next = kind->free_objects;
	kind->free_objects = object;
}

/* Remove the deferred event at @link, the next after @previous (NULL: it is the oldest). */
static struct iot_deferred *unlink_deferred(struct iot_object *object, struct iot_deferred **link,
					    struct iot_deferred *previous)
{
	struct iot_deferred *taken = *link;

	*link = taken->next;
	if (!taken->next)
		object->deferred_tail = previous;
	object->n_deferred--;
	object->kind->n_deferred--;
	return taken;
}

/* Nothing more will be known of a call that is not open: only its point is drawn. */
static void drop_start(struct iot_object *object, struct iot_pair *pair,
		       const struct iot_rec *start, guint16 flags)
{
	struct iot_call *call = iot_call_open(object, pair, start);

	iot_call_draw(object->kind->model, object, call, NULL, flags);
	iot_call_close(object, call);
	iot_call_free(object->kind, call);
}

static void drop_deferred(struct iot_object *object, guint16 flags)
{
	while (object->deferred) {
		struct iot_deferred *waiting = unlink_deferred(object, &object->deferred, NULL);

		if (waiting->role->part == IOT_PART_START)
			drop_start(object, waiting->role->pair, &waiting->rec, flags);
		g_free(waiting);
	}
}

/* The object's life is over (or no longer followed) at @ts: everything that is open on it ends. */
static void close_life(struct iot_object_kind *kind, struct iot_object *object, guint64 ts,
		       guint16 flags)
{
	object->last_ns = MAX(object->last_ns, ts);
	while (object->open) {
		struct iot_call *call = object->open;

		iot_call_draw(kind->model, object, call, NULL, flags);
		iot_call_close(object, call);
		iot_call_free(kind, call);
	}
	drop_deferred(object, flags);
	iot_state_end(kind->model, object, NULL, NULL, ts, flags);
	iot_call_free_list(kind, &object->pending);
	iot_machine_end(object, ts, flags);
	release_if_idle(kind, object);
}

static struct iot_object *object_alloc(struct iot_object_kind *kind)
{
	struct iot_object *object = kind->free_objects;

	if (!object)
		return g_new0(struct iot_object, 1);
	kind->free_objects = object->next;
	memset(object, 0, sizeof(*object));
	return object;
}

/*
 * @unused_lane: spans will be drawn that began in the past, so a lane is needed on which nothing
 * has been drawn; not during a gap, because nothing is claimed there of what was before the event.
 */
static struct iot_object *object_new(struct iot_object_kind *kind,
				     const struct iot_event_role *role, const struct iot_rec *rec,
				     const guint64 *key, gboolean unused_lane)
{
	struct iot_model *model = kind->model;
	guint32 input = rec->event->input;
	struct iot_object *object;
	struct iot_item item = { 0 };
	struct iot_eval eval;

	if (kind->objects.n >= model->max_open) {
		count(kind, IOT_DIAG_open_evicted);
		kind->first->in_sight = FALSE; /* it has not ended */
		close_life(kind, kind->first, rec->ts, IOT_UNFINISHED);
	}
	object = object_alloc(kind);
	object->kind = kind;
	object->input = input;
	object->last_ns = rec->ts;
	memcpy(object->key, key, sizeof(object->key));
	object->hash = key_hash(input, key);
	iot_eval_init(model, &eval, input, rec, NULL, NULL);
	object->row = iot_row_path_find(model, role->path, &eval);
	object->in_sight = iot_ended_since(kind, object->hash, kind->inputs[input].since);
	if (unused_lane && !object->in_sight && !iot_kind_in_gap(kind, input)) {
		object->lane = iot_lanes_take_unused(model->lanes, object->row);
		object->fresh = TRUE;
	} else {
		object->lane = iot_lanes_take(model->lanes, object->row, rec->ts);
	}
	object->stateless = role->has_state && !iot_expr_eval(role->has_state, &eval);
	if (kind->machine) {
		item.n_attrs = (guint8)iot_type_at(model->tl, kind->machine->type)->n_attrs;
		iot_setter_apply(&role->machine_set.all, &eval, &item);
		memcpy(object->always, item.attr, sizeof(object->always));
	}
	link_object(kind, object);
	return object;
}

struct iot_object *iot_object_restore(struct iot_object_kind *kind, guint32 input,
				      const guint64 *key)
{
	guint64 hash = key_hash(input, key);
	struct iot_object *object = lookup(kind, input, key, hash) ? NULL : object_alloc(kind);

	if (!object)
		return NULL;
	object->kind = kind;
	object->input = input;
	object->hash = hash;
	memcpy(object->key, key, sizeof(object->key));
	link_object(kind, object);
	return object;
}

/* From when on, and how marked, something is drawn of which the beginning was not seen. */
static guint64 since(const struct iot_object *object, const struct iot_rec *rec, guint16 *out_flags)
{
	const struct iot_kind_input *input = &object->kind->inputs[object->input];

	if (input->gap_depth || object->in_sight) {
		*out_flags = IOT_SUSPECT;
		return rec->ts;
	}
	if (rec->ts > iot_emit_to(object->kind->model->emit)) {
		*out_flags = input->since_flags;
		return rec->ts;
	}
	*out_flags = input->since_flags;
	return object->fresh ? MIN(input->since, rec->ts) : rec->ts;
}

static void count_unseen_begin(const struct iot_object *object, guint16 flags)
{
	if (flags & IOT_BEFORE)
		count(object->kind, IOT_DIAG_object_before);
	else if (object->in_sight && !iot_kind_in_gap(object->kind, object->input))
		count(object->kind, IOT_DIAG_object_again);
}

/* An object shows up in the middle of its life. */
static struct iot_object *object_from_before(struct iot_object_kind *kind,
					     const struct iot_event_role *role,
					     const struct iot_rec *rec, const guint64 *key)
{
	struct iot_object *object = object_new(kind, role, rec, key, kind->machine != NULL);
	guint16 flags;
	guint64 t0 = since(object, rec, &flags);

	if (!kind->machine || object->stateless)
		return object;
	count_unseen_begin(object, flags);
	iot_machine_unknown(object, t0, flags);
	return object;
}

/* An object begins; @surely: or may do so. Inside a gap even that is not sure: its state is unknown
 * from the first event on. */
static struct iot_object *object_begin(struct iot_object_kind *kind,
				       const struct iot_event_role *role, const struct iot_rec *rec,
				       const guint64 *key, gboolean surely)
{
	struct iot_object *object = object_new(kind, role, rec, key, FALSE);

	object->in_sight |= surely;
	if (iot_kind_in_gap(kind, object->input))
		iot_machine_unknown(object, rec->ts, IOT_SUSPECT);
	return object;
}

/* ---- waiting behind an open call */

struct iot_deferred *iot_object_append_deferred(struct iot_object *object,
						struct iot_event_role *role, gsize size)
{
	struct iot_deferred *waiting = g_malloc(G_STRUCT_OFFSET(struct iot_deferred, rec) + size);

	waiting->next = NULL;
	waiting->role = role;
	*(object->deferred_tail ? &object->deferred_tail->next : &object->deferred) = waiting;
	object->deferred_tail = waiting;
	object->n_deferred++;
	object->kind->n_deferred++;
	return waiting;
}

static void defer(struct iot_object *object, struct iot_event_role *role, const struct iot_rec *rec)
{
	gsize size = iot_rec_size(rec->event);

	memcpy(&iot_object_append_deferred(object, role, size)->rec, rec, size);
}

static gboolean ends_open_call(const struct iot_object *object, const struct iot_deferred *waiting)
{
	const struct iot_pair *pair = waiting->role->pair;
	struct iot_eval eval;
	guint64 key[IOT_MAX_KEYS];

	if (waiting->role->part != IOT_PART_END)
		return FALSE;
	iot_eval_init(object->kind->model, &eval, object->input, &waiting->rec, NULL, NULL);
	iot_pair_key(pair, TRUE, &eval, key);
	return iot_call_find(object, pair, key) != NULL;
}

/* The next waiting event that may be applied now. */
static struct iot_deferred *take_deferred(struct iot_object *object)
{
	struct iot_deferred **link = &object->deferred, *previous = NULL;

	while (*link && object->open && !ends_open_call(object, *link)) {
		previous = *link;
		link = &(*link)->next;
	}
	return *link ? unlink_deferred(object, link, previous) : NULL;
}

static gboolean is_of_call(const struct iot_object *object, const struct iot_deferred *waiting,
			   const struct iot_pair *pair, const guint64 *key)
{
	enum iot_part part = waiting->role->part;
	struct iot_eval eval;
	guint64 other[IOT_MAX_KEYS];

	if (waiting->role->pair != pair || (part != IOT_PART_START && part != IOT_PART_END))
		return FALSE;
	iot_eval_init(object->kind->model, &eval, object->input, &waiting->rec, NULL, NULL);
	iot_pair_key(pair, part == IOT_PART_END, &eval, other);
	return !memcmp(other, key, sizeof(other));
}

/* A start that waits for its turn and of which no end waits: the link to it, NULL if there is none;
 * and what is before it. */
static struct iot_deferred **find_unended_start(struct iot_object *object,
						const struct iot_pair *pair, const guint64 *key,
						struct iot_deferred **out_previous)
{
	struct iot_deferred **found = NULL, *previous = NULL;

	for (struct iot_deferred **link = &object->deferred; *link; link = &previous->next) {
		if (is_of_call(object, *link, pair, key)) {
			found = (*link)->role->part == IOT_PART_START ? link : NULL;
			*out_previous = previous;
		}
		previous = *link;
	}
	return found;
}

static void apply(struct iot_object_kind *kind, struct iot_event_role *role,
		  struct iot_object *object, const struct iot_rec *rec, const guint64 *key,
		  gboolean again);

/* Events that waited for an object that has ended; they are of the next one with its key. */
struct others {
	struct iot_deferred *first, *last;
	guint16 n;
};

static void take_all_deferred(struct iot_object *object, struct others *others)
{
	*others = (struct others){ object->deferred, object->deferred_tail, object->n_deferred };
	object->deferred = object->deferred_tail = NULL;
	object->n_deferred = 0;
}

/* In front of what waits for it already. */
static void give_deferred(struct iot_object *object, struct others *others)
{
	if (!others->first)
		return;
	others->last->next = object->deferred;
	object->deferred = others->first;
	if (!object->deferred_tail)
		object->deferred_tail = others->last;
	object->n_deferred = (guint16)(object->n_deferred + others->n);
	*others = (struct others){ 0 };
}

static struct iot_deferred *take_other(struct iot_object_kind *kind, struct others *others)
{
	struct iot_deferred *taken = others->first;

	if (!taken)
		return NULL;
	others->first = taken->next;
	others->n--;
	kind->n_deferred--;
	return taken;
}

/* An object that has ended meanwhile is not there for the events that still wait. */
static void drain(struct iot_object_kind *kind, struct iot_object *object)
{
	guint32 input = object->input;
	guint64 key[IOT_MAX_KEYS], hash = object->hash;
	struct others others = { 0 };
	struct iot_deferred *waiting;

	memcpy(key, object->key, sizeof(key));
	for (;;) {
		if (object)
			give_deferred(object, &others);
		waiting = object ? take_deferred(object) : take_other(kind, &others);
		if (!waiting)
			break;
		if (object && is_over(object)) {
			take_all_deferred(object, &others);
			release_if_idle(kind, object);
			object = NULL;
		}
		apply(kind, waiting->role, object, &waiting->rec, key, TRUE);
		g_free(waiting);
		object = lookup(kind, input, key, hash);
	}
	if (object)
		release_if_idle(kind, object);
}

/* ---- calls */

/*
 * Of a call that was seen to return but not to start, the completion may have gone by unseen, too.
 * A newer accepted call says so: otherwise it would have been refused. The older one must not take
 * the newer one's completion.
 */
static void forget_unseen(struct iot_object *object, guint64 ts)
{
	struct iot_call **link = &object->pending, *previous = NULL;
	gboolean forgotten = FALSE;

	while (object->unseen_pending && *link) {
		if (!(*link)->unseen_start) {
			previous = *link;
			link = &previous->next;
			continue;
		}
		iot_call_free(object->kind, iot_call_take_pending(object, link, previous));
		forgotten = TRUE;
	}
	object->unseen_pending = FALSE;
	if (forgotten && !object->pending)
		iot_state_end(object->kind->model, object, NULL, NULL, ts, IOT_SUSPECT);
}

static guint16 gap_flags(const struct iot_object *object)
{
	return iot_kind_in_gap(object->kind, object->input) ? IOT_SUSPECT : 0;
}

/*
 * Calls whose completions never come must not fill the memory: the oldest of the object is given
 * up. The span that it shares with the others goes on: events that wait may still end or change it
 * at an earlier time than this.
 */
static void bound_pending(struct iot_object *object)
{
	struct iot_object_kind *kind = object->kind;

	if (!object->pending || kind->n_calls <= kind->model->max_open)
		return;
	count(kind, IOT_DIAG_open_evicted);
	object->state_span.item.flags |= IOT_UNFINISHED;
	iot_call_free(kind, iot_call_take_pending(object, &object->pending, NULL));
}

static void add_pending(struct iot_object *object, struct iot_call *call, guint64 t0, guint16 flags)
{
	struct iot_eval eval;

	if (!call->unseen_start)
		forget_unseen(object, t0);
	iot_eval_init(object->kind->model, &eval, object->input, &call->start, NULL, NULL);
	if (object->pending && !(call->pair->quiet && iot_expr_eval(call->pair->quiet, &eval)))
		count(object->kind, IOT_DIAG_call_while_pending);
	bound_pending(object);
	iot_call_add_pending(object, call);
	call->flags = flags;
	iot_state_begin(object->kind->model, object, call, t0, flags);
}

/* The call has returned. @end NULL: it is taken as accepted although its end was not seen. */
static void return_call(struct iot_object *object, struct iot_call *call, const struct iot_rec *end,
			guint16 flags)
{
	struct iot_object_kind *kind = object->kind;

	iot_call_close(object, call);
	iot_call_draw(kind->model, object, call, end, flags);
	if (end && call->pair->state && call->pair->state->until_return)
		iot_state_end(kind->model, object, call, NULL, end->ts, flags);
	if (iot_call_expects_done(kind->model, object, call, end)) {
		add_pending(object, call, call->t0, gap_flags(object));
		return;
	}
	iot_state_over(kind->model, object, call, end, flags);
	iot_call_free(kind, call);
}

static gboolean completion_waits(const struct iot_object *object)
{
	const struct iot_deferred *waiting = object->deferred;

	while (waiting && waiting->role->part != IOT_PART_DONE)
		waiting = waiting->next;
	return waiting != NULL;
}

/* Too many events wait: give the oldest call up. A completion that waits proves that it was
 * accepted. */
static void give_up_call(struct iot_object *object)
{
	struct iot_call *call = object->open;

	count(object->kind, IOT_DIAG_defer_overflow);
	if (completion_waits(object)) {
		return_call(object, call, NULL, IOT_UNFINISHED);
		return;
	}
	iot_call_draw(object->kind->model, object, call, NULL, IOT_UNFINISHED);
	iot_call_close(object, call);
	iot_call_free(object->kind, call);
}

/* Since a gap its state was unknown: that it ends here is no news of an unfinished one. */
static gboolean lost_sight_of(const struct iot_object *object)
{
	return object->mode == IOT_MODE_UNKNOWN && (object->mode_span.item.flags & IOT_SUSPECT);
}

static void start_call(struct iot_object_kind *kind, struct iot_event_role *role,
		       struct iot_object *object, const struct iot_rec *rec, const guint64 *key)
{
	struct iot_pair *pair = role->pair;
	gboolean begins;
	struct others waiting = { 0 };
	struct iot_eval eval;
	struct iot_call *call;

	iot_eval_init(kind->model, &eval, rec->event->input, rec, NULL, NULL);
	begins = !kind->machine || (pair->begins && iot_expr_eval(pair->begins, &eval));
	if (object && begins && kind->machine) {
		count(kind, IOT_DIAG_object_reused);
		take_all_deferred(object, &waiting);
		close_life(kind, object, rec->ts, lost_sight_of(object) ? 0 : IOT_UNFINISHED);
		object = NULL;
	}
	if (!object)
		object = begins || (pair->may_begin && iot_expr_eval(pair->may_begin, &eval))
				 ? object_begin(kind, role, rec, key, begins)
				 : object_from_before(kind, role, rec, key);
	give_deferred(object, &waiting);
	call = iot_call_open(object, pair, rec);
	if (pair->state && pair->state->until_return)
		iot_state_begin(kind->model, object, call, rec->ts, gap_flags(object));
}

/* The same call started earlier, also while another call was open, and was not seen to end. */
static void restart_waiting(struct iot_object *object, const struct iot_pair *pair,
			    const guint64 *key)
{
	struct iot_deferred *previous, *start;
	struct iot_deferred **link = find_unended_start(object, pair, key, &previous);

	if (!link)
		return;
	start = unlink_deferred(object, link, previous);
	count(object->kind, IOT_DIAG_call_restarted);
	drop_start(object, start->role->pair, &start->rec, IOT_UNFINISHED);
	g_free(start);
}

/*
 * What is known of the object speaks against the call: it began before and has not ended, or the
 * object cannot begin a life before it has ended another, or a call that has not been completed
 * forbids it.
 */
static enum iot_contradiction
contradiction_of_start(struct iot_object *object, const struct iot_pair *pair,
		       const struct iot_rec *rec, const struct iot_call *open, const guint64 *key)
{
	struct iot_deferred *previous;
	struct iot_eval eval;

	if (open || (object->open && find_unended_start(object, pair, key, &previous)))
		return IOT_NOT_ENDED;
	iot_eval_init(object->kind->model, &eval, object->input, rec, NULL, NULL);
	if (object->kind->machine && pair->begins && iot_expr_eval(pair->begins, &eval))
		return IOT_STILL_ALIVE;
	return object->pending && !object->open &&
			       !(pair->quiet && iot_expr_eval(pair->quiet, &eval))
		       ? IOT_NOT_COMPLETED
		       : IOT_NO_CONTRADICTION;
}

/*
 * The call that is open started at the same instant on another CPU. It may be the one after this:
 * then the end that follows is of this one. So that one is taken back, and waits.
 */
static gboolean give_way(struct iot_object *object, struct iot_event_role *role,
			 struct iot_call *open, const struct iot_rec *rec)
{
	const struct iot_state *state = role->pair->state;

	if (open->t0 != rec->ts || open->start.run == rec->run || object->deferred ||
	    (state && state->until_return) ||
	    !iot_tie_take_back(object->kind->model, role, &open->start, IOT_NOT_ENDED))
		return FALSE;
	iot_call_close(object, open);
	iot_call_free(object->kind, open);
	return TRUE;
}

static void on_start(struct iot_object_kind *kind, struct iot_event_role *role,
		     struct iot_object *object, const struct iot_rec *rec, const guint64 *key,
		     gboolean again)
{
	enum iot_contradiction why = IOT_NO_CONTRADICTION;
	guint64 call_key[IOT_MAX_KEYS];
	struct iot_call *call = NULL;
	struct iot_eval eval;

	if (object && object->open) {
		iot_eval_init(kind->model, &eval, rec->event->input, rec, NULL, NULL);
		iot_pair_key(role->pair, FALSE, &eval, call_key);
		call = iot_call_find(object, role->pair, call_key);
	}
	if (call && !again && give_way(object, role, call, rec)) {
		call = NULL;
		release_if_idle(kind, object);
		object = lookup(kind, rec->event->input, key, key_hash(rec->event->input, key));
	}
	if (object && !again && kind->model->inputs[object->input].n_runs > 1)
		why = contradiction_of_start(object, role->pair, rec, call, call_key);
	if (why && iot_tie_waits(kind->model, role, rec, why))
		return;
	if (call && !again && call->t0 == rec->ts && call->start.run > rec->run) {
		/* it gave way, and for nothing */
		count(kind, IOT_DIAG_call_restarted);
		drop_start(object, role->pair, rec, IOT_UNFINISHED);
		return;
	}
	if (call) {
		count(kind, IOT_DIAG_call_restarted);
		iot_call_draw(kind->model, object, call, NULL, IOT_UNFINISHED);
		if (call->pair->state && call->pair->state->until_return)
			iot_state_end(kind->model, object, call, NULL, rec->ts, IOT_UNFINISHED);
		iot_call_close(object, call);
		iot_call_free(kind, call);
		drain(kind, object); /* what waited behind the call that is given up */
		object = lookup(kind, rec->event->input, key, key_hash(rec->event->input, key));
	}
	if (object && object->open) {
		restart_waiting(object, role->pair, call_key);
		defer(object, role, rec);
		return;
	}
	start_call(kind, role, object, rec, key);
}

/* An end came alone: the call began before the recording, or in a gap. */
static struct iot_object *on_unseen_start(struct iot_object_kind *kind, struct iot_event_role *role,
					  struct iot_object *object, const struct iot_rec *rec,
					  const guint64 *key)
{
	struct iot_pair *pair = role->pair;
	struct iot_object probe = { .kind = kind, .input = rec->event->input };
	struct iot_call *call = iot_call_unseen(object ? object : &probe, pair, rec);
	gboolean expects = iot_call_expects_done(kind->model, &probe, call, rec);
	gboolean begins;
	struct iot_eval eval;
	guint16 flags;
	guint64 t0;

	count(kind, IOT_DIAG_pair_end_without_start);
	iot_eval_init(kind->model, &eval, rec->event->input, rec, NULL, NULL);
	begins = (pair->begins_at_end && iot_expr_eval(pair->begins_at_end, &eval)) ||
		 (pair->may_begin_at_end && iot_expr_eval(pair->may_begin_at_end, &eval));
	if (!object && expects && !begins)
		object = object_from_before(kind, role, rec, key);
	else if (!object)
		object = object_new(kind, role, rec, key, expects);
	if (!expects) {
		iot_call_free(kind, call);
		return object;
	}
	t0 = since(object, rec, &flags);
	if (iot_kind_in_gap(kind, object->input))
		iot_machine_unknown(object, t0, flags);
	add_pending(object, call, t0, flags);
	return object;
}

static gboolean start_waits(const struct iot_object *object, const struct iot_pair *pair,
			    const guint64 *key)
{
	for (const struct iot_deferred *waiting = object->deferred; waiting;
	     waiting = waiting->next)
		if (waiting->role->part == IOT_PART_START && is_of_call(object, waiting, pair, key))
			return TRUE;
	return FALSE;
}

static void draw_points(struct iot_object_kind *kind, const struct iot_event_role *role,
			struct iot_object *object, const struct iot_rec *rec)
{
	struct iot_eval eval;

	object->fresh = FALSE;
	iot_eval_init(kind->model, &eval, object->input, rec, NULL, NULL);
	for (guint i = 0; i < role->points->len; i++)
		iot_point_draw(kind->model, role->points->pdata[i], &eval, object->row,
			       object->lane, rec->ts, 0);
}

static void on_end(struct iot_object_kind *kind, struct iot_event_role *role,
		   struct iot_object *object, const struct iot_rec *rec, const guint64 *key,
		   gboolean again)
{
	struct iot_call *call = NULL;
	struct iot_eval eval;
	guint64 call_key[IOT_MAX_KEYS];

	iot_eval_init(kind->model, &eval, rec->event->input, rec, NULL, NULL);
	iot_pair_key(role->pair, TRUE, &eval, call_key);
	if (object)
		call = iot_call_find(object, role->pair, call_key);
	if (!call && object && object->open && start_waits(object, role->pair, call_key)) {
		defer(object, role, rec);
		draw_points(kind, role, object, rec);
		return;
	}
	if (!call && !again && iot_tie_waits(kind->model, role, rec, IOT_NOT_STARTED))
		return;
	if (!call)
		object = on_unseen_start(kind, role, object, rec, key);
	if (!again)
		draw_points(kind, role, object, rec);
	if (call)
		return_call(object, call, rec, gap_flags(object));
	if (!again)
		drain(kind, object);
}

/* ---- completions */

/* The pending call that a completion is for. */
struct answered {
	struct iot_call **link, *previous; /* link NULL: there is none */
	gboolean sure;			   /* the call says that it is */
};

/* The oldest pending call that is completed by this event and says it is answered, else the oldest.
 */
static struct answered find_answered(struct iot_object *object, const struct iot_rec *done)
{
	struct answered answered = { 0 };
	struct iot_call *previous = NULL;
	struct iot_eval eval;

	iot_eval_init(object->kind->model, &eval, object->input, NULL, NULL, done);
	for (struct iot_call **link = &object->pending; *link && !answered.sure;
	     previous = *link, link = &previous->next) {
		const struct iot_pair *pair = (*link)->pair;

		if (!iot_call_may_be_answered(object->kind->model, object, *link, done))
			continue;
		answered.sure = !pair->answers || iot_expr_eval(pair->answers, &eval);
		if (answered.link && !answered.sure)
			continue;
		answered.link = link;
		answered.previous = previous;
	}
	return answered;
}

static void complete_call(struct iot_object_kind *kind, struct iot_object *object,
			  struct iot_call *call, const struct iot_rec *rec)
{
	iot_state_end(kind->model, object, call, rec, rec->ts, 0);
	if (iot_machine_done(object, call, rec)) {
		object->in_sight = TRUE;
		iot_call_free_list(kind, &object->pending);
	}
	if (object->pending)
		iot_state_begin(kind->model, object, object->pending, rec->ts, gap_flags(object));
	iot_call_free(kind, call);
}

/* It was told that the object is gone: what is pending on it is, too. */
static void end_life(struct iot_object *object, guint64 ts)
{
	object->in_sight = TRUE;
	iot_state_end(object->kind->model, object, NULL, NULL, ts, 0);
	iot_call_free_list(object->kind, &object->pending);
}

/* A completion of a call that was not seen. */
static struct iot_object *on_stray(struct iot_object_kind *kind, struct iot_event_role *role,
				   struct iot_object *object, const struct iot_rec *rec,
				   const guint64 *key)
{
	const struct iot_rule *rule =
		iot_machine_stray_rule(kind->model, role, rec->event->input, rec);
	gboolean is_new = !object;
	guint16 flags;
	guint64 t0;

	count(kind, IOT_DIAG_done_without_call);
	if (is_new && rule && rule->was_unknown)
		object = object_from_before(kind, role, rec, key);
	else if (is_new)
		object = object_new(kind, role, rec, key, TRUE);
	t0 = since(object, rec, &flags);
	if (is_new && object->fresh) {
		iot_state_begin_stray(kind->model, object, role, rec, t0, flags);
		iot_state_end(kind->model, object, NULL, NULL, rec->ts, 0);
	}
	if (iot_machine_stray(object, rule, rec->ts))
		end_life(object, rec->ts);
	return object;
}

static void on_done(struct iot_object_kind *kind, struct iot_event_role *role,
		    struct iot_object *object, const struct iot_rec *rec, const guint64 *key,
		    gboolean again)
{
	struct answered answered = { 0 };

	if (object && object->open) {
		count(kind, IOT_DIAG_done_before_return);
		defer(object, role, rec);
		draw_points(kind, role, object, rec);
		return;
	}
	if (object)
		answered = find_answered(object, rec);
	if (!answered.sure && !again && iot_tie_waits(kind->model, role, rec, IOT_NOT_CALLED))
		return;
	if (answered.link)
		complete_call(kind, object,
			      iot_call_take_pending(object, answered.link, answered.previous), rec);
	else
		object = on_stray(kind, role, object, rec, key);
	if (!again)
		draw_points(kind, role, object, rec);
	release_if_idle(kind, object);
}

/* An object shows up by an event that tells what it was before. Nobody knows since when, if there
 * was a gap: since its end then. */
static struct iot_object *object_that_was(struct iot_object_kind *kind,
					  const struct iot_event_role *role,
					  const struct iot_rule *rule, const struct iot_rec *rec,
					  const guint64 *key)
{
	struct iot_object *object = object_new(kind, role, rec, key, TRUE);
	guint16 flags;
	guint64 t0 = since(object, rec, &flags);

	count_unseen_begin(object, flags);
	if (iot_kind_in_gap(kind, object->input))
		iot_machine_unknown(object, t0, flags);
	else
		iot_machine_was(object, rule, rec, t0, flags);
	return object;
}

static void on_notice(struct iot_object_kind *kind, struct iot_event_role *role,
		      struct iot_object *object, const struct iot_rec *rec, const guint64 *key,
		      gboolean again)
{
	const struct iot_rule *rule =
		role->stray_rules->len ? iot_machine_notice_rule(kind->model, role, rec) : NULL;

	if (!object && kind->pairs->len && !again &&
	    iot_tie_waits(kind->model, role, rec, IOT_NOT_KNOWN))
		return;
	if (object && object->open)
		count(kind, IOT_DIAG_notice_before_return);
	if (rule && object && object->open) { /* a change waits, as completions do */
		defer(object, role, rec);
		draw_points(kind, role, object, rec);
		return;
	}
	if (!object && rule && rule->was_none)
		object = object_begin(kind, role, rec, key, TRUE);
	else if (!object)
		object = rule && rule->was ? object_that_was(kind, role, rule, rec, key)
					   : object_from_before(kind, role, rec, key);
	if (!again)
		draw_points(kind, role, object, rec);
	if (rule && iot_machine_notice(object, rule, rec))
		end_life(object, rec->ts);
	release_if_idle(kind, object);
}

/* @again: the event has waited; its points are drawn already */
static void apply(struct iot_object_kind *kind, struct iot_event_role *role,
		  struct iot_object *object, const struct iot_rec *rec, const guint64 *key,
		  gboolean again)
{
	if (object)
		object->last_ns = MAX(object->last_ns, rec->ts);
	switch (role->part) {
	case IOT_PART_START:
		on_start(kind, role, object, rec, key, again);
		break;
	case IOT_PART_END:
		on_end(kind, role, object, rec, key, again);
		break;
	case IOT_PART_DONE:
		on_done(kind, role, object, rec, key, again);
		break;
	case IOT_PART_NOTICE:
		on_notice(kind, role, object, rec, key, again);
		break;
	case IOT_PART_NONE:
		break;
	}
}

/*
 * After a gap an id may stand for something else: an object whose state is unknown since then, and
 * which now shows up on another row, is another one.
 */
static gboolean is_another(const struct iot_object_kind *kind, const struct iot_object *object,
			   const struct iot_event_role *role, const struct iot_eval *eval)
{
	iot_row_id row = object->row;

	if (object->mode != IOT_MODE_UNKNOWN ||
	    !(kind->inputs[object->input].since_flags & IOT_SUSPECT))
		return FALSE;
	for (guint level = role->path->n_levels; level-- > 0;) {
		iot_str id = iot_template_eval(role->path->level[level].id, eval);
		const struct iot_row *at = iot_row_at(kind->model->tl, row);

		if (id && id != at->id && at->id != kind->model->others)
			return TRUE;
		row = at->parent;
	}
	return FALSE;
}

/* Of this object, or of all with many. */
static gboolean too_many_wait(const struct iot_object *object)
{
	const struct iot_object_kind *kind = object->kind;

	return object->n_deferred > MAX_DEFERRED ||
	       (object->n_deferred && kind->n_deferred > MAX(kind->model->max_open, MAX_DEFERRED));
}

void iot_object_event(struct iot_model *model, struct iot_event_role *role,
		      const struct iot_rec *rec)
{
	struct iot_object_kind *kind = role->of;
	guint64 key[IOT_MAX_KEYS] = { 0 }, hash;
	struct iot_object *object;
	struct iot_eval eval;

	iot_eval_init(model, &eval, rec->event->input, rec, NULL, NULL);
	for (guint i = 0; i < role->n_keys; i++)
		key[i] = (guint64)iot_expr_eval(role->key[i], &eval);
	hash = key_hash(rec->event->input, key);
	object = lookup(kind, rec->event->input, key, hash);
	if (object && is_another(kind, object, role, &eval)) {
		count(kind, IOT_DIAG_object_reused);
		close_life(kind, object, rec->ts, 0);
		object = NULL;
	}
	apply(kind, role, object, rec, key, FALSE);
	object = lookup(kind, rec->event->input, key, hash);
	if (object && object->open && too_many_wait(object)) {
		give_up_call(object);
		drain(kind, object);
	}
}

/* ---- gaps and the end */

/* A completion that waits behind an open call has been seen before the gap: it counts. */
static void apply_waiting(struct iot_object_kind *kind, struct iot_object *object)
{
	guint64 key[IOT_MAX_KEYS], hash = object->hash;
	guint32 input = object->input;

	memcpy(key, object->key, sizeof(key));
	while (object && object->open && completion_waits(object)) {
		count(kind, IOT_DIAG_call_closed_by_gap);
		return_call(object, object->open, NULL, IOT_SUSPECT);
		drain(kind, object);
		object = lookup(kind, input, key, hash);
	}
}

/* Nothing that was known of the object is known any more. */
static void invalidate(struct iot_object_kind *kind, struct iot_object *object, guint64 ts)
{
	object->last_ns = MAX(object->last_ns, ts);
	for (struct iot_call *call; (call = object->open);) {
		count(kind, IOT_DIAG_call_closed_by_gap);
		iot_call_draw(kind->model, object, call, NULL, IOT_SUSPECT);
		iot_call_close(object, call);
		iot_call_free(kind, call);
	}
	drop_deferred(object, IOT_SUSPECT);
	iot_state_end(kind->model, object, NULL, NULL, ts, IOT_SUSPECT);
	iot_call_free_list(kind, &object->pending);
	if (object->mode == IOT_MODE_KNOWN)
		count(kind, IOT_DIAG_state_unknown_by_gap);
	if (object->mode != IOT_MODE_NONE && !lost_sight_of(object))
		iot_machine_end(object, ts, IOT_SUSPECT);
	iot_machine_unknown(object, ts, IOT_SUSPECT);
	release_if_idle(kind, object);
}

void iot_kind_gap(struct iot_object_kind *kind, guint input, guint64 ts, gboolean begin)
{
	struct iot_kind_input *in = &kind->inputs[input];
	struct iot_object *next;

	for (struct iot_object *object = in->first; begin && object; object = next) {
		next = object->input_next;
		apply_waiting(kind, object);
	}
	if (begin)
		in->gap_depth++;
	for (struct iot_object *object = in->first; object; object = next) {
		next = object->input_next;
		invalidate(kind, object, ts);
	}
	if (!begin && in->gap_depth)
		in->gap_depth--;
	in->since = ts;
	in->since_flags = IOT_SUSPECT;
}

/* What waits behind calls that never returned is applied before anything is closed at the end. */
static void finish_calls(struct iot_object_kind *kind, gboolean at_end)
{
	while (kind->open_first) {
		struct iot_call *call = kind->open_first;
		struct iot_object *object = call->object;

		if (at_end)
			count(kind, IOT_DIAG_pair_start_without_end);
		return_call(object, call, NULL, IOT_UNFINISHED);
		drain(kind, object);
	}
}

void iot_kind_finish(struct iot_object_kind *kind, guint64 ts, gboolean at_end)
{
	finish_calls(kind, at_end);
	while (kind->first) {
		if (at_end)
			count(kind, IOT_DIAG_object_open_at_end);
		close_life(kind, kind->first, ts, IOT_UNFINISHED);
	}
}

/* ---- [object] */

static gboolean build_object(struct iot_model *model, const struct iot_section *section,
			     GError **error)
{
	const struct iot_setting *on = iot_section_require(section, "on", error);
	const struct iot_setting *notice = iot_section_get(section, "notice");
	struct iot_row_type *container = on ? iot_bind_row_type(model, on, error) : NULL;
	g_auto(GStrv) events = g_strsplit_set(notice ? notice->value : "", " \t", -1);
	struct iot_object_kind *kind;

	if (!container || !iot_section_require(section, "key", error))
		return FALSE;
	kind = g_new0(struct iot_object_kind, 1);
	kind->model = model;
	kind->section = section;
	kind->name = g_strdup(section->name);
	kind->on = container;
	kind->pairs = g_ptr_array_new();
	g_ptr_array_add(model->kinds, kind);
	for (guint i = 0; events[i]; i++) {
		struct iot_event_role *role;

		if (*events[i] &&
		    !iot_object_bind(model, kind, iot_bind_event(model, notice, events[i]),
				     IOT_PART_NOTICE, &role, section, error))
			return FALSE;
	}
	return TRUE;
}

gboolean iot_object_bind(struct iot_model *model, struct iot_object_kind *kind,
			 struct iot_schema_event *event, enum iot_part part,
			 struct iot_event_role **out_role, const struct iot_section *section,
			 GError **error)
{
	struct iot_event_role *role = iot_bind_role(model, event);
	struct iot_scope_events scope =
		iot_bind_scope(model, kind->section, event, NULL, NULL, TRUE);

	*out_role = role;
	if (role->of == kind && role->part == part && part == IOT_PART_DONE)
		return TRUE; /* several pairs share a completion */
	if (role->of || role->pair)
		return iot_section_error(section, error, "event %s has another meaning already",
					 event->name);
	if (role->points->len)
		return iot_section_error(section, error,
					 "must stand before the [point] of event %s", event->name);
	role->of = kind;
	role->part = part;
	return iot_bind_exprs(iot_section_get(kind->section, "key"), &scope, role->key,
			      &role->n_keys, error) &&
	       iot_bind_row_path(model, kind->on, &scope, &role->path, error);
}

void iot_kind_start(struct iot_object_kind *kind)
{
	const struct iot_model *model = kind->model;
	guint n_slots = 0;

	for (guint i = 0; i < kind->pairs->len; i++)
		n_slots = MAX(n_slots, ((struct iot_pair *)kind->pairs->pdata[i])->start->n_fields);
	kind->call_size = sizeof(struct iot_call) + n_slots * sizeof(union iot_val);
	iot_hashset_init(&kind->objects);
	kind->inputs = g_new0(struct iot_kind_input, model->n_inputs);
	for (guint i = 0; i < model->n_inputs; i++) {
		kind->inputs[i].since = model->inputs[i].first_ns;
		kind->inputs[i].since_flags = IOT_BEFORE;
	}
}

static void free_objects(struct iot_object_kind *kind)
{
	struct iot_object *next;

	for (struct iot_object *object = kind->first; object; object = next) {
		next = object->next;
		while (object->deferred) {
			struct iot_deferred *waiting = object->deferred;

			object->deferred = waiting->next;
			g_free(waiting);
		}
		iot_call_free_list(kind, &object->open);
		iot_call_free_list(kind, &object->pending);
		g_free(object);
	}
	for (struct iot_object *object = kind->free_objects; object; object = next) {
		next = object->next;
		g_free(object);
	}
}

gsize iot_kind_memory(const struct iot_object_kind *kind)
{
	gsize n_objects = kind->objects.n, n_calls = 0;

	for (const struct iot_object *object = kind->free_objects; object; object = object->next)
		n_objects++;
	for (const struct iot_call *call = kind->free_calls; call; call = call->next)
		n_calls++;
	return iot_ended_memory(kind) + iot_hashset_memory(&kind->objects) +
	       n_objects * sizeof(struct iot_object) + n_calls * kind->call_size;
}

void iot_kind_free(gpointer data)
{
	struct iot_object_kind *kind = data;

	free_objects(kind);
	while (kind->free_calls) {
		struct iot_call *call = kind->free_calls;

		kind->free_calls = call->next;
		g_free(call);
	}
	g_ptr_array_unref(kind->pairs);
	iot_hashset_clear(&kind->objects);
	g_free(kind->inputs);
	g_free(kind->ended);
	g_free(kind->name);
	g_free(kind);
}

static const char *const keys[] = { "key", "on", "notice", NULL };
const struct iot_section_kind iot_section_kind_object = { "object", keys, build_object, NULL };
