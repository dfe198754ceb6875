/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File I/O in sinks: calls as spans, on two types of rows, counters, nodes at the top. */
#include "sink-sample.h"
#include "sinks/aggregate.h"

struct io {
	struct sample s;
	iot_type_id top, process, thread, file, user, io, use;
	iot_cat_id read, write, use_read, bytes;
	iot_row_id t1, t2, f1; /* node 1/dd 7/dd 7, node 2/cp 8/cp 8, x/node 1 */
};

static iot_type_id add_row_type(struct io *t, const char *name, iot_type_id on, enum iot_role role)
{
	iot_type_id id;

	iot_timeline_type(t->s.tl, IOT_TYPE_ROW, name, name, on, &id)->role = role;
	return id;
}

static iot_row_id add_thread(struct io *t, const char *node, const char *name)
{
	iot_row_id row = sample_row(&t->s, t->top, 0, node);

	row = sample_row(&t->s, t->process, row, name);
	return sample_row(&t->s, t->thread, row, name);
}

static void io_init(struct io *t)
{
	struct iot_type *type;
	iot_type_id counter;

	memset(t, 0, sizeof(*t));
	t->s.tl = iot_timeline_new();
	t->s.items = g_array_new(FALSE, TRUE, sizeof(struct iot_item));
	t->s.tl->origin_ns = 1000000000;
	t->top = add_row_type(t, "node", 0, IOT_ROLE_NODE);
	t->process = add_row_type(t, "process", t->top, IOT_ROLE_RESOURCE);
	t->thread = add_row_type(t, "thread", t->process, IOT_ROLE_NONE);
	t->file = add_row_type(t, "file", 0, IOT_ROLE_NONE);
	t->user = add_row_type(t, "user", t->file, IOT_ROLE_NODE);
	type = iot_timeline_type(t->s.tl, IOT_TYPE_SPAN, "io", "file I/O", t->thread, &t->io);
	sample_attr(&t->s, type, "result", IOT_ATTR_STR);
	iot_timeline_type(t->s.tl, IOT_TYPE_SPAN, "use", "use", t->user, &t->use)->repeats = t->io;
	type = iot_timeline_type(t->s.tl, IOT_TYPE_COUNTER, "bytes", "bytes moved", t->process,
				 &counter);
	sample_attr(&t->s, type, "value", IOT_ATTR_INT);
	sample_attr(&t->s, type, "change", IOT_ATTR_INT);
	t->read = iot_timeline_cat(t->s.tl, t->io, "read", 0x00ff00, IOT_ROLE_CALL);
	t->write = iot_timeline_cat(t->s.tl, t->io, "write", 0xff0000, IOT_ROLE_CALL);
	t->use_read = iot_timeline_cat(t->s.tl, t->use, "read", 0x00ff00, IOT_ROLE_CALL);
	t->bytes = iot_timeline_cat(t->s.tl, counter, "bytes moved", 0x0000ff, IOT_ROLE_NONE);
	t->t1 = add_thread(t, "node 1", "dd 7");
	t->t2 = add_thread(t, "node 2", "cp 8");
	t->f1 = sample_row(&t->s, t->user, sample_row(&t->s, t->file, 0, "x"), "node 1");
}

static void add_sample(struct io *t, iot_row_id thread, guint64 at, gint64 value, gint64 change)
{
	struct iot_item *item = sample_add(&t->s, IOT_ITEM_SAMPLE,
					   iot_row_at(t->s.tl, thread)->parent, t->bytes, at, at);

	iot_sample_set(item, value, change);
}

/* Two calls of node 1, one of them on a known file, and a failed call of node 2. */
static void add_calls(struct io *t)
{
	struct iot_item *item;

	sample_span(&t->s, t->t1, t->read, 0, 100);
	sample_span(&t->s, t->f1, t->use_read, 0, 100);
	add_sample(t, t->t1, 100, 10, 10);
	sample_span(&t->s, t->t1, t->write, 200, 500);
	add_sample(t, t->t1, 500, 8, -2);
	item = sample_span(&t->s, t->t2, t->write, 600, 650);
	item->flags = IOT_FAILED;
	item->attr[0].str = sample_str(&t->s, "EIO");
	item = sample_span(&t->s, t->t2, t->write, 700, 900);
	item->flags = IOT_UNFINISHED;
	add_sample(t, t->t2, 950, -3, -3);
}

