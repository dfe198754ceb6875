/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/item-thread.h"
#include "analysis/reasons.h"
#include "analysis/slow-calls-local.h"
#include "base/intern.h"
#include "timeline/twins.h"

#include <string.h>

enum {
	/* Waits inside one call that are kept; of more, the shortest are forgotten. */
	MAX_WAITS = 4096,
	/* Beyond this number, threads without a call and a reason are removed. */
	MAX_THREADS = 1024
};

struct thread_key {
	iot_str node;
	guint64 pid;
};

/* A wait of a thread by way of a lock that another thread of its node may have asked for. */
struct queued {
	guint64 t0, t1; /* t1 is G_MAXUINT64 while it is open */
	iot_row_id row;
	guint16 lane;
	guint64 place; /* key of queues; 0: the row has no twin */
};

struct thread {
	struct thread_key key;
	iot_row_id row; /* of the outermost call; 0: the thread is in none */
	guint16 lane;
	iot_type_id type;
	guint64 command; /* as its waits say; 0: not known */
	GArray *waits;	 /* struct iot_slow_wait */
	GArray *queued;	 /* struct queued, of the present call */
	gboolean forgot, called;
	gboolean ended; /* its call, at the present instant */
	struct iot_item call;
	struct iot_reasons *reasons;
};

static guint thread_hash(gconstpointer data)
{
	const struct thread_key *key = data;

	return (guint)iot_hash_mix(key->node, key->pid);
}

static gboolean thread_equal(gconstpointer pa, gconstpointer pb)
{
	const struct thread_key *a = pa, *b = pb;

	return a->node == b->node && a->pid == b->pid;
}

static void thread_free(gpointer data)
{
	struct thread *thread = data;

	g_array_unref(thread->waits);
	g_array_unref(thread->queued);
	iot_reasons_free(thread->reasons);
	g_free(thread);
}

/* The position of "pid" of a type of calls; -1: it is none. Spans with reasons are parts of calls.
 */
static gint8 call_pid(const struct iot_timeline *tl, iot_type_id id)
{
	const struct iot_type *type = iot_type_at(tl, id);

	return (gint8)(type->kind == IOT_TYPE_SPAN && !type->thread ? iot_type_attr(tl, type, "pid")
								    : -1);
}

gboolean iot_slow_calls_possible(const struct iot_timeline *tl)
{
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_at(tl, cat)->role == IOT_ROLE_CALL &&
		    call_pid(tl, iot_cat_at(tl, cat)->type) >= 0)
			return TRUE;
	return FALSE;
}

struct iot_slow_calls *iot_slow_calls_new(struct iot_timeline *tl)
{
	struct iot_slow_calls *calls = g_new0(struct iot_slow_calls, 1);

	calls->tl = tl;
	iot_places_init(&calls->places, tl);
	calls->threads = g_hash_table_new_full(thread_hash, thread_equal, NULL, thread_free);
	calls->queues = g_hash_table_new_full(iot_pair_hash, g_int64_equal, g_free,
					      (GDestroyNotify)g_ptr_array_unref);
	calls->twins = iot_twins_new(tl);
	calls->recorded = g_array_new(FALSE, TRUE, sizeof(guint8));
	calls->ended = g_ptr_array_new();
	calls->stolen = iot_stolen_nodes_new(tl);
	calls->pid_at = g_array_new(FALSE, FALSE, sizeof(gint8));
	calls->reasons = g_array_new(FALSE, TRUE, sizeof(guint8));
	g_array_set_size(calls->reasons, tl->types.n);
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_reason(tl, cat) != IOT_REASON_NONE)
			g_array_index(calls->reasons, guint8, iot_cat_at(tl, cat)->type) |=
				(guint8)(1U << iot_cat_reason(tl, cat));
	for (iot_type_id id = 0; id < tl->types.n; id++) {
		gint8 at = id ? call_pid(tl, id) : -1;

		g_array_append_val(calls->pid_at, at);
	}
	return calls;
}

void iot_slow_calls_free(struct iot_slow_calls *calls)
{
	if (!calls)
		return;
	iot_places_clear(&calls->places);
	g_array_unref(calls->pid_at);
	g_array_unref(calls->reasons);
	g_hash_table_unref(calls->threads);
	g_hash_table_unref(calls->queues);
	iot_twins_free(calls->twins);
	g_array_unref(calls->recorded);
	g_ptr_array_unref(calls->ended);
	iot_stolen_nodes_free(calls->stolen);
	g_free(calls);
}

