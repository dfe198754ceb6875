/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store of a [keytable]: memory from key to text, as from a file to the path by which it was
 * opened. Each input has keys of its own, as numbers of one machine mean nothing on another.
 * Pipeline thread only.
 */
#ifndef IOT_LANGUAGE_KEYTABLE_H
#define IOT_LANGUAGE_KEYTABLE_H

#include "base/diag.h"
#include "timeline/timeline.h"

enum { IOT_MAX_TABLE_KEYS = 4 };

struct iot_keytable;
struct iot_key_text; /* what stands for keys without a text: template.h */

/**
 * iot_keytable_new - an empty table; iot_keytable_start comes before its first entry
 * @all_version: grows with every change of what any table says; kept by the caller
 */
struct iot_keytable *iot_keytable_new(const char *name, guint n_keys, guint64 *all_version);
/**
 * iot_keytable_start - before the first event
 * @max: number of entries; beyond it the one that was set longest ago is evicted and counted
 */
void iot_keytable_start(struct iot_keytable *table, guint max, guint n_inputs,
			struct iot_diag *diag);
void iot_keytable_free(gpointer table);
/** iot_keytable_set_key_text - keep it for templates; released by @free together with the table */
void iot_keytable_set_key_text(struct iot_keytable *table, struct iot_key_text *text,
			       GDestroyNotify free);
/** iot_keytable_key_text - NULL if the table has none */
struct iot_key_text *iot_keytable_key_text(const struct iot_keytable *table);

/** iot_keytable_find - the table of that name among @tables (of struct iot_keytable), or NULL */
struct iot_keytable *iot_keytable_find(const GPtrArray *tables, const char *name);
guint iot_keytable_n_keys(const struct iot_keytable *table);
/** iot_keytable_get - the text of @key (IOT_MAX_TABLE_KEYS numbers); FALSE and 0 if there is none */
gboolean iot_keytable_get(struct iot_keytable *table, guint32 input, const guint64 *key,
			  iot_str *out);
/** iot_keytable_set - remember the text of @key; a key of zeros is not stored */
void iot_keytable_set(struct iot_keytable *table, guint32 input, const guint64 *key, iot_str value);
/** iot_keytable_drop - forget @key, if it is there */
void iot_keytable_drop(struct iot_keytable *table, guint32 input, const guint64 *key);
/** iot_keytable_version - grows with every change of what the table says */
guint64 iot_keytable_version(const struct iot_keytable *table);

/** iot_keytable_memory - bytes of entries, used or not */
gsize iot_keytable_memory(const struct iot_keytable *table);
/** iot_keytable_save - append the entries to @out, the one set longest ago first */
void iot_keytable_save(const struct iot_keytable *table, GByteArray *out);
/** iot_keytable_load - set saved entries; FALSE if @in is not what was saved */
gboolean iot_keytable_load(struct iot_keytable *table, const struct iot_timeline *tl,
			   struct iot_unpack *in);

#endif
