/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink-sample.h"
#include "sinks/show/show-kinds.h"
#include "sinks/show/show-strips.h"

static GHashTable *make_options(const char *width, const char *rows)
{
	GHashTable *options = g_hash_table_new(g_str_hash, g_str_equal);

	g_hash_table_insert(options, (gpointer)(gsize) "width", (gpointer)(gsize)width);
	if (rows)
		g_hash_table_insert(options, (gpointer)(gsize) "rows", (gpointer)(gsize)rows);
	return options;
}

static char *show_with(struct sample *s, GHashTable *options, guint64 end)
{
	struct iot_summary summary = { .to_ns = s->tl->origin_ns + end };

	s->tl->zero_ns = s->tl->origin_ns;
	return sample_run(s, &iot_sink_show, options, &summary);
}

static char *show(struct sample *s, const char *width, const char *rows, guint64 end)
{
	g_autoptr(GHashTable) options = make_options(width, rows);

	return show_with(s, options, end);
}

/* 61 columns are 12 for labels, 40 of 4 ns each, and 9 for sums. */
UNIT_TEST(show_draws_what_most_of_a_column_is)
{
	static const char want[] =
		"            |0.0000000 s             |0.0000001 s      WAITED\n"
		"0x7/A\n"
		"  node 1    ##########EEEEEEEEEEEEEEEEEEEE+             41 ns\n"
		"                           PPp\n"
		"  node 2                        ?????+??????????????        -\n"
		"! node 1      !                                       not observed\n"
		"\n"
		"     KIND        COUNT       TIME    LONGEST\n"
		"  P  PR              1       7 ns       7 ns\n"
		"  E  EX              1      81 ns      81 ns\n"
		"  ?  unknown         1      79 ns      79 ns\n"
		"  #  PENDING         3      41 ns      40 ns\n"
		"\n"
		"a column is 4 ns; a letter is the kind with the most time, in\n"
		"  small letters if less than half of the column is covered; +\n"
		"  is waiting for less than half\n";
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	sample_span(&s, s.a1, s.pending, 0, 40);       /* columns 0 to 9 */
	sample_gap(&s, "node 1", 8, 12, 5);	       /* column 2 */
	sample_span(&s, s.a1, s.pr, 62, 69)->lane = 1; /* 2 of 4 in column 15, 1 in column 17 */
	sample_span(&s, s.a2, s.pending, 100, 100);    /* column 25: it does not vanish */
	sample_span(&s, s.a1, s.ex, 40, 121);	       /* columns 10 to 29, 1 of 4 in column 30 */
	sample_span(&s, s.a1, s.pending, 121, 122);    /* 1 of 4 in column 30 */
	sample_point(&s, s.b1, s.call, 130);	       /* no span, so no row */
	sample_span(&s, s.a2, s.unknown, 80, 159);     /* columns 20 to 39 */
	text = show(&s, "61", NULL, 160);
	EXPECT_TEXT(text, want);
	sample_clear(&s);
}

UNIT_TEST(show_says_which_rows_are_left_out)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	sample_span(&s, s.a1, s.pending, 0, 40);
	sample_span(&s, s.a2, s.pending, 0, 30);
	sample_span(&s, s.b1, s.pending, 0, 20);
	text = show(&s, "61", "2", 160);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "\nleft out: 1 row with less waiting; take a narrower"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "show,rows=3\n"));
	CU_ASSERT_PTR_NULL(strstr(text, "0x7/B"));
	sample_clear(&s);
}

UNIT_TEST(show_of_nothing_says_so)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	text = show(&s, "61", NULL, 160);
	EXPECT_TEXT(text, "nothing to show\n");
	sample_clear(&s);
}

/* Every column of a long picture is whole buckets, so no time is lost at their edges. */
UNIT_TEST(shares_of_columns_add_up)
{
	struct sample s;
	g_autoptr(GArray) strips = iot_show_strips_new();
	guint64 bucket = 1, ex = 0, pending = 0;
	struct iot_show_cell cell;

	sample_init(&s);
	CU_ASSERT(iot_show_strips_add(strips, bucket, s.ex, 3, 1000));
	CU_ASSERT_FALSE(iot_show_strips_add(strips, bucket, s.ex, 1001, 1024));
	for (; bucket < 64; bucket *= 2)
		iot_show_strips_halve(strips);
	CU_ASSERT(iot_show_strips_add(strips, bucket, s.pending, 1000, 65536));
	for (guint i = 0; i < IOT_SHOW_BUCKETS; i += 8) {
		cell = iot_show_strips_cell(strips, s.tl, i, 8, bucket);
		ex += cell.other_ns;
		pending += cell.wait_ns;
		CU_ASSERT(cell.covered_ns <= 8 * bucket);
	}
	CU_ASSERT_EQUAL(ex, 997 + 23);
	CU_ASSERT_EQUAL(pending, 64536);
	cell = iot_show_strips_cell(strips, s.tl, 8, 8,
				    bucket); /* 512 to 1024: EX 511, PENDING 24 */
	CU_ASSERT_EQUAL(cell.cat, s.ex);
	CU_ASSERT_EQUAL(cell.cat_ns, 511);
	CU_ASSERT_EQUAL(cell.wait, s.pending);
	CU_ASSERT_EQUAL(cell.wait_ns, 24);
	CU_ASSERT_EQUAL(cell.covered_ns, 512);
	cell = iot_show_strips_cell(strips, s.tl, 1020, 8, bucket); /* beyond the last bucket */
	CU_ASSERT_EQUAL(cell.wait_ns, 256);
	sample_clear(&s);
}

