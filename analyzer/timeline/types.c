/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/lanes.h"
#include "base/units.h"

#include <string.h>

struct box_key {
	iot_type_id type;
	iot_box_id parent;
	iot_str id;
};

static guint box_key_hash(gconstpointer data)
{
	return (guint)iot_hash_bytes(data, sizeof(struct box_key));
}

static gboolean box_key_equal(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct box_key));
}

struct iot_timeline *iot_timeline_new(void)
{
	struct iot_timeline *tl = g_new0(struct iot_timeline, 1);
	struct iot_box *root;

	tl->strings = iot_intern_new();
	iot_segarray_init(&tl->types, sizeof(struct iot_type));
	iot_segarray_init(&tl->cats, sizeof(struct iot_category));
	iot_segarray_init(&tl->boxes, sizeof(struct iot_box));
	iot_segarray_add(&tl->types);
	iot_segarray_add(&tl->cats);
	root = iot_segarray_add(&tl->boxes);
	root->n_lanes = 1;
	tl->lanes = iot_lanes_new(tl);
	tl->box_index = g_hash_table_new_full(box_key_hash, box_key_equal, g_free, NULL);
	return tl;
}

void iot_timeline_free(struct iot_timeline *tl)
{
	if (!tl)
		return;
	iot_segarray_clear(&tl->types);
	iot_segarray_clear(&tl->cats);
	iot_segarray_clear(&tl->boxes);
	g_hash_table_unref(tl->box_index);
	iot_lanes_free(tl->lanes);
	iot_intern_free(tl->strings);
	g_free(tl);
}

/* Of an entry of a GHashTable: key, value, hash, and room for as many again. */
enum { INDEX_ENTRY = 2 * (sizeof(guint) + 2 * sizeof(gpointer)) };

gsize iot_timeline_memory(const struct iot_timeline *tl)
{
	return iot_intern_memory(tl->strings) + iot_segarray_memory(&tl->types) +
	       iot_segarray_memory(&tl->cats) + iot_segarray_memory(&tl->boxes) +
	       g_hash_table_size(tl->box_index) * (gsize)INDEX_ENTRY;
}

struct iot_type *iot_timeline_type(struct iot_timeline *tl, enum iot_type_kind kind,
				   const char *name, const char *title, iot_type_id on,
				   iot_type_id *out_id)
{
	struct iot_type *type = iot_segarray_add(&tl->types);

	type->kind = kind;
	type->name = iot_intern_str(tl->strings, name);
	type->title = iot_intern_str(tl->strings, title);
	type->on = on;
	*out_id = tl->types.n - 1;
	return type;
}

iot_cat_id iot_timeline_cat(struct iot_timeline *tl, iot_type_id type, const char *name,
			    guint32 rgb, enum iot_role role)
{
	struct iot_category *cat = iot_segarray_add(&tl->cats);

	cat->type = type;
	cat->name = iot_intern_str(tl->strings, name);
	cat->rgb = rgb;
	cat->role = role;
	return tl->cats.n - 1;
}

iot_box_id iot_timeline_box(struct iot_timeline *tl, iot_type_id type, iot_box_id parent,
			    iot_str id, iot_str name, gboolean *out_new)
{
	struct box_key key = { type, parent, id };
	gpointer found = g_hash_table_lookup(tl->box_index, &key);
	struct iot_box *box;

	if (out_new)
		*out_new = !found;
	if (found)
		return GPOINTER_TO_UINT(found);
	box = iot_segarray_add(&tl->boxes);
	box->type = type;
	box->parent = parent;
	box->id = id;
	box->name = name;
	box->n_lanes = 1;
	g_hash_table_insert(tl->box_index, g_memdup2(&key, sizeof(key)),
			    GUINT_TO_POINTER(tl->boxes.n - 1));
	return tl->boxes.n - 1;
}

iot_box_id iot_timeline_find_box(const struct iot_timeline *tl, iot_type_id type, iot_box_id parent,
				 iot_str id)
{
	struct box_key key = { type, parent, id };

	return GPOINTER_TO_UINT(g_hash_table_lookup(tl->box_index, &key));
}

const char *iot_tl_text(const struct iot_timeline *tl, guint64 text, char buffer[IOT_DIGITS_ROOM],
			gsize *out_len)
{
	char *end;

	if (!iot_text_is_number(text))
		return iot_intern_get(tl->strings, (iot_str)text, out_len);
	end = iot_digits(buffer, text & ~IOT_TEXT_NUMBER);
	*end = 0;
	if (out_len)
		*out_len = (gsize)(end - buffer);
	return buffer;
}

