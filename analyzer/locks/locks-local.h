/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by locks.c, which has the table, and lock-claims.c, which keeps and reports claims. */
#ifndef IOT_LOCKS_LOCKS_LOCAL_H
#define IOT_LOCKS_LOCKS_LOCAL_H

#include "locks/intervals.h"
#include "locks/locks.h"
#include "locks/span-claims.h"

/* What listeners ask for; those up to FORGOTTEN follow locks, the others claims. */
enum event {
	SPAN,
	HOLDS,
	HELD,
	QUEUE,
	FORGOTTEN,
	BEGAN,
	RELEASED,
	ANSWERED,
	BLOCKED,
	CROWDED,
	SETTLED,
	N_EVENTS
};

/* The known locks of a row. */
struct row {
	guint n_lanes;
	struct iot_lock **lane;
};

struct iot_locks {
	struct iot_timeline *tl;
	GArray *listeners[N_EVENTS]; /* struct iot_locks_listener: those that ask for it */
	gboolean follows_locks, follows_claims;
	gsize lock_size, resource_size; /* with the room of listeners */
	GArray *types;			/* gboolean, by type: it has spans of locks */
	struct iot_span_claims *spans;
	struct iot_places places;
	struct iot_intervals *intervals;
	GPtrArray *resources;  /* struct iot_resource or NULL, by row of the resource */
	GArray *rows;	       /* struct row, by row */
	GPtrArray *idle;       /* struct iot_lock, since the present instant */
	GArray *holds, *fresh; /* guint, in report_pairs: claims that hold, and that do so now */
	guint64 now, seq;
	guint n_keepers;
	struct iot_resource *changed, **last_changed; /* in the present instant */
};

/* Call a function of all listeners that have it. */
#define CALL(locks, event, function, ...)                                                         \
	for (guint l_ = 0; l_ < (locks)->listeners[event]->len; l_++) {                           \
		const struct iot_locks_listener *listener_ =                                      \
			&g_array_index((locks)->listeners[event], struct iot_locks_listener, l_); \
		listener_->function(listener_->user_data, __VA_ARGS__);                           \
	}

/** iot_lock_claims_span - a span on a resource begins or ends, of the kind of claim @kind */
void iot_lock_claims_span(struct iot_locks *locks, struct iot_resource *resource,
			  const struct iot_item *item, guint8 kind);
/** iot_lock_claims_settle - the present instant is complete: report it */
void iot_lock_claims_settle(struct iot_locks *locks);

#endif
