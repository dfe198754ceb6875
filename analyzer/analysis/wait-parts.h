/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cause of each instant of a wait for a resource, from the spans of other locks on it.
 *
 * Each instant has exactly one cause, the first of this list that holds. Causes are intervals, so
 * the parts of a wait add up to its length, to the nanosecond. Only a hold is certain; the
 * other causes are possible.
 *
 * An interval in which the same n locks are in the way is shared equally; the remainder of the
 * division goes to the first by name of the node and number of the lock.
 */
#ifndef IOT_ANALYSIS_WAIT_PARTS_H
#define IOT_ANALYSIS_WAIT_PARTS_H

#include "locks/claims.h"

enum iot_cause {
	/* A mode is held that excludes the one that is asked for. */
	IOT_CAUSE_HOLD,
	/* The holder of such a mode has called to give it up, and waits for the answer. */
	IOT_CAUSE_HANDOVER,
	/* Others have waited longer. Conversions come before new requests. */
	IOT_CAUSE_QUEUE,
	/* The service as a whole, such as the lockspace, was being recovered: nobody was served. */
	IOT_CAUSE_RECOVERY,
	/* The mode of a lock on the resource is unknown, or events of a node are missing. */
	IOT_CAUSE_UNOBSERVED,
	/* Nothing that is recorded was in the way, but the request, the release or the grant was on
	 * its way; or a callback to the holder or to the waiter. Only in the sums of waits that
	 * have ended (unexplained.h). */
	IOT_CAUSE_MESSAGES,
	IOT_CAUSE_CALLBACKS,
	/* The rest; until a wait has ended, all time in which nothing recorded was in the way. */
	IOT_CAUSE_UNEXPLAINED,
	IOT_N_CAUSES
};

/** iot_cause_name - "held", "hand-over" ... */
const char *iot_cause_name(enum iot_cause cause);

/* A hold that was in the way. */
struct iot_blocker {
	struct iot_claim claim; /* of several holds: from the first to the last */
	guint64 ns;		/* its part */
	guint64 alone_ns;	/* in which no other lock was in the way */
	guint64 whole_ns;	/* in which it was in the way, also with others */
	/* some part is certain: whatever the errors of clocks are, if they do not contradict each
	 * other (iot_certainty_of), and no event is missing that could show other locks in the way
	 */
	gboolean proved;
	/* such events are missing, or the mode of another lock was unknown: the parts may be others
	 */
	gboolean undecided;
	/* there were too many: several holds of one lock in one mode, or without a name (no lock
	 * and no process, on the row of the node) of several locks of one node */
	gboolean several, nameless;
};

enum {
	/* Holds in the way of one wait that stay single, and locks with names for the others. */
	IOT_MAX_HOLDS = 128,
	IOT_MAX_LOCKS = 64,
	IOT_NAMED_QUEUED = 3
};

/* A wait of another lock that was before a wait in the queue. */
struct iot_queued {
	struct iot_claim claim;
	guint64 ns; /* in which the queue was the cause, and this wait was in it */
};

/* An interval with one cause. */
struct iot_wait_part {
	guint64 t0, t1;
	enum iot_cause cause;
	guint n; /* holds in the way */
};

struct iot_wait {
	struct iot_claim claim; /* t1 is its end */
	guint64 cause_ns[IOT_N_CAUSES];
	GArray *blockers; /* struct iot_blocker */
	GArray *parts;	  /* struct iot_wait_part, in order of time */
	guint64 until;	  /* the parts up to here are done */
	gboolean doubt;	  /* at some time the mode of another lock was not known */
	/* it was explained when a gap or a recovery of its time was no longer kept */
	gboolean misses_intervals;
	gboolean shrunk;     /* it was explained in parts, so a hold may be several blockers */
	gboolean lost_names; /* some blocker is nameless */
	guint n_queued;	     /* that were before it in the queue; 0, too, if nobody has asked */
	struct iot_queued queued[IOT_NAMED_QUEUED]; /* the longest of these, in this order */
	/* of the cause QUEUE, the time before the claims were dropped: who was in the queue is not
	 * known */
	guint64 forgotten_ns;
};

struct iot_wait *iot_wait_new(const struct iot_claim *claim);
void iot_wait_free(struct iot_wait *wait);
/** iot_wait_reset - make it the wait of another claim, of which nothing is explained yet */
void iot_wait_reset(struct iot_wait *wait, const struct iot_claim *claim);

/* Explains waits, and keeps its memory from one to the next. */
struct iot_explainer;

struct iot_explainer *iot_explainer_new(const struct iot_timeline *tl);
/** iot_explainer_free - accepts NULL */
void iot_explainer_free(struct iot_explainer *explainer);
/**
 * iot_explain - append the parts of a wait from wait->until up to @until
 * @claims: those that overlap are looked at, of the wait's own lock none is
 */
void iot_explain(struct iot_explainer *explainer, struct iot_wait *wait, struct iot_claims *claims,
		 guint64 until);

/**
 * iot_wait_limit - one blocker for each hold
 *
 * If these are too many, those that were in the way for the longest times are kept. The others
 * become one for each lock and mode; and if these are too many, those with the shortest times
 * become one for each node and mode.
 *
 * Returns: whether locks have lost their names, for the first time of this wait
 */
gboolean iot_wait_limit(const struct iot_timeline *tl, struct iot_wait *wait);
/** iot_wait_shrink - keep what a wait needs until it goes on: no parts, and no room for more */
void iot_wait_shrink(struct iot_wait *wait);

/**
 * iot_wait_find_queued - find those who were before @wait in the queue, as far as its parts and
 * @claims go back
 * @copy: of @wait; its members n_queued, queued and forgotten_ns are set
 */
void iot_wait_find_queued(const struct iot_wait *wait, const struct iot_timeline *tl,
			  const struct iot_claims *claims, struct iot_wait *copy);

/** iot_blocker_certainty - "proved", "possible", "undecided"; for a table iot_certainty_of says
 * what is left of it */
const char *iot_blocker_certainty(const struct iot_blocker *blocker);
/** iot_certainty_of - the certainty of what was said about two nodes, after the last item: nothing
 * is proved by clocks that contradict each other, or by a damaged recording */
const char *iot_certainty_of(const struct iot_timeline *tl, const char *certainty, iot_str node_a,
			     iot_str node_b);
/** iot_nodes_prove - whether what was proved about two nodes is still so, after the last item:
 * their clocks agree, and no recording of them is damaged */
gboolean iot_nodes_prove(const struct iot_timeline *tl, iot_str node_a, iot_str node_b);
/** iot_all_nodes_prove - whether that is so of all nodes */
gboolean iot_all_nodes_prove(const struct iot_timeline *tl);

/** iot_wait_has_length - FALSE for a wait that begins in a gap: nobody knows whether it is one */
static inline gboolean iot_wait_has_length(const struct iot_wait *wait)
{
	const guint no_length = IOT_SUSPECT | IOT_UNKNOWN;

	return (wait->claim.flags & no_length) != no_length;
}

/** iot_claim_order - by name of the node, number of the lock, row and lane */
int iot_claim_order(const struct iot_timeline *tl, const struct iot_claim *a,
		    const struct iot_claim *b);

static inline const struct iot_blocker *iot_wait_blocker(const struct iot_wait *wait, guint i)
{
	const struct iot_blocker *blockers = (gconstpointer)wait->blockers->data;

	/* an array without elements has no data */
	return blockers ? blockers + i : NULL;
}

#endif
