/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [keytable]: compiles the section; language/keytable.c is the store. */
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
	iot_keytable_set_key_text(table, iot_key_text_new(text, n_keys), iot_key_text_free);
	if (names->n_fields == n_keys)
		return TRUE;
	return iot_setting_error(setting, 0, b->error, "\"%s\" is no key of this table",
				 names->field[n_keys].name);
}

/* "from = vcpu node" */
static gboolean fill_from(const struct iot_builder *b, struct iot_keytable *table)
{
	static const char *const texts[] = { [IOT_VCPU_NODE] = "vcpu node",
					     [IOT_VCPU_NAME] = "vcpu name",
					     [IOT_VCPU_CPU] = "vcpu cpu" };
	const struct iot_setting *from = iot_section_get(b->section, "from");
	struct iot_vcpu_table filled = { .table = table };

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
	g_array_append_val(b->model->vcpu_tables, filled);
	return TRUE;
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
				guint64 key[IOT_MAX_TABLE_KEYS] = { (guint64)host->vcpus[k].pid };

				iot_keytable_set(filled->table, input, key,
						 text_of(model, &host->vcpus[k], filled->text));
			}
		}
	}
}

static gboolean build_keytable(const struct iot_builder *b)
{
	const struct iot_setting *key = iot_section_require(b->section, "key", b->error);
	struct iot_schema_event *names = key ? name_keys(b, key) : NULL;
	struct iot_hook_target target = { 0 };
	struct iot_keytable *table;
	gboolean ok;

	if (!names)
		return FALSE;
	table = target.table =
		iot_keytable_new(b->section->name, names->n_fields, &b->model->tables_version);
	g_ptr_array_add(b->model->tables, table);
	ok = compile_else(b, names, table) && fill_from(b, table);
	free_names(names);
	for (guint i = 0; ok && i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];

		if (g_str_has_prefix(setting->key, "set ") ||
		    g_str_has_prefix(setting->key, "drop "))
			ok = iot_hook_add(b, setting, &target);
	}
	return ok;
}

static const char *const keys[] = { "key", "else", "from", "set *", "drop *", NULL };
const struct iot_section_kind iot_section_kind_keytable = { "keytable", keys, build_keytable,
							    NULL };
