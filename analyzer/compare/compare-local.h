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
	IOT_N_GROUPINGS
};

/* The parts of the name that distinguish states. */
struct iot_grouping {
	const char *name, *title;
	guint parts; /* bits of enum iot_group_part */
};

extern const struct iot_grouping iot_groupings[IOT_N_GROUPINGS];

/* The states of one grouping with the same name, in both runs. */
struct iot_pair {
	guint grouping;
	char *part[IOT_N_PARTS]; /* NULL: not used by the grouping */
	/* repeated: a grouping with fewer parts has the same states, so they are not tested again
	 */
	gboolean waited, repeated, significant;
	struct iot_histogram run[2];
	guint64 n_partial[2];
	double p, adjusted;	     /* of a test, and after the correction */
	struct iot_rank_ratio ratio; /* if significant */
};

struct iot_limit;

struct iot_alarm {
	const struct iot_limit *limit; /* NULL: the states take longer */
	const struct iot_pair *pair;
};

struct iot_comparison {
	const struct iot_run_summary *run[2];
	GPtrArray *pairs; /* struct iot_pair, in the order of their names */
	GArray *alarms;	  /* struct iot_alarm, the largest costs first */
	guint n_tested, n_few;
};

/** iot_pair_cost - time in ns that the later run spent more in these states, for its own number of
 * states */
double iot_pair_cost(const struct iot_pair *pair);

#endif
