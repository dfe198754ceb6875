/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Planted circular waits, and random schedules against a search over the whole graph of waits. */
#include "../timeline/timeline-sample.h"
#include "analysis/cycles.h"
#include "timeline/certainty.h"

#include <string.h>

enum { NODES = 3, PROCESSES = 20, RESOURCES = 20, MAX_FOUND = 64, SCHEDULES = 400, TICKS = 120 };

enum mode { FREE, READ, WRITE };

/* A lock of a process on a resource: the mode that it holds and the mode that it asks for. */
struct lock {
	enum mode held, asked;
	guint64 held_t0, asked_t0, asked_seq;
	gboolean converts;
};

struct bench {
	struct sample s;
	struct iot_locks *locks;
	struct iot_cycles *cycles;
	iot_row_id row[RESOURCES][NODES];
	iot_cat_id mode[3];
	struct lock lock[PROCESSES][RESOURCES];
	guint64 now, seq;
	guint result; /* of the next wait that ends */
	/* cycles that closed or ended since the last look */
	struct iot_cycle *closed[MAX_FOUND], *ended[MAX_FOUND];
	guint n_closed, n_ended;
};

static struct iot_cycle *copy_of(const struct iot_cycle *cycle)
{
	return g_memdup2(cycle, sizeof(*cycle) + cycle->n * sizeof(cycle->member[0]));
}

static void cycle_closed(gpointer data, const struct iot_cycle *cycle)
{
	struct bench *b = data;

	if (b->n_closed < MAX_FOUND)
		b->closed[b->n_closed++] = copy_of(cycle);
}

static void cycle_ended(gpointer data, const struct iot_cycle *cycle)
{
	struct bench *b = data;

	if (b->n_ended < MAX_FOUND)
		b->ended[b->n_ended++] = copy_of(cycle);
}

static void bench_init(struct bench *b)
{
	static const char *const node[NODES] = { "x", "y", "z" };
	struct iot_attr_def pid = { .format = IOT_ATTR_UINT };
	struct iot_cycles_listener listener = { cycle_closed, cycle_ended, b };

	memset(b, 0, sizeof(*b));
	sample_init(&b->s);
	pid.name = iot_intern_str(b->s.tl->strings, "pid");
	iot_type_add_attr(b->s.tl, b->s.span, &pid);
	iot_type_set_role(b->s.tl, b->s.node, IOT_ROLE_NODE);
	b->mode[READ] = iot_timeline_cat(b->s.tl, b->s.span, "read", 0, IOT_ROLE_HOLD);
	b->mode[WRITE] = iot_timeline_cat(b->s.tl, b->s.span, "write", 0, IOT_ROLE_HOLD);
	iot_cat_compare(b->s.tl, b->mode[READ], 1, 1 << 1);
	iot_cat_compare(b->s.tl, b->mode[WRITE], 2, 0);
	for (guint i = 0; i < RESOURCES; i++) {
		g_autofree char *name = g_strdup_printf("r%u", i);
		iot_row_id resource = sample_row(&b->s, b->s.space, 0, name);

		for (guint k = 0; k < NODES; k++)
			b->row[i][k] = sample_row(&b->s, b->s.node, resource, node[k]);
	}
	b->locks = iot_locks_new(b->s.tl);
	b->cycles = iot_cycles_new(b->s.tl, b->locks);
	iot_cycles_listen(b->cycles, &listener);
}

static void forget_found(struct bench *b)
{
	while (b->n_closed)
		g_free(b->closed[--b->n_closed]);
	while (b->n_ended)
		g_free(b->ended[--b->n_ended]);
}

static void bench_clear(struct bench *b)
{
	forget_found(b);
	iot_cycles_free(b->cycles);
	iot_locks_free(b->locks);
	iot_clocks_free(b->s.tl->clocks);
	b->s.tl->clocks = NULL;
	iot_timeline_free(b->s.tl);
}

/* All that happens at the present instant has been reported; the next one begins. */
static void tick(struct bench *b)
{
	struct iot_item point = sample_point(&b->s, b->s.n, b->now + 5);

	iot_locks_item(b->locks, &point);
	b->now += 10;
}

static struct iot_item item_of(struct bench *b, guint process, guint resource, enum mode mode,
			       gboolean waits)
{
	struct iot_item item = sample_span(&b->s, waits ? b->s.wait : b->mode[mode],
					   b->row[resource][process % NODES], b->now);

	item.lane = (guint16)process;
	item.asks = waits ? b->mode[mode] : 0;
	item.n_attrs = 3;
	item.attr[0].u = process;
	item.attr[1].u = 0;
	item.attr[2].u = process + 1;
	item.kind = IOT_ITEM_SPAN_BEGIN;
	return item;
}

