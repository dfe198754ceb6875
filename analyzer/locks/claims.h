/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The claims of locks on one resource: waits, holds, holds that are being left, and locks of which
 * nobody knows the mode. Open claims are kept, and ended ones that an open wait may need.
 *
 * One thread at a time.
 */
#ifndef IOT_LOCKS_CLAIMS_H
#define IOT_LOCKS_CLAIMS_H

#include "timeline/timeline.h"

enum iot_claim_kind {
	IOT_CLAIM_HOLD,
	IOT_CLAIM_LEAVING,
	IOT_CLAIM_UNKNOWN,
	/* nobody is served, for instance because the lockspace is being recovered: of no lock */
	IOT_CLAIM_RECOVERY,
	IOT_CLAIM_WAIT
};

/* A span on a resource: one lock holds a mode, gives it up, or waits for it. */
struct iot_claim {
	guint8 kind;	 /* enum iot_claim_kind */
	guint8 open;	 /* gboolean, and the next four */
	guint8 converts; /* waits: of a lock that holds something */
	guint8 reported; /* its end, to listeners */
	guint8 tries;	 /* waits: the call gives up at once if another lock is in the way */
	guint8 changed;	 /* it is in iot_claims.changed */
	guint8 ranged;	 /* it is about a range, from first to last */
	guint8 unqueued; /* it has no place in a queue */
	guint16 lane, flags;
	guint partial; /* waits: 1 + place of the part that is explained; 0: there is none */
	iot_row_id row, resource;
	iot_str node;	/* name of the machine; 0: of the resource as a whole */
	iot_cat_id cat; /* mode that is held, given up or asked for; 0: not known */
	guint64 t0, t1; /* ns; t1 is G_MAXUINT64 while it is open */
	guint64 first, last;
	guint64 owner;	 /* whose claims do not exclude each other; 0: not known */
	guint64 lock;	 /* number of the lock */
	guint64 pid;	 /* of the process that asked for it; 0: not known */
	guint64 command; /* its name, a text attribute; 0: not known */
	guint64 result;	 /* waits: of the completion, a text attribute; 0: none yet */
	guint64 drawn;	 /* begin of the span; a hold may be certain again only later */
	guint64 began;	 /* instant of its begin item, after t0 if it is late */
	guint64 seq;	 /* of its begin, to order waits */
	guint64 added;	 /* number of the claim on its resource */
};

/* Until when the waits of a set were open, and without the lock that was last. */
struct iot_queue_end {
	guint64 t1, other_t1;
	iot_row_id row;
	guint16 lane;
};

struct iot_claims {
	GArray *waits, *others; /* struct iot_claim, in the order in which they were added */
	/* the claims that began or ended in the present instant: 2 * position, + 1 for waits */
	guint *changed;
	guint n_changed, room;
	guint64 n_added;
	/* the first so many waits have ended, and when they did */
	guint n_queued;
	struct iot_queue_end queued;
	gboolean unordered; /* some wait is a conversion, or began before the one before it */
};

void iot_claims_init(struct iot_claims *claims);
void iot_claims_clear(struct iot_claims *claims);

/** iot_claims_begin - a span begins: @claim, which is copied; sets its member converts */
void iot_claims_begin(struct iot_claims *claims, struct iot_claim *claim);
/** iot_claims_end - the span of a claim of the kind, lock, mode and begin of @like ends at @t1,
 * with its flags and result */
void iot_claims_end(struct iot_claims *claims, const struct iot_claim *like, guint64 t1);
/** iot_claims_begin_leaving - from @call, a call of its lock, on the hold is being left; certain is
 * only the mode @keeps (0: none) */
void iot_claims_begin_leaving(struct iot_claims *claims, const struct iot_claim *call,
			      iot_cat_id keeps);
/** iot_claims_end_leaving - the call has been answered at @t1: the rest of the hold is certain
 * again from @now on */
void iot_claims_end_leaving(struct iot_claims *claims, const struct iot_claim *call, guint64 t1,
			    guint64 now);
/** iot_claims_queue - until when waits of other locks that are before @wait were open, in @t1;
 * FALSE: the order of waits is not that of the list */
gboolean iot_claims_queue(struct iot_claims *claims, const struct iot_claim *wait, guint64 *t1);
/** iot_claims_drop_ended - remove the claims that ended at @least or before */
void iot_claims_drop_ended(struct iot_claims *claims, guint64 least);
/** iot_claims_sort_changed - in the order in which they were added */
void iot_claims_sort_changed(struct iot_claims *claims);
/** iot_claims_settle - the present instant is complete: nothing has changed */
void iot_claims_settle(struct iot_claims *claims);

static inline struct iot_claim *iot_claim_at(const GArray *claims, guint i)
{
	return &g_array_index(claims, struct iot_claim, i);
}
/** iot_claims_changed - the @i-th claim that began or ended in the present instant */
static inline struct iot_claim *iot_claims_changed(const struct iot_claims *claims, guint i)
{
	guint at = claims->changed[i];

	return iot_claim_at(at & 1 ? claims->waits : claims->others, at / 2);
}
static inline guint iot_claims_count(const struct iot_claims *claims)
{
	return claims->waits->len + claims->others->len;
}
/** iot_claim_queues - whether @wait can have a place in a queue: it asks for a mode, or for one
 * that is not known because its call was not seen. A call that asks for no mode excludes nobody,
 * and not all locks are served in the order of their calls. */
static inline gboolean iot_claim_queues(const struct iot_claim *wait)
{
	return !wait->unqueued &&
	       (wait->cat || wait->flags & (IOT_BEFORE | IOT_SUSPECT | IOT_UNKNOWN));
}
/** iot_claims_meet - whether the claims are about the same thing, and of different owners */
static inline gboolean iot_claims_meet(const struct iot_claim *a, const struct iot_claim *b)
{
	gboolean apart = a->ranged && b->ranged && (a->first > b->last || b->first > a->last);

	return !apart && !(a->owner && a->owner == b->owner && a->node == b->node);
}
/** iot_claims_exclude - whether one of the modes, both of which are known, excludes the other */
static inline gboolean iot_claims_exclude(const struct iot_timeline *tl, const struct iot_claim *a,
					  const struct iot_claim *b)
{
	return a->cat && b->cat && !iot_cats_compatible(tl, a->cat, b->cat) &&
	       iot_claims_meet(a, b);
}
static inline gboolean iot_claim_same_lock(const struct iot_claim *a, const struct iot_claim *b)
{
	return a->row == b->row && a->lane == b->lane;
}

#endif
