/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls without an object, tables and counters. */
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
	check_load_line(alone_model, line, text, expected);
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

/* The colour of a category of type @type. */
static guint32 colour_of(const struct bench *b, const char *type, const char *name)
{
	for (iot_cat_id id = 1; id < b->tl->cats.n; id++) {
		const struct iot_category *cat = iot_cat_at(b->tl, id);

		if (!strcmp(str(b, cat->name), name) &&
		    !strcmp(str(b, iot_type_at(b->tl, cat->type)->name), type))
			return cat->rgb;
	}
	CU_FAIL("there is no such category");
	return 0;
}

/* Values below [later] have their types after all others; with "like" their colours are those of other values, but no category
 * exists before it is needed. */
UNIT_TEST(later_values_look_like_others)
{
	g_autofree char *text = g_strconcat(
		alone_model, "[later]\n[values more]\non = thread\nlike = io\n"
			     "[state more]\ncall = read\nvalues = more\nvalue = {@call}\n",
		NULL);
	g_auto(GStrv) lines = g_strsplit(text, "attrs = path:text result:int\n", 2);
	g_autofree char *coloured =
		g_strconcat(lines[0], "attrs = path:text result:int\nvalue read = #123456 call\n",
			    lines[1], NULL);
	struct bench b;
	guint n_cats;

	bench_start(&b, coloured);
	n_cats = b.tl->cats.n;
	event(&b, 0, 10, 1, "read1", "id=1 ino=7");
	event(&b, 0, 20, 1, "read2", "id=1 ret=0");
	CU_ASSERT_EQUAL(colour_of(&b, "more", "read"), 0x123456);
	CU_ASSERT(b.tl->cats.n > n_cats);
	bench_finish(&b, 100,
		     "span n1/t1 read 10-20 inode 7 0\n"
		     "span inode 7 read 10-20\n"
		     "span n1/t1 read 10-20\n");
	check_line(38, "on = file\nlike = oi", ":39:8: there is no section [values oi] above");
	check_line(1, "[model]", NULL);
}

