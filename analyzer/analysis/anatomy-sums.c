/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/anatomy-sums.h"
#include "base/histogram.h"
#include "base/units.h"

enum {
	/* Resources with distributions of their own, the first ones. */
	MAX_RESOURCES = 512,
	/* The number of all further resources. No row has this id. */
	OTHERS = G_MAXINT32,
	/* Cells of a histogram that are allocated together. */
	BLOCK = 64,
	BLOCKS = IOT_HISTOGRAM_CELLS / BLOCK,
};

/* A histogram that is quick to add to. Few blocks occur, so it soon grows no more. */
struct counts {
	guint64 n, sum_ns, min_ns, max_ns;
	guint32 *block[BLOCKS]; /* NULL: no count */
};

/* What waits are grouped by, and what the number of a group is. */
enum kind {
	BY_MASTER,   /* enum iot_master */
	BY_MODE,     /* iot_cat_id */
	BY_NODE,     /* iot_str: the name of the waiter's node */
	BY_RESOURCE, /* iot_row_id, or OTHERS */
	N_KINDS
};

struct group_key {
	enum kind kind;
	guint number;
};

struct group {
	struct group_key key;
	struct counts whole, part[IOT_HANDOVER_PARTS];
};

struct iot_anatomy_sums {
	const struct iot_timeline *tl;
	GHashTable *groups; /* set of struct group */
	guint n_resources;  /* with a group of their own */
	GHashTable *others; /* rows of further resources */
};

static void counts_clear(struct counts *counts)
{
	for (guint i = 0; i < BLOCKS; i++)
		g_free(counts->block[i]);
}

/* @cell: of @ns */
static void count(struct counts *counts, guint64 ns, guint cell)
{
	guint32 **block = &counts->block[cell / BLOCK];

	if (!*block)
		*block = g_new0(guint32, BLOCK);
	(*block)[cell % BLOCK]++;
	counts->min_ns = counts->n ? MIN(counts->min_ns, ns) : ns;
	counts->max_ns = MAX(counts->max_ns, ns);
	counts->sum_ns += ns;
	counts->n++;
}

/* The caller clears it. */
static struct iot_histogram histogram_of(const struct counts *counts)
{
	struct iot_histogram all = { 0 };

	for (guint i = 0; i < BLOCKS; i++)
		for (guint k = 0; counts->block[i] && k < BLOCK; k++)
			if (counts->block[i][k])
				iot_histogram_count(&all, i * BLOCK + k, counts->block[i][k]);
	all.sum_ns = counts->sum_ns;
	all.min_ns = counts->min_ns;
	all.max_ns = counts->max_ns;
	return all;
}

static guint key_hash(gconstpointer data)
{
	const struct group_key *key = data;

	return key->number * N_KINDS + key->kind;
}

static gboolean key_equal(gconstpointer pa, gconstpointer pb)
{
	const struct group_key *a = pa, *b = pb;

	return a->kind == b->kind && a->number == b->number;
}

