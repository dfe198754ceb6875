/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The serialiser of SLOG-2 files; the mapping of the timeline to it is tested in test-slog2-sink.c. */
#include "unit.h"
#include "slog2-examples.h"
#include "slog2-walk.h"

#include "sinks/slog2/slog2-bytes.h"
#include "sinks/slog2/slog2-file.h"
#include "sinks/slog2/slog2-recent.h"

#include <glib/gstdio.h>
#include <stdlib.h>

enum { HALF_SECOND = 500000000, SECOND = 1000000000 };

struct fixture {
	char *dir, *path;
	struct iot_out *out;
	struct iot_slog2 *file;
	char *data;
	gsize size;
};

static void start_parking(struct fixture *f, guint32 leaf_bytes, guint32 leaf_bytes_per_line,
			  guint16 k, gsize parked_bytes)
{
	const struct iot_slog2_config config = {
		.n_children = k,
		.leaf_bytes = leaf_bytes,
		.leaf_bytes_per_line = leaf_bytes_per_line,
		.leaf_bytes_max = 65536,
		.parked_bytes = parked_bytes,
	};

	memset(f, 0, sizeof(*f));
	f->dir = g_dir_make_tmp("iotrace-XXXXXX", NULL);
	f->path = g_build_filename(f->dir, "out.slog2", NULL);
	f->out = iot_out_open(f->path, NULL);
	f->file = iot_slog2_new(f->out, &config);
}

/* All parked data are in temporary files. */
static void start(struct fixture *f, guint32 leaf_bytes, guint32 leaf_bytes_per_line, guint16 k)
{
	start_parking(f, leaf_bytes, leaf_bytes_per_line, k, 0);
}

static void end(struct fixture *f, guint64 raise_ns, const struct iot_slog2_category *cats,
		guint n_cats, const struct iot_slog2_map *map)
{
	iot_slog2_finish(f->file, raise_ns, cats, n_cats, map, 1);
	CU_ASSERT(iot_out_finish(f->out, NULL));
	CU_ASSERT(g_file_get_contents(f->path, &f->data, &f->size, NULL));
}

static void stop(struct fixture *f)
{
	iot_slog2_free(f->file);
	iot_out_free(f->out);
	g_unlink(f->path);
	g_rmdir(f->dir);
	g_free(f->path);
	g_free(f->dir);
	g_free(f->data);
}

static void add(struct fixture *f, guint8 topology, gint32 cat, guint32 line, guint64 t0, guint64 t1)
{
	iot_slog2_add(f->file, &(struct iot_slog2_drawable){ .topology = topology,
							    .category = cat,
							    .line = line,
							    .t0 = t0,
							    .t1 = t1 });
}

static void expect_fields(const struct fixture *f, const struct example_field *fields, guint n)
{
	for (guint i = 0; i < n; i++) {
		GString *got = g_string_new(NULL);
		g_auto(GStrv) words = g_strsplit(fields[i].hex, " ", -1);
		g_autofree char *want = g_strjoinv("", words);

		for (gsize k = 0; k < strlen(want) / 2 && fields[i].offset + k < f->size; k++)
			g_string_append_printf(got, "%02x", (guint8)f->data[fields[i].offset + k]);
		if (strcmp(got->str, want))
			g_printerr("%u %s: %s, expected %s\n", fields[i].offset,
				   fields[i].meaning, got->str, want);
		CU_ASSERT_STRING_EQUAL(got->str, want);
		g_string_free(got, TRUE);
	}
}

static const gint32 map_row[] = { 7, 1, 3 };
static const char *const map_columns[] = { "node", "lock" };
static const struct iot_slog2_map one_line_map = {
	.title = "DLM", .n_columns = 2, .columns = map_columns, .n_rows = 1, .rows = map_row
};
static const char *const id_key[] = { "id=" };
static const struct iot_slog2_category read_and_bast[] = {
	{ .index = 0,
	  .name = "read",
	  .topology = IOT_SLOG2_STATE,
	  .argb = 0xFF2060C0,
	  .n_keys = 1,
	  .keys = id_key,
	  .types = "d" },
	{ .index = 1, .name = "bast", .topology = IOT_SLOG2_EVENT, .argb = 0xFFE04020 },
};

