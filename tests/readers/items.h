/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items as lines of the text output, for readers of other formats; shares no code with a writer. */
#ifndef IOT_TESTS_READERS_ITEMS_H
#define IOT_TESTS_READERS_ITEMS_H

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text in quotes, as the text output writes it. */
static inline void items_quote(GString *to, const char *text, gsize len)
{
	g_string_append_c(to, '"');
	for (gsize i = 0; i < len; i++) {
		guint8 c = (guint8)text[i];

		if (c == '"' || c == '\\')
			g_string_append_c(to, '\\');
		if (c < 0x20 || c == 0x7f)
			g_string_append_printf(to, "\\x%02x", c);
		else
			g_string_append_c(to, (char)c);
	}
	g_string_append_c(to, '"');
}

/* A real number in the fewest digits from which it is read again, as the text output writes it. */
static inline void items_real(GString *to, gdouble real)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	gdouble again;

	for (guint digits = ABS(real) < G_MINDOUBLE ? 1 : 15; digits <= 17; digits++) {
		g_autofree char *format = g_strdup_printf("%%.%ug", digits);

		g_ascii_formatd(text, sizeof(text), format, real);
		again = g_ascii_strtod(text, NULL);
		if (!memcmp(&again, &real, sizeof(real)))
			break;
	}
	g_string_append(to, strcmp(text, "-0") ? text : "-0.0");
}

/* The same of its 64 bits. */
static inline void items_real_bits(GString *to, guint64 bits)
{
	gdouble real;

	memcpy(&real, &bits, sizeof(real));
	items_real(to, real);
}

/* What a reader has found of one item; texts may be NULL. */
struct items_item {
	const char *kind, *row, *type, *category, *marks;
	gint64 start, end; /* since the beginning */
	gint64 lane;
	const char *attrs;  /* " name=value ..." */
	const char *row_to; /* of a link */
	gint64 lane_to;
};

/* Its line, without the end; of a sample, @attrs is its value. The caller frees. */
static inline char *items_line(const struct items_item *item, guint64 begin)
{
	GString *line = g_string_new(NULL);
	gboolean gap = !strcmp(item->kind, "gap"), link = !strcmp(item->kind, "link");

	g_string_append_printf(line, "%" G_GUINT64_FORMAT " %s ", begin + (guint64)item->start,
			       item->kind);
	items_quote(line, item->row, strlen(item->row));
	g_string_append_printf(line, " %s", gap ? "-" : item->type);
	if (strcmp(item->kind, "sample")) {
		g_string_append_c(line, ' ');
		items_quote(line, item->category, strlen(item->category));
	}
	if (gap || link || !strcmp(item->kind, "span"))
		g_string_append_printf(line, " %" G_GINT64_FORMAT, item->end - item->start);
	if (link) {
		g_string_append_c(line, ' ');
		items_quote(line, item->row_to, strlen(item->row_to));
	}
	if (item->lane)
		g_string_append_printf(line, " lane=%" G_GINT64_FORMAT, item->lane);
	if (item->lane_to)
		g_string_append_printf(line, " lane_to=%" G_GINT64_FORMAT, item->lane_to);
	if (item->marks && *item->marks)
		g_string_append_printf(line, " flags=%s", item->marks);
	g_string_append(line, item->attrs);
	return g_string_free(line, FALSE);
}

static inline void items_print(const struct items_item *item, guint64 begin)
{
	g_autofree char *line = items_line(item, begin);

	puts(line);
}

#endif
