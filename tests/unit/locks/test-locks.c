/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of locks: certain holds, against each single ns of random schedules; and locks that it
 * forgets. */
#include "../timeline/timeline-sample.h"
#include "locks/locks.h"

#include <string.h>

enum { MODES = 3, LANES = 4, LENGTH = 60, SPANS = 32, SCHEDULES = 2000 };

/* A span of a lane: a mode that is held, or a call that gives it up. */
struct span {
	gboolean leaves, unknown;
	guint lane, mode, t0, t1; /* the mode that the call keeps; MODES: none */
};

struct bench {
	struct sample s;
	iot_cat_id mode[MODES], leaving;
	struct iot_locks *locks;
	struct span span[SPANS];
	guint n, n_forgotten;
	/* ns of certain holds by lane and mode: of the table, of the claims, of the schedule */
	guint64 table[LANES][MODES], claims[LANES][MODES], truth[LANES][MODES];
};

static guint mode_at(const struct bench *b, iot_cat_id cat)
{
	guint mode = 0;

	while (mode < MODES && b->mode[mode] != cat)
		mode++;
	CU_ASSERT_FATAL(mode < MODES);
	return mode;
}

static void held(gpointer data, struct iot_lock *lock, const struct iot_item *item, guint64 t1)
{
	struct bench *b = data;

	(void)item;
	b->table[lock->lane][mode_at(b, lock->hold.cat)] += t1 - lock->hold.t0;
}

static void released(gpointer data, const struct iot_claim *hold)
{
	struct bench *b = data;

	b->claims[hold->lane][mode_at(b, hold->cat)] += hold->t1 - hold->t0;
}

static void forgotten(gpointer data, struct iot_lock *lock)
{
	struct bench *b = data;

	CU_ASSERT_EQUAL(lock->n_spans, 0);
	b->n_forgotten++;
}

static void bench_init(struct bench *b)
{
	static const char *const names[MODES] = { "read", "write", "all" };
	const struct iot_locks_listener listener = {
		.held = held, .released = released, .forgotten = forgotten, .user_data = b
	};

	memset(b, 0, sizeof(*b));
	sample_init(&b->s);
	iot_type_set_role(b->s.tl, b->s.node, IOT_ROLE_NODE);
	for (guint i = 0; i < MODES; i++) {
		b->mode[i] = iot_timeline_cat(b->s.tl, b->s.span, names[i], 0, IOT_ROLE_HOLD);
		iot_cat_compare(b->s.tl, b->mode[i], i + 1, 0);
	}
	b->leaving = iot_timeline_cat(b->s.tl, b->s.span, "leaves", 0, IOT_ROLE_LEAVING);
	b->locks = iot_locks_new(b->s.tl);
	iot_locks_listen(b->locks, &listener);
}

static void bench_clear(struct bench *b)
{
	iot_locks_free(b->locks);
	iot_timeline_free(b->s.tl);
}

static void pass_on(struct bench *b, const struct span *span, gboolean begins)
{
	iot_cat_id cat = span->leaves ? b->leaving : b->mode[span->mode];
	struct iot_item item =
		sample_span(&b->s, cat, span->lane < LANES / 2 ? b->s.m : b->s.n, span->t0);

	item.lane = (guint16)span->lane;
	item.kind = begins ? IOT_ITEM_SPAN_BEGIN : IOT_ITEM_SPAN;
	item.t1 = begins ? span->t0 : span->t1;
	item.flags = span->unknown ? IOT_UNKNOWN : 0;
	item.asks = span->leaves && span->mode < MODES ? b->mode[span->mode] : 0;
	iot_locks_item(b->locks, &item);
}

/* Calls lie in holds: at one instant they end before them and begin after them. */
static void pass_all(struct bench *b)
{
	for (guint t = 0; t <= LENGTH; t++)
		for (guint pass = 0; pass < 4; pass++)
			for (guint i = 0; i < b->n; i++) {
				const struct span *span = &b->span[i];
				gboolean begins = pass >= 2;

				if (span->leaves == (pass == 0 || pass == 3) &&
				    (begins ? span->t0 : span->t1) == t)
					pass_on(b, span, begins);
			}
	iot_locks_finish(b->locks);
}

static void add(struct bench *b, const struct span *span)
{
	CU_ASSERT_FATAL(b->n < SPANS);
	b->span[b->n++] = *span;
}

