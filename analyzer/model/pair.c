/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/pair.h"
#include "model/bind.h"
#include "model/hook.h"
#include "model/machine.h"
#include "model/point.h"
#include "model/scope.h"
#include "model/section-table.h"
#include "model/tracked.h"

#include <string.h>

void iot_pair_free(gpointer data)
{
	struct iot_pair *pair = data;

	for (guint i = 0; i < IOT_MAX_KEYS; i++) {
		iot_expr_free(pair->start_key[i]);
		iot_expr_free(pair->end_key[i]);
		iot_expr_free(pair->call_key[i]);
		iot_expr_free(pair->done_key[i]);
	}
	iot_expr_free(pair->begins);
	iot_expr_free(pair->begins_at_end);
	iot_expr_free(pair->may_begin);
	iot_expr_free(pair->may_begin_at_end);
	iot_expr_free(pair->accepted);
	iot_expr_free(pair->async);
	iot_expr_free(pair->quiet);
	iot_expr_free(pair->answers);
	g_ptr_array_unref(pair->points);
	g_ptr_array_unref(pair->rules);
	g_ptr_array_unref(pair->states);
	iot_hooks_clear(&pair->hooks);
	g_clear_pointer(&pair->aliases, g_hash_table_unref);
	g_free(pair->unseen);
	g_free(pair->name);
	g_free(pair);
}

/* The key that a completion shares with the call that it answers. */
static gboolean bind_done_keys(struct iot_model *model, const struct iot_section *section,
			       struct iot_pair *pair, GError **error)
{
	const struct iot_setting *key = iot_section_get(section, "done key");
	struct iot_scope_events at_start =
		iot_bind_scope(model, section, pair->start, NULL, NULL, TRUE);
	struct iot_scope_events at_done =
		iot_bind_scope(model, section, pair->done, NULL, NULL, TRUE);
	guint n = 0;

	if (!key)
		return TRUE;
	if (!pair->done)
		return iot_setting_key_error(key, error, "the pair has no done event");
	return iot_bind_exprs(key, &at_start, pair->call_key, &n, error) &&
	       iot_bind_exprs(key, &at_done, pair->done_key, &pair->n_done_keys, error);
}

static gboolean build_exprs(struct iot_model *model, const struct iot_section *section,
			    struct iot_pair *pair, GError **error)
{
	const struct iot_setting *key = iot_section_get(section, "key");
	struct iot_scope_events at_start =
		iot_bind_scope(model, section, pair->start, NULL, NULL, TRUE);
	struct iot_scope_events at_end =
		iot_bind_scope(model, section, pair->end, NULL, NULL, TRUE);
	struct iot_scope_events both =
		iot_bind_scope(model, section, pair->start, pair->end, NULL, TRUE);
	struct iot_scope_events done = iot_bind_scope(model, section, NULL, NULL, pair->done, TRUE);
	guint n_end = 0;

	if (key && (!iot_bind_exprs(key, &at_start, pair->start_key, &pair->n_keys, error) ||
		    !iot_bind_exprs(key, &at_end, pair->end_key, &n_end, error)))
		return FALSE;
	return iot_bind_optional_expr(section, "begins", &at_start, &pair->begins, error) &&
	       iot_bind_optional_expr(section, "begins", &at_end, &pair->begins_at_end, error) &&
	       iot_bind_optional_expr(section, "may begin", &at_start, &pair->may_begin, error) &&
	       iot_bind_optional_expr(section, "may begin", &at_end, &pair->may_begin_at_end,
				      error) &&
	       bind_done_keys(model, section, pair, error) &&
	       iot_bind_optional_expr(section, "accepted", &both, &pair->accepted, error) &&
	       iot_bind_optional_expr(section, "async", &at_start, &pair->async, error) &&
	       iot_bind_optional_expr(section, "quiet", &at_start, &pair->quiet, error) &&
	       iot_bind_optional_expr(section, "answers", &done, &pair->answers, error);
}

static struct iot_pair *pair_new(struct iot_model *model, const struct iot_section *section,
				 const struct iot_setting *start, const struct iot_setting *end)
{
	struct iot_pair *pair = g_new0(struct iot_pair, 1);

	pair->name = g_strdup(section->name);
	pair->name_str = iot_intern_str(model->tl->strings, section->name);
	pair->number = model->pairs->len;
	memset(pair->end_to_start, -1, sizeof(pair->end_to_start));
	pair->points = g_ptr_array_new_with_free_func(iot_point_free);
	pair->rules = g_ptr_array_new_with_free_func(iot_rule_free);
	pair->states = g_ptr_array_new(); /* freed by the model */
	g_ptr_array_add(model->pairs, pair);
	pair->start = iot_bind_event(model, start->value);
	pair->end = iot_bind_event(model, end->value);
	return pair;
}

static gboolean add_alias(struct iot_model *model, const struct iot_section *section,
			  struct iot_pair *pair, const struct iot_setting *setting, GError **error)
{
	const char *name = setting->key + strlen("let ");
	struct iot_scope_events scope =
		iot_bind_scope(model, section, pair->start, pair->end, NULL, FALSE);
	g_autofree char *problem = NULL;
	enum iot_scope where;
	int slot;

