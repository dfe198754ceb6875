/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small timeline with locks on two resources, and helpers that run a sink on it. */
#ifndef IOT_TESTS_SINK_SAMPLE_H
#define IOT_TESTS_SINK_SAMPLE_H

#include "sinks/sink.h"
#include "unit.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* G_STRFUNC of the failing test is lost here, so both texts are printed. */
static inline void sample_expect(const char *got, const char *want, const char *where)
{
	if (got && !strcmp(got, want)) {
		CU_PASS("same text");
		return;
	}
	g_printerr("%s: expected:\n%s\ngot:\n%s\n", where, want, got ? got : "(null)");
	CU_FAIL("texts differ");
}
#define EXPECT_TEXT(got, want) sample_expect(got, want, G_STRLOC)

struct sample {
	struct iot_timeline *tl;
	iot_type_id lockspace, resource, node, lock, event;
	iot_cat_id pending, pr, ex, unknown, call, call_failed, call_return, ast, ast_eagain, bast;
	iot_row_id a1, a2, b1; /* 0x7/A/node 1, 0x7/A/node 2, 0x7/B/node 1 */
	GArray *items;
	guint64 seq;
};

static inline iot_str sample_str(struct sample *s, const char *text)
{
	return iot_intern_str(s->tl->strings, text);
}

/* As if a resource and all rows below it were not selected. */
static inline void sample_hide(struct sample *s, iot_row_id resource)
{
	for (iot_row_id row = resource; row < s->tl->rows.n; row++)
		if (row == resource || iot_row_at(s->tl, row)->parent == resource)
			iot_row_at(s->tl, row)->hidden = TRUE;
}

static inline iot_row_id sample_row(struct sample *s, iot_type_id type, iot_row_id parent,
				    const char *name)
{
	return iot_timeline_row(s->tl, type, parent, sample_str(s, name), sample_str(s, name),
				NULL);
}

static inline void sample_attr(struct sample *s, struct iot_type *type, const char *name,
			       enum iot_attr_format format)
{
	type->attr[type->n_attrs].name = sample_str(s, name);
	type->attr[type->n_attrs++].format = format;
}

static inline void sample_types(struct sample *s)
{
	struct iot_type *type;

	iot_timeline_type(s->tl, IOT_TYPE_ROW, "lockspace", "lockspace", 0, &s->lockspace);
	iot_timeline_type(s->tl, IOT_TYPE_ROW, "resource", "resource", s->lockspace, &s->resource);
	type = iot_timeline_type(s->tl, IOT_TYPE_ROW, "node", "node", s->resource, &s->node);
	type->role = IOT_ROLE_NODE;
	type = iot_timeline_type(s->tl, IOT_TYPE_SPAN, "lock", "lock mode", s->node, &s->lock);
	sample_attr(s, type, "lkb_id", IOT_ATTR_HEX);
	sample_attr(s, type, "pid", IOT_ATTR_INT);
	sample_attr(s, type, "to", IOT_ATTR_STR);
	sample_attr(s, type, "result", IOT_ATTR_STR);
	type = iot_timeline_type(s->tl, IOT_TYPE_POINT, "event", "event", s->node, &s->event);
	sample_attr(s, type, "lkb_id", IOT_ATTR_HEX);
	sample_attr(s, type, "pid", IOT_ATTR_INT);
	sample_attr(s, type, "result", IOT_ATTR_STR);
	sample_attr(s, type, "took", IOT_ATTR_DURATION);
	sample_attr(s, type, "bytes", IOT_ATTR_UINT);
	s->pr = iot_timeline_cat(s->tl, s->lock, "PR", 0, IOT_ROLE_HOLD);
	s->ex = iot_timeline_cat(s->tl, s->lock, "EX", 0, IOT_ROLE_HOLD);
	s->unknown = iot_timeline_cat(s->tl, s->lock, "unknown", 0, IOT_ROLE_NONE);
	s->pending = iot_timeline_cat(s->tl, s->lock, "PENDING", 0, IOT_ROLE_WAIT);
	s->ast = iot_timeline_cat(s->tl, s->event, "ast", 0, IOT_ROLE_RESULT);
	s->ast_eagain = iot_timeline_cat(s->tl, s->event, "ast EAGAIN", 0, IOT_ROLE_RESULT);
	s->bast = iot_timeline_cat(s->tl, s->event, "bast", 0, IOT_ROLE_NONE);
	s->call = iot_timeline_cat(s->tl, s->event, "lock", 0, IOT_ROLE_CALL);
	s->call_failed = iot_timeline_cat(s->tl, s->event, "lock failed", 0, IOT_ROLE_CALL);
}

static inline void sample_init(struct sample *s)
{
	iot_row_id space, a, b;

	*s = (struct sample){ .tl = iot_timeline_new() };
	s->items = g_array_new(FALSE, TRUE, sizeof(struct iot_item));
	sample_types(s);
	space = sample_row(s, s->lockspace, 0, "0x7");
	a = sample_row(s, s->resource, space, "A");
	s->a2 = sample_row(s, s->node, a, "node 2");
	b = sample_row(s, s->resource, space, "B");
	s->b1 = sample_row(s, s->node, b, "node 1");
	s->a1 = sample_row(s, s->node, a, "node 1");
	s->tl->origin_ns = 1000000000;
}

