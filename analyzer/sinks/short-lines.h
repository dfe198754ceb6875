/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of text no wider than a limit, collected before they are written, so that the caller can
 * count them. One thread at a time.
 */
#ifndef IOT_SINKS_SHORT_LINES_H
#define IOT_SINKS_SHORT_LINES_H

#include "sinks/table.h"

struct iot_short_lines {
	GPtrArray *lines; /* of struct iot_short_line */
	guint width;	  /* of a line, in terminal columns */
};

struct iot_short_line {
	enum iot_style style;
	char *text;
};

struct iot_short_lines *iot_short_lines_new(guint width);
void iot_short_lines_free(struct iot_short_lines *lines);
typedef struct iot_short_lines iot_short_lines;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_short_lines, iot_short_lines_free)

/**
 * iot_short_add - add a text with its words on as many lines as it needs
 * @indent: blanks before its first line; the others have two more
 * @most: lines; what needs more ends in " ..."; 0: no limit
 */
void iot_short_add(struct iot_short_lines *lines, enum iot_style style, const char *text,
		   guint indent, guint most);
/** iot_short_write - write all lines */
void iot_short_write(const struct iot_short_lines *lines, struct iot_out *out, gboolean colour);

/**
 * iot_short_sentence - a sentence without the last elements of its lists in parentheses,
 * "(a; b; c)", if it needs too many lines
 * @elements: of a list at most; "asked for ..." is none of them, and the first to go
 * @most: lines
 * Returns: the caller frees.
 */
char *iot_short_sentence(const struct iot_short_lines *lines, const char *text, guint indent,
			 guint elements, guint most);

#endif
