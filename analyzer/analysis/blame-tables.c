/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of blame, by node, resource and process, and the holders during the longest waits. */
#include "analysis/blame-sums.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 20, MAX_NAMED = 3, MAX_HOLDERS = 8 };

/* "node 2", or the name of a cause */
static const char *because(const struct iot_timeline *tl, const struct iot_blame_key *key)
{
	return key->cause == IOT_CAUSE_HOLD ? iot_tl_str(tl, key->holder)
					    : iot_cause_name(key->cause);
}

/* "fileload 208", "pid 208", or "" */
static char *process_name(const struct iot_timeline *tl, guint64 pid, guint64 command)
{
	char digits[IOT_DIGITS_ROOM];
	const char *name = command ? iot_tl_text(tl, command, digits, NULL) : "";

	if (!pid)
		return g_strdup(name);
	return g_strdup_printf("%s %" G_GUINT64_FORMAT, *name ? name : "pid", pid);
}

static int compare_names(const struct iot_timeline *tl, iot_str a, iot_str b)
{
	return a == b ? 0 : iot_natural_compare(iot_tl_str(tl, a), iot_tl_str(tl, b));
}

static int compare_number(guint64 a, guint64 b)
{
	return a < b ? -1 : a > b;
}

/* A total order of keys by what people see, so that ties do not depend on hashes. */
static int compare_keys(const struct iot_timeline *tl, const struct iot_blame_key *a,
			const struct iot_blame_key *b)
{
	int order = compare_number(a->resource, b->resource);

	order = order ? order : compare_names(tl, a->waiter, b->waiter);
	order = order ? order : compare_number(a->cause, b->cause);
	order = order ? order : compare_names(tl, a->holder, b->holder);
	order = order ? order : compare_number(a->waiter_pid, b->waiter_pid);
	order = order ? order : compare_number(a->holder_pid, b->holder_pid);
	order = order ? order : compare_number(a->waiter_command, b->waiter_command);
	return order ? order : compare_number(a->holder_command, b->holder_command);
}

static gint by_time(gconstpointer pa, gconstpointer pb, gpointer tl)
{
	const struct iot_blame_sum *a = *(const struct iot_blame_sum *const *)pa;
	const struct iot_blame_sum *b = *(const struct iot_blame_sum *const *)pb;

	return a->ns != b->ns ? (a->ns > b->ns ? -1 : 1) : compare_keys(tl, &a->key, &b->key);
}

static gint by_waiter(gconstpointer pa, gconstpointer pb, gpointer tl)
{
	const struct iot_blame_sum *a = *(const struct iot_blame_sum *const *)pa;
	const struct iot_blame_sum *b = *(const struct iot_blame_sum *const *)pb;
	int order = compare_names(tl, a->key.waiter, b->key.waiter);

	return order ? order : by_time(pa, pb, tl);
}

/* The sums in an order; the caller frees the array. */
static GPtrArray *sorted(const struct iot_blame *blame, enum iot_blame_by by,
			 GCompareDataFunc compare)
{
	GPtrArray *list = g_ptr_array_new();
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, blame->sums[by]);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		g_ptr_array_add(list, value);
	g_ptr_array_sort_with_data(list, compare, blame->tl);
	return list;
}

