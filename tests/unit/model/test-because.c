/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [because]: reasons of the time of threads. */
#include "model-bench.h"

#define HEAD                                                                           \
	"[model]\nname = m\nsystem = sys\n[container node]\nin = root\nid = {@node}\n" \
	"name = {@node}\n[values lock]\non = node\nattrs = who:int pid:int\n" /* 10 */ \
	"value WAIT = red wait\nvalue held = red hold\n[because x]\n"	      /* 13 */

UNIT_TEST(reasons_are_facts_of_categories)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	struct iot_model *model =
		load(tl, schema, HEAD "values = lock\nthread = pid\nvalue WAIT = lock\n", &error);

	CU_ASSERT_PTR_NOT_NULL_FATAL(model);
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++) {
		gboolean waits = iot_cat_at(tl, cat)->role == IOT_ROLE_WAIT;

		CU_ASSERT_EQUAL(iot_cat_reason(tl, cat), waits ? IOT_REASON_LOCK : IOT_REASON_NONE);
		if (waits)
			CU_ASSERT_EQUAL(iot_type_at(tl, iot_cat_at(tl, cat)->type)->thread, 2);
	}
	iot_model_free(model);
}

UNIT_TEST(reasons_that_are_wrong)
{
	static const struct {
		const char *lines, *message;
	} rows[] = {
		{ "thread = pid\n", ":13:1: [because x]: \"values = ...\" is missing" },
		{ "values = look\n", ":14:10: there is no section [values look] above" },
		{ "values = lock\n", ":13:1: [because x]: \"thread = ...\" is missing" },
		{ "values = lock\nthread = tid\n",
		  ":15:10: neither an attribute of the values nor \"row\"" },
		{ "values = lock\nthread = row\n",
		  ":13:1: [because x]: \"value NAME = REASON\" is missing" },
		{ "values = lock\nthread = pid\nvalue WHAT = lock\n",
		  ":16:1: [values lock] has no value \"WHAT\"" },
		{ "values = lock\nthread = pid\nvalue WAIT = luck\n",
		  ":16:14: no such reason (there are: lock, device, host, runnable, own work, "
		  "asleep)" },
		{ "values = lock\nthread = pid\nwoken = who\nvalue WAIT = lock\n",
		  ":16:9: the values have no attribute \"who\" that is a text and known at the "
		  "begin" },
		{ "values = lock\nthread = pid\nthrough = lkb\nvalue WAIT = lock\n",
		  ":16:11: \"lkb\" is not MODEL:OBJECT" },
		{ "values = lock\nthread = pid\nthrough = l:\nvalue WAIT = lock\n",
		  ":16:11: \"l:\" is not MODEL:OBJECT" },
		{ "values = lock\nthread = pid\nthrough = l:o\nvalue WAIT = lock\n",
		  ":16:11: [values lock] is not on rows of role node below other rows" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = g_strconcat(HEAD, rows[i].lines, NULL);

		check_load(text, rows[i].message);
	}
}

UNIT_TEST(sleeps_are_no_reasons)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	struct iot_model *model =
		load(tl, schema, HEAD "values = lock\nthread = pid\nvalue held = asleep\n", &error);

	CU_ASSERT_PTR_NOT_NULL_FATAL(model);
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++) {
		CU_ASSERT_EQUAL(iot_cat_at(tl, cat)->sleeps,
				iot_cat_at(tl, cat)->role == IOT_ROLE_HOLD);
		CU_ASSERT_EQUAL(iot_cat_reason(tl, cat), IOT_REASON_NONE);
	}
	iot_model_free(model);
}

#define ROWS                                                    \
	"[container world]\nin = root\nid = {w}\nname = {w}\n"  \
	"[container thing]\nin = world\nid = {k}\nname = {k}\n" \
	"[container node]\nin = thing\nid = {@node}\nname = {@node}\nrole = node\n" /* 13 */
#define THROUGH                                                          \
	"[values queue]\non = node\nattrs = pid:int\nvalue WAIT = red\n" \
	"[because x]\nvalues = queue\nthread = pid\nvalue WAIT = lock\nthrough = l:o\n" /* 26 */
#define LOCKS                                               \
	"[values lock]\non = node\nvalue held = red hold\n" \
	"[object o]\nkey = k\non = node\nnotice = see\n"
