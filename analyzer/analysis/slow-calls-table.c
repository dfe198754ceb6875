/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/slow-calls-local.h"
#include "base/units.h"
#include "tables/ranked.h"
#include "timeline/subjects.h"
#include "timeline/thread-rows.h"

#include <string.h>

/* ---- the slowest calls that waited */

/* "node 2 fileload 208 (PR)"; NULL: no hold was in the way. If locks may be unseen, another one may
 * have been in the way for longer. */
static char *holder_of(const struct iot_timeline *tl, const struct iot_slow_wait *wait)
{
	char digits[IOT_DIGITS_ROOM];
	const char *command =
		wait->command ? iot_tl_text(tl, wait->command, digits, NULL) : "process";
	const char *held = wait->node ? iot_tl_str(tl, iot_cat_at(tl, wait->held)->name) : "";
	const char *doubt = g_strcmp0(wait->certainty, "undecided") ? "" : ", undecided";

	if (!wait->node)
		return NULL;
	if (!wait->pid)
		return g_strdup_printf("%s (%s%s)", iot_tl_str(tl, wait->node), held, doubt);
	return g_strdup_printf("%s %s %" G_GUINT64_FORMAT " (%s%s)", iot_tl_str(tl, wait->node),
			       *command ? command : "process", wait->pid, held, doubt);
}

/* What resources are about, too. */
struct publishing {
	const struct iot_slow_calls *calls;
	const struct iot_subjects *subjects;
};

static const char *cat_name(const struct iot_timeline *tl, iot_cat_id cat)
{
	return cat ? iot_tl_str(tl, iot_cat_at(tl, cat)->name) : NULL;
}

static const struct iot_ranked_column waited_columns[] = {
	{ "begin", "begin", IOT_COLUMN_INSTANT },
	{ "took", "took", IOT_COLUMN_NS },
	{ "call", "call", IOT_COLUMN_CATEGORY },
	{ "row", "on", IOT_COLUMN_ROW, IOT_COLUMN_SHRINK },
	{ "pid", "pid", IOT_COLUMN_COUNT, .drop = 3 },
	{ "waited", "waited", IOT_COLUMN_NS,
	  .help = "in which its thread waited for at least one resource" },
	{ "share", "share", IOT_COLUMN_SHARE, .drop = 1 },
	{ "waits", "waits", IOT_COLUMN_COUNT, .drop = 6 },
	{ "resource", "most for", IOT_COLUMN_ROW, IOT_COLUMN_SHRINK },
};

/* after the column of the subject */
static const struct iot_ranked_column resource_columns[] = {
	{ "resource_waited", "waited", IOT_COLUMN_NS, .drop = 5 },
	{ "mode", "wants", IOT_COLUMN_TEXT, .drop = 4 },
	{ "held_by", "held by", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK, 2,
	  "the lock that was in the way of its longest wait for longest" },
};

static void more_waited_columns(struct iot_result_table *table, gconstpointer data)
{
	iot_subjects_add_column(((const struct publishing *)data)->subjects, table);
	iot_ranked_columns(table, resource_columns, G_N_ELEMENTS(resource_columns));
}

static void add_waited(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_slow_call *call = element;
	const struct publishing *to = data;
	const struct iot_slow_resource *most = &call->most[0];
	const struct iot_timeline *tl = to->calls->tl;
	guint64 took = call->item.t1 - call->item.t0;
	g_autofree char *holder = holder_of(tl, &most->longest);

	iot_ranked_row(table, iot_cell_number(call->item.t0),
		       iot_cell_least(took, iot_flags_cut(call->item.flags)),
		       iot_cell_number(call->item.cat), iot_cell_number(call->item.row),
		       iot_cell_number(call->pid), iot_cell_least(call->waited_ns, call->at_least),
		       iot_cell_share(took ? (double)call->waited_ns / (double)took : 0),
		       iot_cell_least(call->n_waits, call->at_least), iot_cell_number(most->row));
	iot_subjects_add_cell(to->subjects, table, most->row);
	iot_ranked_cell(table, iot_cell_least(most->ns, call->at_least));
	iot_result_text(table, cat_name(tl, most->longest.asks));
	iot_result_text(table, holder);
}

