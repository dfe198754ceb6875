/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink-sample.h"
#include "timeline/result-table.h"
#include "base/error.h"

UNIT_TEST(text_of_nothing_is_empty)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	text = sample_run(&s, &iot_sink_text, NULL, NULL);
	EXPECT_TEXT(text, "");
	sample_clear(&s);
}

UNIT_TEST(text_of_one_point_at_time_zero)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	s.tl->origin_ns = 0;
	sample_point(&s, s.a1, s.bast, 0);
	text = sample_run(&s, &iot_sink_text, NULL, NULL);
	EXPECT_TEXT(text, "0 point \"0x7/A/node 1\" event \"bast\"\n");
	sample_clear(&s);
}

UNIT_TEST(text_shows_every_part_of_a_line)
{
	struct sample s;
	struct iot_item *item;
	g_autofree char *text = NULL;

	sample_init(&s);
	item = sample_span(&s, s.a1, s.pending, 5, 30);
	item->lane = 3;
	item->flags = IOT_BEFORE | IOT_UNFINISHED;
	item->attr[0].u = 0xdeadbeefcafe;
	item->attr[1].i = -7;
	item->attr[2].str = sample_str(&s, "EX");
	item->attr[3].str = sample_str(&s, "EAGAIN");
	sample_span(&s, s.a2, s.ex, 5, 5);
	item = sample_point(&s, s.b1, s.call_failed, 31);
	item->flags = IOT_FAILED;
	item->attr[0].u = 0xf;
	item->attr[3].u = 1234;
	item->attr[4].u = G_MAXUINT64;
	text = sample_run(&s, &iot_sink_text, NULL, NULL);
	EXPECT_TEXT(
		text,
		"1000000005 span \"0x7/A/node 1\" lock \"PENDING\" 25 lane=3 "
		"flags=unfinished,before"
		" lkb_id=0xdeadbeefcafe pid=-7 to=\"EX\" result=\"EAGAIN\"\n"
		"1000000005 span \"0x7/A/node 2\" lock \"EX\" 0\n"
		"1000000031 point \"0x7/B/node 1\" event \"lock failed\" flags=failed lkb_id=0xf"
		" took=1234 bytes=18446744073709551615\n");
	sample_clear(&s);
}

UNIT_TEST(text_shows_both_ends_of_links)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	sample_add_links(&s);
	text = sample_run(&s, &iot_sink_text, NULL, NULL);
	EXPECT_TEXT(
		text,
		"1000000005 link \"0x7/A/node 1\" grant \"hand-over\" 25 \"0x7/A/node 2\" seqno=7\n"
		"1000000010 link \"0x7/A/node 2\" grant \"hand-over\" 30 \"0x7/B/node 1\" lane_to=1"
		" lane=2 flags=backwards\n"
		"1000000050 link \"0x7/A/node 1\" grant \"hand-over\" 0 \"0x7/A/node 1\""
		" flags=to-hidden\n");
	sample_clear(&s);
}

/* Texts that are numbers are no strings of the timeline. */
UNIT_TEST(text_writes_numbers_as_texts)
{
	struct sample s;
	struct iot_item *item;
	g_autofree char *text = NULL;

	sample_init(&s);
	s.tl->origin_ns = 0;
	item = sample_span(&s, s.a1, s.pending, 5, 30);
	item->attr[2].str = iot_text_number(0);
	item->attr[3].str = iot_text_number(G_MAXINT64);
	text = sample_run(&s, &iot_sink_text, NULL, NULL);
	EXPECT_TEXT(text, "5 span \"0x7/A/node 1\" lock \"PENDING\" 25 to=\"0\""
			  " result=\"9223372036854775807\"\n");
	sample_clear(&s);
}

UNIT_TEST(text_names_all_flags_and_their_combinations)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	s.tl->origin_ns = 0;
	sample_point(&s, s.a1, s.bast, 1)->flags = 127;
	sample_point(&s, s.a1, s.bast, 2)->flags = IOT_UNKNOWN | IOT_SUSPECT;
	sample_point(&s, s.a1, s.bast, 3)->flags = 127;
	text = sample_run(&s, &iot_sink_text, NULL, NULL);
	EXPECT_TEXT(text, "1 point \"0x7/A/node 1\" event \"bast\" "
			  "flags=unfinished,before,suspect,failed,cut-left,cut-right,unknown\n"
			  "2 point \"0x7/A/node 1\" event \"bast\" flags=suspect,unknown\n"
			  "3 point \"0x7/A/node 1\" event \"bast\" "
			  "flags=unfinished,before,suspect,failed,cut-left,cut-right,unknown\n");
	sample_clear(&s);
}

UNIT_TEST(text_escapes_names_and_values)
{
	struct sample s;
	iot_row_id odd, long_one;
	g_autofree char *long_name = g_strnfill(70000, 'a');
	g_autofree char *want = NULL;
	g_autofree char *text = NULL;

	sample_init(&s);
	s.tl->origin_ns = 0;
	odd = sample_row(&s, s.lockspace, 0, "q\"b\\s \303\251");
	long_one = sample_row(&s, s.lockspace, 0, long_name);
	sample_point(&s, odd, s.bast, 1)->attr[2].str = sample_str(&s, "a\"b\\c\nd\177");
	sample_point(&s, long_one, s.bast, 2);
	sample_point(&s, odd, s.bast, 3)->attr[2].str = iot_intern_bytes(s.tl->strings, "x\0y", 3);
	text = sample_run(&s, &iot_sink_text, NULL, NULL);
	want = g_strdup_printf(
		"1 point \"q\\\"b\\\\s \303\251\" event \"bast\""
		" result=\"a\\\"b\\\\c\\x0ad\\x7f\"\n"
		"2 point \"%s\" event \"bast\"\n"
		"3 point \"q\\\"b\\\\s \303\251\" event \"bast\" result=\"x\\x00y\"\n",
		long_name);
	EXPECT_TEXT(text, want);
	sample_clear(&s);
}

