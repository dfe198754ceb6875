/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions of the parts of waits: by place of the master, by mode, node and resource. One
 * thread at a time.
 */
#ifndef IOT_ANALYSIS_ANATOMY_SUMS_H
#define IOT_ANALYSIS_ANATOMY_SUMS_H

#include "analysis/anatomy.h"
#include "timeline/result-table.h"

struct iot_anatomy_sums;

/** iot_anatomy_sums_new - without waits; @tl lives longer. The caller frees */
struct iot_anatomy_sums *iot_anatomy_sums_new(const struct iot_timeline *tl);
/** iot_anatomy_sums_free - accepts NULL */
void iot_anatomy_sums_free(struct iot_anatomy_sums *sums);
/** iot_anatomy_sums_add - add a wait that has ended to the sums of its master, mode, node and
 * resource */
void iot_anatomy_sums_add(struct iot_anatomy_sums *sums, const struct iot_anatomy_wait *wait);
/** iot_anatomy_sums_publish - add the tables, if there was a wait */
void iot_anatomy_sums_publish(const struct iot_anatomy_sums *sums, struct iot_results *results);

#endif
