/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places of lines on the y axis: line id maps for Jumpshot, and a table with names. */
#include "sinks/slog2/slog2-lines.h"
#include "base/units.h"

#include <stdlib.h>

enum {
	MAX_COLUMNS = G_N_ELEMENTS(((struct iot_view *)NULL)->column) + 1, /* and the lane */
	ELSEWHERE = 999999,    /* path of lines that are not in a view: at the bottom */
	OTHER_NODES = 1000,    /* added for nodes without a number in their name */
	UNSEEN_NODES = 100000, /* added for nodes that lost events and have no row */
};

/* Only the usual spelling counts, so that no two names share a row. */
static gboolean parse_number(const char *digits, gint32 *out_number)
{
	g_autofree char *again = NULL;
	guint64 value;

	if (!g_ascii_isdigit(*digits))
		return FALSE;
	value = g_ascii_strtoull(digits, NULL, 10);
	again = g_strdup_printf("%" G_GUINT64_FORMAT, value);
	if (value > G_MAXINT32 || strcmp(again, digits))
		return FALSE;
	*out_number = (gint32)value;
	return TRUE;
}

/* "node 3" gets the number 3 on the axis. */
static gboolean node_number(const char *name, gint32 *out_number)
{
	return g_str_has_prefix(name, "node ") && parse_number(name + strlen("node "), out_number);
}

static gint32 row_number(const struct iot_timeline *tl, iot_row_id id)
{
	const struct iot_row *row = iot_row_at(tl, id);
	gint32 number;

	if (iot_type_at(tl, row->type)->role != IOT_ROLE_NODE)
		return (gint32)row->rank + 1;
	if (node_number(iot_tl_str(tl, row->name), &number))
		return number;
	return (gint32)row->rank + 1 + OTHER_NODES;
}

/* The nearest row of type @type from @row up to the root, or 0. */
static iot_row_id ancestor(const struct iot_timeline *tl, iot_row_id row, iot_type_id type)
{
	while (row && iot_row_at(tl, row)->type != type)
		row = iot_row_at(tl, row)->parent;
	return row;
}

static gboolean is_column(const struct iot_view *view, iot_type_id type)
{
	for (guint i = 0; i < view->n_columns; i++)
		if (view->column[i] == type)
			return TRUE;
	return FALSE;
}

/* Lines of the root and of gaps are in every view. */
static gboolean in_view(const struct iot_slog2_lines *lines, const struct iot_slog2_line *line,
			const struct iot_view *view)
{
	return !line->row || is_column(view, iot_row_at(lines->tl, line->row)->type);
}

/* Column of the view that holds nodes; the last one if there is none. */
static guint node_column(const struct iot_timeline *tl, const struct iot_view *view)
{
	for (guint i = 0; i < view->n_columns; i++)
		if (iot_type_at(tl, view->column[i])->role == IOT_ROLE_NODE)
			return i;
	return view->n_columns - 1;
}

/* The row number of the node, if the node has a row. */
static gint32 gap_number(const struct iot_timeline *tl, iot_str node)
{
	const char *name = iot_tl_str(tl, node);
	gint32 number;

	if (node_number(name, &number) || parse_number(name, &number))
		return number;
	for (iot_row_id id = 1; id < tl->rows.n; id++) {
		const struct iot_row *row = iot_row_at(tl, id);

		if (row->name == node && iot_type_at(tl, row->type)->role == IOT_ROLE_NODE)
			return row_number(tl, id);
	}
	return (gint32)MIN(UNSEEN_NODES + (guint64)node, G_MAXINT32);
}

/* Fill the n_columns + 1 numbers of a line. Columns below its row are 0, so it is drawn above its
 * children. */
static void get_path(const struct iot_slog2_lines *lines, const struct iot_slog2_line *line,
		     const struct iot_view *view, gint32 *path)
{
	const struct iot_timeline *tl = lines->tl;

	path[view->n_columns] = line->lane;
	if (!in_view(lines, line, view)) {
		for (guint i = 0; i <= view->n_columns; i++)
			path[i] = ELSEWHERE;
		return;
	}
	for (guint i = 0; i < view->n_columns; i++) {
		iot_row_id row = ancestor(tl, line->row, view->column[i]);

		path[i] = row ? row_number(tl, row) : 0;
	}
	if (line->is_gap && view->n_columns)
		path[node_column(tl, view)] = gap_number(tl, line->gap_node);
}

