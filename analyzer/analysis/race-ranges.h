/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last access of one process to each byte of a file: disjoint ranges in the order of their
 * positions. Their number is bounded, for one process and for all: the oldest one is forgotten and
 * counted. One thread at a time.
 */
#ifndef IOT_ANALYSIS_RACE_RANGES_H
#define IOT_ANALYSIS_RACE_RANGES_H

#include <glib.h>

struct iot_race_range {
	guint64 from, to; /* bytes; @to is excluded */
	guint64 t0, t1;	  /* of the access */
	GArray *locks;	  /* that were held; NULL: none */
};

struct iot_race_ranges {
	GArray *ranges; /* struct iot_race_range; NULL: none */
};

/* Shared by all. */
struct iot_race_budget {
	guint max_of_one, max_of_all;
	guint n;
	guint64 n_forgotten;
};

/** iot_race_ranges_set - the bytes of @range were accessed last by it; its locks are ref'ed */
void iot_race_ranges_set(struct iot_race_ranges *ranges, struct iot_race_budget *budget,
			 const struct iot_race_range *range);
/** iot_race_ranges_first - the number of the first range with bytes from @from on; that of ranges
 * if there is none */
guint iot_race_ranges_first(const struct iot_race_ranges *ranges, guint64 from);
/** iot_race_ranges_at - by number; NULL: there is none */
const struct iot_race_range *iot_race_ranges_at(const struct iot_race_ranges *ranges, guint i);
/** iot_race_ranges_clear - free the ranges */
void iot_race_ranges_clear(struct iot_race_ranges *ranges);

#endif
