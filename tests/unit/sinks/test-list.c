/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink-sample.h"
#include "base/error.h"

static GHashTable *make_options(const char *sort, gboolean tsv)
{
	GHashTable *options = g_hash_table_new(g_str_hash, g_str_equal);

	if (sort)
		g_hash_table_insert(options, (gpointer)(gsize)"sort", (gpointer)(gsize)sort);
	if (tsv)
		g_hash_table_insert(options, (gpointer)(gsize)"tsv", (gpointer)(gsize)"");
	return options;
}

/*		 pending  worst   calls
 * 0x7/A         3.5 ms   2.5 ms  1
 * 0x7/B         3.0 ms   3.0 ms  2
 * 0x8/C         1 us     1 us    1234
 * 0x8/idle      nothing */
static void add_locks(struct sample *s)
{
	iot_row_id space = sample_row(s, s->lockspace, 0, "0x8");
	iot_row_id node = sample_row(s, s->node, sample_row(s, s->resource, space, "C"), "node 10");

	sample_row(s, s->node, sample_row(s, s->resource, space, "idle"), "node 2");
	sample_span(s, s->a1, s->pending, 0, 2500000);
	sample_span(s, s->a2, s->pending, 0, 1000000);
	sample_span(s, s->b1, s->pending, 0, 3000000);
	sample_span(s, s->b1, s->ex, 0, 9000000);
	sample_span(s, node, s->pending, 0, 1000);
	sample_point(s, s->a1, s->call, 0);
	sample_point(s, s->b1, s->call, 0);
	sample_point(s, s->b1, s->call_failed, 0);
	sample_point(s, s->b1, s->ast, 0);
	for (guint i = 0; i < 1234; i++)
		sample_point(s, node, s->call, i);
}

static void expect_list(const char *sort, gboolean tsv, const char *want)
{
	g_autoptr(GHashTable) options = make_options(sort, tsv);
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	add_locks(&s);
	text = sample_run(&s, &iot_sink_list, options, NULL);
	EXPECT_TEXT(text, want);
	sample_clear(&s);
}

UNIT_TEST(list_sorts_by_time_pending)
{
	static const char want[] =
		"LOCKSPACE / RESOURCE  PENDING  WORST WAIT  CALLS  NODES\n"
		"0x7                   6.50 ms     3.00 ms      3  node 1, node 2\n"
		"  A                   3.50 ms     2.50 ms      1  node 1, node 2\n"
		"  B                   3.00 ms     3.00 ms      2  node 1\n"
		"0x8                   1.00 us     1.00 us   1234  node 2, node 10\n"
		"  C                   1.00 us     1.00 us   1234  node 10\n"
		"  idle                      -           -      -  node 2\n"
		"\n"
		"2 lockspaces, 4 resources, 3 nodes: 1237 calls, 6.50 ms pending, worst wait 3.00 ms\n"
		"0x7 and 1 more are checksums of lockspaces' names; --lockspace NAME,NAME shows these\n";

	expect_list(NULL, FALSE, want);
	expect_list("pending", FALSE, want);
}

UNIT_TEST(list_sorts_by_worst_wait)
{
	expect_list("worst", TRUE, "type\tpath\tcalls\tpending_ns\tworst_ns\tnodes\theld_by\n"
				   "lockspace\t0x7\t3\t6500000\t3000000\tnode 1,node 2\t\n"
				   "resource\t0x7/B\t2\t3000000\t3000000\tnode 1\t\n"
				   "resource\t0x7/A\t1\t3500000\t2500000\tnode 1,node 2\t\n"
				   "lockspace\t0x8\t1234\t1000\t1000\tnode 2,node 10\t\n"
				   "resource\t0x8/C\t1234\t1000\t1000\tnode 10\t\n"
				   "resource\t0x8/idle\t0\t0\t0\tnode 2\t\n");
}

UNIT_TEST(list_sorts_by_calls)
{
	expect_list("calls", TRUE, "type\tpath\tcalls\tpending_ns\tworst_ns\tnodes\theld_by\n"
				   "lockspace\t0x8\t1234\t1000\t1000\tnode 2,node 10\t\n"
				   "resource\t0x8/C\t1234\t1000\t1000\tnode 10\t\n"
				   "resource\t0x8/idle\t0\t0\t0\tnode 2\t\n"
				   "lockspace\t0x7\t3\t6500000\t3000000\tnode 1,node 2\t\n"
				   "resource\t0x7/B\t2\t3000000\t3000000\tnode 1\t\n"
				   "resource\t0x7/A\t1\t3500000\t2500000\tnode 1,node 2\t\n");
}

