/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/machine.h"
#include "model/backing.h"
#include "model/asks.h"
#include "model/bind.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/section-table.h"
#include "model/setter.h"
#include "model/state.h"
#include "model/values.h"

#include <string.h>

void iot_rule_free(gpointer data)
{
	struct iot_rule *rule = data;

	if (!rule)
		return;
	iot_expr_free(rule->when);
	iot_template_free(rule->value);
	iot_template_free(rule->was);
	iot_setter_clear(&rule->set);
	g_free(rule);
}

/* "done NAME|* [when EXPR] [was unknown] go TARGET", "stray [when EXPR] [was unknown] go TARGET"
 * and "[own] notice EVENT [when EXPR] [was TEMPLATE] go TARGET", by position in the value */
struct rule_text {
	const struct iot_setting *setting;
	/* of the machine */
	struct iot_values *values;
	/* NULL: stray or notice */
	char *pair;
	/* NULL: no notice */
	char *event;
	/* offsets and lengths in the value: the mode before a notice, the condition (0: always),
	 * the modes in which a notice means nothing */
	gsize was, was_len;
	gsize when, when_len;
	gsize unless, unless_len;
	/* offset of the target */
	gsize go;
	gboolean was_unknown;
	gboolean own;
};

static gboolean is_word(const struct rule_text *text, const char *word)
{
	return text->was_len == strlen(word) &&
	       !strncmp(text->setting->value + text->was, word, text->was_len);
}

static gboolean split_rule(const struct iot_setting *setting, struct rule_text *out, GError **error)
{
	const char *value = setting->value;
	const char *go = g_strrstr(value, " go "), *when = strstr(value, " when "), *was, *unless;
	const char *after_when;
	gsize head;

	out->setting = setting;
	if (!go)
		return iot_setting_error(setting, 0, error, "\"go STATE\" is missing");
	out->go = (gsize)(go - value) + 4;
	was = g_strstr_len(value, go - value, " was ");
	if (was) {
		out->was = (gsize)(was - value) + 5;
		out->was_len = (gsize)(go - value) - out->was;
		out->was_unknown = is_word(out, "unknown");
	}
	after_when = was ? was : go;
	unless = g_strstr_len(value, after_when - value, " unless ");
	if (unless) {
		out->unless = (gsize)(unless - value) + 8;
		out->unless_len = (gsize)(after_when - value) - out->unless;
		after_when = unless;
	}
	head = (gsize)((when ? when : after_when) - value);
	if (when) {
		out->when = (gsize)(when - value) + 6;
		out->when_len = (gsize)(after_when - value) - out->when;
	}
	if (head == 5 && !strncmp(value, "stray", 5))
		return TRUE;
	if (head > 5 && !strncmp(value, "done ", 5)) {
		out->pair = g_strstrip(g_strndup(value + 5, head - 5));
		return TRUE;
	}
	out->own = g_str_has_prefix(value, "own ");
	if (out->own) {
		value += 4;
		head -= 4;
	}
	if (head > 7 && !strncmp(value, "notice ", 7)) {
		out->event = g_strstrip(g_strndup(value + 7, head - 7));
		return TRUE;
	}
	return iot_setting_error(setting, 0, error,
				 "a rule begins with \"done PAIR\", \"done *\", \"stray\", "
				 "\"notice EVENT\" or \"own notice EVENT\"");
}

/* "unless VALUE ..." */
static gboolean find_unless(const struct iot_builder *b, const struct rule_text *text,
			    struct iot_rule *rule)
{
	g_autofree char *list = g_strndup(text->setting->value + text->unless, text->unless_len);
	g_auto(GStrv) names = g_strsplit_set(list, " \t", -1);

	for (guint i = 0; names[i]; i++) {
		if (!*names[i])
			continue;
		if (rule->n_unless == IOT_MAX_UNLESS)
			return iot_setting_error(text->setting, text->unless, b->error,
						 "more than %d values", IOT_MAX_UNLESS);
		rule->unless[rule->n_unless++] = iot_values_cat(
			b->model, text->values, iot_intern_str(b->model->tl->strings, names[i]));
	}
	return TRUE;
}

static struct iot_rule *compile_rule(const struct iot_builder *b, const struct rule_text *text,
				     struct iot_scope_events *scope)
{
	struct iot_rule *rule = g_new0(struct iot_rule, 1);
	const char *target = text->setting->value + text->go;
	gboolean ok = TRUE;

