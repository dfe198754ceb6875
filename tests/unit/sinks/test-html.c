/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink-sample.h"
#include "base/error.h"
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
