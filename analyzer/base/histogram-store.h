/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many histograms whose cells take a bounded amount of memory together. If there are too many
 * cells, those of all histograms go to a nameless temporary file, and the histograms begin with no
 * cells again. So memory does not grow with the number of durations. Adding: one thread; loading:
 * any number of threads, after the last addition.
 */
#ifndef IOT_BASE_HISTOGRAM_STORE_H
#define IOT_BASE_HISTOGRAM_STORE_H

#include "base/histogram.h"

/* A histogram of a store; all members are 0 before the first addition. */
struct iot_stored_histogram {
	struct iot_histogram
		top;	/* cells that are in memory; the sums are those of all durations */
	guint64 chunk;	/* 1 + offset of the last cells in the file; 0: none */
	gboolean known; /* to the store */
};

struct iot_histogram_store;

/**
 * iot_histogram_store_new - a store without histograms
 * @near_path: the file is made in the directory of this path, or in TMPDIR for "-" and devices;
 *	copied
 * @max_cells: in memory; 0: the default
 */
struct iot_histogram_store *iot_histogram_store_new(const char *near_path, guint max_cells);
/** iot_histogram_store_free - without the histograms; accepts NULL */
void iot_histogram_store_free(struct iot_histogram_store *store);
/** iot_histogram_store_add - count a duration in @histogram, which stays at its address and is only
 * freed after the last addition to any histogram of the store */
void iot_histogram_store_add(struct iot_histogram_store *store,
			     struct iot_stored_histogram *histogram, guint64 ns);
/** iot_histogram_store_load - all of a histogram, in @out, which the caller clears; FALSE and an
 * error: the file could not be written or read */
gboolean iot_histogram_store_load(const struct iot_histogram_store *store,
				  const struct iot_stored_histogram *histogram,
				  struct iot_histogram *out, GError **error);

#endif
