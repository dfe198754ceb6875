/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/cycles.h"
#include "analysis/cycles-table.h"
#include "base/hashset.h"
#include "base/intern.h"
#include "timeline/certainty.h"

enum {
	MAX_WAITERS = 65536, /* open waits that are known */
	MAX_OPEN = 1024,     /* cycles */
	MAX_STEPS = 4096     /* waits and holds that one search looks at */
};

/* The lists of open waits: those of one process, and those of one lock. */
enum by { BY_PROCESS, BY_LOCK, N_BY };

/* An open wait. */
struct waiter {
	struct iot_claim claim;
	struct waiter *prev[N_BY], *next[N_BY];
	guint64 search; /* the last that came here */
	guint n_cycles; /* open ones */
};

struct step {
	struct waiter *waiter;
	guint from, depth;    /* position of the step before */
	struct iot_claim via; /* the hold that leads here */
};

struct iot_cycles {
	struct iot_timeline *tl;
	struct iot_locks *locks;
	struct iot_hashset first[N_BY]; /* struct waiter: the first of each list */
	guint n_waiters;
	struct waiter *spare;	/* not used, by next[BY_LOCK] */
	GPtrArray *fresh_waits; /* struct waiter, of the present instant */
	GArray *fresh_holds;	/* struct iot_claim, whose owners waited already */
	GPtrArray *open;	/* struct iot_cycle */
	GHashTable *held;	/* seq of the holds in open cycles -> number of cycles */
	guint64 n_closed;
	gboolean broken; /* some open cycle, in the present instant */
	struct iot_cycles_table *table;
	struct iot_cycles_listener listener;
	/* the present search */
	guint64 search;
	GArray *steps; /* struct step */
	GArray *holds; /* struct iot_claim: holds in the way of a wait, and conversions ahead of it
			*/
	guint n_steps;
};

/* ---- open waits */

static guint64 hash_of(enum by by, const struct iot_claim *claim)
{
	return by == BY_PROCESS ? iot_hash_mix(claim->node, claim->pid)
				: iot_hash_mix(claim->row, claim->lane);
}

static gboolean is_same(enum by by, const struct iot_claim *a, const struct iot_claim *b)
{
	return by == BY_PROCESS ? a->node == b->node && a->pid == b->pid
				: iot_claim_same_lock(a, b);
}

/* Processes that are not known have no list. */
static gboolean has_list(enum by by, const struct iot_claim *claim)
{
	return by == BY_LOCK || claim->pid;
}

/* The first open wait of the process, or of the lock, of @claim. */
static struct waiter *first_of(const struct iot_cycles *cycles, enum by by,
			       const struct iot_claim *claim)
{
	const struct iot_hashset *set = &cycles->first[by];
	guint64 hash = hash_of(by, claim);
	guint at = iot_hashset_first(set, hash);
	struct waiter *waiter;

	if (!has_list(by, claim))
		return NULL;
	while ((waiter = iot_hashset_next(set, hash, &at)) && !is_same(by, &waiter->claim, claim))
		;
	return waiter;
}

static void add_to_list(struct iot_cycles *cycles, enum by by, struct waiter *waiter)
{
	struct waiter *first = first_of(cycles, by, &waiter->claim);

	if (!first) {
		if (has_list(by, &waiter->claim))
			iot_hashset_add(&cycles->first[by], hash_of(by, &waiter->claim), waiter);
		return;
	}
	waiter->prev[by] = first;
	waiter->next[by] = first->next[by];
	if (waiter->next[by])
		waiter->next[by]->prev[by] = waiter;
	first->next[by] = waiter;
}

static void remove_from_list(struct iot_cycles *cycles, enum by by, struct waiter *waiter)
{
	struct waiter *prev = waiter->prev[by], *next = waiter->next[by];

	if (next)
		next->prev[by] = prev;
	if (prev) {
		prev->next[by] = next;
	} else if (has_list(by, &waiter->claim)) {
		guint64 hash = hash_of(by, &waiter->claim);

		iot_hashset_remove(&cycles->first[by], hash, waiter);
		if (next)
			iot_hashset_add(&cycles->first[by], hash, next);
	}
}

