/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The outputs jsonl and csv. */
#include "sink-sample.h"
#include "base/error.h"

#define RECORDING                                                                            \
	"{\"kind\":\"recording\",\"start_ns\":0,\"attributes\":{\"begin_ns\":\"1000000000\"" \
	",\"program\":\"iotrace-analyze " IOT_VERSION "\"}}\n"
#define COLUMNS "kind,start_ns,end_ns,row,lane,type,category,marks,attributes,row_to,lane_to\n"
#define CSV_RECORDING                                                                 \
	"recording,0,0,\"\",0,\"\",\"\",\"\",\"{\"\"begin_ns\"\":\"\"1000000000\"\"," \
	"\"\"program\"\":"                                                            \
	"\"\"iotrace-analyze " IOT_VERSION "\"\"}\",,\n"

UNIT_TEST(jsonl_and_csv_of_nothing_name_the_beginning)
{
	struct sample s;
	g_autofree char *json = NULL;
	g_autofree char *csv = NULL;

	sample_init(&s);
	json = sample_run(&s, &iot_sink_jsonl, NULL, NULL);
	EXPECT_TEXT(json, RECORDING);
	csv = sample_run(&s, &iot_sink_csv, NULL, NULL);
	EXPECT_TEXT(csv, COLUMNS CSV_RECORDING);
	sample_clear(&s);
}

static void add_full_items(struct sample *s)
{
	struct iot_item *item = sample_span(s, s->a1, s->pending, 5, 30);

	item->lane = 3;
	item->flags = IOT_BEFORE | IOT_UNFINISHED;
	item->attr[0].u = 0xdeadbeefcafe;
	item->attr[1].i = -7;
	item->attr[2].str = sample_str(s, "EX");
	item->attr[3].str = iot_text_number(12);
	sample_span(s, s->a2, s->ex, 5, 5);
	item = sample_point(s, s->b1, s->call_failed, 31);
	item->flags = IOT_FAILED;
	item->attr[0].u = G_MAXUINT64;
	item->attr[3].u = G_MAXINT64;
	item->attr[4].u = (guint64)G_MAXINT64 + 1;
}

UNIT_TEST(jsonl_has_every_part_of_an_item)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	add_full_items(&s);
	text = sample_run(&s, &iot_sink_jsonl, NULL, NULL);
	EXPECT_TEXT(
		text, RECORDING
		"{\"kind\":\"span\",\"start_ns\":5,\"end_ns\":30,\"row\":\"0x7/A/node "
		"1\",\"lane\":3,"
		"\"type\":\"lock\",\"category\":\"PENDING\",\"marks\":[\"unfinished\",\"before\"],"
		"\"attributes\":{\"lkb_id\":\"0xdeadbeefcafe\",\"pid\":-7,\"to\":\"EX\","
		"\"result\":\"12\"}}\n"
		"{\"kind\":\"span\",\"start_ns\":5,\"end_ns\":5,\"row\":\"0x7/A/node 2\","
		"\"type\":\"lock\",\"category\":\"EX\"}\n"
		"{\"kind\":\"point\",\"start_ns\":31,\"row\":\"0x7/B/node 1\",\"type\":\"event\","
		"\"category\":\"lock failed\",\"marks\":[\"failed\"],\"attributes\":{"
		"\"lkb_id\":\"0xffffffffffffffff\",\"took\":9223372036854775807,"
		"\"bytes\":\"9223372036854775808\"}}\n");
	sample_clear(&s);
}

UNIT_TEST(csv_has_every_column_in_every_line)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	add_full_items(&s);
	text = sample_run(&s, &iot_sink_csv, NULL, NULL);
	EXPECT_TEXT(text, COLUMNS CSV_RECORDING
		    "span,5,30,\"0x7/A/node 1\",3,\"lock\",\"PENDING\",\"unfinished,before\","
		    "\"{\"\"lkb_id\"\":\"\"0xdeadbeefcafe\"\",\"\"pid\"\":-7,\"\"to\"\":\"\"EX\"\","
		    "\"\"result\"\":\"\"12\"\"}\",,\n"
		    "span,5,5,\"0x7/A/node 2\",0,\"lock\",\"EX\",\"\",\"{}\",,\n"
		    "point,31,31,\"0x7/B/node 1\",0,\"event\",\"lock failed\",\"failed\","
		    "\"{\"\"lkb_id\"\":\"\"0xffffffffffffffff\"\",\"\"took\"\":9223372036854775807,"
		    "\"\"bytes\"\":\"\"9223372036854775808\"\"}\",,\n");
	sample_clear(&s);
}

UNIT_TEST(csv_has_no_formulas)
{
	static const char *const names[][2] = {
		{ "=1+1", "'=1+1" }, { "+a", "'+a" }, { "-x", "'-x" },	 { "@sum", "'@sum" }, { "-5.", "'-5." },
		{ "-5", "-5" },	     { "+1.5", "+1.5" }, { "-", "'-" }, { "a=b", "a=b" },
	};
	g_autoptr(GString) expected = g_string_new(COLUMNS CSV_RECORDING);
	g_autofree char *csv = NULL;
	struct sample s;

	sample_init(&s);
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		sample_point(&s, sample_row(&s, s.lockspace, 0, names[i][0]), s.bast, i + 1);
		g_string_append_printf(expected, "point,%u,%u,\"%s\",0,\"event\",\"bast\",\"\",\"{}\",,\n", i + 1,
				       i + 1, names[i][1]);
	}
	csv = sample_run(&s, &iot_sink_csv, NULL, NULL);
	EXPECT_TEXT(csv, expected->str);
	sample_clear(&s);
}

