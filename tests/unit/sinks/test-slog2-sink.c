/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the timeline to SLOG-2: rows, their numbers, names, and the text of the pop-up boxes. */
#include "unit.h"
#include "slog2-walk.h"

#include "base/error.h"
#include "sinks/sink.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

static char leaf_size_option[] = "leaf-size";

static const guint64 ORIGIN = G_GUINT64_CONSTANT(1700000000000000000);

struct scene {
	struct iot_timeline *tl;
	iot_type_id lockspace, resource, node, lock, event, cpu, note;
	iot_cat_id pending, held, bast, elsewhere;
	iot_row_id space, first, second, first_node10, first_node2, second_alpha, elsewhere_row;
	char *dir, *path, *table_path, *table;
	struct iot_sink *sink;
	struct iot_diag diag;
	guint64 seq;
	char *data;
	gsize size;
	struct walk w;
};

static iot_str str(struct scene *s, const char *text)
{
	return iot_intern_str(s->tl->strings, text);
}

static void add_attr(struct scene *s, iot_type_id id, const char *name, enum iot_attr_format format)
{
	struct iot_type *type = iot_segarray_at(&s->tl->types, id);

	type->attr[type->n_attrs].name = str(s, name);
	type->attr[type->n_attrs++].format = format;
}

static iot_row_id add_row(struct scene *s, iot_type_id type, iot_row_id parent, const char *name)
{
	return iot_timeline_row(s->tl, type, parent, str(s, name), str(s, name), NULL);
}

static void add_types(struct scene *s)
{
	struct iot_timeline *tl = s->tl;

	iot_timeline_type(tl, IOT_TYPE_ROW, "lockspace", "lockspace", 0, &s->lockspace);
	iot_timeline_type(tl, IOT_TYPE_ROW, "resource", "resource", s->lockspace, &s->resource);
	iot_timeline_type(tl, IOT_TYPE_ROW, "node", "machine", s->resource, &s->node)->role =
		IOT_ROLE_NODE;
	iot_timeline_type(tl, IOT_TYPE_ROW, "cpu", "processor", 0, &s->cpu);
	iot_timeline_type(tl, IOT_TYPE_SPAN, "lock", "lock mode", s->node, &s->lock);
	iot_timeline_type(tl, IOT_TYPE_POINT, "event", "event", s->node, &s->event);
	add_attr(s, s->lock, "lkb_id", IOT_ATTR_HEX);
	add_attr(s, s->lock, "pid", IOT_ATTR_INT);
	add_attr(s, s->lock, "to", IOT_ATTR_STR);
	add_attr(s, s->event, "took", IOT_ATTR_DURATION);
	add_attr(s, s->event, "count", IOT_ATTR_UINT);
	s->pending = iot_timeline_cat(tl, s->lock, "PENDING", 0xFFA500, IOT_ROLE_WAIT);
	s->held = iot_timeline_cat(tl, s->lock, "EX", 0xFF0000, IOT_ROLE_HOLD);
	s->bast = iot_timeline_cat(tl, s->event, "bast", 0x0000FF, IOT_ROLE_NONE);
	iot_timeline_type(tl, IOT_TYPE_POINT, "note", "note", s->cpu, &s->note);
}

static void set_up(struct scene *s)
{
	struct iot_timeline *tl;

	memset(s, 0, sizeof(*s));
	tl = s->tl = iot_timeline_new();
	tl->origin_ns = tl->zero_ns = ORIGIN;
	add_types(s);
	s->elsewhere = iot_timeline_cat(tl, s->note, "note", 0x00FF00, IOT_ROLE_NONE);
	s->space = add_row(s, s->lockspace, 0, "0x5");
	s->first = add_row(s, s->resource, s->space, "inode 13b");
	s->second = add_row(s, s->resource, s->space, "inode 14");
	s->first_node10 = add_row(s, s->node, s->first, "node 10");
	s->first_node2 = add_row(s, s->node, s->first, "node 2");
	s->second_alpha = add_row(s, s->node, s->second, "alpha");
	s->elsewhere_row = add_row(s, s->cpu, 0, "cpu\t0");
	iot_row_at(tl, s->second)->wait_ns = 50;
	iot_row_at(tl, s->first)->wait_ns = 20;
	tl->view[0] = (struct iot_view){ .title = str(s, "DLM"),
					 .n_columns = 3,
					 .column = { s->lockspace, s->resource, s->node } };
	tl->n_views = 1;
	s->dir = g_dir_make_tmp("iotrace-XXXXXX", NULL);
	s->path = g_build_filename(s->dir, "out.slog2", NULL);
	s->table_path = g_strconcat(s->path, ".rows.tsv", NULL);
}

