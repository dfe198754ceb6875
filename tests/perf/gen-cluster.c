// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks that lock, their calls and callbacks. Each task works on one lock at a time, so nobody
 * waits in a circle. It has all difficulties of joining: asts before the call's end, NOQUEUE
 * refusals, conversion deadlocks, cancels, forced unlocks, calls that fail, ids used again.
 */
#include "gen-cluster.h"

#include <string.h>

/* events */

guint64 cluster_emit(struct gen *gen, int node, int cpu, enum gen_event event,
		     const struct gen_buf *buf)
{
	return gen_emit_apart(gen, gen->cluster->nodes[node].node, cpu, event, buf);
}

static guint64 emit(struct gen *gen, const struct lock *lk, enum gen_event event, gint32 pid,
		    int cpu, const guint32 *values, int n)
{
	const struct gen_cluster *cl = gen->cluster;
	struct gen_buf buf;

	gen_put_lock(&buf,
		     &(struct gen_lock_event){ .node = cl->nodes[lk->node].node,
					       .event = event,
					       .pid = pid,
					       .ls_id = cl->ls_id[lk->res->ls],
					       .lkb_id = lk->id,
					       .name = lk->res->name,
					       .len = lk->res->len },
		     values, n);
	return cluster_emit(gen, lk->node, cpu, event, &buf);
}

static guint64 emit_call(struct gen *gen, const struct lock *lk, gboolean is_end, int error)
{
	if (lk->unlocking)
		return emit(gen, lk, is_end ? GEN_DLM_UNLOCK_END : GEN_DLM_UNLOCK_START, lk->pid,
			    lk->cpu, (guint32[]){ 0, error }, is_end ? 2 : 1);
	return emit(gen, lk, is_end ? GEN_DLM_LOCK_END : GEN_DLM_LOCK_START, lk->pid, lk->cpu,
		    (guint32[]){ lk->wanted, lk->flags, error }, is_end ? 3 : 2);
}

