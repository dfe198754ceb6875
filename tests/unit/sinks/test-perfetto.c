/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of the output perfetto. tests/readers/perfetto-check reads whole files. */
#include "sink-sample.h"

/* What the sink writes, as hexadecimal digits. */
static GString *run_hex(struct sample *s, GHashTable *options)
{
	g_autofree char *dir = g_dir_make_tmp("iotrace-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "out", NULL);
	g_autofree char *data = NULL;
	GString *hex = g_string_new(NULL);
	gsize len = 0;

	sample_feed(s, &iot_sink_perfetto, path, options, NULL);
	CU_ASSERT(g_file_get_contents(path, &data, &len, NULL));
	for (gsize i = 0; i < len; i++)
		g_string_append_printf(hex, "%02x", (guint8)data[i]);
	g_unlink(path);
	g_rmdir(dir);
	return hex;
}

static gboolean has(const GString *hex, const char *digits)
{
	if (strstr(hex->str, digits))
		return TRUE;
	g_printerr("%s is missing in %s\n", digits, hex->str);
	return FALSE;
}

static gboolean has_text(const GString *hex, const char *text, gsize len)
{
	g_autoptr(GString) digits = g_string_new(NULL);

	for (gsize i = 0; i < len; i++)
		g_string_append_printf(digits, "%02x", (guint8)text[i]);
	return has(hex, digits->str);
}

/* trusted_packet_sequence_id 1, sequence_flags "state cleared", first packet, four names. */
#define FIRST                                                                    \
	"0a415001"                                                               \
	"6801b80501"                                                             \
	"62381a09080112056d61726b731a08080212046c6f73740a0b08ffffffff0f12036761" \
	"70121408ffffffff0f120c6e6f74206f62736572766564"

UNIT_TEST(perfetto_clears_the_state_first)
{
	struct sample s;
	g_autoptr(GString) hex = NULL;

	sample_init(&s);
	hex = run_hex(&s, NULL);
	EXPECT_TEXT(hex->str, FIRST);
	sample_clear(&s);
}

static void add_span(struct sample *s, iot_row_id row, guint lane, guint64 t0, guint64 t1)
{
	struct iot_item *item = sample_add(s, IOT_ITEM_SPAN_BEGIN, row, s->pending, t0, t0);

	item->lane = (guint16)lane;
	item = sample_span(s, row, s->pending, t0, t1);
	item->lane = (guint16)lane;
	item->flags = IOT_BEFORE;
}

/*
 * A span is a begin with all attributes but late ones, and an end with those and the marks. 1e9 ns
 * are 80 94 eb dc 03; the row a1 has number 6; the lane is shifted by 32 bits.
 */
UNIT_TEST(perfetto_writes_a_begin_and_an_end)
{
	struct sample s;
	struct iot_type *type;
	g_autoptr(GString) hex = NULL;

	sample_init(&s);
	type = iot_segarray_at(&s.tl->types, s.lock);
	type->attr[3].late = TRUE;
	add_span(&s, s.a1, 2, 0, 5);
	for (guint i = 0; i < 2; i++) {
		struct iot_item *item = &g_array_index(s.items, struct iot_item, i);

		item->attr[0].u = G_MAXUINT64;
		item->attr[1].i = -7;
		item->attr[2].str = sample_str(&s, "EX");
		item->attr[3].str = iot_text_number(12);
	}
	hex = run_hex(&s, NULL);
	/* time; sequence 1, needs state; begin; category: type 4; name: category 4; track */
	CU_ASSERT(has(hex, "408094ebdc03"
			   "50016802"
			   "5ab100"
			   "4801"
			   "1804"
			   "5004"
			   "588680808020"));
	CU_ASSERT(has(hex, "220d080338ffffffffffffffffff01")); /* lkb_id, a pointer */
	CU_ASSERT(has(hex, "220d080420f9ffffffffffffffff01")); /* pid, signed */
	CU_ASSERT(has(hex, "22050805880"));		       /* to, an interned text */
	/* The end: result, a text as it is; marks "before". */
	CU_ASSERT(has(hex, "408594ebdc03"
			   "50016802"
			   "5a9c00"
			   "4802"
			   "588680808020"
			   "2206080632023132"
			   "220a080132066265666f7265"));
	CU_ASSERT(has_text(hex, "node 1", 6));
	sample_clear(&s);
}

/* Each text is written once, however long, and as UTF-8. */
UNIT_TEST(perfetto_writes_texts_once)
{
	struct sample s;
	g_autofree char *value = g_strnfill(1 << 20, 'b');
	g_autoptr(GString) hex = NULL;

	sample_init(&s);
	for (guint i = 0; i < 3; i++) {
		sample_point(&s, s.a1, s.bast, i)->attr[2].str = sample_str(&s, value);
		sample_point(&s, s.a1, s.bast, i)->attr[2].str = sample_str(&s, "x\303y\n\"");
	}
	hex = run_hex(&s, NULL);
	CU_ASSERT(hex->len / 2 > 1 << 20 && hex->len / 2 < (1 << 20) + 1000);
	CU_ASSERT(has_text(hex, "x\\xc3y", 6));
	sample_clear(&s);
}

UNIT_TEST(perfetto_leaves_out_what_it_is_told_to)
{
	g_autoptr(GHashTable) options = g_hash_table_new(g_str_hash, g_str_equal);
	struct sample s;
	iot_type_id counter;
	iot_cat_id cat;
	g_autoptr(GString) hex = NULL;

	sample_init(&s);
	iot_timeline_type(s.tl, IOT_TYPE_COUNTER, "bytes_read", "bytes read", s.node, &counter);
	cat = iot_timeline_cat(s.tl, counter, "bytes", 0, IOT_ROLE_NONE);
	sample_point(&s, s.a1, s.bast, 1);
	iot_sample_set(sample_add(&s, IOT_ITEM_SAMPLE, s.a1, cat, 2, 2), -1, -1);
	hex = run_hex(&s, NULL);
	CU_ASSERT(has(hex, "4803"));			 /* an instant */
	CU_ASSERT(has(hex, "f001ffffffffffffffffff01")); /* -1 */
	CU_ASSERT(has_text(hex, "bytes read", 10));
	CU_ASSERT(has_text(hex, "bytes_read", 10));
	g_string_free(g_steal_pointer(&hex), TRUE);
	g_hash_table_insert(options, (gpointer) "no-events", (gpointer) "");
	g_hash_table_insert(options, (gpointer) "no-counters", (gpointer) "");
	hex = run_hex(&s, options);
	EXPECT_TEXT(hex->str, FIRST);
	sample_clear(&s);
}

/* Two instants for each link: the earlier one begins the flow. */
UNIT_TEST(perfetto_draws_links_as_flows)
{
	struct sample s;
	g_autoptr(GString) hex = NULL;

	sample_init(&s);
	sample_add_links(&s);
	hex = run_hex(&s, NULL);
	CU_ASSERT(has(hex, "f9020100000000000000")); /* flow_ids */
	CU_ASSERT(has(hex, "81030100000000000000")); /* terminating_flow_ids */
	CU_ASSERT(has(hex, "f9020300000000000000"));
	CU_ASSERT(has(hex, "81030300000000000000"));
	CU_ASSERT(has_text(hex, "backwards", 9));
	CU_ASSERT(has_text(hex, "to-hidden", 9));
	CU_ASSERT(has_text(hex, "hand-over", 9));
	sample_clear(&s);
}

static guint count(const GString *hex, const char *digits)
{
	guint n = 0;

	for (const char *p = hex->str; (p = strstr(p, digits)); p++)
		n++;
	return n;
}

/* Gaps of a node that overlap are on two tracks; a third one that does not is on the first. */
UNIT_TEST(perfetto_puts_overlapping_gaps_on_lanes)
{
	struct sample s;
	g_autoptr(GString) hex = NULL;

	sample_init(&s);
	sample_gap(&s, "node 1", 10, 30, 17);
	sample_gap(&s, "node 1", 20, 40, IOT_LOST_UNKNOWN);
	sample_gap(&s, "node 1", 30, 50, 0);
	hex = run_hex(&s, NULL);
	CU_ASSERT_EQUAL(count(hex, "6e6f64652031"), 2); /* "node 1" */
	CU_ASSERT_EQUAL(count(hex, "220408021811"), 1); /* lost=17 */
	CU_ASSERT_EQUAL(count(hex, "220408021800"), 1);
	sample_clear(&s);
}
