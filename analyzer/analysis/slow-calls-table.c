/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/slow-calls-local.h"
#include "base/units.h"
#include "timeline/subjects.h"

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

/* A table, and what resources are about. */
struct publishing {
	const struct iot_slow_calls *calls;
	const struct iot_subjects *subjects;
	struct iot_result_table *table;
};

static void add_waited_columns(const struct publishing *to)
{
	struct iot_result_table *table = to->table;
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
	iot_subjects_add_column(to->subjects, table);
	iot_result_column(table, "resource_waited", "waited", IOT_COLUMN_NS)->drop = 5;
	iot_result_column(table, "mode", "wants", IOT_COLUMN_TEXT)->drop = 4;
	column = iot_result_column(table, "held_by", "held by", IOT_COLUMN_TEXT);
	column->flags = IOT_COLUMN_SHRINK;
	column->drop = 2;
	column->help = g_strdup("the lock that was in the way of its longest wait for longest");
}

static void add_waited(const struct publishing *to, const struct iot_slow_call *call)
{
	const struct iot_timeline *tl = to->calls->tl;
	struct iot_result_table *table = to->table;
	guint64 took = call->item.t1 - call->item.t0;
	g_autofree char *holder = holder_of(tl, &call->most[0].longest);

	iot_result_row(table);
	iot_result_number(table, call->item.t0);
	iot_result_number(table, took);
	if (iot_flags_cut(call->item.flags))
		iot_result_at_least(table);
	iot_result_number(table, call->item.cat);
	iot_result_number(table, call->item.row);
	iot_result_number(table, call->pid);
	iot_result_number(table, call->waited_ns);
	if (call->at_least)
		iot_result_at_least(table);
	iot_result_share(table, took ? (double)call->waited_ns / (double)took : 0);
	iot_result_number(table, call->n_waits);
	if (call->at_least)
		iot_result_at_least(table);
	iot_result_number(table, call->most[0].row);
	iot_subjects_add_cell(to->subjects, table, call->most[0].row);
	iot_result_number(table, call->most[0].ns);
	if (call->at_least)
		iot_result_at_least(table);
	iot_result_text(table,
			call->most[0].longest.asks
				? iot_tl_str(tl, iot_cat_at(tl, call->most[0].longest.asks)->name)
				: NULL);
	iot_result_text(table, holder);
}

static void publish_waited(struct publishing *to, struct iot_results *results)
{
	const struct iot_slowest *waited = &to->calls->waited;

	if (!waited->n)
		return;
	to->table = iot_results_add(results, "slow_calls", "Slowest calls that waited");
	to->table->remark = g_strdup_printf("%u of %" G_GUINT64_FORMAT, waited->n, waited->n_calls);
	add_waited_columns(to);
	for (guint i = 0; i < waited->n; i++)
		add_waited(to, &waited->call[i]);
}

/* ---- why the slowest calls took so long */

/* For sentences: what passed the time. */
static const char *const spent[IOT_N_REASONS + 1] = {
	[IOT_REASON_LOCK] = "waited for locks",
	[IOT_REASON_DEVICE] = "waited for block devices",
	[IOT_REASON_HOST] = "stolen by the host",
	[IOT_REASON_RUNNABLE] = "waited for a CPU",
	[IOT_REASON_OWN] = "own work",
	[IOT_REASON_NONE] = "not explained",
};

