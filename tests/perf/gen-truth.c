// SPDX-License-Identifier: GPL-2.0-or-later
/* What really happened in the cluster, for the file of --truth; gen-dat.c describes the lines. */
#include "gen-cluster.h"

#define TIME "\t%" G_GUINT64_FORMAT

static void put_name(struct gen *gen, const struct resource *res)
{
	fprintf(gen->truth, "\t%x\t", gen->cluster->ls_id[res->ls]);
	for (gsize i = 0; i < res->len; i++)
		fprintf(gen->truth, "%02x", res->name[i]);
}

static int number(const struct gen *gen, int node)
{
	return gen->cluster->nodes[node].node->number;
}

/* "KIND NODE LS_ID RES_HEX LKB_ID" */
static void begin(struct gen *gen, const char *kind, const struct lock *lk)
{
	fprintf(gen->truth, "%s\t%d", kind, number(gen, lk->node));
	put_name(gen, lk->res);
	fprintf(gen->truth, "\t%x", lk->id);
}

static void put_span(struct gen *gen, const struct lock *lk, const char *what, guint64 from,
		     guint64 to)
{
	begin(gen, "span", lk);
	fprintf(gen->truth, "\t%s" TIME TIME "\n", what, from, to);
}

static void put_part(struct gen *gen, const struct lock *lk, const char *part, guint64 from,
		     guint64 to)
{
	if (from == to)
		return;
	begin(gen, "part", lk);
	fprintf(gen->truth, "\t%s\t%s" TIME TIME "\n", mode_name[lk->held], part, from, to);
}

void truth_call(struct lock *lk, guint64 t)
{
	lk->called = t;
	lk->left = lk->held != NONE && (lk->unlocking || !covers(lk->wanted, lk->held)) ? t : 0;
	lk->waits = !lk->unlocking && (lk->held == NONE || !covers(lk->held, lk->wanted));
}

void truth_refused(struct lock *lk)
{
	lk->called = lk->left = 0;
}

void truth_forced(struct lock *lk, guint64 t)
{
	lk->forced = t;
	if (lk->held != NONE && !lk->left)
		lk->left = t;
}

/* A forced unlock ends the wait of the call, and releases. */
static void put_call(struct gen *gen, const struct lock *lk, guint64 t)
{
	const char *span = call_span(lk->held, lk->wanted, lk->unlocking);

	put_span(gen, lk, span, lk->called, lk->forced ? lk->forced : t);
	if (lk->forced)
		put_span(gen, lk, "RELEASING", lk->forced, t);
}

static void end_call(struct gen *gen, struct lock *lk, guint64 t, const char *result)
{
	gboolean leaves = lk->left && lk->left == lk->called;

	if (lk->forced) {
		begin(gen, "wait", lk);
		fprintf(gen->truth, "\tleave\t%s\tunlock" TIME TIME "\t%s\n",
			lk->held == NONE ? "-" : mode_name[lk->held], lk->forced, t, result);
	}
	if (!lk->called)
		return;
	put_call(gen, lk, t);
	begin(gen, "wait", lk);
	fprintf(gen->truth, "\t%s\t%s\t%s" TIME TIME "\t%s\n",
		lk->waits ? leaves ? "both" : "wait"
		: leaves  ? "leave"
			  : "same",
		lk->held == NONE ? "-" : mode_name[lk->held],
		lk->unlocking ? "unlock" : mode_name[lk->wanted], lk->called, t, result);
}

/* The part of the hold since it was last certain ends at @t. */
static void end_part(struct gen *gen, struct lock *lk, guint64 t)
{
	if (lk->left) {
		put_part(gen, lk, "certain", lk->part_since, lk->left);
		put_part(gen, lk, "leaving", lk->left, t);
	} else {
		put_part(gen, lk, "certain", lk->part_since, t);
	}
	lk->part_since = t;
}

static void end_hold(struct gen *gen, struct lock *lk, guint64 t)
{
	end_part(gen, lk, t);
	put_span(gen, lk, mode_name[lk->held], lk->held_since, t);
}

void truth_answer(struct gen *gen, struct lock *lk, guint64 t, int status)
{
	g_autofree char *result = g_strdup_printf("%d", status);

	end_call(gen, lk, t, result);
	if (lk->held != NONE && (status == 0 || status == S_EUNLOCK))
		end_hold(gen, lk, t);
	else if (lk->held != NONE && lk->left)
		end_part(gen, lk, t);
	if (status == 0)
		lk->held_since = lk->part_since = t;
	lk->called = lk->left = lk->forced = 0;
}

void truth_own(struct gen *gen, const struct copy *copy, guint64 until)
{
	begin(gen, "own", copy->lock);
	fprintf(gen->truth, "\t%s" TIME TIME "\n", mode_name[copy->granted], copy->since, until);
}

void truth_message(struct gen *gen, const struct message *m, guint64 received, int cpu)
{
	fprintf(gen->truth, "message\t%d\t%d\t%d\t%u", number(gen, m->from), number(gen, m->to),
		m->type, m->seq);
	put_name(gen, m->res);
	fprintf(gen->truth, "\t%x\t%x" TIME "\t%d" TIME "\t%d\n", m->lkid, m->remid, m->sent,
		m->cpu, received, cpu);
}

void truth_master(struct gen *gen, struct resource *res, guint64 until)
{
	fprintf(gen->truth, "master\t%d", number(gen, res->master));
	put_name(gen, res);
	fprintf(gen->truth, TIME TIME "\n", res->mastered, until);
}

void truth_fault(struct gen *gen, const char *kind, guint64 t, int node, const struct lock *lk)
{
	fprintf(gen->truth, "fault\t%s\t%d", kind, number(gen, node));
	put_name(gen, lk->res);
	fprintf(gen->truth, "\t%d\t%x" TIME "\n", number(gen, lk->node), lk->id, t);
}

void truth_delay(struct gen *gen, enum gen_delay delay, guint64 ns, int node, const struct lock *lk)
{
	static const char *const names[] = { "message", "callback", "hold" };

	fprintf(gen->truth, "delay\t%s\t%d", names[delay], number(gen, node));
	put_name(gen, lk->res);
	fprintf(gen->truth, "\t%d\t%x" TIME TIME "\n", number(gen, lk->node), lk->id,
		gen->now + gen->pause, ns);
}

void truth_cycle(struct gen *gen, int cycle, const struct lock *waiter, const struct resource *res,
		 struct truth_cycle times)
{
	fprintf(gen->truth, "cycle\t%d\t%d\t%d", cycle, number(gen, waiter->node), waiter->pid);
	put_name(gen, res);
	fprintf(gen->truth, "\t%x" TIME TIME TIME "\n", times.id, times.called, times.closed,
		times.ended);
}

void truth_end(struct gen *gen, guint64 end_ns)
{
	struct gen_cluster *cl = gen->cluster;

	for (int i = 0; i < cl->n_locks; i++) {
		struct lock *lk = &cl->locks[i];

		if (!lk->res)
			continue;
		end_call(gen, lk, end_ns, "-");
		if (lk->held != NONE)
			end_hold(gen, lk, end_ns);
		if (lk->copy && lk->copy->granted != NONE)
			truth_own(gen, lk->copy, end_ns);
	}
	for (int i = 0; i < cl->n_res; i++)
		if (cl->res[i].master != NONE)
			truth_master(gen, &cl->res[i], end_ns);
}
