/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/histogram.h"

#include <math.h>

/* Cells per power of two, as a power of two. */
enum { BITS = 6 };

void iot_histogram_clear(struct iot_histogram *histogram)
{
	g_clear_pointer(&histogram->cells, g_array_unref);
	*histogram = (struct iot_histogram){ 0 };
}

guint iot_histogram_cell_of(guint64 ns)
{
	guint shift;

	if (ns < 2 << BITS)
		return (guint)ns;
	shift = (guint)(63 - __builtin_clzll(ns)) - BITS;
	return (shift << BITS) + (guint)(ns >> shift);
}

double iot_histogram_middle(guint cell)
{
	guint shift;

	if (cell < 2 << BITS)
		return cell;
	shift = (cell >> BITS) - 1;
	return ldexp((double)(cell - (shift << BITS)) + 0.5, (int)shift) - 0.5;
}

static struct iot_histogram_cell *find_cell(struct iot_histogram *histogram, guint number)
{
	struct iot_histogram_cell new = { .number = number };
	guint low = 0, high;

	if (!histogram->cells)
		histogram->cells = g_array_new(FALSE, FALSE, sizeof(new));
	high = histogram->cells->len;
	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(histogram->cells, struct iot_histogram_cell, middle).number <
		    number)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == histogram->cells->len ||
	    g_array_index(histogram->cells, struct iot_histogram_cell, low).number != number)
		g_array_insert_val(histogram->cells, low, new);
	return &g_array_index(histogram->cells, struct iot_histogram_cell, low);
}

void iot_histogram_count(struct iot_histogram *histogram, guint cell, guint64 n)
{
	find_cell(histogram, cell)->n += n;
	histogram->n += n;
}

static void extend(struct iot_histogram *histogram, guint64 min_ns, guint64 max_ns)
{
	histogram->min_ns = histogram->n ? MIN(histogram->min_ns, min_ns) : min_ns;
	histogram->max_ns = histogram->n ? MAX(histogram->max_ns, max_ns) : max_ns;
}

void iot_histogram_add(struct iot_histogram *histogram, guint64 ns)
{
	extend(histogram, ns, ns);
	histogram->sum_ns += ns;
	iot_histogram_count(histogram, iot_histogram_cell_of(ns), 1);
}

void iot_histogram_merge(struct iot_histogram *histogram, const struct iot_histogram *other)
{
	if (!other->n)
		return;
	extend(histogram, other->min_ns, other->max_ns);
	histogram->sum_ns += other->sum_ns;
	for (guint i = 0; i < other->cells->len; i++) {
		const struct iot_histogram_cell *cell =
			&g_array_index(other->cells, struct iot_histogram_cell, i);

		iot_histogram_count(histogram, cell->number, cell->n);
	}
}

guint64 iot_histogram_quantile(const struct iot_histogram *histogram, double q)
{
	/* the k-th duration, from 1 */
	guint64 k = (guint64)ceil(q * (double)histogram->n), before = 0;
	guint i = 0;

	if (!histogram->n)
		return 0;
	k = CLAMP(k, 1, histogram->n);
	for (; i + 1 < histogram->cells->len; i++) {
		before += g_array_index(histogram->cells, struct iot_histogram_cell, i).n;
		if (before >= k)
			break;
	}
	return CLAMP((guint64)llround(iot_histogram_middle(
			     g_array_index(histogram->cells, struct iot_histogram_cell, i).number)),
		     histogram->min_ns, histogram->max_ns);
}
