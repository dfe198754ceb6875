/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/colour.h"
#include "base/error.h"
#include "unit.h"

UNIT_TEST(colour_by_name_and_by_number)
{
	guint32 rgb = 1;

	CU_ASSERT(iot_colour_parse("#ff9f1c", &rgb, NULL) && rgb == 0xff9f1c);
	CU_ASSERT(iot_colour_parse("#FF9F1C", &rgb, NULL) && rgb == 0xff9f1c);
	CU_ASSERT(iot_colour_parse("#000000", &rgb, NULL) && rgb == 0);
	CU_ASSERT(iot_colour_parse("white", &rgb, NULL) && rgb == 0xffffff);
	CU_ASSERT(iot_colour_parse("black", &rgb, NULL) && rgb == 0);
	CU_ASSERT(iot_colour_parse("dark-red", &rgb, NULL));
	CU_ASSERT(rgb >> 16 > (rgb & 0xff) && rgb >> 16 > (rgb >> 8 & 0xff));
}

UNIT_TEST(colour_refuses)
{
	static const char *const texts[] = { "", "#", "#12345", "#1234567", "#12345g", "#-12345",
					     "Orange ", "mauve-ish", "ff9f1c" };

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;
		guint32 rgb = 5;

		CU_ASSERT_FALSE(iot_colour_parse(texts[i], &rgb, &error));
		CU_ASSERT_EQUAL(rgb, 5);
		CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_MODEL));
	}
}

UNIT_TEST(colour_auto_repeats_itself_late)
{
	for (guint i = 0; i < 12; i++)
		for (guint k = 0; k < i; k++)
			CU_ASSERT_NOT_EQUAL(iot_colour_auto(i), iot_colour_auto(k));
	for (guint i = 0; i < 1000; i++) {
		CU_ASSERT(iot_colour_auto(i) <= 0xffffff);
		CU_ASSERT_NOT_EQUAL(iot_colour_auto(i), 0);	/* black on black */
	}
	CU_ASSERT(iot_colour_auto(G_MAXUINT) <= 0xffffff);
}

UNIT_TEST(colour_on_terminals_with_256)
{
	CU_ASSERT_EQUAL(iot_colour_256(0x000000), 16);
	CU_ASSERT_EQUAL(iot_colour_256(0xffffff), 231);
	CU_ASSERT_EQUAL(iot_colour_256(0xff0000), 196);
	CU_ASSERT_EQUAL(iot_colour_256(0x5f87af), 67); /* 16 + 36 * 1 + 6 * 2 + 3 */
	CU_ASSERT_EQUAL(iot_colour_256(0x090807), 232);
	CU_ASSERT_EQUAL(iot_colour_256(0xeeeeee), 255);
}
