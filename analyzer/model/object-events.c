/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/object-events.h"
#include "model/backing.h"
#include "model/object-check.h"
#include "model/deferral.h"
#include "model/lives.h"
#include "model/machine.h"
#include "model/object.h"
#include "model/object-call.h"
#include "model/object-pending.h"
#include "model/object-range.h"
#include "model/pair.h"
#include "model/point.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/state.h"
#include "model/ties.h"

#include <string.h>

static void apply_and_back(struct iot_step *step);

static void start_replay(struct iot_step *step, struct iot_deferred *waiting)
{
	step->role = waiting->role;
	step->rec = &waiting->rec;
	iot_emit_run(step->kind->model->emit, waiting->rec.run);
	iot_eval_init(step->kind->model, &step->eval, step->input, step->rec, NULL, NULL);
	iot_life_tell_apart(step);
}

/*
 * An object that ends meanwhile, or whose key is used again, does not exist for the events that
 * still wait: they belong to the next object with its key.
 */
void iot_object_drain(struct iot_object *object)
{
	struct iot_deferred *waiting;
	struct iot_step step;

	step.waiting = (struct iot_deferral){ 0 };
	step.kind = object->kind;
	step.object = object;
	step.input = object->input;
	step.hash = object->hash;
	step.replayed = TRUE;
	memcpy(step.key, object->key, sizeof(step.key));
	for (;;) {
		if (step.object)
			iot_deferral_move(&step.waiting, &step.object->deferred);
		waiting = step.object ? iot_deferral_take_ready(step.object)
				      : iot_deferral_take_first(step.kind, &step.waiting);
		if (!waiting)
			break;
		if (step.object && iot_object_is_over(step.object)) {
			iot_deferral_move(&step.object->deferred, &step.waiting);
			iot_object_release(step.object);
			step.object = NULL;
		}
		start_replay(&step, waiting);
		iot_life_find(&step);
		apply_and_back(&step);
		iot_step_find(&step);
		g_free(waiting);
	}
	if (step.object)
		iot_object_release(step.object);
}

/* Those of a deferred event are drawn already. */
static void draw_points(struct iot_step *step)
{
	struct iot_object *object = step->object;
	struct iot_point_at at = { .row = object->row, .lane = object->lane, .t = step->rec->ts };
	const GPtrArray *points = step->role->points;

	object->fresh = FALSE;
	if (step->replayed)
		return;
	for (guint i = 0; i < points->len; i++)
		iot_point_draw(step->kind->model, points->pdata[i], &step->eval, &at);
}

/* Open calls come first: the event's effects wait, its points do not. */
static void defer_drawn(struct iot_step *step)
{
	iot_deferral_add(step->object, step->role, step->rec);
	draw_points(step);
}

/* ---- calls */

static void start_call(struct iot_step *step)
{
	struct iot_object_kind *kind = step->kind;
	struct iot_pair *pair = step->role->pair;
	gboolean begins =
		!kind->machine || (pair->begins && iot_expr_eval(pair->begins, &step->eval));
	struct iot_call *call;

	if (step->object && begins && kind->machine)
		iot_life_reuse(step);
	if (!step->object) {
		if (begins || (pair->may_begin && iot_expr_eval(pair->may_begin, &step->eval)))
			iot_object_begin(step, begins);
		else
			iot_object_from_before(step);
	}
	call = iot_call_open(step->object, pair, step->rec);
	if (pair->state && pair->state->until_return)
		iot_state_begin(call, step->rec->ts, iot_object_gap_flags(step->object));
}

/*
 * Why the object's state excludes the start: the same call has not ended, the object lives and
 * cannot begin, or a call that has not been completed forbids it.
 */
static enum iot_contradiction
contradiction_of_start(struct iot_step *step, const struct iot_call *open, const guint64 *call_key)
{
	const struct iot_pair *pair = step->role->pair;
	struct iot_object *object = step->object;

	if (open || (object->open && iot_deferral_has_unended(object, pair, call_key)))
		return IOT_NOT_ENDED;
	if (step->kind->machine && pair->begins && iot_expr_eval(pair->begins, &step->eval))
		return IOT_STILL_ALIVE;
	return object->pending && !object->open &&
			       !(pair->quiet && iot_expr_eval(pair->quiet, &step->eval))
		       ? IOT_NOT_COMPLETED
		       : IOT_NO_CONTRADICTION;
}

