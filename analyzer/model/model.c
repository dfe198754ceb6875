/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading a model and running it. What a section means is in the file of its kind
 * (section-table.c).
 */
#include "model/model-local.h"
#include "base/error.h"

#include <string.h>

static void values_free(gpointer data)
{
	struct iot_values *values = data;

	g_hash_table_unref(values->cat_by_text);
	g_free(values);
}

static void use_free(gpointer data)
{
	struct iot_event_role *role = data;

	if (!role)
		return;
	for (guint i = 0; i < role->n_keys; i++)
		iot_expr_free(role->key[i]);
	iot_expr_free(role->has_state);
	iot_setter_clear(&role->machine_set);
	iot_setter_clear(&role->stray_set);
	iot_hooks_clear(&role->hooks);
	g_clear_pointer(&role->repairs, g_ptr_array_unref);
	g_ptr_array_unref(role->points);
	g_ptr_array_unref(role->stray_rules);
	g_free(role);
}

static struct iot_model *model_new(struct iot_timeline *tl, struct iot_schema *schema)
{
	struct iot_model *model = g_new0(struct iot_model, 1);

	model->tl = tl;
	model->schema = schema;
	model->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					     (GDestroyNotify)iot_names_free);
	model->row_types = g_ptr_array_new_with_free_func(iot_row_type_free);
	model->row_paths = g_ptr_array_new_with_free_func(iot_row_path_free);
	model->values = g_ptr_array_new_with_free_func(values_free);
	model->kinds = g_ptr_array_new_with_free_func(iot_kind_free);
	model->pairs = g_ptr_array_new_with_free_func(iot_pair_free);
	model->states = g_ptr_array_new_with_free_func(iot_state_free);
	model->tables = g_ptr_array_new_with_free_func(iot_keytable_free);
	model->counters = g_ptr_array_new_with_free_func(iot_counter_free);
	model->calls = iot_standalone_calls_new();
	model->ties = iot_ties_new();
	model->roles = g_ptr_array_new_with_free_func(use_free);
	model->lanes = tl->lanes;
	model->resumed = g_ptr_array_new_with_free_func(g_free);
	return model;
}

void iot_model_free(struct iot_model *model)
{
	if (!model)
		return;
	g_ptr_array_unref(model->roles);
	iot_ties_free(model->ties);
	iot_standalone_calls_free(model->calls);
	g_ptr_array_unref(model->counters);
	g_ptr_array_unref(model->tables);
	g_ptr_array_unref(model->kinds);
	g_ptr_array_unref(model->pairs);
	g_ptr_array_unref(model->states);
	g_ptr_array_unref(model->values);
	g_ptr_array_unref(model->row_paths);
	g_ptr_array_unref(model->row_types);
	g_hash_table_unref(model->names);
	g_ptr_array_unref(model->resumed);
	g_free(model->repaired);
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
					     section->kind, setting->key, known);
	}
	return TRUE;
}

/* ---- [model] and [view] are not joiners: they say something about the whole */

static gboolean build_head(struct iot_model *model, const struct iot_section *section,
			   GError **error)
{
	const struct iot_setting *name = iot_section_require(section, "name", error);
	const struct iot_setting *system =
		name ? iot_section_require(section, "system", error) : NULL;
	const struct iot_setting *title = iot_section_get(section, "title");

	if (!system)
		return FALSE;
	model->name = g_strdup(name->value);
	model->system = g_strdup(system->value);
	model->title = g_strdup(title ? title->value : name->value);
	return TRUE;
}

static gboolean build_view(struct iot_model *model, const struct iot_section *section,
			   GError **error)
{
	const struct iot_setting *columns = iot_section_require(section, "columns", error);
	g_auto(GStrv) words = columns ? g_strsplit_set(columns->value, " \t", -1) : NULL;
	struct iot_view view = { .title = iot_intern_str(model->tl->strings, section->name) };
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
		container = iot_bind_row_type(model, &word, error);
		if (!container)
			return FALSE;
		if (view.n_columns == G_N_ELEMENTS(view.column))
			return iot_setting_error(columns, at, error, "too many columns");
		view.column[view.n_columns++] = container->type;
	}
	return iot_timeline_add_view(model->tl, &view) ||
	       iot_section_error(section, error, "too many views in all models");
}

/* ---- facts of whole recordings: they are looked for before the model is loaded (facts.c) */

static gboolean build_facts(struct iot_model *model, const struct iot_section *section,
			    GError **error)
{
	(void)model;
	return iot_facts_check(section, error);
}

static const char *const node_keys[] = { "number *", NULL };
static const char *const commands_keys[] = { "command *", NULL };
static const struct iot_section_kind node = { "node", node_keys, build_facts, NULL };
static const struct iot_section_kind commands = { "commands", commands_keys, build_facts, NULL };

static const char *const head_keys[] = { "name", "title", "system", NULL };
static const char *const view_keys[] = { "columns", NULL };
static const struct iot_section_kind head = { "model", head_keys, build_head, NULL };
static const struct iot_section_kind view = { "view", view_keys, build_view, NULL };

