/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that one of several events ends, and events with several roles. */
#include "model-bench.h"

/* a request of a server: answered, dropped, or put aside */
static const char alone_model[] = "[model]\nname = server\nsystem = sys\n"
				  /* the fields of drop and send get slots in another order */
				  "[repair r]\nevent = drop\nwhen = why == 99\nset xid = 1\n"
				  "[names how]\n1 = sent\n2 = dropped\n3 = deferred\n0 = lost\n"
				  "[pair request]\nstart = process\nend = send drop defer\n"
				  "key = xid @pid\n"
				  "[container node]\nin = root\nid = {@node}\nname = {@node}\n"
				  "[values request]\non = node\n"
				  "attrs = status:int bytes:int number:int why:int\n"
				  "[state request]\ncall = request\nvalues = request\n"
				  "value = {proc} {@end:names how}\nfailed = @end > 1\n"
				  "set status = end.status\nset bytes = bytes\nset number = @end\n"
				  "set why = ?end.why\n";

UNIT_TEST(any_of_the_end_events_ends_a_standalone_call)
{
	struct bench b;

	bench_start(&b, alone_model);
	event(&b, 0, 10, 7, "process", "xid=1 proc=READ bytes=9");
	event(&b, 0, 11, 8, "process", "xid=1 proc=READ bytes=9");
	event(&b, 0, 12, 9, "process", "xid=2 proc=WRITE bytes=5");
	event(&b, 0, 13, 8, "drop", "xid=1 why=4");
	event(&b, 0, 14, 7, "send", "why=3 status=-5 xid=1");
	event(&b, 0, 15, 9, "defer", "status=6 xid=2");
	event(&b, 0, 16, 9, "drop", "xid=2");
	event(&b, 0, 17, 9, "process", "xid=2 proc=WRITE bytes=5");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_pair_end_without_start], 1);
	/* "end." fields are those of send, filled from the other events by name */
	bench_finish(&b, 20,
		     "span n1 READ dropped 11-13 0 9 2 4 flags 8\n"
		     "span n1 READ sent 10-14 -5 9 1 3\n"
		     "span n1 WRITE deferred 12-15 6 5 3 0 flags 8\n"
		     "span n1 WRITE lost 17-20 0 5 0 0 flags 1\n");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_pair_start_without_end], 1);
}

static const char object_model[] = "[model]\nname = leases\nsystem = sys\n"
				   "[container node]\nin = root\nid = {@node}\nname = {@node}\n"
				   "[values mode]\non = node\nattrs = id:int error:int:late\n"
				   "value held = red hold\nvalue WAIT = orange wait\n"
				   "[points event]\non = node\nattrs = error:int\n"
				   "[object lease]\nkey = id\non = node\n"
				   "[pair ask]\nof = lease\nstart = ask\nend = asked refused\n"
				   "key = @pid\nbegins = 1\naccepted = end.error == 0 && !?end.veto\n"
				   "done = told\n"
				   "[state wait]\ncall = ask\nvalues = mode\nvalue = WAIT\n"
				   "always id = id\n"
				   "[machine mode]\nof = lease\nvalues = mode\nunknown = unknown\n"
				   "always id = id\n"
				   "rule 1 = done ask go held\n"
				   "[point ask]\ncall = ask\npoints = event\nvalue = ask\n"
				   "failed = end.error || ?end.veto\nset error = end.error\n"
				   "[point refused]\nevent = refused\npoints = event\nvalue = no\n"
				   "set error = error\n";

UNIT_TEST(any_of_the_end_events_ends_a_call_on_an_object)
{
	struct bench b;

	bench_start(&b, object_model);
	event(&b, 0, 10, 7, "ask", "id=1");
	event(&b, 0, 11, 7, "asked", "id=1 error=0");
	event(&b, 0, 12, 9, "told", "id=1");
	/* refused by another event, whose fields stand in another order */
	event(&b, 0, 20, 7, "ask", "id=2");
	event(&b, 0, 21, 7, "refused", "veto=1 error=3 id=2");
	/* accepted by it; its start was not seen, and neither were the fields it lacks */
	event(&b, 0, 30, 8, "refused", "id=3");
	event(&b, 0, 31, 9, "told", "id=3");
	/* deferred: a second call on the object, until the first returns */
	event(&b, 0, 40, 7, "ask", "id=4");
	event(&b, 0, 41, 8, "ask", "id=4");
	event(&b, 0, 42, 8, "refused", "id=4 error=2");
	event(&b, 0, 43, 7, "asked", "id=4 error=2");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_pair_end_without_start], 1);
	bench_finish(&b, 50,
		     "point n1 ask 10 0\n"
		     "span n1 WAIT 10-12 1 0\n"
		     "point n1 ask 20 3 flags 8\n"
		     "point n1 no 21 3\n"
		     "point n1 no 30 0\n"
		     "span n1 WAIT 5-31 3 0 flags 2\n"
		     "point n1 ask 40 2 flags 8\n"
		     "point n1 ask 41 2 flags 8\n"
		     "point n1 no 42 2\n"
		     "span n1 held 12-50 1 0 flags 1\n"
		     "span n1 held 31-50 3 0 flags 1\n");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_pair_start_without_end], 0);
}

