/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of blame, by node and by process. */
#include "analysis/blame-tables.h"
#include "analysis/claim-names.h"

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

/* clang-format off */
/* after the names of the waiter and of the holder */
#define SUM_COLUMNS \
	{ "blamed", "time", IOT_COLUMN_NS }, \
	{ "share", "share", IOT_COLUMN_SHARE, 0, 0, "of all that the waiter waited" }, \
	{ "alone", "alone", IOT_COLUMN_NS, 0, 2, "in which no other lock was in the way" }, \
	{ "proved", "proved", IOT_COLUMN_SHARE, 0, 1, \
	  "of the time: whatever the errors of the clocks are, if messages do not contradict them" }, \
	{ "waits", "waits", IOT_COLUMN_COUNT, 0, 3 }
/* clang-format on */

static void add_sum(const struct iot_blame *blame, struct iot_result_table *table,
		    const struct iot_blame_sum *sum, guint64 whole)
{
	/* only a hold can be alone, or certain */
	gboolean hold = sum->key.cause == IOT_CAUSE_HOLD;

	iot_result_number(table, sum->ns);
	iot_result_share(table, iot_share_of(sum->ns, whole));
	iot_ranked_cell(table, iot_cell_if(hold, iot_cell_number(sum->alone_ns)));
	iot_ranked_cell(table, iot_cell_if(hold, iot_cell_share(iot_share_of(
							 iot_blame_proved(blame, sum), sum->ns))));
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

static const struct iot_ranked_column node_columns[] = {
	{ "waiter", "waiter", IOT_COLUMN_TEXT },
	{ "because", "because of", IOT_COLUMN_TEXT },
	SUM_COLUMNS,
};

static const struct iot_ranked nodes_ranked = {
	IOT_RANKED("blame", "Who made whom wait", node_columns),
	.help = "Each instant of a wait has one cause; holds at the same time share it.",
	.loss = IOT_LOSS_UNDECIDED,
};

static void publish_nodes(const struct iot_blame *blame, struct iot_results *results)
{
	g_autoptr(GPtrArray) list = iot_blame_sorted(blame, IOT_BLAME_NODES, by_waiter);
	struct iot_result_table *table =
		iot_ranked_table(results, blame->tl, &nodes_ranked, list->len);

	for (guint i = 0; i < list->len; i++) {
		const struct iot_blame_sum *sum = list->pdata[i];

		iot_ranked_row(table, iot_cell_text(iot_tl_str(blame->tl, sum->key.waiter)),
			       iot_cell_text(iot_blame_because(blame->tl, &sum->key)));
		add_sum(blame, table, sum, whole_of(list, sum->key.waiter));
	}
	iot_result_note(table,
			"hand-over: the holder has called to give the mode up; queue: others "
			"waited longer; recovery: nobody was served; messages, "
			"callbacks: nothing else was in the way; a hold of the own node counts");
}

/* ---- by process */

struct processes {
	const struct iot_blame *blame;
	guint64 whole; /* ns */
};

static void add_processes(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_blame_sum *sum = element;
	const struct processes *all = data;
	const struct iot_timeline *tl = all->blame->tl;
	const struct iot_blame_key *key = &sum->key;
	g_autofree char *waiter = iot_process_name(tl, key->waiter_pid, key->waiter_command);
	g_autofree char *holder = iot_process_name(tl, key->holder_pid, key->holder_command);

	iot_ranked_row(table, iot_cell_text(key->waiter ? iot_tl_str(tl, key->waiter) : "others"),
		       iot_cell_text(waiter),
		       iot_cell_text(key->holder ? iot_tl_str(tl, key->holder) : "others"),
		       iot_cell_text(holder));
	add_sum(all->blame, table, sum, all->whole);
}

static const struct iot_ranked_column process_columns[] = {
	{ "waiter", "waiter", IOT_COLUMN_TEXT },
	{ "waiting_process", "process", IOT_COLUMN_TEXT },
	{ "holder", "holder", IOT_COLUMN_TEXT },
	{ "holding_process", "process", IOT_COLUMN_TEXT },
	SUM_COLUMNS,
};

static const struct iot_ranked processes_ranked = {
	IOT_RANKED("blame_processes", "Processes that made others wait", process_columns),
	.limit = 20,
	.loss = IOT_LOSS_UNDECIDED,
	.add = add_processes,
};

static void publish_processes(const struct iot_blame *blame, struct iot_results *results)
{
	g_autoptr(GPtrArray) list = iot_blame_sorted(blame, IOT_BLAME_PROCESSES, iot_blame_by_time);
	struct processes all = { .blame = blame };

	for (guint i = 0; i < list->len; i++)
		all.whole += ((const struct iot_blame_sum *)list->pdata[i])->ns;
	iot_ranked_publish(results, blame->tl, &processes_ranked, list, &all);
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
