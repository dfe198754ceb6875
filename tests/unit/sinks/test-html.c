/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink-sample.h"
#include "base/error.h"
#include "timeline/part.h"
#include "sinks/html/html-thin.h"

/* Every kind of item, with the attributes that a type can have. */
static void add_all(struct sample *s)
{
	struct iot_item *item;

	sample_add_links(s);
	item = sample_span(s, s->a1, s->pending, 45, 60);
	item->lane = 3;
	item->flags = IOT_BEFORE | IOT_UNFINISHED;
	item->attr[0].u = 0xdeadbeefcafe;
	item->attr[1].i = -7;
	item->attr[2].str = sample_str(s, "EX");
	item->attr[3].str = iot_text_number(G_MAXUINT64 >> 1);
	sample_span(s, s->a1, s->ex, 60, 70)->lane = 3;
	sample_point(s, s->b1, s->call_failed, 71)->attr[4].u = G_MAXUINT64;
}

static gboolean compare_next(const struct iot_item *got, gpointer data, GError **error)
{
	struct iot_item **next = data;
	struct iot_item want = *(*next)++;

	(void)error;
	want.seq = got->seq;
	CU_ASSERT_EQUAL(got->kind, want.kind);
	CU_ASSERT_EQUAL(got->row, want.row);
	CU_ASSERT_EQUAL(got->row_to, want.row_to);
	CU_ASSERT_EQUAL(got->lane, want.lane);
	CU_ASSERT_EQUAL(got->lane_to, want.lane_to);
	CU_ASSERT_EQUAL(got->cat, want.cat);
	CU_ASSERT_EQUAL(got->flags, want.flags);
	CU_ASSERT_EQUAL(got->t0, want.t0);
	CU_ASSERT_EQUAL(got->t1, want.t1);
	for (guint i = 0; i < want.n_attrs; i++)
		CU_ASSERT_EQUAL(got->attr[i].u, want.attr[i].u);
	return TRUE;
}

UNIT_TEST(html_items_can_be_read_back)
{
	struct sample s;
	g_autoptr(iot_html_blocks) blocks = NULL;
	g_autoptr(iot_html_chunk) chunk = NULL;
	struct iot_item *next;
	guint n;

	sample_init(&s);
	add_all(&s);
	n = s.items->len;
	next = (struct iot_item *)(gpointer)s.items->data;
	blocks = iot_html_blocks_new("-", NULL);
	chunk = iot_html_chunk_new(s.tl, blocks, NULL);
	for (guint i = 0; i < n; i++)
		CU_ASSERT(iot_html_chunk_add(chunk, &next[i], NULL));
	CU_ASSERT(iot_html_chunk_end(chunk, NULL));
	CU_ASSERT(iot_html_chunk_walk(chunk, compare_next, &next, NULL));
	CU_ASSERT_PTR_EQUAL(next, (struct iot_item *)(gpointer)s.items->data + n);
	g_clear_pointer(&chunk, iot_html_chunk_free);
	sample_clear(&s);
}

UNIT_TEST(html_refuses_items_out_of_order)
{
	struct sample s;
	g_autoptr(iot_html_blocks) blocks = NULL;
	g_autoptr(iot_html_chunk) chunk = NULL;
	g_autoptr(GError) error = NULL;
	const struct iot_item *items;

	sample_init(&s);
	sample_point(&s, s.a1, s.bast, 7);
	sample_point(&s, s.a1, s.bast, 6);
	items = (const struct iot_item *)(gconstpointer)s.items->data;
	blocks = iot_html_blocks_new("-", NULL);
	chunk = iot_html_chunk_new(s.tl, blocks, NULL);
	CU_ASSERT(iot_html_chunk_add(chunk, &items[0], &error));
	CU_ASSERT_FALSE(iot_html_chunk_add(chunk, &items[1], &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_INTERNAL));
	g_clear_pointer(&chunk, iot_html_chunk_free);
	sample_clear(&s);
}

static gboolean print_item(const struct iot_item *item, gpointer data, GError **error)
{
	struct sample *s = ((gpointer *)data)[0];
	GString *text = ((gpointer *)data)[1];

	(void)error;
	g_string_append_printf(text, "%u row %u cat %u %u..%u", item->kind, item->row, item->cat,
			       (guint)(item->t0 - s->tl->origin_ns),
			       (guint)(item->t1 - s->tl->origin_ns));
	if (item->kind == IOT_ITEM_LINK)
		g_string_append_printf(text, " to %u", item->row_to);
	if (item->kind == IOT_ITEM_SAMPLE)
		g_string_append_printf(text, " value %d", (int)iot_sample_value(item));
	if (item->flags & IOT_HTML_MERGED)
		g_string_append_printf(text, " sum of %u", (guint)item->seq);
	if (item->flags & ~IOT_HTML_MERGED)
		g_string_append_printf(text, " flags %u", item->flags & ~(guint)IOT_HTML_MERGED);
	g_string_append_c(text, '\n');
	return TRUE;
}

