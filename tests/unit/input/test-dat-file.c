/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Containers: options, buffers, versions, and the usable rest of damaged files. */
#include "dat-make.h"
#include "input/bytes.h"

#include <zstd.h>

#define SYNTHETIC IOT_SOURCE_DIR "/tests/data/synthetic/"

/* A whole version 7 file with one page of three events (7, 8, 9 at 1000, 1010, 1020) on CPU 2. */
struct whole {
	struct make m;
	guint options_at; /* the field in the file's start */
	guint section[22];
	guint buffer, data, options;
};

static struct whole whole_start(gboolean big_endian, guint long_size)
{
	struct whole w = { .m = make_new(big_endian, long_size) };

	w.options_at = make_start(&w.m, 7, "none");
	make_metadata(&w.m, w.section);
	w.buffer = w.m.out->len;
	make_section(&w.m, 3, FALSE, 0);
	make_align(&w.m, MAKE_PAGE);
	w.data = w.m.out->len;
	return w;
}

static void whole_options(struct whole *w)
{
	struct make *m = &w->m;

	make_store(m, m->out->data + w->buffer + 8, m->out->len - w->buffer - 16, 8);
	w->options = make_options_start(m);
	make_store(m, m->out->data + w->options_at, w->options, 8);
	make_metadata_options(m, w->section);
}

static void whole_buffer(struct whole *w)
{
	struct make_area area = { 2, w->data, w->options - w->data };

	make_buffer_option(&w->m, w->buffer, "", MAKE_PAGE, &area, 1);
}

static char *whole_dump(struct whole *w, struct iot_diag *diag)
{
	g_autoptr(iot_schema) schema = make_schema();
	struct iot_source *src = make_open(&w->m, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	return make_dump(src, schema, diag);
}

static const char three_events[] = "0 1000 42 7\n0 1010 42 8\n0 1020 42 9\n";

UNIT_TEST(smallest_file)
{
	for (guint i = 0; i < 4; i++) {
		struct whole w = whole_start(i & 1, i & 2 ? 4 : 8);
		g_autofree char *text = NULL;
		struct iot_diag diag;

		make_simple_page(&w.m, 1000, 3, 7);
		whole_options(&w);
		whole_buffer(&w);
		make_options_end(&w.m, w.options, 0);
		text = whole_dump(&w, &diag);
		CU_ASSERT_STRING_EQUAL(text, three_events);
		CU_ASSERT_EQUAL(iot_diag_worst(&diag), -1);
	}
}

UNIT_TEST(options_in_several_sections)
{
	struct whole w = whole_start(FALSE, 8);
	g_autofree char *text = NULL;
	struct iot_diag diag;
	guint second;

	make_simple_page(&w.m, 1000, 3, 7);
	whole_options(&w);
	make_option(&w.m, 4711, "new", 3);
	make_option(&w.m, 23, "", 0);
	/* both are added to every time stamp: 16 us and -10 ns */
	make_option(&w.m, 1, "0x10\n", 5);
	second = w.m.out->len + 14;
	make_options_end(&w.m, w.options, second);
	make_section(&w.m, 0, FALSE, 0);
	make_option(&w.m, 7, "-10", 3);
	whole_buffer(&w);
	make_options_end(&w.m, second, 0);
	text = whole_dump(&w, &diag);
	CU_ASSERT_STRING_EQUAL(text, "0 16990 42 7\n0 17000 42 8\n0 17010 42 9\n");
	CU_ASSERT_EQUAL(iot_diag_worst(&diag), -1);
}

UNIT_TEST(chain_of_options_in_a_circle)
{
	struct whole w = whole_start(FALSE, 8);
	g_autofree char *text = NULL;
	struct iot_diag diag;

	make_simple_page(&w.m, 1000, 3, 7);
	whole_options(&w);
	whole_buffer(&w);
	make_option(&w.m, 7, "5", 1);
	make_options_end(&w.m, w.options, w.options);
	text = whole_dump(&w, &diag);
	CU_ASSERT_STRING_EQUAL(text, "0 1005 42 7\n0 1015 42 8\n0 1025 42 9\n");
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_option_damaged], 1);
}

