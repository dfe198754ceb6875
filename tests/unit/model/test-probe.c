/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [probe]: descriptions of events that iotrace-record makes; the system of such events. */
#include "input/schema.h"
#include "model-bench.h"

#define HEAD "[model]\nname = m\nsystem = probe\n"				      /* 3 */
#define GOOD "[probe opened]\nevent = s:exit\nafter = s:enter\nfield ret = ret s64\n" /* 7 */

UNIT_TEST(probe_that_is_good)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	struct iot_model *model =
		load(tl, schema, HEAD GOOD "field path = after.filename  ustring\n", &error);

	CU_ASSERT_PTR_NOT_NULL(model);
	/* nobody uses the event */
	CU_ASSERT_EQUAL(schema->events->len, 0);
	iot_model_free(model);
}

UNIT_TEST(probes_that_are_wrong)
{
	static const struct {
		const char *lines, *message;
	} rows[] = {
		{ "[probe x]\nfield a = a u8\n", ":4:1: [probe x]: \"event = ...\" is missing" },
		{ "[probe x]\nevent = exit\n", ":5:9: not SYSTEM:EVENT" },
		{ "[probe x]\nevent = s:exit\nafter = s:en ter\n", ":6:9: not SYSTEM:EVENT" },
		{ "[probe x]\nevent = s:exit\n",
		  ":4:1: [probe x]: \"field NAME = FIELD TYPE\" is missing" },
		{ "[probe x y]\nevent = s:exit\nfield a = a u8\n",
		  ":4:1: [probe x y]: a probe has a name of letters, digits and _, at most 31" },
		{ "[probe x]\nevent = s:exit\nfield a b = a u8\n",
		  ":6:1: \"a b\" is not the name of a field" },
		{ "[probe x]\nevent = s:exit\nfield a = after.a u8\n",
		  ":6:11: the section has no \"after\", whose field this is" },
		{ "[probe x]\nevent = s:exit\nfield a = $a u8\n",
		  ":6:11: \"$a\" is not the name of a field" },
		{ "[probe x]\nevent = s:exit\nfield a = a\n",
		  ":6:12: no type of the kernel (there are: u8 to u64, s8 to s64, x8 to x64, "
		  "string, ustring)" },
		{ "[probe x]\nevent = s:exit\nfield a = a char\n",
		  ":6:13: no type of the kernel (there are: u8 to u64, s8 to s64, x8 to x64, "
		  "string, ustring)" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = g_strconcat(HEAD, rows[i].lines, NULL);

		check_load(text, rows[i].message);
	}
}

UNIT_TEST(probe_system_has_a_number)
{
	CU_ASSERT_STRING_EQUAL(iot_schema_system("iotrace_1234"), "probe");
	CU_ASSERT_STRING_EQUAL(iot_schema_system("iotrace"), "iotrace");
	CU_ASSERT_STRING_EQUAL(iot_schema_system("iotrace_"), "iotrace_");
	CU_ASSERT_STRING_EQUAL(iot_schema_system("iotrace_12x"), "iotrace_12x");
	CU_ASSERT_STRING_EQUAL(iot_schema_system("dlm"), "dlm");
}
