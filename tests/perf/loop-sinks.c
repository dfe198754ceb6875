// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * loop-sinks NAME ITEMS [PATH] - one output alone: feeds it ITEMS synthetic items, in the order it
 * asks for, and prints what it took and wrote. PATH "-", the default, is standard output.
 *
 * The picture is that of a cluster: 64 resources of 3 nodes, each row a sequence of states with a
 * point at every change.
 */
#include "sinks/sink.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { RESOURCES = 64, NODES = 3, ROWS = RESOURCES * NODES, STEP_NS = 1000 };
enum { MODES = 6 };

struct picture {
	struct iot_timeline *tl;
	iot_type_id span, point;
	iot_cat_id mode[MODES], call;
	iot_box_id row[ROWS];
	struct {
		gboolean open;
		guint64 since;
		iot_cat_id cat;
	} state[ROWS];
	guint64 seq;
};

struct target {
	struct iot_sink *sink;
	enum iot_feed feed;
	guint64 fed;
	GError *error;
};

static iot_str intern(struct picture *pic, const char *text)
{
	return iot_intern_str(pic->tl->strings, text);
}

static void add_attrs(struct picture *pic, struct iot_type *type)
{
	type->n_attrs = 3;
	type->attr[0].name = intern(pic, "lkb_id");
	type->attr[0].format = IOT_ATTR_HEX;
	type->attr[1].name = intern(pic, "pid");
	type->attr[1].format = IOT_ATTR_INT;
	type->attr[2].name = intern(pic, "flags");
	type->attr[2].format = IOT_ATTR_STR;
}

static iot_box_id add_box(struct picture *pic, iot_type_id type, iot_box_id parent,
			  const char *what, int i)
{
	g_autofree char *name = g_strdup_printf("%s %d", what, i);
	iot_str id = intern(pic, name);
	gboolean is_new;

	return iot_timeline_box(pic->tl, type, parent, id, id, &is_new);
}

static void add_boxes(struct picture *pic, iot_type_id resource, iot_type_id node)
{
	for (int r = 0; r < RESOURCES; r++) {
		iot_box_id parent = add_box(pic, resource, 0, "resource", r);

		for (int n = 0; n < NODES; n++)
			pic->row[r * NODES + n] = add_box(pic, node, parent, "node", n + 1);
	}
}

static void init(struct picture *pic)
{
	static const char *const mode_name[MODES] = { "NL", "CR", "CW", "PR", "PW", "EX" };
	iot_type_id resource, node;

	pic->tl = iot_timeline_new();
	iot_timeline_type(pic->tl, IOT_TYPE_BOX, "resource", "resource", 0, &resource);
	iot_timeline_type(pic->tl, IOT_TYPE_BOX, "node", "node", resource, &node)->role =
		IOT_ROLE_NODE;
	add_attrs(pic,
		  iot_timeline_type(pic->tl, IOT_TYPE_SPAN, "lock", "lock mode", node, &pic->span));
	add_attrs(pic,
		  iot_timeline_type(pic->tl, IOT_TYPE_POINT, "event", "event", node, &pic->point));
	for (int i = 0; i < MODES; i++)
		pic->mode[i] = iot_timeline_cat(pic->tl, pic->span, mode_name[i],
						0x304080 + 0x202020 * i, IOT_ROLE_HOLD);
	pic->call = iot_timeline_cat(pic->tl, pic->point, "lock", 0x808080, IOT_ROLE_CALL);
	pic->tl->view[0].title = intern(pic, "DLM");
	pic->tl->view[0].n_columns = 2;
	pic->tl->view[0].column[0] = resource;
	pic->tl->view[0].column[1] = node;
	pic->tl->n_views = 1;
	add_boxes(pic, resource, node);
	pic->tl->origin_ns = STEP_NS;
}

static void feed(struct picture *pic, struct target *to, enum iot_item_kind kind, int row,
		 iot_cat_id cat, guint64 t0, guint64 t1)
{
	struct iot_item item = { .kind = kind,
				 .n_attrs = 3,
				 .cat = cat,
				 .box = pic->row[row],
				 .t0 = t0,
				 .t1 = t1,
				 .seq = pic->seq++ };

	item.type = kind == IOT_ITEM_POINT ? pic->point : pic->span;
	item.attr[0].u = row + 1;
	item.attr[1].i = 200 + row;
	to->fed++;
	if (!to->error)
		to->sink->ops->item(to->sink, &item, &to->error);
}

/* The state of a row changes at @t. */
static void change(struct picture *pic, struct target *to, int row, iot_cat_id cat, guint64 t)
{
	gboolean whole = to->feed == IOT_FEED_END;
	guint64 since = pic->state[row].since;

	if (pic->state[row].open)
		feed(pic, to, whole ? IOT_ITEM_SPAN : IOT_ITEM_SPAN_END, row, pic->state[row].cat,
		     since, t);
	pic->state[row].open = cat != 0;
	pic->state[row].since = t;
	pic->state[row].cat = cat;
	if (cat && !whole)
		feed(pic, to, IOT_ITEM_SPAN_BEGIN, row, cat, t, t);
	if (cat)
		feed(pic, to, IOT_ITEM_POINT, row, pic->call, t, t);
}

static gboolean run(struct picture *pic, struct target *to, guint64 items)
{
	struct iot_summary summary = { .begin_ns = STEP_NS, .from_ns = STEP_NS };
	guint64 i, t = 0;

	for (i = 0; to->fed < items && !to->error; i++)
		change(pic, to, i * 7 % ROWS, pic->mode[i * 5 / ROWS % MODES], t += STEP_NS);
	t += STEP_NS;
	for (int row = 0; row < ROWS; row++)
		change(pic, to, row, 0, t);
	summary.end_ns = summary.to_ns = t;
	iot_timeline_rank(pic->tl);
	return !to->error && to->sink->ops->finish(to->sink, &summary, &to->error);
}

static int usage(void)
{
	g_printerr("usage: loop-sinks NAME ITEMS [PATH]\n");
	return 1;
}

int main(int argc, char **argv)
{
	struct picture pic = { 0 };
	struct target to = { 0 };
	struct iot_sink_args args = { .path = argc > 3 ? argv[3] : "-", .memory = 16 << 20 };
	const struct iot_sink_ops *ops = argc > 2 ? iot_sink_find(argv[1]) : NULL;
	gint64 start = g_get_monotonic_time();
	struct stat st = { 0 };
	double seconds;
	gboolean ok;

	if (!ops)
		return usage();
	init(&pic);
	args.tl = pic.tl;
	to.feed = ops->feed;
	to.sink = ops->open(&args, &to.error);
	ok = to.sink && run(&pic, &to, strtoull(argv[2], NULL, 10));
	if (!ok)
		g_printerr("loop-sinks: %s\n", to.error->message);
	ops->free(to.sink);
	iot_timeline_free(pic.tl);
	g_clear_error(&to.error);
	if (!ok)
		return 3;
	seconds = (g_get_monotonic_time() - start) / 1e6;
	if (stat(args.path, &st) < 0)
		st.st_size = 0;
	g_printerr("%s: %" G_GUINT64_FORMAT " items, %.3f s, %.0f items/s, %lld bytes\n", ops->name,
		   to.fed, seconds, to.fed / seconds, (long long)st.st_size);
	return 0;
}