	rule->was_unknown = text->was_unknown;
	rule->own = text->own;
	if (text->when)
		ok = (rule->when = iot_expr_compile(text->setting, text->when, text->when_len,
						    scope, b->error)) != NULL;
	if (!strcmp(target, "none")) {
		rule->go = GO_NONE;
	} else if (!strcmp(target, "unknown")) {
		rule->go = GO_UNKNOWN;
	} else if (!strcmp(target, "same")) {
		rule->go = GO_SAME;
	} else if (ok) {
		rule->go = GO_VALUE;
		rule->value = iot_template_compile_part(text->setting, text->go, strlen(target),
							b->model->names, FALSE, scope, b->error);
		ok = rule->value && iot_bind_setter(b, text->values, scope, &rule->set);
	}
	if (ok && text->unless)
		ok = find_unless(b, text, rule);
	rule->was_none = text->event && text->was && is_word(text, "none");
	if (ok && text->event && text->was && !text->was_unknown && !rule->was_none) {
		rule->was = iot_template_compile_part(text->setting, text->was, text->was_len,
						      b->model->names, FALSE, scope, b->error);
		ok = rule->was != NULL;
	}
	if (ok)
		return rule;
	iot_rule_free(rule);
	return NULL;
}

/* The next role of objects of @kind, for a loop over all roles of the model; NULL at first. */
static struct iot_event_role *next_role(const struct iot_object_kind *kind,
					struct iot_event_role *role)
{
	const GPtrArray *roles = kind->model->roles;
	guint i = role ? role->event->index + 1 : 0;

	for (role = role ? role->next : NULL; role && role->of != kind; role = role->next)
		;
	for (; !role && i < roles->len; i++)
		for (role = roles->pdata[i]; role && role->of != kind; role = role->next)
			;
	return role;
}

static gboolean add_stray(const struct iot_builder *b, struct iot_object_kind *kind,
			  const struct rule_text *text)
{
	for (struct iot_event_role *role = next_role(kind, NULL); role;
	     role = next_role(kind, role)) {
		struct iot_scope_events scope;
		struct iot_rule *rule;

		if (role->part != IOT_PART_DONE)
			continue;
		scope = iot_bind_scope(b, (struct iot_in_scope){ .done = role->event });
		rule = compile_rule(b, text, &scope);
		if (!rule)
			return FALSE;
		g_ptr_array_add(role->stray_rules, rule);
		if (rule->go == GO_VALUE)
			return iot_setting_error(
				text->setting, text->go, b->error,
				"without its call only none, unknown or same can be known");
	}
	return TRUE;
}

static gboolean add_notice(const struct iot_builder *b, struct iot_object_kind *kind,
			   const struct rule_text *text)
{
	if (text->own && !kind->common)
		return iot_setting_error(text->setting, 0, b->error,
					 "\"own\" needs \"recordings = all\" in [object %s]",
					 kind->name);
	for (struct iot_event_role *role = next_role(kind, NULL); role;
	     role = next_role(kind, role)) {
		struct iot_scope_events scope;
		struct iot_rule *rule;

		if (role->part != IOT_PART_NOTICE || strcmp(role->event->name, text->event))
			continue;
		scope = iot_bind_scope(b, (struct iot_in_scope){ .self = role->event });
		rule = compile_rule(b, text, &scope);
		if (rule)
			g_ptr_array_add(role->stray_rules, rule);
		return rule != NULL;
	}
	return iot_setting_error(text->setting, 0, b->error, "%s is no notice of [object %s]",
				 text->event, kind->name);
}

static gboolean add_rule(const struct iot_builder *b, struct iot_object_kind *kind,
			 const struct iot_setting *setting)
{
	struct rule_text text = { .values = kind->machine };
	g_autofree char *pair_name = NULL;
	g_autofree char *event_name = NULL;

	if (!split_rule(setting, &text, b->error))
		return FALSE;
	pair_name = text.pair;
	event_name = text.event;
	if (event_name)
		return add_notice(b, kind, &text);
	if (text.unless)
		return iot_setting_error(setting, text.unless, b->error,
					 "\"unless\" is for notices");
	if (text.was && !text.was_unknown)
		return iot_setting_error(setting, text.was, b->error,
					 "\"was\" is followed by \"unknown\", except in a notice");
	if (!pair_name)
		return add_stray(b, kind, &text);
	if (strcmp(pair_name, "*") && !iot_bind_pair(b, setting, pair_name))
		return FALSE;
	for (guint i = 0; i < kind->pairs->len; i++) {
		struct iot_pair *pair = kind->pairs->pdata[i];
		struct iot_scope_events scope = iot_bind_scope(
			b, (struct iot_in_scope){ .self = pair->start, .done = pair->done });
		struct iot_rule *rule;

		if (strcmp(pair_name, "*") && strcmp(pair_name, pair->name))
			continue;
		rule = compile_rule(b, &text, &scope);
		if (!rule)
			return FALSE;
		g_ptr_array_add(pair->rules, rule);
	}
	return TRUE;
}

