// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A cluster that locks. Tasks on every node take, convert and release locks on common resources;
 * a lock manager grants them by the rules of the DLM: compatible modes only, conversions before new
 * requests, first come first served. Each task works on one lock at a time, so nobody waits in a
 * circle. It has all difficulties of joining: asts before the call's end, NOQUEUE refusals,
 * conversion deadlocks, cancels, forced unlocks, calls that fail, ids used again.
 *
 * Truth: `span NODE LS_ID RES_HEX LKB_ID MODE START END` for modes, PENDING, RELEASING and KEEPING.
 */
#include "gen-modes.h"
#include "gen.h"

#include <string.h>

enum action { A_NEXT, A_DECIDE, A_END, A_AST, A_BAST, A_CANCEL, A_CANCEL_END };

struct resource {
	guint32 ls; /* index */
	guint8 name[64];
	gsize len;
	GPtrArray *locks;	/* granted, or with a grant on its way */
	GQueue wait;		/* first requests */
	struct lock *converter; /* at most one waits, else EDEADLK */
};

struct node_state {
	struct gen_node *node;
	GArray *ids;	      /* guint64 bitmaps of the lkb ids in use, one per lockspace */
	gboolean helper_busy; /* the task that cancels other tasks' calls */
};

/* A task and its lock. */
struct lock {
	struct node_state *ns;
	gint32 pid;
	int cpu;
	guint32 life;	      /* +1 when the lock is gone */
	guint32 call;	      /* +1 for each call */
	struct resource *res; /* NULL: no lock */
	guint32 lkb_id;
	int mode, wanted, reserved;
	guint32 flags; /* of the call */
	gboolean unlocking, open, failing, done, queued, helper_open;
	int conversions;			   /* left before the unlock */
	guint64 mode_since, pending_since, forced; /* 0: not */
};

struct gen_dlm {
	guint32 *ls_id;
	struct resource *res;
	struct node_state *nodes;
	struct lock *locks;
	int n_locks;
};

/* truth */

static void write_span(struct gen *gen, const struct lock *lk, const char *what, guint64 from,
		       guint64 to)
{
	char hex[sizeof(lk->res->name) * 2 + 1] = "";

	for (gsize i = 0; i < lk->res->len; i++)
		g_snprintf(hex + 2 * i, 3, "%02x", lk->res->name[i]);
	fprintf(gen->truth,
		"span\t%d\t%x\t%s\t%x\t%s\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\n",
		lk->ns->node->number, gen->dlm->ls_id[lk->res->ls], hex, lk->lkb_id, what, from,
		to);
}

static void end_pending(struct gen *gen, struct lock *lk, guint64 t)
{
	const char *span = call_span(lk->mode, lk->wanted, lk->unlocking);

	if (lk->pending_since)
		write_span(gen, lk, span, lk->pending_since, lk->forced ? lk->forced : t);
	if (lk->forced)
		write_span(gen, lk, "RELEASING", lk->forced, t);
	lk->pending_since = lk->forced = 0;
}

static void end_mode(struct gen *gen, struct lock *lk, guint64 t)
{
	if (lk->mode != NONE)
		write_span(gen, lk, mode_name[lk->mode], lk->mode_since, t);
	lk->mode = NONE;
}

/* events */

static guint64 emit(struct gen *gen, const struct lock *lk, enum gen_event event, gint32 pid,
		    int cpu, const guint32 *values, int n)
{
	struct gen_buf buf;

	gen_put_lock(&buf,
		     &(struct gen_lock_event){ .node = lk->ns->node,
					       .event = event,
					       .pid = pid,
					       .ls_id = gen->dlm->ls_id[lk->res->ls],
					       .lkb_id = lk->lkb_id,
					       .name = lk->res->name,
					       .len = lk->res->len },
		     values, n);
	return gen_emit(gen, lk->ns->node, cpu, event, &buf);
}

static guint64 emit_lock(struct gen *gen, const struct lock *lk, gboolean is_end, int error)
{
	return emit(gen, lk, is_end ? GEN_DLM_LOCK_END : GEN_DLM_LOCK_START, lk->pid, lk->cpu,
		    (guint32[]){ lk->wanted, lk->flags, error }, is_end ? 3 : 2);
}

