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

/* Models escape names; file names and kernel versions are not escaped. Backslashes stay. */
char *iot_text_printable(const char *text)
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

/* Names often differ in their last characters only, so both ends of a long name are kept. */
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
	struct iot_table_column column = { .title = iot_text_printable(title),
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
	cell.text = cut_middle(iot_text_printable(text ? text : ""), column->max_width);
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

void iot_out_wrapped(struct iot_out *out, enum iot_style style, gboolean colour, const char *text,
		     guint column, guint indent, guint max_width)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	guint at = column;

	for (guint i = 0; words[i]; i++) {
		guint width = iot_text_width(words[i]);

		if (i && max_width && at > indent && at + 1 + width > max_width) {
			g_string_append_printf(lines, "\n%*s", (int)indent, "");
			at = indent;
		} else if (i) {
			g_string_append_c(lines, ' ');
			at++;
		}
		g_string_append(lines, words[i]);
		at += width;
	}
	iot_out_styled(out, style, colour, lines->str);
}

/* ---- layout: which columns fit, and how wide */

enum { COMFORTABLE = 32, WORDS = 24, LEAST = 8 };

struct layout {
	const struct iot_table *table;
	gboolean *shown;
	guint *width;
	guint below; /* column that gets lines of its own below each row; G_MAXUINT: none */
	gboolean dropped;
};

static guint line_width(const struct layout *layout)
{
	guint width = layout->table->indent;

	for (guint i = 0; i < layout->table->columns->len; i++)
		if (layout->shown[i])
			width += layout->width[i] + (i ? column_at(layout->table, i)->gap : 0);
	return width;
}

static gboolean shrink_widest(struct layout *layout, guint least)
{
	guint widest = G_MAXUINT, width = least;

	for (guint i = 0; i < layout->table->columns->len; i++) {
		const struct iot_table_column *column = column_at(layout->table, i);

		if (!layout->shown[i] || !column->shrink ||
		    layout->width[i] <= MAX(width, iot_text_width(column->title)))
			continue;
		widest = i;
		width = layout->width[i];
	}
	if (widest == G_MAXUINT)
		return FALSE;
	layout->width[widest]--;
	return TRUE;
}

static gboolean drop_one(struct layout *layout)
{
	guint first = G_MAXUINT, drop = 0;

	for (guint i = 0; i < layout->table->columns->len; i++) {
		const struct iot_table_column *column = column_at(layout->table, i);

		if (!layout->shown[i] || !column->drop || column->drop < drop)
			continue;
		first = i;
		drop = column->drop;
	}
	if (first == G_MAXUINT)
		return FALSE;
	layout->shown[first] = FALSE;
	layout->dropped |= *column_at(layout->table, first)->title != '\0';
	return TRUE;
}

static gboolean fits(const struct layout *layout)
{
	guint max_width = layout->table->max_width;

	return !max_width || line_width(layout) <= max_width;
}

/* The words of the last column need more lines before anything else is cut. */
static void fit_words(struct layout *layout)
{
	guint last = layout->table->columns->len - 1;

	if (!layout->table->columns->len || !column_at(layout->table, last)->wrap ||
	    !layout->shown[last])
		return;
	while (!fits(layout) && layout->width[last] > WORDS)
		layout->width[last]--;
	if (fits(layout))
		return;
	layout->below = last;
	layout->shown[last] = FALSE;
}

static void layout_init(struct layout *layout, const struct iot_table *table)
{
	*layout = (struct layout){ .table = table, .below = G_MAXUINT };
	layout->shown = g_new(gboolean, table->columns->len + 1);
	layout->width = g_new(guint, table->columns->len + 1);
	for (guint i = 0; i < table->columns->len; i++) {
		layout->shown[i] = column_is_shown(table, i);
		layout->width[i] = column_at(table, i)->width;
	}
	fit_words(layout);
	while (!fits(layout))
		if (!shrink_widest(layout, COMFORTABLE) && !drop_one(layout) &&
		    !shrink_widest(layout, LEAST))
			break;
}

static void layout_clear(struct layout *layout)
{
	g_free(layout->shown);
	g_free(layout->width);
}

/* ---- writing */

/* The line that is written. Blanks are owed until more text follows, so no line ends with blanks.
 */
