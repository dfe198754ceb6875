/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [compatible] and the modes that calls ask for. */
#include "model-bench.h"

#define HEAD                                                                                      \
	"[model]\nname = m\nsystem = sys\n[container node]\nin = root\nid = {@node}\n"             \
	"name = {@node}\n[values lock]\non = node\nvalue read = red hold\n"	/* 10 */          \
	"value all write = red hold\nvalue WAIT = red wait\n"
#define MATRIX                                                                                    \
	"[compatible mode]\nvalues = lock\nvalue read = read\nvalue all write = none\n" /* 16 */
#define OBJECT                                                                                    \
	"[object o]\nkey = k\non = node\n[pair call]\nof = o\nstart = begin\nend = end\n"         \
	"key = @pid\ndone = done\nbegins = begins\n" /* 26 */
#define ALONE                                                                                     \
	"[pair call]\nstart = begin\nend = end\nkey = @pid\nasks = read\n"                        \
	"[state wait]\ncall = call\nvalues = lock\nvalue = WAIT\n"
#define REST                                                                                      \
	"[state wait]\ncall = call\nvalues = lock\nvalue = WAIT\n"                                \
	"[machine mode]\nof = o\nvalues = lock\nunknown = ?\n"                                    \
	"rule 1 = done call when mode == 3 go none\n"                                             \
	"rule 2 = done call go {mode:names mode}\n"

UNIT_TEST(matrices_that_are_wrong)
{
	static const struct {
		const char *lines, *message;
	} rows[] = {
		{ "value read = read\n", ":13:1: [compatible x]: \"values = ...\" is missing" },
		{ "values = look\n", ":14:10: there is no section [values look] above" },
		{ "values = lock\n",
		  ":13:1: [compatible x]: \"value NAME = NAME, ...\" is missing" },
		{ "values = lock\nvalue none = read\n",
		  ":15:1: [values lock] has no value \"none\" with the role hold" },
		{ "values = lock\nvalue WAIT = WAIT\n",
		  ":15:1: [values lock] has no value \"WAIT\" with the role hold" },
		{ "values = lock\nvalue read = read,  all write\n",
		  ":15:21: \"all write\" has no line \"value all write = ...\" in this section" },
		{ "values = lock\nvalue read = read,,\n",
		  ":15:19: \"\" has no line \"value  = ...\" in this section" },
		{ "values = lock\nvalue read = read, read\n", ":15:20: \"read\" stands twice" },
		{ "values = lock\nvalue read = read, all write\nvalue all write = none\n",
		  ":15:14: read is compatible with all write here, but not all write with read in "
		  "line 16" },
		{ "values = lock\nvalue read = read\n[compatible y]\nvalues = lock\n",
		  ":17:10: [values lock] has [compatible x] above" },
		{ "values = lock\nvalue read = read\ncolour = red\n",
		  ":16:1: [compatible] has no setting \"colour\" (it has values, value *, tries, "
		  "range, owner, queue, orders, orders not)" },
		{ "values = lock\nvalue read = read\nrange = a\n",
		  ":16:9: wants two attributes, of the first and the last unit" },
		{ "values = lock\nvalue read = read\nrange = a b\n",
		  ":16:9: [values lock] has no number \"a\" that is known when a state begins" },
		{ "values = lock\nvalue read = read\nowner = a\n",
		  ":16:9: [values lock] has no number \"a\" that is known when a state begins" },
		{ "values = lock\nvalue read = read\norders = a\n",
		  ":16:10: [values lock] has no number \"a\" that is known when a state begins" },
		{ "values = lock\nvalue read = read\norders not = a*\n",
		  ":16:1: needs a setting \"orders\"" },
		{ "values = lock\nvalue read = read\nqueue = yes\n",
		  ":16:9: only \"no\" is known here" },
	};

	check_load(HEAD MATRIX, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = g_strconcat(HEAD "[compatible x]\n", rows[i].lines, NULL);

		check_load(text, rows[i].message);
	}
}

UNIT_TEST(more_modes_than_fit)
{
	g_autoptr(GString) text = g_string_new(HEAD);
	g_autoptr(GString) lines = g_string_new("[compatible x]\nvalues = lock\n");

	for (guint i = 0; i < 64; i++) {
		g_string_append_printf(text, "value m%u = red hold\n", i);
		g_string_append_printf(lines, "value m%u = none\n", i);
	}
	g_string_append(text, lines->str);
	check_load(text->str, ":142:1: more than 63 values");
}

