/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/result-text.h"
#include "base/real.h"
#include "base/units.h"

#include <string.h>

/* Shares, and instants of the host's clock, are left out before the column they belong to. */
enum { DROP_HOST = 1, DROP_SHARE = 100 };

/* "12.345678901": since the beginning of the recording. The host's file may begin before the
 * recordings of the nodes. */
static char *format_instant(const struct iot_timeline *tl, guint64 ns)
{
	g_autofree char *before =
		ns < tl->origin_ns ? iot_format_seconds(tl->origin_ns - ns) : NULL;

	return before ? g_strconcat("-", before, NULL) : iot_format_seconds(ns - tl->origin_ns);
}

/* As trace-cmd report prints an instant: rounded to microseconds. */
static char *format_host(guint64 ns)
{
	guint64 us = ns / 1000 + (ns % 1000 >= 500);

	return g_strdup_printf("%" G_GUINT64_FORMAT ".%06u", us / 1000000,
			       (unsigned int)(us % 1000000));
}

static char *format_share(double share)
{
	double percent = 100.0 * share;

	if (percent == 0)
		return NULL;
	if (percent > -1 && percent < 1)
		return g_strdup(percent < 0 ? ">-1%" : "<1%");
	return g_strdup_printf("%.0f%%", percent);
}

static char *join_lines(const char *text, const char *separator)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	return g_strjoinv(separator, lines);
}

static char *format_row(const struct iot_timeline *tl, const struct iot_result_row *row,
			iot_row_id id)
{
	if (!row->level)
		return iot_timeline_path(tl, id, "/");
	return g_strdup_printf("%*s%s", 2 * (int)row->level, "",
			       iot_tl_str(tl, iot_row_at(tl, id)->name));
}

static char *format_count(const struct iot_result_cell *cell)
{
	if (cell->flags & IOT_CELL_NEGATIVE)
		return g_strdup_printf("%" G_GINT64_FORMAT, (gint64)cell->number);
	return iot_format_count(cell->number);
}

static char *format_real(double real)
{
	char digits[IOT_REAL_ROOM];

	return g_strdup(iot_real_text(digits, real));
}

static char *format_number(const struct iot_result_style *style, const struct iot_column *column,
			   const struct iot_result_row *row, const struct iot_result_cell *cell)
{
	if (!cell->number && column->flags & IOT_COLUMN_DASH && !(cell->flags & IOT_CELL_AT_LEAST))
		return g_strdup("-");
	switch (column->kind) {
	case IOT_COLUMN_NS:
		return iot_format_duration(cell->number);
	case IOT_COLUMN_INSTANT:
		return format_instant(style->tl, cell->number);
	case IOT_COLUMN_ROW:
		return format_row(style->tl, row, (iot_row_id)cell->number);
	case IOT_COLUMN_CATEGORY:
		return g_strdup(iot_tl_str(style->tl,
					   iot_cat_at(style->tl, (iot_cat_id)cell->number)->name));
	case IOT_COLUMN_SEVERITY:
		return g_strdup(iot_diag_severity_name((enum iot_severity)cell->number));
	default:
		return format_count(cell);
	}
}

/* The caller frees; NULL is an empty cell. */
static char *format_cell(const struct iot_result_style *style, const struct iot_column *column,
			 const struct iot_result_row *row, const struct iot_result_cell *cell)
{
	g_autofree char *text = NULL;

	if (cell->flags & IOT_CELL_UNKNOWN)
		return g_strdup("?");
	if (column->kind == IOT_COLUMN_ROW && row->others)
		return g_strdup_printf("%u others", row->others);
	if (cell->flags & IOT_CELL_EMPTY)
		return NULL;
	if (column->kind == IOT_COLUMN_TEXT)
		return column->flags & IOT_COLUMN_LIST ? join_lines(cell->text, ", ")
						       : g_strdup(cell->text);
	if (column->kind == IOT_COLUMN_REAL)
		return !cell->share && column->flags & IOT_COLUMN_DASH ? g_strdup("-")
								       : format_real(cell->share);
	if (column->kind == IOT_COLUMN_SHARE)
		return format_share(cell->share);
	text = format_number(style, column, row, cell);
	if (!(cell->flags & IOT_CELL_AT_LEAST))
		return g_steal_pointer(&text);
	return column->kind == IOT_COLUMN_COUNT ? g_strconcat(text, " + ?", NULL)
						: g_strconcat(">", text, NULL);
}

