/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The encodings of Parquet that are used: bits in runs (levels, and numbers of a dictionary),
 * deltas packed in bits (numbers), and plain values. All append to an array of bytes.
 */
#ifndef IOT_SINKS_PARQUET_PARQUET_ENCODE_H
#define IOT_SINKS_PARQUET_PARQUET_ENCODE_H

#include <glib.h>

/** parquet_width - how many bits a number has; 0 has none */
static inline guint parquet_width(guint64 value)
{
	return value ? 64 - (guint)__builtin_clzll(value) : 0;
}

/** parquet_put_runs - RLE: numbers of at most @width bits, 1 to 32, as runs of equal ones and bits
 */
void parquet_put_runs(GByteArray *out, const guint32 *values, guint n, guint width);
/** parquet_put_run - the same for @n times one number */
void parquet_put_run(GByteArray *out, guint32 value, guint n, guint width);
/** parquet_put_deltas - DELTA_BINARY_PACKED: numbers of 64 bits; @n: at least 1 */
void parquet_put_deltas(GByteArray *out, const guint64 *values, guint n);
/** parquet_put_number - PLAIN: eight bytes, the lowest first */
void parquet_put_number(GByteArray *out, guint64 value);
/** parquet_put_bytes - PLAIN: a text, with its length in four bytes before */
void parquet_put_bytes(GByteArray *out, const char *text, gsize len);

#endif
