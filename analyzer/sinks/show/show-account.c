/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/show/show-account.h"
#include "sinks/table.h"
#include "base/units.h"
#include "timeline/part.h"

#include <string.h>

/* Parts that are printed. */
enum { MOST_PARTS = 8 };
/* Columns in front of the name of a part. */
enum { BEFORE_NAME = 31 };

/* Parts of one name and certainty. */
struct line {
	char *name;
	iot_str certainty;
	guint64 ns;
};

void iot_show_account_init(struct iot_show_account *account)
{
	account->span = (struct iot_item){ .kind = IOT_ITEM_PART };
	account->parts = g_array_new(FALSE, FALSE, sizeof(struct iot_item));
}

void iot_show_account_clear(struct iot_show_account *account)
{
	g_array_unref(account->parts);
}

static guint64 length_of(const struct iot_item *span)
{
	return span->t1 - span->t0;
}

void iot_show_account_span(struct iot_show_account *account, const struct iot_item *span,
			   const struct iot_category *cat)
{
	if (!iot_item_waited(span, cat) || iot_flags_cut(span->flags) ||
	    (account->span.kind == IOT_ITEM_SPAN && length_of(span) <= length_of(&account->span)))
		return;
	account->span = *span;
	g_array_set_size(account->parts, 0);
}

void iot_show_account_part(struct iot_show_account *account, const struct iot_item *part)
{
	const struct iot_item *span = &account->span;

	if (span->kind == IOT_ITEM_SPAN && part->row == span->row && part->lane == span->lane &&
	    part->t1 == span->t1 && part->attr[IOT_PART_TOOK].u == length_of(span))
		g_array_append_val(account->parts, *part);
}

static void line_clear(gpointer line)
{
	g_free(((struct line *)line)->name);
}

static gint by_time(gconstpointer pa, gconstpointer pb)
{
	const struct line *a = pa, *b = pb;

	return a->ns != b->ns ? (a->ns < b->ns ? 1 : -1) : strcmp(a->name, b->name);
}

static GArray *add_up(const struct iot_show_account *account, const struct iot_timeline *tl)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct line));

	g_array_set_clear_func(lines, line_clear);
	for (guint i = 0; i < account->parts->len; i++) {
		const struct iot_item *part = &g_array_index(account->parts, struct iot_item, i);
		GString *name = g_string_new(NULL);
		struct line new = { .certainty = (iot_str)part->attr[IOT_PART_CERTAINTY].str };
		guint k = 0;

		iot_part_name(tl, part, name);
		new.name = g_string_free(name, FALSE);
		while (k < lines->len &&
		       (strcmp(g_array_index(lines, struct line, k).name, new.name) ||
			g_array_index(lines, struct line, k).certainty != new.certainty))
			k++;
		if (k == lines->len)
			g_array_append_val(lines, new);
		else
			g_free(new.name);
		g_array_index(lines, struct line, k).ns += part->attr[IOT_PART_NS].u;
	}
	g_array_sort(lines, by_time);
	return lines;
}

static void write_wrapped(const struct iot_show_canvas *canvas, enum iot_style style,
			  const char *text, guint first)
{
	guint width = canvas->label_width + canvas->columns + IOT_SHOW_RIGHT;

	iot_out_wrapped(canvas->out, style, canvas->n_colours > 0, text, first, first ? first : 2,
			width);
	iot_out_putc(canvas->out, '\n');
}

static void write_line(const struct iot_show_canvas *canvas, const struct line *line, guint64 took)
{
	g_autofree char *time = iot_format_duration(line->ns);
	const char *certainty = line->certainty ? iot_tl_str(canvas->tl, line->certainty) : "";

	iot_out_printf(canvas->out, "  %9s  %3.0f %%  %-9s  ", time,
		       (double)line->ns / (double)took * 100, certainty);
	write_wrapped(canvas, IOT_PLAIN, line->name, BEFORE_NAME);
}

void iot_show_account_write(const struct iot_show_account *account,
			    const struct iot_show_canvas *canvas)
{
	const struct iot_item *span = &account->span;
	g_autoptr(GArray) lines = add_up(account, canvas->tl);
	struct line rest = { .ns = 0 };
	g_autofree char *path = NULL, *took = NULL, *title = NULL;

	if (!lines->len)
		return;
	path = iot_timeline_path(canvas->tl, span->row, "/");
	took = iot_format_duration(length_of(span));
	title = g_strdup_printf("Parts of the longest: %s on %s, %s",
				iot_tl_str(canvas->tl, iot_cat_at(canvas->tl, span->cat)->name),
				path, took);
	iot_out_putc(canvas->out, '\n');
	write_wrapped(canvas, IOT_BOLD, title, 0);
	for (guint i = 0; i < lines->len; i++) {
		const struct line *line = &g_array_index(lines, struct line, i);

		if (i < MOST_PARTS)
			write_line(canvas, line, length_of(span));
		else
			rest.ns += line->ns;
	}
	rest.name = g_strdup_printf("%u other parts", MAX(lines->len, MOST_PARTS) - MOST_PARTS);
	if (rest.ns)
		write_line(canvas, &rest, length_of(span));
	g_free(rest.name);
}
