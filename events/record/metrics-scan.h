/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and words of a file of /proc in memory, line by line, without copies. */
#ifndef REC_METRICS_SCAN_H
#define REC_METRICS_SCAN_H

#include <glib.h>

/* A place in a text. */
struct rec_scan {
	const char *at, *end;
};

/** rec_scan_blanks - skip blanks and tabs, not the end of the line */
void rec_scan_blanks(struct rec_scan *scan);
/** rec_scan_number - a decimal number after blanks; FALSE: there is none, or it needs more than 64
 * bits, and @out is unchanged */
gboolean rec_scan_number(struct rec_scan *scan, guint64 *out);
/** rec_scan_numbers - up to @max numbers of this line into @out; returns how many there are */
guint rec_scan_numbers(struct rec_scan *scan, guint64 *out, guint max);
/** rec_scan_word - the characters after blanks up to the next blank, or to @stop, which is skipped;
 * @out_len is 0 at the end of the line. The word is a part of the text */
const char *rec_scan_word(struct rec_scan *scan, char stop, gsize *out_len);
/** rec_scan_line - go to the begin of the next line; FALSE: there is none */
gboolean rec_scan_line(struct rec_scan *scan);

#endif