static void open_without_events(struct scene *s)
{
	g_autoptr(GHashTable) options = g_hash_table_new(g_str_hash, g_str_equal);
	struct iot_sink_args args = { .tl = s->tl, .path = s->path, .options = options };

	g_hash_table_add(options, (gpointer) "no-events");
	s->sink = iot_sink_slog2.open(&args, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s->sink);
}

static void open_sink(struct scene *s, const char *leaf_size)
{
	g_autoptr(GHashTable) options = g_hash_table_new(g_str_hash, g_str_equal);
	struct iot_sink_args args = { .tl = s->tl, .path = s->path, .options = options };

	if (leaf_size)
		g_hash_table_insert(options, leaf_size_option, (gpointer)leaf_size);
	s->sink = iot_sink_slog2.open(&args, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s->sink);
}

static void put(struct scene *s, struct iot_item item)
{
	item.seq = s->seq++;
	CU_ASSERT(iot_sink_slog2.item(s->sink, &item, NULL));
}

static void close_sink(struct scene *s)
{
	const struct iot_summary summary = { 0 };

	iot_timeline_rank(s->tl);
	CU_ASSERT(iot_sink_slog2.finish(s->sink, &summary, NULL));
	s->diag = *iot_sink_slog2.diag(s->sink);
	CU_ASSERT_FATAL(g_file_get_contents(s->path, &s->data, &s->size, NULL));
	CU_ASSERT_FATAL(g_file_get_contents(s->table_path, &s->table, NULL, NULL));
	walk_file(&s->w, (const guint8 *)s->data, s->size);
}

static void tear_down(struct scene *s)
{
	if (s->data)
		walk_clear(&s->w);
	iot_sink_slog2.free(s->sink);
	g_unlink(s->path);
	g_unlink(s->table_path);
	g_rmdir(s->dir);
	g_free(s->dir);
	g_free(s->path);
	g_free(s->table_path);
	g_free(s->table);
	g_free(s->data);
	iot_timeline_free(s->tl);
}

static struct iot_item span(const struct scene *s, iot_row_id row, iot_cat_id cat, guint64 t0, guint64 t1)
{
	return (struct iot_item){ .kind = IOT_ITEM_SPAN, .n_attrs = 3, .type = s->lock, .cat = cat,
				  .row = row, .t0 = ORIGIN + t0, .t1 = ORIGIN + t1 };
}

static struct iot_item point(const struct scene *s, iot_row_id row, guint64 t)
{
	return (struct iot_item){ .kind = IOT_ITEM_POINT, .n_attrs = 2, .type = s->event,
				  .cat = s->bast, .row = row, .t0 = ORIGIN + t, .t1 = ORIGIN + t };
}

static const struct walk_drawable *drawable(const struct scene *s, guint i)
{
	CU_ASSERT_FATAL(i < s->w.drawables->len);
	return g_ptr_array_index(s->w.drawables, i);
}

static const char *row_of(const struct scene *s, guint map, guint32 line)
{
	const struct walk_map *m = g_ptr_array_index(s->w.maps, map);

	return g_hash_table_lookup(m->rows, GINT_TO_POINTER(line));
}

