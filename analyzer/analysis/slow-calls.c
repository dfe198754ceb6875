/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/slow-calls.h"
#include "base/intern.h"
#include "base/units.h"

#include <string.h>

enum {
	MAX_CALLS = 10,
	/* Waits inside one call that are kept; of more, the shortest are forgotten. */
	MAX_WAITS = 4096
};

/* A wait inside a call. */
struct waited {
	guint64 t0, t1;
	iot_row_id row;
	guint64 ns;	      /* inside the call, and not covered by an earlier wait */
	iot_cat_id asks;      /* the mode that is asked for */
	iot_str node;	      /* of the hold that was longest in the way; 0: none was */
	iot_cat_id held;      /* its mode */
	guint64 pid, command; /* its process */
};

struct thread_key {
	iot_str node;
	guint64 pid;
};

/* A thread inside a call. */
struct thread {
	struct thread_key key;
	iot_row_id row; /* of the outermost call; 0: the thread is in none */
	guint16 lane;
	iot_type_id type;
	GArray *waits; /* struct waited */
	gboolean forgot;
};

struct slow_call {
	struct iot_item item;
	guint64 pid, command;
	guint64 waited_ns; /* in which the thread waited for at least one resource */
	guint n_waits;
	gboolean at_least;  /* some waits were forgotten, or belong to the time before the call */
	struct waited most; /* the longest wait */
	iot_row_id resource;
	guint64 resource_ns; /* of all waits for the resource that was waited for most */
};

struct iot_slow_calls {
	struct iot_timeline *tl;
	GArray *pid_at;	     /* gint8, by type: position of "pid" of calls; -1: no call */
	GHashTable *threads; /* set of struct thread */
	struct slow_call slowest[MAX_CALLS];
	guint n;
	guint64 n_calls; /* that waited */
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
	g_array_unref(((struct thread *)data)->waits);
	g_free(data);
}

struct iot_slow_calls *iot_slow_calls_new(struct iot_timeline *tl)
{
	struct iot_slow_calls *calls = g_new0(struct iot_slow_calls, 1);

	calls->tl = tl;
	calls->threads = g_hash_table_new_full(thread_hash, thread_equal, NULL, thread_free);
	calls->pid_at = g_array_new(FALSE, FALSE, sizeof(gint8));
	for (iot_type_id id = 0; id < tl->types.n; id++) {
		gint8 at = (gint8)(id ? iot_type_attr(tl, iot_type_at(tl, id), "pid") : -1);

		g_array_append_val(calls->pid_at, at);
	}
	return calls;
}

void iot_slow_calls_free(struct iot_slow_calls *calls)
{
	if (!calls)
		return;
	g_array_unref(calls->pid_at);
	g_hash_table_unref(calls->threads);
	g_free(calls);
}

/* ---- waits */

static gint by_length(gconstpointer pa, gconstpointer pb)
{
	const struct waited *a = pa, *b = pb;
	guint64 ns_a = a->t1 - a->t0, ns_b = b->t1 - b->t0;

	return ns_a != ns_b ? (ns_a > ns_b ? -1 : 1) : (a->t0 > b->t0) - (a->t0 < b->t0);
}

static void forget(struct thread *thread)
{
	g_array_sort(thread->waits, by_length);
	g_array_set_size(thread->waits, MAX_WAITS / 2);
	thread->forgot = TRUE;
}

void iot_slow_calls_wait(struct iot_slow_calls *calls, const struct iot_wait *wait)
{
	const struct thread_key key = { wait->claim.node, wait->claim.pid };
	struct thread *thread = wait->claim.pid ? g_hash_table_lookup(calls->threads, &key) : NULL;
	const struct iot_blocker *most = NULL;
	struct waited waited = { .t0 = wait->claim.t0,
				 .t1 = wait->claim.t1,
				 .row = wait->claim.row,
				 .asks = wait->claim.cat };

	if (!thread || !thread->row)
		return;
	for (guint i = 0; i < wait->blockers->len; i++) {
		const struct iot_blocker *blocker = iot_wait_blocker(wait, i);

		if (!most || blocker->whole_ns > most->whole_ns)
			most = blocker;
	}
	if (most) {
		waited.node = most->claim.node;
		waited.held = most->claim.cat;
		waited.pid = most->claim.pid;
		waited.command = most->claim.command;
	}
	g_array_append_val(thread->waits, waited);
	if (thread->waits->len > MAX_WAITS)
		forget(thread);
}

