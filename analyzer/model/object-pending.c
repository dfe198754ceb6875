/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/object-pending.h"
#include "model/object-check.h"
#include "model/deferral.h"
#include "model/machine.h"
#include "model/object-call.h"
#include "model/scope.h"
#include "model/state.h"

/*
 * The completion of a call whose start was not seen may have been missed, too. A newer accepted
 * call proves that, because it would have been refused otherwise. The older call must not take the
 * newer one's completion. TRUE if there was one.
 */
static gboolean forget_unseen(struct iot_object *object, guint64 ts)
{
	struct iot_call **link = &object->pending, *previous = NULL;
	gboolean forgotten = FALSE;

	while (object->unseen_pending && *link) {
		if (!(*link)->unseen_start) {
			previous = *link;
			link = &previous->next;
			continue;
		}
		iot_call_free(iot_call_take_pending(object, link, previous));
		forgotten = TRUE;
	}
	if (forgotten && !object->pending)
		iot_state_end(object, ts, IOT_SUSPECT);
	object->unseen_pending = FALSE;
	return forgotten;
}

/*
 * Calls whose completions never come must not fill the memory: the object's oldest pending call is
 * evicted. The span it shares with the others stays open, because events that wait may still end or
 * change it at an earlier time.
 */
static void evict_pending(struct iot_object *object)
{
	struct iot_object_kind *kind = object->kind;

	if (!object->pending || kind->n_calls <= kind->model->max_open)
		return;
	iot_kind_count(kind, IOT_DIAG_open_evicted);
	object->state_span.item.flags |= IOT_UNFINISHED;
	iot_call_free(iot_call_take_pending(object, &object->pending, NULL));
}

void iot_object_add_pending(struct iot_object *object, struct iot_call *call,
			    struct iot_begin begin)
{
	struct iot_eval eval;
	gboolean quiet;

	iot_eval_init(object->kind->model, &eval, object->input, &call->start, NULL, NULL);
	quiet = call->pair->quiet && iot_expr_eval(call->pair->quiet, &eval);
	/* a request was granted, in a mode that may be the one asked for now */
	if (!call->unseen_start && forget_unseen(object, begin.t0) && !quiet &&
	    object->mode == IOT_MODE_NONE)
		iot_machine_unknown(object, begin.t0, begin.flags & IOT_SUSPECT);
	if (object->pending && !quiet) {
		iot_kind_count(object->kind, IOT_DIAG_call_while_pending);
		iot_check_second(object, call);
	}
	evict_pending(object);
	iot_call_add_pending(object, call);
	call->flags = begin.flags;
	iot_state_begin(call, begin.t0, begin.flags);
}

void iot_object_return_call(struct iot_call *call, const struct iot_rec *end, guint16 flags)
{
	struct iot_object *object = call->object;
	const struct iot_state *state = call->pair->state;

	iot_call_close(call);
	iot_call_draw(call, end, flags);
	if (end && state && state->until_return)
		iot_state_end(object, end->ts, flags);
	if (iot_call_expects_done(call, end)) {
		iot_object_add_pending(
			object, call, (struct iot_begin){ call->t0, iot_object_gap_flags(object) });
		return;
	}
	iot_state_over(call, end, flags);
	iot_call_free(call);
}

void iot_object_give_up_oldest(struct iot_object *object)
{
	iot_kind_count(object->kind, IOT_DIAG_defer_overflow);
	if (iot_deferral_has(object, IOT_PART_DONE))
		iot_object_return_call(object->open, NULL, IOT_UNFINISHED);
	else
		iot_call_give_up(object->open, IOT_UNFINISHED);
}

struct iot_answered iot_object_answered(struct iot_object *object, const struct iot_rec *done,
					const struct iot_eval *eval)
{
	struct iot_answered answered = { 0 };
	struct iot_call *previous = NULL;

	for (struct iot_call **link = &object->pending; *link && !answered.sure;
	     previous = *link, link = &previous->next) {
		const struct iot_pair *pair = (*link)->pair;

		if (!iot_call_may_be_answered(*link, done))
			continue;
		answered.sure = !pair->answers || iot_expr_eval(pair->answers, eval);
		if (answered.link && !answered.sure)
			continue;
		answered.link = link;
		answered.previous = previous;
	}
	return answered;
}

/* The completion of @call, which was taken from the pending calls, was seen. */
static void forget_answered(const struct iot_call *call)
{
	struct iot_object *object = call->object;

	if (!call->unseen_start)
		return;
	object->unseen_pending = FALSE;
	for (const struct iot_call *other = object->pending; other; other = other->next)
		object->unseen_pending |= other->unseen_start;
}

void iot_object_complete_call(struct iot_call *call, const struct iot_rec *done)
{
	struct iot_object *object = call->object;
	struct iot_eval eval;

	iot_eval_init(object->kind->model, &eval, object->input, &call->start, NULL, done);
	forget_answered(call);
	iot_state_set_late(call, &eval);
	iot_state_end(object, done->ts, 0);
	if (iot_machine_done(call, &eval)) {
		object->in_sight = TRUE;
		iot_call_free_list(&object->pending);
	}
	if (object->pending)
		iot_state_resume(object, done->ts);
	iot_call_free(call);
}