#define MACHINE "[machine x]\nof = o\nvalues = lock\nunknown = ?\nrule 1 = notice see go held\n"
/* the rows of the locks */
#define LOCK_ROWS                                              \
	"[container space]\nin = root\nid = {w}\nname = {w}\n" \
	"[container lock]\nin = space\nid = {k}\nname = {k}\n" \
	"[container node]\nin = lock\nid = {@node}\nname = {@node}\nrole = node\n"
#define ROOT_ROWS "[container node]\nin = root\nid = {@node}\nname = {@node}\nrole = node\n"

/* @locks: the text of another model; NULL: there is none. */
static void check_through(const char *locks, const char *missing, const char *expected)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GPtrArray) models =
		g_ptr_array_new_with_free_func((GDestroyNotify)iot_model_free);
	g_autoptr(GError) error = NULL;
	g_autofree char *name = NULL;
	guint n_twins = 0;

	g_ptr_array_add(models,
			load(tl, schema, "[model]\nname = m\nsystem = sys\n" ROWS THROUGH, &error));
	CU_ASSERT_PTR_NULL_FATAL(error);
	if (locks)
		g_ptr_array_add(models, load(tl, schema, locks, &error));
	CU_ASSERT_PTR_NULL_FATAL(error);
	CU_ASSERT_EQUAL(iot_model_connect(models->pdata[0], models, &name, &error), !expected);
	CU_ASSERT(!g_strcmp0(name, missing));
	if (expected)
		CU_ASSERT_PTR_NOT_NULL(strstr(error->message, expected));
	for (iot_type_id type = 1; type < tl->types.n; type++)
		n_twins += iot_type_at(tl, type)->twin != 0;
	CU_ASSERT_EQUAL(n_twins, locks && !expected ? 2 : 0);
}

UNIT_TEST(locks_by_way_of_which_a_thread_waits)
{
	const char *const head = "[model]\nname = l\nsystem = sys\n";
	g_autofree char *fits = g_strconcat(head, LOCK_ROWS, LOCKS, MACHINE, NULL);
	g_autofree char *no_machine = g_strconcat(head, LOCK_ROWS, LOCKS, NULL);
	g_autofree char *same_rows = g_strconcat(head, ROWS, LOCKS, MACHINE, NULL);
	g_autofree char *root_rows = g_strconcat(head, ROOT_ROWS, LOCKS, MACHINE, NULL);

	check_through(NULL, "l", NULL);
	check_through(fits, NULL, NULL);
	check_through(no_machine, NULL, ":25:13: the model l has no [object o] with a [machine]");
	check_through(
		same_rows, NULL,
		":25:11: l:o is not on other rows of role node, below rows with the same names");
	check_through(
		root_rows, NULL,
		":25:11: l:o is not on other rows of role node, below rows with the same names");
}

UNIT_TEST(rows_that_are_or_are_about_a_thing)
{
	static const struct {
		const char *rows, *message; /* NULL: right */
	} cases[] = {
		{ ROWS "is = file {k}\n", NULL },
		{ ROWS "about = file {k}\n", NULL },
		{ ROWS "is = {k}\nabout = {k}\n",
		  ":18:1: a row is a thing, or is about a thing; not both" },
		{ "[container node]\nin = root\nid = {k}\nname = {k}\nrole = node\nabout = {k}\n",
		  ":9:1: only for rows of role node below other rows: the row above is the thing, "
		  "or is "
		  "about the thing" },
		{ "[container a]\nin = root\nid = {k}\nname = {k}\n"
		  "[container b]\nin = a\nid = {k}\nname = {k}\nis = {k}\n",
		  ":12:1: only for rows of role node below other rows: the row above is the thing, "
		  "or is "
		  "about the thing" },
		{ ROWS "is = file {k\n", ":17:11: '}' is missing" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(iot_timeline) tl = iot_timeline_new();
		g_autoptr(iot_schema) schema = iot_schema_new();
		g_autoptr(GError) error = NULL;
		g_autofree char *text =
			g_strconcat("[model]\nname = m\nsystem = sys\n", cases[i].rows,
				    "[points p]\non = node\n[point x]\nevent = e\npoints = p\n"
				    "value = x\n",
				    NULL);
		struct iot_model *model;

		model = load(tl, schema, text, &error);
		CU_ASSERT_EQUAL(model != NULL, cases[i].message == NULL);
		if (cases[i].message)
			check_message(error, cases[i].message);
		iot_model_free(model);
	}
}
