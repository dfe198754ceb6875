/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of either byte order, and a cursor over bytes that came from a file. A cursor never
 * leaves its bytes: the first read that does not fit sets "bad", and from then on all reads give 0,
 * "" or NULL. So a parser checks "bad" once, before a decision that depends on the values. Any
 * thread.
 */
#ifndef IOT_INPUT_BYTES_H
#define IOT_INPUT_BYTES_H

#include <glib.h>
#include <string.h>

static inline guint16 iot_load_u16(const guint8 *p, gboolean big_endian)
{
	guint16 v;

	memcpy(&v, p, sizeof(v));
	return big_endian ? GUINT16_FROM_BE(v) : GUINT16_FROM_LE(v);
}

static inline guint32 iot_load_u32(const guint8 *p, gboolean big_endian)
{
	guint32 v;

	memcpy(&v, p, sizeof(v));
	return big_endian ? GUINT32_FROM_BE(v) : GUINT32_FROM_LE(v);
}

static inline guint64 iot_load_u64(const guint8 *p, gboolean big_endian)
{
	guint64 v;

	memcpy(&v, p, sizeof(v));
	return big_endian ? GUINT64_FROM_BE(v) : GUINT64_FROM_LE(v);
}

struct iot_bytes {
	const guint8 *p, *end;
	gboolean big_endian;
	gboolean bad;
};

static inline void iot_bytes_init(struct iot_bytes *b, const guint8 *data, gsize len,
				  gboolean big_endian)
{
	b->p = data;
	b->end = len ? data + len : data;
	b->big_endian = big_endian;
	b->bad = FALSE;
}

static inline gsize iot_bytes_left(const struct iot_bytes *b)
{
	return (gsize)(b->end - b->p);
}

/** iot_bytes_take - the next @len bytes, or NULL if there are fewer */
static inline const guint8 *iot_bytes_take(struct iot_bytes *b, guint64 len)
{
	const guint8 *p = b->p;

	if (b->bad || len > iot_bytes_left(b)) {
		b->bad = TRUE;
		return NULL;
	}
	b->p += len;
	return p;
}

static inline guint16 iot_bytes_u16(struct iot_bytes *b)
{
	const guint8 *p = iot_bytes_take(b, 2);

	return p ? iot_load_u16(p, b->big_endian) : 0;
}

static inline guint32 iot_bytes_u32(struct iot_bytes *b)
{
	const guint8 *p = iot_bytes_take(b, 4);

	return p ? iot_load_u32(p, b->big_endian) : 0;
}

static inline guint64 iot_bytes_u64(struct iot_bytes *b)
{
	const guint8 *p = iot_bytes_take(b, 8);

	return p ? iot_load_u64(p, b->big_endian) : 0;
}

/** iot_bytes_str - the text up to the next NUL, which is taken too; "" if there is none */
static inline const char *iot_bytes_str(struct iot_bytes *b)
{
	const guint8 *nul = b->bad || b->p == b->end ? NULL : memchr(b->p, 0, iot_bytes_left(b));

	if (!nul) {
		b->bad = TRUE;
		return "";
	}
	return (const char *)iot_bytes_take(b, (guint64)(nul - b->p) + 1);
}

#endif
