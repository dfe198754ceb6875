/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The print formats are those of kernels, written by hand from include/trace/events/sched.h and
 * include/linux/sched.h of each version, with the values of the macros. The expected texts follow
 * from the masks and letters there.
 */
#include "input/print-format.h"
#include "unit.h"

#include <string.h>

#define HEAD                                                                                   \
	"print fmt: \"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s " \
	"next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "
#define TAIL ", REC->next_comm, REC->next_pid, REC->next_prio\n"
#define OLD "{ 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, { 32, \"X\" }, { 64, \"x\" }, "
#define OLD_STATE(max, more)                                                             \
	HEAD "REC->prev_state & (" max "-1) ? __print_flags(REC->prev_state & (" max "-1), \"|\", " OLD more \
	     ") : \"R\", REC->prev_state & " max " ? \"+\" : \"\"" TAIL
#define REPORT "((((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1)"
#define REPORT_8                                                                                      \
	"((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | " \
	"0x00000040) + 1) << 1)"
#define NEW_STATE(report, letters, plus)                                                   \
	HEAD "(REC->prev_state & " report " - 1)) ? __print_flags(REC->prev_state & " report " - 1), \"|\", " \
	     letters ") : \"R\", REC->prev_state & " plus " ? \"+\" : \"\"" TAIL

static const char linux_3_10[] = OLD_STATE("1024", "{ 128, \"W\" }");
static const char linux_4_13[] = OLD_STATE(
	"4096", "{ 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" }, { 1024, \"N\" }");
#define LETTERS_2                                                                                  \
	"{ 0x01, \"S\" }, { 0x02, \"D\" }, { 0x04, \"T\" }, { 0x08, \"t\" }, { 0x10, \"X\" }, { 0x20, " \
	"\"Z\" }, { 0x40, \"P\" }, { 0x80, \"I\" }"
#define LETTERS_4                                                                                    \
	"{ 0x0001, \"S\" }, { 0x0002, \"D\" }, { 0x0004, \"T\" }, { 0x0008, \"t\" }, { 0x0010, \"X\" }, " \
	"{ 0x0020, \"Z\" }, { 0x0040, \"P\" }, { 0x0080, \"I\" }"
#define LETTERS_8                                                                               \
	"{ 0x00000001, \"S\" }, { 0x00000002, \"D\" }, { 0x00000004, \"T\" }, { 0x00000008, \"t\" }, " \
	"{ 0x00000010, \"X\" }, { 0x00000020, \"Z\" }, { 0x00000040, \"P\" }, { 0x00000080, \"I\" }"
static const char linux_4_14[] = NEW_STATE(REPORT, LETTERS_2, "0x1000");
static const char linux_4_18[] = NEW_STATE(REPORT, LETTERS_2, REPORT ")");
static const char linux_5_14[] = NEW_STATE(REPORT, LETTERS_4, REPORT ")");
static const char linux_6_1[] = NEW_STATE(REPORT_8, LETTERS_8, REPORT_8 ")");

static void check(const char *format, gint64 value, const char *expected)
{
	struct iot_numbers *numbers = iot_numbers_new(0);
	struct iot_print *print = iot_print_new(format, strlen(format), "prev_state", numbers);
	g_autofree char *text = iot_print_text(print, value);

	CU_ASSERT_TRUE(iot_print_is_known(print));
	CU_ASSERT_STRING_EQUAL(text, expected);
	iot_print_free(print);
	iot_numbers_unref(numbers);
}

UNIT_TEST(states_of_threads_before_4_14)
{
	check(linux_3_10, 0, "R");
	check(linux_3_10, 1, "S");
	check(linux_3_10, 64, "x");
	check(linux_3_10, 16 + 64, "Z|x");
	check(linux_3_10, 1024, "R+");
	check(linux_3_10, 1024 + 1, "S+");
	check(linux_3_10, 2 + 128, "D|W");
	check(linux_3_10, 512, "0x200");
	check(linux_4_13, 64, "x");
	check(linux_4_13, 4096, "R+");
	check(linux_4_13, 2 + 128, "D|K");
	check(linux_4_13, 512, "P");
	check(linux_4_13, 2 + 1024, "D|N");
}

UNIT_TEST(states_of_threads_from_4_14_on)
{
	static const char *const formats[] = { linux_4_14, linux_4_18, linux_5_14, linux_6_1 };

	for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
		check(formats[i], 0, "R");
		check(formats[i], 1, "S");
		check(formats[i], 2, "D");
		check(formats[i], 0x10, "X");
		check(formats[i], 0x20, "Z");
		check(formats[i], 0x40, "P");
		check(formats[i], 0x80, "I");
		check(formats[i], i ? 0x100 : 0x1000, "R+");
	}
}

