/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink-sample.h"
#include "sinks/short-lines.h"

/* The lines with bars between them. */
static char *joined(const struct iot_short_lines *lines)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < lines->lines->len; i++)
		g_string_append_printf(
			text, "%s%s", i ? "|" : "",
			((const struct iot_short_line *)lines->lines->pdata[i])->text);
	return g_string_free(text, FALSE);
}

static void expect_lines(const char *text, guint indent, guint most, guint width, const char *want)
{
	g_autoptr(iot_short_lines) lines = iot_short_lines_new(width);
	g_autofree char *got = NULL;

	iot_short_add(lines, IOT_PLAIN, text, indent, most);
	got = joined(lines);
	CU_ASSERT_STRING_EQUAL(got, want);
}

UNIT_TEST(short_lines_are_no_wider_than_the_limit)
{
	expect_lines("one two three", 0, 0, 20, "one two three");
	expect_lines("one two three", 0, 0, 9, "one two|  three");
	expect_lines("one two three", 2, 0, 9, "  one two|    three");
	expect_lines("/a/very/long/name of it", 0, 0, 10, "/a/very/lo|  ng/name|  of it");
	/* a wide character takes two columns */
	expect_lines("\344\270\255\344\270\255\344\270\255 a", 0, 0, 5,
		     "\344\270\255\344\270\255|  \344\270\255|  a");
	expect_lines("", 0, 0, 9, "");
	/* the name of a file may be anything */
	expect_lines("a\377\033b", 0, 0, 20, "a\\xff\\x1bb");
}

UNIT_TEST(a_number_stays_with_its_unit)
{
	expect_lines("took 54 %, a", 0, 0, 9, "took|  54 %, a");
	expect_lines("took 1.5 ms in b", 0, 0, 8, "took|  1.5 ms|  in b");
	expect_lines("on a s", 0, 0, 5, "on a|  s");
}

UNIT_TEST(more_lines_than_allowed_end_in_dots)
{
	/* half of a word, if it is the only one */
	expect_lines("one two three four", 0, 2, 9, "one two|  thr ...");
	expect_lines("one two three four five", 0, 2, 12, "one two|  three ...");
	expect_lines("one two three four", 0, 2, 12, "one two|  three four");
	expect_lines("one two three four", 0, 3, 9, "one two|  three|  four");
}

static void expect_sentence(const char *text, guint elements, guint most, guint width,
			    const char *want)
{
	g_autoptr(iot_short_lines) lines = iot_short_lines_new(width);
	g_autofree char *got = iot_short_sentence(lines, text, 0, elements, most);

	CU_ASSERT_STRING_EQUAL(got, want);
}

UNIT_TEST(sentences_lose_the_ends_of_their_lists)
{
	expect_sentence("a: 9 % locks (x (/f) 1 s, by (EX); y; z), 1 % else", 2, 1, 99,
			"a: 9 % locks (x (/f) 1 s, by (EX); y; 1 more), 1 % else");
	expect_sentence("a: 9 % locks (x (/f) 1 s, by (EX); y; z), 1 % else", 2, 1, 20,
			"a: 9 % locks (x (/f) 1 s, by (EX); 2 more), 1 % else");
	expect_sentence("a (asked for by b; x; y)", 2, 1, 99, "a (asked for by b; x; y)");
	expect_sentence("a (asked for by b; x; y)", 2, 1, 10, "a (x; y)");
	expect_sentence("a (asked for by b; x; y)", 2, 1, 7, "a (x; 1 more)");
	expect_sentence("a (asked for by b; x; y)", 2, 1, 20, "a (x; y)");
	expect_sentence("a (asked for by b)", 2, 1, 5, "a (asked for by b)");
	/* a name of a file without its other half */
	expect_sentence("a (b; c; d", 1, 1, 99, "a (b; c; d");
	expect_sentence("plain", 2, 1, 99, "plain");
}