static void add_wait(struct iot_cycles *cycles, const struct iot_claim *claim)
{
	struct waiter *waiter;

	if (!claim->cat || claim->tries)
		return;
	if (cycles->n_waiters == MAX_WAITERS) {
		iot_diag_add(&cycles->tl->stage_diag, IOT_DIAG_cycle_forgotten, 1);
		return;
	}
	waiter = cycles->spare;
	if (waiter)
		cycles->spare = waiter->next[BY_LOCK];
	else
		waiter = g_new(struct waiter, 1);
	*waiter = (struct waiter){ .claim = *claim };
	for (enum by by = 0; by < N_BY; by++)
		add_to_list(cycles, by, waiter);
	cycles->n_waiters++;
	g_ptr_array_add(cycles->fresh_waits, waiter);
}

static void began(gpointer data, const struct iot_claim *claim)
{
	struct iot_cycles *cycles = data;

	if (claim->kind == IOT_CLAIM_WAIT)
		add_wait(cycles, claim);
	else if (cycles->n_waiters &&
		 (first_of(cycles, BY_LOCK, claim) || first_of(cycles, BY_PROCESS, claim)))
		g_array_append_val(cycles->fresh_holds, *claim);
}

/* ---- cycles that close */

static gboolean is_member(const struct iot_cycle *cycle, guint64 wait)
{
	for (guint i = 0; i < cycle->n; i++)
		if (cycle->member[i].wait.seq == wait)
			return TRUE;
	return FALSE;
}

/* Of two waits that begin at one instant, each finds the cycle. */
static gboolean is_known(const struct iot_cycles *cycles, const struct iot_cycle *cycle)
{
	for (guint i = cycles->open->len; i; i--) {
		const struct iot_cycle *other = cycles->open->pdata[i - 1];
		guint same = 0;

		if (other->closed != cycle->closed)
			return FALSE;
		for (guint k = 0; k < cycle->n; k++)
			same += is_member(other, cycle->member[k].wait.seq);
		if (same == cycle->n && other->n == cycle->n)
			return TRUE;
	}
	return FALSE;
}

static void count_hold(struct iot_cycles *cycles, const struct iot_claim *hold, int change)
{
	gpointer key = GSIZE_TO_POINTER(hold->seq);
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(cycles->held, key)) + (guint)change;

	if (n)
		g_hash_table_insert(cycles->held, key, GUINT_TO_POINTER(n));
	else
		g_hash_table_remove(cycles->held, key);
}

/* The path to step @last and the hold @closing, which leads to the first step, are a cycle. */
static void close_cycle(struct iot_cycles *cycles, guint last, const struct iot_claim *closing)
{
	const struct step *steps = &g_array_index(cycles->steps, struct step, 0);
	guint n = steps[last].depth + 1, oldest = 0;
	struct iot_cycle_member member[IOT_CYCLE_MEMBERS];
	const struct iot_claim *hold = closing;
	g_autofree struct iot_cycle *cycle =
		g_malloc0(sizeof(*cycle) + n * sizeof(struct iot_cycle_member));

	for (guint i = n, at = last; i; i--, at = steps[at].from) {
		member[i - 1].wait = steps[at].waiter->claim;
		member[i - 1].hold = *hold;
		hold = &steps[at].via;
	}
	for (guint i = 0; i < n; i++)
		if (member[i].wait.seq < member[oldest].wait.seq)
			oldest = i;
	cycle->n = n;
	cycle->closed = iot_locks_now(cycles->locks);
	for (guint i = 0; i < n; i++)
		cycle->member[i] = member[(oldest + i) % n];
	if (is_known(cycles, cycle))
		return;
	if (cycles->open->len == MAX_OPEN) {
		iot_diag_add(&cycles->tl->stage_diag, IOT_DIAG_cycle_forgotten, 1);
		return;
	}
	cycle->own_locks = TRUE;
	for (guint i = 0; i < n; i++)
		cycle->own_locks = cycle->own_locks &&
				   cycle->member[i].hold.kind == IOT_CLAIM_HOLD &&
				   iot_claim_same_lock(&cycle->member[i].hold,
						       &cycle->member[(i + 1) % n].wait);
	cycle->number = ++cycles->n_closed;
	for (guint i = 0, at = last; i < n; i++, at = steps[at].from) {
		steps[at].waiter->n_cycles++;
		count_hold(cycles, &cycle->member[i].hold, 1);
	}
	if (cycles->listener.closed)
		cycles->listener.closed(cycles->listener.user_data, cycle);
	g_ptr_array_add(cycles->open, g_steal_pointer(&cycle));
}