UNIT_TEST(pop_up_boxes_name_everything)
{
	struct scene s;
	struct iot_item item;

	set_up(&s);
	open_sink(&s, NULL);
	item = point(&s, s.first_node10, 1500);
	item.attr[0].u = 1250000;
	item.attr[1].u = 7;
	put(&s, item);
	item = span(&s, s.first_node2, s.pending, 1600, 1700);
	item.attr[2].str = iot_text_number(4096);
	put(&s, item);
	item = span(&s, s.first_node2, s.pending, 1000, 2000);
	item.flags = IOT_UNFINISHED | IOT_SUSPECT;
	item.attr[0].u = 0xDEADBEEF;
	item.attr[1].i = -3;
	item.attr[2].str = str(&s, "EX \xC3\xA4");
	put(&s, item);
	close_sink(&s);
	CU_ASSERT_STRING_EQUAL(drawable(&s, 0)->info,
			       "lockspace=0x5 resource=inode 13b node=node 10\n"
			       "took[s]=0.001250000 count=7 marks=");
	CU_ASSERT_STRING_EQUAL(drawable(&s, 2)->info,
			       "lockspace=0x5 resource=inode 13b node=node 2\n"
			       "lkb_id=0x0 pid=0 to=4096 marks=");
	CU_ASSERT_STRING_EQUAL(drawable(&s, 1)->info,
			       "lockspace=0x5 resource=inode 13b node=node 2\n"
			       "lkb_id=0xdeadbeef pid=-3 to=EX \xC3\xA4 marks=unfinished,suspect");
	CU_ASSERT_DOUBLE_EQUAL(drawable(&s, 1)->t0, 1e-6, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(drawable(&s, 1)->t1, 2e-6, 1e-15);
	tear_down(&s);
}

UNIT_TEST(categories_have_the_numbers_of_the_timeline)
{
	const struct walk_category *cat;
	struct scene s;

	set_up(&s);
	open_sink(&s, NULL);
	put(&s, span(&s, s.first_node2, s.pending, 0, 1000));
	close_sink(&s);
	/* unused categories are left out, gaps too */
	CU_ASSERT_EQUAL(g_hash_table_size(s.w.categories), 2);
	cat = g_hash_table_lookup(s.w.categories, GINT_TO_POINTER(s.pending));
	CU_ASSERT_PTR_NOT_NULL_FATAL(cat);
	CU_ASSERT_STRING_EQUAL(cat->name, "PENDING");
	CU_ASSERT_EQUAL(cat->argb, 0xFFFFA500);
	CU_ASSERT_EQUAL(cat->count, 1);
	CU_ASSERT_PTR_NOT_NULL(g_hash_table_lookup(s.w.categories, GINT_TO_POINTER(-3)));
	tear_down(&s);
}

static const struct walk_category *category(const struct scene *s, iot_cat_id id)
{
	const struct walk_category *cat =
		g_hash_table_lookup(s->w.categories, GINT_TO_POINTER((gint32)id));

	CU_ASSERT_PTR_NOT_NULL_FATAL(cat);
	return cat;
}

static struct iot_item note(struct scene *s, iot_cat_id cat, guint64 at)
{
	return (struct iot_item){ .kind = IOT_ITEM_POINT, .type = iot_cat_at(s->tl, cat)->type,
				  .cat = cat, .row = s->elsewhere_row, .t0 = ORIGIN + at,
				  .t1 = ORIGIN + at };
}

UNIT_TEST(legend_tells_equal_names_apart)
{
	iot_type_id other;
	iot_cat_id same;
	struct scene s;

	set_up(&s);
	iot_timeline_type(s.tl, IOT_TYPE_POINT, "remark", "remark of a CPU", s.cpu, &other);
	same = iot_timeline_cat(s.tl, other, "note", 0x2f1751, IOT_ROLE_NONE);
	open_sink(&s, NULL);
	put(&s, span(&s, s.first_node2, s.pending, 0, 1000));
	put(&s, note(&s, s.elsewhere, 1000));
	close_sink(&s);
	CU_ASSERT_STRING_EQUAL(category(&s, s.pending)->name, "PENDING");
	/* even if the other category is not drawn: all windows have the same legend */
	CU_ASSERT_STRING_EQUAL(category(&s, s.elsewhere)->name, "note (note)");
	tear_down(&s);

	set_up(&s);
	iot_timeline_type(s.tl, IOT_TYPE_POINT, "remark", "remark of a CPU", s.cpu, &other);
	same = iot_timeline_cat(s.tl, other, "note", 0x2f1751, IOT_ROLE_NONE);
	open_sink(&s, NULL);
	put(&s, note(&s, same, 1000));
	close_sink(&s);
	CU_ASSERT_STRING_EQUAL(category(&s, same)->name, "note (remark of a CPU)");
	tear_down(&s);
}

/* Events are translucent, so the states below them are seen. */
UNIT_TEST(events_let_states_through)
{
	struct scene s;

	set_up(&s);
	open_sink(&s, "1");
	put(&s, span(&s, s.first_node2, s.pending, 0, 1000));
	put(&s, note(&s, s.elsewhere, 1000));
	put(&s, note(&s, s.elsewhere, 2000));
	close_sink(&s);
	CU_ASSERT_EQUAL(category(&s, s.elsewhere)->argb & 0xffffff, 0x00FF00);
	CU_ASSERT(category(&s, s.elsewhere)->argb >> 24 < 0x80);
	CU_ASSERT(category(&s, (iot_cat_id)-1)->argb >> 24 < 0x80); /* their previews */
	CU_ASSERT_EQUAL(category(&s, s.pending)->argb >> 24, 0xFF);
	tear_down(&s);
}

/* PW is nearly black on white paper, and Jumpshot's canvas is black. */
UNIT_TEST(colours_are_those_for_a_dark_background)
{
	struct scene s;
	iot_cat_id pw;

	set_up(&s);
	pw = iot_timeline_cat(s.tl, s.lock, "PW", 0x2f1751, IOT_ROLE_HOLD);
	open_sink(&s, NULL);
	put(&s, span(&s, s.first_node2, pw, 0, 1000));
	close_sink(&s);
	CU_ASSERT_EQUAL(category(&s, pw)->argb, 0xFFD165F5);
	tear_down(&s);
}

UNIT_TEST(no_events_leaves_points_out_of_slog2)
{
	struct scene s;

	set_up(&s);
	open_without_events(&s);
	put(&s, span(&s, s.first_node2, s.pending, 0, 1000));
	put(&s, note(&s, s.elsewhere, 1000));
	close_sink(&s);
	CU_ASSERT_PTR_NULL(g_hash_table_lookup(s.w.categories, GINT_TO_POINTER(s.elsewhere)));
	CU_ASSERT_EQUAL(category(&s, s.pending)->count, 1);
	CU_ASSERT_PTR_NULL(strstr(s.table, "cpu"));
	tear_down(&s);
}

UNIT_TEST(rows_stand_by_rank_and_node_number)
{
	const struct walk_map *map;
	struct scene s;
	struct iot_item item;

	set_up(&s);
	open_sink(&s, NULL);
	put(&s, span(&s, s.first_node10, s.held, 0, 1000));
	item = span(&s, s.first_node2, s.held, 0, 1000);
	item.lane = 3;
	put(&s, item);
	put(&s, span(&s, s.first_node2, s.pending, 500, 1000));
	put(&s, span(&s, s.second_alpha, s.pending, 400, 1000));
	item = (struct iot_item){ .kind = IOT_ITEM_POINT, .type = s.note, .cat = s.elsewhere,
				  .row = s.elsewhere_row, .t0 = ORIGIN + 2000, .t1 = ORIGIN + 2000 };
	put(&s, item);
	close_sink(&s);
	CU_ASSERT_EQUAL(s.w.maps->len, 2);
	map = g_ptr_array_index(s.w.maps, 0);
	CU_ASSERT_STRING_EQUAL(map->title, "DLM");
	CU_ASSERT_EQUAL(map->columns->len, 4);
	CU_ASSERT_STRING_EQUAL(g_ptr_array_index(map->columns, 0), "lockspace");
	CU_ASSERT_STRING_EQUAL(g_ptr_array_index(map->columns, 2), "machine");
	CU_ASSERT_STRING_EQUAL(g_ptr_array_index(map->columns, 3), "lane");
	/* the second resource waited longer; node 10 has a number, alpha has none */
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 1), "1.2.10.0");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 2), "1.2.2.3");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 3), "1.2.2.0");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 4), "1.1.1001.0");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 5), "999999.999999.999999.999999");
	map = g_ptr_array_index(s.w.maps, 1);
	CU_ASSERT_STRING_EQUAL(map->title, "Identity Map");
	CU_ASSERT_STRING_EQUAL(g_ptr_array_index(map->columns, 0), "LineID");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 1, 5), "5");
	CU_ASSERT_STRING_EQUAL(
		s.table,
		"view\tlockspace\tlockspace name\tresource\tresource name\tnode\tnode name\t"
		"lane\twait_ns\titems\n"
		"DLM\t1\t0x5\t1\tinode 14\t1001\talpha\t0\t600\t1\n"
		"DLM\t1\t0x5\t2\tinode 13b\t2\tnode 2\t0\t500\t1\n"
		"DLM\t1\t0x5\t2\tinode 13b\t2\tnode 2\t3\t0\t1\n"
		"DLM\t1\t0x5\t2\tinode 13b\t10\tnode 10\t0\t0\t1\n"
		"DLM\t999999\t(rows of other views)\t999999\t\t999999\t\t999999\t0\t1\n");
	tear_down(&s);
}

