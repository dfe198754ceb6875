/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/keytable.h"
#include "model/model-local.h"
#include "base/hashset.h"

#include <string.h>

enum { MAX_TEXTS = 4096 }; /* for keys without one that are remembered */

struct entry {
	guint64 hash, key[IOT_MAX_TABLE_KEYS];
	guint32 input;
	iot_str value;
	struct entry *older, *newer; /* by the time of the last set */
};

struct iot_keytable {
	const struct iot_section *section;
	struct iot_model *model;
	struct iot_hashset entries; /* of struct entry */
	struct entry *oldest, *newest;
	struct entry *spare; /* linked by newer */
	guint64 version;
	guint n_keys;
	struct iot_schema_event *names; /* the keys as fields of an event that nobody records */
	struct iot_event key_event;
	struct iot_template *otherwise;
	struct iot_memo texts; /* what it made of keys */
};

static gboolean is_key(const struct iot_keytable *table, const guint64 *a, const guint64 *b)
{
	guint64 differs = 0;

	for (guint i = 0; i < table->n_keys; i++)
		differs |= a[i] ^ b[i];
	return !differs;
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

guint64 iot_keytable_version(const struct iot_keytable *table)
{
	return table->version;
}

static gboolean is_nothing(const struct iot_keytable *table, const guint64 *key)
{
	static const guint64 zeros[IOT_MAX_TABLE_KEYS];

	return is_key(table, key, zeros);
}

static guint64 key_hash(const struct iot_keytable *table, guint32 input, const guint64 *key)
{
	return iot_hash_keys(input, key, table->n_keys);
}

static struct entry *find(const struct iot_keytable *table, guint32 input, const guint64 *key)
{
	guint64 hash;
	struct entry *entry;
	guint at;

	if (!table->entries.n) /* what is remembered for an instant only, mostly is not there */
		return NULL;
	hash = key_hash(table, input, key);
	at = iot_hashset_first(&table->entries, hash);
	while ((entry = iot_hashset_next(&table->entries, hash, &at)) &&
	       (entry->input != input || !is_key(table, entry->key, key)))
		;
	return entry;
}

iot_str iot_keytable_get(struct iot_keytable *table, guint32 input, const guint64 *key)
{
	const struct entry *entry = find(table, input, key);

	return entry ? entry->value : 0;
}

/* What stands for keys without a text. */
static iot_str make_text(const struct iot_keytable *table, const guint64 *key)
{
	union {
		struct iot_rec rec;
		guint64 storage[sizeof(struct iot_rec) / sizeof(guint64) + IOT_MAX_TABLE_KEYS];
	} made_up = { .rec.event = &table->key_event };
	struct iot_eval eval = { .rec = { &made_up.rec } };

	for (guint i = 0; i < table->n_keys; i++)
		made_up.rec.slot[i].u = key[i];
	return !is_nothing(table, key) && table->otherwise
		       ? iot_template_eval(table->otherwise, &eval)
		       : 0;
}

static iot_str find_text(struct iot_keytable *table, const guint64 *key)
{
	struct iot_memo_key memo_key;
	guint64 *answer;

	iot_memo_key_start(&memo_key);
	for (guint i = 0; i < table->n_keys; i++)
		iot_memo_key_add(&memo_key, 1, key[i]);
	answer = iot_memo_find(&table->texts, &memo_key);
	if (G_UNLIKELY(!*answer))
		*answer = make_text(table, key) + 1u;
	return (iot_str)(*answer - 1);
}

iot_str iot_keytable_text(struct iot_keytable *table, guint32 input, const guint64 *key)
{
	const struct entry *entry = find(table, input, key);

	return entry ? entry->value : find_text(table, key);
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

static void changed(struct iot_keytable *table)
{
	table->version++;
	table->model->tables_version++;
}

static void drop(struct iot_keytable *table, struct entry *entry)
{
	changed(table);
	unlink_entry(table, entry);
	iot_hashset_remove(&table->entries, entry->hash, entry);
	entry->newer = table->spare;
	table->spare = entry;
}

void iot_keytable_drop(struct iot_keytable *table, guint32 input, const guint64 *key)
{
	struct entry *entry = find(table, input, key);

	if (entry)
		drop(table, entry);
}

static struct entry *add(struct iot_keytable *table, guint32 input, const guint64 *key)
{
	struct entry *entry;

	if (table->entries.n >= table->model->max_open) {
		iot_diag_add(table->model->diag, IOT_DIAG_keys_evicted, 1);
		drop(table, table->oldest);
	}
	entry = table->spare;
	if (entry)
		table->spare = entry->newer;
	else
		entry = g_new0(struct entry, 1);
	entry->input = input;
	memcpy(entry->key, key, sizeof(entry->key));
	entry->hash = key_hash(table, input, key);
	iot_hashset_add(&table->entries, entry->hash, entry);
	return entry;
}

void iot_keytable_set(struct iot_keytable *table, guint32 input, const guint64 *key, iot_str value)
{
	struct entry *entry;

	if (is_nothing(table, key))
		return;
	entry = find(table, input, key);
	if (!entry || entry->value != value)
		changed(table);
	if (entry)
		unlink_entry(table, entry);
	else
		entry = add(table, input, key);
	entry->value = value;
	append_entry(table, entry);
}

static void free_list(struct entry *entry)
{
	while (entry) {
		struct entry *next = entry->newer;

		g_free(entry);
		entry = next;
	}
}

void iot_keytable_free(gpointer data)
{
	struct iot_keytable *table = data;

	iot_template_free(table->otherwise);
	for (guint i = 0; i < IOT_MAX_SLOTS; i++) {
		g_free(table->names->field[i].name);
		g_free(table->names->field[i].needed_by);
	}
	g_free(table->names);
	iot_memo_clear(&table->texts);
	iot_hashset_clear(&table->entries);
	free_list(table->oldest);
	free_list(table->spare);
	g_free(table);
}

/* ---- saved state */

void iot_keytable_save(const struct iot_keytable *table, GByteArray *out)
{
	iot_pack_uint(out, table->entries.n);
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
	return iot_setting_error(setting, 0, error, "\"%s\" is no key of this table",
				 table->names->field[table->n_keys].name);
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
	iot_hashset_init(&table->entries);
	table->names = g_new0(struct iot_schema_event, 1);
	table->names->name = section->name;
	g_ptr_array_add(model->tables, table);
	if (!name_keys(table, key, error) || !compile_otherwise(model, table, error))
		return FALSE;
	iot_memo_init(&table->texts, table->n_keys, MAX_TEXTS);
	for (guint i = 0; i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];

		if ((g_str_has_prefix(setting->key, "set ") ||
		     g_str_has_prefix(setting->key, "drop ")) &&
		    !iot_hook_add_table(model, section, setting, table, error))
			return FALSE;
	}
	return TRUE;
}

gsize iot_keytable_memory(const struct iot_keytable *table)
{
	gsize n = 0;

	for (const struct entry *entry = table->oldest; entry; entry = entry->newer)
		n++;
	for (const struct entry *entry = table->spare; entry; entry = entry->newer)
		n++;
	return iot_hashset_memory(&table->entries) + n * sizeof(struct entry);
}

static const char *const keys[] = { "key", "else", "set *", "drop *", NULL };
const struct iot_joiner_ops iot_joiner_keytable = { "keytable", keys, build_keytable, NULL };
