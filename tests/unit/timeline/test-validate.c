/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every rule of the contract, broken once: the check must say which. */
#include "base/error.h"
#include "timeline-sample.h"
#include "timeline/validate.h"

#include <string.h>

struct checked {
	struct sample s;
	struct iot_validate *validate;
};

static void checked_init(struct checked *c, enum iot_feed feed)
{
	sample_init(&c->s);
	iot_row_at(c->s.tl, c->s.n)->n_lanes = 2;
	c->validate = iot_validate_new(c->s.tl, feed);
}

static void checked_clear(struct checked *c)
{
	iot_validate_free(c->validate);
	iot_timeline_free(c->s.tl);
}

static void good(struct checked *c, const struct iot_item *item)
{
	g_autoptr(GError) error = NULL;

	if (!iot_validate_item(c->validate, item, &error)) {
		fprintf(stderr, "%s\n", error->message);
		CU_FAIL("a good item is refused");
	}
}

static void check_error(gboolean ok, const GError *error, const char *rule)
{
	CU_ASSERT_FALSE(ok);
	CU_ASSERT_FATAL(error != NULL);
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_INTERNAL));
	if (!strstr(error->message, rule))
		fprintf(stderr, "\"%s\" does not say \"%s\"\n", error->message, rule);
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, rule));
}

static void bad(struct checked *c, const struct iot_item *item, const char *rule)
{
	g_autoptr(GError) error = NULL;
	gboolean ok = iot_validate_item(c->validate, item, &error);

	check_error(ok, error, rule);
}

static struct iot_item span_of(const struct checked *c, enum iot_item_kind kind, guint64 t0,
			       guint64 t1)
{
	struct iot_item item = sample_span(&c->s, c->s.hold, c->s.n, t0);

	item.kind = (guint8)kind;
	item.t1 = t1;
	return item;
}

UNIT_TEST(good_end_feed_passes)
{
	struct iot_item item;
	struct checked c;

	checked_init(&c, IOT_FEED_WHOLE_SPANS);
	item = span_of(&c, IOT_ITEM_SPAN, 5, 10);
	good(&c, &item);
	item = sample_point(&c.s, c.s.n, 10);
	good(&c, &item);
	item = (struct iot_item){ .kind = IOT_ITEM_GAP, .t0 = 1, .t1 = 12 };
	good(&c, &item);
	item = span_of(&c, IOT_ITEM_SPAN, 2, 12);
	item.lane = 1;
	good(&c, &item);
	CU_ASSERT(iot_validate_finish(c.validate, NULL));
	checked_clear(&c);
	iot_validate_free(NULL);
}

UNIT_TEST(good_time_feed_passes)
{
	struct iot_item item;
	struct checked c;

	checked_init(&c, IOT_FEED_WITH_BEGINS);
	item = span_of(&c, IOT_ITEM_SPAN_BEGIN, 5, 5);
	good(&c, &item);
	item = sample_span(&c.s, c.s.wait, c.s.n, 8);
	item.kind = IOT_ITEM_SPAN_BEGIN;
	good(&c, &item);
	item.kind = IOT_ITEM_SPAN;
	item.t1 = 9;
	good(&c, &item);
	/* late, but marked so, and on a lane of its own */
	item = span_of(&c, IOT_ITEM_SPAN_BEGIN, 1, 1);
	item.flags = IOT_BEFORE;
	item.lane = 1;
	good(&c, &item);
	item = span_of(&c, IOT_ITEM_SPAN, 5, 20);
	good(&c, &item);
	item = span_of(&c, IOT_ITEM_SPAN, 1, 20);
	item.lane = 1;
	good(&c, &item);
	CU_ASSERT(iot_validate_finish(c.validate, NULL));
	checked_clear(&c);
}

static struct iot_item span_on_lane(const struct checked *c, enum iot_item_kind kind, guint64 t0,
				    guint64 t1, guint lane)
{
	struct iot_item item = span_of(c, kind, t0, t1);

	item.lane = (guint16)lane;
	return item;
}