UNIT_TEST(every_view_knows_every_line)
{
	struct scene s;

	set_up(&s);
	s.tl->view[1] = (struct iot_view){ .title = str(&s, "CPUs"),
					   .n_columns = 1,
					   .column = { s.cpu } };
	s.tl->n_views = 2;
	open_sink(&s, NULL);
	put(&s, span(&s, s.first_node10, s.held, 0, 1000));
	put(&s, (struct iot_item){ .kind = IOT_ITEM_POINT, .type = s.note, .cat = s.elsewhere,
				   .row = s.elsewhere_row, .t0 = ORIGIN + 1000,
				   .t1 = ORIGIN + 1000 });
	close_sink(&s);
	CU_ASSERT_EQUAL(s.w.maps->len, 3);
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 2), "999999.999999.999999.999999");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 1, 1), "999999.999999");
	/* rank among the children of the root: the lockspace is its first */
	CU_ASSERT(g_str_has_suffix(row_of(&s, 1, 2), ".0"));
	/* one row with the sum of the other view */
	CU_ASSERT_PTR_NOT_NULL(strstr(s.table, "\n\nview\tcpu\tcpu name\tlane\twait_ns\titems\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(s.table, "\tcpu\\x090\t0\t0\t1\nCPUs\t999999\t(rows of other "
					       "views)\t999999\t0\t1\n"));
	tear_down(&s);
}

