/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/json.h"
#include "base/units.h"

#include <string.h>

static void append_quoted(GString *json, const char *text)
{
	g_string_append_c(json, '"');
	for (const char *p = text; *p; p++) {
		guint8 c = (guint8)*p;

		if (c == '"' || c == '\\')
			g_string_append_c(json, '\\');
		if (c < 0x20 || c == 0x7f)
			g_string_append_printf(json, "\\u%04x", c);
		else
			g_string_append_c(json, (char)c);
	}
	g_string_append_c(json, '"');
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
	append_quoted(json, key);
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
		append_quoted(json, text);
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

void iot_json_line(GString *json)
{
	if (wants_comma(json))
		g_string_append_c(json, ',');
	g_string_append_c(json, '\n');
}