static void check_ends(const char *ends, const char *expected)
{
	g_autofree char *text = g_strdup_printf("[model]\nname = a\nsystem = b\n"
						"[pair p]\nstart = s\nkey = k\nend = %s\n",
						ends);

	check_load(text, expected);
}

UNIT_TEST(ends_that_are_wrong)
{
	check_ends("a  b c d e f g h", NULL);
	check_ends("a b c d e f g h i", ":7:23: more than 8 end events");
	check_ends("a  b a", ":7:12: a stands twice");
}

/* ---- roles */

/* One record is a notice of two objects, the thread that leaves the CPU and the one that gets it. */
static const char switch_model[] = "[model]\nname = cpu\nsystem = sys\n"
				   "[role off]\nevent = switch\nlet pid = prev\nlet prio = prev_prio\n"
				   "[role on]\nevent = switch\nlet pid = next\nlet prio = next_prio\n"
				   "[container thread]\nin = root\nid = {pid}\nname = t{pid}\n"
				   "[values cpu]\non = thread\nattrs = prio:int\n"
				   "[points seen]\non = thread\nattrs = prio:int\n"
				   "[object thread]\nkey = pid\non = thread\nnotice = off on wake\n"
				   "[machine cpu]\nof = thread\nvalues = cpu\nunknown = unknown\n"
				   "always prio = prio\n"
				   "rule 1 = notice off when state == 9 was running go none\n"
				   "rule 2 = notice off was running go sleeps\n"
				   "rule 3 = notice on go running\n"
				   "rule 4 = notice wake go waits\n"
				   "[point seen]\nevent = on\npoints = seen\nvalue = on\nset prio = prio\n";

UNIT_TEST(one_record_changes_two_objects)
{
	struct bench b;

	bench_start(&b, switch_model);
	event(&b, 0, 10, 0, "switch", "prev=1 prev_prio=20 next=2 next_prio=30 state=0");
	event(&b, 1, 11, 0, "switch", "prev=2 prev_prio=21 next=1 next_prio=31 state=0");
	event(&b, 0, 12, 0, "wake", "pid=1 prio=22");
	event(&b, 0, 13, 0, "switch", "prev=2 prev_prio=30 next=1 next_prio=23 state=9");
	event(&b, 0, 14, 0, "switch", "prev=1 prev_prio=23 next=1 next_prio=24 state=0");
	bench_finish(&b, 20,
		     "span t1 running 5-10 20 flags 2\n"
		     "point t2 on 10 30\n"
		     "span t2 unknown 5-10 30 flags 42\n"
		     "span t2 running 5-11 21 flags 2\n"
		     "point t1 on 11 31\n"
		     "span t1 unknown 5-11 31 flags 42\n"
		     "span t1 sleeps 10-12 20\n"
		     "span t2 running 10-13 30\n"
		     "point t1 on 13 23\n"
		     "span t1 waits 12-13 22\n"
		     "span t1 running 13-14 23\n"
		     "point t1 on 14 24\n"
		     "span t1 sleeps 14-14 23\n"
		     "span t1 running 14-20 24 flags 1\n"
		     "span t2 sleeps 11-20 21 flags 1\n"
		     "span t1 running 11-20 31 flags 1\n");
}

/* Each event ends one piece of work and starts the next one: ends before starts. The roles stand in the file in the
 * other order. */
static const char chain_model[] = "[model]\nname = steps\nsystem = sys\n"
				  "[role first]\nevent = step\nlet id = next\n"
				  "[role last]\nevent = step\n"
				  "[container node]\nin = root\nid = {@node}\nname = {@node}\n"
				  "[values work]\non = node\nattrs = id:int status:int\n"
				  "[pair work]\nstart = first\nend = last reply\nkey = @pid\n"
				  "[pair other]\nstart = first\nend = reply\nkey = id @pid\n"
				  "[state work]\ncall = work\nvalues = work\nvalue = work {@end}\n"
				  "set id = id\nset status = end.status\n"
				  "[state other]\ncall = other\nvalues = work\nvalue = other\n"
				  "set id = id\nset status = end.status\n";

