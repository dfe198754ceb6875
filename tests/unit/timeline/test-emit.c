/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What reaches the feeds. Everything also has to pass the check of the contract (validate.h). */
#include "base/error.h"
#include "timeline-sample.h"
#include "timeline/emit.h"
#include "timeline/validate.h"

#include <string.h>

struct feeds {
	struct sample s;
	struct iot_emit *emit;
	struct iot_validate *validate[2];
	GString *text[2];
	gboolean fail;
};

static gboolean receive(gpointer data, const struct iot_item *item, GError **error)
{
	struct feeds *f = data;

	if (f->fail) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "disk full");
		return FALSE;
	}
	sample_print(&f->s, f->text[IOT_FEED_WITH_BEGINS], item);
	if (!iot_validate_item(f->validate[IOT_FEED_WITH_BEGINS], item, error))
		return FALSE;
	if (item->kind == IOT_ITEM_SPAN_BEGIN)
		return TRUE;
	sample_print(&f->s, f->text[IOT_FEED_WHOLE_SPANS], item);
	return iot_validate_item(f->validate[IOT_FEED_WHOLE_SPANS], item, error);
}

static void feeds_init(struct feeds *f, guint64 from, guint64 to)
{
	struct iot_emit_config config = { .from_ns = from,
					  .to_ns = to,
					  .memory = 1 << 20,
					  .begins = TRUE,
					  .func = receive,
					  .user_data = f };

	memset(f, 0, sizeof(*f));
	sample_init(&f->s);
	f->emit = iot_emit_new(f->s.tl, &config);
	for (guint i = 0; i < 2; i++) {
		f->validate[i] = iot_validate_new(f->s.tl, (enum iot_feed)i);
		f->text[i] = g_string_new(NULL);
	}
}

static void feeds_clear(struct feeds *f)
{
	iot_emit_free(f->emit);
	for (guint i = 0; i < 2; i++) {
		iot_validate_free(f->validate[i]);
		g_string_free(f->text[i], TRUE);
	}
	iot_timeline_free(f->s.tl);
}

static void advance(struct feeds *f, guint64 watermark)
{
	g_autoptr(GError) error = NULL;

	if (!iot_emit_advance(f->emit, watermark, &error)) {
		fprintf(stderr, "%s\n", error->message);
		CU_FAIL("advance");
	}
}

static void check_text(const char *got, const char *expected)
{
	if (strcmp(got, expected))
		fprintf(stderr, "got:\n%sexpected:\n%s", got, expected);
	CU_ASSERT_STRING_EQUAL(got, expected);
}

/* Finish, compare both feeds and clean up. */
static void finish(struct feeds *f, const char *end_feed, const char *time_feed)
{
	g_autoptr(GError) error = NULL;

	if (!iot_emit_finish(f->emit, &error) ||
	    !iot_validate_finish(f->validate[IOT_FEED_WHOLE_SPANS], &error) ||
	    !iot_validate_finish(f->validate[IOT_FEED_WITH_BEGINS], &error)) {
		fprintf(stderr, "%s\n", error->message);
		CU_FAIL("finish");
	}
	check_text(f->text[IOT_FEED_WHOLE_SPANS]->str, end_feed);
	check_text(f->text[IOT_FEED_WITH_BEGINS]->str, time_feed);
	feeds_clear(f);
}

static void begin(struct feeds *f, struct iot_span *span, iot_cat_id cat, iot_row_id row,
		  guint64 t0)
{
	span->item = sample_span(&f->s, cat, row, t0);
	iot_emit_begin(f->emit, span);
}

static void point(struct feeds *f, iot_row_id row, guint64 t)
{
	struct iot_item item = sample_point(&f->s, row, t);

	iot_emit_point(f->emit, &item);
}

static void link_ends(struct feeds *f, iot_row_id row, guint64 from, iot_row_id row_to, guint64 to)
{
	struct iot_item item = sample_link(&f->s, row, from, row_to, to);

	iot_emit_link(f->emit, &item);
}