struct writer {
	const struct layout *layout;
	const struct iot_table *table;
	struct iot_out *out;
	gboolean colour;
	guint owed;
	guint at; /* terminal column */
};

static void write_cell(struct writer *writer, guint i, const struct cell *cell)
{
	const struct iot_table_column *column = column_at(writer->table, i);
	guint width = writer->layout->width[i], fill = width - MIN(cell->width, width);
	g_autofree char *text = NULL;

	if (!*cell->text) {
		writer->owed += width;
		return;
	}
	if (column->align == IOT_RIGHT)
		writer->owed += fill;
	writer->at += writer->owed + width - fill;
	for (; writer->owed; writer->owed--)
		iot_out_putc(writer->out, ' ');
	if (cell->width > width && column->wrap) {
		iot_out_wrapped(writer->out, cell->style, writer->colour, cell->text,
				writer->at - width, writer->at - width, writer->at);
	} else {
		text = cut_middle(g_strdup(cell->text), cell->width > width ? width : 0);
		iot_out_styled(writer->out, cell->style, writer->colour, text);
	}
	if (column->align == IOT_LEFT)
		writer->owed += fill;
}

/* @cells: NULL for the titles */
static void write_line(struct writer *writer, const GArray *cells)
{
	static const struct cell empty = { IOT_PLAIN, (char *)"", 0 };

	writer->owed = writer->table->indent;
	writer->at = 0;
	for (guint i = 0; i < writer->table->columns->len; i++) {
		const struct iot_table_column *column = column_at(writer->table, i);
		struct cell title = { IOT_BOLD, column->title, iot_text_width(column->title) };
		const struct cell *cell = !cells	   ? &title
					  : i < cells->len ? &g_array_index(cells, struct cell, i)
							   : &empty;

		if (!writer->layout->shown[i])
			continue;
		writer->owed += i ? column->gap : 0;
		write_cell(writer, i, cell);
	}
	iot_out_putc(writer->out, '\n');
}

/* The cell of the column that has a line of its own. */
static void write_below(struct writer *writer, const GArray *cells)
{
	guint indent = writer->table->indent + 4, below = writer->layout->below;
	const struct cell *cell;

	if (below >= cells->len)
		return;
	cell = &g_array_index(cells, struct cell, below);
	if (!*cell->text)
		return;
	for (guint i = 0; i < indent; i++)
		iot_out_putc(writer->out, ' ');
	iot_out_wrapped(writer->out, cell->style, writer->colour, cell->text, indent, indent,
			writer->table->max_width);
	iot_out_putc(writer->out, '\n');
}

/* Name the columns that were left out. */
static void write_dropped(const struct writer *writer)
{
	const struct layout *layout = writer->layout;
	const struct iot_table *table = writer->table;
	g_autoptr(GString) text = g_string_new("(no room for");
	const char *before = " ";

	for (guint i = 0; i < table->columns->len; i++) {
		if (layout->shown[i] || i == layout->below || !column_is_shown(table, i) ||
		    !*column_at(table, i)->title)
			continue;
		g_string_append_printf(text, "%s%s", before, column_at(table, i)->title);
		before = ", ";
	}
	g_string_append(text, "; a file or pipe gets all columns)");
	for (guint i = 0; i < table->indent; i++)
		iot_out_putc(writer->out, ' ');
	iot_out_wrapped(writer->out, IOT_PLAIN, FALSE, text->str, table->indent, table->indent,
			table->max_width);
	iot_out_putc(writer->out, '\n');
}

static gboolean has_titles(const struct iot_table *table)
{
	for (guint i = 0; i < table->columns->len; i++)
		if (*column_at(table, i)->title)
			return TRUE;
	return FALSE;
}

void iot_table_write(const struct iot_table *table, struct iot_out *out, gboolean colour)
{
	struct layout layout;
	struct writer writer = { .layout = &layout, .table = table, .out = out, .colour = colour };

	layout_init(&layout, table);
	if (has_titles(table))
		write_line(&writer, NULL);
	for (guint r = 0; r < table->rows->len; r++) {
		write_line(&writer, g_ptr_array_index(table->rows, r));
		write_below(&writer, g_ptr_array_index(table->rows, r));
	}
	if (layout.dropped)
		write_dropped(&writer);
	layout_clear(&layout);
}