static gint by_begin(gconstpointer pa, gconstpointer pb)
{
	const struct waited *a = pa, *b = pb;

	return a->t0 != b->t0 ? (a->t0 < b->t0 ? -1 : 1) : (a->t1 > b->t1) - (a->t1 < b->t1);
}

/* The time of each wait inside [t0, t1] that no earlier wait covers. */
static guint64 measure(GArray *waits, guint64 t0, guint64 t1)
{
	guint64 sum = 0, covered = t0;

	g_array_sort(waits, by_begin);
	for (guint i = 0; i < waits->len; i++) {
		struct waited *wait = &g_array_index(waits, struct waited, i);
		guint64 from = MAX(wait->t0, covered), to = MIN(wait->t1, t1);

		wait->ns = to > from ? to - from : 0;
		covered = MAX(covered, MIN(to, t1));
		sum += wait->ns;
	}
	return sum;
}

/* The resource above the node of a wait's row. */
static iot_row_id resource_of(const struct iot_timeline *tl, const struct waited *wait)
{
	return iot_row_at(tl, iot_row_node(tl, wait->row))->parent;
}

/* Find the resource that was waited for most, and its longest wait. */
static void find_most(const struct iot_timeline *tl, const GArray *waits, struct slow_call *call)
{
	g_autoptr(GHashTable) sums = g_hash_table_new_full(NULL, NULL, NULL, g_free);

	for (guint i = 0; i < waits->len; i++) {
		const struct waited *wait = &g_array_index(waits, struct waited, i);
		gpointer resource = GUINT_TO_POINTER(resource_of(tl, wait));
		guint64 *sum = g_hash_table_lookup(sums, resource);

		if (!sum) {
			sum = g_new0(guint64, 1);
			g_hash_table_insert(sums, resource, sum);
		}
		*sum += wait->ns;
		if (*sum > call->resource_ns) {
			call->resource_ns = *sum;
			call->resource = resource_of(tl, wait);
		}
	}
	for (guint i = 0; i < waits->len; i++) {
		const struct waited *wait = &g_array_index(waits, struct waited, i);

		if (resource_of(tl, wait) == call->resource && wait->ns > call->most.ns)
			call->most = *wait;
	}
}

/* ---- calls */

/* The longer call; of equal ones the earlier. */
static gboolean is_slower(const struct slow_call *a, const struct slow_call *b)
{
	guint64 ns_a = a->item.t1 - a->item.t0, ns_b = b->item.t1 - b->item.t0;

	if (ns_a != ns_b)
		return ns_a > ns_b;
	return a->item.t0 != b->item.t0 ? a->item.t0 < b->item.t0 : a->item.seq < b->item.seq;
}

static void add_call(struct iot_slow_calls *calls, const struct slow_call *call)
{
	guint at = calls->n;

	if (at == MAX_CALLS) {
		if (!is_slower(call, &calls->slowest[--at]))
			return;
	} else {
		calls->n++;
	}
	for (; at && is_slower(call, &calls->slowest[at - 1]); at--)
		calls->slowest[at] = calls->slowest[at - 1];
	calls->slowest[at] = *call;
}

static void end_call(struct iot_slow_calls *calls, const struct iot_item *item,
		     struct thread *thread)
{
	struct slow_call call = {
		.item = *item,
		.pid = thread->key.pid,
		.n_waits = thread->waits->len,
		.at_least = thread->forgot || item->flags & (IOT_BEFORE | IOT_CUT_LEFT),
	};

	if (!call.n_waits || iot_row_at(calls->tl, item->row)->hidden)
		return;
	call.waited_ns = measure(thread->waits, item->t0, item->t1);
	calls->n_calls++;
	find_most(calls->tl, thread->waits, &call);
	if (call.resource)
		add_call(calls, &call);
}

static struct thread *find_thread(struct iot_slow_calls *calls, const struct thread_key *key)
{
	struct thread *thread = g_hash_table_lookup(calls->threads, key);

	if (thread)
		return thread;
	thread = g_new0(struct thread, 1);
	thread->key = *key;
	thread->waits = g_array_new(FALSE, FALSE, sizeof(struct waited));
	g_hash_table_add(calls->threads, thread);
	return thread;
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