UNIT_TEST(whole_file_byte_by_byte)
{
	static const guint8 info[] = { 0, 0, 0, 5 };
	struct fixture f;

	start(&f, 65536, 256, 2);
	add(&f, IOT_SLOG2_EVENT, 1, 7, HALF_SECOND, HALF_SECOND);
	iot_slog2_add(f.file, &(struct iot_slog2_drawable){ .topology = IOT_SLOG2_STATE,
							   .line = 7,
							   .t1 = SECOND,
							   .info = info,
							   .info_bytes = 4 });
	end(&f, 0, read_and_bast, 2, &one_line_map);
	CU_ASSERT_EQUAL(f.size, 489);
	expect_fields(&f, example_file, G_N_ELEMENTS(example_file));
	stop(&f);
}

static const struct iot_slog2_category plain_state = {
	.index = 0, .name = "lock", .topology = IOT_SLOG2_STATE, .argb = 0xFF00FF00
};

UNIT_TEST(root_of_three_nodes_byte_by_byte)
{
	struct fixture f;

	start(&f, 116, 0, 2);
	add(&f, IOT_SLOG2_STATE, 0, 7, 0, 1 * (guint64)SECOND);
	add(&f, IOT_SLOG2_STATE, 0, 7, 2 * (guint64)SECOND, 3 * (guint64)SECOND);
	add(&f, IOT_SLOG2_STATE, 0, 7, 4 * (guint64)SECOND, 5 * (guint64)SECOND);
	add(&f, IOT_SLOG2_STATE, 0, 7, 7 * (guint64)HALF_SECOND, 6 * (guint64)SECOND);
	end(&f, 0, &plain_state, 1, &one_line_map);
	expect_fields(&f, example_root, G_N_ELEMENTS(example_root));
	CU_ASSERT_EQUAL(f.data[66] << 8 | (guint8)f.data[67], 332);
	stop(&f);
}

UNIT_TEST(empty_file_has_a_root_that_is_not_empty)
{
	struct fixture f;
	struct walk w;

	start(&f, 65536, 256, 2);
	end(&f, 1, read_and_bast, 2, &one_line_map);
	walk_file(&w, (const guint8 *)f.data, f.size);
	CU_ASSERT_EQUAL(w.drawables->len, 0);
	CU_ASSERT_EQUAL(w.n_nodes, 1);
	walk_clear(&w);
	stop(&f);
}

UNIT_TEST(one_point)
{
	struct fixture f;
	struct walk w;

	start(&f, 65536, 256, 2);
	add(&f, IOT_SLOG2_EVENT, 1, 7, SECOND, SECOND);
	end(&f, 1, read_and_bast, 2, &one_line_map);
	walk_file(&w, (const guint8 *)f.data, f.size);
	CU_ASSERT_EQUAL(w.drawables->len, 1);
	CU_ASSERT_EQUAL(w.root0, 0.999999999); /* slog2filter leaves out drawables that end at the begin of the root */
	CU_ASSERT(w.root1 > 1.0);
	/* the used category and Preview_Event; nothing for states */
	CU_ASSERT_EQUAL(g_hash_table_size(w.categories), 2);
	walk_clear(&w);
	stop(&f);
}

/* slog2filter reads from each leaf the drawables that end after its begin, up to its end. */
UNIT_TEST(nothing_ends_where_a_leaf_begins)
{
	static const struct iot_slog2_category cats[] = {
		{ .index = 0, .name = "lock", .topology = IOT_SLOG2_STATE, .argb = 0xFF00FF00 },
		{ .index = 1, .name = "bast", .topology = IOT_SLOG2_EVENT, .argb = 0xFFE04020 },
	};
	struct fixture f;
	struct walk w;

	/* 333 bytes at each instant: more than one leaf, less than two */
	start(&f, 256, 0, 2);
	for (guint i = 1; i <= 20; i++) {
		for (guint k = 0; k < 5; k++)
			add(&f, IOT_SLOG2_STATE, 0, 7, i * SECOND - k * 1000, i * SECOND);
		for (guint k = 0; k < 8; k++)
			add(&f, IOT_SLOG2_EVENT, 1, 7, i * SECOND, i * SECOND);
	}
	end(&f, 1, cats, 2, &one_line_map);
	walk_file(&w, (const guint8 *)f.data, f.size);
	CU_ASSERT_EQUAL(w.drawables->len, 20 * 13);
	CU_ASSERT(w.n_nodes > 5);
	for (guint i = 0; i < w.drawables->len; i++) {
		const struct walk_drawable *d = g_ptr_array_index(w.drawables, i);

		CU_ASSERT(d->node0 < d->t1);
	}
	walk_clear(&w);
	stop(&f);
}

