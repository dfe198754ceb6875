/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a SLOG-2 file completely and fails the running test where it breaks a rule that Jumpshot relies on.
 * Written from docs/formats/slog2.md alone.
 */
#ifndef IOT_TESTS_SLOG2_WALK_H
#define IOT_TESTS_SLOG2_WALK_H

#include "unit.h"

#include <glib.h>
#include <math.h>
#include <string.h>

struct walk_category {
	gint32 index;
	char *name;
	guint32 topology, argb;
	GPtrArray *keys;
	char *types;
	float inclusive, exclusive;
	guint64 count;
};

struct walk_drawable {
	gint32 category;
	guint32 line;
	double t0, t1;
	double node0;	/* the begin of its node */
	guint depth;
	char *info;	/* the text of the pop-up box */
};

struct walk_map {
	char *title;
	GPtrArray *columns;
	GHashTable *rows;	/* line -> "a.b.c" */
};

struct walk {
	const guint8 *data;
	gsize size, at;
	guint32 max_block;
	guint n_children, max_depth, n_nodes, n_stubs, n_previews;
	GHashTable *categories;	/* index -> struct walk_category */
	GPtrArray *drawables;	/* in the order of the file's tree, root first */
	GPtrArray *maps;
	double root0, root1;
};

static inline guint64 walk_u(struct walk *w, guint n)
{
	guint64 v = 0;

	if (w->at + n > w->size) {
		CU_FAIL("the file ends early");
		w->at = w->size;
		return 0;
	}
	while (n--)
		v = v << 8 | w->data[w->at++];
	return v;
}

static inline gint16 walk_i16(struct walk *w)
{
	return (gint16)walk_u(w, 2);
}

static inline gint32 walk_i32(struct walk *w)
{
	return (gint32)walk_u(w, 4);
}

static inline double walk_f64(struct walk *w)
{
	guint64 bits = walk_u(w, 8);
	double v;

	memcpy(&v, &bits, 8);
	CU_ASSERT(isfinite(v));
	return v;
}

static inline float walk_f32(struct walk *w)
{
	guint32 bits = (guint32)walk_u(w, 4);
	float v;

	memcpy(&v, &bits, 4);
	CU_ASSERT(isfinite(v));
	CU_ASSERT(v >= 0);
	return v;
}

static inline char *walk_str(struct walk *w)
{
	gint16 n = walk_i16(w);
	char *text;

	CU_ASSERT(n >= 0);
	if (n < 0 || w->at + (gsize)n > w->size)
		return g_strdup("");
	text = g_strndup((const char *)w->data + w->at, (gsize)n);
	w->at += (gsize)n;
	return text;
}

/* Go to a block; returns its end. */
static inline gsize walk_block(struct walk *w)
{
	guint64 offset = walk_u(w, 8), bytes = walk_u(w, 4);

	CU_ASSERT(offset > 0);
	CU_ASSERT(bytes > 0);
	CU_ASSERT(bytes <= w->max_block);
	CU_ASSERT(offset + bytes <= w->size);
	w->at = offset;
	return offset + bytes;
}

static inline void walk_null(struct walk *w)
{
	CU_ASSERT_EQUAL(walk_u(w, 8), 0);
	CU_ASSERT_EQUAL(walk_u(w, 4), 0);
}

static inline void walk_free_category(gpointer data)
{
	struct walk_category *cat = data;

	g_free(cat->name);
	g_ptr_array_unref(cat->keys);
	g_free(cat->types);
	g_free(cat);
}

static inline void walk_free_drawable(gpointer data)
{
	g_free(((struct walk_drawable *)data)->info);
	g_free(data);
}

static inline void walk_free_map(gpointer data)
{
	struct walk_map *map = data;

	g_free(map->title);
	g_ptr_array_unref(map->columns);
	g_hash_table_unref(map->rows);
	g_free(map);
}

