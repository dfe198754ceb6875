/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/keytable.h"
#include "base/hashset.h"

#include <string.h>

/* The values of a key, and below them those that a push has covered. */
struct values {
	struct values *below;
	guint64 value[];
};

struct entry {
	guint64 hash, key[IOT_MAX_TABLE_KEYS];
	guint32 input;
	guint depth;		     /* of the values below */
	struct values *top;	     /* never NULL */
	struct entry *older, *newer; /* by the time of the last change */
	/* of a table with groups, else NULL */
	struct group *group;
	struct entry *before, *after; /* in the group */
};

/* The entries of one input whose keys begin with one number. */
struct group {
	guint64 hash, first_key;
	guint32 input;
	struct entry *first;
};

struct iot_keytable {
	char *name;
	guint references, n_readers;
	guint n_keys, n_inputs;
	/* 0: one text without a name */
	guint n_named;
	struct {
		char *name;
		enum iot_table_type type;
	} value[IOT_MAX_TABLE_VALUES];
	gboolean drop_at_gaps, owned, grouped;
	guint max; /* entries */
	struct iot_diag *diag;
	struct iot_hashset entries; /* of struct entry */
	struct iot_hashset groups;  /* of struct group, none of them empty */
	struct entry *oldest, *newest;
	struct entry *spare;	     /* linked by newer */
	struct values *spare_values; /* linked by below */
	guint64 version;
	GPtrArray *watchers;   /* of guint64: versions that grow with this one */
	char *key_text_source; /* NULL: no key_text */
	struct iot_key_text *key_text;
	GDestroyNotify free_key_text;
};

/* ---- shape of the table */

struct iot_keytable *iot_keytable_new(const char *name, guint n_keys)
{
	struct iot_keytable *table = g_new0(struct iot_keytable, 1);

	table->name = g_strdup(name);
	table->references = 1;
	table->n_keys = n_keys;
	table->watchers = g_ptr_array_new();
	iot_hashset_init(&table->entries);
	iot_hashset_init(&table->groups);
	return table;
}

void iot_keytable_add_value(struct iot_keytable *table, const char *name, enum iot_table_type type)
{
	g_assert(table->n_named < IOT_MAX_TABLE_VALUES && !table->entries.n);
	table->value[table->n_named].name = g_strdup(name);
	table->value[table->n_named++].type = type;
}

void iot_keytable_drop_at_gaps(struct iot_keytable *table)
{
	table->drop_at_gaps = TRUE;
}

void iot_keytable_group(struct iot_keytable *table)
{
	g_assert(!table->entries.n);
	table->grouped = TRUE;
}

void iot_keytable_watch(struct iot_keytable *table, guint64 *version)
{
	g_ptr_array_add(table->watchers, version);
}

void iot_keytable_start(struct iot_keytable *table, guint max, guint n_inputs,
			struct iot_diag *diag)
{
	table->max = max;
	table->n_inputs = n_inputs;
	table->diag = diag;
}

void iot_keytable_set_key_text(struct iot_keytable *table, const char *source,
			       struct iot_key_text *text, GDestroyNotify free)
{
	table->key_text_source = g_strdup(source);
	table->key_text = text;
	table->free_key_text = free;
}

struct iot_key_text *iot_keytable_key_text(const struct iot_keytable *table)
{
	return table->key_text;
}

void iot_keytable_read(struct iot_keytable *table)
{
	table->n_readers++;
}

void iot_keytable_unread(struct iot_keytable *table)
{
	table->n_readers--;
}