static const struct iot_ranked waited_ranked = {
	IOT_RANKED("slow_calls", "Slowest calls that waited", waited_columns),
	.more_columns = more_waited_columns,
	.loss = IOT_LOSS_IN_CELLS,
	.add = add_waited,
};

/* The slowest ones, which are in order. */
static struct iot_result_table *publish_calls(const struct publishing *to,
					      const struct iot_ranked *ranked,
					      const struct iot_slowest *slowest,
					      struct iot_results *results)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	struct iot_result_table *table;

	for (guint i = 0; i < slowest->n; i++)
		g_ptr_array_add(list, (gpointer)&slowest->call[i]);
	table = iot_ranked_publish(results, to->calls->tl, ranked, list, to);
	if (table && !ranked->for_programs)
		table->remark =
			g_strdup_printf("%u of %" G_GUINT64_FORMAT, slowest->n, slowest->n_calls);
	return table;
}

/* ---- why the slowest calls took so long */

const char *iot_slow_spent(enum iot_reason reason)
{
	static const char *const spent[IOT_N_REASONS + 1] = {
		[IOT_REASON_LOCK] = "waited for locks",
		[IOT_REASON_DEVICE] = "waited for block devices",
		[IOT_REASON_HOST] = "stolen by the host",
		[IOT_REASON_RUNNABLE] = "waited for a CPU",
		[IOT_REASON_OWN] = "own work",
		[IOT_REASON_NONE] = "not explained",
	};

	return spent[reason];
}

static const struct iot_ranked_column part_columns[IOT_N_REASONS + 1] = {
	[IOT_REASON_LOCK] = { "lock", "lock", IOT_COLUMN_NS, IOT_COLUMN_DATA,
			      .help = "it waited for a lock" },
	[IOT_REASON_DEVICE] = { "device", "device", IOT_COLUMN_NS, IOT_COLUMN_DATA,
				.help = "a block device worked on its requests" },
	[IOT_REASON_HOST] = { "host", "host", IOT_COLUMN_NS, IOT_COLUMN_DATA,
			      .help = "the host let something else run" },
	[IOT_REASON_RUNNABLE] = { "runnable", "runnable", IOT_COLUMN_NS, IOT_COLUMN_DATA,
				  .help = "it could run, and waited for a CPU" },
	[IOT_REASON_OWN] = { "own_work", "own work", IOT_COLUMN_NS, IOT_COLUMN_DATA,
			     .help = "it ran" },
	[IOT_REASON_NONE] = { "rest", "rest", IOT_COLUMN_NS, IOT_COLUMN_DATA,
			      .help = "nothing that is recorded explains it" },
};

static gboolean is_recorded(const struct iot_slow_calls *calls, const struct iot_slow_call *call,
			    guint reason)
{
	iot_str node = iot_row_at(calls->tl, iot_row_node(calls->tl, call->item.row))->name;
	guint bits = node < calls->recorded->len ? g_array_index(calls->recorded, guint8, node) : 0;

	/* the time in which the thread could run is needed, too */
	if (reason == IOT_REASON_HOST && (bits >> IOT_REASON_OWN & 1) &&
	    iot_stolen_nodes_cpus(calls->stolen, node))
		return TRUE;
	return reason == IOT_REASON_NONE || (bits >> reason & 1);
}

/* For people: why a wait took so long. */
static const char *cause_of(const struct iot_slow_wait *wait)
{
	return wait->asker == IOT_ASKER_NOBODY ? "own node" : iot_cause_name(wait->cause);
}

/* "gfs/inode 3379 (/mnt/own2) 3.54 s, held by node 3 fileload 199 (PR)": the time of all waits for
 * a resource, and the reason of the longest one */
