/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/tools/select.h"
#include "base/units.h"

#include <string.h>

struct seen {
	iot_row_id row;
	guint64 worst; /* longest wait */
};

struct iot_select {
	const struct iot_options *options;
	const struct iot_timeline *tl; /* of the first pass */
	GArray *seen;		       /* of struct seen, by row */
	GHashTable *chosen;	       /* identities of resources; NULL: all */
	guint64 longest;	       /* of all waits of the first pass */
};

struct iot_select *iot_select_new(const struct iot_options *options)
{
	struct iot_select *select = g_new0(struct iot_select, 1);

	select->options = options;
	select->seen = g_array_new(FALSE, TRUE, sizeof(struct seen));
	return select;
}

void iot_select_free(struct iot_select *select)
{
	if (!select)
		return;
	g_array_unref(select->seen);
	g_clear_pointer(&select->chosen, g_hash_table_unref);
	g_free(select);
}

/* Identities on the path as text: the same in both passes, unlike numbers and names. */
static char *identity(const struct iot_timeline *tl, iot_row_id row)
{
	GString *text = g_string_new(NULL);

	for (; row; row = iot_row_at(tl, row)->parent) {
		gsize len;
		const char *id = iot_intern_get(tl->strings, iot_row_at(tl, row)->id, &len);
		g_autofree char *plain = iot_escape_bytes(id, len);

		g_string_append_printf(
			text, "%s\n%s\n",
			iot_tl_str(tl, iot_type_at(tl, iot_row_at(tl, row)->type)->name), plain);
	}
	return g_string_free(text, FALSE);
}

static gboolean is_node(const struct iot_timeline *tl, iot_row_id row)
{
	return iot_type_at(tl, iot_row_at(tl, row)->type)->role == IOT_ROLE_NODE;
}

/* Whether tables list rows of this type: by its role, or because nodes are below it. */
static gboolean is_resource(const struct iot_timeline *tl, iot_row_id row)
{
	if (iot_type_at(tl, iot_row_at(tl, row)->type)->role == IOT_ROLE_RESOURCE)
		return TRUE;
	for (iot_type_id id = 1; id < tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(tl, id);

		if (type->kind == IOT_TYPE_ROW && type->role == IOT_ROLE_NODE &&
		    iot_type_of_things(tl, id) == iot_row_at(tl, row)->type)
			return TRUE;
	}
	return FALSE;
}

/* The path with the other names of rows; NULL if no row on it has another name. */
static char *other_path(const struct iot_timeline *tl, iot_row_id id)
{
	g_autoptr(GString) path = g_string_new(NULL);
	gboolean any = FALSE;

	for (; id; id = iot_row_at(tl, id)->parent) {
		const struct iot_row *row = iot_row_at(tl, id);

		any |= row->also != 0;
		if (path->len)
			g_string_prepend_c(path, '/');
		g_string_prepend(path, iot_tl_str(tl, row->also ? row->also : row->name));
	}
	return any ? g_string_free(g_steal_pointer(&path), FALSE) : NULL;
}

/* A pattern with a slash applies to the path of a row, another one to its name. */
static gboolean row_matches(const struct iot_timeline *tl, iot_row_id id, const char *pattern)
{
	const struct iot_row *row = iot_row_at(tl, id);
	g_autofree char *path = NULL;
	g_autofree char *other = NULL;

	if (!strchr(pattern, '/'))
		return g_pattern_match_simple(pattern, iot_tl_str(tl, row->name)) ||
		       (row->also && g_pattern_match_simple(pattern, iot_tl_str(tl, row->also)));
	path = iot_timeline_path(tl, id, "/");
	if (g_pattern_match_simple(pattern, path))
		return TRUE;
	other = other_path(tl, id);
	return other && g_pattern_match_simple(pattern, other);
}

static gboolean any_matches(const GPtrArray *patterns, const struct iot_timeline *tl,
			    iot_row_id row)
{
	for (guint i = 0; i < patterns->len; i++)
		if (row_matches(tl, row, patterns->pdata[i]))
			return TRUE;
	return FALSE;
}

static gboolean node_wanted(const GPtrArray *nodes, const struct iot_timeline *tl, iot_row_id row)
{
	const char *id = iot_tl_str(tl, iot_row_at(tl, row)->id);
	const char *name = iot_tl_str(tl, iot_row_at(tl, row)->name);

	for (guint i = 0; i < nodes->len; i++)
		if (!strcmp(nodes->pdata[i], id) || !strcmp(nodes->pdata[i], name))
			return TRUE;
	return !nodes->len;
}

static gboolean is_chosen(const struct iot_select *select, const struct iot_timeline *tl,
			  iot_row_id row)
{
	g_autofree char *id = identity(tl, row);

	return g_hash_table_contains(select->chosen, id);
}

/* A selected or excluded row takes along all rows below it, so all rows on the path are asked. A
 * row above a selected one shows nothing of its own. */
