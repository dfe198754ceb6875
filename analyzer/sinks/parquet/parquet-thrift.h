/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Structs in Thrift's compact protocol, in which the footers and the heads of pages are written.
 * Fields must come in the order of their numbers; each is written with the distance to the one
 * before.
 *
 *	struct parquet_thrift head = parquet_thrift_begin(out);
 *	parquet_thrift_int(&head, 1, THRIFT_I32, 7);
 *	struct parquet_thrift inner = parquet_thrift_struct(&head, 5);
 *	...
 *	parquet_thrift_end(&inner);
 *	parquet_thrift_end(&head);
 */
#ifndef IOT_SINKS_PARQUET_PARQUET_THRIFT_H
#define IOT_SINKS_PARQUET_PARQUET_THRIFT_H

#include "base/pack.h"

#include <string.h>

enum {
	THRIFT_TRUE = 1,
	THRIFT_FALSE = 2,
	THRIFT_I8 = 3,
	THRIFT_I16 = 4,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12,
};

struct parquet_thrift {
	GByteArray *out;
	guint last; /* number of the field before */
};

/** parquet_zigzag - a signed number as one without a sign: small numbers stay small */
static inline guint64 parquet_zigzag(gint64 value)
{
	return (guint64)value << 1 ^ (value < 0 ? G_MAXUINT64 : 0);
}

/** parquet_thrift_begin - a struct that stands alone, or in a list */
static inline struct parquet_thrift parquet_thrift_begin(GByteArray *out)
{
	return (struct parquet_thrift){ .out = out };
}

/** parquet_thrift_field - the head of a field; its number is at most 15 above the one before */
static inline void parquet_thrift_field(struct parquet_thrift *of, guint id, guint type)
{
	guint8 head = (guint8)((id - of->last) << 4 | type);

	g_byte_array_append(of->out, &head, 1);
	of->last = id;
}

/** parquet_thrift_end - the end of a struct */
static inline void parquet_thrift_end(struct parquet_thrift *of)
{
	g_byte_array_append(of->out, (const guint8 *)"", 1);
}

/** parquet_thrift_struct - a field that is a struct */
static inline struct parquet_thrift parquet_thrift_struct(struct parquet_thrift *of, guint id)
{
	parquet_thrift_field(of, id, THRIFT_STRUCT);
	return parquet_thrift_begin(of->out);
}

/** parquet_thrift_int - a field that is a number of 16, 32 or 64 bits */
static inline void parquet_thrift_int(struct parquet_thrift *of, guint id, guint type, gint64 value)
{
	parquet_thrift_field(of, id, type);
	iot_pack_uint(of->out, parquet_zigzag(value));
}

static inline void parquet_thrift_bool(struct parquet_thrift *of, guint id, gboolean value)
{
	parquet_thrift_field(of, id, value ? THRIFT_TRUE : THRIFT_FALSE);
}

/** parquet_thrift_bytes - a field that is a text or bytes */
static inline void parquet_thrift_bytes(struct parquet_thrift *of, guint id, const void *data,
					gsize len)
{
	parquet_thrift_field(of, id, THRIFT_BINARY);
	iot_pack_bytes(of->out, data, len);
}

static inline void parquet_thrift_text(struct parquet_thrift *of, guint id, const char *text)
{
	parquet_thrift_bytes(of, id, text, strlen(text));
}

/** parquet_thrift_list - a field that is a list; its @n elements follow */
static inline void parquet_thrift_list(struct parquet_thrift *of, guint id, guint type, guint n)
{
	guint8 head = (guint8)(MIN(n, 15) << 4 | type);

	parquet_thrift_field(of, id, THRIFT_LIST);
	g_byte_array_append(of->out, &head, 1);
	if (n >= 15)
		iot_pack_uint(of->out, n);
}

#endif