static void hold(struct bench *b, guint process, guint resource, enum mode mode)
{
	struct iot_item item = item_of(b, process, resource, mode, FALSE);
	struct lock *lock = &b->lock[process][resource];

	lock->held = mode;
	lock->held_t0 = b->now;
	iot_locks_item(b->locks, &item);
}

static void ask(struct bench *b, guint process, guint resource, enum mode mode)
{
	struct iot_item item = item_of(b, process, resource, mode, TRUE);
	struct lock *lock = &b->lock[process][resource];

	lock->asked = mode;
	lock->asked_t0 = b->now;
	lock->asked_seq = b->seq++;
	lock->converts = lock->held != FREE;
	iot_locks_item(b->locks, &item);
}

static void end_hold(struct bench *b, guint process, guint resource)
{
	struct lock *lock = &b->lock[process][resource];
	struct iot_item item = item_of(b, process, resource, lock->held, FALSE);

	item.kind = IOT_ITEM_SPAN;
	item.t0 = lock->held_t0;
	lock->held = FREE;
	iot_locks_item(b->locks, &item);
}

static void end_wait(struct bench *b, guint process, guint resource, guint flags)
{
	struct lock *lock = &b->lock[process][resource];
	struct iot_item item = item_of(b, process, resource, lock->asked, TRUE);

	item.kind = IOT_ITEM_SPAN;
	item.t0 = lock->asked_t0;
	item.flags = (guint16)flags;
	item.attr[1].u = b->result;
	lock->asked = FREE;
	iot_locks_item(b->locks, &item);
}

static void grant(struct bench *b, guint process, guint resource)
{
	enum mode mode = b->lock[process][resource].asked;

	end_wait(b, process, resource, 0);
	if (b->lock[process][resource].held)
		end_hold(b, process, resource);
	hold(b, process, resource, mode);
}

/* ---- planted cycles */

/* Process i holds resource i and waits for resource i + 1, the last one for the first. */
static void plant(struct bench *b, guint n)
{
	for (guint i = 0; i < n; i++) {
		hold(b, i, i, WRITE);
		tick(b);
	}
	for (guint i = 0; i < n; i++) {
		CU_ASSERT_EQUAL(b->n_closed, 0);
		ask(b, i, (i + 1) % n, WRITE);
		tick(b);
	}
}

UNIT_TEST(planted_cycles_of_2_to_16_members_are_found_when_the_last_wait_begins)
{
	for (guint n = 2; n <= IOT_CYCLE_MEMBERS + 1; n++) {
		struct bench b;

		bench_init(&b);
		plant(&b, n);
		CU_ASSERT_EQUAL_FATAL(b.n_closed, n <= IOT_CYCLE_MEMBERS);
		for (guint i = 0; b.n_closed && i < n; i++) {
			const struct iot_cycle_member *member = &b.closed[0]->member[i];

			CU_ASSERT_EQUAL(b.closed[0]->n, n);
			CU_ASSERT_EQUAL(b.closed[0]->closed, b.now - 10);
			CU_ASSERT_EQUAL(member->wait.pid, i + 1);
			CU_ASSERT_EQUAL(member->hold.pid, (i + 1) % n + 1);
			CU_ASSERT_EQUAL(member->hold.row,
					member->wait.row + (i + 1) % n % NODES - i % NODES);
		}
		bench_clear(&b);
	}
}

/* The oldest wait is the first member, in any order of the waits. */
UNIT_TEST(one_wait_less_is_no_cycle)
{
	for (guint missing = 0; missing < 5; missing++) {
		struct bench b;

		bench_init(&b);
		for (guint i = 0; i < 5; i++)
			hold(&b, i, i, WRITE);
		for (guint i = 0; i < 5; i++)
			if (i != missing)
				ask(&b, i, (i + 1) % 5, WRITE);
		tick(&b);
		CU_ASSERT_EQUAL(b.n_closed, 0);
		ask(&b, missing, (missing + 1) % 5, WRITE);
		tick(&b);
		CU_ASSERT_EQUAL(b.n_closed, 1);
		CU_ASSERT_EQUAL(b.closed[0]->member[0].wait.pid, missing ? 1 : 2);
		bench_clear(&b);
	}
}

