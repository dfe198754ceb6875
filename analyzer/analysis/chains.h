/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chains of waits: A waits for B, while B waits for another resource that C holds. At each instant
 * of a wait, each hold in its way begins a chain. The chain is extended as long as the holder waits
 * for another resource that is held, up to 16 members; it ends with a holder that does not wait. So
 * chains of the same instant, by several holders, have the whole time each.
 *
 * A chain is proved if all its waits and holds overlap whatever the errors of the clocks are, and
 * the models name the processes of all. One thread at a time.
 *
 * When a wait has ended, the waits that its holders had meanwhile are looked up by thread
 * (thread-waits.h). Ended waits are kept only while a wait is open that began before their end.
 */
#ifndef IOT_ANALYSIS_CHAINS_H
#define IOT_ANALYSIS_CHAINS_H

#include "analysis/thread-waits.h"
#include "timeline/result-table.h"

enum { IOT_CHAIN_MEMBERS = 16 };

/* A process that waits or holds. */
struct iot_chain_member {
	iot_str node;
	guint64 pid, command; /* 0: not known */
	iot_row_id resource;  /* that it holds; the first: 0 */
};

/* A sum over all waits. */
struct iot_chain {
	guint number; /* from 1 */
	guint n;      /* members */
	struct iot_chain_member member[IOT_CHAIN_MEMBERS];
	guint64 ns, proved_ns, longest_ns, longest_at;
	guint64 waits, last; /* number of waits; the last that counted */
};

/* A part of one wait. */
struct iot_chain_part {
	guint blocker; /* position in the wait's blockers */
	const struct iot_chain *chain;
	guint64 ns;
};

struct iot_chains;

/** iot_chains_new - all three arguments live longer. The caller frees */
struct iot_chains *iot_chains_new(struct iot_timeline *tl, struct iot_waits *waits,
				  struct iot_thread_waits *threads);
/** iot_chains_free - accepts NULL */
void iot_chains_free(struct iot_chains *chains);
/** iot_chains_add - find the chains of a wait that has ended; the parts are valid until the next
 * call (element-type struct iot_chain_part) */
const GArray *iot_chains_add(struct iot_chains *chains, const struct iot_wait *wait);
/** iot_chains_publish - add the table, if there was a chain */
void iot_chains_publish(const struct iot_chains *chains, struct iot_results *results);

#endif