/* The result of a call, with "(not ended)" from the column after it. */
static char *append_remark(char *text, const struct iot_result_cell *remark)
{
	char *both;

	if (remark->flags & IOT_CELL_EMPTY)
		return text;
	both = g_strdup_printf("%s%s(%s)", text ? text : "", text ? " " : "", remark->text);
	g_free(text);
	return both;
}

static enum iot_style style_of(const struct iot_column *column, const struct iot_result_row *row,
			       const struct iot_result_cell *cell)
{
	static const enum iot_style styles[] = {
		[IOT_NOTICE] = IOT_PLAIN,
		[IOT_WARN] = IOT_YELLOW,
		[IOT_LOSS] = IOT_RED,
	};
	gboolean value = cell->flags & IOT_CELL_UNKNOWN || !(cell->flags & IOT_CELL_EMPTY);

	if (column->kind == IOT_COLUMN_SEVERITY)
		return styles[cell->number];
	if (column->flags & IOT_COLUMN_ALARM && value &&
	    (column->kind == IOT_COLUMN_TEXT || cell->number || cell->flags))
		return IOT_RED;
	return row->strong || column->flags & IOT_COLUMN_STRONG ? IOT_BOLD : IOT_PLAIN;
}

static gboolean is_printed(const struct iot_column *column)
{
	return !(column->flags & (IOT_COLUMN_DATA | IOT_COLUMN_REMARK));
}

static gboolean is_right(enum iot_column_kind kind)
{
	return kind == IOT_COLUMN_COUNT || kind == IOT_COLUMN_NS || kind == IOT_COLUMN_SHARE ||
	       kind == IOT_COLUMN_REAL || kind == IOT_COLUMN_INSTANT;
}

/* Instants of the host's clock follow the last of the instants before. */
static gboolean ends_instants(const struct iot_result_table *table, guint i)
{
	return iot_result_column_at(table, i)->kind == IOT_COLUMN_INSTANT &&
	       is_printed(iot_result_column_at(table, i)) &&
	       (i + 1 == table->columns->len ||
		iot_result_column_at(table, i + 1)->kind != IOT_COLUMN_INSTANT);
}

static guint first_instant(const struct iot_result_table *table, guint last)
{
	while (last && iot_result_column_at(table, last - 1)->kind == IOT_COLUMN_INSTANT)
		last--;
	return last;
}

static void add_column(struct iot_table *to, const struct iot_column *column)
{
	g_autofree char *title = g_utf8_strup(column->title, -1);
	struct iot_table_column *added =
		iot_table_column(to, column->flags & IOT_COLUMN_UNTITLED ? "" : title,
				 is_right(column->kind) ? IOT_RIGHT : IOT_LEFT);

	added->optional = !!(column->flags & IOT_COLUMN_OPTIONAL);
	added->shrink = !!(column->flags & IOT_COLUMN_SHRINK);
	added->wrap = !!(column->flags & IOT_COLUMN_WRAP);
	added->drop = column->drop;
	added->max_width = column->max_width;
	if (!(column->flags & IOT_COLUMN_OF_RANGE))
		return;
	added = iot_table_column(to, "", IOT_RIGHT);
	added->gap = 1;
	added->optional = TRUE;
	added->drop = column->drop ? DROP_SHARE + column->drop : 0;
}

static void add_columns(struct iot_table *to, const struct iot_result_table *table)
{
	for (guint i = 0; i < table->columns->len; i++) {
		if (is_printed(iot_result_column_at(table, i)))
			add_column(to, iot_result_column_at(table, i));
		for (guint k = first_instant(table, i); ends_instants(table, i) && k <= i; k++) {
			const struct iot_column *column = iot_result_column_at(table, k);
			g_autofree char *upper = g_utf8_strup(column->title, -1);
			g_autofree char *title = g_strconcat(upper, " (HOST)", NULL);
			struct iot_table_column *host = iot_table_column(to, title, IOT_RIGHT);

			host->drop = DROP_HOST;
			host->optional = column->flags & IOT_COLUMN_OPTIONAL;
		}
	}
}

static void add_host(struct iot_table *to, enum iot_style style, const struct iot_result_cell *cell)
{
	if (cell->flags & IOT_CELL_UNKNOWN)
		iot_table_cell(to, style, "?");
	else
		iot_table_take(to, style,
			       cell->flags & IOT_CELL_EMPTY ? NULL : format_host(cell->number));
}

