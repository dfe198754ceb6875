/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report while it is printed, and the words that its sections share: headings, notes, tables,
 * instants and counts. One thread, in finish.
 */
#ifndef IOT_SINKS_REPORT_REPORT_TEXT_H
#define IOT_SINKS_REPORT_REPORT_TEXT_H

#include "sinks/aggregate.h"
#include "sinks/sink.h"
#include "sinks/table.h"

struct iot_report {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
	struct iot_aggregate *sums;
	gboolean all; /* option all */
	gboolean on_stdout;
	/* valid in finish */
	const struct iot_summary *summary;
	gboolean colour;
	guint width;		/* of a line, in columns; 0: no limit */
	guint64 from_ns, to_ns; /* the part of the recording that is shown */
	guint n_sections;
	gboolean shares_explained;
};

/** iot_report_heading - begin a section */
void iot_report_heading(struct iot_report *report, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** iot_report_table - an empty table as wide as the report */
struct iot_table *iot_report_table(const struct iot_report *report);
/** iot_report_note - a line of words below a table */
void iot_report_note(struct iot_report *report, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The caller frees the texts of all functions below. */

/** iot_report_rel - an instant relative to the begin of the recording: "12.345678901" */
char *iot_report_rel(const struct iot_report *report, guint64 ns);
/** iot_report_clock - an instant as trace-cmd report prints it, rounded to microseconds */
char *iot_report_clock(guint64 ns);
/** iot_report_count - a number, "-" for 0 */
char *iot_report_count(guint64 n);
/** iot_report_duration - a duration in ns, "-" for 0 */
char *iot_report_duration(guint64 ns);

#endif
