/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole models: each kind of section right and wrong, and small ones at work. */
#include "model-bench.h"

/* A model with every kind of section. */
static const char base_model[] = "[model]\n"			/* 1 */
				 "name = base\n"
				 "title = Base\n"
				 "system = sys\n"
				 "[names mode]\n"		/* 5 */
				 "1 = A\n"
				 "2 = B\n"
				 "[container space]\n"
				 "in = root\n"
				 "id = {k}\n"			/* 10 */
				 "name = k{k}\n"
				 "[container node]\n"
				 "in = space\n"
				 "id = {@node}\n"
				 "name = {@node_name}\n"	/* 15 */
				 "role = node\n"
				 "[view Base]\n"
				 "columns = space node\n"
				 "[values state]\n"
				 "on = node\n"			/* 20 */
				 "attrs = k:uint who:text result:int:late\n"
				 "value A = red hold\n"
				 "value WAIT = orange wait\n"
				 "[points event]\n"
				 "on = node\n"			/* 25 */
				 "attrs = k:uint\n"
				 "value call = blue call\n"
				 "[object thing]\n"
				 "key = k\n"
				 "on = node\n"			/* 30 */
				 "notice = note\n"
				 "[pair call]\n"
				 "of = thing\n"
				 "start = begin\n"
				 "end = return\n"		/* 35 */
				 "key = @pid\n"
				 "begins = new\n"
				 "accepted = end.error == 0\n"
				 "done = done\n"
				 "answers = done.error < 1000\n" /* 40 */
				 "[state waiting]\n"
				 "call = call\n"
				 "span = start to done\n"
				 "values = state\n"
				 "value = WAIT\n"		/* 45 */
				 "always k = k\n"
				 "set who = p{@pid}\n"
				 "always result = done.error\n"
				 "[machine state]\n"
				 "of = thing\n"			/* 50 */
				 "values = state\n"
				 "unknown = ?\n"
				 "set who = p{@pid}\n"
				 "rule 1 = done call when done.error == 0 go {mode:names mode}\n"
				 "rule 2 = done * when done.error == 5 go none\n" /* 55 */
				 "rule 3 = stray when done.error == 0 go unknown\n"
				 "[point call]\n"
				 "call = call\n"
				 "points = event\n"
				 "value = call\n"		/* 60 */
				 "failed = end.error != 0\n"
				 "set k = k\n"
				 "[point return]\n"
				 "event = return\n"
				 "points = event\n"		/* 65 */
				 "value = return\n"
				 "[point loose]\n"
				 "event = other:tick\n"
				 "points = event\n"
				 "value = tick {n}\n";		/* 70 */

static void check_line(guint line, const char *text, const char *expected)
{
	check_load_line(base_model, line, text, expected);
}

UNIT_TEST(base_model_is_right)
{
	check_load(base_model, NULL);
	iot_model_free(NULL);
}

UNIT_TEST(heads_that_are_wrong)
{
	check_load("", ":1:1: an empty model; it begins with [model]");
	check_load("# nothing\n", ":1:1: an empty model; it begins with [model]");
	check_load("[names x]\n1=a\n", ":1:1: [names x]: a model begins with one [model] section");
	check_load("[model]\nname=a\nsystem=b\n[model]\nname=c\nsystem=d\n",
		   ":4:1: [model]: a model begins with one [model] section");
	check_line(2, "", ":1:1: [model]: \"name = ...\" is missing");
	check_line(4, "", ":1:1: [model]: \"system = ...\" is missing");
	check_line(3, "tittle = Base",
		   ":3:1: [model] has no setting \"tittle\" (it has name, title, system, needs, "
		   "borrows)");
}

