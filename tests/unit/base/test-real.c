/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/real.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

UNIT_TEST(texts_of_real_numbers)
{
	static const struct {
		gdouble real;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ -0.0, "-0.0" },
		{ 0.1, "0.1" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 18, "18" },
		{ -1.5, "-1.5" },
		{ 8.9099998, "8.9099998" },
		{ 9007199254740993.0, "9007199254740992" },
		{ 1e23, "1e+23" },
		{ 5e-324, "5e-324" },
		{ 1.7976931348623157e308, "1.7976931348623157e+308" },
		{ 2.2250738585072014e-308, "2.2250738585072014e-308" },
	};
	char text[IOT_REAL_ROOM];

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		CU_ASSERT_STRING_EQUAL(iot_real_text(text, rows[i].real), rows[i].text);
}

/* The fewest digits: tried from one digit on. */
UNIT_TEST(texts_read_back_and_are_short)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(33);
	guint wrong = 0;

	for (guint i = 0; i < 200000; i++) {
		guint64 bits = (guint64)g_rand_int(rand) << 32 | g_rand_int(rand);
		gdouble real = i % 2 ? iot_real_of(bits) : (gdouble)(bits % 100000000) / 1000;
		char text[IOT_REAL_ROOM], shortest[64], plain[64];
		guint digits = 1;

		if (!isfinite(real) || real == 0)
			continue;
		do
			g_snprintf(shortest, sizeof(shortest), "%.*g", digits, real);
		while (strtod(shortest, NULL) != real && digits++ < 17);
		/* 100000 has one digit, but is not written as 1e+05 */
		g_snprintf(plain, sizeof(plain), "%.15g", real);
		iot_real_text(text, real);
		wrong += strtod(text, NULL) != real ||
			 (strcmp(text, shortest) && (digits > 15 || strcmp(text, plain)));
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

UNIT_TEST(words_that_are_real_numbers)
{
	static const struct {
		const char *text;
		gdouble real;
	} rows[] = {
		{ "0.59", 0.59 }, { "1e3", 1000 },   { "-1.5E-2", -0.015 }, { ".25", 0.25 },
		{ "7.", 7 },	  { "+2.5e+1", 25 }, { "1e400", INFINITY },
	};
	static const char *const others[] = { "",      "18",   "-",	".",	"1e",
					      "e3",    "1e+",  "0x1p3", "nan",	"inf",
					      "1.2.3", "1.5a", "1 .5",	"--1.0" };
	gdouble real = 0;

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		CU_ASSERT_TRUE(iot_real_parse(rows[i].text, strlen(rows[i].text), &real));
		CU_ASSERT_EQUAL(real, rows[i].real);
	}
	for (guint i = 0; i < G_N_ELEMENTS(others); i++)
		CU_ASSERT_FALSE(iot_real_parse(others[i], strlen(others[i]), &real));
	/* only the first @len characters are read */
	CU_ASSERT_TRUE(iot_real_parse("0.599", 4, &real));
	CU_ASSERT_EQUAL(real, 0.59);
}
