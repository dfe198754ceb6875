/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/happened-before.h"

#include <string.h>

struct iot_past {
	guint refs;
	guint n;
	guint64 until[]; /* by process */
};

/* From @t on, the process has this past. */
struct change {
	guint64 t;
	struct iot_past *past;
};

struct process {
	iot_str node;
	gint64 id;	 /* -1: there are several */
	GArray *changes; /* struct change, in order of time */
	gboolean forgot; /* earlier changes */
};

struct key {
	iot_str node;
	gint64 id;
	guint process; /* its number */
};

struct iot_before {
	GPtrArray *all;			 /* struct process */
	GHashTable *processes, *threads; /* struct key */
	guint64 n_folded;
	guint64 n_forgotten; /* counted where they are asked for, so the rest is const */
};

static guint key_hash(gconstpointer data)
{
	const struct key *key = data;

	return (guint)((guint64)key->id * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15) >> 32) ^ key->node;
}

static gboolean key_equal(gconstpointer pa, gconstpointer pb)
{
	const struct key *a = pa, *b = pb;

	return a->node == b->node && a->id == b->id;
}

static void clear_change(gpointer data)
{
	iot_past_unref(((struct change *)data)->past);
}

static void process_free(gpointer data)
{
	struct process *process = data;

	g_array_unref(process->changes);
	g_free(process);
}

struct iot_before *iot_before_new(void)
{
	struct iot_before *before = g_new0(struct iot_before, 1);

	before->all = g_ptr_array_new_with_free_func(process_free);
	before->processes = g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
	before->threads = g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
	return before;
}

void iot_before_free(struct iot_before *before)
{
	if (!before)
		return;
	g_hash_table_unref(before->processes);
	g_hash_table_unref(before->threads);
	g_ptr_array_unref(before->all);
	g_free(before);
}

/* ---- pasts */

static struct iot_past *past_new(guint n)
{
	struct iot_past *past = g_malloc0(sizeof(*past) + n * sizeof(past->until[0]));

	past->refs = 1;
	past->n = n;
	return past;
}

void iot_past_unref(struct iot_past *past)
{
	if (past && !--past->refs)
		g_free(past);
}

static void add(struct iot_past *to, const struct iot_past *past)
{
	for (guint i = 0; i < past->n; i++)
		to->until[i] = MAX(to->until[i], past->until[i]);
}

struct iot_past *iot_past_both(const struct iot_past *a, const struct iot_past *b)
{
	struct iot_past *past = past_new(MAX(a->n, b->n));

	add(past, a);
	add(past, b);
	return past;
}

gboolean iot_past_has(const struct iot_past *past, guint process, guint64 t)
{
	return process < past->n && past->until[process] >= t;
}

static gboolean contains(const struct iot_past *past, const struct iot_past *other)
{
	for (guint i = 0; i < other->n; i++)
		if (other->until[i] && !iot_past_has(past, i, other->until[i]))
			return FALSE;
	return TRUE;
}

/* ---- processes */

static struct process *process_at(const struct iot_before *before, guint number)
{
	return before->all->pdata[number];
}

iot_str iot_before_node(const struct iot_before *before, guint process)
{
	return process_at(before, process)->node;
}

char *iot_before_name(const struct iot_before *before, const struct iot_timeline *tl, guint process)
{
	const struct process *known = process_at(before, process);
	const char *node = iot_tl_str(tl, known->node);

	return known->id < 0 ? g_strdup_printf("%s (other processes)", node)
			     : g_strdup_printf("%s (pid %" G_GINT64_FORMAT ")", node, known->id);
}

static guint add_process(struct iot_before *before, iot_str node, gint64 id)
{
	struct process *process = g_new0(struct process, 1);

	process->node = node;
	process->id = id;
	process->changes = g_array_new(FALSE, FALSE, sizeof(struct change));
	g_array_set_clear_func(process->changes, clear_change);
	g_ptr_array_add(before->all, process);
	return before->all->len - 1;
}

static guint find(GHashTable *table, iot_str node, gint64 id, gboolean *out_found)
{
	const struct key key = { .node = node, .id = id },
			 *found = g_hash_table_lookup(table, &key);

	*out_found = found != NULL;
	return found ? found->process : 0;
}

static void set(GHashTable *table, iot_str node, gint64 id, guint process)
{
	const struct key key = { .node = node, .id = id, .process = process };

	g_hash_table_add(table, g_memdup2(&key, sizeof(key)));
}