UNIT_TEST(requests_that_are_wrong)
{
	check_load(HEAD MATRIX "[names mode]\n1 = read\n" OBJECT "asks = {mode:names mode}\n" REST, NULL);
	check_load(HEAD "[names mode]\n1 = read\n" OBJECT "asks = {mode:names mode}\n" REST,
		   ":25:1: [values lock] needs a section [compatible ...] above, which "
		   "compares the modes that calls ask for");
	check_load(HEAD MATRIX OBJECT "may weaken = 1\n",
		   ":27:1: \"asks = MODE\" is missing, which may be weakened");
	check_load(HEAD MATRIX OBJECT "asks = none when\n" REST,
		   ":27:8: [compatible mode] has no line for \"none when\"");
	check_load(HEAD MATRIX OBJECT "asks = WAIT\n" REST,
		   ":27:8: [compatible mode] has no line for \"WAIT\"");
	check_load(HEAD MATRIX "[names mode]\n1 = read\n" OBJECT "asks = all write\n" REST, NULL);
	check_load(HEAD MATRIX OBJECT "asks = none when mode ==\n",
		   ":27:25: a value is missing at the end of the expression");
	check_load(HEAD MATRIX OBJECT "asks = {mode\n", ":27:8: '}' is missing");
	check_load(HEAD ALONE, ":17:1: [values lock] needs a section [compatible ...] above, which "
			       "compares the modes that calls ask for");
	check_load(HEAD MATRIX ALONE, NULL);
	check_load(HEAD MATRIX "[pair call]\nstart = begin\nend = end\nkey = @pid\nbegins = 1\n",
		   ":21:1: \"begins\" is for calls on an object (of = ...)");
	check_load(HEAD "[pair call]\nstart = begin\nend = end\nkey = @pid\nagain = maybe\n",
		   ":17:9: only \"ignore\" is known here");
	check_load(HEAD MATRIX OBJECT "again = ignore\n",
		   ":27:1: \"again\" is for calls without an object");
	check_load(HEAD "[object o]\nkey = k\non = node\n[pair call]\nof = o\nstart = begin\n"
			"end = end more\nkey = @pid\ndone = end\n",
		   ":21:8: the pair has several end events");
}

#define RANGED "[object o]\nkey = k\non = node\nnotice = told\n"
#define MODES  "[machine mode]\nof = o\nvalues = lock\nunknown = ?\n"

UNIT_TEST(ranges_that_are_wrong)
{
	check_load(HEAD MATRIX RANGED "range = a b\n" MODES,
		   ":24:10: [object o] has a range: a section [compatible ...] above must name its "
		   "attributes in [values lock]");
	check_load(HEAD MATRIX "[object o]\nkey = k\non = node\nrange = a\nnotice = told\n",
		   ":20:9: wants two expressions, of the first and the last unit");
	check_load(HEAD MATRIX RANGED "range = a b\nrecordings = all\n",
		   ":21:1: goes with none of \"recordings\", \"apart by\" and rows below threads");
	check_load(HEAD MATRIX RANGED "range = a b\n[pair call]\nof = o\nstart = begin\n"
				      "end = end\nkey = @pid\n",
		   ":23:6: [object o] has a range, and then calls have no object: they ask for a "
		   "mode of their own values");
	check_load("[model]\nname = m\nsystem = sys\n[container node]\nin = root\nid = 1\nname = 1\n"
		   "[values lock]\non = node\nattrs = a:uint b:uint\nvalue held = red hold\n"
		   "[compatible lock]\nvalues = lock\nrange = a b\nvalue held = none\n"
		   "[check twice]\nfinds = overlap\nsays = twice\nholds = lock\n",
		   ":19:9: [values lock] are locks on ranges, which no check compares");
	check_load(HEAD MATRIX "[object o]\nkey = a b c d e f g h i\non = node\nnotice = told\n",
		   ":18:23: more than 8 keys");
}

UNIT_TEST(spans_of_calls_say_what_is_asked_for)
{
	struct bench b;

	bench_start(&b, HEAD MATRIX "[names mode]\n1 = read\n2 = all write\n4 = other\n" OBJECT
				    "asks 1 = none when mode == 3\n"
				    "asks 2 = {mode:names mode} when mode != 5\n" REST);
	for (guint mode = 1; mode <= 5; mode++) {
		g_autofree char *begin = g_strdup_printf("k=%u mode=%u begins=1", mode, mode);
		g_autofree char *key = g_strdup_printf("k=%u", mode);

		event(&b, 0, 10 * mode, 1, "begin", begin);
		event(&b, 0, 10 * mode + 1, 1, "end", key);
		event(&b, 0, 10 * mode + 5, 1, "done", key);
	}
	/* none, values that are not compared, and calls that ask for nothing: no mode. None gives
	   the object up, so it is flagged leaving without a value of its own. */
	bench_finish(&b, 60,
		     "span n1 WAIT 10-15 0 asks read\n"
		     "span n1 WAIT 20-25 0 asks all write\n"
		     "span n1 WAIT 30-35 0 flags 1000\n"
		     "span n1 WAIT 40-45 0\n"
		     "span n1 WAIT 50-55 0\n"
		     "span n1 read 15-60 0 flags 1\n"
		     "span n1 all write 25-60 0 flags 1\n"
		     "span n1 other 45-60 0 flags 1\n"
		     "span n1 5 55-60 0 flags 1\n");
}
