/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/keytable.h"
#include "base/hashset.h"

#include <string.h>

struct entry {
	guint64 hash, key[IOT_MAX_TABLE_KEYS];
	guint32 input;
	iot_str value;
	struct entry *older, *newer; /* by the time of the last set */
};

struct iot_keytable {
	char *name;
	guint n_keys, n_inputs;
	guint max; /* entries */
	struct iot_diag *diag;
	struct iot_hashset entries; /* of struct entry */
	struct entry *oldest, *newest;
	struct entry *spare; /* linked by newer */
	guint64 version;
	guint64 *all_version; /* of all tables of the model */
	struct iot_key_text *key_text;
	GDestroyNotify free_key_text;
};

struct iot_keytable *iot_keytable_new(const char *name, guint n_keys, guint64 *all_version)
{
	struct iot_keytable *table = g_new0(struct iot_keytable, 1);

	table->name = g_strdup(name);
	table->n_keys = n_keys;
	table->all_version = all_version;
	iot_hashset_init(&table->entries);
	return table;
}

void iot_keytable_start(struct iot_keytable *table, guint max, guint n_inputs,
			struct iot_diag *diag)
{
	table->max = max;
	table->n_inputs = n_inputs;
	table->diag = diag;
}

void iot_keytable_set_key_text(struct iot_keytable *table, struct iot_key_text *text,
			       GDestroyNotify free)
{
	table->key_text = text;
	table->free_key_text = free;
}

struct iot_key_text *iot_keytable_key_text(const struct iot_keytable *table)
{
	return table->key_text;
}

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

		if (!strcmp(table->name, name))
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

	if (!table->entries.n) /* usual for tables that hold entries only during a call */
		return NULL;
	hash = key_hash(table, input, key);
	at = iot_hashset_first(&table->entries, hash);
	while ((entry = iot_hashset_next(&table->entries, hash, &at)) &&
	       (entry->input != input || !is_key(table, entry->key, key)))
		;
	return entry;
}

gboolean iot_keytable_get(struct iot_keytable *table, guint32 input, const guint64 *key,
			  iot_str *out)
{
	const struct entry *entry = find(table, input, key);

	*out = entry ? entry->value : 0;
	return entry != NULL;
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
	++*table->all_version;
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

	if (table->entries.n >= table->max) {
		iot_diag_add(table->diag, IOT_DIAG_keys_evicted, 1);
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

	if (table->free_key_text)
		table->free_key_text(table->key_text);
	iot_hashset_clear(&table->entries);
	free_list(table->oldest);
	free_list(table->spare);
	g_free(table->name);
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

gboolean iot_keytable_load(struct iot_keytable *table, const struct iot_timeline *tl,
			   struct iot_unpack *in)
{
	for (guint32 n = iot_unpack_count(in); n; n--) {
		guint32 input = (guint32)iot_unpack_uint(in, table->n_inputs - 1);
		guint64 key[IOT_MAX_TABLE_KEYS] = { 0 };
		iot_str value;

		for (guint i = 0; i < table->n_keys; i++)
			key[i] = iot_unpack_uint(in, G_MAXUINT64);
		value = iot_timeline_load_str(tl, in);
		if (in->bad)
			return FALSE;
		iot_keytable_set(table, input, key, value);
	}
	return !in->bad;
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