static void add_resource(const struct publishing *to, const struct iot_slow_resource *resource,
			 GString *out)
{
	const struct iot_timeline *tl = to->calls->tl;
	g_autofree char *name = iot_timeline_path(tl, resource->row, "/");
	g_autofree char *length = iot_format_duration(resource->ns);
	g_autofree char *holder = holder_of(tl, &resource->longest);
	const char *about = iot_subjects_name(to->subjects, resource->row);

	g_string_append(out, name);
	if (about)
		g_string_append_printf(out, " (%s)", about);
	g_string_append_printf(out, " %s, %s%s", length, holder ? "held by " : "",
			       holder ? holder : cause_of(&resource->longest));
}

/* " (asked for by itself 6 %, by other threads of its node 75 %; gfs/inode 3379 ...)": after the
 * share of the locks */
static void add_locks(const struct publishing *to, const struct iot_slow_call *call, GString *out)
{
	static const char *const by[IOT_N_ASKERS] = { "by itself", "by other threads of its node",
						      "by nobody yet", "by an unknown thread" };
	guint64 took = call->item.t1 - call->item.t0;
	const char *before = " (asked for ", *between = " (";

	if (!call->most[0].row)
		return;
	for (guint i = 0; i < IOT_N_ASKERS; i++) {
		/* it asked for all of them, as is usual */
		if ((call->waited_ns - call->asked_ns[IOT_ASKER_ITSELF]) * 100 < took ||
		    call->asked_ns[i] * 100 < took)
			continue;
		g_string_append_printf(out, "%s%s %.0f %%", before, by[i],
				       (double)call->asked_ns[i] / (double)took * 100);
		before = ", ";
		between = "; ";
	}
	for (guint i = 0; i < IOT_SLOW_RESOURCES && call->most[i].row; i++) {
		g_string_append(out, i ? "; " : between);
		add_resource(to, &call->most[i], out);
	}
	g_string_append_c(out, ')');
}

/* The row of the thread of a call: the last one that was there when it ended, as a thread that runs
 * another program gets another row; 0: there is none. */
static iot_row_id thread_row(const struct iot_timeline *tl, const struct iot_slow_call *call)
{
	g_autofree char *pid = g_strdup_printf("%" G_GUINT64_FORMAT, call->pid);
	iot_type_id type = iot_thread_rows_type(tl->threads);
	iot_str node = iot_row_at(tl, iot_row_node(tl, call->item.row))->name;

	for (iot_row_id row = call->rows_seen; type && row; row--) {
		const struct iot_row *known = iot_row_at(tl, row - 1);

		if (known->type == type && !strcmp(iot_tl_str(tl, known->id), pid) &&
		    iot_row_at(tl, iot_row_node(tl, row - 1))->name == node)
			return row - 1;
	}
	return 0;
}

/* "fileload 208": by the command that a wait of the thread names, else by the thread's row */
static char *thread_of(const struct iot_timeline *tl, const struct iot_slow_call *call)
{
	iot_row_id row = call->command ? 0 : thread_row(tl, call);
	char digits[IOT_DIGITS_ROOM];

	if (row)
		return g_strdup(iot_tl_str(tl, iot_row_at(tl, row)->name));
	return g_strdup_printf("%s %" G_GUINT64_FORMAT,
			       call->command ? iot_tl_text(tl, call->command, digits, NULL)
					     : "process",
			       call->pid);
}

/* Most time first, and remainders last. */
static gint by_time(gconstpointer pa, gconstpointer pb)
{
	const struct iot_slow_clause *a = pa, *b = pb;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->ns != b->ns ? (a->ns < b->ns ? 1 : -1) : (gint)a->number - (gint)b->number;
}

