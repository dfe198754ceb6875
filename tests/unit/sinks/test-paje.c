/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Pajé sink through its operations; the expected texts were written by hand from the format's
 * description. */
#include "base/error.h"
#include "sinks/sink.h"
#include "unit.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ORIGIN = 1000000000 };

struct paje_test {
	struct iot_timeline *tl;
	struct iot_sink *sink;
	GHashTable *options;
	char *path;
	guint64 seq, end;
	iot_type_id row_type, sub_type, lock, event, io;
	iot_cat_id pr, ex, ast, reading;
	iot_row_id space, first, second, unused;
};

static iot_str str(struct paje_test *t, const char *text)
{
	return iot_intern_str(t->tl->strings, text);
}

static iot_row_id new_row(struct paje_test *t, iot_type_id type, iot_row_id parent,
			  const char *name)
{
	return iot_timeline_row(t->tl, type, parent, str(t, name), str(t, name), NULL);
}

static void add_attr(struct paje_test *t, struct iot_type *type, const char *name,
		     enum iot_attr_format format, gboolean late)
{
	type->attr[type->n_attrs++] = (struct iot_attr_def){ str(t, name), format, late };
}

static void make_types(struct paje_test *t)
{
	struct iot_type *type;

	iot_timeline_type(t->tl, IOT_TYPE_ROW, "lockspace", "lockspace", 0, &t->row_type);
	iot_timeline_type(t->tl, IOT_TYPE_ROW, "node", "node", t->row_type, &t->sub_type);
	type = iot_timeline_type(t->tl, IOT_TYPE_SPAN, "lock", "lock mode", t->sub_type, &t->lock);
	add_attr(t, type, "lkb_id", IOT_ATTR_HEX, FALSE);
	add_attr(t, type, "result", IOT_ATTR_STR, TRUE);
	add_attr(t, type, "to", IOT_ATTR_STR, FALSE);
	type = iot_timeline_type(t->tl, IOT_TYPE_POINT, "event", "event", t->sub_type, &t->event);
	add_attr(t, type, "pid", IOT_ATTR_INT, FALSE);
	add_attr(t, type, "took", IOT_ATTR_DURATION, FALSE);
	add_attr(t, type, "type", IOT_ATTR_STR, FALSE);
	iot_timeline_type(t->tl, IOT_TYPE_SPAN, "io", "file I/O", t->sub_type, &t->io);
	t->pr = iot_timeline_cat(t->tl, t->lock, "PR", 0x00ff00, IOT_ROLE_HOLD);
	t->ex = iot_timeline_cat(t->tl, t->lock, "EX", 0xff8001, IOT_ROLE_HOLD);
	t->ast = iot_timeline_cat(t->tl, t->event, "ast", 0x0000ff, IOT_ROLE_RESULT);
	t->reading = iot_timeline_cat(t->tl, t->io, "read", 0x112233, IOT_ROLE_NONE);
}

static void setup(struct paje_test *t, const char *path, const char *option)
{
	struct iot_sink_args args = { .memory = 1 << 20 };
	g_autoptr(GError) error = NULL;
	int fd;

	*t = (struct paje_test){ .end = 5000, .tl = iot_timeline_new() };
	t->tl->origin_ns = t->tl->zero_ns = ORIGIN;
	make_types(t);
	t->space = new_row(t, t->row_type, 0, "ls");
	t->first = new_row(t, t->sub_type, t->space, "quiet");
	t->second = new_row(t, t->sub_type, t->space, "busy");
	t->unused = new_row(t, t->sub_type, t->space, "unused");
	iot_row_at(t->tl, t->second)->wait_ns = 7;
	t->options = g_hash_table_new(g_str_hash, g_str_equal);
	if (option)
		g_hash_table_insert(t->options, (gpointer)option, (gpointer)option);
	if (path) {
		t->path = g_strdup(path);
	} else {
		fd = g_file_open_tmp("paje-XXXXXX", &t->path, NULL);
		CU_ASSERT_FATAL(fd >= 0);
		close(fd);
	}
	args.tl = t->tl;
	args.path = t->path;
	args.options = t->options;
	t->sink = iot_sink_paje.open(&args, &error);
	CU_ASSERT_PTR_NOT_NULL_FATAL(t->sink);
}

