/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The causes of waits in both runs: holders of resources, queues and others. A cause is compared by
 * its share of each wait, which does not depend on the length of the waits.
 */
#include "compare/compare-local.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

/* Standard normal deviate of 95 % confidence, two-sided. */
static const double deviate_95 = 1.959964;

static void shift_free(gpointer data)
{
	struct iot_cause_shift *shift = data;

	g_free(shift->waiter);
	g_free(shift->place);
	g_free(shift->cause);
	iot_histogram_clear(&shift->run[0].shares);
	iot_histogram_clear(&shift->run[1].shares);
	g_free(shift);
}

/* All waits of a grouping with the same waiter and place. */
struct all_waits {
	guint64 n[2], ns[2];
};

struct collecting {
	GPtrArray *shifts;
	GHashTable *by_key; /* name -> struct iot_cause_shift */
	GHashTable *waits;  /* name without the cause -> struct all_waits */
};

static char *key_of(guint by, const char *waiter, const char *place)
{
	return g_strdup_printf("%u\n%s\n%s", by, by & IOT_SHIFT_BY_WAITER ? waiter : "",
			       by & IOT_SHIFT_BY_PLACE ? place : "");
}

static struct iot_cause_shift *find_shift(const struct collecting *all,
					  const struct iot_run_waits *waits,
					  const struct iot_run_cause *cause, guint by)
{
	g_autofree char *name = key_of(by, waits->node, waits->place);
	g_autofree char *key = g_strdup_printf("%s\n%d\n%s", name, cause->holds, cause->name);
	struct iot_cause_shift *shift = g_hash_table_lookup(all->by_key, key);

	if (shift)
		return shift;
	shift = g_new0(struct iot_cause_shift, 1);
	shift->by = by;
	shift->waiter = by & IOT_SHIFT_BY_WAITER ? g_strdup(waits->node) : NULL;
	shift->place = by & IOT_SHIFT_BY_PLACE ? g_strdup(waits->place) : NULL;
	shift->cause = g_strdup(cause->name);
	shift->holds = cause->holds;
	g_hash_table_insert(all->by_key, g_steal_pointer(&key), shift);
	g_ptr_array_add(all->shifts, shift);
	return shift;
}

static void add_waits(const struct collecting *all, const struct iot_run_waits *waits, guint side,
		      guint by)
{
	char *key = key_of(by, waits->node, waits->place);
	struct all_waits *sum = g_hash_table_lookup(all->waits, key);

	if (sum) {
		g_free(key);
	} else {
		sum = g_new0(struct all_waits, 1);
		g_hash_table_insert(all->waits, key, sum);
	}
	sum->n[side] += waits->n;
	sum->ns[side] += waits->ns;
	for (guint i = 0; i < waits->causes->len; i++) {
		const struct iot_run_cause *cause = waits->causes->pdata[i];
		struct iot_blamed *blamed = &find_shift(all, waits, cause, by)->run[side];

		blamed->n += cause->shares.n;
		blamed->ns += cause->ns;
		iot_histogram_merge(&blamed->shares, &cause->shares);
	}
}

static double variance(const struct iot_blamed *blamed, double mean)
{
	double sum = 0;

	for (guint i = 0; blamed->shares.cells && i < blamed->shares.cells->len; i++) {
		const struct iot_histogram_cell *cell =
			&g_array_index(blamed->shares.cells, struct iot_histogram_cell, i);
		double off = iot_histogram_middle(cell->number) / IOT_SHARE_WHOLE - mean;

		sum += (double)cell->n * off * off;
	}
	return blamed->n_waits > 1 ? sum / (double)(blamed->n_waits - 1) : 0;
}