	if (pid_at < 0 || pid_at >= item->n_attrs || !(begins || item->kind == IOT_ITEM_SPAN) ||
	    iot_cat_at(tl, item->cat)->role != IOT_ROLE_CALL)
		return;
	key.pid = item->attr[pid_at].u;
	key.node = iot_row_node(tl, item->row);
	if (!key.node || !key.pid)
		return;
	key.node = iot_row_at(tl, key.node)->name;
	thread = find_thread(calls, &key);
	if (begins && !thread->row) {
		thread->row = item->row;
		thread->lane = item->lane;
		thread->type = item->type;
	} else if (!begins && thread->row == item->row && thread->lane == item->lane &&
		   thread->type == item->type) {
		end_call(calls, item, thread);
		g_array_set_size(thread->waits, 0);
		thread->row = 0;
		thread->forgot = FALSE;
	}
}

/* ---- table */

/* "node 2 fileload 208 (PR)"; NULL: no hold was in the way */
static char *holder_of(const struct iot_timeline *tl, const struct waited *wait)
{
	char digits[IOT_DIGITS_ROOM];
	const char *command =
		wait->command ? iot_tl_text(tl, wait->command, digits, NULL) : "process";

	if (!wait->node)
		return NULL;
	if (!wait->pid)
		return g_strdup_printf("%s (%s)", iot_tl_str(tl, wait->node),
				       iot_tl_str(tl, iot_cat_at(tl, wait->held)->name));
	return g_strdup_printf("%s %s %" G_GUINT64_FORMAT " (%s)", iot_tl_str(tl, wait->node),
			       *command ? command : "process", wait->pid,
			       iot_tl_str(tl, iot_cat_at(tl, wait->held)->name));
}

static void add_columns(struct iot_result_table *table)
{
	struct iot_column *column;

	iot_result_column(table, "begin", "begin", IOT_COLUMN_INSTANT);
	iot_result_column(table, "took", "took", IOT_COLUMN_NS);
	iot_result_column(table, "call", "call", IOT_COLUMN_CATEGORY);
	iot_result_column(table, "row", "on", IOT_COLUMN_ROW)->flags = IOT_COLUMN_SHRINK;
	iot_result_column(table, "pid", "pid", IOT_COLUMN_COUNT)->drop = 3;
	column = iot_result_column(table, "waited", "waited", IOT_COLUMN_NS);
	column->help = g_strdup("in which its thread waited for at least one resource");
	iot_result_column(table, "share", "share", IOT_COLUMN_SHARE)->drop = 1;
	iot_result_column(table, "waits", "waits", IOT_COLUMN_COUNT)->drop = 6;
	iot_result_column(table, "resource", "most for", IOT_COLUMN_ROW)->flags = IOT_COLUMN_SHRINK;
	iot_result_column(table, "resource_waited", "waited", IOT_COLUMN_NS)->drop = 5;
	iot_result_column(table, "mode", "wants", IOT_COLUMN_TEXT)->drop = 4;
	column = iot_result_column(table, "held_by", "held by", IOT_COLUMN_TEXT);
	column->flags = IOT_COLUMN_SHRINK;
	column->drop = 2;
	column->help = g_strdup("the lock that was in the way of its longest wait for longest");
}

static void add_row(const struct iot_timeline *tl, struct iot_result_table *table,
		    const struct slow_call *call)
{
	guint64 took = call->item.t1 - call->item.t0;
	g_autofree char *holder = holder_of(tl, &call->most);

	iot_result_row(table);
	iot_result_number(table, call->item.t0);
	iot_result_number(table, took);
	if (call->item.flags & (IOT_UNFINISHED | IOT_BEFORE | IOT_CUT_LEFT | IOT_CUT_RIGHT))
		iot_result_at_least(table);
	iot_result_number(table, call->item.cat);
	iot_result_number(table, call->item.row);
	iot_result_number(table, call->pid);
	iot_result_number(table, call->waited_ns);
	if (call->at_least)
		iot_result_at_least(table);
	iot_result_share(table, took ? (double)call->waited_ns / (double)took : 0);
	iot_result_number(table, call->n_waits);
	iot_result_number(table, call->resource);
	iot_result_number(table, call->resource_ns);
	iot_result_text(table, call->most.asks
				       ? iot_tl_str(tl, iot_cat_at(tl, call->most.asks)->name)
				       : NULL);
	iot_result_text(table, holder);
}

void iot_slow_calls_publish(const struct iot_slow_calls *calls, struct iot_results *results)
{
	struct iot_result_table *table;

	if (!calls->n)
		return;
	table = iot_results_add(results, "slow_calls", "Slowest calls that waited");
	table->remark = g_strdup_printf("%u of %" G_GUINT64_FORMAT, calls->n, calls->n_calls);
	add_columns(table);
	for (guint i = 0; i < calls->n; i++)
		add_row(calls->tl, table, &calls->slowest[i]);
}