static struct iot_item item_of(struct paje_test *t, enum iot_item_kind kind, guint64 t0, guint64 t1,
			       iot_cat_id cat, iot_row_id row, guint lane)
{
	struct iot_item item = { .kind = (guint8)kind, .cat = cat, .row = row };

	item.lane = (guint16)lane;
	item.t0 = ORIGIN + t0;
	item.t1 = ORIGIN + t1;
	item.seq = t->seq++;
	if (cat) {
		item.type = iot_cat_at(t->tl, cat)->type;
		item.n_attrs = (guint8)iot_type_at(t->tl, item.type)->n_attrs;
	}
	return item;
}

static void feed(struct paje_test *t, const struct iot_item *item)
{
	CU_ASSERT_TRUE(t->sink->ops->item(t->sink, item, NULL));
}

static void begin(struct paje_test *t, guint64 at, iot_cat_id cat, iot_row_id row, guint lane,
		  guint64 lkb_id, const char *to)
{
	struct iot_item item = item_of(t, IOT_ITEM_SPAN_BEGIN, at, at, cat, row, lane);

	item.attr[0].u = lkb_id;
	item.attr[1].str = str(t, "late, without meaning");
	item.attr[2].str = str(t, to);
	feed(t, &item);
}

static void end(struct paje_test *t, guint64 t0, guint64 t1, iot_cat_id cat, iot_row_id row,
		guint lane)
{
	struct iot_item item = item_of(t, IOT_ITEM_SPAN, t0, t1, cat, row, lane);

	feed(t, &item);
}

static void point(struct paje_test *t, guint64 at, iot_row_id row, guint lane, gint64 pid,
		  guint64 took, const char *text)
{
	struct iot_item item = item_of(t, IOT_ITEM_POINT, at, at, t->ast, row, lane);

	item.attr[0].i = pid;
	item.attr[1].u = took;
	/* digits are a number, as models emit them */
	item.attr[2].str = g_ascii_isdigit(*text)
				   ? iot_text_number(g_ascii_strtoull(text, NULL, 10))
				   : str(t, text);
	feed(t, &item);
}

static void gap(struct paje_test *t, guint64 t0, guint64 t1, const char *node, guint64 lost)
{
	struct iot_item item = item_of(t, IOT_ITEM_GAP, t0, t1, 0, 0, 0);

	iot_gap_set(&item, str(t, node), lost);
	feed(t, &item);
}

/* Finishes the run and returns the file. */
static char *result(struct paje_test *t)
{
	struct iot_summary summary = { .begin_ns = ORIGIN, .from_ns = ORIGIN };
	g_autoptr(GError) error = NULL;
	char *text = NULL;

	summary.end_ns = summary.to_ns = ORIGIN + t->end;
	iot_timeline_rank(t->tl);
	CU_ASSERT_TRUE(t->sink->ops->finish(t->sink, &summary, &error));
	CU_ASSERT_TRUE_FATAL(g_file_get_contents(t->path, &text, NULL, NULL));
	return text;
}

static void teardown(struct paje_test *t)
{
	t->sink->ops->free(t->sink);
	if (g_str_has_prefix(t->path, g_get_tmp_dir()))
		unlink(t->path);
	g_free(t->path);
	g_hash_table_unref(t->options);
	iot_timeline_free(t->tl);
}

/* The text below the event definitions. */
static const char *below_definitions(const char *text)
{
	const char *last = g_strrstr(text, "%EndEventDef\n");

	return last ? last + strlen("%EndEventDef\n") : text;
}

static void assert_text(const char *actual, const char *expected)
{
	CU_ASSERT_STRING_EQUAL(actual, expected);
	if (strcmp(actual, expected))
		g_printerr("--- expected\n%s--- actual\n%s", expected, actual);
}

#define FIXED                                                                                 \
	"%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n" \
	"%EndEventDef\n"                                                                      \
	"%EventDef PajeDefineStateType 1\n% Alias string\n% Type string\n% Name string\n"     \
	"%EndEventDef\n"                                                                      \
	"%EventDef PajeDefineEventType 2\n% Alias string\n% Type string\n% Name string\n"     \
	"%EndEventDef\n"                                                                      \
	"%EventDef PajeDefineEntityValue 3\n% Alias string\n% Type string\n% Name string\n"   \
	"% Color color\n%EndEventDef\n"                                                       \
	"%EventDef PajeCreateContainer 4\n% Time date\n% Alias string\n% Type string\n"       \
	"% Container string\n% Name string\n%EndEventDef\n"                                   \
	"%EventDef PajeDestroyContainer 5\n% Time date\n% Type string\n% Name string\n"       \
	"%EndEventDef\n"                                                                      \
	"%EventDef PajePopState 6\n% Time date\n% Type string\n% Container string\n%EndEventDef\n"

