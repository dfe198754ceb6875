/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/pack.h"
#include "unit.h"

UNIT_TEST(packed_numbers_come_back)
{
	static const guint64 numbers[] = {
		0, 1, 127, 128, 16383, 16384, G_MAXUINT32, G_MAXINT64, G_MAXUINT64 - 1, G_MAXUINT64
	};
	g_autoptr(GByteArray) out = g_byte_array_new();
	struct iot_diag diag = { { 0 } }, back;
	struct iot_unpack in;
	gsize len;

	diag.count[IOT_DIAG_gaps] = 300;
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		iot_pack_uint(out, numbers[i]);
	CU_ASSERT_EQUAL(out->len, 1 + 1 + 1 + 2 + 2 + 3 + 5 + 9 + 10 + 10);
	iot_pack_bytes(out, "a\0b", 3);
	iot_pack_bytes(out, "", 0);
	iot_pack_diag(out, &diag);
	in = iot_unpack_init(out->data, out->len);
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		CU_ASSERT_EQUAL(iot_unpack_uint(&in, G_MAXUINT64), numbers[i]);
	CU_ASSERT(!memcmp(iot_unpack_bytes(&in, &len), "a\0b", 3));
	CU_ASSERT_EQUAL(len, 3);
	iot_unpack_bytes(&in, &len);
	CU_ASSERT_EQUAL(len, 0);
	CU_ASSERT_FALSE(iot_unpack_end(&in));
	iot_unpack_diag(&in, &back);
	CU_ASSERT(!memcmp(&diag, &back, sizeof(diag)));
	CU_ASSERT_TRUE(iot_unpack_end(&in));
	/* there is no more */
	CU_ASSERT_EQUAL(iot_unpack_uint(&in, 9), 0);
	CU_ASSERT_TRUE(in.bad);
	CU_ASSERT_FALSE(iot_unpack_end(&in));
}

static gboolean is_number(const char *bytes, gsize len, guint64 max)
{
	struct iot_unpack in = iot_unpack_init(bytes, len);

	iot_unpack_uint(&in, max);
	return !in.bad;
}

UNIT_TEST(what_cannot_be_is_refused)
{
	struct iot_unpack in = iot_unpack_init("\x03"
					       "ab",
					       3);
	gsize len;

	CU_ASSERT_FALSE(is_number("", 0, 9));
	CU_ASSERT_FALSE(is_number("\x80", 1, 9));
	CU_ASSERT_TRUE(is_number("\x09", 1, 9));
	CU_ASSERT_FALSE(is_number("\x0a", 1, 9));
	CU_ASSERT_TRUE(is_number("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, G_MAXUINT64));
	CU_ASSERT_FALSE(is_number("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, G_MAXUINT64));
	CU_ASSERT_FALSE(is_number("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x81\0", 11, G_MAXUINT64));
	/* longer than the rest */
	CU_ASSERT_PTR_NULL(iot_unpack_bytes(&in, &len));
	CU_ASSERT_EQUAL(len, 0);
	CU_ASSERT_TRUE(in.bad);
	in = iot_unpack_init("\x02"
			     "ab",
			     3);
	CU_ASSERT_PTR_NOT_NULL(iot_unpack_bytes(&in, &len));
	CU_ASSERT_TRUE(iot_unpack_end(&in));
	CU_ASSERT_FALSE(iot_unpack_fail(&in));
	CU_ASSERT_EQUAL(iot_unpack_count(&in), 0);
}
