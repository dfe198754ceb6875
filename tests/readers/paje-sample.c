/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a Pajé file with everything the sink can write: paje-sample LINES FILE. Foreign readers
 * judge it (paje-readers.sh), and with many lines it measures the sink.
 */
#include "sinks/sink.h"

enum { ORIGIN = 1000000, N_NODES = 3, N_RESOURCES = 20, N_LANES = 3, N_CATS = 6, DEPTH = 2 };

struct open_spans {
	guint depth;
	iot_cat_id cat[DEPTH];
	guint64 t0[DEPTH];
};

struct sample {
	struct iot_timeline *tl;
	struct iot_sink *sink;
	iot_type_id space_type, resource_type, node_type, lock, event, io, grant;
	iot_cat_id cats[N_CATS], ast, reading, handed;
	iot_row_id node[N_RESOURCES * N_NODES];
	struct open_spans open[N_RESOURCES * N_NODES][N_LANES];
	iot_str words[4];
	guint64 now, random, seq;
	GError *error; /* the first one; nothing is sent afterwards */
};

static guint pick(struct sample *s, guint n)
{
	s->random = s->random * 6364136223846793005u + 1442695040888963407u;
	return (guint)(s->random >> 33) % n;
}

static iot_str str(struct sample *s, const char *text)
{
	return iot_intern_str(s->tl->strings, text);
}

static void add_attr(struct sample *s, struct iot_type *type, const char *name,
		     enum iot_attr_format format, gboolean late)
{
	type->attr[type->n_attrs++] = (struct iot_attr_def){ str(s, name), format, late };
}

static void make_types(struct sample *s)
{
	static const char *const modes[N_CATS] = { "NL", "CR", "CW", "PR", "PW", "EX" };
	struct iot_type *type;

	iot_timeline_type(s->tl, IOT_TYPE_ROW, "lockspace", "lockspace", 0, &s->space_type);
	iot_timeline_type(s->tl, IOT_TYPE_ROW, "resource", "resource", s->space_type,
			  &s->resource_type);
	iot_timeline_type(s->tl, IOT_TYPE_ROW, "node", "node", s->resource_type, &s->node_type);
	type = iot_timeline_type(s->tl, IOT_TYPE_SPAN, "lock", "lock", s->node_type, &s->lock);
	add_attr(s, type, "lkb_id", IOT_ATTR_HEX, FALSE);
	add_attr(s, type, "pid", IOT_ATTR_INT, FALSE);
	add_attr(s, type, "to", IOT_ATTR_STR, FALSE);
	add_attr(s, type, "flags", IOT_ATTR_STR, FALSE);
	add_attr(s, type, "result", IOT_ATTR_STR, TRUE);
	type = iot_timeline_type(s->tl, IOT_TYPE_POINT, "event", "event", s->node_type, &s->event);
	add_attr(s, type, "lkb_id", IOT_ATTR_HEX, FALSE);
	add_attr(s, type, "pid", IOT_ATTR_INT, FALSE);
	add_attr(s, type, "name", IOT_ATTR_STR, FALSE);
	add_attr(s, type, "took", IOT_ATTR_DURATION, FALSE);
	iot_timeline_type(s->tl, IOT_TYPE_SPAN, "io", "file I/O", s->node_type, &s->io);
	type = iot_timeline_type(s->tl, IOT_TYPE_LINK, "grant", "lock handed on", 0, &s->grant);
	add_attr(s, type, "seqno", IOT_ATTR_UINT, FALSE);
	add_attr(s, type, "to", IOT_ATTR_STR, FALSE);
	s->handed = iot_timeline_cat(s->tl, s->grant, "handed on", 0x40c040, IOT_ROLE_NONE);
	for (guint i = 0; i < N_CATS; i++)
		s->cats[i] = iot_timeline_cat(s->tl, s->lock, modes[i], 0x203040 * (i + 1),
					      IOT_ROLE_HOLD);
	s->ast = iot_timeline_cat(s->tl, s->event, "ast", 0x2080f0, IOT_ROLE_RESULT);
	s->reading = iot_timeline_cat(s->tl, s->io, "read", 0x808000, IOT_ROLE_NONE);
}