gboolean iot_keytable_is_read(const struct iot_keytable *table)
{
	return table->n_readers > 0;
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

guint iot_keytable_n_values(const struct iot_keytable *table)
{
	return MAX(table->n_named, 1);
}

gboolean iot_keytable_is_typed(const struct iot_keytable *table)
{
	return table->n_named > 0;
}

int iot_keytable_value(const struct iot_keytable *table, const char *name, gsize len)
{
	for (guint i = 0; i < table->n_named; i++)
		if (strlen(table->value[i].name) == len && !memcmp(table->value[i].name, name, len))
			return (int)i;
	return -1;
}

enum iot_table_type iot_keytable_type(const struct iot_keytable *table, guint value)
{
	return table->n_named ? table->value[value].type : IOT_TABLE_TEXT;
}

gboolean iot_keytable_is_like(const struct iot_keytable *table, const struct iot_keytable *other)
{
	if (table->n_keys != other->n_keys || table->n_named != other->n_named ||
	    g_strcmp0(table->key_text_source, other->key_text_source))
		return FALSE;
	for (guint i = 0; i < table->n_named; i++)
		if (strcmp(table->value[i].name, other->value[i].name) ||
		    table->value[i].type != other->value[i].type)
			return FALSE;
	return TRUE;
}

gboolean iot_keytable_is_empty(const struct iot_keytable *table)
{
	return !table->entries.n;
}

guint64 iot_keytable_version(const struct iot_keytable *table)
{
	return table->version;
}

/* ---- entries */

static gboolean are_equal(const guint64 *a, const guint64 *b, guint n)
{
	guint64 differs = 0;

	for (guint i = 0; i < n; i++)
		differs |= a[i] ^ b[i];
	return !differs;
}

static gboolean is_nothing(const struct iot_keytable *table, const guint64 *key)
{
	static const guint64 zeros[IOT_MAX_TABLE_KEYS];

	return are_equal(key, zeros, table->n_keys);
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
	       (entry->input != input || !are_equal(entry->key, key, table->n_keys)))
		;
	return entry;
}

const guint64 *iot_keytable_get(const struct iot_keytable *table, guint32 input, const guint64 *key)
{
	const struct entry *entry = find(table, input, key);

	return entry ? entry->top->value : NULL;
}

const guint *iot_keytable_n_entries(const struct iot_keytable *table)
{
	return &table->entries.n;
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

static struct group *find_group(const struct iot_keytable *table, guint32 input, guint64 first_key)
{
	guint64 hash = iot_hash_keys(input, &first_key, 1);
	struct group *group;
	guint at;

	if (!table->groups.n)
		return NULL;
	at = iot_hashset_first(&table->groups, hash);
	while ((group = iot_hashset_next(&table->groups, hash, &at)) &&
	       (group->input != input || group->first_key != first_key))
		;
	return group;
}

static void join_group(struct iot_keytable *table, struct entry *entry)
{
	struct group *group = find_group(table, entry->input, entry->key[0]);

	if (!group) {
		group = g_new0(struct group, 1);
		group->hash = iot_hash_keys(entry->input, entry->key, 1);
		group->first_key = entry->key[0];
		group->input = entry->input;
		iot_hashset_add(&table->groups, group->hash, group);
	}
	entry->group = group;
	entry->before = NULL;
	entry->after = group->first;
	if (group->first)
		group->first->before = entry;
	group->first = entry;
}

static void leave_group(struct iot_keytable *table, struct entry *entry)
{
	struct group *group = entry->group;

	*(entry->before ? &entry->before->after : &group->first) = entry->after;
	if (entry->after)
		entry->after->before = entry->before;
	entry->group = NULL;
	if (group->first)
		return;
	iot_hashset_remove(&table->groups, group->hash, group);
	g_free(group);
}

static void changed(struct iot_keytable *table)
{
	table->version++;
	for (guint i = 0; i < table->watchers->len; i++)
		++*(guint64 *)table->watchers->pdata[i];
}

static gsize values_size(const struct iot_keytable *table)
{
	return sizeof(struct values) + iot_keytable_n_values(table) * sizeof(guint64);
}

static void copy_values(const struct iot_keytable *table, struct values *to, const guint64 *from)
{
	for (guint i = 0; i < iot_keytable_n_values(table); i++)
		to->value[i] = from[i];
}

static struct values *new_values(struct iot_keytable *table, const guint64 *from)
{
	struct values *values = table->spare_values;

	if (values)
		table->spare_values = values->below;
	else
		values = g_malloc(values_size(table));
	values->below = NULL;
	copy_values(table, values, from);
	return values;
}

/* Release the values of the entry down to @until, which becomes its top. */
static void release_values(struct iot_keytable *table, struct entry *entry, struct values *until)
{
	while (entry->top != until) {
		struct values *values = entry->top;

		entry->top = values->below;
		values->below = table->spare_values;
		table->spare_values = values;
	}
}

static void drop(struct iot_keytable *table, struct entry *entry)
{
	changed(table);
	if (entry->group)
		leave_group(table, entry);
	unlink_entry(table, entry);
	iot_hashset_remove(&table->entries, entry->hash, entry);
	release_values(table, entry, NULL);
	entry->newer = table->spare;
	table->spare = entry;
}

void iot_keytable_drop(struct iot_keytable *table, guint32 input, const guint64 *key)
{
	struct entry *entry = find(table, input, key);

	if (entry)
		drop(table, entry);
}

static void add(struct iot_keytable *table, guint32 input, const guint64 *key,
		const guint64 *values)
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
	entry->depth = 0;
	entry->top = new_values(table, values);
	iot_hashset_add(&table->entries, entry->hash, entry);
	append_entry(table, entry);
	if (table->grouped)
		join_group(table, entry);
	changed(table);
}