UNIT_TEST(waits_that_begin_at_one_instant_make_one_cycle)
{
	struct bench b;

	bench_init(&b);
	for (guint i = 0; i < 4; i++)
		hold(&b, i, i, WRITE);
	for (guint i = 0; i < 4; i++)
		ask(&b, i, (i + 1) % 4, WRITE);
	tick(&b);
	CU_ASSERT_EQUAL(b.n_closed, 1);
	bench_clear(&b);
}

/* Processes 0 and 3 are of one node: the lock of the one is not that of the other. */
UNIT_TEST(another_process_of_the_node_makes_no_cycle)
{
	struct bench b;

	bench_init(&b);
	hold(&b, 0, 0, WRITE);
	hold(&b, 1, 1, WRITE);
	tick(&b);
	ask(&b, 3, 1, WRITE);
	ask(&b, 1, 0, WRITE);
	tick(&b);
	CU_ASSERT_EQUAL(b.n_closed, 0);
	bench_clear(&b);
}

/* ---- how they end */

static const struct iot_cycle *the_end(struct bench *b)
{
	tick(b);
	CU_ASSERT_EQUAL_FATAL(b->n_ended, 1);
	return b->ended[0];
}

/* Clocks without an error. */
static void give_clocks(struct bench *b)
{
	static const char *const node[NODES] = { "x", "y", "z" };
	struct iot_clock_facts facts = { 0 };

	iot_clock_facts_knot(&facts, 0, 0);
	b->s.tl->clocks = iot_clocks_new();
	for (guint i = 0; i < NODES; i++)
		iot_clocks_add(b->s.tl->clocks, iot_intern_str(b->s.tl->strings, node[i]), &facts);
	iot_clock_facts_clear(&facts);
}

/* Two locks that are held for reading wait for a conversion. */
static void plant_conversions(struct bench *b)
{
	hold(b, 0, 0, READ);
	hold(b, 1, 0, READ);
	tick(b);
	ask(b, 0, 0, WRITE);
	tick(b);
	ask(b, 1, 0, WRITE);
	tick(b);
	CU_ASSERT_EQUAL(b->n_closed, 1);
}

UNIT_TEST(conversions_in_each_others_way_are_a_proved_deadlock)
{
	struct bench b;
	const struct iot_cycle *cycle;

	bench_init(&b);
	give_clocks(&b);
	plant_conversions(&b);
	b.result = iot_intern_str(b.s.tl->strings, "EDEADLK");
	end_wait(&b, 1, 0, 0);
	cycle = the_end(&b);
	CU_ASSERT_EQUAL(cycle->end, IOT_CYCLE_GAVE_UP);
	CU_ASSERT_EQUAL(cycle->ended_by, 1);
	CU_ASSERT_EQUAL(cycle->result, b.result);
	CU_ASSERT_EQUAL(cycle->grade, IOT_DEADLOCK_PROVED);
	CU_ASSERT_EQUAL(cycle->ended - cycle->closed, 10);
	bench_clear(&b);
}

UNIT_TEST(nothing_is_proved_without_clocks)
{
	struct bench b;

	bench_init(&b);
	plant_conversions(&b);
	end_wait(&b, 0, 0, IOT_UNFINISHED);
	end_wait(&b, 1, 0, IOT_UNFINISHED);
	CU_ASSERT_EQUAL(the_end(&b)->grade, IOT_DEADLOCK_POSSIBLE);
	CU_ASSERT_EQUAL(b.ended[0]->end, IOT_CYCLE_LASTS);
	bench_clear(&b);
}

UNIT_TEST(lost_events_prove_nothing)
{
	struct bench b;

	bench_init(&b);
	give_clocks(&b);
	plant_conversions(&b);
	end_wait(&b, 1, 0, IOT_SUSPECT);
	CU_ASSERT_EQUAL(the_end(&b)->grade, IOT_DEADLOCK_POSSIBLE);
	CU_ASSERT_EQUAL(b.ended[0]->end, IOT_CYCLE_LOST);
	bench_clear(&b);
}

UNIT_TEST(processes_that_wait_for_each_other_are_a_possible_deadlock)
{
	struct bench b;

	bench_init(&b);
	give_clocks(&b);
	plant(&b, 3);
	end_wait(&b, 2, 0, 0);
	CU_ASSERT_EQUAL(the_end(&b)->grade, IOT_DEADLOCK_POSSIBLE);
	CU_ASSERT_EQUAL(b.ended[0]->end, IOT_CYCLE_GAVE_UP);
	CU_ASSERT_EQUAL(b.ended[0]->ended_by, 2);
	bench_clear(&b);
}