UNIT_TEST(each_feed_has_its_order)
{
	struct iot_span outer = { 0 }, inner = { 0 };
	struct feeds f;

	feeds_init(&f, 0, G_MAXUINT64);
	begin(&f, &outer, f.s.hold, f.s.n, 10);
	begin(&f, &inner, f.s.wait, f.s.n, 12);
	point(&f, f.s.n, 11);
	iot_emit_end(f.emit, &inner, 20, IOT_FAILED);
	iot_emit_end(f.emit, &outer, 20, 0);
	begin(&f, &outer, f.s.hold, f.s.n, 20);
	advance(&f, 20);
	check_text(f.text[IOT_FEED_WITH_BEGINS]->str,
		   "begin n hold 10\npoint n event 11\nbegin n wait 12\n");
	iot_emit_end(f.emit, &outer, 30, IOT_UNFINISHED);
	finish(&f,
	       "point n event 11\nspan n wait 12-20 F\nspan n hold 10-20\nspan n hold 20-30 U\n",
	       "begin n hold 10\npoint n event 11\nbegin n wait 12\nspan n wait 12-20 F\n"
	       "span n hold 10-20\nbegin n hold 20\nspan n hold 20-30 U\n");
}

static void whole(struct feeds *f, iot_cat_id cat, guint64 t0, guint64 place, guint64 t1,
		  guint flags)
{
	struct iot_item item = sample_span(&f->s, cat, f->s.n, t0);

	iot_emit_span(f->emit, &item, place, t1, flags);
}

UNIT_TEST(what_is_emitted_whole_begins_and_ends)
{
	struct feeds f;
	guint64 first, second, gone;

	feeds_init(&f, 100, 200);
	gone = iot_emit_reserve(f.emit, 90);
	first = iot_emit_reserve(f.emit, 110);
	second = iot_emit_reserve(f.emit, 120);
	whole(&f, f.s.wait, 90, gone, 95, 0); /* left of the window */
	whole(&f, f.s.hold, 90, gone, 105, IOT_FAILED);
	whole(&f, f.s.wait, 120, second, 130, IOT_FAILED);
	whole(&f, f.s.hold, 110, first, 140, 0);
	whole(&f, f.s.hold, 150, first, 160, 0); /* not its place */
	whole(&f, f.s.wait, 150, 0, 155, 0);
	whole(&f, f.s.hold, 190, 0, 220, IOT_UNFINISHED);
	whole(&f, f.s.wait, 200, 0, 200, 0);
	whole(&f, f.s.wait, 170, 0, 160, 0);
	CU_ASSERT_EQUAL(iot_row_at(f.s.tl, f.s.n)->n_items, 8);
	CU_ASSERT_EQUAL(iot_row_at(f.s.tl, f.s.n)->wait_ns, 15);
	CU_ASSERT_EQUAL(iot_emit_items(f.emit), 18);
	iot_emit_advance(f.emit, 100, NULL);
	finish(&f,
	       "span n hold 100-105 FL\nspan n wait 120-130 F\nspan n hold 110-140\n"
	       "span n wait 150-155\nspan n hold 150-160\nspan n wait 170\n"
	       "span n hold 190-200 R\nspan n wait 200\n",
	       "begin n hold 100 L\nspan n hold 100-105 FL\nbegin n hold 110\nbegin n wait 120\n"
	       "span n wait 120-130 F\nspan n hold 110-140\nbegin n hold 150\nbegin n wait 150\n"
	       "span n wait 150-155\nspan n hold 150-160\nbegin n wait 170\nspan n wait 170\n"
	       "begin n hold 190\nspan n hold 190-200 R\nbegin n wait 200\nspan n wait 200\n");
}

UNIT_TEST(a_span_that_is_not_open_does_not_end)
{
	struct iot_span span = { 0 };
	struct feeds f;

	feeds_init(&f, 0, G_MAXUINT64);
	iot_emit_end(f.emit, &span, 10, 0);
	begin(&f, &span, f.s.hold, f.s.n, 10);
	iot_emit_end(f.emit, &span, 12, 0);
	iot_emit_end(f.emit, &span, 14, 0);
	finish(&f, "span n hold 10-12\n", "begin n hold 10\nspan n hold 10-12\n");
}