static inline void sample_clear(struct sample *s)
{
	g_array_unref(s->items);
	iot_timeline_free(s->tl);
}

/* Times in the tests below are ns after the origin, which is at 1 s of the host clock. */
static inline struct iot_item *sample_add(struct sample *s, enum iot_item_kind kind, iot_row_id row,
					  iot_cat_id cat, guint64 t0, guint64 t1)
{
	struct iot_item item = { .kind = kind, .row = row, .cat = cat, .seq = s->seq++ };

	item.t0 = s->tl->origin_ns + t0;
	item.t1 = s->tl->origin_ns + t1;
	if (kind != IOT_ITEM_GAP) {
		item.type = iot_cat_at(s->tl, cat)->type;
		item.n_attrs = (guint8)iot_type_at(s->tl, item.type)->n_attrs;
	}
	g_array_append_val(s->items, item);
	return &g_array_index(s->items, struct iot_item, s->items->len - 1);
}

static inline struct iot_item *sample_span(struct sample *s, iot_row_id row, iot_cat_id cat,
					   guint64 t0, guint64 t1)
{
	return sample_add(s, IOT_ITEM_SPAN, row, cat, t0, t1);
}

static inline struct iot_item *sample_point(struct sample *s, iot_row_id row, iot_cat_id cat,
					    guint64 t)
{
	return sample_add(s, IOT_ITEM_POINT, row, cat, t, t);
}

/* A type of links with one attribute, and its category. */
static inline iot_cat_id sample_link_type(struct sample *s)
{
	iot_type_id id;
	struct iot_type *type =
		iot_timeline_type(s->tl, IOT_TYPE_LINK, "grant", "lock handed on", 0, &id);

	sample_attr(s, type, "seqno", IOT_ATTR_UINT);
	return iot_timeline_cat(s->tl, id, "hand-over", 0x40c040, IOT_ROLE_NONE);
}

static inline struct iot_item *sample_link(struct sample *s, iot_cat_id cat, iot_row_id from_row,
					   guint64 from, iot_row_id to_row, guint64 to)
{
	struct iot_item *item = sample_add(s, IOT_ITEM_LINK, from_row, cat, 0, 0);

	iot_link_set(item, s->tl->origin_ns + from, to_row, 0, s->tl->origin_ns + to);
	return item;
}

/* A plain link, one that runs backwards from a lane, and a stub without a length. */
static inline void sample_add_links(struct sample *s)
{
	iot_cat_id cat = sample_link_type(s);
	struct iot_item *item;

	sample_link(s, cat, s->a1, 5, s->a2, 30)->attr[0].u = 7;
	item = sample_link(s, cat, s->a2, 40, s->b1, 10);
	item->lane = 2;
	item->lane_to = 1;
	sample_link(s, cat, s->a1, 50, s->a1, 50)->flags = IOT_TO_HIDDEN;
}

static inline void sample_gap(struct sample *s, const char *node, guint64 t0, guint64 t1,
			      guint64 lost)
{
	struct iot_item *item = sample_add(s, IOT_ITEM_GAP, 0, 0, t0, t1);

	iot_gap_set(item, sample_str(s, node), lost);
}

static inline void sample_feed(struct sample *s, const struct iot_sink_ops *ops, const char *path,
			       GHashTable *options, const struct iot_summary *summary)
{
	static const struct iot_summary none;
	struct iot_sink_args args = { .tl = s->tl, .path = path, .options = options };
	struct iot_sink *sink = ops->open(&args, NULL);

	CU_ASSERT_FATAL(sink != NULL);
	for (guint i = 0; i < s->items->len; i++)
		CU_ASSERT(ops->item(sink, &g_array_index(s->items, struct iot_item, i), NULL));
	CU_ASSERT(ops->finish(sink, summary ? summary : &none, NULL));
	ops->free(sink);
}

/* The bytes that the sink writes to a file. */
static inline char *sample_run(struct sample *s, const struct iot_sink_ops *ops,
			       GHashTable *options, const struct iot_summary *summary)
{
	g_autofree char *dir = g_dir_make_tmp("iotrace-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "out", NULL);
	char *text = NULL;

	sample_feed(s, ops, path, options, summary);
	CU_ASSERT(g_file_get_contents(path, &text, NULL, NULL));
	g_unlink(path);
	g_rmdir(dir);
	return text;
}

/* The report with all tables. */
static inline char *sample_tables(struct sample *s, const struct iot_summary *summary)
{
	g_autoptr(GHashTable) tables = g_hash_table_new(g_str_hash, g_str_equal);

	g_hash_table_insert(tables, (gpointer)(gsize) "tables", (gpointer)(gsize) "");
	return sample_run(s, &iot_sink_report, tables, summary);
}

/* The bytes that the sink writes to standard output. */
static inline char *sample_run_stdout(struct sample *s, const struct iot_sink_ops *ops,
				      GHashTable *options, const struct iot_summary *summary)
{
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("iotrace-XXXXXX", &path, NULL);
	int saved;
	char *text = NULL;

	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	CU_ASSERT_FATAL(fd >= 0 && saved >= 0 && dup2(fd, STDOUT_FILENO) >= 0);
	sample_feed(s, ops, "-", options, summary);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(fd);
	CU_ASSERT(g_file_get_contents(path, &text, NULL, NULL));
	g_unlink(path);
	return text;
}

#endif
