/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "certain while" of [machine]: models that cannot be connected. */
#include "model-bench.h"

#define ROWS                                                                                       \
	"[container world]\nin = root\nid = {w}\nname = {w}\n"                                     \
	"[container thing]\nin = world\nid = {k}\nname = {k}\n"                                    \
	"[container node]\nin = thing\nid = {@node}\nname = {@node}\nrole = node\n"
#define VALUES                                                                                     \
	"[values lock]\non = node\nvalue read = red hold\nvalue write = red hold\n"                \
	"value doubt = red leaving\n[compatible mode]\nvalues = lock\nvalue read = read\nvalue write = none\n"
#define HEAD "[model]\nname = m\nsystem = sys\n" ROWS VALUES
#define OBJECT "[object o]\nkey = k\non = node\nnotice = see\n"
#define MACHINE "[machine x]\nof = o\nvalues = lock\nunknown = ?\nrule 1 = notice see go read\n"
/* the model of the locks */
#define LOCKS "[model]\nname = l\nsystem = sys\n" ROWS
#define LOCK_OBJECT "[object o]\nkey = k\non = node\nnotice = see\n"

UNIT_TEST(settings_that_are_wrong)
{
	check_load(HEAD OBJECT MACHINE "uncertain = doubt\n",
		   ":35:1: \"certain while = MODEL:OBJECT\" is missing");
	check_load(HEAD OBJECT MACHINE "certain while = l:o\n", ":30:1: [machine x]: \"uncertain = ...\" is missing");
	check_load(HEAD OBJECT MACHINE "certain while = lock\nuncertain = doubt\n",
		   ":35:17: \"lock\" is not MODEL:OBJECT");
	check_load(HEAD OBJECT MACHINE "certain while = l:o\nuncertain = read\n",
		   ":36:13: [values lock] has no value \"read\" with the role leaving");
	check_load(HEAD OBJECT "[pair c]\nof = o\nstart = a\nend = b\nkey = @pid\n" MACHINE
		   "certain while = l:o\nuncertain = doubt\n",
		   ":40:17: [object o] has calls or belongs to all recordings; this is for objects that have "
		   "notices only");
}

/* @locks: the text of another model; NULL: there is none. */
static void check_pair(const char *of, const char *locks, const char *missing, const char *expected)
{
	g_autofree char *text = g_strdup_printf(HEAD OBJECT MACHINE "certain while = %s\nuncertain = doubt\n", of);
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GPtrArray) models = g_ptr_array_new_with_free_func((GDestroyNotify)iot_model_free);
	g_autoptr(GError) error = NULL;
	g_autofree char *name = NULL;

	g_ptr_array_add(models, load(tl, schema, text, &error));
	if (locks)
		g_ptr_array_add(models, load(tl, schema, locks, &error));
	CU_ASSERT_PTR_NULL_FATAL(error);
	CU_ASSERT_EQUAL(iot_model_connect(models->pdata[0], models, &name, &error), !expected);
	CU_ASSERT(!g_strcmp0(name, missing));
	if (expected)
		CU_ASSERT(strstr(error->message, expected) != NULL);
}

UNIT_TEST(models_that_do_not_fit)
{
	check_pair("l:o", NULL, "l", NULL);
	check_pair("l:o", LOCKS VALUES LOCK_OBJECT MACHINE, NULL, NULL);
	check_pair("l:x", LOCKS VALUES LOCK_OBJECT MACHINE, NULL,
		   ":35:19: the model l has no [object x] with a [machine]");
	check_pair("l:o", LOCKS VALUES LOCK_OBJECT, NULL, ":35:19: the model l has no [object o] with a [machine]");
	check_pair("l:o", LOCKS VALUES LOCK_OBJECT "recordings = all\n" MACHINE, NULL,
		   ":35:17: l:o belongs to all recordings, or the holds of another object are certain while it is held");
	check_pair("l:o",
		   "[model]\nname = l\nsystem = sys\n[container node]\nin = root\nid = {@node}\nname = {@node}\n"
		   "role = node\n" VALUES LOCK_OBJECT MACHINE,
		   NULL, ":35:17: the two objects are not on rows of role node, below rows with the same names");
	check_pair("l:o",
		   LOCKS "[values lock]\non = node\nvalue shared = red hold\n[compatible mode]\nvalues = lock\n"
			 "value shared = shared\n" LOCK_OBJECT MACHINE,
		   NULL, ":35:17: no mode of l:o has the name of a mode of [object o] that excludes another one");
}
