/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show: the selected rows as lines of text with a time axis, for terminals. A line is a lane of a
 * row. Memory is bounded: each kind of span on a line has a fixed number of buckets, and rows that
 * come after MOST_BYTES were used have no picture, which is said.
 */
#include "sinks/show/show.h"
#include "sinks/show/show-strips.h"
#include "base/error.h"

#include <string.h>

enum {
	DEFAULT_ROWS = 40,
	MOST_LANES = 8,
	STRIP_BYTES = IOT_SHOW_BUCKETS * sizeof(guint64),
	MOST_BYTES = 64 << 20,
};

static void free_row(gpointer data)
{
	struct show_row *row = data;

	if (!row)
		return;
	g_array_unref(row->kinds);
	g_clear_pointer(&row->lanes, g_ptr_array_unref);
	g_clear_pointer(&row->curves, g_ptr_array_unref);
	g_free(row->marks);
	g_free(row);
}

static void clear_gap(gpointer data)
{
	g_array_unref(((struct show_gap *)data)->strips);
}

static void show_free(struct iot_sink *sink)
{
	struct show_sink *show = (struct show_sink *)sink;

	if (!show)
		return;
	iot_out_free(show->out);
	g_ptr_array_unref(show->rows);
	g_array_unref(show->gaps);
	g_array_unref(show->points);
	iot_show_arrows_clear(&show->arrows);
	iot_show_account_clear(&show->account);
	g_free(show);
}

static gboolean parse_number(const struct iot_sink_args *args, const char *name, guint least,
			     guint *out, GError **error)
{
	const char *text = iot_sink_value(args, name);
	guint64 number;

	if (!text)
		return TRUE;
	if (!g_ascii_string_to_unsigned(text, 10, least, 10000, &number, NULL)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "%s=%s is not a number from %u to 10000", name, text, least);
		return FALSE;
	}
	*out = (guint)number;
	return TRUE;
}

static struct iot_sink *show_open(const struct iot_sink_args *args, GError **error)
{
	struct show_sink *show = g_new0(struct show_sink, 1);

	show->sink.ops = &iot_sink_show;
	show->tl = args->tl;
	show->on_stdout = !strcmp(args->path, "-");
	show->max_rows = DEFAULT_ROWS;
	show->rows = g_ptr_array_new_with_free_func(free_row);
	show->gaps = g_array_new(FALSE, FALSE, sizeof(struct show_gap));
	g_array_set_clear_func(show->gaps, clear_gap);
	show->points = iot_show_kinds_new();
	iot_show_arrows_init(&show->arrows);
	iot_show_account_init(&show->account);
	show->events = iot_sink_flag(args, "events") && !iot_sink_flag(args, "no-events");
	show->bucket_ns = 1;
	if (parse_number(args, "width", 1, &show->width, error) &&
	    parse_number(args, "rows", 1, &show->max_rows, error))
		show->out = iot_out_open(args->path, error);
	if (show->out)
		return &show->sink;
	show_free(&show->sink);
	return NULL;
}

/* ---- items */

static void halve_row(const struct show_row *row)
{
	for (guint i = 0; row->lanes && i < row->lanes->len; i++)
		iot_show_strips_halve(row->lanes->pdata[i]);
	if (row->marks)
		iot_show_marks_halve(row->marks);
	for (guint i = 0; row->curves && i < row->curves->len; i++)
		iot_show_curve_halve(row->curves->pdata[i]);
}

void iot_show_make_room(struct show_sink *show, guint64 t)
{
	while (t && (t - 1) / show->bucket_ns >= IOT_SHOW_BUCKETS) {
		show->bucket_ns *= 2;
		for (guint i = 0; i < show->gaps->len; i++)
			iot_show_strips_halve(g_array_index(show->gaps, struct show_gap, i).strips);
		for (guint i = 0; i < show->rows->len; i++)
			if (show->rows->pdata[i])
				halve_row(show->rows->pdata[i]);
	}
}

static struct show_row *find_row(struct show_sink *show, iot_row_id id)
{
	struct show_row *row;