UNIT_TEST(only_spans_of_the_shared_lane_may_overlap)
{
	for (guint lane = IOT_LAST_LANE - 1; lane <= IOT_LAST_LANE; lane++) {
		struct iot_item item;
		struct checked c;

		checked_init(&c, IOT_FEED_WITH_BEGINS);
		iot_row_at(c.s.tl, c.s.n)->n_lanes = IOT_LAST_LANE + 1;
		item = span_on_lane(&c, IOT_ITEM_SPAN_BEGIN, 5, 5, lane);
		good(&c, &item);
		item = span_on_lane(&c, IOT_ITEM_SPAN_BEGIN, 6, 6, lane);
		good(&c, &item);
		item = span_on_lane(&c, IOT_ITEM_SPAN, 5, 7, lane);
		if (lane == IOT_LAST_LANE)
			good(&c, &item);
		else
			bad(&c, &item, "do not nest");
		checked_clear(&c);
	}
}

UNIT_TEST(times_that_are_wrong_are_found)
{
	struct iot_item item;
	struct checked c;

	checked_init(&c, IOT_FEED_WHOLE_SPANS);
	item = span_of(&c, IOT_ITEM_SPAN, 11, 10);
	bad(&c, &item, "ends before it begins");
	item = (struct iot_item){ .kind = IOT_ITEM_GAP, .t0 = 2, .t1 = 1 };
	bad(&c, &item, "ends before it begins");
	item = sample_point(&c.s, c.s.n, 20);
	good(&c, &item);
	item = sample_point(&c.s, c.s.m, 19);
	bad(&c, &item, "out of order");
	/* BEFORE excuses begins, nothing else */
	item = span_of(&c, IOT_ITEM_SPAN, 1, 19);
	item.flags = IOT_BEFORE;
	bad(&c, &item, "out of order");
	checked_clear(&c);
}

UNIT_TEST(links_pass_in_both_feeds)
{
	for (guint feed = 0; feed < 2; feed++) {
		struct iot_item item;
		struct checked c;

		checked_init(&c, (enum iot_feed)feed);
		item = sample_point(&c.s, c.s.m, 10);
		good(&c, &item);
		item = sample_link(&c.s, c.s.n, 3, c.s.m, 10);
		good(&c, &item);
		item = sample_link(&c.s, c.s.m, 11, c.s.n, 2);
		item.lane_to = 1;
		good(&c, &item);
		item = sample_link(&c.s, c.s.a, 11, c.s.n, 11);
		good(&c, &item);
		CU_ASSERT(iot_validate_finish(c.validate, NULL));
		checked_clear(&c);
	}
}

UNIT_TEST(wrong_links_are_found)
{
	struct iot_item item, link;
	struct checked c;

	checked_init(&c, IOT_FEED_WHOLE_SPANS);
	link = sample_link(&c.s, c.s.n, 10, c.s.m, 20);
	item = link;
	item.row_to = 0;
	bad(&c, &item, "no such row at the second end");
	item.row_to = 99;
	bad(&c, &item, "no such row at the second end");
	item.row_to = c.s.h;
	bad(&c, &item, "second end is on a row that is not selected");
	item = link;
	item.lane_to = 1;
	bad(&c, &item, "no such lane at the second end");
	item = link;
	item.flags = IOT_TO_HIDDEN;
	bad(&c, &item, "a hidden end is not at the other one");
	item.row_to = c.s.n;
	item.lane_to = 1;
	bad(&c, &item, "a hidden end is not at the other one");
	item.lane_to = 0;
	item.flags = IOT_FROM_HIDDEN | IOT_TO_HIDDEN;
	bad(&c, &item, "both ends are hidden");
	item.flags = IOT_TO_HIDDEN | IOT_FROM_UNSEEN;
	bad(&c, &item, "no end of the link is there");
	item.flags = IOT_FROM_UNSEEN | IOT_TO_UNSEEN;
	bad(&c, &item, "no end of the link is there");
	item.flags = IOT_TO_UNSEEN;
	bad(&c, &item, "an unseen end is not at the other one");
	item = sample_link(&c.s, c.s.n, 10, c.s.m, 10);
	item.flags = IOT_FROM_UNSEEN;
	bad(&c, &item, "an unseen end is not at the other one");
	item.flags = IOT_BACKWARDS;
	bad(&c, &item, "a link of no length runs backwards");
	item = link;
	item.kind = IOT_ITEM_SPAN;
	bad(&c, &item, "kind of item and type differ");
	item = span_of(&c, IOT_ITEM_SPAN, 1, 2);
	item.kind = IOT_ITEM_LINK;
	bad(&c, &item, "kind of item and type differ");
	item = span_of(&c, IOT_ITEM_SPAN, 1, 2);
	item.asks = c.s.n; /* no category of the sample is compared */
	bad(&c, &item, "asks for no mode");
	item.asks = 0;
	item.flags = IOT_BACKWARDS;
	bad(&c, &item, "only a link has a second end");
	good(&c, &link);
	item = sample_link(&c.s, c.s.n, 10, c.s.m, 19);
	bad(&c, &item, "out of order");
	checked_clear(&c);
}