static inline void walk_categories(struct walk *w)
{
	gsize end = walk_block(w);

	for (gint32 n = walk_i32(w); n > 0; n--) {
		struct walk_category *cat = g_new0(struct walk_category, 1);
		gint16 n_types;

		cat->index = walk_i32(w);
		cat->name = walk_str(w);
		cat->topology = (guint32)walk_u(w, 4);
		cat->argb = (guint32)walk_u(w, 4);
		walk_u(w, 2);
		cat->keys = g_ptr_array_new_with_free_func(g_free);
		for (gint16 k = walk_i16(w); k > 0; k--)
			g_ptr_array_add(cat->keys, walk_str(w));
		n_types = walk_i16(w);
		cat->types = g_strndup((const char *)w->data + w->at, (gsize)n_types);
		w->at += (gsize)n_types;
		CU_ASSERT_EQUAL(walk_i16(w), 0);
		cat->inclusive = walk_f32(w);
		cat->exclusive = walk_f32(w);
		cat->count = walk_u(w, 8);
		CU_ASSERT(!g_hash_table_contains(w->categories, GINT_TO_POINTER(cat->index)));
		g_hash_table_insert(w->categories, GINT_TO_POINTER(cat->index), cat);
	}
	CU_ASSERT(g_hash_table_size(w->categories) > 0);
	CU_ASSERT_EQUAL(w->at, end);
}

static inline void walk_maps(struct walk *w)
{
	gsize end = walk_block(w);

	for (gint32 n = walk_i32(w); n > 0; n--) {
		struct walk_map *map = g_new0(struct walk_map, 1);

		map->title = walk_str(w);
		map->columns = g_ptr_array_new_with_free_func(g_free);
		map->rows = g_hash_table_new_full(NULL, NULL, NULL, g_free);
		for (gint32 k = walk_i32(w); k > 0; k--)
			g_ptr_array_add(map->columns, walk_str(w));
		CU_ASSERT(map->columns->len > 0);
		for (gint32 rows = walk_i32(w); rows > 0; rows--) {
			gint32 line = walk_i32(w);
			GString *path = g_string_new(NULL);

			for (guint k = 0; k < map->columns->len; k++) {
				gint32 v = walk_i32(w);

				CU_ASSERT(v >= 0);
				g_string_append_printf(path, "%s%d", k ? "." : "", v);
			}
			CU_ASSERT(!g_hash_table_contains(map->rows, GINT_TO_POINTER(line)));
			g_hash_table_insert(map->rows, GINT_TO_POINTER(line),
					    g_string_free(path, FALSE));
		}
		CU_ASSERT_EQUAL(walk_i16(w), 0);
		g_ptr_array_add(w->maps, map);
	}
	CU_ASSERT(w->maps->len > 0);
	CU_ASSERT_EQUAL(w->at, end);
}

static inline void walk_check_line(struct walk *w, gint32 line)
{
	for (guint i = 0; i < w->maps->len; i++) {
		struct walk_map *map = g_ptr_array_index(w->maps, i);

		CU_ASSERT(g_hash_table_contains(map->rows, GINT_TO_POINTER(line)));
	}
}

/* The values as in the pop-up box, but hexadecimal numbers without prefix. */
static inline char *walk_info(struct walk *w, const struct walk_category *cat, gint16 bytes)
{
	gsize end = w->at + (gsize)bytes;
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < cat->keys->len || i < strlen(cat->types); i++) {
		g_autofree char *value = NULL;

		if (i < cat->keys->len)
			g_string_append(text, g_ptr_array_index(cat->keys, i));
		if (i >= strlen(cat->types))
			continue;
		switch (cat->types[i]) {
		case 's':
			value = walk_str(w);
			break;
		case 'd':
			value = g_strdup_printf("%d", walk_i32(w));
			break;
		case 'l':
			value = g_strdup_printf("%" G_GINT64_FORMAT, (gint64)walk_u(w, 8));
			break;
		case 'X':
			value = g_strdup_printf("%" G_GINT64_MODIFIER "x", walk_u(w, 8));
			break;
		case 'E':
			value = g_strdup_printf("%.9f", walk_f64(w));
			break;
		default:
			CU_FAIL("unknown info type");
		}
		g_string_append(text, value ? value : "");
	}
	CU_ASSERT_EQUAL(w->at, end);
	w->at = end;
	return g_string_free(text, FALSE);
}

