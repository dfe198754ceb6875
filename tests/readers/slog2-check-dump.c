/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drawables as text, for comparisons with the text output of the same recording. */
#include "slog2-check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_quoted(GString *text, const char *word)
{
	g_string_append_c(text, '"');
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			g_string_append_c(text, '\\');
		g_string_append_c(text, *word);
	}
	g_string_append_c(text, '"');
}

static void put_line(GString *text, const struct slog2 *file, const struct slog2_names *names,
		     gint32 line)
{
	const struct slog2_name *name;

	if (!names) {
		g_autofree char *path = slog2_line_path(g_ptr_array_index(file->maps, 0), line);

		g_string_append(text, path);
		return;
	}
	name = slog2_names_find(file, names, line);
	put_quoted(text, name ? name->path : "?");
	g_string_append_printf(text, " lane=%s", name ? name->lane : "?");
}

static char *drawable_text(const struct slog2 *file, const struct slog2_names *names,
			   const struct slog2_drawable *d)
{
	static const char *const kinds[] = { "point ", "span ", "arrow " };
	/* any other has been reported when the category was read */
	gboolean known = d->cat->topology >= 0 && d->cat->topology < (gint)G_N_ELEMENTS(kinds);
	GString *text = g_string_new(known ? kinds[d->cat->topology] : "? ");
	long long t0 = llround(d->t[0] * 1e9), t1 = llround(d->t[1] * 1e9);

	put_line(text, file, names, d->line[0]);
	g_string_append_c(text, ' ');
	if (d->cat->topology == SLOG2_ARROW) {
		put_line(text, file, names, d->line[1]);
		g_string_append_c(text, ' ');
	}
	put_quoted(text, d->cat->name);
	g_string_append_printf(text, " %lld", t0);
	if (d->cat->topology != SLOG2_EVENT)
		g_string_append_printf(text, " %lld", t1 - t0);
	return g_string_free(text, FALSE);
}

static int compare_times(gconstpointer pa, gconstpointer pb)
{
	const struct slog2_drawable *a = *(const struct slog2_drawable *const *)pa;
	const struct slog2_drawable *b = *(const struct slog2_drawable *const *)pb;

	for (guint i = 0; i < 2; i++)
		if (a->t[i] != b->t[i])
			return a->t[i] < b->t[i] ? -1 : 1;
	if (a->line[0] != b->line[0])
		return a->line[0] < b->line[0] ? -1 : 1;
	return strcmp(a->cat->name, b->cat->name);
}

GPtrArray *slog2_by_time(const struct slog2 *file)
{
	GPtrArray *order = g_ptr_array_new();

	for (guint i = 0; i < file->drawables->len; i++)
		g_ptr_array_add(order, &g_array_index(file->drawables, struct slog2_drawable, i));
	g_ptr_array_sort(order, compare_times);
	return order;
}

void slog2_dump(const struct slog2 *file, const struct slog2_names *names)
{
	g_autoptr(GPtrArray) order = slog2_by_time(file);

	for (guint i = 0; i < order->len; i++) {
		g_autofree char *text = drawable_text(file, names, g_ptr_array_index(order, i));

		puts(text);
	}
}