UNIT_TEST(lost_start_of_the_chain)
{
	struct whole w = whole_start(TRUE, 8);
	g_autofree char *text = NULL;
	struct iot_diag diag;

	make_simple_page(&w.m, 1000, 3, 7);
	whole_options(&w);
	whole_buffer(&w);
	make_options_end(&w.m, w.options, 0);
	make_store(&w.m, w.m.out->data + w.options_at, G_MAXUINT64 - 8, 8);
	text = whole_dump(&w, &diag);
	CU_ASSERT_STRING_EQUAL(text, three_events);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_option_damaged], 1);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_file_salvaged], 0);
}

UNIT_TEST(buffers)
{
	struct whole w = whole_start(FALSE, 8);
	struct make_area areas[3] = { { 1, w.data, MAKE_PAGE },
				      { 5, w.data + MAKE_PAGE, MAKE_PAGE },
				      { 9, 0, 0 } };
	g_autoptr(iot_schema) schema = make_schema();
	g_autofree char *text = NULL;
	struct iot_input_info info;
	struct iot_source *src;

	make_simple_page(&w.m, 1000, 1, 1);
	make_simple_page(&w.m, 2000, 1, 2);
	make_simple_page(&w.m, 3000, 1, 3);
	whole_options(&w);
	/* an instance comes first; of the top buffer there are two, the last holds */
	areas[1].offset += MAKE_PAGE;
	make_buffer_option(&w.m, w.buffer, "inst", MAKE_PAGE, areas + 1, 1);
	make_buffer_option(&w.m, w.buffer, "", MAKE_PAGE, areas, 1);
	areas[1].offset -= MAKE_PAGE;
	make_buffer_option(&w.m, w.buffer, "", MAKE_PAGE, areas, 3);
	make_buffer_option(&w.m, w.buffer, "empty", MAKE_PAGE, NULL, 0);
	make_options_end(&w.m, w.options, 0);
	src = make_open(&w.m, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	src->ops->describe(src, &info);
	CU_ASSERT_EQUAL(info.n_buffers, 3);
	CU_ASSERT_EQUAL(info.bytes, 3 * MAKE_PAGE);
	CU_ASSERT_EQUAL(src->ops->n_runs(src), 3);
	text = make_dump(src, schema, NULL);
	CU_ASSERT_STRING_EQUAL(text, "0 1000 42 1\n1 2000 42 2\n2 3000 42 3\n");
}

/* TIME_SHIFT with one sample for each of two CPUs: +100; +200 and a clock twice as fast. */
static void put_time_shift(struct make *m)
{
	make_int(m, 12, 2);
	make_int(m, 16 + 2 * 28, 4);
	make_int(m, 0xabc, 8);
	make_int(m, 0, 4);
	make_int(m, 2, 4);
	for (guint cpu = 0; cpu < 2; cpu++) {
		make_int(m, 1, 4);
		make_int(m, 500, 8);
		make_int(m, 100 + 100 * cpu, 8);
		make_int(m, 1 + cpu, 8);
	}
}

UNIT_TEST(clock_corrects_instances_too)
{
	struct whole w = whole_start(FALSE, 8);
	struct make_area top = { 0, w.data, MAKE_PAGE },
			 inst[] = { { 1, w.data, MAKE_PAGE }, { 2, w.data, MAKE_PAGE } };
	g_autofree char *text = NULL;
	struct iot_diag diag;

	make_simple_page(&w.m, 1000, 1, 1);
	whole_options(&w);
	put_time_shift(&w.m);
	make_buffer_option(&w.m, w.buffer, "", MAKE_PAGE, &top, 1);
	make_buffer_option(&w.m, w.buffer, "inst", MAKE_PAGE, inst, 2);
	make_options_end(&w.m, w.options, 0);
	text = whole_dump(&w, &diag);
	CU_ASSERT_STRING_EQUAL(text, "0 1100 42 1\n1 600 42 1\n2 1000 42 1\n");
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_clock_no_samples], 1);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_clock_scaled], 1);
}

