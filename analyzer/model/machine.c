/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/machine.h"
#include "model/backing.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/setter.h"
#include "model/state.h"
#include "model/values.h"

#include <string.h>

/* The span of the mode is open from now on, if the object has a row. */
static void show(struct iot_object *object)
{
	if (G_LIKELY(object->row))
		iot_emit_begin(object->kind->model->emit, &object->mode_span);
}

/* The range of an object, after its key, is in attributes of its mode. */
static void fill_range(struct iot_object *object)
{
	const struct iot_object_kind *kind = object->kind;
	const struct iot_type *type = iot_type_at(kind->model->tl, kind->machine->type);
	union iot_attr *attr = object->mode_span.item.attr;

	attr[type->range_first - 1].u = object->key[kind->n_keys];
	attr[type->range_last - 1].u = object->key[kind->n_keys + 1];
}

static void begin_span(struct iot_object *object, iot_cat_id cat, struct iot_begin begin)
{
	struct iot_model *model = object->kind->model;
	struct iot_item *item = &object->mode_span.item;

	iot_item_start(model, item, object->kind->machine);
	item->cat = cat;
	item->row = object->row;
	item->lane = object->lane;
	item->t0 = begin.t0;
	item->flags = begin.flags;
	memcpy(item->attr, object->always, sizeof(item->attr));
	if (G_UNLIKELY(object->kind->ranged))
		fill_range(object);
}

/* ---- modes of objects without a row */

/*
 * Most threads of a machine are never drawn, and switch all the time: their values and attributes
 * are evaluated when the thread gets a row, or a rule asks for the mode.
 */
static gboolean stays_unseen(const struct iot_object *object, const struct iot_rule *rule,
			     const struct iot_rec *rec)
{
	return !object->row && object->kind->on->follows && rule->of_event &&
	       (rule->key_slot < 0 || rec->event->slot_type[rule->key_slot] == IOT_SLOT_ABSENT);
}

static void keep_unseen(struct iot_object *object, const struct iot_rule *rule,
			const struct iot_rec *rec)
{
	gsize size = iot_rec_size(rec->event);

	if (!object->unseen || object->unseen->rec.event != rec->event)
		object->unseen =
			g_realloc(object->unseen, G_STRUCT_OFFSET(struct iot_unseen, rec) + size);
	object->unseen->rule = rule;
	memcpy(&object->unseen->rec, rec, size);
	object->mode = IOT_MODE_KNOWN;
}

static void forget_unseen(struct iot_object *object)
{
	if (G_UNLIKELY(object->unseen))
		object->unseen->rule = NULL;
}

void iot_machine_settle(struct iot_object *object)
{
	struct iot_model *model = object->kind->model;
	struct iot_unseen *unseen = object->unseen;
	struct iot_eval eval;

	if (G_LIKELY(!unseen || !unseen->rule))
		return;
	iot_eval_init(model, &eval, object->input, &unseen->rec, NULL, NULL);
	begin_span(object,
		   iot_values_cat(model, object->kind->machine,
				  iot_template_eval(unseen->rule->value, &eval)),
		   (struct iot_begin){ unseen->rec.ts, 0 });
	iot_setter_apply(&unseen->rule->set.all, &eval, &object->mode_span.item);
	unseen->rule = NULL;
}

void iot_machine_move(struct iot_object *object, guint64 ts)
{
	struct iot_model *model = object->kind->model;
	struct iot_item *item = &object->mode_span.item;

	iot_machine_settle(object);
	if (object->row) {
		iot_emit_end(model->emit, &object->mode_span, ts, 0);
		iot_lanes_release(model->lanes, object->row, object->lane, ts);
	}
	object->row = iot_row_below_thread(model, object->kind->on, object->input,
					   (gint64)object->key[0]);
	object->lane = iot_lanes_take(model->lanes, object->row, ts);
	object->fresh = FALSE;
	if (object->mode == IOT_MODE_NONE)
		return;
	item->row = object->row;
	item->lane = object->lane;
	item->t0 = ts;
	item->flags &= (guint16) ~(IOT_BEFORE | IOT_CUT_LEFT);
	show(object);
}

