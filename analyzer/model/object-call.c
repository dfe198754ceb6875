/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/object-call.h"
#include "model/asks.h"
#include "model/pair.h"
#include "model/point.h"
#include "model/scope.h"
#include "model/state.h"

#include <string.h>

struct iot_call *iot_call_new(struct iot_object *object, struct iot_pair *pair)
{
	struct iot_object_kind *kind = object->kind;
	struct iot_call *call = kind->free_calls;

	if (call)
		kind->free_calls = call->next;
	else
		call = g_malloc(kind->call_size);
	memset(call, 0, sizeof(*call));
	call->pair = pair;
	call->object = object;
	kind->n_calls++;
	return call;
}

void iot_call_free(struct iot_call *call)
{
	struct iot_object_kind *kind = call->object->kind;

	call->next = kind->free_calls;
	kind->free_calls = call;
	kind->n_calls--;
}

void iot_call_free_list(struct iot_call **list)
{
	while (*list) {
		struct iot_call *call = *list;

		*list = call->next;
		iot_call_free(call);
	}
}

/* The new call is usually the youngest. */
void iot_call_chain(struct iot_call *call)
{
	struct iot_object_kind *kind = call->object->kind;
	struct iot_call *before = kind->open_last;

	while (before && before->t0 > call->t0)
		before = before->open_prev;
	call->open_prev = before;
	call->open_next = before ? before->open_next : kind->open_first;
	*(before ? &before->open_next : &kind->open_first) = call;
	*(call->open_next ? &call->open_next->open_prev : &kind->open_last) = call;
}

struct iot_call *iot_call_open(struct iot_object *object, struct iot_pair *pair,
			       const struct iot_rec *start)
{
	struct iot_call *call = iot_call_new(object, pair), **tail = &object->open;
	struct iot_eval eval;

	memcpy(&call->start, start, iot_rec_size(start->event));
	call->t0 = start->ts;
	iot_eval_init(object->kind->model, &eval, object->input, start, NULL, NULL);
	for (guint i = 0; i < pair->n_keys; i++)
		call->key[i] = (guint64)iot_expr_eval(pair->start_key[i], &eval);
	while (*tail)
		tail = &(*tail)->next;
	*tail = call;
	iot_call_chain(call);
	return call;
}

/*
 * The bound event of a start that is made up from an end: each slot of the start has the type of
 * the end's field with the same name.
 */
static const struct iot_event *unseen_event(struct iot_object *object, struct iot_pair *pair,
					    const struct iot_event *end)
{
	struct iot_event *event;

	if (!pair->unseen)
		pair->unseen = g_new0(struct iot_event, object->kind->model->n_inputs);
	event = &pair->unseen[object->input];
	event->index = pair->start->index;
	event->input = object->input;
	event->n_slots = iot_schema_recorded(pair->start)->n_fields;
	for (guint i = 0; i < event->n_slots; i++)
		event->slot_type[i] = pair->end_to_start[i] < 0
					      ? (guint8)IOT_SLOT_ABSENT
					      : end->slot_type[pair->end_to_start[i]];
	return event;
}

struct iot_call *iot_call_unseen(struct iot_object *object, struct iot_pair *pair,
				 const struct iot_rec *end)
{
	struct iot_call *call = iot_call_new(object, pair);

	call->start.event = unseen_event(object, pair, end->event);
	call->start.pid = end->pid;
	call->start.ts = call->t0 = end->ts;
	call->start.run = end->run;
	for (guint i = 0; i < call->start.event->n_slots; i++)
		call->start.slot[i].u =
			pair->end_to_start[i] < 0 ? 0 : end->slot[pair->end_to_start[i]].u;
	call->unseen_start = TRUE;
	return call;
}

struct iot_call *iot_call_find(const struct iot_object *object, const struct iot_pair *pair,
			       const guint64 *key)
{
	struct iot_call *call = object->open;

	while (call && (call->pair != pair || memcmp(call->key, key, sizeof(call->key))))
		call = call->next;
	return call;
}