UNIT_TEST(many_cpus_with_the_same_bytes)
{
	/* nothing but a limit keeps a small file from being read ten thousand times */
	struct whole w = whole_start(FALSE, 8);
	g_autofree struct make_area *areas = g_new0(struct make_area, 10000);
	g_autoptr(GError) error = NULL;
	struct iot_input_info info;
	struct iot_source *src;

	make_simple_page(&w.m, 1000, 3, 7);
	whole_options(&w);
	for (guint i = 0; i < 10000; i++)
		areas[i] = (struct make_area){ i, w.data, G_MAXUINT32 };
	make_buffer_option(&w.m, w.buffer, "", MAKE_PAGE, areas, 10000);
	make_options_end(&w.m, w.options, 0);
	src = make_open(&w.m, &error);
	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	src->ops->describe(src, &info);
	CU_ASSERT(src->ops->n_runs(src) > 0 && src->ops->n_runs(src) < 20);
	CU_ASSERT_EQUAL(info.diag->count[IOT_DIAG_option_damaged], 10000 - src->ops->n_runs(src));
	src->ops->close(src);
}

UNIT_TEST(malformed_options_are_counted)
{
	struct whole w = whole_start(FALSE, 8);
	g_autofree char *text = NULL;
	struct iot_diag diag;

	make_simple_page(&w.m, 1000, 3, 7);
	whole_options(&w);
	make_option(&w.m, 11, "short", 5);		/* TRACEID */
	make_option(&w.m, 12, "short", 5);		/* TIME_SHIFT */
	make_option(&w.m, 13, "no end", 6);		/* GUEST */
	make_option(&w.m, 14, "\1\0\0\0\377\0\0\0", 8); /* TSC2NSEC shifts by 255 */
	make_option(&w.m, 7, "12 monkeys", 10);		/* OFFSET */
	make_option(&w.m, 5, "Linux", 5);		/* UNAME */
	make_option(&w.m, 3, "\0\0\0\0\0\0\0\0x", 9);	/* BUFFER */
	make_option_int(&w.m, 21, G_MAXUINT64, 8);	/* CMDLINES */
	whole_buffer(&w);
	make_options_end(&w.m, w.options, 0);
	text = whole_dump(&w, &diag);
	CU_ASSERT_STRING_EQUAL(text, three_events);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_option_damaged], 8);
}

UNIT_TEST(cpu_areas_outside_of_the_file)
{
	struct whole w = whole_start(FALSE, 8);
	struct make_area areas[] = {
		{ 0, G_MAXUINT64 - 4095, 4096 },
		{ 1, 0, G_MAXUINT64 - 4095 },
		{ 2, 0, MAKE_PAGE },
		{ 3, G_MAXUINT64 - 100, 4096 }, /* no data begin there */
	};
	g_autofree char *text = NULL;
	struct iot_diag diag;

	make_simple_page(&w.m, 1000, 3, 7);
	make_raw(&w.m, (guint8[MAKE_PAGE]){ 0 }, MAKE_PAGE);
	whole_options(&w);
	areas[1].offset = areas[2].offset = w.data;
	make_buffer_option(&w.m, w.buffer, "", MAKE_PAGE, areas, 4);
	make_options_end(&w.m, w.options, 0);
	text = whole_dump(&w, &diag);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_file_cut], 2);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_option_damaged], 1);
	/* the first CPU has no event, the second ends in a hole, the last is whole */
	CU_ASSERT_TRUE(g_str_has_prefix(text, "0 gap 1000 lost=-1 other=-1\n"
					      "1 1000 42 7\n1 1010 42 8\n1 1020 42 9\n"
					      "1 gap 1020 lost=-1 other="));
	CU_ASSERT_TRUE(g_str_has_suffix(text, "2 1000 42 7\n2 1010 42 8\n2 1020 42 9\n"));
}

UNIT_TEST(wrong_page_size)
{
	static const guint32 sizes[] = { 0, 3, 512, 65536, 0x80000000 };

	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
		struct whole w = whole_start(FALSE, 8);
		struct make_area area = { 0, w.data, 3 * MAKE_PAGE };
		g_autofree char *text = NULL;
		struct iot_diag diag;

		make_simple_page(&w.m, 1000, 1, 1);
		make_simple_page(&w.m, 2000, 1, 2);
		make_simple_page(&w.m, 3000, 1, 3);
		whole_options(&w);
		make_buffer_option(&w.m, w.buffer, "", sizes[i], &area, 1);
		make_options_end(&w.m, w.options, 0);
		text = whole_dump(&w, &diag);
		CU_ASSERT_STRING_EQUAL(text, "0 1000 42 1\n0 2000 42 2\n0 3000 42 3\n");
		CU_ASSERT_EQUAL(diag.count[IOT_DIAG_option_damaged], 1);
	}
}