static struct iot_aggregate *aggregate(const struct io *t)
{
	struct iot_aggregate *sums = iot_aggregate_new(t->s.tl);

	for (guint i = 0; i < t->s.items->len; i++)
		iot_aggregate_add(sums, &g_array_index(t->s.items, struct iot_item, i));
	iot_aggregate_roll_up(sums);
	return sums;
}

UNIT_TEST(calls_that_are_spans_are_waits_and_calls)
{
	g_autoptr(iot_aggregate) sums = NULL;
	const struct iot_point_sum *point;
	const struct iot_row_sum *sum;
	struct io t;

	io_init(&t);
	add_calls(&t);
	sums = aggregate(&t);
	sum = iot_aggregate_row(sums, t.t1);
	CU_ASSERT_EQUAL(sum->wait_ns, 400);
	CU_ASSERT_EQUAL(sum->worst_ns, 300);
	CU_ASSERT_EQUAL(sum->calls, 2);
	CU_ASSERT_EQUAL(iot_aggregate_cat_ns(sum, t.write), 300);
	/* they also count on the rows of the file, but once in the sum of all */
	CU_ASSERT_EQUAL(iot_aggregate_row(sums, t.f1)->wait_ns, 100);
	CU_ASSERT_EQUAL(iot_aggregate_row(sums, t.f1)->calls, 1);
	CU_ASSERT_EQUAL(iot_aggregate_row(sums, 0)->wait_ns, 650);
	CU_ASSERT_EQUAL(iot_aggregate_row(sums, 0)->calls, 4);
	CU_ASSERT_EQUAL(sums->n_longest, 4);
	point = &g_array_index(sums->points, struct iot_point_sum, t.write);
	CU_ASSERT_EQUAL(point->n, 3);
	CU_ASSERT_EQUAL(point->failed, 1);
	CU_ASSERT_EQUAL(point->not_ended, 1);
	CU_ASSERT_EQUAL(point->took_n, 2);
	CU_ASSERT_EQUAL(point->took_ns, 350);
	CU_ASSERT_EQUAL(point->took_max_ns, 300);
	sample_clear(&t.s);
}

UNIT_TEST(counters_sum_up_in_the_rows_above)
{
	g_autoptr(iot_aggregate) sums = NULL;
	const struct iot_row_sum *root;
	struct io t;

	io_init(&t);
	add_calls(&t);
	sums = aggregate(&t);
	root = iot_aggregate_row(sums, 0);
	CU_ASSERT_EQUAL_FATAL(root->n_counters, 1);
	CU_ASSERT_EQUAL(root->counters[0].cat, t.bytes);
	CU_ASSERT_EQUAL(root->counters[0].value, 5);
	CU_ASSERT_EQUAL(iot_aggregate_row(sums, t.t1)->n_counters, 0);
	sample_clear(&t.s);
}

UNIT_TEST(a_level_below_nodes_can_be_what_tables_list)
{
	g_autofree char *list = NULL;
	struct io t;

	io_init(&t);
	add_calls(&t);
	list = sample_run(&t.s, &iot_sink_list, NULL, NULL);
	EXPECT_TEXT(list, "NODE / PROCESS  PENDING  WORST WAIT  CALLS  NODES\n"
			  "node 1           400 ns      300 ns      2  node 1\n"
			  "  dd 7           400 ns      300 ns      2  node 1\n"
			  "node 2           250 ns     >200 ns      2  node 2\n"
			  "  cp 8           250 ns     >200 ns      2  node 2\n"
			  "\n"
			  "FILE  PENDING  WORST WAIT  CALLS  NODES\n"
			  "x      100 ns      100 ns      1  node 1\n"
			  "\n"
			  "2 processes, 1 file, 2 nodes: 4 calls, 650 ns pending, worst wait 300 ns\n");
	sample_clear(&t.s);
}

