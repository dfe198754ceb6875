/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/access.h"

struct iot_accesses {
	GPtrArray *all; /* of struct iot_access */
};

static const char *const names[IOT_N_ACCESSES] = {
	[IOT_ACCESS_READ] = "read",	    [IOT_ACCESS_WRITE] = "write",
	[IOT_ACCESS_SYNC] = "sync",	    [IOT_ACCESS_OPEN] = "open",
	[IOT_ACCESS_CLOSE] = "close",	    [IOT_ACCESS_METADATA] = "metadata",
	[IOT_ACCESS_TRUNCATE] = "truncate", [IOT_ACCESS_MAP] = "map",
	[IOT_ACCESS_LOCK] = "lock",
};

const char *iot_access_kind_name(enum iot_access_kind kind)
{
	return names[kind];
}

static void access_free(gpointer data)
{
	struct iot_access *access = data;

	g_hash_table_unref(access->by_cat);
	g_hash_table_unref(access->by_operation);
	g_free(access);
}

void iot_accesses_free(struct iot_accesses *accesses)
{
	if (!accesses)
		return;
	g_ptr_array_unref(accesses->all);
	g_free(accesses);
}

const struct iot_access *iot_access_of(const struct iot_timeline *tl, iot_type_id type)
{
	for (guint i = 0; tl->accesses && i < tl->accesses->all->len; i++) {
		const struct iot_access *access = tl->accesses->all->pdata[i];

		if (access->type == type)
			return access;
	}
	return NULL;
}

struct iot_access *iot_timeline_add_access(struct iot_timeline *tl, iot_type_id type)
{
	struct iot_access *access;

	if (iot_access_of(tl, type))
		return NULL;
	if (!tl->accesses) {
		tl->accesses = g_new0(struct iot_accesses, 1);
		tl->accesses->all = g_ptr_array_new_with_free_func(access_free);
	}
	access = g_new0(struct iot_access, 1);
	access->type = type;
	access->by_cat = g_hash_table_new(NULL, NULL);
	access->by_operation = g_hash_table_new(NULL, NULL);
	g_ptr_array_add(tl->accesses->all, access);
	return access;
}

void iot_access_add_cat(struct iot_access *access, iot_cat_id cat, enum iot_access_kind kind)
{
	g_hash_table_insert(access->by_cat, GUINT_TO_POINTER(cat), GUINT_TO_POINTER(kind));
}

void iot_access_add_operation(struct iot_access *access, iot_str text, enum iot_access_kind kind)
{
	g_hash_table_insert(access->by_operation, GUINT_TO_POINTER(text), GUINT_TO_POINTER(kind));
}

enum iot_access_kind iot_access_kind(const struct iot_access *access, const struct iot_item *item)
{
	guint64 operation = iot_item_number(item, access->operation);
	gpointer kind;

	if (item->flags & IOT_FAILED)
		return IOT_ACCESS_NONE;
	if (g_hash_table_lookup_extended(access->by_cat, GUINT_TO_POINTER(item->cat), NULL, &kind))
		return (enum iot_access_kind)GPOINTER_TO_UINT(kind);
	if (!operation || iot_text_is_number(operation))
		return IOT_ACCESS_NONE;
	return (enum iot_access_kind)GPOINTER_TO_UINT(
		g_hash_table_lookup(access->by_operation, GUINT_TO_POINTER((guint)operation)));
}

gboolean iot_accesses_known(const struct iot_timeline *tl)
{
	return tl->accesses != NULL;
}