UNIT_TEST(typed_tables_that_are_wrong)
{
	static const char typed[] = "[keytable t]\nkey = a\nholds = n:uint s:text\n";
	static const struct {
		const char *line, *message;
	} rows[] = {
		{ "set 1 = event e key a value n s", "no error" },
		{ "push 1 = event e key (a == 1) value t[t[a].n].n t[a].s", "no error" },
		{ "pop 1 = event e key a", "no error" },
		{ "pop 1 = event e key a value n", "no error" },
		{ "drop 1 = event e key a", "no error" },
		{ "else = x", ":24:1: typed values have no text for missing keys" },
		{ "shared = no", ":24:10: \"yes\" is the only value" },
		{ "gaps = keep", ":24:8: \"drop\" is the only value" },
		{ "set 1 = event e key a", ":24:9: \"value EXPRESSION\" is missing" },
		{ "set 1 = event e key a value n", ":24:29: too few values; the table holds 2" },
		{ "set 1 = event e key a value n s n", ":24:33: more values than the table holds (2)" },
		{ "set 1 = event e key a value n 1", ":24:31: a text is expected here: a field, a text "
						      "of a table, or \"text\"" },
		{ "set 1 = event e key a value n t[a].n",
		  ":24:31: a text is expected here: a field, a text of a table, or \"text\"" },
		{ "set 1 = event e key a value t[a] s",
		  ":24:33: the table has typed values: .NAME of one of them is missing" },
		{ "set 1 = event e key a value t[a].x s", ":24:34: the table has no value of this name" },
		{ "set 1 = event e key a value path[a].n s",
		  ":24:36: the table holds one text, without a name" },
		{ "set 1 = event e when t[a].n ~ \"x\" key a value n s",
		  ":24:34: \"~\" stands between a field or a table and a \"pattern\"" },
		{ "drop 1 = event e key a value n", ":24:24: a key that is dropped has no value" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text =
			g_strconcat("drop 1 = event forget key ino\n", typed, rows[i].line, NULL);

		check_line(20, text, strcmp(rows[i].message, "no error") ? rows[i].message : NULL);
	}
	check_line(20, "[keytable t]\nkey = a\nholds = n:uint s",
		   ":22:9: \"s\" is not NAME:TYPE "
		   "(types: int, uint, real, text)");
	check_line(20, "[keytable t]\nkey = a\nholds = n:uint s:hex",
		   ":22:9: \"s:hex\" is not "
		   "NAME:TYPE (types: int, uint, real, text)");
	check_line(20, "[keytable t]\nkey = a\nholds = n:uint n:int",
		   ":22:9: value \"n\" stands twice");
	check_line(20, "[keytable t]\nkey = a\nholds = a:int b:int c:int d:int e:int",
		   ":22:9: more than 4 values");
	check_line(20, "pop 1 = event forget key ino value ino",
		   ":20:30: a pop finds typed values only (holds = ...)");
	check_line(47, "set path = {path[ino].x}",
		   ":47:22: '}' is missing: the table holds one text, without a name or format");
	check_line(16, "[keytable t]\nkey = a\nholds = n:uint\n[keytable path]", NULL);
	check_line(20, "[keytable t]\nkey = a\nholds = n:uint\n[keytable u]\nkey = a\n"
		       "set 1 = event e key a value {t[a]}",
		   ":25:34: the table has typed values: .NAME of one of them is missing");
	check_line(20, "[keytable t]\nkey = a\nholds = n:uint\n[keytable u]\nkey = a\n"
		       "set 1 = event e key a value {t[a].m}",
		   ":25:35: the table has no value of this name");
	check_line(20,
		   "[keytable t]\nkey = a\nholds = n:uint\n[keytable u]\nkey = a\n"
		   "set 1 = event e key a value {t[a].n:bin}",
		   ":25:37: no such format (there are hex, x, oct, device, address, ip, names T, "
		   "flags T, "
		   "typed T)");
}

/* Two models with a table of one name; the second is refused with this message, or not (NULL). */
static void check_shared(const char *first, const char *second, const char *expected)
{
	static const char head[] = "[model]\nname = m\nsystem = s\n[keytable t]\n";
	g_autofree char *one = g_strconcat(head, first, NULL);
	g_autofree char *two = g_strconcat(head, second, NULL);
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	GPtrArray *shared = iot_model_shared_new();
	g_autoptr(GError) error = NULL;
	struct iot_model *a = load_sharing(tl, schema, one, shared, NULL);
	struct iot_model *b = load_sharing(tl, schema, two, shared, &error);

	CU_ASSERT_PTR_NOT_NULL_FATAL(a);
	CU_ASSERT_EQUAL(b != NULL, expected == NULL);
	check_message(error, expected ? expected : "no error");
	iot_model_free(a);
	iot_model_free(b);
	g_ptr_array_unref(shared);
}

UNIT_TEST(tables_that_models_share)
{
	static const char set[] = "set 1 = event e key a value n\n";
	g_autofree char *owner = g_strconcat("shared = yes\nkey = a\nholds = n:uint\n", set, NULL);
	static const char differs[] =
		":4:1: [keytable t]: another model shares a table of this name with other keys or "
		"values or another text for missing keys";

	check_shared(owner, "shared = yes\nkey = b\nholds = n:uint\n", NULL);
	check_shared("shared = yes\nkey = b\nholds = n:uint\n", owner, NULL);
	check_shared(owner, "key = b c\nset 1 = event e key 1 2 value x\n", NULL);
	check_shared(owner, owner, ":8:1: another model changes this shared table; only one can");
	check_shared(owner, "shared = yes\nkey = a b\nholds = n:uint\n", differs);
	check_shared(owner, "shared = yes\nkey = a\nholds = n:int\n", differs);
	check_shared(owner, "shared = yes\nkey = a\nholds = m:uint\n", differs);
	check_shared(owner, "shared = yes\nkey = a\n", differs);
	check_shared("shared = yes\nkey = a\nelse = x\n", "shared = yes\nkey = a\nelse = y\n",
		     differs);
	check_shared("shared = yes\nkey = a\nelse = x\n", "shared = yes\nkey = a\nelse = x\n",
		     NULL);
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
