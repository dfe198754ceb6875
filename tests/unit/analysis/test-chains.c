/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Planned chains of waits: thread i waits for a resource that thread i + 1 holds. */
#include "../timeline/timeline-sample.h"
#include "analysis/chains.h"

#include <string.h>

enum { NODES = 3, MAX_THREADS = 20, LENGTH = 400, SCHEDULES = 300 };

struct bench {
	struct sample s;
	struct iot_locks *locks;
	struct iot_waits *waits;
	struct iot_thread_waits *threads;
	struct iot_chains *chains;
	iot_row_id row[MAX_THREADS + 1][NODES]; /* by resource and node */
	guint n;				/* threads */
	guint begin[MAX_THREADS], end[MAX_THREADS];
	/* by the first member and the number of members */
	guint64 ns[MAX_THREADS][IOT_CHAIN_MEMBERS + 1];
	guint wrong;
	gboolean several; /* each blocker of a wait that ends is taken for several holds */
};

static void wait_ended(gpointer data, const struct iot_wait *wait)
{
	struct bench *b = data;
	const GArray *parts;

	for (guint i = 0; b->several && i < wait->blockers->len; i++)
		g_array_index(wait->blockers, struct iot_blocker, i).several = TRUE;
	parts = iot_chains_add(b->chains, wait);

	for (guint i = 0; i < parts->len; i++) {
		const struct iot_chain_part *part = &g_array_index(parts, struct iot_chain_part, i);
		const struct iot_chain *chain = part->chain;
		guint64 first = chain->member[0].pid - 1;

		for (guint k = 0; k < chain->n; k++)
			b->wrong +=
				chain->member[k].pid != first + k + 1 ||
				(k && chain->member[k].resource !=
					      iot_row_at(b->s.tl, b->row[first + k][0])->parent);
		b->ns[first][chain->n] += part->ns;
	}
}

static void bench_init(struct bench *b)
{
	struct iot_attr_def pid = { .format = IOT_ATTR_UINT };

	memset(b, 0, sizeof(*b));
	sample_init(&b->s);
	pid.name = iot_intern_str(b->s.tl->strings, "pid");
	iot_type_add_attr(b->s.tl, b->s.span, &pid);
	iot_type_set_role(b->s.tl, b->s.node, IOT_ROLE_NODE);
	iot_cat_compare(b->s.tl, b->s.hold, 1, 0);
	for (guint i = 0; i <= MAX_THREADS; i++) {
		g_autofree char *name = g_strdup_printf("r%u", i);
		iot_row_id resource = sample_row(&b->s, b->s.space, 0, name);

		for (guint k = 0; k < NODES; k++) {
			const char *node[NODES] = { "x", "y", "z" };

			b->row[i][k] = sample_row(&b->s, b->s.node, resource, node[k]);
		}
	}
	b->locks = iot_locks_new(b->s.tl);
	b->waits = iot_waits_new(b->s.tl, b->locks);
	b->threads = iot_thread_waits_new(b->s.tl, b->waits);
	b->chains = iot_chains_new(b->s.tl, b->waits, b->threads);
	iot_waits_listen(b->waits, wait_ended, b);
}

static void bench_clear(struct bench *b)
{
	iot_chains_free(b->chains);
	iot_thread_waits_free(b->threads);
	iot_waits_free(b->waits);
	iot_locks_free(b->locks);
	iot_timeline_free(b->s.tl);
}

/* Begin or end of a span of a thread on a resource. */
static void pass_on(struct bench *b, guint thread, guint resource, gboolean waits, guint t0,
		    guint t1)
{
	struct iot_item item = sample_span(&b->s, waits ? b->s.wait : b->s.hold,
					   b->row[resource][thread % NODES], t0);

	item.lane = waits;
	item.asks = waits ? b->s.hold : 0;
	item.n_attrs = 3;
	item.attr[2].u = thread + 1;
	item.t1 = t1 ? t1 : t0;
	item.kind = t1 ? IOT_ITEM_SPAN : IOT_ITEM_SPAN_BEGIN;
	iot_locks_item(b->locks, &item);
}

/* Thread i waits in [begin, end) for resource i + 1, which thread i + 1 holds from the start to
 * that end. */
static void play(struct bench *b)
{
	for (guint i = 1; i < b->n; i++)
		pass_on(b, i, i, FALSE, 1, 0);
	for (guint t = 2; t <= LENGTH; t++)
		for (guint i = 0; i + 1 < b->n; i++) {
			if (b->end[i] == t) {
				pass_on(b, i + 1, i + 1, FALSE, 1, t);
				pass_on(b, i, i + 1, TRUE, b->begin[i], t);
			}
			if (b->begin[i] == t)
				pass_on(b, i, i + 1, TRUE, t, 0);
		}
	iot_locks_finish(b->locks);
}