/* A quote, a backslash, a line break, DEL, a text that is written from right to left, a byte alone.
 */
#define ODD "q\"b\\n\nd\177 \327\251\327\234 \360\237\224\222 x\303"

UNIT_TEST(jsonl_and_csv_escape_names_and_values)
{
	struct sample s;
	g_autofree char *json = NULL;
	g_autofree char *csv = NULL;
	iot_row_id row;

	sample_init(&s);
	row = sample_row(&s, s.lockspace, 0, ODD);
	sample_point(&s, row, s.bast, 1)->attr[2].str = sample_str(&s, ODD);
	sample_point(&s, s.a1, s.bast, 2)->attr[2].str = iot_intern_bytes(s.tl->strings, "x\0y", 3);
	json = sample_run(&s, &iot_sink_jsonl, NULL, NULL);
	EXPECT_TEXT(
		json, RECORDING
		"{\"kind\":\"point\",\"start_ns\":1,\"row\":\"q\\\"b\\\\n\\u000ad\\u007f "
		"\327\251\327\234 \360\237\224\222 x\\\\xc3\",\"type\":\"event\","
		"\"category\":\"bast\",\"attributes\":{\"result\":\"q\\\"b\\\\n\\u000ad\\u007f "
		"\327\251\327\234 \360\237\224\222 x\\\\xc3\"}}\n"
		"{\"kind\":\"point\",\"start_ns\":2,\"row\":\"0x7/A/node 1\",\"type\":\"event\","
		"\"category\":\"bast\",\"attributes\":{\"result\":\"x\\u0000y\"}}\n");
	csv = sample_run(&s, &iot_sink_csv, NULL, NULL);
	EXPECT_TEXT(
		csv, COLUMNS CSV_RECORDING
		"point,1,1,\"q\"\"b\\\\n\\x0ad\\x7f \327\251\327\234 \360\237\224\222 x\\xc3\",0,"
		"\"event\",\"bast\",\"\",\"{\"\"result\"\":\"\"q\\\"\"b\\\\n\\u000ad\\u007f "
		"\327\251\327\234 \360\237\224\222 x\\\\xc3\"\"}\",,\n"
		"point,2,2,\"0x7/A/node 1\",0,\"event\",\"bast\",\"\","
		"\"{\"\"result\"\":\"\"x\\u0000y\"\"}\",,\n");
	sample_clear(&s);
}

UNIT_TEST(jsonl_writes_texts_of_a_megabyte)
{
	struct sample s;
	g_autofree char *name = g_strnfill(70000, 'a');
	g_autofree char *value = g_strnfill(1 << 20, 'b');
	g_autofree char *want = NULL;
	g_autofree char *text = NULL;

	sample_init(&s);
	sample_point(&s, sample_row(&s, s.lockspace, 0, name), s.bast, 1)->attr[2].str =
		sample_str(&s, value);
	text = sample_run(&s, &iot_sink_jsonl, NULL, NULL);
	want = g_strdup_printf(
		RECORDING "{\"kind\":\"point\",\"start_ns\":1,\"row\":\"%s\",\"type\":\"event\","
			  "\"category\":\"bast\",\"attributes\":{\"result\":\"%s\"}}\n",
		name, value);
	EXPECT_TEXT(text, want);
	sample_clear(&s);
}

