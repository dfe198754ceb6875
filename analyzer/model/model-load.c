/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading a model. The file of each section's kind compiles it (section-table.c). */
#include "model/model.h"
#include "model/backing.h"
#include "model/because.h"
#include "model/bind.h"
#include "model/counter.h"
#include "model/hook.h"
#include "model/link.h"
#include "model/machine.h"
#include "model/object.h"
#include "model/pair.h"
#include "model/point.h"
#include "model/repair.h"
#include "model/row.h"
#include "model/section-table.h"
#include "model/setter.h"
#include "model/standalone-call.h"
#include "model/state.h"
#include "model/ties.h"
#include "model/tracked.h"
#include "model/values.h"
#include "base/error.h"
#include "language/order-rule.h"
#include "timeline/node-names.h"
#include "timeline/thread-rows.h"

#include <string.h>

static void role_free(gpointer data)
{
	struct iot_event_role *role = data;

	if (!role)
		return;
	for (guint i = 0; i < role->n_keys; i++)
		iot_expr_free(role->key[i]);
	iot_expr_free(role->apart);
	iot_expr_free(role->has_state);
	iot_setter_clear(&role->machine_set);
	iot_setter_clear(&role->stray_set);
	iot_hooks_clear(&role->hooks);
	g_clear_pointer(&role->repairs, g_ptr_array_unref);
	g_clear_pointer(&role->derived, g_ptr_array_unref);
	g_free(role->derived_event);
	g_clear_pointer(&role->links, g_ptr_array_unref);
	g_ptr_array_set_free_func(role->points, iot_point_free);
	g_ptr_array_unref(role->points);
	g_ptr_array_set_free_func(role->loose_points, iot_point_free);
	g_ptr_array_unref(role->loose_points);
	g_ptr_array_set_free_func(role->stray_rules, iot_rule_free);
	g_ptr_array_unref(role->stray_rules);
	g_clear_pointer(&role->in_order, g_ptr_array_unref);
	role_free(role->next);
	g_free(role);
}

static struct iot_model *model_new(struct iot_timeline *tl, struct iot_schema *schema)
{
	struct iot_model *model = g_new0(struct iot_model, 1);

	model->tl = tl;
	model->schema = schema;
	model->numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					       (GDestroyNotify)iot_numbers_unref);
	model->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					     (GDestroyNotify)iot_names_free);
	model->row_types = g_ptr_array_new_with_free_func(iot_row_type_free);
	model->row_paths = g_ptr_array_new_with_free_func(iot_row_path_free);
	model->values = g_ptr_array_new_with_free_func(iot_values_free);
	model->kinds = g_ptr_array_new_with_free_func(iot_kind_free);
	model->pairs = g_ptr_array_new_with_free_func(iot_pair_free);
	model->states = g_ptr_array_new_with_free_func(iot_state_free);
	model->tables = g_ptr_array_new_with_free_func(iot_keytable_unref);
	model->own_tables = g_ptr_array_new();
	model->counters = g_ptr_array_new_with_free_func(iot_counter_free);
	model->links = g_ptr_array_new_with_free_func(iot_link_free);
	model->links_due = model->held_ns = G_MAXUINT64;
	model->calls = iot_standalone_calls_new();
	model->ties = iot_ties_new();
	model->roles = g_ptr_array_new_with_free_func(role_free);
	model->role_names = g_ptr_array_new_with_free_func((GDestroyNotify)iot_schema_role_free);
	model->lanes = tl->lanes;
	model->vcpu_tables = g_array_new(FALSE, FALSE, sizeof(struct iot_vcpu_table));
	model->role_when = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)iot_expr_free);
	model->resumed = g_ptr_array_new_with_free_func(g_free);
	return model;
}

