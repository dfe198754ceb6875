/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intervals that are causes for the waits of more than one resource: gaps, for all of them, and
 * spans of role RECOVERY, for those of the resources that have the same row above. The last 256 of
 * both are kept.
 *
 * One thread at a time.
 */
#ifndef IOT_LOCKS_INTERVALS_H
#define IOT_LOCKS_INTERVALS_H

#include "locks/claims.h"

/** IOT_MAX_INTERVALS - gaps that are kept, and recoveries */
enum { IOT_MAX_INTERVALS = 256 };

struct iot_intervals *iot_intervals_new(const struct iot_timeline *tl);
/** iot_intervals_free - accepts NULL */
void iot_intervals_free(struct iot_intervals *intervals);

/** iot_intervals_wants - whether iot_intervals_item uses items of a kind and role */
gboolean iot_intervals_wants(enum iot_item_kind kind, enum iot_role role);

/** iot_intervals_item - the next item, of any kind; a recovery counts from its begin item on */
void iot_intervals_item(struct iot_intervals *intervals, const struct iot_item *item);

/**
 * iot_intervals_append - append the intervals that overlap with the time from @t0 to @t1 ns
 * @resource: row of the resource that is waited for
 * @claims: (element-type struct iot_claim): of kind UNKNOWN or RECOVERY
 * Returns: FALSE if an interval that is no longer kept may overlap with the time, too.
 */
gboolean iot_intervals_append(const struct iot_intervals *intervals, iot_row_id resource,
			      guint64 t0, guint64 t1, GArray *claims);

#endif