UNIT_TEST(jsonl_and_csv_show_gaps_samples_and_counters)
{
	struct sample s;
	struct iot_summary summary = { 0 };
	struct iot_item *item;
	iot_type_id counter;
	iot_cat_id cat;
	g_autofree char *json = NULL;
	g_autofree char *csv = NULL;

	sample_init(&s);
	iot_timeline_type(s.tl, IOT_TYPE_COUNTER, "bytes_read", "bytes read", s.node, &counter);
	cat = iot_timeline_cat(s.tl, counter, "bytes", 0, IOT_ROLE_NONE);
	sample_gap(&s, "node 1", 10, 30, 17);
	sample_gap(&s, "node 2", 31, 31, G_MAXUINT64);
	g_array_index(s.items, struct iot_item, 1).flags = IOT_CUT_RIGHT;
	item = sample_add(&s, IOT_ITEM_SAMPLE, s.a1, cat, 32, 32);
	iot_sample_set(item, 0, -4096);
	summary.diag.count[IOT_DIAG_events_lost] = 17;
	json = sample_run(&s, &iot_sink_jsonl, NULL, &summary);
	EXPECT_TEXT(
		json, RECORDING
		"{\"kind\":\"gap\",\"start_ns\":10,\"end_ns\":30,\"row\":\"node 1\","
		"\"category\":\"not observed\",\"attributes\":{\"lost\":17}}\n"
		"{\"kind\":\"gap\",\"start_ns\":31,\"end_ns\":31,\"row\":\"node 2\","
		"\"category\":\"not observed\",\"marks\":[\"cut-right\"],\"attributes\":{\"lost\":null}}\n"
		"{\"kind\":\"sample\",\"start_ns\":32,\"row\":\"0x7/A/node 1\","
		"\"type\":\"bytes_read\",\"attributes\":{\"value\":0,\"change\":-4096}}\n"
		"{\"kind\":\"diag\",\"start_ns\":0,\"category\":\"events_lost\","
		"\"attributes\":{\"count\":17}}\n");
	csv = sample_run(&s, &iot_sink_csv, NULL, &summary);
	EXPECT_TEXT(csv, COLUMNS CSV_RECORDING
		    "gap,10,30,\"node 1\",0,\"\",\"not observed\",\"\",\"{\"\"lost\"\":17}\",,\n"
		    "gap,31,31,\"node 2\",0,\"\",\"not observed\",\"cut-right\",\"{\"\"lost\"\":null}\",,\n"
		    "sample,32,32,\"0x7/A/node 1\",0,\"bytes_read\",\"\",\"\","
		    "\"{\"\"value\"\":0,\"\"change\"\":-4096}\",,\n"
		    "diag,0,0,\"\",0,\"\",\"events_lost\",\"\",\"{\"\"count\"\":17}\",,\n");
	sample_clear(&s);
}

UNIT_TEST(jsonl_and_csv_show_both_ends_of_links)
{
	struct sample s;
	g_autofree char *json = NULL;
	g_autofree char *csv = NULL;

	sample_init(&s);
	sample_add_links(&s);
	json = sample_run(&s, &iot_sink_jsonl, NULL, NULL);
	EXPECT_TEXT(json, RECORDING
		    "{\"kind\":\"link\",\"start_ns\":5,\"end_ns\":30,\"row\":\"0x7/A/node 1\","
		    "\"type\":\"grant\",\"category\":\"hand-over\",\"attributes\":{\"seqno\":7},"
		    "\"row_to\":\"0x7/A/node 2\"}\n"
		    "{\"kind\":\"link\",\"start_ns\":10,\"end_ns\":40,\"row\":\"0x7/A/node 2\","
		    "\"lane\":2,\"type\":\"grant\",\"category\":\"hand-over\",\"marks\":["
		    "\"backwards\"],"
		    "\"row_to\":\"0x7/B/node 1\",\"lane_to\":1}\n"
		    "{\"kind\":\"link\",\"start_ns\":50,\"end_ns\":50,\"row\":\"0x7/A/node 1\","
		    "\"type\":\"grant\",\"category\":\"hand-over\",\"marks\":[\"to-hidden\"],"
		    "\"row_to\":\"0x7/A/node 1\"}\n");
	csv = sample_run(&s, &iot_sink_csv, NULL, NULL);
	EXPECT_TEXT(csv, COLUMNS CSV_RECORDING
		    "link,5,30,\"0x7/A/node 1\",0,\"grant\",\"hand-over\",\"\","
		    "\"{\"\"seqno\"\":7}\",\"0x7/A/node 2\",0\n"
		    "link,10,40,\"0x7/A/node 2\",2,\"grant\",\"hand-over\",\"backwards\",\"{}\","
		    "\"0x7/B/node 1\",1\n"
		    "link,50,50,\"0x7/A/node 1\",0,\"grant\",\"hand-over\",\"to-hidden\",\"{}\","
		    "\"0x7/A/node 1\",0\n");
	sample_clear(&s);
}

/* An item before the beginning has a negative time. */
UNIT_TEST(jsonl_does_not_clamp_times)
{
	struct sample s;
	struct iot_item *item;
	g_autofree char *text = NULL;

	sample_init(&s);
	item = sample_span(&s, s.a1, s.ex, 0, 7);
	item->t0 -= 3;
	text = sample_run(&s, &iot_sink_jsonl, NULL, NULL);
	EXPECT_TEXT(text,
		    RECORDING "{\"kind\":\"span\",\"start_ns\":-3,\"end_ns\":7,"
			      "\"row\":\"0x7/A/node 1\",\"type\":\"lock\",\"category\":\"EX\"}\n");
	sample_clear(&s);
}

UNIT_TEST(jsonl_and_csv_refuse_items_of_the_other_feed)
{
	static const struct iot_sink_ops *const sinks[] = { &iot_sink_jsonl, &iot_sink_csv };
	struct sample s;

	sample_init(&s);
	for (guint i = 0; i < G_N_ELEMENTS(sinks); i++) {
		struct iot_sink_args args = { .tl = s.tl, .path = "/dev/null" };
		struct iot_sink *sink = sinks[i]->open(&args, NULL);
		struct iot_item begin = { .kind = IOT_ITEM_SPAN_BEGIN };
		g_autoptr(GError) error = NULL;

		CU_ASSERT_FALSE(sinks[i]->item(sink, &begin, &error));
		CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_INTERNAL));
		sinks[i]->free(sink);
	}
	sample_clear(&s);
}