UNIT_TEST(damaged_page_in_the_middle)
{
	struct whole w = whole_start(FALSE, 8);
	struct make_page page;
	g_autofree char *text = NULL;
	struct iot_diag diag;

	make_simple_page(&w.m, 1000, 1, 1);
	page = make_page_start(&w.m, 2000);
	make_num(&w.m, 0, 42, 2);
	make_int(&w.m, 0xffffffff, 4); /* half a time stamp */
	make_page_end(&w.m, page, 0, 0);
	make_raw(&w.m, (guint8[MAKE_PAGE]){ 0 }, MAKE_PAGE);
	page = make_page_start(&w.m, 4000);
	make_num(&w.m, 5, 42, 4);
	make_page_end(&w.m, page, 0xc0000000, 77);
	whole_options(&w);
	whole_buffer(&w);
	make_options_end(&w.m, w.options, 0);
	text = whole_dump(&w, &diag);
	CU_ASSERT_STRING_EQUAL(text,
			       "0 1000 42 1\n0 2000 42 2\n"
			       "0 gap 2000 lost=-1 other=4005\n0 end 4005 lost=-1 other=2000\n"
			       "0 4005 42 4\n");
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_page_damaged], 2);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_gaps], 1);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_events_lost], 77);
}

UNIT_TEST(cut_behind_the_options)
{
	for (gsize cut = 0; cut < 20; cut++) {
		struct whole w = whole_start(FALSE, 8);
		g_autofree char *text = NULL;
		struct iot_diag diag;

		make_simple_page(&w.m, 1000, 3, 7);
		whole_options(&w);
		whole_buffer(&w);
		make_options_end(&w.m, w.options, 0);
		make_section(&w.m, 15, FALSE, 4);
		make_int(&w.m, 0, 4);
		g_byte_array_set_size(w.m.out, w.m.out->len - (guint)cut);
		text = whole_dump(&w, &diag);
		CU_ASSERT_STRING_EQUAL(text, three_events);
		CU_ASSERT_EQUAL(diag.count[IOT_DIAG_file_cut], cut > 0);
	}
}

/* Three pages of one event each; the file is opened. */
static struct iot_source *open_three(guint64 t1, guint64 t2, guint64 t3)
{
	struct whole w = whole_start(FALSE, 8);
	struct iot_source *src;

	make_simple_page(&w.m, t1, 1, 1);
	make_simple_page(&w.m, t2, 1, 2);
	make_simple_page(&w.m, t3, 1, 3);
	whole_options(&w);
	whole_buffer(&w);
	make_options_end(&w.m, w.options, 0);
	src = make_open(&w.m, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	return src;
}

UNIT_TEST(time_of_a_page_is_damaged)
{
	static const guint64 times[] = { G_GUINT64_CONSTANT(1) << 55, 7, G_MAXUINT64 };
	const guint64 day = G_GUINT64_CONSTANT(86400000000000);
	g_autoptr(iot_schema) schema = make_schema();

	for (guint i = 0; i < G_N_ELEMENTS(times); i++) {
		struct iot_diag diag;
		g_autofree char *text =
			make_dump(open_three(day, times[i], day + 20), schema, &diag);

		CU_ASSERT_STRING_EQUAL(text, "0 86400000000000 42 1\n"
					     "0 gap 86400000000000 lost=-1 other=86400000000020\n"
					     "0 end 86400000000020 lost=-1 other=86400000000000\n"
					     "0 86400000000020 42 3\n");
		CU_ASSERT_EQUAL(diag.count[IOT_DIAG_page_damaged], 1);
		CU_ASSERT_EQUAL(diag.count[IOT_DIAG_clock_stepped_back], 0);
	}
}

UNIT_TEST(time_of_the_first_page_is_damaged)
{
	g_autoptr(iot_schema) schema = make_schema();
	struct iot_source *src = open_three(G_GUINT64_CONSTANT(1) << 55, 2000, 3000);
	g_autofree char *text = NULL;
	struct iot_input_info info;

	src->ops->describe(src, &info);
	CU_ASSERT_EQUAL(info.first_ns, 2000);
	text = make_dump(src, schema, NULL);
	CU_ASSERT_STRING_EQUAL(text,
			       "0 gap 2000 lost=-1 other=2000\n0 end 2000 lost=-1 other=2000\n"
			       "0 2000 42 2\n0 3000 42 3\n");
}

UNIT_TEST(small_steps_back_are_clamped)
{
	g_autoptr(iot_schema) schema = make_schema();
	struct iot_diag diag;
	g_autofree char *text = make_dump(open_three(5000, 3000, 6000), schema, &diag);

	CU_ASSERT_STRING_EQUAL(text, "0 5000 42 1\n0 5000 42 2\n0 6000 42 3\n");
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_clock_stepped_back], 1);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_page_damaged], 0);
}