void iot_slow_calls_use_accounts(struct iot_slow_calls *calls, const struct iot_accounts *accounts)
{
	calls->accounts = accounts;
}

void iot_slow_calls_use_sleeps(struct iot_slow_calls *calls, const struct iot_sleeps *sleeps)
{
	calls->sleeps = sleeps;
}

void iot_slow_calls_listen(struct iot_slow_calls *calls, iot_slow_call_func func,
			   gpointer user_data)
{
	calls->func = func;
	calls->user_data = user_data;
}

/* ---- waits */

static gint by_length(gconstpointer pa, gconstpointer pb)
{
	const struct iot_slow_wait *a = pa, *b = pb;
	guint64 ns_a = a->t1 - a->t0, ns_b = b->t1 - b->t0;

	return ns_a != ns_b ? (ns_a > ns_b ? -1 : 1) : (a->t0 > b->t0) - (a->t0 < b->t0);
}

static void forget(struct thread *thread)
{
	g_array_sort(thread->waits, by_length);
	g_array_set_size(thread->waits, MAX_WAITS / 2);
	thread->forgot = TRUE;
}

static void add_wait(struct thread *thread, const struct iot_slow_wait *wait)
{
	g_array_append_val(thread->waits, *wait);
	if (thread->waits->len > MAX_WAITS)
		forget(thread);
}

/* The lock by way of which the thread waits; 0: it is not known. */
static iot_row_id find_lock(const struct iot_slow_calls *calls, const struct queued *queued)
{
	return iot_twins_find(calls->twins, queued->row, calls->tl->rows_seen);
}

/* The threads that wait by way of a lock of their node wait as long as this wait for the lock. */
static void add_to_queue(struct iot_slow_calls *calls, const struct thread *asked,
			 const struct iot_slow_wait *wait)
{
	guint64 place = iot_twins_place(calls->tl, wait->row);
	const GPtrArray *threads = place ? g_hash_table_lookup(calls->queues, &place) : NULL;

	for (guint i = 0; threads && i < threads->len; i++) {
		struct thread *thread = threads->pdata[i];

		if (thread == asked || !thread->row ||
		    (thread->ended && wait->t0 >= thread->call.t1))
			continue;
		for (guint k = 0; k < thread->queued->len; k++) {
			const struct queued *queued =
				&g_array_index(thread->queued, struct queued, k);
			struct iot_slow_wait part = *wait;

			part.t0 = MAX(wait->t0, queued->t0);
			part.t1 = MIN(wait->t1, queued->t1);
			part.held_ns = MIN(wait->held_ns, part.t1 - part.t0);
			if (part.t0 < part.t1 && find_lock(calls, queued) == wait->row)
				add_wait(thread, &part);
		}
	}
}

void iot_slow_calls_wait(struct iot_slow_calls *calls, const struct iot_wait *wait)
{
	const struct thread_key key = { wait->claim.node, wait->claim.pid };
	struct thread *thread = wait->claim.pid ? g_hash_table_lookup(calls->threads, &key) : NULL;
	const struct iot_blocker *most = NULL;
	struct iot_slow_wait waited = { .t0 = wait->claim.t0,
					.t1 = wait->claim.t1,
					.row = wait->claim.row,
					.cut = iot_flags_cut(wait->claim.flags),
					.asks = wait->claim.cat,
					.asker = IOT_ASKER_NODE };
	guint64 longest = 0;

	if (thread && (!thread->row || (thread->ended && wait->claim.t0 >= thread->call.t1)))
		thread = NULL;
	if (!thread && !g_hash_table_size(calls->queues))
		return;
	/* perhaps it asks for the mode that is held, or another call's completion seems to be its
	 * own */
	if (wait->claim.flags & IOT_UNKNOWN) {
		waited.cause = IOT_CAUSE_UNOBSERVED;
		waited.asker = IOT_ASKER_UNKNOWN;
		add_to_queue(calls, thread, &waited);
		if (thread)
			thread->forgot = TRUE;
		return;
	}
	for (guint i = 0; i < wait->blockers->len; i++) {
		const struct iot_blocker *blocker = iot_wait_blocker(wait, i);

		if (!blocker->nameless && (!most || blocker->whole_ns > most->whole_ns))
			most = blocker;
	}
	for (enum iot_cause cause = 0; cause < IOT_N_CAUSES; cause++) {
		if (wait->cause_ns[cause] <= longest)
			continue;
		longest = wait->cause_ns[cause];
		waited.cause = cause;
	}
	if (most) {
		waited.node = most->claim.node;
		waited.held = most->claim.cat;
		waited.pid = most->claim.pid;
		waited.command = most->claim.command;
		waited.held_ns = most->whole_ns;
		waited.certainty = iot_blocker_certainty(most);
		/* another lock may have been in the way for longer */
		if (wait->doubt)
			waited.certainty = "undecided";
	}
	add_to_queue(calls, thread, &waited);
	if (!thread)
		return;
	if (wait->claim.command)
		thread->command = wait->claim.command;
	waited.asker = IOT_ASKER_ITSELF;
	add_wait(thread, &waited);
}