UNIT_TEST(a_span_does_not_end_before_it_begins)
{
	struct iot_span span = { 0 };
	struct feeds f;

	feeds_init(&f, 0, G_MAXUINT64);
	begin(&f, &span, f.s.hold, f.s.n, 10);
	iot_emit_end(f.emit, &span, 5, 0);
	finish(&f, "span n hold 10\n", "begin n hold 10\nspan n hold 10\n");
}

/* Keeps the attributes of the items of one feed; what a begin says of late ones has no meaning. */
static gboolean keep_attrs(gpointer data, const struct iot_item *item, GError **error)
{
	(void)error;
	if (item->kind == IOT_ITEM_SPAN_BEGIN)
		g_string_append_printf(data, "begin %u ", (guint)item->attr[0].u);
	else
		g_string_append_printf(data, "%u:%u/%u ", item->kind, (guint)item->attr[0].u,
				       (guint)item->attr[1].u);
	return TRUE;
}

UNIT_TEST(late_attributes_come_with_the_end)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct iot_emit_config config = { .to_ns = G_MAXUINT64,
					  .memory = 1 << 20,
					  .begins = TRUE,
					  .func = keep_attrs,
					  .user_data = text };
	struct iot_span span = { 0 };
	struct iot_emit *emit;
	struct sample s;

	sample_init(&s);
	emit = iot_emit_new(s.tl, &config);
	span.item = sample_span(&s, s.hold, s.n, 10);
	iot_emit_begin(emit, &span);
	span.item.attr[1].u = 5;
	iot_emit_end(emit, &span, 20, 0);
	CU_ASSERT(iot_emit_finish(emit, NULL));
	CU_ASSERT_STRING_EQUAL(text->str, "begin 10 0:10/5 ");
	iot_emit_free(emit);
	iot_timeline_free(s.tl);
}

UNIT_TEST(items_are_cut_to_the_window)
{
	struct iot_span left = { 0 }, right = { 0 }, both = { 0 }, inside = { 0 };
	struct feeds f;

	feeds_init(&f, 100, 200);
	begin(&f, &both, f.s.hold, f.s.m, 10);
	begin(&f, &left, f.s.hold, f.s.n, 50);
	point(&f, f.s.n, 99);
	point(&f, f.s.n, 100);
	iot_emit_end(f.emit, &left, 120, 0);
	begin(&f, &inside, f.s.hold, f.s.n, 130);
	iot_emit_end(f.emit, &inside, 140, IOT_SUSPECT);
	begin(&f, &right, f.s.hold, f.s.n, 150);
	point(&f, f.s.n, 200);
	point(&f, f.s.n, 201);
	iot_emit_end(f.emit, &right, 250, IOT_UNFINISHED);
	iot_emit_end(f.emit, &both, 300, 0);
	finish(&f,
	       "point n event 100\nspan n hold 100-120 L\nspan n hold 130-140 S\n"
	       "point n event 200\nspan n hold 150-200 R\nspan m hold 100-200 LR\n",
	       "begin m hold 100 L\nbegin n hold 100 L\npoint n event 100\nspan n hold 100-120 L\n"
	       "begin n hold 130\nspan n hold 130-140 S\nbegin n hold 150\npoint n event 200\n"
	       "span n hold 150-200 R\nspan m hold 100-200 LR\n");
}

