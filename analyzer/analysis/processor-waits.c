/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who ran on a processor while a thread waited for it: [processor] of a model says which states run
 * and wait, and on which processor of the machine. A thread waits for the processor that it was
 * given when its wait began. If it came on another one, the threads that ran on the first one are
 * only possible. A time in which nobody ran there is that of the idle processor, or of a thread
 * that was not recorded.
 *
 * Waits that did not end, or whose end was not seen, are left out: nobody knows how long they were.
 * What is remembered is bounded by the number of waiting threads, and by MAX_PAIRS.
 */
#include "analysis/stage.h"
#include "tables/ranked.h"

#include <string.h>

enum { MAX_RUNNERS = 15, MAX_PAIRS = 65536, MAX_LONGEST = 10, MAX_NAMED = 3 };

/* Time in which a thread ran; row 0: others, if there are more. */
struct runner {
	iot_row_id row;
	guint64 ns;
};

/* A thread that waits. */
struct waiter {
	iot_row_id row;
	guint64 t0, t1;
	struct cpu *cpu;
	gboolean ended; /* who comes on where is not seen yet */
	guint n;
	struct runner runner[MAX_RUNNERS + 1];
};

struct cpu {
	iot_row_id runs; /* 0: nobody */
	guint64 since;
	GPtrArray *waiters; /* struct waiter */
};

/* The sum over the waits of one thread in which another one ran. */
struct pair {
	iot_row_id waiter, runner; /* runner 0: nobody */
	guint64 ns, possible_ns, n, waited_ns;
};

/* All waits of a thread; in the rest of the time nobody ran. */
struct sum {
	iot_row_id waiter;
	guint64 ns, ran_ns;
};

struct longest {
	struct waiter wait;
	gboolean possible;
};

struct processor {
	struct iot_stage stage;
	struct iot_timeline *tl;
	GHashTable *cpus;    /* (row of the node, number) -> struct cpu */
	GHashTable *waiters; /* row -> struct waiter */
	GHashTable *pairs;   /* (waiter, runner) -> struct pair */
	GHashTable *sums;    /* waiter -> struct sum */
	struct longest longest[MAX_LONGEST];
	guint n_longest;
};

static gint64 key_of(guint32 a, guint32 b)
{
	return (gint64)((guint64)a << 32 | b);
}

static gpointer find(GHashTable *table, gint64 key)
{
	return g_hash_table_lookup(table, &key);
}

static void insert(GHashTable *table, gint64 key, gpointer value)
{
	g_hash_table_insert(table, g_memdup2(&key, sizeof(key)), value);
}

static void cpu_free(gpointer data)
{
	struct cpu *cpu = data;

	g_ptr_array_unref(cpu->waiters);
	g_free(cpu);
}

static gboolean processor_possible(const struct iot_timeline *tl)
{
	for (iot_type_id id = 1; id < tl->types.n; id++)
		if (iot_type_at(tl, id)->cpu)
			return TRUE;
	return FALSE;
}

static struct iot_stage *processor_open(struct iot_timeline *tl)
{
	struct processor *processor = g_new0(struct processor, 1);

	processor->tl = tl;
	processor->cpus = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, cpu_free);
	processor->waiters = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	processor->pairs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	processor->sums = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return &processor->stage;
}

static gboolean processor_wants(struct iot_stage *stage, enum iot_item_kind kind, iot_cat_id cat)
{
	const struct iot_timeline *tl = ((struct processor *)stage)->tl;
	const struct iot_type *type = cat ? iot_type_at(tl, iot_cat_at(tl, cat)->type) : NULL;

	return (kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN) && type && type->cpu &&
	       (cat == type->runs || cat == type->waits);
}

static struct cpu *cpu_of(struct processor *processor, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(processor->tl, item->type);
	gint64 key = key_of(iot_row_node(processor->tl, item->row),
			    (guint32)item->attr[type->cpu - 1].u);
	struct cpu *cpu = find(processor->cpus, key);

	if (cpu)
		return cpu;
	cpu = g_new0(struct cpu, 1);
	cpu->waiters = g_ptr_array_new();
	insert(processor->cpus, key, cpu);
	return cpu;
}

