/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cluster whose nodes exchange messages: each resource has a lock master, which grants as early
 * as the protocol allows. gen-cluster.c: tasks, calls and callbacks; gen-master.c: the rules of
 * granting; gen-wire.c: messages and the directory of masters; gen-cycle.c: planted circular waits;
 * gen-truth.c: what really happened.
 *
 * No two events of the cluster have the same time: each is at least 2 ns after the one before.
 */
#ifndef IOT_PERF_GEN_CLUSTER_H
#define IOT_PERF_GEN_CLUSTER_H

#include "gen-modes.h"
#include "gen.h"

/* include/linux/dlm.h, fs/dlm/dlm_internal.h: DLM_MSG_* */
enum message_type {
	M_REQUEST = 1,
	M_CONVERT,
	M_UNLOCK,
	M_CANCEL,
	M_REQUEST_REPLY,
	M_CONVERT_REPLY,
	M_UNLOCK_REPLY,
	M_CANCEL_REPLY,
	M_GRANT,
	M_BAST,
	M_LOOKUP,
	M_REMOVE,
	M_LOOKUP_REPLY
};

enum cluster_action {
	C_NEXT = GEN_CLUSTER_ACTIONS, /* a task does something with its lock */
	C_ACT,			      /* a call reaches the lock manager */
	C_END,			      /* a call returns */
	C_CALLBACK,		      /* an ast or bast is delivered */
	C_ARRIVE,		      /* a message is received */
	C_CANCEL,		      /* somebody cancels a waiting lock */
	C_CANCEL_ACT,
	C_CANCEL_END,
	C_BREAK /* somebody finds a circular wait */
};

struct resource;
struct lock;
struct cycle;
struct cycle_task;

/* A lock as its master sees it. */
struct copy {
	struct lock *lock;
	guint32 id;	    /* of the master's lkb; the lock's own if it is on the master */
	int granted, asked; /* modes */
	guint32 flags;
	gboolean waits, converts;
	int basted; /* the strongest mode that a bast named */
	guint64 since;
};

struct resource {
	guint32 ls; /* index */
	int number;
	guint8 name[64];
	gsize len;
	guint32 hash;
	int dir;	   /* node that knows the master */
	int dir_says;	   /* master by the directory; NONE */
	int master;	   /* node that grants; NONE: nobody at present */
	guint64 mastered;  /* since when */
	int *known;	   /* master, as each node believes; NONE */
	guint *users;	   /* locks of each node */
	GPtrArray *copies; /* in the order of arrival: granted, converting and waiting ones */
	GQueue convert, wait;
};

/* An ast or bast to be delivered. */
struct callback {
	gboolean is_bast;
	int value; /* status or mode */
};

/* A task and its lock. */
struct lock {
	int node; /* index */
	gint32 pid;
	int cpu;
	guint32 life;	      /* +1 when the lock is gone */
	guint32 call;	      /* +1 for each call */
	guint32 turn;	      /* +1 for each decision about its next step */
	struct resource *res; /* NULL: no lock */
	guint32 id;
	int held;   /* mode that the task holds: its ast was delivered */
	int mode;   /* mode that the node knows */
	int wanted; /* by the present call */
	guint32 flags;
	gboolean unlocking, open, failing, done, queued, helper_open, hog;
	int master; /* node that has the copy */
	struct copy *copy;
	GQueue callbacks;
	gboolean delivering;
	int conversions;	 /* left before the unlock */
	struct cycle_task *task; /* NULL: of no planted cycle */
	/* truth; 0: not */
	guint64 held_since, part_since, called, left, forced;
	gboolean waits;
};

struct message {
	enum message_type type;
	int from, to, cpu;
	guint32 seq, lkid, remid, nodeid, hash, flags;
	gint32 pid, status, grmode, rqmode, bastmode, result;
	guint64 sent;
	struct resource *res;
	struct lock *lock;
	struct copy *copy;
	guint32 life;
};

struct cluster_node {
	struct gen_node *node;
	GArray *ids; /* guint64 bitmaps of the lkb ids in use, one for each lockspace */
	guint32 *seq;
	guint64 *last_arrival; /* at each other node */
	gboolean helper_busy;
};

