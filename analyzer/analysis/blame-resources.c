/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The causes of waits by resource. */
#include "analysis/blame-tables.h"
#include "analysis/claim-names.h"
#include "base/units.h"
#include "timeline/subjects.h"

enum { MAX_ROWS = 20, MAX_NAMED = 3 };

struct resource {
	iot_row_id row;
	guint64 ns, cause_ns[IOT_N_CAUSES];
	guint64 proved_ns;	   /* held, whatever the errors of clocks are */
	char *held_by, *waited_by; /* the nodes with the most time */
};

static gint compare_resources(gconstpointer pa, gconstpointer pb)
{
	const struct resource *a = pa, *b = pb;

	return a->ns != b->ns ? (a->ns > b->ns ? -1 : 1) : iot_compare_number(a->row, b->row);
}

static void clear_resource(gpointer data)
{
	g_free(((struct resource *)data)->held_by);
	g_free(((struct resource *)data)->waited_by);
}

static gint by_resource(gconstpointer pa, gconstpointer pb, gpointer tl)
{
	const struct iot_blame_sum *a = *(const struct iot_blame_sum *const *)pa;
	const struct iot_blame_sum *b = *(const struct iot_blame_sum *const *)pb;

	return a->key.resource != b->key.resource
		       ? iot_compare_number(a->key.resource, b->key.resource)
		       : iot_blame_by_time(pa, pb, tl);
}

/* Name the nodes that held each resource, or waited for it. */
static void name_nodes(const struct iot_blame *blame, GArray *resources, enum iot_blame_by by)
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
		if (node && n_named++ < MAX_NAMED && (!*names || sum->ns * 100 >= resource->ns))
			*names = iot_name_share(*names, iot_tl_str(blame->tl, node), sum->ns,
						resource->ns);
	}
}

static GArray *find_resources(const struct iot_blame *blame)
{
	g_autoptr(GPtrArray) list = iot_blame_sorted(blame, IOT_BLAME_RESOURCES, by_resource);
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
		resource->proved_ns += sum->proved_ns;
	}
	name_nodes(blame, resources, IOT_BLAME_RESOURCES);
	name_nodes(blame, resources, IOT_BLAME_WAITERS);
	g_array_sort(resources, compare_resources);
	return resources;
}

void iot_blame_publish_resources(const struct iot_blame *blame, struct iot_results *results)
{
	g_autoptr(GArray) resources = find_resources(blame);
	g_autoptr(iot_subjects) subjects = iot_subjects_new(blame->tl);
	struct iot_result_table *table =
		iot_results_add(results, "blame_resources", "Causes of waits, by resource");
	struct iot_column *column;

	table->counts_others = TRUE;
	iot_result_column(table, "resource", "resource", IOT_COLUMN_ROW)->flags = IOT_COLUMN_SHRINK;
	iot_subjects_add_column(subjects, table);
	iot_result_column(table, "waited", "waited", IOT_COLUMN_NS)->flags = IOT_COLUMN_STRONG;
	for (guint i = 0; i < IOT_N_CAUSES; i++) {
		const char *name = iot_cause_name((enum iot_cause)i);
		g_autofree char *word = g_strdelimit(g_strdup(name), " -", '_');

		column = iot_result_column(table, word, name, IOT_COLUMN_NS);
		column->flags = IOT_COLUMN_DASH;
		column->drop = IOT_N_CAUSES - i;
	}
	column = iot_result_column(table, "proved", "proved", IOT_COLUMN_SHARE);
	column->help = g_strdup("of the time held: whatever the errors of the clocks are");
	column->flags = IOT_COLUMN_DATA;
	iot_result_column(table, "waited_by", "waited by", IOT_COLUMN_TEXT)->flags =
		IOT_COLUMN_DATA;
	iot_result_column(table, "held_by", "held by", IOT_COLUMN_TEXT)->flags =
		IOT_COLUMN_OPTIONAL | IOT_COLUMN_WRAP;
	for (guint i = 0; i < MIN(resources->len, MAX_ROWS); i++) {
		const struct resource *resource = &g_array_index(resources, struct resource, i);

		iot_result_row(table);
		iot_result_number(table, resource->row);
		iot_subjects_add_cell(subjects, table, resource->row);
		iot_result_number(table, resource->ns);
		for (guint k = 0; k < IOT_N_CAUSES; k++)
			iot_result_number(table, resource->cause_ns[k]);
		iot_result_share(table, iot_share_of(resource->proved_ns,
						     resource->cause_ns[IOT_CAUSE_HOLD]));
		iot_result_text(table, resource->waited_by);
		iot_result_text(table, resource->held_by);
	}
	if (resources->len > MAX_ROWS)
		table->remark = g_strdup_printf("the first %d of %u", MAX_ROWS, resources->len);
	iot_remark_undecided(blame->tl, results, table);
}