/* What the processes beyond the limit share has the number -1. */
static guint new_process(struct iot_before *before, iot_str node, gint64 id)
{
	gboolean found;
	guint number;

	if (before->all->len < IOT_BEFORE_PROCESSES)
		return add_process(before, node, id);
	before->n_folded++;
	number = find(before->processes, node, -1, &found);
	if (found)
		return number;
	number = add_process(before, node, -1);
	set(before->processes, node, -1, number);
	return number;
}

/* What a thread was told while nobody knew its process. */
static void join_all(struct iot_before *before, guint number, guint alone)
{
	const GArray *changes = process_at(before, alone)->changes;

	for (guint i = 0; i < changes->len; i++) {
		const struct change *change = &g_array_index(changes, struct change, i);

		iot_before_join(before, number, change->t, change->past);
	}
}

guint iot_before_process(struct iot_before *before, iot_str node, gint64 process, gint64 thread)
{
	gboolean found, thread_found;
	guint number = find(before->processes, node, process, &found);
	guint alone = find(before->threads, node, thread, &thread_found);

	if (found && thread_found && alone == number)
		return number;
	if (!found) {
		/* the first thread of a process has its number */
		number = find(before->threads, node, process, &found);
		if (!found && thread_found)
			number = alone;
		else if (!found)
			number = new_process(before, node, process);
		process_at(before, number)->id = process;
		set(before->processes, node, process, number);
	}
	if (thread_found && alone != number)
		join_all(before, number, alone);
	set(before->threads, node, thread, number);
	return number;
}

guint iot_before_thread(struct iot_before *before, iot_str node, gint64 thread)
{
	gboolean found;
	guint number = find(before->threads, node, thread, &found);

	if (found)
		return number;
	/* the first thread of a process has its number */
	number = find(before->processes, node, thread, &found);
	if (!found)
		number = new_process(before, node, thread);
	set(before->threads, node, thread, number);
	return number;
}

/* ---- changes */

/* The number of changes at @t and before. */
static guint changes_until(const struct process *process, guint64 t)
{
	guint low = 0, high = process->changes->len;

	while (low < high) {
		guint middle = (low + high) / 2;

		if (g_array_index(process->changes, struct change, middle).t > t)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* NULL: it knows of nobody. */
static const struct iot_past *past_at(const struct iot_before *before, guint number, guint64 t)
{
	const struct process *process = process_at(before, number);
	guint n = changes_until(process, t);

	if (!n && process->forgot) {
		((struct iot_before *)before)->n_forgotten++;
		n = 1;
	}
	return n ? g_array_index(process->changes, struct change, n - 1).past : NULL;
}

guint64 iot_before_reach(const struct iot_before *before, guint process, guint64 t, guint of)
{
	const struct iot_past *past;

	if (of == process)
		return t;
	past = past_at(before, process, t);
	return past && of < past->n ? past->until[of] : 0;
}

struct iot_past *iot_before_past(const struct iot_before *before, guint process, guint64 t)
{
	const struct iot_past *known = past_at(before, process, t);
	struct iot_past *past = past_new(MAX(known ? known->n : 0, process + 1));

	if (known)
		add(past, known);
	past->until[process] = MAX(past->until[process], t);
	return past;
}

static void forget(const struct iot_before *before, struct process *process)
{
	guint most = MAX(IOT_BEFORE_CHANGES / before->all->len, (guint)IOT_BEFORE_CHANGES_LEAST);

	/* half of them at a time, as this moves the others */
	if (process->changes->len <= most)
		return;
	g_array_remove_range(process->changes, 0, process->changes->len - most / 2);
	process->forgot = TRUE;
}

void iot_before_join(struct iot_before *before, guint number, guint64 t,
		     const struct iot_past *past)
{
	struct process *process = process_at(before, number);
	guint n = changes_until(process, t);
	const struct iot_past empty = { 0 };
	struct change change = { .t = t };

	if (n && contains(g_array_index(process->changes, struct change, n - 1).past, past))
		return;
	change.past = iot_past_both(
		n ? g_array_index(process->changes, struct change, n - 1).past : &empty, past);
	g_array_insert_val(process->changes, n, change);
	for (n++; n < process->changes->len; n++) {
		struct change *later = &g_array_index(process->changes, struct change, n);
		struct iot_past *both = iot_past_both(later->past, past);

		iot_past_unref(later->past);
		later->past = both;
	}
	forget(before, process);
}

guint64 iot_before_n_folded(const struct iot_before *before)
{
	return before->n_folded;
}

guint64 iot_before_n_forgotten(const struct iot_before *before)
{
	return before->n_forgotten;
}
