/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random schedules: the delivered order is compared with a brute-force checker, and adjusted times
 * with the least solution of all constraints, found by iteration.
 */
#include "schedule.h"

/* The least times that are not before the recorded ones, in order inside each machine, and not
 * before those of the causes: by iteration from below. */
static void least_times(const struct step *steps, guint n, guint64 *t)
{
	gboolean again = TRUE;

	for (guint i = 0; i < n; i++)
		t[i] = steps[i].t;
	while (again) {
		again = FALSE;
		for (guint e = 0; e < n; e++) {
			guint64 least = t[e];

			for (guint c = 0; c < n; c++)
				if ((c < e && steps[c].node == steps[e].node) ||
				    (is_bound(steps, n, &steps[e]) &&
				     is_cause(&steps[c], &steps[e])))
					least = MAX(least, t[c]);
			again |= least > t[e];
			t[e] = least;
		}
	}
}

static void check_times(const struct step *steps, guint n, const struct out *out)
{
	guint64 least[MAX_EVENTS];
	guint wrong = 0;

	least_times(steps, n, least);
	for (guint i = 0; i < out->n; i++)
		wrong += out->t[i] != least[out->step[i]];
	CU_ASSERT_EQUAL(wrong, 0);
}

static void check_order(const struct step *steps, guint n, const struct out *out)
{
	CU_ASSERT_EQUAL(out->n, n);
	CU_ASSERT_EQUAL(count_violations(steps, n, out), 0);
	CU_ASSERT_TRUE(machines_in_order(steps, out));
}

UNIT_TEST(random_schedules)
{
	static const struct iot_causality_choice choices[] = {
		{ .policy = IOT_CAUSALITY_HOLD },
		{ .policy = IOT_CAUSALITY_HOLD, .rounds = TRUE },
		{ .policy = IOT_CAUSALITY_ADJUST },
		{ .policy = IOT_CAUSALITY_ADJUST, .rounds = TRUE },
	};
	struct step *steps = g_new(struct step, MAX_EVENTS);
	struct out *out = g_new(struct out, 1), *cut = g_new(struct out, 1);
	guint violated_before = 0;
	struct bench b;

	bench_init(&b, rules_text);
	for (guint seed = 1; seed <= n_schedules(); seed++) {
		GRand *rand = g_rand_new_with_seed(seed);
		guint n = make(steps, rand, 20000);

		run(&b, (struct iot_causality_choice){ .policy = IOT_CAUSALITY_REPORT }, steps, n,
		    n, out);
		violated_before += count_violations(steps, n, out);
		for (guint p = 0; p < G_N_ELEMENTS(choices); p++) {
			run(&b, choices[p], steps, n, n, out);
			check_order(steps, n, out);
			if (choices[p].policy == IOT_CAUSALITY_ADJUST)
				check_times(steps, n, out);
			if (choices[p].rounds)
				check_rounds(steps, n, out);
			run(&b, choices[p], steps, n, (guint)g_rand_int_range(rand, 0, (gint32)n),
			    cut);
			CU_ASSERT_TRUE(same_out(out, cut));
		}
		g_rand_free(rand);
	}
	/* the schedules test something */
	CU_ASSERT_TRUE(violated_before > n_schedules());
	bench_clear(&b);
	g_free(steps);
	g_free(out);
	g_free(cut);
}

/* Nobody leaves a round of a barrier before all have entered: SEND enters, RECEIVE leaves, @id is
 * the round and @n the number of machines, all of which take part. A machine can be in the next
 * round while others still leave the last one. */