/*
 * The open call started at the same instant on another CPU. It may be the later one: then the end
 * that follows belongs to this event's call. So the open call is undone, and waits.
 */
static gboolean give_way(struct iot_step *step, struct iot_call *open)
{
	const struct iot_state *state = step->role->pair->state;

	if (open->t0 != step->rec->ts || open->start.run == step->rec->run ||
	    step->object->deferred.first || (state && state->until_return) ||
	    !iot_tie_take_back(step->kind->model, step->role, &open->start, IOT_NOT_ENDED))
		return FALSE;
	iot_call_close(open);
	iot_call_free(open);
	return TRUE;
}

/* The open call started again, so its end was missed. */
static void restart_open(struct iot_step *step, struct iot_call *call)
{
	const struct iot_state *state = call->pair->state;

	iot_kind_count(step->kind, IOT_DIAG_call_restarted);
	iot_call_give_up(call, IOT_UNFINISHED);
	if (state && state->until_return)
		iot_state_end(step->object, step->rec->ts, IOT_UNFINISHED);
	iot_object_drain(step->object);
	iot_step_find(step);
}

/* The same call may have started earlier while another one was open, and its end was missed. */
static void restart_deferred(struct iot_step *step, const guint64 *call_key)
{
	struct iot_deferred *start =
		iot_deferral_take_unended(step->object, step->role->pair, call_key);

	if (!start)
		return;
	iot_kind_count(step->kind, IOT_DIAG_call_restarted);
	iot_call_drop_start(step->object, start->role->pair, &start->rec, IOT_UNFINISHED);
	g_free(start);
}

static void on_start(struct iot_step *step)
{
	enum iot_contradiction why = IOT_NO_CONTRADICTION;
	struct iot_pair *pair = step->role->pair;
	const struct iot_rec *rec = step->rec;
	guint64 call_key[IOT_MAX_KEYS];
	struct iot_call *call = NULL;

	if (step->object && step->object->open) {
		iot_pair_key(step->role, &step->eval, call_key);
		call = iot_call_find(step->object, pair, call_key);
	}
	if (call && !step->replayed && give_way(step, call)) {
		call = NULL;
		iot_object_release(step->object);
		iot_step_find(step);
	}
	if (step->object && !step->replayed && step->kind->model->inputs[step->input].n_runs > 1)
		why = contradiction_of_start(step, call, call_key);
	if (why && iot_tie_waits(step->kind->model, step->role, rec, why))
		return;
	if (call && !step->replayed && call->t0 == rec->ts && call->start.run > rec->run) {
		/* it gave way, and no end followed */
		iot_kind_count(step->kind, IOT_DIAG_call_restarted);
		iot_call_drop_start(step->object, pair, rec, IOT_UNFINISHED);
		return;
	}
	if (call)
		restart_open(step, call);
	if (step->object && step->object->open) {
		restart_deferred(step, call_key);
		iot_deferral_add(step->object, step->role, rec);
		return;
	}
	start_call(step);
}

/* An end without a start: the call began before the recording, or in a gap. */
static void on_unseen_start(struct iot_step *step)
{
	struct iot_pair *pair = step->role->pair;
	struct iot_object probe = { .kind = step->kind, .input = step->input };
	struct iot_call *call =
		iot_call_unseen(step->object ? step->object : &probe, pair, step->rec);
	gboolean expects = iot_call_expects_done(call, step->rec);
	gboolean begins =
		(pair->begins_at_end && iot_expr_eval(pair->begins_at_end, &step->eval)) ||
		(pair->may_begin_at_end && iot_expr_eval(pair->may_begin_at_end, &step->eval));
	struct iot_begin begin;

	iot_kind_count(step->kind, IOT_DIAG_pair_end_without_start);
	if (!step->object && expects && !begins)
		iot_object_from_before(step);
	else if (!step->object)
		iot_object_new(step, expects);
	if (!expects) {
		iot_call_free(call);
		return;
	}
	begin = iot_object_since(step);
	if (iot_kind_in_gap(step->kind, step->input))
		iot_machine_unknown(step->object, begin.t0, begin.flags);
	iot_object_add_pending(step->object, call, begin);
}