void iot_model_free(struct iot_model *model)
{
	if (!model)
		return;
	iot_links_free(model);
	g_array_unref(model->vcpu_tables);
	g_ptr_array_unref(model->roles);
	g_hash_table_unref(model->role_when);
	g_ptr_array_unref(model->role_names);
	iot_ties_free(model->ties);
	iot_standalone_calls_free(model->calls);
	g_ptr_array_unref(model->counters);
	g_ptr_array_unref(model->own_tables);
	g_ptr_array_unref(model->tables);
	g_ptr_array_unref(model->kinds);
	g_ptr_array_unref(model->pairs);
	g_ptr_array_unref(model->states);
	g_ptr_array_unref(model->values);
	g_ptr_array_unref(model->row_paths);
	g_ptr_array_unref(model->row_types);
	g_hash_table_unref(model->names);
	g_hash_table_unref(model->numbers);
	g_ptr_array_unref(model->resumed);
	g_free(model->repaired);
	g_free(model->derived);
	iot_model_file_free(model->file);
	g_free(model->name);
	g_free(model->title);
	g_free(model->system);
	g_free(model);
}

static gboolean key_allowed(const struct iot_section_kind *ops, const char *key)
{
	for (guint i = 0; ops->keys[i]; i++) {
		gsize len = strlen(ops->keys[i]);

		if (ops->keys[i][len - 1] == '*' ? !strncmp(key, ops->keys[i], len - 1)
						 : !strcmp(key, ops->keys[i]))
			return TRUE;
	}
	return FALSE;
}

static gboolean check_keys(const struct iot_section_kind *ops, const struct iot_section *section,
			   GError **error)
{
	for (guint i = 0; i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];
		g_autofree char *known = NULL;

		if (key_allowed(ops, setting->key))
			continue;
		known = g_strjoinv(", ", (char **)(gsize)ops->keys);
		return iot_setting_key_error(setting, error,
					     "[%s] has no setting \"%s\" (it has %s)",
					     section->kind, setting->key, *known ? known : "none");
	}
	return TRUE;
}

/* ---- [model] and [view] describe the whole model */

static gboolean build_head(const struct iot_builder *b)
{
	const struct iot_setting *name = iot_section_require(b->section, "name", b->error);
	const struct iot_setting *system =
		name ? iot_section_require(b->section, "system", b->error) : NULL;
	const struct iot_setting *title = iot_section_get(b->section, "title");
	const struct iot_setting *needs = iot_section_get(b->section, "needs");

	if (!system)
		return FALSE;
	if (needs && strcmp(needs->value, "vcpus") && strcmp(needs->value, "roles"))
		return iot_setting_error(needs, 0, b->error, "either \"vcpus\" or \"roles\"");
	b->model->needs_vcpus = needs && !strcmp(needs->value, "vcpus");
	b->model->name = g_strdup(name->value);
	b->model->system = g_strdup(system->value);
	b->model->title = g_strdup(title ? title->value : name->value);
	return TRUE;
}

/* Another model shows the same rows already. */
static gboolean has_columns(const struct iot_timeline *tl, const struct iot_view *view)
{
	for (guint i = 0; i < tl->n_views; i++)
		if (tl->view[i].n_columns == view->n_columns &&
		    !memcmp(tl->view[i].column, view->column,
			    view->n_columns * sizeof(view->column[0])))
			return TRUE;
	return FALSE;
}

/* Nodes at the root are below the levels that --names puts above them. */
static guint levels_above(const struct iot_model *model, const struct iot_row_type *first,
			  iot_type_id *column)
{
	iot_type_id on = iot_type_at(model->tl, first->type)->on;

	return on && iot_type_at(model->tl, on)->above_nodes
		       ? iot_node_names_columns(model->tl->names, column)
		       : 0;
}

