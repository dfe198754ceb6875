/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The causes of waits, by hand and against a sum over each single ns. */
#include "../timeline/timeline-sample.h"
#include "locks/intervals.h"
#include "analysis/waits.h"
#include "timeline/certainty.h"

#include <string.h>

enum { MODES = 3, LANES = 6, RECOVERED = 3, SPANS = 96, LENGTH = 60, SCHEDULES = 3000 };

/* A span of a lane: a mode that is held or asked for. Of role RECOVERY, the lane is a place in
 * bench.recovered instead. */
struct span {
	enum iot_role role;
	guint lane, mode, t0, t1;
	gboolean unknown;
};

struct bench {
	struct sample s;
	iot_cat_id mode[MODES], recovery;
	/* rows of recoveries: two of the lockspace of the resource, one of another lockspace */
	iot_row_id recovered[RECOVERED];
	struct iot_locks *locks;
	struct iot_waits *waits;
	struct span span[SPANS];
	guint n;
	guint n_waits;
	guint64 total[IOT_N_CAUSES];
	guint64 share[LANES][LANES]; /* by lanes of waiter and holder */
	guint64 proved, alone;
	struct iot_wait *queued; /* who was before lane 1 in the queue */
};

static void wait_ended(gpointer data, const struct iot_wait *wait)
{
	struct bench *b = data;
	guint64 sum = 0, held = 0;

	for (guint i = 0; i < IOT_N_CAUSES; i++) {
		b->total[i] += wait->cause_ns[i];
		sum += wait->cause_ns[i];
	}
	for (guint i = 0; i < wait->blockers->len; i++) {
		const struct iot_blocker *blocker = iot_wait_blocker(wait, i);

		b->share[wait->claim.lane % LANES][blocker->claim.lane % LANES] += blocker->ns;
		b->proved += blocker->proved ? blocker->ns : 0;
		b->alone += blocker->alone_ns;
		held += blocker->ns;
	}
	CU_ASSERT_EQUAL(sum, wait->claim.t1 - wait->claim.t0);
	CU_ASSERT_EQUAL(held, wait->cause_ns[IOT_CAUSE_HOLD]);
	b->n_waits++;
}

/* Mode 0 goes with 0 and 1, mode 1 with 0, mode 2 with none. */
static const guint64 goes_with[MODES] = { 1 << 1 | 1 << 2, 1 << 1, 0 };

static gboolean excludes(guint a, guint b)
{
	return !(goes_with[a] >> (b + 1) & 1);
}

