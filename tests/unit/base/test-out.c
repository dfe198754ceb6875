/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "base/out.h"
#include "unit.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A folder of its own for each test; it must be empty again at the end. */
static char *folder_new(void)
{
	GError *error = NULL;
	char *dir = g_dir_make_tmp("iotrace-unit-XXXXXX", &error);

	CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
	return dir;
}

static guint folder_count(const char *dir)
{
	g_autoptr(GDir) names = g_dir_open(dir, 0, NULL);
	guint n = 0;

	while (g_dir_read_name(names))
		n++;
	return n;
}

static void folder_free(char *dir)
{
	CU_ASSERT_EQUAL(folder_count(dir), 0);
	CU_ASSERT_EQUAL(g_rmdir(dir), 0);
	g_free(dir);
}

static void check_content(const char *path, const char *expected, gsize expected_len)
{
	g_autofree char *text = NULL;
	gsize len = 0;

	CU_ASSERT(g_file_get_contents(path, &text, &len, NULL));
	CU_ASSERT_EQUAL(len, expected_len);
	CU_ASSERT(text && len == expected_len && !memcmp(text, expected, len));
}

UNIT_TEST(out_appears_only_when_finished)
{
	char *dir = folder_new();
	g_autofree char *path = g_build_filename(dir, "result", NULL);
	struct iot_out *out = iot_out_open(path, NULL);
	struct stat st;
	mode_t mask = umask(0);

	umask(mask);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	iot_out_puts(out, "hello\n");
	iot_out_flush(out);
	CU_ASSERT_FALSE(g_file_test(path, G_FILE_TEST_EXISTS));
	CU_ASSERT(iot_out_finish(out, NULL));
	iot_out_free(out);
	check_content(path, "hello\n", 6);
	CU_ASSERT_EQUAL(folder_count(dir), 1);
	CU_ASSERT_EQUAL(stat(path, &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 0777, 0666 & ~mask);
	g_unlink(path);
	folder_free(dir);
}

UNIT_TEST(out_unfinished_leaves_the_old_result)
{
	char *dir = folder_new();
	g_autofree char *path = g_build_filename(dir, "result", NULL);
	struct iot_out *out;

	CU_ASSERT(g_file_set_contents(path, "old", 3, NULL));
	out = iot_out_open(path, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	iot_out_puts(out, "new, but the run fails");
	iot_out_flush(out);
	iot_out_free(out);
	check_content(path, "old", 3);
	CU_ASSERT_EQUAL(folder_count(dir), 1);
	out = iot_out_open(path, NULL);
	iot_out_puts(out, "newer");
	CU_ASSERT(iot_out_finish(out, NULL));
	iot_out_free(out);
	check_content(path, "newer", 5);
	CU_ASSERT_EQUAL(folder_count(dir), 1);
	g_unlink(path);
	folder_free(dir);
}

UNIT_TEST(out_failed_is_not_renamed)
{
	char *dir = folder_new();
	g_autofree char *path = g_build_filename(dir, "result", NULL);
	g_autoptr(GError) error = NULL;
	struct iot_out *out = iot_out_open(path, NULL);
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	CU_ASSERT_FATAL(out && full >= 0);
	CU_ASSERT_EQUAL(dup2(full, out->fd), out->fd);	/* the disk is full from now on */
	close(full);
	iot_out_puts(out, "lost");
	CU_ASSERT_FALSE(iot_out_finish(out, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_OUTPUT));
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, path));
	iot_out_free(out);
	folder_free(dir);
}

UNIT_TEST(out_full_device_is_an_error)
{
	g_autoptr(GError) error = NULL;
	struct iot_out *out = iot_out_open("/dev/full", NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	iot_out_puts(out, "x");
	CU_ASSERT_FALSE(iot_out_failed(out));	/* nothing was handed over yet */
	iot_out_flush(out);
	CU_ASSERT(iot_out_failed(out));
	iot_out_puts(out, "later writes are ignored");
	CU_ASSERT_FALSE(iot_out_finish(out, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_OUTPUT));
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, "/dev/full"));
	iot_out_free(out);
	CU_ASSERT(g_file_test("/dev/full", G_FILE_TEST_EXISTS));
	iot_out_free(NULL);
}

