/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/table.h"

struct cell {
	enum iot_style style;
	char *text;
	guint width;
};

static void clear_column(gpointer data)
{
	g_free(((struct iot_table_column *)data)->title);
}

static void clear_cell(gpointer data)
{
	g_free(((struct cell *)data)->text);
}

struct iot_table *iot_table_new(void)
{
	struct iot_table *table = g_new0(struct iot_table, 1);

	table->indent = 2;
	table->columns = g_array_new(FALSE, FALSE, sizeof(struct iot_table_column));
	g_array_set_clear_func(table->columns, clear_column);
	table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	return table;
}

void iot_table_free(struct iot_table *table)
{
	if (!table)
		return;
	g_array_unref(table->columns);
	g_ptr_array_unref(table->rows);
	g_free(table);
}

static struct iot_table_column *column_at(const struct iot_table *table, guint i)
{
	return &g_array_index(table->columns, struct iot_table_column, i);
}

static guint char_width(gunichar c)
{
	return g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

guint iot_text_width(const char *text)
{
	guint width = 0;

	for (; *text; text = g_utf8_next_char(text))
		width += char_width(g_utf8_get_char(text));
	return width;
}

/* Names come escaped from the models, file names and kernel versions do not. Backslashes stay. */
static char *make_printable(const char *text)
{
	GString *safe = g_string_new(NULL);
	gsize len = strlen(text);

	while (len) {
		gunichar c = g_utf8_get_char_validated(text, (gssize)len);
		gsize n = 1;

		if (c < (gunichar)-2 && g_unichar_isprint(c)) {
			n = (gsize)g_unichar_to_utf8(c, NULL);
			g_string_append_len(safe, text, (gssize)n);
		} else {
			g_string_append_printf(safe, "\\x%02x", (guint8)*text);
		}
		text += n;
		len -= n;
	}
	return g_string_free(safe, FALSE);
}

/* Both ends of a long name tell more than its beginning alone. */
static char *cut_middle(char *text, guint max_width)
{
	static const char dots[] = "...";
	guint width = iot_text_width(text), left = 0, keep = max_width > 3 ? max_width - 3 : 0;
	const char *head = text, *tail = text;
	char *shorter;

	if (!max_width || width <= max_width)
		return text;
	for (; left + char_width(g_utf8_get_char(head)) <= keep / 2; head = g_utf8_next_char(head))
		left += char_width(g_utf8_get_char(head));
	for (guint rest = width; rest > keep - keep / 2; tail = g_utf8_next_char(tail))
		rest -= char_width(g_utf8_get_char(tail));
	shorter = g_strdup_printf("%.*s%s%s", (int)(head - text), text, dots, tail);
	g_free(text);
	return shorter;
}

struct iot_table_column *iot_table_column(struct iot_table *table, const char *title,
					  enum iot_align align)
{
	struct iot_table_column column = { .title = make_printable(title),
					   .align = align,
					   .gap = 2 };

	column.width = iot_text_width(column.title);
	g_array_append_val(table->columns, column);
	return column_at(table, table->columns->len - 1);
}

void iot_table_row(struct iot_table *table)
{
	GArray *row = g_array_new(FALSE, FALSE, sizeof(struct cell));

	g_array_set_clear_func(row, clear_cell);
	g_ptr_array_add(table->rows, row);
}

void iot_table_cell(struct iot_table *table, enum iot_style style, const char *text)
{
	GArray *row = g_ptr_array_index(table->rows, table->rows->len - 1);
	struct iot_table_column *column;
	struct cell cell = { .style = style };

	g_assert(row->len < table->columns->len);
	column = column_at(table, row->len);
	cell.text = cut_middle(make_printable(text ? text : ""), column->max_width);
	cell.width = iot_text_width(cell.text);
	column->width = MAX(column->width, cell.width);
	g_array_append_val(row, cell);
}

void iot_table_take(struct iot_table *table, enum iot_style style, char *text)
{
	iot_table_cell(table, style, text);
	g_free(text);
}

void iot_out_styled(struct iot_out *out, enum iot_style style, gboolean colour, const char *text)
{
	static const char *const codes[] = {
		[IOT_PLAIN] = "",
		[IOT_BOLD] = "\033[1m",
		[IOT_RED] = "\033[1;31m",
		[IOT_YELLOW] = "\033[1;33m",
	};

	colour = colour && style != IOT_PLAIN && *text;
	if (colour)
		iot_out_puts(out, codes[style]);
	iot_out_puts(out, text);
	if (colour)
		iot_out_puts(out, "\033[0m");
}

static gboolean column_is_shown(const struct iot_table *table, guint i)
{
	if (!column_at(table, i)->optional)
		return TRUE;
	for (guint r = 0; r < table->rows->len; r++) {
		const GArray *row = g_ptr_array_index(table->rows, r);

		if (i < row->len && *g_array_index(row, struct cell, i).text)
			return TRUE;
	}
	return FALSE;
}

/* Blanks are owed until more text follows, so no line ends with some. */
static void write_cell(struct iot_out *out, const struct iot_table_column *column,
		       const struct cell *cell, gboolean colour, guint *owed)
{
	guint fill = column->width - cell->width;

	if (!*cell->text) {
		*owed += column->width;
		return;
	}
	if (column->align == IOT_RIGHT)
		*owed += fill;
	for (; *owed; --*owed)
		iot_out_putc(out, ' ');
	iot_out_styled(out, cell->style, colour, cell->text);
	if (column->align == IOT_LEFT)
		*owed += fill;
}

static void write_titles(const struct iot_table *table, const gboolean *shown, struct iot_out *out,
			 gboolean colour)
{
	guint owed = table->indent;
	gboolean any = FALSE;

	for (guint i = 0; i < table->columns->len; i++)
		any = any || *column_at(table, i)->title;
	for (guint i = 0; any && i < table->columns->len; i++) {
		struct iot_table_column *column = column_at(table, i);
		struct cell cell = { IOT_BOLD, column->title, iot_text_width(column->title) };

		if (!shown[i])
			continue;
		owed += i ? column->gap : 0;
		write_cell(out, column, &cell, colour, &owed);
	}
	if (any)
		iot_out_putc(out, '\n');
}

void iot_table_write(const struct iot_table *table, struct iot_out *out, gboolean colour)
{
	static const struct cell empty = { IOT_PLAIN, (char *)"", 0 };
	g_autofree gboolean *shown = g_new(gboolean, table->columns->len + 1);

	for (guint i = 0; i < table->columns->len; i++)
		shown[i] = column_is_shown(table, i);
	write_titles(table, shown, out, colour);
	for (guint r = 0; r < table->rows->len; r++) {
		const GArray *row = g_ptr_array_index(table->rows, r);
		guint owed = table->indent;

		for (guint i = 0; i < table->columns->len; i++) {
			const struct cell *cell =
				i < row->len ? &g_array_index(row, struct cell, i) : &empty;

			if (!shown[i])
				continue;
			owed += i ? column_at(table, i)->gap : 0;
			write_cell(out, column_at(table, i), cell, colour, &owed);
		}
		iot_out_putc(out, '\n');
	}
}
