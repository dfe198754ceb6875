/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by check-locks.c, which follows the locks, and lock-findings.c, which judges them. */
#ifndef IOT_ANALYSIS_CHECK_LOCKS_LOCAL_H
#define IOT_ANALYSIS_CHECK_LOCKS_LOCAL_H

#include "analysis/check-locks.h"
#include "locks/intervals.h"

enum { NO_CHECK = -1 };

/* The checks about spans of a type, by number; NO_CHECK: there is none. */
struct type_facts {
	int overlap, unanswered, lost, unreleased;
	gboolean checked;
};

struct owner {
	iot_row_id row;
	guint16 lane;
	iot_str node;
};

/* A certain hold. */
struct checked_hold {
	struct owner owner;
	iot_cat_id cat;
	guint16 flags;
	guint64 t0, t1;
	guint64 called;	   /* begin of the call that led to it */
	gboolean kept;	   /* it is the rest of a hold that went down to it */
	gboolean released; /* it ended by a recorded event of its holder */
};

/* The part of the checks in a lock of the table. */
struct checked {
	/* spans that are open, or were unfinished at their end */
	iot_cat_id held;
	gboolean unknown;   /* the mode that is held is not known */
	gboolean overtaken; /* a much later request of another lock was granted */
	gboolean waits, leaves;
	iot_cat_id asks;
	guint64 wait_t0, leave_t0;
	guint64 wait_end, leave_end; /* of an unfinished span; 0: it is open */
	/* the last call that was completed */
	guint64 call_t0, call_t1;
	guint64 hold_t1; /* end of the last hold */
	/* the mode that the last hold went down to, and the end of that rest */
	iot_cat_id kept;
	guint64 kept_t1;
	/* of the certain hold */
	guint16 flags;
	gboolean is_rest; /* of a hold that went down to it */
	guint64 called;
	guint64 noticed; /* the holder was asked to release; 0: not */
	gboolean reported;
	/* struct checked_hold: ended ones of others that exclude it, and overlap; NULL: none */
	GArray *overlaps;
};

/* The same about a resource. */
struct checked_resource {
	guint16 certain[IOT_MAX_MODES + 1]; /* certain holds, by mode */
	guint64 modes;			    /* bits of modes with certain holds */
	guint64 changed;		    /* last begin or end of a hold */
};

struct iot_check_locks {
	const struct iot_timeline *tl;
	struct iot_locks *table;
	guint32 keeper;		    /* its bit in iot_lock.keepers */
	gsize of_lock, of_resource; /* room of struct checked, struct checked_resource */
	GArray *types;		    /* struct type_facts, by type */
	GArray *notices;	    /* iot_type_id of spans, by category of points; 0: no notice */
	struct iot_intervals *intervals; /* recoveries; NULL: no check asks */
	guint64 now;			 /* at the end */
};

static inline const struct iot_check *check_at(const struct iot_check_locks *locks, int check)
{
	return &g_array_index(iot_findings_checks(locks->tl->findings), struct iot_check, check);
}

static inline const struct type_facts *facts_of(const struct iot_check_locks *locks,
						iot_type_id type)
{
	return &g_array_index(locks->types, struct type_facts, type);
}

static inline struct iot_lock *lock_at(const struct iot_resource *resource, guint i)
{
	return resource->locks->pdata[i];
}

static inline struct checked *checked_of(const struct iot_check_locks *locks, struct iot_lock *lock)
{
	return iot_locks_part(lock, locks->of_lock);
}

static inline struct owner owner_of(const struct iot_lock *lock)
{
	return (struct owner){ lock->row, lock->lane, lock->node };
}

static inline gboolean exclude(const struct iot_check_locks *locks, iot_cat_id a, iot_cat_id b)
{
	return a && b && !iot_cats_compatible(locks->tl, a, b);
}

/** iot_check_overlap - the check @check finds two certain holds that exclude each other */
void iot_check_overlap(struct iot_check_locks *locks, int check, const struct checked_hold *a,
		       const struct checked_hold *b);
/** iot_check_released - whether @lock should have been released for @waiter before @t1, when the
 * holder releases, or the waiter gives up, or the recording ends */
void iot_check_released(struct iot_check_locks *locks, struct iot_lock *lock,
			struct iot_lock *waiter, guint64 t1);
/** iot_check_waits - at the end, the requests on a resource that nobody answered */
void iot_check_waits(struct iot_check_locks *locks, struct iot_resource *resource);

#endif