UNIT_TEST(events_at_one_instant_have_ratio_zero)
{
	struct fixture f;
	struct walk w;

	start(&f, 100, 0, 2);
	for (guint i = 0; i < 50; i++)
		add(&f, IOT_SLOG2_EVENT, 1, 7, SECOND, SECOND);
	for (guint i = 0; i < 50; i++)
		add(&f, IOT_SLOG2_STATE, 0, 7, SECOND, SECOND);
	end(&f, 1, (struct iot_slog2_category[]){ plain_state, read_and_bast[1] }, 2, &one_line_map);
	/* The walk refuses ratios that are not finite. */
	walk_file(&w, (const guint8 *)f.data, f.size);
	CU_ASSERT_EQUAL(w.drawables->len, 100);
	CU_ASSERT(w.n_previews > 10);
	walk_clear(&w);
	stop(&f);
}

UNIT_TEST(leaves_grow_with_the_lines)
{
	static const gint32 rows[] = { 1000, 1, 1 };
	const struct iot_slog2_map map = {
		.title = "m", .n_columns = 2, .columns = map_columns, .n_rows = 1, .rows = rows
	};
	struct fixture f;
	struct walk w;

	/* 2 events of 21 bytes fit into 100 bytes after the fixed part; a thousand lines allow 256000 */
	start(&f, 100, 256, 2);
	for (guint i = 0; i < 3000; i++)
		add(&f, IOT_SLOG2_EVENT, 1, 1000, i, i);
	end(&f, 1, read_and_bast, 2, &map);
	walk_file(&w, (const guint8 *)f.data, f.size);
	CU_ASSERT_EQUAL(w.n_nodes, 1);
	walk_clear(&w);
	stop(&f);
}

UNIT_TEST(strings_are_cut_at_a_character)
{
	g_autoptr(GString) name = g_string_new("x");
	struct iot_slog2_category cat = read_and_bast[1];
	struct walk_category *got;
	struct fixture f;
	struct walk w;

	while (name->len < 40000)
		g_string_append(name, "\xC3\xA4");
	cat.name = name->str;
	start(&f, 65536, 256, 2);
	add(&f, IOT_SLOG2_EVENT, 1, 7, 1, 1);
	CU_ASSERT_EQUAL(iot_slog2_finish(f.file, 1, &cat, 1, &one_line_map, 1), 1);
	CU_ASSERT(iot_out_finish(f.out, NULL));
	CU_ASSERT(g_file_get_contents(f.path, &f.data, &f.size, NULL));
	walk_file(&w, (const guint8 *)f.data, f.size);
	got = g_hash_table_lookup(w.categories, GINT_TO_POINTER(1));
	CU_ASSERT_EQUAL(strlen(got->name), 32767);
	CU_ASSERT(g_utf8_validate(got->name, -1, NULL));
	walk_clear(&w);
	stop(&f);
}

UNIT_TEST(cut_ends_at_a_character_border)
{
	CU_ASSERT_EQUAL(iot_slog2_cut("a\xC3\xA4z", 4, 4), 4);
	CU_ASSERT_EQUAL(iot_slog2_cut("a\xC3\xA4z", 4, 3), 3);
	CU_ASSERT_EQUAL(iot_slog2_cut("a\xC3\xA4z", 4, 2), 1);
	CU_ASSERT_EQUAL(iot_slog2_cut("\xE2\x82\xAC", 3, 2), 0);
}

