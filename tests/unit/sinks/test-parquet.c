/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output parquet: bytes that the format's specification gives, or that follow from it, and
 * files that must be equal. tests/readers/parquet.sh has foreign readers.
 */
#include "sinks/parquet/parquet-thrift.h"
#include "sinks/parquet/parquet.h"
#include "sink-sample.h"

static void expect_bytes(GByteArray *got, const char *want, const char *where)
{
	g_autoptr(GString) hex = g_string_new(NULL);

	for (guint i = 0; i < got->len; i++)
		g_string_append_printf(hex, "%s%02x", i ? " " : "", got->data[i]);
	sample_expect(hex->str, want, where);
	g_byte_array_set_size(got, 0);
}
#define EXPECT_BYTES(got, want) expect_bytes(got, want, G_STRLOC)

UNIT_TEST(parquet_packs_runs_and_bits)
{
	static const guint32 eight[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	guint32 values[48] = { 0 };
	g_autoptr(GByteArray) out = g_byte_array_new();

	/* the example of the specification, "Encodings.md" */
	parquet_put_runs(out, eight, 8, 3);
	EXPECT_BYTES(out, "03 88 c6 fa");
	for (guint i = 0; i < 20; i++)
		values[i] = 4;
	parquet_put_runs(out, values, 20, 3);
	EXPECT_BYTES(out, "28 04");
	/* three others, and five of the run that complete their group */
	values[0] = values[1] = values[2] = 1;
	for (guint i = 3; i < 43; i++)
		values[i] = 0;
	values[43] = 1;
	parquet_put_runs(out, values, 44, 1);
	EXPECT_BYTES(out, "03 07 46 00 03 01");
	/* a number of two bytes */
	parquet_put_run(out, 0x123, 100, 9);
	EXPECT_BYTES(out, "c8 01 23 01");
	parquet_put_runs(out, values, 0, 1);
	EXPECT_BYTES(out, "");
}

UNIT_TEST(parquet_packs_deltas)
{
	static const guint64 example[] = { 7, 5, 3, 1, 2, 3, 4, 5 };
	guint64 values[130];
	g_autoptr(GByteArray) out = g_byte_array_new();

	/* the second example of the specification, in blocks of 128 numbers in four parts */
	parquet_put_deltas(out, example, G_N_ELEMENTS(example));
	EXPECT_BYTES(out, "80 01 04 08 0e 03 02 00 00 00 c0 3f 00 00 00 00 00 00");
	values[0] = 9;
	parquet_put_deltas(out, values, 1);
	EXPECT_BYTES(out, "80 01 04 01 12");
	/* numbers that follow each other need no bits */
	for (guint i = 0; i < G_N_ELEMENTS(values); i++)
		values[i] = i + 1;
	parquet_put_deltas(out, values, G_N_ELEMENTS(values));
	EXPECT_BYTES(out, "80 01 04 82 01 02 02 00 00 00 00 02 00 00 00 00");
	/* all 64 bits: the differences are 2^63 - 1, and 2^63, that is -2^63 */
	values[0] = 0;
	values[1] = G_MAXINT64;
	values[2] = G_MAXUINT64;
	parquet_put_deltas(out, values, 3);
	CU_ASSERT_EQUAL(out->len, 5 + 10 + 4 + 32 * 8);
}

UNIT_TEST(parquet_writes_structs)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	struct parquet_thrift to = parquet_thrift_begin(out), inner;

	parquet_thrift_int(&to, 1, THRIFT_I32, -1);
	parquet_thrift_int(&to, 3, THRIFT_I64, 150);
	parquet_thrift_text(&to, 4, "ab");
	parquet_thrift_bool(&to, 5, FALSE);
	inner = parquet_thrift_struct(&to, 7);
	parquet_thrift_list(&inner, 1, THRIFT_I32, 20);
	parquet_thrift_end(&inner);
	parquet_thrift_list(&to, 8, THRIFT_STRUCT, 2);
	parquet_thrift_end(&to);
	EXPECT_BYTES(out, "15 01 26 ac 02 18 02 61 62 12 2c 19 f5 14 00 19 2c 00");
	CU_ASSERT_EQUAL(parquet_zigzag(G_MININT64), G_MAXUINT64);
}

static const struct iot_db_column columns[] = {
	{ "id", IOT_DB_INT, .always = TRUE },
	{ "name", IOT_DB_TEXT },
};
static const struct iot_db_table two = { "two", G_N_ELEMENTS(columns), columns };

