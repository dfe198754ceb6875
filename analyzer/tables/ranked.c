/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tables/ranked.h"
#include "base/units.h"

void iot_ranked_columns(struct iot_result_table *table, const struct iot_ranked_column *columns,
			guint n)
{
	for (guint i = 0; i < n; i++) {
		const struct iot_ranked_column *from = &columns[i];
		struct iot_column *column =
			iot_result_column(table, from->name, from->title, from->kind);

		column->flags = from->flags;
		column->drop = from->drop;
		column->help = g_strdup(from->help);
		column->max_width = from->max_width;
	}
}

/* What the table says about missing events; NULL: nothing. */
static char *loss_words(const struct iot_results *results, const struct iot_timeline *tl,
			enum iot_ranked_loss loss)
{
	guint64 from =
		tl && loss < IOT_LOSS_IN_CELLS ? iot_timeline_first_unobserved(tl) : G_MAXUINT64;
	g_autofree char *since = NULL;

	if (from >= results->to_ns)
		return NULL;
	if (loss == IOT_LOSS_LEAST)
		return g_strdup("at least: events are missing that may have shown more");
	if (loss == IOT_LOSS_LONGER)
		return g_strdup("events are missing that may have shown longer ones");
	since = iot_format_seconds(from - MIN(tl->origin_ns, from));
	return g_strdup_printf("undecided from %s s on: events are missing", since);
}

static char *limit_words(const struct iot_ranked *ranked, guint n)
{
	if (!ranked->limit || n <= ranked->limit || ranked->rest_is_note)
		return NULL;
	if (ranked->most)
		return g_strdup_printf("the %u %s, of %u", ranked->limit, ranked->most, n);
	return g_strdup_printf("the first %u of %u", ranked->limit, n);
}

struct iot_result_table *iot_ranked_table(struct iot_results *results,
					  const struct iot_timeline *tl,
					  const struct iot_ranked *ranked, guint n)
{
	struct iot_result_table *table = iot_results_add(results, ranked->name, ranked->title);
	g_autofree char *limit = limit_words(ranked, n);
	g_autofree char *loss = loss_words(results, tl, ranked->loss);

	table->help = g_strdup(ranked->help);
	table->for_programs = ranked->for_programs;
	table->counts_others = ranked->limit != 0;
	if (limit && loss)
		table->remark = g_strdup_printf("%s; %s", limit, loss);
	else
		table->remark = g_strdup(limit ? limit : loss);
	if (ranked->rest_is_note && ranked->limit && n > ranked->limit)
		iot_result_note(table, "%u more are not listed.", n - ranked->limit);
	iot_ranked_columns(table, ranked->columns, ranked->n_columns);
	return table;
}

struct order {
	const struct iot_ranked *ranked;
	gconstpointer data;
};

static gint compare(gconstpointer pa, gconstpointer pb, gpointer user_data)
{
	const struct order *order = user_data;

	return order->ranked->compare(*(const gconstpointer *)pa, *(const gconstpointer *)pb,
				      order->data);
}

struct iot_result_table *iot_ranked_publish(struct iot_results *results,
					    const struct iot_timeline *tl,
					    const struct iot_ranked *ranked, GPtrArray *list,
					    gconstpointer data)
{
	struct order order = { ranked, data };
	struct iot_result_table *table;

	if (!list->len)
		return NULL;
	if (ranked->compare)
		g_ptr_array_sort_with_data(list, compare, &order);
	table = iot_ranked_table(results, tl, ranked, list->len);
	if (ranked->more_columns)
		ranked->more_columns(table, data);
	for (guint i = 0; i < list->len && (!ranked->limit || i < ranked->limit); i++)
		ranked->add(table, list->pdata[i], data);
	return table;
}

struct iot_result_table *iot_ranked_publish_array(struct iot_results *results,
						  const struct iot_timeline *tl,
						  const struct iot_ranked *ranked,
						  const GArray *array, gconstpointer data)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	gsize size = g_array_get_element_size((GArray *)array);

	for (guint i = 0; i < array->len; i++)
		g_ptr_array_add(list, array->data + i * size);
	return iot_ranked_publish(results, tl, ranked, list, data);
}

void iot_ranked_cell(struct iot_result_table *table, struct iot_cell cell)
{
	switch (cell.is) {
	case IOT_CELL_IS_NONE:
		iot_result_none(table, cell.cell.flags);
		break;
	case IOT_CELL_IS_NUMBER:
		if (cell.cell.flags & IOT_CELL_NEGATIVE)
			iot_result_signed(table, (gint64)cell.cell.number);
		else
			iot_result_number(table, cell.cell.number);
		if (cell.cell.flags & IOT_CELL_AT_LEAST)
			iot_result_at_least(table);
		break;
	case IOT_CELL_IS_TEXT:
		iot_result_text(table, cell.cell.text);
		break;
	case IOT_CELL_IS_SHARE:
		iot_result_share(table, cell.cell.share);
		break;
	}
}

struct iot_result_row *iot_ranked_add_row(struct iot_result_table *table,
					  const struct iot_cell *cells, gsize n)
{
	struct iot_result_row *row = iot_result_row(table);

	for (gsize i = 0; i < n; i++)
		iot_ranked_cell(table, cells[i]);
	return row;
}

void iot_ranked_percentiles(struct iot_result_table *table, const struct iot_histogram *histogram)
{
	static const double shares[] = { 0.5, 0.9, 0.99 };

	for (guint i = 0; i < G_N_ELEMENTS(shares); i++)
		iot_result_number(table, iot_histogram_quantile(histogram, shares[i]));
}
