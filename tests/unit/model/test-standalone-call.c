/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls without an object, tables and counters. */
#include "base/error.h"
#include "model-bench.h"

static const char alone_model[] = "[model]\n"			/* 1 */
				  "name = alone\n"
				  "system = sys\n"
				  "[names failed]\n"
				  "negative = \" failed\"\n"	/* 5 */
				  "else = \"\"\n"
				  "[pair open]\n"
				  "start = open1\n"
				  "end = open2\n"
				  "key = id\n"			/* 10 */
				  "let ino = end.ino\n"
				  "[pair read]\n"
				  "start = read1\n"
				  "end = read2\n"
				  "key = id @pid\n"		/* 15 */
				  "[keytable path]\n"
				  "key = ino\n"
				  "else = inode {ino}\n"
				  "set 1 = call open when end.ret >= 0 key end.ino value {path}\n"
				  "drop 1 = event forget key ino\n" /* 20 */
				  "[container node]\n"
				  "in = root\n"
				  "id = {@node}\n"
				  "name = {@node_name}\n"
				  "role = node\n"		/* 25 */
				  "[container thread]\n"
				  "in = node\n"
				  "id = {@pid}\n"
				  "name = t{@pid}\n"
				  "[container file]\n"		/* 30 */
				  "in = root\n"
				  "id = {ino}\n"
				  "name = {path[ino]}\n"
				  "[values io]\n"
				  "on = thread\n"		/* 35 */
				  "attrs = path:text result:int\n"
				  "[values use]\n"
				  "on = file\n"
				  "repeats = io\n"
				  "[points error]\n"		/* 40 */
				  "on = thread\n"
				  "[state io]\n"
				  "call = open read\n"
				  "values = io\n"
				  "value = {@call}{end.ret:names failed}\n" /* 45 */
				  "failed = end.ret < 0\n"
				  "set path = {path[ino]}\n"
				  "set result = end.ret\n"
				  "[state use]\n"
				  "call = open read\n"		/* 50 */
				  "when = ino\n"
				  "values = use\n"
				  "value = {@call}\n"
				  "[point error]\n"
				  "call = open read\n"		/* 55 */
				  "when = end.ret < 0\n"
				  "points = error\n"
				  "value = error {end.ret}\n"
				  "[counter bytes]\n"
				  "on = thread\n"		/* 60 */
				  "rule 1 = call read when end.ret > 0 add end.ret\n"
				  "rule 2 = event undo subtract n\n"
				  "rule 3 = event level set n\n";

static void check_line(guint line, const char *text, const char *expected)
{
	g_auto(GStrv) lines = g_strsplit(alone_model, "\n", -1);
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	g_autofree char *changed = NULL;
	struct iot_model *model;

	g_free(lines[line - 1]);
	lines[line - 1] = g_strdup(text);
	changed = g_strjoinv("\n", lines);
	model = load(tl, schema, changed, &error);
	CU_ASSERT_EQUAL(model != NULL, expected == NULL);
	check_message(error, expected ? expected : "no error");
	iot_model_free(model);
}

UNIT_TEST(pairs_alone_that_are_wrong)
{
	check_line(1, "[model]", NULL);
	check_line(10, "", ":7:1: [pair open]: \"key = ...\" is missing");
	check_line(10, "key = id\ndone = x", ":11:1: \"done\" is for calls on an object (of = ...)");
	check_line(10, "key = id\nlone end = maybe", ":11:12: only \"ignore\" is known here");
	check_line(11, "let ino = ino",
		   ":11:11: a field of the call is expected: start.FIELD or end.FIELD");
	check_line(13, "start = open2", NULL);
	check_line(49, "[object o]\nkey = id\non = thread\nnotice = read1\n[state use]", NULL);
	check_line(43, "call = open write", ":43:8: there is no section [pair write] above");
	check_line(43, "call = open\nspan = start to done",
		   ":44:8: [pair open] has no done event; use span = start to return");
	check_line(46, "failed = end.ret <", ":46:19: a value is missing at the end of the expression");
	check_line(39, "repeats = oi", ":39:11: there is no section [values oi] above");
}

UNIT_TEST(tables_that_are_wrong)
{
	check_line(17, "", ":16:1: [keytable path]: \"key = ...\" is missing");
	check_line(17, "key = a b c d e", ":17:7: more than 4 keys");
	check_line(18, "else = inode {inode}", ":18:8: \"inode\" is no key of this table");
	check_line(18, "else = {", ":18:8: '}' is missing");
	check_line(19, "set 1 = call open value {path}",
		   ":19:9: \"key EXPRESSION\" is missing");
	check_line(19, "set 1 = call open key end.ino", ":19:9: \"value TEMPLATE\" is missing");
	check_line(19, "set 1 = open key ino value x",
		   ":19:9: the line begins with \"call PAIR\" or \"event EVENT\"");
	check_line(19, "set 1 = call key ino value x",
		   ":19:9: the line begins with \"call PAIR\" or \"event EVENT\"");
	check_line(19, "set 1 = call close key ino value x",
		   ":19:9: there is no section [pair close] above");
	check_line(19, "set 1 = call open key ino @pid value x", ":19:23: wrong number of keys; the table has 1");
	check_line(19, "set 1 = call open key ino value {pth[ino]}",
		   ":19:34: there is no section [keytable pth] above");
	check_line(20, "drop 1 = event forget key ino value x",
		   ":20:31: a key that is dropped has no value");
	check_line(33, "name = {path[ino @pid]}", ":33:13: wrong number of keys; the table has 1");
	check_line(33, "name = {path[ino}", ":33:17: ']' is missing");
	check_line(51, "when = path[ino", ":51:16: ']' is missing");
	check_line(51, "when = path[ino 1]", ":51:18: wrong number of keys for this table");
}