/* The thread no longer waits at the place, unless another span says so. */
static void leave_place(struct iot_slow_calls *calls, struct thread *thread, guint64 place)
{
	GPtrArray *threads = g_hash_table_lookup(calls->queues, &place);

	for (guint i = 0; i < thread->queued->len; i++)
		if (g_array_index(thread->queued, struct queued, i).place == place)
			return;
	if (threads && g_ptr_array_remove_fast(threads, thread) && !threads->len)
		g_hash_table_remove(calls->queues, &place);
}

/* Forget the spans that have ended: they are no part of the next call. */
static void leave_queues(struct iot_slow_calls *calls, struct thread *thread)
{
	for (guint i = thread->queued->len; i; i--) {
		struct queued queued = g_array_index(thread->queued, struct queued, i - 1);

		if (queued.t1 == G_MAXUINT64)
			continue;
		g_array_remove_index_fast(thread->queued, i - 1);
		leave_place(calls, thread, queued.place);
	}
}

static void enter_queue(struct iot_slow_calls *calls, struct thread *thread,
			const struct iot_item *item)
{
	struct queued new = { item->t0, G_MAXUINT64, item->row, item->lane,
			      iot_twins_place(calls->tl, item->row) };
	GPtrArray *threads = g_hash_table_lookup(calls->queues, &new.place);

	if (thread->queued->len == MAX_WAITS) {
		thread->forgot = TRUE;
		return;
	}
	g_array_append_val(thread->queued, new);
	if (!new.place)
		return;
	if (!threads) {
		threads = g_ptr_array_new();
		g_hash_table_insert(calls->queues, g_memdup2(&new.place, sizeof(new.place)),
				    threads);
	}
	if (!g_ptr_array_find(threads, thread, NULL))
		g_ptr_array_add(threads, thread);
}

/* A span of a thread begins or ends that waits by way of a lock of its node. At the left edge of a
 * window it may begin before the call. */
static void through_span(struct iot_slow_calls *calls, struct thread *thread,
			 const struct iot_item *item)
{
	if (item->kind == IOT_ITEM_SPAN_BEGIN) {
		enter_queue(calls, thread, item);
		return;
	}
	for (guint i = 0; i < thread->queued->len; i++) {
		struct queued *queued = &g_array_index(thread->queued, struct queued, i);

		if (queued->row == item->row && queued->lane == item->lane &&
		    queued->t0 == item->t0)
			queued->t1 = item->t1;
	}
	if (!thread->row)
		leave_queues(calls, thread);
}

/* The interval is no part of a wait for the lock. */
static void add_rest(struct iot_slow_calls *calls, const struct queued *queued, guint64 t0,
		     guint64 t1, GArray *rests)
{
	iot_row_id lock = find_lock(calls, queued);
	struct iot_slow_wait rest = { .t0 = t0,
				      .t1 = t1,
				      .ns = t1 - t0,
				      .row = lock ? lock : queued->row,
				      .cause = IOT_CAUSE_UNOBSERVED,
				      .asker = lock ? IOT_ASKER_NOBODY : IOT_ASKER_UNKNOWN };

	if (t1 > t0)
		g_array_append_val(rests, rest);
}

static gint by_queued(gconstpointer pa, gconstpointer pb)
{
	const struct queued *a = pa, *b = pb;

	return (a->t0 > b->t0) - (a->t0 < b->t0);
}

