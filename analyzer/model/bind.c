/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/bind.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/tracked.h"

#include <string.h>

struct iot_event_role *iot_bind_role(struct iot_model *model, struct iot_schema_event *event)
{
	struct iot_event_role *role;

	if (model->roles->len <= event->index)
		g_ptr_array_set_size(model->roles, (gint)event->index + 1);
	role = model->roles->pdata[event->index];
	if (role)
		return role;
	role = g_new0(struct iot_event_role, 1);
	role->event = event;
	role->points = g_ptr_array_new();
	role->stray_rules = g_ptr_array_new();
	model->roles->pdata[event->index] = role;
	return role;
}

struct iot_schema_event *iot_bind_event(struct iot_model *model, const char *name)
{
	const char *colon = strchr(name, ':');
	g_autofree char *system =
		colon ? g_strndup(name, (gsize)(colon - name)) : g_strdup(model->system);

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

/* Blanks separate the expressions, so each is a field or a built-in. */
gboolean iot_bind_exprs(const struct iot_setting *setting, struct iot_scope_events *scope,
			struct iot_expr **out, guint *out_n, GError **error)
{
	const char *value = setting->value;

	for (gsize at = 0; value[at];) {
		gsize len = strcspn(value + at, " \t");

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

struct iot_event_role *iot_bind_object_event(const struct iot_builder *b,
					     struct iot_object_kind *kind,
					     struct iot_schema_event *event, enum iot_part part)
{
	const struct iot_builder at = { b->model, kind->section, b->error };
	struct iot_scope_events scope = iot_bind_scope(&at, (struct iot_in_scope){ .self = event });
	struct iot_event_role *role = iot_bind_role(b->model, event);
	gboolean ok;

	/* several pairs share a completion */
	if (role->of == kind && role->part == part && part == IOT_PART_DONE)
		return role;
	if (role->of || role->pair) {
		iot_section_error(b->section, b->error, "event %s has another meaning already",
				  event->name);
		return NULL;
	}
	if (role->points->len) {
		iot_section_error(b->section, b->error, "must stand before the [point] of event %s",
				  event->name);
		return NULL;
	}
	role->of = kind;
	role->part = part;
	ok = iot_bind_exprs(iot_section_get(kind->section, "key"), &scope, role->key, &role->n_keys,
			    b->error);
	if (ok)
		role->path = iot_bind_row_path(&at, kind->on, &scope);
	return role->path ? role : NULL;
}
