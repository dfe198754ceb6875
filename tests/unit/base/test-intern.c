/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/intern.h"
#include "base/segarray.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

UNIT_TEST(intern_zero_is_the_empty_string)
{
	g_autoptr(iot_intern) table = iot_intern_new();
	gsize len = 99;

	CU_ASSERT_EQUAL(iot_intern_count(table), 1);
	CU_ASSERT_EQUAL(iot_intern_str(table, ""), 0);
	CU_ASSERT_EQUAL(iot_intern_bytes(table, NULL, 0), 0);
	CU_ASSERT_STRING_EQUAL(iot_intern_get(table, 0, &len), "");
	CU_ASSERT_EQUAL(len, 0);
	CU_ASSERT_EQUAL(iot_intern_count(table), 1);
}

UNIT_TEST(intern_numbers_are_dense_and_stable)
{
	g_autoptr(iot_intern) table = iot_intern_new();
	const char *first;
	char text[32];

	CU_ASSERT_EQUAL(iot_intern_str(table, "first"), 1);
	first = iot_intern_get(table, 1, NULL);
	for (guint i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "name %u", i);
		CU_ASSERT_EQUAL(iot_intern_str(table, text), i + 2);
	}
	for (guint i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "name %u", i);
		CU_ASSERT_EQUAL(iot_intern_str(table, text), i + 2);
		CU_ASSERT_STRING_EQUAL(iot_intern_get(table, i + 2, NULL), text);
	}
	CU_ASSERT_EQUAL(iot_intern_count(table), 5002);
	CU_ASSERT_PTR_EQUAL(iot_intern_get(table, 1, NULL), first);
}

UNIT_TEST(intern_keeps_raw_bytes)
{
	static const char with_nul[] = { 'a', 0, 'b', 0, 0 };
	g_autofree char *big = g_malloc(100000);
	g_autoptr(iot_intern) table = iot_intern_new();
	guint32 a, b, c, d;
	gsize len;

	a = iot_intern_bytes(table, with_nul, 5);
	b = iot_intern_bytes(table, with_nul, 4);
	c = iot_intern_bytes(table, with_nul, 1);
	CU_ASSERT(a != b && b != c && a != c);
	CU_ASSERT(!memcmp(iot_intern_get(table, a, &len), with_nul, 5));
	CU_ASSERT_EQUAL(len, 5);
	CU_ASSERT(!memcmp(iot_intern_get(table, b, &len), with_nul, 4));
	CU_ASSERT_EQUAL(len, 4);
	CU_ASSERT_EQUAL(iot_intern_get(table, b, NULL)[4], 0);	/* a NUL follows always */
	memset(big, 'x', 100000);	/* larger than one block of the table */
	d = iot_intern_bytes(table, big, 100000);
	CU_ASSERT(!memcmp(iot_intern_get(table, d, &len), big, 100000));
	CU_ASSERT_EQUAL(len, 100000);
	CU_ASSERT_EQUAL(iot_intern_get(table, d, NULL)[100000], 0);
}

UNIT_TEST(hash_depends_on_every_byte_and_on_the_length)
{
	guint8 data[24] = { 0 };
	guint64 seen[64];
	guint n = 0;

	for (gsize len = 0; len <= sizeof(data); len++)
		seen[n++] = iot_hash_bytes(data, len);
	for (gsize i = 0; i < sizeof(data); i++) {
		data[i] = 1;
		seen[n++] = iot_hash_bytes(data, sizeof(data));
		data[i] = 0;
	}
	for (guint i = 0; i < n; i++)
		for (guint k = 0; k < i; k++)
			CU_ASSERT_NOT_EQUAL(seen[i], seen[k]);
}

UNIT_TEST(segarray_elements_never_move)
{
	struct iot_segarray array;
	guint64 *first;

	iot_segarray_init(&array, sizeof(guint64));
	first = iot_segarray_add(&array);
	CU_ASSERT_EQUAL(*first, 0);
	*first = 77;
	for (guint i = 1; i < 3 * IOT_SEG_SIZE; i++)
		*(guint64 *)iot_segarray_add(&array) = i;
	CU_ASSERT_PTR_EQUAL(iot_segarray_at(&array, 0), first);
	CU_ASSERT_EQUAL(*first, 77);
	for (guint i = 1; i < 3 * IOT_SEG_SIZE; i++)
		CU_ASSERT_EQUAL(*(guint64 *)iot_segarray_at(&array, i), i);
	iot_segarray_clear(&array);
	CU_ASSERT_EQUAL(array.n, 0);
}

/* GFS2's names differ in their last bytes; a table looks at the lowest bits of the hash. */
UNIT_TEST(hash_of_names_that_differ_at_their_end)
{
	guint used[256] = { 0 }, n_used = 0;

	for (guint i = 0; i < 256; i++) {
		g_autofree char *name = g_strdup_printf("%8x%16x", 2, i);
		guint low = (guint)iot_hash_bytes(name, 24) & 255;

		n_used += !used[low]++;
	}
	/* 162 of 256 if they were random */
	CU_ASSERT(n_used > 120);
}

/* More names than the cache holds, so that they evict each other; what follows the NUL is not seen. */
UNIT_TEST(names_in_fields)
{
	g_autoptr(iot_intern) table = iot_intern_new();
	guint8 field[IOT_INTERN_FIELD] = { 0 };

	CU_ASSERT_EQUAL(iot_intern_field(table, field), 0);
	for (guint round = 0; round < 3; round++)
		for (guint i = 0; i < 500; i++) {
			g_autofree char *name = g_strdup_printf("kworker/%u", i);

			memset(field, (int)(1 + round), sizeof(field));
			memcpy(field, name, strlen(name) + 1);
			CU_ASSERT_EQUAL(iot_intern_field(table, field), i + 1);
			CU_ASSERT_EQUAL(iot_intern_field(table, field), i + 1);
			CU_ASSERT_EQUAL(iot_intern_str(table, name), i + 1);
		}
	memset(field, 'x', sizeof(field));
	CU_ASSERT_EQUAL(iot_intern_field(table, field), 501);
	CU_ASSERT_EQUAL(iot_intern_str(table, "xxxxxxxxxxxxxxxx"), 501);
	memset(field, 0, sizeof(field));
	CU_ASSERT_EQUAL(iot_intern_field(table, field), 0);
	CU_ASSERT_EQUAL(iot_intern_count(table), 502);
}
