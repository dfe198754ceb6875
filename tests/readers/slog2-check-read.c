/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values, header, categories, maps and directory. */
#include "slog2-check.h"

#include <math.h>
#include <string.h>

gboolean slog2_block(struct slog2 *file, struct slog2_ptr ptr, const char *what,
		     struct slog2_cursor *cursor)
{
	*cursor = (struct slog2_cursor){ .file = file, .what = what };
	if (!ptr.offset || ptr.size <= 0) {
		slog2_bad(file, "the pointer to the %s is null", what);
		return FALSE;
	}
	if (ptr.offset < SLOG2_HEADER_SIZE || (guint64)ptr.offset > file->len ||
	    (guint64)ptr.size > file->len - (guint64)ptr.offset) {
		slog2_bad(file, "the %s (%d bytes at %" G_GINT64_FORMAT ") is outside of the file",
			  what, ptr.size, ptr.offset);
		return FALSE;
	}
	if (ptr.size > file->max_buffer)
		slog2_bad(file, "the %s has %d bytes, more than max_buffer_bytesize", what,
			  ptr.size);
	g_array_append_val(file->blocks, ptr);
	cursor->at = (gsize)ptr.offset;
	cursor->end = cursor->at + (gsize)ptr.size;
	return TRUE;
}

static guint64 get_bits(struct slog2_cursor *cursor, gsize n)
{
	guint64 bits = 0;

	if (!cursor->ended && cursor->end - cursor->at < n) {
		cursor->ended = TRUE;
		slog2_bad(cursor->file, "the %s ends early, at byte %" G_GSIZE_FORMAT, cursor->what,
			  cursor->end);
	}
	if (cursor->ended)
		return 0;
	for (gsize i = 0; i < n; i++)
		bits = bits << 8 | cursor->file->data[cursor->at++];
	return bits;
}

gint64 slog2_int(struct slog2_cursor *cursor, gsize n)
{
	guint64 bits = get_bits(cursor, n), sign = (guint64)1 << (8 * n - 1);

	return (gint64)((bits ^ sign) - sign);
}

