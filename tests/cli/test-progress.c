/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "progress.h"
#include "unit.h"

static void check(const struct iot_progress *progress, gint64 elapsed_us, const char *wanted)
{
	g_autofree char *text = iot_progress_format(progress, elapsed_us);

	CU_ASSERT_STRING_EQUAL(text, wanted);
	if (g_strcmp0(text, wanted))
		g_printerr("\"%s\" instead of \"%s\"\n", text, wanted);
}

UNIT_TEST(one_pass)
{
	const struct iot_progress quarter = { .bytes = 1 << 20,
					      .total_bytes = 4 << 20,
					      .records = 1234567,
					      .pass = 1,
					      .n_passes = 1 };

	check(&quarter, 2000000, " 25 %  1 234 567 events  617 283/s  512 KiB/s  6 s left");
	check(&quarter, 0, " 25 %  1 234 567 events  0 s left");
	check(&quarter, 60000000, " 25 %  1 234 567 events  20 576/s  17.1 KiB/s  3 min 00 s left");
}

UNIT_TEST(second_of_two_passes)
{
	const struct iot_progress half = {
		.bytes = 100, .total_bytes = 200, .records = 10, .pass = 2, .n_passes = 2
	};

	check(&half, 3000000, " 75 %  10 events  3/s  33 B/s  pass 2 of 2  1 s left");
}

UNIT_TEST(nothing_known_yet)
{
	const struct iot_progress none = { .pass = 1, .n_passes = 1 };

	check(&none, 1000000, "  0 %  0 events  0/s  0 B/s");
}

UNIT_TEST(never_wider_than_a_terminal)
{
	const struct iot_progress much = { .bytes = G_MAXUINT64 / 2,
					   .total_bytes = G_MAXUINT64,
					   .records = G_MAXUINT64,
					   .pass = 1,
					   .n_passes = 2 };
	g_autofree char *text = iot_progress_format(&much, G_MAXINT64);

	CU_ASSERT(strlen(text) <= IOT_PROGRESS_WIDTH);
}