/* A task of its own cancels other tasks' calls, or ends their locks by force. */
static guint64 emit_helper(struct gen *gen, const struct lock *lk, guint32 flags, gboolean is_end,
			   int error)
{
	return emit(gen, lk, is_end ? GEN_DLM_UNLOCK_END : GEN_DLM_UNLOCK_START, 99, lk->cpu,
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

/* ids and faults */

guint32 cluster_take_id(struct gen *gen, int node, guint32 ls)
{
	return gen_take_lock_id(gen, gen->cluster->nodes[node].ids, ls);
}

void cluster_release_id(struct gen *gen, int node, guint32 ls, guint32 id)
{
	gen_release_lock_id(gen, gen->cluster->nodes[node].ids, ls, id);
}

gboolean cluster_planted(struct gen *gen, enum gen_fault fault)
{
	int permille = gen->opts.fault[fault];

	return permille && gen_below(gen, 1000) < (guint)permille;
}

guint64 cluster_delay(struct gen *gen, enum gen_delay delay, int node, const struct lock *lk)
{
	int permille = gen->opts.delay[delay];
	guint64 ns;

	if (!permille || !lk || gen_below(gen, 1000) >= (guint)permille)
		return 0;
	ns = gen_between(gen, 5000000, 50000000);
	truth_delay(gen, delay, ns * gen->opts.slow, node, lk);
	return ns;
}

/* callbacks */

static void deliver_later(struct gen *gen, struct lock *lk)
{
	/* one in thirty waits long for its worker */
	guint64 delay = gen_below(gen, 30) ? gen_between(gen, 2000, 40000)
					   : gen_between(gen, 100000, 2000000);

	if (lk->delivering || g_queue_is_empty(&lk->callbacks))
		return;
	lk->delivering = TRUE;
	delay += cluster_delay(gen, DELAY_CALLBACK, lk->node, lk);
	gen_schedule(gen, delay, C_CALLBACK, lk, lk->life, 0);
}

static void add_callback(struct gen *gen, struct lock *lk, gboolean is_bast, int value)
{
	struct callback *cb = g_new(struct callback, 1);

	*cb = (struct callback){ is_bast, value };
	g_queue_push_tail(&lk->callbacks, cb);
	deliver_later(gen, lk);
}

void cluster_ast(struct gen *gen, struct lock *lk, int status)
{
	lk->queued = FALSE;
	if (status == 0)
		lk->mode = lk->wanted;
	add_callback(gen, lk, FALSE, status);
}

void cluster_bast(struct gen *gen, struct lock *lk, int mode)
{
	add_callback(gen, lk, TRUE, mode);
}

void cluster_next_in(struct gen *gen, struct lock *lk, guint64 delay)
{
	gen_schedule(gen, delay, C_NEXT, lk, ++lk->turn, 0);
}

static void end_life(struct gen *gen, struct lock *lk)
{
	struct resource *res = lk->res;

	cluster_release_id(gen, lk->node, res->ls, lk->id);
	res->users[lk->node]--;
	g_queue_clear_full(&lk->callbacks, g_free);
	lk->delivering = FALSE;
	lk->res = NULL;
	lk->life++;
	wire_forget(gen, res, lk->node);
}

/* The call has returned and is answered: hold the lock for a while, or drop it. */
static void go_on(struct gen *gen, struct lock *lk)
{
	guint64 hold = gen_between(gen, 10000, 1500000);

	if (lk->open || !lk->done || lk->helper_open)
		return;
	if (lk->held == NONE)
		end_life(gen, lk);
	else
		hold += cluster_delay(gen, DELAY_HOLD, lk->node, lk);
	cluster_next_in(gen, lk, hold);
}

static void deliver_ast(struct gen *gen, struct lock *lk, int status)
{
	guint64 t = emit_callback(gen, lk, GEN_DLM_AST, status);

	truth_answer(gen, lk, t, status);
	if (lk->task)
		cycle_answered(lk, t, status);
	if (status == 0)
		lk->held = lk->wanted;
	else if (status == S_EUNLOCK)
		lk->held = NONE;
	lk->done = TRUE;
	go_on(gen, lk);
}

static void deliver_bast(struct gen *gen, struct lock *lk, int mode)
{
	/* the lock gave way in the meantime */
	if (lk->mode == NONE || compatible[lk->mode][mode])
		return;
	emit_callback(gen, lk, GEN_DLM_BAST, mode);
	if (lk->open || !lk->done || lk->helper_open || lk->hog || lk->task)
		return;
	if (cluster_planted(gen, FAULT_RELEASE)) {
		truth_fault(gen, "release", gen->last_apart + gen->pause, lk->node, lk);
		lk->hog = TRUE;
		cluster_next_in(gen, lk, gen_between(gen, 20000000, 100000000));
	} else if (gen_below(gen, 4)) {
		lk->conversions = 0;
		cluster_next_in(gen, lk, gen_between(gen, 5000, 100000));
	}
}

static void callback(struct gen *gen, struct lock *lk)
{
	g_autofree struct callback *cb = g_queue_pop_head(&lk->callbacks);

	lk->delivering = FALSE;
	if (cb->is_bast)
		deliver_bast(gen, lk, cb->value);
	else
		deliver_ast(gen, lk, cb->value);
	if (lk->res)
		deliver_later(gen, lk);
}

/* calls */

static void start_call(struct gen *gen, struct lock *lk)
{
	if (gen_below(gen, 16) == 0)
		lk->cpu = gen_below(gen, gen->opts.cpus);
	lk->call++;
	lk->turn++;
	lk->hog = FALSE;
	lk->open = TRUE;
	lk->done = FALSE;
	lk->failing = gen_below(gen, 300) == 0 && !lk->task;
	truth_call(lk, emit_call(gen, lk, FALSE, 0));
	gen_schedule(gen, gen_between(gen, 1000, 10000), lk->failing ? C_END : C_ACT, lk, lk->life,
		     0);
}

void cluster_refer(struct gen *gen, struct lock *lk)
{
	int master = lk->res->known[lk->node];

	if (master == NONE)
		wire_lookup(gen, lk);
	else if (master == lk->node)
		master_request(gen, lk, lk->wanted, lk->flags);
	else
		wire_send(gen, M_REQUEST, lk->node, master, lk->res, lk, lk->wanted, 0);
}

static void act_remotely(struct gen *gen, struct lock *lk)
{
	gboolean weaker = !lk->unlocking && master_weaker(lk->mode, lk->wanted);

	wire_send(gen, lk->unlocking ? M_UNLOCK : M_CONVERT, lk->node, lk->master, lk->res, lk,
		  lk->unlocking ? lk->mode : lk->wanted, 0);
	if (weaker)
		cluster_ast(gen, lk, 0);
}

static void act(struct gen *gen, struct lock *lk)
{
	/* one call in sixteen is slow to return, so that its ast overtakes the end */
	guint64 took =
		gen_below(gen, 16) ? gen_between(gen, 1500, 4000) : gen_between(gen, 30000, 200000);

	if (lk->held == NONE)
		cluster_refer(gen, lk);
	else if (lk->master != lk->node)
		act_remotely(gen, lk);
	else if (lk->unlocking)
		master_unlock(gen, lk);
	else
		master_convert(gen, lk, lk->wanted, lk->flags);
	gen_schedule(gen, took, C_END, lk, lk->life, 0);
}

static void end_call(struct gen *gen, struct lock *lk)
{
	emit_call(gen, lk, TRUE, lk->failing ? S_EINVAL : 0);
	lk->open = FALSE;
	if (lk->failing) {
		truth_refused(lk);
		lk->unlocking = FALSE;
		lk->failing = FALSE;
		lk->done = TRUE;
	}
	go_on(gen, lk);
}

/* A new life. */
static void begin_life(struct gen *gen, struct lock *lk, struct resource *res)
{
	lk->res = res;
	res->users[lk->node]++;
	lk->id = cluster_take_id(gen, lk->node, res->ls);
	lk->held = lk->mode = NONE;
	lk->unlocking = FALSE;
}

void cluster_request(struct gen *gen, struct lock *lk, struct resource *res, int mode)
{
	begin_life(gen, lk, res);
	lk->wanted = mode;
	lk->flags = 0;
	start_call(gen, lk);
}

static void request(struct gen *gen, struct lock *lk)
{
	begin_life(gen, lk, &gen->cluster->res[gen_below(gen, gen->opts.resources)]);
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

void cluster_unlock(struct gen *gen, struct lock *lk)
{
	lk->unlocking = TRUE;
	lk->flags = 0;
	start_call(gen, lk);
}

static void next(struct gen *gen, struct lock *lk)
{
	if (lk->task) {
		cycle_next(gen, lk);
	} else if (!lk->res) {
		request(gen, lk);
	} else if (cluster_planted(gen, FAULT_AST)) {
		truth_fault(gen, "ast", emit_callback(gen, lk, GEN_DLM_AST, 0), lk->node, lk);
		cluster_next_in(gen, lk, gen_between(gen, 10000, 1500000));
	} else if (lk->conversions > 0) {
		convert(gen, lk);
	} else {
		cluster_unlock(gen, lk);
	}
}

/* Somebody cancels a lock that waits, if it still does. */
static void start_cancel(struct gen *gen, struct lock *lk)
{
	struct cluster_node *node = &gen->cluster->nodes[lk->node];
	gboolean force = lk->master == lk->node && gen_below(gen, 3) == 0 && !lk->task;

	if (!lk->queued || lk->open || node->helper_busy) {
		/* the search for deadlocks finds it the next time */
		if (lk->task)
			gen_schedule(gen, 1000000, C_BREAK, lk, 0, 0);
		return;
	}
	node->helper_busy = lk->helper_open = TRUE;
	if (!force) {
		emit_helper(gen, lk, F_CANCEL, FALSE, 0);
		gen_schedule(gen, gen_between(gen, 1000, 3000), C_CANCEL_ACT, lk, 0, 0);
		return;
	}
	truth_forced(lk, emit_helper(gen, lk, F_FORCEUNLOCK, FALSE, 0));
	master_unlock(gen, lk);
	gen_schedule(gen, gen_between(gen, 1500, 4000), C_CANCEL_END, lk, F_FORCEUNLOCK, 0);
}

static void cancel(struct gen *gen, struct lock *lk)
{
	int error = 0;

	if (!lk->queued)
		error = S_EBUSY;
	else if (lk->master == lk->node)
		master_cancel(gen, lk);
	else
		wire_send(gen, M_CANCEL, lk->node, lk->master, lk->res, lk, lk->mode, 0);
	gen_schedule(gen, gen_between(gen, 1500, 4000), C_CANCEL_END, lk, F_CANCEL, error);
}

static void end_cancel(struct gen *gen, struct lock *lk, guint32 flags, int error)
{
	emit_helper(gen, lk, flags, TRUE, error);
	gen->cluster->nodes[lk->node].helper_busy = FALSE;
	lk->helper_open = FALSE;
	go_on(gen, lk);
}

void gen_cluster_act(struct gen *gen, const struct gen_action *action)
{
	struct lock *lk = action->who;

	gen->now = MAX(gen->now, gen->last_apart + 2);
	switch ((enum cluster_action)action->kind) {
	case C_NEXT:
		if (action->tag == lk->turn)
			next(gen, lk);
		break;
	case C_ACT:
		act(gen, lk);
		break;
	case C_END:
		end_call(gen, lk);
		break;
	case C_CALLBACK:
		if (action->tag == lk->life)
			callback(gen, lk);
		break;
	case C_ARRIVE:
		wire_arrive(gen, action->who);
		break;
	case C_CANCEL:
		if (action->tag == lk->call)
			start_cancel(gen, lk);
		break;
	case C_BREAK:
		start_cancel(gen, lk);
		break;
	case C_CANCEL_ACT:
		cancel(gen, lk);
		break;
	case C_CANCEL_END:
		end_cancel(gen, lk, action->tag, action->arg);
		break;
	}
}

/* begin and end */

static void init_resource(struct gen *gen, struct resource *res, int i)
{
	const struct gen_opts *o = &gen->opts;

	res->number = i;
	res->ls = i % o->lockspaces;
	res->len = g_snprintf((char *)res->name, sizeof(res->name), "res%04d", i);
	res->hash = gen_random(gen);
	res->dir = gen_below(gen, o->guests);
	res->dir_says = res->master = NONE;
	res->known = g_new(int, o->guests);
	for (int n = 0; n < o->guests; n++)
		res->known[n] = NONE;
	res->users = g_new0(guint, o->guests);
	res->copies = g_ptr_array_new();
	g_queue_init(&res->convert);
	g_queue_init(&res->wait);
}

void gen_cluster_start(struct gen *gen)
{
	const struct gen_opts *o = &gen->opts;
	struct gen_cluster *cl = gen->cluster = g_new0(struct gen_cluster, 1);
	int n_tasks = o->guests * o->tasks;

	cl->ls_id = gen_lockspace_ids(gen);
	cl->n_res = o->resources + cycle_count_tasks(gen);
	cl->res = g_new0(struct resource, cl->n_res);
	for (int i = 0; i < cl->n_res; i++)
		init_resource(gen, &cl->res[i], i);
	cl->nodes = g_new0(struct cluster_node, o->guests);
	for (int n = 0; n < o->guests; n++)
		cl->nodes[n] = (struct cluster_node){
			.node = &gen->nodes[n],
			.ids = g_array_new(FALSE, TRUE, sizeof(guint64)),
			.seq = g_new0(guint32, o->guests),
			.last_arrival = g_new0(guint64, o->guests),
		};
	cl->n_locks = n_tasks + 2 * cycle_count_tasks(gen);
	cl->locks = g_new0(struct lock, cl->n_locks);
	for (int i = 0; i < cl->n_locks; i++) {
		struct lock *lk = &cl->locks[i];

		lk->node = i % o->guests;
		lk->pid = 200 + i / o->guests;
		lk->cpu = gen_below(gen, o->cpus);
		lk->held = lk->mode = NONE;
		g_queue_init(&lk->callbacks);
		if (i < n_tasks)
			cluster_next_in(gen, lk, gen_between(gen, 1000, 1000000));
	}
	cycle_start(gen, cl->locks + n_tasks, cl->res + o->resources);
}

void gen_cluster_end(struct gen *gen, guint64 end_ns)
{
	struct gen_cluster *cl = gen->cluster;
	struct gen_action action;

	truth_end(gen, end_ns);
	cycle_end(gen);
	while (gen_next_action(gen, &action))
		if (action.kind == C_ARRIVE)
			g_free(action.who);
	for (int i = 0; i < cl->n_locks; i++) {
		g_queue_clear_full(&cl->locks[i].callbacks, g_free);
		g_free(cl->locks[i].copy);
	}
	for (int i = 0; i < cl->n_res; i++) {
		struct resource *res = &cl->res[i];

		g_free(res->known);
		g_free(res->users);
		g_ptr_array_free(res->copies, TRUE);
		g_queue_clear(&res->convert);
		g_queue_clear(&res->wait);
	}
	for (int i = 0; i < gen->opts.guests; i++) {
		g_array_free(cl->nodes[i].ids, TRUE);
		g_free(cl->nodes[i].seq);
		g_free(cl->nodes[i].last_arrival);
	}
	g_free(cl->nodes);
	g_free(cl->res);
	g_free(cl->ls_id);
	g_free(cl->locks);
	g_clear_pointer(&gen->cluster, g_free);
}
