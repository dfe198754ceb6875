/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [state]: a span for calls on an object, from start to return, or from start to the completion of
 * an accepted call. Calls that are pending at the same time on one object share one span (see
 * object.c).
 */
#include "model/model-local.h"

#include <string.h>

void iot_state_free(gpointer data)
{
	struct iot_state *state = data;

	if (!state)
		return;
	iot_template_free(state->value);
	iot_setter_clear(&state->set);
	g_free(state);
}

static gboolean build_span(struct iot_state *state, const struct iot_setting *span, GError **error)
{
	if (!span || !strcmp(span->value, "start to done"))
		return TRUE;
	if (strcmp(span->value, "start to return"))
		return iot_setting_error(span, 0, error,
					 "either \"start to done\" or \"start to return\"");
	state->until_return = TRUE;
	return TRUE;
}

/* Attributes of a call that was not seen to start are compiled for its completion. */
static gboolean build_stray(struct iot_model *model, const struct iot_section *section,
			    struct iot_pair *pair, GError **error)
{
	struct iot_use *use = pair->done ? iot_bind_use(model, pair->done) : NULL;
	struct iot_scope_events scope;

	if (!use || use->pair)
		return TRUE;
	use->pair = pair; /* the first pair that this event completes lends its state to stray
			     completions */
	scope = iot_bind_scope(model, section, pair->done, NULL, pair->done, FALSE);
	return iot_bind_setter(model, section, pair->state->values, &scope, TRUE, &use->stray_set,
			       error);
}

static gboolean build_state(struct iot_model *model, const struct iot_section *section,
			    GError **error)
{
	const struct iot_setting *call = iot_section_require(section, "call", error);
	const struct iot_setting *name =
		call ? iot_section_require(section, "values", error) : NULL;
	const struct iot_setting *value =
		name ? iot_section_require(section, "value", error) : NULL;
	struct iot_pair *pair = value ? iot_bind_pair(model, call, call->value, error) : NULL;
	struct iot_values *values = pair ? iot_bind_values(model, name, error) : NULL;
	struct iot_scope_events scope;
	struct iot_state *state;

	if (!values)
		return FALSE;
	if (pair->state)
		return iot_setting_error(call, 0, error, "[pair %s] has a state already",
					 pair->name);
	if (values->on != pair->of->on)
		return iot_setting_error(
			name, 0, error, "these values are drawn on %s, but [object %s] is on %s",
			values->on->section->name, pair->of->name, pair->of->on->section->name);
	state = g_new0(struct iot_state, 1);
	pair->state = state;
	state->values = values;
	g_ptr_array_add(model->states, state);
	scope = iot_bind_scope(model, section, pair->start, NULL, pair->done, FALSE);
	state->value = iot_template_compile(value, model->names, FALSE, &scope, error);
	if (!state->value || !build_span(state, iot_section_get(section, "span"), error) ||
	    !iot_bind_setter(model, section, values, &scope, FALSE, &state->set, error))
		return FALSE;
	if (!state->until_return && !pair->done)
		return iot_section_error(section, error,
					 "[pair %s] has no done event; use span = start to return",
					 pair->name);
	return build_stray(model, section, pair, error);
}

static void start_item(struct iot_model *model, struct iot_object *object, struct iot_state *state,
		       const struct iot_eval *eval, guint64 t0, guint16 flags)
{
	struct iot_item *item = &object->state_span.item;

	iot_item_start(model, item, state->values);
	item->cat = iot_values_cat(model, state->values, iot_template_eval(state->value, eval));
	item->box = object->box;
	item->lane = object->lane;
	item->t0 = t0;
	item->flags = flags;
}

void iot_state_begin(struct iot_model *model, struct iot_object *object,
		     const struct iot_call *call, guint64 t0, guint16 flags)
{
	struct iot_state *state = call->pair->state;
	struct iot_eval eval;

	if (!state || object->state_span.open)
		return;
	iot_eval_set(model, &eval, object->input, &call->start, NULL, NULL);
	start_item(model, object, state, &eval, t0, flags);
	iot_setter_apply(&state->set, &eval, FALSE, &object->state_span.item);
	iot_emit_begin(model->emit, &object->state_span);
}

void iot_state_begin_stray(struct iot_model *model, struct iot_object *object,
			   const struct iot_use *use, const struct iot_rec *done, guint64 t0,
			   guint16 flags)
{
	struct iot_state *state = use->pair ? use->pair->state : NULL;
	struct iot_eval eval;

	if (!state)
		return;
	iot_eval_set(model, &eval, object->input, done, NULL, done);
	start_item(model, object, state, &eval, t0, flags);
	iot_setter_apply(&use->stray_set, &eval, FALSE, &object->state_span.item);
	iot_emit_begin(model->emit, &object->state_span);
}

void iot_state_end(struct iot_model *model, struct iot_object *object, const struct iot_call *call,
		   const struct iot_rec *done, guint64 t1, guint16 flags)
{
	struct iot_eval eval;

	if (!object->state_span.open)
		return;
	if (call && done && call->pair->state) {
		iot_eval_set(model, &eval, object->input, &call->start, NULL, done);
		iot_setter_apply(&call->pair->state->set, &eval, TRUE, &object->state_span.item);
	}
	iot_emit_end(model->emit, &object->state_span, t1, flags);
}

static const char *const keys[] = { "call", "span", "values", "value", "set *", "always *", NULL };
const struct iot_joiner_ops iot_joiner_state = { "state", keys, build_state, NULL };