/* Add the time in which the thread waited by way of a lock that nobody on its node waited for. */
static void add_rests(struct iot_slow_calls *calls, struct thread *thread,
		      const struct iot_item *item)
{
	g_autoptr(GArray) rests = g_array_new(FALSE, FALSE, sizeof(struct iot_slow_wait));
	guint64 done = item->t0;

	g_array_sort(thread->queued, by_queued);
	for (guint i = 0; i < thread->queued->len; i++) {
		const struct queued *queued = &g_array_index(thread->queued, struct queued, i);
		guint64 end = MIN(queued->t1, item->t1);

		done = MAX(done, queued->t0);
		for (guint k = 0; k < thread->waits->len; k++) {
			const struct iot_slow_wait *wait =
				&g_array_index(thread->waits, struct iot_slow_wait, k);

			if (wait->t0 >= end)
				break;
			add_rest(calls, queued, done, wait->t0, rests);
			done = MAX(done, wait->t1);
		}
		add_rest(calls, queued, done, end, rests);
		done = MAX(done, end);
	}
	g_array_append_vals(thread->waits, rests->data, rests->len);
}

/* ---- calls */

/* Divide the time of the call that has no reason. */
static void add_parts(const struct iot_slow_calls *calls, const struct thread *thread,
		      struct iot_slow_call *call)
{
	const struct iot_item *item = &thread->call;
	struct iot_account account;
	gboolean linked = calls->accounts && iot_accounts_find(calls->accounts, thread->key.node,
							       thread->key.pid, item, &account);
	g_autoptr(GArray) asleep = calls->sleeps
					   ? iot_sleeps_find(calls->sleeps, thread->key.node,
							     thread->key.pid, item->t0, item->t1)
					   : NULL;

	if (linked || asleep)
		iot_slow_parts_add_up(linked ? &account : NULL, asleep,
				      iot_reasons_free_time(thread->reasons), call);
}

/* The call of a thread has ended, and so have its waits. */
static void finish_call(struct iot_slow_calls *calls, struct thread *thread)
{
	const struct iot_item *item = &thread->call;
	struct iot_slow_call call;

	memset(&call, 0, offsetof(struct iot_slow_call, part));
	call.item = *item;
	call.pid = thread->key.pid;
	call.command = thread->command;
	call.rows_seen = calls->tl->rows_seen;
	call.n_waits = thread->waits->len;
	call.at_least = thread->forgot || iot_flags_cut(item->flags);
	thread->ended = FALSE;
	iot_reasons_end(thread->reasons, item->t1, call.ns);
	if (calls->accounts && iot_accounts_serves(calls->accounts, item)) {
		calls->all.n_serving++;
	} else if (!iot_row_at(calls->tl, item->row)->hidden) {
		add_parts(calls, thread, &call);
		if (call.n_waits || thread->queued->len) {
			iot_slow_waits_measure(thread->waits, item->t0, item->t1);
			add_rests(calls, thread, item);
			iot_slow_waits_add_up(calls->tl, thread->waits, &call);
		}
		if (calls->func)
			calls->func(calls->user_data, &call, thread->waits);
		iot_slowest_add(&calls->all, &call);
		if (call.most[0].row)
			iot_slowest_add(&calls->waited, &call);
	}
	g_array_set_size(thread->waits, 0);
	leave_queues(calls, thread);
	thread->row = 0;
	thread->forgot = FALSE;
}

gboolean iot_slow_calls_ended(const struct iot_slow_calls *calls)
{
	return calls->ended->len > 0;
}

void iot_slow_calls_settle(struct iot_slow_calls *calls)
{
	for (guint i = 0; i < calls->ended->len; i++) {
		struct thread *thread = calls->ended->pdata[i];

		if (thread->ended)
			finish_call(calls, thread);
	}
	g_ptr_array_set_size(calls->ended, 0);
}

static struct thread *find_thread(struct iot_slow_calls *calls, const struct thread_key *key)
{
	struct thread *thread = g_hash_table_lookup(calls->threads, key);

	if (thread)
		return thread;
	thread = g_new0(struct thread, 1);
	thread->key = *key;
	thread->waits = g_array_new(FALSE, FALSE, sizeof(struct iot_slow_wait));
	thread->queued = g_array_new(FALSE, FALSE, sizeof(struct queued));
	thread->reasons = iot_reasons_new(calls->accounts || calls->sleeps);
	g_hash_table_add(calls->threads, thread);
	return thread;
}