UNIT_TEST(empty_recording_is_definitions_only)
{
	struct paje_test t;
	g_autofree char *text = NULL;

	setup(&t, NULL, "events");
	text = result(&t);
	assert_text(text, FIXED);
	teardown(&t);
}

UNIT_TEST(whole_file)
{
	struct paje_test t;
	g_autofree char *text = NULL;

	setup(&t, NULL, "events");
	begin(&t, 100, t.pr, t.first, 0, 0x2a, "EX");
	begin(&t, 200, t.ex, t.first, 0, 0x2a, "PR, \"now\"");
	begin(&t, 200, t.pr, t.second, 1, 7, "");
	point(&t, 200, t.second, 1, -5, 1234567890123, "4096");
	end(&t, 200, 300, t.ex, t.first, 0);
	end(&t, 100, 300, t.pr, t.first, 0);
	begin(&t, 300, t.pr, t.first, 0, 0, "x\n\ty");
	end(&t, 300, 300, t.pr, t.first, 0);
	end(&t, 200, 2000000400, t.pr, t.second, 1);
	t.end = 3000000000;
	text = result(&t);
	assert_text(text, FIXED
		    "%EventDef PajePushState 13\n% Time date\n% Type string\n% Container string\n"
		    "% Value string\n% lkb_id hex\n% to string\n%EndEventDef\n"
		    "%EventDef PajeNewEvent 14\n% Time date\n% Type string\n% Container string\n"
		    "% Value string\n% pid int\n% took_ns int\n% type_ string\n%EndEventDef\n"
		    "0 b1 0 \"lockspace\"\n"
		    "0 b2 b1 \"node\"\n"
		    "0 l2 b2 \"lane of node\"\n"
		    "1 s3 b2 \"lock mode\"\n"
		    "1 u3 l2 \"lock mode\"\n"
		    "2 e4 b2 \"event\"\n"
		    "2 f4 l2 \"event\"\n"
		    "3 v1 s3 \"PR\" \"0.000 1.000 0.000\"\n"
		    "3 w1 u3 \"PR\" \"0.000 1.000 0.000\"\n"
		    "3 v2 s3 \"EX\" \"1.000 0.502 0.004\"\n"
		    "3 w2 u3 \"EX\" \"1.000 0.502 0.004\"\n"
		    "3 v3 e4 \"ast\" \"0.000 0.000 1.000\"\n"
		    "3 w3 f4 \"ast\" \"0.000 0.000 1.000\"\n"
		    "4 0.000000000 c1 b1 0 \"ls\"\n"
		    "4 0.000000000 c3 b2 c1 \"busy\"\n"
		    "4 0.000000000 c3l1 l2 c3 \"lane 2\"\n"
		    "4 0.000000000 c2 b2 c1 \"quiet\"\n"
		    "13 0.000000100 s3 c2 v1 0x2a \"EX\"\n"
		    "13 0.000000200 s3 c2 v2 0x2a \"PR; 'now'\"\n"
		    "13 0.000000200 u3 c3l1 w1 0x7 \"-\"\n"
		    "14 0.000000200 f4 c3l1 w3 -5 1234567890123 \"4096\"\n"
		    "6 0.000000300 s3 c2\n"
		    "6 0.000000300 s3 c2\n"
		    "13 0.000000300 s3 c2 v1 0x0 \"x  y\"\n"
		    "6 0.000000300 s3 c2\n"
		    "6 2.000000400 u3 c3l1\n"
		    "5 3.000000000 b2 c2\n"
		    "5 3.000000000 l2 c3l1\n"
		    "5 3.000000000 b2 c3\n"
		    "5 3.000000000 b1 c1\n");
	teardown(&t);
}

static void send_link(struct paje_test *t, iot_cat_id cat, iot_row_id row, guint64 from,
		      iot_row_id row_to, guint lane_to, guint64 to)
{
	struct iot_item item = item_of(t, IOT_ITEM_LINK, 0, 0, cat, row, 0);

	iot_link_set(&item, ORIGIN + from, row_to, (guint16)lane_to, ORIGIN + to);
	item.attr[0].u = 0x2a;
	feed(t, &item);
}

