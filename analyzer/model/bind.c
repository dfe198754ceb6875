/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces that the joiners are built from: references between sections, and what is evaluated at run
 * time. */
#include "model/model-local.h"
#include "base/colour.h"

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
	role->points = g_ptr_array_new_with_free_func(iot_point_free);
	role->stray_rules = g_ptr_array_new_with_free_func(iot_rule_free);
	model->roles->pdata[event->index] = role;
	return role;
}

/* "event" of the model's own system, or "system:event". */
struct iot_schema_event *iot_bind_event(struct iot_model *model, const struct iot_setting *setting,
					const char *name)
{
	const char *colon = strchr(name, ':');
	g_autofree char *system =
		colon ? g_strndup(name, (gsize)(colon - name)) : g_strdup(model->system);

	(void)setting;
	return iot_schema_event(model->schema, system, colon ? colon + 1 : name);
}

struct iot_row_type *iot_bind_row_type(struct iot_model *model, const struct iot_setting *setting,
				       GError **error)
{
	for (guint i = 0; i < model->row_types->len; i++) {
		struct iot_row_type *container = model->row_types->pdata[i];

		if (!strcmp(container->section->name, setting->value))
			return container;
	}
	iot_setting_error(setting, 0, error, "there is no section [container %s] above",
			  setting->value);
	return NULL;
}

struct iot_values *iot_bind_values(struct iot_model *model, const struct iot_setting *setting,
				   GError **error)
{
	for (guint i = 0; i < model->values->len; i++) {
		struct iot_values *values = model->values->pdata[i];

		if (!strcmp(values->section->name, setting->value) &&
		    !strcmp(values->section->kind, setting->key))
			return values;
	}
	iot_setting_error(setting, 0, error, "there is no section [%s %s] above", setting->key,
			  setting->value);
	return NULL;
}

struct iot_pair *iot_bind_pair(struct iot_model *model, const struct iot_setting *setting,
			       const char *name, GError **error)
{
	for (guint i = 0; i < model->pairs->len; i++) {
		struct iot_pair *pair = model->pairs->pdata[i];

		if (!strcmp(pair->name, name))
			return pair;
	}
	iot_setting_error(setting, 0, error, "there is no section [pair %s] above", name);
	return NULL;
}

struct iot_scope_events iot_bind_scope(struct iot_model *model, const struct iot_section *section,
				       struct iot_schema_event *self, struct iot_schema_event *end,
				       struct iot_schema_event *done, gboolean required)
{
	struct iot_scope_events scope = { .event = { self, end, done },
					  .tl = model->tl,
					  .tables = model->tables,
					  .required = required };

	g_snprintf(scope.needed_by, sizeof(scope.needed_by), "%s:%u [%s %s]", model->name,
		   section->line, section->kind, section->name);
	return scope;
}

struct iot_scope_events iot_bind_pair_scope(struct iot_model *model,
					    const struct iot_section *section,
					    const struct iot_pair *pair, gboolean required)
{
	struct iot_scope_events scope =
		iot_bind_scope(model, section, pair->start, pair->end, NULL, required);

	scope.aliases = pair->aliases;
	scope.call = pair->of ? 0 : pair->name_str;
	return scope;
}

/* "set NAME" and "always NAME" must name attributes. */
static gboolean check_setters(const struct iot_model *model, const struct iot_section *section,
			      const struct iot_values *values, GError **error)
{
	const struct iot_type *type = iot_type_at(model->tl, values->type);

	for (guint i = 0; i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];
		const char *name = strchr(setting->key, ' ');
		guint attr = 0;

		if (!g_str_has_prefix(setting->key, "set ") &&
		    !g_str_has_prefix(setting->key, "always "))
			continue;
		while (attr < type->n_attrs &&
		       strcmp(iot_tl_str(model->tl, type->attr[attr].name), name + 1))
			attr++;
		if (attr == type->n_attrs)
			return iot_setting_key_error(
				setting, error, "[%s %s] has no attribute \"%s\"",
				values->section->kind, values->section->name, name + 1);
	}
	return TRUE;
}

static gboolean add_text(struct iot_model *model, const struct iot_setting *setting,
			 struct iot_scope_events *scope, guint attr, struct iot_set_list *list,
			 GError **error)
{
	struct iot_template *tmpl =
		iot_template_compile(setting, model->names, FALSE, scope, error);

	if (!tmpl)
		return FALSE;
	list->text[list->n_texts].attr = attr;
	list->text[list->n_texts++].tmpl = tmpl;
	return TRUE;
}

static gboolean add_number(const struct iot_setting *setting, struct iot_scope_events *scope,
			   guint attr, struct iot_set_list *list, GError **error)
{
	g_autoptr(iot_expr) expr =
		iot_expr_compile(setting, 0, strlen(setting->value), scope, error);
	enum iot_scope where;
	int slot;

	if (!expr)
		return FALSE;
	if (iot_expr_is_field(expr, &where, &slot)) {
		list->field[list->n_fields++] = (struct iot_set_field){ .attr = (guint8)attr,
									.scope = (guint8)where,
									.slot = (guint8)slot };
		return TRUE;
	}
	list->number[list->n_numbers].attr = attr;
	list->number[list->n_numbers++].expr = g_steal_pointer(&expr);
	return TRUE;
}