UNIT_TEST(sections_that_are_wrong)
{
	check_line(5, "[nmaes mode]", ":5:1: [nmaes mode]: no such kind of section");
	check_line(5, "[names]", ":5:1: [names]: the section needs a name");
	check_line(63, "[point call]", ":63:1: [point call]: stands twice (first in line 57)");
	check_line(7, "two = B", ":7:1: \"two\" is neither a number nor \"else\" or \"negative\"");
	check_line(7, "0x1 = B", ":7:1: the number 0x1 stands twice");
}

UNIT_TEST(rows_that_are_wrong)
{
	check_line(9, "", ":8:1: [container space]: \"in = ...\" is missing");
	check_line(10, "", ":8:1: [container space]: \"id = ...\" is missing");
	check_line(11, "", ":8:1: [container space]: \"name = ...\" is missing");
	check_line(13, "in = spice", ":13:6: there is no section [container spice] above");
	check_line(16, "role = king", ":16:8: no such role (there are: node, resource, thread)");
	check_line(16, "order = size", ":16:9: only \"name\" is known");
	check_line(10, "id = {k:bin}",
		   ":10:9: no such format (there are hex, x, oct, device, address, ip, names T, "
		   "flags T, typed T)");
	check_line(18, "columns = space  spac", ":18:18: there is no section [container spac] above");
	check_line(18, "columns = node node node node node node node node node",
		   ":18:51: too many columns");
	check_line(18, "rows = node", ":18:1: [view] has no setting \"rows\" (it has columns)");
}

UNIT_TEST(values_that_are_wrong)
{
	check_line(20, "on = root", ":20:6: there is no section [container root] above");
	check_line(21, "attrs = k:uint k:text", ":21:16: attribute \"k\" stands twice");
	check_line(21, "attrs = k:uint :text", ":21:16: an attribute needs a name");
	check_line(21, "attrs = k:uint x",
		   ":21:16: attribute \"x\" needs a format: int, uint, hex, "
		   "text, duration or real");
	check_line(21, "attrs = k:string",
		   ":21:9: attribute \"k\" needs a format: int, uint, hex, "
		   "text, duration or real");
	check_line(21, "attrs = k:int:early", ":21:9: \"early\" is not understood (only: late)");
	check_line(21, "attrs = a:int b:int c:int d:int e:int f:int g:int h:int i:int",
		   ":21:57: more than 8 attributes");
	check_line(22, "value A = rot hold",
		   ":22:11: \"rot\" is not a colour (a name such as orange, or #rrggbb)");
	check_line(22, "value A = red  hol",
		   ":22:16: no such role (there are hold, wait, leaving, keeping, call, result, "
		   "request, redirect, grant, sends, block, return, recovery, answer, wakes; and "
		   "the mark stolen)");
	check_line(22, "else = hol",
		   ":22:8: no such role (there are hold, wait, leaving, keeping, call, result, "
		   "request, redirect, grant, sends, block, return, recovery, answer, wakes; and "
		   "the mark stolen)");
}

UNIT_TEST(objects_and_pairs_that_are_wrong)
{
	check_line(29, "", ":28:1: [object thing]: \"key = ...\" is missing");
	check_line(30, "", ":28:1: [object thing]: \"on = ...\" is missing");
	check_line(29, "key = k k k k k k k k k", ":29:23: more than 8 keys");
	check_line(29, "key = k$1", ":29:8: not understood from here on");
	check_line(36, "lone end = ignore", ":36:1: \"lone end\" is for calls without an object");
	check_line(31, "notice = note note",
		   ":28:1: [object thing]: one record of note is a notice of the same [object thing] twice, first in line 28");
	check_line(40, "[pair second]\nof = thing\nstart = begin\nend = return2",
		   ":40:1: [pair second]: one record of begin starts a call on the same [object thing] twice, first in line 32");
	check_line(33, "of = think", ":33:6: there is no section [object think] above");
	check_line(34, "", ":32:1: [pair call]: \"start = ...\" is missing");
	check_line(37, "begins = end.new",
		   ":37:10: \"end.new\" is not known here: no such event at this point");
	check_line(38, "accepted = (end.error", ":38:22: ')' is missing");
	check_line(39, "done key = k", ":39:1: the pair has no done event");
	check_line(37, "let k = end.k", ":37:1: names are for calls without an object");
	check_line(40, "answers = error",
		   ":40:11: \"error\" is not known here: no such event at this point");
	check_line(31, "[machine early]\nof = thing\nvalues = state\nunknown = ?",
		   ":35:1: [pair call]: must stand before [machine early]");
}