/* A file with @n rows; every fifth one has no name. */
static char *write_rows(guint n, gsize memory, gsize *out_len)
{
	g_autofree char *dir = g_dir_make_tmp("iotrace-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "out", NULL);
	struct parquet_work *work = parquet_work_new(NULL);
	struct parquet_table *table =
		parquet_table_new(NULL, work, &two, iot_out_open_small(path, NULL), memory, NULL);
	char *bytes = NULL;

	CU_ASSERT_FATAL(table != NULL);
	for (guint i = 0; i < n; i++) {
		char name[16];

		parquet_put(table, &table->columns[0], i * 7919u % 100003);
		g_snprintf(name, sizeof(name), "%u", i % 1000);
		if (i % 5)
			parquet_put(table, &table->columns[1],
				    iot_intern_str(table->columns[1].own, name));
		CU_ASSERT_FATAL(parquet_table_end_row(table, NULL));
	}
	CU_ASSERT(!g_file_test(path, G_FILE_TEST_EXISTS));
	CU_ASSERT(parquet_table_finish(table, NULL));
	CU_ASSERT(g_file_get_contents(path, &bytes, out_len, NULL));
	parquet_table_free(table);
	parquet_work_free(work);
	g_unlink(path);
	g_rmdir(dir);
	return bytes;
}

UNIT_TEST(parquet_file_without_rows)
{
	g_autoptr(GByteArray) got = g_byte_array_new();
	g_autoptr(GString) want = g_string_new("50 41 52 31");
	const char *maker = "iotrace-analyze version " IOT_VERSION;
	gsize len = 0;
	g_autofree char *bytes = write_rows(0, 0, &len);

	g_byte_array_append(got, (const guint8 *)bytes, (guint)len);
	g_string_append(want, " 15 04 19 3c 48 06 73 63 68 65 6d 61 15 04 00");
	g_string_append(want, " 15 04 25 00 18 02 69 64 25 24 4c ac 13 40 11 00 00 00");
	g_string_append(want, " 15 0c 25 02 18 04 6e 61 6d 65 25 00 4c 1c 00 00 00");
	g_string_append_printf(want, " 16 00 19 0c 28 %02x", (guint)strlen(maker));
	for (const char *p = maker; *p; p++)
		g_string_append_printf(want, " %02x", (guint)*p);
	g_string_append_printf(want, " 19 2c 1c 00 00 1c 00 00 00 %02x 00 00 00 50 41 52 31",
			       (guint)(got->len - 12));
	EXPECT_BYTES(got, want->str);
}

/* More than a row group: pages that wait in a temporary file are the same bytes. */
UNIT_TEST(parquet_spills_pages)
{
	gsize few = 0, many = 0;
	g_autofree char *spilled = write_rows(PARQUET_GROUP + 40000, 0, &few);
	g_autofree char *kept = write_rows(PARQUET_GROUP + 40000, 1 << 30, &many);

	CU_ASSERT_EQUAL(few, many);
	CU_ASSERT(few > 100000 && !memcmp(spilled, kept, MIN(few, many)));
}

static char *run_folder(struct sample *s, const char *dir)
{
	char *path = g_build_filename(dir, "out", NULL);

	sample_feed(s, &iot_sink_parquet, path, NULL, NULL);
	return path;
}

static void remove_files(const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(path, name, NULL);

		g_unlink(file);
	}
	g_rmdir(path);
}

/* Names of columns that are numbers in one type and texts in another, and of views. */
UNIT_TEST(parquet_folder_has_tables_and_views)
{
	g_autofree char *dir = g_dir_make_tmp("iotrace-XXXXXX", NULL);
	g_autofree char *path = NULL, *file = NULL, *views = NULL, *text = NULL;
	struct iot_view view = { 0 };
	struct sample s;
	struct iot_item *item;

	sample_init(&s);
	sample_attr(&s, (struct iot_type *)(gpointer)iot_type_at(s.tl, s.event), "to",
		    IOT_ATTR_INT);
	view.title = sample_str(&s, "DLM");
	view.n_columns = 3;
	view.column[0] = s.lockspace;
	view.column[1] = s.resource;
	view.column[2] = s.node;
	iot_timeline_add_view(s.tl, &view);
	item = sample_span(&s, s.a1, s.pending, 5, 30);
	item->attr[3].str = iot_text_number(12);
	sample_point(&s, s.a1, s.call, 6)->attr[5].i = -3;
	sample_gap(&s, "node 1", 7, 8, IOT_LOST_UNKNOWN);
	path = run_folder(&s, dir);
	file = g_build_filename(path, "gap.parquet", NULL);
	CU_ASSERT(g_file_test(file, G_FILE_TEST_IS_REGULAR));
	views = g_build_filename(path, "views.sql", NULL);
	CU_ASSERT_FATAL(g_file_get_contents(views, &text, NULL, NULL));
	CU_ASSERT(strstr(text, "CREATE VIEW \"span\" AS SELECT * FROM 'span.parquet';\n") != NULL);
	CU_ASSERT(strstr(text, "CREATE VIEW \"dlm_points\" AS SELECT") != NULL);
	remove_files(path);
	g_rmdir(dir);
	sample_clear(&s);
}