static guint make_barrier(struct step *steps, GRand *rand, gint32 error)
{
	guint nodes = (guint)g_rand_int_range(rand, 2, MAX_NODES + 1), n = 0;
	guint64 enters[MAX_NODES] = { 0 }, now = 1000000;
	gint64 wrong[MAX_NODES];

	for (guint i = 0; i < nodes; i++)
		wrong[i] = error ? g_rand_int_range(rand, 0, error) : 0;
	for (guint64 round = 1; round < 20; round++) {
		for (guint i = 0; i < nodes; i++) {
			enters[i] += (guint64)g_rand_int_range(rand, 1, 2000);
			now = MAX(now, 1000000 + enters[i]);
			steps[n++] = (struct step){ .kind = SEND,
						    .node = i,
						    .t = 1000000 + enters[i] + (guint64)wrong[i],
						    .id = round };
		}
		for (guint i = 0; i < nodes; i++) {
			enters[i] = now - 1000000 + (guint64)g_rand_int_range(rand, 1, 2000);
			steps[n++] = (struct step){ .kind = RECEIVE,
						    .node = i,
						    .t = 1000000 + enters[i] + (guint64)wrong[i],
						    .id = round,
						    .n = nodes };
		}
	}
	qsort(steps, n, sizeof(*steps), by_time);
	return n;
}