UNIT_TEST(text_shows_gaps_and_counters)
{
	struct sample s;
	struct iot_summary summary = { 0 };
	g_autofree char *text = NULL;

	sample_init(&s);
	s.tl->origin_ns = 0;
	sample_gap(&s, "node 1", 10, 30, 17);
	sample_gap(&s, "node 2", 31, 31, G_MAXUINT64);
	g_array_index(s.items, struct iot_item, 1).flags = IOT_CUT_RIGHT;
	sample_gap(&s, "n\"3", 32, 33, 0);
	summary.diag.count[IOT_DIAG_nest_violation] = 1;
	summary.diag.count[IOT_DIAG_events_lost] = 17;
	summary.diag.count[IOT_DIAG_gaps] = 2;
	text = sample_run(&s, &iot_sink_text, NULL, &summary);
	EXPECT_TEXT(text, "10 gap \"node 1\" - \"not observed\" 20 lost=17\n"
			  "31 gap \"node 2\" - \"not observed\" 0 flags=cut-right lost=?\n"
			  "32 gap \"n\\\"3\" - \"not observed\" 1 lost=0\n"
			  "# diag events_lost 17\n"
			  "# diag gaps 2\n"
			  "# diag nest_violation 1\n");
	sample_clear(&s);
}

UNIT_TEST(text_and_null_refuse_items_of_the_other_feed)
{
	static const struct iot_sink_ops *const sinks[] = { &iot_sink_text, &iot_sink_null };
	struct iot_item item = { .kind = IOT_ITEM_SPAN_BEGIN };
	struct sample s;

	sample_init(&s);
	for (guint i = 0; i < G_N_ELEMENTS(sinks); i++) {
		struct iot_sink_args args = { .tl = s.tl, .path = "/dev/null" };
		struct iot_sink *sink = sinks[i]->open(&args, NULL);
		g_autoptr(GError) error = NULL;

		CU_ASSERT_FATAL(sink != NULL);
		CU_ASSERT(!sinks[i]->item(sink, &item, &error));
		CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_INTERNAL));
		sinks[i]->free(sink);
	}
	sample_clear(&s);
}

UNIT_TEST(sinks_report_a_path_that_cannot_be_written)
{
	struct sample s;

	sample_init(&s);
	for (guint i = 0; iot_sink_table[i]; i++) {
		struct iot_sink_args args = { .tl = s.tl, .path = "/nonexistent/dir/out" };
		g_autoptr(GError) error = NULL;

		CU_ASSERT(iot_sink_table[i]->open(&args, &error) == NULL);
		CU_ASSERT_FATAL(g_error_matches(error, IOT_ERROR, IOT_ERROR_OUTPUT));
		CU_ASSERT(strstr(error->message, "/nonexistent/dir/out") != NULL);
		iot_sink_table[i]->free(NULL);
	}
	sample_clear(&s);
}

UNIT_TEST(sinks_report_a_full_disk)
{
	g_autoptr(iot_results) results = iot_results_new();
	struct iot_summary summary = { .results = results };
	struct iot_result_table *stacks = iot_results_add(results, "blame_stacks", "Stacks");
	struct sample s;

	/* an output writes nothing else */
	iot_result_column(stacks, "stack", "stack", IOT_COLUMN_TEXT);
	iot_result_column(stacks, "blamed", "time", IOT_COLUMN_NS);
	iot_result_row(stacks);
	iot_result_text(stacks, "n;a;m");
	iot_result_number(stacks, 1);
	sample_init(&s);
	for (guint i = 0; iot_sink_table[i]; i++) {
		const struct iot_sink_ops *ops = iot_sink_table[i];
		struct iot_sink_args args = { .tl = s.tl, .path = "/dev/full", .memory = 1 << 20 };
		struct iot_sink *sink = ops->needs_file ? NULL : ops->open(&args, NULL);
		struct iot_item item = {
			.kind = IOT_ITEM_POINT, .row = s.a1, .type = s.event, .cat = s.bast
		};
		g_autoptr(GError) error = NULL;

		if (ops->needs_file)
			continue;
		CU_ASSERT_FATAL(sink != NULL);
		CU_ASSERT(ops->item(sink, &item, NULL));
		CU_ASSERT(!ops->finish(sink, &summary, &error));
		CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_OUTPUT));
		ops->free(sink);
	}
	sample_clear(&s);
}

UNIT_TEST(null_counts_items)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	sample_span(&s, s.a1, s.ex, 1, 2);
	sample_point(&s, s.a1, s.bast, 3);
	sample_point(&s, s.a1, s.bast, 4);
	sample_gap(&s, "node 1", 5, 6, 1);
	text = sample_run(&s, &iot_sink_null, NULL, NULL);
	EXPECT_TEXT(text, "4 items\n");
	sample_clear(&s);
}