/* @out: @step with its end as a record of the pair's first end event, whose fields are named. */
static struct iot_step *as_first_end(struct iot_step *step, struct iot_step *out,
				     struct iot_rec_room *room)
{
	struct iot_model *model = step->kind->model;

	*out = *step;
	out->rec = iot_pair_end_record(model, step->role, step->rec, room);
	out->role = step->role->pair->ends[0].role;
	iot_eval_init(model, &out->eval, step->input, out->rec, NULL, NULL);
	return out;
}

static void on_end(struct iot_step *step)
{
	struct iot_pair *pair = step->role->pair;
	struct iot_call *call = NULL;
	guint64 call_key[IOT_MAX_KEYS];
	struct iot_step *end = step, first;
	struct iot_rec_room room;

	iot_pair_key(step->role, &step->eval, call_key);
	if (step->object)
		call = iot_call_find(step->object, pair, call_key);
	if (!call && step->object && step->object->open &&
	    iot_deferral_has_start(step->object, pair, call_key)) {
		defer_drawn(step);
		return;
	}
	if (!call && !step->replayed &&
	    iot_tie_waits(step->kind->model, step->role, step->rec, IOT_NOT_STARTED))
		return;
	/* what the open call shows begins at its start, which is earlier */
	if (!call && step->object && step->object->open) {
		defer_drawn(step);
		return;
	}
	if (step->role->end)
		end = as_first_end(step, &first, &room);
	if (!call)
		on_unseen_start(end);
	step->object = end->object;
	draw_points(step);
	if (call)
		iot_object_return_call(call, end->rec, iot_object_gap_flags(step->object));
	if (!step->replayed)
		iot_object_drain(step->object);
}

/* ---- completions and notices */

/* An event says that the object has ended, and with it the pending calls. */
static void end_life(struct iot_object *object, guint64 ts)
{
	object->in_sight = TRUE;
	iot_state_end(object, ts, 0);
	iot_call_free_list(&object->pending);
}

/* A completion without a call. */
static void on_stray(struct iot_step *step, const struct iot_eval *done)
{
	const struct iot_rule *rule = iot_machine_rule(step->role, done, NULL);
	gboolean is_new = !step->object;
	guint64 ts = step->rec->ts;

	iot_kind_count(step->kind, IOT_DIAG_done_without_call);
	iot_check_stray(step, done);
	if (is_new && rule && rule->was_unknown)
		iot_object_from_before(step);
	else if (is_new)
		iot_object_new(step, TRUE);
	if (is_new && step->object->fresh)
		iot_state_draw_stray(step->object, step->role, step->rec, iot_object_since(step),
				     rule != NULL);
	if (iot_machine_stray(step->object, rule, ts))
		end_life(step->object, ts);
}

static void on_done(struct iot_step *step)
{
	struct iot_model *model = step->kind->model;
	struct iot_answered answered = { 0 };
	struct iot_eval done;

	if (step->object && step->object->open) {
		iot_kind_count(step->kind, IOT_DIAG_done_before_return);
		defer_drawn(step);
		return;
	}
	iot_eval_init(model, &done, step->input, NULL, NULL, step->rec);
	if (step->object)
		answered = iot_object_answered(step->object, step->rec, &done);
	if (!answered.link && step->role->is_end)
		return;
	if (!answered.sure && !step->replayed &&
	    iot_tie_waits(model, step->role, step->rec, IOT_NOT_CALLED))
		return;
	if (answered.link)
		iot_object_complete_call(
			iot_call_take_pending(step->object, answered.link, answered.previous),
			step->rec);
	else
		on_stray(step, &done);
	draw_points(step);
	iot_life_release(step->object, step->rec->ts);
}

/* An object is first seen by an event that says what mode it had: since an unknown time, or since
 * the last gap. */
static void object_that_was(struct iot_step *step, const struct iot_rule *rule)
{
	struct iot_begin begin;

	iot_object_new(step, TRUE);
	begin = iot_object_since(step);
	iot_object_count_unseen(step->object, begin.flags);
	if (iot_kind_in_gap(step->kind, step->input))
		iot_machine_unknown(step->object, begin.t0, begin.flags);
	else
		iot_machine_was(step->object, rule, &step->eval, begin);
}

