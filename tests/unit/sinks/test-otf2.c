/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output otf2: items without a place in an archive; tests/readers/otf2-check.c reads the rest.
 */
#include "sink-sample.h"

#ifdef IOT_OTF2
static void remove_folder(const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(path, name, NULL);

		if (g_file_test(file, G_FILE_TEST_IS_DIR))
			remove_folder(file);
		else
			g_unlink(file);
	}
	g_rmdir(path);
}

UNIT_TEST(otf2_counts_what_it_leaves_out)
{
	static const struct iot_summary summary;
	g_autofree char *dir = g_dir_make_tmp("iotrace-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "out", NULL);
	g_autofree char *anchor = g_build_filename(path, "traces.otf2", NULL);
	struct sample s;
	struct iot_sink_args args = { .path = path };
	struct iot_sink *sink;

	sample_init(&s);
	sample_add_links(&s);
	for (guint i = 0; i < 2; i++) {
		sample_add(&s, IOT_ITEM_SPAN_BEGIN, s.a1, s.ex, 60 + i, 60 + i)->lane =
			IOT_LAST_LANE;
		sample_span(&s, s.a1, s.ex, 60 + i, 70 + i)->lane = IOT_LAST_LANE;
	}
	args.tl = s.tl;
	sink = iot_sink_otf2.open(&args, NULL);
	CU_ASSERT_FATAL(sink != NULL);
	for (guint i = 0; i < s.items->len; i++)
		CU_ASSERT(iot_sink_otf2.item(sink, &g_array_index(s.items, struct iot_item, i),
					     NULL));
	CU_ASSERT(!g_file_test(path, G_FILE_TEST_EXISTS));
	CU_ASSERT(iot_sink_otf2.finish(sink, &summary, NULL));
	CU_ASSERT(g_file_test(anchor, G_FILE_TEST_IS_REGULAR));
	CU_ASSERT_EQUAL(iot_sink_otf2.diag(sink)->count[IOT_DIAG_links_left_out], 3);
	CU_ASSERT_EQUAL(iot_sink_otf2.diag(sink)->count[IOT_DIAG_states_left_out], 2);
	iot_sink_otf2.free(sink);
	remove_folder(dir);
	sample_clear(&s);
}

/* A name is cut where a character begins. */
UNIT_TEST(otf2_cuts_texts)
{
	static const struct iot_summary summary;
	g_autofree char *dir = g_dir_make_tmp("iotrace-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "out", NULL);
	g_autoptr(GString) name = g_string_new("x");
	struct sample s;
	struct iot_sink_args args = { .path = path };
	struct iot_sink *sink;

	sample_init(&s);
	while (name->len < 3 << 20)
		g_string_append(name, "\xc3\xa4");
	sample_gap(&s, name->str, 5, 6, 1);
	args.tl = s.tl;
	sink = iot_sink_otf2.open(&args, NULL);
	CU_ASSERT_FATAL(sink != NULL);
	CU_ASSERT(iot_sink_otf2.item(sink, &g_array_index(s.items, struct iot_item, 0), NULL));
	CU_ASSERT(iot_sink_otf2.finish(sink, &summary, NULL));
	CU_ASSERT_EQUAL(iot_sink_otf2.diag(sink)->count[IOT_DIAG_name_cut], 1);
	iot_sink_otf2.free(sink);
	remove_folder(dir);
	sample_clear(&s);
}
#endif
