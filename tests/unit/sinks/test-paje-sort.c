/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/paje/paje-sort.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { LINES = 20000, INSTANTS = 700 };

struct want {
	guint64 t;
	guint order;
};

static gint compare(gconstpointer pa, gconstpointer pb)
{
	const struct want *a = pa, *b = pb;

	if (a->t != b->t)
		return a->t < b->t ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

/* Lines of several lengths at random instants: by time, those of one instant as they came. */
static void check_order(guint n_lines)
{
	struct paje_sort *sort = paje_sort_new("-", 0); /* the least memory */
	g_autoptr(GArray) want = g_array_new(FALSE, FALSE, sizeof(struct want));
	GRand *rand = g_rand_new_with_seed(7);
	const char *got;
	guint64 t;
	gsize len;

	for (guint i = 0; i < n_lines; i++) {
		struct want line = { (guint64)g_rand_int_range(rand, 0, INSTANTS), i };
		g_autofree char *text =
			g_strdup_printf("%u %*s\n", i, g_rand_int_range(rand, 1, 3000), "x");

		g_array_append_val(want, line);
		CU_ASSERT(paje_sort_add(sort, line.t, text, strlen(text), NULL));
	}
	g_array_sort(want, compare);
	CU_ASSERT(paje_sort_finish(sort, NULL));
	for (guint i = 0; i < n_lines; i++) {
		const struct want *line = &g_array_index(want, struct want, i);

		got = paje_sort_top(sort, &t, &len);
		CU_ASSERT_FATAL(got != NULL);
		CU_ASSERT_EQUAL(t, line->t);
		CU_ASSERT_EQUAL((guint)strtoul(got, NULL, 10), line->order);
		CU_ASSERT_EQUAL(got[len - 1], '\n');
		CU_ASSERT(paje_sort_pop(sort, NULL));
	}
	CU_ASSERT_PTR_NULL(paje_sort_top(sort, &t, &len));
	CU_ASSERT(paje_sort_memory(sort) < 4 << 20);
	g_rand_free(rand);
	paje_sort_free(sort);
}

UNIT_TEST(paje_lines_are_sorted_in_memory)
{
	check_order(0);
	check_order(1);
	check_order(20);
}

UNIT_TEST(paje_lines_are_sorted_in_runs)
{
	check_order(LINES);
}
