/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "input/bytes.h"
#include "input/clog2/clog2-cargo.h"

/* The shortest text that is this number, of @digits that every number of the type needs at most. */
static void append_real(GString *out, double value, int digits)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];

	for (int n = digits - 2; n <= digits; n++) {
		double back;

		g_snprintf(format, sizeof(format), "%%.%dg", n);
		g_ascii_formatd(text, sizeof(text), format, value);
		back = g_ascii_strtod(text, NULL);
		if (digits < 10 ? (float)back == (float)value : back == value)
			break;
	}
	g_string_append(out, text);
}

static void append_float(GString *out, guint32 bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	append_real(out, (double)value, 9);
}

static void append_double(GString *out, guint64 bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	append_real(out, value, 17);
}

/* Its length may count the NUL of C. */
static void append_text(GString *out, struct iot_bytes *from)
{
	guint16 len = iot_bytes_u16(from);
	const char *text = (const char *)iot_bytes_take(from, len);

	if (text)
		g_string_append_len(out, text, (gssize)strnlen(text, len));
}

/* A value of the type; FALSE: there is no such type, or no such value. */
static gboolean append_value(GString *out, char type, struct iot_bytes *from)
{
	gsize before = out->len;

	switch (type) {
	case 's':
		append_text(out, from);
		break;
	case 'h':
		g_string_append_printf(out, "%d", (gint16)iot_bytes_u16(from));
		break;
	case 'd':
		g_string_append_printf(out, "%" G_GINT32_FORMAT, (gint32)iot_bytes_u32(from));
		break;
	case 'l':
		g_string_append_printf(out, "%" G_GINT64_FORMAT, (gint64)iot_bytes_u64(from));
		break;
	case 'x':
		g_string_append_printf(out, "0x%" G_GINT32_MODIFIER "x", iot_bytes_u32(from));
		break;
	case 'X':
		g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x", iot_bytes_u64(from));
		break;
	case 'e':
		append_float(out, iot_bytes_u32(from));
		break;
	case 'E':
		append_double(out, iot_bytes_u64(from));
		break;
	default:
		return FALSE;
	}
	if (from->bad)
		g_string_truncate(out, before);
	return !from->bad;
}

void iot_clog2_cargo(const char *format, const guint8 *data, GString *out)
{
	struct iot_bytes from;

	iot_bytes_init(&from, data, IOT_CLOG2_CARGO_SIZE, TRUE);
	for (; *format; format++) {
		if (*format != '%' || !format[1])
			g_string_append_c(out, *format);
		else if (!append_value(out, *++format, &from))
			return;
	}
}