void iot_keytable_set(struct iot_keytable *table, guint32 input, const guint64 *key,
		      const guint64 *values)
{
	struct entry *entry;

	if (is_nothing(table, key))
		return;
	entry = find(table, input, key);
	if (!entry) {
		add(table, input, key, values);
		return;
	}
	if (!are_equal(entry->top->value, values, iot_keytable_n_values(table)))
		changed(table);
	copy_values(table, entry->top, values);
	unlink_entry(table, entry);
	append_entry(table, entry);
}

static void forget_bottom(struct iot_keytable *table, struct entry *entry)
{
	struct values *above = entry->top;

	while (above->below->below)
		above = above->below;
	above->below->below = table->spare_values;
	table->spare_values = above->below;
	above->below = NULL;
	entry->depth--;
	iot_diag_add(table->diag, IOT_DIAG_keys_evicted, 1);
}

void iot_keytable_push(struct iot_keytable *table, guint32 input, const guint64 *key,
		       const guint64 *values)
{
	struct entry *entry = is_nothing(table, key) ? NULL : find(table, input, key);
	struct values *top;

	if (!entry) {
		iot_keytable_set(table, input, key, values);
		return;
	}
	if (entry->depth == IOT_MAX_TABLE_DEPTH)
		forget_bottom(table, entry);
	top = new_values(table, values);
	top->below = entry->top;
	entry->top = top;
	entry->depth++;
	changed(table);
	unlink_entry(table, entry);
	append_entry(table, entry);
}

void iot_keytable_pop(struct iot_keytable *table, guint32 input, const guint64 *key,
		      const guint64 *values, guint n)
{
	struct entry *entry = find(table, input, key);
	struct values *last = entry ? entry->top : NULL;
	guint depth = entry ? entry->depth : 0;

	while (last && !are_equal(last->value, values, n)) {
		last = last->below;
		depth--;
	}
	if (!last)
		return;
	if (!last->below) {
		drop(table, entry);
		return;
	}
	release_values(table, entry, last->below);
	entry->depth = depth - 1;
	changed(table);
}

void iot_keytable_drop_group(struct iot_keytable *table, guint32 input, guint64 first,
			     const struct iot_keytable *among)
{
	const struct group *group = find_group(table, input, first);
	struct entry *next;

	for (struct entry *entry = group ? group->first : NULL; entry; entry = next) {
		next = entry->after;
		if (!among || iot_keytable_get(among, input, entry->key))
			drop(table, entry);
	}
}

void iot_keytable_copy_group(struct iot_keytable *table, guint32 input, guint64 to, guint64 from)
{
	const struct group *group;
	const struct entry *last = NULL;
	guint n = 0;

	if (to == from)
		return;
	iot_keytable_drop_group(table, input, to, NULL);
	group = find_group(table, input, from);
	for (const struct entry *entry = group ? group->first : NULL; entry;
	     entry = entry->after, n++)
		last = entry;
	/* The copies keep the order of the entries. Those for which there is no room are evicted at
	 * once: an older entry might be the next one to be copied. */
	for (; last && table->entries.n < table->max; n--, last = last->before) {
		guint64 key[IOT_MAX_TABLE_KEYS];

		memcpy(key, last->key, sizeof(key));
		key[0] = to;
		iot_keytable_set(table, input, key, last->top->value);
	}
	if (n)
		iot_diag_add(table->diag, IOT_DIAG_keys_evicted, n);
}