static gboolean build_view(const struct iot_builder *b)
{
	const struct iot_setting *columns = iot_section_require(b->section, "columns", b->error);
	g_auto(GStrv) words = columns ? g_strsplit_set(columns->value, " \t", -1) : NULL;
	struct iot_view view = { .title = iot_intern_str(b->model->tl->strings, b->section->name) };
	gsize at = 0;

	if (!columns)
		return FALSE;
	for (guint i = 0; words[i]; at += strlen(words[i++]) + 1) {
		struct iot_setting word = *columns;
		struct iot_row_type *container;

		if (!*words[i])
			continue;
		word.value = words[i];
		word.value_column += (guint)at;
		container = iot_bind_row_type(b, &word);
		if (!container)
			return FALSE;
		if (!view.n_columns)
			view.n_columns = levels_above(b->model, container, view.column);
		if (view.n_columns == G_N_ELEMENTS(view.column))
			return iot_setting_error(columns, at, b->error, "too many columns%s",
						 b->model->tl->names ? ", with those of --names"
								     : "");
		view.column[view.n_columns++] = container->type;
		/* the other columns are those of the threads' own view */
		if (container->follows)
			return iot_timeline_extend_views(
				b->model->tl, iot_thread_rows_type(b->model->tl->threads),
				container->type);
	}
	if (has_columns(b->model->tl, &view))
		return TRUE;
	return iot_timeline_add_view(b->model->tl, &view) ||
	       iot_section_error(b->section, b->error, "too many views in all models");
}

static gboolean has_child(const struct iot_model *model, const struct iot_row_type *parent)
{
	for (guint i = 0; i < model->row_types->len; i++)
		if (((const struct iot_row_type *)model->row_types->pdata[i])->parent == parent)
			return TRUE;
	return FALSE;
}

static const struct iot_row_type *outermost(const struct iot_row_type *row_type)
{
	while (row_type->parent)
		row_type = row_type->parent;
	return row_type;
}

/* A model without [view]: all levels above each innermost one. Beyond the greatest number of views
 * rows are in none. */
static void view_all(const struct iot_model *model)
{
	for (guint i = 0; i < model->file->sections->len; i++)
		if (!strcmp(((struct iot_section *)model->file->sections->pdata[i])->kind, "view"))
			return;
	for (guint i = 0; i < model->row_types->len; i++) {
		const struct iot_row_type *last = model->row_types->pdata[i];
		struct iot_view view = { .title =
						 iot_intern_str(model->tl->strings, model->title) };
		guint at;

		if (last->follows || last->as_thread || has_child(model, last))
			continue;
		for (const struct iot_row_type *up = last; up; up = up->parent)
			view.n_columns++;
		at = levels_above(model, outermost(last), view.column);
		if (view.n_columns + at > G_N_ELEMENTS(view.column))
			continue;
		view.n_columns += at;
		for (at = view.n_columns; last; last = last->parent)
			view.column[--at] = last->type;
		if (!has_columns(model->tl, &view))
			iot_timeline_add_view(model->tl, &view);
	}
}

/* ---- facts of whole recordings: they are looked for before the model is loaded (facts.c) */

static gboolean build_facts(const struct iot_builder *b)
{
	return iot_facts_check(b->section, b->error);
}

static const char *const node_keys[] = { "number *", NULL };
static const char *const commands_keys[] = { "command *", NULL };
static const struct iot_section_kind node = { "node", node_keys, build_facts, NULL };
static const struct iot_section_kind commands = { "commands", commands_keys, build_facts, NULL };

static const char *const head_keys[] = { "name", "title", "system", "needs", "borrows", NULL };
static const char *const view_keys[] = { "columns", NULL };
static const struct iot_section_kind head = { "model", head_keys, build_head, NULL };
static const struct iot_section_kind view = { "view", view_keys, build_view, NULL };

/* ---- [later] ends the first part of a model; the rest is compiled after all other models */

static gboolean build_later(const struct iot_builder *b)
{
	(void)b;
	return TRUE;
}

static const char *const later_keys[] = { NULL };
static const struct iot_section_kind later = { "later", later_keys, build_later, NULL };

/* ---- [order] is for the records on their way to the models */

static gboolean build_order(const struct iot_builder *b)
{
	const struct iot_order_context context = { .file = b->model->file,
						   .model = b->model->name,
						   .system = b->model->system,
						   .tl = b->model->tl,
						   .schema = b->model->schema };

	return !b->model->order ||
	       iot_order_rules_add(b->model->order, &context, b->section, b->error);
}

static const struct iot_section_kind order = { "order", iot_order_keys, build_order, NULL };

