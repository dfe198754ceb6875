/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/diag.h"
#include "base/error.h"
#include "unit.h"

#include <string.h>

UNIT_TEST(diag_every_row_is_complete)
{
	for (guint i = 0; i < IOT_DIAG_COUNT; i++) {
		const struct iot_diag_info *info = iot_diag_info(i);

		CU_ASSERT(strlen(info->name) > 2);
		CU_ASSERT(strlen(info->text) > 10);
		CU_ASSERT(strlen(iot_diag_severity_name(info->severity)) > 3);
		CU_ASSERT_PTR_NULL(strpbrk(info->name, " -"));
		for (guint k = 0; k < i; k++)
			CU_ASSERT_STRING_NOT_EQUAL(info->name, iot_diag_info(k)->name);
	}
	CU_ASSERT_STRING_EQUAL(iot_diag_info(IOT_DIAG_gaps)->name, "gaps");
	CU_ASSERT_EQUAL(iot_diag_info(IOT_DIAG_gaps)->severity, IOT_LOSS);
}

UNIT_TEST(diag_counts_merge_and_worst)
{
	struct iot_diag a = { 0 }, b = { 0 };

	CU_ASSERT_EQUAL(iot_diag_worst(&a), -1);
	iot_diag_add(&a, IOT_DIAG_done_before_return, 2);
	CU_ASSERT_EQUAL(iot_diag_worst(&a), IOT_NOTICE);
	iot_diag_add(&b, IOT_DIAG_done_before_return, 3);
	iot_diag_add(&b, IOT_DIAG_call_restarted, 1);
	iot_diag_merge(&a, &b);
	CU_ASSERT_EQUAL(a.count[IOT_DIAG_done_before_return], 5);
	CU_ASSERT_EQUAL(a.count[IOT_DIAG_call_restarted], 1);
	CU_ASSERT_EQUAL(b.count[IOT_DIAG_done_before_return], 3);
	CU_ASSERT_EQUAL(iot_diag_worst(&a), IOT_WARN);
	iot_diag_add(&a, IOT_DIAG_events_lost, 1);
	CU_ASSERT_EQUAL(iot_diag_worst(&a), IOT_LOSS);
}

UNIT_TEST(diag_some_counters_mean_a_damaged_recording)
{
	static const enum iot_diag_id damaged[] = {
		IOT_DIAG_page_damaged,	 IOT_DIAG_chunk_damaged,   IOT_DIAG_file_cut,
		IOT_DIAG_file_salvaged,	 IOT_DIAG_option_damaged,  IOT_DIAG_format_unparsed,
		IOT_DIAG_lines_skipped,	 IOT_DIAG_records_skipped, IOT_DIAG_blocks_skipped,
		IOT_DIAG_archive_damaged
	};
	guint n = 0;

	for (guint i = 0; i < IOT_DIAG_COUNT; i++) {
		struct iot_diag diag = { 0 };

		CU_ASSERT(!iot_diag_is_damaged(&diag));
		iot_diag_add(&diag, i, 1);
		n += iot_diag_is_damaged(&diag);
	}
	CU_ASSERT_EQUAL(n, G_N_ELEMENTS(damaged));
	for (guint i = 0; i < G_N_ELEMENTS(damaged); i++)
		CU_ASSERT(iot_diag_info(damaged[i])->damaged);
}

UNIT_TEST(error_exit_status)
{
	static const struct {
		int code, status;
	} rows[] = {
		{ IOT_ERROR_USAGE, 1 },	 { IOT_ERROR_MODEL, 1 },  { IOT_ERROR_INPUT, 2 },
		{ IOT_ERROR_OUTPUT, 3 }, { IOT_ERROR_MEMORY, 3 }, { IOT_ERROR_INTERNAL, 3 },
		{ IOT_ERROR_CHECK, 4 },
	};

	CU_ASSERT_EQUAL(iot_error_exit_status(NULL), 0);
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = g_error_new_literal(IOT_ERROR, rows[i].code, "x");

		CU_ASSERT_EQUAL(iot_error_exit_status(error), rows[i].status);
	}
}
