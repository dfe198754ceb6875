/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/text-scan.h"
#include "base/error.h"
#include "input/record.h"

gboolean iot_text_fail(const struct iot_text_scan *scan, const char *at, GError **error,
		       const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s:%u:%u: %s", scan->path, scan->line,
		    (guint)(at - scan->start) + 1, text);
	return FALSE;
}

void iot_text_skip_blanks(struct iot_text_scan *scan)
{
	while (scan->p < scan->end && iot_text_is_blank(*scan->p))
		scan->p++;
}

gboolean iot_text_at_end(const struct iot_text_scan *scan)
{
	return scan->p == scan->end || *scan->p == '#';
}

const char *iot_text_word(struct iot_text_scan *scan, gsize *out_len)
{
	const char *word;

	iot_text_skip_blanks(scan);
	word = scan->p;
	while (scan->p < scan->end && !iot_text_is_blank(*scan->p))
		scan->p++;
	*out_len = (gsize)(scan->p - word);
	return word;
}

gboolean iot_text_digits(const char *text, gsize len, guint base, guint64 *out)
{
	guint64 value = 0;

	for (gsize i = 0; i < len; i++) {
		int digit = g_ascii_xdigit_value(text[i]);

		if (digit < 0 || (guint)digit >= base)
			return FALSE;
		if (value > (G_MAXUINT64 - (guint)digit) / base)
			return FALSE;
		value = value * base + (guint)digit;
	}
	*out = value;
	return len > 0;
}

gboolean iot_text_number(struct iot_text_scan *scan, const char *what, guint64 max, guint64 *out,
			 GError **error)
{
	gsize len;
	const char *word = iot_text_word(scan, &len);

	if (!len)
		return iot_text_fail(scan, word, error, "%s is missing", what);
	if (!iot_text_digits(word, len, 10, out) || *out > max)
		return iot_text_fail(scan, word, error,
				     "\"%.*s\" is not %s (a decimal number up to %" G_GUINT64_FORMAT
				     ")",
				     (int)len, word, what, max);
	return TRUE;
}

gboolean iot_text_pid(struct iot_text_scan *scan, gint32 *out, guint8 *out_flags, GError **error)
{
	struct iot_text_scan digits = *scan;
	gboolean negative;
	guint64 value;
	gsize len;
	const char *word = iot_text_word(scan, &len);
	const char *slash = memchr(word, '/', len);

	digits.p = word;
	digits.end = slash ? slash : scan->p;
	negative = digits.p < digits.end && *digits.p == '-';
	digits.p += negative;
	if (!iot_text_number(&digits, "a process id", G_MAXINT32, &value, error))
		return FALSE;
	*out = negative ? -(gint32)value : (gint32)value;
	*out_flags = 0;
	return !slash || iot_context_find(slash + 1, (gsize)(scan->p - slash) - 1, out_flags) ||
	       iot_text_fail(scan, slash + 1, error,
			     "\"%.*s\" is no context (there are task, softirq, hardirq, nmi)",
			     (int)(scan->p - slash) - 1, slash + 1);
}

gboolean iot_text_quoted(struct iot_text_scan *scan, GString *text, GError **error)
{
	const char *open = scan->p++;

	for (; scan->p < scan->end && *scan->p != '"'; scan->p++) {
		guint64 byte;

		if (*scan->p != '\\') {
			g_string_append_c(text, *scan->p);
		} else if (scan->end - scan->p >= 2 && (scan->p[1] == '\\' || scan->p[1] == '"')) {
			g_string_append_c(text, *++scan->p);
		} else if (scan->end - scan->p >= 4 && scan->p[1] == 'x' &&
			   iot_text_digits(scan->p + 2, 2, 16, &byte)) {
			g_string_append_c(text, (char)byte);
			scan->p += 3;
		} else {
			return iot_text_fail(scan, scan->p, error,
					     "unknown escape (there are \\\\, \\\" and \\xNN)");
		}
	}
	if (scan->p == scan->end)
		return iot_text_fail(scan, open, error, "the closing quote is missing");
	scan->p++;
	if (scan->p < scan->end && !iot_text_is_blank(*scan->p))
		return iot_text_fail(scan, scan->p, error,
				     "a blank is missing after the closing quote");
	return TRUE;
}

gboolean iot_text_int(const char *word, gsize len, gint64 *out, gboolean *out_too_big)
{
	gboolean negative = len && word[0] == '-';
	const char *digits = word + negative;
	gsize n = len - (negative ? 1 : 0);
	gboolean hex = n > 2 && digits[0] == '0' && digits[1] == 'x';
	guint64 value;

	*out_too_big = FALSE;
	if (hex)
		digits += 2, n -= 2;
	for (gsize i = 0; i < n; i++)
		if (hex ? !g_ascii_isxdigit(digits[i]) : !g_ascii_isdigit(digits[i]))
			return FALSE;
	if (!n)
		return FALSE;
	*out_too_big = !iot_text_digits(digits, n, hex ? 16 : 10, &value) ||
		       (negative && value > (guint64)G_MAXINT64 + 1) ||
		       (!negative && !hex && value > G_MAXINT64);
	*out = *out_too_big ? 0 : (gint64)(negative ? 0 - value : value);
	return TRUE;
}