static const struct iot_section_kind *find_kind(const char *name)
{
	static const struct iot_section_kind *const own[] = { &head, &view, &node, &commands };

	for (guint i = 0; i < G_N_ELEMENTS(own); i++)
		if (!strcmp(name, own[i]->kind))
			return own[i];
	for (guint i = 0; iot_section_kinds[i]; i++)
		if (!strcmp(name, iot_section_kinds[i]->kind))
			return iot_section_kinds[i];
	return NULL;
}

static gboolean build_section(struct iot_model *model, const struct iot_section *section,
			      guint index, GError **error)
{
	const struct iot_section_kind *ops = find_kind(section->kind);

	if (!ops)
		return iot_section_error(section, error, "no such kind of section");
	if (ops->later)
		return iot_section_error(section, error, "%s are not supported yet", ops->later);
	if ((ops == &head) != (index == 0))
		return iot_section_error(section, error, "a model begins with one [model] section");
	if (!*section->name && ops != &head && ops != &node && ops != &commands)
		return iot_section_error(section, error, "the section needs a name");
	for (guint i = 0; i < index; i++) {
		const struct iot_section *other = model->file->sections->pdata[i];

		if (!strcmp(other->kind, section->kind) && !strcmp(other->name, section->name))
			return iot_section_error(section, error, "stands twice (first in line %u)",
						 other->line);
	}
	return check_keys(ops, section, error) && ops->build(model, section, error);
}

struct iot_model *iot_model_load(const char *path, struct iot_timeline *tl,
				 struct iot_schema *schema, GError **error)
{
	g_autoptr(iot_model_file) file = iot_model_file_load(path, error);
	struct iot_model *model;
	gboolean ok = TRUE;

	if (!file)
		return NULL;
	model = model_new(tl, schema);
	model->file = g_steal_pointer(&file);
	if (!model->file->sections->len) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL,
			    "%s:1:1: an empty model; it begins with [model]", path);
		ok = FALSE;
	}
	for (guint i = 0; ok && i < model->file->sections->len; i++)
		ok = build_section(model, model->file->sections->pdata[i], i, error);
	for (guint i = 0; ok && i < model->pairs->len; i++)
		iot_pair_finish(model->pairs->pdata[i]);
	if (ok)
		return model;
	iot_model_free(model);
	return NULL;
}

void iot_model_learn(struct iot_model *model, const struct iot_facts *facts)
{
	for (guint i = 0; i < model->file->sections->len; i++) {
		const struct iot_section *section = model->file->sections->pdata[i];

		if (!strcmp(section->kind, "names"))
			iot_facts_fill(facts, section,
				       g_hash_table_lookup(model->names, section->name));
	}
}

/* ---- running */

void iot_model_start(struct iot_model *model, struct iot_emit *emit,
		     const struct iot_model_input *inputs, guint n_inputs, guint max_open,
		     guint max_rows, iot_select_func select, gpointer user_data,
		     struct iot_diag *diag)
{
	model->emit = emit;
	model->inputs = inputs;
	model->n_inputs = n_inputs;
	model->max_open = MAX(max_open, 1);
	model->max_rows = MAX(max_rows, 1);
	model->others = iot_intern_str(model->tl->strings, "\001others");
	model->select = select;
	model->select_data = user_data;
	model->diag = diag;
	for (guint i = 0; i < model->kinds->len; i++)
		iot_kind_start(model->kinds->pdata[i]);
	for (guint i = 0; i < model->tables->len; i++)
		iot_keytable_start(model->tables->pdata[i], model->max_open, n_inputs, diag);
}

/* Points of events that belong to no object. */
static void draw_loose_points(struct iot_model *model, const struct iot_event_role *role,
			      const struct iot_rec *rec)
{
	struct iot_eval eval;

	iot_eval_init(model, &eval, rec->event->input, rec, NULL, NULL);
	for (guint i = 0; i < role->points->len; i++) {
		const struct iot_point *point = role->points->pdata[i];
		iot_row_id row;

		if (point->when && !iot_expr_eval(point->when, &eval))
			continue;
		row = iot_row_path_find(model, point->path, &eval);
		iot_lanes_mark_used(model->lanes, row, rec->ts);
		iot_point_draw(model, point, &eval, row, 0, rec->ts, 0);
	}
}

static void run_hooks(struct iot_model *model, const struct iot_event_role *role,
		      const struct iot_rec *rec)
{
	struct iot_eval eval;

	iot_eval_init(model, &eval, rec->event->input, rec, NULL, NULL);
	if (role->hooks.changes)
		iot_hooks_run(model, role->hooks.changes, &eval, rec->ts);
	if (role->hooks.drops)
		iot_hooks_run(model, role->hooks.drops, &eval, rec->ts);
}

gboolean iot_model_knows(const struct iot_model *model, guint index)
{
	return index < model->roles->len && model->roles->pdata[index];
}

void iot_model_join(struct iot_model *model, struct iot_event_role *role, const struct iot_rec *rec)
{
	if (role->of)
		iot_object_event(model, role, rec);
	else if (role->pair)
		iot_standalone_calls_event(model, role, rec);
}

