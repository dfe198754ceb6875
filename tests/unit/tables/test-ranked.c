/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tables/ranked.h"
#include "unit.h"

struct element {
	guint64 ns;
	const char *name;
};

static int most_time(gconstpointer pa, gconstpointer pb, gconstpointer data)
{
	CU_ASSERT_STRING_EQUAL(data, "data");
	return iot_compare_number(((const struct element *)pb)->ns,
				  ((const struct element *)pa)->ns);
}

static void add_row(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct element *of = element;

	CU_ASSERT_STRING_EQUAL(data, "data");
	iot_ranked_row(table, iot_cell_text(of->name), iot_cell_least(of->ns, of->ns == 7),
		       iot_cell_if(of->ns > 5, iot_cell_share(0.5)),
		       iot_cell_known(of->ns > 5, iot_cell_signed(-3)), iot_cell_positive(0));
}

static const struct iot_ranked_column columns[] = {
	{ "name", "the name", IOT_COLUMN_TEXT, IOT_COLUMN_WRAP, 4, "help", 64 },
	{ "ns", "time", IOT_COLUMN_NS },
	{ "share", "share", IOT_COLUMN_SHARE },
	{ "change", "change", IOT_COLUMN_COUNT },
	{ "none", "none", IOT_COLUMN_COUNT },
};

static const struct element elements[] = { { 5, "a" }, { 7, "b" }, { 5, "c" }, { 9, "d" } };

/* A table of the first @n elements. */
static struct iot_result_table *publish(struct iot_results *results, const struct iot_timeline *tl,
					const struct iot_ranked *ranked, guint n)
{
	g_autoptr(GArray) array = g_array_new(FALSE, FALSE, sizeof(struct element));

	g_array_append_vals(array, elements, n);
	return iot_ranked_publish_array(results, tl, ranked, array, "data");
}

static const struct iot_result_cell *cell(const struct iot_result_table *table, guint row,
					  guint column)
{
	return &iot_result_row_at(table, row)->cells[column];
}

UNIT_TEST(first_rows_in_order)
{
	const struct iot_ranked ranked = { IOT_RANKED("t", "T", columns), .help = "of all",
					   .limit = 3, .compare = most_time, .add = add_row };
	g_autoptr(iot_results) results = iot_results_new();
	const struct iot_result_table *table = publish(results, NULL, &ranked, 4);
	const struct iot_column *column = iot_result_column_at(table, 0);

	CU_ASSERT_STRING_EQUAL(table->help, "of all");
	CU_ASSERT_STRING_EQUAL(table->remark, "the first 3 of 4");
	CU_ASSERT_TRUE(table->counts_others);
	CU_ASSERT_STRING_EQUAL(column->title, "the name");
	CU_ASSERT_STRING_EQUAL(column->help, "help");
	CU_ASSERT_EQUAL(column->flags, IOT_COLUMN_WRAP);
	CU_ASSERT_EQUAL(column->drop, 4);
	CU_ASSERT_EQUAL(column->max_width, 64);
	CU_ASSERT_EQUAL_FATAL(table->rows->len, 3);
	CU_ASSERT_STRING_EQUAL(cell(table, 0, 0)->text, "d");
	CU_ASSERT_STRING_EQUAL(cell(table, 1, 0)->text, "b");
	/* "a" and "c" are equal, and "a" was first in the list */
	CU_ASSERT_STRING_EQUAL(cell(table, 2, 0)->text, "a");
	CU_ASSERT_EQUAL(cell(table, 0, 1)->flags, 0);
	CU_ASSERT_EQUAL(cell(table, 1, 1)->number, 7);
	CU_ASSERT_EQUAL(cell(table, 1, 1)->flags, IOT_CELL_AT_LEAST);
	CU_ASSERT_EQUAL(cell(table, 1, 2)->share, 0.5);
	CU_ASSERT_EQUAL(cell(table, 2, 2)->flags, IOT_CELL_EMPTY);
	CU_ASSERT_EQUAL((gint64)cell(table, 1, 3)->number, -3);
	CU_ASSERT_EQUAL(cell(table, 1, 3)->flags, IOT_CELL_NEGATIVE);
	CU_ASSERT_EQUAL(cell(table, 2, 3)->flags, IOT_CELL_UNKNOWN);
	CU_ASSERT_EQUAL(cell(table, 0, 4)->flags, IOT_CELL_EMPTY);
}

UNIT_TEST(all_rows_need_no_remark)
{
	const struct iot_ranked ranked = { IOT_RANKED("t", "T", columns), .limit = 4,
					   .add = add_row };
	g_autoptr(iot_results) results = iot_results_new();
	const struct iot_result_table *table = publish(results, NULL, &ranked, 4);

	CU_ASSERT_PTR_NULL(table->remark);
	CU_ASSERT_EQUAL(table->rows->len, 4);
	/* without an order, that of the list */
	CU_ASSERT_STRING_EQUAL(cell(table, 0, 0)->text, "a");
	CU_ASSERT_PTR_NULL(publish(results, NULL, &ranked, 0));
	CU_ASSERT_EQUAL(results->tables->len, 1);
}

/* The remark of a table with the words @most and the setting @loss, if events are missing from
 * @lost on, and the timeline begins at 1 s and ends at 9 s. */
static void check_remark(enum iot_ranked_loss loss, guint64 lost, const char *most,
			 const char *remark)
{
	const struct iot_ranked ranked = { IOT_RANKED("t", "T", columns), .limit = 2, .most = most,
					   .loss = loss, .add = add_row };
	g_autoptr(iot_results) results = iot_results_new();
	struct iot_timeline *tl = iot_timeline_new();
	const struct iot_result_table *table;

	tl->origin_ns = 1000000000;
	results->to_ns = 9000000000;
	iot_timeline_set_unobserved(tl, 1, lost);
	table = publish(results, tl, &ranked, most ? 3 : 2);
	if (remark)
		CU_ASSERT_STRING_EQUAL(table->remark, remark)
	else
		CU_ASSERT_PTR_NULL(table->remark)
	iot_timeline_free(tl);
}

/* A table that says nothing of losses says "at least" all the same. */
UNIT_TEST(losses_are_in_the_remark)
{
	const enum iot_ranked_loss by_default = 0;

	check_remark(by_default, 3500000000, NULL,
		     "at least: events are missing that may have shown more");
	check_remark(by_default, 3500000000, "with the most time",
		     "the 2 with the most time, of 3; at least: events are missing that may have "
		     "shown more");
	check_remark(by_default, 9000000000, NULL, NULL);
	check_remark(IOT_LOSS_LONGER, 3500000000, NULL,
		     "events are missing that may have shown longer ones");
	check_remark(IOT_LOSS_UNDECIDED, 3500000000, NULL,
		     "undecided from 2.500000000 s on: events are missing");
	check_remark(IOT_LOSS_IN_CELLS, 3500000000, NULL, NULL);
	check_remark(IOT_LOSS_NOTHING, 3500000000, NULL, NULL);
}
