/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink-sample.h"
#include "sinks/aggregate.h"

static struct iot_aggregate *aggregate(const struct sample *s)
{
	struct iot_aggregate *sums = iot_aggregate_new(s->tl);

	for (guint i = 0; i < s->items->len; i++)
		iot_aggregate_add(sums, &g_array_index(s->items, struct iot_item, i));
	iot_aggregate_roll_up(sums);
	return sums;
}

static iot_row_id parent_of(const struct sample *s, iot_row_id row)
{
	return iot_row_at(s->tl, row)->parent;
}

/* Names of rows joined by blanks. */
static char *names_of(const struct sample *s, const GArray *rows)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < rows->len; i++) {
		g_autofree char *path =
			iot_timeline_path(s->tl, g_array_index(rows, iot_row_id, i), "/");

		g_string_append_printf(text, "%s%s", i ? " " : "", path);
	}
	return g_string_free(text, FALSE);
}

UNIT_TEST(sums_rise_to_the_rows_above)
{
	struct sample s;
	g_autoptr(iot_aggregate) sums = NULL;
	const struct iot_row_sum *sum;

	sample_init(&s);
	sample_span(&s, s.a1, s.pending, 0, 100);
	sample_span(&s, s.a2, s.pending, 0, 70);
	sample_span(&s, s.a2, s.ex, 70, 80);
	sample_span(&s, s.a1, s.ex, 100, 105);
	sample_span(&s, s.b1, s.unknown, 0, 1000);
	sample_point(&s, s.b1, s.call, 0);
	sample_point(&s, s.b1, s.call_failed, 0);
	sample_point(&s, s.b1, s.ast, 0);
	sums = aggregate(&s);

	sum = iot_aggregate_row(sums, s.a1);
	CU_ASSERT_EQUAL(sum->wait_ns, 100);
	CU_ASSERT_EQUAL(iot_aggregate_cat_ns(sum, s.ex), 5);
	sum = iot_aggregate_row(sums, parent_of(&s, s.a1));
	CU_ASSERT_EQUAL(sum->wait_ns, 170);
	CU_ASSERT_EQUAL(sum->worst_ns, 100);
	CU_ASSERT_EQUAL(iot_aggregate_cat_ns(sum, s.ex), 15);
	CU_ASSERT_EQUAL(iot_aggregate_cat_ns(sum, s.pending), 0);
	CU_ASSERT_EQUAL(sum->calls, 0);
	sum = iot_aggregate_row(sums, 0);
	CU_ASSERT_EQUAL(sum->wait_ns, 170);
	CU_ASSERT_EQUAL(iot_aggregate_cat_ns(sum, s.unknown), 1000);
	CU_ASSERT_EQUAL(sum->calls, 2);
	CU_ASSERT_EQUAL(sum->n_items, 8);
	sample_clear(&s);
}

UNIT_TEST(units_are_the_parents_of_nodes)
{
	struct sample s;
	g_autoptr(iot_aggregate) sums = NULL;
	g_autofree char *units = NULL;
	g_autofree char *nodes = NULL;
	const struct iot_row_sum *a;

	sample_init(&s);
	sums = aggregate(&s);
	units = names_of(&s, sums->units);
	nodes = names_of(&s, sums->nodes);
	CU_ASSERT_STRING_EQUAL(units, "0x7/A 0x7/B");
	CU_ASSERT_STRING_EQUAL(nodes, "0x7/A/node 1 0x7/A/node 2 0x7/B/node 1");
	a = iot_aggregate_row(sums, parent_of(&s, s.a1));
	CU_ASSERT_EQUAL(a->first_node, 0);
	CU_ASSERT_EQUAL(a->n_nodes, 2);
	CU_ASSERT_EQUAL(iot_aggregate_row(sums, parent_of(&s, s.b1))->first_node, 2);
	CU_ASSERT_EQUAL(iot_aggregate_row(sums, s.a2)->unit, parent_of(&s, s.a2));
	CU_ASSERT_EQUAL(iot_aggregate_row(sums, parent_of(&s, parent_of(&s, s.a1)))->unit, 0);
	sample_clear(&s);
}

