/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits with many holds in their way: which stay single or keep their names, and that no time is
 * lost. */
#include "../timeline/timeline-sample.h"
#include "analysis/waits.h"

#include <string.h>

enum { LOCKS = 200, MANY_ROUNDS = 30 };

/* Lock i is held for i ns, in turn with the others; the first three are of node n, the others of
 * node m. */
struct bench {
	struct sample s;
	iot_cat_id exclusive;
	struct iot_locks *locks;
	struct iot_waits *waits;
	guint n_waits;
	guint64 named[LOCKS + 1]; /* by lock */
	guint64 nameless[2];	  /* of node n and m */
	guint n_single, n_several, n_nameless, n_wrong;
	guint64 held;
};

static void wait_ended(gpointer data, const struct iot_wait *wait)
{
	struct bench *b = data;

	b->n_waits++;
	b->held = wait->cause_ns[IOT_CAUSE_HOLD];
	for (guint i = 0; i < wait->blockers->len; i++) {
		const struct iot_blocker *blocker = iot_wait_blocker(wait, i);
		const struct iot_claim *claim = &blocker->claim;

		b->n_wrong += blocker->ns != blocker->whole_ns || blocker->ns != blocker->alone_ns;
		if (blocker->nameless) {
			b->n_nameless++;
			b->n_wrong += claim->lock || claim->pid || claim->cat != b->exclusive ||
				      !blocker->several;
			b->nameless[claim->row == b->s.m] += blocker->ns;
		} else {
			b->n_single += !blocker->several;
			b->n_several += blocker->several;
			b->named[claim->lane] += blocker->ns;
		}
	}
}

static void bench_init(struct bench *b)
{

	memset(b, 0, sizeof(*b));
	sample_init(&b->s);
	b->s.a = sample_row(&b->s, b->s.space, 0, "a");
	b->s.n = sample_row(&b->s, b->s.node, b->s.a, "n");
	b->s.m = sample_row(&b->s, b->s.node, b->s.a, "m");
	iot_type_set_role(b->s.tl, b->s.node, IOT_ROLE_NODE);
	b->exclusive = iot_timeline_cat(b->s.tl, b->s.span, "exclusive", 0, IOT_ROLE_HOLD);
	iot_cat_compare(b->s.tl, b->exclusive, 1, 0);
	b->locks = iot_locks_new(b->s.tl);
	b->waits = iot_waits_new(b->s.tl, b->locks);
	iot_waits_listen(b->waits, wait_ended, b);
}

static void bench_clear(struct bench *b)
{
	iot_waits_free(b->waits);
	iot_locks_free(b->locks);
	iot_timeline_free(b->s.tl);
}

/* @t1: 0 for the begin of a span that waits or holds. */
static void pass_on(struct bench *b, gboolean waits, guint lock, guint64 t0, guint64 t1)
{
	struct iot_item item = sample_span(&b->s, waits ? b->s.wait : b->exclusive,
					   lock <= 3 ? b->s.n : b->s.m, t0);

	item.lane = (guint16)lock;
	item.attr[0].u = lock;
	item.asks = waits ? b->exclusive : 0;
	item.kind = t1 ? IOT_ITEM_SPAN : IOT_ITEM_SPAN_BEGIN;
	item.t1 = t1 ? t1 : t0;
	iot_locks_item(b->locks, &item);
}

/* Lock 0 waits while @n locks are held @rounds times. */
static void play(struct bench *b, guint n, guint rounds)
{
	guint64 t = 10;

	pass_on(b, TRUE, 0, 5, 0);
	for (guint i = 0; i < rounds; i++)
		for (guint lock = 1; lock <= n; lock++) {
			pass_on(b, FALSE, lock, t, 0);
			pass_on(b, FALSE, lock, t, t + lock);
			t += lock;
		}
	pass_on(b, TRUE, 0, 5, t + 1);
	iot_locks_finish(b->locks);
	CU_ASSERT_EQUAL(b->n_waits, 1);
	CU_ASSERT_EQUAL(b->n_wrong, 0);
	CU_ASSERT_EQUAL(b->held, (guint64)rounds * n * (n + 1) / 2);
}

/* By hand: of 2 * 128 holds, both of locks 65 to 128 stay single, and there is a sum for each of 64
 * locks. */