/* Attributes for every mode come from the first event of the object. */
static gboolean bind_always(const struct iot_builder *b, struct iot_object_kind *kind)
{
	for (struct iot_event_role *role = next_role(kind, NULL); role;
	     role = next_role(kind, role)) {
		struct iot_scope_events scope;

		scope = iot_bind_scope(
			b, (struct iot_in_scope){ .self = role->event, .optional = TRUE });
		if (!iot_bind_optional_expr(b, "when", &scope, &role->has_state) ||
		    !iot_bind_always(b, kind->machine, &scope, &role->machine_set))
			return FALSE;
	}
	return TRUE;
}

static gboolean build_machine(const struct iot_builder *b)
{
	const struct iot_setting *of = iot_section_require(b->section, "of", b->error);
	const struct iot_setting *name =
		of ? iot_section_require(b->section, "values", b->error) : NULL;
	const struct iot_setting *unknown =
		name ? iot_section_require(b->section, "unknown", b->error) : NULL;
	struct iot_values *values = unknown ? iot_bind_values(b, name, "values") : NULL;
	struct iot_object_kind *kind = values ? iot_bind_kind(b, of) : NULL;

	if (!kind)
		return FALSE;
	if (kind->machine)
		return iot_setting_error(of, 0, b->error, "[object %s] has a machine already",
					 kind->name);
	if (values->on != kind->on)
		return iot_setting_error(
			name, 0, b->error, "these values are drawn on %s, but [object %s] is on %s",
			values->on->section->name, kind->name, kind->on->section->name);
	for (guint i = 0; i < kind->pairs->len; i++)
		if (!iot_asks_check(b, kind->pairs->pdata[i], values))
			return FALSE;
	kind->machine = values;
	kind->machine_section = b->section;
	kind->unknown_cat = iot_values_cat(b->model, values,
					   iot_intern_str(b->model->tl->strings, unknown->value));
	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];

		if (g_str_has_prefix(setting->key, "rule") && !add_rule(b, kind, setting))
			return FALSE;
	}
	return iot_backing_build(b, kind) && bind_always(b, kind);
}

/* ---- run time */

/* The span of the mode is open from now on, if the object has a row. */
static void show(struct iot_object *object)
{
	if (G_LIKELY(object->row))
		iot_emit_begin(object->kind->model->emit, &object->mode_span);
}

void iot_machine_move(struct iot_object *object, guint64 ts)
{
	struct iot_model *model = object->kind->model;
	struct iot_item *item = &object->mode_span.item;

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
}

void iot_machine_end(struct iot_object *object, guint64 t1, guint16 flags)
{
	if (object->mode_span.open)
		object->ended_ns = MAX(object->ended_ns, t1);
	if (object->kind->certain_while && !object->kind->backing)
		iot_backing_hold_ends(object, t1);
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
static gboolean is_excepted(const struct iot_rule *rule, const struct iot_object *object)
{
	if (!object || object->mode != IOT_MODE_KNOWN)
		return FALSE;
	for (guint i = 0; i < rule->n_unless; i++)
		if (rule->unless[i] == object->mode_span.item.cat)
			return TRUE;
	return FALSE;
}

static const struct iot_rule *first_fitting(const GPtrArray *rules, const struct iot_eval *eval,
					    const struct iot_object *object)
{
	for (guint i = 0; i < rules->len; i++) {
		const struct iot_rule *rule = rules->pdata[i];

		if ((!rule->when || iot_expr_eval(rule->when, eval)) && !is_excepted(rule, object))
			return rule;
	}
	return NULL;
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
					const struct iot_eval *eval,
					const struct iot_object *object)
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
	} else if (rule->go == GO_VALUE) {
		gboolean interrupted = interrupt_state(object, ts);

		go_value(object, rule, eval, ts);
		if (interrupted)
			resume_state(object, ts);
	}
	return FALSE;
}

static const char *const keys[] = { "of",	 "when",   "values", "unknown",	 "certain while",
				    "uncertain", "rule *", "set *",  "always *", NULL };
const struct iot_section_kind iot_section_kind_machine = { "machine", keys, build_machine, NULL };