	if (show->rows->len <= id)
		g_ptr_array_set_size(show->rows, (gint)id + 1);
	row = show->rows->pdata[id];
	if (row)
		return row;
	row = show->rows->pdata[id] = g_new0(struct show_row, 1);
	row->kinds = iot_show_kinds_new();
	row->lanes = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	return row;
}

/* Beyond the limit the row loses its picture, and gets no more. */
static void use_bytes(struct show_sink *show, struct show_row *row, gsize bytes)
{
	show->bytes += bytes;
	if (show->bytes <= MOST_BYTES)
		return;
	for (guint i = 0; i < row->lanes->len; i++)
		show->bytes -= ((GArray *)row->lanes->pdata[i])->len * STRIP_BYTES;
	show->bytes -= row->marks ? iot_show_marks_bytes() : 0;
	show->bytes -= row->curves ? row->curves->len * iot_show_curve_bytes() : 0;
	g_clear_pointer(&row->lanes, g_ptr_array_unref);
	g_clear_pointer(&row->marks, g_free);
	g_clear_pointer(&row->curves, g_ptr_array_unref);
}

static void add_strip(struct show_sink *show, struct show_row *row, const struct iot_item *item)
{
	guint64 t0 = iot_tl_rel(show->tl, item->t0), t1 = iot_tl_rel(show->tl, item->t1);

	iot_show_make_room(show, t1);
	while (row->lanes->len <= item->lane)
		g_ptr_array_add(row->lanes, iot_show_strips_new());
	if (!iot_show_strips_add(row->lanes->pdata[item->lane], show->bucket_ns, item->cat, t0, t1))
		return;
	use_bytes(show, row, STRIP_BYTES);
}

static void add_span(struct show_sink *show, const struct iot_item *item)
{
	struct show_row *row = find_row(show, item->row);
	struct iot_show_kind *kind = iot_show_kinds_at(row->kinds, item->cat);

	kind->count++;
	kind->sum_ns += item->t1 - item->t0;
	kind->longest_ns = MAX(kind->longest_ns, item->t1 - item->t0);
	row->n_lanes = MAX(row->n_lanes, item->lane + 1u);
	iot_show_account_span(&show->account, item, iot_cat_at(show->tl, item->cat));
	if (row->lanes && item->lane < MOST_LANES)
		add_strip(show, row, item);
}

static void add_gap(struct show_sink *show, const struct iot_item *item)
{
	struct show_gap new_gap = { .node = iot_gap_node(item) }, *gap = NULL;
	guint64 t0 = iot_tl_rel(show->tl, item->t0), t1 = iot_tl_rel(show->tl, item->t1);

	for (guint i = 0; i < show->gaps->len; i++)
		if (g_array_index(show->gaps, struct show_gap, i).node == new_gap.node)
			gap = &g_array_index(show->gaps, struct show_gap, i);
	if (!gap) {
		new_gap.strips = iot_show_strips_new();
		g_array_append_val(show->gaps, new_gap);
		gap = &g_array_index(show->gaps, struct show_gap, show->gaps->len - 1);
	}
	gap->n++;
	iot_show_make_room(show, t1);
	iot_show_strips_add(gap->strips, show->bucket_ns, 0, t0, t1);
}

/* NULL: the row has no picture. */
static struct iot_show_marks *marks_of(struct show_sink *show, iot_row_id id)
{
	struct show_row *row = find_row(show, id);

	if (!row->lanes || row->marks)
		return row->marks;
	row->marks = iot_show_marks_new();
	use_bytes(show, row, iot_show_marks_bytes());
	return row->marks;
}

static void add_point(struct show_sink *show, const struct iot_item *item)
{
	guint64 t = iot_tl_rel(show->tl, item->t1);
	struct iot_show_marks *marks = marks_of(show, item->row);

	iot_show_kinds_at(show->points, item->cat)->count++;
	iot_show_make_room(show, t);
	if (marks)
		iot_show_marks_point(marks, show->bucket_ns, t,
				     item->flags & IOT_FAILED ? TRUE : FALSE);
}