static void bench_init(struct bench *b)
{
	static const char *const names[MODES] = { "read", "write", "all" };
	iot_row_id lockspace, other;

	memset(b, 0, sizeof(*b));
	sample_init(&b->s);
	lockspace = sample_row(&b->s, b->s.space, 0, "lockspace");
	other = sample_row(&b->s, b->s.space, 0, "other lockspace");
	b->s.a = sample_row(&b->s, b->s.space, lockspace, "a");
	b->s.n = sample_row(&b->s, b->s.node, b->s.a, "n");
	b->s.m = sample_row(&b->s, b->s.node, b->s.a, "m");
	b->recovered[0] = sample_row(&b->s, b->s.space, lockspace, "recovery on m");
	b->recovered[1] = sample_row(&b->s, b->s.space, lockspace, "recovery on n");
	b->recovered[2] = sample_row(&b->s, b->s.space, other, "recovery on m");
	b->recovery = iot_timeline_cat(b->s.tl, b->s.span, "recovery", 0, IOT_ROLE_RECOVERY);
	iot_type_set_role(b->s.tl, b->s.node, IOT_ROLE_NODE);
	for (guint i = 0; i < MODES; i++) {
		b->mode[i] = iot_timeline_cat(b->s.tl, b->s.span, names[i], 0, IOT_ROLE_HOLD);
		iot_cat_compare(b->s.tl, b->mode[i], i + 1, goes_with[i]);
	}
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

/* Lanes 0 to 2 are of node m, the others of node n; the number of a lock is that of its lane. */
static void pass_on(struct bench *b, const struct span *span, gboolean begins)
{
	struct iot_item item = sample_span(&b->s, b->mode[span->mode],
					   span->lane < LANES / 2 ? b->s.m : b->s.n, span->t0);

	item.lane = (guint16)span->lane;
	item.attr[0].u = span->lane;
	if (span->role == IOT_ROLE_WAIT) {
		item.cat = b->s.wait;
		item.asks = b->mode[span->mode];
	}
	if (span->unknown) {
		item.cat = b->s.hold;
		item.flags = IOT_UNKNOWN;
	}
	if (span->role == IOT_ROLE_RECOVERY) {
		item.cat = b->recovery;
		item.row = b->recovered[span->lane];
		item.lane = 0;
	}
	item.kind = begins ? IOT_ITEM_SPAN_BEGIN : IOT_ITEM_SPAN;
	item.t1 = begins ? span->t0 : span->t1;
	iot_locks_item(b->locks, &item);
}

/* All items in order of time. */
static void pass_all(struct bench *b)
{
	for (guint t = 0; t <= LENGTH; t++)
		for (guint i = 0; i < 2 * b->n; i++) {
			const struct span *span = &b->span[i / 2];

			if ((i % 2 ? span->t0 : span->t1) == t)
				pass_on(b, span, i % 2);
		}
	iot_locks_finish(b->locks);
}

static struct span *add(struct bench *b, enum iot_role role, guint lane, guint mode, guint t0,
			guint t1)
{
	struct span *span = &b->span[b->n++];

	*span = (struct span){ role, lane, mode, t0, t1, FALSE };
	return span;
}

/* ---- every single ns */

static gboolean covers(const struct span *span, guint t)
{
	return span->t0 <= t && t < span->t1;
}

static gboolean converts(const struct bench *b, const struct span *wait)
{
	for (guint i = 0; i < b->n; i++)
		if (b->span[i].role == IOT_ROLE_HOLD && b->span[i].lane == wait->lane &&
		    b->span[i].t0 <= wait->t0 && wait->t0 < b->span[i].t1)
			return TRUE;
	return FALSE;
}

/* The holds that are in the way at @t, as a set of spans. */
static guint64 holds_at(const struct bench *b, const struct span *wait, guint t, guint half)
{
	guint64 set = 0;

	for (guint i = 64 * half; i < MIN(b->n, 64 * half + 64); i++)
		if (b->span[i].role == IOT_ROLE_HOLD && !b->span[i].unknown &&
		    b->span[i].lane != wait->lane && covers(&b->span[i], t) &&
		    excludes(wait->mode, b->span[i].mode))
			set |= G_GUINT64_CONSTANT(1) << (i % 64);
	return set;
}

static enum iot_cause cause_at(const struct bench *b, const struct span *wait, guint t)
{
	gboolean queue = FALSE, recovery = FALSE, unknown = FALSE;

	if (holds_at(b, wait, t, 0) || holds_at(b, wait, t, 1))
		return IOT_CAUSE_HOLD;
	for (guint i = 0; i < b->n; i++) {
		const struct span *other = &b->span[i];

		if (!covers(other, t))
			continue;
		recovery |= other->role == IOT_ROLE_RECOVERY && other->lane < 2;
		if (other->lane == wait->lane || other->role == IOT_ROLE_RECOVERY)
			continue;
		unknown |= other->unknown;
		if (other->role != IOT_ROLE_WAIT)
			continue;
		if (converts(b, other) != converts(b, wait))
			queue |= converts(b, other);
		else
			queue |= other->t0 < wait->t0 || (other->t0 == wait->t0 && other < wait);
	}
	if (queue)
		return IOT_CAUSE_QUEUE;
	if (recovery)
		return IOT_CAUSE_RECOVERY;
	return unknown ? IOT_CAUSE_UNOBSERVED : IOT_CAUSE_UNEXPLAINED;
}

static void share_run(const struct bench *b, guint64 share[LANES], const struct span *wait,
		      guint from, guint to)
{
	guint lanes[LANES], n = 0;

	for (guint i = 0; i < b->n; i++)
		if (holds_at(b, wait, from, i / 64) >> (i % 64) & 1)
			lanes[n++] = b->span[i].lane;
	for (guint i = 0; i < n; i++) {
		gboolean first = TRUE;

		/* "m" before "n", then the smallest number */
		for (guint k = 0; k < n; k++)
			first &= lanes[i] <= lanes[k];
		share[lanes[i]] += (to - from) / n + (first ? (to - from) % n : 0);
	}
}

static void compare(const struct bench *b)
{
	guint64 total[IOT_N_CAUSES] = { 0 }, share[LANES][LANES] = { { 0 } };

	for (guint i = 0; i < b->n; i++) {
		const struct span *wait = &b->span[i];
		guint from = wait->t0;

		if (wait->role != IOT_ROLE_WAIT)
			continue;
		for (guint t = wait->t0; t < wait->t1; t++) {
			total[cause_at(b, wait, t)]++;
			if (t + 1 < wait->t1 &&
			    holds_at(b, wait, t, 0) == holds_at(b, wait, t + 1, 0) &&
			    holds_at(b, wait, t, 1) == holds_at(b, wait, t + 1, 1))
				continue;
			share_run(b, share[wait->lane], wait, from, t + 1);
			from = t + 1;
		}
	}
	CU_ASSERT(!memcmp(total, b->total, sizeof(total)));
	CU_ASSERT(!memcmp(share, b->share, sizeof(share)));
}

static void random_lane(struct bench *b, GRand *rand, guint lane)
{
	for (guint pass = 0; pass < 2; pass++)
		for (guint t = (guint)g_rand_int_range(rand, 0, 20); t < LENGTH - 1;) {
			guint end =
				t + (guint)g_rand_int_range(rand, 1, MIN(25, LENGTH - (gint)t + 1));
			struct span *span = add(b, pass ? IOT_ROLE_WAIT : IOT_ROLE_HOLD, lane,
						(guint)g_rand_int_range(rand, 0, MODES), t, end);

			span->unknown = !pass && g_rand_int_range(rand, 0, 6) == 0;
			t = end + (guint)g_rand_int_range(rand, 0, 12);
			if (b->n >= SPANS - 2)
				return;
		}
}

UNIT_TEST(random_schedules_agree_with_every_single_ns)
{
	GRand *rand = g_rand_new_with_seed(16);

	for (guint i = 0; i < SCHEDULES; i++) {
		struct bench b;
		guint n_lanes = (guint)g_rand_int_range(rand, 2, LANES + 1);

		bench_init(&b);
		for (guint lane = 0; lane < n_lanes; lane++)
			random_lane(&b, rand, lane);
		for (guint row = 0; i % 2 && row < RECOVERED && b.n < SPANS; row++) {
			guint t0 = (guint)g_rand_int_range(rand, 0, LENGTH - 1);

			add(&b, IOT_ROLE_RECOVERY, row, 0, t0,
			    (guint)g_rand_int_range(rand, (gint)t0 + 1, LENGTH + 1));
		}
		pass_all(&b);
		compare(&b);
		bench_clear(&b);
	}
	g_rand_free(rand);
}

/* ---- by hand */

UNIT_TEST(equal_parts_and_the_remainder_to_the_first)
{
	struct bench b;

	bench_init(&b);
	add(&b, IOT_ROLE_HOLD, 4, 0, 0, 30);
	add(&b, IOT_ROLE_HOLD, 1, 0, 0, 20);
	add(&b, IOT_ROLE_HOLD, 2, 0, 0, 20);
	add(&b, IOT_ROLE_WAIT, 0, 2, 10, 40);
	pass_all(&b);
	CU_ASSERT_EQUAL(b.share[0][1], 4);
	CU_ASSERT_EQUAL(b.share[0][2], 3);
	CU_ASSERT_EQUAL(b.share[0][4], 13);
	CU_ASSERT_EQUAL(b.alone, 10);
	CU_ASSERT_EQUAL(b.total[IOT_CAUSE_UNEXPLAINED], 10);
	bench_clear(&b);
}

/* The own lock is never in the way; another lock of the own node is. */
UNIT_TEST(a_conversion_does_not_wait_for_itself)
{
	struct bench b;

	bench_init(&b);
	add(&b, IOT_ROLE_HOLD, 0, 0, 0, 40);
	add(&b, IOT_ROLE_HOLD, 1, 0, 0, 25);
	add(&b, IOT_ROLE_WAIT, 0, 2, 10, 40);
	pass_all(&b);
	CU_ASSERT_EQUAL(b.share[0][0], 0);
	CU_ASSERT_EQUAL(b.share[0][1], 15);
	CU_ASSERT_EQUAL(b.total[IOT_CAUSE_UNEXPLAINED], 15);
	bench_clear(&b);
}

static void add_clock(struct bench *b, iot_row_id row, guint64 bound)
{
	struct iot_clock_facts facts = { 0 };

	iot_clock_facts_knot(&facts, 0, bound);
	iot_clocks_add(b->s.tl->clocks, iot_row_at(b->s.tl, row)->name, &facts);
	iot_clock_facts_clear(&facts);
}

/* The hold of node n overlaps the wait of node m by 10 ns. */
UNIT_TEST(an_overlap_less_than_the_error_of_the_clocks_is_not_proved)
{
	for (guint64 bound = 4; bound <= 5; bound++) {
		struct bench b;

		bench_init(&b);
		b.s.tl->clocks = iot_clocks_new();
		add_clock(&b, b.s.m, bound);
		add_clock(&b, b.s.n, bound);
		add(&b, IOT_ROLE_HOLD, 3, 0, 0, 30);
		add(&b, IOT_ROLE_WAIT, 0, 2, 20, 40);
		pass_all(&b);
		CU_ASSERT_EQUAL(b.total[IOT_CAUSE_HOLD], 10);
		CU_ASSERT_EQUAL(b.proved, bound == 4 ? 10 : 0);
		bench_clear(&b);
	}
}

/* By hand: lane 0 holds "all" up to 5010. From 10 on, each ns one lane more asks for "read"; from
 * 5110 on, each ns the next one of them is granted. So up to 5010 the hold is in the way, then the
 * queue up to the grant of the lane before, and 1 ns is not explained; of the first lane 100 ns. */
UNIT_TEST(thousands_of_waiters_on_one_resource_have_their_causes)
{
	enum { N = 4000, FREED = 5010, GRANTS = 5110 };
	struct span hold = { .role = IOT_ROLE_HOLD, .mode = 2, .t0 = 0, .t1 = FREED };
	guint64 held = 0, queue = 0;
	struct bench b;

	bench_init(&b);
	pass_on(&b, &hold, TRUE);
	for (guint i = 0; i < N; i++) {
		struct span wait = { .role = IOT_ROLE_WAIT, .lane = i + 1, .t0 = 10 + i };

		pass_on(&b, &wait, TRUE);
		held += FREED - wait.t0;
		queue += i ? GRANTS + i - 1 - FREED : 0;
	}
	pass_on(&b, &hold, FALSE);
	for (guint i = 0; i < N; i++) {
		struct span wait = {
			.role = IOT_ROLE_WAIT, .lane = i + 1, .t0 = 10 + i, .t1 = GRANTS + i
		};
		struct span granted = { .role = IOT_ROLE_HOLD, .lane = i + 1, .t0 = GRANTS + i };

		pass_on(&b, &wait, FALSE);
		pass_on(&b, &granted, TRUE);
	}
	iot_locks_finish(b.locks);
	CU_ASSERT_EQUAL(b.n_waits, N);
	CU_ASSERT_EQUAL(b.total[IOT_CAUSE_HOLD], held);
	CU_ASSERT_EQUAL(b.total[IOT_CAUSE_QUEUE], queue);
	CU_ASSERT_EQUAL(b.total[IOT_CAUSE_UNEXPLAINED], 100 + N - 1);
	bench_clear(&b);
}

/* By hand: lane 0 waits from 10 to 90000. From 20 on there is a gap or a recovery of 7 ns every 10
 * ns; the last 256 are kept. */
static void check_intervals(enum iot_role role, enum iot_cause cause, guint n)
{
	const struct span waiter = { .role = IOT_ROLE_WAIT, .t0 = 10, .t1 = 90000 };
	const guint kept = MIN(n, IOT_MAX_INTERVALS);
	struct bench b;

	bench_init(&b);
	pass_on(&b, &waiter, TRUE);
	for (guint i = 0; i < n; i++) {
		const struct span interval = { .role = role, .t0 = 20 + 10 * i, .t1 = 27 + 10 * i };
		struct iot_item gap = { .t0 = interval.t0, .t1 = interval.t1 };

		iot_gap_set(&gap, iot_intern_str(b.s.tl->strings, "n"), 1);
		if (role == IOT_ROLE_RECOVERY) {
			pass_on(&b, &interval, TRUE);
			pass_on(&b, &interval, FALSE);
		} else {
			iot_locks_item(b.locks, &gap);
		}
	}
	pass_on(&b, &waiter, FALSE);
	iot_locks_finish(b.locks);
	CU_ASSERT_EQUAL(b.n_waits, 1);
	CU_ASSERT_EQUAL(b.total[cause], 7 * kept);
	CU_ASSERT_EQUAL(b.total[IOT_CAUSE_UNEXPLAINED], 89990 - 7 * kept);
	CU_ASSERT_EQUAL(b.s.tl->stage_diag.count[IOT_DIAG_intervals_forgotten],
			n > IOT_MAX_INTERVALS);
	bench_clear(&b);
}

UNIT_TEST(a_wait_with_more_gaps_or_recoveries_than_are_kept_is_counted)
{
	for (guint n = 255; n <= 258; n++) {
		check_intervals(IOT_ROLE_NONE, IOT_CAUSE_UNOBSERVED, n);
		check_intervals(IOT_ROLE_RECOVERY, IOT_CAUSE_RECOVERY, n);
	}
}

static void keep_queue(gpointer data, const struct iot_wait *wait)
{
	struct bench *b = data;

	if (wait->claim.lane == 1)
		iot_waits_queued(b->waits, wait, b->queued);
}

/* By hand: lane 1 waits from 7 to 60. Six others began before, of which lane 7 has ended, and lane
 * 8 begins later. */
UNIT_TEST(the_longest_in_the_queue_have_names_and_all_are_counted)
{
	static const guint end[] = { [2] = 50, 20, 55, 20, 30, 7 }, named[] = { 4, 2, 6 };
	static const guint64 ns[] = { 48, 43, 23 };
	struct bench b;

	bench_init(&b);
	iot_waits_listen(b.waits, keep_queue, &b);
	b.queued = iot_wait_new(&(struct iot_claim){ 0 });
	for (guint lane = 2; lane <= 7; lane++)
		add(&b, IOT_ROLE_WAIT, lane, 0, lane - 1, end[lane]);
	add(&b, IOT_ROLE_WAIT, 1, 0, 7, 60);
	add(&b, IOT_ROLE_WAIT, 8, 0, 8, 58);
	pass_all(&b);
	CU_ASSERT_EQUAL(b.queued->n_queued, 5);
	for (guint i = 0; i < IOT_NAMED_QUEUED; i++) {
		CU_ASSERT_EQUAL(b.queued->queued[i].claim.lane, named[i]);
		CU_ASSERT_EQUAL(b.queued->queued[i].ns, ns[i]);
	}
	iot_wait_free(b.queued);
	bench_clear(&b);
}

/* By hand: lane 1 waits from 10 to 90000, behind lane 2 up to 20, and behind a conversion of lane 3
 * from 80000 to 80007. Between them lane 4 has @n_short waits, of which none is before lane 1. */
static void check_queue(guint n_short, guint n_queued, guint64 forgotten_ns)
{
	const struct span first = { .role = IOT_ROLE_WAIT, .lane = 2, .t0 = 5, .t1 = 20 };
	const struct span waiter = { .role = IOT_ROLE_WAIT, .lane = 1, .t0 = 10, .t1 = 90000 };
	const struct span hold = { .role = IOT_ROLE_HOLD, .lane = 3, .t1 = 90000 };
	const struct span conversion = {
		.role = IOT_ROLE_WAIT, .lane = 3, .t0 = 80000, .t1 = 80007
	};
	struct bench b;

	bench_init(&b);
	iot_waits_listen(b.waits, keep_queue, &b);
	b.queued = iot_wait_new(&(struct iot_claim){ 0 });
	pass_on(&b, &hold, TRUE);
	pass_on(&b, &first, TRUE);
	pass_on(&b, &waiter, TRUE);
	pass_on(&b, &first, FALSE);
	for (guint i = 0; i < n_short; i++) {
		const struct span later = {
			.role = IOT_ROLE_WAIT, .lane = 4, .t0 = 30 + 2 * i, .t1 = 31 + 2 * i
		};

		pass_on(&b, &later, TRUE);
		pass_on(&b, &later, FALSE);
	}
	pass_on(&b, &conversion, TRUE);
	pass_on(&b, &conversion, FALSE);
	pass_on(&b, &waiter, FALSE);
	iot_locks_finish(b.locks);
	CU_ASSERT_EQUAL(b.queued->n_queued, n_queued);
	CU_ASSERT_EQUAL(b.queued->queued[n_queued - 1].claim.lane, 3);
	CU_ASSERT_EQUAL(b.queued->queued[n_queued - 1].ns, 7);
	CU_ASSERT_EQUAL(b.queued->forgotten_ns, forgotten_ns);
	iot_wait_free(b.queued);
	bench_clear(&b);
}

UNIT_TEST(time_in_the_queue_without_names_is_counted)
{
	check_queue(10, 2, 0);
	check_queue(20000, 1, 10);
}
