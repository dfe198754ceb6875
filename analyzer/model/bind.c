/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/bind.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/tracked.h"

#include <string.h>

static struct iot_event_role *role_new(struct iot_schema_event *event)
{
	struct iot_event_role *role = g_new0(struct iot_event_role, 1);

	role->event = event;
	role->points = g_ptr_array_new();
	role->loose_points = g_ptr_array_new();
	role->stray_rules = g_ptr_array_new();
	return role;
}

struct iot_event_role *iot_bind_role(struct iot_model *model, struct iot_schema_event *event)
{
	if (model->roles->len <= event->index)
		g_ptr_array_set_size(model->roles, (gint)event->index + 1);
	if (!model->roles->pdata[event->index])
		model->roles->pdata[event->index] = role_new(event);
	return model->roles->pdata[event->index];
}

struct iot_event_role *iot_find_role(const struct iot_model *model,
				     const struct iot_schema_event *event,
				     const struct iot_object_kind *of, enum iot_part part)
{
	struct iot_event_role *role =
		event->index < model->roles->len ? model->roles->pdata[event->index] : NULL;

	while (role && (role->event != event || role->of != of || role->part != part))
		role = role->next;
	return role;
}

/* One record ends calls before it starts others, and changes objects in between. */
static int rank(const struct iot_event_role *role)
{
	return role->part == IOT_PART_END ? 0 : role->part == IOT_PART_START ? 2 : 1;
}

static int compare_roles(gconstpointer a, gconstpointer b)
{
	const struct iot_event_role *first = *(const struct iot_event_role *const *)a;
	const struct iot_event_role *second = *(const struct iot_event_role *const *)b;
	int by_rank = rank(first) - rank(second);

	return by_rank ? by_rank : (int)first->number - (int)second->number;
}

struct iot_event_role *iot_bind_part(const struct iot_builder *b, struct iot_schema_event *event,
				     struct iot_object_kind *of, enum iot_part part)
{
	struct iot_event_role *first = iot_bind_role(b->model, event), *role = first, *last = first;

	if (first->part != IOT_PART_NONE) {
		while (last->next)
			last = last->next;
		if (last->number + 1 == IOT_MAX_ROLES) {
			iot_section_error(b->section, b->error, "event %s has more than %d roles",
					  event->name, IOT_MAX_ROLES);
			return NULL;
		}
		role = last->next = role_new(event);
		role->number = last->number + 1;
	}
	role->event = event;
	role->of = of;
	role->part = part;
	role->section = b->section;
	role->when = g_hash_table_lookup(b->model->role_when, event);
	if (role == first)
		return role;
	if (!first->in_order) {
		first->in_order = g_ptr_array_new();
		g_ptr_array_add(first->in_order, first);
	}
	g_ptr_array_add(first->in_order, role);
	g_ptr_array_sort(first->in_order, compare_roles);
	return role;
}

struct iot_schema_event *iot_bind_event(struct iot_model *model, const char *name)
{
	const char *colon = strchr(name, ':');
	g_autofree char *system = NULL;

	for (guint i = 0; i < model->role_names->len; i++) {
		struct iot_schema_event *role = model->role_names->pdata[i];

		if (!strcmp(role->name, name))
			return role;
	}
	system = colon ? g_strndup(name, (gsize)(colon - name)) : g_strdup(model->system);
	return iot_schema_event(model->schema, system, colon ? colon + 1 : name);
}

/* NULL and an error: no section [kind name] has been compiled. */
static gpointer no_section(const struct iot_setting *setting, const char *kind, const char *name,
			   GError **error)
{
	iot_setting_error(setting, 0, error, "there is no section [%s %s] above", kind, name);
	return NULL;
}

struct iot_row_type *iot_bind_row_type(const struct iot_builder *b,
				       const struct iot_setting *setting)
{
	struct iot_row_type *type = iot_bind_end_row_type(b, setting);

	if (!type || !type->as_thread)
		return type;
	iot_setting_error(
		setting, 0, b->error,
		"the rows of [container %s] are another model's; only a [link] can end there",
		type->section->name);
	return NULL;
}

