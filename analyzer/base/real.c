/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/real.h"

enum { LONGEST = 63 };

/* 15 digits are the shortest text of every normal number that has so few; numbers near 0 have less
 * precision. */
const char *iot_real_text(char *text, gdouble real)
{
	guint n = ABS(real) < G_MINDOUBLE ? 1 : 15;

	/* readers take -0 for a whole number */
	if (iot_real_bits(real) == iot_real_bits(-0.0))
		return strcpy(text, "-0.0");
	do {
		char format[8];

		g_snprintf(format, sizeof(format), "%%.%ug", n);
		g_ascii_formatd(text, IOT_REAL_ROOM, format, real);
	} while (n++ < 17 && iot_real_bits(g_ascii_strtod(text, NULL)) != iot_real_bits(real));
	return text;
}

static gsize digits(const char *text, gsize at, gsize len)
{
	gsize n = 0;

	while (at + n < len && g_ascii_isdigit(text[at + n]))
		n++;
	return n;
}

gboolean iot_real_parse(const char *text, gsize len, gdouble *out)
{
	gsize at = len && (*text == '-' || *text == '+'), whole = digits(text, at, len), n;
	gboolean real = FALSE;
	char copy[LONGEST + 1];

	at += whole;
	if (at < len && text[at] == '.') {
		n = digits(text, ++at, len);
		if (!whole && !n)
			return FALSE;
		at += n;
		real = TRUE;
	} else if (!whole) {
		return FALSE;
	}
	if (at < len && (text[at] == 'e' || text[at] == 'E')) {
		at++;
		at += at < len && (text[at] == '-' || text[at] == '+');
		n = digits(text, at, len);
		if (!n)
			return FALSE;
		at += n;
		real = TRUE;
	}
	if (!real || at != len || len > LONGEST)
		return FALSE;
	memcpy(copy, text, len);
	copy[len] = '\0';
	*out = g_ascii_strtod(copy, NULL);
	return TRUE;
}
