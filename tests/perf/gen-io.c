// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * File I/O as iotrace.ko records it: every event is one half of a start/end pair.
 *
 * Truth: `call NODE ID OP START END RET`; END and RET are "-" for a call that was still running.
 */
#include "gen.h"
#include "../../events/iotrace-ops.h"

enum action { A_START = GEN_IO_ACTIONS, A_END };
enum { DEVICE = 254 << 20, REGULAR_FILE = 0100000 };

struct task {
	struct gen_node *node;
	gint32 pid;
	int cpu;
	guint16 op; /* enum iotrace_op */
	enum gen_event event;
	guint64 id, start, pos, len;
	gboolean open;
};

struct gen_io {
	struct task *tasks;
	guint64 *next_id; /* per node */
	int n_tasks;
};

static void choose(struct task *task, guint32 dice)
{
	task->op = dice < 12 ? IOTRACE_OP_READ : dice < 19 ? IOTRACE_OP_WRITE : IOTRACE_OP_FSYNC;
	task->event = dice < 12	  ? GEN_IO_READ_START
		      : dice < 19 ? GEN_IO_WRITE_START
				  : GEN_IO_SYNC_START;
}

void gen_put_io_start(struct gen_buf *buf, const struct gen_io_call *call)
{
	gen_begin(buf, call->node, call->event, call->pid);
	gen_put(buf, call->id, 8);
	gen_put(buf, call->ino, 8);
	gen_put(buf, call->pos, 8);
	gen_put(buf, call->len, 8);
	gen_put(buf, (guint32)call->tgid, 4);
	gen_put(buf, (guint32)call->fd, 4);
	gen_put(buf, DEVICE, 4);
	gen_put(buf, 0, 4);
	gen_put(buf, 1, 4);
	gen_put(buf, call->op, 2);
	gen_put(buf, REGULAR_FILE, 2);
}

void gen_put_io_end(struct gen_buf *buf, const struct gen_io_call *call, gint64 ret, guint64 pos)
{
	gen_begin(buf, call->node, call->event + 1, call->pid);
	gen_put(buf, call->id, 8);
	gen_put(buf, ret, 8);
	gen_put(buf, pos, 8);
}

static struct gen_io_call call_of(const struct task *task)
{
	return (struct gen_io_call){ .node = task->node,
				     .event = task->event,
				     .tgid = task->pid,
				     .pid = task->pid,
				     .op = task->op,
				     .id = task->id,
				     .pos = task->op == IOTRACE_OP_FSYNC ? G_MAXUINT64 : task->pos,
				     .len = task->len };
}

static void start(struct gen *gen, struct task *task)
{
	struct gen_io_call call;
	struct gen_buf buf;

	choose(task, gen_below(gen, 20));
	task->id = ++gen->io->next_id[task->node->number - 1];
	task->len = task->op == IOTRACE_OP_FSYNC ? 0 : gen_between(gen, 512, 1 << 20);
	if (gen_below(gen, 16) == 0)
		task->cpu = gen_below(gen, gen->opts.cpus);
	call = call_of(task);
	call.ino = 100000 + gen_below(gen, 64);
	call.fd = 3 + (int)gen_below(gen, 4);
	gen_put_io_start(&buf, &call);
	task->start = gen_emit(gen, task->node, task->cpu, task->event, &buf);
	task->open = TRUE;
	gen_schedule(gen, gen_between(gen, 2000, 2000000), A_END, task, 0, 0);
}

static void write_truth(struct gen *gen, const struct task *task, guint64 end, gint64 ret)
{
	fprintf(gen->truth, "call\t%d\t%" G_GUINT64_FORMAT "\t%u\t%" G_GUINT64_FORMAT "\t",
		task->node->number, task->id, task->op, task->start);
	if (end)
		fprintf(gen->truth, "%" G_GUINT64_FORMAT "\t%" G_GINT64_FORMAT "\n", end, ret);
	else
		fputs("-\t-\n", gen->truth);
}

static void end(struct gen *gen, struct task *task)
{
	struct gen_io_call call = call_of(task);
	struct gen_buf buf;
	gint64 ret = gen_below(gen, 100) ? (gint64)task->len : -5;

	if (ret > 0)
		task->pos += ret;
	gen_put_io_end(&buf, &call, ret, task->pos);
	write_truth(gen, task, gen_emit(gen, task->node, task->cpu, task->event + 1, &buf), ret);
	task->open = FALSE;
	gen_schedule(gen, gen_between(gen, 5000, 1000000), A_START, task, 0, 0);
}

void gen_io_act(struct gen *gen, const struct gen_action *action)
{
	if (action->kind == A_START)
		start(gen, action->who);
	else
		end(gen, action->who);
}

void gen_io_start(struct gen *gen)
{
	struct gen_io *io = gen->io = g_new0(struct gen_io, 1);

	io->next_id = g_new0(guint64, gen->opts.guests);
	io->n_tasks = gen->opts.guests * gen->opts.tasks;
	io->tasks = g_new0(struct task, io->n_tasks);
	for (int i = 0; i < io->n_tasks; i++) {
		io->tasks[i].node = &gen->nodes[i % gen->opts.guests];
		io->tasks[i].pid = 600 + i / gen->opts.guests;
		io->tasks[i].cpu = gen_below(gen, gen->opts.cpus);
		gen_schedule(gen, gen_between(gen, 1000, 1000000), A_START, &io->tasks[i], 0, 0);
	}
}

void gen_io_end(struct gen *gen)
{
	struct gen_io *io = gen->io;

	for (int i = 0; i < io->n_tasks; i++)
		if (io->tasks[i].open)
			write_truth(gen, &io->tasks[i], 0, 0);
	g_free(io->next_id);
	g_free(io->tasks);
	g_clear_pointer(&gen->io, g_free);
}