void iot_keytable_gap(struct iot_keytable *table, guint32 input)
{
	struct entry *next;

	if (!table->drop_at_gaps)
		return;
	for (struct entry *entry = table->oldest; entry; entry = next) {
		next = entry->newer;
		if (entry->input == input)
			drop(table, entry);
	}
}

gboolean iot_keytable_own(struct iot_keytable *table)
{
	if (table->owned)
		return FALSE;
	table->owned = TRUE;
	return TRUE;
}

struct iot_keytable *iot_keytable_ref(struct iot_keytable *table)
{
	table->references++;
	return table;
}

static void free_list(struct entry *entry)
{
	while (entry) {
		struct entry *next = entry->newer;

		g_free(entry);
		entry = next;
	}
}

void iot_keytable_unref(gpointer data)
{
	struct iot_keytable *table = data;

	if (!table || --table->references)
		return;
	if (table->free_key_text)
		table->free_key_text(table->key_text);
	for (struct entry *entry = table->oldest; entry; entry = entry->newer)
		release_values(table, entry, NULL);
	while (table->spare_values) {
		struct values *below = table->spare_values->below;

		g_free(table->spare_values);
		table->spare_values = below;
	}
	iot_hashset_clear(&table->entries);
	iot_hashset_clear_full(&table->groups, g_free);
	free_list(table->oldest);
	free_list(table->spare);
	for (guint i = 0; i < table->n_named; i++)
		g_free(table->value[i].name);
	g_ptr_array_unref(table->watchers);
	g_free(table->key_text_source);
	g_free(table->name);
	g_free(table);
}

/* ---- saved state */

/* The values at the bottom first. */
static void save_values(const struct iot_keytable *table, const struct values *values,
			GByteArray *out)
{
	if (values->below)
		save_values(table, values->below, out);
	for (guint i = 0; i < iot_keytable_n_values(table); i++)
		iot_pack_uint(out, values->value[i]);
}

void iot_keytable_save(const struct iot_keytable *table, GByteArray *out)
{
	iot_pack_uint(out, table->entries.n);
	for (const struct entry *entry = table->oldest; entry; entry = entry->newer) {
		iot_pack_uint(out, entry->input);
		for (guint i = 0; i < table->n_keys; i++)
			iot_pack_uint(out, entry->key[i]);
		iot_pack_uint(out, entry->depth);
		save_values(table, entry->top, out);
	}
}

static void load_values(const struct iot_keytable *table, const struct iot_timeline *tl,
			struct iot_unpack *in, guint64 *out)
{
	for (guint i = 0; i < iot_keytable_n_values(table); i++)
		out[i] = iot_keytable_type(table, i) == IOT_TABLE_TEXT
				 ? iot_timeline_load_str(tl, in)
				 : iot_unpack_uint(in, G_MAXUINT64);
}

gboolean iot_keytable_load(struct iot_keytable *table, const struct iot_timeline *tl,
			   struct iot_unpack *in)
{
	for (guint32 n = iot_unpack_count(in); n; n--) {
		guint32 input = (guint32)iot_unpack_uint(in, table->n_inputs - 1);
		guint64 key[IOT_MAX_TABLE_KEYS] = { 0 }, values[IOT_MAX_TABLE_VALUES];
		guint64 depth;

		for (guint i = 0; i < table->n_keys; i++)
			key[i] = iot_unpack_uint(in, G_MAXUINT64);
		depth = iot_unpack_uint(in, IOT_MAX_TABLE_DEPTH);
		/* it may have been filled before the first event */
		iot_keytable_drop(table, input, key);
		for (guint64 i = 0; i <= depth && !in->bad; i++) {
			load_values(table, tl, in, values);
			if (in->bad)
				return FALSE;
			iot_keytable_push(table, input, key, values);
		}
		if (in->bad)
			return FALSE;
	}
	return !in->bad;
}

gsize iot_keytable_memory(const struct iot_keytable *table)
{
	gsize n = 0, n_values = 0;

	for (const struct entry *entry = table->oldest; entry; entry = entry->newer, n++)
		n_values += entry->depth + 1;
	for (const struct entry *entry = table->spare; entry; entry = entry->newer)
		n++;
	for (const struct values *values = table->spare_values; values; values = values->below)
		n_values++;
	return iot_hashset_memory(&table->entries) + n * sizeof(struct entry) +
	       n_values * values_size(table);
}