UNIT_TEST(late_begins_are_found)
{
	struct iot_item item;
	struct checked c;

	checked_init(&c, IOT_FEED_WITH_BEGINS);
	item = sample_point(&c.s, c.s.n, 20);
	good(&c, &item);
	item = span_of(&c, IOT_ITEM_SPAN_BEGIN, 10, 10);
	item.lane = 1;
	bad(&c, &item, "out of order");
	item.lane = 0;
	item.flags = IOT_BEFORE;
	bad(&c, &item, "out of order on its lane");
	checked_clear(&c);
}

UNIT_TEST(references_that_are_wrong_are_found)
{
	struct iot_item item;
	struct checked c;

	checked_init(&c, IOT_FEED_WHOLE_SPANS);
	item = sample_point(&c.s, 0, 5);
	bad(&c, &item, "no such row");
	item = sample_point(&c.s, 99, 5);
	bad(&c, &item, "no such row");
	item = sample_point(&c.s, c.s.n, 5);
	item.type = 0;
	bad(&c, &item, "no such type or category");
	item.type = 99;
	bad(&c, &item, "no such type or category");
	item = sample_point(&c.s, c.s.n, 5);
	item.cat = 0;
	bad(&c, &item, "no such type or category");
	item.cat = 99;
	bad(&c, &item, "no such type or category");
	item.cat = c.s.hold;
	bad(&c, &item, "the category belongs to another type");
	item = sample_point(&c.s, c.s.a, 5);
	bad(&c, &item, "not drawn on rows of this kind");
	item = sample_point(&c.s, c.s.n, 5);
	item.n_attrs = 1;
	bad(&c, &item, "number of attributes");
	item = sample_span(&c.s, c.s.hold, c.s.n, 5);
	item.kind = IOT_ITEM_POINT;
	bad(&c, &item, "kind of item and type differ");
	item = sample_point(&c.s, c.s.n, 5);
	item.kind = IOT_ITEM_SPAN;
	bad(&c, &item, "kind of item and type differ");
	item = sample_point(&c.s, c.s.h, 5);
	bad(&c, &item, "not selected");
	item = sample_point(&c.s, c.s.n, 5);
	item.lane = 2;
	bad(&c, &item, "no such lane");
	checked_clear(&c);
}

UNIT_TEST(nesting_that_is_wrong_is_found)
{
	struct iot_item item;
	struct checked c;

	checked_init(&c, IOT_FEED_WITH_BEGINS);
	item = span_of(&c, IOT_ITEM_SPAN, 5, 5);
	bad(&c, &item, "a span ends that has not begun");
	item = span_of(&c, IOT_ITEM_SPAN_BEGIN, 5, 5);
	good(&c, &item);
	item = sample_span(&c.s, c.s.wait, c.s.n, 6);
	item.kind = IOT_ITEM_SPAN_BEGIN;
	good(&c, &item);
	item = span_of(&c, IOT_ITEM_SPAN, 5, 9);
	bad(&c, &item, "do not nest");
	/* the right category, but another begin */
	item = sample_span(&c.s, c.s.wait, c.s.n, 5);
	item.kind = IOT_ITEM_SPAN;
	item.t1 = 9;
	bad(&c, &item, "do not nest");
	/* on another lane it has not begun at all */
	item = sample_span(&c.s, c.s.wait, c.s.n, 6);
	item.kind = IOT_ITEM_SPAN;
	item.t1 = 9;
	item.lane = 1;
	bad(&c, &item, "a span ends that has not begun");
	checked_clear(&c);
}

UNIT_TEST(spans_that_never_end_are_found)
{
	g_autoptr(GError) error = NULL;
	struct iot_item item;
	struct checked c;
	gboolean ok;

	checked_init(&c, IOT_FEED_WITH_BEGINS);
	item = span_of(&c, IOT_ITEM_SPAN_BEGIN, 5, 5);
	item.lane = 1;
	good(&c, &item);
	ok = iot_validate_finish(c.validate, &error);
	check_error(ok, error, "1 spans never end in row 2, lane 1");
	checked_clear(&c);
}