/* Go from step @from through @hold to the open waits of one list. */
static gboolean follow(struct iot_cycles *cycles, guint from, const struct iot_claim *hold,
		       struct waiter *list, enum by by)
{
	const struct waiter *start = g_array_index(cycles->steps, struct step, 0).waiter;
	guint depth = g_array_index(cycles->steps, struct step, from).depth + 1;
	gboolean back = FALSE;

	for (; list && cycles->n_steps++ < MAX_STEPS; list = list->next[by]) {
		struct step step = { .waiter = list, .from = from, .depth = depth, .via = *hold };

		back = back || list == start;
		if (list->search == cycles->search || depth == IOT_CYCLE_MEMBERS)
			continue;
		list->search = cycles->search;
		g_array_append_val(cycles->steps, step);
	}
	return back;
}

/*
 * Find the cycles through the wait @start, breadth first, so the shortest comes first.
 * @closing: the cycle has to end with this hold; NULL: with any that leads to @start
 */
static void search(struct iot_cycles *cycles, struct waiter *start, const struct iot_claim *closing)
{
	struct step first = { .waiter = start };

	start->search = ++cycles->search;
	cycles->n_steps = 0;
	g_array_set_size(cycles->steps, 0);
	g_array_append_val(cycles->steps, first);
	for (guint i = 0; i < cycles->steps->len && cycles->n_steps <= MAX_STEPS; i++) {
		const struct waiter *waiter = g_array_index(cycles->steps, struct step, i).waiter;
		gboolean closed = FALSE;

		iot_locks_in_way(cycles->locks, &waiter->claim, cycles->holds);
		iot_locks_ahead(cycles->locks, &waiter->claim, cycles->holds);
		for (guint k = 0; k < cycles->holds->len && cycles->n_steps++ < MAX_STEPS; k++) {
			const struct iot_claim *hold =
				&g_array_index(cycles->holds, struct iot_claim, k);
			gboolean back =
				follow(cycles, i, hold, first_of(cycles, BY_LOCK, hold), BY_LOCK);

			if (hold->kind == IOT_CLAIM_HOLD)
				back = follow(cycles, i, hold, first_of(cycles, BY_PROCESS, hold),
					      BY_PROCESS) ||
				       back;
			if (closing)
				back = hold->seq == closing->seq;
			if (back && !closed)
				close_cycle(cycles, i, hold);
			closed = closed || back;
		}
	}
	if (cycles->n_steps > MAX_STEPS)
		iot_diag_add(&cycles->tl->stage_diag, IOT_DIAG_cycle_forgotten, 1);
}

/* ---- cycles that end */

/* Something ends the part of a member in each cycle that has it. */
static void break_cycles(struct iot_cycles *cycles, const struct iot_claim *claim,
			 enum iot_cycle_end end)
{
	if (claim->flags & (IOT_SUSPECT | IOT_UNKNOWN))
		end = IOT_CYCLE_LOST;
	else if (claim->flags & (IOT_UNFINISHED | IOT_CUT_RIGHT))
		end = IOT_CYCLE_LASTS;
	for (guint i = 0; i < cycles->open->len; i++) {
		struct iot_cycle *cycle = cycles->open->pdata[i];

		for (guint k = 0; k < cycle->n; k++) {
			const struct iot_cycle_member *member = &cycle->member[k];
			gboolean waits = claim->kind == IOT_CLAIM_WAIT;

			if ((waits ? member->wait.seq : member->hold.seq) != claim->seq ||
			    (cycle->end && cycle->end <= end))
				continue;
			cycle->end = end;
			cycle->ended_by = waits ? k : (k + 1) % cycle->n;
			cycle->result = claim->result;
			cycles->broken = TRUE;
		}
	}
}