UNIT_TEST(counters_that_are_wrong)
{
	check_line(59, "[counter of bytes]", ":59:1: [counter of bytes]: the name of a counter is one word");
	check_line(60, "", ":59:1: [counter bytes]: \"on = ...\" is missing");
	check_line(60, "on = thread\ncolour = rot",
		   ":61:10: \"rot\" is not a colour (a name such as orange, or #rrggbb)");
	check_line(61, "rule 1 = call read count 5", ":61:10: \"add\", \"subtract\" or \"set\" is missing");
	check_line(62, "rule 2 = event undo add", ":62:10: \"add\", \"subtract\" or \"set\" is missing");
	check_line(62, "rule 2 = event undo add end.ret",
		   ":62:25: \"end.ret\" is not known here: no such event at this point");
	check_line(61, "[object o]\nkey = id\non = thread\n[pair p]\nof = o\nstart = a\nend = b\n"
		       "[counter c]\non = thread\nrule 1 = call p add 1",
		   ":70:10: [pair p] is of an object; use its events");
}

UNIT_TEST(calls_are_drawn_when_they_have_ended)
{
	struct bench b;

	bench_start(&b, alone_model);
	event(&b, 0, 10, 7, "open1", "id=1 path=/a");
	CU_ASSERT_EQUAL(iot_model_watermark(b.model, 0), 10);
	event(&b, 0, 12, 8, "read1", "id=2 ino=5");
	event(&b, 0, 14, 7, "open2", "id=1 ret=3 ino=5");
	CU_ASSERT_EQUAL(iot_model_watermark(b.model, 0), 12);
	event(&b, 0, 16, 8, "read2", "id=2 ret=100");
	CU_ASSERT_EQUAL(iot_model_watermark(b.model, 0), G_MAXUINT64);
	event(&b, 0, 20, 7, "read1", "id=3 ino=5");
	event(&b, 0, 21, 7, "read2", "id=3 ret=-5");
	event(&b, 0, 30, 7, "open1", "id=4 path=/b");
	event(&b, 0, 31, 7, "open2", "id=4 ret=-2 ino=0");
	bench_finish(&b, 40,
		     "span n1/t7 open 10-14 /a 3\n"
		     "span /a open 10-14\n"
		     "sample n1/t8 bytes 16 100 100\n"
		     "span n1/t8 read 12-16 /a 100\n"
		     "span /a read 12-16\n"
		     "point n1/t7 error -5 20\n"
		     "span n1/t7 read failed 20-21 /a -5 flags 8\n"
		     "span /a read 20-21\n"
		     "point n1/t7 error -2 30\n"
		     "span n1/t7 open failed 30-31  -2 flags 8\n");
}

/* The second file's calls overlap those of the first on no row but that of the thread. */
UNIT_TEST(calls_that_overlap_get_lanes)
{
	struct bench b;

	bench_start(&b, alone_model);
	event(&b, 0, 10, 7, "read1", "id=1 ino=5");
	event(&b, 0, 11, 7, "read1", "id=2 ino=6");
	event(&b, 0, 12, 7, "read2", "id=2");
	event(&b, 0, 13, 7, "read2", "id=1");
	CU_ASSERT_EQUAL(iot_row_at(b.tl, 2)->n_lanes, 2);
	CU_ASSERT_EQUAL(iot_row_at(b.tl, 3)->n_lanes, 1);
	event(&b, 0, 13, 7, "read1", "id=3 ino=5");
	event(&b, 0, 14, 7, "read2", "id=3");
	CU_ASSERT_EQUAL(iot_row_at(b.tl, 2)->n_lanes, 2);
	bench_finish(&b, 20,
		     "span n1/t7 read 11-12 inode 6 0\n"
		     "span inode 6 read 11-12\n"
		     "span n1/t7 read 10-13 inode 5 0\n"
		     "span inode 5 read 10-13\n"
		     "span n1/t7 read 13-14 inode 5 0\n"
		     "span inode 5 read 13-14\n");
}