static void free_map(gpointer data)
{
	struct iot_slog2_map *map = data;

	g_free((gpointer)map->columns);
	g_free((gpointer)map->rows);
}

static void add_view_map(const struct iot_slog2_lines *lines, const struct iot_view *view,
			 GArray *maps)
{
	guint n_columns = view->n_columns + 1;
	const char **columns = g_new(const char *, n_columns);
	guint32 n_rows = lines->n - lines->n_pairs;
	gint32 *rows = g_new(gint32, (gsize)n_rows * (1 + n_columns)), *row = rows;
	struct iot_slog2_map map = {
		.title = iot_tl_str(lines->tl, view->title),
		.n_columns = n_columns,
		.columns = columns,
		.n_rows = n_rows,
		.rows = rows,
	};

	for (guint i = 0; i < view->n_columns; i++)
		columns[i] = iot_tl_str(lines->tl, iot_type_at(lines->tl, view->column[i])->title);
	columns[view->n_columns] = "lane";
	for (guint32 n = 1; n <= lines->n; n++) {
		if (iot_slog2_line_at(lines, n)->to)
			continue;
		row[0] = (gint32)n;
		get_path(lines, iot_slog2_line_at(lines, n), view, row + 1);
		row += 1 + n_columns;
	}
	g_array_append_val(maps, map);
}

static void add_identity_map(const struct iot_slog2_lines *lines, GArray *maps)
{
	const char **columns = g_new(const char *, 1);
	gint32 *rows = g_new(gint32, (gsize)lines->n * 2), *row = rows;
	struct iot_slog2_map map = {
		.title = "Identity Map",
		.n_columns = 1,
		.columns = columns,
		.n_rows = lines->n - lines->n_pairs,
		.rows = rows,
	};

	columns[0] = "LineID";
	for (guint32 n = 1; n <= lines->n; n++) {
		if (iot_slog2_line_at(lines, n)->to)
			continue;
		*row++ = (gint32)n;
		*row++ = (gint32)n;
	}
	g_array_append_val(maps, map);
}

/* A view is used if its rows have lines, or if it is the only view. */
static gboolean has_rows(const struct iot_slog2_lines *lines, const struct iot_view *view)
{
	for (guint32 n = 1; n <= lines->n; n++) {
		const struct iot_slog2_line *line = iot_slog2_line_at(lines, n);

		if (line->row && in_view(lines, line, view))
			return TRUE;
	}
	return lines->tl->n_views == 1;
}

GArray *iot_slog2_lines_maps(const struct iot_slog2_lines *lines)
{
	GArray *maps = g_array_new(FALSE, FALSE, sizeof(struct iot_slog2_map));

	g_array_set_clear_func(maps, free_map);
	for (guint i = 0; i < lines->tl->n_views; i++)
		if (has_rows(lines, &lines->tl->view[i]))
			add_view_map(lines, &lines->tl->view[i], maps);
	add_identity_map(lines, maps);
	return maps;
}

/* A line and its path, by which the table is sorted. */
struct row {
	gint32 path[MAX_COLUMNS];
	guint32 line;
};

