/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of nodes: read through the child stubs, from the root down. */
#include "slog2-check.h"

#include <math.h>
#include <string.h>

/* A node before it is read. */
struct expected {
	struct slog2_ptr place;
	struct slog2_id id;
	struct slog2_box box;
	gboolean is_root;
};

static GHashTable *read_node(struct slog2 *file, const struct expected *expected);

/* The values of an info, after their types; nothing may be left. */
static void check_info(struct slog2_cursor *cursor, const struct slog2_cat *cat, gsize len)
{
	struct slog2_cursor info = *cursor;
	g_autofree char *what =
		g_strdup_printf("info at %" G_GSIZE_FORMAT " of a \"%s\"", cursor->at, cat->name);

	info.what = what;
	info.end = cursor->at + len;
	for (const char *type = cat->types; *type && !info.ended; type++) {
		if (*type == 's')
			g_free(slog2_str(&info));
		else if (*type == 'h')
			slog2_int(&info, 2);
		else
			slog2_int(&info, strchr("dxe", *type) ? 4 : 8);
	}
	if (!info.ended && info.at != info.end)
		slog2_bad(cursor->file, "the %s has %" G_GSIZE_FORMAT " bytes more than its types",
			  what, info.end - info.at);
}

static void check_drawable(struct slog2 *file, const struct slog2_drawable *drawable,
			   gint64 n_vertices, gboolean nestable, gsize at)
{
	const struct slog2_cat *cat = drawable->cat;
	g_autofree char *where = g_strdup_printf("the \"%s\" at %" G_GSIZE_FORMAT, cat->name, at);

	if (cat->index < 0)
		slog2_bad(file, "%s has a category of previews", where);
	if ((cat->topology == SLOG2_STATE) != nestable)
		slog2_bad(file, "%s is in the wrong list of its node", where);
	if (n_vertices != (cat->topology == SLOG2_EVENT ? 1 : 2))
		slog2_bad(file, "%s has %" G_GINT64_FORMAT " vertices", where, n_vertices);
	if (!isfinite(drawable->t[0]) || !isfinite(drawable->t[1]))
		slog2_bad(file, "a time of %s is not a number", where);
	if (cat->topology == SLOG2_STATE && drawable->line[0] != drawable->line[1])
		slog2_bad(file, "%s begins and ends on different lines", where);
	if (cat->topology == SLOG2_STATE && drawable->t[0] > drawable->t[1])
		slog2_bad(file, "%s ends before it begins", where);
	slog2_check_line(file, drawable->line[0], where);
	if (drawable->line[1] != drawable->line[0])
		slog2_check_line(file, drawable->line[1], where);
}

static void read_vertices(struct slog2_cursor *cursor, struct slog2_drawable *drawable, gint64 n)
{
	for (gint64 i = 0; i < n && !cursor->ended; i++) {
		double t = slog2_f64(cursor);
		gint32 line = (gint32)slog2_int(cursor, 4);

		for (gint64 k = i; k < 2; k++) {
			drawable->t[k] = t;
			drawable->line[k] = line;
		}
	}
}

/* FALSE if it cannot be used for sums. */
static gboolean read_drawable(struct slog2_cursor *cursor, gboolean nestable,
			      struct slog2_drawable *drawable)
{
	struct slog2 *file = cursor->file;
	gsize at = cursor->at, info_at;
	gint64 kind = slog2_int(cursor, 1), len, n;
	gint32 index = (gint32)slog2_int(cursor, 4);

	*drawable = (struct slog2_drawable){ .cat = slog2_cat(file, index) };
	if (kind && !cursor->ended) {
		slog2_bad(file, "the drawable at %" G_GSIZE_FORMAT " is not a primitive (kind %d)",
			  at, (int)kind);
		cursor->ended = TRUE;
	}
	len = slog2_count(cursor, 2, "bytes of an info");
	info_at = cursor->at;
	if (!cursor->ended && cursor->end - cursor->at < (gsize)len) {
		slog2_bad(file, "the info at %" G_GSIZE_FORMAT " is longer than its block",
			  info_at);
		cursor->ended = TRUE;
	}
	if (cursor->ended)
		return FALSE;
	if (drawable->cat)
		check_info(cursor, drawable->cat, (gsize)len);
	else
		slog2_bad(file,
			  "the drawable at %" G_GSIZE_FORMAT
			  " has the category %d, which is missing",
			  at, index);
	drawable->info_at = info_at;
	drawable->info_len = (gsize)len;
	cursor->at += (gsize)len;
	n = slog2_count(cursor, 2, "vertices");
	read_vertices(cursor, drawable, n);
	if (cursor->ended || !drawable->cat)
		return FALSE;
	check_drawable(file, drawable, n, nestable, at);
	return TRUE;
}

