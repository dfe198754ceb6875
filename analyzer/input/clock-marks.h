/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clocks of a machine, as one of its recordings has them: marks that iotrace-record and
 * iotrace-clock write into the trace (trace_marker), "iotrace-clocks mono=NS boot=NS real=NS
 * tai=NS boot_id=ID". They place another recording of this machine, whose times are those of one of
 * these clocks, such as a log of strace.
 *
 * The clocks of a mark were read after the mark before it of the same thread, and before its own
 * instant. So of several marks in a row the one that comes soonest after another says most.
 */
#ifndef IOT_INPUT_CLOCK_MARKS_H
#define IOT_INPUT_CLOCK_MARKS_H

#include "input/clock-change.h"
#include "input/source.h"

struct iot_clock_marks;

/** IOT_CLOCK_MARKS_SYSTEM, IOT_CLOCK_MARKS_EVENT - the event of a mark; its field is buf */
#define IOT_CLOCK_MARKS_SYSTEM "ftrace"
#define IOT_CLOCK_MARKS_EVENT  "print"

/** iot_clock_marks_is - whether the text is that of a mark */
gboolean iot_clock_marks_is(const char *text);
/** iot_clock_marks_want - add the event of marks to an empty schema; its slot 0 is the text */
void iot_clock_marks_want(struct iot_schema *schema);
/** iot_clock_marks_serve - whether marks say this clock: "mono", "boot", "real", "tai" */
gboolean iot_clock_marks_serve(const char *clock);
/**
 * iot_clock_marks_read - the marks of a recording; iot_clock_marks_free
 * @spec: opens the recording, whose times are those of the common clock
 *
 * Reads the whole recording. NULL and an error if it cannot be read.
 */
struct iot_clock_marks *iot_clock_marks_read(const struct iot_input_spec *spec, GError **error);
/**
 * iot_clock_marks_boot - the boot id that the first marks of a recording say; the caller frees
 *
 * Looks at the first megabytes of each processor only. NULL: none; or the recording cannot be read,
 * which its other readers report.
 */
char *iot_clock_marks_boot(const struct iot_input_spec *spec);
/** iot_clock_marks_free - accepts NULL */
void iot_clock_marks_free(struct iot_clock_marks *marks);
/**
 * iot_clock_marks_pairs - of struct iot_clock_pair, ascending, for a change of a recording with
 *	this clock; NULL if there are fewer than two. The caller frees
 * @clock: that iot_clock_marks_serve
 * @out_back: incremented for each pair that was left out, because the clock was set back
 */
GArray *iot_clock_marks_pairs(const struct iot_clock_marks *marks, const char *clock,
			      guint *out_back);

#endif