char *iot_timeline_path(const struct iot_timeline *tl, iot_box_id box, const char *separator)
{
	GString *path = g_string_new(NULL);

	for (; box; box = iot_box_at(tl, box)->parent) {
		if (path->len)
			g_string_prepend(path, separator);
		g_string_prepend(path, iot_tl_str(tl, iot_box_at(tl, box)->name));
	}
	return g_string_free(path, FALSE);
}

gboolean *iot_timeline_waits(const struct iot_timeline *tl)
{
	gboolean *waits = g_new0(gboolean, tl->types.n);

	for (iot_cat_id id = 1; id < tl->cats.n; id++) {
		const struct iot_category *cat = iot_cat_at(tl, id);
		const struct iot_type *type = iot_type_at(tl, cat->type);

		for (iot_type_id on = type->on;
		     on && type->kind == IOT_TYPE_SPAN && iot_cat_waits(cat);
		     on = iot_type_at(tl, on)->on)
			waits[on] = TRUE;
	}
	return waits;
}

gboolean *iot_timeline_shown(const struct iot_timeline *tl)
{
	gboolean *shown = g_new0(gboolean, tl->boxes.n);

	for (iot_box_id id = tl->boxes.n; id-- > 1;) {
		const struct iot_box *box = iot_box_at(tl, id);

		shown[id] = shown[id] || !box->hidden;
		shown[box->parent] = shown[box->parent] || shown[id];
	}
	return shown;
}

struct order {
	const struct iot_timeline *tl;
	const gboolean *waits;
};

/* Order of siblings; also groups boxes by parent. */
static int compare_boxes(gconstpointer pa, gconstpointer pb, gpointer user_data)
{
	const struct order *order = user_data;
	const struct iot_timeline *tl = order->tl;
	iot_box_id ida = *(const iot_box_id *)pa, idb = *(const iot_box_id *)pb;
	const struct iot_box *a = iot_box_at(tl, ida), *b = iot_box_at(tl, idb);
	gboolean by_wait = iot_type_at(tl, a->type)->role != IOT_ROLE_NODE;
	int diff;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (by_wait && a->bounded_ns != b->bounded_ns)
		return a->bounded_ns > b->bounded_ns ? -1 : 1;
	if (by_wait && a->wait_ns != b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	if (by_wait && !order->waits[a->type] && a->n_items != b->n_items)
		return a->n_items > b->n_items ? -1 : 1;
	diff = iot_natural_compare(iot_tl_str(tl, a->name), iot_tl_str(tl, b->name));
	if (diff)
		return diff;
	return ida < idb ? -1 : ida > idb;
}

static GArray *sorted_boxes(const struct iot_timeline *tl)
{
	GArray *ids = g_array_new(FALSE, FALSE, sizeof(iot_box_id));
	g_autofree gboolean *waits = iot_timeline_waits(tl);
	struct order order = { tl, waits };

	for (iot_box_id id = 1; id < tl->boxes.n; id++)
		g_array_append_val(ids, id);
	g_array_sort_with_data(ids, compare_boxes, &order);
	return ids;
}

void iot_timeline_rank(struct iot_timeline *tl)
{
	g_autoptr(GArray) ids = sorted_boxes(tl);
	const struct iot_box *before = NULL;

	for (guint i = 0; i < ids->len; i++) {
		struct iot_box *box = iot_box_at(tl, g_array_index(ids, iot_box_id, i));
		gboolean next =
			before && before->parent == box->parent && before->type == box->type;

		box->rank = next ? before->rank + 1 : 0;
		before = box;
	}
}

GArray *iot_timeline_ordered(const struct iot_timeline *tl)
{
	g_autoptr(GArray) ids = sorted_boxes(tl);
	g_autofree guint *first = g_new0(guint, tl->boxes.n);
	g_autofree guint *count = g_new0(guint, tl->boxes.n);
	GArray *ordered = g_array_new(FALSE, FALSE, sizeof(iot_box_id));
	g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(iot_box_id));
	iot_box_id at = 0;

	for (guint i = ids->len; i-- > 0;) {
		iot_box_id parent = iot_box_at(tl, g_array_index(ids, iot_box_id, i))->parent;

		first[parent] = i;
		count[parent]++;
	}
	g_array_append_val(stack, at);
	while (stack->len) {
		at = g_array_index(stack, iot_box_id, stack->len - 1);
		g_array_set_size(stack, stack->len - 1);
		if (at)
			g_array_append_val(ordered, at);
		for (guint i = count[at]; i-- > 0;)
			g_array_append_val(stack, g_array_index(ids, iot_box_id, first[at] + i));
	}
	return ordered;
}
