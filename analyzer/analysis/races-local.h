/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by races.c, which follows what programs do, race-judge.c and race-tables.c. */
#ifndef IOT_ANALYSIS_RACES_LOCAL_H
#define IOT_ANALYSIS_RACES_LOCAL_H

#include "analysis/race-ranges.h"
#include "analysis/races.h"

/* A call that a consistency model asks for: bits, as a model may ask for one of several. */
enum { CALL_SYNC = 1, CALL_OPEN = 2, CALL_CLOSE = 4 };

struct race_call {
	guint what;
	guint64 t0, t1;
};

enum { READ, WRITE };

/* What one process does to one file. */
struct race_user {
	guint process;
	iot_str node;
	iot_row_id row;
	struct iot_race_ranges did[2]; /* READ and WRITE */
	GArray *calls;		       /* struct race_call, by their ends */
};

struct race_file {
	guint number;
	iot_row_id row;
	iot_type_id type; /* of the accesses */
	GPtrArray *users; /* struct race_user */
};

struct gap {
	guint64 t0, t1;
};

struct iot_races {
	const struct iot_timeline *tl;
	struct iot_before *before;
	struct iot_program_locks *locks;
	GArray *file_of_row; /* guint: 1 + number, by row */
	GPtrArray *files;    /* struct race_file */
	GHashTable *known;   /* struct iot_race, by its first members */
	GPtrArray *found;    /* the same in order of time; owned */
	GArray *gaps;	     /* struct gap, of any machine */
	gsize of_lock, of_resource; /* room in the table of locks: race-holds.c */
	struct iot_race_budget budget;
	guint64 n_accesses; /* so far */
	guint64 now;	    /* calls that ended up to now have been seen, ns */
	guint64 n_unfinished, n_nowhere, n_locks_unknown, n_links_unknown, n_calls_forgotten,
		n_left_out;
};

/** iot_races_user - what a process does to a file; NULL: nothing so far */
struct race_user *iot_races_user(const struct race_file *file, guint process);
/** iot_races_judge - two accesses to the same bytes, of different machines, one of which is a
 * write:
 * @later ended last; note a race of them */
void iot_races_judge(struct iot_races *races, struct race_file *file, struct race_user *user,
		     const struct iot_race_range *before, gboolean is_write,
		     struct race_user *other, const struct iot_race_range *later,
		     gboolean later_writes);
/** iot_races_judge_again - all calls have been seen */
void iot_races_judge_again(struct iot_races *races);

#endif
