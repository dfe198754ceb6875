/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/anatomy-sums.h"
#include "base/histogram.h"
#include "base/units.h"
#include "tables/ranked.h"

#include <string.h>

enum {
	/* Resources with distributions of their own, the first ones. */
	MAX_RESOURCES = 512,
	/* The number of all further resources, and of no line. No row has such an id. */
	OTHERS = G_MAXINT32 - 1,
	NONE = G_MAXINT32,
};

/* The tables, and the number of a line in each. */
enum kind {
	BY_MASTER,   /* enum iot_master */
	BY_MODE,     /* iot_cat_id */
	BY_NODE,     /* iot_str: the name of the waiter's node */
	BY_RESOURCE, /* iot_row_id, or OTHERS */
	N_KINDS
};

/* Waits with the same master, mode and node, or those for one resource: two additions for a wait,
 * and no group for each resource and node. */
struct group {
	guint number[N_KINDS]; /* the key; NONE: it is in no line of the kind */
	struct iot_counts whole, part[IOT_HANDOVER_PARTS];
};

/* Some rows of a table. */
struct line {
	guint number;
	guint64 whole_ns;
	GPtrArray *groups; /* struct group, which belong to the sums */
};

struct iot_anatomy_sums {
	const struct iot_timeline *tl;
	GHashTable *groups; /* set of struct group */
	guint n_resources;  /* with a group of their own */
	GHashTable *others; /* rows of further resources */
};

static guint key_hash(gconstpointer data)
{
	const struct group *key = data;
	guint hash = 0;

	for (guint i = 0; i < N_KINDS; i++)
		hash = hash * 31 + key->number[i];
	return hash;
}

static gboolean key_equal(gconstpointer pa, gconstpointer pb)
{
	const struct group *a = pa, *b = pb;

	return !memcmp(a->number, b->number, sizeof(a->number));
}

static void group_free(gpointer data)
{
	struct group *group = data;

	iot_counts_clear(&group->whole);
	for (guint i = 0; i < IOT_HANDOVER_PARTS; i++)
		iot_counts_clear(&group->part[i]);
	g_free(group);
}

struct iot_anatomy_sums *iot_anatomy_sums_new(const struct iot_timeline *tl)
{
	struct iot_anatomy_sums *sums = g_new0(struct iot_anatomy_sums, 1);

	sums->tl = tl;
	sums->groups = g_hash_table_new_full(key_hash, key_equal, NULL, group_free);
	sums->others = g_hash_table_new(NULL, NULL);
	return sums;
}

void iot_anatomy_sums_free(struct iot_anatomy_sums *sums)
{
	if (!sums)
		return;
	g_hash_table_unref(sums->groups);
	g_hash_table_unref(sums->others);
	g_free(sums);
}

/* NULL: there are too many resources */
static struct group *find_group(struct iot_anatomy_sums *sums, const guint number[N_KINDS])
{
	struct group *group = g_hash_table_lookup(sums->groups, number);

	if (group)
		return group;
	if (number[BY_RESOURCE] < OTHERS && sums->n_resources++ >= MAX_RESOURCES)
		return NULL;
	group = g_new0(struct group, 1);
	memcpy(group->number, number, sizeof(group->number));
	g_hash_table_add(sums->groups, group);
	return group;
}

static void add_to_group(struct group *group, const struct iot_anatomy_wait *wait)
{
	guint64 whole_ns = 0;

	for (guint i = 0; i < IOT_HANDOVER_PARTS; i++) {
		whole_ns += wait->part_ns[i];
		if (wait->part_ns[i])
			iot_counts_add(&group->part[i], wait->part_ns[i]);
	}
	iot_counts_add(&group->whole, whole_ns);
}

void iot_anatomy_sums_add(struct iot_anatomy_sums *sums, const struct iot_anatomy_wait *wait)
{
	const struct iot_row *node = iot_row_at(sums->tl, iot_row_node(sums->tl, wait->row));
	guint who[N_KINDS] = { wait->master, wait->mode ? wait->mode : NONE, node->name, NONE };
	guint resource[N_KINDS] = { NONE, NONE, NONE, node->parent };
	struct group *group = find_group(sums, resource);

	if (!group) {
		g_hash_table_add(sums->others, GUINT_TO_POINTER(node->parent));
		resource[BY_RESOURCE] = OTHERS;
		group = find_group(sums, resource);
	}
	add_to_group(group, wait);
	add_to_group(find_group(sums, who), wait);
}

