/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All locks: one table, made of the items of the timeline once, in order of time. Analyses listen,
 * and keep what they add for each lock and each resource in the table (iot_locks_room_*).
 *
 * A lock is a lane of a row of a node; its resource is the row above that of the node. A lock is
 * known from the begin of its first span on, until the instant is complete at which its last span
 * ends, unless a listener keeps it. A resource stays.
 *
 * If the modes of a model are compared ([compatible]), a resource keeps the claims of its open
 * spans, and of those that ended during a wait that is still open. If too many have ended,
 * listeners are told, and the ended ones are dropped. Late spans (BEFORE, SUSPECT) count from their
 * own begin on, but not for waits that have ended: such a wait was granted although the lock was
 * there.
 *
 * One thread at a time.
 */
#ifndef IOT_LOCKS_LOCKS_H
#define IOT_LOCKS_LOCKS_H

#include "locks/claims.h"
#include "locks/places.h"

struct iot_locks;

/* A resource, and the room of the listeners. */
struct iot_resource {
	iot_row_id row;
	struct iot_claims claims;
	GPtrArray *locks; /* struct iot_lock, the known ones; only if some listener follows locks */
	guint n_waits;	  /* in claims, that have not been reported */
	guint n_kept;	  /* claims after the last search for ended ones that no wait needs */
	gboolean changed; /* in the present instant, with the next one: */
	struct iot_resource *next;
};

/* A hold while it is certain: from the begin of its span up to the call that gives it up. Meanwhile
 * the mode that the call asks for is certain; and if the span goes on after the answer, it is
 * certain again. */
struct iot_hold {
	iot_cat_id cat; /* 0: nothing is held for certain */
	guint64 t0;	/* ns */
	gboolean kept;	/* it is the rest of a hold that is being left */
};

/* A lock, and the room of the listeners. */
struct iot_lock {
	struct iot_resource *resource;
	iot_row_id row;
	iot_str node;	  /* name of the machine */
	iot_type_id type; /* of its first span */
	guint16 lane;
	guint n_spans;	  /* that are open, */
	guint n_waits;	  /* and the waits among them: those of one lock nest */
	iot_cat_id held;  /* of its open span of role HOLD; 0: there is none */
	gboolean unknown; /* nobody knows the mode that it holds */
	struct iot_hold hold;
	guint at;	 /* in resource->locks */
	guint32 keepers; /* bits of the listeners that need it without a span */
	gboolean idle;	 /* it may be forgotten when the present instant is complete */
};

/* The listener's functions; NULL: it does not ask. */
struct iot_locks_listener {
	/* ---- at the item itself: the listener follows locks */
	/* A span of role WAIT, HOLD or LEAVING begins or ends; the lock has counted it. */
	void (*span)(gpointer user_data, struct iot_lock *lock, const struct iot_item *item);
	/* lock->hold begins, by the begin of its span or of a call, or by the end of a call. */
	void (*holds)(gpointer user_data, struct iot_lock *lock, const struct iot_item *item);
	/* lock->hold ends at @t1, ns, or is being left from then on. */
	void (*held)(gpointer user_data, struct iot_lock *lock, const struct iot_item *item,
		     guint64 t1);
	/* The lock begins to wait, or ceases to. */
	void (*queue)(gpointer user_data, struct iot_lock *lock, const struct iot_item *item);
	/* The lock is freed. */
	void (*forgotten)(gpointer user_data, struct iot_lock *lock);

	/* ---- about claims: for an instant when the first item of a later instant comes */
	/* A wait or a hold begins at the present instant and is open. Not for claims without an
	 * extent. */
	void (*began)(gpointer user_data, const struct iot_claim *claim);
	/* A hold has ended, or its holder has called to give it up. */
	void (*released)(gpointer user_data, const struct iot_claim *hold);
	/* A wait has ended. */
	void (*answered)(gpointer user_data, const struct iot_claim *wait);
	/* From the present instant on the hold is in the way of the wait. */
	void (*blocked)(gpointer user_data, const struct iot_claim *wait,
			const struct iot_claim *hold);
	/* The ended claims of the resource are going to be dropped, though a wait is open. */
	void (*crowded)(gpointer user_data, struct iot_resource *resource);
	/* All changes of the present instant have been reported. */
	void (*settled)(gpointer user_data, guint64 now);
	gpointer user_data;
};