/* NULL: it is not known, or has ended. */
static struct waiter *find_waiter(const struct iot_cycles *cycles, const struct iot_claim *wait)
{
	struct waiter *waiter = first_of(cycles, BY_LOCK, wait);

	while (waiter && waiter->claim.seq != wait->seq)
		waiter = waiter->next[BY_LOCK];
	return waiter;
}

static void wait_ended(gpointer data, const struct iot_claim *wait)
{
	struct iot_cycles *cycles = data;
	struct waiter *waiter = find_waiter(cycles, wait);

	if (!waiter)
		return;
	if (waiter->n_cycles)
		break_cycles(cycles, wait,
			     iot_locks_granted(cycles->locks, wait) ? IOT_CYCLE_GRANTED
								    : IOT_CYCLE_GAVE_UP);
	for (enum by by = 0; by < N_BY; by++)
		remove_from_list(cycles, by, waiter);
	cycles->n_waiters--;
	waiter->next[BY_LOCK] = cycles->spare;
	cycles->spare = waiter;
}

static void released(gpointer data, const struct iot_claim *hold)
{
	struct iot_cycles *cycles = data;

	if (cycles->open->len && g_hash_table_contains(cycles->held, GSIZE_TO_POINTER(hold->seq)))
		break_cycles(cycles, hold, IOT_CYCLE_RELEASED);
}

/* All waits and holds have an instant in common, whatever the errors of the clocks are. */
static gboolean overlaps(const struct iot_timeline *tl, const struct iot_cycle *cycle)
{
	for (guint i = 0; tl->clocks && i < 2 * cycle->n; i++) {
		const struct iot_cycle_member *member = &cycle->member[i / 2];
		const struct iot_claim *claim = i % 2 ? &member->hold : &member->wait;

		for (guint k = 0; k < cycle->n; k++)
			if (iot_order(tl->clocks, claim->node, claim->t0,
				      cycle->member[k].wait.node, cycle->ended) != IOT_PROVED)
				return FALSE;
	}
	return tl->clocks != NULL;
}

static enum iot_cycle_grade grade_of(const struct iot_timeline *tl, const struct iot_cycle *cycle)
{
	if (cycle->end == IOT_CYCLE_RELEASED || cycle->end == IOT_CYCLE_GRANTED)
		return IOT_NO_DEADLOCK;
	return cycle->own_locks && cycle->end != IOT_CYCLE_LOST && overlaps(tl, cycle)
		       ? IOT_DEADLOCK_PROVED
		       : IOT_DEADLOCK_POSSIBLE;
}

gboolean iot_cycle_is_certain(const struct iot_timeline *tl, const struct iot_cycle *cycle)
{
	gboolean bounded = tl->clocks != NULL;

	for (guint i = 0; bounded && i < cycle->n; i++)
		bounded = iot_clocks_bound(tl->clocks, cycle->member[i].wait.node, cycle->closed) !=
			  IOT_CLOCK_UNBOUNDED;
	return bounded && cycle->own_locks;
}

static void end_cycle(struct iot_cycles *cycles, struct iot_cycle *cycle)
{
	for (guint i = 0; i < cycle->n; i++) {
		struct waiter *waiter = find_waiter(cycles, &cycle->member[i].wait);

		if (waiter)
			waiter->n_cycles--;
		count_hold(cycles, &cycle->member[i].hold, -1);
	}
	cycle->ended = iot_locks_now(cycles->locks);
	cycle->grade = grade_of(cycles->tl, cycle);
	if (cycles->listener.ended)
		cycles->listener.ended(cycles->listener.user_data, cycle);
	iot_cycles_table_add(cycles->table, cycle);
}

