/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random schedules of several machines with clocks that are wrong, their run through the causality
 * filter, and a brute-force checker of the delivered order. IOTRACE_SCHEDULES=N: so many schedules.
 */
#ifndef IOT_TESTS_SCHEDULE_H
#define IOT_TESTS_SCHEDULE_H

#include "order/causal.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { SEND, RECEIVE, ANSWER, LOCK, UNLOCK, OTHER, N_KINDS };
enum { MAX_EVENTS = 400, MAX_NODES = 5, N_SLOTS = 2 };

static const char *const kind_names[] = { "send", "receive", "answer", "lock", "unlock", "other" };

/* A message is received after it was sent; an answer needs the receipt, or a note of another kind;
 * lock n comes after unlock n - 1. */
static const char rules_text[] = "[order message]\n"
				 "effect = receive\n"
				 "cause = send\n"
				 "key = id\n"
				 "hold = 30us\n"
				 "[order answer]\n"
				 "effect = answer\n"
				 "cause got = receive\n"
				 "cause sent = send\n"
				 "needs = got && sent\n"
				 "key = id\n"
				 "hold = 30us\n"
				 "[order mutex]\n"
				 "effect = lock\n"
				 "cause free = unlock\n"
				 "number free = n\n"
				 "initial free = 0\n"
				 "wants free = n-1\n"
				 "key = id\n"
				 "hold = 30us\n";

struct bench {
	struct iot_timeline *tl;
	struct iot_schema *schema;
	struct iot_model_file *file;
	struct iot_order_rules *rules;
	guint kind_of[16]; /* schema index -> kind */
	struct iot_event event[N_KINDS][MAX_NODES];
};

/* One event of a schedule. */
struct step {
	guint kind, node;
	guint64 t; /* by the node's clock */
	guint64 id, n;
};

struct out {
	guint n;
	guint step[MAX_EVENTS];
	guint64 t[MAX_EVENTS], round[MAX_EVENTS];
	struct iot_diag diag;
	guint64 grown_ns; /* the most by which an interval grew in excess of the share */
	guint64 last_round[MAX_NODES];
};

static inline void bench_init(struct bench *b, const char *text)
{
	static const char *const fields[] = { "id", "n" };
	struct iot_order_context context;

	b->tl = iot_timeline_new();
	b->schema = iot_schema_new();
	b->rules = iot_order_rules_new();
	b->file = iot_model_file_parse("test.model", text, strlen(text), NULL);
	context = (struct iot_order_context){
		.file = b->file, .model = "test", .system = "t", .tl = b->tl, .schema = b->schema
	};
	for (guint k = 0; k < N_KINDS; k++) {
		struct iot_schema_event *event = iot_schema_event(b->schema, "t", kind_names[k]);

		for (guint f = 0; f < N_SLOTS; f++)
			iot_schema_field(event, fields[f], TRUE, "test");
		b->kind_of[event->index] = k;
		for (guint node = 0; node < MAX_NODES; node++)
			b->event[k][node] = (struct iot_event){
				.index = event->index,
				.input = node,
				.n_slots = N_SLOTS,
				.slot_type = { IOT_SLOT_UINT, IOT_SLOT_UINT },
			};
	}
	for (guint i = 0; i < b->file->sections->len; i++)
		CU_ASSERT_TRUE_FATAL(
			iot_order_rules_add(b->rules, &context, b->file->sections->pdata[i], NULL));
	CU_ASSERT_TRUE(iot_order_rules_check(b->rules, NULL));
}

static inline void bench_clear(struct bench *b)
{
	iot_order_rules_free(b->rules);
	iot_model_file_free(b->file);
	iot_schema_free(b->schema);
	iot_timeline_free(b->tl);
}

static inline void note(gpointer data, struct iot_rec *rec, const struct iot_moved *moved)
{
	struct out *out = data;

	out->step[out->n] = rec->run >> 8;
	out->t[out->n] = rec->ts;
	out->round[out->n] = moved->round;
	out->n++;
}

static inline struct iot_causal *new_filter(const struct bench *b,
					    struct iot_causality_choice choice, guint n_nodes,
					    struct out *out)
{
	struct iot_causal_input inputs[MAX_NODES] = { 0 };