struct gen_cluster {
	guint32 *ls_id;
	struct resource *res;
	int n_res;
	struct cluster_node *nodes;
	int n_nodes;
	struct lock *locks;
	int n_locks;
	int n_lost; /* requests */
	struct cycle *cycles;
};

/* gen-cluster.c */
/** cluster_ast - the node learns a result; the task gets its ast somewhat later */
void cluster_ast(struct gen *gen, struct lock *lk, int status);
void cluster_bast(struct gen *gen, struct lock *lk, int mode);
/** cluster_refer - the master of the lock's resource is known: make the request */
void cluster_refer(struct gen *gen, struct lock *lk);
guint32 cluster_take_id(struct gen *gen, int node, guint32 ls);
void cluster_release_id(struct gen *gen, int node, guint32 ls, guint32 id);
guint64 cluster_emit(struct gen *gen, int node, int cpu, enum gen_event event,
		     const struct gen_buf *buf);
/** cluster_planted - whether a fault is due here */
gboolean cluster_planted(struct gen *gen, enum gen_fault fault);
/** cluster_delay - ns to wait longer, usually 0; @node is responsible */
guint64 cluster_delay(struct gen *gen, enum gen_delay delay, int node, const struct lock *lk);

/** cluster_request, cluster_unlock - a call of a task of a planted cycle */
void cluster_request(struct gen *gen, struct lock *lk, struct resource *res, int mode);
void cluster_unlock(struct gen *gen, struct lock *lk);
/** cluster_next_in - the task does its next step in @delay ns */
void cluster_next_in(struct gen *gen, struct lock *lk, guint64 delay);

/* gen-cycle.c */
/** cycle_count_tasks - of all cycles; each has two locks and a resource */
int cycle_count_tasks(const struct gen *gen);
/** cycle_start - plant the cycles with the first locks and resources of these arrays */
void cycle_start(struct gen *gen, struct lock *locks, struct resource *res);
/** cycle_next - the task of a cycle does its next step */
void cycle_next(struct gen *gen, struct lock *lk);
void cycle_answered(const struct lock *lk, guint64 t, int status);
/** cycle_end - write the truth, free memory */
void cycle_end(struct gen *gen);

/* gen-master.c: the node res->master does it */
void master_request(struct gen *gen, struct lock *lk, int mode, guint32 flags);
/* a conversion to a weaker mode has no answer: the lock's node answers itself */
void master_convert(struct gen *gen, struct lock *lk, int mode, guint32 flags);
void master_unlock(struct gen *gen, struct lock *lk);
/** master_cancel - returns S_ECANCEL, or 0 if it was too late */
int master_cancel(struct gen *gen, struct lock *lk);
/** master_weaker - whether a conversion needs no answer of the master */
gboolean master_weaker(int from, int to);

/* gen-wire.c */
void wire_send(struct gen *gen, enum message_type type, int from, int to, struct resource *res,
	       struct lock *lk, int mode, int result);
void wire_arrive(struct gen *gen, struct message *m);
/** wire_lookup - ask the directory for the master of the lock's resource */
void wire_lookup(struct gen *gen, struct lock *lk);
/** wire_forget - the node has no more locks on the resource; the master gives it up if nobody has
 */
void wire_forget(struct gen *gen, struct resource *res, int node);

/* gen-truth.c */
void truth_call(struct lock *lk, guint64 t);
/** truth_refused - the call has returned an error */
void truth_refused(struct lock *lk);
/** truth_forced - another task ends the lock by force */
void truth_forced(struct lock *lk, guint64 t);
void truth_answer(struct gen *gen, struct lock *lk, guint64 t, int status);
void truth_own(struct gen *gen, const struct copy *copy, guint64 until);
void truth_message(struct gen *gen, const struct message *m, guint64 received, int cpu);
void truth_master(struct gen *gen, struct resource *res, guint64 until);
void truth_fault(struct gen *gen, const char *kind, guint64 t, int node, const struct lock *lk);
void truth_delay(struct gen *gen, enum gen_delay delay, guint64 ns, int node,
		 const struct lock *lk);
/* A member of a cycle: id of the lock that waits, and instants; 0: none. */
struct truth_cycle {
	guint32 id;
	guint64 called, closed, ended;
};
void truth_cycle(struct gen *gen, int cycle, const struct lock *waiter, const struct resource *res,
		 struct truth_cycle times);
void truth_end(struct gen *gen, guint64 end_ns);

#endif