UNIT_TEST(states_that_are_wrong)
{
	check_line(42, "call = cell", ":42:8: there is no section [pair cell] above");
	check_line(44, "values = event", ":44:10: there is no section [values event] above");
	check_line(43, "span = start to end",
		   ":43:8: either \"start to done\" or \"start to return\"");
	check_line(47, "set whom = p{@pid}", ":47:1: [values state] has no attribute \"whom\"");
	check_line(46, "always k = k k", ":46:14: not understood from here on");
	check_line(44, "values = state\nwhen = 1", ":45:1: \"when\" is for calls without an object");
	check_line(44, "values = state\nfailed = 1",
		   ":45:1: \"failed\" is for calls without an object");
	check_line(47, "over = {end.eror:names nowhere}",
		   ":47:18: there is no section [names nowhere]");
	check_line(39, "", ":40:11: \"done.error\" is not known here: no such event at this point");
	check_line(49, "[state again]\ncall = call\nvalues = state\nvalue = W\n[machine state]",
		   ":50:8: [pair call] has a state already");
}

UNIT_TEST(machines_that_are_wrong)
{
	check_line(50, "of = think", ":50:6: there is no section [object think] above");
	check_line(52, "", ":49:1: [machine state]: \"unknown = ...\" is missing");
	check_line(54, "rule 1 = done call", ":54:10: \"go STATE\" is missing");
	check_line(54, "rule 1 = call go A",
		   ":54:10: a rule begins with \"done PAIR\", \"done *\", \"stray\", "
		   "\"notice EVENT\" or \"own notice EVENT\"");
	check_line(54, "rule 1 = notice begin go none",
		   ":54:10: begin is no notice of [object thing]");
	check_line(54, "rule 1 = notice note unless A B C A B C A B A go A", ":54:29: more than 8 values");
	check_line(54, "rule 1 = done call unless A go A", ":54:27: \"unless\" is for notices");
	check_line(54, "rule 1 = notice note was {mod go A", ":54:26: '}' is missing");
	check_line(54, "rule 1 = notice note when was A go A",
		   ":54:27: a value is missing at the end of the expression");
	check_line(54, "rule 1 = notice note when end.x go A",
		   ":54:27: \"end.x\" is not known here: no such event at this point");
	check_line(56, "rule 3 = stray was A go none",
		   ":56:20: \"was\" is followed by \"unknown\", except in a notice");
	check_line(51, "when = k ==\nvalues = state",
		   ":51:12: a value is missing at the end of the expression");
	check_line(54, "rule 1 = done cell go A", ":54:10: there is no section [pair cell] above");
	check_line(54, "rule 1 = done call when done.error = 0 go A",
		   ":54:36: not understood from here on");
	check_line(54, "rule 1 = done call go {mode:names m}",
		   ":54:29: there is no section [names m]");
	check_line(54, "rule 1 = done call was A go A",
		   ":54:24: \"was\" is followed by \"unknown\", except in a notice");
	check_line(54, "rule 1 = done call when ?1 go A", ":54:26: '?' wants a field after it");
	check_line(54, "rule 1 = done call when ?end.x go A",
		   ":54:26: \"end.x\" is not known here: no such event at this point");
	check_line(56, "rule 3 = stray go A",
		   ":56:19: without its call only none, unknown or same can be known");
	check_line(63, "[machine again]\nof = thing\nvalues = state\nunknown = ?\n[point return]",
		   ":64:6: [object thing] has a machine already");
}