static void group_free(gpointer data)
{
	struct group *group = data;

	counts_clear(&group->whole);
	for (guint i = 0; i < IOT_HANDOVER_PARTS; i++)
		counts_clear(&group->part[i]);
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

/* A wait, with the cells of its parts. */
struct wait {
	const guint64 *part_ns;
	guint64 whole_ns;
	guint cell[IOT_HANDOVER_PARTS], whole_cell;
};

static struct group *find_group(struct iot_anatomy_sums *sums, enum kind kind, guint number)
{
	const struct group_key key = { kind, number };
	struct group *group = g_hash_table_lookup(sums->groups, &key);

	if (group)
		return group;
	if (kind == BY_RESOURCE && number != OTHERS) {
		if (sums->n_resources == MAX_RESOURCES) {
			g_hash_table_add(sums->others, GUINT_TO_POINTER(number));
			return find_group(sums, BY_RESOURCE, OTHERS);
		}
		sums->n_resources++;
	}
	group = g_new0(struct group, 1);
	group->key = key;
	g_hash_table_add(sums->groups, group);
	return group;
}

static void add_to_group(struct iot_anatomy_sums *sums, enum kind kind, guint number,
			 const struct wait *wait)
{
	struct group *group = find_group(sums, kind, number);

	count(&group->whole, wait->whole_ns, wait->whole_cell);
	for (guint i = 0; i < IOT_HANDOVER_PARTS; i++)
		if (wait->part_ns[i])
			count(&group->part[i], wait->part_ns[i], wait->cell[i]);
}

void iot_anatomy_sums_add(struct iot_anatomy_sums *sums, const struct iot_anatomy_wait *ended)
{
	const struct iot_row *node = iot_row_at(sums->tl, iot_row_node(sums->tl, ended->row));
	struct wait wait = { .part_ns = ended->part_ns };

	for (guint i = 0; i < IOT_HANDOVER_PARTS; i++) {
		wait.whole_ns += ended->part_ns[i];
		wait.cell[i] = iot_histogram_cell_of(ended->part_ns[i]);
	}
	wait.whole_cell = iot_histogram_cell_of(wait.whole_ns);
	add_to_group(sums, BY_MASTER, ended->master, &wait);
	if (ended->mode)
		add_to_group(sums, BY_MODE, ended->mode, &wait);
	add_to_group(sums, BY_NODE, node->name, &wait);
	add_to_group(sums, BY_RESOURCE, node->parent, &wait);
}

/* ---- tables */

static void quantile_columns(struct iot_result_table *table)
{
	iot_result_column(table, "p50", "p50", IOT_COLUMN_NS);
	iot_result_column(table, "p90", "p90", IOT_COLUMN_NS)->drop = 4;
	iot_result_column(table, "p99", "p99", IOT_COLUMN_NS)->drop = 1;
	iot_result_column(table, "max", "max", IOT_COLUMN_NS);
}

static void add_quantiles(struct iot_result_table *table, const struct counts *of)
{
	struct iot_histogram all = histogram_of(of);

	iot_result_number(table, iot_histogram_quantile(&all, 0.5));
	iot_result_number(table, iot_histogram_quantile(&all, 0.9));
	iot_result_number(table, iot_histogram_quantile(&all, 0.99));
	iot_result_number(table, of->max_ns);
	iot_histogram_clear(&all);
}

static double share_of(guint64 part, guint64 whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/* The master, mode, node or resource of a group. */
static void add_name(const struct iot_anatomy_sums *sums, struct iot_result_table *table,
		     struct iot_result_row *row, const struct group_key *key)
{
	if (key->kind == BY_MASTER) {
		iot_result_text(table, iot_master_name((enum iot_master)key->number));
	} else if (key->kind != BY_RESOURCE) {
		iot_result_text(
			table,
			iot_tl_str(sums->tl, key->kind == BY_NODE
						     ? key->number
						     : iot_cat_at(sums->tl, key->number)->name));
	} else if (key->number == OTHERS) {
		row->others = g_hash_table_size(sums->others);
		iot_result_none(table, IOT_CELL_EMPTY);
	} else {
		iot_result_number(table, key->number);
	}
}

/* A row for the waits of a group, and one for each of their parts. */
static void add_group(const struct iot_anatomy_sums *sums, struct iot_result_table *table,
		      const struct group *group)
{
	for (guint i = 0; i <= IOT_HANDOVER_PARTS; i++) {
		const struct counts *of = i ? &group->part[i - 1] : &group->whole;
		struct iot_result_row *row;

		if (!of->n)
			continue;
		row = iot_result_row(table);
		row->strong = !i;
		add_name(sums, table, row, &group->key);
		iot_result_text(table, i ? iot_handover_part_title(i - 1) : "all parts");
		iot_result_number(table, of->n);
		iot_result_number(table, of->sum_ns);
		iot_result_share(table, share_of(of->sum_ns, group->whole.sum_ns));
		add_quantiles(table, of);
	}
}

static gint by_number(gconstpointer pa, gconstpointer pb, gpointer tl)
{
	const struct group *a = *(const struct group *const *)pa;
	const struct group *b = *(const struct group *const *)pb;

	(void)tl;
	return (a->key.number > b->key.number) - (a->key.number < b->key.number);
}

static gint by_name(gconstpointer pa, gconstpointer pb, gpointer tl)
{
	const struct group *a = *(const struct group *const *)pa;
	const struct group *b = *(const struct group *const *)pb;

	return iot_natural_compare(iot_tl_str(tl, a->key.number), iot_tl_str(tl, b->key.number));
}

/* Most time first, the others last. */
static gint by_time(gconstpointer pa, gconstpointer pb, gpointer tl)
{
	const struct group *a = *(const struct group *const *)pa;
	const struct group *b = *(const struct group *const *)pb;

	if ((a->key.number == OTHERS) != (b->key.number == OTHERS))
		return a->key.number == OTHERS ? 1 : -1;
	if (a->whole.sum_ns != b->whole.sum_ns)
		return a->whole.sum_ns > b->whole.sum_ns ? -1 : 1;
	return by_number(pa, pb, tl);
}

static const struct {
	const char *name, *of, *title; /* of the table, its first column, and both */
	enum iot_column_kind column;
	GCompareDataFunc compare;
} kinds[N_KINDS] = {
	[BY_MASTER] = { "handover", "master", "Parts of waits, by place of the master",
			IOT_COLUMN_TEXT, by_number },
	[BY_MODE] = { "handover_modes", "mode", "Parts of waits, by mode", IOT_COLUMN_TEXT,
		      by_number },
	[BY_NODE] = { "handover_nodes", "node", "Parts of waits, by node", IOT_COLUMN_TEXT,
		      by_name },
	[BY_RESOURCE] = { "handover_resources", "resource", "Parts of waits, by resource",
			  IOT_COLUMN_ROW, by_time },
};

/* The groups of one kind, sorted. The caller frees the list. */
static GPtrArray *list_groups(const struct iot_anatomy_sums *sums, enum kind kind)
{
	GPtrArray *list = g_ptr_array_new();
	GHashTableIter iter;
	struct group *group;

	g_hash_table_iter_init(&iter, sums->groups);
	while (g_hash_table_iter_next(&iter, (gpointer *)&group, NULL))
		if (group->key.kind == kind)
			g_ptr_array_add(list, group);
	g_ptr_array_sort_with_data(list, kinds[kind].compare, (gpointer)sums->tl);
	return list;
}

static struct iot_result_table *add_table(struct iot_results *results, enum kind kind)
{
	struct iot_result_table *table =
		iot_results_add(results, kinds[kind].name, kinds[kind].title);
	struct iot_column *column;

	iot_result_column(table, kinds[kind].of, kinds[kind].of, kinds[kind].column);
	iot_result_column(table, "part", "part", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_SHRINK;
	column = iot_result_column(table, "waits", "waits", IOT_COLUMN_COUNT);
	column->help = g_strdup("that have this part");
	column->drop = 3;
	iot_result_column(table, "time", "time", IOT_COLUMN_NS);
	iot_result_column(table, "share", "share", IOT_COLUMN_SHARE)->drop = 2;
	quantile_columns(table);
	return table;
}

static gboolean has_master(const struct iot_anatomy_sums *sums, enum iot_master master)
{
	return g_hash_table_contains(sums->groups, &(struct group_key){ BY_MASTER, master });
}

static void publish_groups(const struct iot_anatomy_sums *sums, struct iot_results *results,
			   enum kind kind)
{
	g_autoptr(GPtrArray) list = list_groups(sums, kind);
	struct iot_result_table *table;

	if (!list->len)
		return;
	table = add_table(results, kind);
	table->for_programs = kind != BY_MASTER;
	for (guint i = 0; i < list->len; i++)
		add_group(sums, table, list->pdata[i]);
	if (kind == BY_MASTER)
		table->help = g_strdup("Each instant of a wait belongs to one part.");
	if (kind == BY_MASTER && has_master(sums, IOT_MASTER_INFERRED))
		iot_result_note(table, "inferred: no message of the wait left its node, or shows "
				       "that this node is the master");
	if (kind == BY_MASTER && has_master(sums, IOT_MASTER_UNRECORDED))
		iot_result_note(table, "not recorded: the node of the master, or its messages");
	if (kind == BY_RESOURCE && g_hash_table_size(sums->others))
		iot_result_note(table, "the first %d resources have rows of their own",
				MAX_RESOURCES);
}

void iot_anatomy_sums_publish(const struct iot_anatomy_sums *sums, struct iot_results *results)
{
	for (guint kind = 0; kind < N_KINDS; kind++)
		publish_groups(sums, results, (enum kind)kind);
}
