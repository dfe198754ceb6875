// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Clients that call servers, with the events of libiotrace-calls. A call is striped over several servers,
 * and its requests carry its id. A thread of a server does file I/O for a request. Requests get
 * lost, and the client sends them again while it has no answer. So a request can be served twice,
 * and the second time after the call has ended. A server throws away requests that waited too long,
 * so every request is served within 2.2 ms of the start of its call (without --slow). --reuse gives
 * calls ids of earlier calls, of any client.
 *
 * No two events have the same time, as gen_emit_apart says.
 */
#include "gen.h"
#include "../../events/iotrace-ops.h"

enum action {
	R_CALL = GEN_RPC_ACTIONS, /* a client calls */
	R_RETURN,		  /* an asynchronous call returns before its completion */
	R_SEND,			  /* a request is sent, perhaps once more */
	R_ARRIVE,
	R_IO, /* a worker does the next file I/O, or is done */
	R_IO_END,
	R_IDLE, /* a worker looks for a request */
	R_REPLY,
	R_ANSWERED /* a call is completed */
};

enum { SERVED = 1U << 31, TIMED_OUT = -110, MAX_PARTS = 16, MAX_SENDS = 3, N_RECENT = 32 };
/* 5 us, two resends, 300 us on the way, patience */
enum { RESEND_NS = 600000, PATIENCE_NS = 500000 };

/* A thread of a client, and its call. */
struct client {
	struct gen_node *node;
	gint32 tgid, pid;
	int cpu, started_on;
	guint32 call; /* +1 for each call */
	guint64 id, start;
	int file, parts, first; /* servers */
	int sends[MAX_PARTS];
	guint32 missing; /* a bit for each answer */
	gboolean open, waits, async, writes;
};

/* A request that has arrived. */
struct request {
	struct client *client;
	guint32 call;
	int part, file, sent_on;
	guint64 id, sent, arrived;
	const struct gen_node *from;
	gboolean writes;
};

/* A thread of a server. */
struct worker {
	struct server *server;
	gint32 pid;
	int cpu, left;		 /* calls of file I/O before it is done */
	struct request *request; /* NULL: none */
	gboolean busy, in_io;
	struct gen_io_call io;
	guint64 start, io_start;
};

struct server {
	struct gen_node *node;
	gint32 tgid;
	GQueue queue; /* of struct request */
	struct worker *workers;
};

struct gen_rpc {
	struct client *clients;
	struct server *servers;
	int n_clients, n_servers;
	guint64 next_id, next_io;
	guint64 recent[N_RECENT]; /* ids; 0: none yet */
	guint n_ids;
};

/* ---- events and truth */

#define TIME "\t%" G_GUINT64_FORMAT

struct call_event {
	struct gen_node *node;
	int cpu;
	gint32 tgid, pid, status;
	guint64 id;
	int file;
	gboolean served, writes;
};

static guint64 emit(struct gen *gen, enum gen_event event, const struct call_event *e)
{
	char file[16];
	const char *const texts[] = { e->served ? "store server" : "store", file,
				      e->writes ? "write" : "read" };
	struct gen_buf buf;

	g_snprintf(file, sizeof(file), "file%d", e->file);
	gen_begin(&buf, e->node, event, e->pid);
	gen_put(&buf, e->id, 8);
	gen_put(&buf, 0, 8);
	gen_put(&buf, (guint32)e->tgid, 4);
	gen_put(&buf, G_MAXUINT32, 4);
	gen_put(&buf, (guint32)e->status, 4);
	gen_put(&buf, e->served ? SERVED : 0, 4);
	gen_put_texts(&buf, texts, G_N_ELEMENTS(texts));
	return gen_emit_apart(gen, e->node, e->cpu, event, &buf);
}

static struct call_event of_client(const struct client *c, gint32 status)
{
	return (struct call_event){ .node = c->node,
				    .cpu = c->cpu,
				    .tgid = c->tgid,
				    .pid = c->pid,
				    .status = status,
				    .id = c->id,
				    .file = c->file,
				    .writes = c->writes };
}

static struct call_event of_worker(const struct worker *w, gint32 status)
{
	return (struct call_event){ .node = w->server->node,
				    .cpu = w->cpu,
				    .tgid = w->server->tgid,
				    .pid = w->pid,
				    .status = status,
				    .id = w->request->id,
				    .file = w->request->file,
				    .served = TRUE,
				    .writes = w->request->writes };
}

