/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Definitions by number, with lookups for each event. Writers number them 0, 1, 2 ...; few have
 * great numbers, which are hashed. One thread, which adds; then read-only.
 */
#ifndef IOT_INPUT_OTF2_TABLE_H
#define IOT_INPUT_OTF2_TABLE_H

#include <glib.h>

struct iot_otf2_table {
	GPtrArray *low;	  /* by number, NULL: not defined */
	GHashTable *high; /* the others */
	GDestroyNotify destroy;
	guint n;
};

/** iot_otf2_table_init - @destroy: of what is defined; or NULL */
void iot_otf2_table_init(struct iot_otf2_table *table, GDestroyNotify destroy);
void iot_otf2_table_clear(struct iot_otf2_table *table);
/** iot_otf2_table_add - define a number that is not defined; takes @data, which is not NULL */
void iot_otf2_table_add(struct iot_otf2_table *table, guint32 ref, gpointer data);
/** iot_otf2_table_each - call @call with all that is defined and @user */
void iot_otf2_table_each(const struct iot_otf2_table *table, GFunc call, gpointer user);

/** iot_otf2_find - what is defined under the number; NULL: nothing */
static inline gpointer iot_otf2_find(const struct iot_otf2_table *table, guint32 ref)
{
	return G_LIKELY(ref < table->low->len)
		       ? table->low->pdata[ref]
		       : g_hash_table_lookup(table->high, GUINT_TO_POINTER(ref));
}

/** iot_otf2_number - the same in a table of numbers, which are kept plus 1 */
static inline guint32 iot_otf2_number(const struct iot_otf2_table *table, guint32 ref,
				      guint32 unknown)
{
	gsize number = GPOINTER_TO_SIZE(iot_otf2_find(table, ref));

	return number ? (guint32)(number - 1) : unknown;
}

#endif