	for (guint i = 0; i < n_nodes; i++)
		inputs[i] = (struct iot_causal_input){ .node = i + 1, .number = i, .used = TRUE };
	return iot_causal_new(&(struct iot_causal_config){ .choice = choice,
							   .rules = b->rules,
							   .schema = b->schema,
							   .inputs = inputs,
							   .n_inputs = n_nodes,
							   .memory = 1 << 20,
							   .max_keys = 1000,
							   .tl = b->tl,
							   .func = note,
							   .user_data = out });
}

static inline void push(const struct bench *b, struct iot_causal *causal, const struct step *step,
			guint index)
{
	guint8 room[sizeof(struct iot_rec) + N_SLOTS * sizeof(union iot_val)] = { 0 };
	struct iot_rec *rec = (struct iot_rec *)room;

	rec->event = &b->event[step->kind][step->node];
	rec->ts = step->t;
	rec->run = index << 8 | step->node;
	rec->slot[0].u = step->id;
	rec->slot[1].u = step->n;
	iot_causal_push(causal, rec);
}

/* @cut: save and resume in a new filter after so many records. */
static inline void run(const struct bench *b, struct iot_causality_choice choice,
		       const struct step *steps, guint n, guint cut, struct out *out)
{
	struct iot_causal *causal = new_filter(b, choice, MAX_NODES, out);

	out->n = 0;
	for (guint i = 0; i < n; i++) {
		if (i == cut) {
			g_autoptr(GByteArray) bytes = g_byte_array_new();
			struct iot_unpack in;

			iot_causal_save(causal, bytes);
			iot_causal_free(causal);
			causal = new_filter(b, choice, MAX_NODES, out);
			in = iot_unpack_init(bytes->data, bytes->len);
			CU_ASSERT_TRUE(iot_causal_load(causal, &in));
			CU_ASSERT_TRUE(iot_unpack_end(&in));
		}
		push(b, causal, &steps[i], i);
	}
	iot_causal_finish(causal);
	memset(&out->diag, 0, sizeof(out->diag));
	iot_causal_count(causal, &out->diag);
	out->grown_ns = 0;
	for (guint i = 0; i < MAX_NODES; i++) {
		out->grown_ns = MAX(out->grown_ns, iot_causal_moves(causal, i)->grown_ns);
		out->last_round[i] = iot_causal_moves(causal, i)->last_round;
	}
	iot_causal_free(causal);
}

static inline gboolean same_out(const struct out *a, const struct out *b)
{
	return a->n == b->n && !memcmp(a->step, b->step, a->n * sizeof(*a->step)) &&
	       !memcmp(a->t, b->t, a->n * sizeof(*a->t)) &&
	       !memcmp(a->round, b->round, a->n * sizeof(*a->round)) &&
	       !memcmp(&a->diag, &b->diag, sizeof(a->diag)) && a->grown_ns == b->grown_ns &&
	       !memcmp(a->last_round, b->last_round, sizeof(a->last_round));
}

/* ---- schedules */

static inline int by_time(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	return x->t != y->t ? (x->t < y->t ? -1 : 1) : (int)x->node - (int)y->node;
}

/* A run of the true system, whose clocks are wrong by up to @error. Some messages are lost: they
 * are received, but their sender was not recorded. Returns the number of events. */
static inline guint make(struct step *steps, GRand *rand, guint64 error)
{
	gint64 wrong[MAX_NODES];
	guint64 now = 1000000, last[MAX_NODES] = { 0 }, tick[2] = { 0 };
	guint n = 0, sent = 0, received = 0,
	      nodes = (guint)g_rand_int_range(rand, 2, MAX_NODES + 1);
	gboolean locked[2] = { FALSE };
	guint holder[2] = { 0 };

	for (guint i = 0; i < nodes; i++)
		wrong[i] = error ? g_rand_int_range(rand, 0, (gint32)error) : 0;
	while (n < MAX_EVENTS - 1 && n < 30u + sent) {
		struct step *s = &steps[n];
		guint m = (guint)g_rand_int_range(rand, 0, 2);

		memset(s, 0, sizeof(*s));
		s->node = (guint)g_rand_int_range(rand, 0, (gint32)nodes);
		now += (guint64)g_rand_int_range(rand, 0, 2000);
		switch (g_rand_int_range(rand, 0, 6)) {
		case 0:
			s->kind = SEND;
			s->id = ++sent;
			break;
		case 1:
			if (received == sent)
				continue;
			s->kind = RECEIVE;
			s->id = ++received;
			break;
		case 2:
			if (!received)
				continue;
			s->kind = ANSWER;
			s->id = (guint64)g_rand_int_range(rand, 1, (gint32)received + 1);
			break;
		case 3:
			if (locked[m])
				continue;
			s->kind = LOCK;
			s->id = 1000 + m;
			s->n = ++tick[m];
			locked[m] = TRUE;
			holder[m] = s->node;
			break;
		case 4:
			if (!locked[m])
				continue;
			s->kind = UNLOCK;
			s->node = holder[m];
			s->id = 1000 + m;
			s->n = tick[m];
			locked[m] = FALSE;
			break;
		default:
			s->kind = OTHER;
			break;
		}
		s->t = (guint64)((gint64)now + wrong[s->node]);
		s->t = MAX(s->t, last[s->node]);
		last[s->node] = s->t;
		n++;
	}
	for (guint i = 0; i < n; i++)
		if (steps[i].kind == SEND && !g_rand_int_range(rand, 0, 12))
			steps[i].kind = OTHER;
	qsort(steps, n, sizeof(*steps), by_time);
	return n;
}