UNIT_TEST(out_device_is_written_directly)
{
	struct iot_out *out = iot_out_open("/dev/null", NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	iot_out_puts(out, "x");
	CU_ASSERT(iot_out_finish(out, NULL));
	iot_out_free(out);
	CU_ASSERT_FALSE(g_file_test("/dev/null", G_FILE_TEST_IS_REGULAR));
}

UNIT_TEST(out_follows_symbolic_links)
{
	char *dir = folder_new();
	g_autofree char *path = g_build_filename(dir, "result", NULL);
	g_autofree char *link_path = g_build_filename(dir, "link", NULL);
	struct iot_out *out;

	CU_ASSERT(g_file_set_contents(path, "old", 3, NULL));
	CU_ASSERT_EQUAL(symlink("result", link_path), 0);
	out = iot_out_open(link_path, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	iot_out_puts(out, "new");
	CU_ASSERT(iot_out_finish(out, NULL));
	iot_out_free(out);
	CU_ASSERT(g_file_test(link_path, G_FILE_TEST_IS_SYMLINK));
	check_content(path, "new", 3);
	g_unlink(path);
	g_unlink(link_path);
	folder_free(dir);
}

/*
 * /dev/stdout may lead to a regular file and must not be renamed over then. Tried with a link of its own, and in
 * a child, as standard output is changed.
 */
UNIT_TEST(out_link_to_stdout_is_standard_output)
{
	char *dir = folder_new();
	g_autofree char *path = g_build_filename(dir, "redirected", NULL);
	g_autofree char *link_path = g_build_filename(dir, "stdout", NULL);
	int status = -1;
	pid_t pid;

	CU_ASSERT(g_file_set_contents(path, "before ", 7, NULL));
	CU_ASSERT_EQUAL(symlink("/proc/self/fd/1", link_path), 0);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		int fd = open(path, O_WRONLY | O_APPEND);
		struct iot_out *out;

		if (dup2(fd, STDOUT_FILENO) < 0 || !(out = iot_out_open(link_path, NULL)))
			_exit(1);
		iot_out_puts(out, "after");
		_exit(iot_out_finish(out, NULL) ? 0 : 2);
	}
	CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
	CU_ASSERT_EQUAL(status, 0);
	CU_ASSERT(g_file_test(link_path, G_FILE_TEST_IS_SYMLINK));
	check_content(path, "before after", 12);
	g_unlink(path);
	g_unlink(link_path);
	folder_free(dir);
}

UNIT_TEST(out_open_errors_name_the_path)
{
	static const char *const paths[] = { "/nonexistent-folder/x", "/" };

	for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
		g_autoptr(GError) error = NULL;

		CU_ASSERT_PTR_NULL(iot_out_open(paths[i], &error));
		CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_OUTPUT));
		CU_ASSERT(error && strstr(error->message, paths[i]));
	}
}

UNIT_TEST(out_formats_numbers)
{
	char *dir = folder_new();
	g_autofree char *path = g_build_filename(dir, "numbers", NULL);
	struct iot_out *out = iot_out_open(path, NULL);
	static const char expected[] = "0 18446744073709551615 -9223372036854775808 7 -1 "
				       "0.000000000 0.000000001 12.345678901 18446744073.709551615 "
				       "x=5\n";

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	iot_out_uint(out, 0);
	iot_out_putc(out, ' ');
	iot_out_uint(out, G_MAXUINT64);
	iot_out_putc(out, ' ');
	iot_out_int(out, G_MININT64);
	iot_out_putc(out, ' ');
	iot_out_int(out, 7);
	iot_out_putc(out, ' ');
	iot_out_int(out, -1);
	iot_out_putc(out, ' ');
	iot_out_seconds(out, 0);
	iot_out_putc(out, ' ');
	iot_out_seconds(out, 1);
	iot_out_putc(out, ' ');
	iot_out_seconds(out, 12345678901);
	iot_out_putc(out, ' ');
	iot_out_seconds(out, G_MAXUINT64);
	iot_out_putc(out, ' ');
	iot_out_printf(out, "x=%d\n", 5);
	CU_ASSERT_EQUAL(iot_out_tell(out), strlen(expected));
	CU_ASSERT(iot_out_finish(out, NULL));
	iot_out_free(out);
	check_content(path, expected, strlen(expected));
	g_unlink(path);
	folder_free(dir);
}

static guint8 pattern(guint64 at)
{
	return (guint8)(at * 31 + (at >> 13));
}

