/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [role]: another name for an event, for one of the things that it means. */
#include "model/bind.h"
#include "model/derive.h"
#include "model/scope.h"
#include "model/section-table.h"

#include <string.h>

static gboolean add_name(const struct iot_builder *b, struct iot_schema_event *role,
			 const struct iot_setting *setting)
{
	const char *name = setting->key + strlen("let ");

	if (!iot_scope_is_field_name(name))
		return iot_setting_key_error(setting, b->error, "\"%s\" is not the name of a field",
					     name);
	if (iot_derive_is(setting))
		return iot_derive_add(b, role, setting, name);
	if (!iot_scope_is_field_name(setting->value))
		return iot_setting_error(setting, 0, b->error, "\"%s\" is not the name of a field",
					 setting->value);
	iot_schema_rename(role, name, setting->value);
	return TRUE;
}

static gboolean build_role(const struct iot_builder *b)
{
	const struct iot_setting *name = iot_section_require(b->section, "event", b->error);
	struct iot_schema_event *event, *role;
	struct iot_scope_events scope;
	struct iot_expr *when = NULL;

	if (!name)
		return FALSE;
	event = iot_bind_event(b->model, name->value);
	if (event->of)
		return iot_setting_error(name, 0, b->error, "%s is a [role] itself", name->value);
	role = iot_schema_role(event, b->section->name);
	g_ptr_array_add(b->model->role_names, role);
	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];

		if (g_str_has_prefix(setting->key, "let ") && !add_name(b, role, setting))
			return FALSE;
	}
	scope = iot_bind_scope(b, (struct iot_in_scope){ .self = role });
	if (!iot_bind_optional_expr(b, "when", &scope, &when))
		return FALSE;
	if (when)
		g_hash_table_insert(b->model->role_when, role, when);
	return TRUE;
}

static const char *const keys[] = { "event", "when", "let *", NULL };
const struct iot_section_kind iot_section_kind_role = { "role", keys, build_role, NULL };