static void read_list(struct slog2_cursor *cursor, const struct slog2_node *node, gboolean nestable,
		      GHashTable *groups)
{
	struct slog2 *file = cursor->file;
	gint64 n = slog2_count(cursor, 4, "drawables");
	double last_start = -INFINITY, last_end = INFINITY;

	for (gint64 i = 0; i < n && !cursor->ended; i++) {
		struct slog2_drawable drawable;
		gsize at = cursor->at;
		double start, end;

		if (!read_drawable(cursor, nestable, &drawable))
			continue;
		start = MIN(drawable.t[0], drawable.t[1]);
		end = MAX(drawable.t[0], drawable.t[1]);
		if (start < node->box.t0 || end > node->box.t1)
			slog2_bad(file,
				  "the drawable at %" G_GSIZE_FORMAT
				  " (%.9f .. %.9f) reaches out of "
				  "the box of its %s",
				  at, start, end, cursor->what);
		if (start < last_start || (start == last_start && end > last_end))
			slog2_bad(file,
				  "the drawable at %" G_GSIZE_FORMAT " is out of order in its %s",
				  at, cursor->what);
		last_start = start;
		last_end = end;
		drawable.node = file->nodes->len - 1;
		g_array_append_val(file->drawables, drawable);
		slog2_groups_add(groups, &drawable);
		drawable.cat->n_seen++;
		if (drawable.cat->topology != SLOG2_EVENT)
			drawable.cat->time_seen += (long double)end - start;
	}
}

/* A stub must agree with its child, and the child must lie in the parent, to the right of @last. */
static void check_stub(struct slog2 *file, const struct slog2_node *node,
		       const struct expected *stub, const struct expected *last, const char *where)
{
	gint64 first = (gint64)node->id.xpos * file->n_children;

	if (stub->id.depth != node->id.depth - 1 || stub->id.xpos < first ||
	    stub->id.xpos >= first + file->n_children)
		slog2_bad(file, "the %s is not for a child of node (%d, %d)", where, node->id.depth,
			  node->id.xpos);
	if (stub->box.t0 < node->box.t0 || stub->box.t1 > node->box.t1)
		slog2_bad(file, "the box of the %s reaches out of the box of its parent", where);
	if (!last)
		return;
	if (stub->id.xpos <= last->id.xpos)
		slog2_bad(file, "the %s does not come in order of xpos", where);
	if (stub->box.t0 < last->box.t1)
		slog2_bad(file, "the box of the %s overlaps the one before it", where);
}

static GHashTable *read_stub(struct slog2_cursor *cursor, const struct slog2_node *node,
			     struct expected *stub, const struct expected *last)
{
	struct slog2 *file = cursor->file;
	g_autoptr(GPtrArray) previews = NULL;
	g_autofree char *where = NULL;
	GHashTable *groups;

	*stub = (struct expected){ .box = slog2_get_box(cursor) };
	stub->id = slog2_get_id(cursor);
	stub->place = slog2_get_ptr(cursor);
	where = g_strdup_printf("stub of node (%d, %d)", stub->id.depth, stub->id.xpos);
	if (cursor->ended)
		return slog2_groups_new();
	check_stub(file, node, stub, last, where);
	previews = slog2_read_previews(cursor, where);
	if (stub->id.depth < 0 || stub->id.depth >= node->id.depth)
		return slog2_groups_new();
	groups = read_node(file, stub);
	slog2_check_previews(file, previews, groups, where);
	return groups;
}

static void read_stubs(struct slog2_cursor *cursor, const struct slog2_node *node,
		       GHashTable *groups)
{
	struct slog2 *file = cursor->file;
	gint64 n = slog2_count(cursor, 4, "stubs");
	struct expected stubs[2];

	if (node->id.depth == 0 && n)
		slog2_bad(file, "the %s is a leaf, but has stubs", cursor->what);
	if (node->id.depth > 0 && !n && !cursor->ended)
		slog2_bad(file, "the %s is an inner node without a stub", cursor->what);
	for (gint64 i = 0; i < n && !cursor->ended; i++) {
		GHashTable *below =
			read_stub(cursor, node, &stubs[i & 1], i ? &stubs[~i & 1] : NULL);

		slog2_groups_merge(groups, below);
		g_hash_table_unref(below);
	}
}

static void check_node(struct slog2 *file, const struct slog2_node *node,
		       const struct expected *expected, const char *what)
{
	if (node->place.offset != expected->place.offset ||
	    node->place.size != expected->place.size)
		slog2_bad(file, "the %s says that it is elsewhere", what);
	if (expected->is_root) {
		if (node->box.t1 <= node->box.t0)
			slog2_bad(file, "the box of the root has no duration");
		if (node->id.depth != file->max_depth)
			slog2_bad(file, "max_treedepth is %d, but the root's depth is %d",
				  file->max_depth, node->id.depth);
		return;
	}
	if (node->id.depth != expected->id.depth || node->id.xpos != expected->id.xpos)
		slog2_bad(file, "the %s has the id (%d, %d), not that of its stub", what,
			  node->id.depth, node->id.xpos);
	if (node->box.t0 != expected->box.t0 || node->box.t1 != expected->box.t1)
		slog2_bad(file, "the %s has another box than its stub", what);
}