struct iot_row_type *iot_bind_end_row_type(const struct iot_builder *b,
					   const struct iot_setting *setting)
{
	for (guint i = 0; i < b->model->row_types->len; i++) {
		struct iot_row_type *type = b->model->row_types->pdata[i];

		if (!strcmp(type->section->name, setting->value))
			return type;
	}
	return no_section(setting, "container", setting->value, b->error);
}

struct iot_values *iot_bind_values(const struct iot_builder *b, const struct iot_setting *setting,
				   const char *kind)
{
	for (guint i = 0; i < b->model->values->len; i++) {
		struct iot_values *values = b->model->values->pdata[i];

		if (!strcmp(values->section->name, setting->value) &&
		    !strcmp(values->section->kind, kind))
			return values;
	}
	return no_section(setting, kind, setting->value, b->error);
}

struct iot_object_kind *iot_bind_kind(const struct iot_builder *b,
				      const struct iot_setting *setting)
{
	for (guint i = 0; i < b->model->kinds->len; i++) {
		struct iot_object_kind *kind = b->model->kinds->pdata[i];

		if (!strcmp(kind->name, setting->value))
			return kind;
	}
	return no_section(setting, "object", setting->value, b->error);
}

struct iot_pair *iot_bind_pair(const struct iot_builder *b, const struct iot_setting *setting,
			       const char *name)
{
	for (guint i = 0; i < b->model->pairs->len; i++) {
		struct iot_pair *pair = b->model->pairs->pdata[i];

		if (!strcmp(pair->name, name))
			return pair;
	}
	return no_section(setting, "pair", name, b->error);
}

/* Blanks separate the expressions, so blanks inside stand in brackets. */
gboolean iot_bind_exprs(const struct iot_setting *setting, struct iot_scope_events *scope,
			struct iot_expr **out, guint *out_n, GError **error)
{
	const char *value = setting->value;

	for (gsize at = 0; value[at];) {
		gsize len = iot_expr_word(value + at, strlen(value + at));

		if (!len) {
			at++;
			continue;
		}
		if (*out_n == IOT_MAX_KEYS)
			return iot_setting_error(setting, at, error, "more than %d keys",
						 IOT_MAX_KEYS);
		out[*out_n] = iot_expr_compile(setting, at, len, scope, error);
		if (!out[*out_n])
			return FALSE;
		++*out_n;
		at += len;
	}
	return TRUE;
}

gboolean iot_bind_optional_expr(const struct iot_builder *b, const char *key,
				struct iot_scope_events *scope, struct iot_expr **out)
{
	const struct iot_setting *setting = iot_section_get(b->section, key);

	if (!setting)
		return TRUE;
	*out = iot_expr_compile(setting, 0, strlen(setting->value), scope, b->error);
	return *out != NULL;
}

/* Whether two events of a kind always have the same key: every key is the same field. */
static gboolean same_key(const struct iot_event_role *a, const struct iot_event_role *b)
{
	for (guint i = 0; i < a->n_keys; i++) {
		enum iot_scope scope_a, scope_b;
		int slot_a, slot_b;

		if (iot_expr_is_pid(a->key[i]) && iot_expr_is_pid(b->key[i]))
			continue;
		if (!iot_expr_is_field(a->key[i], &scope_a, &slot_a) ||
		    !iot_expr_is_field(b->key[i], &scope_b, &slot_b) || slot_a != slot_b)
			return FALSE;
	}
	return TRUE;
}

/* FALSE if another role does the same to the same object. */
static gboolean check_only(const struct iot_builder *b, const struct iot_event_role *role)
{
	static const char *const what[] = { [IOT_PART_START] = "starts a call on",
					    [IOT_PART_END] = "ends a call on",
					    [IOT_PART_NOTICE] = "is a notice of" };

	if (role->part == IOT_PART_DONE)
		return TRUE;
	for (const struct iot_event_role *other = b->model->roles->pdata[role->event->index]; other;
	     other = other->next)
		if (other != role && other->of == role->of && other->part == role->part &&
		    same_key(other, role))
			return iot_section_error(
				b->section, b->error,
				"one record of %s %s the same [object %s] twice, first in line %u",
				role->event->name, what[role->part], role->of->name,
				other->section->line);
	return TRUE;
}

