/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by anatomy.c, which reads items, and anatomy-locks.c, which has the locks. */
#ifndef IOT_ANALYSIS_ANATOMY_LOCAL_H
#define IOT_ANALYSIS_ANATOMY_LOCAL_H

#include "analysis/anatomy.h"
#include "locks/places.h"
#include "base/hashset.h"

/* Facts about a type. */
struct type_facts {
	gboolean waits; /* spans of waits and holds that are looked at */
	int pid;	/* position of the attribute; -1: there is none */
	int message;	/* the same */
};

struct lock_key {
	iot_row_id row;
	guint64 number;
};

struct hold {
	iot_cat_id cat; /* 0: nothing is held */
	guint64 since, asked, called;
};

struct lock {
	struct lock_key key;
	struct resource *resource;
	struct hold hold;
	/* the last question, perhaps about a hold that has not been drawn yet; the answer that
	   such a hold will begin with */
	guint64 asked, granted;
	gboolean waits, returned, leaves, idle;
	guint64 pid;
	gint64 n_in_way;	 /* holds in the way of the wait: see count_in_way */
	gboolean counted;	 /* its hold, in the modes of the resource */
	iot_row_id master;	 /* row that got the request; 0: no message arrived */
	guint n_sent, n_arrived; /* messages of this wait */
	guint64 redirected;	 /* when the wait heard who the master is; 0: it did not ask */
	iot_cat_id asks;
	struct iot_handover wait;
	/* ended, but its call has not returned */
	gboolean unreturned;
	struct iot_anatomy_wait ended;
	guint64 completed;
};

struct release {
	struct lock_key key;
	iot_cat_id cat;	   /* mode that is given up */
	guint64 call, got; /* got 0: no message has arrived */
	iot_row_id at;	   /* row that got it */
	struct hold hold;
};

/* The holds in one mode on a resource. */
struct mode {
	iot_cat_id cat;
	gint64 held;  /* now, and not being left */
	gint64 begun; /* so far */
};

struct resource {
	GPtrArray *locks; /* struct lock */
	GArray *modes;	  /* struct mode */
	GArray *releases; /* struct release, by call */
	guint n_waits;
};

struct listener {
	iot_anatomy_func func;
	gpointer user_data;
};

struct iot_anatomy {
	const struct iot_timeline *tl;
	GArray *listeners;	  /* struct listener */
	GArray *types;		  /* struct type_facts, by type */
	struct iot_hashset locks; /* of struct lock, which the resources own */
	GPtrArray *idle;	  /* struct lock, since the present instant */
	GHashTable *talks;	  /* set of names of nodes whose messages are recorded */
	GHashTable *requests;	  /* set of names of messages that are requests */
	gboolean *excludes;	  /* by category of the wait and of the hold: it is in the way */
	guint n_cats;		  /* when the models were loaded */
	struct iot_places places;
	GPtrArray *resources;	/* struct resource or NULL, by row */
	gboolean knows_returns; /* some model has points for returns */
	/* messages of ended waits that have not arrived: a node is not recorded */
	guint64 n_astray;
};

static inline gboolean iot_lock_key_equal(const struct lock_key *a, const struct lock_key *b)
{
	return a->row == b->row && a->number == b->number;
}

static inline iot_row_id iot_anatomy_resource(struct iot_anatomy *a, iot_row_id row)
{
	return iot_place_of(&a->places, row)->resource;
}

/* The name of the node of a row. */
static inline iot_str iot_anatomy_node(struct iot_anatomy *a, iot_row_id row)
{
	return iot_place_of(&a->places, row)->name;
}

static inline struct release *iot_release_at(const struct resource *resource, guint i)
{
	return &g_array_index(resource->releases, struct release, i);
}

/** iot_anatomy_excludes - whether a hold of the mode @held is in the way of a wait for @asks */
gboolean iot_anatomy_excludes(const struct iot_timeline *tl, iot_cat_id asks, iot_cat_id held);

/* ---- anatomy-locks.c; locks belong to their resource */

/** iot_lock_find - the lock of a row with a number; NULL: there is none */
struct lock *iot_lock_find(const struct iot_anatomy *a, iot_row_id row, guint64 number);
struct lock *iot_lock_add(struct iot_anatomy *a, iot_row_id row, guint64 number);
/** iot_lock_settle - after a change: it may be forgotten at the end of the instant */
void iot_lock_settle(struct iot_anatomy *a, struct lock *lock);
/** iot_lock_forget - free the lock if it holds nothing and waits for nothing */
void iot_lock_forget(struct iot_anatomy *a, struct lock *lock);
void iot_lock_begin_wait(struct iot_anatomy *a, struct lock *lock, const struct iot_item *item);
void iot_lock_end_wait(struct iot_anatomy *a, struct lock *lock, const struct iot_item *item);
/** iot_lock_finish_wait - hand the ended wait of a lock to the listeners, if there is one
 * @returned: when its call returned, ns; 0: not known */
void iot_lock_finish_wait(const struct iot_anatomy *a, struct lock *lock, guint64 returned);
void iot_lock_begin_hold(const struct iot_anatomy *a, struct lock *lock,
			 const struct iot_item *item);
void iot_lock_end_hold(struct lock *lock);
void iot_lock_begin_release(struct lock *lock, const struct iot_item *item);
/** iot_releases_limit - drop the releases of a resource that no wait needs */
void iot_releases_limit(struct resource *resource);
void iot_anatomy_resource_free(gpointer resource);

#endif