static inline struct walk_drawable *walk_drawable(struct walk *w, guint topology)
{
	struct walk_drawable *d = g_new0(struct walk_drawable, 1);
	const struct walk_category *cat;
	gint16 n;

	CU_ASSERT_EQUAL(walk_u(w, 1), 0);
	d->category = walk_i32(w);
	cat = g_hash_table_lookup(w->categories, GINT_TO_POINTER(d->category));
	CU_ASSERT_PTR_NOT_NULL_FATAL(cat);
	CU_ASSERT_EQUAL(cat->topology, topology);
	n = walk_i16(w);
	CU_ASSERT(n >= 0);
	d->info = walk_info(w, cat, n);
	CU_ASSERT_EQUAL(walk_i16(w), topology ? 2 : 1);
	d->t0 = d->t1 = walk_f64(w);
	d->line = (guint32)walk_u(w, 4);
	if (topology) {
		d->t1 = walk_f64(w);
		CU_ASSERT_EQUAL((guint32)walk_u(w, 4), d->line);
	}
	CU_ASSERT(d->t0 <= d->t1);
	walk_check_line(w, (gint32)d->line);
	g_ptr_array_add(w->drawables, d);
	return d;
}

static inline guint64 walk_weights(struct walk *w, guint topology)
{
	guint64 sum = 0;
	gint32 n = walk_i32(w);
	float before = 0;

	CU_ASSERT(n >= 1);
	for (; n > 0; n--) {
		const struct walk_category *cat =
			g_hash_table_lookup(w->categories, GINT_TO_POINTER(walk_i32(w)));
		float inclusive = walk_f32(w);

		CU_ASSERT_PTR_NOT_NULL_FATAL(cat);
		CU_ASSERT_EQUAL(cat->topology, topology);
		CU_ASSERT(inclusive >= before);
		before = inclusive;
		CU_ASSERT(walk_f32(w) <= inclusive);
		sum += walk_u(w, 8);
	}
	return sum;
}

/* One list of previews; returns the number of drawables in them. */
static inline guint64 walk_previews(struct walk *w, guint topology, double t0, double t1)
{
	guint64 sum = 0;
	double before0 = -1, before1 = 0;

	for (gint32 n = walk_i32(w); n > 0; n--) {
		const struct walk_category *cat =
			g_hash_table_lookup(w->categories, GINT_TO_POINTER(walk_i32(w)));
		double average0, average1, row0, row1;
		guint64 count;

		CU_ASSERT_PTR_NOT_NULL_FATAL(cat);
		CU_ASSERT_EQUAL(cat->topology, topology);
		CU_ASSERT(cat->index < 0);
		CU_ASSERT_EQUAL(walk_i16(w), 0);
		CU_ASSERT_EQUAL(walk_i16(w), topology ? 2 : 1);
		average0 = average1 = walk_f64(w);
		walk_check_line(w, walk_i32(w));
		if (topology) {
			average1 = walk_f64(w);
			walk_check_line(w, walk_i32(w));
		}
		row0 = walk_f64(w);
		row1 = walk_f64(w);
		CU_ASSERT(t0 <= row0 && row1 <= t1);
		CU_ASSERT(row0 <= average0 && average0 <= average1 && average1 <= row1);
		CU_ASSERT(row0 > before0 || (row0 == before0 && row1 <= before1));
		before0 = row0;
		before1 = row1;
		count = walk_u(w, 8);
		CU_ASSERT_EQUAL(walk_weights(w, topology), count);
		sum += count;
		w->n_previews++;
	}
	return sum;
}

static inline void walk_list(struct walk *w, guint topology, guint depth, double t0, double t1)
{
	double before0 = -1, before1 = 0;

	for (gint32 n = walk_i32(w); n > 0; n--) {
		struct walk_drawable *d = walk_drawable(w, topology);

		d->depth = depth;
		d->node0 = t0;
		CU_ASSERT(t0 <= d->t0 && d->t1 <= t1);
		CU_ASSERT(d->t0 > before0 || (d->t0 == before0 && d->t1 <= before1));
		before0 = d->t0;
		before1 = d->t1;
	}
}