/* Its thread runs from the later of both begins on. */
static void add_time(struct waiter *wait, const struct cpu *cpu, guint64 until)
{
	guint64 from = MAX(wait->t0, cpu->since);
	guint i = 0;

	if (!cpu->runs || from >= until)
		return;
	while (i < wait->n && wait->runner[i].row != cpu->runs)
		i++;
	if (i == wait->n && i == MAX_RUNNERS + 1)
		i--;
	else if (i == wait->n)
		wait->runner[wait->n++].row = i < MAX_RUNNERS ? cpu->runs : 0;
	wait->runner[i].ns += until - from;
}

static struct pair *pair_of(struct processor *processor, iot_row_id waiter, iot_row_id runner)
{
	gint64 key = key_of(waiter, runner);
	struct pair *pair = find(processor->pairs, key);

	if (pair)
		return pair;
	if (g_hash_table_size(processor->pairs) >= MAX_PAIRS && runner) {
		iot_diag_add(&processor->tl->stage_diag, IOT_DIAG_blame_folded, 1);
		return pair_of(processor, 0, 0);
	}
	pair = g_new0(struct pair, 1);
	pair->waiter = waiter;
	pair->runner = runner;
	insert(processor->pairs, key, pair);
	return pair;
}

static int more_time(gconstpointer pa, gconstpointer pb)
{
	const struct runner *a = pa, *b = pb;

	return a->ns != b->ns ? iot_compare_number(b->ns, a->ns)
			      : iot_compare_number(a->row, b->row);
}

static void keep_longest(struct processor *processor, const struct waiter *wait, gboolean possible)
{
	guint64 ns = wait->t1 - wait->t0;
	guint at = processor->n_longest;

	while (at && processor->longest[at - 1].wait.t1 - processor->longest[at - 1].wait.t0 < ns)
		at--;
	if (at == MAX_LONGEST)
		return;
	processor->n_longest = MIN(processor->n_longest + 1, MAX_LONGEST);
	memmove(&processor->longest[at + 1], &processor->longest[at],
		(processor->n_longest - at - 1) * sizeof(struct longest));
	processor->longest[at] = (struct longest){ *wait, possible };
}

/* A wait has ended; @possible: the thread came on another processor. */
static void add_up(struct processor *processor, struct waiter *wait, gboolean possible)
{
	struct sum *sum = g_hash_table_lookup(processor->sums, GUINT_TO_POINTER(wait->row));

	if (!sum) {
		sum = g_new0(struct sum, 1);
		sum->waiter = wait->row;
		g_hash_table_insert(processor->sums, GUINT_TO_POINTER(wait->row), sum);
	}
	sum->ns += wait->t1 - wait->t0;
	qsort(wait->runner, wait->n, sizeof(wait->runner[0]), more_time);
	for (guint i = 0; i < wait->n; i++) {
		struct pair *pair = pair_of(processor, wait->row, wait->runner[i].row);

		pair->ns += wait->runner[i].ns;
		pair->possible_ns += possible ? wait->runner[i].ns : 0;
		pair->n++;
		sum->ran_ns += wait->runner[i].ns;
	}
	keep_longest(processor, wait, possible);
}

static void forget(struct processor *processor, struct waiter *wait)
{
	g_ptr_array_remove_fast(wait->cpu->waiters, wait);
	g_hash_table_remove(processor->waiters, GUINT_TO_POINTER(wait->row));
}

static void begin_wait(struct processor *processor, const struct iot_item *item)
{
	struct waiter *known = g_hash_table_lookup(processor->waiters, GUINT_TO_POINTER(item->row));
	struct waiter *wait;

	/* it was not seen to run: nobody knows where */
	if (known && known->ended)
		add_up(processor, known, TRUE);
	if (known)
		forget(processor, known);
	wait = g_new0(struct waiter, 1);
	wait->row = item->row;
	wait->t0 = item->t0;
	wait->cpu = cpu_of(processor, item);
	g_ptr_array_add(wait->cpu->waiters, wait);
	g_hash_table_insert(processor->waiters, GUINT_TO_POINTER(item->row), wait);
}

