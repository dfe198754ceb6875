/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/object.h"
#include "model/backing.h"
#include "model/deferral.h"
#include "model/ended.h"
#include "model/lives.h"
#include "model/machine.h"
#include "model/object-call.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/setter.h"
#include "model/state.h"
#include "timeline/thread-rows.h"

#include <string.h>

/* ---- identity */

gboolean iot_step_has_key(const struct iot_step *step, const struct iot_object *object)
{
	gsize i = 0;

	while (i < step->kind->n_numbers && object->key[i] == step->key[i])
		i++;
	return object->input == step->input && i == step->kind->n_numbers;
}

void iot_step_find(struct iot_step *step)
{
	guint at = iot_hashset_first(&step->kind->objects, step->hash);
	struct iot_object *object;

	while ((object = iot_hashset_next(&step->kind->objects, step->hash, &at)) &&
	       (object->former || !iot_step_has_key(step, object)))
		;
	step->object = object;
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
	kind->n_former -= object->former > 0;
	*(object->prev ? &object->prev->next : &kind->first) = object->next;
	*(object->next ? &object->next->prev : &kind->last) = object->prev;
	*(object->input_prev ? &object->input_prev->input_next : &input->first) =
		object->input_next;
	*(object->input_next ? &object->input_next->input_prev : &input->last) = object->input_prev;
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

struct iot_object *iot_object_restore(struct iot_object_kind *kind, guint32 input,
				      const guint64 *key, guint64 former)
{
	struct iot_step step = { .kind = kind, .input = input };
	struct iot_object *object;

	memcpy(step.key, key, sizeof(step.key));
	iot_step_hash(&step);
	iot_step_find(&step);
	if (step.object && !former)
		return NULL;
	object = object_alloc(kind);
	object->kind = kind;
	object->input = input;
	object->hash = step.hash;
	memcpy(object->key, key, sizeof(object->key));
	object->former = former;
	kind->n_former += former > 0;
	link_object(kind, object);
	return object;
}

/* ---- end of a life */

gboolean iot_object_is_over(const struct iot_object *object)
{
	return !object->open && !object->pending && object->mode == IOT_MODE_NONE &&
	       !object->state_span.open;
}

gboolean iot_object_lost_sight(const struct iot_object *object)
{
	return object->mode == IOT_MODE_UNKNOWN && (object->mode_span.item.flags & IOT_SUSPECT);
}

void iot_object_release(struct iot_object *object)
{
	struct iot_object_kind *kind = object->kind;

	if (object->deferred.first || !iot_object_is_over(object))
		return;
	if (kind->backing)
		iot_backing_forget(object);
	if (object->in_sight)
		iot_ended_note(kind, object->hash, object->last_ns);
	if (object->row)
		iot_lanes_release(kind->model->lanes, object->row, object->lane, object->last_ns);
	unlink_object(kind, object);
	g_clear_pointer(&object->unseen, g_free);
	object->next = kind->free_objects;
	kind->free_objects = object;
}

void iot_object_close_life(struct iot_object *object, guint64 ts, guint16 flags)
{
	object->last_ns = MAX(object->last_ns, ts);
	while (object->open)
		iot_call_give_up(object->open, flags);
	iot_deferral_drop(object, flags);
	iot_state_end(object, ts, flags);
	iot_call_free_list(&object->pending);
	iot_machine_end(object, ts, flags);
	iot_object_release(object);
}

/* ---- begin of a life */

static void evict_oldest(struct iot_object_kind *kind, guint64 ts)
{
	iot_kind_count(kind, IOT_DIAG_open_evicted);
	kind->first->in_sight = FALSE; /* it has not ended */
	/* a deferred event may be earlier than what was drawn of the object meanwhile */
	iot_object_close_life(kind->first, MAX(ts, kind->first->last_ns), IOT_UNFINISHED);
}

void iot_object_new(struct iot_step *step, gboolean unused_lane)
{
	struct iot_object_kind *kind = step->kind;
	struct iot_model *model = kind->model;
	const struct iot_event_role *role = step->role;
	struct iot_item item = { 0 };
	struct iot_object *object;

	if (kind->objects.n >= model->max_open)
		evict_oldest(kind, step->rec->ts);
	object = step->object = object_alloc(kind);
	object->kind = kind;
	object->input = step->input;
	object->last_ns = step->rec->ts;
	memcpy(object->key, step->key, sizeof(object->key));
	object->hash = step->hash;
	object->apart = step->apart;
	if (step->of_former)
		iot_life_is_former(object, step->rec->ts);
	object->row = iot_row_path_find(model, role->path, &step->eval);
	object->in_sight = iot_ended_since(kind, object->hash, kind->inputs[step->input].since);
	/* during a gap nothing is drawn before the event */
	if (!object->row) {
		/* nothing is drawn until its thread has a row */
	} else if (unused_lane && !object->in_sight && !iot_kind_in_gap(kind, step->input)) {
		object->lane = iot_lanes_take_unused(model->lanes, object->row);
		object->fresh = TRUE;
	} else {
		object->lane = iot_lanes_take(model->lanes, object->row, step->rec->ts);
	}
	object->stateless = role->has_state && !iot_expr_eval(role->has_state, &step->eval);
	if (kind->machine) {
		item.n_attrs = (guint8)iot_type_at(model->tl, kind->machine->type)->n_attrs;
		iot_setter_apply(&role->machine_set.all, &step->eval, &item);
		memcpy(object->always, item.attr, sizeof(object->always));
	}
	link_object(kind, object);
}

struct iot_begin iot_object_since(const struct iot_step *step)
{
	const struct iot_object *object = step->object;
	const struct iot_kind_input *input = &step->kind->inputs[step->input];
	guint64 ts = step->rec->ts, since = input->since;

	if (input->gap_depth || object->in_sight)
		return (struct iot_begin){ ts, IOT_SUSPECT };
	if (ts > iot_emit_to(step->kind->model->emit) || !object->fresh)
		return (struct iot_begin){ ts, input->since_flags };
	/* below another model's thread: from the first event of the thread that it draws */
	if (step->kind->on->follows) {
		guint64 noted = 0;

		iot_thread_rows_find(step->kind->model->tl->threads,
				     step->kind->model->inputs[step->input].machine,
				     (gint64)step->key[0], &noted);
		since = MAX(since, noted);
	}
	return (struct iot_begin){ MIN(since, ts), input->since_flags };
}

void iot_object_count_unseen(const struct iot_object *object, guint16 flags)
{
	if (!object->row)
		return; /* nobody sees it */
	if (flags & IOT_BEFORE)
		iot_kind_count(object->kind, IOT_DIAG_object_before);
	else if (object->in_sight && !iot_kind_in_gap(object->kind, object->input))
		iot_kind_count(object->kind, IOT_DIAG_object_again);
}

void iot_object_from_before(struct iot_step *step)
{
	struct iot_begin begin;

	iot_object_new(step, step->kind->machine != NULL);
	if (!step->kind->machine || step->object->stateless)
		return;
	begin = iot_object_since(step);
	iot_object_count_unseen(step->object, begin.flags);
	iot_machine_unknown(step->object, begin.t0, begin.flags);
}

/* During a gap even a begin is not certain: the mode is unknown from the first event on. */
void iot_object_begin(struct iot_step *step, gboolean surely)
{
	iot_object_new(step, FALSE);
	step->object->in_sight |= surely;
	if (iot_kind_in_gap(step->kind, step->input))
		iot_machine_unknown(step->object, step->rec->ts, IOT_SUSPECT);
}

/* ---- kinds */

void iot_kind_start(struct iot_object_kind *kind)
{
	const struct iot_model *model = kind->model;
	guint n_slots = 0;

	for (guint i = 0; i < kind->pairs->len; i++) {
		const struct iot_pair *pair = kind->pairs->pdata[i];

		n_slots = MAX(n_slots, iot_schema_recorded(pair->start)->n_fields);
	}
	kind->call_size = sizeof(struct iot_call) + n_slots * sizeof(union iot_val);
	kind->may_be_unseen = kind->on->follows && kind->machine && !kind->pairs->len &&
			      !kind->checks && !kind->backing && !kind->certain_while;
	iot_hashset_init(&kind->objects);
	kind->inputs = g_new0(struct iot_kind_input, model->n_inputs);
	for (guint i = 0; i < model->n_inputs; i++) {
		kind->inputs[i].since = model->inputs[i].first_ns;
		kind->inputs[i].since_flags = IOT_BEFORE;
		if (kind->common)
			kind->inputs[0].since =
				MIN(kind->inputs[0].since, model->inputs[i].first_ns);
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

static void free_list(struct iot_object *object)
{
	while (object) {
		struct iot_object *next = object->next;

		g_free(object);
		object = next;
	}
}

void iot_kind_free(gpointer data)
{
	struct iot_object_kind *kind = data;

	for (struct iot_object *object = kind->first; object; object = object->next) {
		iot_deferral_free(object);
		iot_call_free_list(&object->open);
		iot_call_free_list(&object->pending);
		g_free(object->unseen);
	}
	free_list(kind->first);
	free_list(kind->free_objects);
	while (kind->free_calls) {
		struct iot_call *call = kind->free_calls;

		kind->free_calls = call->next;
		g_free(call);
	}
	g_ptr_array_unref(kind->pairs);
	iot_hashset_clear(&kind->objects);
	if (kind->certain_while)
		iot_backing_free(kind->backing);
	g_free(kind->inputs);
	g_free(kind->ended);
	g_clear_pointer(&kind->checks, g_ptr_array_unref);
	g_free(kind->name);
	g_free(kind);
}
