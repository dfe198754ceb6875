/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --follow shows of small pictures. The rows are n and m below a; spans have the attributes id
 * and result, links have no attributes of their own. */
#include "../timeline/timeline-sample.h"
#include "base/error.h"
#include "run/tools/follow.h"

#include <string.h>

enum { MAX_ITEMS = 16 };

struct picture {
	struct sample s;
	struct iot_item items[MAX_ITEMS];
	guint n;
};

static struct iot_item *add(struct picture *p, struct iot_item item)
{
	p->items[p->n] = item;
	return &p->items[p->n++];
}

static struct iot_item *add_span(struct picture *p, iot_cat_id cat, iot_row_id row, guint64 id,
				 guint64 t0, guint64 t1)
{
	struct iot_item item = sample_span(&p->s, cat, row, t0);

	item.t1 = t1;
	item.attr[0].u = id;
	return add(p, item);
}

static void add_link(struct picture *p, iot_row_id from, guint64 t_from, iot_row_id to,
		     guint64 t_to)
{
	struct iot_item item = { .type = p->s.link, .cat = p->s.message, .row = from };

	iot_link_set(&item, t_from, to, 0, t_to);
	add(p, item);
}

/* The numbers of the items that are shown, "0 1 4", and of passes before: "/2". */
static char *follow(struct picture *p, const char *what)
{
	struct iot_follow *f = iot_follow_new(what, NULL);
	GString *text = g_string_new(NULL);
	guint looks = 0;
	gboolean again = TRUE;

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	for (; again; looks++) {
		iot_follow_begin(f, p->s.tl);
		for (guint i = 0; i < p->n; i++)
			CU_ASSERT(iot_follow_observe(f, &p->items[i], NULL));
		again = iot_follow_end(f);
	}
	iot_follow_begin(f, p->s.tl);
	for (guint i = 0; i < p->n; i++)
		if (iot_follow_shows(f, &p->items[i]))
			g_string_append_printf(text, "%u ", i);
	g_string_append_printf(text, "/%u", looks);
	iot_follow_free(f);
	return g_string_free(text, FALSE);
}

static void expect(struct picture *p, const char *what, const char *text)
{
	g_autofree char *found = follow(p, what);

	CU_ASSERT_STRING_EQUAL(found, text);
}

static void picture_init(struct picture *p)
{
	memset(p, 0, sizeof(*p));
	sample_init(&p->s);
	iot_type_add_attr(p->s.tl, p->s.point,
			  &(struct iot_attr_def){ iot_intern_str(p->s.tl->strings, "name"),
						  IOT_ATTR_STR, FALSE });
}

/* 7 on n sends to 8 on m, which sends on to 9 on n; 5 has nothing to do with them. */
UNIT_TEST(links_lead_on)
{
	struct picture p;

	picture_init(&p);
	add_link(&p, p.s.n, 12, p.s.m, 21);
	add_span(&p, p.s.wait, p.s.n, 5, 1, 5);
	add_span(&p, p.s.wait, p.s.n, 7, 10, 15);
	add_span(&p, p.s.wait, p.s.m, 8, 20, 30);
	add_link(&p, p.s.m, 30, p.s.n, 42);
	add_span(&p, p.s.wait, p.s.n, 9, 40, 45);
	add_link(&p, p.s.m, 61, p.s.n, 62);
	expect(&p, "7", "0 2 3 4 5 /2");
	expect(&p, "id=9", "0 2 3 4 5 /2");
	expect(&p, "5", "1 /2");
	expect(&p, "0x7", "0 2 3 4 5 /2");
	expect(&p, "result=77", "0 1 2 3 4 5 /2");
	expect(&p, "77", "/1");
	iot_timeline_free(p.s.tl);
}

/* A lock is held from 0 to 100 on both rows, during many calls. */
UNIT_TEST(what_is_held_connects_nothing)
{
	struct picture p;

	picture_init(&p);
	add_span(&p, p.s.wait, p.s.n, 1, 10, 15);
	add_link(&p, p.s.n, 12, p.s.m, 21);
	add_span(&p, p.s.wait, p.s.n, 2, 50, 55);
	add_link(&p, p.s.n, 52, p.s.m, 61);
	add_span(&p, p.s.hold, p.s.n, 3, 0, 100);
	add_span(&p, p.s.hold, p.s.m, 4, 0, 100);
	expect(&p, "1", "0 1 /2");
	expect(&p, "3", "0 2 4 /2");
	iot_timeline_free(p.s.tl);
}

