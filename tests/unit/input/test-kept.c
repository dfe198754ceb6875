/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/kept.h"
#include "unit.h"

#include <string.h>

UNIT_TEST(kept_chunks_come_back_until_they_are_taken)
{
	struct iot_kept *kept = iot_kept_new(10);
	guint8 to[8] = { 0 };

	iot_kept_put(kept, 100, (const guint8 *)"abcd", 4);
	/* it is there already */
	iot_kept_put(kept, 100, (const guint8 *)"wxyz", 4);
	CU_ASSERT_FALSE(iot_kept_get(kept, 101, to, 4, FALSE));
	/* the header of the chunk says something else */
	CU_ASSERT_FALSE(iot_kept_get(kept, 100, to, 5, TRUE));
	CU_ASSERT(iot_kept_get(kept, 100, to, 4, FALSE));
	CU_ASSERT(!memcmp(to, "abcd", 5));
	CU_ASSERT(iot_kept_get(kept, 100, to, 4, TRUE));
	CU_ASSERT_FALSE(iot_kept_get(kept, 100, to, 4, TRUE));
	iot_kept_free(kept);
	iot_kept_free(NULL);
}

UNIT_TEST(no_more_is_kept_than_there_is_room_for)
{
	struct iot_kept *kept = iot_kept_new(10);
	guint8 to[8];

	iot_kept_put(kept, 0, (const guint8 *)"abcdef", 6);
	iot_kept_put(kept, 6, (const guint8 *)"ghijk", 5);
	CU_ASSERT_FALSE(iot_kept_get(kept, 6, to, 5, TRUE));
	iot_kept_put(kept, 20, (const guint8 *)"lmno", 4);
	CU_ASSERT(iot_kept_get(kept, 20, to, 4, TRUE));
	CU_ASSERT(iot_kept_get(kept, 0, to, 6, TRUE));
	/* their room is free again */
	iot_kept_put(kept, 30, (const guint8 *)"12345678", 8);
	CU_ASSERT(iot_kept_get(kept, 30, to, 8, TRUE));
	CU_ASSERT(!memcmp(to, "12345678", 8));
	iot_kept_free(kept);
}
