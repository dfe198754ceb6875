/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the rules of models ([check]) and of the places where they are broken. */
#ifndef IOT_ANALYSIS_CHECK_TABLES_H
#define IOT_ANALYSIS_CHECK_TABLES_H

#include "timeline/findings.h"
#include "timeline/result-table.h"

/** iot_check_publish - grade the findings and add the tables "checks" and "findings"
 * Returns: the table of the rules, for notes of what was not checked */
struct iot_result_table *iot_check_publish(const struct iot_timeline *tl,
					   struct iot_results *results);

#endif
