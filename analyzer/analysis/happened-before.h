/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happened before what, because programs saw to it: a process does one thing after the other,
 * and what it passes on (a lock, a message) carries all that it did before.
 *
 * The past of a process is one instant for each process: all that this one did up to then, by the
 * clock of its own machine, came before. So no error of clocks is in it; who joins pasts decides
 * whether the clocks allow it. Threads of a process count as one: how they wait for each other is
 * not recorded.
 *
 * Processes beyond the limit share one for each machine: their accesses are in order then. Of each
 * process the last changes of its past are kept; who asks for an earlier instant gets the first one
 * that is kept. Both find too much order, never a race that is none; both are counted. One thread
 * at a time.
 */
#ifndef IOT_ANALYSIS_HAPPENED_BEFORE_H
#define IOT_ANALYSIS_HAPPENED_BEFORE_H

#include "timeline/timeline.h"

enum {
	IOT_BEFORE_PROCESSES = 1024,
	/* Changes of pasts that are kept, of all processes; of one at least
	 * IOT_BEFORE_CHANGES_LEAST.
	 */
	IOT_BEFORE_CHANGES = 1 << 13,
	IOT_BEFORE_CHANGES_LEAST = 4
};

struct iot_before;
/* A past; immutable. */
struct iot_past;

struct iot_before *iot_before_new(void);
/** iot_before_free - accepts NULL */
void iot_before_free(struct iot_before *before);

/** iot_before_process - the number of a process of the machine @node, from 0; @thread is one of its
 * threads */
guint iot_before_process(struct iot_before *before, iot_str node, gint64 process, gint64 thread);
/** iot_before_thread - the number of the process of a thread. A thread of which nobody knows the
 * process is one of its own until iot_before_process says it */
guint iot_before_thread(struct iot_before *before, iot_str node, gint64 thread);
/** iot_before_node - the machine of a process */
iot_str iot_before_node(const struct iot_before *before, guint process);

/** iot_before_name - "node 1 (pid 42)"; the caller frees it */
char *iot_before_name(const struct iot_before *before, const struct iot_timeline *tl,
		      guint process);
/** iot_before_reach - up to when, ns, all of process @of came before what @process does at @t; 0:
 * nothing of it */
guint64 iot_before_reach(const struct iot_before *before, guint process, guint64 t, guint of);
/** iot_before_past - what @process passes on at @t; the caller unrefs it */
struct iot_past *iot_before_past(const struct iot_before *before, guint process, guint64 t);
/** iot_before_join - from @t on, @past is in the past of @process */
void iot_before_join(struct iot_before *before, guint process, guint64 t,
		     const struct iot_past *past);
/** iot_past_has - whether @past contains all that @process did up to @t */
gboolean iot_past_has(const struct iot_past *past, guint process, guint64 t);
/** iot_past_both - a new past with both */
struct iot_past *iot_past_both(const struct iot_past *a, const struct iot_past *b);
/** iot_past_unref - accepts NULL */
void iot_past_unref(struct iot_past *past);

/** iot_before_n_folded - processes that share one with others of their machine */
guint64 iot_before_n_folded(const struct iot_before *before);
/** iot_before_n_forgotten - changes of pasts that are not kept and were asked for */
guint64 iot_before_n_forgotten(const struct iot_before *before);

#endif