/* The key of an object, and after it the first and the last unit of its range. */
static gboolean bind_key(const struct iot_builder *at, struct iot_object_kind *kind,
			 struct iot_scope_events *scope, struct iot_event_role *role)
{
	const struct iot_setting *range = iot_section_get(at->section, "range");

	if (!iot_bind_exprs(iot_section_get(at->section, "key"), scope, role->key, &role->n_keys,
			    at->error))
		return FALSE;
	kind->n_keys = kind->n_numbers = role->n_keys;
	if (!range)
		return TRUE;
	if (!iot_bind_exprs(range, scope, role->key, &role->n_keys, at->error))
		return FALSE;
	kind->n_numbers = role->n_keys;
	return role->n_keys == kind->n_keys + 2 ||
	       iot_setting_error(range, 0, at->error,
				 "wants two expressions, of the first and the last unit");
}

struct iot_event_role *iot_bind_object_event(const struct iot_builder *b,
					     struct iot_object_kind *kind,
					     struct iot_schema_event *event, enum iot_part part)
{
	const struct iot_builder at = { b->model, kind->section, b->error };
	struct iot_scope_events scope = iot_bind_scope(&at, (struct iot_in_scope){ .self = event });
	const struct iot_event_role *first = iot_bind_role(b->model, event);
	struct iot_event_role *role =
		part == IOT_PART_DONE ? iot_find_role(b->model, event, kind, part) : NULL;
	gboolean ok;

	/* several pairs share a completion */
	if (role)
		return role;
	for (guint i = 0; i < first->loose_points->len; i++) {
		if (((struct iot_point *)first->loose_points->pdata[i])->event != event)
			continue;
		iot_section_error(b->section, b->error, "must stand before the [point] of event %s",
				  event->name);
		return NULL;
	}
	role = iot_bind_part(b, event, kind, part);
	if (!role)
		return NULL;
	iot_schema_recorded(event)->of_object = TRUE;
	ok = bind_key(&at, kind, &scope, role) && check_only(b, role) &&
	     iot_bind_optional_expr(&at, "apart by", &scope, &role->apart);
	if (ok)
		role->path = iot_bind_row_path(&at, kind->on, &scope);
	return role->path ? role : NULL;
}

/* ---- objects of other models */

gboolean iot_bind_colon(const struct iot_setting *setting, GError **error)
{
	const char *colon = strchr(setting->value, ':');

	return (colon && colon != setting->value && colon[1]) ||
	       iot_setting_error(setting, 0, error, "\"%s\" is not MODEL:OBJECT", setting->value);
}

static struct iot_object_kind *find_kind(const struct iot_model *model, const char *name)
{
	for (guint i = 0; i < model->kinds->len; i++) {
		struct iot_object_kind *kind = model->kinds->pdata[i];

		if (!strcmp(kind->name, name))
			return kind;
	}
	return NULL;
}

gboolean iot_bind_other_kind(const struct iot_setting *setting, const GPtrArray *models,
			     struct iot_object_kind **out, char **out_missing, GError **error)
{
	gsize len = strcspn(setting->value, ":");
	gboolean loaded = FALSE;

	*out = NULL;
	for (guint i = 0; i < models->len; i++) {
		const struct iot_model *model = models->pdata[i];

		if (strlen(model->name) != len || strncmp(model->name, setting->value, len))
			continue;
		loaded = TRUE;
		*out = find_kind(model, setting->value + len + 1);
	}
	if (!loaded && !*out_missing)
		*out_missing = g_strndup(setting->value, len);
	if (!loaded || (*out && (*out)->machine))
		return TRUE;
	return iot_setting_error(setting, len + 1, error,
				 "the model %.*s has no [object %s] with a [machine]", (int)len,
				 setting->value, setting->value + len + 1);
}

gboolean iot_bind_is_below_machines(const struct iot_timeline *tl, iot_type_id id)
{
	return iot_type_at(tl, id)->role == IOT_ROLE_NODE && iot_type_of_things(tl, id);
}