UNIT_TEST(hidden_rows_are_no_units)
{
	struct sample s;
	g_autoptr(iot_aggregate) sums = NULL;
	g_autofree char *units = NULL;
	g_autofree char *nodes = NULL;

	sample_init(&s);
	iot_row_at(s.tl, s.a2)->hidden = TRUE;
	iot_row_at(s.tl, parent_of(&s, s.b1))->hidden = TRUE;
	iot_row_at(s.tl, s.b1)->hidden = TRUE;
	sums = aggregate(&s);
	units = names_of(&s, sums->units);
	nodes = names_of(&s, sums->nodes);
	CU_ASSERT_STRING_EQUAL(units, "0x7/A");
	CU_ASSERT_STRING_EQUAL(nodes, "0x7/A/node 1");
	sample_clear(&s);
}

/* Only rows of nodes are selected; the rows above them are shown with them. */
UNIT_TEST(rows_above_a_shown_one_are_units)
{
	struct sample s;
	g_autoptr(iot_aggregate) sums = NULL;
	g_autofree char *units = NULL;
	g_autofree char *nodes = NULL;

	sample_init(&s);
	for (iot_row_id row = 1; row < s.tl->rows.n; row++)
		iot_row_at(s.tl, row)->hidden = row != s.a2;
	sums = aggregate(&s);
	units = names_of(&s, sums->units);
	nodes = names_of(&s, sums->nodes);
	CU_ASSERT_STRING_EQUAL(units, "0x7/A");
	CU_ASSERT_STRING_EQUAL(nodes, "0x7/A/node 2");
	sample_clear(&s);
}

UNIT_TEST(without_nodes_the_innermost_rows_are_units)
{
	struct sample s;
	iot_type_id disk, file;
	g_autoptr(iot_aggregate) sums = NULL;
	g_autofree char *units = NULL;
	iot_row_id row;

	sample_init(&s);
	iot_timeline_type(s.tl, IOT_TYPE_ROW, "disk", "disk", 0, &disk);
	iot_timeline_type(s.tl, IOT_TYPE_ROW, "file", "file", disk, &file);
	row = sample_row(&s, disk, 0, "sda");
	sample_row(&s, file, row, "f1");
	sample_row(&s, file, row, "f2");
	sums = aggregate(&s);
	units = names_of(&s, sums->units);
	CU_ASSERT_STRING_EQUAL(units, "0x7/A 0x7/B sda/f1 sda/f2");
	sample_clear(&s);
}

UNIT_TEST(a_node_without_parent_is_its_own_unit)
{
	struct sample s;
	struct iot_type *type;
	iot_type_id host, cpu;
	iot_row_id row, below;
	g_autoptr(iot_aggregate) sums = NULL;
	g_autofree char *units = NULL;

	sample_init(&s);
	type = iot_timeline_type(s.tl, IOT_TYPE_ROW, "host", "host", 0, &host);
	type->role = IOT_ROLE_NODE;
	iot_timeline_type(s.tl, IOT_TYPE_ROW, "cpu", "cpu", host, &cpu);
	row = sample_row(&s, host, 0, "h");
	below = sample_row(&s, cpu, row, "0");
	sums = aggregate(&s);
	units = names_of(&s, sums->units);
	CU_ASSERT_STRING_EQUAL(units, "0x7/A 0x7/B h");
	CU_ASSERT_EQUAL(iot_aggregate_row(sums, below)->unit, row);
	sample_clear(&s);
}

UNIT_TEST(longest_waits_are_kept_in_a_total_order)
{
	struct sample s;
	g_autoptr(iot_aggregate) sums = NULL;

	sample_init(&s);
	for (guint i = 0; i < 40; i++)
		sample_span(&s, s.a1, s.pending, 1000 - 10 * i, 1000 - 10 * i + i % 4);
	sample_span(&s, s.a2, s.ex, 0, 5000);	    /* no wait */
	sample_span(&s, s.a2, s.pending, 970, 973); /* like item 3, but later in the stream */
	sums = aggregate(&s);
	CU_ASSERT_EQUAL(sums->n_longest, 10);
	/* the ten of 3 ns, earliest first; the copy of item 3 would be the eleventh */
	for (guint i = 0; i < 10; i++) {
		CU_ASSERT_EQUAL(sums->longest[i].seq, 39 - 4 * i);
		CU_ASSERT_EQUAL(sums->longest[i].t1 - sums->longest[i].t0, 3);
	}
	sample_clear(&s);
}

UNIT_TEST(equal_waits_are_ordered_by_number)
{
	struct sample s;
	g_autoptr(iot_aggregate) sums = NULL;

	sample_init(&s);
	s.seq = 7;
	sample_span(&s, s.a1, s.pending, 5, 9);
	s.seq = 3;
	sample_span(&s, s.a1, s.pending, 5, 9);
	sums = aggregate(&s);
	CU_ASSERT_EQUAL_FATAL(sums->n_longest, 2);
	CU_ASSERT_EQUAL(sums->longest[0].seq, 3);
	CU_ASSERT_EQUAL(sums->longest[1].seq, 7);
	sample_clear(&s);
}