static double share_of(guint64 part, guint64 whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/* How much of a sum is certain. Only a hold can be. */
static void add_certainty(struct iot_result_table *table, const struct iot_blame_sum *sum)
{
	if (sum->key.cause == IOT_CAUSE_HOLD)
		iot_result_share(table, share_of(sum->proved_ns, sum->ns));
	else
		iot_result_none(table, IOT_CELL_EMPTY);
}

static void add_alone(struct iot_result_table *table, const struct iot_blame_sum *sum)
{
	if (sum->key.cause == IOT_CAUSE_HOLD)
		iot_result_number(table, sum->alone_ns);
	else
		iot_result_none(table, IOT_CELL_EMPTY);
}

/* The columns after the names of the waiter and of the holder. */
static void sum_columns(struct iot_result_table *table)
{
	struct iot_column *column;

	iot_result_column(table, "blamed", "time", IOT_COLUMN_NS);
	column = iot_result_column(table, "share", "share", IOT_COLUMN_SHARE);
	column->help = g_strdup("of all that the waiter waited");
	column = iot_result_column(table, "alone", "alone", IOT_COLUMN_NS);
	column->help = g_strdup("in which no other lock was in the way");
	column->drop = 2;
	column = iot_result_column(table, "proved", "proved", IOT_COLUMN_SHARE);
	column->help = g_strdup("of the time: whatever the errors of the clocks are");
	column->drop = 1;
	iot_result_column(table, "waits", "waits", IOT_COLUMN_COUNT)->drop = 3;
}

static void add_sum(struct iot_result_table *table, const struct iot_blame_sum *sum, guint64 whole)
{
	iot_result_number(table, sum->ns);
	iot_result_share(table, share_of(sum->ns, whole));
	add_alone(table, sum);
	add_certainty(table, sum);
	iot_result_number(table, sum->n);
}

/* ---- by node */

static guint64 whole_of(const GPtrArray *list, iot_str waiter)
{
	guint64 whole = 0;

	for (guint i = 0; i < list->len; i++) {
		const struct iot_blame_sum *sum = list->pdata[i];

		whole += sum->key.waiter == waiter ? sum->ns : 0;
	}
	return whole;
}

static void publish_nodes(const struct iot_blame *blame, struct iot_results *results)
{
	g_autoptr(GPtrArray) list = sorted(blame, IOT_BLAME_NODES, by_waiter);
	struct iot_result_table *table = iot_results_add(results, "blame", "Who made whom wait");

	table->help =
		g_strdup("Each instant of a wait has one cause; holds at the same time share it.");
	iot_result_column(table, "waiter", "waiter", IOT_COLUMN_TEXT);
	iot_result_column(table, "because", "because of", IOT_COLUMN_TEXT);
	sum_columns(table);
	for (guint i = 0; i < list->len; i++) {
		const struct iot_blame_sum *sum = list->pdata[i];

		iot_result_row(table);
		iot_result_text(table, iot_tl_str(blame->tl, sum->key.waiter));
		iot_result_text(table, because(blame->tl, &sum->key));
		add_sum(table, sum, whole_of(list, sum->key.waiter));
	}
	iot_result_note(table,
			"hand-over: the holder has called to give the mode up; queue: others "
			"waited longer; a hold of the own node counts");
}

/* ---- by resource */

struct resource {
	iot_row_id row;
	guint64 ns, cause_ns[IOT_N_CAUSES];
	char *held_by, *waited_by; /* the nodes with the most time */
};

static gint compare_resources(gconstpointer pa, gconstpointer pb)
{
	const struct resource *a = pa, *b = pb;

	return a->ns != b->ns ? (a->ns > b->ns ? -1 : 1) : compare_number(a->row, b->row);
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

	return a->key.resource != b->key.resource ? compare_number(a->key.resource, b->key.resource)
						  : by_time(pa, pb, tl);
}

/* "node 2 86 %", and the text before it */
static char *name_share(char *before, const char *name, guint64 part, guint64 whole)
{
	char *text = g_strdup_printf("%s%s%s %.0f %%", before ? before : "", before ? ", " : "",
				     name, 100 * share_of(part, whole));

	g_free(before);
	return text;
}

/* Name the nodes that held each resource, or waited for it. */
static void name_nodes(const struct iot_blame *blame, GArray *resources, enum iot_blame_by by)
{
	g_autoptr(GPtrArray) list = sorted(blame, by, by_resource);
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
			*names = name_share(*names, iot_tl_str(blame->tl, node), sum->ns,
					    resource->ns);
	}
}

static GArray *find_resources(const struct iot_blame *blame)
{
	g_autoptr(GPtrArray) list = sorted(blame, IOT_BLAME_RESOURCES, by_resource);
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
	name_nodes(blame, resources, IOT_BLAME_RESOURCES);
	name_nodes(blame, resources, IOT_BLAME_WAITERS);
	g_array_sort(resources, compare_resources);
	return resources;
}

static void publish_resources(const struct iot_blame *blame, struct iot_results *results)
{
	g_autoptr(GArray) resources = find_resources(blame);
	struct iot_result_table *table =
		iot_results_add(results, "blame_resources", "Causes of waits, by resource");
	struct iot_column *column;

	table->counts_others = TRUE;
	iot_result_column(table, "resource", "resource", IOT_COLUMN_ROW)->flags = IOT_COLUMN_SHRINK;
	iot_result_column(table, "waited", "waited", IOT_COLUMN_NS)->flags = IOT_COLUMN_STRONG;
	for (guint i = 0; i < IOT_N_CAUSES; i++) {
		const char *name = iot_cause_name((enum iot_cause)i);
		g_autofree char *word = g_strdelimit(g_strdup(name), " -", '_');

		column = iot_result_column(table, word, name, IOT_COLUMN_NS);
		column->flags = IOT_COLUMN_DASH;
		column->drop = IOT_N_CAUSES - i;
	}
	iot_result_column(table, "waited_by", "waited by", IOT_COLUMN_TEXT)->flags =
		IOT_COLUMN_DATA;
	iot_result_column(table, "held_by", "held by", IOT_COLUMN_TEXT)->flags =
		IOT_COLUMN_OPTIONAL | IOT_COLUMN_WRAP;
	for (guint i = 0; i < MIN(resources->len, MAX_ROWS); i++) {
		const struct resource *resource = &g_array_index(resources, struct resource, i);

		iot_result_row(table);
		iot_result_number(table, resource->row);
		iot_result_number(table, resource->ns);
		for (guint k = 0; k < IOT_N_CAUSES; k++)
			iot_result_number(table, resource->cause_ns[k]);
		iot_result_text(table, resource->waited_by);
		iot_result_text(table, resource->held_by);
	}
	if (resources->len > MAX_ROWS)
		table->remark = g_strdup_printf("the first %d of %u", MAX_ROWS, resources->len);
}