/** iot_locks_compared - whether some model has a matrix; without one there are no claims */
gboolean iot_locks_compared(const struct iot_timeline *tl);

struct iot_locks *iot_locks_new(struct iot_timeline *tl);
/** iot_locks_free - accepts NULL; the listeners are called no more */
void iot_locks_free(struct iot_locks *locks);
/** iot_locks_listen - call @listener, which is copied; before the first item */
void iot_locks_listen(struct iot_locks *locks, const struct iot_locks_listener *listener);
/** iot_locks_room_lock - reserve @size bytes in each lock, 0 at first: iot_locks_part(lock, room);
 * before the first item */
gsize iot_locks_room_lock(struct iot_locks *locks, gsize size);
/** iot_locks_room_resource - the same for each resource */
gsize iot_locks_room_resource(struct iot_locks *locks, gsize size);
/** iot_locks_keeper - a bit for a listener that needs locks without a span: iot_lock_keep */
guint32 iot_locks_keeper(struct iot_locks *locks);
/** iot_lock_keep - whether the listener with the bit @keeper needs the lock; in a call of span */
static inline void iot_lock_keep(struct iot_lock *lock, guint32 keeper, gboolean needed)
{
	lock->keepers = needed ? lock->keepers | keeper : lock->keepers & ~keeper;
}
static inline gpointer iot_locks_part(gpointer lock_or_resource, gsize room)
{
	return (char *)lock_or_resource + room;
}

/** iot_locks_wants - whether items of a kind and category count (gaps: category 0); all others may
 * be left out, if iot_locks_advance gets their instants */
gboolean iot_locks_wants(const struct iot_locks *locks, enum iot_item_kind kind, iot_cat_id cat);
/** iot_locks_advance - the next item is at @now, ns: earlier instants are complete */
void iot_locks_advance(struct iot_locks *locks, guint64 now);
/** iot_locks_item - the next item, in the order of stages */
void iot_locks_item(struct iot_locks *locks, const struct iot_item *item);
/** iot_locks_finish - after the last item */
void iot_locks_finish(struct iot_locks *locks);

/** iot_locks_now - the instant of the last item, ns */
guint64 iot_locks_now(const struct iot_locks *locks);
/** iot_locks_place - node and resource of a row; valid until the next call */
const struct iot_place *iot_locks_place(struct iot_locks *locks, iot_row_id row);
/** iot_locks_find - the known lock of a lane; NULL: there is none */
struct iot_lock *iot_locks_find(const struct iot_locks *locks, iot_row_id row, guint lane);
/** iot_locks_resource - the resource on a row; NULL: no item was about it */
struct iot_resource *iot_locks_resource(const struct iot_locks *locks, iot_row_id row);
/** iot_locks_n_rows - resources have rows below this one */
guint iot_locks_n_rows(const struct iot_locks *locks);

/** iot_locks_in_way - the open holds in the way of an open wait now
 * @holds: (element-type struct iot_claim): its elements are replaced */
void iot_locks_in_way(const struct iot_locks *locks, const struct iot_claim *wait, GArray *holds);
/** iot_locks_ahead - the conversions that an open conversion may have to wait for, because they
 * began earlier and ask for modes that exclude its own; appended to @ahead (element-type struct
 * iot_claim) */
void iot_locks_ahead(const struct iot_locks *locks, const struct iot_claim *wait, GArray *ahead);
/** iot_locks_granted - whether the lock of a wait that ends now holds a new mode */
gboolean iot_locks_granted(const struct iot_locks *locks, const struct iot_claim *wait);
/** iot_locks_intervals - append gaps, which count for all resources, and recoveries of the
 * resource's lockspace: see iot_intervals_append. The nodes recover together, in steps for which
 * they wait for each other, and a node that is still at it answers no request of those that are
 * done */
gboolean iot_locks_intervals(const struct iot_locks *locks, iot_row_id resource, guint64 t0,
			     guint64 t1, GArray *claims);

#endif