/* t:str with every kind of string; see the format. */
static void put_str_event(struct make *m, guint16 s_offset, guint16 s_len, guint16 rel_offset)
{
	guint8 payload[48] = { 0 };

	make_store(m, payload, MAKE_STR, 2);
	make_store(m, payload + 4, (guint32)-3, 4);
	make_store(m, payload + 8, (guint32)s_len << 16 | s_offset, 4);
	make_store(m, payload + 12, 4u << 16 | 36, 4);
	memcpy(payload + 16, "eight888", 8);
	make_store(m, payload + 24, 4u << 16 | rel_offset, 4);
	payload[28] = 200;
	payload[29] = 200;
	memcpy(payload + 30, "\1\2", 2);
	memcpy(payload + 32, "ab\0x", 4);
	memcpy(payload + 36, "\0\1\2\0", 4);
	memcpy(payload + 40, "rel", 4);
	make_event(m, 0, payload, sizeof(payload));
}

static struct iot_schema *str_schema(void)
{
	static const char *const names[] = { "s",     "raw",   "name", "rel",
					     "small", "minus", "pair", "common_pid" };
	struct iot_schema *schema = iot_schema_new();
	struct iot_schema_event *event = iot_schema_event(schema, "t", "str");

	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		iot_schema_field(event, names[i], TRUE, "test");
	return schema;
}

UNIT_TEST(strings_and_small_numbers)
{
	for (guint i = 0; i < 2; i++) {
		struct whole w = whole_start(i, 8);
		g_autoptr(iot_schema) schema = str_schema();
		struct make_page page = make_page_start(&w.m, 1000);
		g_autofree char *text = NULL;
		struct iot_source *src;
		struct iot_diag diag;

		put_str_event(&w.m, 32, 4, 12);
		put_str_event(&w.m, 32, 0, 12);
		put_str_event(&w.m, 45, 4, 17); /* both one byte too far */
		put_str_event(&w.m, 0xffff, 0xffff, 0xffff);
		make_page_end(&w.m, page, 0, 0);
		whole_options(&w);
		whole_buffer(&w);
		make_options_end(&w.m, w.options, 0);
		src = make_open(&w.m, NULL);
		CU_ASSERT_PTR_NOT_NULL_FATAL(src);
		text = make_dump(src, schema, &diag);
		CU_ASSERT_STRING_EQUAL(
			text, "0 1000 -3 2:ab 4: 8:eight888 3:rel 200 -56 2:\\001\\002 -3\n"
			      "0 1000 -3 0: 4: 8:eight888 3:rel 200 -56 2:\\001\\002 -3\n"
			      "0 1000 -3 0: 4: 8:eight888 0: 200 -56 2:\\001\\002 -3\n"
			      "0 1000 -3 0: 4: 8:eight888 0: 200 -56 2:\\001\\002 -3\n");
		CU_ASSERT_EQUAL(diag.count[IOT_DIAG_field_damaged], 4);
	}
}

