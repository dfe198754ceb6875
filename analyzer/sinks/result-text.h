/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Result tables as text for people, and as tab-separated values. */
#ifndef IOT_SINKS_RESULT_TEXT_H
#define IOT_SINKS_RESULT_TEXT_H

#include "sinks/table.h"
#include "timeline/result-table.h"

/* How result tables are printed. */
struct iot_result_style {
	const struct iot_timeline *tl;
	struct iot_out *out;
	gboolean colour;
	guint width;  /* of a line; 0: no limit */
	guint indent; /* blanks before each line */
};

/**
 * iot_result_print - print the rows, without title and notes
 *
 * An instant has two columns: seconds since the beginning of the recording, and HOST, the time that
 * trace-cmd report prints.
 */
void iot_result_print(const struct iot_result_table *table, const struct iot_result_style *style);

/** iot_result_print_heading - the title and the remark, in a line */
void iot_result_print_heading(const struct iot_result_table *table,
			      const struct iot_result_style *style);
/** iot_result_print_notes - the notes, each in a line */
void iot_result_print_notes(const struct iot_result_table *table,
			    const struct iot_result_style *style);

/* A column of tab-separated values: the column @name, titled @title in the first line. */
struct iot_tsv_column {
	const char *name, *title;
};
/** iot_result_print_tsv - print the rows; numbers as they are, paths of rows, "," in lists
 * @columns: ends with a NULL name */
void iot_result_print_tsv(const struct iot_result_table *table,
			  const struct iot_result_style *style,
			  const struct iot_tsv_column *columns);

#endif