UNIT_TEST(as_many_holds_and_locks_as_allowed_keep_their_names)
{
	for (guint rounds = 1; rounds <= 2; rounds++) {
		struct bench b;

		bench_init(&b);
		play(&b, 128, rounds);
		CU_ASSERT_EQUAL(b.n_single, 128);
		CU_ASSERT_EQUAL(b.n_several, rounds == 1 ? 0 : 64);
		CU_ASSERT_EQUAL(b.n_nameless, 0);
		for (guint i = 1; i <= 128; i++)
			CU_ASSERT_EQUAL(b.named[i], rounds * i);
		CU_ASSERT_EQUAL(b.s.tl->stage_diag.count[IOT_DIAG_holders_folded], 0);
		bench_clear(&b);
	}
}

/* In turn, for 1 ns each. */
UNIT_TEST(of_locks_with_equal_times_as_many_keep_their_names)
{
	struct bench b;

	bench_init(&b);
	pass_on(&b, TRUE, 0, 5, 0);
	for (guint lock = 1; lock <= LOCKS; lock++) {
		pass_on(&b, FALSE, lock, 10 + lock, 0);
		pass_on(&b, FALSE, lock, 10 + lock, 11 + lock);
	}
	pass_on(&b, TRUE, 0, 5, 500);
	iot_locks_finish(b.locks);
	CU_ASSERT_EQUAL(b.n_single, 128);
	CU_ASSERT_EQUAL(b.n_several, 64);
	CU_ASSERT_EQUAL(b.nameless[0] + b.nameless[1], LOCKS - 128 - 64);
	bench_clear(&b);
}

/* By hand: locks 73 to 200 stay single, 9 to 72 keep their names. */
UNIT_TEST(of_too_many_locks_the_longest_in_the_way_keep_their_names)
{
	struct bench b;

	bench_init(&b);
	play(&b, LOCKS, 1);
	CU_ASSERT_EQUAL(b.n_single, 128);
	CU_ASSERT_EQUAL(b.n_several, 64);
	CU_ASSERT_EQUAL(b.n_nameless, 2);
	CU_ASSERT_EQUAL(b.nameless[0], 1 + 2 + 3);
	CU_ASSERT_EQUAL(b.nameless[1], 4 + 5 + 6 + 7 + 8);
	for (guint i = 1; i <= LOCKS; i++)
		CU_ASSERT_EQUAL(b.named[i], i < 9 ? 0 : i);
	CU_ASSERT_EQUAL(b.s.tl->stage_diag.count[IOT_DIAG_holders_folded], 1);
	bench_clear(&b);
}

/* 6000 holds end, of which 4096 are kept, so the wait is explained in two parts. The holds of lock
 * 200 are the longest; lock 180 has none of the longest holds, but one of the longest times; locks
 * 1 to 3 have no name in either part. */
UNIT_TEST(locks_lose_their_names_in_parts_of_a_wait_too)
{
	struct bench b;
	guint64 sum = 0;

	bench_init(&b);
	play(&b, LOCKS, MANY_ROUNDS);
	CU_ASSERT(b.n_single == 128 && b.n_several == 64 && b.n_nameless == 2);
	CU_ASSERT_EQUAL(b.named[200], MANY_ROUNDS * 200);
	CU_ASSERT_EQUAL(b.named[180], MANY_ROUNDS * 180);
	for (guint i = 1; i <= LOCKS; i++)
		sum += b.named[i];
	CU_ASSERT_EQUAL(b.nameless[0], MANY_ROUNDS * (1 + 2 + 3));
	CU_ASSERT_EQUAL(sum + b.nameless[0] + b.nameless[1], b.held);
	CU_ASSERT_EQUAL(b.s.tl->stage_diag.count[IOT_DIAG_holders_folded], 1);
	bench_clear(&b);
}

/* Lock 1 holds all the time, while 5000 waits of lock 2 end: its hold is one blocker of lock 0, as
 * if the wait had not been explained in parts. */
UNIT_TEST(a_hold_is_one_blocker_of_a_wait_that_is_explained_in_parts)
{
	struct bench b;

	bench_init(&b);
	pass_on(&b, FALSE, 1, 1, 0);
	pass_on(&b, TRUE, 0, 5, 0);
	for (guint i = 0; i < 5000; i++) {
		pass_on(&b, TRUE, 2, 10 + 2 * i, 0);
		pass_on(&b, TRUE, 2, 10 + 2 * i, 11 + 2 * i);
	}
	pass_on(&b, FALSE, 1, 1, 20000);
	pass_on(&b, TRUE, 0, 5, 20000);
	iot_locks_finish(b.locks);
	CU_ASSERT_EQUAL(b.n_waits, 5001);
	CU_ASSERT_EQUAL(b.n_single, 5001);
	CU_ASSERT_EQUAL(b.named[1], 5000 + 20000 - 5);
	bench_clear(&b);
}
