/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/otf2/otf2-table.h"

/* The array grows up to these numbers, or eight for each that is defined. */
enum { LOW = 4096, SPARSE = 8 };

void iot_otf2_table_init(struct iot_otf2_table *table, GDestroyNotify destroy)
{
	table->low = g_ptr_array_new();
	table->high = g_hash_table_new(NULL, NULL);
	table->destroy = destroy;
	table->n = 0;
}

static void destroy(gpointer data, gpointer user)
{
	const struct iot_otf2_table *table = user;

	table->destroy(data);
}

void iot_otf2_table_clear(struct iot_otf2_table *table)
{
	if (table->destroy)
		iot_otf2_table_each(table, destroy, table);
	g_ptr_array_unref(table->low);
	g_hash_table_unref(table->high);
}

/* Numbers that were great when they were defined go into the array that has reached them. */
static void take_low(struct iot_otf2_table *table)
{
	GHashTableIter i;
	gpointer ref, data;

	g_hash_table_iter_init(&i, table->high);
	while (g_hash_table_iter_next(&i, &ref, &data))
		if (GPOINTER_TO_UINT(ref) < table->low->len) {
			table->low->pdata[GPOINTER_TO_UINT(ref)] = data;
			g_hash_table_iter_remove(&i);
		}
}

void iot_otf2_table_add(struct iot_otf2_table *table, guint32 ref, gpointer data)
{
	guint len = table->low->len;

	table->n++;
	if (ref >= len && ref >= LOW && ref / SPARSE >= table->n) {
		g_hash_table_insert(table->high, GUINT_TO_POINTER(ref), data);
		return;
	}
	if (ref >= len) {
		g_ptr_array_set_size(table->low, (gint)MAX(ref + 1, 2 * len));
		take_low(table);
	}
	table->low->pdata[ref] = data;
}

void iot_otf2_table_each(const struct iot_otf2_table *table, GFunc call, gpointer user)
{
	GHashTableIter i;
	gpointer data;

	for (guint ref = 0; ref < table->low->len; ref++)
		if (table->low->pdata[ref])
			call(table->low->pdata[ref], user);
	g_hash_table_iter_init(&i, table->high);
	while (g_hash_table_iter_next(&i, NULL, &data))
		call(data, user);
}
