/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-top.h"
#include "sinks/slog2/slog2-lines.h"

#include <stdlib.h>

enum {
	/* Jumpshot's window has room for the numbers of some thirty rows, and it warns if rows have
	 * less than 4 pixels. */
	MAX_RESOURCES = 10,
	MAX_ROWS = 60,
	MAX_FACTOR = 10000000, /* so that all numbers fit 31 bits */
};

struct iot_slog2_top {
	const struct iot_timeline *tl;
	iot_type_id resource, below; /* types of the two levels */
	guint32 *place;		     /* by row: place of the resource from 1, or 0 */
	guint32 n_rows;		     /* of the timeline */
	gint32 factor;
	gboolean by_rank; /* numbers of nodes are too large */
	char *title, *column;
};

/* A resource, and its position in the tree, which decides ties. */
struct candidate {
	const struct iot_row *row;
	iot_row_id id;
	guint position;
};

static int most_waited_first(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;

	if (a->row->bounded_ns != b->row->bounded_ns)
		return a->row->bounded_ns > b->row->bounded_ns ? -1 : 1;
	if (a->row->wait_ns != b->row->wait_ns)
		return a->row->wait_ns > b->row->wait_ns ? -1 : 1;
	if (a->row->n_items != b->row->n_items)
		return a->row->n_items > b->row->n_items ? -1 : 1;
	return a->position < b->position ? -1 : a->position > b->position;
}

static GArray *list_candidates(const struct iot_slog2_top *top)
{
	g_autoptr(GArray) ordered = iot_timeline_ordered(top->tl);
	GArray *candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));

	for (guint i = 0; i < ordered->len; i++) {
		iot_row_id id = g_array_index(ordered, iot_row_id, i);
		struct candidate candidate = { iot_row_at(top->tl, id), id, i };

		if (candidate.row->type == top->resource && candidate.row->n_items)
			g_array_append_val(candidates, candidate);
	}
	g_array_sort(candidates, most_waited_first);
	return candidates;
}

/* By row: how many rows of the level below it has. */
static guint *count_below(const struct iot_slog2_top *top)
{
	guint *count = g_new0(guint, top->n_rows);

	for (iot_row_id id = 1; id < top->n_rows; id++) {
		const struct iot_row *row = iot_row_at(top->tl, id);

		if (row->type == top->below && row->n_items)
			count[row->parent]++;
	}
	return count;
}

/* Returns the number of resources. */
static guint choose(struct iot_slog2_top *top)
{
	g_autoptr(GArray) candidates = list_candidates(top);
	g_autofree guint *below = count_below(top);
	guint n = 0, rows = 0;

	for (; n < candidates->len && n < MAX_RESOURCES; n++) {
		iot_row_id id = g_array_index(candidates, struct candidate, n).id;

		rows += MAX(below[id], 1);
		if (n && rows > MAX_ROWS)
			break;
		top->place[id] = n + 1;
	}
	return n;
}

static gint32 number_below(const struct iot_slog2_top *top, iot_row_id row)
{
	return top->by_rank ? (gint32)iot_row_at(top->tl, row)->rank + 1
			    : iot_slog2_row_number(top->tl, row);
}

static gint32 greatest_number(const struct iot_slog2_top *top)
{
	gint32 greatest = 0;

	for (iot_row_id id = 1; id < top->n_rows; id++) {
		const struct iot_row *row = iot_row_at(top->tl, id);

		if (row->type == top->below && top->place[row->parent])
			greatest = MAX(greatest, number_below(top, id));
	}
	return greatest;
}

static void set_factor(struct iot_slog2_top *top)
{
	gint32 greatest = greatest_number(top);

	if (greatest >= MAX_FACTOR) {
		top->by_rank = TRUE;
		greatest = MIN(greatest_number(top), MAX_FACTOR - 1);
	}
	for (top->factor = 10; top->factor <= greatest;)
		top->factor *= 10;
}

/* The column of resources: those that tables list, else the level above the nodes. */
static gboolean find_levels(struct iot_slog2_top *top, const struct iot_view *view)
{
	for (guint i = 0; i + 1 < view->n_columns; i++) {
		enum iot_role role = iot_type_at(top->tl, view->column[i])->role;
		enum iot_role next = iot_type_at(top->tl, view->column[i + 1])->role;

		if (role == IOT_ROLE_RESOURCE ||
		    (next == IOT_ROLE_NODE && iot_type_of_things(top->tl, view->column[i + 1]))) {
			top->resource = view->column[i];
			top->below = view->column[i + 1];
			return TRUE;
		}
	}
	return FALSE;
}

struct iot_slog2_top *iot_slog2_top_new(const struct iot_timeline *tl, const struct iot_view *view)
{
	g_autoptr(iot_slog2_top) top = g_new0(struct iot_slog2_top, 1);
	guint n;

	top->tl = tl;
	top->n_rows = tl->rows.n;
	if (!find_levels(top, view))
		return NULL;
	top->place = g_new0(guint32, top->n_rows);
	n = choose(top);
	if (!n)
		return NULL;
	set_factor(top);
	top->title = g_strdup_printf("%s, top %u", iot_tl_str(tl, view->title), n);
	top->column = g_strdup_printf("%d * %s + %s", top->factor,
				      iot_tl_str(tl, iot_type_at(tl, top->resource)->title),
				      iot_tl_str(tl, iot_type_at(tl, top->below)->title));
	return g_steal_pointer(&top);
}

void iot_slog2_top_free(struct iot_slog2_top *top)
{
	if (!top)
		return;
	g_free(top->place);
	g_free(top->title);
	g_free(top->column);
	g_free(top);
}

const char *iot_slog2_top_title(const struct iot_slog2_top *top)
{
	return top->title;
}

const char *iot_slog2_top_column(const struct iot_slog2_top *top)
{
	return top->column;
}

gint32 iot_slog2_top_factor(const struct iot_slog2_top *top)
{
	return top->factor;
}

gint32 iot_slog2_top_number(const struct iot_slog2_top *top, iot_row_id row)
{
	iot_row_id resource = iot_slog2_ancestor(top->tl, row, top->resource);
	iot_row_id below = iot_slog2_ancestor(top->tl, row, top->below);

	if (!resource)
		return 0;
	if (!top->place[resource])
		return -1;
	return (gint32)top->place[resource] * top->factor +
	       (below ? MIN(number_below(top, below), top->factor - 1) : 0);
}
