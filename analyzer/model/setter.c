/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/setter.h"

#include <string.h>

/* "set NAME" and "always NAME" must name attributes. */
static gboolean check_setters(const struct iot_builder *b, const struct iot_values *values)
{
	const struct iot_type *type = iot_type_at(b->model->tl, values->type);

	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];
		const char *name = strchr(setting->key, ' ');
		guint attr = 0;

		if (!g_str_has_prefix(setting->key, "set ") &&
		    !g_str_has_prefix(setting->key, "always "))
			continue;
		while (attr < type->n_attrs &&
		       strcmp(iot_tl_str(b->model->tl, type->attr[attr].name), name + 1))
			attr++;
		if (attr == type->n_attrs)
			return iot_setting_key_error(
				setting, b->error, "[%s %s] has no attribute \"%s\"",
				values->section->kind, values->section->name, name + 1);
	}
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

/* A field, or any other expression. */
static void add_number(struct iot_set_list *list, guint attr, struct iot_expr *expr)
{
	enum iot_scope where;
	int slot;

	if (!iot_expr_is_field(expr, &where, &slot)) {
		list->number[list->n_numbers].attr = attr;
		list->number[list->n_numbers++].expr = expr;
		return;
	}
	list->field[list->n_fields++] = (struct iot_set_field){ .attr = (guint8)attr,
								.scope = (guint8)where,
								.slot = (guint8)slot };
	iot_expr_free(expr);
}

static gboolean bind_lines(const struct iot_builder *b, const struct iot_values *values,
			   struct iot_scope_events *scope, gboolean only_always,
			   struct iot_setter *setter)
{
	const struct iot_type *type = iot_type_at(b->model->tl, values->type);
	struct iot_set_list *all = &setter->all;

	if (!check_setters(b, values))
		return FALSE;
	for (guint i = 0; i < type->n_attrs; i++) {
		const char *name = iot_tl_str(b->model->tl, type->attr[i].name);
		g_autofree char *set = g_strconcat("set ", name, NULL);
		g_autofree char *always = g_strconcat("always ", name, NULL);
		const struct iot_setting *setting = iot_section_get(b->section, always);

		if (!setting && !only_always)
			setting = iot_section_get(b->section, set);
		if (!setting)
			continue;
		if (type->attr[i].format == IOT_ATTR_STR) {
			struct iot_template *text = iot_template_compile(setting, b->model->names,
									 FALSE, scope, b->error);

			if (!text)
				return FALSE;
			all->text[all->n_texts].attr = i;
			all->text[all->n_texts++].tmpl = text;
		} else {
			struct iot_expr *expr = iot_expr_compile_as(
				setting, 0, strlen(setting->value), scope,
				type->attr[i].format == IOT_ATTR_REAL ? IOT_EXPR_REAL
								      : IOT_EXPR_NUMBER,
				b->error);

			if (!expr)
				return FALSE;
			add_number(all, i, expr);
		}
	}
	copy_late(type, setter);
	return TRUE;
}

gboolean iot_bind_setter(const struct iot_builder *b, const struct iot_values *values,
			 struct iot_scope_events *scope, struct iot_setter *setter)
{
	return bind_lines(b, values, scope, FALSE, setter);
}

gboolean iot_bind_always(const struct iot_builder *b, const struct iot_values *values,
			 struct iot_scope_events *scope, struct iot_setter *setter)
{
	return bind_lines(b, values, scope, TRUE, setter);
}

void iot_setter_clear(struct iot_setter *setter)
{
	for (guint i = 0; i < setter->all.n_texts; i++)
		iot_template_free(setter->all.text[i].tmpl);
	for (guint i = 0; i < setter->all.n_numbers; i++)
		iot_expr_free(setter->all.number[i].expr);
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