UNIT_TEST(a_record_ends_calls_before_it_starts_others)
{
	struct bench b;

	bench_start(&b, chain_model);
	event(&b, 0, 10, 7, "step", "next=1 status=0 id=99");
	event(&b, 0, 12, 7, "step", "next=2 status=-5 id=99");
	event(&b, 0, 15, 7, "reply", "id=2 status=4");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_pair_end_without_start], 1);
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_call_restarted], 0);
	bench_finish(&b, 20,
		     "span n1 work 1 10-12 1 -5\n"
		     "span n1 work 2 12-15 2 4\n"
		     "span n1 other 12-15 2 4\n"
		     "span n1 other 10-20 1 0 flags 1\n");
}

/* One record returns from a call on one object and calls on another one: a hand-over. */
static const char object_chain[] = "[model]\nname = hand\nsystem = sys\n"
				   "[role give]\nevent = pass\nlet k = from\n"
				   "[role take]\nevent = pass\nlet k = to\n"
				   "[container node]\nin = root\nid = {@node}\nname = {@node}\n"
				   "[values work]\non = node\nattrs = k:int\n"
				   "[object thing]\nkey = k\non = node\n"
				   "[pair work]\nof = thing\nstart = take\nend = give\n"
				   "[state work]\ncall = work\nspan = start to return\nvalues = work\n"
				   "value = work\nset k = k\n";

UNIT_TEST(one_record_returns_and_calls)
{
	struct bench b;

	bench_start(&b, object_chain);
	event(&b, 0, 10, 7, "pass", "from=8 to=1");
	event(&b, 0, 12, 7, "pass", "from=1 to=2");
	event(&b, 0, 15, 7, "pass", "from=2 to=2");
	event(&b, 0, 17, 7, "pass", "from=2 to=3");
	CU_ASSERT_EQUAL(b.diag.count[IOT_DIAG_pair_end_without_start], 1);
	bench_finish(&b, 20,
		     "span n1 work 10-12 1\nspan n1 work 12-15 2\nspan n1 work 15-17 2\n"
		     "span n1 work 17-20 3 flags 1\n");
}

