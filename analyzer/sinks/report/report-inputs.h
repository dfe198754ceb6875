/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections on the recordings. A section without content prints nothing, not even its heading. */
#ifndef IOT_SINKS_REPORT_REPORT_INPUTS_H
#define IOT_SINKS_REPORT_REPORT_INPUTS_H

#include "sinks/report/report-text.h"

/** iot_report_inputs - a row for each recording */
void iot_report_inputs(struct iot_report *report);
/** iot_report_times - begin and end of the recording and of the window */
void iot_report_times(struct iot_report *report);
/** iot_report_diagnostics - every counter that is not zero */
void iot_report_diagnostics(struct iot_report *report);

#endif
