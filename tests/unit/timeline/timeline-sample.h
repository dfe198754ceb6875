/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small timeline: rows a/n and a/m, a hidden one a/h; spans "hold" and "wait", points "event",
 * links "message". */
#ifndef IOT_TESTS_TIMELINE_SAMPLE_H
#define IOT_TESTS_TIMELINE_SAMPLE_H

#include "timeline/timeline.h"
#include "unit.h"

struct sample {
	struct iot_timeline *tl;
	iot_type_id space, node, span, point, link;
	iot_cat_id hold, wait, event, message;
	iot_row_id a, n, m, h;
};

static inline iot_row_id sample_row(struct sample *s, iot_type_id type, iot_row_id parent,
				    const char *name)
{
	iot_str str = iot_intern_str(s->tl->strings, name);

	return iot_timeline_row(s->tl, type, parent, str, str, NULL);
}

static inline void sample_init(struct sample *s)
{
	struct iot_type *type;

	s->tl = iot_timeline_new();
	iot_timeline_type(s->tl, IOT_TYPE_ROW, "space", "space", 0, &s->space);
	iot_timeline_type(s->tl, IOT_TYPE_ROW, "node", "node", s->space, &s->node);
	type = iot_timeline_type(s->tl, IOT_TYPE_SPAN, "lock", "lock", s->node, &s->span);
	type->n_attrs = 2;
	type->attr[0].name = iot_intern_str(s->tl->strings, "id");
	type->attr[1].name = iot_intern_str(s->tl->strings, "result");
	type->attr[1].late = TRUE;
	iot_timeline_type(s->tl, IOT_TYPE_POINT, "event", "event", s->node, &s->point);
	iot_timeline_type(s->tl, IOT_TYPE_LINK, "link", "link", 0, &s->link);
	s->hold = iot_timeline_cat(s->tl, s->span, "hold", 0, IOT_ROLE_HOLD);
	s->wait = iot_timeline_cat(s->tl, s->span, "wait", 0, IOT_ROLE_WAIT);
	s->event = iot_timeline_cat(s->tl, s->point, "event", 0, IOT_ROLE_CALL);
	s->message = iot_timeline_cat(s->tl, s->link, "message", 0, IOT_ROLE_NONE);
	s->a = sample_row(s, s->space, 0, "a");
	s->n = sample_row(s, s->node, s->a, "n");
	s->m = sample_row(s, s->node, s->a, "m");
	s->h = sample_row(s, s->node, s->a, "h");
	iot_row_hide(s->tl, s->h);
}

static inline struct iot_item sample_span(const struct sample *s, iot_cat_id cat, iot_row_id row,
					  guint64 t0)
{
	return (struct iot_item){ .kind = IOT_ITEM_SPAN,
				  .n_attrs = 2,
				  .type = s->span,
				  .cat = cat,
				  .row = row,
				  .t0 = t0,
				  .t1 = t0,
				  .attr = { { .u = t0 }, { .u = 77 } } };
}

static inline struct iot_item sample_point(const struct sample *s, iot_row_id row, guint64 t)
{
	return (struct iot_item){ .kind = IOT_ITEM_POINT,
				  .type = s->point,
				  .cat = s->event,
				  .row = row,
				  .t0 = t,
				  .t1 = t };
}

static inline struct iot_item sample_link(const struct sample *s, iot_row_id row, guint64 from,
					  iot_row_id row_to, guint64 to)
{
	struct iot_item item = { .type = s->link, .cat = s->message, .row = row };

	iot_link_set(&item, from, row_to, 0, to);
	return item;
}

/* "span n hold 5-9", then the flags as letters */
static inline void sample_print(const struct sample *s, GString *out, const struct iot_item *item)
{
	static const char *const kinds[] = { "span", "begin", "point", "gap", "sample", "link" };
	static const char letters[] = "UBSFLR?<ft";

	g_string_append(out, kinds[item->kind]);
	if (item->kind != IOT_ITEM_GAP)
		g_string_append_printf(out, " %s %s",
				       iot_tl_str(s->tl, iot_row_at(s->tl, item->row)->name),
				       iot_tl_str(s->tl, iot_cat_at(s->tl, item->cat)->name));
	g_string_append_printf(out, " %" G_GUINT64_FORMAT, item->t0);
	if (item->t1 != item->t0)
		g_string_append_printf(out, "-%" G_GUINT64_FORMAT, item->t1);
	if (item->lane)
		g_string_append_printf(out, " lane %u", item->lane);
	if (item->kind == IOT_ITEM_LINK)
		g_string_append_printf(out, " to %s",
				       iot_tl_str(s->tl, iot_row_at(s->tl, item->row_to)->name));
	if (item->lane_to)
		g_string_append_printf(out, " lane %u", item->lane_to);
	if (item->flags)
		g_string_append_c(out, ' ');
	for (guint i = 0; letters[i]; i++)
		if (item->flags & 1u << i)
			g_string_append_c(out, letters[i]);
	g_string_append_c(out, '\n');
}

#endif