/* A format is found by name and id, and its fields are parsed when a model wants the event. */
UNIT_TEST(formats_that_cannot_be_parsed_are_counted)
{
	static const struct {
		const char *good, *bad, *dump;
	} cases[] = {
		{ "ID: 301", "IX: 301", three_events }, /* of t:str, which nobody wants */
		{ "ID: 301", "ID: x01", three_events },
		{ "field:int v;\toffset:8;", "field:int v;\toffset:?;", "" }, /* of t:num */
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct whole w = whole_start(FALSE, 8);
		gsize len = strlen(cases[i].good);
		guint8 *at = memmem(w.m.out->data, w.m.out->len, cases[i].good, len);
		g_autofree char *text = NULL;
		struct iot_diag diag;

		CU_ASSERT_PTR_NOT_NULL_FATAL(at);
		memcpy(at, cases[i].bad, len);
		make_simple_page(&w.m, 1000, 3, 7);
		whole_options(&w);
		whole_buffer(&w);
		make_options_end(&w.m, w.options, 0);
		text = whole_dump(&w, &diag);
		CU_ASSERT_STRING_EQUAL(text, cases[i].dump);
		CU_ASSERT_EQUAL(diag.count[IOT_DIAG_format_unparsed], 1);
	}
}

UNIT_TEST(event_shorter_than_its_format)
{
	struct whole w = whole_start(FALSE, 8);
	struct make_page page = make_page_start(&w.m, 1000);
	g_autofree char *text = NULL;
	guint8 payload[8] = { 0 };
	struct iot_diag diag;

	make_store(&w.m, payload, MAKE_NUM, 2);
	make_event(&w.m, 0, payload, 8);
	make_event(&w.m, 0, payload, 4);
	make_page_end(&w.m, page, 0, 0);
	whole_options(&w);
	whole_buffer(&w);
	make_options_end(&w.m, w.options, 0);
	text = whole_dump(&w, &diag);
	CU_ASSERT_STRING_EQUAL(text, "0 1000 0 0\n0 1000 0 0\n");
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_field_damaged], 3);
}

/* The recording without its last bytes, from @keep on. */
static struct iot_source *open_cut(const char *path, gsize keep, GError **error)
{
	g_autofree char *data = NULL;
	gsize len;

	CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &data, &len, NULL));
	return make_open_bytes((guint8 *)data, MIN(keep, len), error);
}

static guint64 count_events(struct iot_source *src, struct iot_diag *diag)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_batch *batch = iot_batch_new(4096, NULL);
	struct iot_input_info info;

	iot_schema_event(schema, "iotrace", "io_start");
	CU_ASSERT_TRUE_FATAL(src->ops->bind(src, schema, NULL));
	for (guint run = 0; run < src->ops->n_runs(src); run++) {
		enum iot_next next;
		guint64 last = 0;

		while ((next = src->ops->read(src, run, batch, NULL)) == IOT_NEXT_OK)
			for (struct iot_rec *rec = iot_batch_first(batch);
			     !iot_batch_at_end(batch, rec); rec = iot_rec_next(rec)) {
				CU_ASSERT_FATAL(rec->ts >= last);
				last = rec->ts;
			}
		CU_ASSERT_EQUAL(next, IOT_NEXT_END);
	}
	src->ops->describe(src, &info);
	CU_ASSERT(src->ops->progress(src) <= info.bytes);
	*diag = *info.diag;
	iot_batch_free(batch);
	return info.n_events;
}

UNIT_TEST(cut_before_its_table_of_contents)
{
	/* all pages are there, the options with the table are not */
	static const struct {
		const char *name;
		gsize keep;
	} files[] = {
		{ "syn_v7_none_le64.dat", 671744 },
		{ "syn_v7_none_be32.dat", 671744 },
		{ "syn_v7_zstd_le64.dat", 106496 },
		{ "syn_v7_zstd_be32.dat", 106496 },
	};

	for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_strconcat(SYNTHETIC, files[i].name, NULL);
		struct iot_source *src = open_cut(path, files[i].keep, NULL);
		struct iot_diag diag;

		CU_ASSERT_PTR_NOT_NULL_FATAL(src);
		CU_ASSERT_EQUAL(count_events(src, &diag), 12010);
		CU_ASSERT_EQUAL(src->ops->n_runs(src), 4);
		CU_ASSERT_EQUAL(diag.count[IOT_DIAG_file_salvaged], 1);
		CU_ASSERT_EQUAL(diag.count[IOT_DIAG_events_lost], 77);
		/* the end of the last CPU is not known */
		CU_ASSERT_EQUAL(diag.count[IOT_DIAG_gaps], 3);
		src->ops->close(src);
	}
}

