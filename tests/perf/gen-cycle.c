// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Planted circular waits. Each task of a cycle is on another node. It holds a lock of its own, and
 * when all tasks do, each asks for the lock of the next one. Later somebody cancels one of the
 * requests, as a search for deadlocks does (its ast says EDEADLK), and the tasks give up all locks.
 * Every third cycle lasts to the end. Nobody else uses the resources.
 */
#include "gen-cluster.h"

struct cycle;

/* One task, with the lock that it holds and the lock that it waits for. */
struct cycle_task {
	struct cycle *cycle;
	struct lock *holder, *waiter;
	struct resource *own, *next;
	gboolean asked, held, waits, leaves;
	/* truth */
	guint64 called;
	guint32 id;
};

struct cycle {
	int n, n_held, n_waiting;
	gboolean hangs;
	struct cycle_task *task;
	guint64 closed, ended; /* 0: not */
};

/* The largest first, then all sizes. */
static int size_of(const struct gen *gen, int number)
{
	int largest = MIN(gen->opts.guests, 16);

	return number ? 2 + (number - 1) % (largest - 1) : largest;
}

int cycle_count_tasks(const struct gen *gen)
{
	int n = 0;

	for (int i = 0; i < gen->opts.cycles; i++)
		n += size_of(gen, i);
	return n;
}

static void plant(struct gen *gen, struct cycle *cycle, int number, struct lock *locks,
		  struct resource *res)
{
	cycle->n = size_of(gen, number);
	cycle->hangs = number % 3 == 2;
	cycle->task = g_new0(struct cycle_task, cycle->n);
	for (int i = 0; i < cycle->n; i++) {
		struct cycle_task *task = &cycle->task[i];

		*task = (struct cycle_task){ .cycle = cycle,
					     .holder = &locks[2 * i],
					     .waiter = &locks[2 * i + 1],
					     .own = &res[i],
					     .next = &res[(i + 1) % cycle->n] };
		task->holder->task = task->waiter->task = task;
		task->holder->node = task->waiter->node = i;
		task->holder->pid = task->waiter->pid = 5000 + number;
		cluster_next_in(gen, task->holder,
				(number + 1) * gen_between(gen, 500000, 1500000));
	}
}

void cycle_start(struct gen *gen, struct lock *locks, struct resource *res)
{
	struct gen_cluster *cl = gen->cluster;

	cl->cycles = g_new0(struct cycle, gen->opts.cycles);
	for (int i = 0; i < gen->opts.cycles; i++) {
		plant(gen, &cl->cycles[i], i, locks, res);
		locks += 2 * cl->cycles[i].n;
		res += cl->cycles[i].n;
	}
}

static void next_of_holder(struct gen *gen, struct cycle_task *task)
{
	struct cycle *cycle = task->cycle;

	if (!task->asked) {
		task->asked = TRUE;
		cluster_request(gen, task->holder, task->own, EX);
	} else if (task->leaves && task->holder->res) {
		cluster_unlock(gen, task->holder);
	} else if (!task->held) {
		task->held = TRUE;
		if (++cycle->n_held < cycle->n)
			return;
		for (int i = 0; i < cycle->n; i++)
			cluster_next_in(gen, cycle->task[i].waiter,
					gen_between(gen, 1000, 2000000));
	}
}

static void next_of_waiter(struct gen *gen, struct cycle_task *task)
{
	struct cycle *cycle = task->cycle;

	if (task->waits && task->waiter->res) {
		cluster_unlock(gen, task->waiter);
		return;
	}
	if (task->waits) {
		task->leaves = TRUE;
		cluster_next_in(gen, task->holder, gen_between(gen, 1000, 100000));
		return;
	}
	task->waits = TRUE;
	cluster_request(gen, task->waiter, task->next, EX);
	task->called = task->waiter->called;
	task->id = task->waiter->id;
	if (++cycle->n_waiting < cycle->n)
		return;
	cycle->closed = task->called;
	if (!cycle->hangs)
		gen_schedule(gen, gen_between(gen, 1000000, 20000000), C_BREAK,
			     cycle->task[gen_below(gen, cycle->n)].waiter, 0, 0);
}

void cycle_next(struct gen *gen, struct lock *lk)
{
	if (lk == lk->task->holder)
		next_of_holder(gen, lk->task);
	else
		next_of_waiter(gen, lk->task);
}

void cycle_answered(const struct lock *lk, guint64 t, int status)
{
	if (status == S_EDEADLK)
		lk->task->cycle->ended = t;
}

void cycle_end(struct gen *gen)
{
	struct gen_cluster *cl = gen->cluster;

	for (int i = 0; i < gen->opts.cycles; i++) {
		const struct cycle *cycle = &cl->cycles[i];

		for (int k = 0; cycle->closed && k < cycle->n; k++)
			truth_cycle(gen, i + 1, cycle->task[k].waiter, cycle->task[k].next,
				    (struct truth_cycle){ cycle->task[k].id, cycle->task[k].called,
							  cycle->closed, cycle->ended });
		g_free(cycle->task);
	}
	g_free(cl->cycles);
}