/* A message is sent on at the instant at which it came, outside of any span. */
UNIT_TEST(instants_lead_on)
{
	struct picture p;

	picture_init(&p);
	add_span(&p, p.s.wait, p.s.n, 1, 10, 15);
	add_link(&p, p.s.n, 12, p.s.m, 21);
	add_link(&p, p.s.m, 21, p.s.a, 30);
	add_link(&p, p.s.m, 22, p.s.a, 33);
	expect(&p, "1", "0 1 2 /2");
	iot_timeline_free(p.s.tl);
}

/* The innermost span is the one that is linked; what is inside a shown span is shown. */
UNIT_TEST(innermost_spans_are_linked)
{
	struct picture p;
	struct iot_item point;

	picture_init(&p);
	point = (struct iot_item){ .kind = IOT_ITEM_POINT,
				   .n_attrs = 1,
				   .type = p.s.point,
				   .cat = p.s.event,
				   .row = p.s.m,
				   .t0 = 23,
				   .t1 = 23 };
	add_link(&p, p.s.n, 12, p.s.m, 22);
	add_span(&p, p.s.wait, p.s.n, 1, 10, 15);
	add(&p, point);
	add_span(&p, p.s.wait, p.s.m, 3, 22, 23);
	add_span(&p, p.s.wait, p.s.m, 2, 21, 25);
	add_span(&p, p.s.wait, p.s.m, 4, 20, 30);
	expect(&p, "1", "0 1 2 3 /2");
	expect(&p, "2", "2 3 4 /2");
	expect(&p, "4", "2 3 4 5 /2");
	iot_timeline_free(p.s.tl);
}

/* The begin of a span is shown if and only if the span is. */
UNIT_TEST(begins_go_with_their_spans)
{
	struct picture p;

	picture_init(&p);
	add_span(&p, p.s.hold, p.s.n, 3, 10, 90)->kind = IOT_ITEM_SPAN_BEGIN;
	p.items[0].t1 = 10;
	p.items[0].attr[0].u = 0;
	add_span(&p, p.s.wait, p.s.n, 1, 10, 10)->kind = IOT_ITEM_SPAN_BEGIN;
	p.items[1].attr[0].u = 0;
	add_span(&p, p.s.wait, p.s.n, 1, 10, 15);
	add_span(&p, p.s.hold, p.s.n, 3, 10, 90);
	expect(&p, "1", "1 2 /1");
	expect(&p, "3", "0 1 2 3 /1");
	iot_timeline_free(p.s.tl);
}

UNIT_TEST(what_is_not_a_call_is_refused)
{
	static const char *const wrong[] = { "", "=", "=3", "id=" };

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		CU_ASSERT_PTR_NULL(iot_follow_new(wrong[i], &error));
		CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_USAGE));
	}
}

/* 10 001 links from one span: the last one is not followed. */
UNIT_TEST(too_many_links_are_counted)
{
	struct picture p;
	struct iot_follow *f = iot_follow_new("1", NULL);

	picture_init(&p);
	for (guint look = 0; look < 2; look++) {
		iot_follow_begin(f, p.s.tl);
		p.n = 0;
		add_span(&p, p.s.wait, p.s.n, 1, 10, 50000);
		CU_ASSERT(iot_follow_observe(f, &p.items[0], NULL));
		for (guint i = 0; i < 10001; i++) {
			p.n = 0;
			add_link(&p, p.s.n, 100 + i, p.s.m, 200 + i);
			CU_ASSERT(iot_follow_observe(f, &p.items[0], NULL));
		}
		CU_ASSERT_EQUAL(iot_follow_end(f), look == 0);
	}
	iot_follow_count(f, &p.s.tl->diag);
	CU_ASSERT_EQUAL(p.s.tl->diag.count[IOT_DIAG_links_not_followed], 1);
	iot_follow_free(f);
	iot_timeline_free(p.s.tl);
}
