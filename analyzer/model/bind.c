/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces that the joiners are built from: references between sections, and what is evaluated at run
 * time. */
#include "model/model-local.h"
#include "base/colour.h"

#include <string.h>

enum { MAX_ROWS = 32768 }; /* of one container that are found without making texts */

struct iot_use *iot_bind_use(struct iot_model *model, struct iot_schema_event *event)
{
	struct iot_use *use;

	if (model->uses->len <= event->index)
		g_ptr_array_set_size(model->uses, (gint)event->index + 1);
	use = model->uses->pdata[event->index];
	if (use)
		return use;
	use = g_new0(struct iot_use, 1);
	use->event = event;
	use->points = g_ptr_array_new_with_free_func(iot_point_free);
	use->stray_rules = g_ptr_array_new_with_free_func(iot_rule_free);
	model->uses->pdata[event->index] = use;
	return use;
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

struct iot_container *iot_bind_container(struct iot_model *model, const struct iot_setting *setting,
					 GError **error)
{
	for (guint i = 0; i < model->containers->len; i++) {
		struct iot_container *container = model->containers->pdata[i];

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
	return scope;
}

static struct iot_boxer *find_boxer(const struct iot_model *model, const struct iot_container *on,
				    const struct iot_scope_events *scope)
{
	for (guint i = 0; i < model->boxers->len; i++) {
		struct iot_boxer *boxer = model->boxers->pdata[i];

		if (boxer->on == on && boxer->scope.aliases == scope->aliases &&
		    boxer->scope.required == scope->required &&
		    !memcmp(boxer->scope.event, scope->event, sizeof(scope->event)))
			return boxer;
	}
	return NULL;
}

static gboolean compile_level(struct iot_model *model, const struct iot_container *container,
			      struct iot_scope_events *scope, struct iot_level *level,
			      GError **error)
{
	level->type = container->type;
	level->id = iot_template_compile(iot_section_get(container->section, "id"), model->names,
					 TRUE, scope, error);
	level->name = level->id ? iot_template_compile(iot_section_get(container->section, "name"),
						       model->names, FALSE, scope, error)
				: NULL;
	return level->name != NULL;
}

gboolean iot_bind_boxer(struct iot_model *model, struct iot_container *on,
			struct iot_scope_events *scope, struct iot_boxer **out, GError **error)
{
	const struct iot_container *chain[IOT_MAX_LEVELS];
	guint n = 0, n_values = 0;
	struct iot_boxer *boxer;

	*out = find_boxer(model, on, scope);
	if (*out)
		return TRUE;
	*out = boxer = g_new0(struct iot_boxer, 1);
	g_ptr_array_add(model->boxers, boxer);
	boxer->on = on;
	boxer->scope = *scope;
	for (const struct iot_container *up = on; up; up = up->parent)
		chain[n++] = up;
	while (n) {
		struct iot_level *level = &boxer->level[boxer->n_levels++];

		if (!compile_level(model, chain[--n], scope, level, error))
			return FALSE;
		n_values += iot_template_n_values(level->id);
	}
	if (!on->boxes.words && n_values <= IOT_MEMO_VALUES)
		iot_memo_init(&on->boxes, n_values, MAX_ROWS);
	boxer->boxes = on->boxes.words ? &on->boxes : NULL;
	return TRUE;
}

void iot_boxer_free(gpointer data)
{
	struct iot_boxer *boxer = data;

	for (guint i = 0; i < boxer->n_levels; i++) {
		iot_template_free(boxer->level[i].id);
		iot_template_free(boxer->level[i].name);
	}
	g_free(boxer);
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

gboolean iot_bind_setter(struct iot_model *model, const struct iot_section *section,
			 const struct iot_values *values, struct iot_scope_events *scope,
			 gboolean only_always, struct iot_setter *setter, GError **error)
{
	const struct iot_type *type = iot_type_at(model->tl, values->type);

	if (!check_setters(model, section, values, error))
		return FALSE;
	for (guint i = 0; i < type->n_attrs; i++) {
		const char *name = iot_tl_str(model->tl, type->attr[i].name);
		g_autofree char *set = g_strconcat("set ", name, NULL);
		g_autofree char *always = g_strconcat("always ", name, NULL);
		const struct iot_setting *setting = iot_section_get(section, always);

		if (!setting && !only_always)
			setting = iot_section_get(section, set);
		if (!setting)
			continue;
		setter->line[setter->n].attr = i;
		setter->line[setter->n].late = type->attr[i].late;
		if (type->attr[i].format == IOT_ATTR_STR)
			setter->line[setter->n].text =
				iot_template_compile(setting, model->names, FALSE, scope, error);
		else
			setter->line[setter->n].number =
				iot_expr_compile(setting, 0, strlen(setting->value), scope, error);
		if (!setter->line[setter->n].text && !setter->line[setter->n].number)
			return FALSE;
		setter->n++;
	}
	return TRUE;
}

void iot_setter_clear(struct iot_setter *setter)
{
	for (guint i = 0; i < setter->n; i++) {
		iot_template_free(setter->line[i].text);
		iot_expr_free(setter->line[i].number);
	}
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

void iot_eval_set(struct iot_model *model, struct iot_eval *eval, guint32 input,
		  const struct iot_rec *self, const struct iot_rec *end, const struct iot_rec *done)
{
	eval->rec[IOT_SCOPE_SELF] = self;
	eval->rec[IOT_SCOPE_END] = end;
	eval->rec[IOT_SCOPE_DONE] = done;
	eval->node = model->inputs[input].node;
	eval->node_name = model->inputs[input].node_name;
	eval->input = input;
	eval->call = 0;
	eval->number = ++model->evaluations;
}

/* Beyond the limit all that is new at a level shares one box; the lanes keep its contents apart. */
static gboolean is_beyond_limit(struct iot_model *model, iot_type_id type)
{
	if (model->tl->boxes.n <= model->max_boxes ||
	    iot_type_at(model->tl, type)->role == IOT_ROLE_NODE)
		return FALSE;
	iot_diag_add(model->diag, IOT_DIAG_boxes_folded, 1);
	return TRUE;
}

/* The box of one level. @out_folded is set if it is one that others share. */
static iot_box_id find_below(struct iot_model *model, const struct iot_level *level,
			     iot_box_id parent, const struct iot_eval *eval, gboolean *out_folded)
{
	struct iot_timeline *tl = model->tl;
	iot_str id = iot_template_eval(level->id, eval), name;
	iot_box_id box = iot_timeline_find_box(tl, level->type, parent, id);
	gboolean is_new;

	if (box)
		return box;
	if (is_beyond_limit(model, level->type)) {
		*out_folded = TRUE;
		id = model->others;
		name = iot_intern_str(tl->strings, "(others)");
	} else {
		name = iot_template_eval(level->name, eval);
		if (!name)
			name = iot_intern_str(tl->strings, "(unnamed)");
	}
	box = iot_timeline_box(tl, level->type, parent, id, name, &is_new);
	if (is_new && model->select)
		iot_box_at(tl, box)->hidden = !model->select(model->select_data, tl, box);
	return box;
}

static iot_box_id find_by_levels(struct iot_model *model, const struct iot_boxer *boxer,
				 const struct iot_eval *eval, gboolean *out_folded)
{
	iot_box_id box = 0;

	for (guint i = 0; i < boxer->n_levels; i++)
		box = find_below(model, &boxer->level[i], box, eval, out_folded);
	return box;
}

/* Boxes do not go away, and which one it is depends on the values alone, so that texts need not be
 * made. But each use of a box that others share is counted, so it is not remembered. */
static iot_box_id find_by_values(struct iot_model *model, const struct iot_boxer *boxer,
				 const struct iot_eval *eval, gboolean *out_folded)
{
	struct iot_memo_key key;
	guint64 *answer;
	iot_box_id box;

	if (!boxer->boxes)
		return find_by_levels(model, boxer, eval, out_folded);
	key.n = 0;
	key.kinds = 0;
	for (guint i = 0; i < boxer->n_levels; i++)
		iot_template_key(boxer->level[i].id, eval, &key);
	answer = iot_memo_find(boxer->boxes, &key);
	if (G_LIKELY(*answer))
		return (iot_box_id)*answer;
	box = find_by_levels(model, boxer, eval, out_folded);
	*answer = *out_folded ? 0 : box;
	return box;
}

iot_box_id iot_boxer_find(struct iot_model *model, struct iot_boxer *boxer,
			  const struct iot_eval *eval)
{
	gboolean folded = FALSE;

	if (boxer->evaluation == eval->number && boxer->changes == model->changes)
		return boxer->box;
	boxer->box = find_by_values(model, boxer, eval, &folded);
	boxer->evaluation = folded ? 0 : eval->number;
	boxer->changes = model->changes;
	return boxer->box;
}

void iot_setter_apply(const struct iot_setter *setter, const struct iot_eval *eval,
		      gboolean late_only, struct iot_item *item)
{
	for (guint i = 0; i < setter->n; i++) {
		union iot_attr *attr = &item->attr[setter->line[i].attr];

		if (late_only && !setter->line[i].late)
			continue;
		if (setter->line[i].number)
			attr->i = iot_expr_eval(setter->line[i].number, eval);
		else
			attr->str = iot_template_attr(setter->line[i].text, eval);
	}
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

iot_cat_id iot_values_cat(struct iot_model *model, struct iot_values *values, iot_str text)
{
	guint at = text % IOT_RECENT_CATS;

	if (G_LIKELY(values->recent[at].cat && values->recent[at].text == text))
		return values->recent[at].cat;
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