/* ---- by process */

static void publish_processes(const struct iot_blame *blame, struct iot_results *results)
{
	g_autoptr(GPtrArray) list = sorted(blame, IOT_BLAME_PROCESSES, by_time);
	struct iot_result_table *table;
	guint64 whole = 0;

	if (!list->len)
		return;
	for (guint i = 0; i < list->len; i++)
		whole += ((const struct iot_blame_sum *)list->pdata[i])->ns;
	table = iot_results_add(results, "blame_processes", "Processes that made others wait");
	table->counts_others = TRUE;
	iot_result_column(table, "waiter", "waiter", IOT_COLUMN_TEXT);
	iot_result_column(table, "waiting_process", "process", IOT_COLUMN_TEXT);
	iot_result_column(table, "holder", "holder", IOT_COLUMN_TEXT);
	iot_result_column(table, "holding_process", "process", IOT_COLUMN_TEXT);
	sum_columns(table);
	for (guint i = 0; i < MIN(list->len, MAX_ROWS); i++) {
		const struct iot_blame_sum *sum = list->pdata[i];
		const struct iot_blame_key *key = &sum->key;
		g_autofree char *waiter =
			process_name(blame->tl, key->waiter_pid, key->waiter_command);
		g_autofree char *holder =
			process_name(blame->tl, key->holder_pid, key->holder_command);

		iot_result_row(table);
		iot_result_text(table, key->waiter ? iot_tl_str(blame->tl, key->waiter) : "others");
		iot_result_text(table, waiter);
		iot_result_text(table, key->holder ? iot_tl_str(blame->tl, key->holder) : "others");
		iot_result_text(table, holder);
		add_sum(table, sum, whole);
	}
	if (list->len > MAX_ROWS)
		table->remark = g_strdup_printf("the first %d of %u", MAX_ROWS, list->len);
}

/* ---- stacks, for flame graphs */

/* A frame of a stack: without the separators of the format. */
static void add_frame(GString *stack, const char *text)
{
	if (!*text)
		return;
	if (stack->len)
		g_string_append_c(stack, ';');
	for (; *text; text++)
		g_string_append_c(stack, *text == ';' || *text == '\n' ? ',' : *text);
}

/* "node 3;mount 193;gfs/trans 0;node 1;mount 173" */
static char *stack_of(const struct iot_timeline *tl, const struct iot_blame_key *key)
{
	g_autofree char *waiter = process_name(tl, key->waiter_pid, key->waiter_command);
	g_autofree char *holder = process_name(tl, key->holder_pid, key->holder_command);
	g_autofree char *path = NULL;
	GString *stack = g_string_new(NULL);

	if (!key->waiter)
		return g_string_free(g_string_append(stack, "others"), FALSE);
	path = iot_timeline_path(tl, key->resource, "/");
	add_frame(stack, iot_tl_str(tl, key->waiter));
	add_frame(stack, waiter);
	add_frame(stack, path);
	add_frame(stack, because(tl, key));
	add_frame(stack, holder);
	return g_string_free(stack, FALSE);
}

static void publish_stacks(const struct iot_blame *blame, struct iot_results *results)
{
	g_autoptr(GPtrArray) list = sorted(blame, IOT_BLAME_STACKS, by_time);
	struct iot_result_table *table =
		iot_results_add(results, "blame_stacks", "Stacks of waiters and holders");

	table->for_programs = TRUE;
	iot_result_column(table, "stack", "stack", IOT_COLUMN_TEXT);
	iot_result_column(table, "blamed", "time", IOT_COLUMN_NS);
	for (guint i = 0; i < list->len; i++) {
		const struct iot_blame_sum *sum = list->pdata[i];
		g_autofree char *stack = stack_of(blame->tl, &sum->key);

		iot_result_row(table);
		iot_result_text(table, stack);
		iot_result_number(table, sum->ns);
	}
}