static struct iot_item gap(struct scene *s, const char *node, guint64 t0, guint64 t1, guint64 lost)
{
	struct iot_item item = { .t0 = ORIGIN + t0, .t1 = ORIGIN + t1 };

	iot_gap_set(&item, str(s, node), lost);
	return item;
}

UNIT_TEST(gaps_stand_on_top)
{
	const struct walk_category *cat;
	struct scene s;

	set_up(&s);
	open_sink(&s, NULL);
	put(&s, gap(&s, "node 2", 100, 300, 12));
	put(&s, gap(&s, "2", 200, 400, G_MAXUINT64));
	put(&s, gap(&s, "2", 300, 500, 1));
	put(&s, gap(&s, "2", 450, 600, 1));
	put(&s, gap(&s, "alpha", 0, 600, 1));
	put(&s, span(&s, s.second_alpha, s.held, 0, 1000));
	close_sink(&s);
	cat = g_hash_table_lookup(s.w.categories, GINT_TO_POINTER(0));
	CU_ASSERT_PTR_NOT_NULL_FATAL(cat);
	CU_ASSERT_STRING_EQUAL(cat->name, "not observed");
	CU_ASSERT_EQUAL(cat->topology, 1);
	CU_ASSERT_EQUAL(cat->count, 5);
	CU_ASSERT_STRING_EQUAL(drawable(&s, 2)->info, "node=node 2 events lost=12 marks=");
	CU_ASSERT_STRING_EQUAL(drawable(&s, 3)->info, "node=2 events lost=? marks=");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 1), "0.0.2.0");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 2), "0.0.2.0");
	/* overlaps the previous gap */
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 3), "0.0.2.1");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 4), "0.0.1001.0");
	CU_ASSERT_PTR_NOT_NULL(strstr(s.table, "DLM\t0\t(not observed)\t0\t(not observed)\t1001\talpha"));
	tear_down(&s);
}