static void copy_late(const struct iot_type *type, struct iot_setter *setter)
{
	const struct iot_set_list *all = &setter->all;
	struct iot_set_list *late = &setter->late;

	for (guint i = 0; i < all->n_fields; i++)
		if (type->attr[all->field[i].attr].late)
			late->field[late->n_fields++] = all->field[i];
	for (guint i = 0; i < all->n_numbers; i++)
		if (type->attr[all->number[i].attr].late)
			late->number[late->n_numbers++] = all->number[i];
	for (guint i = 0; i < all->n_texts; i++)
		if (type->attr[all->text[i].attr].late)
			late->text[late->n_texts++] = all->text[i];
}

/* The line that says what an attribute is; NULL: it is not set. */
static const struct iot_setting *setting_of_attr(const struct iot_model *model,
						 const struct iot_section *section,
						 const struct iot_values *values, guint attr,
						 gboolean only_always)
{
	const char *name =
		iot_tl_str(model->tl, iot_type_at(model->tl, values->type)->attr[attr].name);
	g_autofree char *set = g_strconcat("set ", name, NULL);
	g_autofree char *always = g_strconcat("always ", name, NULL);
	const struct iot_setting *setting = iot_section_get(section, always);

	return setting || only_always ? setting : iot_section_get(section, set);
}

gboolean iot_bind_setter(struct iot_model *model, const struct iot_section *section,
			 const struct iot_values *values, struct iot_scope_events *scope,
			 gboolean only_always, struct iot_setter *setter, GError **error)
{
	const struct iot_type *type = iot_type_at(model->tl, values->type);

	if (!check_setters(model, section, values, error))
		return FALSE;
	for (guint i = 0; i < type->n_attrs; i++) {
		const struct iot_setting *setting =
			setting_of_attr(model, section, values, i, only_always);

		if (!setting)
			continue;
		if (!(type->attr[i].format == IOT_ATTR_STR
			      ? add_text(model, setting, scope, i, &setter->all, error)
			      : add_number(setting, scope, i, &setter->all, error)))
			return FALSE;
	}
	copy_late(type, setter);
	return TRUE;
}

void iot_setter_clear(struct iot_setter *setter)
{
	for (guint i = 0; i < setter->all.n_texts; i++)
		iot_template_free(setter->all.text[i].tmpl);
	for (guint i = 0; i < setter->all.n_numbers; i++)
		iot_expr_free(setter->all.number[i].expr);
}

/* A list of expressions: blanks outside parentheses and quotes separate them, so a field or
 * built-in each. */
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

gboolean iot_bind_optional_expr(const struct iot_section *section, const char *key,
				struct iot_scope_events *scope, struct iot_expr **out,
				GError **error)
{
	const struct iot_setting *setting = iot_section_get(section, key);

	if (!setting)
		return TRUE;
	*out = iot_expr_compile(setting, 0, strlen(setting->value), scope, error);
	return *out != NULL;
}

/* ---- run time */

void iot_eval_init(struct iot_model *model, struct iot_eval *eval, guint32 input,
		   const struct iot_rec *self, const struct iot_rec *end,
		   const struct iot_rec *done)
{
	eval->rec[IOT_SCOPE_SELF] = self;
	eval->rec[IOT_SCOPE_END] = end;
	eval->rec[IOT_SCOPE_DONE] = done;
	eval->node = model->inputs[input].node;
	eval->node_name = model->inputs[input].node_name;
	eval->commands = model->inputs[input].commands;
	eval->input = input;
	eval->call = 0;
	eval->number = ++model->evaluations;
}

void iot_setter_apply(const struct iot_set_list *list, const struct iot_eval *eval,
		      struct iot_item *item)
{
	const struct iot_set_field *end = list->field + list->n_fields;

	for (const struct iot_set_field *field = list->field; field < end; field++) {
		const struct iot_rec *rec = eval->rec[field->scope];

		item->attr[field->attr].i = rec ? rec->slot[field->slot].i : 0;
	}
	for (guint i = 0; i < list->n_numbers; i++)
		item->attr[list->number[i].attr].i = iot_expr_eval(list->number[i].expr, eval);
	for (guint i = 0; i < list->n_texts; i++)
		item->attr[list->text[i].attr].str = iot_template_attr(list->text[i].tmpl, eval);
}

static iot_cat_id find_cat(struct iot_model *model, struct iot_values *values, iot_str text)
{
	iot_cat_id cat =
		GPOINTER_TO_UINT(g_hash_table_lookup(values->cat_by_text, GUINT_TO_POINTER(text)));

	if (cat)
		return cat;
	cat = iot_timeline_cat(model->tl, values->type, iot_tl_str(model->tl, text),
			       iot_colour_auto(g_hash_table_size(values->cat_by_text)),
			       IOT_ROLE_NONE);
	g_hash_table_insert(values->cat_by_text, GUINT_TO_POINTER(text), GUINT_TO_POINTER(cat));
	return cat;
}

iot_cat_id iot_values_find_cat(struct iot_model *model, struct iot_values *values, iot_str text)
{
	guint at = text % IOT_RECENT_CATS;

	values->recent[at].text = text;
	return values->recent[at].cat = find_cat(model, values, text);
}

void iot_item_start(const struct iot_model *model, struct iot_item *item,
		    const struct iot_values *values)
{
	memset(item, 0, sizeof(*item));
	item->type = values->type;
	item->n_attrs = (guint8)iot_type_at(model->tl, values->type)->n_attrs;
}
