/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drawables as text, for comparisons with the text output of the same recording. */
#include "slog2-check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct row_name {
	char *path; /* names joined with a slash; NULL if several rows have the same numbers */
	char *lane;
};

static void free_row_name(gpointer data)
{
	struct row_name *name = data;

	g_free(name->path);
	g_free(name->lane);
	g_free(name);
}

/*
 * A row of the table: a key (the number of the line, or the title of the view), for each column a
 * number and a name, then lane, wait_ns, items. If the key is a view, the line is found by its
 * path of numbers.
 */
static void add_row(GHashTable *names, char **cell, guint n_cells, gboolean by_view)
{
	struct row_name *name = g_new0(struct row_name, 1);
	GString *key = g_string_new(cell[0]), *path = g_string_new(NULL);

	for (guint i = 1; i + 4 < n_cells; i += 2) {
		if (by_view)
			g_string_append_printf(key, "/%s", cell[i]);
		if (i > 1)
			g_string_append_c(path, '/');
		g_string_append(path, cell[i + 1]);
	}
	if (by_view)
		g_string_append_printf(key, "/%s", cell[n_cells - 3]);
	name->path = g_hash_table_contains(names, key->str) ? NULL : g_strdup(path->str);
	name->lane = g_strdup(cell[n_cells - 3]);
	g_string_free(path, TRUE);
	g_hash_table_insert(names, g_string_free(key, FALSE), name);
}

static GHashTable *read_rows(const char *path, gboolean *out_by_view)
{
	GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_row_name);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		g_hash_table_unref(names);
		return NULL;
	}
	*out_by_view = g_str_has_prefix(text, "view\t");
	lines = g_strsplit_set(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		g_auto(GStrv) cells = g_strsplit(lines[i], "\t", -1);

		if (g_strv_length(cells) >= 6 && strcmp(cells[0], "view") &&
		    strcmp(cells[0], "line"))
			add_row(names, cells, g_strv_length(cells), *out_by_view);
	}
	return names;
}

static char *line_path(const struct slog2_map *map, gint32 line)
{
	const gint32 *path = g_hash_table_lookup(map->rows, GINT_TO_POINTER(line));
	GString *text = g_string_new(NULL);

	for (gint32 i = 0; path && i < map->n_columns; i++)
		g_string_append_printf(text, i ? "/%d" : "%d", path[i]);
	return g_string_free(text, FALSE);
}

static void put_quoted(GString *text, const char *word)
{
	g_string_append_c(text, '"');
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			g_string_append_c(text, '\\');
		g_string_append_c(text, *word);
	}
	g_string_append_c(text, '"');
}

/* The row of all lines that have no row of their own in a map. */
static gboolean is_shared(const struct row_name *name)
{
	return !name->path || g_str_has_prefix(name->path, "(rows of other views)") ||
	       g_str_has_prefix(name->path, "(all other rows)");
}

/* The name that the first map has for the line alone. */
static const struct row_name *find_name(const struct slog2 *file, GHashTable *names, gint32 line)
{
	for (guint i = 0; i < file->maps->len; i++) {
		const struct slog2_map *map = g_ptr_array_index(file->maps, i);
		g_autofree char *path = line_path(map, line);
		g_autofree char *key = g_strconcat(map->title, "/", path, NULL);
		const struct row_name *name = g_hash_table_lookup(names, key);

		if (name && !is_shared(name))
			return name;
	}
	return NULL;
}

static void put_line(GString *text, const struct slog2 *file, GHashTable *names, gboolean by_view,
		     gint32 line)
{
	g_autofree char *key = g_strdup_printf("%d", line);
	const struct row_name *name;

	if (!names) {
		g_autofree char *path = line_path(g_ptr_array_index(file->maps, 0), line);

		g_string_append(text, path);
		return;
	}
	name = by_view ? find_name(file, names, line) : g_hash_table_lookup(names, key);
	put_quoted(text, name ? name->path : "?");
	g_string_append_printf(text, " lane=%s", name ? name->lane : "?");
}

static char *drawable_text(const struct slog2 *file, GHashTable *names, gboolean by_view,
			   const struct slog2_drawable *d)
{
	static const char *const kinds[] = { "point ", "span ", "arrow " };
	/* any other has been reported when the category was read */
	gboolean known = d->cat->topology >= 0 && d->cat->topology < (gint)G_N_ELEMENTS(kinds);
	GString *text = g_string_new(known ? kinds[d->cat->topology] : "? ");
	long long t0 = llround(d->t[0] * 1e9), t1 = llround(d->t[1] * 1e9);

	put_line(text, file, names, by_view, d->line[0]);
	g_string_append_c(text, ' ');
	if (d->cat->topology == SLOG2_ARROW) {
		put_line(text, file, names, by_view, d->line[1]);
		g_string_append_c(text, ' ');
	}
	put_quoted(text, d->cat->name);
	g_string_append_printf(text, " %lld", t0);
	if (d->cat->topology != SLOG2_EVENT)
		g_string_append_printf(text, " %lld", t1 - t0);
	return g_string_free(text, FALSE);
}

static int compare_times(gconstpointer pa, gconstpointer pb)
{
	const struct slog2_drawable *a = *(const struct slog2_drawable *const *)pa;
	const struct slog2_drawable *b = *(const struct slog2_drawable *const *)pb;

	for (guint i = 0; i < 2; i++)
		if (a->t[i] != b->t[i])
			return a->t[i] < b->t[i] ? -1 : 1;
	if (a->line[0] != b->line[0])
		return a->line[0] < b->line[0] ? -1 : 1;
	return strcmp(a->cat->name, b->cat->name);
}

gboolean slog2_dump(const struct slog2 *file, const char *rows)
{
	g_autoptr(GPtrArray) order = g_ptr_array_new();
	g_autoptr(GHashTable) names = NULL;
	gboolean by_view = FALSE;

	if (rows && !(names = read_rows(rows, &by_view)))
		return FALSE;
	for (guint i = 0; i < file->drawables->len; i++)
		g_ptr_array_add(order, &g_array_index(file->drawables, struct slog2_drawable, i));
	g_ptr_array_sort(order, compare_times);
	for (guint i = 0; i < order->len; i++) {
		g_autofree char *text =
			drawable_text(file, names, by_view, g_ptr_array_index(order, i));

		puts(text);
	}
	return TRUE;
}
