/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/intern.h"
#include "base/fault.h"
#include "base/segarray.h"

#include <string.h>

struct entry {
	const char *data;
	gsize len;
	guint64 hash;
};

/* A field as it was recorded, and its number. All bytes 0: the empty string. */
struct recent {
	guint64 word[2];
	guint32 id;
};

enum { RECENT_BITS = 6 };

struct iot_intern {
	struct iot_segarray entries;
	guint32 *slots;	 /* open addressing; number + 1, 0 is free */
	guint32 n_slots; /* a power of two */
	GStringChunk *bytes;
	gsize n_bytes;	       /* in there */
	struct recent *recent; /* NULL: no field has been interned */
};

guint iot_pair_hash(gconstpointer key)
{
	return (guint)iot_hash_mix(0, *(const guint64 *)key);
}

guint64 iot_hash_bytes(const void *data, gsize len)
{
	const guint8 *p = data;
	guint64 h = len, v;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&v, p, 8);
		h = iot_hash_mix(h, GUINT64_FROM_LE(v));
	}
	v = 0;
	if (len)
		memcpy(&v, p, len);
	/* Twice: what differs in the last bytes alone would not reach the lowest bits of the hash.
	 */
	return iot_hash_mix(0, iot_hash_mix(h, GUINT64_FROM_LE(v)));
}

struct iot_intern *iot_intern_new(void)
{
	struct iot_intern *table = g_new0(struct iot_intern, 1);

	iot_segarray_init(&table->entries, sizeof(struct entry));
	table->n_slots = 64;
	table->slots = g_new0(guint32, table->n_slots);
	table->bytes = g_string_chunk_new(4096);
	iot_intern_bytes(table, "", 0);
	return table;
}

void iot_intern_free(struct iot_intern *table)
{
	if (!table)
		return;
	iot_segarray_clear(&table->entries);
	g_free(table->slots);
	g_free(table->recent);
	g_string_chunk_free(table->bytes);
	g_free(table);
}

static const struct entry *entry_at(const struct iot_intern *table, guint32 id)
{
	return iot_segarray_at(&table->entries, id);
}

static guint32 *find_slot(const struct iot_intern *table, const void *data, gsize len, guint64 hash)
{
	guint32 mask = table->n_slots - 1;

	for (guint32 i = (guint32)hash & mask;; i = (i + 1) & mask) {
		const struct entry *entry;

		if (!table->slots[i])
			return &table->slots[i];
		entry = entry_at(table, table->slots[i] - 1);
		if (entry->hash == hash && entry->len == len &&
		    (!len || !memcmp(entry->data, data, len)))
			return &table->slots[i];
	}
}

static void grow(struct iot_intern *table)
{
	g_free(table->slots);
	table->n_slots *= 2;
	table->slots = g_new0(guint32, table->n_slots);
	for (guint32 id = 0; id < table->entries.n; id++) {
		const struct entry *entry = entry_at(table, id);

		*find_slot(table, entry->data, entry->len, entry->hash) = id + 1;
	}
}

guint32 iot_intern_bytes(struct iot_intern *table, const void *data, gsize len)
{
	guint64 hash = iot_hash_bytes(data, len);
	guint32 *slot = find_slot(table, data, len, hash);
	struct entry *entry;

	if (*slot)
		return *slot - 1;
	*slot = table->entries.n + 1;
	entry = iot_segarray_add(&table->entries);
	entry->data = g_string_chunk_insert_len(table->bytes, data, (gssize)len);
	table->n_bytes += len + 1;
	entry->len = len;
	entry->hash = hash;
	if (table->entries.n > table->n_slots / 2)
		grow(table);
	return table->entries.n - 1;
}

guint32 iot_intern_field(struct iot_intern *table, const guint8 *field)
{
	const guint8 *nul;
	struct recent *recent;
	guint64 word[2];

	G_STATIC_ASSERT(sizeof(word) == IOT_INTERN_FIELD);
	memcpy(word, field, sizeof(word));
	if (G_UNLIKELY(!table->recent))
		table->recent = g_new0(struct recent, 1 << RECENT_BITS);
	recent = &table->recent[iot_hash_mix(word[0], word[1]) >> (64 - RECENT_BITS)];
	/* fast path */
	if (recent->word[0] == word[0] && recent->word[1] == word[1] && !iot_slow_only())
		return recent->id;
	/* slow path */
	nul = memchr(field, 0, IOT_INTERN_FIELD);
	recent->word[0] = word[0];
	recent->word[1] = word[1];
	recent->id = iot_intern_bytes(table, field, nul ? (gsize)(nul - field) : IOT_INTERN_FIELD);
	return recent->id;
}

guint32 iot_intern_str(struct iot_intern *table, const char *text)
{
	return iot_intern_bytes(table, text, strlen(text));
}

const char *iot_intern_get(const struct iot_intern *table, guint32 id, gsize *out_len)
{
	const struct entry *entry = entry_at(table, id);

	if (out_len)
		*out_len = entry->len;
	return entry->data;
}

guint32 iot_intern_count(const struct iot_intern *table)
{
	return table->entries.n;
}

gsize iot_intern_memory(const struct iot_intern *table)
{
	return iot_segarray_memory(&table->entries) + table->n_slots * sizeof(*table->slots) +
	       (table->recent ? sizeof(struct recent) << RECENT_BITS : 0) + table->n_bytes;
}