/* ---- tables */

struct publishing {
	const struct iot_anatomy_sums *sums;
	enum kind kind;
};

/* The master, mode, node or resource of a line. */
static void add_name(const struct publishing *to, struct iot_result_table *table,
		     struct iot_result_row *row, guint number)
{
	const struct iot_timeline *tl = to->sums->tl;

	if (to->kind == BY_MASTER)
		iot_result_text(table, iot_master_name((enum iot_master)number));
	else if (to->kind == BY_MODE)
		iot_result_text(table, iot_tl_str(tl, iot_cat_at(tl, number)->name));
	else if (to->kind == BY_NODE)
		iot_result_text(table, iot_tl_str(tl, number));
	else
		iot_ranked_cell(table, iot_cell_if(number != OTHERS, iot_cell_number(number)));
	if (number == OTHERS)
		row->others = g_hash_table_size(to->sums->others);
}

/* A part of all groups of a line, or the whole. */
static void add_part(const struct publishing *to, struct iot_result_table *table,
		     const struct line *line, guint i)
{
	struct iot_histogram all = { 0 };
	struct iot_result_row *row;

	for (guint k = 0; k < line->groups->len; k++) {
		const struct group *group = line->groups->pdata[k];

		iot_histogram_merge_counts(&all, i ? &group->part[i - 1] : &group->whole);
	}
	if (!all.n)
		return;
	row = iot_result_row(table);
	row->strong = !i;
	add_name(to, table, row, line->number);
	iot_result_text(table, i ? iot_handover_part_title(i - 1) : "all parts");
	iot_result_number(table, all.n);
	iot_result_number(table, all.sum_ns);
	iot_result_share(table, (double)all.sum_ns / (double)MAX(line->whole_ns, 1));
	iot_ranked_percentiles(table, &all);
	iot_result_number(table, all.max_ns);
	iot_histogram_clear(&all);
}

/* A row for the waits of a line, and one for each of their parts. */
static void add_line(struct iot_result_table *table, gconstpointer line, gconstpointer to)
{
	for (guint i = 0; i <= IOT_HANDOVER_PARTS; i++)
		add_part(to, table, line, i);
}

static int by_number(gconstpointer pa, gconstpointer pb, gconstpointer to)
{
	(void)to;
	return iot_compare_number(((const struct line *)pa)->number,
				  ((const struct line *)pb)->number);
}

static int by_name(gconstpointer pa, gconstpointer pb, gconstpointer to)
{
	const struct line *a = pa, *b = pb;
	const struct iot_timeline *tl = ((const struct publishing *)to)->sums->tl;

	return iot_natural_compare(iot_tl_str(tl, a->number), iot_tl_str(tl, b->number));
}

/* Most time first, the others last. */
static int most_time(gconstpointer pa, gconstpointer pb, gconstpointer to)
{
	const struct line *a = pa, *b = pb;

	if ((a->number == OTHERS) != (b->number == OTHERS))
		return a->number == OTHERS ? 1 : -1;
	return a->whole_ns != b->whole_ns ? iot_compare_number(b->whole_ns, a->whole_ns)
					  : by_number(pa, pb, to);
}

/* clang-format off */
#define PART_COLUMNS \
	{ "part", "part", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK }, \
	{ "waits", "waits", IOT_COLUMN_COUNT, 0, 3, "that have this part" }, \
	{ "time", "time", IOT_COLUMN_NS }, \
	{ "share", "share", IOT_COLUMN_SHARE, 0, 2 }, \
	{ "p50", "p50", IOT_COLUMN_NS }, \
	{ "p90", "p90", IOT_COLUMN_NS, 0, 4 }, \
	{ "p99", "p99", IOT_COLUMN_NS, 0, 1 }, \
	{ "max", "max", IOT_COLUMN_NS }

