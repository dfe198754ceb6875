/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of blame, by subject. */
#ifndef IOT_ANALYSIS_BLAME_TABLES_H
#define IOT_ANALYSIS_BLAME_TABLES_H

#include "analysis/blame-sums.h"

/** iot_blame_sorted - the sums in an order; the caller frees the array */
GPtrArray *iot_blame_sorted(const struct iot_blame *blame, enum iot_blame_by by,
			    GCompareDataFunc compare);
/** iot_blame_by_time - a GCompareDataFunc: those with the most time first, a total order */
gint iot_blame_by_time(gconstpointer pa, gconstpointer pb, gpointer tl);

/** iot_blame_because - "node 2", or the name of a cause */
const char *iot_blame_because(const struct iot_timeline *tl, const struct iot_blame_key *key);

/** iot_blame_publish_longest - who was in the way during the longest waits */
void iot_blame_publish_longest(const struct iot_blame *blame, struct iot_results *results);
/** iot_blame_publish_resources - causes of waits by resource */
void iot_blame_publish_resources(const struct iot_blame *blame, struct iot_results *results);
/** iot_blame_publish_stacks - stacks of waiters and holders, for flame graphs */
void iot_blame_publish_stacks(const struct iot_blame *blame, struct iot_results *results);

#endif
