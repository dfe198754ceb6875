/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of rows, from the table beside the file. */
#include "slog2-check.h"

#include <string.h>

struct slog2_names {
	GHashTable *by_key; /* struct slog2_name */
	gboolean by_view;   /* the key is view and numbers, else the number of the line */
};

static void free_name(gpointer data)
{
	struct slog2_name *name = data;

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
	struct slog2_name *name = g_new0(struct slog2_name, 1);
	GString *key = g_string_new(cell[0]), *path = g_string_new(NULL);

	for (guint i = 1; i + 4 < n_cells; i += 2) {
		if (by_view)
			g_string_append_printf(key, "/%s", cell[i]);
		/* no name: the row is above that level */
		if (i > 1 && *cell[i + 1])
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

struct slog2_names *slog2_names_read(const char *path)
{
	struct slog2_names *names;
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	names = g_new0(struct slog2_names, 1);
	names->by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_name);
	names->by_view = g_str_has_prefix(text, "view\t");
	lines = g_strsplit_set(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		g_auto(GStrv) cells = g_strsplit(lines[i], "\t", -1);

		if (g_strv_length(cells) >= 6 && strcmp(cells[0], "view") &&
		    strcmp(cells[0], "line"))
			add_row(names->by_key, cells, g_strv_length(cells), names->by_view);
	}
	return names;
}

void slog2_names_free(struct slog2_names *names)
{
	if (!names)
		return;
	g_hash_table_unref(names->by_key);
	g_free(names);
}

char *slog2_line_path(const struct slog2_map *map, gint32 line)
{
	const gint32 *path = g_hash_table_lookup(map->rows, GINT_TO_POINTER(line));
	GString *text = g_string_new(NULL);

	for (gint32 i = 0; path && i < map->n_columns; i++)
		g_string_append_printf(text, i ? "/%d" : "%d", path[i]);
	return g_string_free(text, FALSE);
}

/* The row of all lines that have no row of their own in a map. */
static gboolean is_shared(const struct slog2_name *name)
{
	return !name->path || g_str_has_prefix(name->path, "(rows of other views)") ||
	       g_str_has_prefix(name->path, "(all other rows)");
}

const struct slog2_name *slog2_names_find(const struct slog2 *file, const struct slog2_names *names,
					  gint32 line)
{
	g_autofree char *number = g_strdup_printf("%d", line);

	if (!names->by_view)
		return g_hash_table_lookup(names->by_key, number);
	for (guint i = 0; i < file->maps->len; i++) {
		const struct slog2_map *map = g_ptr_array_index(file->maps, i);
		g_autofree char *path = slog2_line_path(map, line);
		g_autofree char *key = g_strconcat(map->title, "/", path, NULL);
		const struct slog2_name *name = g_hash_table_lookup(names->by_key, key);

		if (name && !is_shared(name))
			return name;
	}
	return NULL;
}
