/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/progress.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

	check(&quarter, 2000000, " 25 %  1234567 events  617283/s  512 KiB/s  6 s left");
	check(&quarter, 0, " 25 %  1234567 events  0 s left");
	check(&quarter, 60000000, " 25 %  1234567 events  20576/s  17.1 KiB/s  3 min 00 s left");
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

/* The standard error between begin and end. */
static int capture_begin(FILE **out_file)
{
	int saved = dup(STDERR_FILENO);

	*out_file = tmpfile();
	fflush(stderr);
	dup2(fileno(*out_file), STDERR_FILENO);
	return saved;
}

static char *capture_end(int saved, FILE *file)
{
	char *text = g_malloc0(4096);

	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	(void)!fread(text, 1, 4095, file);
	fclose(file);
	return text;
}

UNIT_TEST(line_is_rewritten_and_gone_at_the_end)
{
	struct iot_progress progress = { .total_bytes = 100, .pass = 1, .n_passes = 1 };
	struct iot_progress_line line = { .start_us = g_get_monotonic_time() - 10000000 };
	g_autofree char *text = NULL;
	FILE *file;
	int saved = capture_begin(&file);

	progress.bytes = 50;
	iot_progress_draw(&progress, &line);
	progress.bytes = 100;
	iot_progress_draw(&progress, &line);
	iot_progress_draw(&progress, &line); /* outputs may print now: never again */
	iot_progress_clear(&line);
	text = capture_end(saved, file);
	CU_ASSERT(g_str_has_prefix(text, "\r 50 %  0 events"));
	CU_ASSERT(g_str_has_suffix(text, " s left\033[K\r\033[K"));
}

UNIT_TEST(short_runs_show_nothing)
{
	struct iot_progress progress = { .bytes = 1, .total_bytes = 100, .pass = 1, .n_passes = 1 };
	struct iot_progress_line line = { .start_us = g_get_monotonic_time() + 10000000 };
	g_autofree char *text = NULL;
	FILE *file;
	int saved = capture_begin(&file);

	iot_progress_draw(&progress, &line);
	iot_progress_clear(&line);
	text = capture_end(saved, file);
	CU_ASSERT_STRING_EQUAL(text, "");
}

UNIT_TEST(closing_line)
{
	g_autoptr(GPtrArray) outputs = g_ptr_array_new();
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "iotrace-closing", NULL);
	g_autofree char *wanted = g_strdup_printf("%s (5 B) written; 1 event analysed in 2.00 ms", path);
	g_autofree char *indexed =
		g_strdup_printf("%s; index for windows left in i (--index off: none)", wanted);
	struct iot_output out = { &iot_sink_text, (char *)"-", NULL };
	struct iot_output device = { &iot_sink_null, (char *)"/dev/null", NULL };
	struct iot_output file = { &iot_sink_text, path, NULL };
	char *text;

	g_ptr_array_add(outputs, &out);
	g_ptr_array_add(outputs, &device);
	CU_ASSERT_PTR_NULL(iot_progress_closing(outputs, 1, 2000, NULL));
	g_ptr_array_add(outputs, &file);
	CU_ASSERT_PTR_NULL(iot_progress_closing(outputs, 1, 2000, NULL)); /* it is not there */
	CU_ASSERT(g_file_set_contents(path, "12345", 5, NULL));
	text = iot_progress_closing(outputs, 1, 2000, NULL);
	CU_ASSERT_STRING_EQUAL(text, wanted);
	g_free(text);
	text = iot_progress_closing(outputs, 1, 2000, "i");
	CU_ASSERT_STRING_EQUAL(text, indexed);
	g_free(text);
	unlink(path);
}
