/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of aggregate.h that knows the tree of rows. */
#include "sinks/aggregate.h"
#include "base/units.h"

#include <string.h>

static gboolean is_node(const struct iot_timeline *tl, iot_row_id row)
{
	return row && iot_type_at(tl, iot_row_at(tl, row)->type)->role == IOT_ROLE_NODE;
}

/* A row has a greater number than its parent, so one pass from the end reaches every level. */
static void add_to_parents(struct iot_aggregate *sums)
{
	for (iot_row_id id = sums->tl->rows.n - 1; id > 0; id--) {
		const struct iot_row_sum *from = iot_aggregate_row(sums, id);
		struct iot_row_sum *to = iot_aggregate_row(sums, iot_row_at(sums->tl, id)->parent);

		to->wait_ns += from->wait_ns;
		to->bounded_ns += from->bounded_ns;
		to->ended_ns += from->ended_ns;
		iot_row_sum_longest(to, from);
		to->calls += from->calls;
		to->n_items += from->n_items;
		for (guint32 i = 0; i < from->n_cats; i++)
			iot_row_sum_add(to, from->cats[i].cat, from->cats[i].ns);
		for (guint32 i = 0; i < from->n_counters; i++)
			iot_row_sum_count(to, &from->counters[i]);
	}
}

static struct iot_call_sum calls_of(const struct iot_aggregate *sums, iot_type_id type)
{
	return type < sums->calls->len ? g_array_index(sums->calls, struct iot_call_sum, type)
				       : (struct iot_call_sum){ 0 };
}

/* Calls that are drawn on two rows count once in the sum of all, if both rows are shown. */
static void count_once(struct iot_aggregate *sums)
{
	struct iot_row_sum *all = iot_aggregate_row(sums, 0);

	for (iot_type_id type = 0; type < sums->calls->len; type++) {
		iot_type_id of = iot_type_at(sums->tl, type)->repeats;
		struct iot_call_sum again = calls_of(sums, type), once = calls_of(sums, of);

		if (!of)
			continue;
		all->wait_ns -= MIN(again.ns, once.ns);
		all->calls -= MIN(again.n, once.n);
	}
}

gboolean iot_aggregate_hides(const struct iot_aggregate *sums, iot_row_id row, guint64 to_ns)
{
	const struct iot_timeline *tl = sums->tl;
	iot_row_id node = iot_row_node(tl, row);

	return to_ns > (node ? iot_timeline_unobserved(tl, iot_row_at(tl, node)->name)
			     : iot_timeline_first_unobserved(tl));
}

/* Types of rows that have nodes beside them, such as the master of a resource. */
static gboolean *find_beside_nodes(const struct iot_timeline *tl)
{
	gboolean *beside = g_new0(gboolean, tl->types.n);

	for (iot_type_id node = 1; node < tl->types.n; node++) {
		const struct iot_type *type = iot_type_at(tl, node);

		if (type->kind != IOT_TYPE_ROW || type->role != IOT_ROLE_NODE ||
		    !iot_type_of_things(tl, node))
			continue;
		for (iot_type_id id = 1; id < tl->types.n; id++)
			beside[id] |= id != node && iot_type_at(tl, id)->kind == IOT_TYPE_ROW &&
				      iot_type_at(tl, id)->on == type->on;
	}
	return beside;
}

/* Types of rows that are not the parent of another type. */
static gboolean *find_innermost(const struct iot_timeline *tl)
{
	gboolean *innermost = g_new0(gboolean, tl->types.n);

	for (iot_type_id id = 1; id < tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(tl, id);

		if (type->kind != IOT_TYPE_ROW)
			continue;
		innermost[id] = TRUE;
		innermost[type->on] = FALSE;
	}
	return innermost;
}

/* Types of rows above a type of role RESOURCE. */
static gboolean *find_tops(const struct iot_timeline *tl)
{
	gboolean *tops = g_new0(gboolean, tl->types.n);

	for (iot_type_id id = 1; id < tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(tl, id);

		if (type->kind != IOT_TYPE_ROW || type->role != IOT_ROLE_RESOURCE)
			continue;
		for (iot_type_id on = type->on; on; on = iot_type_at(tl, on)->on)
			tops[on] = TRUE;
	}
	return tops;
}

