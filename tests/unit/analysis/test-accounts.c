/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of spans, compared with a search at each instant. */
#include "unit.h"
#include "analysis/account-fold.h"

enum { CHILDREN = 12, LENGTH = 200, RUNS = 500 };

/* Children at random places, some of them cut by the span [LENGTH / 4, LENGTH * 3 / 4]. */
static GArray *make_children(GRand *rand)
{
	GArray *children = g_array_new(FALSE, FALSE, sizeof(struct iot_child));

	g_array_set_clear_func(children, iot_child_clear);
	for (guint i = 0; i < CHILDREN; i++) {
		struct iot_child child = { .cat = i + 1, .row = i + 1, .linked = TRUE };
		const struct iot_account_part own = { .cat = i + 1, .row = i + 1 };
		g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(struct iot_account_part));

		child.t0 = (guint)g_rand_int_range(rand, 0, LENGTH);
		child.w0 = child.t0 + (guint)g_rand_int_range(rand, 0, 10);
		child.w1 = child.w0 + 1 + (guint)g_rand_int_range(rand, 0, 40);
		/* no two ends are equal */
		child.t1 = (child.w1 + (guint)g_rand_int_range(rand, 0, 10)) * CHILDREN + i;
		child.t0 *= CHILDREN;
		child.w0 *= CHILDREN;
		child.w1 *= CHILDREN;
		child.parts = iot_account_fill(none, child.w0, child.w1, &own);
		g_array_append_val(children, child);
	}
	return children;
}

/* The child that has an instant, and its phase: of all that are on their way the one that ends
 * last. 0: nobody. */
static iot_cat_id who(const GArray *children, guint64 t, enum iot_phase *phase)
{
	const struct iot_child *last = NULL;

	for (guint i = 0; i < children->len; i++) {
		const struct iot_child *child = &g_array_index(children, struct iot_child, i);

		if (child->t0 <= t && t < child->t1 && (!last || child->t1 > last->t1))
			last = child;
	}
	if (!last)
		return 0;
	*phase = t < last->w0 ? IOT_PHASE_TRAVEL : t < last->w1 ? IOT_PHASE_WORK : IOT_PHASE_RETURN;
	return last->cat;
}

/* Every instant of the span, one by one, against the parts. */
UNIT_TEST(accounts_give_each_instant_to_the_last_to_end)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	const guint64 t0 = LENGTH / 4 * CHILDREN, t1 = LENGTH * 3 / 4 * CHILDREN;

	for (guint run = 0; run < RUNS; run++) {
		g_autoptr(GArray) children = make_children(rand);
		guint64 n_concurrent = 0, until = t0;
		g_autoptr(GArray) parts = iot_account_fold(children, t0, t1, &n_concurrent);
		gboolean right = TRUE;
		guint at = 0;

		for (guint i = 0; i < parts->len; i++) {
			const struct iot_account_part *part =
				&g_array_index(parts, struct iot_account_part, i);

			right &= part->t0 >= until && part->t1 > part->t0 && part->t1 <= t1;
			until = part->t1;
		}
		for (guint64 t = t0; t < t1; t++) {
			enum iot_phase phase = IOT_PHASE_WORK;
			iot_cat_id cat = who(children, t, &phase);
			const struct iot_account_part *part;

			while (at < parts->len &&
			       g_array_index(parts, struct iot_account_part, at).t1 <= t)
				at++;
			part = at < parts->len ? &g_array_index(parts, struct iot_account_part, at)
					       : NULL;
			if (part && part->t0 > t)
				part = NULL;
			right &= cat ? part && part->cat == cat && part->phase == phase : !part;
		}
		CU_ASSERT(right);
	}
}

static guint64 sum(const GArray *parts)
{
	guint64 ns = 0;

	for (guint i = 0; i < parts->len; i++) {
		const struct iot_account_part *part =
			&g_array_index(parts, struct iot_account_part, i);

		ns += part->t1 - part->t0;
	}
	return ns;
}

/* Holes go to the span itself, and the parts add up to it; merged, they still do. */
UNIT_TEST(accounts_add_up)
{
	const struct iot_account_part own = { .cat = 99, .row = 99 };
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	const guint64 t0 = LENGTH / 4 * CHILDREN, t1 = LENGTH * 3 / 4 * CHILDREN;

	for (guint run = 0; run < RUNS; run++) {
		g_autoptr(GArray) children = make_children(rand);
		guint64 n_concurrent = 0;
		g_autoptr(GArray) parts = iot_account_fold(children, t0, t1, &n_concurrent);
		g_autoptr(GArray) whole = iot_account_fill(parts, t0, t1, &own);

		CU_ASSERT_EQUAL(sum(whole), t1 - t0);
		iot_account_shrink(whole, 4);
		CU_ASSERT(whole->len <= 4);
		CU_ASSERT_EQUAL(sum(whole), t1 - t0);
	}
}

/* Before a request travels it is not yet sent, and after the last answer it is answered. */
UNIT_TEST(accounts_name_the_way_of_a_request)
{
	static const enum iot_phase expected[] = { IOT_PHASE_BEFORE, IOT_PHASE_TRAVEL,
						   IOT_PHASE_WORK, IOT_PHASE_RETURN,
						   IOT_PHASE_AFTER };
	const struct iot_account_part own = { .cat = 7, .row = 7 }, other = { .cat = 8, .row = 8 };
	g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(struct iot_account_part));
	g_autoptr(GArray) children = g_array_new(FALSE, FALSE, sizeof(struct iot_child));
	g_autoptr(GArray) parts = NULL;
	g_autoptr(GArray) whole = NULL;
	struct iot_child child = {
		.t0 = 110, .t1 = 180, .w0 = 120, .w1 = 150, .cat = 8, .row = 8, .linked = TRUE
	};
	guint64 n_concurrent = 0;

	child.parts = iot_account_fill(none, 120, 150, &other);
	g_array_set_clear_func(children, iot_child_clear);
	g_array_append_val(children, child);
	parts = iot_account_fold(children, 100, 200, &n_concurrent);
	whole = iot_account_fill(parts, 100, 200, &own);
	CU_ASSERT_EQUAL_FATAL(whole->len, G_N_ELEMENTS(expected));
	for (guint i = 0; i < whole->len; i++)
		CU_ASSERT_EQUAL(g_array_index(whole, struct iot_account_part, i).phase,
				expected[i]);
	CU_ASSERT_EQUAL(n_concurrent, 0);
}
