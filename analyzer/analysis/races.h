/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Races: accesses of processes of two machines to the same bytes of a file, one of them a write,
 * that nothing the programs did puts in order. What does: locks of programs (program-locks.h) and
 * links whose type says so (iot_type.orders). Locks by which a file system keeps its caches
 * coherent order nothing: they hide races from nobody but the one who is lucky.
 *
 * Consistency models (enum iot_consistency) may want calls between the two accesses besides their
 * order. A read that comes first wants none.
 *
 * A race is proved if no order of the two accesses with these calls is possible, whatever else the
 * programs did: they were at one time, or the calls are not there. Otherwise it is possible:
 * something that is not recorded may put the accesses in order.
 *
 * Races of two processes, one file and one kind count as one. Of each byte the last read and the
 * last write of each process are kept: if an earlier access is in a race, so is the last one. The
 * numbers are bounded, and left out ones are counted: races may be missing then. Accesses of
 * unknown position, and those through mappings, are not looked at. One thread at a time.
 */
#ifndef IOT_ANALYSIS_RACES_H
#define IOT_ANALYSIS_RACES_H

#include "analysis/program-locks.h"
#include "locks/locks.h"
#include "timeline/findings.h"
#include "timeline/result-table.h"

enum {
	/* Ranges of one process in one file, reads and writes apart; of all. */
	IOT_RACE_RANGES = 1 << 13,
	IOT_RACE_ALL_RANGES = 1 << 18,
	/* Calls of one process about one file that consistency models ask for. */
	IOT_RACE_CALLS = 1 << 12,
	/* Races that are kept. */
	IOT_RACES = 1 << 16
};

/* An access of a race. */
struct iot_race_access {
	guint process; /* of iot_before */
	iot_row_id row;
	guint64 from, to; /* bytes; @to is excluded */
	guint64 t0, t1;
	gboolean is_write;
};

/* The surest race, and the first of these; grade IOT_N_GRADES: there is none. */
struct iot_race_case {
	enum iot_grade grade;
	struct iot_race_access first, second; /* by their ends */
	guint64 n;			      /* accesses that were the later one in a race */
	guint64 last;			      /* private: the number of the last of them */
};

struct iot_race {
	iot_row_id file;
	guint process[2]; /* the smaller number first */
	gboolean both_write;
	iot_type_id type; /* of the accesses */
	guint number;	  /* private: of the file */
	struct iot_race_case of[IOT_N_CONSISTENCIES];
};

struct iot_races;

struct iot_races *iot_races_new(const struct iot_timeline *tl);
/** iot_races_free - accepts NULL */
void iot_races_free(struct iot_races *races);
/** iot_races_want_locks - whether locks of the table of locks are those of programs */
gboolean iot_races_want_locks(const struct iot_races *races);
/** iot_races_listen - to the table of locks; before the first item */
void iot_races_listen(struct iot_races *races, struct iot_locks *table);
/** iot_races_wants - whether items of a kind and category count */
gboolean iot_races_wants(const struct iot_races *races, enum iot_item_kind kind, iot_cat_id cat);
/** iot_races_item - such an item, in the order of stages */
void iot_races_item(struct iot_races *races, const struct iot_item *item);
/** iot_races_finish - after the last item: add the findings of the checks */
void iot_races_finish(struct iot_races *races);
/** iot_races_publish - add the table races, if there are some
 * @rules: the table of rules: gets notes of what was not looked at, also if there is no race */
void iot_races_publish(const struct iot_races *races, struct iot_result_table *rules,
		       struct iot_results *results);

#endif