/* "KIND NODE TGID PID ID START END STATUS"; @end 0: not completed */
static void write_call(struct gen *gen, const char *kind, const struct call_event *e, guint64 start,
		       guint64 end)
{
	fprintf(gen->truth, "%s\t%d\t%d\t%d" TIME TIME, kind, e->node->number, e->tgid, e->pid,
		e->id, start);
	if (end)
		fprintf(gen->truth, TIME "\t%d\n", end, e->status);
	else
		fputs("\t-\t-\n", gen->truth);
}

static void write_io(struct gen *gen, const struct worker *w, guint64 end, gint64 ret)
{
	fprintf(gen->truth, "io\t%d\t%d\t%d" TIME "\t%u" TIME, w->io.node->number, w->server->tgid,
		w->pid, w->request ? w->request->id : 0, w->io.op, w->io_start);
	if (end)
		fprintf(gen->truth, TIME "\t%" G_GINT64_FORMAT "\n", end, ret);
	else
		fputs("\t-\t-\n", gen->truth);
}

/* ---- clients */

static guint64 take_id(struct gen *gen)
{
	struct gen_rpc *rpc = gen->rpc;
	guint64 *slot = &rpc->recent[gen_below(gen, N_RECENT)];

	/* an id is used again by chance, perhaps while its call is open */
	if (*slot && gen_below(gen, 1000) < (guint)gen->opts.reuse)
		return *slot;
	rpc->recent[rpc->n_ids++ % N_RECENT] = ++rpc->next_id;
	return rpc->next_id;
}

static void call_next(struct gen *gen, struct client *c)
{
	gen_schedule(gen, gen_between(gen, 10000, 1500000), R_CALL, c, 0, 0);
}

static void start_call(struct gen *gen, struct client *c)
{
	struct call_event e;

	c->call++;
	c->id = take_id(gen);
	if (gen_below(gen, 16) == 0)
		c->cpu = gen_below(gen, gen->opts.cpus);
	c->file = gen_below(gen, gen->opts.resources);
	c->writes = gen_below(gen, 3) == 0;
	c->async = gen_below(gen, 3) == 0;
	c->parts = 1 + gen_below(gen, MIN(gen->rpc->n_servers, MAX_PARTS));
	c->first = gen_below(gen, gen->rpc->n_servers);
	c->missing = (1U << c->parts) - 1;
	c->open = TRUE;
	c->waits = !c->async;
	c->started_on = c->cpu;
	e = of_client(c, 0);
	c->start = emit(gen, GEN_CALL_START, &e);
	for (int part = 0; part < c->parts; part++) {
		c->sends[part] = 0;
		gen_schedule(gen, gen_between(gen, 1000, 5000), R_SEND, c, c->call, part);
	}
	/* one in sixteen is slow to return, so that it may be completed before */
	if (c->async)
		gen_schedule(gen,
			     gen_below(gen, 16) ? gen_between(gen, 1500, 4000)
						: gen_between(gen, 30000, 2000000),
			     R_RETURN, c, c->call, 0);
}

static void send(struct gen *gen, struct client *c, int part)
{
	struct request *r;

	if (!(c->missing & 1U << part))
		return;
	if (c->sends[part]++ == MAX_SENDS) {
		c->missing = 0;
		gen_schedule(gen, 1000, R_ANSWERED, c, c->call, TIMED_OUT);
		return;
	}
	gen_schedule(gen, RESEND_NS, R_SEND, c, c->call, part);
	/* lost on the way */
	if (gen_below(gen, 16) == 0)
		return;
	r = g_new0(struct request, 1);
	*r = (struct request){ .client = c,
			       .call = c->call,
			       .part = part,
			       .file = c->file,
			       .sent_on = c->started_on,
			       .id = c->id,
			       .sent = c->start,
			       .from = c->node,
			       .writes = c->writes };
	gen_schedule(gen, gen_between(gen, 20000, 300000), R_ARRIVE, r, 0,
		     (c->first + part) % gen->rpc->n_servers);
}

/* Completed, and returned: think about the next call. */
static void go_on(struct gen *gen, struct client *c)
{
	if (!c->open && c->waits)
		call_next(gen, c);
}

