/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The controlled logical clock on random schedules: times are compared with a solution of the whole
 * schedule at once, and each interval of a machine with the share.
 */
#include "schedule.h"

/* A schedule and its times, found without the filter. */
struct solution {
	guint64 share; /* ppm by which intervals may change */
	guint64 back;
	const struct step *steps;
	guint n;
	guint prev[MAX_EVENTS]; /* of the same machine; @n: there is none */
	guint64 forward[MAX_EVENTS], t[MAX_EVENTS];
	guint64 limit[MAX_EVENTS]; /* time of the first event that this one may not pass */
};

static guint64 share_of(const struct solution *s, guint64 ns)
{
	return (guint64)((unsigned __int128)ns * s->share / 1000000);
}

static gboolean must_precede(const struct solution *s, guint c, guint e)
{
	return is_cause(&s->steps[c], &s->steps[e]) && is_bound(s->steps, s->n, &s->steps[e]);
}

/* The least times that keep the rules, and of each interval the rest of the share. */
static void solve_forward(struct solution *s)
{
	gboolean again = TRUE;

	for (guint i = 0; i < s->n; i++) {
		s->forward[i] = s->steps[i].t;
		s->prev[i] = i;
		do
			s->prev[i] = s->prev[i] ? s->prev[i] - 1 : s->n;
		while (s->prev[i] < s->n && s->steps[s->prev[i]].node != s->steps[i].node);
	}
	while (again) {
		again = FALSE;
		for (guint e = 0; e < s->n; e++) {
			guint64 least = s->forward[e];

			for (guint c = 0; c < s->n; c++)
				if (must_precede(s, c, e))
					least = MAX(least, s->forward[c]);
			if (s->prev[e] < s->n)
				least = MAX(least,
					    s->forward[s->prev[e]] +
						    (s->steps[e].t - s->steps[s->prev[e]].t) *
							    (1000000 - s->share) / 1000000);
			again |= least > s->forward[e];
			s->forward[e] = least;
		}
	}
}

/* Whether two events belong to one key of one rule, as its cause and its effect. */
static gboolean share_rule(const struct step *a, const struct step *b)
{
	return a->id == b->id &&
	       (is_cause(a, b) || is_cause(b, a) || (a->kind == LOCK && b->kind == UNLOCK) ||
		(a->kind == UNLOCK && b->kind == LOCK));
}

static gboolean is_before(const struct solution *s, guint a, guint b)
{
	if (s->forward[a] != s->forward[b])
		return s->forward[a] < s->forward[b];
	return must_precede(s, a, b) || (a < b && !must_precede(s, b, a));
}

static void find_limits(struct solution *s)
{
	for (guint i = 0; i < s->n; i++) {
		s->limit[i] = G_MAXUINT64;
		for (guint k = 0; k < s->n; k++)
			if (s->steps[k].node != s->steps[i].node &&
			    share_rule(&s->steps[i], &s->steps[k]) && is_before(s, i, k))
				s->limit[i] = MIN(s->limit[i], s->forward[k]);
	}
}

/* shift, less the share of the recorded time */
static gint64 height_of(const struct solution *s, guint i, guint64 t)
{
	return (gint64)(t - s->steps[i].t) - (gint64)share_of(s, s->steps[i].t);
}

/* How far the later event @jump moves the events of its machine. */
static void move_back(struct solution *s, guint jump)
{
	gint64 height = height_of(s, jump, s->forward[jump]);
	guint node = s->steps[jump].node, i = jump;

	/* not higher than the last event that is too old */
	while (i-- > 0) {
		if (s->steps[i].node != node || s->steps[jump].t - s->steps[i].t <= s->back)
			continue;
		height = MIN(height, height_of(s, i, s->forward[i]));
		break;
	}
	for (i = jump; i-- > 0;) {
		gint64 more;

		if (s->steps[i].node != node)
			continue;
		if (s->steps[jump].t - s->steps[i].t > s->back)
			break;
		if (s->limit[i] != G_MAXUINT64)
			height = MIN(height, height_of(s, i, s->limit[i]));
		more = height - height_of(s, i, s->t[i]);
		if (more > 0)
			s->t[i] += (guint64)more;
	}
}

