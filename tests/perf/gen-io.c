// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * File I/O: every event is one half of a start/end pair. The events io_start and io_end of system
 * "iotrace" are the generator's own, modelled on what the kernel module is to record.
 *
 * Truth: `call NODE ID OP START END RET`; END and RET are "-" for a call that was still running.
 */
#include "gen.h"

enum action { A_START = GEN_IO_ACTIONS, A_END };
enum { OP_READ, OP_WRITE, OP_FSYNC };

struct task {
	struct gen_node *node;
	gint32 pid;
	int cpu;
	guint32 op;
	guint64 id, start, pos, len;
	gboolean open;
};

struct gen_io {
	struct task *tasks;
	guint64 *next_id; /* per node */
	int n_tasks;
};

static void start(struct gen *gen, struct task *task)
{
	struct gen_buf buf;
	guint32 kind = gen_below(gen, 20);

	task->op = kind < 12 ? OP_READ : kind < 19 ? OP_WRITE : OP_FSYNC;
	task->id = gen->io->next_id[task->node->number - 1]++;
	task->len = task->op == OP_FSYNC ? 0 : gen_between(gen, 512, 1 << 20);
	if (gen_below(gen, 16) == 0)
		task->cpu = gen_below(gen, gen->opts.cpus);
	gen_begin(&buf, task->node, GEN_IO_START, task->pid);
	gen_put(&buf, task->id, 8);
	gen_put(&buf, task->op, 4);
	gen_put(&buf, 3 + gen_below(gen, 4), 4);
	gen_put(&buf, 100000 + gen_below(gen, 64), 8);
	gen_put(&buf, task->pos, 8);
	gen_put(&buf, task->len, 8);
	gen_put(&buf, 0, 4);
	task->start = gen_emit(gen, task->node, task->cpu, GEN_IO_START, &buf);
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
	struct gen_buf buf;
	gint64 ret = gen_below(gen, 100) ? (gint64)task->len : -5;

	if (ret > 0)
		task->pos += ret;
	gen_begin(&buf, task->node, GEN_IO_END, task->pid);
	gen_put(&buf, task->id, 8);
	gen_put(&buf, ret, 8);
	gen_put(&buf, task->pos, 8);
	write_truth(gen, task, gen_emit(gen, task->node, task->cpu, GEN_IO_END, &buf), ret);
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