/* ": 84 % waited for locks (...), 12 % own work": what is less than half a per cent is left out. */
static void add_clauses(const struct publishing *to, const struct iot_slow_call *call, GString *out)
{
	g_autoptr(GArray) clauses = iot_slow_parts_clauses(to->calls->tl, to->calls->sleeps, call);
	guint64 took = call->item.t1 - call->item.t0;
	const char *before = ": ";

	for (guint reason = 0; took && reason <= IOT_N_REASONS; reason++) {
		GString *text = g_string_new(iot_slow_spent((enum iot_reason)reason));
		struct iot_slow_clause clause = { call->ns[reason], clauses->len,
						  reason == IOT_REASON_NONE ? 2 : 0, NULL };

		if (reason == IOT_REASON_LOCK && call->ns[reason])
			add_locks(to, call, text);
		clause.text = g_string_free(text, FALSE);
		g_array_append_val(clauses, clause);
	}
	g_array_sort(clauses, by_time);
	for (guint i = 0; i < clauses->len; i++) {
		const struct iot_slow_clause *clause =
			&g_array_index(clauses, struct iot_slow_clause, i);

		if (!clause->ns || (i && clause->ns * 200 < took))
			continue;
		g_string_append_printf(out, "%s%.0f %% %s", before,
				       (double)clause->ns / (double)took * 100, clause->text);
		before = ", ";
	}
}

/* "open of /mnt/own2 by fileload 208 on node 2 took 7.26 s: 84 % waited for locks (...), ..." */
static char *sentence_of(const struct publishing *to, const struct iot_slow_call *call)
{
	const struct iot_slow_calls *calls = to->calls;
	const struct iot_timeline *tl = calls->tl;
	GString *out = g_string_new(iot_tl_str(tl, iot_cat_at(tl, call->item.cat)->name));
	iot_row_id node = iot_row_node(tl, call->item.row);
	guint64 took = call->item.t1 - call->item.t0;
	g_autofree char *above = iot_timeline_path(tl, iot_row_thing(tl, node), "/");
	g_autofree char *length = iot_format_duration(took);
	g_autofree char *thread = thread_of(tl, call);

	if (*above)
		g_string_append_printf(out, " of %s", above);
	g_string_append_printf(out, " by %s on %s took %s%s", thread,
			       iot_tl_str(tl, iot_row_at(tl, node)->name),
			       iot_flags_cut(call->item.flags) ? ">" : "", length);
	add_clauses(to, call, out);
	return g_string_free(out, FALSE);
}

static void add_why(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_slow_call *call = element;
	const struct publishing *to = data;
	g_autofree char *sentence = sentence_of(to, call);

	iot_ranked_row(
		table, iot_cell_number(call->item.t0),
		iot_cell_least(call->item.t1 - call->item.t0, iot_flags_cut(call->item.flags)),
		iot_cell_number(call->item.cat), iot_cell_number(call->item.row),
		iot_cell_number(call->pid));
	if (to->calls->accounts) {
		iot_ranked_cell(table, iot_cell_number(call->linked_ns));
		iot_ranked_cell(table, iot_cell_number(call->n_concurrent));
	}
	for (guint reason = 0; reason <= IOT_N_REASONS; reason++)
		iot_ranked_cell(table, iot_cell_known(is_recorded(to->calls, call, reason),
						      iot_cell_least(call->ns[reason],
								     reason == IOT_REASON_LOCK &&
									     call->at_least)));
	iot_result_text(table, sentence);
	for (guint i = 0; i < IOT_N_ASKERS; i++)
		iot_result_number(table, call->asked_ns[i]);
	if (to->calls->sleeps)
		iot_result_number(table, call->asleep_ns);
}

/* Below the table: which reasons are missing on which nodes, each node once. */
static void add_missing(const struct iot_slow_calls *calls, struct iot_result_table *table)
{
	const struct iot_timeline *tl = calls->tl;
	const struct iot_slowest *all = &calls->all;

	for (guint reason = 0; reason < IOT_N_REASONS; reason++) {
		g_autoptr(GHashTable) said = g_hash_table_new(NULL, NULL);
		g_autoptr(GString) nodes = g_string_new(NULL);

		for (guint i = 0; i < all->n; i++) {
			iot_str node =
				iot_row_at(tl, iot_row_node(tl, all->call[i].item.row))->name;

			if (is_recorded(calls, &all->call[i], reason) ||
			    !g_hash_table_add(said, GUINT_TO_POINTER(node)))
				continue;
			g_string_append_printf(nodes, "%s%s", nodes->len ? ", " : "",
					       iot_tl_str(tl, node));
		}
		if (nodes->len)
			iot_result_note(table, "not recorded: %s (%s)", part_columns[reason].title,
					nodes->str);
	}
	for (guint i = 0; i < all->n; i++) {
		iot_str node = iot_row_at(tl, iot_row_node(tl, all->call[i].item.row))->name;

		if (iot_stolen_nodes_cpus(calls->stolen, node) < 2)
			continue;
		iot_result_note(table, "host: at least; only while all virtual CPUs of a machine "
				       "were stolen");
		break;
	}
}

