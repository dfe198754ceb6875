/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CLOG2: values that come with events. The records are tested against a second reader
 * (tests/readers/clog2.sh). */
#include "unit.h"

#include <string.h>

#include "input/clog2/clog2-cargo.h"

static gboolean is(const char *format, const char *bytes, gsize len, const char *expected)
{
	g_autoptr(GString) out = g_string_new(NULL);
	guint8 data[IOT_CLOG2_CARGO_SIZE];
	gboolean same;

	memset(data, 'x', sizeof(data)); /* garbage */
	memcpy(data, bytes, len);
	iot_clog2_cargo(format, data, out);
	same = !strcmp(out->str, expected);
	if (!same)
		printf("got '%s', not '%s'\n", out->str, expected);
	return same;
}

#define IS(format, bytes, expected) CU_ASSERT(is(format, bytes, sizeof(bytes) - 1, expected))

UNIT_TEST(values_of_each_type)
{
	IS("", "", "");
	IS("no value", "", "no value");
	IS("%h", "\xff\xfe", "-2");
	IS("a=%d b=%d", "\0\0\1\0\xff\xff\xff\xff", "a=256 b=-1");
	IS("%l", "\0\0\0\xe8\xd4\xa5\x10\0", "1000000000000");
	IS("%x,%X", "\0\0\xab\xcd\x80\0\0\0\0\0\0\1", "0xabcd,0x8000000000000001");
	IS("%e", "\x3d\xcc\xcc\xcd", "0.1");
	IS("%E", "\x3f\xd5\x55\x55\x55\x55\x55\x55", "0.3333333333333333");
	IS("%E", "\x7f\xf0\0\0\0\0\0\0", "inf");
}

UNIT_TEST(texts_have_a_length)
{
	IS("%s", "\0\3abc", "abc");
	IS("<%s>", "\0\0", "<>");
	IS("%s/%h", "\0\4ab\0\0\0\7", "ab/7"); /* the NUL of C, and one more */
}

UNIT_TEST(what_is_not_whole_ends_the_text)
{
	IS("%l %l %l %l", "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\4",
	   "1 2 3 4");
	IS("%l %l %l %d %l", "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\4\0\0\0\5",
	   "1 2 3 4 ");
	IS("n=%s", "\0\x1f", "n=");
	IS("%d%q%d", "\0\0\0\1\0\0\0\2", "1");
	IS("5%", "", "5%");
}
