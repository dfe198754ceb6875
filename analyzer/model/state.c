/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/state.h"
#include "model/asks.h"
#include "model/bind.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/section-table.h"
#include "model/thread-follow.h"
#include "model/setter.h"
#include "model/values.h"

#include <string.h>

void iot_state_free(gpointer data)
{
	struct iot_state *state = data;

	if (!state)
		return;
	iot_template_free(state->value);
	iot_template_free(state->releasing);
	iot_template_free(state->keeping);
	iot_template_free(state->over);
	iot_setter_clear(&state->over_set);
	iot_expr_free(state->when);
	iot_expr_free(state->failed);
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

/* Attributes of a state with "over" may name the end; it reads as 0 while the call is pending. */
static struct iot_schema_event *end_if_over(const struct iot_section *section,
					    const struct iot_pair *pair)
{
	return iot_section_get(section, "over") ? pair->end : NULL;
}

/* If the start of a call was not seen, its attributes come from the completion. */
static gboolean build_stray(const struct iot_builder *b, struct iot_pair *pair)
{
	struct iot_event_role *role =
		pair->done ? iot_find_role(b->model, pair->done, pair->of, IOT_PART_DONE) : NULL;
	struct iot_scope_events scope;

	if (!role || role->pair)
		return TRUE;
	/* the first pair that this event completes lends its state to stray completions */
	role->pair = pair;
	scope = iot_bind_scope(b, (struct iot_in_scope){ .self = pair->done,
							 .end = end_if_over(b->section, pair),
							 .done = pair->done,
							 .optional = TRUE });
	return iot_bind_always(b, pair->state->values, &scope, &role->stray_set);
}

/* A span for standalone calls: they are drawn when their end is known. */
static gboolean build_alone(const struct iot_builder *b, struct iot_values *values,
			    struct iot_pair *pair)
{
	const struct iot_setting *value = iot_section_get(b->section, "value");
	const struct iot_setting *span = iot_section_get(b->section, "span");
	struct iot_scope_events scope = iot_bind_pair_scope(b, pair, FALSE);
	struct iot_state *state = g_new0(struct iot_state, 1);

	g_ptr_array_add(b->model->states, state);
	if (!iot_bind_own_rows(b, value, values->on))
		return FALSE;
	state->values = values;
	if (!build_span(state, span, b->error))
		return FALSE;
	if (span && !state->until_return)
		return iot_setting_error(span, 0, b->error,
					 "[pair %s] has no done event; use span = start to return",
					 pair->name);
	state->value = iot_template_compile(value, b->model->names, FALSE, &scope, b->error);
	if (!state->value || !iot_bind_setter(b, values, &scope, &state->set))
		return FALSE;
	/* a copy of the call on another row asks for nothing */
	state->asks = pair->asks->len && !iot_type_at(b->model->tl, values->type)->repeats;
	if (state->asks && !iot_asks_check(b, pair, values))
		return FALSE;
	g_ptr_array_add(pair->states, state);
	scope.required = TRUE;
	if (!iot_bind_optional_expr(b, "when", &scope, &state->when) ||
	    !iot_bind_optional_expr(b, "failed", &scope, &state->failed))
		return FALSE;
	state->path = iot_bind_row_path(b, values->on, &scope);
	return state->path != NULL;
}

static gboolean build_for_object(const struct iot_builder *b, struct iot_values *values,
				 struct iot_pair *pair);

/* "call = NAME ..." */
static gboolean build_state(const struct iot_builder *b)
{
	const struct iot_setting *call = iot_section_require(b->section, "call", b->error);
	const struct iot_setting *name =
		call ? iot_section_require(b->section, "values", b->error) : NULL;
	const struct iot_setting *value =
		name ? iot_section_require(b->section, "value", b->error) : NULL;
	struct iot_values *values = value ? iot_bind_values(b, name, "values") : NULL;
	g_auto(GStrv) pairs = g_strsplit_set(call ? call->value : "", " \t", -1);

	if (!values)
		return FALSE;
	for (guint i = 0; pairs[i]; i++) {
		struct iot_pair *pair = *pairs[i] ? iot_bind_pair(b, call, pairs[i]) : NULL;

		if (!*pairs[i])
			continue;
		if (!pair ||
		    !(pair->of ? build_for_object(b, values, pair) : build_alone(b, values, pair)))
			return FALSE;
	}
	return TRUE;
}

/* The span of calls that need no completion. */
static gboolean build_over(const struct iot_builder *b, const struct iot_values *values,
			   struct iot_pair *pair)
{
	const struct iot_setting *over = iot_section_get(b->section, "over");
	struct iot_scope_events scope =
		iot_bind_scope(b, (struct iot_in_scope){ .self = pair->start,
							 .end = pair->end,
							 .done = pair->done,
							 .optional = TRUE });

	if (!over)
		return TRUE;
	pair->state->over = iot_template_compile(over, b->model->names, FALSE, &scope, b->error);
	return pair->state->over && iot_bind_setter(b, values, &scope, &pair->state->over_set);
}

/* A category of calls by what they ask for; without the setting @out stays NULL. */
static gboolean build_asking(const struct iot_builder *b, const char *key, struct iot_pair *pair,
			     struct iot_scope_events *scope, struct iot_template **out)
{
	const struct iot_setting *value = iot_section_get(b->section, key);

	if (!value)
		return TRUE;
	if (!pair->asks->len)
		return iot_setting_key_error(value, b->error, "[pair %s] has no \"asks\"",
					     pair->name);
	*out = iot_template_compile(value, b->model->names, FALSE, scope, b->error);
	return *out != NULL;
}

/* The categories of calls that give something up, and of those that ask for nothing new. */
static gboolean build_askings(const struct iot_builder *b, struct iot_pair *pair,
			      struct iot_scope_events *scope)
{
	if (pair->asks->len && pair->state->until_return)
		return iot_section_error(b->section, b->error,
					 "[pair %s] has \"asks\": its calls need span = start to "
					 "done",
					 pair->name);
	return build_asking(b, "releasing", pair, scope, &pair->state->releasing) &&
	       build_asking(b, "keeping", pair, scope, &pair->state->keeping);
}

/* Calls on objects have no condition, because pending calls are drawn before their end is known. */
static gboolean build_for_object(const struct iot_builder *b, struct iot_values *values,
				 struct iot_pair *pair)
{
	const struct iot_setting *value = iot_section_get(b->section, "value");
	const struct iot_setting *when = iot_section_get(b->section, "when");
	const struct iot_setting *failed = iot_section_get(b->section, "failed");
	struct iot_scope_events scope;
	struct iot_state *state;

	if (when || failed)
		return iot_setting_key_error(when ? when : failed, b->error,
					     "\"%s\" is for calls without an object",
					     when ? when->key : failed->key);
	if (pair->state)
		return iot_setting_error(iot_section_get(b->section, "call"), 0, b->error,
					 "[pair %s] has a state already", pair->name);
	if (values->on != pair->of->on)
		return iot_setting_error(iot_section_get(b->section, "values"), 0, b->error,
					 "these values are drawn on %s, but [object %s] is on %s",
					 values->on->section->name, pair->of->name,
					 pair->of->on->section->name);
	state = g_new0(struct iot_state, 1);
	pair->state = state;
	state->values = values;
	g_ptr_array_add(b->model->states, state);
	scope = iot_bind_scope(b, (struct iot_in_scope){ .self = pair->start,
							 .end = end_if_over(b->section, pair),
							 .done = pair->done,
							 .optional = TRUE });
	state->value = iot_template_compile(value, b->model->names, FALSE, &scope, b->error);
	if (!state->value || !build_span(state, iot_section_get(b->section, "span"), b->error) ||
	    !iot_bind_setter(b, values, &scope, &state->set))
		return FALSE;
	if (!state->until_return && !pair->done)
		return iot_section_error(b->section, b->error,
					 "[pair %s] has no done event; use span = start to return",
					 pair->name);
	if (!build_over(b, values, pair) || !build_askings(b, pair, &scope))
		return FALSE;
	return build_stray(b, pair);
}

/* ---- run time */

static void start_item(struct iot_object *object, const struct iot_state *state,
		       const struct iot_eval *eval, struct iot_begin begin,
		       enum iot_gives_up gives_up)
{
	struct iot_model *model = object->kind->model;
	struct iot_item *item = &object->state_span.item;
	gboolean releases = gives_up == IOT_RELEASES;
	struct iot_template *value = state->value;

	if (releases && state->releasing)
		value = state->releasing;
	else if (gives_up == IOT_ASKS_FOR_THE_SAME)
		value = state->keeping;

	iot_item_start(model, item, state->values);
	item->cat = iot_values_cat(model, state->values, iot_template_eval(value, eval));
	item->row = object->row;
	item->lane = object->lane;
	item->t0 = begin.t0;
	item->flags = begin.flags;
	if (releases && iot_cat_at(model->tl, item->cat)->role != IOT_ROLE_LEAVING)
		item->flags |= IOT_LEAVING;
	/* a lost event may have ended it, and another call's completion may seem to be its own */
	if (object->kind->inputs[object->input].gap_depth)
		item->flags |= IOT_SUSPECT | IOT_UNKNOWN;
}

static gboolean is_releasing(const struct iot_object *object)
{
	const struct iot_timeline *tl = object->kind->model->tl;
	const struct iot_item *item = &object->state_span.item;

	return iot_cat_at(tl, item->cat)->role == IOT_ROLE_LEAVING;
}

static gboolean is_keeping(const struct iot_object *object)
{
	const struct iot_timeline *tl = object->kind->model->tl;
	const struct iot_item *item = &object->state_span.item;

	return iot_cat_at(tl, item->cat)->role == IOT_ROLE_KEEPING;
}

/* A call that gives up more than the call that is shown ends that call's span, and so does any call
 * if the one that is shown asks for nothing new. */
static gboolean take_over(struct iot_object *object, const struct iot_asked *asked,
			  struct iot_begin begin)
{
	const struct iot_item *item = &object->state_span.item;
	gboolean more;

	if (!object->state_span.open)
		return TRUE;
	if (is_keeping(object))
		more = asked->gives_up != IOT_ASKS_FOR_THE_SAME;
	else if (asked->gives_up == IOT_RELEASES)
		more = !is_releasing(object) || (item->asks && !asked->cat);
	else
		more = asked->gives_up == IOT_LEAVES &&
		       !iot_item_leaves(object->kind->model->tl, item);
	if (more)
		iot_state_end(object, begin.t0, begin.flags & IOT_SUSPECT);
	return more;
}

void iot_state_begin(const struct iot_call *call, guint64 t0, guint16 flags)
{
	struct iot_object *object = call->object;
	struct iot_model *model = object->kind->model;
	struct iot_state *state = call->pair->state;
	struct iot_begin begin = { t0, flags };
	struct iot_asked asked;
	struct iot_eval eval;

	if (!state)
		return;
	iot_eval_init(model, &eval, object->input, &call->start, NULL, NULL);
	asked = iot_asks_judge(call, &eval);
	if ((asked.gives_up == IOT_ASKS_FOR_THE_SAME && !state->keeping) ||
	    !take_over(object, &asked, begin))
		return;
	start_item(object, state, &eval, begin, asked.gives_up);
	if (asked.gives_up == IOT_LEAVES)
		object->state_span.item.flags |= IOT_LEAVING;
	/* perhaps it asks for the mode that is held */
	if (asked.gives_up == IOT_LEAVES && object->mode == IOT_MODE_UNKNOWN &&
	    !(call->pair->begins && iot_expr_eval(call->pair->begins, &eval)))
		object->state_span.item.flags |= IOT_UNKNOWN;
	object->state_span.item.asks = asked.cat;
	iot_setter_apply(&state->set.all, &eval, &object->state_span.item);
	iot_emit_begin(model->emit, &object->state_span);
}

static enum iot_gives_up gives_up(const struct iot_call *call)
{
	struct iot_eval eval;

	iot_eval_init(call->object->kind->model, &eval, call->object->input, &call->start, NULL,
		      NULL);
	return iot_asks_judge(call, &eval).gives_up;
}

void iot_state_doubt(const struct iot_call *call)
{
	const struct iot_object *object = call->object;

	if ((object->mode == IOT_MODE_KNOWN || object->state_span.open) &&
	    gives_up(call) >= IOT_RELEASES)
		iot_state_begin(call, call->t0, IOT_SUSPECT | IOT_UNKNOWN);
}

void iot_state_resume(struct iot_object *object, guint64 t0)
{
	const struct iot_call *call = object->pending_tail;

	if (gives_up(call) < IOT_RELEASES) {
		call = object->pending;
		while (call->next && gives_up(call) == IOT_ASKS_FOR_THE_SAME)
			call = call->next;
	}
	iot_state_begin(call, t0, iot_object_gap_flags(object));
}

void iot_state_set_late(const struct iot_call *call, const struct iot_eval *eval)
{
	const struct iot_object *object = call->object;
	struct iot_span *span = &call->object->state_span;

	if (!span->open || !call->pair->state)
		return;
	/* the span may be that of another call */
	if (object->pending && (is_releasing(object) != (gives_up(call) == IOT_RELEASES) ||
				is_keeping(object) != (gives_up(call) == IOT_ASKS_FOR_THE_SAME)))
		return;
	iot_setter_apply(&call->pair->state->set.late, eval, &span->item);
}

void iot_state_end(struct iot_object *object, guint64 t1, guint16 flags)
{
	struct iot_model *model = object->kind->model;

	if (!object->state_span.open)
		return;
	/* The completion of the call may be where its start is: in the gap, or before the
	 * recording. */
	if (object->unseen_pending && object->state_span.item.flags & (IOT_SUSPECT | IOT_BEFORE))
		flags |= IOT_UNKNOWN;
	if (iot_item_leaves(model->tl, &object->state_span.item))
		iot_emit_leaving(model->emit, &object->mode_span, object->state_span.item.t0, t1);
	iot_emit_end(model->emit, &object->state_span, t1, flags);
}

/* The pair whose calls this completion answers, if that is sure; else the first one that it can
 * complete. */
static const struct iot_pair *answered_pair(const struct iot_object_kind *kind,
					    const struct iot_event_role *role,
					    const struct iot_eval *eval)
{
	for (guint i = 0; i < kind->pairs->len; i++) {
		const struct iot_pair *pair = kind->pairs->pdata[i];

		if (pair->done == role->event && pair->state && pair->answers &&
		    pair->state->values == role->pair->state->values &&
		    iot_expr_eval(pair->answers, eval))
			return pair;
	}
	return role->pair;
}

void iot_state_draw_stray(struct iot_object *object, const struct iot_event_role *role,
			  const struct iot_rec *done, struct iot_begin begin, gboolean granted)
{
	struct iot_model *model = object->kind->model;
	const struct iot_pair *pair = role->pair;
	struct iot_eval eval;
	gboolean releases;

	if (!pair || !pair->state)
		return;
	/* the fields of the call's start are not known */
	iot_eval_init(model, &eval, object->input, NULL, NULL, done);
	pair = answered_pair(object->kind, role, &eval);
	releases = iot_asks_releases(pair);
	start_item(object, pair->state, &eval, begin,
		   releases ? IOT_RELEASES : IOT_GIVES_UP_NOTHING);
	iot_eval_init(model, &eval, object->input, done, NULL, done);
	/* perhaps it asked for the mode that was held, or for less; such a call is not refused */
	if (granted && pair->asks->len && !releases)
		object->state_span.item.flags |= IOT_UNKNOWN;
	iot_setter_apply(&role->stray_set.all, &eval, &object->state_span.item);
	iot_emit_begin(model->emit, &object->state_span);
	iot_state_end(object, done->ts, 0);
}

/* Events that wait for the call change what the object's lane shows within that time: they would
 * not nest with its span. */
static guint16 lane_over(const struct iot_object *object, guint64 t0, guint64 t1)
{
	if (!object->deferred.first || !object->row)
		return object->lane;
	return iot_lanes_assign(object->kind->model->lanes, object->row, t0, t1);
}

void iot_state_over(const struct iot_call *call, const struct iot_rec *end, guint16 flags)
{
	const struct iot_object *object = call->object;
	struct iot_model *model = object->kind->model;
	struct iot_state *state = call->pair->state;
	struct iot_item item;
	struct iot_eval eval;

	if (!state || !state->over || !end || call->unseen_start)
		return;
	iot_eval_init(model, &eval, object->input, &call->start, end, NULL);
	iot_item_start(model, &item, state->values);
	item.cat = iot_values_cat(model, state->values, iot_template_eval(state->over, &eval));
	item.row = object->row;
	item.lane = lane_over(object, call->t0, end->ts);
	item.t0 = call->t0;
	iot_setter_apply(&state->over_set.all, &eval, &item);
	iot_emit_span(model->emit, &item, 0, end->ts, flags);
}

static const char *const keys[] = { "releasing", "keeping", "call",   "span",  "values",   "value",
				    "over",	 "when",    "failed", "set *", "always *", NULL };
const struct iot_section_kind iot_section_kind_state = { "state", keys, build_state, NULL };
