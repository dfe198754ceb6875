/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histograms whose cells leave memory, and counts in blocks, compared with plain histograms. */
#include "base/histogram-store.h"
#include "unit.h"

#include <string.h>

enum { HISTOGRAMS = 7 };

static void clear(struct iot_stored_histogram *stored, struct iot_histogram *plain)
{
	for (guint i = 0; i < HISTOGRAMS; i++) {
		iot_histogram_clear(&stored[i].top);
		iot_histogram_clear(&plain[i]);
	}
}

static void check_equal(const struct iot_histogram *a, const struct iot_histogram *b)
{
	CU_ASSERT_EQUAL(a->n, b->n);
	CU_ASSERT_EQUAL(a->sum_ns, b->sum_ns);
	CU_ASSERT_EQUAL(a->min_ns, b->min_ns);
	CU_ASSERT_EQUAL(a->max_ns, b->max_ns);
	CU_ASSERT_EQUAL_FATAL(a->cells->len, b->cells->len);
	CU_ASSERT_EQUAL(memcmp(a->cells->data, b->cells->data,
			       a->cells->len * sizeof(struct iot_histogram_cell)),
			0);
}

UNIT_TEST(cells_in_the_file_are_added_up)
{
	struct iot_histogram_store *store = iot_histogram_store_new("-", 100);
	struct iot_stored_histogram stored[HISTOGRAMS] = { 0 };
	struct iot_histogram plain[HISTOGRAMS] = { 0 };
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);

	for (guint i = 0; i < 20000; i++) {
		/* the last one gets few, so some of its cells stay in the file for long */
		guint at = i % 1000 ? i % (HISTOGRAMS - 1) : HISTOGRAMS - 1;
		guint64 ns = (guint64)g_rand_int(rand) >> g_rand_int_range(rand, 0, 32);

		iot_histogram_store_add(store, &stored[at], ns);
		iot_histogram_add(&plain[at], ns);
	}
	for (guint i = 0; i < HISTOGRAMS; i++) {
		struct iot_histogram loaded;

		CU_ASSERT_NOT_EQUAL(stored[i].chunk, 0);
		CU_ASSERT_TRUE_FATAL(iot_histogram_store_load(store, &stored[i], &loaded, NULL));
		check_equal(&loaded, &plain[i]);
		iot_histogram_clear(&loaded);
	}
	clear(stored, plain);
	iot_histogram_store_free(store);
}

/* All widths of cells, and the edges of the first and the last. */
UNIT_TEST(counts_merge_into_the_same_cells)
{
	static const guint64 edges[] = { 0, 1, 63, 64, 127, 128, G_MAXUINT64 };
	struct iot_histogram plain = { 0 }, merged = { 0 };
	struct iot_counts counts[2] = { { 0 } };
	g_autoptr(GRand) rand = g_rand_new_with_seed(4);

	for (guint i = 0; i < 20000; i++) {
		guint64 any = (guint64)g_rand_int(rand) << 32 | g_rand_int(rand);
		guint64 ns =
			i < G_N_ELEMENTS(edges) ? edges[i] : any >> g_rand_int_range(rand, 0, 64);

		iot_counts_add(&counts[i % 2], ns);
		iot_histogram_add(&plain, ns);
	}
	for (guint i = 0; i < 2; i++) {
		iot_histogram_merge_counts(&merged, &counts[i]);
		iot_counts_clear(&counts[i]);
		CU_ASSERT_EQUAL(counts[i].n, 0);
		iot_histogram_merge_counts(&merged, &counts[i]);
	}
	check_equal(&merged, &plain);
	iot_histogram_clear(&merged);
	iot_histogram_clear(&plain);
}

UNIT_TEST(few_cells_stay_in_memory)
{
	struct iot_histogram_store *store = iot_histogram_store_new("/no/such/folder/file", 0);
	struct iot_stored_histogram stored[HISTOGRAMS] = { 0 };
	struct iot_histogram plain[HISTOGRAMS] = { 0 }, loaded;

	for (guint64 ns = 1; ns < 1000000; ns *= 3) {
		iot_histogram_store_add(store, stored, ns);
		iot_histogram_add(plain, ns);
	}
	CU_ASSERT_TRUE_FATAL(iot_histogram_store_load(store, stored, &loaded, NULL));
	check_equal(&loaded, plain);
	iot_histogram_clear(&loaded);
	clear(stored, plain);
	iot_histogram_store_free(store);
}

UNIT_TEST(a_file_that_cannot_be_made_is_an_error)
{
	struct iot_histogram_store *store = iot_histogram_store_new("/no/such/folder/file", 2);
	struct iot_stored_histogram stored[HISTOGRAMS] = { 0 };
	struct iot_histogram plain[HISTOGRAMS] = { 0 }, loaded;
	g_autoptr(GError) error = NULL;

	for (guint64 ns = 1; ns < 1000; ns *= 2)
		iot_histogram_store_add(store, stored, ns);
	CU_ASSERT_FALSE(iot_histogram_store_load(store, stored, &loaded, &error));
	CU_ASSERT_PTR_NOT_NULL_FATAL(error);
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, "/no/such/folder"));
	clear(stored, plain);
	iot_histogram_store_free(store);
}