UNIT_TEST(points_that_are_wrong)
{
	check_line(58, "", ":57:1: [point call]: \"event = ...\" is missing");
	check_line(58, "call = call\nevent = begin",
		   ":57:1: [point call]: either \"call\" or \"event\", not both");
	check_line(59, "points = state", ":59:10: there is no section [points state] above");
	check_line(60, "", ":57:1: [point call]: \"value = ...\" is missing");
	check_line(61, "failed = end.error !=", ":61:22: a value is missing at the end of the expression");
	check_line(62, "set kk = k", ":62:1: [points event] has no attribute \"kk\"");
	check_line(70, "value = tick {end.n}",
		   ":70:15: \"end.n\" is not known here: no such event at this point");
}

UNIT_TEST(repairs_that_are_wrong)
{
	static const char head[] = "[model]\nname = a\nsystem = b\n[repair x]\n";
	static const struct {
		const char *lines, *message;
	} rows[] = {
		{ "when = 1\nset f = 1\n", ":4:1: [repair x]: \"event = ...\" is missing" },
		{ "event = e\nset f = 1\n", ":4:1: [repair x]: \"when = ...\" is missing" },
		{ "event = e\nwhen = 1\n", ":4:1: [repair x]: \"set FIELD\" is missing" },
		{ "event = e\nwhen = 1\nset end.f = 1\n",
		  ":7:1: \"end.f\" is not known here: no such event at this point" },
		{ "event = e\nwhen = 1\nset f = g g\n", ":7:11: not understood from here on" },
		{ "event = e\nwhen = 1 1\nset f = g\n", ":6:10: not understood from here on" },
		{ "event = e\nwhen = 1\nset f 1 = g\n",
		  ":7:1: \"f 1\" is not the name of a field" },
		{ "event = e\nwhen = 1\nset a = 1\nset b = 1\nset c = 1\nset d = 1\nset e = 1\n"
		  "set f = 1\nset g = 1\nset h = 1\nset i = 1\n",
		  ":15:1: more than 8 fields" },
		{ "event = e\nwhen = 1\nset f = g\n[repair y]\nevent = e\nwhen = 1\nset f = 2\n",
		  NULL },
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = g_strconcat(head, rows[i].lines, NULL);

		check_load(text, rows[i].message);
	}
}

UNIT_TEST(points_of_an_object_are_on_its_row)
{
	check_line(63, "[points other]\non = space\n[point x]\ncall = call\npoints = other\nvalue = v\n"
		       "[point return]",
		   ":67:10: these points are drawn on space, but [object thing] is on node");
	check_line(63, "[points other]\non = space\n[point x]\nevent = note\npoints = other\nvalue = v\n"
		       "[point return]",
		   ":67:10: these points are drawn on space, but [object thing] is on node");
	check_line(28, "[point early]\nevent = begin\npoints = event\nvalue = x\n[object thing]",
		   ":36:1: [pair call]: must stand before the [point] of event begin");
	/* only the first missing setting is reported */
	check_load("[model]\nname=a\nsystem=b\n[point x]\nevent = e\n",
		   ":4:1: [point x]: \"points = ...\" is missing");
	check_load("[model]\nname=a\nsystem=b\n[state x]\nspan = e\n",
		   ":4:1: [state x]: \"call = ...\" is missing");
}

UNIT_TEST(containers_nest_only_so_deep)
{
	g_autoptr(GString) text = g_string_new("[model]\nname = a\nsystem = b\n"
					       "[container c0]\nin = root\nid = 1\nname = 1\n");

	for (guint i = 1; i < 9; i++) {
		if (i == 8)
			check_load(text->str, NULL);
		g_string_append_printf(text, "[container c%u]\nin = c%u\nid = 1\nname = 1\n", i, i - 1);
	}
	check_load(text->str, ":37:6: containers nest deeper than 8 levels");
}

