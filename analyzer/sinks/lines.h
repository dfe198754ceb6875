/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Items as lines with the same columns in each, for outputs that programs read: the code that JSON
 * Lines and CSV share. A dialect holds the differences. The columns are
 *
 *	kind start_ns end_ns row lane type category marks attributes row_to lane_to
 *
 * with times in ns since the beginning of the recording. The text of a row, a category, a type and
 * a set of marks is made once and cached. One thread.
 */
#ifndef IOT_SINKS_LINES_H
#define IOT_SINKS_LINES_H

#include "sinks/sink.h"

struct iot_line_dialect {
	/* Before the first line; NULL: nothing. */
	const char *head;
	/* The separators: a column begins with its own. */
	const char *kind, *start, *end, *lane, *attributes, *attributes_end, *line_end;
	/* How the column "row" begins; the separators of the columns of a link's to-end, and the
	 * end of its line. */
	const char *row_label, *row_to, *lane_to, *link_end;
	/* Columns without a value are left out: the end of a point, lane 0, no attributes. */
	gboolean sparse;
	/* Attributes are JSON in a quoted field: each quote is written twice. */
	gboolean double_quotes;
	/* These columns are made once, with their separators. Any text may be empty. */
	void (*row)(GString *to, const char *path);
	void (*category)(GString *to, const char *type, const char *name);
	void (*marks)(GString *to, const char *names);
};

/** iot_lines_open - a sink that writes @path in that dialect; the other calls fit struct
 * iot_sink_ops */
struct iot_sink *iot_lines_open(const struct iot_sink_ops *ops,
				const struct iot_line_dialect *dialect,
				const struct iot_sink_args *args, GError **error);
gboolean iot_lines_item(struct iot_sink *sink, const struct iot_item *item, GError **error);
gboolean iot_lines_finish(struct iot_sink *sink, const struct iot_summary *summary, GError **error);
void iot_lines_free(struct iot_sink *sink);

#endif