double slog2_f32(struct slog2_cursor *cursor)
{
	guint32 bits = (guint32)get_bits(cursor, 4);
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

double slog2_f64(struct slog2_cursor *cursor)
{
	guint64 bits = get_bits(cursor, 8);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

gint64 slog2_count(struct slog2_cursor *cursor, gsize n, const char *what)
{
	gint64 count = slog2_int(cursor, n);

	if (count < 0)
		slog2_bad(cursor->file, "%s: the number of %s is negative", cursor->what, what);
	return MAX(count, 0);
}

char *slog2_str(struct slog2_cursor *cursor)
{
	gsize start = cursor->at, len = (gsize)slog2_count(cursor, 2, "bytes of a string");
	const char *text = (const char *)cursor->file->data + cursor->at;

	if (!cursor->ended && cursor->end - cursor->at < len) {
		cursor->ended = TRUE;
		slog2_bad(cursor->file,
			  "%s: the string at %" G_GSIZE_FORMAT " is longer than its block",
			  cursor->what, start);
	}
	if (cursor->ended)
		return g_strdup("");
	if (!g_utf8_validate(text, (gssize)len, NULL))
		slog2_bad(cursor->file, "%s: the string at %" G_GSIZE_FORMAT " is not UTF-8",
			  cursor->what, start);
	cursor->at += len;
	return g_strndup(text, len);
}

struct slog2_ptr slog2_get_ptr(struct slog2_cursor *cursor)
{
	struct slog2_ptr ptr;

	ptr.offset = slog2_int(cursor, 8);
	ptr.size = (gint32)slog2_int(cursor, 4);
	return ptr;
}

struct slog2_box slog2_get_box(struct slog2_cursor *cursor)
{
	struct slog2_box box;

	box.t0 = slog2_f64(cursor);
	box.t1 = slog2_f64(cursor);
	if (!isfinite(box.t0) || !isfinite(box.t1) || box.t0 > box.t1)
		slog2_bad(cursor->file, "%s: %g .. %g is no time box", cursor->what, box.t0,
			  box.t1);
	return box;
}

struct slog2_id slog2_get_id(struct slog2_cursor *cursor)
{
	struct slog2_id id;

	id.depth = (gint32)slog2_int(cursor, 2);
	id.xpos = (gint32)slog2_int(cursor, 4);
	return id;
}

static void check_null(struct slog2 *file, struct slog2_ptr ptr, const char *what)
{
	if (ptr.offset || ptr.size)
		slog2_bad(file, "the pointer to the %s is not null", what);
}

gboolean slog2_read_header(struct slog2 *file)
{
	struct slog2_cursor cursor = { .file = file, .what = "header", .end = SLOG2_HEADER_SIZE };

	if (file->len < SLOG2_HEADER_SIZE) {
		slog2_bad(file, "the file is shorter than a header");
		return FALSE;
	}
	if (memcmp(file->data, "\0\nSLOG 2.0.6", 12)) {
		slog2_bad(file, "the version is not \"SLOG 2.0.6\"");
		return FALSE;
	}
	cursor.at = 12;
	file->n_children = (gint32)slog2_int(&cursor, 2);
	if (file->n_children < 2)
		slog2_bad(file, "num_children_per_node is %d, less than 2", file->n_children);
	if (slog2_int(&cursor, 4) <= 0)
		slog2_bad(file, "treeleaf_bytesize is not positive");
	file->max_depth = (gint32)slog2_int(&cursor, 2);
	file->max_buffer = (gint32)slog2_int(&cursor, 4);
	file->cats_at = slog2_get_ptr(&cursor);
	check_null(file, slog2_get_ptr(&cursor), "method definitions");
	file->maps_at = slog2_get_ptr(&cursor);
	file->root_at = slog2_get_ptr(&cursor);
	file->directory_at = slog2_get_ptr(&cursor);
	check_null(file, slog2_get_ptr(&cursor), "annotations");
	check_null(file, slog2_get_ptr(&cursor), "postamble");
	return TRUE;
}

static void check_preview_cat(struct slog2 *file, const struct slog2_cat *cat)
{
	static const gint32 topology[] = { SLOG2_EVENT, SLOG2_ARROW, SLOG2_STATE };

	if (cat->index < -3 || topology[-1 - cat->index] != cat->topology)
		slog2_bad(file, "category %d is not a preview category of topology %d", cat->index,
			  cat->topology);
	if (cat->inclusive != 0 || cat->exclusive != 0 || cat->count != 0)
		slog2_bad(file, "preview category %d has ratios or a count", cat->index);
}

static void check_cat(struct slog2 *file, const struct slog2_cat *cat)
{
	if (cat->topology < SLOG2_EVENT || cat->topology > SLOG2_ARROW)
		slog2_bad(file, "category %d has the topology %d", cat->index, cat->topology);
	else if (cat->index < 0)
		check_preview_cat(file, cat);
	if (cat->types[strspn(cat->types, "shdlxXeE")])
		slog2_bad(file, "category %d has the info types \"%s\"", cat->index, cat->types);
	if (!isfinite(cat->inclusive) || !isfinite(cat->exclusive))
		slog2_bad(file, "a ratio of category %d is not a number", cat->index);
}

static struct slog2_cat *read_cat(struct slog2_cursor *cursor)
{
	struct slog2_cat *cat = g_new0(struct slog2_cat, 1);
	gint64 n;

	cat->index = (gint32)slog2_int(cursor, 4);
	cat->name = slog2_str(cursor);
	cat->topology = (gint32)slog2_int(cursor, 4);
	slog2_int(cursor, 4); /* colour */
	slog2_int(cursor, 1); /* modifiable */
	slog2_int(cursor, 1); /* width */
	cat->keys = g_ptr_array_new_with_free_func(g_free);
	n = slog2_count(cursor, 2, "info keys");
	for (gint64 i = 0; i < n && !cursor->ended; i++)
		g_ptr_array_add(cat->keys, slog2_str(cursor));
	n = slog2_count(cursor, 2, "info types");
	cat->types = g_malloc0((gsize)n + 1);
	for (gint64 i = 0; i < n && !cursor->ended; i++)
		cat->types[i] = (char)slog2_int(cursor, 1);
	n = slog2_count(cursor, 2, "methods");
	for (gint64 i = 0; i < n && !cursor->ended; i++)
		slog2_int(cursor, 4);
	cat->inclusive = slog2_f32(cursor);
	cat->exclusive = slog2_f32(cursor);
	cat->count = slog2_int(cursor, 8);
	return cat;
}

void slog2_read_cats(struct slog2 *file)
{
	struct slog2_cursor cursor;
	gint64 n;

	if (!slog2_block(file, file->cats_at, "category map", &cursor))
		return;
	n = slog2_count(&cursor, 4, "categories");
	for (gint64 i = 0; i < n && !cursor.ended; i++) {
		struct slog2_cat *cat = read_cat(&cursor);

		g_ptr_array_add(file->cats, cat);
		if (cursor.ended)
			return;
		check_cat(file, cat);
		if (slog2_cat(file, cat->index))
			slog2_bad(file, "there are two categories with the index %d", cat->index);
		g_hash_table_insert(file->cat_index, GINT_TO_POINTER(cat->index), cat);
	}
}

static void read_row(struct slog2_cursor *cursor, struct slog2_map *map)
{
	gint32 line = (gint32)slog2_int(cursor, 4);
	gint32 *path = g_new0(gint32, map->n_columns);

	for (gint32 i = 0; i < map->n_columns; i++) {
		path[i] = (gint32)slog2_int(cursor, 4);
		if (path[i] < 0)
			slog2_bad(cursor->file,
				  "map \"%s\": line %d has the negative path value %d", map->title,
				  line, path[i]);
	}
	if (g_hash_table_contains(map->rows, GINT_TO_POINTER(line)))
		slog2_bad(cursor->file, "map \"%s\": line %d has two rows", map->title, line);
	g_hash_table_insert(map->rows, GINT_TO_POINTER(line), path);
}

static void read_map(struct slog2_cursor *cursor, struct slog2_map *map)
{
	gint64 n;

	map->title = slog2_str(cursor);
	map->n_columns = (gint32)slog2_int(cursor, 4);
	map->rows = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	if (cursor->ended)
		return;
	if (map->n_columns < 1 || (gsize)map->n_columns > cursor->end - cursor->at) {
		slog2_bad(cursor->file, "map \"%s\" has %d columns", map->title, map->n_columns);
		cursor->ended = TRUE;
		return;
	}
	for (gint32 i = 0; i < map->n_columns && !cursor->ended; i++)
		g_free(slog2_str(cursor));
	n = slog2_count(cursor, 4, "rows");
	for (gint64 i = 0; i < n && !cursor->ended; i++)
		read_row(cursor, map);
	n = slog2_count(cursor, 2, "methods");
	if (n > 1)
		slog2_bad(cursor->file, "map \"%s\" has more than one method", map->title);
	for (gint64 i = 0; i < n && !cursor->ended; i++)
		if (slog2_int(cursor, 4) != 1)
			slog2_bad(cursor->file, "map \"%s\" has an unknown method", map->title);
}

void slog2_read_maps(struct slog2 *file)
{
	struct slog2_cursor cursor;
	gint64 n;

	if (!slog2_block(file, file->maps_at, "line id map list", &cursor))
		return;
	n = slog2_count(&cursor, 4, "maps");
	if (!n)
		slog2_bad(file, "there is no line id map");
	for (gint64 i = 0; i < n && !cursor.ended; i++) {
		struct slog2_map *map = g_new0(struct slog2_map, 1);

		g_ptr_array_add(file->maps, map);
		read_map(&cursor, map);
	}
}

void slog2_check_line(struct slog2 *file, gint32 line, const char *what)
{
	for (guint i = 0; i < file->maps->len; i++) {
		const struct slog2_map *map = g_ptr_array_index(file->maps, i);

		if (map->rows && !g_hash_table_contains(map->rows, GINT_TO_POINTER(line)))
			slog2_bad(file, "%s: line %d is missing from the map \"%s\"", what, line,
				  map->title);
	}
}

static gint64 node_key(struct slog2_id id)
{
	return (gint64)id.depth << 32 | (guint32)id.xpos;
}

static GHashTable *index_nodes(struct slog2 *file)
{
	GHashTable *nodes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

	for (guint i = 0; i < file->nodes->len; i++) {
		struct slog2_node *node = &g_array_index(file->nodes, struct slog2_node, i);
		gint64 *key = g_new(gint64, 1);

		*key = node_key(node->id);
		g_hash_table_insert(nodes, key, node);
	}
	return nodes;
}

static void check_entry(struct slog2_cursor *cursor, GHashTable *nodes)
{
	struct slog2_id id = slog2_get_id(cursor);
	struct slog2_box box = slog2_get_box(cursor);
	struct slog2_ptr place = slog2_get_ptr(cursor);
	gint64 key = node_key(id);
	const struct slog2_node *node = g_hash_table_lookup(nodes, &key);

	if (cursor->ended)
		return;
	if (!node) {
		slog2_bad(cursor->file,
			  "the directory lists node (%d, %d), which the tree has not, "
			  "or lists it twice",
			  id.depth, id.xpos);
		return;
	}
	if (node->box.t0 != box.t0 || node->box.t1 != box.t1)
		slog2_bad(cursor->file, "the directory has another box for node (%d, %d)", id.depth,
			  id.xpos);
	if (node->place.offset != place.offset || node->place.size != place.size)
		slog2_bad(cursor->file, "the directory has another place for node (%d, %d)",
			  id.depth, id.xpos);
	g_hash_table_remove(nodes, &key);
}

void slog2_check_directory(struct slog2 *file)
{
	struct slog2_cursor cursor;
	g_autoptr(GHashTable) nodes = index_nodes(file);
	gint64 n;

	if (!slog2_block(file, file->directory_at, "directory", &cursor))
		return;
	n = slog2_count(&cursor, 4, "entries");
	for (gint64 i = 0; i < n && !cursor.ended; i++)
		check_entry(&cursor, nodes);
	if (g_hash_table_size(nodes))
		slog2_bad(file, "%u nodes are missing from the directory",
			  g_hash_table_size(nodes));
}