/* Returns the sums over the node and all below it. */
static GHashTable *read_node(struct slog2 *file, const struct expected *expected)
{
	g_autofree char *what =
		g_strdup_printf("node at %" G_GINT64_FORMAT, expected->place.offset);
	GHashTable *groups = slog2_groups_new();
	struct slog2_cursor cursor;
	struct slog2_node node;

	if (!slog2_block(file, expected->place, expected->is_root ? "root node" : what, &cursor))
		return groups;
	node.box = slog2_get_box(&cursor);
	node.id = slog2_get_id(&cursor);
	node.place = slog2_get_ptr(&cursor);
	if (cursor.ended)
		return groups;
	check_node(file, &node, expected, what);
	g_array_append_val(file->nodes, node);
	read_list(&cursor, &node, FALSE, groups);
	read_list(&cursor, &node, TRUE, groups);
	/* A wrong id must not make the recursion endless. */
	if (!expected->is_root)
		node.id = expected->id;
	if (!cursor.ended)
		read_stubs(&cursor, &node, groups);
	return groups;
}

static int compare_drawables(gconstpointer pa, gconstpointer pb)
{
	const struct slog2_drawable *a = pa, *b = pb;

	for (guint i = 0; i < 2; i++)
		if (a->t[i] != b->t[i])
			return a->t[i] < b->t[i] ? -1 : 1;
	if (a->cat != b->cat)
		return a->cat->index < b->cat->index ? -1 : 1;
	for (guint i = 0; i < 2; i++)
		if (a->line[i] != b->line[i])
			return a->line[i] < b->line[i] ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static gboolean is_above(const struct slog2 *file, struct slog2_id a, struct slog2_id b)
{
	for (; b.depth < a.depth; b.depth++)
		b.xpos /= file->n_children;
	return a.depth == b.depth && a.xpos == b.xpos;
}

/* Equal drawables in a node and in one above it make the viewer lose the rest of a level. */
static void check_equal(struct slog2 *file)
{
	g_autoptr(GArray) sorted = g_array_sized_new(FALSE, FALSE, sizeof(struct slog2_drawable),
						     file->drawables->len);
	const struct slog2_drawable *list;

	g_array_append_vals(sorted, file->drawables->data, file->drawables->len);
	g_array_sort(sorted, compare_drawables);
	list = (const struct slog2_drawable *)(gpointer)sorted->data;
	for (guint i = 0; i < sorted->len; i++) {
		for (guint k = i + 1; k < sorted->len; k++) {
			struct slog2_drawable same = list[k];
			struct slog2_id a, b;

			same.node = list[i].node;
			if (compare_drawables(&list[i], &same))
				break;
			if (list[i].node == list[k].node)
				continue;
			a = g_array_index(file->nodes, struct slog2_node, list[i].node).id;
			b = g_array_index(file->nodes, struct slog2_node, list[k].node).id;
			if (is_above(file, a, b) || is_above(file, b, a))
				slog2_bad(file,
					  "equal drawables \"%s\" at %.9f in nodes (%d, %d) and "
					  "(%d, %d)",
					  same.cat->name, same.t[0], a.depth, a.xpos, b.depth,
					  b.xpos);
		}
	}
}

static void check_cat_sums(struct slog2 *file, const struct slog2_cat *cat, struct slog2_box box)
{
	g_autofree char *where = g_strdup_printf("category \"%s\"", cat->name);

	if (cat->index < 0)
		return;
	if (cat->count != cat->n_seen)
		slog2_bad(file,
			  "%s counts %" G_GINT64_FORMAT
			  " drawables, but there are %" G_GINT64_FORMAT,
			  where, cat->count, cat->n_seen);
	slog2_check_ratio(file, cat->inclusive, cat->time_seen, box, cat->n_seen, where);
	if (cat->topology != SLOG2_STATE && cat->exclusive != 0)
		slog2_bad(file, "%s is not of states, but has an exclusive ratio", where);
	if (cat->exclusive > cat->inclusive * (1 + 1e-6) + 1e-12)
		slog2_bad(file, "%s: the exclusive ratio is greater than the inclusive one", where);
}

void slog2_read_tree(struct slog2 *file)
{
	struct expected root = { .place = file->root_at, .is_root = TRUE };
	struct slog2_box box;

	g_hash_table_unref(read_node(file, &root));
	if (!file->nodes->len)
		return;
	box = g_array_index(file->nodes, struct slog2_node, 0).box;
	for (guint i = 0; i < file->drawables->len; i++) {
		const struct slog2_drawable *d =
			&g_array_index(file->drawables, struct slog2_drawable, i);

		if (MIN(d->t[0], d->t[1]) >= box.t1)
			slog2_bad(
				file,
				"a \"%s\" starts at the very end, %.9f, where some readers lose it",
				d->cat->name, d->t[0]);
	}
	check_equal(file);
	for (guint i = 0; i < file->cats->len; i++)
		check_cat_sums(file, g_ptr_array_index(file->cats, i), box);
}
