/* SPDX-License-Identifier: GPL-2.0-or-later */
/* printf is the judge. */
#include "base/digits.h"
#include "unit.h"

#include <string.h>

static void check(guint64 value)
{
	char expected[32], text[IOT_DIGITS_ROOM + 1];

	memset(text, '#', sizeof(text));
	*iot_digits(text, value) = '\0';
	g_snprintf(expected, sizeof(expected), "%" G_GUINT64_FORMAT, value);
	CU_ASSERT_STRING_EQUAL(text, expected);
	CU_ASSERT_EQUAL(text[IOT_DIGITS_ROOM], '#');
	*iot_digits_seconds(text, value) = '\0';
	g_snprintf(expected, sizeof(expected), "%" G_GUINT64_FORMAT ".%09u", value / 1000000000,
		   (guint)(value % 1000000000));
	CU_ASSERT_STRING_EQUAL(text, expected);
	CU_ASSERT_EQUAL(text[IOT_DIGITS_ROOM], '#');
}

UNIT_TEST(digits_of_every_length)
{
	guint64 power = 1;

	for (guint digits = 1; digits <= 20; digits++, power *= 10)
		for (guint64 factor = 1; factor < 10; factor++)
			for (guint64 i = 0; i < 3; i++)
				check(factor * power + i - 1);
	for (guint bit = 0; bit < 64; bit++)
		for (guint64 i = 0; i < 3; i++)
			check(((guint64)1 << bit) + i - 1);
	check(G_MAXUINT64);
}

UNIT_TEST(digits_of_many_numbers)
{
	for (guint64 value = 0; value < 20000; value++)
		check(value);
	for (guint64 i = 0; i < 100000; i++)
		check(i * 0x9e3779b97f4a7c15 >> i % 64);
}
