/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Circular waits: A waits for a lock that B holds, while B waits for a lock that A holds; up to 16
 * members. A cycle closes when the last of its waits or holds begins. The search runs only then: if
 * a wait begins, or a hold whose owner waits. It finds the shortest cycle through each of the waits
 * that lead back to the new one.
 *
 * The owner of a lock that waits is certain if the wait is that of the same lock: a conversion
 * cannot end before the other locks in its way have gone, and the lock keeps its mode meanwhile. So
 * such a cycle is a deadlock, if its waits and holds overlap whatever the errors of the clocks are.
 * Otherwise the owner is the process that asked for the lock. Another thread may release that lock
 * (GFS2 keeps locks of processes that need them no longer), so such a cycle is a possible deadlock
 * until somebody does. Locks of another process of the same node
 * make no cycle, unless it lasts for 10 s and to the end (hangs.h). Calls that only try
 * wait for nobody. A conversion may also have to wait for those that were there before it, even if
 * no hold is in its way; the places in the queue are not recorded, so such a cycle is possible.
 *
 * One thread at a time.
 *
 * Open waits are listed by process and by lock, at most 65536. Nodes that hang (hangs.h) are found
 * at the end, among the waits of 10 s or longer: one pair of a wait and a hold is kept for each
 * two nodes.
 */
#ifndef IOT_ANALYSIS_CYCLES_H
#define IOT_ANALYSIS_CYCLES_H

#include "locks/locks.h"
#include "timeline/result-table.h"

enum { IOT_CYCLE_MEMBERS = 16 };

/* How a cycle ended; at one instant the first of this list counts. */
enum iot_cycle_end {
	IOT_CYCLE_OPEN,
	IOT_CYCLE_GAVE_UP,  /* a wait ended without a grant */
	IOT_CYCLE_LOST,	    /* events are missing */
	IOT_CYCLE_LASTS,    /* to the end of the recording, or of the window */
	IOT_CYCLE_RELEASED, /* a holder that waited released its lock */
	IOT_CYCLE_GRANTED   /* a wait was granted, and nobody was seen to release */
};

enum iot_cycle_grade {
	IOT_DEADLOCK_PROVED,
	IOT_DEADLOCK_POSSIBLE,
	IOT_NO_DEADLOCK, /* it ended by itself */
	IOT_N_CYCLE_GRADES
};

/* A wait, and the hold of the next member that is in its way, or the wait that is ahead of it. */
struct iot_cycle_member {
	struct iot_claim wait, hold;
};

struct iot_cycle {
	guint n;	   /* members */
	gboolean of_nodes; /* of nodes: some lock in the way is that of another process (hangs.h) */
	gboolean own_locks;		  /* each lock in the way is the one that waits next */
	enum iot_cycle_end end;		  /* of the one who ended it */
	guint ended_by;			  /* position of the member */
	guint64 result;			  /* of a wait that was given up: a text attribute or 0 */
	guint64 closed, ended, number;	  /* instants; number in the order of closing */
	enum iot_cycle_grade grade;	  /* of a cycle that ended */
	struct iot_cycle_member member[]; /* the oldest wait first */
};

/* The listener's functions, called for an instant when the first item of a later instant comes. The
 * cycle is valid during the call. */
struct iot_cycles_listener {
	void (*closed)(gpointer user_data, const struct iot_cycle *cycle);
	void (*ended)(gpointer user_data, const struct iot_cycle *cycle);
	gpointer user_data;
};

struct iot_cycles;

/** iot_cycles_new - listens to @locks from the first item on; both arguments live longer. The
 * caller frees */
struct iot_cycles *iot_cycles_new(struct iot_timeline *tl, struct iot_locks *locks);
/** iot_cycles_free - accepts NULL */
void iot_cycles_free(struct iot_cycles *cycles);
/** iot_cycles_listen - call @listener, which is copied; before the first item; one only */
void iot_cycles_listen(struct iot_cycles *cycles, const struct iot_cycles_listener *listener);
/** iot_cycle_is_certain - whether it is a deadlock, if it lasts longer than the errors of the
 * clocks */
gboolean iot_cycle_is_certain(const struct iot_timeline *tl, const struct iot_cycle *cycle);
/** iot_cycles_add - add a cycle that has ended to the tables; takes ownership (g_free) */
void iot_cycles_add(struct iot_cycles *cycles, struct iot_cycle *cycle);
/** iot_cycles_publish - add the tables, if there was a cycle; after the last item */
void iot_cycles_publish(struct iot_cycles *cycles, struct iot_results *results);

#endif