/* The mode that is certain on a lane in the ns after @t; MODES: none. */
static guint certain_at(const struct bench *b, guint lane, guint t)
{
	guint mode = MODES;

	for (guint i = 0; i < b->n; i++) {
		const struct span *span = &b->span[i];

		if (span->lane == lane && span->t0 <= t && t < span->t1 && !span->leaves)
			mode = span->unknown ? MODES : span->mode;
	}
	for (guint i = 0; mode < MODES && i < b->n; i++) {
		const struct span *span = &b->span[i];

		if (span->lane == lane && span->t0 <= t && t < span->t1 && span->leaves)
			return span->mode;
	}
	return mode;
}

static void make_schedule(struct bench *b, GRand *rand)
{
	for (guint lane = 0; lane < LANES; lane++)
		for (guint t = 0, n = 0; t < LENGTH && n < SPANS / LANES / 2; n++) {
			struct span hold = { .lane = lane,
					     .t0 = t + (guint)g_rand_int_range(rand, 0, 9) };
			struct span call = { .leaves = TRUE, .lane = lane };

			hold.t1 = hold.t0 + (guint)g_rand_int_range(rand, 1, 25);
			hold.t1 = MIN(hold.t1, LENGTH);
			if (hold.t0 >= hold.t1)
				break;
			hold.mode = (guint)g_rand_int_range(rand, 0, MODES);
			hold.unknown = !g_rand_int_range(rand, 0, 6);
			add(b, &hold);
			t = hold.t1;
			call.t0 = (guint)g_rand_int_range(rand, (gint32)hold.t0, (gint32)hold.t1);
			call.t1 = (guint)g_rand_int_range(rand, (gint32)call.t0 + 1,
							  (gint32)hold.t1 + 1);
			call.mode = (guint)g_rand_int_range(rand, 0, MODES + 1);
			if (g_rand_boolean(rand))
				add(b, &call);
		}
}

UNIT_TEST(table_and_claims_have_one_definition_of_certain)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(11);

	for (guint round = 0; round < SCHEDULES; round++) {
		struct bench b;

		bench_init(&b);
		make_schedule(&b, rand);
		for (guint lane = 0; lane < LANES; lane++)
			for (guint t = 0; t < LENGTH; t++)
				if (certain_at(&b, lane, t) < MODES)
					b.truth[lane][certain_at(&b, lane, t)]++;
		pass_all(&b);
		CU_ASSERT(!memcmp(b.table, b.truth, sizeof(b.truth)));
		CU_ASSERT(!memcmp(b.claims, b.truth, sizeof(b.truth)));
		bench_clear(&b);
	}
}

/* By hand: the lock of lane 1 goes on at 10, so it is forgotten after 20 only; and that of lane 2,
 * at the end. */
UNIT_TEST(locks_without_a_span_are_forgotten_when_the_instant_is_complete)
{
	const struct span span[] = { { .lane = 1, .t0 = 5, .t1 = 10 },
				     { .lane = 1, .mode = 1, .t0 = 10, .t1 = 20 },
				     { .lane = 2, .t0 = 7, .t1 = 40 } };
	const struct iot_lock *first;
	struct bench b;

	bench_init(&b);
	pass_on(&b, &span[0], TRUE);
	pass_on(&b, &span[2], TRUE);
	first = iot_locks_find(b.locks, b.s.m, 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(first);
	CU_ASSERT_EQUAL(first->node, iot_row_at(b.s.tl, b.s.m)->name);
	CU_ASSERT_EQUAL(first->resource->row, b.s.a);
	pass_on(&b, &span[0], FALSE);
	pass_on(&b, &span[1], TRUE);
	iot_locks_advance(b.locks, 15);
	CU_ASSERT_PTR_EQUAL(iot_locks_find(b.locks, b.s.m, 1), first);
	pass_on(&b, &span[1], FALSE);
	CU_ASSERT_PTR_EQUAL(iot_locks_find(b.locks, b.s.m, 1), first);
	iot_locks_advance(b.locks, 21);
	CU_ASSERT_PTR_NULL(iot_locks_find(b.locks, b.s.m, 1));
	CU_ASSERT_EQUAL(b.n_forgotten, 1);
	pass_on(&b, &span[2], FALSE);
	iot_locks_finish(b.locks);
	CU_ASSERT_EQUAL(b.n_forgotten, 2);
	bench_clear(&b);
}
