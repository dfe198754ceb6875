/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words, numbers and quoted texts of one line of a hand-written recording (input/text-file.h). */
#ifndef IOT_INPUT_TEXT_SCAN_H
#define IOT_INPUT_TEXT_SCAN_H

#include <glib.h>

/* A line; p walks from start to end. */
struct iot_text_scan {
	const char *path;
	guint line;
	const char *start, *p, *end;
};

/** iot_text_fail - set an IOT_ERROR_INPUT "PATH:LINE:COLUMN: ..." with the column of @at; returns
 * FALSE */
G_GNUC_PRINTF(4, 5)
gboolean iot_text_fail(const struct iot_text_scan *scan, const char *at, GError **error,
		       const char *format, ...);

static inline gboolean iot_text_is_blank(char c)
{
	return c == ' ' || c == '\t';
}
/** iot_text_skip_blanks - move to the next character that is not blank, or to the end */
void iot_text_skip_blanks(struct iot_text_scan *scan);
/** iot_text_at_end - no field can begin here: the line or its comment */
gboolean iot_text_at_end(const struct iot_text_scan *scan);
/** iot_text_word - skip blanks and take a word; without a NUL at its end, empty at the line's end
 */
const char *iot_text_word(struct iot_text_scan *scan, gsize *out_len);
/** iot_text_digits - convert the digits of @base; FALSE if one is none, or beyond 64 bits */
gboolean iot_text_digits(const char *text, gsize len, guint base, guint64 *out);
/** iot_text_number - take a decimal number up to @max; @what: "a CPU", for the message */
gboolean iot_text_number(struct iot_text_scan *scan, const char *what, guint64 max, guint64 *out,
			 GError **error);
/** iot_text_pid - take a process id, which may be negative, and a context, if one follows
 * ("17/softirq") */
gboolean iot_text_pid(struct iot_text_scan *scan, gint32 *out, guint8 *out_flags, GError **error);
/** iot_text_quoted - take a "text" with escapes and append its bytes to @text */
gboolean iot_text_quoted(struct iot_text_scan *scan, GString *text, GError **error);
/**
 * iot_text_int - convert a word without quotes: decimal in the range of gint64, or hexadecimal with
 * up to 64 bits
 * @out_too_big: the word looks like a number that does not fit
 *
 * FALSE if the word does not look like a number.
 */
gboolean iot_text_int(const char *word, gsize len, gint64 *out, gboolean *out_too_big);

#endif