/* The calls of a file count also if the rows of their threads are not selected. */
UNIT_TEST(the_list_counts_the_calls_that_it_lists)
{
	g_autofree char *list = NULL;
	struct io t;

	io_init(&t);
	sample_span(&t.s, t.f1, t.use_read, 0, 100);
	sample_span(&t.s, t.f1, t.use_read, 200, 350);
	list = sample_run(&t.s, &iot_sink_list, NULL, NULL);
	EXPECT_TEXT(list, "NODE / PROCESS  PENDING  WORST WAIT  CALLS  NODES\n"
			  "node 1                -           -      -  node 1\n"
			  "  dd 7                -           -      -  node 1\n"
			  "node 2                -           -      -  node 2\n"
			  "  cp 8                -           -      -  node 2\n"
			  "\n"
			  "FILE  PENDING  WORST WAIT  CALLS  NODES\n"
			  "x      250 ns      150 ns      2  node 1\n"
			  "\n"
			  "2 processes, 1 file, 2 nodes: 2 calls, 250 ns pending, worst wait 150 ns\n");
	sample_clear(&t.s);
}

UNIT_TEST(report_has_columns_for_calls_and_counters)
{
	struct iot_summary summary = { .begin_ns = 1000000000, .end_ns = 1000001000,
				       .from_ns = 1000000000, .to_ns = 1000001000,
				       .unknown_systems = "block, sched" };
	struct iot_summary_input input = { .path = "a.dat" };
	g_autofree char *text = NULL;
	struct io t;

	io_init(&t);
	add_calls(&t);
	summary.inputs = &input;
	summary.n_inputs = 1;
	text = sample_tables(&t.s, &summary);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n  recorded, but not drawn: events of block, sched\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		text, "Processes\n"
		      "  NODE / PROCESS  IN CALLS      LONGEST  CALLS  BYTES MOVED    READ       WRITE\n"
		      "  node 1/dd 7       400 ns 40%   300 ns      2            8  100 ns 10%  300 ns 30%\n"
		      "  node 2/cp 8       250 ns 25%  >200 ns      2           -3       -      250 ns 25%\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		text, "  EVENT        COUNT  FAILED  NOT ENDED  MEAN TIME  LONGEST  FAILURES\n"
		      "  read   call      1       -                100 ns   100 ns\n"
		      "  write  call      3       1          1     175 ns   300 ns  EIO 1\n"));
	sample_clear(&t.s);
}

UNIT_TEST(text_has_a_line_for_each_sample)
{
	g_autofree char *text = NULL;
	struct io t;

	io_init(&t);
	t.s.tl->origin_ns = 0;
	add_sample(&t, t.t1, 5, 10, 10);
	add_sample(&t, t.t2, 6, G_MININT64, 0);
	text = sample_run(&t.s, &iot_sink_text, NULL, NULL);
	EXPECT_TEXT(text, "5 sample \"node 1/dd 7\" bytes 10\n"
			  "6 sample \"node 2/cp 8\" bytes -9223372036854775808\n");
	sample_clear(&t.s);
}

UNIT_TEST(null_counts_samples)
{
	g_autofree char *text = NULL;
	struct io t;

	io_init(&t);
	add_calls(&t);
	text = sample_run(&t.s, &iot_sink_null, NULL, NULL);
	EXPECT_TEXT(text, "8 items\n");
	sample_clear(&t.s);
}

