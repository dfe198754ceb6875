/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time in each state, a section for each type of units (locks, files, threads). */
#ifndef IOT_SINKS_REPORT_REPORT_UNITS_H
#define IOT_SINKS_REPORT_REPORT_UNITS_H

#include "sinks/report/report-text.h"

/** iot_report_units - the units with the longest waits, or all with the option all */
void iot_report_units(struct iot_report *report);

#endif