UNIT_TEST(cut_in_the_data)
{
	/* version 6: 53 pages of CPU 0 begin at 4096 as in version 7; half of CPU 1 is gone */
	struct iot_source *src = open_cut(SYNTHETIC "syn_v6_none_le64.dat", 300000, NULL);
	struct iot_diag diag;
	guint64 n;

	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	n = count_events(src, &diag);
	CU_ASSERT(n > 4000 && n < 8000);
	/* CPU 1 in the middle, CPU 2 wholly; the table of the instance is gone too */
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_file_cut], 2);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_option_damaged], 1);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_page_damaged], 0);
	src->ops->close(src);
}

/* A compressed file: two CPUs, each of three chunks with one page of one event. */
struct packed {
	struct whole w;
	guint chunk[2][4]; /* offsets, and the end */
};

static void put_chunk(struct make *m, guint64 ts, gint32 v)
{
	guint at = m->out->len;
	g_autofree guint8 *packed = g_malloc(ZSTD_compressBound(MAKE_PAGE));
	gsize len;

	make_simple_page(m, ts, 1, v);
	len = ZSTD_compress(packed, ZSTD_compressBound(MAKE_PAGE), m->out->data + at, MAKE_PAGE, 3);
	g_byte_array_set_size(m->out, at);
	make_int(m, len, 4);
	make_int(m, MAKE_PAGE, 4);
	make_raw(m, packed, len);
}

static struct packed packed_new(gboolean big_endian)
{
	struct packed p = { .w = { .m = make_new(big_endian, 8) } };
	struct make *m = &p.w.m;
	struct make_area areas[2];

	p.w.options_at = make_start(m, 7, "zstd");
	make_metadata(m, p.w.section);
	p.w.buffer = m->out->len;
	make_section(m, 3, TRUE, 0);
	make_align(m, MAKE_PAGE);
	for (guint cpu = 0; cpu < 2; cpu++) {
		areas[cpu].cpu = cpu;
		areas[cpu].offset = m->out->len;
		make_int(m, 3, 4);
		for (guint i = 0; i < 3; i++) {
			p.chunk[cpu][i] = m->out->len;
			put_chunk(m, 1000 + 300 * cpu + 100 * i, (gint32)(10 * cpu + i));
		}
		p.chunk[cpu][3] = m->out->len;
		areas[cpu].size = m->out->len - areas[cpu].offset - 4;
	}
	whole_options(&p.w);
	make_buffer_option(m, p.w.buffer, "", MAKE_PAGE, areas, 2);
	make_options_end(m, p.w.options, 0);
	return p;
}

static const char second_cpu[] = "1 1300 42 10\n1 1400 42 11\n1 1500 42 12\n";

UNIT_TEST(compressed_data)
{
	for (guint i = 0; i < 2; i++) {
		struct packed p = packed_new(i);
		struct iot_diag diag;
		g_autofree char *text = whole_dump(&p.w, &diag);

		CU_ASSERT_TRUE(g_str_has_prefix(text, "0 1000 42 0\n0 1100 42 1\n0 1200 42 2\n"));
		CU_ASSERT_TRUE(g_str_has_suffix(text, second_cpu));
		CU_ASSERT_EQUAL(iot_diag_worst(&diag), -1);
	}
}

UNIT_TEST(compressed_data_without_table)
{
	struct packed p = packed_new(FALSE);
	g_autofree char *text = NULL;
	struct iot_diag diag;

	/* only the count between the chunks shows that a second CPU begins */
	g_byte_array_set_size(p.w.m.out, p.chunk[1][2]);
	text = whole_dump(&p.w, &diag);
	CU_ASSERT_STRING_EQUAL(text, "0 1000 42 0\n0 1100 42 1\n0 1200 42 2\n"
				     "1 1300 42 10\n1 1400 42 11\n1 gap 1400 lost=-1 other=-1\n");
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_file_salvaged], 1);
}

/* Bytes to write over the second chunk of CPU 0. */
static const struct {
	guint at, size;
	guint64 value;
} damages[] = {
	{ 0, 4, 0xffffffff }, /* packed size */
	{ 0, 4, 5 },	      /* smaller than it is */
	{ 0, 4, 0 },
	{ 4, 4, 0xffffffff }, /* unpacked size */
	{ 4, 4, 4095 },
	{ 4, 4, 5000 },
	{ 8, 4, 0 },		/* magic number of the frame */
	{ 12, 8, G_MAXUINT64 }, /* its header */
	{ 0, 8, 0 },
};

