// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Messages between the nodes of the cluster: those from one node to another arrive in the order in
 * which they were sent. The directory: for each resource, one node knows which node is its master;
 * the first who asks becomes it.
 */
#include "gen-cluster.h"

static struct gen_buf begin_message(struct gen *gen, const struct message *m, int node,
				    enum gen_event event)
{
	const struct gen_cluster *cl = gen->cluster;
	struct gen_buf buf;

	gen_begin(&buf, cl->nodes[node].node, event, node == m->from ? m->pid : 27);
	if (gen->opts.dst)
		gen_put(&buf, cl->nodes[m->to].node->number, 4);
	gen_put(&buf, m->seq, 4);
	gen_put(&buf, 0x00030002, 4);
	gen_put(&buf, cl->ls_id[m->res->ls], 4);
	gen_put(&buf, cl->nodes[m->from].node->number, 4);
	gen_put(&buf, 88, 2); /* h_length */
	gen_put(&buf, 1, 2);  /* h_cmd: MSG */
	gen_put(&buf, m->type, 4);
	gen_put(&buf, m->nodeid, 4);
	gen_put(&buf, m->pid, 4);
	gen_put(&buf, m->lkid, 4);
	gen_put(&buf, m->remid, 4);
	gen_put(&buf, 0, 8); /* of the parent */
	gen_put(&buf, m->flags, 4);
	gen_put(&buf, 0, 8); /* m_sbflags, m_flags */
	gen_put(&buf, 0, 4); /* m_lvbseq */
	gen_put(&buf, m->hash, 4);
	gen_put(&buf, m->status, 4);
	gen_put(&buf, m->grmode, 4);
	gen_put(&buf, m->rqmode, 4);
	gen_put(&buf, m->bastmode, 4);
	gen_put(&buf, 3, 4); /* m_asts */
	gen_put(&buf, m->result, 4);
	return buf;
}

/* m_extra is empty, its place is right after the fixed fields */
static void put_extra(struct gen_buf *buf, gboolean is_send)
{
	gen_put(buf, buf->len + (is_send ? 8 : 4), 4);
}

static void fill(const struct gen *gen, struct message *m, int mode)
{
	const struct lock *lk = m->lock;
	gboolean from_owner = lk && m->from == lk->node;

	m->nodeid = gen->cluster->nodes[m->to].node->number;
	m->hash = m->res->hash;
	m->grmode = m->rqmode = NONE;
	if (!lk)
		return;
	m->pid = lk->pid;
	m->flags = lk->flags;
	m->lkid = from_owner || !m->copy ? lk->id : m->copy->id;
	if (m->copy)
		m->remid = from_owner ? m->copy->id : lk->id;
	switch (m->type) {
	case M_LOOKUP:
		m->nodeid = G_MAXUINT32;
		/* fall through */
	case M_REQUEST:
		m->rqmode = mode;
		break;
	case M_LOOKUP_REPLY:
		m->pid = 0;
		m->hash = m->flags = 0;
		m->grmode = m->rqmode = NL;
		m->nodeid = gen->cluster->nodes[m->res->dir_says].node->number;
		break;
	case M_BAST:
		m->bastmode = mode;
		break;
	case M_CONVERT:
		m->grmode = lk->mode;
		m->rqmode = mode;
		m->status = 2;
		break;
	default:
		m->grmode = mode;
		m->status = m->result == S_EINPROGRESS ? 1 : 2;
	}
}

static struct message *new_message(enum message_type type, int from, int to, struct resource *res,
				   struct lock *lk)
{
	struct message *m = g_new0(struct message, 1);

	*m = (struct message){ .type = type, .from = from, .to = to, .res = res, .lock = lk };
	if (lk) {
		m->copy = lk->copy;
		m->life = lk->life;
	}
	return m;
}

void wire_send(struct gen *gen, enum message_type type, int from, int to, struct resource *res,
	       struct lock *lk, int mode, int result)
{
	struct cluster_node *node = &gen->cluster->nodes[from];
	struct message *m = new_message(type, from, to, res, lk);
	guint64 arrives = gen->now + gen_between(gen, 20000, 300000) * gen->opts.slow;
	struct gen_buf buf;

