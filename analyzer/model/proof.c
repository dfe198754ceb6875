/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/proof.h"
#include "base/crc32.h"

#include <string.h>

static const char placeholder[] = "{text}";

enum { PLACEHOLDER_LEN = sizeof(placeholder) - 1 };

/* Characters of a quoted text: \0 is a NUL byte, a backslash escapes any other character. */
static GByteArray *unquote(const char *text, gsize len)
{
	GByteArray *bytes = g_byte_array_new();

	for (gsize i = 0; i < len; i++) {
		guint8 c = (guint8)text[i];

		if (c == '\\' && i + 1 < len) {
			i++;
			c = text[i] == '0' ? 0 : (guint8)text[i];
		}
		g_byte_array_append(bytes, &c, 1);
	}
	return bytes;
}

/* The quoted text at the end of the value, from @offset on; NULL and an error. */
static const char *take_quoted(const struct iot_setting *setting, gsize offset, gsize *out_len,
			       GError **error)
{
	const char *text = setting->value + offset;
	gsize len = strlen(text);

	if (len < 2 || text[0] != '"' || text[len - 1] != '"') {
		iot_setting_error(setting, offset, error, "a text in double quotes expected");
		return NULL;
	}
	*out_len = len - 2;
	if (!g_strstr_len(text + 1, (gssize)*out_len, placeholder)) {
		iot_setting_error(setting, offset, error, "%s is missing in the text", placeholder);
		return NULL;
	}
	return text + 1;
}

struct iot_proof *iot_proof_parse(const struct iot_setting *setting, GError **error)
{
	static const char kind[] = "crc32 ";
	struct iot_proof *proof;
	const char *text, *at;
	gsize len;

	if (!g_str_has_prefix(setting->value, kind)) {
		iot_setting_error(setting, 0, error, "no such checksum (there is crc32)");
		return NULL;
	}
	text = take_quoted(setting, strlen(kind), &len, error);
	if (!text)
		return NULL;
	at = g_strstr_len(text, (gssize)len, placeholder);
	proof = g_new0(struct iot_proof, 1);
	proof->prefix = unquote(text, (gsize)(at - text));
	proof->suffix = unquote(at + PLACEHOLDER_LEN, len - (gsize)(at - text) - PLACEHOLDER_LEN);
	return proof;
}

void iot_proof_free(struct iot_proof *proof)
{
	if (!proof)
		return;
	g_byte_array_unref(proof->prefix);
	g_byte_array_unref(proof->suffix);
	g_free(proof);
}

guint32 iot_proof_number(const struct iot_proof *proof, const char *text, gsize len)
{
	guint32 crc = iot_crc32(0, proof->prefix->data, proof->prefix->len);

	crc = iot_crc32(crc, text, len);
	return iot_crc32(crc, proof->suffix->data, proof->suffix->len);
}

char *iot_proof_take_pattern(const struct iot_setting *setting, gsize offset, GError **error)
{
	gsize len;
	const char *pattern = take_quoted(setting, offset, &len, error);

	return pattern ? g_strndup(pattern, len) : NULL;
}

gboolean iot_find_parse(const struct iot_setting *setting, struct iot_find *out, GError **error)
{
	gsize event = strcspn(setting->value, " \t");
	gsize field = event + strspn(setting->value + event, " \t");
	gsize end = field + strcspn(setting->value + field, " \t");
	gsize quoted = end + strspn(setting->value + end, " \t");

	out->pattern = iot_proof_take_pattern(setting, quoted, error);
	if (!out->pattern)
		return FALSE;
	out->event = g_strndup(setting->value, event);
	out->field = g_strndup(setting->value + field, end - field);
	return TRUE;
}

void iot_find_clear(struct iot_find *find)
{
	g_clear_pointer(&find->event, g_free);
	g_clear_pointer(&find->field, g_free);
	g_clear_pointer(&find->pattern, g_free);
}

/* * is any characters, {text} characters without a slash, all else itself. */
static gboolean fits(const char *pattern, const char *text, const char **out_text, gsize *out_len)
{
	if (!*pattern)
		return !*text;
	if (*pattern == '*') {
		for (;; text++) {
			if (fits(pattern + 1, text, out_text, out_len))
				return TRUE;
			if (!*text)
				return FALSE;
		}
	}
	if (!strncmp(pattern, placeholder, PLACEHOLDER_LEN)) {
		for (gsize len = strcspn(text, "/"); len; len--) {
			if (!fits(pattern + PLACEHOLDER_LEN, text + len, out_text, out_len))
				continue;
			*out_text = text;
			*out_len = len;
			return TRUE;
		}
		return FALSE;
	}
	return *pattern == *text && fits(pattern + 1, text + 1, out_text, out_len);
}

gboolean iot_proof_match(const char *pattern, const char *from, const char **out_text,
			 gsize *out_len)
{
	return fits(pattern, from, out_text, out_len);
}