UNIT_TEST(a_holder_that_releases_while_it_waits_is_in_no_deadlock)
{
	struct bench b;

	bench_init(&b);
	give_clocks(&b);
	plant(&b, 3);
	end_hold(&b, 1, 1);
	grant(&b, 0, 1);
	CU_ASSERT_EQUAL(the_end(&b)->grade, IOT_NO_DEADLOCK);
	CU_ASSERT_EQUAL(b.ended[0]->end, IOT_CYCLE_RELEASED);
	CU_ASSERT_EQUAL(b.ended[0]->ended_by, 1);
	bench_clear(&b);
}

/* Two processes wait for each other, until each releases its lock. */
static void circle_that_ends(struct bench *b)
{
	plant(b, 2);
	end_hold(b, 0, 0);
	grant(b, 1, 0);
	tick(b);
	end_hold(b, 1, 1);
	grant(b, 0, 1);
	end_hold(b, 1, 0);
	end_hold(b, 0, 1);
	tick(b);
	forget_found(b);
}

UNIT_TEST(the_table_has_the_cycles_in_the_order_of_closing)
{
	struct bench b;
	struct iot_results *results = iot_results_new();
	const struct iot_result_table *table;

	bench_init(&b);
	give_clocks(&b);
	/* 30 cycles that end by themselves; one of the last is a deadlock */
	for (guint i = 0; i < 30; i++) {
		circle_that_ends(&b);
		if (i != 25)
			continue;
		plant_conversions(&b);
		end_wait(&b, 1, 0, 0);
		end_wait(&b, 0, 0, 0);
		end_hold(&b, 0, 0);
		end_hold(&b, 1, 0);
		tick(&b);
		forget_found(&b);
	}
	iot_cycles_publish(b.cycles, results);
	table = iot_results_find(results, "cycles");
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL(table->rows->len, 20);
	CU_ASSERT_STRING_EQUAL(table->remark, "20 of 31: proved 1, possible 0");
	CU_ASSERT_STRING_EQUAL(iot_result_row_at(table, 19)->cells[4].text, "proved");
	CU_ASSERT_STRING_EQUAL(
		iot_result_row_at(table, 19)->cells[6].text,
		"x pid 1 > r0 (write, held read) > y pid 2 > r0 (write, held read) > "
		"x pid 1");
	CU_ASSERT_STRING_EQUAL(iot_result_row_at(table, 0)->cells[5].text,
			       "x pid 1 released its lock");
	for (guint i = 1; i < 20; i++)
		CU_ASSERT(iot_result_row_at(table, i)->cells[1].number >
			  iot_result_row_at(table, i - 1)->cells[1].number);
	table = iot_results_find(results, "cycle_members");
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL(table->rows->len, 62);
	CU_ASSERT_PTR_NULL(table->remark);
	iot_results_free(results);
	bench_clear(&b);
}

UNIT_TEST(the_table_of_members_says_which_cycles_it_leaves_out)
{
	struct bench b;
	struct iot_results *results = iot_results_new();
	const struct iot_result_table *table;

	bench_init(&b);
	give_clocks(&b);
	for (guint i = 0; i < 300; i++)
		circle_that_ends(&b);
	iot_cycles_publish(b.cycles, results);
	table = iot_results_find(results, "cycle_members");
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL(table->rows->len, 2 * 256);
	CU_ASSERT_PTR_NOT_NULL_FATAL(table->remark);
	CU_ASSERT_STRING_EQUAL(table->remark, "of 256 of 300 circular waits");
	iot_results_free(results);
	bench_clear(&b);
}

/* ---- random schedules */

/* An open wait of the plan. */
struct vertex {
	guint process, resource;
};

struct graph {
	struct vertex vertex[PROCESSES * RESOURCES];
	guint n;
};

static gboolean excludes(enum mode a, enum mode b)
{
	return a && b && !(a == READ && b == READ);
}

static gboolean is_in_way(const struct bench *b, const struct vertex *x, guint holder)
{
	return holder != x->process &&
	       excludes(b->lock[x->process][x->resource].asked, b->lock[holder][x->resource].held);
}