static void sample_value(struct sample *s, iot_row_id row, iot_cat_id cat, guint64 t, gint64 value)
{
	iot_sample_set(sample_add(s, IOT_ITEM_SAMPLE, row, cat, t, t), value, 1);
}

/* Row a1 keeps sums of 100 ns, b1 keeps all. */
UNIT_TEST(html_rows_can_keep_only_sums)
{
	struct sample s;
	g_autoptr(iot_html_blocks) blocks = NULL, thin_blocks = NULL;
	g_autoptr(iot_html_chunk) chunk = NULL, thin_chunk = NULL;
	g_autoptr(GString) got = g_string_new(NULL), want = g_string_new(NULL);
	struct iot_html_thin thin = { .step_ns = 100 };
	iot_cat_id link, bytes;
	iot_type_id counter;

	sample_init(&s);
	s.tl->zero_ns = s.tl->origin_ns;
	link = sample_link_type(&s);
	iot_timeline_type(s.tl, IOT_TYPE_COUNTER, "bytes", "bytes", s.node, &counter);
	bytes = iot_timeline_cat(s.tl, counter, "bytes", 0, IOT_ROLE_NONE);
	sample_span(&s, s.a1, s.ex, 0, 10);
	sample_value(&s, s.a1, bytes, 10, 5);
	sample_span(&s, s.b1, s.ex, 10, 20);
	sample_link(&s, link, s.a1, 15, s.b1, 20);
	sample_span(&s, s.a1, s.pr, 10, 30);
	sample_link(&s, link, s.b1, 30, s.a1, 30);
	sample_point(&s, s.a1, s.call_failed, 31)->flags = IOT_FAILED;
	sample_link(&s, link, s.a1, 22, s.b1, 31);
	sample_span(&s, s.a1, s.ex, 30, 40);
	sample_link(&s, link, s.a1, 41, s.b1, 40);
	sample_point(&s, s.a1, s.call_failed, 42);
	sample_value(&s, s.a1, bytes, 43, 9);
	sample_value(&s, s.b1, bytes, 43, 1);
	sample_span(&s, s.a1, s.ex, 110, 250);
	sample_value(&s, s.a1, bytes, 260, -2);
	blocks = iot_html_blocks_new("-", NULL);
	thin_blocks = iot_html_blocks_new("-", NULL);
	chunk = iot_html_chunk_new(s.tl, blocks, NULL);
	thin_chunk = iot_html_chunk_new(s.tl, thin_blocks, NULL);
	for (guint i = 0; i < s.items->len; i++)
		CU_ASSERT(iot_html_chunk_add(chunk, &g_array_index(s.items, struct iot_item, i),
					     NULL));
	CU_ASSERT(iot_html_chunk_end(chunk, NULL));
	thin.begin_ns = s.tl->zero_ns;
	thin.coarse = g_new0(guint8, s.tl->rows.n);
	thin.coarse[s.a1] = 1;
	CU_ASSERT(iot_html_thin_run(&thin, chunk, thin_chunk, NULL));
	CU_ASSERT(iot_html_chunk_end(thin_chunk, NULL));
	CU_ASSERT(iot_html_chunk_walk(thin_chunk, print_item, ((gpointer[]){ &s, got }), NULL));

	/* the order of sums at one instant: row, lane, category, to-end, direction */
	g_string_append_printf(want, "%u row %u cat %u 10..20\n", IOT_ITEM_SPAN, s.b1, s.ex);
	g_string_append_printf(want, "%u row %u cat %u 43..43 value 1\n", IOT_ITEM_SAMPLE, s.b1,
			       bytes);
	g_string_append_printf(want, "%u row %u cat %u 100..100 to %u sum of 1\n", IOT_ITEM_LINK,
			       s.b1, link, s.a1);
	g_string_append_printf(want, "%u row %u cat %u 80..100 sum of 1\n", IOT_ITEM_SPAN, s.a1,
			       s.pr);
	g_string_append_printf(want, "%u row %u cat %u 80..100 sum of 2\n", IOT_ITEM_SPAN, s.a1,
			       s.ex);
	g_string_append_printf(want, "%u row %u cat %u 100..100 sum of 2 flags %u\n",
			       IOT_ITEM_POINT, s.a1, s.call_failed, IOT_FAILED);
	g_string_append_printf(want, "%u row %u cat %u 91..100 to %u sum of 2\n", IOT_ITEM_LINK,
			       s.a1, link, s.b1);
	g_string_append_printf(want, "%u row %u cat %u 99..100 to %u sum of 1 flags %u\n",
			       IOT_ITEM_LINK, s.a1, link, s.b1, IOT_BACKWARDS);
	g_string_append_printf(want, "%u row %u cat %u 100..100 value 9 sum of 2\n",
			       IOT_ITEM_SAMPLE, s.a1, bytes);
	g_string_append_printf(want, "%u row %u cat %u 110..250\n", IOT_ITEM_SPAN, s.a1, s.ex);
	g_string_append_printf(want, "%u row %u cat %u 260..260 value -2 sum of 1\n",
			       IOT_ITEM_SAMPLE, s.a1, bytes);
	EXPECT_TEXT(got->str, want->str);
	CU_ASSERT_EQUAL(thin.n_thinned, 12);
	CU_ASSERT_EQUAL(thin.n_items, 11);
	iot_html_thin_clear(&thin);
	g_clear_pointer(&chunk, iot_html_chunk_free);
	g_clear_pointer(&thin_chunk, iot_html_chunk_free);
	sample_clear(&s);
}

