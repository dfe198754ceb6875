/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/timeline.h"
#include "unit.h"

struct tree {
	struct iot_timeline *tl;
	iot_type_id space, resource, node;
};

static void tree_init(struct tree *t)
{
	t->tl = iot_timeline_new();
	iot_timeline_type(t->tl, IOT_TYPE_ROW, "space", "space", 0, &t->space);
	iot_timeline_type(t->tl, IOT_TYPE_ROW, "resource", "resource", t->space, &t->resource);
	iot_timeline_type(t->tl, IOT_TYPE_ROW, "node", "node", t->resource, &t->node)->role =
		IOT_ROLE_NODE;
}

static iot_row_id add(struct tree *t, iot_type_id type, iot_row_id parent, const char *name,
		      guint64 wait_ns)
{
	iot_str str = iot_intern_str(t->tl->strings, name);
	iot_row_id row = iot_timeline_row(t->tl, type, parent, str, str, NULL);

	iot_row_at(t->tl, row)->wait_ns = wait_ns;
	return row;
}

/* Paths of all rows in their order. */
static char *ordered(struct tree *t)
{
	g_autoptr(GArray) rows = NULL;
	GString *text = g_string_new(NULL);

	iot_timeline_rank(t->tl);
	rows = iot_timeline_ordered(t->tl);
	for (guint i = 0; i < rows->len; i++) {
		g_autofree char *path =
			iot_timeline_path(t->tl, g_array_index(rows, iot_row_id, i), "/");

		g_string_append_printf(text, "%s%s", i ? " " : "", path);
	}
	return g_string_free(text, FALSE);
}

UNIT_TEST(types_and_categories_are_numbered_from_one)
{
	struct tree t;
	iot_type_id span;
	iot_cat_id cat;

	tree_init(&t);
	CU_ASSERT_EQUAL(t.space, 1);
	CU_ASSERT_EQUAL(t.node, 3);
	iot_timeline_type(t.tl, IOT_TYPE_SPAN, "lock", "lock mode", t.node, &span);
	cat = iot_timeline_cat(t.tl, span, "EX", 0xff0000, IOT_ROLE_HOLD);
	CU_ASSERT_EQUAL(cat, 1);
	CU_ASSERT_EQUAL(iot_cat_at(t.tl, cat)->type, span);
	CU_ASSERT_EQUAL(iot_cat_at(t.tl, cat)->rgb, 0xff0000);
	CU_ASSERT_EQUAL(iot_cat_at(t.tl, cat)->role, IOT_ROLE_HOLD);
	CU_ASSERT_STRING_EQUAL(iot_tl_str(t.tl, iot_cat_at(t.tl, cat)->name), "EX");
	CU_ASSERT_EQUAL(iot_type_at(t.tl, span)->on, t.node);
	CU_ASSERT_STRING_EQUAL(iot_tl_str(t.tl, iot_type_at(t.tl, span)->title), "lock mode");
	iot_timeline_free(t.tl);
	iot_timeline_free(NULL);
}

UNIT_TEST(a_row_is_found_again_by_type_parent_and_id)
{
	struct tree t;
	iot_str id, name, other;
	iot_row_id a, b;
	gboolean is_new;

	tree_init(&t);
	id = iot_intern_bytes(t.tl->strings, "x\0y", 3);
	name = iot_intern_str(t.tl->strings, "x");
	other = iot_intern_str(t.tl->strings, "other name");
	a = iot_timeline_row(t.tl, t.space, 0, id, name, &is_new);
	CU_ASSERT(is_new);
	CU_ASSERT_EQUAL(a, 1);
	CU_ASSERT_EQUAL(iot_row_at(t.tl, a)->n_lanes, 1);
	CU_ASSERT_EQUAL(iot_timeline_row(t.tl, t.space, 0, id, other, &is_new), a);
	CU_ASSERT(!is_new);
	CU_ASSERT_EQUAL(iot_row_at(t.tl, a)->name, name);
	b = iot_timeline_row(t.tl, t.resource, a, id, name, &is_new);
	CU_ASSERT(is_new);
	CU_ASSERT_NOT_EQUAL(iot_timeline_row(t.tl, t.space, b, id, name, NULL), a);
	CU_ASSERT_NOT_EQUAL(iot_timeline_row(t.tl, t.space, 0, name, name, NULL), a);
	iot_timeline_free(t.tl);
}