/* Ten resources, each with the nodes 2 and 10; resource k has waited k ns. */
static void add_ten_more(struct scene *s)
{
	for (guint k = 1; k <= 10; k++) {
		g_autofree char *name = g_strdup_printf("more%u", k);
		iot_row_id resource = add_row(s, s->resource, s->space, name);
		iot_row_id node = add_row(s, s->node, resource, "node 2");

		iot_row_at(s->tl, resource)->bounded_ns = k;
		iot_row_at(s->tl, resource)->n_items = iot_row_at(s->tl, node)->n_items = 1;
		put(s, span(s, node, s->held, 0, 1000));
	}
}

UNIT_TEST(the_first_picture_has_the_resources_waited_for_most)
{
	const struct walk_map *map;
	struct scene s;

	set_up(&s);
	open_sink(&s, NULL);
	/* 11 resources have items, and "inode 14" none: "more1" is left out */
	iot_row_at(s.tl, s.first)->bounded_ns = 7;
	iot_row_at(s.tl, s.first)->wait_ns = 8; /* more than more7 */
	iot_row_at(s.tl, s.first)->n_items = iot_row_at(s.tl, s.first_node10)->n_items = 1;
	add_ten_more(&s);
	put(&s, span(&s, s.first_node10, s.pending, 0, 1000));
	put(&s, gap(&s, "node 10", 100, 300, 12));
	put(&s, gap(&s, "node 100", 100, 300, 12));
	close_sink(&s);
	map = g_ptr_array_index(s.w.maps, 0);
	CU_ASSERT_STRING_EQUAL(map->title, "DLM, top 10");
	CU_ASSERT_EQUAL(map->columns->len, 2);
	CU_ASSERT_STRING_EQUAL(g_ptr_array_index(map->columns, 0), "100 * resource + machine");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 1), "999999.999999");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 2), "1002.0");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 10), "102.0");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 11), "410.0");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 12), "10.0");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 13), "0.0"); /* 100 would be a resource */
	map = g_ptr_array_index(s.w.maps, 1);
	CU_ASSERT_STRING_EQUAL(map->title, "DLM");
	CU_ASSERT(g_str_has_prefix(s.table, "view\trow\trow name\tlane\twait_ns\titems\n"
					    "DLM, top 10\t0\t(not observed)/node 100\t0\t0\t1\n"
					    "DLM, top 10\t10\t(not observed)/node 10\t0\t0\t1\n"
					    "DLM, top 10\t102\t0x5/more10/node 2\t0\t0\t1\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(s.table, "DLM, top 10\t999999\t(all other rows)\t999999\t0\t1\n"
					       "\nview\tlockspace\t"));
	tear_down(&s);
}

/* Nodes may have numbers of 32 bits, and resources many nodes. */
UNIT_TEST(the_first_picture_of_large_clusters_has_few_resources)
{
	struct scene s;

	set_up(&s);
	open_sink(&s, NULL);
	for (guint k = 0; k < 3; k++) {
		g_autofree char *name = g_strdup_printf("more%u", k);
		iot_row_id resource = add_row(&s, s.resource, s.space, name);

		iot_row_at(s.tl, resource)->bounded_ns = 9 - k;
		iot_row_at(s.tl, resource)->n_items = 1;
		for (guint n = 0; n < 30; n++) {
			g_autofree char *node = g_strdup_printf("node %u", 167772161 + n);
			iot_row_id id = add_row(&s, s.node, resource, node);

			iot_row_at(s.tl, id)->n_items = 1;
			put(&s, span(&s, id, s.held, 0, 1000));
		}
	}
	close_sink(&s);
	CU_ASSERT_STRING_EQUAL(((const struct walk_map *)g_ptr_array_index(s.w.maps, 0))->title,
			       "DLM, top 2");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 1), "101.0");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 60), "230.0");
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 61), "999999.999999");
	tear_down(&s);
}