	m->result = result;
	fill(gen, m, mode);
	m->seq = ++node->seq[to];
	m->cpu = lk && lk->node == from ? lk->cpu : (int)gen_below(gen, gen->opts.cpus);
	buf = begin_message(gen, m, from, GEN_DLM_SEND_MESSAGE);
	put_extra(&buf, TRUE);
	/* a node that is not the master has no lock to name the resource of */
	gen_put_dynamic(&buf, res->name, result == S_EBADR ? 0 : res->len);
	m->sent = cluster_emit(gen, from, m->cpu, GEN_DLM_SEND_MESSAGE, &buf);
	/* its task waits forever; half of the tasks are left */
	if (type == M_REQUEST && gen->cluster->n_lost < gen->cluster->n_locks / 2 &&
	    cluster_planted(gen, FAULT_REQUEST)) {
		gen->cluster->n_lost++;
		truth_fault(gen, "request", m->sent, from, lk);
		g_free(m);
		return;
	}
	arrives += cluster_delay(gen, DELAY_MESSAGE, from, lk) * gen->opts.slow;
	arrives = MAX(arrives, node->last_arrival[to] + 100);
	node->last_arrival[to] = arrives;
	gen_schedule_at(gen, arrives, C_ARRIVE, m, 0, 0);
}

static void become_master(struct gen *gen, struct resource *res, int node)
{
	if (res->master == node)
		return;
	g_assert(res->master == NONE);
	res->master = node;
	res->mastered = gen->now + gen->pause;
}

void wire_lookup(struct gen *gen, struct lock *lk)
{
	struct resource *res = lk->res;

	if (res->dir != lk->node) {
		wire_send(gen, M_LOOKUP, lk->node, res->dir, res, lk, lk->wanted, 0);
		return;
	}
	if (res->dir_says == NONE)
		res->dir_says = lk->node;
	res->known[lk->node] = res->dir_says;
	if (res->dir_says == lk->node)
		become_master(gen, res, lk->node);
	cluster_refer(gen, lk);
}

void wire_forget(struct gen *gen, struct resource *res, int node)
{
	if (res->users[node] || (res->master == node && res->copies->len))
		return;
	res->known[node] = NONE;
	if (res->master != node)
		return;
	truth_master(gen, res, gen->now + gen->pause);
	res->master = NONE;
	if (res->dir == node)
		res->dir_says = NONE;
	else
		wire_send(gen, M_REMOVE, node, res->dir, res, NULL, 0, 0);
}

static void receive_request(struct gen *gen, struct message *m)
{
	/* the directory was late: the sender must ask it again */
	if (m->res->master != m->to)
		wire_send(gen, M_REQUEST_REPLY, m->to, m->from, m->res, m->lock, NONE, S_EBADR);
	else
		master_request(gen, m->lock, m->rqmode, m->flags);
}

static void receive_reply(struct gen *gen, struct message *m)
{
	struct lock *lk = m->lock;

	if (m->result == S_EINPROGRESS) {
		lk->queued = TRUE;
	} else if (m->result == S_EBADR) {
		m->res->known[m->to] = NONE;
		cluster_refer(gen, lk);
	} else {
		cluster_ast(gen, lk, m->result);
	}
}

static void receive_lookup(struct gen *gen, struct message *m)
{
	if (m->res->dir_says == NONE)
		m->res->dir_says = m->from;
	wire_send(gen, M_LOOKUP_REPLY, m->to, m->from, m->res, m->lock, NONE, 0);
}

static void receive_lookup_reply(struct gen *gen, struct message *m)
{
	m->res->known[m->to] = (int)m->nodeid - 1;
	if (m->res->known[m->to] == m->to)
		become_master(gen, m->res, m->to);
	cluster_refer(gen, m->lock);
}

static void receive(struct gen *gen, struct message *m)
{
	switch (m->type) {
	case M_REQUEST:
		receive_request(gen, m);
		break;
	case M_CONVERT:
		master_convert(gen, m->lock, m->rqmode, m->flags);
		break;
	case M_UNLOCK:
		master_unlock(gen, m->lock);
		break;
	case M_CANCEL:
		master_cancel(gen, m->lock);
		break;
	case M_REQUEST_REPLY:
	case M_CONVERT_REPLY:
	case M_UNLOCK_REPLY:
	case M_GRANT:
		receive_reply(gen, m);
		break;
	case M_CANCEL_REPLY:
		if (m->result)
			receive_reply(gen, m);
		break;
	case M_BAST:
		if (m->life == m->lock->life)
			cluster_bast(gen, m->lock, m->bastmode);
		break;
	case M_LOOKUP:
		receive_lookup(gen, m);
		break;
	case M_LOOKUP_REPLY:
		receive_lookup_reply(gen, m);
		break;
	case M_REMOVE:
		if (m->res->dir_says == m->from)
			m->res->dir_says = NONE;
		break;
	}
}

void wire_arrive(struct gen *gen, struct message *m)
{
	int cpu = gen_below(gen, gen->opts.cpus);
	struct gen_buf buf = begin_message(gen, m, m->to, GEN_DLM_RECV_MESSAGE);

	put_extra(&buf, FALSE);
	if (gen->opts.dst)
		gen_in_softirq(&buf);
	truth_message(gen, m, cluster_emit(gen, m->to, cpu, GEN_DLM_RECV_MESSAGE, &buf), cpu);
	receive(gen, m);
	g_free(m);
}
