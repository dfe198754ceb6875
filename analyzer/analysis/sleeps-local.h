/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by sleeps.c, which takes the items, and sleep-history.c, which keeps what threads did. */
#ifndef IOT_ANALYSIS_SLEEPS_LOCAL_H
#define IOT_ANALYSIS_SLEEPS_LOCAL_H

#include "analysis/sleeps.h"
#include "base/hashset.h"
#include "locks/places.h"

/* What a span says about its thread; of the open ones the first in this order counts. */
enum iot_meaning {
	IOT_MEANS_LOCK,
	IOT_MEANS_DEVICE,
	IOT_MEANS_STATE,
	IOT_MEANS_CALL,
	IOT_MEANS_NOTHING
};

/* An open span of a thread. */
struct iot_sleeper_span {
	guint64 t0;
	iot_row_id row;
	guint16 lane;
	iot_type_id type;
	iot_cat_id cat;
	enum iot_meaning meaning;
};

struct iot_sleeper {
	iot_str node;
	guint64 pid;
	iot_row_id row;	 /* of its states; 0: none was seen */
	GArray *open;	 /* struct iot_sleeper_span, by begin */
	GArray *history; /* struct iot_account_part: in order, up to @done */
	guint64 done;
	guint64 slept_from, slept_to; /* the last sleep whose end was seen and has no waker yet */
	guint64 woken_at;	      /* the end of the last sleep that has one */
};

/* A wake-up at the present instant. */
struct iot_wake_up {
	struct iot_sleeper *sleeper, *waker; /* waker NULL: an interrupt */
	iot_str interrupt;
	guint64 t;
};

struct iot_sleeps {
	struct iot_timeline *tl;
	struct iot_places places;
	struct iot_wakers *wakers;
	GArray *pid_at;		    /* gint8, by type: position of "pid" of calls and waits; -1 */
	GArray *states;		    /* gboolean, by type: states of threads */
	struct iot_hashset threads; /* struct iot_sleeper */
	GPtrArray *by_row;	    /* the same, by the row of states; NULL: not asked yet */
	gboolean any_state;	    /* so far */
	GArray *wakes;		    /* struct iot_wake_up */
	GArray *scratch;	    /* struct iot_account_part */
	guint max_parts;
	guint64 n_parts,
		next_sweep; /* in all histories; beyond, those of ended threads are dropped */
};

/** iot_history_part - a part of an array */
static inline struct iot_account_part *iot_history_part(const GArray *parts, guint i)
{
	return &g_array_index(parts, struct iot_account_part, i);
}

/** iot_history_init - no parts yet */
void iot_history_init(struct iot_sleeps *sleeps);
/** iot_history_is_sleep - in the part the thread slept, and nobody knows yet what woke it */
gboolean iot_history_is_sleep(const struct iot_sleeps *sleeps, const struct iot_account_part *part);
/** iot_history_add - append the part, cut to [@t0, @t1], which has no length if it is empty */
void iot_history_add(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper,
		     const struct iot_account_part *part, guint64 t0, guint64 t1);
/** iot_history_bound - the history has grown: merge parts if there are too many */
void iot_history_bound(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper);
/** iot_history_advance - the thread has done until @t what it does */
void iot_history_advance(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper, guint64 t);
/** iot_history_after - the first part that ends after @t */
guint iot_history_after(const GArray *parts, guint64 t);
/** iot_history_take - take the history from @t0 on away from the thread: it is written again.
 * Returns: the parts, valid until the next call; the first may begin before @t0 */
const GArray *iot_history_take(struct iot_sleeps *sleeps, const struct iot_sleeper *sleeper,
			       guint64 t0);

#endif
