/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store of a [keytable]: from a key to a text, for example from an open file to its path, or to
 * typed values, for example from a thread to the id of the call that it serves. Each input has keys
 * of its own, because numbers of one machine mean nothing on another. A key has a stack of values:
 * push and pop are for calls inside calls. Pipeline thread only.
 *
 * Several models may hold one table, with references. One of them changes it; every change counts
 * for the caches of all models (iot_keytable_watch).
 *
 * Groups of keys are for tables of descriptors, which fork copies and exec cuts. Only a table with
 * such lines keeps lists of the keys with one first part, so that a fork costs what its own table
 * holds.
 *
 * The model that changes a shared table saves it and clears it at gaps; it gets each event first,
 * so that all models read the table as it is at this event. At a gap all models close their calls
 * before keys are dropped.
 */
#ifndef IOT_LANGUAGE_KEYTABLE_H
#define IOT_LANGUAGE_KEYTABLE_H

#include "base/diag.h"
#include "timeline/timeline.h"

enum {
	IOT_MAX_TABLE_KEYS = 4,
	IOT_MAX_TABLE_VALUES = 4,
	/* values of one key that lie below its present ones */
	IOT_MAX_TABLE_DEPTH = 16,
};

/* How a value is shown. A text is a number of tl->strings. */
enum iot_table_type { IOT_TABLE_TEXT, IOT_TABLE_INT, IOT_TABLE_UINT, IOT_TABLE_REAL };

struct iot_keytable;
struct iot_key_text; /* texts of keys that the table does not hold: template.h */

/** iot_keytable_new - an empty table of one text for each key, with one reference;
 * iot_keytable_start must be called before its first entry */
struct iot_keytable *iot_keytable_new(const char *name, guint n_keys);
/** iot_keytable_add_value - the table holds this typed value instead of a text; before its first
 * entry, up to IOT_MAX_TABLE_VALUES times */
void iot_keytable_add_value(struct iot_keytable *table, const char *name, enum iot_table_type type);
/** iot_keytable_drop_at_gaps - lost events of an input make its entries doubtful */
void iot_keytable_drop_at_gaps(struct iot_keytable *table);
/** iot_keytable_group - it will be changed by groups: all keys that begin with one number; before
 * its first entry */
void iot_keytable_group(struct iot_keytable *table);
/** iot_keytable_watch - each change of the table increments *@version from now on (see memo.h); it
 * must live as long as the table is changed */
void iot_keytable_watch(struct iot_keytable *table, guint64 *version);
/**
 * iot_keytable_start - before the first event
 * @max: greatest number of keys; beyond it the key set longest ago is evicted and counted in
 *	@diag (keys_evicted)
 */
void iot_keytable_start(struct iot_keytable *table, guint max, guint n_inputs,
			struct iot_diag *diag);
struct iot_keytable *iot_keytable_ref(struct iot_keytable *table);
void iot_keytable_unref(gpointer table);
typedef struct iot_keytable iot_keytable;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_keytable, iot_keytable_unref)
/** iot_keytable_own - FALSE if somebody owns the table already: one model changes it */
gboolean iot_keytable_own(struct iot_keytable *table);
/** iot_keytable_set_key_text - keep it for templates; released by @free together with the table.
 * @source: the template, by which tables of several models are compared */
void iot_keytable_set_key_text(struct iot_keytable *table, const char *source,
			       struct iot_key_text *text, GDestroyNotify free);
/** iot_keytable_key_text - NULL if the table has none */
struct iot_key_text *iot_keytable_key_text(const struct iot_keytable *table);

/** iot_keytable_find - the table of that name among @tables (of struct iot_keytable), or NULL */
struct iot_keytable *iot_keytable_find(const GPtrArray *tables, const char *name);
/** iot_keytable_read - somebody will read the table; iot_keytable_unread - no longer */
void iot_keytable_read(struct iot_keytable *table);
void iot_keytable_unread(struct iot_keytable *table);
/** iot_keytable_is_read - if not, its entries need not be made */
gboolean iot_keytable_is_read(const struct iot_keytable *table);
guint iot_keytable_n_keys(const struct iot_keytable *table);
/** iot_keytable_n_values - how many values it has for each key: 1 for a text */
guint iot_keytable_n_values(const struct iot_keytable *table);
/** iot_keytable_is_typed - whether its values have names; if not, it holds one text */
gboolean iot_keytable_is_typed(const struct iot_keytable *table);
/** iot_keytable_value - the index of the value of that name, -1 if there is none */
int iot_keytable_value(const struct iot_keytable *table, const char *name, gsize len);
enum iot_table_type iot_keytable_type(const struct iot_keytable *table, guint value);
/** iot_keytable_is_like - whether both have as many keys, the same values, and the same text for
 * missing keys */
gboolean iot_keytable_is_like(const struct iot_keytable *table, const struct iot_keytable *other);

/** iot_keytable_get - the values of @key (IOT_MAX_TABLE_KEYS numbers), or NULL; valid until the
 * table changes */
const guint64 *iot_keytable_get(const struct iot_keytable *table, guint32 input,
				const guint64 *key);
/** iot_keytable_n_entries - where the number of its keys is */
const guint *iot_keytable_n_entries(const struct iot_keytable *table);
/** iot_keytable_set - replace the present values of @key; a key of zeros is ignored */
void iot_keytable_set(struct iot_keytable *table, guint32 input, const guint64 *key,
		      const guint64 *values);
/**
 * iot_keytable_push - set, and remember the values before
 *
 * Beyond IOT_MAX_TABLE_DEPTH the values at the bottom are evicted and counted (keys_evicted).
 */
void iot_keytable_push(struct iot_keytable *table, guint32 input, const guint64 *key,
		       const guint64 *values);
/**
 * iot_keytable_pop - back to the values before the last push
 * @values: back to the values before the push of these, the first @n values of an entry; if they
 *	are not there, nothing is changed. @n is 0: whatever was pushed last
 */
void iot_keytable_pop(struct iot_keytable *table, guint32 input, const guint64 *key,
		      const guint64 *values, guint n);
/** iot_keytable_drop - remove all values of @key, if there are any */
void iot_keytable_drop(struct iot_keytable *table, guint32 input, const guint64 *key);
/** iot_keytable_drop_group - remove all values of the keys that begin with @first
 * @among: only of the keys that this table holds, too; NULL: of all */
void iot_keytable_drop_group(struct iot_keytable *table, guint32 input, guint64 first,
			     const struct iot_keytable *among);
/** iot_keytable_copy_group - the keys that begin with @to become those that begin with @from, with
 * their present values */
void iot_keytable_copy_group(struct iot_keytable *table, guint32 input, guint64 to, guint64 from);
/** iot_keytable_gap - events of @input are lost: forget its entries, if the table drops them */
void iot_keytable_gap(struct iot_keytable *table, guint32 input);
/** iot_keytable_is_empty - whether no input has an entry */
gboolean iot_keytable_is_empty(const struct iot_keytable *table);
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