UNIT_TEST(a_file_that_is_not_there)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;

	CU_ASSERT_PTR_NULL(iot_model_load("/nonexistent/a.model", tl, schema, NULL, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_MODEL));
	CU_ASSERT(error && strstr(error->message, "/nonexistent/a.model"));
}

/* ---- at work */

UNIT_TEST(a_call_with_completion_and_state)
{
	struct bench b;

	bench_start(&b, base_model);
	CU_ASSERT_EQUAL(iot_model_watermark(b.model, 0), G_MAXUINT64);
	event(&b, 0, 10, 7, "begin", "k=3 mode=1 new=1");
	CU_ASSERT_EQUAL(iot_model_watermark(b.model, 0), 10);
	event(&b, 0, 12, 7, "return", "k=3 error=0");
	CU_ASSERT_EQUAL(iot_model_watermark(b.model, 0), G_MAXUINT64);
	event(&b, 0, 15, 9, "done", "k=3 error=0");
	event(&b, 0, 20, 8, "begin", "k=3 mode=2");
	event(&b, 0, 21, 8, "return", "k=3 error=-1");
	event(&b, 0, 25, 8, "begin", "k=3 mode=2");
	event(&b, 0, 26, 8, "return", "k=3 error=0");
	event(&b, 0, 30, 9, "done", "k=3 error=5");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_object_open_at_end], 0);
	bench_finish(&b, 40,
		     "point k3/n1 call 10 3\n"
		     "point k3/n1 return 12 0\n"
		     "span k3/n1 WAIT 10-15 3 p7 0\n"
		     "point k3/n1 call 20 3 flags 8\n"
		     "point k3/n1 return 21 0\n"
		     "point k3/n1 call 25 3\n"
		     "point k3/n1 return 26 0\n"
		     "span k3/n1 WAIT 25-30 3 p8 5\n"
		     "span k3/n1 A 15-30 0 p7 0\n");
}

UNIT_TEST(inputs_and_keys_are_apart)
{
	struct bench b;

	bench_start(&b, base_model);
	event(&b, 0, 10, 7, "begin", "k=3 mode=1 new=1");
	event(&b, 1, 11, 7, "begin", "k=3 mode=2 new=1");
	event(&b, 0, 12, 8, "begin", "k=4 mode=2 new=1");
	event(&b, 1, 13, 7, "return", "k=3");
	event(&b, 0, 14, 8, "return", "k=4");
	event(&b, 0, 15, 7, "return", "k=3");
	event(&b, 0, 16, 9, "done", "k=4");
	event(&b, 1, 17, 9, "done", "k=3");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_done_before_return], 0);
	bench_finish(&b, 20,
		     "point k3/n1 call 10 3\n"
		     "point k3/n2 call 11 3\n"
		     "point k4/n1 call 12 4\n"
		     "point k3/n2 return 13 0\n"
		     "point k4/n1 return 14 0\n"
		     "point k3/n1 return 15 0\n"
		     "span k4/n1 WAIT 12-16 4 p8 0\n"
		     "span k3/n2 WAIT 11-17 3 p7 0\n"
		     "span k3/n1 WAIT 10-20 3 p7 0 flags 1\n"
		     "span k3/n2 B 17-20 0 p7 0 flags 1\n"
		     "span k4/n1 B 16-20 0 p8 0 flags 1\n");
}