static void return_early(struct gen *gen, struct client *c)
{
	struct call_event e = of_client(c, 0);

	emit(gen, GEN_CALL_END, &e);
	c->waits = TRUE;
	go_on(gen, c);
}

static void complete(struct gen *gen, struct client *c, gint32 status)
{
	struct call_event e = of_client(c, status), done = e;

	if (c->async) {
		/* by the thread that receives the answers */
		done.pid = c->tgid + 1;
		done.cpu = gen_below(gen, gen->opts.cpus);
	}
	write_call(gen, "request", &e, c->start,
		   emit(gen, c->async ? GEN_CALL_DONE : GEN_CALL_END, &done));
	c->open = FALSE;
	go_on(gen, c);
}

static void reply(struct gen *gen, struct client *c, int part)
{
	if (!(c->missing & 1U << part))
		return;
	c->missing &= ~(1U << part);
	if (!c->missing)
		gen_schedule(gen, gen_between(gen, 1000, 5000), R_ANSWERED, c, c->call,
			     c->async ? 0 : 4096 * c->parts);
}

/* ---- servers */

static void serve(struct gen *gen, struct worker *w, struct request *r)
{
	struct call_event e;

	w->request = r;
	w->busy = TRUE;
	w->left = gen_below(gen, 4);
	if (gen_below(gen, 8) == 0)
		w->cpu = gen_below(gen, gen->opts.cpus);
	e = of_worker(w, 0);
	w->start = emit(gen, GEN_CALL_START, &e);
	fprintf(gen->truth, "serves\t%d\t%d" TIME TIME "\t%d" TIME "\t%d\n", r->from->number,
		e.node->number, r->id, r->sent, r->sent_on, w->start, w->cpu);
	gen_schedule(gen, gen_between(gen, 1000, 20000), R_IO, w, 0, 0);
}

static void look_for_request(struct gen *gen, struct worker *w)
{
	struct request *r;

	w->busy = FALSE;
	while ((r = g_queue_pop_head(&w->server->queue))) {
		if (gen->now <= r->arrived + PATIENCE_NS * (guint64)gen->opts.slow) {
			serve(gen, w, r);
			return;
		}
		g_free(r);
	}
}

static void arrive(struct gen *gen, struct server *server, struct request *r)
{
	r->arrived = gen->now;
	g_queue_push_tail(&server->queue, r);
	for (int i = 0; i < gen->opts.tasks; i++) {
		if (server->workers[i].busy)
			continue;
		look_for_request(gen, &server->workers[i]);
		return;
	}
}

static void end_service(struct gen *gen, struct worker *w)
{
	struct request *r = w->request;
	struct call_event e = of_worker(w, gen_below(gen, 20) ? 4096 : -5);

	write_call(gen, "served", &e, w->start, emit(gen, GEN_CALL_END, &e));
	w->request = NULL;
	/* an answer to an earlier call is ignored */
	gen_schedule(gen, gen_between(gen, 20000, 300000), R_REPLY, r->client, r->call, r->part);
	g_free(r);
	/* file I/O that is for no call */
	w->left = gen_below(gen, 4) == 0;
	gen_schedule(gen, gen_between(gen, 1000, 20000), w->left ? R_IO : R_IDLE, w, 0, 0);
}

static void do_io(struct gen *gen, struct worker *w)
{
	gboolean writes = w->request ? w->request->writes : TRUE;
	struct gen_buf buf;

	if (!w->left--) {
		if (w->request)
			end_service(gen, w);
		else
			look_for_request(gen, w);
		return;
	}
	w->io = (struct gen_io_call){ .node = w->server->node,
				      .event = writes ? GEN_IO_WRITE_START : GEN_IO_READ_START,
				      .tgid = w->server->tgid,
				      .pid = w->pid,
				      .fd = 5,
				      .op = writes ? IOTRACE_OP_WRITE : IOTRACE_OP_READ,
				      .id = ++gen->rpc->next_io,
				      .ino = 7000 + (w->request ? (guint64)w->request->file : 0),
				      .len = 4096 };
	gen_put_io_start(&buf, &w->io);
	w->io_start = gen_emit_apart(gen, w->server->node, w->cpu, w->io.event, &buf);
	w->in_io = TRUE;
	gen_schedule(gen, gen_between(gen, 2000, 400000), R_IO_END, w, 0, 0);
}

