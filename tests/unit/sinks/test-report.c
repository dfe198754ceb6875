/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink-sample.h"

static GHashTable *flag(const char *name)
{
	GHashTable *options = g_hash_table_new(g_str_hash, g_str_equal);

	g_hash_table_insert(options, (gpointer)(gsize)name, (gpointer)(gsize) "");
	return options;
}

static void add_events(struct sample *s)
{
	struct iot_item *item;

	sample_point(s, s->a1, s->call, 0)->attr[3].u = 10000;
	sample_point(s, s->a1, s->call, 100)->attr[3].u = 30000;
	item = sample_point(s, s->b1, s->call_failed, 200);
	item->flags = IOT_FAILED;
	item->attr[2].str = sample_str(s, "EINVAL");
	item->attr[3].u = 500;
	sample_point(s, s->b1, s->call, 300)->flags = IOT_UNFINISHED;
	sample_point(s, s->a1, s->ast, 400)->attr[2].str = sample_str(s, "0");
	item = sample_point(s, s->a1, s->ast_eagain, 500);
	item->flags = IOT_FAILED;
	item->attr[2].str = sample_str(s, "EAGAIN");
	sample_point(s, s->a2, s->bast, 600);
}

static void add_spans(struct sample *s)
{
	struct iot_item *item;

	item = sample_span(s, s->a1, s->pending, 1000, 2501000);
	item->attr[0].u = 0x2a;
	item->attr[1].i = 77;
	item->attr[2].str = sample_str(s, "EX");
	item->attr[3].str = sample_str(s, "0");
	sample_span(s, s->a1, s->ex, 2501000, 502501000);
	item = sample_span(s, s->b1, s->pending, 123456789, 124456789);
	item->attr[3].str = sample_str(s, "EAGAIN");
	item->flags = IOT_BEFORE;
	sample_span(s, s->a2, s->pr, 0, 1000000000)->flags = IOT_UNFINISHED;
	sample_span(s, s->a2, s->pending, 999000000, 1000000000)->flags = IOT_UNFINISHED;
}

static const struct iot_summary_input inputs[] = {
	{ .path = "trace-5.dat",
	  .node = "node 1",
	  .hostname = "alpha",
	  .kernel = "6.1.192",
	  .format = "trace-cmd 7, zstd",
	  .clock = "tsc2nsec",
	  .protocol = "kvm",
	  .sync = "yes",
	  .n_cpus = 2,
	  .n_samples = 2,
	  .n_events = 12345,
	  .n_lost = 17,
	  .first_ns = 1000000000,
	  .last_ns = 2000000000,
	  .has_times = TRUE },
	{ .path = "trace-4.dat",
	  .node = "node 2",
	  .hostname = "beta",
	  .kernel = "6.1.192",
	  .format = "trace-cmd 7, zstd",
	  .clock = "tsc2nsec",
	  .protocol = "none",
	  .sync = "no",
	  .n_cpus = 1,
	  .n_events = 7,
	  .first_ns = 1500000500,
	  .last_ns = 1600000000,
	  .has_times = TRUE,
	  .damaged = TRUE },
};

static struct iot_summary summary_of(guint n_inputs)
{
	struct iot_summary summary = { .n_inputs = n_inputs, .inputs = inputs };

	summary.begin_ns = summary.from_ns = 1000000000;
	summary.end_ns = summary.to_ns = 2000000000;
	return summary;
}

