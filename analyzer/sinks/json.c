/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/json.h"
#include "base/real.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

/* Bytes of the UTF-8 character at @text; 0 if it is none. */
static gsize char_len(const char *text, gsize len)
{
	gunichar c = g_utf8_get_char_validated(text, (gssize)len);

	if (c == (gunichar)-1 || c == (gunichar)-2)
		return 0;
	return (gsize)g_unichar_to_utf8(c, NULL);
}

void iot_json_append_escaped(GString *to, const char *text, gsize len, const char *quote)
{
	for (gsize i = 0; i < len; i++) {
		guint8 c = (guint8)text[i];
		gsize n;

		if (c == '"') {
			g_string_append_printf(to, "\\%s", quote);
		} else if (c == '\\') {
			g_string_append(to, "\\\\");
		} else if (c < 0x20 || c == 0x7f) {
			g_string_append_printf(to, "\\u%04x", c);
		} else if (c < 0x80) {
			g_string_append_c(to, (char)c);
		} else if ((n = char_len(text + i, len - i))) {
			g_string_append_len(to, text + i, (gssize)n);
			i += n - 1;
		} else {
			g_string_append_printf(to, "\\\\x%02x", c);
		}
	}
}

void iot_json_append(GString *to, const char *text, gsize len)
{
	g_string_append_c(to, '"');
	iot_json_append_escaped(to, text, len, "\"");
	g_string_append_c(to, '"');
}

static gboolean wants_comma(const GString *json)
{
	return json->len && !strchr("{[\n", json->str[json->len - 1]);
}

static void begin(GString *json, const char *key)
{
	if (wants_comma(json))
		g_string_append_c(json, ',');
	if (!key)
		return;
	iot_json_append(json, key, strlen(key));
	g_string_append_c(json, ':');
}

void iot_json_open(GString *json, const char *key, char bracket)
{
	begin(json, key);
	g_string_append_c(json, bracket);
}

void iot_json_close(GString *json, char bracket)
{
	g_string_append_c(json, bracket);
}

void iot_json_text(GString *json, const char *key, const char *text)
{
	g_autofree char *escaped = NULL;

	begin(json, key);
	if (text && !g_utf8_validate(text, -1, NULL))
		text = escaped = iot_escape_bytes(text, strlen(text));
	if (text)
		iot_json_append(json, text, strlen(text));
	else
		g_string_append(json, "null");
}

void iot_json_uint(GString *json, const char *key, guint64 value)
{
	begin(json, key);
	g_string_append_printf(json, "%" G_GUINT64_FORMAT, value);
}

void iot_json_int(GString *json, const char *key, gint64 value)
{
	begin(json, key);
	g_string_append_printf(json, "%" G_GINT64_FORMAT, value);
}

void iot_json_big(GString *json, const char *key, guint64 value)
{
	begin(json, key);
	g_string_append_printf(json, "\"%" G_GUINT64_FORMAT "\"", value);
}

void iot_json_double(GString *json, const char *key, double value)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE];

	begin(json, key);
	g_string_append(json, g_ascii_formatd(digits, sizeof(digits), "%.6f", value));
}

void iot_json_real(GString *json, const char *key, double value)
{
	char digits[IOT_REAL_ROOM];

	begin(json, key);
	g_string_append(json, isfinite(value) ? iot_real_text(digits, value) : "null");
}

void iot_json_line(GString *json)
{
	if (wants_comma(json))
		g_string_append_c(json, ',');
	g_string_append_c(json, '\n');
}