static const struct iot_ranked_column why_columns[] = {
	{ "begin", "begin", IOT_COLUMN_INSTANT },
	{ "took", "took", IOT_COLUMN_NS },
	{ "call", "call", IOT_COLUMN_CATEGORY, IOT_COLUMN_DATA },
	{ "row", "on", IOT_COLUMN_ROW, IOT_COLUMN_DATA },
	{ "pid", "pid", IOT_COLUMN_COUNT, IOT_COLUMN_DATA },
};

/* after the reasons; the last ones are parts of the time that a call waited for locks; then asleep
 */
static const struct iot_ranked_column asked_columns[] = {
	{ "why", "why", IOT_COLUMN_TEXT, IOT_COLUMN_WRAP },
	{ "asked_itself", "asked itself", IOT_COLUMN_NS, IOT_COLUMN_DATA,
	  .help = "its thread asked for the lock" },
	{ "asked_node", "node asked", IOT_COLUMN_NS, IOT_COLUMN_DATA,
	  .help = "another thread of its node asked for the lock" },
	{ "asked_nobody", "nobody asked", IOT_COLUMN_NS, IOT_COLUMN_DATA,
	  .help = "its node had not asked yet: another thread was in the way" },
	{ "asked_unknown", "asker unknown", IOT_COLUMN_NS, IOT_COLUMN_DATA,
	  .help = "the lock is not recorded, or not known" },
};

/* If a model says what wakes threads. */
static const struct iot_ranked_column asleep_columns[] = {
	{ "asleep", "asleep", IOT_COLUMN_NS, IOT_COLUMN_DATA,
	  .help = "it slept, and what woke it is known" },
};

/* If a model says what was done for calls elsewhere. */
static const struct iot_ranked_column linked_columns[] = {
	{ "requests", "requests", IOT_COLUMN_NS, IOT_COLUMN_DATA,
	  .help = "its requests were on their way, or worked on" },
	{ "concurrent", "concurrent", IOT_COLUMN_COUNT, IOT_COLUMN_DATA,
	  .help = "requests that were on their way beside others that ended later" },
};

static void more_why_columns(struct iot_result_table *table, gconstpointer data)
{
	if (((const struct publishing *)data)->calls->accounts)
		iot_ranked_columns(table, linked_columns, G_N_ELEMENTS(linked_columns));
	iot_ranked_columns(table, part_columns, G_N_ELEMENTS(part_columns));
	iot_ranked_columns(table, asked_columns, G_N_ELEMENTS(asked_columns));
	if (((const struct publishing *)data)->calls->sleeps)
		iot_ranked_columns(table, asleep_columns, G_N_ELEMENTS(asleep_columns));
}

static const struct iot_ranked why_ranked = {
	IOT_RANKED("why", "Why the slowest calls took so long", why_columns),
	.more_columns = more_why_columns,
	.loss = IOT_LOSS_IN_CELLS,
	.add = add_why,
};

/* ---- their waits */

static const char *const askers[IOT_N_ASKERS] = {
	[IOT_ASKER_ITSELF] = "itself",
	[IOT_ASKER_NODE] = "its node",
	[IOT_ASKER_NOBODY] = "nobody",
};

