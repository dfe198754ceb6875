/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/parquet/parquet-encode.h"
#include "sinks/parquet/parquet-thrift.h"

/* DELTA_BINARY_PACKED: numbers in a block, and in each of its four parts. */
enum { BLOCK = 128, PARTS = 4, PART = BLOCK / PARTS };

/* A run of equal numbers is worth its own head from this length on. */
enum { MIN_RUN = 16 };

/* @n numbers of @width bits, the lowest bit first; @n: a multiple of 8. Returns the end. */
static guint8 *pack_bits(guint8 *p, const guint64 *values, guint n, guint width)
{
	guint64 bits = 0, le;
	guint fill = 0;

	for (guint i = 0; i < n; i++) {
		bits |= values[i] << fill;
		fill += width;
		if (fill < 64)
			continue;
		le = GUINT64_TO_LE(bits);
		memcpy(p, &le, sizeof(le));
		p += sizeof(le);
		fill -= 64;
		bits = fill ? values[i] >> (width - fill) : 0;
	}
	le = GUINT64_TO_LE(bits);
	memcpy(p, &le, fill / 8);
	return p + fill / 8;
}

void parquet_put_run(GByteArray *out, guint32 value, guint n, guint width)
{
	guint32 le = GUINT32_TO_LE(value);

	iot_pack_uint(out, (guint64)n << 1);
	g_byte_array_append(out, (const guint8 *)&le, (width + 7) / 8);
}

/* Groups of eight; the last one is filled up with 0. */
static void put_literals(GByteArray *out, const guint32 *values, guint n, guint width)
{
	guint groups = (n + 7) / 8, at;

	if (!n)
		return;
	iot_pack_uint(out, (guint64)groups << 1 | 1);
	at = out->len;
	g_byte_array_set_size(out, at + groups * width);
	for (guint g = 0; g < groups; g++) {
		guint64 eight[8] = { 0 };

		for (guint i = 0; i < 8 && g * 8 + i < n; i++)
			eight[i] = values[g * 8 + i];
		pack_bits(out->data + at + g * width, eight, 8, width);
	}
}

void parquet_put_runs(GByteArray *out, const guint32 *values, guint n, guint width)
{
	guint begin = 0; /* of the numbers that are in no run */

	for (guint i = 0, end; i < n; i = end) {
		guint fill = (begin - i) & 7; /* taken from the run, to complete a group */

		for (end = i + 1; end < n && values[end] == values[i]; end++)
			;
		if (end - i < fill + MIN_RUN)
			continue;
		put_literals(out, values + begin, i + fill - begin, width);
		parquet_put_run(out, values[i], end - i - fill, width);
		begin = end;
	}
	put_literals(out, values + begin, n - begin, width);
}

/* Up to BLOCK differences: the least one, the bits of each part, the parts. */
static void put_block(GByteArray *out, guint64 *delta, guint n)
{
	guint8 bytes[PARTS + BLOCK * 8], *p = bytes + PARTS;
	gint64 least = G_MAXINT64;

	for (guint i = 0; i < n; i++)
		least = MIN(least, (gint64)delta[i]);
	for (guint i = 0; i < BLOCK; i++)
		delta[i] = i < n ? delta[i] - (guint64)least : 0;
	iot_pack_uint(out, parquet_zigzag(least));
	for (guint part = 0; part < PARTS; part++) {
		guint64 any = 0;

		for (guint i = 0; i < PART; i++)
			any |= delta[part * PART + i];
		bytes[part] = (guint8)parquet_width(any);
		if (any)
			p = pack_bits(p, delta + part * PART, PART, bytes[part]);
	}
	g_byte_array_append(out, bytes, (guint)(p - bytes));
}

void parquet_put_deltas(GByteArray *out, const guint64 *values, guint n)
{
	iot_pack_uint(out, BLOCK);
	iot_pack_uint(out, PARTS);
	iot_pack_uint(out, n);
	iot_pack_uint(out, parquet_zigzag((gint64)values[0]));
	for (guint at = 1; at < n; at += BLOCK) {
		guint64 delta[BLOCK];
		guint len = MIN(BLOCK, n - at);

		for (guint i = 0; i < len; i++)
			delta[i] = values[at + i] - values[at + i - 1];
		put_block(out, delta, len);
	}
}

void parquet_put_number(GByteArray *out, guint64 value)
{
	guint64 le = GUINT64_TO_LE(value);

	g_byte_array_append(out, (const guint8 *)&le, sizeof(le));
}

void parquet_put_bytes(GByteArray *out, const char *text, gsize len)
{
	guint32 le = GUINT32_TO_LE((guint32)len);

	g_byte_array_append(out, (const guint8 *)&le, sizeof(le));
	g_byte_array_append(out, (const guint8 *)text, (guint)len);
}