UNIT_TEST(what_only_touches_the_window_is_left_out)
{
	struct iot_span span = { 0 };
	struct feeds f;

	feeds_init(&f, 100, 200);
	begin(&f, &span, f.s.hold, f.s.n, 50);
	iot_emit_end(f.emit, &span, 100, 0);
	begin(&f, &span, f.s.hold, f.s.n, 100);
	iot_emit_end(f.emit, &span, 100, 0);
	begin(&f, &span, f.s.hold, f.s.n, 200);
	iot_emit_end(f.emit, &span, 200, 0);
	begin(&f, &span, f.s.hold, f.s.n, 200);
	iot_emit_end(f.emit, &span, 300, 0);
	begin(&f, &span, f.s.hold, f.s.n, 300);
	iot_emit_end(f.emit, &span, 400, 0);
	finish(&f, "span n hold 100\nspan n hold 200\n",
	       "begin n hold 100\nspan n hold 100\nbegin n hold 200\nspan n hold 200\n");
}

UNIT_TEST(gaps_are_cut_to_the_window)
{
	static const guint64 gaps[][2] = { { 10, 90 }, { 50, 150 }, { 190, 300 }, { 250, 300 } };
	struct feeds f;

	feeds_init(&f, 100, 200);
	for (guint i = 0; i < G_N_ELEMENTS(gaps); i++) {
		struct iot_item item = { .t0 = gaps[i][0], .t1 = gaps[i][1] };

		iot_emit_gap(f.emit, &item);
	}
	finish(&f, "gap 100-150 L\ngap 190-200 R\n", "gap 100-150 L\ngap 190-200 R\n");
}

/* A link comes at its later end. */
UNIT_TEST(links_come_in_order)
{
	const char *want = "link n message 20-30 to m <\npoint n event 35\n"
			   "link m message 10-40 to m\nlink n message 40 to n\n"
			   "link n message 5-40 to m\n";
	struct feeds f;

	feeds_init(&f, 0, G_MAXUINT64);
	link_ends(&f, f.s.m, 10, f.s.m, 40);
	point(&f, f.s.n, 35);
	link_ends(&f, f.s.n, 30, f.s.m, 20);
	link_ends(&f, f.s.n, 40, f.s.n, 40);
	link_ends(&f, f.s.n, 5, f.s.m, 40);
	finish(&f, want, want);
}

/* The later end decides whether a link is in the window. */
UNIT_TEST(links_are_cut_to_the_window)
{
	const char *want = "link n message 100 to m L\nlink n message 100-150 to m L\n"
			   "link n message 100-160 to m L<\nlink n message 100-200 to m\n";
	struct feeds f;

	feeds_init(&f, 100, 200);
	link_ends(&f, f.s.n, 50, f.s.m, 99);
	link_ends(&f, f.s.n, 50, f.s.m, 100);
	link_ends(&f, f.s.n, 50, f.s.m, 150);
	link_ends(&f, f.s.n, 160, f.s.m, 50);
	link_ends(&f, f.s.n, 100, f.s.m, 200);
	link_ends(&f, f.s.n, 150, f.s.m, 201);
	link_ends(&f, f.s.n, 250, f.s.m, 150);
	link_ends(&f, f.s.n, 50, f.s.m, 250);
	finish(&f, want, want);
}

/* A hidden end moves to the other one. */
UNIT_TEST(links_to_hidden_rows_are_stubs)
{
	const char *want =
		"link n message 10-20 to n t\nlink n message 30-40 lane 1 to n lane 1 f\n"
		"link m message 50-60 to m <t\n";
	struct iot_item item;
	struct feeds f;

	feeds_init(&f, 0, G_MAXUINT64);
	iot_row_at(f.s.tl, f.s.n)->n_lanes = 2;
	link_ends(&f, f.s.n, 10, f.s.h, 20);
	link_ends(&f, f.s.h, 25, f.s.h, 26);
	item = sample_link(&f.s, f.s.h, 30, f.s.n, 40);
	item.lane_to = 1;
	iot_emit_link(f.emit, &item);
	link_ends(&f, f.s.m, 60, f.s.h, 50);
	CU_ASSERT_EQUAL(iot_row_at(f.s.tl, f.s.n)->n_items, 0);
	finish(&f, want, want);
}

