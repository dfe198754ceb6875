/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/access.h"
#include "timeline/certainty.h"
#include "timeline/findings.h"
#include "timeline/lanes.h"
#include "timeline/node-names.h"
#include "timeline/steal.h"
#include "timeline/thread-rows.h"
#include "base/units.h"

#include <string.h>

struct row_key {
	iot_type_id type;
	iot_row_id parent;
	iot_str id;
};

static guint row_key_hash(gconstpointer data)
{
	return (guint)iot_hash_bytes(data, sizeof(struct row_key));
}

static gboolean row_key_equal(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct row_key));
}

struct unobserved {
	iot_str node;
	guint64 ns;
};

struct iot_timeline *iot_timeline_new(void)
{
	struct iot_timeline *tl = g_new0(struct iot_timeline, 1);
	struct iot_row *root;

	tl->strings = iot_intern_new();
	iot_segarray_init(&tl->types, sizeof(struct iot_type));
	iot_segarray_init(&tl->cats, sizeof(struct iot_category));
	iot_segarray_init(&tl->rows, sizeof(struct iot_row));
	iot_segarray_add(&tl->types);
	iot_segarray_add(&tl->cats);
	root = iot_segarray_add(&tl->rows);
	root->n_lanes = 1;
	tl->run_cpus = g_array_new(FALSE, FALSE, sizeof(guint32));
	tl->unobserved = g_array_new(FALSE, FALSE, sizeof(struct unobserved));
	tl->lanes = iot_lanes_new(tl);
	tl->threads = iot_thread_rows_new(tl);
	tl->findings = iot_findings_new();
	tl->row_index = g_hash_table_new_full(row_key_hash, row_key_equal, g_free, NULL);
	return tl;
}

void iot_timeline_free(struct iot_timeline *tl)
{
	if (!tl)
		return;
	iot_segarray_clear(&tl->types);
	iot_segarray_clear(&tl->cats);
	iot_segarray_clear(&tl->rows);
	g_array_unref(tl->run_cpus);
	g_array_unref(tl->unobserved);
	g_hash_table_unref(tl->row_index);
	iot_lanes_free(tl->lanes);
	iot_thread_rows_free(tl->threads);
	iot_node_names_free(tl->names);
	iot_findings_free(tl->findings);
	iot_clocks_free(tl->clocks);
	iot_steal_free(tl->steal);
	iot_accesses_free(tl->accesses);
	g_clear_pointer(&tl->rules, g_array_unref);
	iot_intern_free(tl->strings);
	g_free(tl);
}

static const struct unobserved *find_unobserved(const struct iot_timeline *tl, iot_str node)
{
	for (guint i = 0; i < tl->unobserved->len; i++) {
		const struct unobserved *at = &g_array_index(tl->unobserved, struct unobserved, i);

		if (at->node == node)
			return at;
	}
	return NULL;
}

void iot_timeline_set_unobserved(struct iot_timeline *tl, iot_str node, guint64 ns)
{
	struct unobserved first = { node, ns };

	if (!find_unobserved(tl, node))
		g_array_append_val(tl->unobserved, first);
}

guint64 iot_timeline_unobserved(const struct iot_timeline *tl, iot_str node)
{
	const struct unobserved *at = find_unobserved(tl, node);

	return at ? at->ns : G_MAXUINT64;
}

guint64 iot_timeline_first_unobserved(const struct iot_timeline *tl)
{
	guint64 first = G_MAXUINT64;

	for (guint i = 0; i < tl->unobserved->len; i++)
		first = MIN(first, g_array_index(tl->unobserved, struct unobserved, i).ns);
	return first;
}

iot_row_id iot_row_node(const struct iot_timeline *tl, iot_row_id row)
{
	while (row && iot_type_at(tl, iot_row_at(tl, row)->type)->role != IOT_ROLE_NODE)
		row = iot_row_at(tl, row)->parent;
	return row;
}

