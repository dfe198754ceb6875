/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the waiting on each node, and of the running of its threads, the host took. */
#include "sinks/publish.h"
#include "base/units.h"

enum { MAX_ROWS = 20 };

static gint compare_sums(gconstpointer pa, gconstpointer pb, gpointer data)
{
	const struct iot_stolen_sum *a = *(const struct iot_stolen_sum *const *)pa;
	const struct iot_stolen_sum *b = *(const struct iot_stolen_sum *const *)pb;
	const struct iot_timeline *tl = data;

	if (a->stolen_ns != b->stolen_ns)
		return a->stolen_ns > b->stolen_ns ? -1 : 1;
	if (a->cat != b->cat)
		return a->cat < b->cat ? -1 : 1;
	return iot_natural_compare(iot_tl_str(tl, a->node), iot_tl_str(tl, b->node));
}

static struct iot_result_table *add_table(struct iot_results *to)
{
	struct iot_result_table *table =
		iot_results_add(to, "stolen", "Stolen from waits and threads by the host");
	struct iot_column *column;

	table->help =
		g_strdup("time in which the host let the processor wait on which a wait ended, "
			 "or a thread ran");
	table->counts_others = TRUE;
	iot_result_column(table, "node", "node", IOT_COLUMN_TEXT);
	iot_result_column(table, "state", "state", IOT_COLUMN_CATEGORY);
	iot_result_column(table, "count", "count", IOT_COLUMN_COUNT);
	iot_result_column(table, "time", "time", IOT_COLUMN_NS);
	iot_result_column(table, "stolen", "stolen", IOT_COLUMN_NS)->flags = IOT_COLUMN_STRONG;
	column = iot_result_column(table, "share", "share", IOT_COLUMN_SHARE);
	column->help = g_strdup("of the time of which it is known");
	iot_result_column(table, "unknown", "unknown", IOT_COLUMN_NS)->flags = IOT_COLUMN_DASH;
	iot_result_column(table, "most", "most", IOT_COLUMN_NS);
	iot_result_column(table, "most_begin", "at", IOT_COLUMN_INSTANT);
	return table;
}

static void add_row(const struct iot_timeline *tl, struct iot_result_table *table,
		    const struct iot_stolen_sum *sum)
{
	guint64 known = sum->ns - sum->unknown_ns;

	iot_result_row(table);
	iot_result_text(table, iot_tl_str(tl, sum->node));
	iot_result_number(table, sum->cat);
	iot_result_number(table, sum->n);
	iot_result_number(table, sum->ns);
	if (known)
		iot_result_number(table, sum->stolen_ns);
	else
		iot_result_none(table, IOT_CELL_UNKNOWN);
	if (known && sum->unknown_ns)
		iot_result_at_least(table);
	if (known)
		iot_result_share(table, (double)sum->stolen_ns / (double)known);
	else
		iot_result_none(table, IOT_CELL_UNKNOWN);
	iot_result_number(table, sum->unknown_ns);
	if (sum->most_ns) {
		iot_result_number(table, sum->most_ns);
		iot_result_number(table, sum->most_t0);
	} else {
		iot_result_none(table, IOT_CELL_EMPTY);
		iot_result_none(table, IOT_CELL_EMPTY);
	}
}

void iot_publish_stolen(const struct iot_publishing *from, struct iot_results *to)
{
	g_autoptr(GPtrArray) sums = g_ptr_array_new();
	struct iot_result_table *table;
	GHashTableIter iter;
	gpointer sum;
	guint n;

	g_hash_table_iter_init(&iter, from->sums->stolen);
	while (g_hash_table_iter_next(&iter, NULL, &sum))
		g_ptr_array_add(sums, sum);
	if (!sums->len)
		return;
	n = from->all ? sums->len : MIN(sums->len, MAX_ROWS);
	g_ptr_array_sort_with_data(sums, compare_sums, (gpointer)from->tl);
	table = add_table(to);
	for (guint i = 0; i < n; i++)
		add_row(from->tl, table, sums->pdata[i]);
	if (sums->len > n)
		table->remark = g_strdup_printf("the first %u of %u", n, sums->len);
}
