/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The causes of waits by resource. */
#include "analysis/blame-tables.h"
#include "analysis/claim-names.h"
#include "base/intern.h"
#include "base/units.h"
#include "timeline/subjects.h"

enum { MAX_NAMED = 3 };

struct resource {
	iot_row_id row;
	guint64 ns, cause_ns[IOT_N_CAUSES];
	guint64 proved_ns;	   /* held, whatever the errors of clocks are */
	guint64 idle_ns;	   /* of waits that say little */
	char *held_by, *waited_by; /* the nodes with the most time */
	char *held_surely;	   /* held_by, and how sure each is */
};

static int most_time(gconstpointer pa, gconstpointer pb, gconstpointer publishing)
{
	const struct resource *a = pa, *b = pb;

	(void)publishing;
	if (a->ns - a->idle_ns != b->ns - b->idle_ns)
		return iot_compare_number(b->ns - b->idle_ns, a->ns - a->idle_ns);
	return a->ns != b->ns ? iot_compare_number(b->ns, a->ns)
			      : iot_compare_number(a->row, b->row);
}

static void clear_resource(gpointer data)
{
	g_free(((struct resource *)data)->held_by);
	g_free(((struct resource *)data)->waited_by);
	g_free(((struct resource *)data)->held_surely);
}

static gint by_resource(gconstpointer pa, gconstpointer pb, gpointer tl)
{
	const struct iot_blame_sum *a = *(const struct iot_blame_sum *const *)pa;
	const struct iot_blame_sum *b = *(const struct iot_blame_sum *const *)pb;

	return a->key.resource != b->key.resource
		       ? iot_compare_number(a->key.resource, b->key.resource)
		       : iot_blame_by_time(pa, pb, tl);
}

static guint64 pair_of(iot_row_id resource, iot_str node)
{
	return (guint64)resource << 32 | node;
}

/* "node 1 6 % (proved), node 3 4 % (proved: 40 %)" */
static void add_surely(const struct iot_blame *blame, struct resource *resource,
		       const struct iot_blame_sum *sum, GHashTable *proofs)
{
	guint64 pair = pair_of(sum->key.resource, sum->key.holder);
	const guint64 *proved = g_hash_table_lookup(proofs, &pair);
	double share = proved ? iot_share_of(*proved, sum->ns) : 0;
	gboolean lost = iot_timeline_first_unobserved(blame->tl) < G_MAXUINT64;
	g_autofree char *named =
		iot_name_share(resource->held_surely, iot_tl_str(blame->tl, sum->key.holder),
			       sum->ns, resource->ns);

	if (share >= 0.995)
		resource->held_surely = g_strdup_printf("%s (proved)", named);
	else if (share < 0.005)
		resource->held_surely =
			g_strdup_printf("%s (%s)", named, lost ? "undecided" : "possible");
	else
		resource->held_surely = g_strdup_printf("%s (proved: %.0f %%)", named, 100 * share);
}

/* Name the nodes that held each resource, or waited for it. */
static void name_nodes(const struct iot_blame *blame, GArray *resources, enum iot_blame_by by,
		       GHashTable *proofs)
{
	g_autoptr(GPtrArray) list = iot_blame_sorted(blame, by, by_resource);
	struct resource *resource = NULL;
	guint at = 0, n_named = 0;

	for (guint i = 0; i < list->len; i++) {
		const struct iot_blame_sum *sum = list->pdata[i];
		iot_str node = by == IOT_BLAME_WAITERS ? sum->key.waiter : sum->key.holder;
		char **names;

		if (!resource || resource->row != sum->key.resource) {
			resource = &g_array_index(resources, struct resource, at++);
			n_named = 0;
		}
		names = by == IOT_BLAME_WAITERS ? &resource->waited_by : &resource->held_by;
		resource->idle_ns += sum->idle_ns;
		if (!node || n_named++ >= MAX_NAMED || (*names && sum->ns * 100 < resource->ns))
			continue;
		*names = iot_name_share(*names, iot_tl_str(blame->tl, node), sum->ns, resource->ns);
		if (by == IOT_BLAME_RESOURCES)
			add_surely(blame, resource, sum, proofs);
	}
}

/* Add the proved time of the resources, which are in order of their rows.
 * Returns: the same by resource and holder. */
static GHashTable *add_proofs(const struct iot_blame *blame, GArray *resources)
{
	GHashTable *proofs = g_hash_table_new_full(iot_pair_hash, g_int64_equal, g_free, g_free);
	g_autoptr(GPtrArray) list = iot_blame_sorted(blame, IOT_BLAME_PROOFS, by_resource);
	struct resource *resource = (struct resource *)(gpointer)resources->data;

	for (guint i = 0; i < list->len; i++) {
		const struct iot_blame_sum *sum = list->pdata[i];
		guint64 pair = pair_of(sum->key.resource, sum->key.holder);
		guint64 ns = iot_blame_proved(blame, sum),
			*known = g_hash_table_lookup(proofs, &pair);

		while (resource->row != sum->key.resource)
			resource++;
		resource->proved_ns += ns;
		if (known)
			*known += ns;
		else
			g_hash_table_insert(proofs, g_memdup2(&pair, sizeof(pair)),
					    g_memdup2(&ns, sizeof(ns)));
	}
	return proofs;
}