UNIT_TEST(open_spans_begin_at_the_left_edge_outer_first)
{
	struct iot_span outer = { 0 }, inner = { 0 }, gone = { 0 }, other = { 0 };
	struct feeds f;

	feeds_init(&f, 100, G_MAXUINT64);
	begin(&f, &gone, f.s.hold, f.s.n, 10);
	begin(&f, &other, f.s.hold, f.s.m, 15);
	iot_emit_end(f.emit, &gone, 20, 0);
	begin(&f, &outer, f.s.hold, f.s.n, 20);
	begin(&f, &inner, f.s.wait, f.s.n, 30);
	advance(&f, 100);
	CU_ASSERT_STRING_EQUAL(f.text[IOT_FEED_WITH_BEGINS]->str, "");
	advance(&f, 101);
	check_text(f.text[IOT_FEED_WITH_BEGINS]->str,
		   "begin m hold 100 L\nbegin n hold 100 L\nbegin n wait 100 L\n");
	iot_emit_end(f.emit, &inner, 130, 0);
	iot_emit_end(f.emit, &outer, 140, 0);
	iot_emit_end(f.emit, &other, 150, 0);
	finish(&f, "span n wait 100-130 L\nspan n hold 100-140 L\nspan m hold 100-150 L\n",
	       "begin m hold 100 L\nbegin n hold 100 L\nbegin n wait 100 L\nspan n wait 100-130 L\n"
	       "span n hold 100-140 L\nspan m hold 100-150 L\n");
}

/* A call that is open elsewhere holds the watermark back, so spans end before the window opens. */
UNIT_TEST(nesting_at_the_left_edge_with_a_late_watermark)
{
	struct iot_span outer = { 0 }, inner = { 0 }, next = { 0 };
	struct feeds f;

	feeds_init(&f, 100, G_MAXUINT64);
	begin(&f, &outer, f.s.hold, f.s.n, 20);
	begin(&f, &inner, f.s.wait, f.s.n, 30);
	advance(&f, 25);
	iot_emit_end(f.emit, &inner, 130, 0);
	begin(&f, &next, f.s.wait, f.s.n, 130);
	iot_emit_end(f.emit, &next, 135, 0);
	advance(&f, 25);
	iot_emit_end(f.emit, &outer, 140, 0);
	finish(&f, "span n wait 100-130 L\nspan n wait 130-135\nspan n hold 100-140 L\n",
	       "begin n hold 100 L\nbegin n wait 100 L\nspan n wait 100-130 L\nbegin n wait 130\n"
	       "span n wait 130-135\nspan n hold 100-140 L\n");
}

/* Spans that begin in the past are delivered after later items, on an unused lane. */
UNIT_TEST(spans_from_before_the_recording_come_late)
{
	struct iot_span span = { 0 };
	struct feeds f;

	feeds_init(&f, 0, G_MAXUINT64);
	iot_row_at(f.s.tl, f.s.n)->n_lanes = 2;
	point(&f, f.s.n, 50);
	advance(&f, 60);
	span.item = sample_span(&f.s, f.s.hold, f.s.n, 5);
	span.item.lane = 1;
	span.item.flags = IOT_BEFORE;
	iot_emit_begin(f.emit, &span);
	iot_emit_end(f.emit, &span, 70, 0);
	finish(&f, "point n event 50\nspan n hold 5-70 lane 1 B\n",
	       "point n event 50\nbegin n hold 5 lane 1 B\nspan n hold 5-70 lane 1 B\n");
}

UNIT_TEST(spans_from_before_the_recording_are_cut_to_the_window)
{
	struct iot_span span = { 0 };
	struct feeds f;

	feeds_init(&f, 40, G_MAXUINT64);
	iot_row_at(f.s.tl, f.s.n)->n_lanes = 2;
	point(&f, f.s.n, 50);
	advance(&f, 60);
	span.item = sample_span(&f.s, f.s.hold, f.s.n, 5);
	span.item.lane = 1;
	span.item.flags = IOT_BEFORE;
	iot_emit_begin(f.emit, &span);
	iot_emit_end(f.emit, &span, 70, 0);
	finish(&f, "point n event 50\nspan n hold 40-70 lane 1 BL\n",
	       "point n event 50\nbegin n hold 40 lane 1 BL\nspan n hold 40-70 lane 1 BL\n");
}