static void on_notice(struct iot_step *step)
{
	const struct iot_rule *rule = iot_machine_rule(step->role, &step->eval, step->object);

	if (!step->object && step->kind->pairs->len && !step->replayed &&
	    iot_tie_waits(step->kind->model, step->role, step->rec, IOT_NOT_KNOWN))
		return;
	if (step->object && step->object->open)
		iot_kind_count(step->kind, IOT_DIAG_notice_before_return);
	if (rule && step->object && step->object->open) {
		defer_drawn(step);
		return;
	}
	if (!step->object && rule && rule->was_none)
		iot_object_begin(step, TRUE);
	else if (!step->object && rule && rule->was)
		object_that_was(step, rule);
	else if (!step->object)
		iot_object_from_before(step);
	draw_points(step);
	if (rule && iot_machine_notice(step->object, rule, &step->eval))
		end_life(step->object, step->rec->ts);
	iot_life_release(step->object, step->rec->ts);
}

/* ---- events */

static void apply(struct iot_step *step)
{
	if (step->object)
		step->object->last_ns = MAX(step->object->last_ns, step->rec->ts);
	switch (step->role->part) {
	case IOT_PART_START:
		on_start(step);
		break;
	case IOT_PART_END:
		on_end(step);
		break;
	case IOT_PART_DONE:
		on_done(step);
		break;
	case IOT_PART_NOTICE:
		on_notice(step);
		break;
	case IOT_PART_NONE:
		break;
	}
}

/* A lock whose state an event changes can make a hold of another model certain, or doubtful. */
static void apply_and_back(struct iot_step *step)
{
	guint64 former = step->object ? step->object->former : 0;

	apply(step);
	iot_life_find_former(step, former);
	if (step->kind->backing && step->object)
		iot_backing_event(step->object, step->rec->ts);
}

/*
 * Fast path for notices of objects without a row, such as the threads of a machine that no other
 * model draws, which switch all the time. Nothing can be open, waiting or drawn; on_notice does the
 * same. FALSE: the event is not of this kind.
 */
static gboolean note_unseen(struct iot_step *step)
{
	const struct iot_object_kind *kind = step->kind;
	const struct iot_event_role *role = step->role;
	const struct iot_rule *rule;
	struct iot_object *object;

	if (!kind->may_be_unseen || role->part != IOT_PART_NOTICE || role->apart ||
	    kind->n_former || iot_slow_only())
		return FALSE;
	iot_step_find(step);
	object = step->object;
	if (!object || object->row)
		return FALSE;
	object->last_ns = MAX(object->last_ns, step->rec->ts);
	object->fresh = FALSE;
	rule = iot_machine_rule(role, &step->eval, object);
	if (rule && iot_machine_notice(object, rule, &step->eval))
		end_life(object, step->rec->ts);
	if (object->mode == IOT_MODE_NONE)
		iot_object_release(object);
	return TRUE;
}

void iot_object_event(struct iot_model *model, struct iot_event_role *role,
		      const struct iot_rec *rec)
{
	struct iot_step step;

	step.kind = role->of;
	step.role = role;
	step.rec = rec;
	step.input = iot_kind_input(role->of, rec->event->input);
	step.replayed = FALSE;
	iot_eval_init(model, &step.eval, rec->event->input, rec, NULL, NULL);
	if (role->when && !iot_expr_eval(role->when, &step.eval))
		return;
	memset(step.key, 0, sizeof(step.key));
	for (guint i = 0; i < role->n_keys; i++)
		step.key[i] = (guint64)iot_expr_eval(role->key[i], &step.eval);
	iot_step_hash(&step);
	if (G_UNLIKELY(step.kind->ranged)) {
		iot_range_event(&step);
		return;
	}
	if (note_unseen(&step))
		return;
	/* slow path */
	iot_life_tell_apart(&step);
	iot_life_find(&step);
	if (G_UNLIKELY(step.kind->checks))
		iot_check_event(&step);
	apply_and_back(&step);
	if (step.object && step.object->open && iot_deferral_is_full(step.object)) {
		iot_object_give_up_oldest(step.object);
		iot_object_drain(step.object);
	}
}
