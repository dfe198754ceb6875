/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --limits FILE: bounds that the later of two runs may not exceed. A line is
 * STATE PLACE QUANTITY LIMIT:
 *
 *	PENDING           *           p99    +10%	# at most 10 % more than in the earlier run
 *	PENDING           gfs/trans*  max    50ms
 *	write             *           typical +5%	# the ratio, with its confidence
 *	PENDING/reaction  *           p90    20ms	# a part of waits
 *	because:node?2    *           share  30%	# a cause of waits
 *
 * STATE and PLACE are shell patterns; * as PLACE is all places together. QUANTITY is p50, p90, p99,
 * max, mean, sum, count, or typical: how many times as long a duration takes, if 95 % confidence
 * excludes less. Causes have share (of the time of all waits), sum, count, and typical: how many
 * percentage points more of a wait belong to the cause, if 95 % confidence excludes less.
 */
#ifndef IOT_COMPARE_LIMITS_H
#define IOT_COMPARE_LIMITS_H

#include "base/histogram.h"

struct iot_cause_shift;

struct iot_limit {
	char *state, *place; /* shell patterns */
	char *part;	     /* of a wait; NULL: the whole state */
	char *cause;	     /* of waits; NULL: it is about states */
	char *quantity;
	gboolean is_growth;
	double growth; /* 0.1: 10 % more */
	guint64 most;  /* ns, or a count */
	double share;  /* 0.1: 10 % */
	char *text;    /* the line, for the message */
};

/** iot_limits_load - the lines of a file (struct iot_limit); NULL and an IOT_ERROR_USAGE
 * "FILE:LINE: ...". The caller frees */
GPtrArray *iot_limits_load(const char *path, GError **error);
/** iot_limit_exceeded - whether @b exceeds it; @a: the earlier run's durations */
gboolean iot_limit_exceeded(const struct iot_limit *limit, const struct iot_histogram *a,
			    const struct iot_histogram *b);
/** iot_limit_exceeded_by_cause - the same for a limit of a cause */
gboolean iot_limit_exceeded_by_cause(const struct iot_limit *limit,
				     const struct iot_cause_shift *shift);

#endif
