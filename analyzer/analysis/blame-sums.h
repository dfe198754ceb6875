/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums over explained waits, by node, process and resource of waiter and holder. Memory
 * grows with the number of names; beyond a limit new pairs of processes share one sum.
 */
#ifndef IOT_ANALYSIS_BLAME_SUMS_H
#define IOT_ANALYSIS_BLAME_SUMS_H

#include "analysis/chains.h"
#include "analysis/wait-parts.h"
#include "timeline/result-table.h"
#include "base/hashset.h"

enum { IOT_BLAME_LONGEST = 10 };

enum iot_blame_by {
	IOT_BLAME_NODES,     /* by waiter, holder and cause */
	IOT_BLAME_RESOURCES, /* by resource, holder and cause */
	IOT_BLAME_WAITERS,   /* by resource and waiter */
	IOT_BLAME_PROOFS,    /* proved holds: by resource, waiter and holder */
	IOT_BLAME_PROCESSES, /* holds: by the nodes and the processes of both */
	IOT_BLAME_STACKS,    /* by all members */
	IOT_BLAME_N
};

/* The waiter and the holder or cause. Members that a sum does not distinguish are 0. */
struct iot_blame_key {
	iot_row_id resource;
	iot_str waiter, holder; /* nodes */
	enum iot_cause cause;
	guint64 waiter_pid, waiter_command, holder_pid, holder_command;
	const struct iot_chain *chain; /* of which the holder is the second member; NULL: of none */
};

struct iot_blame_sum {
	struct iot_blame_key key;
	guint64 n;    /* waits */
	guint64 last; /* the last wait that counted, to count it once */
	guint64 ns, alone_ns, proved_ns;
	guint64 idle_ns; /* waiters: of waits that never ended, and had no holder for most of it */
};

struct iot_blame {
	struct iot_timeline *tl;
	struct iot_hashset sums[IOT_BLAME_N];	   /* struct iot_blame_sum */
	struct iot_blame_sum *others[IOT_BLAME_N]; /* without a name, in sums; NULL: none yet */
	/* the longest waits, as the report lists them: unbounded ones last */
	struct iot_wait *longest[IOT_BLAME_LONGEST];
	guint n_longest;
	guint64 n_waits;
};

struct iot_blame *iot_blame_new(struct iot_timeline *tl);
void iot_blame_free(struct iot_blame *blame);
/** iot_blame_add - count a wait that has ended; waits of rows that are not shown do not count
 * @chains: struct iot_chain_part: those of the wait; NULL: none
 * Returns: its copy, if it is among the longest waits so far; else NULL */
struct iot_wait *iot_blame_add(struct iot_blame *blame, const struct iot_wait *wait,
			       const GArray *chains);
/** iot_blame_proved - the proved part of a sum, after the last item; a sum of several pairs of nodes
 * is not proved if the clocks of some contradict each other */
guint64 iot_blame_proved(const struct iot_blame *blame, const struct iot_blame_sum *sum);
/** iot_blame_publish - add the tables, if there was a wait */
void iot_blame_publish(struct iot_blame *blame, struct iot_results *results);

#endif