static const struct iot_ranked_column columns[N_KINDS][9] = {
	[BY_MASTER] = { { "master", "master", IOT_COLUMN_TEXT }, PART_COLUMNS },
	[BY_MODE] = { { "mode", "mode", IOT_COLUMN_TEXT }, PART_COLUMNS },
	[BY_NODE] = { { "node", "node", IOT_COLUMN_TEXT }, PART_COLUMNS },
	[BY_RESOURCE] = { { "resource", "resource", IOT_COLUMN_ROW }, PART_COLUMNS },
};

#define PARTS(name, by, columns, order) \
	IOT_RANKED(name, "Parts of waits, by " by, columns), .loss = IOT_LOSS_IN_CELLS, .compare = (order), .add = add_line
/* clang-format on */

static const struct iot_ranked ranked[N_KINDS] = {
	[BY_MASTER] = { PARTS("handover", "place of the master", columns[BY_MASTER], by_number),
			.help = "Each instant of a wait belongs to one part." },
	[BY_MODE] = { PARTS("handover_modes", "mode", columns[BY_MODE], by_number),
		      .for_programs = TRUE },
	[BY_NODE] = { PARTS("handover_nodes", "node", columns[BY_NODE], by_name),
		      .for_programs = TRUE },
	[BY_RESOURCE] = { PARTS("handover_resources", "resource", columns[BY_RESOURCE], most_time),
			  .for_programs = TRUE },
};

static void line_free(gpointer data)
{
	struct line *line = data;

	g_ptr_array_unref(line->groups);
	g_free(line);
}

/* The groups by the lines of one table. The caller frees the list. */
static GPtrArray *list_lines(const struct iot_anatomy_sums *sums, enum kind kind)
{
	g_autoptr(GHashTable) lines = g_hash_table_new(NULL, NULL);
	GPtrArray *list = g_ptr_array_new_with_free_func(line_free);
	GHashTableIter iter;
	struct group *group;

	g_hash_table_iter_init(&iter, sums->groups);
	while (g_hash_table_iter_next(&iter, (gpointer *)&group, NULL)) {
		gpointer number = GUINT_TO_POINTER(group->number[kind]);
		struct line *line = g_hash_table_lookup(lines, number);

		if (group->number[kind] == NONE)
			continue;
		if (!line) {
			line = g_new0(struct line, 1);
			line->number = group->number[kind];
			line->groups = g_ptr_array_new();
			g_hash_table_insert(lines, number, line);
			g_ptr_array_add(list, line);
		}
		line->whole_ns += group->whole.sum_ns;
		g_ptr_array_add(line->groups, group);
	}
	return list;
}

static gboolean has_master(const GPtrArray *list, enum iot_master master)
{
	for (guint i = 0; i < list->len; i++)
		if (((const struct line *)list->pdata[i])->number == master)
			return TRUE;
	return FALSE;
}

static void add_notes(const struct publishing *to, struct iot_result_table *table,
		      const GPtrArray *list)
{
	if (to->kind == BY_MASTER && has_master(list, IOT_MASTER_INFERRED))
		iot_result_note(table, "inferred: no message of the wait left its node, or shows "
				       "that this node is the master");
	if (to->kind == BY_MASTER && has_master(list, IOT_MASTER_UNRECORDED))
		iot_result_note(table, "not recorded: the node of the master, or its messages");
	if (to->kind == BY_RESOURCE && g_hash_table_size(to->sums->others))
		iot_result_note(table, "the first %d resources have rows of their own",
				MAX_RESOURCES);
}

void iot_anatomy_sums_publish(const struct iot_anatomy_sums *sums, struct iot_results *results)
{
	for (guint kind = 0; kind < N_KINDS; kind++) {
		const struct publishing to = { sums, (enum kind)kind };
		g_autoptr(GPtrArray) list = list_lines(sums, to.kind);
		struct iot_result_table *table =
			iot_ranked_publish(results, sums->tl, &ranked[kind], list, &to);

		if (table)
			add_notes(&to, table, list);
	}
}