	if (!pair->aliases)
		pair->aliases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	if (!g_str_has_prefix(setting->value, "start.") &&
	    !g_str_has_prefix(setting->value, "end."))
		return iot_setting_error(
			setting, 0, error,
			"a field of the call is expected: start.FIELD or end.FIELD");
	if (!iot_scope_resolve(&scope, setting->value, &where, &slot, &problem))
		return iot_setting_error(setting, 0, error, "%s", problem);
	g_hash_table_insert(pair->aliases, g_strdup(name), g_strdup(setting->value));
	return TRUE;
}

static gboolean bind_alone(struct iot_model *model, const struct iot_section *section,
			   struct iot_pair *pair, struct iot_schema_event *event,
			   enum iot_part part, GError **error)
{
	struct iot_event_role *role = iot_bind_role(model, event);

	if (role->of || role->part != IOT_PART_NONE)
		return iot_section_error(section, error, "event %s has another meaning already",
					 event->name);
	role->part = part;
	role->pair = pair;
	return TRUE;
}

/* FALSE if a key is more than a field or @pid. */
static gboolean find_slots(struct iot_expr *const *key, guint n, gint8 *out_slot)
{
	for (guint i = 0; i < n; i++) {
		enum iot_scope scope;
		int slot;

		if (!iot_expr_is_field(key[i], &scope, &slot) && !iot_expr_is_pid(key[i]))
			return FALSE;
		out_slot[i] = iot_expr_is_pid(key[i]) ? -1 : (gint8)slot;
	}
	return TRUE;
}

/* A call without an object. */
static gboolean build_alone(struct iot_model *model, const struct iot_section *section,
			    struct iot_pair *pair, GError **error)
{
	static const char *const alone[] = { "start", "end", "key" };

	for (guint i = 0; i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];
		gboolean known = g_str_has_prefix(setting->key, "let ");

		if (known && !add_alias(model, section, pair, setting, error))
			return FALSE;
		for (guint k = 0; k < G_N_ELEMENTS(alone); k++)
			known |= !strcmp(setting->key, alone[k]);
		if (!known)
			return iot_setting_key_error(setting, error,
						     "\"%s\" is for calls on an object (of = ...)",
						     setting->key);
	}
	if (!iot_section_require(section, "key", error))
		return FALSE;
	if (!bind_alone(model, section, pair, pair->start, IOT_PART_START, error) ||
	    !bind_alone(model, section, pair, pair->end, IOT_PART_END, error) ||
	    !build_exprs(model, section, pair, error))
		return FALSE;
	pair->plain_keys = find_slots(pair->start_key, pair->n_keys, pair->start_slot) &&
			   find_slots(pair->end_key, pair->n_keys, pair->end_slot);
	return TRUE;
}

static gboolean build_pair(struct iot_model *model, const struct iot_section *section,
			   GError **error)
{
	const struct iot_setting *of = iot_section_get(section, "of");
	const struct iot_setting *start = iot_section_require(section, "start", error);
	const struct iot_setting *end = start ? iot_section_require(section, "end", error) : NULL;
	const struct iot_setting *done = iot_section_get(section, "done");
	struct iot_object_kind *kind = end && of ? iot_bind_kind(model, of, error) : NULL;
	struct iot_event_role *role;
	struct iot_pair *pair;

	if (!end || (of && !kind))
		return FALSE;
	if (kind && kind->machine)
		return iot_section_error(section, error, "must stand before [machine %s]",
					 kind->machine_section->name);
	pair = pair_new(model, section, start, end);
	if (!of)
		return build_alone(model, section, pair, error);
	for (guint i = 0; i < section->settings->len; i++)
		if (g_str_has_prefix(((struct iot_setting *)section->settings->pdata[i])->key,
				     "let "))
			return iot_setting_key_error(section->settings->pdata[i], error,
						     "names are for calls without an object");
	pair->of = kind;
	g_ptr_array_add(kind->pairs, pair);
	if (!iot_bind_object_event(model, kind, pair->start, IOT_PART_START, &role, section, error))
		return FALSE;
	role->pair = pair;
	if (!iot_bind_object_event(model, kind, pair->end, IOT_PART_END, &role, section, error))
		return FALSE;
	role->pair = pair;
	if (done) {
		pair->done = iot_bind_event(model, done->value);
		if (!iot_bind_object_event(model, kind, pair->done, IOT_PART_DONE, &role, section,
					   error))
			return FALSE;
	}
	return build_exprs(model, section, pair, error);
}

/* A start that was not seen gets the fields of its end with the same names. */
void iot_pair_finish(struct iot_pair *pair)
{
	for (guint i = 0; pair->of && i < pair->start->n_fields; i++)
		pair->end_to_start[i] = (gint8)iot_schema_field(
			pair->end, pair->start->field[i].name, FALSE, pair->name);
}

static const char *const keys[] = { "of",	 "start",    "end",   "key",   "begins",
				    "may begin", "accepted", "async", "quiet", "done",
				    "done key",	 "answers",  "let *", NULL };
const struct iot_section_kind iot_section_kind_pair = { "pair", keys, build_pair, NULL };
