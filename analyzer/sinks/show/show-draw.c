/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/show/show-draw.h"
#include "sinks/show/show-strips.h"
#include "sinks/table.h"
#include "base/colour.h"
#include "base/units.h"

#include <string.h>

/* heights of blocks; no 0xRRGGBB */
enum { FULL = 8, STRIP = 2, NO_COLOUR = 1 << 24 };

/* A column as it is drawn. */
struct glyph {
	guint32 front, back; /* 0xRRGGBB or NO_COLOUR */
	guint height;	     /* of a block of the colour front; 0: none */
	char letter;
	iot_cat_id full; /* the kind that fills the column, or 0 */
};

/* ---- colours */

static guint32 colour_of(const struct iot_show_canvas *canvas, iot_cat_id cat)
{
	return cat ? iot_colour_on_dark(iot_cat_at(canvas->tl, cat)->rgb) : NO_COLOUR;
}

/* Black or white, whichever is easier to read on @rgb. */
static guint32 text_on(guint32 rgb)
{
	guint light = 299 * (rgb >> 16) + 587 * (rgb >> 8 & 0xff) + 114 * (rgb & 0xff);

	return light > 140 * 1000 ? 0x000000 : 0xffffff;
}

/* @where: 38 for the text, 48 for the background */
static void put_colour(const struct iot_show_canvas *canvas, guint where, guint32 rgb)
{
	if (rgb == NO_COLOUR)
		iot_out_printf(canvas->out, "\033[%um", where + 1);
	else if (canvas->n_colours > 256)
		iot_out_printf(canvas->out, "\033[%u;2;%u;%u;%um", where, rgb >> 16,
			       rgb >> 8 & 0xff, rgb & 0xff);
	else
		iot_out_printf(canvas->out, "\033[%u;5;%um", where, iot_colour_256(rgb));
}

/* ---- columns */

static guint eighths(guint64 ns, guint64 of_ns)
{
	return (guint)CLAMP((double)ns * FULL / (double)of_ns + 0.5, 1, FULL);
}

static char letter_of(const struct iot_show_canvas *canvas, iot_cat_id cat)
{
	return iot_show_kinds_find(canvas->kinds, cat)->letter;
}

static struct glyph choose_glyph(const struct iot_show_canvas *canvas,
				 const struct iot_show_cell *cell)
{
	guint64 column_ns = canvas->n_buckets * canvas->bucket_ns;
	struct glyph glyph = { .front = NO_COLOUR, .back = NO_COLOUR, .letter = ' ' };
	gboolean most = cell->covered_ns >= column_ns - cell->covered_ns;

	if (!cell->cat)
		return glyph;
	if (cell->wait) {
		glyph.front = colour_of(canvas, cell->wait);
		glyph.back = most ? colour_of(canvas, cell->other) : NO_COLOUR;
		glyph.height = eighths(cell->wait_ns, column_ns);
		glyph.letter = 2 * cell->wait_ns >= column_ns ? letter_of(canvas, cell->wait) : '+';
	} else {
		glyph.front = colour_of(canvas, cell->cat);
		glyph.height = eighths(cell->covered_ns, column_ns);
		glyph.letter = letter_of(canvas, cell->cat);
		if (!most)
			glyph.letter = g_ascii_tolower(glyph.letter);
	}
	/* a conversion: the mode that is still held is a strip below the waiting, as in the page */
	if (canvas->utf8 && cell->wait && glyph.height == FULL && 2 * cell->other_ns >= column_ns) {
		glyph.back = glyph.front;
		glyph.front = colour_of(canvas, cell->other);
		glyph.height = STRIP;
	} else if (glyph.height == FULL) {
		glyph.full = cell->wait ? cell->wait : cell->cat;
		glyph.back = glyph.front;
		glyph.front = text_on(glyph.back);
	}
	return glyph;
}

static void put_glyph(const struct iot_show_canvas *canvas, const struct glyph *glyph)
{
	static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇" };

	if (glyph->full)
		iot_out_putc(canvas->out, ' ');
	else if (canvas->utf8)
		iot_out_puts(canvas->out, blocks[glyph->height]);
	else
		iot_out_putc(canvas->out, glyph->letter);
}

/* The number of columns from @i on that one kind fills. */
static guint run_length(const struct glyph *glyphs, guint n, guint i)
{
	guint end = i;

	while (end < n && glyphs[i].full && glyphs[end].full == glyphs[i].full)
		end++;
	return end - i;
}

