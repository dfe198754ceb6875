/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places of lines on the y axis: line id maps for Jumpshot, and a table with names. */
#include "sinks/slog2/slog2-lines.h"
#include "sinks/slog2/slog2-top.h"
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

gint32 iot_slog2_row_number(const struct iot_timeline *tl, iot_row_id id)
{
	const struct iot_row *row = iot_row_at(tl, id);
	gint32 number;

	if (iot_type_at(tl, row->type)->role != IOT_ROLE_NODE)
		return (gint32)row->rank + 1;
	if (node_number(iot_tl_str(tl, row->name), &number))
		return number;
	return (gint32)row->rank + 1 + OTHER_NODES;
}

iot_row_id iot_slog2_ancestor(const struct iot_timeline *tl, iot_row_id row, iot_type_id type)
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
			return iot_slog2_row_number(tl, id);
	}
	return (gint32)MIN(UNSEEN_NODES + (guint64)node, G_MAXINT32);
}

/* A map for Jumpshot: the tree of a view, or its top resources. */
struct axis {
	const struct iot_slog2_lines *lines;
	const struct iot_view *view;
	const struct iot_slog2_top *top; /* NULL: the tree */
};

/* Without the lane. */
static guint n_levels(const struct axis *axis)
{
	return axis->top ? 1 : axis->view->n_columns;
}

/* The number of a line on the axis of top resources; -1 if it is of another resource. */
static gint32 top_number(const struct axis *axis, const struct iot_slog2_line *line)
{
	gint32 gap;

	if (!line->is_gap)
		return iot_slog2_top_number(axis->top, line->row);
	gap = gap_number(axis->lines->tl, line->gap_node);
	return gap < iot_slog2_top_factor(axis->top) ? gap : 0;
}

/* Whether the line has a place of its own on the axis. */
static gboolean on_axis(const struct axis *axis, const struct iot_slog2_line *line)
{
	return in_view(axis->lines, line, axis->view) &&
	       (!axis->top || top_number(axis, line) >= 0);
}

/* Fill the numbers of a line: of each level, then the lane. Levels below its row are 0, so it is
 * drawn above its children. */
static void get_path(const struct axis *axis, const struct iot_slog2_line *line, gint32 *path)
{
	const struct iot_timeline *tl = axis->lines->tl;
	const struct iot_view *view = axis->view;

	path[n_levels(axis)] = line->lane;
	if (!on_axis(axis, line)) {
		for (guint i = 0; i <= n_levels(axis); i++)
			path[i] = ELSEWHERE;
		return;
	}
	if (axis->top) {
		path[0] = top_number(axis, line);
		return;
	}
	for (guint i = 0; i < view->n_columns; i++) {
		iot_row_id row = iot_slog2_ancestor(tl, line->row, view->column[i]);

		path[i] = row ? iot_slog2_row_number(tl, row) : 0;
	}
	if (line->is_gap && view->n_columns)
		path[node_column(tl, view)] = gap_number(tl, line->gap_node);
}

static const char *axis_title(const struct axis *axis)
{
	return axis->top ? iot_slog2_top_title(axis->top)
			 : iot_tl_str(axis->lines->tl, axis->view->title);
}

static void free_map(gpointer data)
{
	struct iot_slog2_map *map = data;

	g_free((gpointer)map->columns);
	g_free((gpointer)map->rows);
}