/* ---- the longest waits */

static gint compare_blockers(gconstpointer pa, gconstpointer pb, gpointer tl)
{
	const struct iot_blocker *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->claim.t0 != b->claim.t0)
		return a->claim.t0 < b->claim.t0 ? -1 : 1;
	return iot_claim_order(tl, &a->claim, &b->claim);
}

/* "node 2 EX" */
static char *holder_name(const struct iot_timeline *tl, const struct iot_claim *claim)
{
	return g_strdup_printf("%s %s", iot_tl_str(tl, claim->node),
			       iot_tl_str(tl, iot_cat_at(tl, claim->cat)->name));
}

struct named {
	char *name;
	guint64 ns;
};

static void clear_named(gpointer data)
{
	g_free(((struct named *)data)->name);
}

static gint compare_named(gconstpointer pa, gconstpointer pb)
{
	const struct named *a = pa, *b = pb;

	return a->ns != b->ns ? (a->ns > b->ns ? -1 : 1) : iot_natural_compare(a->name, b->name);
}

static void add_named(GArray *list, char *name, guint64 ns)
{
	struct named new = { name, ns };

	for (guint i = 0; i < list->len; i++) {
		struct named *known = &g_array_index(list, struct named, i);

		if (!strcmp(known->name, name)) {
			known->ns += ns;
			g_free(name);
			return;
		}
	}
	g_array_append_val(list, new);
}

/* "node 2 EX 86 %, queue 12 %": the causes with the most time */
static char *summary_of(const struct iot_timeline *tl, const struct iot_wait *wait)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(struct named));
	char *text = NULL;

	g_array_set_clear_func(list, clear_named);
	for (guint i = 0; i < wait->blockers->len; i++)
		add_named(list, holder_name(tl, &iot_wait_blocker(wait, i)->claim),
			  iot_wait_blocker(wait, i)->ns);
	for (guint i = IOT_CAUSE_HOLD + 1; i < IOT_N_CAUSES; i++)
		if (wait->cause_ns[i])
			add_named(list, g_strdup(iot_cause_name((enum iot_cause)i)),
				  wait->cause_ns[i]);
	g_array_sort(list, compare_named);
	for (guint i = 0; i < MIN(list->len, MAX_NAMED); i++) {
		const struct named *each = &g_array_index(list, struct named, i);

		if (i && each->ns * 100 < wait->claim.t1 - wait->claim.t0)
			break;
		text = name_share(text, each->name, each->ns, wait->claim.t1 - wait->claim.t0);
	}
	return text;
}