void iot_machine_go_on(struct iot_object *object, const struct iot_object *from, guint64 ts)
{
	struct iot_item *item = &object->mode_span.item;
	guint leaving = iot_type_at(object->kind->model->tl, from->mode_span.item.type)->leaving;

	*item = from->mode_span.item;
	memcpy(object->always, from->always, sizeof(object->always));
	object->mode = from->mode;
	item->row = object->row;
	item->lane = object->lane;
	item->t0 = ts;
	item->flags &= (guint16) ~(IOT_BEFORE | IOT_CUT_LEFT);
	if (leaving)
		item->attr[leaving - 1].u = 0;
	fill_range(object);
	show(object);
}

void iot_machine_end(struct iot_object *object, guint64 t1, guint16 flags)
{
	if (object->kind->certain_while && !object->kind->backing)
		iot_backing_hold_ends(object, t1);
	forget_unseen(object);
	iot_emit_end(object->kind->model->emit, &object->mode_span, t1, flags);
	object->mode = IOT_MODE_NONE;
}

/*
 * The state's span is nested in the machine's. If the mode changes while a call is pending, the
 * state's span ends before the change and begins again after it.
 */
static gboolean interrupt_state(struct iot_object *object, guint64 t)
{
	if (!object->state_span.open || object->state_span.item.t0 > t)
		return FALSE;
	iot_state_end(object, t, 0);
	return TRUE;
}

static void resume_state(struct iot_object *object, guint64 t)
{
	if (object->kind->certain_while)
		return; /* it depends on the new mode */
	object->state_span.item.t0 = t;
	object->state_span.item.flags &= (guint16)~IOT_BEFORE;
	iot_emit_begin(object->kind->model->emit, &object->state_span);
}

void iot_machine_unknown(struct iot_object *object, guint64 t0, guint16 flags)
{
	gboolean interrupted;

	if (!object->kind->machine || object->stateless || object->mode == IOT_MODE_UNKNOWN)
		return;
	interrupted = interrupt_state(object, t0);
	iot_machine_end(object, t0, 0);
	begin_span(object, object->kind->unknown_cat,
		   (struct iot_begin){ t0, flags | IOT_UNKNOWN });
	show(object);
	object->mode = IOT_MODE_UNKNOWN;
	if (interrupted)
		resume_state(object, t0);
}

static void go_value(struct iot_object *object, const struct iot_rule *rule,
		     const struct iot_eval *eval, guint64 t)
{
	struct iot_model *model = object->kind->model;
	iot_cat_id cat =
		iot_values_cat(model, object->kind->machine, iot_template_eval(rule->value, eval));

	iot_machine_end(object, t, 0);
	begin_span(object, cat, (struct iot_begin){ t, 0 });
	iot_setter_apply(&rule->set.all, eval, &object->mode_span.item);
	show(object);
	object->mode = IOT_MODE_KNOWN;
}

/* The object is known to be in a mode in which the rule does not apply. */
static gboolean is_excepted(const struct iot_rule *rule, struct iot_object *object)
{
	if (!rule->n_unless || !object || object->mode != IOT_MODE_KNOWN)
		return FALSE;
	iot_machine_settle(object);
	for (guint i = 0; i < rule->n_unless; i++)
		if (rule->unless[i] == object->mode_span.item.cat)
			return TRUE;
	return FALSE;
}

static const struct iot_rule *first_fitting(const GPtrArray *rules, const struct iot_eval *eval,
					    struct iot_object *object)
{
	for (guint i = 0; i < rules->len; i++) {
		const struct iot_rule *rule = rules->pdata[i];

		if ((!rule->when || iot_expr_eval(rule->when, eval)) && !is_excepted(rule, object))
			return rule;
	}
	return NULL;
}

gboolean iot_machine_ends(const struct iot_call *call, const struct iot_eval *eval)
{
	const struct iot_rule *rule = first_fitting(call->pair->rules, eval, NULL);

	return rule ? rule->go == GO_NONE : call->object->mode == IOT_MODE_NONE;
}