static const char full_report[] =
	"Most waited for: 0x7/A, 3.50 ms: by node 1 71 %, node 2 29 %; nothing recorded says who "
	"was "
	"in the way\n"
	"Longest wait: 2.50 ms: 0x7/A/node 1 in PENDING\n"
	"Lost: 17 events of node 1, part of trace-4.dat; waits may be missing there\n"
	"\n"
	"Inputs\n"
	"  FILE         NODE    HOST   KERNEL   CPUS  EVENTS  LOST  CLOCK     SYNC\n"
	"  trace-5.dat  node 1  alpha  6.1.192     2   12345    17  tsc2nsec  yes, kvm, 2 samples\n"
	"  trace-4.dat  node 2  beta   6.1.192     1       7     -  tsc2nsec  no                   "
	"damaged\n"
	"\n"
	"Time range (seconds; HOST: as trace-cmd report prints it)\n"
	"                   BEGIN          END  BEGIN (HOST)  END (HOST)  LENGTH\n"
	"  recording  0.000000000  1.000000000      1.000000    2.000000  1.00 s\n"
	"  node 1     0.000000000  1.000000000      1.000000    2.000000  1.00 s\n"
	"  node 2     0.500000500  0.600000000      1.500001    1.600000  100 ms\n"
	"\n"
	"Resources\n"
	"  LOCKSPACE / RESOURCE  PENDING       LONGEST  CALLS      PR           EX\n"
	"  0x7/A                 3.50 ms <1%   2.50 ms      2  1.00 s 100%  500 ms 50%\n"
	"    node 1              2.50 ms <1%   2.50 ms      2       -       500 ms 50%\n"
	"    node 2              1.00 ms <1%  >1.00 ms      -  1.00 s 100%       -\n"
	"  0x7/B                 1.00 ms <1%  >1.00 ms      2       -            -\n"
	"    node 1              1.00 ms <1%  >1.00 ms      2       -            -\n"
	"  times add up over nodes and lanes (node-seconds); % is of the 1.00 s shown, and may "
	"exceed 100\n"
	"  0x7 is the checksum of a lockspace's name; --lockspace NAME shows it\n"
	"\n"
	"Results\n"
	"  EVENT                    COUNT  FAILED  NOT ENDED  MEAN TIME  LONGEST  FAILURES\n"
	"  lock         call            3       -          1    20.0 us  30.0 us\n"
	"  lock failed  call            1       1                500 ns   500 ns  EINVAL 1\n"
	"  ast          completion      1       -\n"
	"  ast EAGAIN   completion      1       1                                 EAGAIN 1\n"
	"  bast                         1       -\n"
	"\n"
	"Longest waits\n"
	"        BEGIN  BEGIN (HOST)    WAITED  RESULT                  WHERE         ASKED\n"
	"  0.000001000      1.000001   2.50 ms  0                       0x7/A/node 1  lkb_id=0x2a "
	"pid=77 to=EX\n"
	"  0.123456789      1.123457  >1.00 ms  EAGAIN (began earlier)  0x7/B/node 1\n"
	"  0.999000000      1.999000  >1.00 ms  (not ended)             0x7/A/node 2\n"
	"\n"
	"Gaps (not observed; states across a gap are shown as unknown)\n"
	"  NODE    GAPS    LOST    TIME  LONGEST           AT  AT (HOST)\n"
	"  node 2     2  17 + ?  110 ms   100 ms  0.600000000   1.600000\n"
	"  node 1     1       ?    0 ns     0 ns  0.900000000   1.900000\n";

static void add_all(struct sample *s)
{
	add_events(s);
	add_spans(s);
	sample_gap(s, "node 2", 100000000, 110000000, G_MAXUINT64);
	sample_gap(s, "node 2", 600000000, 700000000, 17);
	sample_gap(s, "node 1", 900000000, 900000000, G_MAXUINT64);
}

UNIT_TEST(report_has_all_sections)
{
	struct iot_summary summary = summary_of(2);
	g_autoptr(GHashTable) tables = flag("tables");
	struct sample s;
	g_autofree char *text = NULL;
	g_autofree char *on_stdout = NULL;

	sample_init(&s);
	add_all(&s);
	text = sample_tables(&s, &summary);
	EXPECT_TEXT(text, full_report);
	on_stdout = sample_run_stdout(&s, &iot_sink_report, tables, &summary);
	EXPECT_TEXT(on_stdout, full_report);
	sample_clear(&s);
}

UNIT_TEST(report_tells_the_format_when_verbose)
{
	struct iot_summary summary = summary_of(1);
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	summary.verbose = 1;
	text = sample_tables(&s, &summary);
	EXPECT_TEXT(text,
		    "Inputs\n"
		    "  FILE         NODE    HOST   KERNEL   CPUS  EVENTS  LOST  CLOCK     SYNC"
		    "                 FORMAT\n"
		    "  trace-5.dat  node 1  alpha  6.1.192     2   12345    17  tsc2nsec  yes, "
		    "kvm, 2 samples"
		    "  trace-cmd 7, zstd\n"
		    "\n"
		    "Time range (seconds; HOST: as trace-cmd report prints it)\n"
		    "                   BEGIN          END  BEGIN (HOST)  END (HOST)  LENGTH\n"
		    "  recording  0.000000000  1.000000000      1.000000    2.000000  1.00 s\n");
	sample_clear(&s);
}

UNIT_TEST(report_of_nothing_is_empty)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	text = sample_tables(&s, NULL);
	EXPECT_TEXT(text, "");
	sample_clear(&s);
}

UNIT_TEST(report_of_an_input_without_events_shows_the_input_only)
{
	struct iot_summary_input input = { .path = "empty.dat",
					   .node = "empty",
					   .hostname = "empty" };
	struct iot_summary summary = { .n_inputs = 1, .inputs = &input };
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	text = sample_tables(&s, &summary);
	EXPECT_TEXT(text, "Inputs\n"
			  "  FILE       NODE   EVENTS  LOST  SYNC\n"
			  "  empty.dat  empty       -     -  unknown\n");
	sample_clear(&s);
}