/* The state of running comes next, if the thread runs. */
static void end_wait(struct processor *processor, const struct iot_item *item)
{
	struct waiter *wait = g_hash_table_lookup(processor->waiters, GUINT_TO_POINTER(item->row));

	if (!wait || wait->ended)
		return;
	if (item->flags & (IOT_UNFINISHED | IOT_SUSPECT | IOT_UNKNOWN | IOT_CUT_RIGHT)) {
		forget(processor, wait);
		return;
	}
	add_time(wait, wait->cpu, item->t1);
	wait->t1 = item->t1;
	wait->ended = TRUE;
}

static void begin_run(struct processor *processor, const struct iot_item *item)
{
	struct cpu *cpu = cpu_of(processor, item);
	struct waiter *wait = g_hash_table_lookup(processor->waiters, GUINT_TO_POINTER(item->row));

	if (wait && wait->ended)
		add_up(processor, wait, wait->cpu != cpu);
	if (wait)
		forget(processor, wait);
	cpu->runs = item->row;
	cpu->since = item->t0;
}

static void end_run(struct processor *processor, const struct iot_item *item)
{
	struct cpu *cpu = cpu_of(processor, item);

	if (cpu->runs != item->row)
		return;
	for (guint i = 0; i < cpu->waiters->len; i++) {
		struct waiter *wait = cpu->waiters->pdata[i];

		if (!wait->ended)
			add_time(wait, cpu, item->t1);
	}
	cpu->runs = 0;
}

static gboolean processor_item(struct iot_stage *stage, const struct iot_item *item, GError **error)
{
	struct processor *processor = (struct processor *)stage;
	gboolean runs = item->cat == iot_type_at(processor->tl, item->type)->runs;

	(void)error;
	/* on which processor it was then, no event has said */
	if (item->flags & IOT_BEFORE)
		return TRUE;
	if (item->kind == IOT_ITEM_SPAN_BEGIN)
		(runs ? begin_run : begin_wait)(processor, item);
	else
		(runs ? end_run : end_wait)(processor, item);
	return TRUE;
}

/* ---- tables */

/* Threads by the time that they waited, and for each one those who ran, the longest first. */
static int most_waited(gconstpointer pa, gconstpointer pb, gconstpointer data)
{
	const struct pair *a = pa, *b = pb;

	(void)data;
	if (a->waited_ns != b->waited_ns)
		return iot_compare_number(b->waited_ns, a->waited_ns);
	if (a->waiter != b->waiter)
		return iot_compare_number(a->waiter, b->waiter);
	if (a->ns != b->ns)
		return iot_compare_number(b->ns, a->ns);
	return a->runner != b->runner ? iot_compare_number(a->runner, b->runner)
				      : iot_compare_number(a->n, b->n);
}

static void add_pair(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct pair *pair = element;
	const struct iot_timeline *tl = data;
	const char *name = pair->runner ? iot_tl_str(tl, iot_row_at(tl, pair->runner)->name)
			   : pair->n	? "others"
					: "nobody";

	iot_ranked_row(table, iot_cell_number(pair->waiter), iot_cell_number(pair->waited_ns),
		       iot_cell_text(name), iot_cell_number(pair->ns),
		       iot_cell_share((double)pair->ns / (double)MAX(pair->waited_ns, 1)),
		       iot_cell_positive(pair->possible_ns), iot_cell_positive(pair->n),
		       iot_cell_if(pair->runner != 0, iot_cell_number(pair->runner)));
}

static const struct iot_ranked_column pair_columns[] = {
	{ "waiter", "waiter", IOT_COLUMN_ROW },
	{ "waited", "waited", IOT_COLUMN_NS },
	{ "ran", "ran meanwhile", IOT_COLUMN_TEXT },
	{ "time", "time", IOT_COLUMN_NS, IOT_COLUMN_STRONG },
	{ "share", "share", IOT_COLUMN_SHARE },
	{ "possible", "possible", IOT_COLUMN_NS, .help = "the waiter came on another processor" },
	{ "waits", "waits", IOT_COLUMN_COUNT },
	{ "ran_row", "ran_row", IOT_COLUMN_ROW, IOT_COLUMN_DATA },
};