static guint64 emit_unlock(struct gen *gen, const struct lock *lk, gint32 pid, guint32 flags,
			   gboolean is_end, int error)
{
	return emit(gen, lk, is_end ? GEN_DLM_UNLOCK_END : GEN_DLM_UNLOCK_START, pid, lk->cpu,
		    (guint32[]){ flags, error }, is_end ? 2 : 1);
}

/* callbacks come from a workqueue: another task, any CPU */
static guint64 emit_callback(struct gen *gen, const struct lock *lk, enum gen_event event,
			     int value)
{
	gboolean is_ast = event == GEN_DLM_AST;

	return emit(gen, lk, event, 100, gen_below(gen, gen->opts.cpus),
		    is_ast ? (guint32[]){ 0, value } : (guint32[]){ value }, is_ast ? 2 : 1);
}

/* the lock manager */

static gboolean grantable(const struct resource *res, const struct lock *lk)
{
	for (guint i = 0; i < res->locks->len; i++) {
		const struct lock *other = g_ptr_array_index(res->locks, i);

		if (other == lk)
			continue;
		if (other->mode != NONE && !compatible[other->mode][lk->wanted])
			return FALSE;
		if (other->reserved != NONE && !compatible[other->reserved][lk->wanted])
			return FALSE;
	}
	return TRUE;
}

static void send_ast(struct gen *gen, struct lock *lk, int status)
{
	gen_schedule(gen, gen_between(gen, 2000, 30000), A_AST, lk, lk->life, status);
}

static void grant(struct gen *gen, struct lock *lk)
{
	lk->queued = FALSE;
	lk->reserved = lk->wanted;
	if (lk->mode == NONE)
		g_ptr_array_add(lk->res->locks, lk);
	send_ast(gen, lk, 0);
}

static void grant_waiting(struct gen *gen, struct resource *res)
{
	struct lock *lk = res->converter;

	if (lk && grantable(res, lk)) {
		res->converter = NULL;
		grant(gen, lk);
	}
	while (!res->converter && (lk = g_queue_peek_head(&res->wait)) && grantable(res, lk)) {
		g_queue_pop_head(&res->wait);
		grant(gen, lk);
	}
}

static void send_basts(struct gen *gen, struct lock *lk)
{
	for (guint i = 0; i < lk->res->locks->len; i++) {
		struct lock *other = g_ptr_array_index(lk->res->locks, i);

		if (other != lk && other->mode != NONE && !compatible[other->mode][lk->wanted])
			gen_schedule(gen, gen_between(gen, 2000, 40000), A_BAST, other, other->life,
				     lk->wanted);
	}
}

static void enqueue(struct gen *gen, struct lock *lk)
{
	lk->queued = TRUE;
	if (lk->mode == NONE)
		g_queue_push_tail(&lk->res->wait, lk);
	else
		lk->res->converter = lk;
	send_basts(gen, lk);
	if (gen_below(gen, 25) == 0)
		gen_schedule(gen, gen_between(gen, 20000, 500000), A_CANCEL, lk, lk->call, 0);
}

static void dequeue(struct lock *lk)
{
	lk->queued = FALSE;
	if (lk->res->converter == lk)
		lk->res->converter = NULL;
	else
		g_queue_remove(&lk->res->wait, lk);
}

static void decide(struct gen *gen, struct lock *lk)
{
	struct resource *res = lk->res;
	gboolean first = lk->mode == NONE, busy = res->converter || !g_queue_is_empty(&res->wait);

	if (lk->unlocking)
		send_ast(gen, lk, S_EUNLOCK);
	else if (grantable(res, lk) && !(first && busy))
		grant(gen, lk);
	else if (lk->flags & F_NOQUEUE)
		send_ast(gen, lk, S_EAGAIN);
	else if (!first && res->converter)
		send_ast(gen, lk, S_EDEADLK);
	else
		enqueue(gen, lk);
}

/* the tasks */

static void start_call(struct gen *gen, struct lock *lk)
{
	/* one call in sixteen is slow to return, so that its ast overtakes the end */
	guint64 took =
		gen_below(gen, 16) ? gen_between(gen, 1500, 4000) : gen_between(gen, 30000, 200000);

	if (gen_below(gen, 16) == 0)
		lk->cpu = gen_below(gen, gen->opts.cpus);
	lk->call++;
	lk->open = TRUE;
	lk->done = FALSE;
	lk->failing = gen_below(gen, 300) == 0;
	lk->pending_since = lk->unlocking ? emit_unlock(gen, lk, lk->pid, 0, FALSE, 0)
					  : emit_lock(gen, lk, FALSE, 0);
	gen_schedule(gen, took, A_END, lk, lk->life, 0);
	if (!lk->failing)
		gen_schedule(gen, gen_between(gen, 1000, 20000), A_DECIDE, lk, lk->life, 0);
}