static void find_units(struct iot_aggregate *sums)
{
	const struct iot_timeline *tl = sums->tl;
	g_autofree gboolean *innermost = find_innermost(tl);
	g_autofree gboolean *beside_nodes = find_beside_nodes(tl);
	g_autofree gboolean *tops = find_tops(tl);
	g_autofree gboolean *shown = iot_timeline_shown(tl);

	for (iot_row_id id = 1; id < tl->rows.n; id++) {
		const struct iot_row *row = iot_row_at(tl, id);
		struct iot_row_sum *sum = iot_aggregate_row(sums, id);

		sum->hidden = !shown[id];
		if (sum->hidden)
			continue;
		sum->unit = iot_aggregate_row(sums, row->parent)->unit;
		if (sum->unit)
			continue;
		if (tops[row->type]) {
			if (is_node(tl, id))
				g_array_append_val(sums->tops, id);
		} else if (is_node(tl, id)) {
			sum->unit = iot_type_of_things(tl, row->type) ? row->parent : id;
			g_array_append_val(sums->nodes, id);
		} else if (innermost[row->type] && beside_nodes[row->type]) {
			sum->unit = row->parent;
		} else if (innermost[row->type] ||
			   iot_type_at(tl, row->type)->role == IOT_ROLE_RESOURCE) {
			sum->unit = id;
			g_array_append_val(sums->units, id);
		}
	}
}

static int compare_nodes(gconstpointer pa, gconstpointer pb, gpointer user_data)
{
	const struct iot_aggregate *sums = user_data;
	iot_row_id a = *(const iot_row_id *)pa, b = *(const iot_row_id *)pb;
	iot_row_id unit_a = iot_aggregate_row(sums, a)->unit;
	iot_row_id unit_b = iot_aggregate_row(sums, b)->unit;
	int diff;

	if (unit_a != unit_b)
		return unit_a < unit_b ? -1 : 1;
	diff = iot_natural_compare(iot_tl_str(sums->tl, iot_row_at(sums->tl, a)->name),
				   iot_tl_str(sums->tl, iot_row_at(sums->tl, b)->name));
	return diff ? diff : a < b ? -1 : a > b;
}

static int compare_ids(gconstpointer pa, gconstpointer pb)
{
	iot_row_id a = *(const iot_row_id *)pa, b = *(const iot_row_id *)pb;

	return a < b ? -1 : a > b;
}

/* A row with nodes is a unit: each run of nodes with the same unit adds one. */
static void group_nodes(struct iot_aggregate *sums)
{
	g_array_sort_with_data(sums->nodes, compare_nodes, sums);
	for (guint i = 0; i < sums->nodes->len; i++) {
		iot_row_id node = g_array_index(sums->nodes, iot_row_id, i);
		iot_row_id unit = iot_aggregate_row(sums, node)->unit;
		struct iot_row_sum *sum = iot_aggregate_row(sums, unit);

		if (!sum->n_nodes++) {
			sum->unit = unit;
			sum->first_node = i;
			g_array_append_val(sums->units, unit);
		}
	}
	g_array_sort(sums->units, compare_ids);
}

void iot_aggregate_roll_up(struct iot_aggregate *sums)
{
	g_array_set_size(sums->rows, MAX(sums->rows->len, sums->tl->rows.n));
	add_to_parents(sums);
	count_once(sums);
	find_units(sums);
	group_nodes(sums);
}

struct sorting {
	const struct iot_aggregate *sums;
	enum iot_row_order order;
	gboolean tree;
	const gboolean *waits; /* by type of rows */
};

static int compare_greatest(guint64 a, guint64 b)
{
	return a > b ? -1 : a < b;
}

/* The first comparison decides, unless both are equal. */
static int compare_first(int first, int second)
{
	return first ? first : second;
}

static int compare_sums(const struct sorting *sorting, iot_row_id ida, iot_row_id idb)
{
	const struct iot_row_sum *a = iot_aggregate_row(sorting->sums, ida);
	const struct iot_row_sum *b = iot_aggregate_row(sorting->sums, idb);

	switch (sorting->order) {
	case IOT_BY_PENDING:
		if (!sorting->waits[iot_row_at(sorting->sums->tl, ida)->type] &&
		    !sorting->waits[iot_row_at(sorting->sums->tl, idb)->type])
			return compare_greatest(a->n_items, b->n_items);
		return compare_first(compare_greatest(a->bounded_ns, b->bounded_ns),
				     compare_greatest(a->wait_ns, b->wait_ns));
	case IOT_BY_WORST:
		return compare_first(compare_greatest(a->bounded_worst_ns, b->bounded_worst_ns),
				     compare_greatest(a->worst_ns, b->worst_ns));
	case IOT_BY_CALLS:
		return compare_greatest(a->calls, b->calls);
	case IOT_BY_NAME:
		break;
	}
	return 0;
}

