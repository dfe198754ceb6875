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
		  ":16:14: no such reason (there are: lock, device, host, runnable, own work)" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = g_strconcat(HEAD, rows[i].lines, NULL);

		check_load(text, rows[i].message);
	}
}