UNIT_TEST(report_of_one_point)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	sample_point(&s, s.b1, s.bast, 5);
	text = sample_tables(&s, NULL);
	EXPECT_TEXT(text, "Nobody waited\n"
			  "No event was lost\n"
			  "\n"
			  "Resources\n"
			  "  LOCKSPACE / RESOURCE  PENDING  LONGEST  CALLS\n"
			  "  0x7/B                       -        -      -\n"
			  "    node 1                    -        -      -\n"
			  "  0x7 is the checksum of a lockspace's name; --lockspace NAME shows it\n"
			  "\n"
			  "Results\n"
			  "  EVENT  COUNT  FAILED\n"
			  "  bast       1       -\n");
	sample_clear(&s);
}

/* DLM and files both have calls that are named lock. */
UNIT_TEST(report_tells_equal_names_apart)
{
	struct sample s;
	g_autofree char *text = NULL;
	iot_type_id file;

	sample_init(&s);
	iot_timeline_type(s.tl, IOT_TYPE_POINT, "file", "file I/O", s.node, &file);
	sample_point(&s, s.b1, s.call, 5);
	sample_point(&s, s.b1, s.bast, 6);
	sample_point(&s, s.b1, iot_timeline_cat(s.tl, file, "lock", 0, IOT_ROLE_CALL), 7);
	text = sample_tables(&s, NULL);
	EXPECT_TEXT(strstr(text, "Results"), "Results\n"
					     "  EVENT                  COUNT  FAILED\n"
					     "  lock (event)     call      1       -\n"
					     "  lock (file I/O)  call      1       -\n"
					     "  bast                       1       -\n");
	sample_clear(&s);
}

UNIT_TEST(report_of_gaps_only)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	sample_gap(&s, "node 9", 0, 1500, 1234567);
	text = sample_tables(&s, NULL);
	EXPECT_TEXT(text, "Gaps (not observed; states across a gap are shown as unknown)\n"
			  "  NODE    GAPS     LOST     TIME  LONGEST           AT  AT (HOST)\n"
			  "  node 9     1  1234567  1.50 us  1.50 us  0.000000000   1.000000\n");
	sample_clear(&s);
}

UNIT_TEST(report_relates_times_to_the_window)
{
	struct iot_summary summary = summary_of(1);
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	summary.from_ns += 250000000;
	summary.to_ns += 5000000000; /* beyond the end */
	summary.n_inputs = 1;
	sample_span(&s, s.a1, s.ex, 250000000, 1000000000)->flags = IOT_CUT_LEFT;
	text = sample_tables(&s, &summary);
	EXPECT_TEXT(strstr(text, "Time"),
		    "Time range (seconds; HOST: as trace-cmd report prints it)\n"
		    "                   BEGIN          END  BEGIN (HOST)  END (HOST)  LENGTH\n"
		    "  recording  0.000000000  1.000000000      1.000000    2.000000  1.00 s\n"
		    "  window     0.250000000  1.000000000      1.250000    2.000000  750 ms\n"
		    "  timelines count from the beginning of the window\n"
		    "\n"
		    "Resources\n"
		    "  LOCKSPACE / RESOURCE  PENDING  LONGEST  CALLS      EX\n"
		    "  0x7/A                       -        -      -  750 ms 100%\n"
		    "    node 1                    -        -      -  750 ms 100%\n"
		    "  times add up over nodes and lanes (node-seconds); % is of the 750 ms shown, "
		    "and may exceed 100\n"
		    "  0x7 is the checksum of a lockspace's name; --lockspace NAME shows it\n");
	sample_clear(&s);
}

/* The end of a recording is unknown if reading stopped before. A clock may belong to another
 * session than the first one. */