/* The line of the earlier end comes to its place at the end. A stub has no place. */
UNIT_TEST(links_have_a_line_at_each_end)
{
	struct paje_test t;
	struct iot_item stub;
	iot_type_id id;
	iot_cat_id cat;
	g_autofree char *text = NULL;

	setup(&t, NULL, "links");
	add_attr(&t, iot_timeline_type(t.tl, IOT_TYPE_LINK, "grant", "handed on", 0, &id), "seq",
		 IOT_ATTR_HEX, FALSE);
	cat = iot_timeline_cat(t.tl, id, "handed", 0x0000ff, IOT_ROLE_NONE);
	begin(&t, 50, t.pr, t.first, 0, 1, "a");
	send_link(&t, cat, t.second, 20, t.first, 0, 60);
	end(&t, 50, 70, t.pr, t.first, 0);
	send_link(&t, cat, t.first, 80, t.second, 1, 50);
	send_link(&t, cat, t.space, 80, t.second, 0, 80);
	stub = item_of(&t, IOT_ITEM_LINK, 0, 0, cat, t.space, 0);
	iot_link_set(&stub, ORIGIN + 85, t.space, 0, ORIGIN + 85);
	stub.flags = IOT_TO_UNSEEN;
	feed(&t, &stub);
	CU_ASSERT_EQUAL(iot_sink_paje.diag(t.sink)->count[IOT_DIAG_stubs_left_out], 1);
	t.end = 90;
	text = result(&t);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "%EventDef PajeDefineLinkType 17\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "%EventDef PajeEndLink 10\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "%EventDef PajeStartLink 16\n% Time date\n% Type string\n"
					    "% Container string\n% StartContainer string\n"
					    "% Value string\n% Key string\n% seq hex\n"));
	assert_text(below_definitions(text), "0 b1 0 \"lockspace\"\n"
					     "0 b2 b1 \"node\"\n"
					     "0 l2 b2 \"lane of node\"\n"
					     "1 s3 b2 \"lock mode\"\n"
					     "1 u3 l2 \"lock mode\"\n"
					     "3 v1 s3 \"PR\" \"0.000 1.000 0.000\"\n"
					     "3 w1 u3 \"PR\" \"0.000 1.000 0.000\"\n"
					     "3 v2 s3 \"EX\" \"1.000 0.502 0.004\"\n"
					     "3 w2 u3 \"EX\" \"1.000 0.502 0.004\"\n"
					     "17 k6b2b2 0 b2 b2 \"handed on\"\n"
					     "3 v5 k6b2b2 \"handed\" \"0.000 0.000 1.000\"\n"
					     "17 k6b2l2 0 b2 l2 \"handed on\"\n"
					     "3 v5 k6b2l2 \"handed\" \"0.000 0.000 1.000\"\n"
					     "17 k6b1b2 0 b1 b2 \"handed on\"\n"
					     "3 v5 k6b1b2 \"handed\" \"0.000 0.000 1.000\"\n"
					     "4 0.000000000 c1 b1 0 \"ls\"\n"
					     "4 0.000000000 c3 b2 c1 \"busy\"\n"
					     "4 0.000000000 c3l1 l2 c3 \"lane 2\"\n"
					     "4 0.000000000 c2 b2 c1 \"quiet\"\n"
					     "16 0.000000020 k6b2b2 0 c3 v5 1 0x2a\n"
					     "10 0.000000050 k6b2l2 0 c3l1 v5 2\n"
					     "13 0.000000050 s3 c2 v1 0x1 \"a\"\n"
					     "10 0.000000060 k6b2b2 0 c2 v5 1\n"
					     "6 0.000000070 s3 c2\n"
					     "16 0.000000080 k6b2l2 0 c2 v5 2 0x2a\n"
					     "16 0.000000080 k6b1b2 0 c1 v5 3 0x2a\n"
					     "10 0.000000080 k6b1b2 0 c3 v5 3\n"
					     "5 0.000000090 b2 c2\n"
					     "5 0.000000090 l2 c3l1\n"
					     "5 0.000000090 b2 c3\n"
					     "5 0.000000090 b1 c1\n");
	teardown(&t);
}