static const struct iot_ranked pairs_table = {
	IOT_RANKED("ran_meanwhile", "Who ran while threads waited for a processor", pair_columns),
	.help = "of waits that ended: the threads that ran on the processor that the waiter was "
		"given; "
		"nobody: it was idle, or no state of a thread was recorded",
	.limit = 20,
	.most = "with the most time waiting",
	.compare = most_waited,
	.add = add_pair,
};

/* "intruder 26328 79 %, pong 26329 21 %" */
static char *name_runners(const struct iot_timeline *tl, const struct waiter *wait)
{
	GString *text = g_string_new(NULL);
	guint64 ns = wait->t1 - wait->t0;

	for (guint i = 0; i < MIN(wait->n, MAX_NAMED) && wait->runner[i].ns * 100 >= ns; i++)
		g_string_append_printf(
			text, "%s%s %.0f %%", text->len ? ", " : "",
			wait->runner[i].row
				? iot_tl_str(tl, iot_row_at(tl, wait->runner[i].row)->name)
				: "others",
			100 * (double)wait->runner[i].ns / (double)ns);
	return g_string_free(text, FALSE);
}

static void add_longest(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct longest *longest = element;
	g_autofree char *ran = name_runners(data, &longest->wait);

	iot_ranked_row(table, iot_cell_number(longest->wait.t0), iot_cell_number(longest->wait.row),
		       iot_cell_number(longest->wait.t1 - longest->wait.t0), iot_cell_text(ran),
		       iot_cell_text(longest->possible ? "possible" : ""));
}

static const struct iot_ranked_column longest_columns[] = {
	{ "begin", "begin", IOT_COLUMN_INSTANT },      { "waiter", "waiter", IOT_COLUMN_ROW },
	{ "waited", "waited", IOT_COLUMN_NS },	       { "ran", "ran meanwhile", IOT_COLUMN_TEXT },
	{ "certainty", "certainty", IOT_COLUMN_TEXT },
};

static const struct iot_ranked longest_table = {
	IOT_RANKED("longest_for_processor", "Longest waits for a processor that ended",
		   longest_columns),
	.add = add_longest,
};

static void processor_publish(struct iot_stage *stage, struct iot_results *results)
{
	struct processor *processor = (struct processor *)stage;
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	g_autoptr(GArray) longest = g_array_new(FALSE, FALSE, sizeof(struct longest));
	g_autoptr(GPtrArray) nobody = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, processor->pairs);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct pair *pair = value;
		const struct sum *sum =
			g_hash_table_lookup(processor->sums, GUINT_TO_POINTER(pair->waiter));

		pair->waited_ns = sum ? sum->ns : pair->ns;
		g_ptr_array_add(list, pair);
	}
	g_hash_table_iter_init(&iter, processor->sums);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const struct sum *sum = value;
		struct pair idle = { .waiter = sum->waiter,
				     .ns = sum->ns - sum->ran_ns,
				     .waited_ns = sum->ns };

		if (!idle.ns)
			continue;
		g_ptr_array_add(nobody, g_memdup2(&idle, sizeof(idle)));
		g_ptr_array_add(list, nobody->pdata[nobody->len - 1]);
	}
	iot_ranked_publish(results, processor->tl, &pairs_table, list, processor->tl);
	g_array_append_vals(longest, processor->longest, processor->n_longest);
	iot_ranked_publish_array(results, processor->tl, &longest_table, longest, processor->tl);
}

static void processor_free(struct iot_stage *stage)
{
	struct processor *processor = (struct processor *)stage;

	g_hash_table_unref(processor->cpus);
	g_hash_table_unref(processor->waiters);
	g_hash_table_unref(processor->pairs);
	g_hash_table_unref(processor->sums);
	g_free(processor);
}

const struct iot_stage_ops iot_stage_processor = {
	.name = "processor",
	.summary = "tables of who ran while threads waited for a processor",
	.always = TRUE,
	.is_possible = processor_possible,
	.open = processor_open,
	.wants = processor_wants,
	.item = processor_item,
	.publish = processor_publish,
	.free = processor_free,
};
