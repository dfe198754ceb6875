/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections on calls, waits and gaps. A section without content prints nothing, not even its
 * heading. */
#ifndef IOT_SINKS_REPORT_REPORT_EVENTS_H
#define IOT_SINKS_REPORT_REPORT_EVENTS_H

#include "sinks/report/report-text.h"

/** iot_report_results - calls, completions and other points, with their results */
void iot_report_results(struct iot_report *report);
/** iot_report_longest - the longest waits */
void iot_report_longest(struct iot_report *report);
/** iot_report_gaps - lost events by node */
void iot_report_gaps(struct iot_report *report);

#endif