UNIT_TEST(report_does_not_claim_what_is_not_known)
{
	struct iot_summary_input two[2] = { inputs[0], inputs[1] };
	struct iot_summary summary = summary_of(2);
	g_autofree char *text = NULL;
	struct sample s;

	sample_init(&s);
	two[0].goes_on = TRUE;
	two[1].sync = "yes";
	two[1].other_session = TRUE;
	two[1].messages_name = "3";
	summary.inputs = two;
	summary.to_ns = 1500000000;
	text = sample_tables(&s, &summary);
	EXPECT_TEXT(text,
		    "Inputs\n"
		    "  FILE         NODE    HOST   KERNEL   CPUS  EVENTS  LOST  CLOCK     SYNC\n"
		    "  trace-5.dat  node 1  alpha  6.1.192     2   12345    17  tsc2nsec  yes, "
		    "kvm, 2 samples\n"
		    "  trace-4.dat  node 2  beta   6.1.192     1       7     -  tsc2nsec  no, "
		    "another session  damaged\n"
		    "  trace-4.dat is mapped to node 2, but its messages say node 3\n"
		    "\n"
		    "Time range (seconds; HOST: as trace-cmd report prints it)\n"
		    "                   BEGIN          END  BEGIN (HOST)  END (HOST)  LENGTH\n"
		    "  recording  0.000000000            ?      1.000000           ?       ?\n"
		    "  window     0.000000000  0.500000000      1.000000    1.500000  500 ms\n"
		    "  node 1     0.000000000            ?      1.000000           ?       ?\n"
		    "  node 2     0.500000500  0.600000000      1.500001    1.600000  100 ms\n"
		    "  ?: not read to its end, as the window ends before\n");
	sample_clear(&s);
}

UNIT_TEST(report_lists_diagnostics_most_severe_first)
{
	static const char *const lines[] = {
		"Diagnostics\n  loss     1217: ",
		"\n             node 1: 17, node 2: 1200\n  loss     1: ",
		"\n  warning  3: ",
		"\n  notice   1234: ",
	};
	static const enum iot_diag_id ids[] = { IOT_DIAG_events_lost, IOT_DIAG_boxes_folded,
						IOT_DIAG_call_while_pending,
						IOT_DIAG_object_before };
	struct iot_summary_input with_diag[2] = { inputs[0], inputs[1] };
	struct iot_summary summary = summary_of(2);
	g_autofree char *text = NULL;
	GString *want = g_string_new(NULL);
	struct sample s;

	sample_init(&s);
	summary.inputs = with_diag;
	with_diag[0].diag.count[IOT_DIAG_events_lost] = 17;
	with_diag[1].diag.count[IOT_DIAG_events_lost] = 1200;
	summary.diag.count[IOT_DIAG_object_before] = 1234;
	summary.diag.count[IOT_DIAG_call_while_pending] = 3;
	summary.diag.count[IOT_DIAG_boxes_folded] = 1;
	summary.diag.count[IOT_DIAG_events_lost] = 1217;
	text = sample_tables(&s, &summary);
	for (guint i = 0; i < G_N_ELEMENTS(ids); i++)
		g_string_append_printf(want, "%s%s", lines[i], iot_diag_info(ids[i])->text);
	g_string_append_c(want, '\n');
	EXPECT_TEXT(strstr(text, "Diagnostics"), want->str);
	g_string_free(want, TRUE);
	sample_clear(&s);
}

UNIT_TEST(report_colours_the_terminal_only)
{
	struct iot_summary summary = summary_of(0);
	g_autoptr(GHashTable) tables = flag("tables");
	g_autofree char *want = NULL;
	g_autofree char *file = NULL;
	g_autofree char *terminal = NULL;
	g_autofree char *plain = NULL;
	const char *loss = iot_diag_info(IOT_DIAG_gaps)->text;
	const char *warn = iot_diag_info(IOT_DIAG_clock_no_samples)->text;
	struct sample s;

	sample_init(&s);
	summary.diag.count[IOT_DIAG_gaps] = 1;
	summary.diag.count[IOT_DIAG_clock_no_samples] = 2;
	plain = sample_run_stdout(&s, &iot_sink_report, tables, &summary);
	summary.colour = TRUE;
	file = sample_tables(&s, &summary);
	terminal = sample_run_stdout(&s, &iot_sink_report, tables, &summary);
	want = g_strdup_printf("Diagnostics\n  loss     1: %s\n  warning  2: %s\n", loss, warn);
	EXPECT_TEXT(plain, want);
	EXPECT_TEXT(file, want);
	g_free(want);
	want = g_strdup_printf("\033[1mDiagnostics\033[0m\n"
			       "  \033[1;31mloss\033[0m     1: %s\n"
			       "  \033[1;33mwarning\033[0m  2: %s\n",
			       loss, warn);
	EXPECT_TEXT(terminal, want);
	sample_clear(&s);
}

/* Twelve resources r1 .. r12 with 1 .. 12 us pending. */
static void add_twelve(struct sample *s)
{
	iot_row_id space = sample_row(s, s->lockspace, 0, "0x7");

	for (guint i = 1; i <= 12; i++) {
		g_autofree char *name = g_strdup_printf("r%u", i);
		iot_row_id resource = sample_row(s, s->resource, space, name);

		sample_span(s, sample_row(s, s->node, resource, "n"), s->pending, 0, 1000 * i);
	}
}