static void check_switch(const char *from, const char *to, const char *expected)
{
	g_auto(GStrv) parts = g_strsplit(switch_model, from, 2);
	g_autofree char *text = g_strjoin(to, parts[0], parts[1], NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(parts[1]);
	check_load(text, expected);
}

UNIT_TEST(roles_that_are_wrong)
{
	check_switch("event = switch\n", "event = sys:switch\n", NULL);
	check_switch("event = switch\n", "", ":4:1: [role off]: \"event = ...\" is missing");
	check_switch("[role on]\nevent = switch", "[role on]\nevent = off", ":9:9: off is a [role] itself");
	check_switch("let pid = prev", "let pid = end.prev", ":6:11: \"end.prev\" is not the name of a field");
	check_switch("let pid = prev", "let @pid = prev", ":6:1: \"@pid\" is not the name of a field");
	check_switch("notice = off on wake", "notice = on wake", ":31:10: off is no notice of [object thread]");
	check_switch("notice = off on", "notice = off off",
		     ":22:1: [object thread]: one record of off is a notice of the same [object thread] twice, "
		     "first in line 22");
	/* two names for one field are one object, too */
	check_switch("let pid = next", "let pid = prev",
		     ":22:1: [object thread]: one record of on is a notice of the same [object thread] twice, "
		     "first in line 22");
	check_switch("[object thread]", "[object other]\nkey = next\non = thread\nnotice = on\n[object thread]",
		     ":40:9: on is an event of [object other] and of [object thread]; give it a [role] for each");
}

/* ---- a number that a part of a text names: 0x77222027 is the CRC-32 of "dlm:ls:test" and a NUL byte, 0x3df8322a that of
 * "gfs" (zlib) */
static const char said_model[] = "[model]\nname = said\nsystem = sys\n"
				 "[names space]\nproof = crc32 \"dlm:ls:{text}\\0\"\n"
				 "[names plain]\n1 = one\n"
				 "[role begins]\nevent = say\nlet id = space in msg \"dlm:{text}:begin:*\"\n"
				 "when = id && !(msg ~ \"*:again\")\n"
				 "[role ends]\nevent = say\nlet id = space  in  msg \"dlm:{text}:end\"\nwhen = id\n"
				 "[container space]\nin = root\nid = {id}\nname = {id:hex}\n"
				 "[values work]\non = space\nattrs = id:hex\n"
				 "[object work]\nkey = id\non = space\nnotice = begins ends other\n"
				 "[machine work]\nof = work\nvalues = work\nunknown = unknown\nalways id = id\n"
				 "rule 1 = notice begins was none go busy\n"
				 "rule 2 = notice ends was busy go none\n"
				 "rule 3 = notice other go odd\n";

UNIT_TEST(a_text_names_the_object)
{
	struct bench b;

	bench_start(&b, said_model);
	event(&b, 0, 10, 7, "say", "msg=dlm:test:begin:1");
	event(&b, 1, 11, 7, "say", "msg=dlm:test:begin:1");
	event(&b, 0, 12, 7, "say", "msg=dlm:gfs:begin:1");
	/* no such text */
	event(&b, 0, 13, 7, "say", "msg=dlm:test:begin:2:again");
	event(&b, 0, 14, 7, "say", "msg=DLM:test:end");
	event(&b, 0, 15, 7, "say", "msg=dlm:a/test:end");
	event(&b, 0, 16, 7, "say", "msg=dlm::end");
	event(&b, 0, 17, 7, "say", "msg=");
	/* the field of an event of recordings has its own name */
	event(&b, 0, 18, 7, "other", "id=1039675946");
	event(&b, 0, 20, 7, "say", "msg=dlm:test:end");
	event(&b, 0, 21, 7, "say", "msg=dlm:gfs:end");
	bench_finish(&b, 30,
		     "span 0x3df8322a busy 12-18 1039675946\n"
		     "span 0x77222027 busy 10-20 1998725159\n"
		     "span 0x3df8322a odd 18-21 1039675946\n"
		     "span 0x77222027 busy 11-30 1998725159 flags 1\n");
}

static void check_said(const char *let, const char *expected)
{
	g_auto(GStrv) parts = g_strsplit(said_model, "space  in  msg \"dlm:{text}:end\"", 2);
	g_autofree char *text = g_strjoin(let, parts[0], parts[1], NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(parts[1]);
	check_load(text, expected);
}

UNIT_TEST(texts_that_name_nothing)
{
	check_said("space in msg \"{text}\"", NULL);
	check_said("space for msg \"{text}\"",
		   ":14:10: the name of a field, NUMBERS of FIELD, or NAMES in FIELD \"PATTERN\" expected");
	check_said("space of msg", ":14:10: there is no section [numbers space] above");
	check_said("space of msg \"{text}\"", ":14:23: nothing more expected");
	check_said("space \"{text}\"", ":14:10: the name of a field, NUMBERS of FIELD, or NAMES in FIELD \"PATTERN\" expected");
	check_said("space in @pid \"{text}\"", ":14:19: \"@pid\" is not the name of a field");
	check_said("space in msg {text}", ":14:23: a text in double quotes expected");
	check_said("space in msg", ":14:22: a text in double quotes expected");
	check_said("space in msg \"end\"", ":14:23: {text} is missing in the text");
	check_said("room in msg \"{text}\"", ":14:10: there is no section [names room] above");
	check_said("plain in msg \"{text}\"", ":14:10: [names plain] has no \"proof\"");
}

/* Rows that may be below those of other models' threads. */
UNIT_TEST(followers_that_are_wrong)
{
	check_switch("name = t{pid}", "name = t{pid}\nbelow = thread CPU\npid = pid",
		     ":39:10: rows of [container thread] may be below another model's; only a [machine] can be drawn there");
	check_switch("name = t{pid}", "name = t{pid}\nbelow = thread CPU",
		     ":12:1: [container thread]: \"pid = ...\" is missing");
	check_switch("name = t{pid}", "name = t{pid}\nrole = thread",
		     ":12:1: [container thread]: \"pid = ...\" is missing");
	check_switch("name = t{pid}", "name = t{pid}\nbelow = process CPU\npid = pid",
		     ":16:9: \"thread\" and the name of the rows is expected");
	check_switch("name = t{pid}\n[values cpu]\non = thread\nattrs = prio:int\n[points seen]\non = thread\nattrs = prio:int\n"
		     "[object thread]\nkey = pid",
		     "name = t{pid}\nbelow = thread CPU\npid = pid\n[values cpu]\non = thread\nattrs = prio:int\n"
		     "[points seen]\non = thread\nattrs = prio:int\n[object thread]\nkey = prio",
		     ":25:7: objects on rows below threads have the key \"pid\", as [container thread] says");
}
