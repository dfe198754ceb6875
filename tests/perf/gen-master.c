// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lock master of a resource (fs/dlm/lock.c: do_request, do_convert, do_unlock, do_cancel,
 * grant_pending_locks): compatible modes only, conversions before new requests, first come first
 * served. A mode is free as soon as the master has the message that gives it up, long before the
 * task that held it gets its ast.
 */
#include "gen-cluster.h"

gboolean master_weaker(int from, int to)
{
	return to < from && !(from == PR && to == CW);
}

static gboolean grantable(const struct copy *copy, int mode)
{
	const GPtrArray *copies = copy->lock->res->copies;

	for (guint i = 0; i < copies->len; i++) {
		const struct copy *other = g_ptr_array_index(copies, i);

		if (other != copy && other->granted != NONE && !compatible[other->granted][mode])
			return FALSE;
	}
	return TRUE;
}

static gboolean is_local(const struct copy *copy)
{
	return copy->lock->node == copy->lock->res->master;
}

static void answer(struct gen *gen, struct copy *copy, enum message_type reply, int status)
{
	struct lock *lk = copy->lock;

	if (!is_local(copy))
		wire_send(gen, reply, lk->res->master, lk->node, lk->res, lk, copy->granted,
			  status);
	else if (status != S_EINPROGRESS)
		cluster_ast(gen, lk, status);
	else
		lk->queued = TRUE;
}

static void grant(struct gen *gen, struct copy *copy)
{
	if (copy->granted != NONE)
		truth_own(gen, copy, gen->now + gen->pause);
	copy->granted = copy->asked;
	copy->since = gen->now + gen->pause;
	copy->basted = NONE;
	copy->waits = copy->converts = FALSE;
}

static void drop(struct gen *gen, struct copy *copy)
{
	struct lock *lk = copy->lock;
	struct resource *res = lk->res;

	if (copy->granted != NONE)
		truth_own(gen, copy, gen->now + gen->pause);
	g_queue_remove(&res->convert, copy);
	g_queue_remove(&res->wait, copy);
	g_ptr_array_remove(res->copies, copy);
	if (!is_local(copy))
		cluster_release_id(gen, res->master, res->ls, copy->id);
	lk->copy = NULL;
	g_free(copy);
}

/* Asks the holders that block @copy to give way. */
static void send_basts(struct gen *gen, const struct copy *copy)
{
	struct resource *res = copy->lock->res;

	for (guint i = 0; i < res->copies->len; i++) {
		struct copy *other = g_ptr_array_index(res->copies, i);

		if (other == copy || other->granted == NONE || other->basted >= copy->asked ||
		    compatible[other->granted][copy->asked])
			continue;
		other->basted = copy->asked;
		if (is_local(other))
			cluster_bast(gen, other->lock, copy->asked);
		else
			wire_send(gen, M_BAST, res->master, other->lock->node, res, other->lock,
				  copy->asked, 0);
	}
}

static void grant_waiting(struct gen *gen, struct resource *res)
{
	struct copy *copy;

	for (;;) {
		GQueue *queue = g_queue_is_empty(&res->convert) ? &res->wait : &res->convert;

		copy = g_queue_peek_head(queue);
		if (!copy || !grantable(copy, copy->asked))
			break;
		g_queue_pop_head(queue);
		grant(gen, copy);
		answer(gen, copy, M_GRANT, 0);
	}
	if (copy)
		send_basts(gen, copy);
}

static void enqueue(struct gen *gen, struct copy *copy, GQueue *queue, enum message_type reply)
{
	copy->waits = TRUE;
	g_queue_push_tail(queue, copy);
	answer(gen, copy, reply, S_EINPROGRESS);
	send_basts(gen, copy);
	if (gen_below(gen, 25) == 0 && !copy->lock->task)
		gen_schedule(gen, gen_between(gen, 20000, 500000), C_CANCEL, copy->lock,
			     copy->lock->call, 0);
}

void master_request(struct gen *gen, struct lock *lk, int mode, guint32 flags)
{
	struct resource *res = lk->res;
	struct copy *copy = lk->copy = g_new0(struct copy, 1);

	*copy = (struct copy){ .lock = lk, .granted = NONE, .asked = mode, .basted = NONE };
	lk->master = res->master;
	copy->id = is_local(copy) ? lk->id : cluster_take_id(gen, res->master, res->ls);
	g_ptr_array_add(res->copies, copy);
	if (grantable(copy, mode) && g_queue_is_empty(&res->convert) &&
	    g_queue_is_empty(&res->wait)) {
		grant(gen, copy);
		answer(gen, copy, M_REQUEST_REPLY, 0);
	} else if (!grantable(copy, mode) && cluster_planted(gen, FAULT_GRANT)) {
		truth_fault(gen, "grant", gen->now + gen->pause, res->master, lk);
		grant(gen, copy);
		answer(gen, copy, M_REQUEST_REPLY, 0);
	} else if (flags & F_NOQUEUE) {
		answer(gen, copy, M_REQUEST_REPLY, S_EAGAIN);
		drop(gen, copy);
	} else {
		enqueue(gen, copy, &res->wait, M_REQUEST_REPLY);
	}
}

void master_convert(struct gen *gen, struct lock *lk, int mode, guint32 flags)
{
	struct copy *copy = lk->copy;
	struct resource *res = lk->res;
	gboolean weaker = master_weaker(copy->granted, mode);

	copy->asked = mode;
	if (weaker || grantable(copy, mode)) {
		grant(gen, copy);
		if (!weaker || is_local(copy))
			answer(gen, copy, M_CONVERT_REPLY, 0);
		grant_waiting(gen, res);
	} else if (flags & F_NOQUEUE) {
		answer(gen, copy, M_CONVERT_REPLY, S_EAGAIN);
	} else if (!g_queue_is_empty(&res->convert)) {
		/* one waiting converter at most, so nobody waits in a circle */
		answer(gen, copy, M_CONVERT_REPLY, S_EDEADLK);
	} else {
		copy->converts = TRUE;
		enqueue(gen, copy, &res->convert, M_CONVERT_REPLY);
	}
}

void master_unlock(struct gen *gen, struct lock *lk)
{
	struct resource *res = lk->res;
	int master = res->master;

	answer(gen, lk->copy, M_UNLOCK_REPLY, S_EUNLOCK);
	drop(gen, lk->copy);
	grant_waiting(gen, res);
	wire_forget(gen, res, master);
}

int master_cancel(struct gen *gen, struct lock *lk)
{
	struct resource *res = lk->res;
	struct copy *copy = lk->copy;
	int master = res->master;

	if (!copy->waits) {
		answer(gen, copy, M_CANCEL_REPLY, 0);
		return 0;
	}
	answer(gen, copy, M_CANCEL_REPLY, lk->task ? S_EDEADLK : S_ECANCEL);
	if (copy->converts) {
		g_queue_remove(&res->convert, copy);
		copy->waits = copy->converts = FALSE;
	} else {
		drop(gen, copy);
	}
	grant_waiting(gen, res);
	wire_forget(gen, res, master);
	return S_ECANCEL;
}