static void add_map(const struct axis *axis, GArray *maps)
{
	const struct iot_slog2_lines *lines = axis->lines;
	guint n_columns = n_levels(axis) + 1;
	const char **columns = g_new(const char *, n_columns);
	guint32 n_rows = lines->n - lines->n_pairs;
	gint32 *rows = g_new(gint32, (gsize)n_rows * (1 + n_columns)), *row = rows;
	struct iot_slog2_map map = {
		.title = axis_title(axis),
		.n_columns = n_columns,
		.columns = columns,
		.n_rows = n_rows,
		.rows = rows,
	};

	for (guint i = 0; i + 1 < n_columns; i++)
		columns[i] =
			axis->top
				? iot_slog2_top_column(axis->top)
				: iot_tl_str(lines->tl,
					     iot_type_at(lines->tl, axis->view->column[i])->title);
	columns[n_columns - 1] = "lane";
	for (guint32 n = 1; n <= lines->n; n++) {
		if (iot_slog2_line_at(lines, n)->to)
			continue;
		row[0] = (gint32)n;
		get_path(axis, iot_slog2_line_at(lines, n), row + 1);
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

static void free_axis(gpointer data)
{
	struct axis *axis = data;

	iot_slog2_top_free((struct iot_slog2_top *)axis->top);
	g_free(axis);
}

GPtrArray *iot_slog2_lines_axes(const struct iot_slog2_lines *lines)
{
	GPtrArray *axes = g_ptr_array_new_with_free_func(free_axis);

	for (guint i = 0; i < lines->tl->n_views; i++) {
		struct axis tree = { .lines = lines, .view = &lines->tl->view[i] };
		struct axis first = tree;

		if (!has_rows(lines, tree.view))
			continue;
		first.top = iot_slog2_top_new(lines->tl, first.view);
		if (first.top)
			g_ptr_array_add(axes, g_memdup2(&first, sizeof(first)));
		g_ptr_array_add(axes, g_memdup2(&tree, sizeof(tree)));
	}
	return axes;
}

GArray *iot_slog2_lines_maps(const struct iot_slog2_lines *lines, const GPtrArray *axes)
{
	GArray *maps = g_array_new(FALSE, FALSE, sizeof(struct iot_slog2_map));

	g_array_set_clear_func(maps, free_map);
	for (guint i = 0; i < axes->len; i++)
		add_map(axes->pdata[i], maps);
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

static void put_header(const struct axis *axis, struct iot_out *out)
{
	const struct iot_timeline *tl = axis->lines->tl;

	iot_out_puts(out, "view\t");
	if (axis->top)
		iot_out_puts(out, "row\trow name\t");
	for (guint i = 0; !axis->top && i < axis->view->n_columns; i++) {
		const struct iot_type *type = iot_type_at(tl, axis->view->column[i]);
		const char *name = iot_tl_str(tl, type->name);

		iot_out_puts(out, name);
		iot_out_putc(out, '\t');
		iot_out_puts(out, name);
		iot_out_puts(out, " name\t");
	}
	iot_out_puts(out, "lane\twait_ns\titems\n");
}

/* The name at level @i: of the row; of the node that lost events; "" below the row of the line. */
static char *cell_name(const struct axis *axis, const struct iot_slog2_line *line, guint i)
{
	const struct iot_timeline *tl = axis->lines->tl;
	iot_row_id row;

	if (line->is_gap && axis->top)
		return g_strdup_printf("(" IOT_GAP_NAME ")/%s", iot_tl_str(tl, line->gap_node));
	if (line->is_gap)
		return g_strdup(i == node_column(tl, axis->view) ? iot_tl_str(tl, line->gap_node)
								 : "(" IOT_GAP_NAME ")");
	if (axis->top)
		return iot_timeline_path(tl, line->row, "/");
	row = iot_slog2_ancestor(tl, line->row, axis->view->column[i]);
	return g_strdup(row ? iot_tl_str(tl, iot_row_at(tl, row)->name) : "");
}

static void put_sums(struct iot_out *out, guint64 wait_ns, guint64 n_items)
{
	put_number(out, wait_ns);
	iot_out_uint(out, n_items);
	iot_out_putc(out, '\n');
}

static void put_row(const struct axis *axis, const struct row *row, struct iot_out *out)
{
	const struct iot_slog2_line *line = iot_slog2_line_at(axis->lines, row->line);

	put_name(out, axis_title(axis));
	for (guint i = 0; i < n_levels(axis); i++) {
		g_autofree char *name = cell_name(axis, line, i);

		put_number(out, (guint64)row->path[i]);
		put_name(out, name);
	}
	put_number(out, (guint64)row->path[n_levels(axis)]);
	put_sums(out, line->wait_ns, line->n_items);
}

/* All other lines share one row at the bottom of this view. */
static void put_elsewhere(const struct axis *axis, struct iot_out *out)
{
	const char *name = axis->top ? "(all other rows)" : "(rows of other views)";
	guint64 wait_ns = 0, n_items = 0;

	for (guint32 n = 1; n <= axis->lines->n; n++) {
		const struct iot_slog2_line *line = iot_slog2_line_at(axis->lines, n);

		if (line->to || on_axis(axis, line))
			continue;
		wait_ns += line->wait_ns;
		n_items += line->n_items;
	}
	if (!n_items)
		return;
	put_name(out, axis_title(axis));
	for (guint i = 0; i < n_levels(axis); i++) {
		put_number(out, ELSEWHERE);
		put_name(out, i ? "" : name);
	}
	put_number(out, ELSEWHERE);
	put_sums(out, wait_ns, n_items);
}

static void put_axis(const struct axis *axis, struct iot_out *out)
{
	const struct iot_slog2_lines *lines = axis->lines;
	g_autofree struct row *rows = g_new0(struct row, lines->n);
	guint32 n_rows = 0;

	for (guint32 n = 1; n <= lines->n; n++) {
		const struct iot_slog2_line *line = iot_slog2_line_at(lines, n);

		if (line->to || !on_axis(axis, line))
			continue;
		rows[n_rows].line = n;
		get_path(axis, line, rows[n_rows++].path);
	}
	if (n_rows)
		qsort(rows, n_rows, sizeof(*rows), compare_rows);
	put_header(axis, out);
	for (guint32 i = 0; i < n_rows; i++)
		put_row(axis, &rows[i], out);
	put_elsewhere(axis, out);
}

void iot_slog2_lines_table(const GPtrArray *axes, struct iot_out *out)
{
	for (guint i = 0; i < axes->len; i++) {
		if (i)
			iot_out_putc(out, '\n');
		put_axis(axes->pdata[i], out);
	}
}
