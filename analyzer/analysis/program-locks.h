/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks that programs take and give up, and the order that they make: what the holder did before it
 * gave a lock up came before what the next holder does, if one of the two locks excludes the other.
 * Of two accesses with such locks, neither of which was given up meanwhile, one came before the
 * other, whatever the clocks say about which one.
 *
 * A lock is given up at the begin of the call for it, and held from the end of the call that got
 * it. A hand-over between two machines counts if their clocks prove it: the first one got the lock,
 * or gave it up, before the second one got it. A lock is also given up when another process gets
 * one that it excludes: its holder has died, or gave it up without a call.
 *
 * Of each lock a bounded number of releases is kept, and of each process a bounded number of locks.
 * Beyond that the oldest releases count as one, which makes more order than there is, and the
 * oldest lock is forgotten, which makes less; both are counted. One thread at a time.
 */
#ifndef IOT_ANALYSIS_PROGRAM_LOCKS_H
#define IOT_ANALYSIS_PROGRAM_LOCKS_H

#include "analysis/happened-before.h"
#include "timeline/access.h"
#include "timeline/certainty.h"

enum { IOT_LOCK_RELEASES = 64, IOT_LOCKS_HELD = 256 };

struct iot_program_locks;

/* What is locked: the lock's number, and the first and last unit. A process may hold several locks
 * of one number: owner tells them apart. */
struct iot_locked {
	guint64 lock;
	guint64 first, last;
	guint64 owner;
};

/* A mode of locks, and bits of the modes that others may hold at the same time; mode 0: nothing. */
struct iot_lock_mode {
	guint mode;
	guint64 with;
};

/* A lock that is held, or a piece of it. */
struct iot_lock_held {
	struct iot_locked what;
	struct iot_lock_mode mode;
	guint64 since, until; /* ns; until: G_MAXUINT64 while it is not known */
};

struct iot_program_locks *iot_program_locks_new(const struct iot_timeline *tl,
						struct iot_before *before);
/** iot_program_locks_free - accepts NULL */
void iot_program_locks_free(struct iot_program_locks *locks);

/** iot_lock_mode_of - the mode of a lock on a file */
struct iot_lock_mode iot_lock_mode_of(enum iot_file_lock_mode mode);
/** iot_program_locks_leave - at @t a process begins to give up what it holds of @what, if anything;
 * @unlocks: it held something of it, even if nobody has seen that */
void iot_program_locks_leave(struct iot_program_locks *locks, guint process,
			     const struct iot_locked *what, gboolean unlocks, guint64 t);
/** iot_program_locks_told - it passes on what it did up to @t as if it gave up @what, but holds it
 * on
 */
void iot_program_locks_told(struct iot_program_locks *locks, guint process,
			    const struct iot_locked *what, guint64 t);
/** iot_program_locks_set - from @t on it holds this mode of @what, and nothing else of it */
void iot_program_locks_set(struct iot_program_locks *locks, guint process,
			   const struct iot_locked *what, struct iot_lock_mode mode, guint64 t);
/** iot_program_locks_need_order - from now on there are accesses to put in order: releases
 * before carry nothing and are not kept. Held locks are followed from the start */
void iot_program_locks_need_order(struct iot_program_locks *locks);
/** iot_program_locks_held - what a process holds; of struct iot_lock_held; the caller unrefs it; it
 * does not change */
GArray *iot_program_locks_held(struct iot_program_locks *locks, guint process);
/** iot_held_exclude - whether two processes that did something from @t0 to @t1 each held locks that
 * exclude each other meanwhile. NULL: nothing is held */
gboolean iot_held_exclude(const GArray *a, guint64 a_t0, guint64 a_t1, const GArray *b,
			  guint64 b_t0, guint64 b_t1);

/** iot_program_locks_notes - say how much was left out, for people; appends to @notes, of char * */
void iot_program_locks_notes(const struct iot_program_locks *locks, GPtrArray *notes);

#endif