UNIT_TEST(late_begins_and_gaps_are_sorted_in)
{
	struct paje_test t;
	g_autofree char *text = NULL;

	setup(&t, NULL, "events");
	begin(&t, 50, t.pr, t.first, 0, 1, "a");
	gap(&t, 10, 30, "node 2", 4);
	gap(&t, 100, 300, "node 1", 5);
	gap(&t, 60, 100, "node 1", 6);
	gap(&t, 310, 320, "node 1", 3);
	gap(&t, 315, 400, "node 1", G_MAXUINT64);
	begin(&t, 0, t.ex, t.second, 0, 2, "late");
	begin(&t, 0, t.pr, t.second, 0, 3, "later");
	end(&t, 0, 60, t.pr, t.second, 0);
	end(&t, 50, 70, t.pr, t.first, 0);
	end(&t, 0, 70, t.ex, t.second, 0);
	t.end = 350;
	text = result(&t);
	CU_ASSERT_PTR_NOT_NULL(strstr(text,
				      "%EventDef PajePushState 7\n% Time date\n% Type string\n"
				      "% Container string\n% Value string\n% lost string\n"));
	assert_text(below_definitions(text), "0 b1 0 \"lockspace\"\n"
					     "0 b2 b1 \"node\"\n"
					     "1 s3 b2 \"lock mode\"\n"
					     "3 v1 s3 \"PR\" \"0.000 1.000 0.000\"\n"
					     "3 v2 s3 \"EX\" \"1.000 0.502 0.004\"\n"
					     "0 r 0 \"recording\"\n"
					     "1 rs r \"not observed\"\n"
					     "3 rv rs \"not observed\" \"0.500 0.500 0.500\"\n"
					     "4 0.000000000 c1 b1 0 \"ls\"\n"
					     "4 0.000000000 c3 b2 c1 \"busy\"\n"
					     "4 0.000000000 c2 b2 c1 \"quiet\"\n"
					     "4 0.000000000 r1 r 0 \"not observed node 1\"\n"
					     "4 0.000000000 r2 r 0 \"not observed node 2\"\n"
					     "13 0.000000000 s3 c3 v2 0x2 \"late\"\n"
					     "13 0.000000000 s3 c3 v1 0x3 \"later\"\n"
					     "7 0.000000010 rs r2 rv \"4\"\n"
					     "6 0.000000030 rs r2\n"
					     "13 0.000000050 s3 c2 v1 0x1 \"a\"\n"
					     "7 0.000000060 rs r1 rv \"6\"\n"
					     "6 0.000000060 s3 c3\n"
					     "6 0.000000070 s3 c2\n"
					     "6 0.000000070 s3 c3\n"
					     "6 0.000000100 rs r1\n"
					     "7 0.000000100 rs r1 rv \"5\"\n"
					     "6 0.000000300 rs r1\n"
					     "7 0.000000310 rs r1 rv \"?\"\n"
					     "6 0.000000400 rs r1\n"
					     "5 0.000000400 r r2\n"
					     "5 0.000000400 r r1\n"
					     "5 0.000000400 b2 c2\n"
					     "5 0.000000400 b2 c3\n"
					     "5 0.000000400 b1 c1\n");
	teardown(&t);
}

/* Names of containers in the order of the file. */
static char *names_of(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *names = g_string_new(NULL);

	for (guint i = 0; lines[i]; i++)
		if (g_str_has_prefix(lines[i], "4 0.000000000 "))
			g_string_append_printf(names, "%s\n", strchr(lines[i], '"'));
	return g_string_free(names, FALSE);
}

/* Two levels and lanes: ViTE shows nine letters. */
static char *names_of_many(const char *option)
{
	static const char *const rows[] = { "inode 3346", "inode feed", "node 1", "a name of words",
					    "/mnt/own1", "/mnt/own/1", "/atthetop1" };
	g_autofree char *text = NULL;
	struct paje_test t;
	char *names;

	setup(&t, NULL, option);
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		iot_row_id row = new_row(&t, t.sub_type, t.space, rows[i]);

		iot_row_at(t.tl, row)->wait_ns = 100 - i;
		begin(&t, 0, t.pr, row, 0, 0, "");
		end(&t, 0, 0, t.pr, row, 0);
	}
	begin(&t, 0, t.pr, t.second, 1, 0, "");
	end(&t, 0, 0, t.pr, t.second, 1);
	text = result(&t);
	names = names_of(text);
	teardown(&t);
	return names;
}

UNIT_TEST(names_begin_with_what_tells_them_apart)
{
	g_autofree char *names = names_of_many(NULL);

	assert_text(names, "\"ls\"\n\"3346 inode\"\n\"feed inode\"\n\"node 1\"\n"
			   "\"a name of words\"\n\"/mnt/own1\"\n\"1 in /mnt/own\"\n"
			   "\"/atthetop1\"\n\"busy\"\n\"lane 2\"\n");
}