static guint64 begin_at(struct iot_slog2_recent *recent, struct iot_slog2_recent_first *first, gint32 category,
			guint32 line, guint64 t0, guint64 t1)
{
	return iot_slog2_recent_start(recent, &first[line],
				      (struct iot_slog2_recent_state){ t0, t1, category, line });
}

UNIT_TEST(equal_states_become_distinct)
{
	struct fixture f;
	struct iot_slog2_recent recent = { 0 };
	struct iot_slog2_recent_first first[1000] = { 0 };

	start(&f, 65536, 256, 2);
	recent.out = f.out;
	CU_ASSERT_EQUAL(begin_at(&recent, first, 1, 7, 100, 200), 100);
	CU_ASSERT_EQUAL(begin_at(&recent, first, 1, 7, 100, 200), 101);
	CU_ASSERT_EQUAL(begin_at(&recent, first, 1, 8, 100, 200), 100);
	CU_ASSERT_EQUAL(begin_at(&recent, first, 2, 7, 100, 200), 100);
	CU_ASSERT_EQUAL(begin_at(&recent, first, 1, 7, 100, 200), 102);
	CU_ASSERT_EQUAL(begin_at(&recent, first, 1, 7, 199, 200), 199);
	/* a state that cannot be moved further has no duration, which does no harm */
	CU_ASSERT_EQUAL(begin_at(&recent, first, 1, 7, 199, 200), 200);
	CU_ASSERT_EQUAL(begin_at(&recent, first, 1, 7, 200, 200), 200);
	CU_ASSERT_EQUAL(begin_at(&recent, first, 1, 7, 200, 200), 200);
	/* another end: all slots are free */
	CU_ASSERT_EQUAL(begin_at(&recent, first, 1, 7, 100, 201), 100);
	for (guint32 i = 0; i < 1000; i++)
		CU_ASSERT_EQUAL(begin_at(&recent, first, 3, i, 100, 300), 100);
	for (guint32 i = 0; i < 1000; i++)
		CU_ASSERT_EQUAL(begin_at(&recent, first, 3, i, 100, 300), 101);
	iot_slog2_recent_clear(&recent);
	stop(&f);
}

/* --- a random picture is read back complete --- */

enum { N_RANDOM = 20000, RANDOM_LINES = 40 };

struct random_item {
	guint8 topology;
	guint32 line;
	guint64 t0, t1;
};

static int compare_ends(const void *pa, const void *pb)
{
	const struct random_item *a = pa, *b = pb;

	return a->t1 < b->t1 ? -1 : a->t1 > b->t1;
}

/* Long and short states, for all levels of the tree. */
static struct random_item *random_items(void)
{
	struct random_item *items = g_new0(struct random_item, N_RANDOM);
	g_autoptr(GRand) rand = g_rand_new_with_seed(4711);

	for (guint i = 0; i < N_RANDOM; i++) {
		guint32 longest = 1u << g_rand_int_range(rand, 0, 20);
		guint64 duration = g_rand_int(rand) % longest;

		items[i].topology = g_rand_int_range(rand, 0, 3) ? IOT_SLOG2_STATE : IOT_SLOG2_EVENT;
		items[i].line = (guint32)g_rand_int_range(rand, 0, RANDOM_LINES);
		items[i].t1 = items[i].t0 = (guint64)g_rand_int_range(rand, 1, 1 << 22);
		if (items[i].topology == IOT_SLOG2_STATE)
			items[i].t0 -= MIN(items[i].t0, duration);
	}
	qsort(items, N_RANDOM, sizeof(*items), compare_ends);
	return items;
}