static const struct {
	const char *name, *title, *help;
} part_columns[IOT_N_REASONS + 1] = {
	[IOT_REASON_LOCK] = { "lock", "lock", "it waited for a lock" },
	[IOT_REASON_DEVICE] = { "device", "device", "a block device worked on its requests" },
	[IOT_REASON_HOST] = { "host", "host", "the host let something else run" },
	[IOT_REASON_RUNNABLE] = { "runnable", "runnable", "it could run, and waited for a CPU" },
	[IOT_REASON_OWN] = { "own_work", "own work", "it ran" },
	[IOT_REASON_NONE] = { "rest", "rest", "nothing that is recorded explains it" },
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

/* "open of /mnt/own2 by fileload 208 on node 2 took 7.26 s: 84 % waited for locks (...), ..." */
static char *sentence_of(const struct publishing *to, const struct iot_slow_call *call)
{
	const struct iot_slow_calls *calls = to->calls;
	const struct iot_timeline *tl = calls->tl;
	GString *out = g_string_new(iot_tl_str(tl, iot_cat_at(tl, call->item.cat)->name));
	iot_row_id node = iot_row_node(tl, call->item.row);
	guint64 took = call->item.t1 - call->item.t0;
	g_autofree char *above = iot_timeline_path(tl, iot_row_at(tl, node)->parent, "/");
	g_autofree char *length = iot_format_duration(took);
	char digits[IOT_DIGITS_ROOM];
	gboolean first = TRUE;

	if (*above)
		g_string_append_printf(out, " of %s", above);
	g_string_append_printf(out, " by %s %" G_GUINT64_FORMAT " on %s took %s%s",
			       call->command ? iot_tl_text(tl, call->command, digits, NULL)
					     : "process",
			       call->pid, iot_tl_str(tl, iot_row_at(tl, node)->name),
			       iot_flags_cut(call->item.flags) ? ">" : "", length);
	for (guint reason = 0; reason <= IOT_N_REASONS; reason++) {
		gboolean own_too =
			reason == IOT_REASON_NONE && !is_recorded(calls, call, IOT_REASON_OWN);

		if (!took || !call->ns[reason])
			continue;
		g_string_append_printf(out, "%s %.0f %% %s%s", first ? ":" : ",",
				       (double)call->ns[reason] / (double)took * 100,
				       own_too ? "own work and " : "", spent[reason]);
		first = FALSE;
		if (reason == IOT_REASON_LOCK)
			add_locks(to, call, out);
	}
	return g_string_free(out, FALSE);
}

static void add_why(const struct publishing *to, const struct iot_slow_call *call)
{
	const struct iot_slow_calls *calls = to->calls;
	struct iot_result_table *table = to->table;
	g_autofree char *sentence = sentence_of(to, call);

	iot_result_row(table);
	iot_result_number(table, call->item.t0);
	iot_result_number(table, call->item.t1 - call->item.t0);
	if (iot_flags_cut(call->item.flags))
		iot_result_at_least(table);
	iot_result_number(table, call->item.cat);
	iot_result_number(table, call->item.row);
	iot_result_number(table, call->pid);
	for (guint reason = 0; reason <= IOT_N_REASONS; reason++) {
		if (!is_recorded(calls, call, reason)) {
			iot_result_none(table, IOT_CELL_UNKNOWN);
			continue;
		}
		iot_result_number(table, call->ns[reason]);
		if (reason == IOT_REASON_LOCK && call->at_least)
			iot_result_at_least(table);
	}
	iot_result_text(table, sentence);
	for (guint i = 0; i < IOT_N_ASKERS; i++)
		iot_result_number(table, call->asked_ns[i]);
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

/* Parts of the time that a call waited for locks. */
static const struct {
	const char *name, *title, *help;
} asked_columns[IOT_N_ASKERS] = {
	[IOT_ASKER_ITSELF] = { "asked_itself", "asked itself", "its thread asked for the lock" },
	[IOT_ASKER_NODE] = { "asked_node", "node asked",
			     "another thread of its node asked for the lock" },
	[IOT_ASKER_NOBODY] = { "asked_nobody", "nobody asked",
			       "its node had not asked yet: another thread was in the way" },
	[IOT_ASKER_UNKNOWN] = { "asked_unknown", "asker unknown",
				"the lock is not recorded, or not known" },
};

static void publish_why(struct publishing *to, struct iot_results *results)
{
	const struct iot_slowest *all = &to->calls->all;
	struct iot_result_table *table;
	struct iot_column *column;

	if (!all->n)
		return;
	to->table = table = iot_results_add(results, "why", "Why the slowest calls took so long");
	table->remark = g_strdup_printf("%u of %" G_GUINT64_FORMAT, all->n, all->n_calls);
	iot_result_column(table, "begin", "begin", IOT_COLUMN_INSTANT);
	iot_result_column(table, "took", "took", IOT_COLUMN_NS);
	iot_result_column(table, "call", "call", IOT_COLUMN_CATEGORY)->flags = IOT_COLUMN_DATA;
	iot_result_column(table, "row", "on", IOT_COLUMN_ROW)->flags = IOT_COLUMN_DATA;
	iot_result_column(table, "pid", "pid", IOT_COLUMN_COUNT)->flags = IOT_COLUMN_DATA;
	for (guint reason = 0; reason <= IOT_N_REASONS; reason++) {
		column = iot_result_column(table, part_columns[reason].name,
					   part_columns[reason].title, IOT_COLUMN_NS);
		column->flags = IOT_COLUMN_DATA;
		column->help = g_strdup(part_columns[reason].help);
	}
	iot_result_column(table, "why", "why", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_WRAP;
	for (guint i = 0; i < IOT_N_ASKERS; i++) {
		column = iot_result_column(table, asked_columns[i].name, asked_columns[i].title,
					   IOT_COLUMN_NS);
		column->flags = IOT_COLUMN_DATA;
		column->help = g_strdup(asked_columns[i].help);
	}
	for (guint i = 0; i < all->n; i++)
		add_why(to, &all->call[i]);
	add_missing(to->calls, table);
}

/* ---- their waits */

static const char *const askers[IOT_N_ASKERS] = {
	[IOT_ASKER_ITSELF] = "itself",
	[IOT_ASKER_NODE] = "its node",
	[IOT_ASKER_NOBODY] = "nobody",
};

static void add_wait(const struct publishing *to, const struct iot_slow_call *call,
		     const struct iot_slow_wait *wait)
{
	const struct iot_timeline *tl = to->calls->tl;
	struct iot_result_table *table = to->table;
	g_autofree char *holder = holder_of(tl, wait);

	iot_result_row(table);
	iot_result_number(table, wait->t0);
	iot_result_number(table, wait->t1 - wait->t0);
	if (wait->cut)
		iot_result_at_least(table);
	iot_result_number(table, wait->row);
	iot_result_number(table, wait->ns);
	iot_result_text(table,
			wait->asks ? iot_tl_str(tl, iot_cat_at(tl, wait->asks)->name) : NULL);
	iot_result_text(table, cause_of(wait));
	iot_result_text(table, holder);
	iot_result_number(table, wait->held_ns);
	iot_result_text(table, wait->certainty);
	iot_result_number(table, call->item.t0);
	iot_result_number(table, call->item.row);
	iot_result_text(table, askers[wait->asker]);
	iot_subjects_add_cell(to->subjects, table, wait->row);
}

static void publish_waits(struct publishing *to, struct iot_results *results)
{
	const struct iot_slowest *all = &to->calls->all;
	struct iot_result_table *table;
	guint n = 0;

	for (guint i = 0; i < all->n; i++)
		n += all->call[i].n_longest;
	if (!n)
		return;
	to->table = table = iot_results_add(results, "why_waits", "Waits of the slowest calls");
	table->for_programs = TRUE;
	iot_result_column(table, "begin", "began", IOT_COLUMN_INSTANT);
	iot_result_column(table, "took", "wait", IOT_COLUMN_NS);
	iot_result_column(table, "row", "waited for", IOT_COLUMN_ROW);
	iot_result_column(table, "in_call", "in the call", IOT_COLUMN_NS)->help =
		g_strdup("without the time that an earlier wait of the call covers");
	iot_result_column(table, "mode", "wants", IOT_COLUMN_TEXT);
	iot_result_column(table, "cause", "mostly", IOT_COLUMN_TEXT);
	iot_result_column(table, "held_by", "in the way", IOT_COLUMN_TEXT);
	iot_result_column(table, "held", "for", IOT_COLUMN_NS);
	iot_result_column(table, "certainty", "certain", IOT_COLUMN_TEXT);
	iot_result_column(table, "call_begin", "call began", IOT_COLUMN_INSTANT);
	iot_result_column(table, "call_row", "call", IOT_COLUMN_ROW);
	iot_result_column(table, "asked_by", "asked by", IOT_COLUMN_TEXT)->help = g_strdup(
		"the thread of the call, or another one of its node; nobody: the call waited "
		"for its own node");
	iot_subjects_add_column(to->subjects, table);
	for (guint i = 0; i < all->n; i++)
		for (guint k = 0; k < all->call[i].n_longest; k++)
			add_wait(to, &all->call[i], &all->call[i].longest[k]);
}

void iot_slow_calls_publish(const struct iot_slow_calls *calls, struct iot_results *results)
{
	g_autoptr(iot_subjects) subjects = iot_subjects_new(calls->tl);
	struct publishing to = { calls, subjects, NULL };

	publish_waited(&to, results);
	publish_why(&to, results);
	publish_waits(&to, results);
}