/* What the sink counts if the page may have @max bytes. */
static struct iot_diag counts_of(struct sample *s, const char *max)
{
	g_autoptr(GHashTable) options =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("iotrace-XXXXXX", &path, NULL);
	struct iot_sink_args args = { .tl = s->tl, .path = path, .options = options };
	const struct iot_summary summary = { .begin_ns = s->tl->origin_ns,
					     .end_ns = s->tl->origin_ns + 99 };
	struct iot_sink *sink;
	struct iot_diag counts;

	g_hash_table_insert(options, g_strdup("max"), g_strdup(max));
	sink = iot_sink_html.open(&args, NULL);
	CU_ASSERT_FATAL(fd >= 0 && sink != NULL);
	for (guint i = 0; i < s->items->len; i++)
		CU_ASSERT(iot_sink_html.item(sink, &g_array_index(s->items, struct iot_item, i),
					     NULL));
	CU_ASSERT(iot_sink_html.finish(sink, &summary, NULL));
	counts = *iot_sink_html.diag(sink);
	iot_sink_html.free(sink);
	close(fd);
	g_unlink(path);
	return counts;
}

UNIT_TEST(html_counts_items_that_are_sums)
{
	struct sample s;
	struct iot_diag small, all;

	sample_init(&s);
	s.tl->zero_ns = s.tl->origin_ns;
	for (guint i = 0; i < 20; i++)
		sample_point(&s, s.a1, s.bast, i);
	small = counts_of(&s, "1");
	CU_ASSERT_EQUAL(small.count[IOT_DIAG_page_thinned], 20);
	CU_ASSERT_EQUAL(small.count[IOT_DIAG_page_too_large], 1);
	all = counts_of(&s, "0");
	CU_ASSERT_EQUAL(all.count[IOT_DIAG_page_thinned], 0);
	CU_ASSERT_EQUAL(all.count[IOT_DIAG_page_too_large], 0);
	sample_clear(&s);
}

UNIT_TEST(html_counts_accounts_that_are_left_out)
{
	struct sample s;
	struct iot_item part = { .kind = IOT_ITEM_PART, .n_attrs = IOT_PART_ATTRS };

	sample_init(&s);
	s.tl->zero_ns = s.tl->origin_ns;
	for (guint i = 0; i < 3; i++) {
		sample_span(&s, s.a1, s.pending, 10 * i, 10 * i + 7);
		part.row = s.a1;
		part.t0 = part.t1 = s.tl->origin_ns + 10 * i + 7;
		part.attr[IOT_PART_CAUSE].str = iot_intern_str(s.tl->strings, "held");
		part.attr[IOT_PART_TOOK].u = part.attr[IOT_PART_NS].u = i < 2 ? 7 : 8;
		g_array_append_val(s.items, part);
	}
	/* the last one is of no span that is there */
	CU_ASSERT_EQUAL(counts_of(&s, "1").count[IOT_DIAG_page_accounts_left_out], 2);
	CU_ASSERT_EQUAL(counts_of(&s, "0").count[IOT_DIAG_page_accounts_left_out], 0);
	sample_clear(&s);
}