static void make_rows(struct sample *s)
{
	iot_row_id space = iot_timeline_row(s->tl, s->space_type, 0, str(s, "a"),
					    str(s, "gfs2:\"test\", 1"), NULL);

	for (guint r = 0; r < N_RESOURCES; r++) {
		g_autofree char *name = g_strdup_printf("inode %u", r);
		iot_row_id resource = iot_timeline_row(s->tl, s->resource_type, space, str(s, name),
						       str(s, name), NULL);

		for (guint n = 0; n < N_NODES; n++) {
			g_autofree char *node = g_strdup_printf("node %u", n + 1);

			s->node[r * N_NODES + n] = iot_timeline_row(
				s->tl, s->node_type, resource, str(s, node), str(s, node), NULL);
		}
	}
	s->words[0] = 0;
	s->words[1] = str(s, "EX");
	s->words[2] = str(s, "NOQUEUE|CONVERT");
	s->words[3] = str(s, "#'%\",; \xc3\xbc\xff\x01");
}

static void send(struct sample *s, enum iot_item_kind kind, iot_cat_id cat, guint row, guint lane,
		 guint64 t0, guint64 t1)
{
	const struct iot_category *category = iot_cat_at(s->tl, cat);
	struct iot_item item = { .kind = (guint8)kind, .cat = cat, .type = category->type };

	item.row = s->node[row];
	item.lane = (guint16)lane;
	item.t0 = t0;
	item.t1 = t1;
	item.seq = s->seq++;
	item.n_attrs = (guint8)iot_type_at(s->tl, item.type)->n_attrs;
	if (item.n_attrs) {
		item.attr[0].u = 0x1234 + row;
		item.attr[1].i = -2 + (gint64)lane;
		item.attr[2].str = s->words[s->seq / 7 % 4];
		item.attr[3].u = item.type == s->lock ? s->words[s->seq / 3 % 4] : s->now;
	}
	if (!s->error)
		s->sink->ops->item(s->sink, &item, &s->error);
}

/* Also from a row to itself, to the row above, backwards and without a length. */
static void send_link(struct sample *s)
{
	guint row = pick(s, N_RESOURCES * N_NODES - 1), row_to = pick(s, N_RESOURCES * N_NODES - 1);
	guint64 length = MIN(pick(s, 3) * pick(s, 5000), s->now - ORIGIN);
	gboolean backwards = pick(s, 3) == 0, above = pick(s, 4) == 0;
	struct iot_item item = { .cat = s->handed, .type = s->grant, .n_attrs = 2 };

	item.row = s->node[row];
	item.lane = (guint16)pick(s, N_LANES);
	iot_link_set(&item, backwards ? s->now : s->now - length,
		     above ? iot_row_at(s->tl, s->node[row_to])->parent : s->node[row_to],
		     above ? 0 : (guint16)pick(s, N_LANES), backwards ? s->now - length : s->now);
	item.seq = s->seq++;
	item.attr[0].u = s->seq;
	item.attr[1].str = s->words[s->seq % 4];
	if (!s->error)
		s->sink->ops->item(s->sink, &item, &s->error);
}

static void send_gap(struct sample *s, guint64 t0, guint64 t1, const char *node, guint64 lost)
{
	struct iot_item item = { .t0 = t0, .t1 = t1 };

	iot_gap_set(&item, str(s, node), lost);
	item.seq = s->seq++;
	if (!s->error)
		s->sink->ops->item(s->sink, &item, &s->error);
}

static void end_top(struct sample *s, guint row, guint lane)
{
	struct open_spans *open = &s->open[row][lane];

	open->depth--;
	send(s, IOT_ITEM_SPAN, open->cat[open->depth], row, lane, open->t0[open->depth], s->now);
}

