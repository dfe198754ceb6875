/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slog2-check [--dump [--rows ROWS.tsv]] [--items --rows ROWS.tsv] FILE
 *
 * Exit status: 0 the file keeps all rules, 1 it does not (a sentence for each violation on standard
 * error), 2 it cannot be read.
 *
 * --dump prints one line per drawable, by time (ns):
 *
 *	span LINEPATH "CATEGORY" START DURATION
 *
 *	arrow LINEPATH LINEPATH "CATEGORY" START DURATION
 *
 *	point LINEPATH "CATEGORY" TIME
 *
 * LINEPATH is the path of the line in the first map, numbers joined with a slash; with --rows it is
 * the quoted names of the table next to the file, and lane=N.
 *
 * --items prints one line per drawable as the text output has it, with marks and attributes.
 */
#include "slog2-check.h"

#include <stdarg.h>
#include <string.h>

enum { MAX_SHOWN = 50 };

void slog2_bad(struct slog2 *file, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	if (file->n_bad++ < MAX_SHOWN)
		g_printerr("%s: %s\n", file->path, text);
}

static void free_cat(gpointer data)
{
	struct slog2_cat *cat = data;

	g_free(cat->name);
	g_free(cat->types);
	g_ptr_array_unref(cat->keys);
	g_free(cat);
}

static void free_map(gpointer data)
{
	struct slog2_map *map = data;

	if (map->rows)
		g_hash_table_unref(map->rows);
	g_free(map->title);
	g_free(map);
}

static int compare_blocks(gconstpointer pa, gconstpointer pb)
{
	const struct slog2_ptr *a = pa, *b = pb;

	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static void check_overlap(struct slog2 *file)
{
	const struct slog2_ptr *block;

	g_array_sort(file->blocks, compare_blocks);
	block = (const struct slog2_ptr *)(gpointer)file->blocks->data;
	for (guint i = 1; i < file->blocks->len; i++)
		if (block[i - 1].offset + block[i - 1].size > block[i].offset)
			slog2_bad(file,
				  "the blocks at %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
				  " overlap",
				  block[i - 1].offset, block[i].offset);
}

static void check_file(struct slog2 *file)
{
	if (!slog2_read_header(file))
		return;
	slog2_read_cats(file);
	slog2_read_maps(file);
	slog2_read_tree(file);
	slog2_check_directory(file);
	check_overlap(file);
}

static struct slog2 *new_file(const char *path, GMappedFile *mapped)
{
	struct slog2 *file = g_new0(struct slog2, 1);

	file->path = path;
	file->data = (const guint8 *)g_mapped_file_get_contents(mapped);
	file->len = g_mapped_file_get_length(mapped);
	file->cats = g_ptr_array_new_with_free_func(free_cat);
	file->cat_index = g_hash_table_new(NULL, NULL);
	file->maps = g_ptr_array_new_with_free_func(free_map);
	file->nodes = g_array_new(FALSE, FALSE, sizeof(struct slog2_node));
	file->drawables = g_array_new(FALSE, FALSE, sizeof(struct slog2_drawable));
	file->blocks = g_array_new(FALSE, FALSE, sizeof(struct slog2_ptr));
	return file;
}

static void free_file(struct slog2 *file)
{
	g_array_unref(file->blocks);
	g_array_unref(file->drawables);
	g_array_unref(file->nodes);
	g_ptr_array_unref(file->maps);
	g_hash_table_unref(file->cat_index);
	g_ptr_array_unref(file->cats);
	g_free(file);
}

struct options {
	gboolean dump, items;
	char *rows;
};

/* FALSE if the table of rows is unreadable. */
static gboolean print(const struct slog2 *file, const struct options *options)
{
	g_autoptr(slog2_names) names = NULL;

	if (options->rows && !(names = slog2_names_read(options->rows)))
		return FALSE;
	if (options->dump)
		slog2_dump(file, names);
	if (options->items)
		slog2_items(file, names);
	return TRUE;
}

static int run(const char *path, const struct options *options)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GMappedFile) mapped = g_mapped_file_new(path, FALSE, &error);
	struct slog2 *file;
	int status;

	if (!mapped) {
		g_printerr("%s\n", error->message);
		return 2;
	}
	file = new_file(path, mapped);
	check_file(file);
	if (file->n_bad > MAX_SHOWN)
		g_printerr("%s: ... %u violations in all\n", path, file->n_bad);
	status = file->n_bad ? 1 : 0;
	if (file->maps->len && !print(file, options)) {
		g_printerr("cannot read %s\n", options->rows);
		status = 2;
	}
	free_file(file);
	return status;
}

int main(int argc, char **argv)
{
	struct options options = { 0 };
	const GOptionEntry entries[] = {
		{ "dump", 0, 0, G_OPTION_ARG_NONE, &options.dump, "Print the drawables", NULL },
		{ "items", 0, 0, G_OPTION_ARG_NONE, &options.items, "Print them as items", NULL },
		{ "rows", 0, 0, G_OPTION_ARG_FILENAME, &options.rows, "Names of the rows", "FILE" },
		{ NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new("FILE");
	int status = 2;

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, NULL) || argc != 2 ||
	    (options.items && !options.rows))
		g_printerr(
			"usage: slog2-check [--dump [--rows ROWS.tsv]] [--items --rows ROWS.tsv] "
			"FILE\n");
	else
		status = run(argv[1], &options);
	g_free(options.rows);
	return status;
}