UNIT_TEST(damaged_chunks)
{
	for (guint i = 0; i < G_N_ELEMENTS(damages); i++) {
		struct packed p = packed_new(FALSE);
		g_autofree char *text = NULL;
		struct iot_diag diag;

		make_store(&p.w.m, p.w.m.out->data + p.chunk[0][1] + damages[i].at,
			   damages[i].value, damages[i].size);
		text = whole_dump(&p.w, &diag);
		CU_ASSERT_STRING_EQUAL(text, "0 1000 42 0\n0 gap 1000 lost=-1 other=1200\n"
					     "0 end 1200 lost=-1 other=1000\n0 1200 42 2\n"
					     "1 1300 42 10\n1 1400 42 11\n1 1500 42 12\n");
		CU_ASSERT_EQUAL(diag.count[IOT_DIAG_chunk_damaged], 1);
	}
}

UNIT_TEST(chunk_that_reaches_into_the_next)
{
	struct packed p = packed_new(FALSE);
	guint8 *size = p.w.m.out->data + p.chunk[0][1];
	g_autofree char *text = NULL;

	make_store(&p.w.m, size, iot_load_u32(size, FALSE) + 5, 4);
	text = whole_dump(&p.w, NULL);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n0 1200 42 2\n"));
}

UNIT_TEST(damaged_last_chunk)
{
	struct packed p = packed_new(TRUE);
	g_autofree char *text = NULL;
	struct iot_diag diag;

	memset(p.w.m.out->data + p.chunk[0][2], 0, p.chunk[0][3] - p.chunk[0][2]);
	text = whole_dump(&p.w, &diag);
	CU_ASSERT_TRUE(g_str_has_prefix(text, "0 1000 42 0\n0 1100 42 1\n"
					      "0 gap 1100 lost=-1 other=-1\n"));
	CU_ASSERT_TRUE(g_str_has_suffix(text, second_cpu));
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_chunk_damaged], 1);
}

UNIT_TEST(wrong_number_of_chunks)
{
	struct packed p = packed_new(TRUE);
	g_autofree char *text = NULL;
	struct iot_diag diag;

	make_store(&p.w.m, p.w.m.out->data + p.chunk[0][0] - 4, 99, 4);
	text = whole_dump(&p.w, &diag);
	CU_ASSERT_TRUE(g_str_has_prefix(text, "0 1000 42 0\n0 1100 42 1\n0 1200 42 2\n1 "));
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_option_damaged], 1);
}

/* Every length that @step reaches, and every flip of one byte; nothing may crash or hang. */
static void torture(const guint8 *data, gsize len, gsize step, guint seed)
{
	g_autofree guint8 *copy = g_malloc(len);
	g_autoptr(GRand) rand = g_rand_new_with_seed(seed);

	memcpy(copy, data, len);
	for (gsize at = 0; at < len; at += 1 + (gsize)g_rand_int_range(rand, 0, (gint32)step)) {
		struct iot_source *src = make_open_bytes(data, at, NULL);
		struct iot_diag diag;

		if (src) {
			count_events(src, &diag);
			src->ops->close(src);
		}
		copy[at] ^= (guint8)g_rand_int_range(rand, 1, 256);
		src = make_open_bytes(copy, len, NULL);
		if (src) {
			count_events(src, &diag);
			src->ops->close(src);
		}
		copy[at] = data[at];
	}
}

UNIT_TEST(every_cut_and_flip_of_small_files)
{
	static const char *const names[] = { "u_back.dat", "u_lost_ext.dat", "u_unknown_lost.dat" };

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_strconcat(SYNTHETIC, names[i], NULL);
		g_autofree char *data = NULL;
		gsize len;

		CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &data, &len, NULL));
		torture((guint8 *)data, len, 25, i);
	}
}

UNIT_TEST(cuts_and_flips_of_compressed_files)
{
	g_autofree char *data = NULL;
	gsize len;

	CU_ASSERT_TRUE_FATAL(
		g_file_get_contents(SYNTHETIC "syn_v7_zstd_be64.dat", &data, &len, NULL));
	torture((guint8 *)data, 2000, 20, 1);
	torture((guint8 *)data, len, 2000, 2);
}