UNIT_TEST(empty_recording)
{
	struct scene s;

	set_up(&s);
	open_sink(&s, NULL);
	close_sink(&s);
	CU_ASSERT_EQUAL(s.w.drawables->len, 0);
	/* Jumpshot fails without a row, and without a category. */
	CU_ASSERT_STRING_EQUAL(row_of(&s, 0, 1), "0.0.0.0");
	CU_ASSERT_EQUAL(g_hash_table_size(s.w.categories), 1);
	tear_down(&s);
}

UNIT_TEST(one_point_at_the_origin)
{
	struct scene s;

	set_up(&s);
	open_sink(&s, NULL);
	put(&s, point(&s, s.first_node2, 0));
	close_sink(&s);
	CU_ASSERT_EQUAL(s.w.drawables->len, 1);
	CU_ASSERT_EQUAL(drawable(&s, 0)->t0, 0.0);
	CU_ASSERT(s.w.root1 > 0);
	tear_down(&s);
}

UNIT_TEST(the_tree_ends_after_the_last_instant)
{
	struct scene s;

	set_up(&s);
	open_sink(&s, NULL);
	put(&s, span(&s, s.first_node2, s.held, 0, 5000000));
	put(&s, point(&s, s.first_node2, 5000000));
	close_sink(&s);
	CU_ASSERT(s.w.root1 > 0.005);
	CU_ASSERT(s.w.root1 < 0.005000002);
	tear_down(&s);
}

UNIT_TEST(equal_states_are_shifted_and_counted)
{
	struct scene s;

	set_up(&s);
	open_sink(&s, NULL);
	put(&s, span(&s, s.first_node2, s.held, 1000, 2000));
	put(&s, span(&s, s.first_node2, s.held, 1000, 2000));
	put(&s, span(&s, s.first_node10, s.held, 1000, 2000));
	close_sink(&s);
	CU_ASSERT_EQUAL(s.diag.count[IOT_DIAG_equal_shifted], 1);
	CU_ASSERT_EQUAL(s.w.drawables->len, 3);
	CU_ASSERT_DOUBLE_EQUAL(drawable(&s, 2)->t0, 1001e-9, 1e-16);
	tear_down(&s);
}

UNIT_TEST(stubs_of_links_are_left_out_and_counted)
{
	struct scene s;
	struct iot_item stub;

	set_up(&s);
	open_sink(&s, NULL);
	put(&s, span(&s, s.first_node2, s.held, 1000, 2000));
	stub = span(&s, s.first_node2, s.held, 2000, 2000);
	iot_link_set(&stub, stub.t1, stub.row, 0, stub.t1);
	stub.flags = IOT_FROM_UNSEEN;
	put(&s, stub);
	close_sink(&s);
	CU_ASSERT_EQUAL(s.diag.count[IOT_DIAG_stubs_left_out], 1);
	CU_ASSERT_EQUAL(s.w.drawables->len, 1);
	tear_down(&s);
}

