/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/keytable.h"
#include "model/model-local.h"

#include <string.h>

struct entry {
	guint64 key[IOT_MAX_TABLE_KEYS];
	guint32 input;
	iot_str value;
	struct entry *older, *newer; /* by the time of the last set */
};

struct iot_keytable {
	const struct iot_section *section;
	struct iot_model *model;
	GHashTable *entries; /* of struct entry, which is also the key */
	struct entry *oldest, *newest;
	guint n_keys;
	struct iot_schema_event *names; /* the keys as fields of an event that nobody records */
	struct iot_event key_event;
	struct iot_template *otherwise;
};

static guint entry_hash(gconstpointer data)
{
	const struct entry *entry = data;

	return (guint)iot_hash_keys(entry->input, entry->key, IOT_MAX_TABLE_KEYS);
}

static gboolean entry_equal(gconstpointer pa, gconstpointer pb)
{
	const struct entry *a = pa, *b = pb;

	return a->input == b->input && !memcmp(a->key, b->key, sizeof(a->key));
}

struct iot_keytable *iot_keytable_find(const GPtrArray *tables, const char *name)
{
	for (guint i = 0; tables && i < tables->len; i++) {
		struct iot_keytable *table = tables->pdata[i];

		if (!strcmp(table->section->name, name))
			return table;
	}
	return NULL;
}

guint iot_keytable_n_keys(const struct iot_keytable *table)
{
	return table->n_keys;
}

static struct entry *find(const struct iot_keytable *table, guint32 input, const guint64 *key)
{
	struct entry probe = { .input = input };

	memcpy(probe.key, key, sizeof(probe.key));
	return g_hash_table_lookup(table->entries, &probe);
}

iot_str iot_keytable_get(const struct iot_keytable *table, guint32 input, const guint64 *key)
{
	const struct entry *entry = find(table, input, key);

	return entry ? entry->value : 0;
}

iot_str iot_keytable_text(struct iot_keytable *table, guint32 input, const guint64 *key)
{
	const struct entry *entry = find(table, input, key);
	union {
		struct iot_rec rec;
		guint64 storage[sizeof(struct iot_rec) / sizeof(guint64) + IOT_MAX_TABLE_KEYS];
	} made_up = { .rec.event = &table->key_event };
	struct iot_eval eval = { .rec = { &made_up.rec } };
	guint64 any = 0;

	if (entry)
		return entry->value;
	for (guint i = 0; i < table->n_keys; i++) {
		made_up.rec.slot[i].u = key[i];
		any |= key[i];
	}
	return any && table->otherwise ? iot_template_eval(table->otherwise, &eval) : 0;
}

static void unlink_entry(struct iot_keytable *table, struct entry *entry)
{
	*(entry->older ? &entry->older->newer : &table->oldest) = entry->newer;
	*(entry->newer ? &entry->newer->older : &table->newest) = entry->older;
}

static void append_entry(struct iot_keytable *table, struct entry *entry)
{
	entry->older = table->newest;
	entry->newer = NULL;
	*(table->newest ? &table->newest->newer : &table->oldest) = entry;
	table->newest = entry;
}

void iot_keytable_drop(struct iot_keytable *table, guint32 input, const guint64 *key)
{
	struct entry *entry = find(table, input, key);

	if (!entry)
		return;
	unlink_entry(table, entry);
	g_hash_table_remove(table->entries, entry);
}

void iot_keytable_set(struct iot_keytable *table, guint32 input, const guint64 *key, iot_str value)
{
	struct entry *entry = find(table, input, key);

	if (entry) {
		unlink_entry(table, entry);
	} else {
		if (g_hash_table_size(table->entries) >= table->model->max_open) {
			iot_diag_add(table->model->diag, IOT_DIAG_keys_evicted, 1);
			iot_keytable_drop(table, table->oldest->input, table->oldest->key);
		}
		entry = g_new0(struct entry, 1);
		entry->input = input;
		memcpy(entry->key, key, sizeof(entry->key));
		g_hash_table_add(table->entries, entry);
	}
	entry->value = value;
	append_entry(table, entry);
}

