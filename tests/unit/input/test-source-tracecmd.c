/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader on libtracecmd: files that it refuses before the library sees them. Its records are compared with those
 * of our own reader, for all recordings, by tests/readers/source-compare.c.
 */
#include "base/error.h"
#include "input/source.h"
#include "unit.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define SYNTHETIC IOT_SOURCE_DIR "/tests/data/synthetic/"

static char *load(const char *path, gsize *len)
{
	char *data = NULL;

	CU_ASSERT_FATAL(g_file_get_contents(path, &data, len, NULL));
	return data;
}

/* Open bytes as a file with the named reader; the file is gone afterwards. */
static struct iot_source *open_bytes(const char *data, gsize len, GError **error)
{
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("iotrace-unit-XXXXXX.dat", &path, NULL);
	struct iot_input_spec spec = { 0 };
	struct iot_source *src;

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_FATAL(write(fd, data, len) == (gssize)len);
	close(fd);
	spec.path = path;
	src = iot_source_open("libtracecmd", &spec, error);
	g_unlink(path);
	return src;
}

static void check_refused(const char *data, gsize len)
{
	g_autoptr(GError) error = NULL;
	struct iot_source *src = open_bytes(data, len, &error);

	CU_ASSERT_PTR_NULL(src);
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_INPUT));
	CU_ASSERT(error && strstr(error->message, "libtracecmd crashes on damaged files"));
	CU_ASSERT(error && strstr(error->message, "iotrace-unit-"));
	if (src)
		src->ops->close(src);
}

UNIT_TEST(tracecmd_is_chosen_on_request_only)
{
	static const guint8 head[] = "\x17\x08\x44tracing7";
	static const guint8 text[] = "iotrace-text 1\n";

	CU_ASSERT(iot_source_tracecmd.probe("x", head, sizeof(head)) > 0);
	CU_ASSERT(iot_source_tracecmd.probe("x", head, sizeof(head)) <
		  iot_source_dat.probe("x", head, sizeof(head)));
	CU_ASSERT_EQUAL(iot_source_tracecmd.probe("x", text, sizeof(text)), 0);
	CU_ASSERT_STRING_EQUAL(iot_source_tracecmd.name, "libtracecmd");
	CU_ASSERT_FALSE(iot_source_tracecmd.runs_independent);
	iot_source_tracecmd.close(NULL);
}

UNIT_TEST(tracecmd_whole_file_is_read)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	struct iot_input_spec spec = { .path = SYNTHETIC "u_back.dat" };
	struct iot_source *src = iot_source_open("libtracecmd", &spec, &error);
	struct iot_batch *batch = iot_batch_new(4096, NULL);
	struct iot_input_info info;

	CU_ASSERT_FATAL(src && batch);
	CU_ASSERT_FATAL(src->ops->bind(src, schema, &error));
	CU_ASSERT_EQUAL(src->ops->n_runs(src), 2);
	for (guint run = 0; run < 2; run++)	/* nothing is wanted, everything is counted */
		CU_ASSERT_EQUAL(src->ops->read(src, run, batch, &error), IOT_NEXT_END);
	src->ops->describe(src, &info);
	CU_ASSERT_EQUAL(info.n_events, 5);
	CU_ASSERT_EQUAL(info.first_ns, 1000);
	CU_ASSERT_EQUAL(info.last_ns, 6000);
	CU_ASSERT_STRING_EQUAL(info.reader, "libtracecmd");
	CU_ASSERT_EQUAL(src->ops->progress(src), info.bytes);
	iot_batch_free(batch);
	src->ops->close(src);
}

/* Every one of these ends the process with SIGSEGV when the library opens it. */
UNIT_TEST(tracecmd_cut_file_is_refused)
{
	gsize len;
	g_autofree char *data = load(SYNTHETIC "syn_v6_none_le64.dat", &len);

	check_refused(data, len / 2);
	check_refused(data, len - 5000);
}

UNIT_TEST(tracecmd_damaged_page_is_refused)
{
	gsize len;
	g_autofree char *data = load(SYNTHETIC "syn_v7_none_le64.dat", &len);

	/* the number of valid bytes in the head of the first page, which begins at the second 4 KiB */
	memcpy(data + 4096 + 8, "\xff\xff\xff\x07", 4);
	check_refused(data, len);
}

UNIT_TEST(tracecmd_damaged_chunk_is_refused)
{
	gsize len;
	g_autofree char *data = load(SYNTHETIC "syn_v7_zstd_le64.dat", &len);
	char *frame = memmem(data + len / 4, len / 2, "\x28\xb5\x2f\xfd", 4);

	CU_ASSERT_PTR_NOT_NULL_FATAL(frame);
	memset(frame - 8, 0xff, 8);	/* the sizes of the chunk */
	check_refused(data, len);
}

UNIT_TEST(tracecmd_small_batch_is_an_error)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	struct iot_input_spec spec = { .path = SYNTHETIC "u_back.dat" };
	struct iot_source *src;
	struct iot_batch *batch = iot_batch_new(8, NULL);

	iot_schema_event(schema, "iotrace", "io_start");
	iot_schema_event(schema, "iotrace", "io_end");
	src = iot_source_open("libtracecmd", &spec, NULL);
	CU_ASSERT_FATAL(src && batch && src->ops->bind(src, schema, NULL));
	CU_ASSERT_EQUAL(src->ops->read(src, 0, batch, &error), IOT_NEXT_ERROR);
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_INTERNAL));
	iot_batch_free(batch);
	src->ops->close(src);
}

UNIT_TEST(tracecmd_missing_field_is_named)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	struct iot_input_spec spec = { .path = SYNTHETIC "u_back.dat" };
	struct iot_source *src = iot_source_open("libtracecmd", &spec, NULL);
	struct iot_schema_event *event = iot_schema_event(schema, "iotrace", "io_end");

	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	iot_schema_field(event, "no_such_field", TRUE, "x.model:3: pair io");
	CU_ASSERT_FALSE(src->ops->bind(src, schema, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_MODEL));
	CU_ASSERT(error && strstr(error->message, "x.model:3: pair io"));
	CU_ASSERT(error && strstr(error->message, "no_such_field"));
	CU_ASSERT(error && strstr(error->message, "u_back.dat"));
	src->ops->close(src);
}
