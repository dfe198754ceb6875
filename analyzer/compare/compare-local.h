/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison, shared by compare.c and compare-tables.c. */
#ifndef IOT_COMPARE_COMPARE_LOCAL_H
#define IOT_COMPARE_COMPARE_LOCAL_H

#include "compare/compare.h"
#include "compare/rank-test.h"

enum iot_grouping_id {
	IOT_BY_STATE,
	IOT_BY_MODE,
	IOT_BY_NODE,
	IOT_BY_PLACE,
	IOT_BY_ALL,
	/* parts of waits */
	IOT_PARTS_BY_STATE,
	IOT_PARTS_BY_MODE,
	IOT_PARTS_BY_NODE,
	IOT_PARTS_BY_PLACE,
	IOT_PARTS_BY_ALL,
	IOT_N_GROUPINGS
};

/* The parts of the name that distinguish states. */
struct iot_grouping {
	const char *name, *title;
	guint parts; /* bits of enum iot_group_part */
};

extern const struct iot_grouping iot_groupings[IOT_N_GROUPINGS];

/* The result of a test. */
struct iot_test {
	double p, adjusted; /* of the test, and after the correction */
	gboolean significant;
};

/* The states of one grouping with the same name, in both runs. */
struct iot_compared {
	guint grouping;
	char *part[IOT_N_PARTS]; /* NULL: not used by the grouping */
	/* repeated: a grouping with fewer parts has the same states, so they are not tested again
	 */
	gboolean waited, repeated;
	struct iot_histogram run[2];
	guint64 n_partial[2];
	struct iot_test test;
	struct iot_rank_ratio ratio; /* if significant */
};

/* What a cause is counted by; the bits are the number of its grouping. */
enum iot_shift_by { IOT_SHIFT_BY_WAITER = 1, IOT_SHIFT_BY_PLACE = 2, IOT_N_SHIFT_GROUPINGS = 4 };

/* The part of a cause in the waits, in one run. */
struct iot_blamed {
	guint64 n_waits, waits_ns;   /* all waits, with this cause or without it */
	guint64 n, ns;		     /* those with it, and its part of their time */
	struct iot_histogram shares; /* of each wait, in millionths; 0 in waits without it */
};

/* A cause of waits in both runs. */
struct iot_cause_shift {
	guint by;
	char *waiter, *place; /* NULL: all */
	char *cause;
	gboolean holds; /* the cause is a node; else "queue" ... */
	gboolean repeated;
	struct iot_blamed run[2];
	double mean[2];	  /* share of a wait */
	double low, high; /* of the change, 95 % confidence */
	struct iot_test test;
};

struct iot_limit;

struct iot_alarm {
	const struct iot_limit *limit;	 /* NULL: the states take longer */
	const struct iot_compared *pair; /* or NULL */
	const struct iot_cause_shift *shift;
};

struct iot_comparison {
	const struct iot_run_summary *run[2];
	GPtrArray *pairs;  /* struct iot_compared, in the order of their names */
	GPtrArray *shifts; /* struct iot_cause_shift, in the order of their names */
	GArray *alarms;	   /* struct iot_alarm, the largest costs first */
	/* const struct iot_limit: neither run has what they are about */
	GPtrArray *unused_limits;
	guint n_tested, n_few, n_few_shifts;
};

/** iot_pair_cost - time in ns that the later run spent more in these states, for its own number of
 * states */
double iot_pair_cost(const struct iot_compared *pair);

/** iot_shifts_new - the causes of all waits, in each grouping (of struct iot_cause_shift); the
 * caller frees */
GPtrArray *iot_shifts_new(const struct iot_run_summary *a, const struct iot_run_summary *b);
/** iot_shifts_test - test the shifts whose tables are shown; adds struct iot_test to @tested
 *
 * Returns the number of shifts with too few waits.
 */
guint iot_shifts_test(const GPtrArray *shifts, GPtrArray *tested);
/** iot_shift_cost - time in ns that the cause has more in the later run, for its own waiting */
double iot_shift_cost(const struct iot_cause_shift *shift);
/** iot_blamed_share - share of the cause in the time of all waits */
double iot_blamed_share(const struct iot_blamed *blamed);
/** iot_shift_describe - a sentence; the caller frees */
char *iot_shift_describe(const struct iot_cause_shift *shift);
/** iot_shifts_significant - the significant ones, the largest costs first; the caller frees
 * @by: a grouping; IOT_N_SHIFT_GROUPINGS: of all */
GPtrArray *iot_shifts_significant(const GPtrArray *shifts, guint by);
/** iot_shifts_publish - the tables of the significant shifts, and of holders in one run only */
void iot_shifts_publish(const GPtrArray *shifts, struct iot_results *results);

#endif