UNIT_TEST(numbers_of_texts)
{
	struct iot_numbers *numbers = iot_numbers_new(0x1000);
	struct iot_print *print;

	CU_ASSERT_TRUE(iot_numbers_set(numbers, "R", 0));
	CU_ASSERT_TRUE(iot_numbers_set(numbers, "D", 2));
	CU_ASSERT_TRUE(iot_numbers_set(numbers, "x", 0x10));
	CU_ASSERT_TRUE(iot_numbers_set(numbers, "+", 0x100));
	CU_ASSERT_FALSE(iot_numbers_set(numbers, "+", 0x100));
	print = iot_print_new(linux_4_13, strlen(linux_4_13), "prev_state", numbers);
	/* twice: the second one may be remembered */
	for (guint i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(iot_print_number(print, 0), 0);
		CU_ASSERT_EQUAL(iot_print_number(print, 2), 2);
		CU_ASSERT_EQUAL(iot_print_number(print, 64), 0x10);
		CU_ASSERT_EQUAL(iot_print_number(print, 4096), 0x100);
		CU_ASSERT_EQUAL(iot_print_number(print, 2 + 256), 0x1002); /* W */
		CU_ASSERT_EQUAL(iot_print_number(print, -1), 0x1112);	   /* all */
	}
	iot_print_free(print);
	iot_numbers_unref(numbers);
}

static void check_unknown(const char *format, const char *field)
{
	struct iot_numbers *numbers = iot_numbers_new(7);
	struct iot_print *print = iot_print_new(format, strlen(format), field, numbers);

	CU_ASSERT_FALSE(iot_print_is_known(print));
	CU_ASSERT_EQUAL(iot_print_number(print, 0), 7);
	CU_ASSERT_EQUAL(iot_print_number(print, 1), 7);
	iot_print_free(print);
	iot_numbers_unref(numbers);
}

UNIT_TEST(formats_that_do_not_say_it)
{
	check_unknown("", "v");
	check_unknown("print fmt: \"%d\", REC->v\n", "v");
	check_unknown("print fmt: \"%s\", __no_such_helper(REC->v, ((\n", "v");
	check_unknown("print fmt: \"%s\", REC->v ? \"a\" : REC->w\n", "v");
	check_unknown("print fmt: \"%s\", REC->v + REC->w ? \"a\" : \"b\"\n", "v");
	check_unknown("print fmt: \"%s\", __print_flags(REC->v, \"|\", { 1, \"S\" }\n", "v");
	check_unknown("print fmt: \"%s\", __print_flags(REC->v, \"|\", { REC->v, \"S\" })\n", "v");
	check_unknown("print fmt: \"%s\", REC->v ? \"unfinished\n", "v");
	check_unknown("print fmt: \"%s\", REC->vv ? \"a\" : \"b\"\n", "v");
	check_unknown("print fmt: \"%s %s\", REC->v ? \"a\" : \"b\", __other(REC->v)\n", "v");
}

UNIT_TEST(formats_of_other_fields)
{
	struct iot_numbers *numbers = iot_numbers_new(0);
	static const char format[] =
		"print fmt: \"a, \\\"%s\\\" %d\", __print_symbolic(REC->kind, { 1 << 2, \"four\" }, { (2+3)*2UL, "
		"\"te\" \"n\" }), REC->kind, __get_str(name), (REC->ok == 0 && !REC->ok) ? \"bad, \" : \"\"";
	struct iot_print *kind = iot_print_new(format, strlen(format), "kind", numbers);
	struct iot_print *ok = iot_print_new(format, strlen(format), "ok", numbers);
	g_autofree char *four = iot_print_text(kind, 4), *ten = iot_print_text(kind, 10);
	g_autofree char *other = iot_print_text(kind, 5), *bad = iot_print_text(ok, 0);
	g_autofree char *good = iot_print_text(ok, 1);

	CU_ASSERT_STRING_EQUAL(four, "four");
	CU_ASSERT_STRING_EQUAL(ten, "ten");
	CU_ASSERT_STRING_EQUAL(other, "0x5");
	CU_ASSERT_STRING_EQUAL(bad, "bad, ");
	CU_ASSERT_STRING_EQUAL(good, "");
	iot_print_free(kind);
	iot_print_free(ok);
	iot_numbers_unref(numbers);
}

UNIT_TEST(nested_too_deeply)
{
	g_autoptr(GString) format = g_string_new("print fmt: \"%s\", ");

	for (guint i = 0; i < 100000; i++)
		g_string_append(format, i % 2 ? "!" : "(");
	g_string_append(format, "REC->v");
	check_unknown(format->str, "v");
}