static void holder_columns(struct iot_result_table *table)
{
	struct iot_column *column;

	iot_result_column(table, "wait", "wait", IOT_COLUMN_COUNT)->help =
		g_strdup("its place among the longest waits");
	iot_result_column(table, "because", "because of", IOT_COLUMN_TEXT);
	column = iot_result_column(table, "process", "process", IOT_COLUMN_TEXT);
	column->flags = IOT_COLUMN_OPTIONAL;
	column->drop = 5;
	iot_result_column(table, "place", "where", IOT_COLUMN_ROW)->flags = IOT_COLUMN_SHRINK;
	iot_result_column(table, "held_from", "from", IOT_COLUMN_INSTANT);
	column = iot_result_column(table, "held", "for", IOT_COLUMN_NS);
	column->help = g_strdup("length of the hold, also before and after the wait");
	column->drop = 3;
	iot_result_column(table, "part", "part", IOT_COLUMN_NS)->flags = IOT_COLUMN_STRONG;
	iot_result_column(table, "share", "share", IOT_COLUMN_SHARE)->drop = 1;
	column = iot_result_column(table, "alone", "alone", IOT_COLUMN_NS);
	column->drop = 4;
	column = iot_result_column(table, "certainty", "certainty", IOT_COLUMN_TEXT);
	column->drop = 2;
	iot_result_column(table, "waiter", "waiter", IOT_COLUMN_ROW)->flags = IOT_COLUMN_DATA;
	iot_result_column(table, "waiting_process", "process", IOT_COLUMN_TEXT)->flags =
		IOT_COLUMN_DATA;
	iot_result_column(table, "lane", "lane", IOT_COLUMN_COUNT)->flags = IOT_COLUMN_DATA;
	iot_result_column(table, "begin", "begin", IOT_COLUMN_INSTANT)->flags = IOT_COLUMN_DATA;
	iot_result_column(table, "waited", "waited", IOT_COLUMN_NS)->flags = IOT_COLUMN_DATA;
	iot_result_column(table, "asks", "asks for", IOT_COLUMN_CATEGORY)->flags = IOT_COLUMN_DATA;
	iot_result_column(table, "held_by", "held by", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_DATA;
}

static void add_wait_cells(const struct iot_timeline *tl, struct iot_result_table *table,
			   const struct iot_wait *wait, const char *summary)
{
	g_autofree char *process = process_name(tl, wait->claim.pid, wait->claim.command);

	iot_result_number(table, wait->claim.row);
	iot_result_text(table, process);
	iot_result_number(table, wait->claim.lane);
	iot_result_number(table, wait->claim.t0);
	iot_result_number(table, wait->claim.t1 - wait->claim.t0);
	if (wait->claim.cat)
		iot_result_number(table, wait->claim.cat);
	else
		iot_result_none(table, IOT_CELL_UNKNOWN);
	iot_result_text(table, summary);
}

static void add_holder(const struct iot_blame *blame, struct iot_result_table *table,
		       const struct iot_wait *wait, const struct iot_blocker *blocker)
{
	const struct iot_claim *claim = &blocker->claim;
	g_autofree char *name = holder_name(blame->tl, claim);
	g_autofree char *process = process_name(blame->tl, claim->pid, claim->command);

	iot_result_text(table, name);
	iot_result_text(table, process);
	iot_result_number(table, claim->row);
	iot_result_number(table, claim->t0);
	iot_result_number(table, MIN(claim->t1, wait->claim.t1) - claim->t0);
	if (claim->t1 > wait->claim.t1)
		iot_result_at_least(table);
	iot_result_number(table, blocker->ns);
	iot_result_share(table, share_of(blocker->ns, wait->claim.t1 - wait->claim.t0));
	iot_result_number(table, blocker->alone_ns);
	iot_result_text(table, blocker->proved ? "proved" : "possible");
}

/* Time without a hold in the way, or of the holders that are not named. */
static void add_rest(struct iot_result_table *table, const struct iot_wait *wait, const char *name,
		     guint64 ns)
{
	iot_result_text(table, name);
	for (guint i = 0; i < 4; i++)
		iot_result_none(table, IOT_CELL_EMPTY);
	iot_result_number(table, ns);
	iot_result_share(table, share_of(ns, wait->claim.t1 - wait->claim.t0));
	iot_result_none(table, IOT_CELL_EMPTY);
	iot_result_text(table, "possible");
}

static void add_longest(const struct iot_blame *blame, struct iot_result_table *table, guint number)
{
	const struct iot_wait *wait = blame->longest[number];
	g_autofree char *summary = summary_of(blame->tl, wait);
	guint64 rest = 0;
	gboolean first = TRUE;

	g_array_sort_with_data(wait->blockers, compare_blockers, blame->tl);
	for (guint i = MAX_HOLDERS; i < wait->blockers->len; i++)
		rest += iot_wait_blocker(wait, i)->ns;
	for (guint i = 0; i < MAX_HOLDERS + IOT_N_CAUSES; i++) {
		guint cause = i - MAX_HOLDERS;
		guint64 ns = i < MAX_HOLDERS	       ? 0
			     : cause == IOT_CAUSE_HOLD ? rest
						       : wait->cause_ns[cause];

		if (i < MAX_HOLDERS ? i >= wait->blockers->len : !ns)
			continue;
		iot_result_row(table);
		iot_result_number(table, number + 1);
		if (i < MAX_HOLDERS)
			add_holder(blame, table, wait, iot_wait_blocker(wait, i));
		else
			add_rest(table, wait,
				 cause == IOT_CAUSE_HOLD ? "other holds"
							 : iot_cause_name((enum iot_cause)cause),
				 ns);
		add_wait_cells(blame->tl, table, wait, first ? summary : NULL);
		first = FALSE;
	}
}

static void publish_longest(const struct iot_blame *blame, struct iot_results *results)
{
	struct iot_result_table *table =
		iot_results_add(results, "holders", "In the way during the longest waits");

	table->help = g_strdup("what each of the longest waits waited for, part by part");
	holder_columns(table);
	for (guint i = 0; i < blame->n_longest; i++)
		add_longest(blame, table, i);
}

void iot_blame_publish(struct iot_blame *blame, struct iot_results *results)
{
	if (!blame->n_waits)
		return;
	publish_longest(blame, results);
	publish_nodes(blame, results);
	publish_resources(blame, results);
	publish_processes(blame, results);
	publish_stacks(blame, results);
}
