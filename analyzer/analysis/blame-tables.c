/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of blame, by node and by process. */
#include "analysis/blame-tables.h"
#include "analysis/claim-names.h"

enum { MAX_ROWS = 20 };

const char *iot_blame_because(const struct iot_timeline *tl, const struct iot_blame_key *key)
{
	return key->cause == IOT_CAUSE_HOLD ? iot_tl_str(tl, key->holder)
					    : iot_cause_name(key->cause);
}

/* A total order of keys by what people see, so that ties do not depend on hashes. */
static int compare_keys(const struct iot_timeline *tl, const struct iot_blame_key *a,
			const struct iot_blame_key *b)
{
	int order = iot_compare_number(a->resource, b->resource);

	order = order ? order : iot_compare_names(tl, a->waiter, b->waiter);
	order = order ? order : iot_compare_number(a->cause, b->cause);
	order = order ? order : iot_compare_names(tl, a->holder, b->holder);
	order = order ? order : iot_compare_number(a->waiter_pid, b->waiter_pid);
	order = order ? order : iot_compare_number(a->holder_pid, b->holder_pid);
	order = order ? order : iot_compare_number(a->waiter_command, b->waiter_command);
	order = order ? order : iot_compare_number(a->holder_command, b->holder_command);
	return order ? order
		     : iot_compare_number(a->chain ? a->chain->number : 0,
					  b->chain ? b->chain->number : 0);
}

gint iot_blame_by_time(gconstpointer pa, gconstpointer pb, gpointer tl)
{
	const struct iot_blame_sum *a = *(const struct iot_blame_sum *const *)pa;
	const struct iot_blame_sum *b = *(const struct iot_blame_sum *const *)pb;

	return a->ns != b->ns ? (a->ns > b->ns ? -1 : 1) : compare_keys(tl, &a->key, &b->key);
}

static gint by_waiter(gconstpointer pa, gconstpointer pb, gpointer tl)
{
	const struct iot_blame_sum *a = *(const struct iot_blame_sum *const *)pa;
	const struct iot_blame_sum *b = *(const struct iot_blame_sum *const *)pb;
	int order = iot_compare_names(tl, a->key.waiter, b->key.waiter);

	return order ? order : iot_blame_by_time(pa, pb, tl);
}

GPtrArray *iot_blame_sorted(const struct iot_blame *blame, enum iot_blame_by by,
			    GCompareDataFunc compare)
{
	GPtrArray *list = g_ptr_array_new();
	gpointer sum;
	guint at = 0;

	while ((sum = iot_hashset_walk(&blame->sums[by], &at)))
		g_ptr_array_add(list, sum);
	g_ptr_array_sort_with_data(list, compare, blame->tl);
	return list;
}

/* How much of a sum is certain. Only a hold can be. */
static void add_certainty(struct iot_result_table *table, const struct iot_blame_sum *sum)
{
	if (sum->key.cause == IOT_CAUSE_HOLD)
		iot_result_share(table, iot_share_of(sum->proved_ns, sum->ns));
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
	iot_result_share(table, iot_share_of(sum->ns, whole));
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
	g_autoptr(GPtrArray) list = iot_blame_sorted(blame, IOT_BLAME_NODES, by_waiter);
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
		iot_result_text(table, iot_blame_because(blame->tl, &sum->key));
		add_sum(table, sum, whole_of(list, sum->key.waiter));
	}
	iot_remark_undecided(blame->tl, results, table);
	iot_result_note(table,
			"hand-over: the holder has called to give the mode up; queue: others "
			"waited longer; recovery: nobody was served; messages, "
			"callbacks: nothing else was in the way; a hold of the own node counts");
}

/* ---- by process */

static void publish_processes(const struct iot_blame *blame, struct iot_results *results)
{
	g_autoptr(GPtrArray) list = iot_blame_sorted(blame, IOT_BLAME_PROCESSES, iot_blame_by_time);
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
			iot_process_name(blame->tl, key->waiter_pid, key->waiter_command);
		g_autofree char *holder =
			iot_process_name(blame->tl, key->holder_pid, key->holder_command);

		iot_result_row(table);
		iot_result_text(table, key->waiter ? iot_tl_str(blame->tl, key->waiter) : "others");
		iot_result_text(table, waiter);
		iot_result_text(table, key->holder ? iot_tl_str(blame->tl, key->holder) : "others");
		iot_result_text(table, holder);
		add_sum(table, sum, whole);
	}
	if (list->len > MAX_ROWS)
		table->remark = g_strdup_printf("the first %d of %u", MAX_ROWS, list->len);
	iot_remark_undecided(blame->tl, results, table);
}

void iot_blame_publish(struct iot_blame *blame, struct iot_results *results)
{
	if (!blame->n_waits)
		return;
	iot_blame_publish_longest(blame, results);
	publish_nodes(blame, results);
	iot_blame_publish_resources(blame, results);
	publish_processes(blame, results);
	iot_blame_publish_stacks(blame, results);
}