static void add_wait(const struct publishing *to, struct iot_result_table *table,
		     const struct iot_slow_call *call, const struct iot_slow_wait *wait)
{
	const struct iot_timeline *tl = to->calls->tl;
	iot_str node = iot_row_at(tl, iot_row_node(tl, wait->row))->name;
	g_autofree char *holder = holder_of(tl, wait);

	iot_ranked_row(table, iot_cell_number(wait->t0),
		       iot_cell_least(wait->t1 - wait->t0, wait->cut), iot_cell_number(wait->row),
		       iot_cell_number(wait->ns), iot_cell_text(cat_name(tl, wait->asks)),
		       iot_cell_text(cause_of(wait)), iot_cell_text(holder),
		       iot_cell_number(wait->held_ns),
		       iot_cell_text(iot_certainty_of(tl, wait->certainty, wait->node, node)),
		       iot_cell_number(call->item.t0), iot_cell_number(call->item.row),
		       iot_cell_text(askers[wait->asker]));
	iot_subjects_add_cell(to->subjects, table, wait->row);
}

static void add_waits(struct iot_result_table *table, gconstpointer element, gconstpointer to)
{
	const struct iot_slow_call *call = element;

	for (guint i = 0; i < call->n_longest; i++)
		add_wait(to, table, call, &call->longest[i]);
}

static const struct iot_ranked_column wait_columns[] = {
	{ "begin", "began", IOT_COLUMN_INSTANT },
	{ "took", "wait", IOT_COLUMN_NS },
	{ "row", "waited for", IOT_COLUMN_ROW },
	{ "in_call", "in the call", IOT_COLUMN_NS,
	  .help = "without the time that an earlier wait of the call covers" },
	{ "mode", "wants", IOT_COLUMN_TEXT },
	{ "cause", "mostly", IOT_COLUMN_TEXT },
	{ "held_by", "in the way", IOT_COLUMN_TEXT },
	{ "held", "for", IOT_COLUMN_NS },
	{ "certainty", "certain", IOT_COLUMN_TEXT },
	{ "call_begin", "call began", IOT_COLUMN_INSTANT },
	{ "call_row", "call", IOT_COLUMN_ROW },
	{ "asked_by", "asked by", IOT_COLUMN_TEXT,
	  .help = "the thread of the call, or another one of its node; nobody: the call waited for "
		  "its own node" },
};

static void more_wait_columns(struct iot_result_table *table, gconstpointer data)
{
	iot_subjects_add_column(((const struct publishing *)data)->subjects, table);
}

static const struct iot_ranked waits_ranked = {
	IOT_RANKED("why_waits", "Waits of the slowest calls", wait_columns),
	.more_columns = more_wait_columns,
	.for_programs = TRUE,
	.loss = IOT_LOSS_IN_CELLS,
	.add = add_waits,
};

void iot_slow_calls_publish(const struct iot_slow_calls *calls, struct iot_results *results)
{
	g_autoptr(iot_subjects) subjects = iot_subjects_new(calls->tl);
	const struct publishing to = { calls, subjects };
	struct iot_result_table *why;
	gboolean waits = FALSE, requests = FALSE;

	publish_calls(&to, &waited_ranked, &calls->waited, results);
	why = publish_calls(&to, &why_ranked, &calls->all, results);
	if (why)
		add_missing(calls, why);
	for (guint i = 0; i < calls->all.n; i++) {
		waits |= calls->all.call[i].n_longest > 0;
		requests |= calls->all.call[i].linked_ns > 0;
	}
	if (why && requests)
		iot_result_note(why, "on the way: until the receiver begins to work on it, so with "
				     "its queue, unless that is drawn");
	if (why && calls->all.n_serving)
		iot_result_note(why,
				"left out: %" G_GUINT64_FORMAT
				" calls that served a request from another machine; they are parts "
				"of its call",
				calls->all.n_serving);
	if (why && calls->all.n_bystanders)
		iot_result_note(why,
				"last: calls that never ended, and of which nothing recorded is "
				"the cause of half of the time: %" G_GUINT64_FORMAT,
				calls->all.n_bystanders);
	if (waits)
		publish_calls(&to, &waits_ranked, &calls->all, results);
	iot_slow_parts_publish(calls, results);
}
