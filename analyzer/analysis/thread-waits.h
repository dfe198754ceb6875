/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What threads wait for: open waits, and ended waits with their holders as long as a wait is open
 * that began earlier. So the holder of a lock can be asked what it waited for meanwhile.
 *
 * A thread is a node and the number of a process. If the model does not say which process waits or
 * holds, any wait of the node may be that of the holder. One thread at a time.
 */
#ifndef IOT_ANALYSIS_THREAD_WAITS_H
#define IOT_ANALYSIS_THREAD_WAITS_H

#include "analysis/waits.h"

/* A wait of a thread. */
struct iot_thread_wait {
	struct iot_claim claim;
	struct iot_blocker *blockers; /* of an ended wait */
	guint n_blockers;
	struct iot_thread *thread;
	guint at;   /* among the waits of the thread */
	GList link; /* in the list of open waits, or of ended ones */
};

struct iot_thread_waits;

/** iot_thread_waits_new - listens to @waits */
struct iot_thread_waits *iot_thread_waits_new(struct iot_timeline *tl, struct iot_waits *waits);
/** iot_thread_waits_free - accepts NULL */
void iot_thread_waits_free(struct iot_thread_waits *threads);
/**
 * iot_thread_waits_find - the waits in [@t0, @t1) of the thread that holds a lock, by begin
 *
 * Returns: (element-type struct iot_thread_wait): the caller frees the array; the waits are valid
 * until the next item
 */
GPtrArray *iot_thread_waits_find(struct iot_thread_waits *threads, const struct iot_claim *hold,
				 guint64 t0, guint64 t1);
/** iot_thread_is_known - whether both claims name their process */
static inline gboolean iot_thread_is_known(const struct iot_claim *a, const struct iot_claim *b)
{
	return a->pid && b->pid;
}
/** iot_thread_may_be - whether the claims may be of one thread */
static inline gboolean iot_thread_may_be(const struct iot_claim *a, const struct iot_claim *b)
{
	return a->node == b->node && (!iot_thread_is_known(a, b) || a->pid == b->pid);
}

#endif