static GArray *find_resources(const struct iot_blame *blame)
{
	g_autoptr(GPtrArray) list = iot_blame_sorted(blame, IOT_BLAME_RESOURCES, by_resource);
	g_autoptr(GHashTable) proofs = NULL;
	GArray *resources = g_array_new(FALSE, TRUE, sizeof(struct resource));
	struct resource *resource = NULL;

	g_array_set_clear_func(resources, clear_resource);
	for (guint i = 0; i < list->len; i++) {
		const struct iot_blame_sum *sum = list->pdata[i];

		if (!resource || resource->row != sum->key.resource) {
			g_array_set_size(resources, resources->len + 1);
			resource = &g_array_index(resources, struct resource, resources->len - 1);
			resource->row = sum->key.resource;
		}
		resource->ns += sum->ns;
		resource->cause_ns[sum->key.cause] += sum->ns;
	}
	proofs = add_proofs(blame, resources);
	name_nodes(blame, resources, IOT_BLAME_RESOURCES, proofs);
	name_nodes(blame, resources, IOT_BLAME_WAITERS, proofs);
	return resources;
}

static const struct iot_ranked_column columns[] = {
	{ "resource", "resource", IOT_COLUMN_ROW, IOT_COLUMN_SHRINK },
};

/* after the column of the subject */
static const struct iot_ranked_column waited_columns[] = {
	{ "waited", "waited", IOT_COLUMN_NS, IOT_COLUMN_STRONG },
};

/* after the causes */
static const struct iot_ranked_column node_columns[] = {
	{ "proved", "proved", IOT_COLUMN_SHARE, IOT_COLUMN_DATA,
	  .help = "of the time held: whatever the errors of the clocks are" },
	{ "waited_by", "waited by", IOT_COLUMN_TEXT, IOT_COLUMN_DATA },
	{ "held_by", "held by", IOT_COLUMN_TEXT, IOT_COLUMN_OPTIONAL | IOT_COLUMN_WRAP },
	{ "held_surely", "held by", IOT_COLUMN_TEXT, IOT_COLUMN_DATA,
	  .help = "and how sure each is, or the share of its time that is proved" },
};

static void more_columns(struct iot_result_table *table, gconstpointer subjects)
{
	iot_subjects_add_column(subjects, table);
	iot_ranked_columns(table, waited_columns, G_N_ELEMENTS(waited_columns));
	for (guint i = 0; i < IOT_N_CAUSES; i++) {
		const char *name = iot_cause_name((enum iot_cause)i);
		g_autofree char *word = g_strdelimit(g_strdup(name), " -", '_');
		struct iot_column *column = iot_result_column(table, word, name, IOT_COLUMN_NS);

		column->flags = IOT_COLUMN_DASH;
		column->drop = IOT_N_CAUSES - i;
	}
	iot_ranked_columns(table, node_columns, G_N_ELEMENTS(node_columns));
}

static void add_row(struct iot_result_table *table, gconstpointer element, gconstpointer subjects)
{
	const struct resource *resource = element;

	iot_ranked_row(table, iot_cell_number(resource->row));
	iot_subjects_add_cell(subjects, table, resource->row);
	iot_result_number(table, resource->ns);
	for (guint i = 0; i < IOT_N_CAUSES; i++)
		iot_result_number(table, resource->cause_ns[i]);
	iot_result_share(table,
			 iot_share_of(resource->proved_ns, resource->cause_ns[IOT_CAUSE_HOLD]));
	iot_result_text(table, resource->waited_by);
	iot_result_text(table, resource->held_by);
	iot_result_text(table, resource->held_surely);
}

static const struct iot_ranked ranked = {
	IOT_RANKED("blame_resources", "Causes of waits, by resource", columns),
	.help = "the most waited for first; waits that never ended and had no holder for most of "
		"their time do not count for this order",
	.more_columns = more_columns,
	.limit = 20,
	.loss = IOT_LOSS_UNDECIDED,
	.compare = most_time,
	.add = add_row,
};

/* ---- all of them, for the list */

static void add_all(struct iot_result_table *table, gconstpointer data)
{
	g_autoptr(GArray) resources = find_resources(data);

	for (guint i = 0; i < resources->len; i++) {
		const struct resource *resource = &g_array_index(resources, struct resource, i);

		iot_ranked_row(table, iot_cell_number(resource->row), iot_cell_number(resource->ns),
			       iot_cell_text(resource->held_by));
	}
}

static void publish_all(const struct iot_blame *blame, struct iot_results *results)
{
	static const struct iot_ranked_column all_columns[] = {
		{ "resource", "resource", IOT_COLUMN_ROW },
		{ "waited", "waited", IOT_COLUMN_NS },
		{ "held_by", "held by", IOT_COLUMN_TEXT, IOT_COLUMN_OPTIONAL },
	};
	static const struct iot_ranked all_ranked = {
		IOT_RANKED("resource_holders", "Holders of every resource", all_columns),
		.for_programs = TRUE,
		.loss = IOT_LOSS_UNDECIDED,
	};
	struct iot_result_table *table = iot_ranked_table(results, blame->tl, &all_ranked, 0);

	table->fill = add_all;
	table->fill_data = blame;
}

void iot_blame_publish_resources(const struct iot_blame *blame, struct iot_results *results)
{
	g_autoptr(GArray) resources = find_resources(blame);
	g_autoptr(iot_subjects) subjects = iot_subjects_new(blame->tl);

	iot_ranked_publish_array(results, blame->tl, &ranked, resources, subjects);
	publish_all(blame, results);
}
