/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing array of bytes that numbers of variable length are appended to. */
#ifndef IOT_SINKS_HTML_HTML_COLUMN_H
#define IOT_SINKS_HTML_HTML_COLUMN_H

#include "base/try-alloc.h"

struct iot_html_column {
	guint8 *data;
	gsize used, room;
};

/** iot_html_column_grow - room for @len more bytes */
static inline gboolean iot_html_column_grow(struct iot_html_column *column, gsize len,
					    GError **error)
{
	gsize room = column->used + len;
	guint8 *grown;

	if (room <= column->room)
		return TRUE;
	room += room / 2 + 4096;
	grown = iot_try_realloc(column->data, room, "a column of the page", error);
	if (!grown)
		return FALSE;
	column->data = grown;
	column->room = room;
	return TRUE;
}

static inline gboolean iot_html_put(struct iot_html_column *column, guint64 value, GError **error)
{
	guint8 *p;

	if (G_UNLIKELY(column->room - column->used < 10) &&
	    !iot_html_column_grow(column, 10, error))
		return FALSE;
	p = column->data + column->used;
	for (; value >= 0x80; value >>= 7)
		*p++ = (guint8)(value | 0x80);
	*p++ = (guint8)value;
	column->used = (gsize)(p - column->data);
	return TRUE;
}

static inline gboolean iot_html_put_bytes(struct iot_html_column *column, const void *data,
					  gsize len, GError **error)
{
	if (!iot_html_put(column, len, error) || !iot_html_column_grow(column, len, error))
		return FALSE;
	if (len)
		memcpy(column->data + column->used, data, len);
	column->used += len;
	return TRUE;
}

static inline guint64 iot_html_zigzag(gint64 value)
{
	return ((guint64)value << 1) ^ (guint64)(value >> 63);
}

#endif
