/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks of this machine's clocks in the trace: "iotrace-clocks mono=NS boot=NS real=NS tai=NS
 * boot_id=ID". By them iotrace-analyze places other recordings of the machine, such as a log of
 * strace (analyzer/input/clock-marks.h). Used by iotrace-clock and iotrace-record.
 */
#ifndef IOTRACE_CLOCK_MARK_H
#define IOTRACE_CLOCK_MARK_H

/** CLOCK_MARK_TEXT - with this text each mark begins */
#define CLOCK_MARK_TEXT "iotrace-clocks "

/**
 * clock_mark - write a row of marks
 * @marker: the file trace_marker of tracefs, or of an instance
 *
 * The clocks of a mark are read after the mark before it was written, so two marks bound the
 * reading; of several the closest two count. -1: errno is set.
 */
int clock_mark(const char *marker);

#endif