UNIT_TEST(failures_are_counted_by_result)
{
	static const char *const results[] = { "EAGAIN", "EINVAL", "EAGAIN", "", "EBUSY" };
	struct sample s;
	g_autoptr(iot_aggregate) sums = NULL;
	g_autoptr(GArray) failures = NULL;
	g_autoptr(GArray) none = NULL;
	struct iot_failure *list;

	sample_init(&s);
	for (guint i = 0; i < G_N_ELEMENTS(results); i++) {
		struct iot_item *item = sample_point(&s, s.a1, s.call_failed, i);

		item->flags = IOT_FAILED;
		item->attr[2].str = sample_str(&s, results[i]);
	}
	for (guint i = 0; i < 3; i++) {
		struct iot_item *item = sample_point(&s, s.a1, s.call_failed, 10 + i);

		/* a number that differs from another one only in its upper half */
		item->flags = IOT_FAILED;
		item->attr[2].str = iot_text_number(i < 2 ? 5 : G_GUINT64_CONSTANT(5) << 32 | 5);
	}
	sample_point(&s, s.a1, s.call, 9)->attr[2].str = sample_str(&s, "0");
	sums = aggregate(&s);
	failures = iot_aggregate_failures(sums, s.call_failed);
	none = iot_aggregate_failures(sums, s.call);
	CU_ASSERT_EQUAL(none->len, 0);
	CU_ASSERT_EQUAL_FATAL(failures->len, 6);
	list = (struct iot_failure *)(gpointer)failures->data;
	CU_ASSERT_STRING_EQUAL(iot_tl_str(s.tl, (iot_str)list[0].result), "EAGAIN");
	CU_ASSERT_EQUAL(list[0].n, 2);
	CU_ASSERT_EQUAL(list[1].result, iot_text_number(5));
	CU_ASSERT_EQUAL(list[1].n, 2);
	CU_ASSERT_EQUAL(list[2].result, 0);
	CU_ASSERT_STRING_EQUAL(iot_tl_str(s.tl, (iot_str)list[3].result), "EINVAL");
	CU_ASSERT_STRING_EQUAL(iot_tl_str(s.tl, (iot_str)list[4].result), "EBUSY");
	CU_ASSERT_EQUAL(list[5].n, 1);
	sample_clear(&s);
}

UNIT_TEST(durations_of_calls_are_summed)
{
	struct sample s;
	g_autoptr(iot_aggregate) sums = NULL;
	const struct iot_point_sum *sum;
	struct iot_item *item;

	sample_init(&s);
	sample_point(&s, s.a1, s.call, 0)->attr[3].u = 30;
	sample_point(&s, s.a1, s.call, 0)->attr[3].u = 10;
	sample_point(&s, s.a1, s.call, 0); /* not known how long */
	item = sample_point(&s, s.a1, s.call, 0);
	item->flags = IOT_SUSPECT;
	item->attr[3].u = 999;
	sample_point(&s, s.a1, s.ast, 0)->attr[3].u = 999;
	sums = aggregate(&s);
	sum = &g_array_index(sums->points, struct iot_point_sum, s.call);
	CU_ASSERT_EQUAL(sum->n, 4);
	CU_ASSERT_EQUAL(sum->not_ended, 1);
	CU_ASSERT_EQUAL(sum->took_n, 2);
	CU_ASSERT_EQUAL(sum->took_ns, 40);
	CU_ASSERT_EQUAL(sum->took_max_ns, 30);
	CU_ASSERT_EQUAL(g_array_index(sums->points, struct iot_point_sum, s.ast).took_n, 0);
	sample_clear(&s);
}

