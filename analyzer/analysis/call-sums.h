/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the time of calls went: the parts of all calls of one kind ("write"), added up, with their
 * percentiles over these calls. A call without a part counts as 0 of it, so that 99 of 100 calls
 * spent at most the 99th percentile there. Parts of calls whose begin or end was not seen, and of
 * those that served another machine's request, are left out. One thread at a time.
 */
#ifndef IOT_ANALYSIS_CALL_SUMS_H
#define IOT_ANALYSIS_CALL_SUMS_H

#include "analysis/slow-calls-local.h"

struct iot_call_sums;

struct iot_call_sums *iot_call_sums_new(const struct iot_timeline *tl);
/** iot_call_sums_free - accepts NULL */
void iot_call_sums_free(struct iot_call_sums *sums);
/** iot_call_sums_add - a call has ended */
void iot_call_sums_add(struct iot_call_sums *sums, const struct iot_slow_call *call);
/** iot_call_sums_publish - add the table, with the kinds of calls of which some part is explained
 */
void iot_call_sums_publish(struct iot_call_sums *sums, struct iot_results *results);

#endif