gboolean iot_select_row(gpointer data, const struct iot_timeline *tl, iot_row_id row)
{
	const struct iot_select *select = data;
	const struct iot_options *options = select->options;
	gboolean selected = !options->select->len;

	for (; row; row = iot_row_at(tl, row)->parent) {
		if (any_matches(options->exclude, tl, row) ||
		    (is_node(tl, row) && !node_wanted(options->nodes, tl, row)) ||
		    (select->chosen && is_resource(tl, row) && !is_chosen(select, tl, row)))
			return FALSE;
		selected = selected || any_matches(options->select, tl, row);
	}
	return selected;
}

gboolean iot_select_is_resource(const struct iot_timeline *tl, iot_row_id row)
{
	return is_resource(tl, row);
}

gboolean iot_select_matches(const struct iot_timeline *tl, iot_row_id row, const char *pattern)
{
	return row_matches(tl, row, pattern);
}

guint64 iot_select_longest_wait(const struct iot_select *select)
{
	return select->longest;
}

gboolean iot_select_needs_pass(const struct iot_select *select)
{
	return select->options->top || select->options->slower_than_ns;
}

void iot_select_begin_pass(struct iot_select *select, const struct iot_timeline *tl)
{
	select->tl = tl;
}

gboolean iot_select_observe(gpointer data, const struct iot_item *item, GError **error)
{
	struct iot_select *select = data;

	(void)error;
	if (item->kind != IOT_ITEM_SPAN ||
	    !iot_item_waited(item, iot_cat_at(select->tl, item->cat)))
		return TRUE;
	/* perhaps it is none: tables leave it out of the longest wait, too */
	if (item->flags & IOT_UNKNOWN)
		return TRUE;
	for (iot_row_id row = item->row; row; row = iot_row_at(select->tl, row)->parent) {
		struct seen *seen;

		if (select->seen->len <= row)
			g_array_set_size(select->seen, row + 1);
		seen = &g_array_index(select->seen, struct seen, row);
		seen->worst = MAX(seen->worst, item->t1 - item->t0);
	}
	return TRUE;
}

struct ranking {
	const struct iot_timeline *tl;
	const gboolean *waits; /* by type of rows */
};

/* The order of ranks: by time waited, or by items in types of rows without waits. */
static gint compare_wait(gconstpointer pa, gconstpointer pb, gpointer user_data)
{
	const struct ranking *ranking = user_data;
	const struct iot_timeline *tl = ranking->tl;
	const struct iot_row *a = iot_row_at(tl, ((const struct seen *)pa)->row);
	const struct iot_row *b = iot_row_at(tl, ((const struct seen *)pb)->row);
	g_autofree char *path_a = NULL;
	g_autofree char *path_b = NULL;

	if (a->bounded_ns != b->bounded_ns)
		return a->bounded_ns > b->bounded_ns ? -1 : 1;
	if (a->wait_ns != b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	if (!ranking->waits[a->type] && !ranking->waits[b->type] && a->n_items != b->n_items)
		return a->n_items > b->n_items ? -1 : 1;
	path_a = iot_timeline_path(tl, ((const struct seen *)pa)->row, "/");
	path_b = iot_timeline_path(tl, ((const struct seen *)pb)->row, "/");
	return iot_natural_compare(path_a, path_b);
}

/* The first N of each type of rows: locks do not compete with files. */
static void choose(struct iot_select *select, const GArray *resources)
{
	const struct iot_timeline *tl = select->tl;
	g_autofree guint *taken = g_new0(guint, tl->types.n);

	select->chosen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < resources->len; i++) {
		iot_row_id row = g_array_index(resources, struct seen, i).row;

		if (!select->options->top ||
		    taken[iot_row_at(tl, row)->type]++ < select->options->top)
			g_hash_table_add(select->chosen, identity(tl, row));
	}
}

static gboolean is_slow(const struct iot_select *select, const struct seen *seen)
{
	guint64 limit = select->options->slower_than_ns;

	return !limit || seen->worst > limit;
}

void iot_select_end_pass(struct iot_select *select)
{
	const struct iot_timeline *tl = select->tl;
	g_autoptr(GArray) resources = g_array_new(FALSE, FALSE, sizeof(struct seen));
	g_autofree gboolean *waits = iot_timeline_waits(tl);
	g_autofree gboolean *shown = iot_timeline_shown(tl);
	struct ranking ranking = { tl, waits };

	for (iot_row_id row = 1; row < tl->rows.n; row++) {
		struct seen seen = { 0 };

		if (row < select->seen->len)
			seen = g_array_index(select->seen, struct seen, row);
		seen.row = row;
		select->longest = MAX(select->longest, seen.worst);
		if (is_resource(tl, row) && shown[row] && is_slow(select, &seen))
			g_array_append_val(resources, seen);
	}
	g_array_sort_with_data(resources, compare_wait, &ranking);
	choose(select, resources);
	select->tl = NULL;
}