UNIT_TEST(slog2_says_what_it_leaves_out)
{
	g_autofree char *dir = g_dir_make_tmp("iotrace-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "out", NULL);
	g_autofree char *table = g_strconcat(path, ".rows.tsv", NULL);
	struct iot_sink_args args = { .path = path };
	static const struct iot_summary none;
	struct iot_sink *sink;
	struct io t;

	io_init(&t);
	add_calls(&t);
	args.tl = t.s.tl;
	sink = iot_sink_slog2.open(&args, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(sink);
	for (guint i = 0; i < t.s.items->len; i++)
		CU_ASSERT(iot_sink_slog2.item(sink, &g_array_index(t.s.items, struct iot_item, i), NULL));
	CU_ASSERT(iot_sink_slog2.finish(sink, &none, NULL));
	CU_ASSERT_EQUAL(iot_sink_slog2.diag(sink)->count[IOT_DIAG_samples_left_out], 3);
	iot_sink_slog2.free(sink);
	g_unlink(path);
	g_unlink(table);
	g_rmdir(dir);
	sample_clear(&t.s);
}

/* A span in the feed with begins, on a row of a view. */
static void add_begin_and_end(struct io *t, iot_row_id row, iot_cat_id cat, guint64 t0, guint64 t1)
{
	sample_add(&t->s, IOT_ITEM_SPAN_BEGIN, row, cat, t0, t0);
	sample_add(&t->s, IOT_ITEM_SPAN, row, cat, t0, t1);
}

UNIT_TEST(paje_groups_trees_and_sets_variables)
{
	g_autoptr(GHashTable) options = g_hash_table_new(g_str_hash, g_str_equal);
	struct iot_summary summary = { .end_ns = 1000001000, .to_ns = 1000001000 };
	g_autofree char *plain = NULL;
	g_autofree char *text = NULL;
	struct io t;

	io_init(&t);
	t.s.tl->zero_ns = t.s.tl->origin_ns;
	t.s.tl->view[0] = (struct iot_view){ .title = sample_str(&t.s, "Files"), .n_columns = 2,
					     .column = { t.file, t.user } };
	t.s.tl->n_views = 1;
	add_begin_and_end(&t, t.t1, t.read, 0, 100);
	add_sample(&t, t.t1, 100, 16, 10);
	add_begin_and_end(&t, t.f1, t.use_read, 100, 200);
	add_sample(&t, t.t1, 300, -4, -20);
	iot_timeline_rank(t.s.tl);
	g_hash_table_insert(options, (gpointer)"counters", (gpointer)"");
	text = sample_run(&t.s, &iot_sink_paje, options, &summary);
	CU_ASSERT_PTR_NOT_NULL(strstr(
		text, "%EventDef PajeDefineVariableType 8\n% Alias string\n% Type string\n"
		      "% Name string\n% Color color\n%EndEventDef\n"
		      "%EventDef PajeSetVariable 9\n% Time date\n% Type string\n"
		      "% Container string\n% Value double\n%EndEventDef\n"));
	/* rows 1 to 6 belong to the two threads, 7 and 8 to the file */
	EXPECT_TEXT(strstr(text, "0 g1 0 "),
		    "0 g1 0 \"group of node\"\n0 b1 g1 \"node\"\n0 b2 b1 \"process\"\n"
		    "0 b3 b2 \"thread\"\n"
		    "0 g4 0 \"group of file\"\n0 b4 g4 \"file\"\n0 b5 b4 \"user\"\n"
		    "1 s6 b3 \"file I/O\"\n1 s7 b5 \"use\"\n"
		    "3 v1 s6 \"read\" \"0.000 1.000 0.000\"\n"
		    "3 v2 s6 \"write\" \"1.000 0.000 0.000\"\n"
		    "3 v3 s7 \"read\" \"0.000 1.000 0.000\"\n"
		    "8 y8 b2 \"bytes moved\" \"0.000 0.000 1.000\"\n"
		    "4 0.000000000 h1 g1 0 \"node\"\n"
		    "4 0.000000000 c1 b1 h1 \"node 1\"\n"
		    "4 0.000000000 c2 b2 c1 \"dd 7\"\n"
		    "4 0.000000000 c3 b3 c2 \"dd 7\"\n"
		    "4 0.000000000 h4 g4 0 \"Files\"\n"
		    "4 0.000000000 c7 b4 h4 \"x\"\n"
		    "4 0.000000000 c8 b5 c7 \"node 1\"\n"
		    "9 0.000000000 y8 c2 6\n" /* 16 less the change */
		    "16 0.000000000 s6 c3 v1 \"-\"\n"
		    "6 0.000000100 s6 c3\n"
		    "9 0.000000100 y8 c2 16\n"
		    "17 0.000000100 s7 c8 v3\n"
		    "6 0.000000200 s7 c8\n"
		    "9 0.000000300 y8 c2 -4\n"
		    "5 0.000001000 b5 c8\n5 0.000001000 b4 c7\n5 0.000001000 g4 h4\n"
		    "5 0.000001000 b3 c3\n5 0.000001000 b2 c2\n5 0.000001000 b1 c1\n"
		    "5 0.000001000 g1 h1\n");
	plain = sample_run(&t.s, &iot_sink_paje, NULL, &summary);
	CU_ASSERT_PTR_NULL(strstr(plain, "Variable"));
	CU_ASSERT_PTR_NULL(strstr(plain, "y8"));
	sample_clear(&t.s);
}