gboolean iot_machine_done(const struct iot_call *call, const struct iot_eval *eval)
{
	struct iot_object *object = call->object;
	const struct iot_rule *rule = first_fitting(call->pair->rules, eval, NULL);
	/* if the start of the call was lost, its completion may have been lost, too */
	gboolean in_gap =
		iot_kind_in_gap(object->kind, object->input) || (call->flags & IOT_SUSPECT);
	guint64 ts = eval->rec[IOT_SCOPE_DONE]->ts;

	if (!rule)
		return FALSE;
	if (rule->was_unknown && object->mode == IOT_MODE_KNOWN) {
		iot_kind_count(object->kind, IOT_DIAG_state_end_unseen);
		iot_machine_end(object, ts, IOT_SUSPECT);
	}
	if (rule->go == GO_NONE)
		iot_machine_end(object, ts, 0);
	else if (rule->go == GO_UNKNOWN || (rule->go == GO_VALUE && in_gap))
		iot_machine_unknown(object, ts, in_gap ? IOT_SUSPECT : 0);
	else if (rule->go == GO_VALUE)
		go_value(object, rule, eval, ts);
	return rule->go == GO_NONE;
}

const struct iot_rule *iot_machine_rule(const struct iot_event_role *role,
					const struct iot_eval *eval, struct iot_object *object)
{
	return first_fitting(role->stray_rules, eval, object);
}

gboolean iot_machine_stray(struct iot_object *object, const struct iot_rule *rule, guint64 t)
{
	if (rule && rule->go == GO_NONE) {
		interrupt_state(object, t);
		iot_machine_end(object, t, 0);
		return TRUE;
	}
	if (rule && rule->go == GO_UNKNOWN)
		iot_machine_unknown(object, t, iot_object_gap_flags(object));
	return FALSE;
}

void iot_machine_was(struct iot_object *object, const struct iot_rule *rule,
		     const struct iot_eval *eval, struct iot_begin begin)
{
	struct iot_model *model = object->kind->model;

	begin_span(object,
		   iot_values_cat(model, object->kind->machine, iot_template_eval(rule->was, eval)),
		   begin);
	show(object);
	object->mode = IOT_MODE_KNOWN;
}

/* Recordings that share an object confirm its mode again and again. */
static gboolean confirms(const struct iot_object *object, const struct iot_rule *rule,
			 const struct iot_eval *eval)
{
	struct iot_model *model = object->kind->model;

	return object->kind->common && object->mode == IOT_MODE_KNOWN && rule->go == GO_VALUE &&
	       iot_values_cat(model, object->kind->machine, iot_template_eval(rule->value, eval)) ==
		       object->mode_span.item.cat;
}

/* In a gap only the event itself is certain, so the mode is drawn as unknown. */
gboolean iot_machine_notice(struct iot_object *object, const struct iot_rule *rule,
			    const struct iot_eval *eval)
{
	const struct iot_rec *rec = eval->rec[IOT_SCOPE_SELF];
	guint64 ts = rec->ts;
	guint16 in_gap;

	if (rule->own)
		object->owner = rec->event->input + 1;
	else if (!confirms(object, rule, eval))
		object->owner = 0;
	in_gap = iot_object_gap_flags(object);
	if (rule->go == GO_NONE) {
		interrupt_state(object, ts);
		iot_machine_end(object, ts, 0);
		return TRUE;
	}
	if (confirms(object, rule, eval))
		return FALSE;
	if (rule->go == GO_UNKNOWN || (rule->go == GO_VALUE && in_gap)) {
		iot_machine_unknown(object, ts, in_gap);
	} else if (rule->go == GO_VALUE && stays_unseen(object, rule, rec)) {
		keep_unseen(object, rule, rec);
	} else if (rule->go == GO_VALUE) {
		gboolean interrupted = interrupt_state(object, ts);

		go_value(object, rule, eval, ts);
		if (interrupted)
			resume_state(object, ts);
	}
	return FALSE;
}