/* With the waits without the cause. */
static void complete(const struct collecting *all, struct iot_cause_shift *shift)
{
	g_autofree char *key = key_of(shift->by, shift->waiter, shift->place);
	const struct all_waits *waits = g_hash_table_lookup(all->waits, key);
	double error = 0;

	for (guint side = 0; side < 2; side++) {
		struct iot_blamed *blamed = &shift->run[side];

		blamed->n_waits = waits->n[side];
		blamed->waits_ns = waits->ns[side];
		if (!blamed->n_waits)
			continue;
		shift->mean[side] =
			(double)blamed->shares.sum_ns / IOT_SHARE_WHOLE / (double)blamed->n_waits;
		if (blamed->n_waits > blamed->n)
			iot_histogram_count(&blamed->shares, 0, blamed->n_waits - blamed->n);
		error += variance(blamed, shift->mean[side]) / (double)blamed->n_waits;
	}
	shift->low = shift->mean[1] - shift->mean[0] - deviate_95 * sqrt(error);
	shift->high = shift->mean[1] - shift->mean[0] + deviate_95 * sqrt(error);
}

/* By place, waiter and cause: the waiter waits for one place only. */
static gboolean is_repeated(const struct collecting *all, const struct iot_cause_shift *shift)
{
	g_autofree char *key = key_of(IOT_SHIFT_BY_WAITER, shift->waiter, shift->place);
	const struct all_waits *waits = g_hash_table_lookup(all->waits, key);

	return shift->by == (IOT_SHIFT_BY_WAITER | IOT_SHIFT_BY_PLACE) &&
	       waits->n[0] == shift->run[0].n_waits && waits->n[1] == shift->run[1].n_waits;
}

static int compare_names(const char *a, const char *b)
{
	return a && b ? iot_natural_compare(a, b) : 0;
}

static int compare_shifts(gconstpointer a, gconstpointer b)
{
	const struct iot_cause_shift *x = *(const struct iot_cause_shift *const *)a;
	const struct iot_cause_shift *y = *(const struct iot_cause_shift *const *)b;
	int order = (x->by > y->by) - (x->by < y->by);

	order = order ? order : compare_names(x->place, y->place);
	order = order ? order : compare_names(x->waiter, y->waiter);
	order = order ? order : y->holds - x->holds;
	return order ? order : compare_names(x->cause, y->cause);
}

GPtrArray *iot_shifts_new(const struct iot_run_summary *a, const struct iot_run_summary *b)
{
	const struct iot_run_summary *const runs[] = { a, b };
	g_autoptr(GHashTable) by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) waits =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	const struct collecting all = { g_ptr_array_new_with_free_func(shift_free), by_key, waits };

	for (guint side = 0; side < 2; side++)
		for (guint i = 0; i < runs[side]->waits->len; i++)
			for (guint by = 0; by < IOT_N_SHIFT_GROUPINGS; by++)
				add_waits(&all, runs[side]->waits->pdata[i], side, by);
	for (guint i = 0; i < all.shifts->len; i++) {
		struct iot_cause_shift *shift = all.shifts->pdata[i];

		complete(&all, shift);
		shift->repeated = is_repeated(&all, shift);
	}
	g_ptr_array_sort(all.shifts, compare_shifts);
	return all.shifts;
}

guint iot_shifts_test(const GPtrArray *shifts, GPtrArray *tested)
{
	guint n_few = 0;

	for (guint i = 0; i < shifts->len; i++) {
		struct iot_cause_shift *shift = shifts->pdata[i];
		guint64 least = MIN(shift->run[0].n_waits, shift->run[1].n_waits);

		if (!(shift->by & IOT_SHIFT_BY_WAITER) || shift->repeated || !least)
			continue;
		if (least < IOT_RANK_TEST_LEAST) {
			n_few++;
			continue;
		}
		shift->test.p = iot_rank_test_p(&shift->run[0].shares, &shift->run[1].shares);
		g_ptr_array_add(tested, &shift->test);
	}
	return n_few;
}

double iot_blamed_share(const struct iot_blamed *blamed)
{
	return blamed->waits_ns ? (double)blamed->ns / (double)blamed->waits_ns : 0;
}

double iot_shift_cost(const struct iot_cause_shift *shift)
{
	return (double)shift->run[1].ns -
	       iot_blamed_share(&shift->run[0]) * (double)shift->run[1].waits_ns;
}