UNIT_TEST(random_barriers)
{
	static const char text[] = "[order barrier]\n"
				   "effect = receive\n"
				   "cause entered = send\n"
				   "key = id\n"
				   "count entered = n\n"
				   "unique = yes\n"
				   "hold = 30us\n";
	static const enum iot_causality policies[] = { IOT_CAUSALITY_HOLD, IOT_CAUSALITY_ADJUST };
	struct step *steps = g_new(struct step, MAX_EVENTS);
	struct out *out = g_new(struct out, 1), *cut = g_new(struct out, 1);
	guint violated_before = 0, wrong = 0;
	struct bench b;

	bench_init(&b, text);
	for (guint seed = 1; seed <= n_schedules(); seed++) {
		GRand *rand = g_rand_new_with_seed(seed);
		guint n = make_barrier(steps, rand, seed % 4 ? 20000 : 0), early = 0;

		run(&b, (struct iot_causality_choice){ .policy = IOT_CAUSALITY_REPORT }, steps, n,
		    n, out);
		violated_before += count_violations(steps, n, out);
		/* an effect is early if one of its causes comes later, or at the same time */
		for (guint e = 0; e < n; e++) {
			gboolean after = FALSE;

			for (guint c = e + 1; c < n; c++)
				after |= steps[e].kind == RECEIVE && is_cause(&steps[c], &steps[e]);
			early += after;
		}
		wrong += out->diag.count[IOT_DIAG_order_early] != early;
		wrong += out->diag.count[IOT_DIAG_order_inside] != 0;
		for (guint p = 0; p < G_N_ELEMENTS(policies); p++) {
			struct iot_causality_choice choice = { .policy = policies[p] };

			run(&b, choice, steps, n, n, out);
			check_order(steps, n, out);
			if (policies[p] == IOT_CAUSALITY_ADJUST)
				check_times(steps, n, out);
			run(&b, choice, steps, n, (guint)g_rand_int_range(rand, 0, (gint32)n), cut);
			CU_ASSERT_TRUE(same_out(out, cut));
		}
		g_rand_free(rand);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_TRUE(violated_before > n_schedules());
	bench_clear(&b);
	g_free(steps);
	g_free(out);
	g_free(cut);
}

/* With right clocks everything passes as it comes, except events of one instant. */
UNIT_TEST(untouched)
{
	static const struct iot_causality_choice report = { .policy = IOT_CAUSALITY_REPORT };
	static const struct iot_causality_choice adjust = { .policy = IOT_CAUSALITY_ADJUST };
	struct step *steps = g_new(struct step, MAX_EVENTS);
	struct out *out = g_new(struct out, 1);
	guint n_checked = 0;
	struct bench b;

	bench_init(&b, rules_text);
	for (guint seed = 1; seed <= n_schedules(); seed++) {
		GRand *rand = g_rand_new_with_seed(seed);
		guint n = make(steps, rand, 0), moved = 0, violations;

		run(&b, report, steps, n, n, out);
		violations = count_violations(steps, n, out);
		run(&b, adjust, steps, n, n, out);
		for (guint i = 0; i < n; i++)
			moved += out->step[i] != i || out->t[i] != steps[i].t;
		if (!violations) {
			CU_ASSERT_EQUAL(moved, 0);
			n_checked++;
		}
		g_rand_free(rand);
	}
	CU_ASSERT_TRUE(n_checked > n_schedules() / 2);
	bench_clear(&b);
	g_free(steps);
	g_free(out);
}

/* Two machines: the receipts of node 1 come before the messages of node 0, and wait. */
static void count_in(const struct bench *b, const struct iot_causal_config *base,
		     const struct step *steps, guint n, struct iot_diag *diag)
{
	struct iot_causal *causal = iot_causal_new(base);

	for (guint i = 0; i < n; i++)
		push(b, causal, &steps[i], i);
	iot_causal_finish(causal);
	memset(diag, 0, sizeof(*diag));
	iot_causal_count(causal, diag);
	iot_causal_free(causal);
}

UNIT_TEST(limits)
{
	struct iot_causal_input inputs[MAX_NODES] = { { .node = 1, .used = TRUE },
						      { .node = 2, .used = TRUE } };
	struct out *out = g_new0(struct out, 1);
	struct iot_causal_config config = { .choice = { .policy = IOT_CAUSALITY_HOLD,
							.hold_ns = G_MAXUINT64 },
					    .inputs = inputs,
					    .n_inputs = 2,
					    .memory = 4096,
					    .max_keys = 1000,
					    .func = note,
					    .user_data = out };
	struct step steps[200];
	struct iot_diag diag;
	struct bench b;

	bench_init(&b, rules_text);
	config.rules = b.rules;
	config.schema = b.schema;
	config.tl = b.tl;
	for (guint i = 0; i < G_N_ELEMENTS(steps); i++)
		steps[i] = (struct step){ .kind = i ? OTHER : RECEIVE, .node = 1, .t = i, .id = 7 };
	/* a year of hold time: the first event waits until the memory is full, and nothing is lost
	 */
	count_in(&b, &config, steps, G_N_ELEMENTS(steps), &diag);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_order_overflow], 1);
	CU_ASSERT_EQUAL(out->n, G_N_ELEMENTS(steps));
	CU_ASSERT_EQUAL(out->step[0], 0);
	/* every event of a machine violates the rule: each waits for a cause that never comes */
	for (guint i = 0; i < G_N_ELEMENTS(steps); i++)
		steps[i] = (struct step){ .kind = RECEIVE, .node = 1, .t = i, .id = i };
	out->n = 0;
	config.memory = 1 << 20;
	count_in(&b, &config, steps, G_N_ELEMENTS(steps), &diag);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_order_unmet], 200);
	CU_ASSERT_EQUAL(out->n, G_N_ELEMENTS(steps));
	/* keys of causes that nobody asks for */
	for (guint i = 0; i < G_N_ELEMENTS(steps); i++)
		steps[i] = (struct step){ .kind = UNLOCK, .t = i, .id = i, .n = 1 };
	out->n = 0;
	config.max_keys = 50;
	count_in(&b, &config, steps, G_N_ELEMENTS(steps), &diag);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_order_evicted], 150);
	/* a key with a waiting effect is not forgotten: the causes come after all effects */
	for (guint i = 0; i < G_N_ELEMENTS(steps); i++)
		steps[i] = (struct step){
			.kind = i < 100 ? RECEIVE : SEND, .node = i < 100, .t = i, .id = i % 100
		};
	out->n = 0;
	count_in(&b, &config, steps, G_N_ELEMENTS(steps), &diag);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_order_evicted], 0);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_order_held], 100);
	CU_ASSERT_EQUAL(count_violations(steps, G_N_ELEMENTS(steps), out), 0);
	bench_clear(&b);
	g_free(out);
}
