/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report on the terminal, in sections. Each section prints nothing, not even its heading, if it
 * has nothing to say. All sections run in finish, from sums; only these files include this header.
 */
#ifndef IOT_SINKS_REPORT_REPORT_H
#define IOT_SINKS_REPORT_REPORT_H

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
	guint width;		/* of a line; 0: no limit */
	guint64 from_ns, to_ns; /* the part of the recording that is shown */
	guint n_sections;
	gboolean shares_explained;
};

/* report-inputs.c: what was read, and what went wrong */
void iot_report_inputs(struct iot_report *report);
void iot_report_times(struct iot_report *report);
void iot_report_diagnostics(struct iot_report *report);
/* report-units.c: time in each state */
void iot_report_units(struct iot_report *report);
/* report-events.c: points, the longest waits, lost events */
void iot_report_results(struct iot_report *report);
void iot_report_longest(struct iot_report *report);
void iot_report_gaps(struct iot_report *report);

/** iot_report_heading - begin a section */
void iot_report_heading(struct iot_report *report, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** iot_report_table - a table for this report's width */
struct iot_table *iot_report_table(const struct iot_report *report);
/** iot_report_note - a line of words below a table */
void iot_report_note(struct iot_report *report, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** iot_report_rel - a time relative to the begin of the recording: "12.345678901"; the caller frees
 */
char *iot_report_rel(const struct iot_report *report, guint64 ns);
/** iot_report_clock - a time as trace-cmd report prints it, rounded to microseconds; the caller
 * frees */
char *iot_report_clock(guint64 ns);
/** iot_report_count - a number, "-" for 0; the caller frees */
char *iot_report_count(guint64 n);
/** iot_report_duration - a duration, "-" for 0; the caller frees */
char *iot_report_duration(guint64 ns);

#endif
