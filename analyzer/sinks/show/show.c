/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show: the selected rows as lines of text with a time axis, for terminals. A line is a lane of a
 * row. Memory is bounded: each kind of span on a line has a fixed number of buckets, and rows that
 * come after MOST_BYTES were used have no picture, which is said.
 */
#include "sinks/show/show-draw.h"
#include "sinks/show/show-strips.h"
#include "sinks/aggregate.h"
#include "sinks/sink.h"
#include "sinks/table.h"
#include "base/error.h"
#include "base/units.h"

#include <string.h>

enum {
	DEFAULT_WIDTH = 100,
	LEAST_COLUMNS = 20,
	MOST_LABEL = 26,
	DEFAULT_ROWS = 40,
	MOST_LANES = 8,
	STRIP_BYTES = IOT_SHOW_BUCKETS * sizeof(guint64),
	MOST_BYTES = 64 << 20,
};

struct show_row {
	GArray *kinds;	  /* of struct iot_show_kind: all spans of the row */
	GPtrArray *lanes; /* of strips; NULL: the row has no picture */
	guint n_lanes;
};

/* Lost events of one machine. */
struct show_gap {
	iot_str node;
	guint64 n;
	GArray *strips; /* one */
};

struct show_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
	gboolean on_stdout;
	guint width; /* of a line; 0: of the terminal */
	guint max_rows;
	GPtrArray *rows; /* of struct show_row, by row; NULL: no span */
	GArray *gaps;	 /* of struct show_gap */
	guint64 bucket_ns;
	gsize bytes; /* of all strips */
};

