/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was done for a slow call elsewhere, in the time that has no reason of its thread. */
#include "analysis/reasons.h"
#include "analysis/slow-calls-local.h"
#include "base/intern.h"

/* Parts of the work for a call that its sentence names. */
enum { MAX_NAMED = 4 };

static guint part_hash(gconstpointer data)
{
	const struct iot_slow_part *part = data;

	return (guint)iot_hash_mix(iot_hash_mix(iot_hash_mix(part->asked, part->cat), part->phase),
				   (guint64)part->wakers << 32 | part->row);
}

static gboolean part_equal(gconstpointer pa, gconstpointer pb)
{
	const struct iot_slow_part *a = pa, *b = pb;

	return a->asked == b->asked && a->cat == b->cat && a->phase == b->phase &&
	       a->row == b->row && a->wakers == b->wakers;
}

static gint by_time(gconstpointer pa, gconstpointer pb)
{
	const struct iot_slow_part *a = *(struct iot_slow_part *const *)pa;
	const struct iot_slow_part *b = *(struct iot_slow_part *const *)pb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->cat != b->cat)
		return a->cat < b->cat ? -1 : 1;
	if (a->asked != b->asked)
		return a->asked < b->asked ? -1 : 1;
	return a->phase != b->phase ? (gint)a->phase - (gint)b->phase
				    : (a->wakers > b->wakers) - (a->wakers < b->wakers);
}

static void add(GHashTable *sums, const struct iot_account_part *part, guint64 ns)
{
	struct iot_slow_part key = {
		part->asked, part->cat, part->phase, part->row, part->wakers, 0
	};
	struct iot_slow_part *sum = g_hash_table_lookup(sums, &key);

	if (!sum) {
		sum = g_memdup2(&key, sizeof(key));
		g_hash_table_add(sums, sum);
	}
	sum->ns += ns;
}

/* Give the parts the time that is free. Returns: the sum. @left: the intervals that they leave
 * free; NULL: nobody asks. */
static guint64 take(const GArray *parts, const GArray *free, GHashTable *sums, GArray *left)
{
	guint64 taken = 0;
	guint at = 0;

	for (guint k = 0; k < free->len; k++) {
		struct iot_free_time time = g_array_index(free, struct iot_free_time, k), rest;

		while (at < parts->len &&
		       g_array_index(parts, struct iot_account_part, at).t1 <= time.t0)
			at++;
		for (guint i = at; i < parts->len; i++) {
			const struct iot_account_part *part =
				&g_array_index(parts, struct iot_account_part, i);
			guint64 from = MAX(time.t0, part->t0), to = MIN(time.t1, part->t1);

			if (part->t0 >= time.t1)
				break;
			add(sums, part, to - from);
			taken += to - from;
			rest = (struct iot_free_time){ time.t0, from };
			if (left && rest.t0 < rest.t1)
				g_array_append_val(left, rest);
			time.t0 = to;
		}
		if (left && time.t0 < time.t1)
			g_array_append_val(left, time);
	}
	return taken;
}

/* Copy the longest parts of sleeps, or of work. */
static void add_longest(const GPtrArray *order, gboolean sleeps, struct iot_slow_call *call)
{
	guint n = 0;

	for (guint i = 0; i < order->len && n < IOT_SLOW_PARTS; i++) {
		const struct iot_slow_part *part = order->pdata[i];

		if ((part->wakers != 0) != sleeps)
			continue;
		call->part[call->n_parts++] = *part;
		n++;
	}
}

void iot_slow_parts_add_up(const struct iot_account *account, const GArray *asleep,
			   const GArray *free, struct iot_slow_call *call)
{
	g_autoptr(GHashTable) sums = g_hash_table_new_full(part_hash, part_equal, g_free, NULL);
	g_autoptr(GPtrArray) order = g_ptr_array_new();
	g_autoptr(GArray) left =
		asleep ? g_array_new(FALSE, FALSE, sizeof(struct iot_free_time)) : NULL;
	GHashTableIter iter;
	gpointer sum;

	if (account)
		call->linked_ns = take(account->parts, free, sums, left);
	if (asleep)
		call->asleep_ns = take(asleep, account ? left : free, sums, NULL);
	g_hash_table_iter_init(&iter, sums);
	while (g_hash_table_iter_next(&iter, &sum, NULL))
		g_ptr_array_add(order, sum);
	g_ptr_array_sort(order, by_time);
	add_longest(order, FALSE, call);
	add_longest(order, TRUE, call);
	call->ns[IOT_REASON_NONE] -= call->linked_ns + call->asleep_ns;
	call->n_concurrent = account ? account->n_concurrent : 0;
}

