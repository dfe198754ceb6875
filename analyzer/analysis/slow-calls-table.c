/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/slow-calls-local.h"
#include "base/units.h"

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

static void add_waited_columns(struct iot_result_table *table)
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

static void add_waited(const struct iot_timeline *tl, struct iot_result_table *table,
		       const struct iot_slow_call *call)
{
	guint64 took = call->item.t1 - call->item.t0;
	g_autofree char *holder = holder_of(tl, &call->most);

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
	iot_result_number(table, call->resource);
	iot_result_number(table, call->resource_ns);
	if (call->at_least)
		iot_result_at_least(table);
	iot_result_text(table, call->most.asks
				       ? iot_tl_str(tl, iot_cat_at(tl, call->most.asks)->name)
				       : NULL);
	iot_result_text(table, holder);
}

static void publish_waited(const struct iot_slow_calls *calls, struct iot_results *results)
{
	const struct iot_slowest *waited = &calls->waited;
	struct iot_result_table *table;

	if (!waited->n)
		return;
	table = iot_results_add(results, "slow_calls", "Slowest calls that waited");
	table->remark = g_strdup_printf("%u of %" G_GUINT64_FORMAT, waited->n, waited->n_calls);
	add_waited_columns(table);
	for (guint i = 0; i < waited->n; i++)
		add_waited(calls->tl, table, &waited->call[i]);
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

/* "gfs/inode 3346 3.54 s, held by node 3 fileload 199 (PR)": its longest wait for a resource */
static void add_resource(const struct iot_timeline *tl, const struct iot_slow_wait *wait,
			 guint64 ns, GString *out)
{
	iot_row_id resource = iot_row_at(tl, iot_row_node(tl, wait->row))->parent;
	g_autofree char *name = iot_timeline_path(tl, resource, "/");
	g_autofree char *length = iot_format_duration(ns);
	g_autofree char *holder = holder_of(tl, wait);

	g_string_append_printf(out, "%s %s", name, length);
	if (holder)
		g_string_append_printf(out, ", held by %s", holder);
	else
		g_string_append_printf(out, ", %s", iot_cause_name(wait->cause));
}

/* The three resources that the call waited for most. */
static void add_resources(const struct iot_timeline *tl, const struct iot_slow_call *call,
			  GString *out)
{
	struct {
		const struct iot_slow_wait *longest;
		guint64 ns;
	} sum[IOT_SLOW_WAITS] = { { NULL, 0 } };
	guint n = 0;

	for (guint i = 0; i < call->n_longest; i++) {
		const struct iot_slow_wait *wait = &call->longest[i];
		iot_row_id resource = iot_row_at(tl, iot_row_node(tl, wait->row))->parent;
		guint k = 0;

		while (k < n &&
		       iot_row_at(tl, iot_row_node(tl, sum[k].longest->row))->parent != resource)
			k++;
		if (k == n)
			sum[n++].longest = wait;
		sum[k].ns += wait->ns;
		if (wait->ns > sum[k].longest->ns)
			sum[k].longest = wait;
	}
	for (guint shown = 0; shown < 3; shown++) {
		guint most = 0;

		for (guint k = 1; k < n; k++)
			if (sum[k].ns > sum[most].ns)
				most = k;
		if (!n || !sum[most].ns)
			break;
		g_string_append(out, shown ? "; " : " (");
		add_resource(tl, sum[most].longest, sum[most].ns, out);
		sum[most].ns = 0;
	}
	if (n)
		g_string_append_c(out, ')');
}

/* "open of /mnt/own2 by fileload 208 on node 2 took 7.26 s: 84 % waited for locks (...), ..." */
static char *sentence_of(const struct iot_slow_calls *calls, const struct iot_slow_call *call)
{
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
			add_resources(tl, call, out);
	}
	return g_string_free(out, FALSE);
}

static void add_why(const struct iot_slow_calls *calls, struct iot_result_table *table,
		    const struct iot_slow_call *call)
{
	g_autofree char *sentence = sentence_of(calls, call);

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

static void publish_why(const struct iot_slow_calls *calls, struct iot_results *results)
{
	const struct iot_slowest *all = &calls->all;
	struct iot_result_table *table;

	if (!all->n)
		return;
	table = iot_results_add(results, "why", "Why the slowest calls took so long");
	table->remark = g_strdup_printf("%u of %" G_GUINT64_FORMAT, all->n, all->n_calls);
	iot_result_column(table, "begin", "begin", IOT_COLUMN_INSTANT);
	iot_result_column(table, "took", "took", IOT_COLUMN_NS);
	iot_result_column(table, "call", "call", IOT_COLUMN_CATEGORY)->flags = IOT_COLUMN_DATA;
	iot_result_column(table, "row", "on", IOT_COLUMN_ROW)->flags = IOT_COLUMN_DATA;
	iot_result_column(table, "pid", "pid", IOT_COLUMN_COUNT)->flags = IOT_COLUMN_DATA;
	for (guint reason = 0; reason <= IOT_N_REASONS; reason++) {
		struct iot_column *column =
			iot_result_column(table, part_columns[reason].name,
					  part_columns[reason].title, IOT_COLUMN_NS);

		column->flags = IOT_COLUMN_DATA;
		column->help = g_strdup(part_columns[reason].help);
	}
	iot_result_column(table, "why", "why", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_WRAP;
	for (guint i = 0; i < all->n; i++)
		add_why(calls, table, &all->call[i]);
	add_missing(calls, table);
}

/* ---- their waits */

static void add_wait(const struct iot_timeline *tl, struct iot_result_table *table,
		     const struct iot_slow_call *call, const struct iot_slow_wait *wait)
{
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
	iot_result_text(table, iot_cause_name(wait->cause));
	iot_result_text(table, holder);
	iot_result_number(table, wait->held_ns);
	iot_result_text(table, wait->certainty);
	iot_result_number(table, call->item.t0);
	iot_result_number(table, call->item.row);
}

static void publish_waits(const struct iot_slow_calls *calls, struct iot_results *results)
{
	const struct iot_slowest *all = &calls->all;
	struct iot_result_table *table;
	guint n = 0;

	for (guint i = 0; i < all->n; i++)
		n += all->call[i].n_longest;
	if (!n)
		return;
	table = iot_results_add(results, "why_waits", "Waits of the slowest calls");
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
	for (guint i = 0; i < all->n; i++)
		for (guint k = 0; k < all->call[i].n_longest; k++)
			add_wait(calls->tl, table, &all->call[i], &all->call[i].longest[k]);
}

void iot_slow_calls_publish(const struct iot_slow_calls *calls, struct iot_results *results)
{
	publish_waited(calls, results);
	publish_why(calls, results);
	publish_waits(calls, results);
}