/* Names and values of any length leave room for the rest of the info. */
UNIT_TEST(long_texts_are_cut_and_counted)
{
	g_autofree char *longer = g_strnfill(40000, 'x');
	const struct walk_drawable *d;
	struct scene s;
	struct iot_item item;
	iot_row_id resource, node;

	set_up(&s);
	open_sink(&s, NULL);
	resource = add_row(&s, s.resource, s.space, longer);
	node = add_row(&s, s.node, resource, "node 1");
	item = span(&s, node, s.held, 0, 1000);
	item.attr[2].str = str(&s, longer);
	item.flags = IOT_FAILED;
	put(&s, item);
	item = span(&s, s.first_node2, s.held, 0, 1000);
	item.attr[2].str = str(&s, longer);
	put(&s, item);
	close_sink(&s);
	CU_ASSERT_EQUAL(s.diag.count[IOT_DIAG_name_cut], 3);
	/* two lines with equal times: in the file they are ordered by line */
	d = drawable(&s, 0);
	CU_ASSERT(strlen(d->info) > 32000);
	CU_ASSERT_PTR_NOT_NULL(strstr(d->info, " node=node 1\nlkb_id="));
	CU_ASSERT(g_str_has_suffix(d->info, " marks=failed"));
	d = drawable(&s, 1);
	CU_ASSERT(strlen(d->info) > 32000);
	CU_ASSERT(g_str_has_suffix(d->info, "x marks="));
	tear_down(&s);
}

UNIT_TEST(leaf_size_makes_a_tree)
{
	struct scene s;

	set_up(&s);
	open_sink(&s, "1K");
	for (guint i = 0; i < 1000; i++)
		put(&s, span(&s, s.first_node2, s.held, 10 * i, 10 * i + 9));
	close_sink(&s);
	CU_ASSERT(s.w.max_depth >= 6);
	CU_ASSERT_EQUAL(s.w.drawables->len, 1000);
	tear_down(&s);
}

static void expect_refusal(struct scene *s, const char *path, const char *leaf_size, gint code,
			   const char *words)
{
	g_autoptr(GHashTable) options = g_hash_table_new(g_str_hash, g_str_equal);
	struct iot_sink_args args = { .tl = s->tl, .path = path, .options = options };
	g_autoptr(GError) error = NULL;

	if (leaf_size)
		g_hash_table_insert(options, leaf_size_option, (gpointer)leaf_size);
	CU_ASSERT_PTR_NULL(iot_sink_slog2.open(&args, &error));
	CU_ASSERT_FATAL(g_error_matches(error, IOT_ERROR, code));
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, words));
}

UNIT_TEST(what_cannot_be_opened)
{
	g_autofree char *missing = NULL, *fifo = NULL;
	struct scene s;

	set_up(&s);
	missing = g_build_filename(s.dir, "no", "such.slog2", NULL);
	fifo = g_build_filename(s.dir, "fifo", NULL);
	CU_ASSERT_EQUAL(mkfifo(fifo, 0600), 0);
	expect_refusal(&s, "-", NULL, IOT_ERROR_USAGE, "give a file name");
	expect_refusal(&s, fifo, NULL, IOT_ERROR_USAGE, "give a file name");
	expect_refusal(&s, missing, NULL, IOT_ERROR_OUTPUT, "such.slog2");
	expect_refusal(&s, s.path, "0", IOT_ERROR_USAGE, "leaf-size");
	expect_refusal(&s, s.path, "fat", IOT_ERROR_USAGE, "leaf-size");
	g_unlink(fifo);
	tear_down(&s);
}

UNIT_TEST(an_item_of_the_wrong_row_is_refused)
{
	g_autoptr(GError) error = NULL;
	struct iot_item item;
	struct scene s;

	set_up(&s);
	open_sink(&s, NULL);
	item = span(&s, s.first, s.held, 0, 1);
	CU_ASSERT_FALSE(iot_sink_slog2.item(s.sink, &item, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_INTERNAL));
	tear_down(&s);
}

/* A sink that is freed before it is finished leaves no file. */
UNIT_TEST(unfinished_leaves_no_files)
{
	struct scene s;

	set_up(&s);
	open_sink(&s, "100");
	for (guint i = 0; i < 100; i++)
		put(&s, span(&s, s.first_node2, s.held, 10 * i, 10 * i + 9));
	iot_sink_slog2.free(s.sink);
	s.sink = NULL;
	CU_ASSERT_FALSE(g_file_test(s.path, G_FILE_TEST_EXISTS));
	CU_ASSERT_FALSE(g_file_test(s.table_path, G_FILE_TEST_EXISTS));
	CU_ASSERT_EQUAL(g_rmdir(s.dir), 0);
	tear_down(&s);
}
