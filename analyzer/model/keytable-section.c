/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [keytable]: compiles the section; language/keytable.c is the store. Several models may declare
 * one shared table: the first declaration makes it, and one model may have lines that change it.
 */
#include "model/hook.h"
#include "model/scope.h"
#include "model/section-table.h"

#include <string.h>

static void free_names(struct iot_schema_event *names)
{
	for (guint i = 0; i < IOT_MAX_SLOTS; i++) {
		g_free(names->field[i].name);
		g_free(names->field[i].needed_by);
	}
	g_free(names);
}

/* The keys as fields of an event that is never recorded. */
static struct iot_schema_event *name_keys(const struct iot_builder *b,
					  const struct iot_setting *key)
{
	struct iot_schema_event *names = g_new0(struct iot_schema_event, 1);
	g_auto(GStrv) words = g_strsplit_set(key->value, " \t", -1);
	gboolean ok = TRUE;

	names->name = b->section->name;
	for (guint i = 0; words[i] && ok; i++) {
		if (*words[i] && names->n_fields == IOT_MAX_TABLE_KEYS)
			ok = iot_setting_error(key, 0, b->error, "more than %d keys",
					       IOT_MAX_TABLE_KEYS);
		else if (*words[i])
			names->field[names->n_fields++].name = g_strdup(words[i]);
	}
	if (ok && !names->n_fields)
		ok = iot_setting_error(key, 0, b->error, "a key needs a name");
	if (ok)
		return names;
	free_names(names);
	return NULL;
}

/* The text for missing keys may name keys only. */
static gboolean compile_else(const struct iot_builder *b, struct iot_schema_event *names,
			     struct iot_keytable *table)
{
	const struct iot_setting *setting = iot_section_get(b->section, "else");
	guint n_keys = iot_keytable_n_keys(table);
	struct iot_scope_events scope =
		iot_bind_scope(b, (struct iot_in_scope){ .self = names, .optional = TRUE });
	struct iot_template *text;

	if (!setting)
		return TRUE;
	text = iot_template_compile(setting, b->model->names, TRUE, &scope, b->error);
	if (!text)
		return FALSE;
	iot_keytable_set_key_text(table, setting->value, iot_key_text_new(text, n_keys),
				  iot_key_text_free);
	if (names->n_fields == n_keys)
		return TRUE;
	return iot_setting_error(setting, 0, b->error, "\"%s\" is no key of this table",
				 names->field[n_keys].name);
}

/* "NAME:TYPE..." */
static gboolean add_values(const struct iot_builder *b, struct iot_keytable *table)
{
	static const char *const types[] = {
		[IOT_TABLE_TEXT] = "text",
		[IOT_TABLE_INT] = "int",
		[IOT_TABLE_UINT] = "uint",
		[IOT_TABLE_REAL] = "real",
	};
	const struct iot_setting *holds = iot_section_get(b->section, "holds");
	g_auto(GStrv) words = g_strsplit_set(holds ? holds->value : "", " \t", -1);

	for (guint i = 0; words[i]; i++) {
		char *colon = strchr(words[i], ':');
		guint type = 0;

		if (!*words[i])
			continue;
		while (colon && type < G_N_ELEMENTS(types) && strcmp(colon + 1, types[type]))
			type++;
		if (!colon || colon == words[i] || type == G_N_ELEMENTS(types))
			return iot_setting_error(
				holds, 0, b->error,
				"\"%s\" is not NAME:TYPE (types: int, uint, real, text)", words[i]);
		*colon = '\0';
		if (iot_keytable_value(table, words[i], strlen(words[i])) >= 0)
			return iot_setting_error(holds, 0, b->error, "value \"%s\" stands twice",
						 words[i]);
		if (iot_keytable_is_typed(table) &&
		    iot_keytable_n_values(table) == IOT_MAX_TABLE_VALUES)
			return iot_setting_error(holds, 0, b->error, "more than %d values",
						 IOT_MAX_TABLE_VALUES);
		iot_keytable_add_value(table, words[i], (enum iot_table_type)type);
	}
	if (holds && iot_section_get(b->section, "else"))
		return iot_setting_key_error(iot_section_get(b->section, "else"), b->error,
					     "typed values have no text for missing keys");
	return TRUE;
}

static gboolean yes(const struct iot_builder *b, const char *key, const char *word, gboolean *out)
{
	const struct iot_setting *setting = iot_section_get(b->section, key);

	*out = setting != NULL;
	return !setting || !strcmp(setting->value, word) ||
	       iot_setting_error(setting, 0, b->error, "\"%s\" is the only value", word);
}

/* The table of the section, or the equal one that another model has shared. NULL and an error. */
static struct iot_keytable *share(const struct iot_builder *b, struct iot_keytable *table)
{
	struct iot_keytable *known = iot_keytable_find(b->model->shared, b->section->name);

	if (!known) {
		g_ptr_array_add(b->model->shared, iot_keytable_ref(table));
		return table;
	}
	if (!iot_keytable_is_like(known, table)) {
		iot_section_error(
			b->section, b->error,
			"another model shares a table of this name with other keys or values "
			"or another text for missing keys");
		return NULL;
	}
	return known;
}

