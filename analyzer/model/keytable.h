/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [keytable]: memory from key to text, as from a file to the path by which it was opened. Each
 * input has keys of its own, as numbers of one machine mean nothing on another. Pipeline thread
 * only.
 */
#ifndef IOT_MODEL_KEYTABLE_H
#define IOT_MODEL_KEYTABLE_H

#include "timeline/timeline.h"

enum { IOT_MAX_TABLE_KEYS = 4 };

struct iot_keytable;

/** iot_keytable_find - the table of that name among @tables (of struct iot_keytable), or NULL */
struct iot_keytable *iot_keytable_find(const GPtrArray *tables, const char *name);
guint iot_keytable_n_keys(const struct iot_keytable *table);
/** iot_keytable_get - the text of @key (IOT_MAX_TABLE_KEYS numbers); 0 if there is none */
iot_str iot_keytable_get(struct iot_keytable *table, guint32 input, const guint64 *key);
/** iot_keytable_text - the same, or what stands for keys without a text; 0 for a key of zeros */
iot_str iot_keytable_text(struct iot_keytable *table, guint32 input, const guint64 *key);
/** iot_keytable_version - grows with every change of what the table says */
guint64 iot_keytable_version(const struct iot_keytable *table);

/** iot_keytable_memory - bytes of entries, used or not */
gsize iot_keytable_memory(const struct iot_keytable *table);

#endif