UNIT_TEST(names_have_paths_if_an_option_asks)
{
	g_autofree char *names = names_of_many("paths");

	assert_text(names, "\"ls\"\n\"inode 3346 of ls\"\n\"inode feed of ls\"\n\"node 1 of ls\"\n"
			   "\"a name of words of ls\"\n\"/mnt/own1 of ls\"\n\"/mnt/own/1 of ls\"\n"
			   "\"/atthetop1 of ls\"\n\"busy of ls\"\n\"lane 2 of busy of ls\"\n");
}

UNIT_TEST(further_span_type_has_containers_of_its_own)
{
	struct paje_test t;
	g_autofree char *text = NULL;

	setup(&t, NULL, "events");
	begin(&t, 100, t.pr, t.first, 0, 1, "a");
	begin(&t, 110, t.reading, t.first, 0, 0, "");
	begin(&t, 120, t.reading, t.first, 1, 0, "");
	end(&t, 100, 130, t.pr, t.first, 0);
	end(&t, 110, 140, t.reading, t.first, 0);
	end(&t, 120, 150, t.reading, t.first, 1);
	text = result(&t);
	assert_text(below_definitions(text),
		    "0 b1 0 \"lockspace\"\n"
		    "0 b2 b1 \"node\"\n"
		    "1 s3 b2 \"lock mode\"\n"
		    "0 x5 b2 \"file I/O\"\n"
		    "1 s5 x5 \"file I/O\"\n"
		    "3 v1 s3 \"PR\" \"0.000 1.000 0.000\"\n"
		    "3 v2 s3 \"EX\" \"1.000 0.502 0.004\"\n"
		    "3 v4 s5 \"read\" \"0.067 0.133 0.200\"\n"
		    "4 0.000000000 c1 b1 0 \"ls\"\n"
		    "4 0.000000000 c2 b2 c1 \"quiet\"\n"
		    "4 0.000000000 c2x5 x5 c2 \"file I/O\"\n"
		    "4 0.000000000 c2x5l1 x5 c2 \"file I/O lane 2\"\n"
		    "13 0.000000100 s3 c2 v1 0x1 \"a\"\n"
		    "15 0.000000110 s5 c2x5 v4\n"
		    "15 0.000000120 s5 c2x5l1 v4\n"
		    "6 0.000000130 s3 c2\n"
		    "6 0.000000140 s5 c2x5\n"
		    "6 0.000000150 s5 c2x5l1\n"
		    "5 0.000005000 x5 c2x5l1\n"
		    "5 0.000005000 x5 c2x5\n"
		    "5 0.000005000 b2 c2\n"
		    "5 0.000005000 b1 c1\n");
	teardown(&t);
}

UNIT_TEST(events_are_left_out_unless_asked_for)
{
	struct paje_test t;
	g_autofree char *text = NULL;

	setup(&t, NULL, NULL);
	begin(&t, 100, t.pr, t.first, 0, 1, "a");
	point(&t, 110, t.first, 0, 1, 2, "gone");
	point(&t, 110, t.second, 0, 1, 2, "gone");
	end(&t, 100, 130, t.pr, t.first, 0);
	text = result(&t);
	CU_ASSERT_PTR_NULL(strstr(text, "gone"));
	CU_ASSERT_PTR_NULL(strstr(text, "PajeNewEvent"));
	CU_ASSERT_PTR_NULL(strstr(text, "busy"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "13 0.000000100 s3 c2 v1 0x1 \"a\"\n"));
	teardown(&t);
}

/* Readers know no escape, and ViTE drops lines of more than 4094 bytes. */
UNIT_TEST(texts_fit_the_readers)
{
	g_autofree char *a = g_strnfill(5000, 'a');
	g_autofree char *text = NULL, *expected = NULL;
	g_autoptr(GString) umlauts = g_string_new("x");
	struct paje_test t;

	for (guint i = 0; i < 300; i++)
		g_string_append(umlauts, "\xc3\xbc");
	setup(&t, NULL, "events");
	begin(&t, 1, t.pr, t.first, 0, G_MAXUINT64, a);
	begin(&t, 2, t.pr, t.first, 0, 1, umlauts->str);
	begin(&t, 3, t.pr, t.first, 0, 1, "\xfcx\"\xc3\xbc");
	begin(&t, 4, t.pr, t.first, 0, 1, "#%'\\ \x7f");
	text = result(&t);
	a[400] = 0;
	g_string_truncate(umlauts, 399);
	expected = g_strdup_printf("13 0.000000001 s3 c2 v1 0xffffffffffffffff \"%s\"\n"
				   "13 0.000000002 s3 c2 v1 0x1 \"%s\"\n"
				   "13 0.000000003 s3 c2 v1 0x1 \"\\xfcx'\xc3\xbc\"\n"
				   "13 0.000000004 s3 c2 v1 0x1 \"#%%'\\  \"\n",
				   a, umlauts->str);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, expected));
	CU_ASSERT_EQUAL(t.sink->ops->diag(t.sink)->count[IOT_DIAG_name_cut], 2);
	teardown(&t);
}

