/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a recording as text (docs/formats/text.md), gathered in memory that is allocated once
 * and written in chunks of whole lines. What cannot be written ends the file before it, so a full
 * disk leaves a file that can be read.
 */
#ifndef REC_METRICS_LINES_H
#define REC_METRICS_LINES_H

#include <glib.h>

struct rec_lines {
	int fd;
	char *bytes; /* of this chunk */
	gsize used;
	guint64 written; /* bytes of the file */
	int error;	 /* errno of the first chunk that could not be written; 0: none */
};

/** rec_lines_init - lines that go into @fd, which is empty and is closed by rec_lines_close */
void rec_lines_init(struct rec_lines *lines, int fd);
/** rec_lines_flush - write the lines that are in memory; after an error nothing is written any more
 */
void rec_lines_flush(struct rec_lines *lines);
/** rec_lines_close - flush and close; an error of either is in @lines */
void rec_lines_close(struct rec_lines *lines);

/** rec_lines_directive - a line of the header: NAME REST; control characters of @rest become '?' */
void rec_lines_directive(struct rec_lines *lines, const char *name, const char *rest);

/** rec_line_begin - begin an event; then come its fields, and rec_line_end
 * @ns: its time
 * @cpu: its CPU, whose lines must be in the order of time
 * @event: SYSTEM:NAME */
void rec_line_begin(struct rec_lines *lines, guint64 ns, guint cpu, const char *event);
void rec_line_end(struct rec_lines *lines);
/** rec_line_text - a text; of a longer one the first 128 bytes */
void rec_line_text(struct rec_lines *lines, const char *field, const char *text);
/** rec_line_number - a whole number */
void rec_line_number(struct rec_lines *lines, const char *field, guint64 number);
/** rec_line_hundredths - a real number with two digits after the point */
void rec_line_hundredths(struct rec_lines *lines, const char *field, guint64 hundredths);

#endif
