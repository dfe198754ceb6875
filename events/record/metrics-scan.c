/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "metrics-scan.h"

#include <string.h>

void rec_scan_blanks(struct rec_scan *scan)
{
	while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t'))
		scan->at++;
}

gboolean rec_scan_number(struct rec_scan *scan, guint64 *out)
{
	guint64 number = 0;
	const char *at;

	rec_scan_blanks(scan);
	for (at = scan->at; at < scan->end && g_ascii_isdigit(*at); at++) {
		guint digit = (guint)(*at - '0');

		if (number > (G_MAXUINT64 - digit) / 10)
			return FALSE;
		number = number * 10 + digit;
	}
	if (at == scan->at)
		return FALSE;
	scan->at = at;
	*out = number;
	return TRUE;
}

guint rec_scan_numbers(struct rec_scan *scan, guint64 *out, guint max)
{
	guint n = 0;

	while (n < max && rec_scan_number(scan, &out[n]))
		n++;
	return n;
}

const char *rec_scan_word(struct rec_scan *scan, char stop, gsize *out_len)
{
	const char *begin;

	rec_scan_blanks(scan);
	begin = scan->at;
	while (scan->at < scan->end && *scan->at != ' ' && *scan->at != '\t' && *scan->at != '\n' &&
	       *scan->at != stop)
		scan->at++;
	*out_len = (gsize)(scan->at - begin);
	if (scan->at < scan->end && *scan->at == stop && stop != '\n')
		scan->at++;
	return begin;
}

gboolean rec_scan_line(struct rec_scan *scan)
{
	const char *newline = memchr(scan->at, '\n', (gsize)(scan->end - scan->at));

	scan->at = newline ? newline + 1 : scan->end;
	return scan->at < scan->end;
}
