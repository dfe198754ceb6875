/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the waiting on each node, and of the running of its threads, the host took. */
#include "sinks/publish.h"
#include "base/units.h"
#include "tables/ranked.h"

static int most_stolen(gconstpointer pa, gconstpointer pb, gconstpointer tl)
{
	const struct iot_stolen_sum *a = pa, *b = pb;

	if (a->stolen_ns != b->stolen_ns)
		return iot_compare_number(b->stolen_ns, a->stolen_ns);
	if (a->cat != b->cat)
		return iot_compare_number(a->cat, b->cat);
	return iot_natural_compare(iot_tl_str(tl, a->node), iot_tl_str(tl, b->node));
}

static void add_row(struct iot_result_table *table, gconstpointer element, gconstpointer tl)
{
	const struct iot_stolen_sum *sum = element;
	guint64 known = sum->ns - sum->unknown_ns;
	double share = (double)sum->stolen_ns / (double)MAX(known, 1);
	gboolean most = sum->most_ns != 0;

	iot_ranked_row(
		table, iot_cell_text(iot_tl_str(tl, sum->node)), iot_cell_number(sum->cat),
		iot_cell_number(sum->n), iot_cell_number(sum->ns),
		iot_cell_known(known != 0, iot_cell_least(sum->stolen_ns, sum->unknown_ns != 0)),
		iot_cell_known(known != 0, iot_cell_share(share)), iot_cell_number(sum->unknown_ns),
		iot_cell_if(most, iot_cell_number(sum->most_ns)),
		iot_cell_if(most, iot_cell_number(sum->most_t0)));
}

static const struct iot_ranked_column columns[] = {
	{ "node", "node", IOT_COLUMN_TEXT },
	{ "state", "state", IOT_COLUMN_CATEGORY },
	{ "count", "count", IOT_COLUMN_COUNT },
	{ "time", "time", IOT_COLUMN_NS },
	{ "stolen", "stolen", IOT_COLUMN_NS, IOT_COLUMN_STRONG },
	{ "share", "share", IOT_COLUMN_SHARE, .help = "of the time of which it is known" },
	{ "unknown", "unknown", IOT_COLUMN_NS, IOT_COLUMN_DASH },
	{ "most", "most", IOT_COLUMN_NS },
	{ "most_begin", "at", IOT_COLUMN_INSTANT },
};

void iot_publish_stolen(const struct iot_publishing *from, struct iot_results *to)
{
	const struct iot_ranked ranked = {
		IOT_RANKED("stolen", "Stolen from waits and threads by the host", columns),
		.help = "time in which the host let the processor wait on which a wait ended, or a "
			"thread ran",
		.limit = from->all ? 0 : 20,
		.loss = IOT_LOSS_IN_CELLS,
		.compare = most_stolen,
		.add = add_row,
	};
	g_autoptr(GPtrArray) sums = g_ptr_array_new();
	GHashTableIter iter;
	gpointer sum;

	g_hash_table_iter_init(&iter, from->sums->stolen);
	while (g_hash_table_iter_next(&iter, NULL, &sum))
		g_ptr_array_add(sums, sum);
	iot_ranked_publish(to, from->tl, &ranked, sums, from->tl);
}
