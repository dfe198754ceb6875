/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/histogram.h"

#include <math.h>

/* Cells per power of two, as a power of two. */
enum { BITS = 6, BLOCK = 1 << BITS };

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

/* The first cell from @cells on that is not before @number. */
static guint find_place(const struct iot_histogram_cell *cells, guint n, guint number)
{
	const struct iot_histogram_cell *at = cells;

	/* half of the rest is skipped or not without a jump that a processor would guess */
	for (guint half; n; n -= half) {
		half = n - n / 2;
		at += at[half - 1].number < number ? half : 0;
	}
	return (guint)(at - cells);
}

static struct iot_histogram_cell *find_cell(struct iot_histogram *histogram, guint number)
{
	struct iot_histogram_cell new = { .number = number };
	struct iot_histogram_cell *cells;
	guint place;

	if (!histogram->cells)
		histogram->cells = g_array_new(FALSE, FALSE, sizeof(new));
	cells = (struct iot_histogram_cell *)(gpointer)histogram->cells->data;
	place = find_place(cells, histogram->cells->len, number);
	if (place == histogram->cells->len || cells[place].number != number)
		g_array_insert_val(histogram->cells, place, new);
	return &g_array_index(histogram->cells, struct iot_histogram_cell, place);
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

/* The cells of a block, which begins with the cell @first. */
static void merge_block(struct iot_histogram *histogram, guint first, const guint32 *count)
{
	struct iot_histogram_cell cell[BLOCK];
	guint n = 0, len = histogram->cells->len;

	for (guint k = 0; k < BLOCK; k++)
		if (count[k])
			cell[n++] = (struct iot_histogram_cell){ first + k, count[k] };
	/* fast path: nothing stands after it */
	if (!len ||
	    g_array_index(histogram->cells, struct iot_histogram_cell, len - 1).number < first) {
		g_array_append_vals(histogram->cells, cell, n);
		return;
	}
	for (guint i = 0; i < n; i++)
		find_cell(histogram, cell[i].number)->n += cell[i].n;
}

void iot_histogram_merge_counts(struct iot_histogram *histogram, const struct iot_counts *other)
{
	if (!other->n)
		return;
	extend(histogram, other->min_ns, other->max_ns);
	histogram->sum_ns += other->sum_ns;
	if (!histogram->cells)
		histogram->cells = g_array_sized_new(FALSE, FALSE,
						     sizeof(struct iot_histogram_cell), 2 * BLOCK);
	for (guint i = 0; i < G_N_ELEMENTS(other->block); i++)
		if (other->block[i])
			merge_block(histogram, i * BLOCK, other->block[i]);
	histogram->n += other->n;
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

/* ---- counts */

void iot_counts_clear(struct iot_counts *counts)
{
	for (guint i = 0; counts->n && i < G_N_ELEMENTS(counts->block); i++)
		if (counts->block[i])
			g_free(counts->block[i]);
	*counts = (struct iot_counts){ 0 };
}

void iot_counts_add(struct iot_counts *counts, guint64 ns)
{
	guint cell = iot_histogram_cell_of(ns);
	guint32 **block = &counts->block[cell / BLOCK];

	if (!*block)
		*block = g_new0(guint32, BLOCK);
	(*block)[cell % BLOCK]++;
	counts->min_ns = counts->n ? MIN(counts->min_ns, ns) : ns;
	counts->max_ns = MAX(counts->max_ns, ns);
	counts->sum_ns += ns;
	counts->n++;
}