static const struct iot_section_kind *find_kind(const char *name)
{
	static const struct iot_section_kind *const own[] = { &head,	 &view,	 &node,
							      &commands, &later, &order };

	for (guint i = 0; i < G_N_ELEMENTS(own); i++)
		if (!strcmp(name, own[i]->kind))
			return own[i];
	for (guint i = 0; iot_section_kinds[i]; i++)
		if (!strcmp(name, iot_section_kinds[i]->kind))
			return iot_section_kinds[i];
	return NULL;
}

static gboolean build_section(struct iot_model *model, guint index, GError **error)
{
	const struct iot_section *section = model->file->sections->pdata[index];
	const struct iot_section_kind *ops = find_kind(section->kind);

	if (!ops)
		return iot_section_error(section, error, "no such kind of section");
	if (ops->later)
		return iot_section_error(section, error, "%s are not supported yet", ops->later);
	if ((ops == &head) != (index == 0))
		return iot_section_error(section, error, "a model begins with one [model] section");
	if (!*section->name && ops != &head && ops != &node && ops != &commands && ops != &later &&
	    ops != &iot_section_kind_interrupts)
		return iot_section_error(section, error, "the section needs a name");
	for (guint i = 0; i < index; i++) {
		const struct iot_section *other = model->file->sections->pdata[i];

		if (!strcmp(other->kind, section->kind) && !strcmp(other->name, section->name))
			return iot_section_error(section, error, "stands twice (first in line %u)",
						 other->line);
	}
	if (!check_keys(ops, section, error))
		return FALSE;
	if (model->no_links && (ops == &iot_section_kind_links || ops == &iot_section_kind_link))
		return TRUE;
	return ops->build(&(struct iot_builder){ model, section, error });
}

static gboolean is_later(const struct iot_section *section)
{
	return !strcmp(section->kind, later.kind);
}

gboolean iot_model_load_rest(struct iot_model *model, GError **error)
{
	gboolean ok = TRUE;

	while (ok && model->n_compiled < model->file->sections->len)
		ok = build_section(model, model->n_compiled++, error);
	if (ok)
		view_all(model);
	for (guint i = 0; ok && i < model->pairs->len; i++)
		iot_pair_finish(model->pairs->pdata[i]);
	return ok;
}

gboolean iot_model_connect(struct iot_model *model, const GPtrArray *models, char **out_missing,
			   GError **error)
{
	for (guint i = 0; i < model->kinds->len; i++)
		if (!iot_backing_connect(model->kinds->pdata[i], models, out_missing, error))
			return FALSE;
	for (guint i = 0; i < model->values->len; i++)
		if (!iot_because_connect(model->values->pdata[i], models, out_missing, error))
			return FALSE;
	return TRUE;
}

GPtrArray *iot_model_shared_new(void)
{
	return g_ptr_array_new_with_free_func(iot_keytable_unref);
}

struct iot_model *iot_model_compile(struct iot_model_file *file, struct iot_timeline *tl,
				    struct iot_schema *schema,
				    const struct iot_model_company *company, GError **error)
{
	struct iot_model *model = model_new(tl, schema);
	gboolean ok = TRUE;

	if (company) {
		model->shared = company->shared;
		model->no_links = company->no_links;
		model->order = company->order;
	}
	model->file = iot_model_file_ref(file);
	if (!file->sections->len) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL,
			    "%s:1:1: an empty model; it begins with [model]", file->path);
		ok = FALSE;
	}
	while (ok && model->n_compiled < file->sections->len &&
	       !(company && is_later(file->sections->pdata[model->n_compiled])))
		ok = build_section(model, model->n_compiled++, error);
	if (ok && (company || iot_model_load_rest(model, error)))
		return model;
	iot_model_free(model);
	return NULL;
}

struct iot_model *iot_model_load(const char *path, struct iot_timeline *tl,
				 struct iot_schema *schema, const struct iot_model_company *company,
				 GError **error)
{
	g_autoptr(iot_model_file) file = iot_model_file_load(path, error);

	return file ? iot_model_compile(file, tl, schema, company, error) : NULL;
}

