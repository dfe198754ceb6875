/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by slow-calls.c, which follows the threads, slow-waits.c, which adds up the waits of a
 * call, and slow-calls-table.c, which publishes them. */
#ifndef IOT_ANALYSIS_SLOW_CALLS_LOCAL_H
#define IOT_ANALYSIS_SLOW_CALLS_LOCAL_H

#include "locks/places.h"
#include "analysis/slow-calls.h"
#include "analysis/stolen-nodes.h"

enum {
	IOT_SLOW_CALLS = 10,
	/* Waits of a slow call that are published, the longest. */
	IOT_SLOW_WAITS = 8,
	/* Resources of a slow call that its sentence names, those that it waited for most. */
	IOT_SLOW_RESOURCES = 3,
	/* Parts of the work for a slow call that are published, the longest; and as many of its
	   sleeps. */
	IOT_SLOW_PARTS = 16
};

/* Who asked for a lock. */
enum iot_asker {
	IOT_ASKER_ITSELF, /* the thread of the call */
	IOT_ASKER_NODE,	  /* another thread of its node */
	/* Nobody has asked yet: the thread waits for another one of its node. */
	IOT_ASKER_NOBODY,
	IOT_ASKER_UNKNOWN, /* locks are not recorded, or nobody knows which one it is */
	IOT_N_ASKERS
};

/* A wait inside a call. */
struct iot_slow_wait {
	guint64 t0, t1;
	iot_row_id row;
	guint64 ns;	       /* inside the call, and not covered by an earlier wait */
	iot_cat_id asks;       /* the mode that is asked for */
	iot_str node;	       /* of the hold that was longest in the way; 0: none was */
	iot_cat_id held;       /* its mode */
	guint64 pid, command;  /* its process */
	guint64 held_ns;       /* in which it was in the way */
	const char *certainty; /* as iot_blocker_certainty; NULL: no hold was */
	gboolean cut;	       /* begin or end was not seen */
	enum iot_cause cause;  /* of the longest part of the wait */
	enum iot_asker asker;
};

/* All waits of a call for one resource. */
struct iot_slow_resource {
	iot_row_id row; /* 0: there is none */
	guint64 ns;
	struct iot_slow_wait longest;
};

/* The time of all parts of the work for a call that are alike. */
struct iot_slow_part {
	iot_cat_id asked, cat; /* as struct iot_account_part */
	enum iot_phase phase;
	iot_row_id row;
	guint32 wakers;
	guint64 ns;
};

struct iot_slow_call {
	struct iot_item item;
	iot_row_id rows_seen; /* no item had come on this row or a later one when it ended */
	guint64 pid, command;
	guint64 ns[IOT_N_REASONS + 1]; /* its time by reason, the last one not explained */
	/* of the time that is not explained: in which others worked for it, and their work */
	guint64 linked_ns;
	guint64 asleep_ns; /* of what is left: it slept, and its waker is known */
	guint n_parts;
	guint64 n_concurrent;		/* requests beside others that ended later */
	guint64 waited_ns;		/* in which the thread waited for at least one resource */
	guint64 asked_ns[IOT_N_ASKERS]; /* the same, by who asked for the locks */
	guint n_waits;
	/* some waits were forgotten, belong to the time before or after, or may be unseen */
	gboolean at_least;
	struct iot_slow_resource most[IOT_SLOW_RESOURCES]; /* the most time first */
	struct iot_slow_wait longest[IOT_SLOW_WAITS];	   /* in order of time */
	guint n_longest;
	/* n_parts: work for it, the most time first, then sleeps. The last member: a new call has
	   no parts, so nothing need be set here */
	struct iot_slow_part part[2 * IOT_SLOW_PARTS];
};

/* The slowest calls, the slowest first. */
struct iot_slowest {
	struct iot_slow_call call[IOT_SLOW_CALLS];
	guint n;
	guint64 n_calls;      /* of all that were compared */
	guint64 n_bystanders; /* of these; they are last */
	guint64 n_serving;    /* left out: the work of requests from other machines */
};

