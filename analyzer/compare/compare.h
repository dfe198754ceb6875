/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares two runs by their summaries: which states take longer, where, and how sure that is.
 *
 * States are compared as a whole, by mode, by node, by place, and by all of these. A difference is
 * significant if the rank test (compare/rank-test.h) refutes equality at the level 5 % after the
 * correction of Holm for the number of all comparisons: so two runs of one process show any
 * difference in at most 5 % of cases. One thread at a time.
 */
#ifndef IOT_COMPARE_COMPARE_H
#define IOT_COMPARE_COMPARE_H

#include "compare/run-summary.h"
#include "timeline/result-table.h"

struct iot_comparison;

/**
 * iot_compare - compare @b, the later run, with @a; both must outlive the comparison
 * @limits: --limits FILE (compare/limits.h), or NULL
 */
struct iot_comparison *iot_compare(const struct iot_run_summary *a, const struct iot_run_summary *b,
				   const GPtrArray *limits);
void iot_comparison_free(struct iot_comparison *comparison);
typedef struct iot_comparison iot_comparison;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_comparison, iot_comparison_free)

/** iot_comparison_alarms - number of limits that @b exceeds; without limits, of states in which
 * somebody waits that take significantly longer */
guint iot_comparison_alarms(const struct iot_comparison *comparison);
/** iot_comparison_publish - the verdict, and the tables of differences; the caller frees */
struct iot_results *iot_comparison_publish(const struct iot_comparison *comparison);

#endif