static void request(struct gen *gen, struct lock *lk)
{
	lk->res = &gen->dlm->res[gen_below(gen, gen->opts.resources)];
	lk->lkb_id = gen_take_lock_id(gen, lk->ns->ids, lk->res->ls);
	lk->mode = lk->reserved = NONE;
	lk->unlocking = FALSE;
	lk->conversions = gen_below(gen, 4);
	lk->wanted = gen_below(gen, N_MODES);
	lk->flags = gen_below(gen, 8) ? 0 : F_NOQUEUE;
	start_call(gen, lk);
}

static void convert(struct gen *gen, struct lock *lk)
{
	lk->conversions--;
	lk->wanted = gen_below(gen, N_MODES);
	lk->flags = F_CONVERT | (gen_below(gen, 4) ? F_NOQUEUE : 0);
	start_call(gen, lk);
}

static void unlock(struct gen *gen, struct lock *lk)
{
	lk->unlocking = TRUE;
	lk->flags = 0;
	start_call(gen, lk);
}

/* the helper's call: cancel or force a waiting lock, or (in vain) another one */
static void helper_call(struct gen *gen, struct lock *lk, guint32 flags, int error)
{
	guint64 t = emit_unlock(gen, lk, 99, flags, FALSE, 0);

	lk->ns->helper_busy = TRUE;
	lk->helper_open = TRUE;
	if (flags & F_FORCEUNLOCK)
		lk->forced = t;
	gen_schedule(gen, gen_between(gen, 1500, 4000), A_CANCEL_END, lk, flags, error);
}

static void next(struct gen *gen, struct lock *lk)
{
	if (!lk->res)
		request(gen, lk);
	else if (!lk->ns->helper_busy && gen_below(gen, 200) == 0)
		helper_call(gen, lk, F_CANCEL, S_EBUSY);
	else if (lk->conversions > 0)
		convert(gen, lk);
	else
		unlock(gen, lk);
}

/* The call has returned and is answered: hold the lock for a while, or drop it. */
static void go_on(struct gen *gen, struct lock *lk)
{
	if (lk->open || !lk->done || lk->helper_open)
		return;
	if (lk->mode == NONE) {
		gen_release_lock_id(gen, lk->ns->ids, lk->res->ls, lk->lkb_id);
		lk->res = NULL;
		lk->life++;
	}
	gen_schedule(gen, gen_between(gen, 10000, 1500000), A_NEXT, lk, lk->life, 0);
}

static void end_call(struct gen *gen, struct lock *lk)
{
	int error = lk->failing ? S_EINVAL : 0;

	if (lk->unlocking)
		emit_unlock(gen, lk, lk->pid, 0, TRUE, error);
	else
		emit_lock(gen, lk, TRUE, error);
	lk->open = FALSE;
	if (lk->failing) {
		lk->pending_since = 0;
		lk->unlocking = FALSE;
		lk->failing = FALSE;
		lk->done = TRUE;
	}
	go_on(gen, lk);
}

static void deliver_ast(struct gen *gen, struct lock *lk, int status)
{
	guint64 t = emit_callback(gen, lk, GEN_DLM_AST, status);

	end_pending(gen, lk, t);
	if (status == 0 || status == S_EUNLOCK)
		end_mode(gen, lk, t);
	if (status == 0) {
		lk->mode = lk->wanted;
		lk->mode_since = t;
		lk->reserved = NONE;
	} else if (status == S_EUNLOCK) {
		g_ptr_array_remove_fast(lk->res->locks, lk);
	}
	grant_waiting(gen, lk->res);
	lk->done = TRUE;
	go_on(gen, lk);
}

static void cancel(struct gen *gen, struct lock *lk)
{
	gboolean force = gen_below(gen, 3) == 0;

	if (!lk->queued || lk->open || lk->ns->helper_busy)
		return;
	dequeue(lk);
	helper_call(gen, lk, force ? F_FORCEUNLOCK : F_CANCEL, 0);
	send_ast(gen, lk, force ? S_EUNLOCK : S_ECANCEL);
	grant_waiting(gen, lk->res);
}