UNIT_TEST(path_joins_names_from_the_root)
{
	struct tree t;
	iot_row_id space, resource;
	g_autofree char *root = NULL;
	g_autofree char *one = NULL;
	g_autofree char *three = NULL;

	tree_init(&t);
	space = add(&t, t.space, 0, "0x7", 0);
	resource = add(&t, t.resource, space, "inode 13b", 0);
	root = iot_timeline_path(t.tl, 0, "/");
	one = iot_timeline_path(t.tl, space, "/");
	three = iot_timeline_path(t.tl, add(&t, t.node, resource, "node 1", 0), " > ");
	CU_ASSERT_STRING_EQUAL(root, "");
	CU_ASSERT_STRING_EQUAL(one, "0x7");
	CU_ASSERT_STRING_EQUAL(three, "0x7 > inode 13b > node 1");
	iot_timeline_free(t.tl);
}

UNIT_TEST(siblings_are_ranked_by_waiting_time_then_by_name)
{
	struct tree t;
	iot_row_id space, r10, r2, worst;
	g_autofree char *text = NULL;

	tree_init(&t);
	space = add(&t, t.space, 0, "s", 12);
	r10 = add(&t, t.resource, space, "r10", 1);
	r2 = add(&t, t.resource, space, "r2", 1);
	worst = add(&t, t.resource, space, "zzz", 10);
	text = ordered(&t);
	CU_ASSERT_STRING_EQUAL(text, "s s/zzz s/r2 s/r10");
	CU_ASSERT_EQUAL(iot_row_at(t.tl, worst)->rank, 0);
	CU_ASSERT_EQUAL(iot_row_at(t.tl, r2)->rank, 1);
	CU_ASSERT_EQUAL(iot_row_at(t.tl, r10)->rank, 2);
	iot_timeline_free(t.tl);
}

/* Rows without waits are ranked by number of items; a wait of 0 ns is a wait. */
UNIT_TEST(without_waits_rows_are_ranked_by_items)
{
	struct tree t;
	iot_row_id few, many;
	iot_type_id type;
	g_autofree char *before = NULL;
	g_autofree char *after = NULL;

	tree_init(&t);
	few = add(&t, t.space, 0, "a few", 0);
	many = add(&t, t.space, 0, "many", 0);
	iot_row_at(t.tl, few)->n_items = 3;
	iot_row_at(t.tl, many)->n_items = 4;
	iot_timeline_type(t.tl, IOT_TYPE_POINT, "p", "p", t.space, &type);
	iot_timeline_cat(t.tl, type, "call", 0, IOT_ROLE_CALL);
	before = ordered(&t);
	CU_ASSERT_STRING_EQUAL(before, "many a few");
	CU_ASSERT_EQUAL(iot_row_at(t.tl, few)->rank, 1);
	iot_timeline_type(t.tl, IOT_TYPE_SPAN, "s", "s", t.node, &type);
	iot_timeline_cat(t.tl, type, "call", 0, IOT_ROLE_CALL);
	after = ordered(&t);
	CU_ASSERT_STRING_EQUAL(after, "a few many");
	iot_timeline_free(t.tl);
}

UNIT_TEST(ranks_are_counted_for_each_type)
{
	struct tree t;
	iot_type_id other;
	iot_row_id first, second;

	tree_init(&t);
	iot_timeline_type(t.tl, IOT_TYPE_ROW, "file", "file", 0, &other);
	add(&t, t.space, 0, "s", 5);
	first = add(&t, other, 0, "b", 2);
	second = add(&t, other, 0, "a", 1);
	iot_timeline_rank(t.tl);
	CU_ASSERT_EQUAL(iot_row_at(t.tl, first)->rank, 0);
	CU_ASSERT_EQUAL(iot_row_at(t.tl, second)->rank, 1);
	iot_timeline_free(t.tl);
}

UNIT_TEST(nodes_are_ranked_by_name)
{
	struct tree t;
	iot_row_id resource, n1, n10;
	g_autofree char *text = NULL;

	tree_init(&t);
	resource = add(&t, t.resource, add(&t, t.space, 0, "s", 0), "r", 0);
	n10 = add(&t, t.node, resource, "node 10", 100);
	add(&t, t.node, resource, "node 2", 50);
	n1 = add(&t, t.node, resource, "node 1", 0);
	text = ordered(&t);
	CU_ASSERT_STRING_EQUAL(text, "s s/r s/r/node 1 s/r/node 2 s/r/node 10");
	CU_ASSERT_EQUAL(iot_row_at(t.tl, n1)->rank, 0);
	CU_ASSERT_EQUAL(iot_row_at(t.tl, n10)->rank, 2);
	iot_timeline_free(t.tl);
}