static void add_end(struct show_sink *show, iot_row_id row, guint64 at, gboolean to)
{
	struct iot_show_marks *marks = marks_of(show, row);

	if (marks)
		iot_show_marks_end(marks, show->bucket_ns, iot_tl_rel(show->tl, at), to);
}

static void add_link(struct show_sink *show, const struct iot_item *item)
{
	iot_show_make_room(show, iot_tl_rel(show->tl, item->t1));
	add_end(show, item->row, iot_link_from(item), FALSE);
	add_end(show, item->row_to, iot_link_to(item), TRUE);
	iot_show_arrows_add(&show->arrows, item);
}

static gboolean is_real(const struct show_sink *show, const struct iot_item *sample)
{
	return iot_type_is_real(iot_type_at(show->tl, sample->type));
}

static gdouble value_before(const struct show_sink *show, const struct iot_item *sample)
{
	return is_real(show, sample) ? iot_sample_real_before(sample)
				     : (gdouble)(gint64)((guint64)iot_sample_value(sample) -
							 (guint64)iot_sample_change(sample));
}

static struct iot_show_curve *curve_of(struct show_sink *show, const struct iot_item *item)
{
	struct show_row *row = find_row(show, item->row);

	if (!row->lanes)
		return NULL;
	if (!row->curves)
		row->curves = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < row->curves->len; i++)
		if (iot_show_curve_cat(row->curves->pdata[i]) == item->cat)
			return row->curves->pdata[i];
	g_ptr_array_add(row->curves, iot_show_curve_new(item->cat, value_before(show, item)));
	use_bytes(show, row, iot_show_curve_bytes());
	return row->curves ? row->curves->pdata[row->curves->len - 1] : NULL;
}

static void add_sample(struct show_sink *show, const struct iot_item *item)
{
	guint64 t = iot_tl_rel(show->tl, item->t1);
	struct iot_show_curve *curve = curve_of(show, item);

	show->values = TRUE;
	iot_show_make_room(show, t);
	if (curve)
		iot_show_curve_add(curve, show->bucket_ns, t,
				   is_real(show, item) ? iot_sample_real(item)
						       : (gdouble)iot_sample_value(item));
}

static gboolean show_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct show_sink *show = (struct show_sink *)sink;

	if (item->kind == IOT_ITEM_SPAN)
		add_span(show, item);
	else if (item->kind == IOT_ITEM_PART)
		iot_show_account_part(&show->account, item);
	else if (item->kind == IOT_ITEM_GAP)
		add_gap(show, item);
	else if (show->events && item->kind == IOT_ITEM_POINT)
		add_point(show, item);
	else if (show->events && item->kind == IOT_ITEM_LINK)
		add_link(show, item);
	else if (show->events && item->kind == IOT_ITEM_SAMPLE)
		add_sample(show, item);
	return iot_out_check(show->out, error);
}

static gboolean show_finish(struct iot_sink *sink, const struct iot_summary *summary,
			    GError **error)
{
	struct show_sink *show = (struct show_sink *)sink;

	iot_show_picture(show, summary);
	iot_show_why(show, summary);
	return iot_out_finish(show->out, error);
}

static gsize show_memory(const struct iot_sink *sink)
{
	return ((const struct show_sink *)sink)->bytes;
}

static const struct iot_sink_option show_options[] = {
	{ "events", NULL, "a line of events and arrows below each row, and values of counters" },
	{ "no-events", NULL, "leave out events, arrows and values (default)" },
	{ "rows", "N", "at most this many rows; default: 40" },
	{ "width", "N", "columns of a line; default: those of the terminal, else 100" },
	{ NULL },
};

const struct iot_sink_ops iot_sink_show = {
	.name = "show",
	.summary = "the selected rows as coloured lines of text with a time axis, for a terminal",
	.suffix = ".txt",
	.word_path = "-",
	.word_argument = "ROW",
	.prints_at_end = TRUE,
	.has_tables = TRUE,
	.wants_parts = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.options = show_options,
	.open = show_open,
	.item = show_item,
	.finish = show_finish,
	.memory = show_memory,
	.free = show_free,
};