void iot_model_take(struct iot_model *model, struct iot_event_role *role, const struct iot_rec *rec)
{
	if (G_UNLIKELY(role->hooks.changes || role->hooks.drops))
		run_hooks(model, role, rec);
	if (role->points->len && !role->of)
		draw_loose_points(model, role, rec);
	iot_model_join(model, role, rec);
}

void iot_model_event(struct iot_model *model, const struct iot_rec *rec)
{
	struct iot_event_role *role;

	if (G_UNLIKELY(!iot_model_knows(model, rec->event->index)))
		return;
	role = model->roles->pdata[rec->event->index];
	if (G_UNLIKELY(role->repairs))
		rec = iot_repair(model, role, rec);
	if (G_UNLIKELY(iot_ties_any(model->ties)) && iot_ties_event(model, role, rec))
		return;
	iot_model_take(model, role, rec);
}

void iot_model_gap(struct iot_model *model, guint input, guint64 ts, gboolean begin)
{
	iot_ties_settle(model);
	for (guint i = 0; i < model->kinds->len; i++)
		iot_kind_gap(model->kinds->pdata[i], input, ts, begin);
	iot_standalone_calls_close(model, input, ts, IOT_SUSPECT, IOT_DIAG_call_closed_by_gap);
}

guint64 iot_model_watermark(const struct iot_model *model)
{
	guint64 low = MIN(iot_standalone_calls_oldest(model->calls), iot_ties_oldest(model->ties));

	for (guint i = 0; i < model->kinds->len; i++) {
		const struct iot_object_kind *kind = model->kinds->pdata[i];

		if (kind->open_first)
			low = MIN(low, kind->open_first->t0);
	}
	return low;
}

void iot_model_finish(struct iot_model *model, guint64 ts, gboolean at_end)
{
	iot_ties_settle(model);
	for (guint i = 0; i < model->kinds->len; i++)
		iot_kind_finish(model->kinds->pdata[i], ts, at_end);
	iot_standalone_calls_close(model, G_MAXUINT, ts, IOT_UNFINISHED,
				   at_end ? IOT_DIAG_pair_start_without_end : IOT_DIAG_COUNT);
}

const char *iot_model_name(const struct iot_model *model)
{
	return model->name;
}

static void describe_container(const struct iot_model *model, const struct iot_row_type *parent,
			       guint depth, GString *out)
{
	for (guint i = 0; i < model->row_types->len; i++) {
		const struct iot_row_type *container = model->row_types->pdata[i];

		if (container->parent != parent)
			continue;
		g_string_append_printf(out, "%*s%s: %s\n", (int)depth * 2, "",
				       container->section->name,
				       iot_section_get(container->section, "name")->value);
		describe_container(model, container, depth + 1, out);
	}
}

char *iot_model_describe(const struct iot_model *model)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "model %s (%s), events of system %s\n\nrows\n", model->name,
			       model->title, model->system);
	describe_container(model, NULL, 1, out);
	for (guint i = 0; i < model->values->len; i++) {
		const struct iot_section *section =
			((struct iot_values *)model->values->pdata[i])->section;

		g_string_append_printf(out, "\n%s %s on %s\n", section->kind, section->name,
				       iot_section_get(section, "on")->value);
		for (guint j = 0; j < section->settings->len; j++) {
			const struct iot_setting *setting = section->settings->pdata[j];

			if (g_str_has_prefix(setting->key, "value "))
				g_string_append_printf(out, "  %-16s %s\n", setting->key + 6,
						       setting->value);
		}
	}
	for (guint i = 0; i < model->kinds->len; i++) {
		const struct iot_object_kind *kind = model->kinds->pdata[i];

		g_string_append_printf(out, "\nobject %s, key %s\n", kind->name,
				       iot_section_get(kind->section, "key")->value);
		for (guint j = 0; j < kind->pairs->len; j++) {
			const struct iot_pair *pair = kind->pairs->pdata[j];

			g_string_append_printf(out, "  call %s: %s to %s%s%s\n", pair->name,
					       pair->start->name, pair->end->name,
					       pair->done ? ", completed by " : "",
					       pair->done ? pair->done->name : "");
		}
		for (guint j = 0; kind->machine && j < kind->machine_section->settings->len; j++) {
			const struct iot_setting *setting =
				kind->machine_section->settings->pdata[j];

			if (g_str_has_prefix(setting->key, "rule"))
				g_string_append_printf(out, "  %s: %s\n", setting->key,
						       setting->value);
		}
	}
	return g_string_free(out, FALSE);
}

gsize iot_model_memory(const struct iot_model *model)
{
	gsize bytes = iot_standalone_calls_memory(model->calls);

	for (guint i = 0; i < model->kinds->len; i++)
		bytes += iot_kind_memory(model->kinds->pdata[i]);
	for (guint i = 0; i < model->tables->len; i++)
		bytes += iot_keytable_memory(model->tables->pdata[i]);
	return bytes;
}
