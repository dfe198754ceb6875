/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOT_SINKS_REPORT_SHORT_H
#define IOT_SINKS_REPORT_SHORT_H

#include "sinks/publish.h"
#include "sinks/result-text.h"

/**
 * iot_report_short - the answers of a report in at most 40 lines: the verdict, the five slowest
 * calls, the five longest waits, who blocked whom, losses, clocks, and how to see more
 * @results: of iot_publish(@from)
 * @style: a width of 0 is 100 columns
 */
void iot_report_short(const struct iot_publishing *from, const struct iot_results *results,
		      const struct iot_result_style *style);

#endif
