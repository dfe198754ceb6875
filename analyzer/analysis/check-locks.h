/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of [check] about the spans of locks on one resource: holds that exclude each other,
 * requests that nobody answers although nobody is in the way, conversions that a recovery lost, and
 * holders that do not release. A
 * hold counts while it is certain (struct iot_hold).
 */
#ifndef IOT_ANALYSIS_CHECK_LOCKS_H
#define IOT_ANALYSIS_CHECK_LOCKS_H

#include "locks/locks.h"
#include "timeline/findings.h"

struct iot_check_locks;

/** iot_check_locks_new - for the checks of @tl's models; NULL: none is about locks */
struct iot_check_locks *iot_check_locks_new(const struct iot_timeline *tl);
/** iot_check_locks_listen - to the table of locks; before the first item */
void iot_check_locks_listen(struct iot_check_locks *locks, struct iot_locks *table);
/** iot_check_locks_free - accepts NULL */
void iot_check_locks_free(struct iot_check_locks *locks);
/** iot_check_locks_wants - whether items of a kind and category count: points that ask holders to
 * release, and recoveries */
gboolean iot_check_locks_wants(const struct iot_check_locks *locks, enum iot_item_kind kind,
			       iot_cat_id cat);
/** iot_check_locks_item - such an item, in the order of stages */
void iot_check_locks_item(struct iot_check_locks *locks, const struct iot_item *item);
/** iot_check_locks_finish - after the last item, which was at @now, ns */
void iot_check_locks_finish(struct iot_check_locks *locks, guint64 now);

#endif
