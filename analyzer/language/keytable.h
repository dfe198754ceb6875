/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store of a [keytable], from key to text: for example from an open file to its path. Each
 * input has keys of its own, because numbers of one machine mean nothing on another. Pipeline
 * thread only.
 */
#ifndef IOT_LANGUAGE_KEYTABLE_H
#define IOT_LANGUAGE_KEYTABLE_H

#include "base/diag.h"
#include "timeline/timeline.h"

enum { IOT_MAX_TABLE_KEYS = 4 };

struct iot_keytable;
struct iot_key_text; /* texts of keys that the table does not hold: template.h */

/**
 * iot_keytable_new - an empty table; iot_keytable_start must be called before its first entry
 * @all_version: of the caller; grows with every change of any table (see memo.h)
 */
struct iot_keytable *iot_keytable_new(const char *name, guint n_keys, guint64 *all_version);
/**
 * iot_keytable_start - before the first event
 * @max: greatest number of entries; beyond it the entry set longest ago is evicted and counted in
 *	@diag (keys_evicted)
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
/** iot_keytable_get - the text of @key (IOT_MAX_TABLE_KEYS numbers); FALSE and 0 if there is none
 */
gboolean iot_keytable_get(struct iot_keytable *table, guint32 input, const guint64 *key,
			  iot_str *out);
/** iot_keytable_set - store the text of @key; a key of zeros is ignored */
void iot_keytable_set(struct iot_keytable *table, guint32 input, const guint64 *key, iot_str value);
/** iot_keytable_drop - remove the entry of @key, if there is one */
void iot_keytable_drop(struct iot_keytable *table, guint32 input, const guint64 *key);
/** iot_keytable_version - grows with every change of an entry */
guint64 iot_keytable_version(const struct iot_keytable *table);

/** iot_keytable_memory - bytes of entries, used or not */
gsize iot_keytable_memory(const struct iot_keytable *table);
/** iot_keytable_save - append the entries to @out, the entry set longest ago first */
void iot_keytable_save(const struct iot_keytable *table, GByteArray *out);
/** iot_keytable_load - set saved entries; FALSE if @in is malformed */
gboolean iot_keytable_load(struct iot_keytable *table, const struct iot_timeline *tl,
			   struct iot_unpack *in);

#endif