UNIT_TEST(kinds_get_different_letters_of_their_names)
{
	static const char *const names[] = { "NL", "CR", "CW", "PR", "PW", "EX", "x", "E" };
	g_autoptr(GArray) kinds = iot_show_kinds_new();
	struct sample s;
	GString *letters = g_string_new(NULL);

	sample_init(&s);
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		iot_show_kinds_at(kinds,
				  iot_timeline_cat(s.tl, s.lock, names[i], 0, IOT_ROLE_HOLD));
	iot_show_kinds_at(kinds, s.pending);
	iot_show_kinds_at(kinds, s.unknown);
	iot_show_kinds_name(kinds, s.tl);
	for (guint i = 0; i < kinds->len; i++)
		g_string_append_c(letters, g_array_index(kinds, struct iot_show_kind, i).letter);
	/* by category: unknown and PENDING first; x takes the X of EX, E then finds none */
	EXPECT_TEXT(letters->str, "?#NCWRPEX1");
	g_string_free(letters, TRUE);
	sample_clear(&s);
}

/* 61 columns are 12 for labels, 40 of 4 ns each, and 9 for numbers. */
UNIT_TEST(show_draws_events_arrows_and_values)
{
	static const char want[] =
		"            |0.0000000 s             |0.0000001 s      WAITED\n"
		"0x7/A\n"
		"  node 1    EEEEEEEEEEEEEEEEEEEE                            -\n"
		"    events  :! *.>    <           x                        15\n"
		"    bytes   0000000000999999999993333333333333333333        9\n"
		"  node 2    \n"
		"    events       <    x           .                         1\n"
		"\n"
		"     KIND     COUNT       TIME    LONGEST\n"
		"  E  EX           1      80 ns      80 ns\n"
		"\n"
		"     EVENT           COUNT\n"
		"     ast                15\n"
		"     lock failed         1\n"
		"\n"
		"       ARROWS       MEAN    LONGEST  KIND, ROWS\n"
		"            2       9 ns      18 ns  hand-over, 0x7/A: node 1 -> node 2\n"
		"            1       0 ns       0 ns  hand-over, 0x7/A: node 2 -> node 1\n"
		"            1       0 ns       0 ns  hand-over, 0x7/A: node 1 -> node 1\n"
		"\n"
		"a column is 4 ns; a letter is the kind with the most time, in\n"
		"  small letters if less than half of the column is covered; +\n"
		"  is waiting for less than half\n"
		"events: . one, : up to nine, * more, ! failed; an arrow\n"
		"  leaves >, arrives <, or both x\n"
		"values: the greatest in each column, up to the number on the\n"
		"  right\n";
	g_autoptr(GHashTable) options = make_options("61", NULL);
	iot_type_id counter;
	iot_cat_id link, bytes;
	g_autofree char *text = NULL;
	struct sample s;

	g_hash_table_insert(options, (gpointer)(gsize) "events", (gpointer)(gsize) "");
	sample_init(&s);
	link = sample_link_type(&s);
	iot_timeline_type(s.tl, IOT_TYPE_COUNTER, "bytes", "bytes", s.node, &counter);
	bytes = iot_timeline_cat(s.tl, counter, "bytes", 0, IOT_ROLE_NONE);
	sample_point(&s, s.a1, s.ast, 0); /* column 0, with the next one */
	sample_point(&s, s.a1, s.ast, 3);
	sample_point(&s, s.a1, s.call_failed, 5)->flags = IOT_FAILED; /* column 1 */
	for (guint i = 0; i < 10; i++)
		sample_point(&s, s.a1, s.ast, 12); /* column 3 */
	sample_point(&s, s.a1, s.ast, 16);	   /* column 4 */
	sample_link(&s, link, s.a1, 20, s.a2, 20); /* column 5 */
	iot_sample_set(sample_add(&s, IOT_ITEM_SAMPLE, s.a1, bytes, 40, 40), 9, 9);
	sample_span(&s, s.a1, s.ex, 0, 80);
	iot_sample_set(sample_add(&s, IOT_ITEM_SAMPLE, s.a1, bytes, 80, 80), 3, -6);
	sample_link(&s, link, s.a2, 40, s.a1, 40); /* column 10 */
	sample_point(&s, s.a1, s.ast, 88);
	sample_link(&s, link, s.a1, 88, s.a1, 88); /* column 22: both ends */
	sample_point(&s, s.a2, s.ast, 88);
	sample_link(&s, link, s.a1, 22, s.a2, 40); /* columns 5 and 10 again */
	text = show_with(&s, options, 160);
	EXPECT_TEXT(text, want);
	sample_clear(&s);
}