iot_row_id iot_row_thing(const struct iot_timeline *tl, iot_row_id node)
{
	const struct iot_row *row = iot_row_at(tl, node);

	return node && iot_type_of_things(tl, row->type) ? row->parent : 0;
}

void iot_timeline_set_times(struct iot_timeline *tl, guint64 origin_ns, guint64 zero_ns)
{
	tl->origin_ns = origin_ns;
	tl->zero_ns = zero_ns;
}

/* Bytes of a GHashTable entry: key, value and hash, twice, because up to half of the table is free.
 */
enum { INDEX_ENTRY = 2 * (sizeof(guint) + 2 * sizeof(gpointer)) };

gsize iot_timeline_memory(const struct iot_timeline *tl)
{
	return iot_intern_memory(tl->strings) + iot_segarray_memory(&tl->types) +
	       iot_segarray_memory(&tl->cats) + iot_segarray_memory(&tl->rows) +
	       g_hash_table_size(tl->row_index) * (gsize)INDEX_ENTRY;
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

static struct iot_type *writable_type(struct iot_timeline *tl, iot_type_id id)
{
	return iot_segarray_at(&tl->types, id);
}

const char *iot_role_name(enum iot_role role)
{
	static const char *const names[] = {
		[IOT_ROLE_NONE] = NULL,		  [IOT_ROLE_WAIT] = "wait",
		[IOT_ROLE_HOLD] = "hold",	  [IOT_ROLE_LEAVING] = "leaving",
		[IOT_ROLE_KEEPING] = "keeping",	  [IOT_ROLE_CALL] = "call",
		[IOT_ROLE_RESULT] = "result",	  [IOT_ROLE_REQUEST] = "request",
		[IOT_ROLE_REDIRECT] = "redirect", [IOT_ROLE_GRANT] = "grant",
		[IOT_ROLE_BLOCK] = "block",	  [IOT_ROLE_SENDS] = "sends",
		[IOT_ROLE_RETURN] = "return",	  [IOT_ROLE_RECOVERY] = "recovery",
		[IOT_ROLE_ANSWER] = "answer",	  [IOT_ROLE_WAKES] = "wakes",
		[IOT_ROLE_NODE] = "node",	  [IOT_ROLE_RESOURCE] = "resource",
	};

	return names[role];
}

void iot_type_set_role(struct iot_timeline *tl, iot_type_id id, enum iot_role role)
{
	writable_type(tl, id)->role = role;
}

void iot_type_set_thread(struct iot_timeline *tl, iot_type_id id, guint8 thread)
{
	writable_type(tl, id)->thread = thread;
}

void iot_type_set_twin(struct iot_timeline *tl, iot_type_id id, iot_type_id twin)
{
	writable_type(tl, id)->twin = twin;
}

void iot_type_set_title(struct iot_timeline *tl, iot_type_id id, const char *title)
{
	writable_type(tl, id)->title = iot_intern_str(tl->strings, title);
}

void iot_type_set_above_nodes(struct iot_timeline *tl, iot_type_id id)
{
	writable_type(tl, id)->above_nodes = TRUE;
	iot_type_set_by_name(tl, id);
}

iot_type_id iot_type_of_things(const struct iot_timeline *tl, iot_type_id node)
{
	iot_type_id on = iot_type_at(tl, node)->on;

	return on && iot_type_at(tl, on)->above_nodes ? 0 : on;
}

void iot_type_set_is_thing(struct iot_timeline *tl, iot_type_id id)
{
	writable_type(tl, id)->is_thing = TRUE;
}

void iot_type_set_by_name(struct iot_timeline *tl, iot_type_id id)
{
	writable_type(tl, id)->by_name = TRUE;
}

gboolean iot_type_is_by_name(const struct iot_timeline *tl, iot_type_id id)
{
	return iot_type_at(tl, id)->by_name || iot_type_at(tl, id)->role == IOT_ROLE_NODE;
}

void iot_type_set_of_machine(struct iot_timeline *tl, iot_type_id id)
{
	writable_type(tl, id)->of_machine = TRUE;
}

void iot_type_set_through(struct iot_timeline *tl, iot_type_id id)
{
	writable_type(tl, id)->through = TRUE;
}

void iot_cat_set_reason(struct iot_timeline *tl, iot_cat_id cat, enum iot_reason reason)
{
	((struct iot_category *)iot_segarray_at(&tl->cats, cat))->reason = (guint8)(reason + 1);
}

void iot_cat_set_sleeps(struct iot_timeline *tl, iot_cat_id cat)
{
	((struct iot_category *)iot_segarray_at(&tl->cats, cat))->sleeps = TRUE;
}

void iot_type_set_woken(struct iot_timeline *tl, iot_type_id id, guint woken)
{
	writable_type(tl, id)->woken = woken;
}

enum iot_reason iot_cat_reason(const struct iot_timeline *tl, iot_cat_id cat)
{
	guint reason = iot_cat_at(tl, cat)->reason;

	return reason ? (enum iot_reason)(reason - 1) : IOT_REASON_NONE;
}

void iot_type_set_repeats(struct iot_timeline *tl, iot_type_id id, iot_type_id of)
{
	writable_type(tl, id)->repeats = of;
}

void iot_type_set_party(struct iot_timeline *tl, iot_type_id id, enum iot_party party)
{
	writable_type(tl, id)->party = party;
}

void iot_type_set_unsummed(struct iot_timeline *tl, iot_type_id id)
{
	writable_type(tl, id)->unsummed = TRUE;
}

void iot_type_reserve_lane(struct iot_timeline *tl, iot_type_id id)
{
	writable_type(tl, id)->lane_reserved = TRUE;
}

void iot_type_add_attr(struct iot_timeline *tl, iot_type_id id, const struct iot_attr_def *attr)
{
	struct iot_type *type = writable_type(tl, id);

	g_assert(type->n_attrs < IOT_MAX_ATTRS);
	type->attr[type->n_attrs++] = *attr;
}

int iot_type_attr(const struct iot_timeline *tl, const struct iot_type *type, const char *name)
{
	for (guint i = 0; i < type->n_attrs; i++)
		if (!strcmp(iot_tl_str(tl, type->attr[i].name), name))
			return (int)i;
	return -1;
}

void iot_type_set_locks(struct iot_timeline *tl, iot_type_id id, guint from, guint to)
{
	writable_type(tl, id)->lock_from = from;
	writable_type(tl, id)->lock_to = to;
}

void iot_type_set_orders(struct iot_timeline *tl, iot_type_id id, guint orders, iot_str orders_not)
{
	writable_type(tl, id)->orders = orders;
	writable_type(tl, id)->orders_not = orders_not;
}

void iot_type_set_tries(struct iot_timeline *tl, iot_type_id id, guint attr, iot_str flag)
{
	writable_type(tl, id)->try_attr = attr + 1;
	writable_type(tl, id)->try_flag = flag;
}

void iot_type_set_range(struct iot_timeline *tl, iot_type_id id, guint first, guint last,
			guint owner)
{
	struct iot_type *type = writable_type(tl, id);

	type->range_first = first;
	type->range_last = last;
	type->range_owner = owner;
}

void iot_type_set_unqueued(struct iot_timeline *tl, iot_type_id id)
{
	writable_type(tl, id)->unqueued = TRUE;
}

/* A model's own attributes and those of the timeline come before the last of tl->moved. */
static void make_room(struct iot_type *type, guint n)
{
	for (guint i = IOT_MOVED_ATTRS; i--;)
		if (type->moved[i] && type->moved[i] == type->n_attrs &&
		    type->n_attrs + n > IOT_MAX_ATTRS) {
			type->n_attrs--;
			type->moved[i] = 0;
		}
}

void iot_type_add_leaving(struct iot_timeline *tl, iot_type_id id)
{
	struct iot_attr_def leaving = { iot_intern_str(tl->strings, "leaving"), IOT_ATTR_DURATION,
					TRUE };
	struct iot_type *type = writable_type(tl, id);

	make_room(type, 1);
	iot_type_add_attr(tl, id, &leaving);
	type->leaving = type->n_attrs;
}

void iot_type_add_moved(struct iot_timeline *tl, iot_type_id id)
{
	struct iot_type *type = writable_type(tl, id);

	for (guint i = 0; i < IOT_MOVED_ATTRS; i++) {
		if (!tl->moved[i].name || type->n_attrs == IOT_MAX_ATTRS)
			continue;
		iot_type_add_attr(tl, id, &tl->moved[i]);
		type->moved[i] = type->n_attrs;
	}
}

void iot_type_add_stolen(struct iot_timeline *tl, iot_type_id id)
{
	static const char *const names[] = { "stolen", "stolen_unknown" };
	struct iot_type *type = writable_type(tl, id);

	make_room(type, G_N_ELEMENTS(names));
	if (type->n_attrs + G_N_ELEMENTS(names) > IOT_MAX_ATTRS)
		return;
	type->stolen = type->n_attrs + 1;
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		iot_type_add_attr(
			tl, id,
			&(struct iot_attr_def){ .name = iot_intern_str(tl->strings, names[i]),
						.format = IOT_ATTR_DURATION,
						.late = TRUE });
}

void iot_type_set_steals(struct iot_timeline *tl, iot_type_id id, iot_cat_id cat)
{
	writable_type(tl, id)->steals = cat;
}

void iot_type_set_processor(struct iot_timeline *tl, iot_type_id id, iot_cat_id runs,
			    iot_cat_id waits, guint cpu)
{
	struct iot_type *type = writable_type(tl, id);

	type->runs = runs;
	type->waits = waits;
	type->cpu = cpu;
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

iot_row_id iot_timeline_row(struct iot_timeline *tl, iot_type_id type, iot_row_id parent,
			    iot_str id, iot_str name, gboolean *out_new)
{
	struct row_key key = { type, parent, id };
	gpointer found = g_hash_table_lookup(tl->row_index, &key);
	struct iot_row *row;

	if (out_new)
		*out_new = !found;
	if (found)
		return GPOINTER_TO_UINT(found);
	row = iot_segarray_add(&tl->rows);
	row->type = type;
	row->parent = parent;
	row->id = id;
	row->name = name;
	row->n_lanes = 1;
	g_hash_table_insert(tl->row_index, g_memdup2(&key, sizeof(key)),
			    GUINT_TO_POINTER(tl->rows.n - 1));
	return tl->rows.n - 1;
}

iot_row_id iot_timeline_find_row(const struct iot_timeline *tl, iot_type_id type, iot_row_id parent,
				 iot_str id)
{
	struct row_key key = { type, parent, id };

	return GPOINTER_TO_UINT(g_hash_table_lookup(tl->row_index, &key));
}

void iot_row_set_also(struct iot_timeline *tl, iot_row_id id, iot_str also)
{
	iot_row_at(tl, id)->also = also;
}

void iot_row_set_process(struct iot_timeline *tl, iot_row_id id, iot_str process)
{
	iot_row_at(tl, id)->process = process;
}

void iot_row_set_thing(struct iot_timeline *tl, iot_row_id id, iot_str thing)
{
	iot_row_at(tl, id)->thing = thing;
}

void iot_row_hide(struct iot_timeline *tl, iot_row_id id)
{
	struct iot_row *row = iot_row_at(tl, id);

	row->hidden = TRUE;
	row->silent = !tl->selects_late;
}

gboolean iot_timeline_extend_views(struct iot_timeline *tl, iot_type_id last, iot_type_id type)
{
	for (guint i = 0; i < tl->n_views; i++) {
		struct iot_view *view = &tl->view[i];

		if (!view->n_columns || view->column[view->n_columns - 1] != last)
			continue;
		if (view->n_columns == G_N_ELEMENTS(view->column))
			return FALSE;
		view->column[view->n_columns++] = type;
	}
	return TRUE;
}

gboolean iot_timeline_add_view(struct iot_timeline *tl, const struct iot_view *view)
{
	if (tl->n_views == G_N_ELEMENTS(tl->view))
		return FALSE;
	tl->view[tl->n_views++] = *view;
	return TRUE;
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

char *iot_process_name(const struct iot_timeline *tl, guint64 pid, guint64 command)
{
	char digits[IOT_DIGITS_ROOM];
	const char *name = command ? iot_tl_text(tl, command, digits, NULL) : "";

	if (!pid)
		return g_strdup(name);
	return g_strdup_printf("%s %" G_GUINT64_FORMAT, *name ? name : "pid", pid);
}

char *iot_timeline_path(const struct iot_timeline *tl, iot_row_id row, const char *separator)
{
	GString *path = g_string_new(NULL);

	for (; row; row = iot_row_at(tl, row)->parent) {
		if (path->len)
			g_string_prepend(path, separator);
		g_string_prepend(path, iot_tl_str(tl, iot_row_at(tl, row)->name));
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
	gboolean *shown = g_new0(gboolean, tl->rows.n);

	for (iot_row_id id = tl->rows.n; id-- > 1;) {
		const struct iot_row *row = iot_row_at(tl, id);

		shown[id] = shown[id] || !row->hidden;
		shown[row->parent] = shown[row->parent] || shown[id];
	}
	return shown;
}

struct order {
	const struct iot_timeline *tl;
	const gboolean *waits;
};

/* Order of siblings; also groups rows by parent. */
static int compare_rows(gconstpointer pa, gconstpointer pb, gpointer user_data)
{
	const struct order *order = user_data;
	const struct iot_timeline *tl = order->tl;
	iot_row_id ida = *(const iot_row_id *)pa, idb = *(const iot_row_id *)pb;
	const struct iot_row *a = iot_row_at(tl, ida), *b = iot_row_at(tl, idb);
	gboolean by_wait = !iot_type_is_by_name(tl, a->type);
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

static GArray *sorted_rows(const struct iot_timeline *tl)
{
	GArray *ids = g_array_new(FALSE, FALSE, sizeof(iot_row_id));
	g_autofree gboolean *waits = iot_timeline_waits(tl);
	struct order order = { tl, waits };

	for (iot_row_id id = 1; id < tl->rows.n; id++)
		g_array_append_val(ids, id);
	g_array_sort_with_data(ids, compare_rows, &order);
	return ids;
}

void iot_timeline_rank(struct iot_timeline *tl)
{
	g_autoptr(GArray) ids = sorted_rows(tl);
	const struct iot_row *before = NULL;

	for (guint i = 0; i < ids->len; i++) {
		struct iot_row *row = iot_row_at(tl, g_array_index(ids, iot_row_id, i));
		gboolean next =
			before && before->parent == row->parent && before->type == row->type;

		row->rank = next ? before->rank + 1 : 0;
		before = row;
	}
}

GArray *iot_timeline_ordered(const struct iot_timeline *tl)
{
	g_autoptr(GArray) ids = sorted_rows(tl);
	g_autofree guint *first = g_new0(guint, tl->rows.n);
	g_autofree guint *count = g_new0(guint, tl->rows.n);
	GArray *ordered = g_array_new(FALSE, FALSE, sizeof(iot_row_id));
	g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(iot_row_id));
	iot_row_id at = 0;

	for (guint i = ids->len; i-- > 0;) {
		iot_row_id parent = iot_row_at(tl, g_array_index(ids, iot_row_id, i))->parent;

		first[parent] = i;
		count[parent]++;
	}
	g_array_append_val(stack, at);
	while (stack->len) {
		at = g_array_index(stack, iot_row_id, stack->len - 1);
		g_array_set_size(stack, stack->len - 1);
		if (at)
			g_array_append_val(ordered, at);
		for (guint i = count[at]; i-- > 0;)
			g_array_append_val(stack, g_array_index(ids, iot_row_id, first[at] + i));
	}
	return ordered;
}
