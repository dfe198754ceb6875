/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/lives.h"
#include "model/asks.h"
#include "model/deferral.h"
#include "model/machine.h"
#include "model/object-check.h"
#include "model/object-pending.h"
#include "model/row.h"
#include "model/scope.h"

void iot_life_tell_apart(struct iot_step *step)
{
	const struct iot_expr *apart = step->role->apart;

	step->apart = apart ? (guint64)iot_expr_eval(apart, &step->eval) : 0;
	step->of_former = FALSE;
}

static gboolean is_apart(const struct iot_step *step, const struct iot_object *object)
{
	return step->apart && object->apart && step->apart != object->apart;
}

/* ---- former lives */

static struct iot_object *next_former(const struct iot_step *step, guint *at)
{
	struct iot_object *object;

	while ((object = iot_hashset_next(&step->kind->objects, step->hash, at)) &&
	       (!object->former || !iot_step_has_key(step, object)))
		;
	return object;
}

void iot_life_find_former(struct iot_step *step, guint64 number)
{
	guint at = iot_hashset_first(&step->kind->objects, step->hash);

	if (!number) {
		iot_step_find(step);
		return;
	}
	while ((step->object = next_former(step, &at)) && step->object->former != number)
		;
}

/* Its key is in use again, so the answer to its last call ends it. */
static gboolean is_completed(struct iot_object *former, const struct iot_step *step)
{
	struct iot_answered answered;
	struct iot_eval eval;

	iot_eval_init(step->kind->model, &eval, step->input, NULL, NULL, step->rec);
	answered = iot_object_answered(former, step->rec, &eval);
	if (!answered.sure || former->pending->next)
		return answered.sure;
	iot_eval_init(step->kind->model, &eval, step->input, &(*answered.link)->start, NULL,
		      step->rec);
	return iot_machine_ends(*answered.link, &eval);
}

/* Completions come in the order of the calls. NULL: the event belongs to the life that the key has
 * now. @elsewhere: there is none, or it is another one. */
static struct iot_object *former_of_event(struct iot_step *step, gboolean elsewhere)
{
	gboolean done = step->role->part == IOT_PART_DONE;
	guint at = iot_hashset_first(&step->kind->objects, step->hash);
	struct iot_object *object, *sure = NULL, *likely = NULL;

	if (!done && !(elsewhere && step->role->part == IOT_PART_NOTICE))
		return NULL;
	while ((object = next_former(step, &at))) {
		if (is_apart(step, object))
			continue;
		if (done && is_completed(object, step) && (!sure || object->former < sure->former))
			sure = object;
		if (elsewhere && (!likely || object->former < likely->former))
			likely = object;
	}
	return sure ? sure : likely;
}

/* ---- the life of an event */

/* The event names another object than the one that has the key. A start that begins an object says
 * so itself, and so does one that waits for the end of an open call. */
static gboolean is_elsewhere(struct iot_step *step, const struct iot_object *current)
{
	const struct iot_pair *pair = step->role->pair;

	if (!current || !is_apart(step, current))
		return FALSE;
	switch (step->role->part) {
	case IOT_PART_START:
		return !current->open &&
		       !(pair->begins && iot_expr_eval(pair->begins, &step->eval));
	case IOT_PART_END:
		return !current->open;
	default:
		return !iot_deferral_has(current, IOT_PART_START);
	}
}

void iot_life_find_known(struct iot_step *step)
{
	struct iot_object *former = NULL;
	gboolean elsewhere;

	iot_step_find(step);
	elsewhere = is_elsewhere(step, step->object);
	if (G_UNLIKELY(step->kind->n_former))
		former = former_of_event(step, elsewhere || !step->object);
	if (former || elsewhere)
		step->object = former;
}

/*
 * After a gap an id may be in use again: an object whose mode is unknown since then, and that now
 * appears on another row, is a different one.
 */
static gboolean is_another(const struct iot_step *step)
{
	const struct iot_object *object = step->object;
	const struct iot_model *model = step->kind->model;
	const struct iot_row_path *path = step->role->path;
	iot_row_id row = object->row;

	if (object->former || object->mode != IOT_MODE_UNKNOWN || step->kind->on->follows ||
	    !(step->kind->inputs[step->input].since_flags & IOT_SUSPECT))
		return FALSE;
	for (guint level = path->n_levels; level-- > 0;) {
		iot_str id = iot_template_eval(path->level[level].id, &step->eval);
		const struct iot_row *at = iot_row_at(model->tl, row);

		if (id && id != at->id && at->id != model->others)
			return TRUE;
		row = at->parent;
	}
	return FALSE;
}

void iot_life_find(struct iot_step *step)
{
	struct iot_object *current;

	iot_life_find_known(step);
	if (step->object) {
		if (is_another(step))
			iot_life_reuse(step);
		return;
	}
	iot_step_find(step);
	current = step->object;
	if (!current)
		return;
	/* a call on another object, or anything if events are missing: the current one has ended */
	if (step->role->part == IOT_PART_START || step->role->part == IOT_PART_END ||
	    iot_object_lost_sight(current)) {
		iot_life_reuse(step);
		return;
	}
	step->object = NULL;
	step->of_former = TRUE;
}

/* ---- the key is used again */

/* Whether a call whose completion is due may have ended it: a request, or one that gives it up. */
static gboolean may_have_ended(const struct iot_object *object)
{
	const struct iot_call *call = object->pending;

	/* the completion of a call whose start was not seen may have come before its return */
	if (object->open || object->unseen_pending ||
	    iot_kind_in_gap(object->kind, object->input))
		return FALSE;
	if (object->mode == IOT_MODE_NONE)
		return call != NULL;
	while (call && !iot_asks_releases(call->pair))
		call = call->next;
	return call != NULL;
}

void iot_life_is_former(struct iot_object *object, guint64 ts)
{
	object->former = ++object->kind->last_former;
	object->reused_ns = ts;
	object->kind->n_former++;
}

void iot_life_count_reused(const struct iot_object *object, guint64 ts)
{
	iot_kind_count(object->kind, IOT_DIAG_object_reused);
	iot_check_unanswered(object, ts);
}

void iot_life_reuse(struct iot_step *step)
{
	struct iot_object *object = step->object;
	guint64 ts = step->rec->ts;

	step->object = NULL;
	/* the events that wait after this one are later */
	if (step->replayed)
		iot_deferral_move(&object->deferred, &step->waiting);
	if (may_have_ended(object)) {
		iot_life_is_former(object, ts);
		return;
	}
	iot_life_count_reused(object, ts);
	/* the life of an object out of sight ended before, unseen */
	iot_object_close_life(object, ts, iot_object_lost_sight(object) ? 0 : IOT_UNFINISHED);
}

void iot_life_release(struct iot_object *object, guint64 ts)
{
	if (object->former && !object->pending)
		iot_object_close_life(object, ts, object->mode == IOT_MODE_NONE ? 0 : IOT_SUSPECT);
	else
		iot_object_release(object);
}