/* States from start to return need neither completion nor machine: I/O requests, system calls. */
UNIT_TEST(a_call_that_is_over_when_it_returns)
{
	static const char model[] = "[model]\nname = io\nsystem = sys\n"
				    "[container node]\nin = root\nid = {@node}\nname = {@node}\n"
				    "[values io]\non = node\nattrs = bytes:int\n"
				    "[points event]\non = node\n"
				    "[object request]\nkey = sector\non = node\n"
				    "[pair io]\nof = request\nstart = issue\nend = complete\n"
				    "[state io]\ncall = io\nspan = start to return\nvalues = io\n"
				    "value = op {op}\nset bytes = bytes\n"
				    "[point plug]\nevent = plug\npoints = event\nvalue = plug\n";
	struct bench b;

	bench_start(&b, model);
	event(&b, 0, 10, 7, "issue", "sector=100 op=1 bytes=4096");
	event(&b, 0, 11, 7, "plug", "");
	event(&b, 0, 12, 7, "issue", "sector=200 op=2 bytes=512");
	event(&b, 0, 15, 0, "complete", "sector=100");
	event(&b, 1, 16, 0, "complete", "sector=200");
	event(&b, 0, 18, 0, "complete", "sector=200");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_pair_end_without_start], 1);
	bench_finish(&b, 20,
		     "point n1 plug 11\nspan n1 op 1 10-15 4096\nspan n1 op 2 12-18 512\n");
}

/* Two pairs of one object with completions of their own: neither takes the other's. */
UNIT_TEST(a_completion_answers_only_its_own_pair)
{
	static const char model[] = "[model]\nname = two\nsystem = sys\n"
				    "[container node]\nin = root\nid = {@node}\nname = {@node}\n"
				    "[values state]\non = node\nattrs = result:int:late\n"
				    "[object thing]\nkey = k\non = node\n"
				    "[pair read]\nof = thing\nstart = r1\nend = r2\ndone = r3\n"
				    "[pair write]\nof = thing\nstart = w1\nend = w2\ndone = w3\n"
				    "[state read]\ncall = read\nvalues = state\nvalue = R\n"
				    "set result = done.read\n"
				    "[state write]\ncall = write\nvalues = state\nvalue = W\n"
				    "set result = done.written\n";
	struct bench b;

	bench_start(&b, model);
	event(&b, 0, 10, 7, "r1", "k=1");
	event(&b, 0, 11, 7, "r2", "k=1");
	event(&b, 0, 12, 7, "w3", "k=1 written=9");
	event(&b, 0, 13, 7, "w1", "k=1");
	event(&b, 0, 14, 7, "w2", "k=1");
	event(&b, 0, 15, 7, "w3", "k=1 written=8");
	event(&b, 0, 16, 7, "r3", "k=1 read=7");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_done_without_call], 1);
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_call_while_pending], 1);
	bench_finish(&b, 20, "span n1 R 10-15 8\nspan n1 R 15-16 7\n");
}

UNIT_TEST(events_of_other_systems_and_of_nobody)
{
	const struct iot_event nobody = { .index = 77 };
	struct iot_rec rec = { .event = &nobody };
	struct bench b;

	bench_start(&b, base_model);
	CU_ASSERT_PTR_NOT_NULL(iot_schema_find(b.schema, "other", "tick"));
	CU_ASSERT_PTR_NULL(iot_schema_find(b.schema, "sys", "tick"));
	iot_model_event(b.model, &rec);
	event(&b, 1, 10, 7, "tick", "n=5 k=2");
	bench_finish(&b, 20, "point k2/n2 tick 5 10 0\n");
}

/* A state whose begin was not seen is drawn from the begin of the recording, but not on a row where points stand already. */
UNIT_TEST(points_of_no_object_take_the_first_row)
{
	struct bench b;

	bench_start(&b, base_model);
	event(&b, 0, 10, 7, "tick", "n=1 k=3");
	event(&b, 0, 20, 7, "note", "k=3");
	CU_ASSERT_EQUAL(iot_row_at(b.tl, b.tl->rows.n - 1)->n_lanes, 2);
	bench_finish(&b, 30, "point k3/n1 tick 1 10 0\nspan k3/n1 ? 5-30 0  0 flags 43\n");
}

static gboolean select_k3(gpointer data, const struct iot_timeline *tl, iot_row_id row)
{
	g_autofree char *path = iot_timeline_path(tl, row, "/");

	(void)data;
	return strstr(path, "k3") != NULL;
}