/* Two rows may show the same name: ids differ in bytes that are not printed. */
UNIT_TEST(equal_names_are_ranked_by_number)
{
	struct tree t;
	iot_str name;
	iot_row_id a, b;

	tree_init(&t);
	name = iot_intern_str(t.tl->strings, "same");
	a = iot_timeline_row(t.tl, t.space, 0, iot_intern_str(t.tl->strings, "z"), name, NULL);
	b = iot_timeline_row(t.tl, t.space, 0, iot_intern_str(t.tl->strings, "a"), name, NULL);
	iot_timeline_rank(t.tl);
	CU_ASSERT_EQUAL(iot_row_at(t.tl, a)->rank, 0);
	CU_ASSERT_EQUAL(iot_row_at(t.tl, b)->rank, 1);
	iot_timeline_free(t.tl);
}

/* Children were added in turns, so the order of numbers is not the order of the tree. */
UNIT_TEST(order_is_depth_first)
{
	struct tree t;
	iot_row_id quiet, busy, qa, ba;
	g_autofree char *text = NULL;

	tree_init(&t);
	quiet = add(&t, t.space, 0, "quiet", 1);
	busy = add(&t, t.space, 0, "busy", 9);
	qa = add(&t, t.resource, quiet, "a", 1);
	ba = add(&t, t.resource, busy, "a", 4);
	add(&t, t.node, qa, "n2", 0);
	add(&t, t.node, ba, "n1", 4);
	add(&t, t.resource, busy, "b", 5);
	add(&t, t.node, qa, "n1", 1);
	text = ordered(&t);
	CU_ASSERT_STRING_EQUAL(text,
			       "busy busy/b busy/a busy/a/n1 quiet quiet/a quiet/a/n1 quiet/a/n2");
	CU_ASSERT_EQUAL(iot_row_at(t.tl, ba)->rank, 1);
	CU_ASSERT_EQUAL(iot_row_at(t.tl, quiet)->rank, 1);
	iot_timeline_free(t.tl);
}

UNIT_TEST(an_empty_timeline_has_no_order)
{
	struct tree t;
	g_autofree char *text = NULL;

	tree_init(&t);
	text = ordered(&t);
	CU_ASSERT_STRING_EQUAL(text, "");
	iot_timeline_free(t.tl);
}

UNIT_TEST(many_rows_keep_their_places)
{
	enum { N = 5000 };
	struct tree t;
	g_autoptr(GArray) rows = NULL;

	tree_init(&t);
	for (guint i = 0; i < N; i++) {
		g_autofree char *name = g_strdup_printf("r%u", i);

		add(&t, t.space, 0, name, i);
	}
	iot_timeline_rank(t.tl);
	rows = iot_timeline_ordered(t.tl);
	CU_ASSERT_EQUAL_FATAL(rows->len, N);
	for (guint i = 0; i < N; i++) {
		iot_row_id row = g_array_index(rows, iot_row_id, i);

		CU_ASSERT_EQUAL(row, N - i);
		CU_ASSERT_EQUAL(iot_row_at(t.tl, row)->rank, i);
	}
	iot_timeline_free(t.tl);
}

UNIT_TEST(texts_that_are_numbers)
{
	static const struct {
		guint64 number;
		const char *text;
	} cases[] = { { 0, "0" }, { 9, "9" }, { 10, "10" }, { G_MAXINT64, "9223372036854775807" } };
	char digits[IOT_DIGITS_ROOM];
	struct tree t;
	gsize len;

	tree_init(&t);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		guint64 text = iot_text_number(cases[i].number);

		CU_ASSERT_TRUE(iot_text_is_number(text));
		CU_ASSERT_STRING_EQUAL(iot_tl_text(t.tl, text, digits, &len), cases[i].text);
		CU_ASSERT_EQUAL(len, strlen(cases[i].text));
	}
	CU_ASSERT_FALSE(iot_text_is_number(iot_intern_str(t.tl->strings, "7")));
	CU_ASSERT_STRING_EQUAL(
		iot_tl_text(t.tl, iot_intern_str(t.tl->strings, "seven"), digits, &len), "seven");
	CU_ASSERT_EQUAL(len, 5);
	iot_timeline_free(t.tl);
}

UNIT_TEST(times_are_relative_to_the_zero_of_pictures)
{
	struct tree t;

	tree_init(&t);
	t.tl->zero_ns = 100;
	CU_ASSERT_EQUAL(iot_tl_rel(t.tl, 150), 50);
	CU_ASSERT_EQUAL(iot_tl_rel(t.tl, 100), 0);
	CU_ASSERT_EQUAL(iot_tl_rel(t.tl, 99), 0);
	iot_timeline_free(t.tl);
}