static char *item_key(guint topology, guint32 line, guint64 t0, guint64 t1)
{
	return g_strdup_printf("%u %u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, topology, line, t0, t1);
}

static void expect_items(const struct walk *w, const struct random_item *items)
{
	g_autoptr(GHashTable) left = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	guint wrong = 0;

	for (guint i = 0; i < N_RANDOM; i++) {
		char *key = item_key(items[i].topology, items[i].line, items[i].t0, items[i].t1);
		gpointer n = g_hash_table_lookup(left, key);

		g_hash_table_insert(left, key, GUINT_TO_POINTER(GPOINTER_TO_UINT(n) + 1));
	}
	CU_ASSERT_EQUAL(w->drawables->len, N_RANDOM);
	for (guint i = 0; i < w->drawables->len; i++) {
		const struct walk_drawable *d = g_ptr_array_index(w->drawables, i);
		char *key = item_key(d->category == 0, d->line, (guint64)(d->t0 * 1e9 + 0.5),
				     (guint64)(d->t1 * 1e9 + 0.5));
		gpointer n = g_hash_table_lookup(left, key);

		wrong += !n;
		g_hash_table_insert(left, key, GUINT_TO_POINTER(GPOINTER_TO_UINT(n) - 1));
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

static void make_random(struct fixture *f, const struct random_item *items)
{
	gint32 rows[2 * RANDOM_LINES];
	const char *const column[] = { "LineID" };
	const struct iot_slog2_map map = { .title = "Identity Map", .n_columns = 1,
					   .columns = column, .n_rows = RANDOM_LINES, .rows = rows };

	for (gint32 i = 0; i < RANDOM_LINES; i++)
		rows[2 * i] = rows[2 * i + 1] = i;
	for (guint i = 0; i < N_RANDOM; i++)
		add(f, items[i].topology, items[i].topology == IOT_SLOG2_STATE ? 0 : 1,
		    items[i].line, items[i].t0, items[i].t1);
	end(f, 1, (struct iot_slog2_category[]){ plain_state, read_and_bast[1] }, 2, &map);
}

static void check_random(guint16 k, guint32 leaf_bytes, guint min_depth)
{
	g_autofree struct random_item *items = random_items();
	struct fixture f;
	struct walk w;

	start(&f, leaf_bytes, 0, k);
	make_random(&f, items);
	walk_file(&w, (const guint8 *)f.data, f.size);
	expect_items(&w, items);
	CU_ASSERT(w.max_depth >= min_depth);
	walk_clear(&w);
	stop(&f);
}

UNIT_TEST(random_picture_binary_tree)
{
	check_random(2, 1024, 9);
}

UNIT_TEST(random_picture_wide_tree)
{
	check_random(5, 2000, 4);
}

UNIT_TEST(random_picture_leaves_smaller_than_a_state)
{
	check_random(2, 1, 14);
}

UNIT_TEST(random_picture_one_leaf)
{
	check_random(2, 1 << 30, 0);
}

UNIT_TEST(random_picture_is_the_same_wherever_previews_wait)
{
	g_autofree struct random_item *items = random_items();
	struct fixture a, b;

	start_parking(&a, 1024, 0, 3, 0);
	make_random(&a, items);
	for (gsize bytes = 1000; bytes < 10 * 1000 * 1000; bytes *= 10) {
		start_parking(&b, 1024, 0, 3, bytes);
		make_random(&b, items);
		CU_ASSERT(a.size == b.size && !memcmp(a.data, b.data, a.size));
		stop(&b);
	}
	stop(&a);
}

/* The size of a leaf grows with the number of lines, up to a limit. The header has it (docs/formats). */
UNIT_TEST(leaves_grow_with_the_lines_up_to_a_limit)
{
	static const struct {
		guint32 line, leaf_bytes;
	} cases[] = { { 2, 1000 }, { 3, 2000 }, { 10, 4000 }, { 255, 128000 }, { 9999, 128000 } };

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		guint32 found;
		struct fixture f;

		start(&f, 1000, 256, 2);
		add(&f, IOT_SLOG2_STATE, 1, cases[i].line, 20, 30);
		end(&f, 0,
		    &(struct iot_slog2_category){ .index = 1, .name = "a", .topology = 1 }, 1,
		    &one_line_map);
		memcpy(&found, f.data + 2 + strlen("SLOG 2.0.6") + 2, sizeof(found));
		CU_ASSERT_EQUAL(GUINT32_FROM_BE(found), cases[i].leaf_bytes);
		stop(&f);
	}
}

/* Nested states in one leaf: the exclusive time of outer states. */
UNIT_TEST(exclusive_time_is_without_the_nested_states)
{
	const struct walk_category *cat;
	struct fixture f;
	struct walk w;

	start(&f, 65536, 256, 2);
	add(&f, IOT_SLOG2_STATE, 1, 7, 20, 30);
	add(&f, IOT_SLOG2_STATE, 1, 7, 40, 60);
	add(&f, IOT_SLOG2_STATE, 2, 7, 10, 90);
	add(&f, IOT_SLOG2_STATE, 3, 7, 0, 10000);
	end(&f, 0,
	    (struct iot_slog2_category[]){ { .index = 1, .name = "a", .topology = 1 },
					   { .index = 2, .name = "b", .topology = 1 },
					   { .index = 3, .name = "c", .topology = 1 } },
	    3, &one_line_map);
	walk_file(&w, (const guint8 *)f.data, f.size);
	cat = g_hash_table_lookup(w.categories, GINT_TO_POINTER(1));
	CU_ASSERT_DOUBLE_EQUAL(cat->inclusive, 0.0030, 1e-8);
	CU_ASSERT_DOUBLE_EQUAL(cat->exclusive, 0.0030, 1e-8);
	cat = g_hash_table_lookup(w.categories, GINT_TO_POINTER(2));
	CU_ASSERT_DOUBLE_EQUAL(cat->inclusive, 0.0080, 1e-8);
	CU_ASSERT_DOUBLE_EQUAL(cat->exclusive, 0.0050, 1e-8);
	cat = g_hash_table_lookup(w.categories, GINT_TO_POINTER(3));
	CU_ASSERT_DOUBLE_EQUAL(cat->inclusive, 1.0, 1e-8);
	CU_ASSERT_DOUBLE_EQUAL(cat->exclusive, 0.9920, 1e-7);
	walk_clear(&w);
	stop(&f);
}

/*
 * Below a child only previews are known. Two states fill a leaf; the first two leaves have one parent,
 * whose preview reaches from 10 to 80, so the exclusive time of the state around them is 30 of 100.
 */
UNIT_TEST(exclusive_time_is_without_the_previews_of_children)
{
	const struct walk_category *cat;
	struct fixture f;
	struct walk w;

	start(&f, 116, 0, 2);
	for (guint64 t = 10; t < 80; t += 20)
		add(&f, IOT_SLOG2_STATE, 1, 7, t * 1000, (t + 10) * 1000);
	add(&f, IOT_SLOG2_STATE, 2, 7, 0, 100 * 1000);
	end(&f, 0,
	    (struct iot_slog2_category[]){ { .index = 1, .name = "a", .topology = 1 },
					   { .index = 2, .name = "b", .topology = 1 } },
	    2, &one_line_map);
	walk_file(&w, (const guint8 *)f.data, f.size);
	CU_ASSERT_EQUAL(w.max_depth, 2);
	cat = g_hash_table_lookup(w.categories, GINT_TO_POINTER(2));
	CU_ASSERT_DOUBLE_EQUAL(cat->inclusive, 1.0, 1e-7);
	CU_ASSERT_DOUBLE_EQUAL(cat->exclusive, 0.3, 1e-7);
	walk_clear(&w);
	stop(&f);
}

UNIT_TEST(full_disk_is_an_error_not_a_crash)
{
	const struct iot_slog2_config config = { .n_children = 2, .leaf_bytes = 1000 };
	g_autoptr(GError) error = NULL;
	struct fixture f = { 0 };

	f.out = iot_out_open("/dev/full", NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f.out);
	f.file = iot_slog2_new(f.out, &config);
	for (guint i = 0; i < 100000; i++)
		add(&f, IOT_SLOG2_STATE, 0, 7, i, i + 1);
	CU_ASSERT(iot_out_failed(f.out));
	iot_slog2_finish(f.file, 1, &plain_state, 1, &one_line_map, 1);
	CU_ASSERT_FALSE(iot_out_finish(f.out, &error));
	CU_ASSERT_PTR_NOT_NULL(error);
	iot_slog2_free(f.file);
	iot_out_free(f.out);
}