UNIT_TEST(rows_that_are_not_selected_stay_empty)
{
	struct bench b;

	bench_start_selecting(&b, base_model, select_k3);
	event(&b, 0, 10, 7, "tick", "n=1 k=2");
	event(&b, 0, 11, 7, "tick", "n=1 k=3");
	bench_finish(&b, 20, "point k3/n1 tick 1 11 0\n");
}

UNIT_TEST(models_share_rows_of_the_same_path)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_model *a = load(tl, schema, base_model, NULL), *b;
	g_autofree char *said_a = NULL;
	g_autofree char *said_b = NULL;
	guint n_types = tl->types.n;

	b = load(tl, schema, "[model]\nname = b\nsystem = sys\n"
			     "[container space]\nin = root\nid = {k}\nname = {k}\n"
			     "[container other]\nin = space\nid = {k}\nname = {k}\n", NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(a);
	CU_ASSERT_PTR_NOT_NULL_FATAL(b);
	said_a = iot_model_describe(a);
	said_b = iot_model_describe(b);
	CU_ASSERT(g_str_has_prefix(said_a, "model base "));
	CU_ASSERT(g_str_has_prefix(said_b, "model b "));
	CU_ASSERT_EQUAL(tl->types.n, n_types + 1);
	CU_ASSERT_EQUAL(tl->n_views, 2); /* b has none of its own: all levels */
	CU_ASSERT_EQUAL(tl->view[0].n_columns, 2);
	iot_model_free(a);
	iot_model_free(b);
}

/* Calls of two models on one row, that overlap: the second one's gets a lane. */
UNIT_TEST(models_that_draw_on_one_row_share_its_lanes)
{
	static const char text[] = "[model]\nname = %s\nsystem = sys\n"
				   "[container node]\nin = root\nid = {@node}\nname = {@node}\n"
				   "[pair p]\nstart = %s1\nend = %s2\nkey = @pid\n"
				   "[values v]\non = node\n[state s]\ncall = p\nvalues = v\nvalue = %s\n";
	g_autofree char *a = g_strdup_printf(text, "a", "a", "a", "A");
	g_autofree char *b = g_strdup_printf(text, "b", "b", "b", "B");
	struct iot_model *other;
	struct bench bench;

	bench_start(&bench, a);
	other = bench_add(&bench, b);
	event(&bench, 0, 10, 7, "a1", "");
	event(&bench, 0, 11, 7, "b1", "");
	event(&bench, 0, 12, 7, "a2", "");
	event(&bench, 0, 13, 7, "b2", "");
	CU_ASSERT_EQUAL(bench.tl->rows.n, 2);
	CU_ASSERT_EQUAL(iot_row_at(bench.tl, 1)->n_lanes, 2);
	iot_model_finish(other, 20, TRUE);
	iot_model_free(other);
	bench.others = NULL;
	bench_finish(&bench, 20, "span n1 A 10-12\nspan n1 B 11-13\n");
}

UNIT_TEST(a_model_describes_itself)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_model *model = load(tl, schema, base_model, NULL);
	g_autofree char *text = NULL;

	CU_ASSERT_PTR_NOT_NULL_FATAL(model);
	text = iot_model_describe(model);
	CU_ASSERT_STRING_EQUAL(text, "model base (Base), events of system sys\n\n"
				     "rows\n"
				     "  space: k{k}\n"
				     "    node: {@node_name}\n\n"
				     "values state on node\n"
				     "  A                red hold\n"
				     "  WAIT             orange wait\n\n"
				     "points event on node\n"
				     "  call             blue call\n\n"
				     "object thing, key k\n"
				     "  call call: begin to return, completed by done\n"
				     "  rule 1: done call when done.error == 0 go {mode:names mode}\n"
				     "  rule 2: done * when done.error == 5 go none\n"
				     "  rule 3: stray when done.error == 0 go unknown\n");
	iot_model_free(model);
}
