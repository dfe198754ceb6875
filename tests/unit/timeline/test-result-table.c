/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/result-table.h"
#include "unit.h"

#include <string.h>

UNIT_TEST(result_names_are_bare_words_and_unique)
{
	g_autoptr(iot_results) results = iot_results_new();
	struct iot_result_table *table = iot_results_add(results, "states_DLM lock", "States");

	CU_ASSERT_STRING_EQUAL(table->name, "states_dlm_lock");
	CU_ASSERT_STRING_EQUAL(iot_results_add(results, "States dlm-lock", "")->name,
			       "states_dlm_lock_2");
	CU_ASSERT_STRING_EQUAL(iot_results_add(results, "", "")->name, "_");
	CU_ASSERT_STRING_EQUAL(iot_results_add(results, "4 nodes", "")->name, "_4_nodes");
	CU_ASSERT_PTR_EQUAL(iot_results_find(results, "states_dlm_lock"), table);
	CU_ASSERT_PTR_NULL(iot_results_find(results, "nothing"));

	iot_result_column(table, "PR", "PR", IOT_COLUMN_NS);
	CU_ASSERT_STRING_EQUAL(iot_result_column(table, "pr", "pr", IOT_COLUMN_NS)->name, "pr_2");
	CU_ASSERT_STRING_EQUAL(iot_result_column(table, "level", "", IOT_COLUMN_COUNT)->name,
			       "level_2");
	CU_ASSERT_STRING_EQUAL(
		iot_result_column(table, "d\303\251j\303\240", "", IOT_COLUMN_TEXT)->name,
		"d__j__");
	CU_ASSERT_EQUAL(iot_result_find_column(table, "pr_2"), 1);
	CU_ASSERT_EQUAL(iot_result_find_column(table, "PR"), -1);
}

UNIT_TEST(result_cells_keep_what_is_known)
{
	g_autoptr(iot_results) results = iot_results_new();
	struct iot_result_table *table = iot_results_add(results, "t", "T");
	const struct iot_result_cell *cells;

	iot_result_column(table, "text", "", IOT_COLUMN_TEXT);
	iot_result_column(table, "count", "", IOT_COLUMN_COUNT);
	iot_result_column(table, "ns", "", IOT_COLUMN_NS);
	iot_result_column(table, "share", "", IOT_COLUMN_SHARE);
	iot_result_column(table, "end", "", IOT_COLUMN_INSTANT);
	iot_result_column(table, "none", "", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_OPTIONAL;
	iot_result_row(table);
	iot_result_text(table, "a");
	iot_result_signed(table, -3);
	iot_result_number(table, 7);
	iot_result_at_least(table);
	iot_result_share(table, 0.5);
	iot_result_none(table, IOT_CELL_UNKNOWN);
	cells = iot_result_row_at(table, 0)->cells;
	CU_ASSERT_STRING_EQUAL(cells[0].text, "a");
	CU_ASSERT_EQUAL(cells[0].flags, 0);
	CU_ASSERT_EQUAL((gint64)cells[1].number, -3);
	CU_ASSERT_EQUAL(cells[1].flags, IOT_CELL_NEGATIVE);
	CU_ASSERT_EQUAL(cells[2].number, 7);
	CU_ASSERT_EQUAL(cells[2].flags, IOT_CELL_AT_LEAST);
	CU_ASSERT_EQUAL(cells[3].share, 0.5);
	CU_ASSERT_EQUAL(cells[4].flags, IOT_CELL_UNKNOWN);
	CU_ASSERT_EQUAL(cells[5].flags, IOT_CELL_EMPTY);
	CU_ASSERT(iot_result_is_blank(table, 5));
	CU_ASSERT(!iot_result_is_blank(table, 4));
	iot_result_row(table);
	iot_result_text(table, NULL);
	CU_ASSERT_EQUAL(iot_result_row_at(table, 1)->cells[0].flags, IOT_CELL_EMPTY);
}