static void add_cell(struct iot_table *to, const struct iot_result_style *style,
		     const struct iot_result_table *table, const struct iot_result_row *row,
		     guint i)
{
	const struct iot_column *column = iot_result_column_at(table, i);
	const struct iot_result_cell *cell = &row->cells[i];
	enum iot_style look = style_of(column, row, cell);
	char *text = format_cell(style, column, row, cell);
	gboolean valued = !(cell->flags & (IOT_CELL_EMPTY | IOT_CELL_UNKNOWN));

	if (i + 1 < table->columns->len &&
	    iot_result_column_at(table, i + 1)->flags & IOT_COLUMN_REMARK)
		text = append_remark(text, &row->cells[i + 1]);
	iot_table_take(to, look, text);
	if (column->flags & IOT_COLUMN_OF_RANGE)
		iot_table_take(to, look,
			       valued && table->range_ns ? format_share((double)cell->number /
									(double)table->range_ns)
							 : NULL);
}

static void add_row(struct iot_table *to, const struct iot_result_style *style,
		    const struct iot_result_table *table, const struct iot_result_row *row)
{
	iot_table_row(to);
	for (guint i = 0; i < table->columns->len; i++) {
		if (is_printed(iot_result_column_at(table, i)))
			add_cell(to, style, table, row, i);
		for (guint k = first_instant(table, i); ends_instants(table, i) && k <= i; k++)
			add_host(to, style_of(iot_result_column_at(table, k), row, &row->cells[k]),
				 &row->cells[k]);
	}
}

void iot_result_print(const struct iot_result_table *table, const struct iot_result_style *style)
{
	g_autoptr(iot_table) text = iot_table_new();

	text->max_width = style->width;
	text->indent = style->indent;
	add_columns(text, table);
	for (guint r = 0; r < table->rows->len; r++) {
		const struct iot_result_row *row = iot_result_row_at(table, r);

		if (!row->others || !table->counts_others)
			add_row(text, style, table, row);
	}
	iot_table_write(text, style->out, style->colour);
}

void iot_result_print_heading(const struct iot_result_table *table,
			      const struct iot_result_style *style)
{
	g_autofree char *text = table->remark
					? g_strdup_printf("%s (%s)", table->title, table->remark)
					: g_strdup(table->title);

	iot_out_wrapped(style->out, IOT_BOLD, style->colour, text, 0, 2, style->width);
	iot_out_putc(style->out, '\n');
}

void iot_result_print_notes(const struct iot_result_table *table,
			    const struct iot_result_style *style)
{
	for (guint i = 0; i < table->notes->len; i++) {
		iot_out_puts(style->out, "  ");
		iot_out_wrapped(style->out, IOT_PLAIN, FALSE, table->notes->pdata[i], 2, 2,
				style->width);
		iot_out_putc(style->out, '\n');
	}
}

static char *tsv_cell(const struct iot_result_style *style, const struct iot_column *column,
		      const struct iot_result_cell *cell)
{
	static const struct iot_result_row top;

	if (cell->flags & (IOT_CELL_EMPTY | IOT_CELL_UNKNOWN))
		return g_strdup("");
	switch (column->kind) {
	case IOT_COLUMN_TEXT:
		return join_lines(cell->text, ",");
	case IOT_COLUMN_SHARE:
		return g_strdup_printf("%.6f", cell->share);
	case IOT_COLUMN_REAL:
		return format_real(cell->share);
	case IOT_COLUMN_COUNT:
		return format_count(cell);
	case IOT_COLUMN_NS:
	case IOT_COLUMN_INSTANT:
		return g_strdup_printf("%" G_GUINT64_FORMAT, cell->number);
	default:
		return format_number(style, column, &top, cell);
	}
}

void iot_result_print_tsv(const struct iot_result_table *table,
			  const struct iot_result_style *style,
			  const struct iot_tsv_column *columns)
{
	for (guint r = 0; r < table->rows->len; r++) {
		for (guint i = 0; columns[i].name; i++) {
			guint at = (guint)iot_result_find_column(table, columns[i].name);
			g_autofree char *text = tsv_cell(style, iot_result_column_at(table, at),
							 &iot_result_row_at(table, r)->cells[at]);

			iot_out_printf(style->out, "%s%s", i ? "\t" : "", text);
		}
		iot_out_putc(style->out, '\n');
	}
}