static void add_number(struct paje_test *t, GString *expected, guint64 value)
{
	guint64 at = t->seq * 370370370, positive = value & G_MAXINT64;
	gint64 pid = t->seq % 2 ? (gint64)value : -(gint64)positive;
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, positive);

	g_string_append_printf(expected,
			       "14 %" G_GUINT64_FORMAT ".%09" G_GUINT64_FORMAT
			       " e4 c2 v3 %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " \"%s\"\n",
			       at / 1000000000, at % 1000000000, pid, value, text);
	point(t, at, t->first, 0, pid, value, text);
}

/* The sink prints digits itself, three at a time; printf gives the expected text. */
UNIT_TEST(numbers_of_every_length)
{
	g_autoptr(GString) expected = g_string_new(NULL);
	g_autofree char *text = NULL;
	struct paje_test t;
	guint64 power = 1;

	setup(&t, NULL, "events");
	for (guint digits = 1; digits <= 20; digits++, power *= 10)
		for (guint64 value = power - 1; value <= power + 1; value++)
			add_number(&t, expected, value);
	for (guint bit = 0; bit < 64; bit++)
		for (guint64 i = 0; i < 3; i++)
			add_number(&t, expected, ((guint64)1 << bit) + i - 1);
	for (guint64 i = 0; i < 2000; i++)
		add_number(&t, expected, i * 0x9e3779b97f4a7c15 >> i % 64);
	add_number(&t, expected, G_MAXUINT64);
	text = result(&t);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, expected->str));
	teardown(&t);
}

/* Late lines and a body of many blocks: the file is sorted and complete. */
UNIT_TEST(merge_over_many_blocks)
{
	enum { N = 40000, STEP = 10, LATE = 300 };
	struct paje_test t;
	g_autofree char *text = NULL;
	guint n_lines = 0;
	guint64 last = 0;

	setup(&t, NULL, "events");
	for (guint i = 1; i <= N; i++)
		point(&t, i * STEP, t.first, 0, i, 0, "");
	for (guint i = 0; i < LATE; i++)
		begin(&t, (guint64)(LATE - i) * 1313, t.pr, t.second, i, i, "");
	text = result(&t);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		guint64 now;

		if (!g_str_has_prefix(line, "13 0.") && !g_str_has_prefix(line, "14 0."))
			continue;
		now = g_ascii_strtoull(line + 5, NULL, 10);
		CU_ASSERT_TRUE_FATAL(now >= last);
		last = now;
		n_lines++;
	}
	CU_ASSERT_EQUAL(n_lines, N + LATE);
	CU_ASSERT_EQUAL(last, N * STEP);
	teardown(&t);
}

/* Enough lines for several buffers, and a late line at the begin. */
static void many_points(struct paje_test *t, guint n)
{
	for (guint i = 1; i <= n; i++)
		point(t, i * 10, t->first, 0, i, 0, "text");
	begin(t, 0, t->pr, t->second, 0, 7, "late");
}

/* The file without the blanks at the ends of lines; counts the lines with some. (With sanitizers
 * strstr, and so g_strsplit, looks at the whole rest of the text each time.) */
static char *strip(const char *text, guint *out_n_filled)
{
	GString *stripped = g_string_new(NULL);
	const char *end;

	*out_n_filled = 0;
	for (; (end = strchr(text, '\n')); text = end + 1) {
		gsize len = (gsize)(end - text), kept = len;

		CU_ASSERT_TRUE(len <= 4094);
		while (kept && text[kept - 1] == ' ')
			kept--;
		*out_n_filled += kept < len;
		g_string_append_len(stripped, text, (gssize)kept);
		g_string_append_c(stripped, '\n');
	}
	return g_string_free(g_string_append(stripped, text), FALSE);
}

