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
	g_hash_table_unref(access->locks);
	g_hash_table_unref(access->modes);
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
	access->locks = g_hash_table_new(NULL, NULL);
	access->modes = g_hash_table_new(NULL, NULL);
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

/* What the table says about the text of an attribute; 0: nothing. */
static guint of_text(GHashTable *table, const struct iot_item *item, guint attr)
{
	guint64 text = iot_item_number(item, attr);

	if (!text || iot_text_is_number(text))
		return 0;
	return GPOINTER_TO_UINT(g_hash_table_lookup(table, GUINT_TO_POINTER((guint)text)));
}

enum iot_access_kind iot_access_kind(const struct iot_access *access, const struct iot_item *item)
{
	gpointer kind;

	if (item->flags & IOT_FAILED)
		return IOT_ACCESS_NONE;
	if (g_hash_table_lookup_extended(access->by_cat, GUINT_TO_POINTER(item->cat), NULL, &kind))
		return (enum iot_access_kind)GPOINTER_TO_UINT(kind);
	return (enum iot_access_kind)of_text(access->by_operation, item, access->operation);
}

void iot_access_add_lock(struct iot_access *access, iot_str text, enum iot_file_lock lock)
{
	g_hash_table_insert(access->locks, GUINT_TO_POINTER(text), GUINT_TO_POINTER(lock));
}

void iot_access_add_mode(struct iot_access *access, iot_str text, enum iot_file_lock_mode mode)
{
	g_hash_table_insert(access->modes, GUINT_TO_POINTER(text), GUINT_TO_POINTER(mode));
}

enum iot_file_lock iot_access_lock(const struct iot_access *access, const struct iot_item *item,
				   enum iot_file_lock_mode *out_mode)
{
	*out_mode = (enum iot_file_lock_mode)of_text(access->modes, item, access->mode);
	if (item->flags & IOT_FAILED)
		return IOT_FILE_LOCK_NONE;
	return (enum iot_file_lock)of_text(access->locks, item, access->operation);
}

gboolean iot_access_bytes(const struct iot_access *access, const struct iot_item *item,
			  guint64 *out_from, guint64 *out_to)
{
	gint64 position = access->position ? (gint64)iot_item_number(item, access->position) : -1;
	guint64 result = iot_item_number(item, access->result);

	*out_from = (guint64)position;
	*out_to = *out_from + (iot_text_is_number(result) ? result & ~IOT_TEXT_NUMBER : 0);
	return position >= 0 && *out_to > *out_from;
}

gboolean iot_accesses_known(const struct iot_timeline *tl)
{
	return tl->accesses != NULL;
}