/* ---- the brute-force checker */

/* Whether @cause must be before @effect. */
static inline gboolean is_cause(const struct step *cause, const struct step *effect)
{
	if (cause->id != effect->id)
		return FALSE;
	switch (effect->kind) {
	case RECEIVE:
		return cause->kind == SEND;
	case ANSWER:
		return cause->kind == SEND || cause->kind == RECEIVE;
	case LOCK:
		return cause->kind == UNLOCK && cause->n == effect->n - 1;
	default:
		return FALSE;
	}
}

/* The causes of the effect, of which one may be unrecorded: then it needs nobody. */
static inline gboolean is_bound(const struct step *steps, guint n, const struct step *effect)
{
	gboolean send = FALSE, receive = FALSE;

	for (guint i = 0; i < n; i++) {
		send |= steps[i].kind == SEND && steps[i].id == effect->id;
		receive |= steps[i].kind == RECEIVE && steps[i].id == effect->id;
	}
	return effect->kind != ANSWER || (send && receive);
}

static inline guint count_violations(const struct step *steps, guint n, const struct out *out)
{
	guint at[MAX_EVENTS], violations = 0;

	for (guint i = 0; i < out->n; i++)
		at[out->step[i]] = i;
	for (guint e = 0; e < n; e++) {
		if (!is_bound(steps, n, &steps[e]))
			continue;
		for (guint c = 0; c < n; c++)
			violations += is_cause(&steps[c], &steps[e]) && at[c] > at[e];
	}
	return violations;
}

static inline gboolean machines_in_order(const struct step *steps, const struct out *out)
{
	gint64 last[MAX_NODES] = { -1, -1, -1, -1, -1 };

	for (guint i = 0; i < out->n; i++) {
		guint node = steps[out->step[i]].node;

		if ((gint64)out->step[i] < last[node])
			return FALSE;
		last[node] = out->step[i];
	}
	return TRUE;
}

/* The round of each event if all queues were full from the start: one event of each machine in
 * a round, if its causes have left in earlier rounds. */
static inline void true_rounds(const struct step *steps, guint n, guint64 *round)
{
	guint left = n;

	memset(round, 0, n * sizeof(*round));
	for (guint64 now = 1; left; now++) {
		gboolean taken[MAX_NODES] = { FALSE };

		for (guint e = 0; e < n; e++) {
			gboolean ready = !round[e] && !taken[steps[e].node];

			if (!round[e])
				taken[steps[e].node] = TRUE;
			for (guint c = 0; ready && c < n; c++)
				if (is_bound(steps, n, &steps[e]) && is_cause(&steps[c], &steps[e]))
					ready = round[c] && round[c] < now;
			if (ready) {
				round[e] = now;
				left--;
			}
		}
	}
}

static inline void check_rounds(const struct step *steps, guint n, const struct out *out)
{
	guint64 round[MAX_EVENTS], last[MAX_NODES] = { 0 };
	guint wrong = 0;

	true_rounds(steps, n, round);
	for (guint i = 0; i < out->n; i++) {
		guint64 *last_round = &last[steps[out->step[i]].node];

		wrong += out->round[i] != round[out->step[i]];
		*last_round = MAX(*last_round, round[out->step[i]]);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(memcmp(out->last_round, last, sizeof(last)), 0);
}

static inline guint n_schedules(void)
{
	const char *text = getenv("IOTRACE_SCHEDULES");

	return text ? (guint)atoi(text) : 1000;
}

#endif
