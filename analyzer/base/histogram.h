/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A distribution of durations as counts per cell. A cell is at most 1/64 (1.6 %) of its durations
 * wide; durations below 128 ns have cells of their own. Histograms can be added up. One thread at a
 * time.
 */
#ifndef IOT_BASE_HISTOGRAM_H
#define IOT_BASE_HISTOGRAM_H

#include <glib.h>

enum { IOT_HISTOGRAM_CELLS = 64 * 59 };

struct iot_histogram_cell {
	guint64 number : 12; /* below IOT_HISTOGRAM_CELLS */
	guint64 n : 52;
};

struct iot_histogram {
	GArray *cells; /* struct iot_histogram_cell with n > 0, by number; NULL: none */
	guint64 n, sum_ns;
	guint64 min_ns, max_ns; /* valid if n > 0 */
};

/* The same cells in blocks of 64. Quicker to add to, and few blocks occur, so it soon grows no
 * more. Counts of a cell are below 2^32. */
struct iot_counts {
	guint64 n, sum_ns;
	guint64 min_ns, max_ns;			  /* valid if n > 0 */
	guint32 *block[IOT_HISTOGRAM_CELLS / 64]; /* NULL: no count */
};

/** iot_histogram_clear - free the cells; empty afterwards */
void iot_histogram_clear(struct iot_histogram *histogram);
/** iot_histogram_add - count a duration */
void iot_histogram_add(struct iot_histogram *histogram, guint64 ns);
/** iot_histogram_merge - add the counts of @other */
void iot_histogram_merge(struct iot_histogram *histogram, const struct iot_histogram *other);
/** iot_histogram_merge_counts - add the counts of @other */
void iot_histogram_merge_counts(struct iot_histogram *histogram, const struct iot_counts *other);
/** iot_histogram_count - add @n to a cell, and nothing to the sum and the limits */
void iot_histogram_count(struct iot_histogram *histogram, guint cell, guint64 n);

/** iot_histogram_cell_of - the number of the cell of a duration */
guint iot_histogram_cell_of(guint64 ns);
/** iot_histogram_middle - the duration in the middle of a cell, in ns */
double iot_histogram_middle(guint cell);
/**
 * iot_histogram_quantile - the duration that the share @q (0 to 1) of all durations does not exceed
 *
 * Exact to the width of a cell, and within the least and the greatest duration; 0 without any.
 */
guint64 iot_histogram_quantile(const struct iot_histogram *histogram, double q);

/** iot_counts_clear - free the blocks; empty afterwards */
void iot_counts_clear(struct iot_counts *counts);
/** iot_counts_add - count a duration */
void iot_counts_add(struct iot_counts *counts, guint64 ns);

#endif