UNIT_TEST(calls_that_do_not_end)
{
	struct bench b;

	bench_start(&b, alone_model);
	event(&b, 0, 9, 7, "read2", "id=9 ret=1");
	event(&b, 0, 10, 7, "read1", "id=1 ino=5");
	event(&b, 1, 11, 7, "read1", "id=1 ino=5");
	iot_model_gap(b.model, 0, 15, TRUE);
	event(&b, 0, 16, 7, "read1", "id=2 ino=5");
	iot_model_gap(b.model, 0, 17, FALSE);
	event(&b, 0, 18, 7, "read2", "id=1 ret=1");
	event(&b, 0, 20, 7, "read1", "id=3 ino=5");
	event(&b, 0, 22, 7, "read1", "id=3 ino=5");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_pair_end_without_start], 2);
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_call_closed_by_gap], 2);
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_call_restarted], 1);
	bench_finish(&b, 30,
		     "span n1/t7 read 10-15 inode 5 0 flags 4\n"
		     "span inode 5 read 10-15 flags 4\n"
		     "span n1/t7 read 16-17 inode 5 0 flags 4\n"
		     "span inode 5 read 16-17 flags 4\n"
		     "span n1/t7 read 20-22 inode 5 0 flags 1\n"
		     "span inode 5 read 20-22 flags 1\n"
		     "span n2/t7 read 11-30 inode 5 0 flags 1\n"
		     "span inode 5 read 11-30 flags 1\n"
		     "span n1/t7 read 22-30 inode 5 0 flags 1\n"
		     "span inode 5 read 22-30 flags 1\n");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_pair_start_without_end], 2);
}

UNIT_TEST(keys_are_set_dropped_and_apart)
{
	struct bench b;

	bench_start(&b, alone_model);
	event(&b, 0, 10, 7, "open1", "id=1 path=/a");
	event(&b, 0, 11, 7, "open2", "id=1 ret=3 ino=5");
	event(&b, 1, 12, 7, "read1", "id=2 ino=5"); /* another machine's inode 5 */
	event(&b, 1, 13, 7, "read2", "id=2 ret=0");
	event(&b, 0, 14, 7, "open1", "id=1 path=/b");
	event(&b, 0, 15, 7, "open2", "id=1 ret=3 ino=5");
	event(&b, 0, 16, 7, "forget", "ino=6");
	event(&b, 0, 17, 7, "read1", "id=2 ino=5");
	event(&b, 0, 18, 7, "read2", "id=2 ret=0");
	event(&b, 0, 19, 7, "forget", "ino=5");
	event(&b, 0, 20, 7, "read1", "id=2 ino=5");
	event(&b, 0, 21, 7, "read2", "id=2 ret=0");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_keys_evicted], 0);
	bench_finish(&b, 30,
		     "span n1/t7 open 10-11 /a 3\n"
		     "span /a open 10-11\n"
		     "span n2/t7 read 12-13 inode 5 0\n"
		     "span /a read 12-13\n" /* the row is known by its id, and keeps its name */
		     "span n1/t7 open 14-15 /b 3\n"
		     "span /a open 14-15\n"
		     "span n1/t7 read 17-18 /b 0\n"
		     "span /a read 17-18\n"
		     "span n1/t7 read 20-21 inode 5 0\n"
		     "span /a read 20-21\n");
}

/* 1000 is the limit of the bench: the first of 1001 paths is forgotten, and that is counted. */
UNIT_TEST(the_oldest_key_is_forgotten)
{
	struct bench b;

	bench_start(&b, alone_model);
	for (guint i = 1; i <= 1001; i++) {
		g_autofree char *end = g_strdup_printf("id=1 ret=3 ino=%u", i);

		event(&b, 0, 10 * i, 7, "open1", "id=1 path=/x");
		event(&b, 0, 10 * i + 1, 7, "open2", end);
	}
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_keys_evicted], 1);
	g_string_truncate(b.out, 0);
	CU_ASSERT(iot_emit_advance(b.emit, 20000, NULL));
	g_string_truncate(b.out, 0);
	event(&b, 0, 20000, 7, "read1", "id=1 ino=1");
	event(&b, 0, 20001, 7, "read2", "id=1");
	event(&b, 0, 20002, 7, "read1", "id=1 ino=2");
	event(&b, 0, 20003, 7, "read2", "id=1");
	bench_finish(&b, 20004,
		     "span n1/t7 read 20000-20001 inode 1 0\n"
		     "span /x read 20000-20001\n"
		     "span n1/t7 read 20002-20003 /x 0\n"
		     "span /x read 20002-20003\n");
}

UNIT_TEST(counters_count_per_row_and_say_only_what_is_new)
{
	struct bench b;

	bench_start(&b, alone_model);
	event(&b, 0, 10, 7, "level", "n=0");
	event(&b, 0, 11, 7, "level", "n=0");
	event(&b, 0, 12, 7, "level", "n=30");
	event(&b, 0, 13, 8, "undo", "n=5");
	event(&b, 0, 14, 7, "undo", "n=40");
	event(&b, 0, 15, 7, "undo", "n=0");
	event(&b, 0, 16, 7, "level", "n=9223372036854775807");
	event(&b, 0, 17, 7, "undo", "n=-1");
	bench_finish(&b, 30,
		     "sample n1/t7 bytes 10 0 0\n"
		     "sample n1/t7 bytes 12 30 30\n"
		     "sample n1/t8 bytes 13 -5 -5\n"
		     "sample n1/t7 bytes 14 -10 -40\n"
		     "sample n1/t7 bytes 16 -1 9\n"
		     "sample n1/t7 bytes 17 0 1\n");
}