UNIT_TEST(nothing_is_drawn_on_hidden_rows)
{
	struct iot_span span = { 0 };
	struct feeds f;

	feeds_init(&f, 0, G_MAXUINT64);
	begin(&f, &span, f.s.wait, f.s.h, 10);
	point(&f, f.s.h, 15);
	iot_emit_end(f.emit, &span, 20, 0);
	CU_ASSERT_EQUAL(iot_row_at(f.s.tl, f.s.h)->wait_ns, 0);
	CU_ASSERT_EQUAL(iot_row_at(f.s.tl, f.s.a)->wait_ns, 0);
	CU_ASSERT_EQUAL(iot_row_at(f.s.tl, f.s.a)->n_items, 0);
	finish(&f, "", "");
}

UNIT_TEST(waiting_is_added_to_the_row_and_all_above)
{
	struct iot_span hold = { 0 }, wait = { 0 };
	struct feeds f;

	feeds_init(&f, 100, 200);
	begin(&f, &hold, f.s.hold, f.s.n, 50);
	begin(&f, &wait, f.s.wait, f.s.n, 90);
	iot_emit_end(f.emit, &wait, 130, 0);
	begin(&f, &wait, f.s.wait, f.s.n, 140);
	iot_emit_end(f.emit, &wait, 145, 0);
	begin(&f, &wait, f.s.wait, f.s.m, 190);
	point(&f, f.s.m, 195);
	point(&f, f.s.m, 250);
	iot_emit_end(f.emit, &wait, 260, 0);
	iot_emit_end(f.emit, &hold, 300, 0);
	CU_ASSERT(iot_emit_finish(f.emit, NULL));
	/* only time and items in the window count */
	CU_ASSERT_EQUAL(iot_row_at(f.s.tl, f.s.n)->wait_ns, 30 + 5);
	CU_ASSERT_EQUAL(iot_row_at(f.s.tl, f.s.n)->n_items, 3);
	CU_ASSERT_EQUAL(iot_row_at(f.s.tl, f.s.m)->wait_ns, 10);
	CU_ASSERT_EQUAL(iot_row_at(f.s.tl, f.s.m)->n_items, 2);
	CU_ASSERT_EQUAL(iot_row_at(f.s.tl, f.s.a)->wait_ns, 45);
	CU_ASSERT_EQUAL(iot_row_at(f.s.tl, f.s.a)->n_items, 5);
	feeds_clear(&f);
}

UNIT_TEST(an_error_of_an_output_is_kept_for_the_next_advance)
{
	g_autoptr(GError) error = NULL;
	struct iot_span span = { 0 };
	struct feeds f;

	feeds_init(&f, 0, G_MAXUINT64);
	f.fail = TRUE;
	begin(&f, &span, f.s.hold, f.s.n, 10);
	point(&f, f.s.n, 15);
	CU_ASSERT_FALSE(iot_emit_advance(f.emit, 20, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_OUTPUT));
	iot_emit_end(f.emit, &span, 30, 0);
	feeds_clear(&f);
}

UNIT_TEST(no_feed_is_wanted_but_rows_are_ranked)
{
	struct iot_emit_config config = { .to_ns = G_MAXUINT64 };
	struct iot_span span = { 0 };
	struct iot_emit *emit;
	struct sample s;

	sample_init(&s);
	emit = iot_emit_new(s.tl, &config);
	span.item = sample_span(&s, s.wait, s.n, 10);
	iot_emit_begin(emit, &span);
	iot_emit_end(emit, &span, 20, 0);
	CU_ASSERT(iot_emit_finish(emit, NULL));
	CU_ASSERT_EQUAL(iot_row_at(s.tl, s.n)->wait_ns, 10);
	CU_ASSERT_EQUAL(iot_emit_spilled(emit), 0);
	iot_emit_free(emit);
	iot_emit_free(NULL);
	iot_timeline_free(s.tl);
}