static void end_broken(struct iot_cycles *cycles)
{
	guint n = 0;

	for (guint i = 0; i < cycles->open->len; i++) {
		struct iot_cycle *cycle = cycles->open->pdata[i];

		if (cycle->end)
			end_cycle(cycles, cycle);
		else
			cycles->open->pdata[n++] = cycle;
	}
	g_ptr_array_set_size(cycles->open, (gint)n);
	cycles->broken = FALSE;
}

static void settled(gpointer data, guint64 now)
{
	struct iot_cycles *cycles = data;

	(void)now;
	if (cycles->broken)
		end_broken(cycles);
	for (guint i = 0; i < cycles->fresh_waits->len; i++)
		search(cycles, cycles->fresh_waits->pdata[i], NULL);
	for (guint i = 0; i < cycles->fresh_holds->len; i++) {
		const struct iot_claim *hold =
			&g_array_index(cycles->fresh_holds, struct iot_claim, i);

		for (enum by by = 0; by < N_BY; by++)
			for (struct waiter *waiter = first_of(cycles, by, hold); waiter;
			     waiter = waiter->next[by])
				search(cycles, waiter, hold);
	}
	if (cycles->fresh_waits->len)
		g_ptr_array_set_size(cycles->fresh_waits, 0);
	if (cycles->fresh_holds->len)
		g_array_set_size(cycles->fresh_holds, 0);
}

/* ---- life */

struct iot_cycles *iot_cycles_new(struct iot_timeline *tl, struct iot_locks *locks)
{
	struct iot_cycles *cycles = g_new0(struct iot_cycles, 1);
	struct iot_locks_listener listener = { .began = began,
					       .answered = wait_ended,
					       .released = released,
					       .settled = settled,
					       .user_data = cycles };

	cycles->tl = tl;
	cycles->locks = locks;
	for (enum by by = 0; by < N_BY; by++)
		iot_hashset_init(&cycles->first[by]);
	cycles->fresh_waits = g_ptr_array_new();
	cycles->fresh_holds = g_array_new(FALSE, FALSE, sizeof(struct iot_claim));
	cycles->open = g_ptr_array_new();
	cycles->held = g_hash_table_new(g_direct_hash, g_direct_equal);
	cycles->table = iot_cycles_table_new(tl);
	cycles->steps = g_array_new(FALSE, FALSE, sizeof(struct step));
	cycles->holds = g_array_new(FALSE, FALSE, sizeof(struct iot_claim));
	iot_locks_listen(locks, &listener);
	return cycles;
}

static void free_list(gpointer list)
{
	struct waiter *waiter = list;

	while (waiter) {
		struct waiter *next = waiter->next[BY_LOCK];

		g_free(waiter);
		waiter = next;
	}
}

void iot_cycles_free(struct iot_cycles *cycles)
{
	if (!cycles)
		return;
	iot_hashset_clear_full(&cycles->first[BY_LOCK], free_list);
	iot_hashset_clear(&cycles->first[BY_PROCESS]);
	free_list(cycles->spare);
	g_ptr_array_unref(cycles->fresh_waits);
	g_array_unref(cycles->fresh_holds);
	g_ptr_array_foreach(cycles->open, (GFunc)(void (*)(void))g_free, NULL);
	g_ptr_array_unref(cycles->open);
	g_hash_table_unref(cycles->held);
	iot_cycles_table_free(cycles->table);
	g_array_unref(cycles->steps);
	g_array_unref(cycles->holds);
	g_free(cycles);
}

void iot_cycles_listen(struct iot_cycles *cycles, const struct iot_cycles_listener *listener)
{
	cycles->listener = *listener;
}

void iot_cycles_add(struct iot_cycles *cycles, struct iot_cycle *cycle)
{
	cycle->number = ++cycles->n_closed;
	iot_cycles_table_add(cycles->table, cycle);
}

void iot_cycles_publish(struct iot_cycles *cycles, struct iot_results *results)
{
	iot_cycles_table_publish(cycles->table, results);
}