/* The lines of many_points and all later ones, as expected after the head. */
static void check_points(const char *text, guint n)
{
	g_autoptr(GString) expected = g_string_new("\n4 0.000000000 c2 b2 c1 \"quiet\"\n"
						   "13 0.000000000 s3 c3 v1 0x7 \"late\"\n");
	const char *found;

	for (guint i = 1; i <= n; i++)
		g_string_append_printf(expected, "14 0.%09u e4 c2 v3 %u 0 \"text\"\n", i * 10, i);
	found = strstr(text, expected->str);
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	CU_ASSERT_TRUE(g_str_has_prefix(found + expected->len, "5 0.00"));
}

UNIT_TEST(head_fills_the_room_in_front_of_the_lines)
{
	enum { N = 60000 };
	g_autofree char *text = NULL, *stripped = NULL;
	struct paje_test t;
	guint n_filled;

	setup(&t, NULL, "events");
	many_points(&t, N);
	text = result(&t);
	stripped = strip(text, &n_filled);
	CU_ASSERT_TRUE(n_filled > 40);
	CU_ASSERT_TRUE(g_str_has_prefix(stripped, FIXED));
	check_points(stripped, N);
	teardown(&t);
}

static gpointer read_pipe(gpointer path)
{
	char *text = NULL;

	CU_ASSERT_TRUE(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}

UNIT_TEST(pipe_gets_the_bytes_of_a_file)
{
	enum { N = 60000 };
	g_autofree char *dir = g_dir_make_tmp("paje-XXXXXX", NULL);
	g_autofree char *pipe = g_build_filename(dir, "pipe", NULL);
	g_autofree char *text = NULL, *piped = NULL;
	struct iot_summary summary = { .end_ns = ORIGIN + 5000, .to_ns = ORIGIN + 5000 };
	struct paje_test t;
	GThread *reader;

	setup(&t, NULL, "events");
	many_points(&t, N);
	text = result(&t);
	teardown(&t);
	CU_ASSERT_EQUAL_FATAL(mkfifo(pipe, 0600), 0);
	reader = g_thread_new("reader", read_pipe, pipe);
	setup(&t, pipe, "events");
	many_points(&t, N);
	iot_timeline_rank(t.tl);
	CU_ASSERT_TRUE(t.sink->ops->finish(t.sink, &summary, NULL));
	piped = g_thread_join(reader);
	CU_ASSERT_TRUE(piped && !strcmp(text, piped));
	teardown(&t);
	CU_ASSERT_EQUAL(rmdir(dir), 0);
}

UNIT_TEST(head_that_outgrew_its_room_moves_the_lines)
{
	enum { N = 60000, ROWS = 5000 };
	g_autofree char *text = NULL, *stripped = NULL;
	struct paje_test t;
	guint n_filled, n_rows = 0;

	setup(&t, NULL, "events");
	many_points(&t, N);
	for (guint i = 0; i < ROWS; i++) {
		g_autofree char *name = g_strdup_printf("row %u", i);

		point(&t, N * 10, new_row(&t, t.sub_type, t.space, name), 0, 1, 0, "");
	}
	text = result(&t);
	stripped = strip(text, &n_filled);
	CU_ASSERT_EQUAL(n_filled, 0);
	for (const char *p = text; (p = strchr(p, '"')); p++)
		n_rows += !strncmp(p, "\"row ", 5);
	CU_ASSERT_EQUAL(n_rows, ROWS);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "13 0.000000000 s3 c3 v1 0x7 \"late\"\n"
					    "14 0.000000010 e4 c2 v3 1 0 \"text\"\n"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "\n14 0.000600000 e4 c2 v3 60000 0 \"text\"\n14 0.000600000"));
	teardown(&t);
}

UNIT_TEST(full_disk_is_an_error)
{
	struct iot_summary summary = { .end_ns = ORIGIN };
	g_autoptr(GError) error = NULL;
	struct paje_test t;

	setup(&t, "/dev/full", NULL);
	begin(&t, 1, t.pr, t.first, 0, 1, "a");
	iot_timeline_rank(t.tl);
	CU_ASSERT_FALSE(t.sink->ops->finish(t.sink, &summary, &error));
	CU_ASSERT_TRUE(g_error_matches(error, IOT_ERROR, IOT_ERROR_OUTPUT));
	teardown(&t);
}