static gboolean is_waiting(const struct bench *b, guint thread, guint t)
{
	return thread + 1 < b->n && b->begin[thread] <= t && t < b->end[thread];
}

/* Each instant of each wait, by the plan. */
static void compare(const struct bench *b)
{
	guint64 ns[MAX_THREADS][IOT_CHAIN_MEMBERS + 1] = { { 0 } };

	for (guint i = 0; i + 1 < b->n; i++)
		for (guint t = b->begin[i]; t < b->end[i]; t++) {
			guint members = 2;

			while (members < IOT_CHAIN_MEMBERS && is_waiting(b, i + members - 1, t))
				members++;
			ns[i][members] += members > 2;
		}
	CU_ASSERT_EQUAL(b->wrong, 0);
	CU_ASSERT(!memcmp(ns, b->ns, sizeof(ns)));
}

/* Waits begin and end in any order, so a holder's wait may end before, or be open after, the wait
 * for that holder. */
UNIT_TEST(planned_chains_of_any_length_are_found_and_no_others)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(16);

	for (guint i = 0; i < SCHEDULES; i++) {
		struct bench b;

		bench_init(&b);
		b.n = (guint)g_rand_int_range(rand, 2, MAX_THREADS + 1);
		for (guint k = 0; k + 1 < b.n; k++) {
			b.begin[k] = (guint)g_rand_int_range(rand, 2, LENGTH / 2);
			b.end[k] = (guint)g_rand_int_range(rand, (gint)b.begin[k] + 1, LENGTH);
		}
		play(&b);
		compare(&b);
		bench_clear(&b);
	}
}

/* 0 waits in [10, 100) for 1, which waits in [30, 80) for 2; nothing is known of clocks. */
static void play_chain(struct bench *b)
{
	b->n = 3;
	b->begin[0] = 10;
	b->end[0] = 100;
	b->begin[1] = 30;
	b->end[1] = 80;
	play(b);
}

UNIT_TEST(a_chain_has_the_time_in_which_all_its_members_wait)
{
	struct bench b;
	struct iot_results *results = iot_results_new();
	const struct iot_result_table *table;

	bench_init(&b);
	play_chain(&b);
	CU_ASSERT_EQUAL(b.ns[0][3], 50);
	iot_chains_publish(b.chains, results);
	table = iot_results_find(results, "chains");
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL(table->rows->len, 1);
	iot_results_free(results);
	bench_clear(&b);
}

/* Between several holds their lock was not held. */
UNIT_TEST(several_holds_begin_no_chain)
{
	struct bench b;

	bench_init(&b);
	b.several = TRUE;
	play_chain(&b);
	CU_ASSERT_EQUAL(b.ns[0][3], 0);
	CU_ASSERT_EQUAL(b.s.tl->stage_diag.count[IOT_DIAG_chain_forgotten], 2);
	bench_clear(&b);
}

/* Waits of other nodes and processes make no chain, and neither does a wait that nobody waits for.
 */
UNIT_TEST(waits_of_other_threads_make_no_chain)
{
	struct bench b;

	bench_init(&b);
	b.n = 2;
	b.begin[0] = 10;
	b.end[0] = 100;
	pass_on(&b, 1, 1, FALSE, 1, 0);
	pass_on(&b, 7, 7, FALSE, 1, 0);
	pass_on(&b, 0, 1, TRUE, 10, 0);
	/* on the node of thread 1, another process */
	pass_on(&b, 4, 7, TRUE, 20, 0);
	pass_on(&b, 4, 7, TRUE, 20, 90);
	pass_on(&b, 0, 1, TRUE, 10, 100);
	iot_locks_finish(b.locks);
	compare(&b);
	bench_clear(&b);
}

UNIT_TEST(ended_waits_are_kept_up_to_a_limit)
{
	struct bench b;

	bench_init(&b);
	pass_on(&b, 1, 1, FALSE, 1, 0);
	pass_on(&b, 2, 2, FALSE, 1, 0);
	pass_on(&b, 0, 1, TRUE, 2, 0);
	for (guint i = 0; i < 1024 + 76; i++) {
		pass_on(&b, 3, 2, TRUE, 10 + 2 * i, 0);
		pass_on(&b, 3, 2, TRUE, 10 + 2 * i, 11 + 2 * i);
	}
	pass_on(&b, 0, 1, TRUE, 2, 9000);
	iot_locks_finish(b.locks);
	CU_ASSERT_EQUAL(b.s.tl->stage_diag.count[IOT_DIAG_chain_forgotten], 76);
	bench_clear(&b);
}
