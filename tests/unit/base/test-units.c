/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "base/units.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static void check_text(char *got, const char *expected)
{
	if (strcmp(got, expected))
		fprintf(stderr, "got \"%s\", expected \"%s\"\n", got, expected);
	CU_ASSERT_STRING_EQUAL(got, expected);
	g_free(got);
}

UNIT_TEST(parse_duration_units)
{
	static const struct {
		const char *text;
		guint64 ns;
	} rows[] = {
		{ "1.5ms", 1500000 },
		{ "20us", 20000 },
		{ "3s", 3000000000 },
		{ "7ns", 7 },
		{ "2min", 120000000000 },
		{ "1.5h", 5400000000000 },
		{ "2d", 172800000000000 },
		{ "2", 2000000000 },
		{ "0", 0 },
		{ "0.000000001", 1 },
		{ "1 ms", 1000000 },
		{ ".5s", 500000000 },
		/* times since boot, and since 1970, keep their last digit */
		{ "94312.676898123", 94312676898123 },
		{ "1700000000.123456789", 1700000000123456789 },
		{ "1700000000123456789ns", 1700000000123456789 },
		{ "0.1234567894", 123456789 },
		{ "0.0000000005", 1 },
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		guint64 ns = 99;
		gboolean ok = iot_parse_duration(rows[i].text, &ns, NULL);

		if (!ok || ns != rows[i].ns)
			fprintf(stderr, "\"%s\" gave %" G_GUINT64_FORMAT "\n", rows[i].text, ns);
		CU_ASSERT(ok);
		CU_ASSERT_EQUAL(ns, rows[i].ns);
	}
}

UNIT_TEST(parse_duration_refuses)
{
	static const char *const texts[] = { "",     "x",   "ms",   "-1s",    "1w",	 "1.5.5s", "nan",
					     "inf",  "1e30", "1s x", "10 000s", "0x10", "--1",  "1e3us", ".", "99999999999s", "99999999999999999999ns", 	    "1ss" };

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;
		guint64 ns = 99;
		gboolean ok = iot_parse_duration(texts[i], &ns, &error);

		if (ok)
			fprintf(stderr, "\"%s\" was accepted as %" G_GUINT64_FORMAT "\n", texts[i], ns);
		CU_ASSERT_FALSE(ok);
		CU_ASSERT_EQUAL(ns, 99);
		CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_USAGE));
	}
}

UNIT_TEST(parse_size_units)
{
	guint64 bytes = 0;

	CU_ASSERT(iot_parse_size("64K", &bytes, NULL) && bytes == 65536);
	CU_ASSERT(iot_parse_size("256M", &bytes, NULL) && bytes == 268435456);
	CU_ASSERT(iot_parse_size("1G", &bytes, NULL) && bytes == 1073741824);
	CU_ASSERT(iot_parse_size("1.5KiB", &bytes, NULL) && bytes == 1536);
	CU_ASSERT(iot_parse_size("12", &bytes, NULL) && bytes == 12);
	CU_ASSERT(iot_parse_size("4k", &bytes, NULL) && bytes == 4096);
	CU_ASSERT_FALSE(iot_parse_size("12T", &bytes, NULL));
	CU_ASSERT_FALSE(iot_parse_size("-1", &bytes, NULL));
	CU_ASSERT_FALSE(iot_parse_size("", &bytes, NULL));
	CU_ASSERT_FALSE(iot_parse_size("99999999999G", &bytes, NULL));
}

UNIT_TEST(format_duration_three_digits)
{
	check_text(iot_format_duration(0), "0 ns");
	check_text(iot_format_duration(999), "999 ns");
	check_text(iot_format_duration(1000), "1.00 us");
	check_text(iot_format_duration(1250000), "1.25 ms");
	check_text(iot_format_duration(12345), "12.3 us");
	check_text(iot_format_duration(123456), "123 us");
	check_text(iot_format_duration(999499), "999 us");
	check_text(iot_format_duration(999500), "1.00 ms");
	check_text(iot_format_duration(999999999), "1.00 s");
	check_text(iot_format_duration(9996000), "10.0 ms");
	check_text(iot_format_duration(99960000), "100 ms");
	check_text(iot_format_duration(3600000000000), "3600 s");
}

UNIT_TEST(format_seconds_is_exact)
{
	check_text(iot_format_seconds(12345678901), "12.345678901");
	check_text(iot_format_seconds(1), "0.000000001");
	check_text(iot_format_seconds(G_MAXUINT64), "18446744073.709551615");
}

UNIT_TEST(format_size_and_count)
{
	check_text(iot_format_size(0), "0 B");
	check_text(iot_format_size(1023), "1023 B");
	check_text(iot_format_size(1536), "1.50 KiB");
	check_text(iot_format_size(1048575), "1.00 MiB");
	check_text(iot_format_size(5368709120), "5.00 GiB");
	check_text(iot_format_count(0), "0");
	check_text(iot_format_count(999), "999");
	check_text(iot_format_count(1000), "1000");
	check_text(iot_format_count(1234567), "1234567");
}

UNIT_TEST(escape_bytes_prints_anything)
{
	check_text(iot_escape_bytes("plain", 5), "plain");
	check_text(iot_escape_bytes("", 0), "");
	check_text(iot_escape_bytes("a\\b", 3), "a\\\\b");
	check_text(iot_escape_bytes("a\0b\n\x7f", 5), "a\\x00b\\x0a\\x7f");
	check_text(iot_escape_bytes("\xc3\xa4", 2), "\xc3\xa4");
	check_text(iot_escape_bytes("\xc3", 1), "\\xc3");		/* cut */
	check_text(iot_escape_bytes("\xc0\x80", 2), "\\xc0\\x80");	/* overlong */
	check_text(iot_escape_bytes("\xed\xa0\x80", 3), "\\xed\\xa0\\x80"); /* surrogate */
	check_text(iot_escape_bytes("\xe2\x80\xae", 3), "\\xe2\\x80\\xae"); /* turns text around */
}

UNIT_TEST(printable_text_is_not_escaped_twice)
{
	check_text(iot_printable("a\\x01\xc3\xa4"), "a\\x01\xc3\xa4");
	check_text(iot_printable("a\\\n"), "a\\\\\\x0a");
	check_text(iot_printable("\x7f\xc3"), "\\x7f\\xc3");
}

UNIT_TEST(natural_compare_is_a_total_order)
{
	/* in ascending order; every pair is compared both ways */
	static const char *const order[] = {
		"",
		"0",
		"00",
		"01",
		"1",
		"2",
		"010",
		"10",
		"a",
		"a0",
		"a00",
		"a01",
		"a1",
		"a1b",
		"a2",
		"a10",
		"ab",
		"res2",
		"res10",
		"res99999999999999999998",
		"res99999999999999999999",
		"res100000000000000000000",
		"\xc3\xa4",
	};

	for (guint i = 0; i < G_N_ELEMENTS(order); i++) {
		for (guint k = 0; k < G_N_ELEMENTS(order); k++) {
			int diff = iot_natural_compare(order[i], order[k]);
			int sign = (diff > 0) - (diff < 0), expected = (i > k) - (i < k);

			if (sign != expected)
				fprintf(stderr, "\"%s\" \"%s\": %d\n", order[i], order[k], diff);
			CU_ASSERT_EQUAL(sign, expected);
		}
	}
}