/* All reasons of the type of a span are recorded on its node. */
static void note_recorded(struct iot_slow_calls *calls, iot_str node, iot_type_id type)
{
	if (calls->recorded->len <= node)
		g_array_set_size(calls->recorded, node + 1);
	g_array_index(calls->recorded, guint8, node) |= g_array_index(calls->reasons, guint8, type);
}

/* A span with a reason begins or ends. */
static void reason_span(struct iot_slow_calls *calls, const struct iot_item *item)
{
	enum iot_reason reason = iot_cat_reason(calls->tl, item->cat);
	struct thread_key key;
	struct thread *thread;

	key.node = iot_place_of(&calls->places, item->row)->name;
	if (!key.node)
		return;
	note_recorded(calls, key.node, item->type);
	if (reason == IOT_REASON_NONE || !(key.pid = iot_item_thread(calls->tl, item)))
		return;
	/* nobody knows whether the thread waited */
	if (iot_cat_waits(iot_cat_at(calls->tl, item->cat)) && item->flags & IOT_UNKNOWN)
		reason = IOT_REASON_NONE;
	thread = find_thread(calls, &key);
	iot_reasons_span(thread->reasons, item, reason);
	if (iot_type_at(calls->tl, item->type)->through)
		through_span(calls, thread, item);
	if (g_hash_table_size(calls->threads) > MAX_THREADS && !thread->called &&
	    !thread->queued->len && iot_reasons_is_idle(thread->reasons))
		g_hash_table_remove(calls->threads, thread);
}

/* The host lets a node run again, or no longer: the threads in calls there know it. */
static void stolen_changes(struct iot_slow_calls *calls, const struct iot_item *item)
{
	guint64 t = item->kind == IOT_ITEM_SPAN_BEGIN ? item->t0 : item->t1;
	GHashTableIter iter;
	gpointer data;
	iot_str node;

	if (!iot_stolen_nodes_item(calls->stolen, item, &node))
		return;
	g_hash_table_iter_init(&iter, calls->threads);
	while (g_hash_table_iter_next(&iter, &data, NULL)) {
		const struct thread *thread = data;

		if (thread->row && thread->key.node == node)
			iot_reasons_stolen(thread->reasons, t,
					   iot_stolen_nodes_now(calls->stolen, node));
	}
}

gboolean iot_slow_calls_wants(const struct iot_slow_calls *calls, iot_cat_id cat)
{
	iot_type_id type = iot_cat_at(calls->tl, cat)->type;

	if (iot_type_at(calls->tl, type)->steals)
		return TRUE;
	return type < calls->reasons->len && (g_array_index(calls->reasons, guint8, type) ||
					      (iot_cat_at(calls->tl, cat)->role == IOT_ROLE_CALL &&
					       g_array_index(calls->pid_at, gint8, type) >= 0));
}

void iot_slow_calls_item(struct iot_slow_calls *calls, const struct iot_item *item)
{
	const struct iot_timeline *tl = calls->tl;
	gint8 pid_at = item->type < calls->pid_at->len
			       ? g_array_index(calls->pid_at, gint8, item->type)
			       : -1;
	gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN;
	struct thread_key key = { 0 };
	struct thread *thread;

	if (item->type < calls->reasons->len && g_array_index(calls->reasons, guint8, item->type))
		reason_span(calls, item);
	if (G_UNLIKELY(iot_type_at(tl, item->type)->steals))
		stolen_changes(calls, item);
	if (pid_at < 0 || pid_at >= item->n_attrs ||
	    iot_cat_at(tl, item->cat)->role != IOT_ROLE_CALL)
		return;
	key.pid = item->attr[pid_at].u;
	key.node = iot_place_of(&calls->places, item->row)->name;
	if (!key.node || !key.pid)
		return;
	thread = find_thread(calls, &key);
	if (begins && thread->ended)
		finish_call(calls, thread);
	if (begins && !thread->row) {
		thread->row = item->row;
		thread->lane = item->lane;
		thread->type = item->type;
		thread->called = TRUE;
		iot_reasons_call(thread->reasons, item->t0);
		if (iot_stolen_nodes_now(calls->stolen, key.node))
			iot_reasons_stolen(thread->reasons, item->t0, TRUE);
	} else if (!begins && !thread->ended && thread->row == item->row &&
		   thread->lane == item->lane && thread->type == item->type) {
		thread->call = *item;
		thread->ended = TRUE;
		g_ptr_array_add(calls->ended, thread);
	}
}