UNIT_TEST(gaps_are_summed_by_node)
{
	struct sample s;
	g_autoptr(iot_aggregate) sums = NULL;
	const struct iot_gap_sum *gap;

	sample_init(&s);
	sample_gap(&s, "n2", 10, 20, 5);
	sample_gap(&s, "n1", 15, 25, G_MAXUINT64);
	sample_gap(&s, "n2", 30, 60, 7);
	sample_gap(&s, "n2", 70, 100, 0);
	sums = aggregate(&s);
	CU_ASSERT_EQUAL_FATAL(sums->gaps->len, 2);
	gap = &g_array_index(sums->gaps, struct iot_gap_sum, 0);
	CU_ASSERT_EQUAL(gap->n, 3);
	CU_ASSERT_EQUAL(gap->ns, 70);
	CU_ASSERT_EQUAL(gap->lost, 12);
	CU_ASSERT_EQUAL(gap->n_unknown, 0);
	CU_ASSERT_EQUAL(gap->longest_ns, 30);
	CU_ASSERT_EQUAL(gap->longest_t0, s.tl->origin_ns + 30);
	CU_ASSERT_EQUAL(gap[1].n_unknown, 1);
	CU_ASSERT_EQUAL(gap[1].lost, 0);
	sample_clear(&s);
}

static void expect_order(const struct sample *s, const struct iot_aggregate *sums, GArray *rows,
			 enum iot_row_order order, gboolean tree, const char *want)
{
	g_autofree char *got = NULL;

	iot_aggregate_sort(sums, rows, order, tree);
	got = names_of(s, rows);
	EXPECT_TEXT(got, want);
}

UNIT_TEST(rows_sort_by_each_key)
{
	struct sample s;
	g_autoptr(iot_aggregate) sums = NULL;
	g_autoptr(GArray) rows = NULL;
	iot_row_id x10, x2, other;

	sample_init(&s);
	other = sample_row(&s, s.lockspace, 0, "0x7 b");
	x10 = sample_row(&s, s.node, sample_row(&s, s.resource, other, "x10"), "n");
	x2 = sample_row(&s, s.node, sample_row(&s, s.resource, other, "x2"), "n");
	/*		   pending worst calls
	 * 0x7/A	   60      30    0
	 * 0x7/B	   40      40    3
	 * 0x7 b/x10, x2   30      30    2 */
	sample_span(&s, s.a1, s.pending, 0, 30);
	sample_span(&s, s.a2, s.pending, 0, 30);
	sample_span(&s, s.b1, s.pending, 0, 40);
	sample_span(&s, x10, s.pending, 0, 30);
	sample_span(&s, x2, s.pending, 0, 30);
	for (guint i = 0; i < 3; i++)
		sample_point(&s, s.b1, s.call, i);
	for (guint i = 0; i < 2; i++) {
		sample_point(&s, x2, s.call, i);
		sample_point(&s, x10, s.call, i);
	}
	sums = aggregate(&s);
	rows = g_array_copy(sums->units);
	expect_order(&s, sums, rows, IOT_BY_PENDING, FALSE, "0x7/A 0x7/B 0x7 b/x2 0x7 b/x10");
	expect_order(&s, sums, rows, IOT_BY_WORST, FALSE, "0x7/B 0x7/A 0x7 b/x2 0x7 b/x10");
	expect_order(&s, sums, rows, IOT_BY_CALLS, FALSE, "0x7/B 0x7 b/x2 0x7 b/x10 0x7/A");
	expect_order(&s, sums, rows, IOT_BY_NAME, FALSE, "0x7/A 0x7/B 0x7 b/x2 0x7 b/x10");
	g_array_append_val(rows, other);
	other = parent_of(&s, parent_of(&s, s.a1));
	g_array_append_val(rows, other);
	expect_order(&s, sums, rows, IOT_BY_CALLS, TRUE,
		     "0x7 b 0x7 b/x2 0x7 b/x10 0x7 0x7/B 0x7/A");
	expect_order(&s, sums, rows, IOT_BY_PENDING, TRUE,
		     "0x7 0x7/A 0x7/B 0x7 b 0x7 b/x2 0x7 b/x10");
	sample_clear(&s);
}

UNIT_TEST(titles_and_plurals)
{
	static const char *const nouns[][2] = {
		{ "resource", "resources" }, { "entry", "entries" }, { "day", "days" },
		{ "process", "processes" },  { "row", "rows" },	     { "y", "ys" },
	};
	struct sample s;
	g_autofree char *chain = NULL;

	sample_init(&s);
	chain = iot_type_chain(s.tl, s.node);
	CU_ASSERT_STRING_EQUAL(chain, "lockspace / resource / node");
	for (guint i = 0; i < G_N_ELEMENTS(nouns); i++) {
		g_autofree char *one = iot_plural(nouns[i][0], 1);
		g_autofree char *none = iot_plural(nouns[i][0], 0);

		CU_ASSERT_STRING_EQUAL(one, nouns[i][0]);
		CU_ASSERT_STRING_EQUAL(none, nouns[i][1]);
	}
	sample_clear(&s);
}