UNIT_TEST(report_shows_ten_resources_or_all)
{
	g_autoptr(GHashTable) options = flag("all");
	struct sample s;
	g_autofree char *ten = NULL;
	g_autofree char *all = NULL;

	sample_init(&s);
	add_twelve(&s);
	ten = sample_tables(&s, NULL);
	CU_ASSERT(g_str_has_prefix(strstr(ten, "Resources"),
				   "Resources (the 10 with the most time pending, of 12)\n"
				   "  LOCKSPACE / RESOURCE  PENDING  LONGEST  CALLS\n"
				   "  0x7/r12               12.0 us  12.0 us      -\n"
				   "    n                   12.0 us  12.0 us      -\n"
				   "  0x7/r11               11.0 us  11.0 us      -\n"));
	CU_ASSERT(strstr(ten, "\n  0x7/r3 ") != NULL);
	CU_ASSERT(strstr(ten, "\n  0x7/r2 ") == NULL);
	all = sample_run(&s, &iot_sink_report, options, NULL);
	CU_ASSERT(strstr(all, "\n\nResources\n") != NULL);
	CU_ASSERT(strstr(all, "\n  0x7/r1 ") != NULL);
	sample_clear(&s);
}

UNIT_TEST(report_puts_rare_states_into_one_column)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	for (guint i = 0; i < 10; i++) {
		g_autofree char *name = g_strdup_printf("s%u", i);
		iot_cat_id cat = iot_timeline_cat(s.tl, s.lock, name, 0, IOT_ROLE_HOLD);

		sample_span(&s, s.a1, cat, 0, 10 + i);
	}
	text = sample_tables(&s, NULL);
	EXPECT_TEXT(
		text,
		"Nobody waited\n"
		"No event was lost\n"
		"\n"
		"Resources\n"
		"  LOCKSPACE / RESOURCE  PENDING  LONGEST  CALLS     S2     S3     S4     S5     S6"
		"     S7     S8     S9  OTHER\n"
		"  0x7/A                       -        -      -  12 ns  13 ns  14 ns  15 ns  16 ns"
		"  17 ns  18 ns  19 ns  21 ns\n"
		"    node 1                    -        -      -  12 ns  13 ns  14 ns  15 ns  16 ns"
		"  17 ns  18 ns  19 ns  21 ns\n"
		"  0x7 is the checksum of a lockspace's name; --lockspace NAME shows it\n");
	sample_clear(&s);
}

UNIT_TEST(report_keeps_columns_with_names_of_any_width)
{
	g_autofree char *long_name = g_strnfill(500, 'x');
	g_autofree char *text = NULL;
	struct sample s;
	iot_row_id space, resource;

	sample_init(&s);
	space = sample_row(&s, s.lockspace, 0, "\346\227\245\346\234\254");
	resource = sample_row(&s, s.resource, space, long_name);
	sample_point(&s, sample_row(&s, s.node, resource, "n"), s.call, 0);
	resource = sample_row(&s, s.resource, space, "\303\251");
	sample_point(&s, sample_row(&s, s.node, resource, "n"), s.call, 0);
	text = sample_tables(&s, NULL);
	EXPECT_TEXT(strstr(text, "  LOCKSPACE"),
		    "  LOCKSPACE / RESOURCE                                              PENDING  "
		    "LONGEST  CALLS\n"
		    "  "
		    "\346\227\245\346\234\254/"
		    "xxxxxxxxxxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		    "        -        -      1\n"
		    "    n                                                                     -   "
		    "     -      1\n"
		    "  \346\227\245\346\234\254/\303\251                                           "
		    "                 "
		    "      -        -      1\n"
		    "    n                                                                     -   "
		    "     -      1\n"
		    "\n"
		    "Results\n"
		    "  EVENT        COUNT  FAILED\n"
		    "  lock   call      2       -\n");
	sample_clear(&s);
}

UNIT_TEST(report_does_not_name_the_only_input)
{
	struct iot_summary_input input = inputs[0];
	struct iot_summary summary = summary_of(1);
	g_autofree char *want = NULL;
	g_autofree char *text = NULL;
	struct sample s;

	sample_init(&s);
	summary.inputs = &input;
	input.diag.count[IOT_DIAG_gaps] = summary.diag.count[IOT_DIAG_gaps] = 2;
	text = sample_tables(&s, &summary);
	want = g_strdup_printf("Diagnostics\n  loss  2: %s\n", iot_diag_info(IOT_DIAG_gaps)->text);
	EXPECT_TEXT(strstr(text, "Diagnostics"), want);
	sample_clear(&s);
}