/* Conversions are granted in the order of their begins. */
static gboolean is_ahead(const struct bench *b, const struct vertex *x, const struct vertex *y)
{
	const struct lock *lock = &b->lock[x->process][x->resource];
	const struct lock *other = &b->lock[y->process][y->resource];

	return x->resource == y->resource && lock->converts && other->converts &&
	       other->asked_seq < lock->asked_seq && excludes(lock->asked, other->asked);
}

/* A wait of the plan waits for the process of another one, or is after it in the queue. */
static gboolean has_edge(const struct bench *b, const struct vertex *x, const struct vertex *y)
{
	return is_in_way(b, x, y->process) || is_ahead(b, x, y);
}

static void collect(const struct bench *b, struct graph *graph)
{
	graph->n = 0;
	for (guint p = 0; p < PROCESSES; p++)
		for (guint r = 0; r < RESOURCES; r++)
			if (b->lock[p][r].asked)
				graph->vertex[graph->n++] = (struct vertex){ p, r };
}

/* Members of the shortest path from each wait to @to; 0: there is none. */
static void distances(const struct bench *b, const struct graph *graph, guint from, guint *members)
{
	memset(members, 0, graph->n * sizeof(*members));
	members[from] = 1;
	for (guint length = 1; length < IOT_CYCLE_MEMBERS; length++)
		for (guint i = 0; i < graph->n; i++)
			for (guint k = 0; members[i] == length && k < graph->n; k++)
				if (!members[k] &&
				    has_edge(b, &graph->vertex[i], &graph->vertex[k]))
					members[k] = length + 1;
}

static gboolean has_wait(const struct bench *b, const struct iot_cycle *cycle,
			 const struct vertex *vertex)
{
	for (guint i = 0; i < cycle->n; i++)
		if (cycle->member[i].wait.pid == vertex->process + 1 &&
		    cycle->member[i].wait.t0 == b->lock[vertex->process][vertex->resource].asked_t0)
			return TRUE;
	return FALSE;
}

/* Some cycle that closed now has both waits and the number of members. */
static gboolean was_found(const struct bench *b, const struct vertex *x, const struct vertex *y,
			  guint members)
{
	for (guint i = 0; i < b->n_closed; i++)
		if (b->closed[i]->n == members && has_wait(b, b->closed[i], x) &&
		    has_wait(b, b->closed[i], y))
			return TRUE;
	return FALSE;
}

/* All cycles that a new wait, or a new hold, of a process on a resource closes. */
static void check_all_found(const struct bench *b, guint process, guint resource, gboolean waits)
{
	struct graph graph;
	guint members[PROCESSES * RESOURCES];

	collect(b, &graph);
	for (guint i = 0; i < graph.n; i++) {
		const struct vertex *start = &graph.vertex[i];

		if (start->process != process || (waits && start->resource != resource))
			continue;
		distances(b, &graph, i, members);
		for (guint k = 0; k < graph.n; k++) {
			const struct vertex *last = &graph.vertex[k];

			if (!members[k] ||
			    !(waits ? has_edge(b, last, start)
				    : is_in_way(b, last, process) && last->resource == resource))
				continue;
			CU_ASSERT(was_found(b, start, last, members[k]));
		}
	}
}

/* Each wait of the cycle is in the plan, and so is the hold in its way, of the next member. */
static gboolean is_true(const struct bench *b, const struct iot_cycle *cycle)
{
	for (guint i = 0; i < cycle->n; i++) {
		const struct iot_claim *wait = &cycle->member[i].wait;
		const struct iot_claim *hold = &cycle->member[i].hold;
		gboolean found = FALSE;

		for (guint r = 0; r < RESOURCES; r++) {
			const struct lock *waiter = &b->lock[wait->pid - 1][r];
			const struct lock *holder = &b->lock[hold->pid - 1][r];
			struct vertex x = { (guint)wait->pid - 1, r },
				      y = { (guint)hold->pid - 1, r };

			if (b->row[r][x.process % NODES] != wait->row || !waiter->asked ||
			    b->row[r][y.process % NODES] != hold->row ||
			    waiter->asked_t0 != wait->t0)
				continue;
			if (hold->kind == IOT_CLAIM_HOLD)
				found = holder->held_t0 == hold->t0 && is_in_way(b, &x, y.process);
			else
				found = holder->asked && holder->asked_t0 == hold->t0 &&
					is_ahead(b, &x, &y);
		}
		if (!found || cycle->member[(i + 1) % cycle->n].wait.pid != hold->pid)
			return FALSE;
	}
	return TRUE;
}

