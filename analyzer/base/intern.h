/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Byte strings to small numbers and back. Numbers are dense in order of first use; 0 is the empty
 * string. One thread interns; any thread may look up a number that reached it through a lock.
 */
#ifndef IOT_BASE_INTERN_H
#define IOT_BASE_INTERN_H

#include <glib.h>

struct iot_intern;

enum { IOT_INTERN_FIELD = 16 };

struct iot_intern *iot_intern_new(void);
void iot_intern_free(struct iot_intern *table);
typedef struct iot_intern iot_intern;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_intern, iot_intern_free)

/** iot_intern_bytes - the number of a byte string (copied); may hold NUL bytes */
guint32 iot_intern_bytes(struct iot_intern *table, const void *data, gsize len);
/** iot_intern_str - the number of a NUL-terminated string */
guint32 iot_intern_str(struct iot_intern *table, const char *text);
/** iot_intern_field - the number of the text in a field of IOT_INTERN_FIELD bytes, which ends at
 * its first NUL: the name of a thread, which comes again and again */
guint32 iot_intern_field(struct iot_intern *table, const guint8 *field);
/** iot_intern_get - the bytes of a number, followed by a NUL; @out_len may be NULL */
const char *iot_intern_get(const struct iot_intern *table, guint32 id, gsize *out_len);
/** iot_intern_count - numbers given so far, the empty string included */
guint32 iot_intern_count(const struct iot_intern *table);

/** iot_intern_memory - bytes of storage, for strings and table */
gsize iot_intern_memory(const struct iot_intern *table);

/** iot_hash_bytes - 64-bit hash of bytes, the same on every machine */
guint64 iot_hash_bytes(const void *data, gsize len);

static inline guint64 iot_hash_mix(guint64 h, guint64 v)
{
	h = (h ^ v) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
	return h ^ (h >> 32);
}

/** iot_pair_hash - hash of a guint64 that consists of two numbers, a GHashFunc; g_int64_hash looks
 * at the lower one only */
guint iot_pair_hash(gconstpointer key);

/** iot_hash_keys - mix @n numbers into @h */
static inline guint64 iot_hash_keys(guint64 h, const guint64 *key, guint n)
{
	for (guint i = 0; i < n; i++)
		h = iot_hash_mix(h, key[i]);
	return h;
}

#endif