static void describe_container(const struct iot_model *model, const struct iot_row_type *parent,
			       guint depth, GString *out)
{
	for (guint i = 0; i < model->row_types->len; i++) {
		const struct iot_row_type *container = model->row_types->pdata[i];

		if (container->parent != parent || container->as_thread)
			continue;
		g_string_append_printf(out, "%*s%s: %s\n", (int)depth * 2, "",
				       container->section->name,
				       iot_section_get(container->section, "name")->value);
		describe_container(model, container, depth + 1, out);
	}
}

static void describe_compatible(const struct iot_section *section, GString *out)
{
	for (guint i = 0; i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];

		if (g_str_has_prefix(setting->key, "value "))
			g_string_append_printf(out, "  %s goes with %s\n", setting->key + 6,
					       setting->value);
		else if (!strcmp(setting->key, "tries"))
			g_string_append_printf(out, "  calls only try: %s\n", setting->value);
	}
}

static void describe_asks(const struct iot_section *section, GString *out)
{
	for (guint i = 0; i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];

		if (g_str_has_prefix(setting->key, "asks"))
			g_string_append_printf(out, "    asks for %s\n", setting->value);
		else if (!strcmp(setting->key, "may weaken"))
			g_string_append_printf(out, "    may weaken if %s\n", setting->value);
	}
}

char *iot_model_describe(const struct iot_model *model)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "model %s (%s), events of system %s\n\nrows\n", model->name,
			       model->title, model->system);
	describe_container(model, NULL, 1, out);
	for (guint i = 0; i < model->values->len; i++) {
		const struct iot_values *values = model->values->pdata[i];
		const struct iot_section *section = values->section;

		const struct iot_setting *on = iot_section_get(section, "on");

		g_string_append_printf(out, "\n%s %s%s%s\n", section->kind, section->name,
				       on ? " on " : "", on ? on->value : "");
		for (guint j = 0; j < section->settings->len; j++) {
			const struct iot_setting *setting = section->settings->pdata[j];

			if (g_str_has_prefix(setting->key, "value "))
				g_string_append_printf(out, "  %-16s %s\n", setting->key + 6,
						       setting->value);
		}
		if (values->compared)
			describe_compatible(values->compared, out);
	}
	for (guint i = 0; i < model->kinds->len; i++) {
		const struct iot_object_kind *kind = model->kinds->pdata[i];
		const struct iot_setting *range = iot_section_get(kind->section, "range");

		g_string_append_printf(out, "\nobject %s, key %s%s%s\n", kind->name,
				       iot_section_get(kind->section, "key")->value,
				       range ? ", range " : "", range ? range->value : "");
		for (guint j = 0; j < kind->pairs->len; j++) {
			const struct iot_pair *pair = kind->pairs->pdata[j];

			g_string_append_printf(out, "  call %s: %s to %s", pair->name,
					       pair->start->name, pair->end->name);
			for (guint k = 1; k < pair->n_ends; k++)
				g_string_append_printf(out, " or %s", pair->ends[k].event->name);
			g_string_append_printf(out, "%s%s\n", pair->done ? ", completed by " : "",
					       pair->done ? pair->done->name : "");
			describe_asks(pair->section, out);
		}
		for (guint j = 0; kind->machine && j < kind->machine_section->settings->len; j++) {
			const struct iot_setting *setting =
				kind->machine_section->settings->pdata[j];

			if (g_str_has_prefix(setting->key, "rule"))
				g_string_append_printf(out, "  %s: %s\n", setting->key,
						       setting->value);
			else if (setting == kind->certain_while)
				g_string_append_printf(out, "  certain while %s is held\n",
						       setting->value);
		}
	}
	iot_links_describe(model, out);
	return g_string_free(out, FALSE);
}

void iot_model_identify(const struct iot_model *model, GString *out)
{
	const GPtrArray *sections = model->file->sections;

	for (guint i = 0; i < sections->len; i++) {
		const struct iot_section *section = sections->pdata[i];

		g_string_append_printf(out, "[%s %s]\n", section->kind, section->name);
		for (guint k = 0; k < section->settings->len; k++) {
			const struct iot_setting *setting = section->settings->pdata[k];

			g_string_append_printf(out, "%s = %s\n", setting->key, setting->value);
		}
	}
}