/* One random change of the plan. */
static void change(struct bench *b, GRand *rand, guint n)
{
	guint p = (guint)g_rand_int_range(rand, 0, (gint)n);
	guint r = (guint)g_rand_int_range(rand, 0, (gint)n);
	const struct lock *lock = &b->lock[p][r];
	enum mode mode = g_rand_boolean(rand) ? READ : WRITE;
	gboolean asks = !lock->asked && g_rand_int_range(rand, 0, 2);
	gboolean holds = (lock->asked || !lock->held) && g_rand_int_range(rand, 0, 4);

	if (asks)
		ask(b, p, r, mode);
	else if (holds && lock->asked)
		grant(b, p, r);
	else if (holds)
		hold(b, p, r, mode);
	else if (lock->asked)
		end_wait(b, p, r, 0);
	else if (lock->held)
		end_hold(b, p, r);
	tick(b);
	if (asks || holds)
		check_all_found(b, p, r, asks);
}

/* Processes hold and wait as they like, also for several locks at a time. */
UNIT_TEST(random_schedules_have_the_cycles_of_the_whole_graph_and_no_others)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1616);
	guint64 n_found = 0, longest = 0;

	for (guint i = 0; i < SCHEDULES; i++) {
		guint n_processes = (guint)g_rand_int_range(rand, 3, 9);
		g_autoptr(GPtrArray) open = g_ptr_array_new_with_free_func(g_free);
		struct bench b;

		bench_init(&b);
		for (guint t = 0; t < TICKS; t++) {
			change(&b, rand, n_processes);
			for (guint k = 0; k < b.n_closed; k++) {
				CU_ASSERT(is_true(&b, b.closed[k]));
				longest = MAX(longest, b.closed[k]->n);
				g_ptr_array_add(open, copy_of(b.closed[k]));
			}
			n_found += b.n_closed;
			for (guint k = 0; k < b.n_ended; k++) {
				CU_ASSERT(!is_true(&b, b.ended[k]));
				for (guint m = 0; m < open->len; m++)
					if (((struct iot_cycle *)open->pdata[m])->number ==
					    b.ended[k]->number)
						g_ptr_array_remove_index(open, m);
			}
			for (guint k = 0; k < open->len; k++)
				CU_ASSERT(is_true(&b, open->pdata[k]));
			forget_found(&b);
		}
		bench_clear(&b);
	}
	CU_ASSERT(n_found > 1000);
	CU_ASSERT(longest >= 5);
}

/* Each process takes resources in the order of their numbers, so there can be no cycle. */
UNIT_TEST(ordered_schedules_have_no_cycle)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(61);

	for (guint i = 0; i < 100; i++) {
		struct bench b;

		bench_init(&b);
		for (guint t = 0; t < 300; t++) {
			guint p = (guint)g_rand_int_range(rand, 0, PROCESSES), r = 0, other = 0;

			while (r < RESOURCES && !b.lock[p][r].asked)
				r++;
			if (r < RESOURCES) {
				struct vertex wait = { p, r };

				while (other < PROCESSES && !is_in_way(&b, &wait, other))
					other++;
				if (other == PROCESSES)
					grant(&b, p, r);
			} else {
				guint last = RESOURCES;

				while (last && !b.lock[p][last - 1].held)
					last--;
				if (last >= RESOURCES - 2)
					while (last--)
						if (b.lock[p][last].held)
							end_hold(&b, p, last);
				last += last == G_MAXUINT;
				ask(&b, p, last + (guint)g_rand_int_range(rand, 0, 2), WRITE);
			}
			tick(&b);
		}
		CU_ASSERT_EQUAL(b.n_closed, 0);
		bench_clear(&b);
	}
}

/* ---- limits */

/* More open waits than are known at a time; nothing grows with the others. */
UNIT_TEST(waits_beyond_the_limit_are_counted)
{
	struct bench b;

	bench_init(&b);
	for (guint i = 0; i < 65536 + 4; i++) {
		struct iot_item item = item_of(&b, i % NODES, i % RESOURCES, WRITE, TRUE);

		item.lane = (guint16)(i / RESOURCES);
		item.attr[2].u = i + 1;
		iot_locks_item(b.locks, &item);
	}
	tick(&b);
	CU_ASSERT_EQUAL(b.s.tl->stage_diag.count[IOT_DIAG_cycle_forgotten], 4);
	bench_clear(&b);
}