static void end_io(struct gen *gen, struct worker *w)
{
	gint64 ret = gen_below(gen, 50) ? 4096 : -5;
	struct gen_buf buf;

	gen_put_io_end(&buf, &w->io, ret, 4096);
	write_io(gen, w, gen_emit_apart(gen, w->server->node, w->cpu, w->io.event + 1, &buf), ret);
	w->in_io = FALSE;
	gen_schedule(gen, gen_between(gen, 1000, 20000), R_IO, w, 0, 0);
}

void gen_rpc_act(struct gen *gen, const struct gen_action *action)
{
	struct client *c = action->who;

	gen->now = MAX(gen->now, gen->last_apart + 2);
	switch ((enum action)action->kind) {
	case R_CALL:
		start_call(gen, c);
		break;
	case R_RETURN:
		return_early(gen, c);
		break;
	case R_SEND:
		if (action->tag == c->call)
			send(gen, c, action->arg);
		break;
	case R_REPLY:
		if (action->tag == c->call)
			reply(gen, c, action->arg);
		break;
	case R_ANSWERED:
		complete(gen, c, action->arg);
		break;
	case R_ARRIVE:
		arrive(gen, &gen->rpc->servers[action->arg], action->who);
		break;
	case R_IO:
		do_io(gen, action->who);
		break;
	case R_IO_END:
		end_io(gen, action->who);
		break;
	case R_IDLE:
		look_for_request(gen, action->who);
		break;
	}
}

/* ---- begin and end */

static void init_server(struct gen *gen, struct server *server, int i)
{
	const struct gen_opts *o = &gen->opts;

	server->node = &gen->nodes[i];
	server->tgid = 2000;
	server->workers = g_new0(struct worker, o->tasks);
	g_queue_init(&server->queue);
	for (int t = 0; t < o->tasks; t++) {
		server->workers[t].server = server;
		server->workers[t].pid = server->tgid + t;
		server->workers[t].cpu = gen_below(gen, o->cpus);
	}
}

/* The first half of the nodes serves, the others call. A single node does both. */
void gen_rpc_start(struct gen *gen)
{
	const struct gen_opts *o = &gen->opts;
	struct gen_rpc *rpc = gen->rpc = g_new0(struct gen_rpc, 1);
	int callers = MAX(1, o->guests / 2);

	rpc->n_servers = MAX(1, o->guests - callers);
	rpc->servers = g_new0(struct server, rpc->n_servers);
	for (int i = 0; i < rpc->n_servers; i++)
		init_server(gen, &rpc->servers[i], i);
	rpc->n_clients = callers * o->tasks;
	rpc->clients = g_new0(struct client, rpc->n_clients);
	for (int i = 0; i < rpc->n_clients; i++) {
		struct client *c = &rpc->clients[i];

		c->node = &gen->nodes[o->guests - 1 - i % callers];
		/* two threads in a process, and one that receives answers */
		c->tgid = 500 + 10 * (i / callers / 2);
		c->pid = c->tgid + 2 + i / callers % 2;
		c->cpu = gen_below(gen, o->cpus);
		call_next(gen, c);
	}
}

void gen_rpc_end(struct gen *gen)
{
	struct gen_rpc *rpc = gen->rpc;
	struct gen_action action;
	struct call_event e;

	while (gen_next_action(gen, &action))
		if (action.kind == R_ARRIVE)
			g_free(action.who);
	for (int i = 0; i < rpc->n_clients; i++) {
		e = of_client(&rpc->clients[i], 0);
		if (rpc->clients[i].open)
			write_call(gen, "request", &e, rpc->clients[i].start, 0);
	}
	for (int i = 0; i < rpc->n_servers; i++) {
		for (int t = 0; t < gen->opts.tasks; t++) {
			struct worker *w = &rpc->servers[i].workers[t];

			if (w->in_io)
				write_io(gen, w, 0, 0);
			if (!w->request)
				continue;
			e = of_worker(w, 0);
			write_call(gen, "served", &e, w->start, 0);
			g_free(w->request);
		}
		g_queue_clear_full(&rpc->servers[i].queue, g_free);
		g_free(rpc->servers[i].workers);
	}
	g_free(rpc->servers);
	g_free(rpc->clients);
	g_clear_pointer(&gen->rpc, g_free);
}