void iot_call_close(struct iot_call *call)
{
	struct iot_object_kind *kind = call->object->kind;
	struct iot_call **link = &call->object->open;

	while (*link != call)
		link = &(*link)->next;
	*link = call->next;
	call->next = NULL;
	*(call->open_prev ? &call->open_prev->open_next : &kind->open_first) = call->open_next;
	*(call->open_next ? &call->open_next->open_prev : &kind->open_last) = call->open_prev;
}

void iot_call_give_up(struct iot_call *call, guint16 flags)
{
	if (flags & IOT_SUSPECT)
		iot_state_doubt(call);
	iot_call_draw(call, NULL, flags);
	iot_call_close(call);
	iot_call_free(call);
}

void iot_call_drop_start(struct iot_object *object, struct iot_pair *pair,
			 const struct iot_rec *start, guint16 flags)
{
	iot_call_give_up(iot_call_open(object, pair, start), flags);
}

void iot_call_add_pending(struct iot_object *object, struct iot_call *call)
{
	*(object->pending ? &object->pending_tail->next : &object->pending) = call;
	object->pending_tail = call;
	object->unseen_pending |= call->unseen_start;
	call->object = object;
}

struct iot_call *iot_call_take_pending(struct iot_object *object, struct iot_call **link,
				       struct iot_call *previous)
{
	struct iot_call *call = *link;

	*link = call->next;
	if (!call->next)
		object->pending_tail = previous;
	call->next = NULL;
	return call;
}

static enum iot_call_kind kind_of(const struct iot_pair *pair, const struct iot_eval *eval)
{
	if (pair->async && !iot_expr_eval(pair->async, eval))
		return IOT_CALL_NONE;
	if (iot_asks_releases(pair))
		return IOT_CALL_RELEASES;
	return pair->begins && iot_expr_eval(pair->begins, eval) ? IOT_CALL_BEGINS
								 : IOT_CALL_CHANGES;
}

void iot_call_draw(const struct iot_call *call, const struct iot_rec *end, guint16 flags)
{
	struct iot_object *object = call->object;
	struct iot_point_at at = { object->row, object->lane, flags, call->t0, IOT_CALL_NONE };
	struct iot_eval eval;

	if (call->unseen_start)
		return;
	object->fresh = FALSE;
	iot_eval_init(object->kind->model, &eval, object->input, &call->start, end, NULL);
	if (call->pair->points->len)
		at.call = kind_of(call->pair, &eval);
	for (guint i = 0; i < call->pair->points->len; i++)
		iot_point_draw(object->kind->model, call->pair->points->pdata[i], &eval, &at);
}

gboolean iot_call_expects_done(const struct iot_call *call, const struct iot_rec *end)
{
	const struct iot_pair *pair = call->pair;
	struct iot_eval eval;

	if (!pair->done)
		return FALSE;
	iot_eval_init(call->object->kind->model, &eval, call->object->input, &call->start, end,
		      NULL);
	if (end && pair->accepted && !iot_expr_eval(pair->accepted, &eval))
		return FALSE;
	return !pair->async || iot_expr_eval(pair->async, &eval);
}

gboolean iot_call_may_be_answered(const struct iot_call *call, const struct iot_rec *done)
{
	const struct iot_pair *pair = call->pair;
	struct iot_model *model = call->object->kind->model;
	struct iot_eval at_start, at_done;

	if (pair->done->index != done->event->index)
		return FALSE;
	if (G_LIKELY(!pair->n_done_keys))
		return TRUE;
	iot_eval_init(model, &at_start, call->object->input, &call->start, NULL, NULL);
	iot_eval_init(model, &at_done, call->object->input, done, NULL, NULL);
	for (guint i = 0; i < pair->n_done_keys; i++)
		if (iot_expr_eval(pair->call_key[i], &at_start) !=
		    iot_expr_eval(pair->done_key[i], &at_done))
			return FALSE;
	return TRUE;
}
