/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The picture as text: axis, rows, legend, and the number of rows left out. */
#include "sinks/show/show.h"
#include "sinks/show/show-strips.h"
#include "sinks/aggregate.h"
#include "sinks/table.h"
#include "base/units.h"

#include <string.h>

enum { LEAST_COLUMNS = 20, MOST_LABEL = 26 };

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

static void widen_for_curves(const struct show_sink *show, struct iot_show_canvas *canvas,
			     const struct show_row *row)
{
	for (guint i = 0; row->curves && i < row->curves->len; i++) {
		iot_cat_id cat = iot_show_curve_cat(row->curves->pdata[i]);
		const char *name = iot_tl_str(show->tl, iot_cat_at(show->tl, cat)->name);

		canvas->label_width = MAX(canvas->label_width, iot_text_width(name) + 5);
	}
}

/* Fit the duration into the width: as few buckets for a column as possible. */
static void fit(const struct show_sink *show, struct iot_show_canvas *canvas, const GArray *chosen,
		const struct iot_summary *summary)
{
	guint width = iot_show_width(show, summary);
	guint64 used = (canvas->to_ns - canvas->from_ns + show->bucket_ns - 1) / show->bucket_ns;
	guint room;

	canvas->label_width = 12;
	for (guint i = 0; i < chosen->len; i++) {
		iot_row_id id = g_array_index(chosen, iot_row_id, i);
		const char *name = iot_tl_str(show->tl, iot_row_at(show->tl, id)->name);

		canvas->label_width = MAX(canvas->label_width, iot_text_width(name) + 3);
		widen_for_curves(show, canvas, row_of(show, chosen, i));
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
	if (first) {
		iot_show_label(canvas, label);
		iot_out_putc(canvas->out, '\n');
	}
	if (row->n_lanes > row->lanes->len) {
		iot_show_label(canvas, "");
		iot_out_printf(canvas->out, "(%u more lanes)\n", row->n_lanes - row->lanes->len);
	}
	if (row->marks)
		iot_show_marks_line(canvas, row->marks);
	for (guint i = 0; row->curves && i < row->curves->len; i++)
		iot_show_curve_line(canvas, row->curves->pdata[i]);
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
		iot_out_puts(show->out, "  " IOT_GAP_NAME "\n");
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
	guint name_width = 4;

	for (guint i = 0; i < canvas->kinds->len; i++) {
		g_autofree char *name =
			full_name(show, canvas->kinds,
				  g_array_index(canvas->kinds, struct iot_show_kind, i).cat);

		name_width = MAX(name_width, iot_text_width(name));
	}
	if (canvas->kinds->len)
		iot_out_printf(show->out, "\n     %-*s  %8s  %9s  %9s\n", (int)name_width, "KIND",
			       "COUNT", "TIME", "LONGEST");
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

/* The kinds of points, of all rows. */
static void write_points(const struct show_sink *show)
{
	guint name_width = 5;

	for (guint i = 0; i < show->points->len; i++) {
		iot_cat_id cat = g_array_index(show->points, struct iot_show_kind, i).cat;
		const char *name = iot_tl_str(show->tl, iot_cat_at(show->tl, cat)->name);

		name_width = MAX(name_width, iot_text_width(name));
	}
	if (show->points->len)
		iot_out_printf(show->out, "\n     %-*s  %8s\n", (int)name_width, "EVENT", "COUNT");
	for (guint i = 0; i < show->points->len; i++) {
		const struct iot_show_kind *kind =
			&g_array_index(show->points, struct iot_show_kind, i);
		const char *name = iot_tl_str(show->tl, iot_cat_at(show->tl, kind->cat)->name);

		iot_out_printf(show->out, "     %s%*s  %8" G_GUINT64_FORMAT "\n", name,
			       (int)(name_width - iot_text_width(name)), "", kind->count);
	}
}

static void write_sentence(const struct iot_show_canvas *canvas, const char *text)
{
	guint width = canvas->label_width + canvas->columns + IOT_SHOW_RIGHT;

	iot_out_wrapped(canvas->out, IOT_PLAIN, FALSE, text, 0, 2, width);
	iot_out_putc(canvas->out, '\n');
}

static void write_explanation(const struct show_sink *show, const struct iot_show_canvas *canvas)
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
	if (show->points->len || g_hash_table_size(show->arrows.pairs))
		write_sentence(canvas,
			       "events: . one, : up to nine, * more, ! failed; an arrow leaves >, "
			       "arrives <, or both x");
	if (show->values)
		write_sentence(
			canvas,
			"values: the greatest in each column, up to the number on the right");
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

void iot_show_picture(const struct show_sink *show, const struct iot_summary *summary)
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
	iot_show_make_room((struct show_sink *)show, canvas.to_ns - canvas.from_ns);
	fit(show, &canvas, chosen, summary);
	iot_show_axis(&canvas, "WAITED");
	write_rows(show, &canvas, chosen);
	write_gaps(show, &canvas);
	write_legend(show, &canvas);
	write_points(show);
	iot_show_arrows_table(&canvas, &show->arrows);
	write_explanation(show, &canvas);
	write_left_out(show, &canvas, beyond, without);
	iot_show_account_write(&show->account, &canvas);
}