/* The node at the current place; returns the number of drawables in it and below. */
static inline guint64 walk_node(struct walk *w, gint depth, gint32 xpos, double *out_t0, double *out_t1)
{
	gsize start = w->at, end;
	guint n_before = w->drawables->len;
	guint64 total;
	double t0 = walk_f64(w), t1 = walk_f64(w), last = t0;
	gint32 n_stubs;

	w->n_nodes++;
	CU_ASSERT(t0 <= t1);
	CU_ASSERT_EQUAL(walk_i16(w), depth);
	CU_ASSERT_EQUAL(walk_i32(w), xpos);
	CU_ASSERT_EQUAL(walk_u(w, 8), start);
	end = start + walk_u(w, 4);
	walk_list(w, 0, (guint)depth, t0, t1);
	walk_list(w, 1, (guint)depth, t0, t1);
	total = w->drawables->len - n_before;
	n_stubs = walk_i32(w);
	CU_ASSERT(depth ? n_stubs >= 1 && n_stubs <= (gint32)w->n_children : n_stubs == 0);
	for (gint32 i = 0; i < n_stubs; i++) {
		double row0 = walk_f64(w), row1 = walk_f64(w), child0, child1;
		guint64 below;
		gsize next;

		CU_ASSERT(last <= row0 && row1 <= t1);
		last = row1;
		CU_ASSERT_EQUAL(walk_i16(w), depth - 1);
		CU_ASSERT_EQUAL(walk_i32(w), xpos * (gint32)w->n_children + i);
		next = w->at + 12;
		walk_block(w);
		below = walk_node(w, depth - 1, xpos * (gint32)w->n_children + i, &child0, &child1);
		CU_ASSERT_EQUAL(child0, row0);
		CU_ASSERT_EQUAL(child1, row1);
		w->at = next;
		next = below;
		CU_ASSERT_EQUAL(walk_previews(w, 0, row0, row1) + walk_previews(w, 1, row0, row1),
				next);
		total += below;
		w->n_stubs++;
	}
	CU_ASSERT_EQUAL(w->at, end);
	*out_t0 = t0;
	*out_t1 = t1;
	return total;
}

static inline void walk_directory(struct walk *w)
{
	gsize end = walk_block(w);

	CU_ASSERT_EQUAL(walk_i32(w), (gint32)w->n_nodes);
	for (guint i = 0; i < w->n_nodes; i++) {
		guint depth = (guint)walk_i16(w);

		if (!i)
			CU_ASSERT_EQUAL(depth, w->max_depth);
		walk_u(w, 4);
		walk_f64(w);
		walk_f64(w);
		walk_u(w, 8);
		walk_u(w, 4);
	}
	CU_ASSERT_EQUAL(w->at, end);
}

/* Read @data and check the whole tree. Free the result with walk_clear. */
static inline void walk_file(struct walk *w, const guint8 *data, gsize size)
{
	g_autofree char *version = NULL;
	GHashTableIter iter;
	gpointer cat;

	memset(w, 0, sizeof(*w));
	w->data = data;
	w->size = size;
	w->categories = g_hash_table_new_full(NULL, NULL, NULL, walk_free_category);
	w->drawables = g_ptr_array_new_with_free_func(walk_free_drawable);
	w->maps = g_ptr_array_new_with_free_func(walk_free_map);
	version = walk_str(w);
	CU_ASSERT_STRING_EQUAL(version, "SLOG 2.0.6");
	w->n_children = (guint)walk_i16(w);
	CU_ASSERT_FATAL(w->n_children >= 2);
	walk_i32(w);
	w->max_depth = (guint)walk_i16(w);
	w->max_block = (guint32)walk_i32(w);
	CU_ASSERT_EQUAL_FATAL(w->at, 24);
	walk_categories(w);
	w->at = 36;
	walk_null(w);
	walk_maps(w);
	w->at = 60;
	walk_block(w);
	walk_node(w, (gint)w->max_depth, 0, &w->root0, &w->root1);
	CU_ASSERT(w->root0 < w->root1);
	w->at = 72;
	walk_directory(w);
	w->at = 84;
	walk_null(w);
	walk_null(w);
	g_hash_table_iter_init(&iter, w->categories);
	while (g_hash_table_iter_next(&iter, NULL, &cat)) {
		const struct walk_category *c = cat;
		guint64 n = 0;

		for (guint i = 0; i < w->drawables->len; i++) {
			struct walk_drawable *d = g_ptr_array_index(w->drawables, i);

			n += d->category == c->index;
		}
		CU_ASSERT_EQUAL(c->count, n);
		CU_ASSERT(c->index < 0 || n > 0 || !w->drawables->len);
	}
}

static inline void walk_clear(struct walk *w)
{
	g_hash_table_unref(w->categories);
	g_ptr_array_unref(w->drawables);
	g_ptr_array_unref(w->maps);
}

#endif