static guint depth_of(const struct iot_timeline *tl, iot_row_id row)
{
	guint depth = 0;

	for (; row; row = iot_row_at(tl, row)->parent)
		depth++;
	return depth;
}

/* Siblings above two rows; equal if one row is an ancestor of the other. */
static void find_siblings(const struct iot_timeline *tl, iot_row_id *a, iot_row_id *b)
{
	guint depth_a = depth_of(tl, *a), depth_b = depth_of(tl, *b);

	for (; depth_a > depth_b; depth_a--)
		*a = iot_row_at(tl, *a)->parent;
	for (; depth_b > depth_a; depth_b--)
		*b = iot_row_at(tl, *b)->parent;
	while (iot_row_at(tl, *a)->parent != iot_row_at(tl, *b)->parent) {
		*a = iot_row_at(tl, *a)->parent;
		*b = iot_row_at(tl, *b)->parent;
	}
}

/* By names, level by level: comparing paths as text would compare "/" with the blank in "x 1/a". */
static int compare_paths(const struct iot_timeline *tl, iot_row_id a, iot_row_id b)
{
	iot_row_id top_a = a, top_b = b;
	int diff;

	find_siblings(tl, &top_a, &top_b);
	diff = iot_natural_compare(iot_tl_str(tl, iot_row_at(tl, top_a)->name),
				   iot_tl_str(tl, iot_row_at(tl, top_b)->name));
	if (diff)
		return diff;
	if (top_a != top_b)
		return top_a < top_b ? -1 : 1;
	return compare_greatest(depth_of(tl, b), depth_of(tl, a));
}

/* The model wants them by name, such as the ranks of a program. */
static gboolean have_order(const struct iot_timeline *tl, iot_row_id a, iot_row_id b)
{
	return iot_type_at(tl, iot_row_at(tl, a)->type)->by_name &&
	       iot_row_at(tl, a)->type == iot_row_at(tl, b)->type;
}

static int compare_rows(gconstpointer pa, gconstpointer pb, gpointer user_data)
{
	const struct sorting *sorting = user_data;
	iot_row_id a = *(const iot_row_id *)pa, b = *(const iot_row_id *)pb;
	iot_row_id top_a = a, top_b = b;
	int diff;

	if (!sorting->tree) {
		diff = compare_sums(sorting, a, b);
		return diff ? diff : compare_paths(sorting->sums->tl, a, b);
	}
	find_siblings(sorting->sums->tl, &top_a, &top_b);
	diff = sorting->order == IOT_BY_PENDING && have_order(sorting->sums->tl, top_a, top_b)
		       ? 0
		       : compare_sums(sorting, top_a, top_b);
	return diff ? diff : compare_paths(sorting->sums->tl, a, b);
}

void iot_aggregate_sort(const struct iot_aggregate *sums, GArray *rows, enum iot_row_order order,
			gboolean tree)
{
	g_autofree gboolean *waits = iot_timeline_waits(sums->tl);
	struct sorting sorting = { sums, order, tree, waits };

	g_array_sort_with_data(rows, compare_rows, &sorting);
}

char *iot_type_chain(const struct iot_timeline *tl, iot_type_id type)
{
	GString *chain = g_string_new(NULL);

	for (; type; type = iot_type_at(tl, type)->on) {
		if (chain->len)
			g_string_prepend(chain, " / ");
		g_string_prepend(chain, iot_tl_str(tl, iot_type_at(tl, type)->title));
	}
	return g_string_free(chain, FALSE);
}

char *iot_plural(const char *noun, guint64 n)
{
	gsize len = strlen(noun);

	if (n == 1)
		return g_strdup(noun);
	if (len > 1 && noun[len - 1] == 'y' && !strchr("aeiou", noun[len - 2]))
		return g_strdup_printf("%.*sies", (int)len - 1, noun);
	if (g_str_has_suffix(noun, "s") || g_str_has_suffix(noun, "x") ||
	    g_str_has_suffix(noun, "ch") || g_str_has_suffix(noun, "sh"))
		return g_strdup_printf("%ses", noun);
	return g_strdup_printf("%ss", noun);
}