void iot_keytable_free(gpointer data)
{
	struct iot_keytable *table = data;

	iot_template_free(table->otherwise);
	for (guint i = 0; i < table->n_keys; i++)
		g_free(table->names->field[i].name);
	g_free(table->names);
	g_hash_table_unref(table->entries);
	g_free(table);
}

/* ---- saved state */

void iot_keytable_save(const struct iot_keytable *table, GByteArray *out)
{
	iot_pack_uint(out, g_hash_table_size(table->entries));
	for (const struct entry *entry = table->oldest; entry; entry = entry->newer) {
		iot_pack_uint(out, entry->input);
		for (guint i = 0; i < table->n_keys; i++)
			iot_pack_uint(out, entry->key[i]);
		iot_pack_uint(out, entry->value);
	}
}

gboolean iot_keytable_load(struct iot_keytable *table, struct iot_unpack *in)
{
	for (guint32 n = iot_unpack_count(in); n; n--) {
		guint32 input = (guint32)iot_unpack_uint(in, table->model->n_inputs - 1);
		guint64 key[IOT_MAX_TABLE_KEYS] = { 0 };
		iot_str value;

		for (guint i = 0; i < table->n_keys; i++)
			key[i] = iot_unpack_uint(in, G_MAXUINT64);
		value = iot_timeline_load_str(table->model->tl, in);
		if (in->bad)
			return FALSE;
		iot_keytable_set(table, input, key, value);
	}
	return !in->bad;
}

/* ---- [keytable] */

static gboolean name_keys(struct iot_keytable *table, const struct iot_setting *key, GError **error)
{
	g_auto(GStrv) words = g_strsplit_set(key->value, " \t", -1);

	for (guint i = 0; words[i]; i++) {
		if (!*words[i])
			continue;
		if (table->n_keys == IOT_MAX_TABLE_KEYS)
			return iot_setting_error(key, 0, error, "more than %d keys",
						 IOT_MAX_TABLE_KEYS);
		table->key_event.slot_type[table->n_keys] = IOT_SLOT_UINT;
		table->names->field[table->n_keys++].name = g_strdup(words[i]);
	}
	table->names->n_fields = table->key_event.n_slots = table->n_keys;
	return table->n_keys || iot_setting_error(key, 0, error, "a key needs a name");
}

/* Only keys are fields here. */
static gboolean compile_otherwise(struct iot_model *model, struct iot_keytable *table,
				  GError **error)
{
	const struct iot_setting *setting = iot_section_get(table->section, "else");
	struct iot_scope_events scope =
		iot_bind_scope(model, table->section, table->names, NULL, NULL, FALSE);

	if (!setting)
		return TRUE;
	table->otherwise = iot_template_compile(setting, model->names, TRUE, &scope, error);
	if (!table->otherwise)
		return FALSE;
	if (table->names->n_fields == table->n_keys)
		return TRUE;
	iot_setting_error(setting, 0, error, "\"%s\" is no key of this table",
			  table->names->field[table->n_keys].name);
	while (table->names->n_fields > table->n_keys) {
		struct iot_schema_field *field = &table->names->field[--table->names->n_fields];

		g_free(field->name);
		g_free(field->needed_by);
	}
	return FALSE;
}

static gboolean build_keytable(struct iot_model *model, const struct iot_section *section,
			       GError **error)
{
	const struct iot_setting *key = iot_section_require(section, "key", error);
	struct iot_keytable *table;

	if (!key)
		return FALSE;
	table = g_new0(struct iot_keytable, 1);
	table->section = section;
	table->model = model;
	table->entries = g_hash_table_new_full(entry_hash, entry_equal, g_free, NULL);
	table->names = g_new0(struct iot_schema_event, 1);
	table->names->name = section->name;
	g_ptr_array_add(model->tables, table);
	if (!name_keys(table, key, error) || !compile_otherwise(model, table, error))
		return FALSE;
	for (guint i = 0; i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];

		if ((g_str_has_prefix(setting->key, "set ") ||
		     g_str_has_prefix(setting->key, "drop ")) &&
		    !iot_hook_add_table(model, section, setting, table, error))
			return FALSE;
	}
	return TRUE;
}

static const char *const keys[] = { "key", "else", "set *", "drop *", NULL };
const struct iot_joiner_ops iot_joiner_keytable = { "keytable", keys, build_keytable, NULL };
