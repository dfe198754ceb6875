/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All waits for resources whose model has a matrix ([compatible]), each with the causes of its
 * time: listens to the table of locks, which drops ended spans only after the open waits have been
 * explained up to then. The stages of a run share one object.
 *
 * One thread at a time.
 *
 * All spans of a resource are kept until its open waits have ended, so late spans and gaps count,
 * too. A gap counts for the waits of all resources. A span of role RECOVERY counts for those of
 * the resources that have the same row above, on whichever node it was recorded: nodes recover a
 * lockspace together. intervals.c keeps the last 256 of both. Unexplained time (unexplained.h) is
 * split into messages, callbacks and the rest before listeners get the wait.
 *
 * If more than 128 holds were in the way of a wait, the longest 128 are kept; the rest is merged
 * by lock and mode, and begins no chains. If these are more than 64 locks, those with the shortest
 * times are merged by node and mode, and the wait is counted (wait-merge.c).
 */
#ifndef IOT_ANALYSIS_WAITS_H
#define IOT_ANALYSIS_WAITS_H

#include "analysis/anatomy.h"
#include "analysis/wait-parts.h"
#include "locks/locks.h"

/* A wait has ended, with all sums. */
typedef void (*iot_wait_func)(gpointer user_data, const struct iot_wait *wait);

/** iot_waits_new - listens to @locks, which is freed after it */
struct iot_waits *iot_waits_new(struct iot_timeline *tl, struct iot_locks *locks);
/** iot_waits_free - accepts NULL */
void iot_waits_free(struct iot_waits *waits);
/** iot_waits_locks - the table of locks */
struct iot_locks *iot_waits_locks(const struct iot_waits *waits);
/** iot_waits_use_parts - split the unexplained time of waits that end by @anatomy, which gets the
 * same items; before the first item */
void iot_waits_use_parts(struct iot_waits *waits, const struct iot_anatomy *anatomy);
/** iot_waits_listen - call @func for each wait that has ended, for an instant when the first item
 * of a later instant comes; before the first item */
void iot_waits_listen(struct iot_waits *waits, iot_wait_func func, gpointer user_data);
/** iot_waits_queued - in @copy, those who were before @wait in the queue; while its end is reported
 */
void iot_waits_queued(struct iot_waits *waits, const struct iot_wait *wait, struct iot_wait *copy);
/** iot_waits_so_far - a wait that has not been reported yet, explained up to now; the caller frees
 * it */
struct iot_wait *iot_waits_so_far(struct iot_waits *waits, const struct iot_claim *wait);

#endif
