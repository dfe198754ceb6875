/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/nearest.h"
#include "unit.h"

UNIT_TEST(nearest_name)
{
	static const char *const names[] = { "select", "sort", "strict", "top", "to", NULL };

	CU_ASSERT_STRING_EQUAL(iot_nearest_name("slect", names), "select");
	CU_ASSERT_STRING_EQUAL(iot_nearest_name("srot", names), "sort");
	CU_ASSERT_STRING_EQUAL(iot_nearest_name("stri", names), "strict");
	CU_ASSERT_STRING_EQUAL(iot_nearest_name("tpo", names), "top");
	CU_ASSERT_PTR_NULL(iot_nearest_name("quarter", names));
	CU_ASSERT_PTR_NULL(iot_nearest_name("", names));
	CU_ASSERT_PTR_NULL(iot_nearest_name("a-word-that-is-longer-than-any-option-is", names));
}