void gen_dlm_act(struct gen *gen, const struct gen_action *action)
{
	struct lock *lk = action->who;

	switch ((enum action)action->kind) {
	case A_NEXT:
		next(gen, lk);
		break;
	case A_DECIDE:
		decide(gen, lk);
		break;
	case A_END:
		end_call(gen, lk);
		break;
	case A_AST:
		deliver_ast(gen, lk, action->arg);
		break;
	case A_BAST:
		if (action->tag == lk->life && lk->mode != NONE)
			emit_callback(gen, lk, GEN_DLM_BAST, action->arg);
		break;
	case A_CANCEL:
		if (action->tag == lk->call)
			cancel(gen, lk);
		break;
	case A_CANCEL_END:
		emit_unlock(gen, lk, 99, action->tag, TRUE, action->arg);
		lk->ns->helper_busy = FALSE;
		lk->helper_open = FALSE;
		go_on(gen, lk);
		break;
	}
}

/* Names of every kind: plain, GFS2's blank padded numbers, bytes that need escapes. */
static void name_resource(struct resource *res, int i)
{
	char *name = (char *)res->name;

	switch (i % 4) {
	case 1:
		res->len = g_snprintf(name, sizeof(res->name), "%8x%16x", 2 + i % 3, 0x100 + i);
		break;
	case 2:
		res->len = g_snprintf(name, sizeof(res->name), "a%03d \"q\\/", i);
		name[0] = 0x01;
		break;
	case 3:
		res->len = g_snprintf(name, sizeof(res->name), "%d_\xff_\x7f", i) + 1;
		break;
	default:
		res->len = g_snprintf(name, sizeof(res->name), "res%04d", i);
	}
}

static void init_resources(struct gen *gen, struct gen_dlm *dlm)
{
	const struct gen_opts *o = &gen->opts;

	dlm->ls_id = gen_lockspace_ids(gen);
	dlm->res = g_new0(struct resource, o->resources);
	for (int i = 0; i < o->resources; i++) {
		dlm->res[i].ls = i % o->lockspaces;
		name_resource(&dlm->res[i], i);
		dlm->res[i].locks = g_ptr_array_new();
		g_queue_init(&dlm->res[i].wait);
	}
}

void gen_dlm_start(struct gen *gen)
{
	const struct gen_opts *o = &gen->opts;
	struct gen_dlm *dlm = gen->dlm = g_new0(struct gen_dlm, 1);

	init_resources(gen, dlm);
	dlm->nodes = g_new0(struct node_state, o->guests);
	dlm->n_locks = o->guests * o->tasks;
	dlm->locks = g_new0(struct lock, dlm->n_locks);
	for (int n = 0; n < o->guests; n++) {
		dlm->nodes[n].node = &gen->nodes[n];
		dlm->nodes[n].ids = g_array_new(FALSE, TRUE, sizeof(guint64));
	}
	for (int i = 0; i < dlm->n_locks; i++) {
		struct lock *lk = &dlm->locks[i];

		lk->ns = &dlm->nodes[i % o->guests];
		lk->pid = 200 + i / o->guests;
		lk->cpu = gen_below(gen, o->cpus);
		gen_schedule(gen, gen_between(gen, 1000, 1000000), A_NEXT, lk, 0, 0);
	}
}

void gen_dlm_end(struct gen *gen, guint64 end_ns)
{
	struct gen_dlm *dlm = gen->dlm;

	for (int i = 0; i < dlm->n_locks; i++) {
		if (!dlm->locks[i].res)
			continue;
		end_pending(gen, &dlm->locks[i], end_ns);
		end_mode(gen, &dlm->locks[i], end_ns);
	}
	for (int i = 0; i < gen->opts.resources; i++) {
		g_ptr_array_free(dlm->res[i].locks, TRUE);
		g_queue_clear(&dlm->res[i].wait);
	}
	for (int i = 0; i < gen->opts.guests; i++)
		g_array_free(dlm->nodes[i].ids, TRUE);
	g_free(dlm->nodes);
	g_free(dlm->res);
	g_free(dlm->ls_id);
	g_free(dlm->locks);
	g_clear_pointer(&gen->dlm, g_free);
}