static void solve(struct solution *s)
{
	solve_forward(s);
	find_limits(s);
	memcpy(s->t, s->forward, sizeof(s->t));
	for (guint i = 0; i < s->n; i++)
		move_back(s, i);
}

/* The receipt that the times deserve: intervals of a machine that grow by more than the share. */
static void count_grown(const struct solution *s, const guint64 *t, struct iot_diag *grown,
			guint64 *grown_ns)
{
	guint wrong = 0;

	memset(grown, 0, sizeof(*grown));
	*grown_ns = 0;
	for (guint i = 0; i < s->n; i++) {
		guint first = s->prev[i];
		guint64 before, after, share;
		gint64 more;

		if (first == s->n)
			continue;
		before = s->steps[i].t - s->steps[first].t;
		after = t[i] - t[first];
		share = share_of(s, before) + 1; /* rounded up */
		more = height_of(s, i, t[i]) - height_of(s, first, t[first]);
		wrong += t[i] < t[first] || after + share < before;
		wrong += more <= 0 && after > before + share;
		if (more <= 0)
			continue;
		grown->count[t[first] == s->limit[first] ? IOT_DIAG_order_grown_effect
							 : IOT_DIAG_order_grown_window]++;
		*grown_ns = MAX(*grown_ns, (guint64)more);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* Returns how many intervals grew by more than the share. */
static guint check(const struct solution *s, const struct out *out)
{
	static const guint counters[] = { IOT_DIAG_order_grown_effect,
					  IOT_DIAG_order_grown_window };
	guint64 t[MAX_EVENTS], grown_ns;
	struct iot_diag grown;
	guint wrong = 0;

	CU_ASSERT_EQUAL(out->n, s->n);
	CU_ASSERT_EQUAL(count_violations(s->steps, s->n, out), 0);
	CU_ASSERT_TRUE(machines_in_order(s->steps, out));
	for (guint i = 0; i < out->n; i++) {
		t[out->step[i]] = out->t[i];
		wrong += i && out->t[i] < out->t[i - 1];
		wrong += out->t[i] != s->t[out->step[i]];
	}
	CU_ASSERT_EQUAL(wrong, 0);
	count_grown(s, t, &grown, &grown_ns);
	for (guint i = 0; i < G_N_ELEMENTS(counters); i++)
		CU_ASSERT_EQUAL(out->diag.count[counters[i]], grown.count[counters[i]]);
	CU_ASSERT_EQUAL(out->grown_ns, grown_ns);
	return (guint)(grown.count[counters[0]] + grown.count[counters[1]]);
}

UNIT_TEST(random_spread)
{
	static const guint64 shares[] = { 20000, 100000, 500000 };
	static const guint64 backs[] = { 0, 3000, 20000, 1000000000 };
	struct solution *s = g_new0(struct solution, 1);
	struct step *steps = g_new(struct step, MAX_EVENTS);
	struct out *out = g_new(struct out, 1), *cut = g_new(struct out, 1);
	guint moved_back = 0, grown = 0, wrong_window = 0;
	struct bench b;

	bench_init(&b, rules_text);
	s->steps = steps;
	for (guint seed = 1; seed <= n_schedules(); seed++) {
		GRand *rand = g_rand_new_with_seed(seed);
		struct iot_causality_choice choice = { .policy = IOT_CAUSALITY_ADJUST,
						       .rounds = seed % 2 };

		s->n = make(steps, rand, 20000);
		s->share = shares[seed % G_N_ELEMENTS(shares)];
		s->back = backs[seed / 3 % G_N_ELEMENTS(backs)];
		choice.keep_ppm = (guint32)(1000000 - s->share);
		choice.back_ns = s->back;
		solve(s);
		run(&b, choice, steps, s->n, s->n, out);
		grown += check(s, out);
		if (choice.rounds)
			check_rounds(steps, s->n, out);
		for (guint i = 0; i < s->n; i++)
			moved_back += s->t[i] > s->forward[i];
		/* a window as long as the schedule forbids nothing */
		wrong_window +=
			s->back == 1000000000 && out->diag.count[IOT_DIAG_order_grown_window] != 0;
		run(&b, choice, steps, s->n, (guint)g_rand_int_range(rand, 0, (gint32)s->n), cut);
		CU_ASSERT_TRUE(same_out(out, cut));
		g_rand_free(rand);
	}
	CU_ASSERT_EQUAL(wrong_window, 0);
	/* the schedules test something */
	CU_ASSERT_TRUE(moved_back > n_schedules());
	CU_ASSERT_TRUE(grown > n_schedules() / 10);
	bench_clear(&b);
	g_free(s);
	g_free(steps);
	g_free(out);
	g_free(cut);
}

struct counted {
	guint n, moved;
};

static void count_moved(gpointer data, struct iot_rec *rec, const struct iot_moved *moved)
{
	struct counted *counted = data;

	(void)rec;
	counted->n++;
	counted->moved += moved->shift > 0;
}

/* The receipt of node 1 comes 20000 before its message, after many events of node 1. Returns how
 * many of these were moved. */
static guint move_many(const struct bench *b, gsize memory, guint n, struct iot_diag *diag)
{
	static const struct iot_causality_choice choice = { .policy = IOT_CAUSALITY_ADJUST,
							    .keep_ppm = 990000,
							    .back_ns = G_MAXUINT64 };
	struct iot_causal_input inputs[] = { { .node = 1, .used = TRUE },
					     { .node = 2, .used = TRUE } };
	struct counted counted = { 0 };
	struct iot_causal *causal =
		iot_causal_new(&(struct iot_causal_config){ .choice = choice,
							    .rules = b->rules,
							    .schema = b->schema,
							    .inputs = inputs,
							    .n_inputs = 2,
							    .memory = memory,
							    .max_keys = 1000,
							    .tl = b->tl,
							    .func = count_moved,
							    .user_data = &counted });

	for (guint i = 0; i < n; i++)
		push(b, causal, &(struct step){ .kind = OTHER, .node = 1, .t = 1000 + i }, 0);
	push(b, causal, &(struct step){ .kind = RECEIVE, .node = 1, .id = 7, .t = 1000 + n }, 0);
	push(b, causal, &(struct step){ .kind = SEND, .id = 7, .t = 21000 + n }, 0);
	iot_causal_finish(causal);
	CU_ASSERT_EQUAL(counted.n, n + 2);
	CU_ASSERT_TRUE(iot_causal_memory(causal) < memory + 2000);
	memset(diag, 0, sizeof(*diag));
	iot_causal_count(causal, diag);
	iot_causal_free(causal);
	return counted.moved - 1;
}

UNIT_TEST(spread_limits)
{
	struct iot_diag diag;
	struct bench b;

	bench_init(&b, rules_text);
	/* the machine has nothing before its first event: all its events move by 20000, less 1 % */
	CU_ASSERT_EQUAL(move_many(&b, 1 << 24, 4000, &diag), 4000);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_order_grown_window], 0);
	/* a window has 4096 events, the receipt among them: the last one that stays is that of
	 * 6904, and 1 % is a whole ns more from 7000 on */
	CU_ASSERT_EQUAL(move_many(&b, 1 << 24, 10000, &diag), 4000);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_order_grown_window], 1);
	/* when the memory is full, fewer */
	CU_ASSERT_TRUE(move_many(&b, 1 << 16, 10000, &diag) < 1000);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_order_grown_window], 1);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_order_overflow], 0);
	bench_clear(&b);
}