static int compare_rows(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	for (guint i = 0; i < MAX_COLUMNS; i++)
		if (a->path[i] != b->path[i])
			return a->path[i] < b->path[i] ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static void put_number(struct iot_out *out, guint64 number)
{
	iot_out_uint(out, number);
	iot_out_putc(out, '\t');
}

/* Names have no control characters; if one has, it must not break the table. */
static void put_name(struct iot_out *out, const char *name)
{
	for (const char *p = name; *p; p++) {
		if ((guint8)*p < 0x20 || *p == 0x7F)
			iot_out_printf(out, "\\x%02x", (guint8)*p);
		else
			iot_out_putc(out, *p);
	}
	iot_out_putc(out, '\t');
}

/* The table of one view while it is written. */
struct writer {
	const struct iot_slog2_lines *lines;
	const struct iot_timeline *tl;
	const struct iot_view *view;
	struct iot_out *out;
};

static void put_header(const struct writer *writer)
{
	struct iot_out *out = writer->out;

	iot_out_puts(out, "view\t");
	for (guint i = 0; i < writer->view->n_columns; i++) {
		const struct iot_type *type = iot_type_at(writer->tl, writer->view->column[i]);
		const char *name = iot_tl_str(writer->tl, type->name);

		iot_out_puts(out, name);
		iot_out_putc(out, '\t');
		iot_out_puts(out, name);
		iot_out_puts(out, " name\t");
	}
	iot_out_puts(out, "lane\twait_ns\titems\n");
}

/* The name in column @i: of the row; of the node that lost events; "" below the row of the line. */
static const char *cell_name(const struct writer *writer, const struct iot_slog2_line *line,
			     guint i)
{
	const struct iot_timeline *tl = writer->tl;
	iot_row_id row = ancestor(tl, line->row, writer->view->column[i]);

	if (line->is_gap)
		return i == node_column(tl, writer->view) ? iot_tl_str(tl, line->gap_node)
							  : "(lost events)";
	return row ? iot_tl_str(tl, iot_row_at(tl, row)->name) : "";
}

static void put_sums(struct iot_out *out, guint64 wait_ns, guint64 n_items)
{
	put_number(out, wait_ns);
	iot_out_uint(out, n_items);
	iot_out_putc(out, '\n');
}

static void put_row(const struct writer *writer, const struct row *row)
{
	const struct iot_slog2_line *line = iot_slog2_line_at(writer->lines, row->line);

	put_name(writer->out, iot_tl_str(writer->tl, writer->view->title));
	for (guint i = 0; i < writer->view->n_columns; i++) {
		put_number(writer->out, (guint64)row->path[i]);
		put_name(writer->out, cell_name(writer, line, i));
	}
	put_number(writer->out, (guint64)row->path[writer->view->n_columns]);
	put_sums(writer->out, line->wait_ns, line->n_items);
}

/* Lines of other views share one row at the bottom of this view. */
static void put_elsewhere(const struct writer *writer)
{
	guint64 wait_ns = 0, n_items = 0;

	for (guint32 n = 1; n <= writer->lines->n; n++) {
		const struct iot_slog2_line *line = iot_slog2_line_at(writer->lines, n);

		if (line->to || in_view(writer->lines, line, writer->view))
			continue;
		wait_ns += line->wait_ns;
		n_items += line->n_items;
	}
	if (!n_items)
		return;
	put_name(writer->out, iot_tl_str(writer->tl, writer->view->title));
	for (guint i = 0; i < writer->view->n_columns; i++) {
		put_number(writer->out, ELSEWHERE);
		put_name(writer->out, i ? "" : "(rows of other views)");
	}
	put_number(writer->out, ELSEWHERE);
	put_sums(writer->out, wait_ns, n_items);
}

static void put_view(const struct writer *writer)
{
	const struct iot_slog2_lines *lines = writer->lines;
	g_autofree struct row *rows = g_new0(struct row, lines->n);
	guint32 n_rows = 0;

	for (guint32 n = 1; n <= lines->n; n++) {
		const struct iot_slog2_line *line = iot_slog2_line_at(lines, n);

		if (line->to || !in_view(lines, line, writer->view))
			continue;
		rows[n_rows].line = n;
		get_path(lines, line, writer->view, rows[n_rows++].path);
	}
	if (n_rows)
		qsort(rows, n_rows, sizeof(*rows), compare_rows);
	put_header(writer);
	for (guint32 i = 0; i < n_rows; i++)
		put_row(writer, &rows[i]);
	put_elsewhere(writer);
}

void iot_slog2_lines_table(const struct iot_slog2_lines *lines, struct iot_out *out)
{
	struct writer writer = { .lines = lines, .tl = lines->tl, .out = out };
	gboolean first = TRUE;

	for (guint i = 0; i < lines->tl->n_views; i++) {
		writer.view = &lines->tl->view[i];
		if (!has_rows(lines, writer.view))
			continue;
		if (!first)
			iot_out_putc(out, '\n');
		first = FALSE;
		put_view(&writer);
	}
}
