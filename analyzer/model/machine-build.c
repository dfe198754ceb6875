/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles [machine] and its rules. */
#include "model/machine.h"
#include "model/asks.h"
#include "model/backing.h"
#include "model/bind.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/section-table.h"
#include "model/setter.h"
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
		/* the blank before the next word may end " when " already */
		out->when_len = (gsize)MAX(after_when - value - (gssize)out->when, 0);
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

/* The same for a text. One that is looked up stays the same if there is nothing to look up. */
static gboolean is_text_of_event(const struct iot_template *text, gint16 *key_slot)
{
	struct iot_operands operands = { 0 };
	gint16 slot;

	iot_template_operands(text, &operands);
	if (!operands.n_tables || operands.others)
		return !operands.others;
	slot = operands.at[0].slot;
	if (operands.n_tables != 1 || operands.n != 1 || operands.pid ||
	    operands.at[0].scope != IOT_SCOPE_SELF || (*key_slot >= 0 && *key_slot != slot))
		return FALSE;
	*key_slot = slot;
	return TRUE;
}

/* Whether the value and the attributes stay the same if they are evaluated later. */
static gboolean is_of_event(const struct iot_rule *rule, gint16 *key_slot)
{
	const struct iot_set_list *set = &rule->set.all;

	*key_slot = -1;
	for (guint i = 0; i < set->n_numbers; i++)
		if (!iot_expr_is_of_record(set->number[i].expr))
			return FALSE;
	for (guint i = 0; i < set->n_texts; i++)
		if (!is_text_of_event(set->text[i].tmpl, key_slot))
			return FALSE;
	return is_text_of_event(rule->value, key_slot);
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
		rule->of_event = ok && is_of_event(rule, &rule->key_slot);
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
	const struct iot_schema_event *event = iot_bind_event(b->model, text->event);

	if (text->own && !kind->common)
		return iot_setting_error(text->setting, 0, b->error,
					 "\"own\" needs \"recordings = all\" in [object %s]",
					 kind->name);
	for (struct iot_event_role *role = next_role(kind, NULL); role;
	     role = next_role(kind, role)) {
		struct iot_scope_events scope;
		struct iot_rule *rule;

		if (role->part != IOT_PART_NOTICE || role->event != event)
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
	if (kind->ranged && !iot_type_at(b->model->tl, values->type)->range_last)
		return iot_setting_error(
			name, 0, b->error,
			"[object %s] has a range: a section [compatible ...] above must "
			"name its attributes in [values %s]",
			kind->name, values->section->name);
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

static const char *const keys[] = { "of",	 "when",   "values", "unknown",	 "certain while",
				    "uncertain", "rule *", "set *",  "always *", NULL };
const struct iot_section_kind iot_section_kind_machine = { "machine", keys, build_machine, NULL };
