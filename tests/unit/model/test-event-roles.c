/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that one of several events ends. */
#include "base/error.h"
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
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	g_autofree char *text = g_strdup_printf("[model]\nname = a\nsystem = b\n"
						"[pair p]\nstart = s\nkey = k\nend = %s\n",
						ends);
	struct iot_model *model = load(tl, schema, text, &error);

	CU_ASSERT_EQUAL(model != NULL, expected == NULL);
	CU_ASSERT_STRING_EQUAL(error ? error->message : "", expected ? expected : "");
	iot_model_free(model);
}

UNIT_TEST(ends_that_are_wrong)
{
	check_ends("a  b c d e f g h", NULL);
	check_ends("a b c d e f g h i", ":7:23: more than 8 end events");
	check_ends("a  b a", ":7:12: a stands twice");
}