/* ---- in words */

const char *iot_slow_part_phase(enum iot_phase phase)
{
	static const char *const names[IOT_N_PHASES] = { "work",     "before", "travel",   "return",
							 "after",    "short",  "queue",	   "woken",
							 "followed", "cut",    "interrupt" };

	return names[phase];
}

/* Parts of one kind on one machine. */
struct kind {
	const struct iot_slow_part *part; /* the longest */
	iot_row_id node;
	guint64 ns;
	guint n;
};

static gint by_sum(gconstpointer pa, gconstpointer pb)
{
	const struct kind *a = pa, *b = pb;

	return a->ns != b->ns ? (a->ns < b->ns ? 1 : -1)
			      : (a->part > b->part) - (a->part < b->part);
}

static GArray *find_kinds(const struct iot_timeline *tl, const struct iot_slow_call *call)
{
	GArray *kinds = g_array_new(FALSE, FALSE, sizeof(struct kind));

	for (guint i = 0; i < call->n_parts; i++) {
		const struct iot_slow_part *part = &call->part[i];
		struct kind new = { part, iot_row_node(tl, part->row), part->ns, 1 };
		guint k = 0;

		if (part->wakers)
			continue;
		for (; k < kinds->len; k++) {
			struct kind *kind = &g_array_index(kinds, struct kind, k);

			if (kind->part->asked != part->asked || kind->part->cat != part->cat ||
			    kind->part->phase != part->phase || kind->node != new.node)
				continue;
			kind->ns += part->ns;
			kind->n++;
			break;
		}
		if (k == kinds->len)
			g_array_append_val(kinds, new);
	}
	g_array_sort(kinds, by_sum);
	return kinds;
}

void iot_slow_part_name(const struct iot_timeline *tl, const struct iot_slow_part *part,
			iot_row_id caller, GString *out)
{
	iot_row_id at = iot_row_node(tl, part->row);
	gboolean elsewhere =
		!at || !caller || iot_row_at(tl, at)->name != iot_row_at(tl, caller)->name;

	iot_work_name(out, part->asked ? iot_tl_str(tl, iot_cat_at(tl, part->asked)->name) : NULL,
		      iot_tl_str(tl, iot_cat_at(tl, part->cat)->name), part->phase,
		      at ? iot_tl_str(tl, iot_row_at(tl, at)->name) : NULL, elsewhere);
}

/* "WRITE: file write on server (nfsd 141)" */
static void add_kind(const struct iot_timeline *tl, const struct kind *kind, iot_row_id caller,
		     GString *out)
{
	iot_row_id thread = kind->part->row;

	iot_slow_part_name(tl, kind->part, caller, out);
	if (kind->part->phase != IOT_PHASE_WORK)
		return;
	/* the row below the machine, such as a thread or a device */
	while (thread && thread != kind->node && iot_row_at(tl, thread)->parent != kind->node)
		thread = iot_row_at(tl, thread)->parent;
	if (kind->n == 1 && thread && thread != kind->node && kind->node)
		g_string_append_printf(out, " (%s)", iot_tl_str(tl, iot_row_at(tl, thread)->name));
}

static void clause_clear(gpointer data)
{
	g_free(((struct iot_slow_clause *)data)->text);
}

static void add_clause(GArray *clauses, guint64 ns, guint rank, char *text)
{
	const struct iot_slow_clause clause = { ns, clauses->len, rank, text };

	g_array_append_val(clauses, clause);
}

GArray *iot_slow_parts_clauses(const struct iot_timeline *tl, const struct iot_sleeps *sleeps,
			       const struct iot_slow_call *call)
{
	GArray *clauses = g_array_new(FALSE, FALSE, sizeof(struct iot_slow_clause));
	g_autoptr(GArray) kinds = find_kinds(tl, call);
	guint64 took = call->item.t1 - call->item.t0, rest = call->linked_ns;

	g_array_set_clear_func(clauses, clause_clear);
	for (guint i = 0; i < MIN(kinds->len, MAX_NAMED); i++) {
		const struct kind *kind = &g_array_index(kinds, struct kind, i);
		GString *text = g_string_new(NULL);

		if (i && kind->ns * 100 < took)
			break;
		add_kind(tl, kind, iot_row_node(tl, call->item.row), text);
		add_clause(clauses, kind->ns, 0, g_string_free(text, FALSE));
		rest -= kind->ns;
	}
	if (rest)
		add_clause(clauses, rest, 1, g_strdup("other parts of its requests"));
	if (call->asleep_ns)
		iot_slow_sleeps_clauses(tl, iot_sleeps_wakers(sleeps), call, clauses);
	return clauses;
}