static void begin(struct sample *s, guint row, guint lane, guint64 t0)
{
	struct open_spans *open = &s->open[row][lane];
	iot_cat_id cat = s->cats[pick(s, N_CATS)];

	open->cat[open->depth] = cat;
	open->t0[open->depth++] = t0;
	send(s, IOT_ITEM_SPAN_BEGIN, cat, row, lane, t0, t0);
}

/* The last row stays untouched until it gets late begins. */
static void step(struct sample *s)
{
	guint row = pick(s, N_RESOURCES * N_NODES - 1), lane = pick(s, N_LANES), what = pick(s, 9);
	struct open_spans *open = &s->open[row][lane];

	s->now += pick(s, 1000);
	if (what == 0)
		send(s, IOT_ITEM_POINT, s->ast, row, lane, s->now, s->now);
	else if (what == 8)
		send_link(s);
	else if (open->depth == DEPTH || (open->depth && what < 4))
		end_top(s, row, lane);
	else
		begin(s, row, lane, s->now);
}

static void run(struct sample *s, guint64 n_lines)
{
	guint late = N_RESOURCES * N_NODES - 1;

	for (guint64 i = 0; i < n_lines / 2; i++)
		step(s);
	begin(s, late, 0, ORIGIN);
	begin(s, late, 0, ORIGIN);
	begin(s, late, 1, ORIGIN + 77);
	send_gap(s, ORIGIN, ORIGIN + 500, "node 2", 5);
	send_gap(s, ORIGIN + 100, s->now, "node 1", 5);
	send_gap(s, ORIGIN + 10, ORIGIN + 10, "node 1", 5);
	send(s, IOT_ITEM_SPAN_BEGIN, s->reading, 0, 0, s->now, s->now);
	send(s, IOT_ITEM_SPAN_BEGIN, s->reading, 0, 1, s->now, s->now);
	for (guint64 i = n_lines / 2; i < n_lines; i++)
		step(s);
	send(s, IOT_ITEM_SPAN, s->reading, 0, 0, s->now, s->now);
	send(s, IOT_ITEM_SPAN, s->reading, 0, 1, s->now, s->now);
	for (guint row = 0; row <= late; row++)
		for (guint lane = 0; lane < N_LANES; lane++)
			while (s->open[row][lane].depth)
				end_top(s, row, lane);
}

static void write_file(struct sample *s, const struct iot_sink_args *args, guint64 n_lines)
{
	struct iot_summary summary = { .begin_ns = ORIGIN };

	s->sink = iot_sink_paje.open(args, &s->error);
	if (!s->sink)
		return;
	run(s, n_lines);
	iot_timeline_rank(s->tl);
	summary.end_ns = summary.to_ns = s->now;
	if (!s->error)
		iot_sink_paje.finish(s->sink, &summary, &s->error);
	iot_sink_paje.free(s->sink);
}

int main(int argc, char **argv)
{
	struct sample *s = g_new0(struct sample, 1);
	struct iot_sink_args args = { .memory = 1 << 20 };
	int status;

	if (argc != 3)
		return 1;
	s->tl = iot_timeline_new();
	s->tl->origin_ns = s->now = ORIGIN;
	make_types(s);
	make_rows(s);
	args.tl = s->tl;
	args.path = argv[2];
	args.options = g_hash_table_new(g_str_hash, g_str_equal);
	g_hash_table_add(args.options, (gpointer)"events");
	g_hash_table_add(args.options, (gpointer)"counters");
	g_hash_table_add(args.options, (gpointer)"links");
	write_file(s, &args, g_ascii_strtoull(argv[1], NULL, 10));
	status = s->error ? 3 : 0;
	if (s->error)
		g_printerr("paje-sample: %s\n", s->error->message);
	g_clear_error(&s->error);
	g_hash_table_unref(args.options);
	iot_timeline_free(s->tl);
	g_free(s);
	return status;
}