UNIT_TEST(list_sorts_by_name)
{
	expect_list("name", TRUE, "type\tpath\tcalls\tpending_ns\tworst_ns\tnodes\theld_by\n"
				  "lockspace\t0x7\t3\t6500000\t3000000\tnode 1,node 2\t\n"
				  "resource\t0x7/A\t1\t3500000\t2500000\tnode 1,node 2\t\n"
				  "resource\t0x7/B\t2\t3000000\t3000000\tnode 1\t\n"
				  "lockspace\t0x8\t1234\t1000\t1000\tnode 2,node 10\t\n"
				  "resource\t0x8/C\t1234\t1000\t1000\tnode 10\t\n"
				  "resource\t0x8/idle\t0\t0\t0\tnode 2\t\n");
}

UNIT_TEST(list_refuses_an_unknown_key)
{
	g_autoptr(GHashTable) options = make_options("size", FALSE);
	struct iot_sink_args args = { .path = "/dev/null", .options = options };
	g_autoptr(GError) error = NULL;

	CU_ASSERT(iot_sink_list.open(&args, &error) == NULL);
	CU_ASSERT_FATAL(g_error_matches(error, IOT_ERROR, IOT_ERROR_USAGE));
	CU_ASSERT_STRING_EQUAL(error->message,
			       "cannot sort by \"size\" (pending, worst, calls or name)");
}

UNIT_TEST(list_of_nothing)
{
	g_autoptr(GHashTable) options = make_options(NULL, TRUE);
	struct sample s = { .tl = iot_timeline_new() };
	g_autofree char *table = NULL;
	g_autofree char *tsv = NULL;

	s.items = g_array_new(FALSE, TRUE, sizeof(struct iot_item));
	table = sample_run(&s, &iot_sink_list, NULL, NULL);
	EXPECT_TEXT(table, "nothing to list\n");
	tsv = sample_run(&s, &iot_sink_list, options, NULL);
	EXPECT_TEXT(tsv, "type\tpath\tcalls\tpending_ns\tworst_ns\tnodes\theld_by\n");
	sample_clear(&s);
}

UNIT_TEST(list_shows_selected_rows_only)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	sample_hide(&s, iot_row_at(s.tl, s.a1)->parent);
	sample_point(&s, s.b1, s.call, 0);
	text = sample_run(&s, &iot_sink_list, NULL, NULL);
	EXPECT_TEXT(text, "LOCKSPACE / RESOURCE  PENDING  WORST WAIT  CALLS  NODES\n"
			  "0x7                         -           -      1  node 1\n"
			  "  B                         -           -      1  node 1\n"
			  "\n"
			  "1 lockspace, 1 resource, 1 node: 1 call, 0 ns pending, worst wait 0 ns\n"
			  "0x7 is the checksum of a lockspace's name; --lockspace NAME shows it\n");
	sample_clear(&s);
}

/* Names are whole here, so that they can be copied to --select. */
UNIT_TEST(list_never_cuts_names)
{
	g_autofree char *long_name = g_strnfill(3000, 'x');
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	sample_row(&s, s.node, sample_row(&s, s.resource, 0, long_name), "n");
	text = sample_run(&s, &iot_sink_list, NULL, NULL);
	CU_ASSERT(strstr(text, long_name) != NULL);
	sample_clear(&s);
}

UNIT_TEST(list_of_rows_without_nodes)
{
	struct sample s = { .tl = iot_timeline_new() };
	iot_type_id file, op;
	iot_cat_id cat;
	g_autofree char *text = NULL;

	s.items = g_array_new(FALSE, TRUE, sizeof(struct iot_item));
	iot_timeline_type(s.tl, IOT_TYPE_ROW, "file", "file", 0, &file);
	iot_timeline_type(s.tl, IOT_TYPE_POINT, "op", "operation", file, &op);
	cat = iot_timeline_cat(s.tl, op, "read", 0, IOT_ROLE_CALL);
	sample_point(&s, sample_row(&s, file, 0, "\303\251"), cat, 5);
	text = sample_run(&s, &iot_sink_list, NULL, NULL);
	EXPECT_TEXT(text, "FILE  PENDING  WORST WAIT  CALLS\n"
			  "\303\251           -           -      1\n"
			  "\n"
			  "1 file: 1 call, 0 ns pending, worst wait 0 ns\n");
	sample_clear(&s);
}

UNIT_TEST(list_is_bold_on_a_terminal_only)
{
	struct iot_summary summary = { .colour = TRUE };
	struct sample s;
	g_autofree char *file = NULL;
	g_autofree char *terminal = NULL;

	sample_init(&s);
	sample_hide(&s, iot_row_at(s.tl, s.a1)->parent);
	file = sample_run(&s, &iot_sink_list, NULL, &summary);
	CU_ASSERT(strchr(file, '\033') == NULL);
	terminal = sample_run_stdout(&s, &iot_sink_list, NULL, &summary);
	CU_ASSERT(g_str_has_prefix(terminal, "\033[1mLOCKSPACE / RESOURCE\033[0m  \033[1mPENDING\033[0m  "));
	CU_ASSERT(strstr(terminal, "\n\033[1m0x7\033[0m  ") != NULL);
	CU_ASSERT(strstr(terminal, "\n  B  ") != NULL);
	sample_clear(&s);
}
