/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Big-endian stores, as in SLOG-2. Each returns the address after the stored bytes. */
#ifndef IOT_SINKS_SLOG2_SLOG2_BYTES_H
#define IOT_SINKS_SLOG2_SLOG2_BYTES_H

#include <glib.h>
#include <string.h>

/* Longest string and longest info of a drawable: lengths are signed 16-bit numbers. */
enum { IOT_SLOG2_STR_MAX = 32767 };

static inline guint8 *iot_put_u8(guint8 *p, guint8 v)
{
	*p = v;
	return p + 1;
}

static inline guint8 *iot_put_u16(guint8 *p, guint16 v)
{
	v = GUINT16_TO_BE(v);
	memcpy(p, &v, 2);
	return p + 2;
}

static inline guint8 *iot_put_u32(guint8 *p, guint32 v)
{
	v = GUINT32_TO_BE(v);
	memcpy(p, &v, 4);
	return p + 4;
}

static inline guint8 *iot_put_u64(guint8 *p, guint64 v)
{
	v = GUINT64_TO_BE(v);
	memcpy(p, &v, 8);
	return p + 8;
}

static inline guint8 *iot_put_f32(guint8 *p, float v)
{
	guint32 bits;

	memcpy(&bits, &v, 4);
	return iot_put_u32(p, bits);
}

static inline guint8 *iot_put_f64(guint8 *p, double v)
{
	guint64 bits;

	memcpy(&bits, &v, 8);
	return iot_put_u64(p, bits);
}

/* An instant: ns to seconds. The quotient is the nearest double, so rounding restores the ns. */
static inline guint8 *iot_put_time(guint8 *p, guint64 ns)
{
	return iot_put_f64(p, (double)ns / 1e9);
}

/* fptr: a place in the file */
static inline guint8 *iot_put_place(guint8 *p, guint64 offset, guint64 size)
{
	return iot_put_u32(iot_put_u64(p, offset), (guint32)size);
}

static inline guint8 *iot_put_node_id(guint8 *p, guint depth, guint32 xpos)
{
	return iot_put_u32(iot_put_u16(p, (guint16)depth), xpos);
}

/** iot_slog2_cut - the number of bytes of @text that fit into @max, cut between UTF-8 characters */
static inline gsize iot_slog2_cut(const char *text, gsize len, gsize max)
{
	if (len <= max)
		return len;
	while (max && ((guint8)text[max] & 0xC0) == 0x80)
		max--;
	return max;
}

#endif