static void draw_coloured(const struct iot_show_canvas *canvas, const struct glyph *glyphs, guint n)
{
	guint32 front = NO_COLOUR, back = NO_COLOUR;

	for (guint i = 0; i < n;) {
		const struct glyph *glyph = &glyphs[i];
		guint run = run_length(glyphs, n, i);

		if (glyph->front != front && (glyph->full || glyph->height))
			put_colour(canvas, 38, front = glyph->front);
		if (glyph->back != back)
			put_colour(canvas, 48, back = glyph->back);
		if (!run) {
			put_glyph(canvas, glyph);
			i++;
			continue;
		}
		i += run;
		/* the name of the kind, where it has room */
		if (run > 3) {
			const char *name =
				iot_tl_str(canvas->tl, iot_cat_at(canvas->tl, glyph->full)->name);

			if (iot_text_width(name) + 2 <= run) {
				iot_out_printf(canvas->out, " %s", name);
				run -= iot_text_width(name) + 1;
			}
		}
		iot_out_printf(canvas->out, "%*s", (int)run, "");
	}
	iot_out_puts(canvas->out, "\033[0m");
}

void iot_show_line(const struct iot_show_canvas *canvas, const GArray *strips, const char *right)
{
	g_autofree struct glyph *glyphs = g_new(struct glyph, canvas->columns);
	guint n = 0;

	for (guint i = 0; i < canvas->columns; i++) {
		struct iot_show_cell cell =
			iot_show_strips_cell(strips, canvas->tl, i * canvas->n_buckets,
					     canvas->n_buckets, canvas->bucket_ns);

		glyphs[i] = choose_glyph(canvas, &cell);
		if (cell.cat || *right)
			n = i + 1;
	}
	if (canvas->n_colours)
		draw_coloured(canvas, glyphs, n);
	for (guint i = 0; i < n && !canvas->n_colours; i++)
		iot_out_putc(canvas->out, glyphs[i].letter);
	if (*right)
		iot_out_printf(canvas->out, "%*s", IOT_SHOW_RIGHT, right);
	iot_out_putc(canvas->out, '\n');
}

void iot_show_swatch(const struct iot_show_canvas *canvas, const struct iot_show_kind *kind)
{
	guint32 rgb = colour_of(canvas, kind->cat);

	if (canvas->n_colours) {
		put_colour(canvas, 38, text_on(rgb));
		put_colour(canvas, 48, rgb);
	}
	iot_out_printf(canvas->out, " %c ", kind->letter);
	if (canvas->n_colours)
		iot_out_puts(canvas->out, "\033[0m");
}

/* ---- text around the picture */

void iot_show_label(const struct iot_show_canvas *canvas, const char *text)
{
	guint width = iot_text_width(text);
	const char *end = text;

	if (width <= canvas->label_width) {
		iot_out_printf(canvas->out, "%s%*s", text, (int)(canvas->label_width - width), "");
		return;
	}
	/* the end of a name tells siblings apart; wide characters may leave a blank */
	for (; width + 4 > canvas->label_width; end = g_utf8_next_char(end)) {
		char one[7] = { 0 };

		g_unichar_to_utf8(g_utf8_get_char(end), one);
		width -= iot_text_width(one);
	}
	iot_out_printf(canvas->out, "...%s%*s", end, (int)(canvas->label_width - width - 3), "");
}

/* The least of 1, 2, 5, 10, 20 ... ns that is at least @ns. */
static guint64 nice_step(guint64 ns)
{
	guint64 step = 1;

	for (guint i = 0; step < ns; i++)
		step = i % 3 == 1 ? step / 2 * 5 : step * 2;
	return step;
}

/* "|2.5 s", with as many digits as multiples of @step need */
static char *format_tick(guint64 ns, guint64 step)
{
	g_autofree char *seconds = iot_format_seconds(ns);
	gsize cut = 0;

	for (guint64 unit = 10; cut < 9 && step % unit == 0; unit *= 10)
		cut++;
	if (cut == 9)
		cut++; /* the point */
	seconds[strlen(seconds) - cut] = '\0';
	return g_strdup_printf("|%s s", seconds);
}

/* The least step whose labels leave a blank between them. */
static guint64 choose_step(const struct iot_show_canvas *canvas, guint64 column_ns)
{
	guint64 step = nice_step(column_ns);

	for (;; step = nice_step(step + 1)) {
		g_autofree char *widest = format_tick(canvas->to_ns, step);

		if (step / column_ns > strlen(widest) + 1)
			return step;
	}
}

void iot_show_axis(const struct iot_show_canvas *canvas, const char *title)
{
	guint64 column_ns = canvas->n_buckets * canvas->bucket_ns;
	guint64 step = choose_step(canvas, column_ns);
	guint64 t = (canvas->from_ns + step - 1) / step * step;
	guint at = 0;

	iot_show_label(canvas, "");
	for (; t <= canvas->to_ns; t += step) {
		guint column = (guint)((t - canvas->from_ns) / column_ns);
		g_autofree char *tick = format_tick(t, step);

		if (column + strlen(tick) > canvas->columns)
			break;
		iot_out_printf(canvas->out, "%*s%s", (int)(column - at), "", tick);
		at = column + (guint)strlen(tick);
	}
	iot_out_printf(canvas->out, "%*s%*s\n", (int)(canvas->columns - at), "", IOT_SHOW_RIGHT,
		       title);
}
