/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The check value of the catalogues of CRCs, and what zlib gives for names of lockspaces. */
#include "base/crc32.h"
#include "unit.h"

UNIT_TEST(crc32_is_that_of_zlib)
{
	CU_ASSERT_EQUAL(iot_crc32(0, "123456789", 9), 0xcbf43926);
	CU_ASSERT_EQUAL(iot_crc32(0, "", 0), 0);
	CU_ASSERT_EQUAL(iot_crc32(0, "dlm:ls:test", 12), 0x77222027);
	CU_ASSERT_EQUAL(iot_crc32(0, "dlm:ls:gfs", 11), 0x3df8322a);
}

UNIT_TEST(crc32_goes_on)
{
	guint32 crc = iot_crc32(0, "1234", 4);

	CU_ASSERT_EQUAL(iot_crc32(crc, "56789", 5), 0xcbf43926);
}
