/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of Pajé lines. printf would take ten times as long as all else in the sink. */
#include "sinks/paje/paje-trace.h"
#include "base/units.h"

char *paje_put_hex(char *p, guint64 value)
{
	*p++ = '0';
	*p++ = 'x';
	for (int shift = (int)(g_bit_storage(value) - 1) & ~3; shift >= 0; shift -= 4)
		*p++ = "0123456789abcdef"[value >> shift & 15];
	return p;
}

/*
 * Pajé has no escape character and no empty word, and a comma would split a row of pj_dump. Returns
 * the end, or NULL if the text has bytes above 127, which are left to put_utf8.
 */
static char *put_ascii(char *p, const char *text, gsize len)
{
	for (gsize i = 0; i < len; i++) {
		guchar c = (guchar)text[i];

		if (c >= 128)
			return NULL;
		if (c < ' ' || c == 127)
			c = ' ';
		else if (c == '"')
			c = '\'';
		else if (c == ',')
			c = ';';
		*p++ = (char)c;
	}
	return p;
}

/* The greatest length <= @max at a border of UTF-8 characters; @max if the text is not UTF-8. */
static gsize char_border(const char *text, gsize max)
{
	gsize at = max;

	while (at + 3 > max && ((guchar)text[at] & 0xc0) == 0x80)
		at--;
	return ((guchar)text[at] & 0xc0) == 0x80 ? max : at;
}

/* All readers accept valid UTF-8; other bytes are escaped, so that exported pictures are valid XML.
 */
static char *put_utf8(char *p, const char *text, gsize len, gboolean *out_cut)
{
	g_autofree char *escaped = NULL;

	if (!g_utf8_validate(text, (gssize)len, NULL)) {
		escaped = iot_escape_bytes(text, len);
		text = escaped;
		len = strlen(escaped);
		if (len > PAJE_TEXT_MAX) {
			len = char_border(text, PAJE_TEXT_MAX);
			*out_cut = TRUE;
		}
	}
	for (gsize i = 0; i < len; i++) {
		char c = text[i];

		if ((guchar)c >= 128)
			*p++ = c;
		else
			p = put_ascii(p, &c, 1);
	}
	return p;
}

char *paje_put_text(char *p, const char *text, gsize len, gboolean *out_cut)
{
	char *end;

	*p++ = '"';
	if (G_UNLIKELY(!len)) {
		*p++ = '-';
		*p++ = '"';
		return p;
	}
	if (G_UNLIKELY(len > PAJE_TEXT_MAX)) {
		len = char_border(text, PAJE_TEXT_MAX);
		*out_cut = TRUE;
	}
	end = put_ascii(p, text, len);
	p = end ? end : put_utf8(p, text, len, out_cut);
	*p++ = '"';
	return p;
}
