/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modes that exclude each other: the table of the DLM, as its documentation has it. */
#include "timeline/timeline.h"
#include "unit.h"

enum { N_MODES = 6 };

/* NL, CR, CW, PR, PW, EX: rows and columns */
static const char *const compatible[N_MODES] = { "111111", "111110", "111000",
						 "110100", "110000", "100000" };
/* the row excludes all that the column excludes */
static const char *const covers[N_MODES] = { "100000", "110000", "111000",
					     "110100", "111110", "111111" };

UNIT_TEST(modes_of_the_dlm)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	iot_type_id type, other;
	iot_cat_id cat[N_MODES], unknown, foreign;

	iot_timeline_type(tl, IOT_TYPE_SPAN, "lock", "lock", 0, &type);
	iot_timeline_type(tl, IOT_TYPE_SPAN, "glock", "glock", 0, &other);
	unknown = iot_timeline_cat(tl, type, "unknown", 0, IOT_ROLE_HOLD);
	foreign = iot_timeline_cat(tl, other, "EX", 0, IOT_ROLE_HOLD);
	for (guint a = 0; a < N_MODES; a++) {
		guint64 set = 0;

		cat[a] = iot_timeline_cat(tl, type, "mode", 0, IOT_ROLE_HOLD);
		for (guint b = 0; b < N_MODES; b++)
			set |= (guint64)(compatible[a][b] == '1') << (b + 1);
		iot_cat_compare(tl, cat[a], a + 1, set);
	}
	iot_cat_compare(tl, foreign, 1, 0);
	for (guint a = 0; a < N_MODES; a++) {
		for (guint b = 0; b < N_MODES; b++) {
			CU_ASSERT_EQUAL(iot_cats_compatible(tl, cat[a], cat[b]),
					compatible[a][b] == '1');
			CU_ASSERT_EQUAL(iot_cat_covers(tl, cat[a], cat[b]), covers[a][b] == '1');
			CU_ASSERT_TRUE(iot_cats_compared(tl, cat[a], cat[b]));
		}
		/* nothing is known about values without a line, and about those of another type */
		CU_ASSERT_TRUE(iot_cats_compatible(tl, cat[a], unknown));
		CU_ASSERT_TRUE(iot_cats_compatible(tl, foreign, cat[a]));
		CU_ASSERT_FALSE(iot_cat_covers(tl, cat[a], unknown));
		CU_ASSERT_FALSE(iot_cat_covers(tl, unknown, cat[a]));
		CU_ASSERT_FALSE(iot_cats_compared(tl, cat[a], foreign));
	}
}