struct iot_slow_calls {
	struct iot_timeline *tl;
	struct iot_places places;
	GArray *pid_at;	     /* gint8, by type: position of "pid" of calls; -1: no call */
	GArray *reasons;     /* guint8, by type: bits of the reasons that its spans can be */
	GHashTable *threads; /* set of struct thread */
	GHashTable *queues;  /* by place (twins.h): GPtrArray of the threads that wait there */
	struct iot_twins *twins;
	struct iot_stolen_nodes *stolen;
	GArray *recorded; /* guint8, by name of a node: bits of the reasons that it has */
	struct iot_slowest all, waited;
	const struct iot_accounts *accounts; /* NULL: no model says what was done for a call */
	const struct iot_sleeps *sleeps;     /* NULL: no model says what wakes a thread */
	iot_slow_call_func func;	     /* NULL: nobody listens */
	gpointer user_data;
	GPtrArray *ended; /* threads whose call has ended at the present instant */
};

/** iot_slow_waits_measure - order the waits by begin, and set the time of each inside [@t0, @t1],
 * ns, that no earlier wait covers
 * @waits: (element-type struct iot_slow_wait) */
void iot_slow_waits_measure(GArray *waits, guint64 t0, guint64 t1);
/** iot_slow_waits_add_up - order the measured waits by begin, and set the members of @call about
 * them: sums, resources, the longest */
void iot_slow_waits_add_up(const struct iot_timeline *tl, GArray *waits,
			   struct iot_slow_call *call);
/** iot_slow_parts_add_up - set the members of @call about the work for it, which is given the time
 * that has no reason, and about the wakers of its thread, which are given what is left
 * @account: NULL: nothing is known
 * @asleep: of iot_sleeps_find
 * @free: struct iot_free_time, in order */
void iot_slow_parts_add_up(const struct iot_account *account, const GArray *asleep,
			   const GArray *free, struct iot_slow_call *call);
/* A part of the sentence about a call: "waited for locks" and its time. */
struct iot_slow_clause {
	guint64 ns;
	guint number; /* keeps the order of equal times */
	guint rank;   /* 0; remainders come last: 1 other parts, 2 not explained */
	char *text;
};
/** iot_slow_parts_clauses - the work for the call, where alike parts of several rows of a machine
 * are one, and its wakers Returns: (element-type struct iot_slow_clause); the caller frees. */
GArray *iot_slow_parts_clauses(const struct iot_timeline *tl, const struct iot_sleeps *sleeps,
			       const struct iot_slow_call *call);
/** iot_slow_sleeps_clauses - add a clause for each thread that woke that of the call */
void iot_slow_sleeps_clauses(const struct iot_timeline *tl, const struct iot_wakers *wakers,
			     const struct iot_slow_call *call, GArray *clauses);
/** iot_slow_did_lock - the row of the lock that the last waker of a part waited for; 0: it did not
 */
iot_row_id iot_slow_did_lock(const struct iot_timeline *tl, const struct iot_slow_part *part);
/** iot_slow_did_name - append what the last waker of a part did: "own work in READ"; nothing if it
 * was an interrupt */
void iot_slow_did_name(const struct iot_timeline *tl, const struct iot_wakers *wakers,
		       const struct iot_slow_part *part, GString *out);
/** iot_slow_part_name - append "WRITE: file write on server"
 * @caller: the machine of the call; 0: another one, or it is not known */
void iot_slow_part_name(const struct iot_timeline *tl, const struct iot_slow_part *part,
			iot_row_id caller, GString *out);
/** iot_slow_parts_publish - add tables of the parts of the slowest calls */
void iot_slow_parts_publish(const struct iot_slow_calls *calls, struct iot_results *results);
/** iot_slow_spent - what passed the time: "waited for locks" */
const char *iot_slow_spent(enum iot_reason reason);
/** iot_slow_part_phase - a bare word */
const char *iot_slow_part_phase(enum iot_phase phase);
/** iot_slow_call_is_bystander - the call never ended, and nothing that is recorded is the cause of
 * most of its time: perhaps a daemon that waits for something to do */
gboolean iot_slow_call_is_bystander(const struct iot_slow_call *call);
/** iot_slowest_add - count a call, which is copied if it is one of the slowest */
void iot_slowest_add(struct iot_slowest *slowest, const struct iot_slow_call *call);

#endif