static gboolean changes_table(const struct iot_setting *setting)
{
	return g_str_has_prefix(setting->key, "set ") || g_str_has_prefix(setting->key, "push ") ||
	       g_str_has_prefix(setting->key, "copy ") || g_str_has_prefix(setting->key, "pop ") ||
	       g_str_has_prefix(setting->key, "drop ");
}

/* A model with lines that change the table owns it: it starts, saves and clears the table. */
static gboolean add_lines(const struct iot_builder *b, struct iot_keytable *table, gboolean shared)
{
	struct iot_hook_target target = { .table = table };
	gboolean owned = FALSE;

	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];

		if (!changes_table(setting))
			continue;
		owned |= iot_section_get(b->section, "from") != NULL;
		if (!owned && !iot_keytable_own(table))
			return iot_setting_key_error(
				setting, b->error,
				"another model changes this shared table; only one can");
		if (!owned)
			g_ptr_array_add(b->model->own_tables, table);
		b->model->changes_shared |= shared;
		owned = TRUE;
		if (!iot_hook_add(b, setting, &target))
			return FALSE;
	}
	return TRUE;
}

/* "from = vcpu node" */
static gboolean fill_from(const struct iot_builder *b, struct iot_keytable *table)
{
	static const char *const texts[] = { [IOT_VCPU_NODE] = "vcpu node",
					     [IOT_VCPU_NAME] = "vcpu name",
					     [IOT_VCPU_CPU] = "vcpu cpu" };
	const struct iot_setting *from = iot_section_get(b->section, "from");
	struct iot_vcpu_table filled = { .table = table };

	for (guint i = 0; i < b->section->settings->len; i++)
		filled.changes |= changes_table(b->section->settings->pdata[i]);

	if (!from)
		return TRUE;
	if (iot_keytable_n_keys(table) != 1)
		return iot_setting_key_error(from, b->error,
					     "the table has one key, the thread of a host");
	while (filled.text < G_N_ELEMENTS(texts) && strcmp(from->value, texts[filled.text]))
		filled.text++;
	if (filled.text == G_N_ELEMENTS(texts))
		return iot_setting_error(from, 0, b->error,
					 "\"vcpu node\", \"vcpu name\" or \"vcpu cpu\"");
	if (iot_keytable_is_typed(table) || iot_section_get(b->section, "shared"))
		return iot_setting_key_error(from, b->error,
					     "the table holds texts, and is not shared");
	if (iot_keytable_own(table))
		g_ptr_array_add(b->model->own_tables, table);
	g_array_append_val(b->model->vcpu_tables, filled);
	return TRUE;
}

static gboolean build_table(const struct iot_builder *b, struct iot_schema_event *names)
{
	g_autoptr(iot_keytable) table = iot_keytable_new(b->section->name, names->n_fields);
	struct iot_keytable *used = table;
	gboolean shared, drop_at_gaps;

	if (!yes(b, "shared", "yes", &shared) || !yes(b, "gaps", "drop", &drop_at_gaps) ||
	    !add_values(b, table) || !compile_else(b, names, table))
		return FALSE;
	if (shared && b->model->shared)
		used = share(b, table);
	if (!used)
		return FALSE;
	if (drop_at_gaps)
		iot_keytable_drop_at_gaps(used);
	iot_keytable_watch(used, &b->model->tables_version);
	g_ptr_array_add(b->model->tables, iot_keytable_ref(used));
	return fill_from(b, used) && add_lines(b, used, shared);
}

static iot_str text_of(const struct iot_model *model, const struct iot_model_vcpu *vcpu,
		       enum iot_vcpu_text text)
{
	g_autofree char *cpu = g_strdup_printf("%u", vcpu->cpu);

	return text == IOT_VCPU_NODE   ? vcpu->node
	       : text == IOT_VCPU_NAME ? vcpu->node_name
				       : iot_intern_str(model->tl->strings, cpu);
}

void iot_model_fill_vcpus(struct iot_model *model)
{
	for (guint i = 0; i < model->vcpu_tables->len; i++) {
		const struct iot_vcpu_table *filled =
			&g_array_index(model->vcpu_tables, struct iot_vcpu_table, i);

		for (guint32 input = 0; input < model->n_inputs; input++) {
			const struct iot_model_input *host = &model->inputs[input];

			for (guint k = 0; k < host->n_vcpus; k++) {
				const guint64 key[IOT_MAX_TABLE_KEYS] = {
					(guint64)host->vcpus[k].pid
				};
				const guint64 text = text_of(model, &host->vcpus[k], filled->text);

				iot_keytable_set(filled->table, host->machine, key, &text);
			}
		}
	}
}

static gboolean build_keytable(const struct iot_builder *b)
{
	const struct iot_setting *key = iot_section_require(b->section, "key", b->error);
	struct iot_schema_event *names = key ? name_keys(b, key) : NULL;
	gboolean ok;

	if (!names)
		return FALSE;
	ok = build_table(b, names);
	free_names(names);
	return ok;
}

static const char *const keys[] = { "key",   "else",   "from",	 "holds", "shared", "gaps",
				    "set *", "push *", "copy *", "pop *", "drop *", NULL };
const struct iot_section_kind iot_section_kind_keytable = { "keytable", keys, build_keytable,
							    NULL };