static void free_row(gpointer data)
{
	struct show_row *row = data;

	if (!row)
		return;
	g_array_unref(row->kinds);
	g_clear_pointer(&row->lanes, g_ptr_array_unref);
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

/* Make the buckets so long that @t, relative to the left edge, is not after the last one. */
static void make_room(struct show_sink *show, guint64 t)
{
	while (t && (t - 1) / show->bucket_ns >= IOT_SHOW_BUCKETS) {
		show->bucket_ns *= 2;
		for (guint i = 0; i < show->gaps->len; i++)
			iot_show_strips_halve(g_array_index(show->gaps, struct show_gap, i).strips);
		for (guint i = 0; i < show->rows->len; i++) {
			const struct show_row *row = show->rows->pdata[i];

			for (guint j = 0; row && row->lanes && j < row->lanes->len; j++)
				iot_show_strips_halve(row->lanes->pdata[j]);
		}
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

static void add_strip(struct show_sink *show, struct show_row *row, const struct iot_item *item)
{
	guint64 t0 = iot_tl_rel(show->tl, item->t0), t1 = iot_tl_rel(show->tl, item->t1);

	make_room(show, t1);
	while (row->lanes->len <= item->lane)
		g_ptr_array_add(row->lanes, iot_show_strips_new());
	if (!iot_show_strips_add(row->lanes->pdata[item->lane], show->bucket_ns, item->cat, t0, t1))
		return;
	show->bytes += STRIP_BYTES;
	if (show->bytes <= MOST_BYTES)
		return;
	for (guint i = 0; i < row->lanes->len; i++)
		show->bytes -= ((GArray *)row->lanes->pdata[i])->len * STRIP_BYTES;
	g_clear_pointer(&row->lanes, g_ptr_array_unref);
}

static void add_span(struct show_sink *show, const struct iot_item *item)
{
	struct show_row *row = find_row(show, item->row);
	struct iot_show_kind *kind = iot_show_kinds_at(row->kinds, item->cat);

	kind->count++;
	kind->sum_ns += item->t1 - item->t0;
	kind->longest_ns = MAX(kind->longest_ns, item->t1 - item->t0);
	row->n_lanes = MAX(row->n_lanes, item->lane + 1u);
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
	make_room(show, t1);
	iot_show_strips_add(gap->strips, show->bucket_ns, 0, t0, t1);
}

static gboolean show_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct show_sink *show = (struct show_sink *)sink;

	if (item->kind == IOT_ITEM_SPAN)
		add_span(show, item);
	else if (item->kind == IOT_ITEM_GAP)
		add_gap(show, item);
	return iot_out_check(show->out, error);
}

/* ---- the picture */

/* The rows that are drawn, in the order of ranks. */
static GArray *choose_rows(const struct show_sink *show, guint *out_beyond, guint *out_without)
{
	g_autoptr(GArray) ordered = iot_timeline_ordered(show->tl);
	GArray *chosen = g_array_new(FALSE, FALSE, sizeof(iot_row_id));

	*out_beyond = *out_without = 0;
	for (guint i = 0; i < ordered->len; i++) {
		iot_row_id id = g_array_index(ordered, iot_row_id, i);
		const struct show_row *row = id < show->rows->len ? show->rows->pdata[id] : NULL;

		if (!row)
			continue;
		if (!row->lanes)
			++*out_without;
		else if (chosen->len == show->max_rows)
			++*out_beyond;
		else
			g_array_append_val(chosen, id);
	}
	return chosen;
}

static const struct show_row *row_of(const struct show_sink *show, const GArray *chosen, guint i)
{
	return show->rows->pdata[g_array_index(chosen, iot_row_id, i)];
}

static GArray *add_up_kinds(const struct show_sink *show, const GArray *chosen)
{
	GArray *all = iot_show_kinds_new();

	for (guint i = 0; i < chosen->len; i++) {
		const GArray *kinds = row_of(show, chosen, i)->kinds;

		for (guint j = 0; j < kinds->len; j++) {
			const struct iot_show_kind *kind =
				&g_array_index(kinds, struct iot_show_kind, j);
			struct iot_show_kind *sum = iot_show_kinds_at(all, kind->cat);

			sum->count += kind->count;
			sum->sum_ns += kind->sum_ns;
			sum->longest_ns = MAX(sum->longest_ns, kind->longest_ns);
		}
	}
	iot_show_kinds_name(all, show->tl);
	return all;
}

/* Fit the duration into the width: as few buckets for a column as possible. */
static void fit(const struct show_sink *show, struct iot_show_canvas *canvas, const GArray *chosen,
		const struct iot_summary *summary)
{
	guint width = show->width;
	guint64 used = (canvas->to_ns - canvas->from_ns + show->bucket_ns - 1) / show->bucket_ns;
	guint room;

	if (!width)
		width = show->on_stdout && summary->width ? summary->width : DEFAULT_WIDTH;
	canvas->label_width = 12;
	for (guint i = 0; i < chosen->len; i++) {
		iot_row_id id = g_array_index(chosen, iot_row_id, i);
		const char *name = iot_tl_str(show->tl, iot_row_at(show->tl, id)->name);

		canvas->label_width = MAX(canvas->label_width, iot_text_width(name) + 3);
	}
	canvas->label_width = MIN(canvas->label_width, MOST_LABEL);
	room = MAX(width, canvas->label_width + IOT_SHOW_RIGHT + LEAST_COLUMNS) -
	       canvas->label_width - IOT_SHOW_RIGHT;
	used = CLAMP(used, 1, IOT_SHOW_BUCKETS);
	canvas->bucket_ns = show->bucket_ns;
	canvas->n_buckets = (guint)(used + room - 1) / room;
	canvas->columns = (guint)(used + canvas->n_buckets - 1) / canvas->n_buckets;
}

static void write_row(const struct iot_show_canvas *canvas, const struct show_row *row,
		      const char *name)
{
	g_autofree char *label = g_strdup_printf("  %s ", name);
	g_autofree char *waited = NULL;
	gboolean first = TRUE;
	guint64 wait_ns = 0;

	for (guint i = 0; i < row->kinds->len; i++) {
		const struct iot_show_kind *kind =
			&g_array_index(row->kinds, struct iot_show_kind, i);

		if (iot_cat_waits(iot_cat_at(canvas->tl, kind->cat)))
			wait_ns += kind->sum_ns;
	}
	waited = wait_ns ? iot_format_duration(wait_ns) : g_strdup("-");
	for (guint i = 0; i < row->lanes->len; i++) {
		const GArray *strips = row->lanes->pdata[i];

		if (!strips->len)
			continue;
		iot_show_label(canvas, first ? label : "");
		iot_show_line(canvas, strips, first ? waited : "");
		first = FALSE;
	}
	if (row->n_lanes > row->lanes->len) {
		iot_show_label(canvas, "");
		iot_out_printf(canvas->out, "(%u more lanes)\n", row->n_lanes - row->lanes->len);
	}
}

static void write_rows(const struct show_sink *show, const struct iot_show_canvas *canvas,
		       const GArray *chosen)
{
	iot_row_id above = G_MAXUINT32;

	for (guint i = 0; i < chosen->len; i++) {
		iot_row_id id = g_array_index(chosen, iot_row_id, i);
		const struct iot_row *row = iot_row_at(show->tl, id);

		if (row->parent && row->parent != above) {
			g_autofree char *path = iot_timeline_path(show->tl, row->parent, "/");

			iot_out_styled(show->out, IOT_BOLD, canvas->n_colours > 0, path);
			iot_out_putc(show->out, '\n');
		}
		above = row->parent;
		write_row(canvas, row_of(show, chosen, i), iot_tl_str(show->tl, row->name));
	}
}

static void write_gaps(const struct show_sink *show, const struct iot_show_canvas *canvas)
{
	for (guint i = 0; i < show->gaps->len; i++) {
		const struct show_gap *gap = &g_array_index(show->gaps, struct show_gap, i);
		g_autofree char *label = g_strdup_printf("! %s ", iot_tl_str(show->tl, gap->node));

		iot_show_label(canvas, label);
		for (guint j = 0; j < canvas->columns; j++) {
			struct iot_show_cell cell =
				iot_show_strips_cell(gap->strips, show->tl, j * canvas->n_buckets,
						     canvas->n_buckets, canvas->bucket_ns);

			iot_out_putc(show->out, cell.other_ns ? '!' : ' ');
		}
		iot_out_puts(show->out, "  lost events\n");
	}
}

/* The name of a kind, with its type if another kind has the same name. */
static char *full_name(const struct show_sink *show, const GArray *kinds, iot_cat_id id)
{
	const struct iot_category *cat = iot_cat_at(show->tl, id);
	const char *name = iot_tl_str(show->tl, cat->name);

	for (guint i = 0; i < kinds->len; i++) {
		iot_cat_id other = g_array_index(kinds, struct iot_show_kind, i).cat;

		if (other != id && iot_cat_at(show->tl, other)->name == cat->name)
			return g_strdup_printf(
				"%s (%s)", name,
				iot_tl_str(show->tl, iot_type_at(show->tl, cat->type)->title));
	}
	return g_strdup(name);
}

static void write_legend(const struct show_sink *show, const struct iot_show_canvas *canvas)
{
	g_autoptr(iot_table) table = iot_table_new();
	guint name_width = 4;

	for (guint i = 0; i < canvas->kinds->len; i++) {
		g_autofree char *name =
			full_name(show, canvas->kinds,
				  g_array_index(canvas->kinds, struct iot_show_kind, i).cat);

		name_width = MAX(name_width, iot_text_width(name));
	}
	iot_out_printf(show->out, "\n     %-*s  %8s  %9s  %9s\n", (int)name_width, "KIND", "COUNT",
		       "TIME", "LONGEST");
	for (guint i = 0; i < canvas->kinds->len; i++) {
		const struct iot_show_kind *kind =
			&g_array_index(canvas->kinds, struct iot_show_kind, i);
		g_autofree char *name = full_name(show, canvas->kinds, kind->cat);
		g_autofree char *sum = iot_format_duration(kind->sum_ns);
		g_autofree char *longest = iot_format_duration(kind->longest_ns);

		iot_out_putc(show->out, ' ');
		iot_show_swatch(canvas, kind);
		iot_out_printf(show->out, " %s%*s  %8" G_GUINT64_FORMAT "  %9s  %9s\n", name,
			       (int)(name_width - iot_text_width(name)), "", kind->count, sum,
			       longest);
	}
}

static void write_sentence(const struct iot_show_canvas *canvas, const char *text)
{
	guint width = canvas->label_width + canvas->columns + IOT_SHOW_RIGHT;

	iot_out_wrapped(canvas->out, IOT_PLAIN, FALSE, text, 0, 2, width);
	iot_out_putc(canvas->out, '\n');
}

static void write_explanation(const struct iot_show_canvas *canvas)
{
	g_autofree char *column = iot_format_duration(canvas->n_buckets * canvas->bucket_ns);
	g_autofree char *text = g_strdup_printf(
		"a column is %s; %s", column,
		canvas->n_colours && canvas->utf8
			? "the height of a block is its share of the time; a strip below waiting "
			  "is "
			  "the mode that is still held"
			: "a letter is the kind with the most time, in small letters if less than "
			  "half of the column is covered; + is waiting for less than half");

	iot_out_putc(canvas->out, '\n');
	write_sentence(canvas, text);
}

static void write_left_out(const struct show_sink *show, const struct iot_show_canvas *canvas,
			   guint beyond, guint without)
{
	g_autofree char *rows = iot_plural("row", beyond);
	g_autofree char *late = iot_plural("row", without);
	g_autofree char *less = g_strdup_printf("left out: %u %s with less waiting; take a "
						"narrower pattern, or show,rows=%u",
						beyond, rows, show->max_rows + beyond);
	g_autofree char *bounded = g_strdup_printf("left out: %u %s, because memory is bounded; "
						   "take a narrower pattern",
						   without, late);

	if (beyond)
		write_sentence(canvas, less);
	if (without)
		write_sentence(canvas, bounded);
}

static void write_picture(const struct show_sink *show, const struct iot_summary *summary)
{
	guint beyond, without;
	g_autoptr(GArray) chosen = choose_rows(show, &beyond, &without);
	g_autoptr(GArray) kinds = add_up_kinds(show, chosen);
	struct iot_show_canvas canvas = {
		.out = show->out,
		.tl = show->tl,
		.kinds = kinds,
		.n_colours = show->on_stdout ? summary->n_colours : 0,
		.utf8 = summary->utf8,
		.from_ns = show->tl->zero_ns - show->tl->origin_ns,
		.to_ns = MAX(summary->to_ns, show->tl->zero_ns) - show->tl->origin_ns,
	};

	if (!chosen->len) {
		iot_out_puts(show->out, "nothing to show\n");
		return;
	}
	make_room((struct show_sink *)show, canvas.to_ns - canvas.from_ns);
	fit(show, &canvas, chosen, summary);
	iot_show_axis(&canvas, "WAITED");
	write_rows(show, &canvas, chosen);
	write_gaps(show, &canvas);
	write_legend(show, &canvas);
	write_explanation(&canvas);
	write_left_out(show, &canvas, beyond, without);
}

static gboolean show_finish(struct iot_sink *sink, const struct iot_summary *summary,
			    GError **error)
{
	struct show_sink *show = (struct show_sink *)sink;

	write_picture(show, summary);
	return iot_out_finish(show->out, error);
}

static gsize show_memory(const struct iot_sink *sink)
{
	return ((const struct show_sink *)sink)->bytes;
}

static const struct iot_sink_option show_options[] = {
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
	.feed = IOT_FEED_WHOLE_SPANS,
	.options = show_options,
	.open = show_open,
	.item = show_item,
	.finish = show_finish,
	.memory = show_memory,
	.free = show_free,
};