/* Longer than any buffer, in pieces of odd sizes. */
static void write_pattern(struct iot_out *out, guint64 len)
{
	static guint8 piece[3000000];
	static const gsize sizes[] = { 1, 4095, 65537, 999983, 3000000 };
	guint64 at = 0;

	for (guint k = 0; at < len; k++) {
		gsize n = (gsize)MIN(sizes[k % G_N_ELEMENTS(sizes)], len - at);

		for (gsize i = 0; i < n; i++)
			piece[i] = pattern(at + i);
		iot_out_write(out, piece, n);
		at += n;
		CU_ASSERT_EQUAL(iot_out_tell(out), at);
	}
}

static void check_pattern(const guint8 *data, guint64 len)
{
	guint64 wrong = 0;

	for (guint64 i = 0; i < len; i++)
		wrong += data[i] != pattern(i);
	CU_ASSERT_EQUAL(wrong, 0);
}

UNIT_TEST(out_scratch_is_appended_and_patched)
{
	enum { LEN = 7 * 1000 * 1000 + 3 };
	char *dir = folder_new();
	g_autofree char *path = g_build_filename(dir, "result", NULL);
	struct iot_out *out = iot_out_open(path, NULL);
	struct iot_out *scratch = iot_out_open_scratch(path, IOT_OUT_BUFFER, NULL);
	g_autofree char *text = NULL;
	guint8 back[5];
	gsize len;

	CU_ASSERT_FATAL(out && scratch);
	CU_ASSERT_EQUAL(folder_count(dir), 1);	/* the scratch file has no name */
	CU_ASSERT(iot_out_is_seekable(out));
	iot_out_puts(out, "????head");
	write_pattern(scratch, LEN);
	CU_ASSERT(iot_out_read_at(scratch, LEN - 5, back, 5, NULL));
	CU_ASSERT_EQUAL(back[4], pattern(LEN - 1));
	CU_ASSERT_FALSE(iot_out_read_at(scratch, LEN - 4, back, 5, NULL));
	iot_out_append(out, scratch, 0);
	iot_out_puts(out, "tail");
	iot_out_patch(out, 0, "good", 4);
	CU_ASSERT_EQUAL(iot_out_tell(out), 8 + LEN + 4);
	CU_ASSERT(iot_out_finish(out, NULL));
	iot_out_free(out);
	iot_out_free(scratch);
	CU_ASSERT_FATAL(g_file_get_contents(path, &text, &len, NULL));
	CU_ASSERT_EQUAL_FATAL(len, 8 + LEN + 4);
	CU_ASSERT(!memcmp(text, "goodhead", 8));
	check_pattern((const guint8 *)text + 8, LEN);
	CU_ASSERT(!memcmp(text + 8 + LEN, "tail", 4));
	g_unlink(path);
	folder_free(dir);
}

UNIT_TEST(out_write_first_goes_in_front_of_the_buffer)
{
	char *dir = folder_new();
	g_autofree char *path = g_build_filename(dir, "result", NULL);
	struct iot_out *out = iot_out_open(path, NULL);
	struct iot_out *scratch = iot_out_open_scratch(path, IOT_OUT_BUFFER, NULL);

	CU_ASSERT_FATAL(out && scratch);
	iot_out_puts(scratch, "behind");
	iot_out_write_first(scratch, "front ", 6);
	CU_ASSERT_EQUAL(iot_out_tell(scratch), 12);
	iot_out_append(out, scratch, 0);
	iot_out_append(out, scratch, 9);
	CU_ASSERT(iot_out_finish(out, NULL));
	iot_out_free(out);
	iot_out_free(scratch);
	check_content(path, "front behindind", 15);
	g_unlink(path);
	folder_free(dir);
}

UNIT_TEST(out_append_reports_both_sides)
{
	g_autoptr(GError) error = NULL;
	struct iot_out *out = iot_out_open("/dev/full", NULL);
	struct iot_out *scratch = iot_out_open_scratch("/dev/full", IOT_OUT_BUFFER, NULL);

	CU_ASSERT_FATAL(out && scratch);
	iot_out_puts(scratch, "data");
	iot_out_puts(out, "head");
	iot_out_append(out, scratch, 0);
	CU_ASSERT_FALSE(iot_out_finish(out, &error));
	CU_ASSERT(error && strstr(error->message, "/dev/full"));
	CU_ASSERT_FALSE(iot_out_failed(scratch));
	iot_out_free(out);
	iot_out_free(scratch);
}
