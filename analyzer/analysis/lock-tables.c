/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/lock-tables.h"
#include "analysis/claim-names.h"

/* Resources of the table for people. */
enum { MAX_ROWS = 10 };

/* Sums of a resource over its nodes. */
struct line {
	const struct iot_lock_resource *resource;
	guint64 n_calls[IOT_CALL_KINDS], n_failed, n_remote, n_local, n_unknown, n_messages;
	gboolean inferred; /* some local calls are */
	struct iot_spread trip;
};

static gint by_messages(gconstpointer pa, gconstpointer pb)
{
	const struct line *a = pa, *b = pb;
	int order = iot_compare_number(b->n_messages, a->n_messages);

	if (!order)
		order = iot_compare_number(iot_lock_calls(b->n_calls), iot_lock_calls(a->n_calls));
	return order ? order : iot_compare_number(a->resource->row, b->resource->row);
}

static void add_use(const struct iot_lock_uses *uses, struct line *line,
		    const struct iot_lock_use *use)
{
	guint64 remote = iot_lock_calls(use->n_remote);
	guint64 silent = iot_lock_calls(use->n_calls) - remote;
	enum iot_lock_place place = iot_lock_place(uses, line->resource, use);

	for (guint i = 0; i < IOT_CALL_KINDS; i++)
		line->n_calls[i] += use->n_calls[i];
	line->n_failed += use->n_failed;
	line->n_remote += remote;
	*(place == IOT_PLACE_UNKNOWN ? &line->n_unknown : &line->n_local) += silent;
	line->inferred |= silent && place == IOT_PLACE_INFERRED;
	line->n_messages += iot_lock_use_messages(use);
	iot_spread_merge(&line->trip, &use->trip);
}

static void clear_line(gpointer line)
{
	iot_spread_clear(&((struct line *)line)->trip);
}

/* Resources with rows that are selected, the one with the most messages first. */
static GArray *make_lines(const struct iot_lock_uses *uses)
{
	GArray *lines = g_array_new(FALSE, TRUE, sizeof(struct line));

	g_array_set_clear_func(lines, clear_line);
	for (guint i = 0; i < uses->resources->len; i++) {
		struct line line = { .resource = uses->resources->pdata[i] };

		for (guint k = 0; k < line.resource->uses->len; k++) {
			const struct iot_lock_use *use = line.resource->uses->pdata[k];

			if (!iot_row_at(uses->tl, use->row)->hidden)
				add_use(uses, &line, use);
		}
		if (iot_lock_calls(line.n_calls) || line.n_failed || line.n_messages)
			g_array_append_val(lines, line);
		else
			clear_line(&line);
	}
	g_array_sort(lines, by_messages);
	return lines;
}

/* ---- by resource */

/* "node 3"; "node 1, inferred": no message shows it, and no other node uses the resource. */
static char *master_name(const struct iot_lock_uses *uses, const struct line *line)
{
	const struct iot_lock_use *only;

	if (line->resource->master)
		return g_strdup(
			iot_tl_str(uses->tl, iot_row_at(uses->tl, line->resource->master)->name));
	if (!line->inferred)
		return NULL;
	only = line->resource->uses->pdata[0];
	return g_strdup_printf("%s, inferred", iot_tl_str(uses->tl, iot_lock_use_node(uses, only)));
}

static void count_column(struct iot_result_table *table, const char *name, const char *title,
			 const char *help, guint drop)
{
	struct iot_column *column = iot_result_column(table, name, title, IOT_COLUMN_COUNT);

	column->flags = IOT_COLUMN_DASH | IOT_COLUMN_OPTIONAL;
	column->help = g_strdup(help);
	column->drop = drop;
}

static void call_columns(struct iot_result_table *table)
{
	count_column(table, "requests", "requests", "calls for new locks", 2);
	count_column(table, "conversions", "conversions", "calls for other modes", 3);
	count_column(table, "unlocks", "unlocks", "calls that give locks up", 7);
	count_column(table, "failed", "failed", "calls that were not accepted", 8);
	count_column(table, "local", "local", "calls that the own node decided", 1);
	count_column(table, "remote", "remote", "calls that sent a message to the master", 0);
	count_column(table, "unknown", "unknown", "calls whose master is not known", 0);
	count_column(table, "messages", "messages",
		     "between nodes, of which both ends are recorded", 0);
	count_column(table, "round_trips", "round trips",
		     "requests to the master, up to its first answer", 6);
}

static void trip_columns(struct iot_result_table *table)
{
	struct iot_column *column = iot_result_column(table, "trip_p50", "p50", IOT_COLUMN_NS);

	column->help = g_strdup("of the round trips");
	column->drop = 4;
	iot_result_column(table, "trip_p99", "p99", IOT_COLUMN_NS)->drop = 5;
}

static void add_trip(struct iot_result_table *table, const struct iot_spread *trip)
{
	for (guint i = 0; i < 2; i++)
		if (trip->n)
			iot_result_number(table, iot_spread_quantile(trip, i ? 0.99 : 0.5));
		else
			iot_result_none(table, IOT_CELL_EMPTY);
}

/* The column is left out if no resource has such calls. */
static void add_rare(struct iot_result_table *table, guint64 n)
{
	if (n)
		iot_result_number(table, n);
	else
		iot_result_none(table, IOT_CELL_EMPTY);
}

static void add_line(const struct iot_lock_uses *uses, struct iot_result_table *table,
		     const struct line *line)
{
	g_autofree char *master = master_name(uses, line);

	iot_result_row(table);
	iot_result_number(table, line->resource->row);
	iot_result_text(table, master ? master : "unknown");
	for (guint k = IOT_CALL_BEGINS; k < IOT_CALL_KINDS; k++)
		iot_result_number(table, line->n_calls[k]);
	add_rare(table, line->n_failed);
	iot_result_number(table, line->n_local);
	iot_result_number(table, line->n_remote);
	add_rare(table, line->n_unknown);
	iot_result_number(table, line->n_messages);
	iot_result_number(table, line->trip.n);
	add_trip(table, &line->trip);
}

static void add_notes(const struct iot_lock_uses *uses, const GArray *lines,
		      const struct iot_lock_doubts *doubts, struct iot_result_table *table)
{
	const struct iot_lock_use *others = &uses->others;
	gboolean inferred = FALSE, unknown = FALSE;

	for (guint i = 0; i < MIN(lines->len, MAX_ROWS); i++) {
		const struct line *line = &g_array_index(lines, struct line, i);

		inferred |= line->inferred;
		unknown |= line->n_unknown > 0;
	}
	if (!g_hash_table_size(uses->talks))
		iot_result_note(table,
				"no message between nodes is recorded, so no master is known");
	else if (unknown)
		iot_result_note(table, "unknown: no message of the call is recorded, and another "
				       "node may have been the master");
	if (inferred)
		iot_result_note(table, "inferred: no message shows the master, and only this node "
				       "uses the resource");
	if (doubts->lost)
		iot_result_note(table,
				"events were lost: all numbers are the least, and a call whose "
				"messages are among the lost events counts as local or unknown");
	if (uses->n_others)
		iot_result_note(table,
				"the first %d resources; %" G_GUINT64_FORMAT
				" calls and %" G_GUINT64_FORMAT " messages were for others",
				IOT_LOCK_RESOURCES, iot_lock_calls(others->n_calls),
				iot_lock_use_messages(others));
	if (doubts->n_forgotten)
		iot_result_note(table,
				"%" G_GUINT64_FORMAT " locks were forgotten, because too many were "
				"open at once: calls on them may count as local or unknown",
				doubts->n_forgotten);
}

static void publish_resources(const struct iot_lock_uses *uses, const GArray *lines,
			      const struct iot_lock_doubts *doubts, struct iot_results *results)
{
	struct iot_result_table *table =
		iot_results_add(results, "lock_statistics", "Lock statistics");

	table->counts_others = TRUE;
	iot_result_column(table, "resource", "resource", IOT_COLUMN_ROW)->flags = IOT_COLUMN_SHRINK;
	iot_result_column(table, "master", "master", IOT_COLUMN_TEXT)->help =
		g_strdup("the last one that a message shows");
	call_columns(table);
	trip_columns(table);
	for (guint i = 0; i < MIN(lines->len, MAX_ROWS); i++)
		add_line(uses, table, &g_array_index(lines, struct line, i));
	if (lines->len > MAX_ROWS)
		table->remark = g_strdup_printf("the %d with the most messages, of %u", MAX_ROWS,
						lines->len);
	add_notes(uses, lines, doubts, table);
}

/* ---- by resource and node, for programs */

static void spread_columns(struct iot_result_table *table, const char *prefix)
{
	static const char *const names[] = { "p50", "p90", "p99", "max", "sum" };

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *name = g_strdup_printf("%s_%s", prefix, names[i]);
		g_autofree char *title = g_strdup_printf("%s %s", prefix, names[i]);

		iot_result_column(table, name, title, IOT_COLUMN_NS);
	}
}

static void add_spread(struct iot_result_table *table, const struct iot_spread *spread)
{
	iot_result_number(table, iot_spread_quantile(spread, 0.5));
	iot_result_number(table, iot_spread_quantile(spread, 0.9));
	iot_result_number(table, iot_spread_quantile(spread, 0.99));
	iot_result_number(table, spread->max_ns);
	iot_result_number(table, spread->sum_ns);
}

static void add_use_row(const struct iot_lock_uses *uses, struct iot_result_table *table,
			const struct iot_lock_resource *resource, const struct iot_lock_use *use)
{
	static const char *const places[] = {
		[IOT_PLACE_KNOWN] = "known",
		[IOT_PLACE_INFERRED] = "inferred",
		[IOT_PLACE_UNKNOWN] = "unknown",
	};
	enum iot_lock_place place = iot_lock_place(uses, resource, use);
	guint64 remote = iot_lock_calls(use->n_remote);
	guint64 silent = iot_lock_calls(use->n_calls) - remote;

	iot_result_row(table);
	iot_result_number(table, resource->row);
	iot_result_text(table, iot_tl_str(uses->tl, iot_lock_use_node(uses, use)));
	iot_result_text(table, silent ? places[place] : NULL);
	for (guint k = IOT_CALL_BEGINS; k < IOT_CALL_KINDS; k++)
		iot_result_number(table, use->n_calls[k]);
	iot_result_number(table, use->n_failed);
	iot_result_number(table, place == IOT_PLACE_UNKNOWN ? 0 : silent);
	iot_result_number(table, remote);
	iot_result_number(table, place == IOT_PLACE_UNKNOWN ? silent : 0);
	iot_result_number(table, iot_lock_use_messages(use));
	iot_result_number(table, use->trip.n);
	iot_result_number(table, use->n_blocked);
	iot_result_number(table, use->n_partial);
	iot_result_number(table, use->wait.n);
	iot_result_number(table, use->hold.n);
	add_spread(table, &use->trip);
	add_spread(table, &use->wait);
	add_spread(table, &use->hold);
}

static void publish_uses(const struct iot_lock_uses *uses, const GArray *lines,
			 struct iot_results *results)
{
	struct iot_result_table *table =
		iot_results_add(results, "lock_nodes", "Lock statistics, by node");

	table->for_programs = TRUE;
	iot_result_column(table, "resource", "resource", IOT_COLUMN_ROW);
	iot_result_column(table, "node", "node", IOT_COLUMN_TEXT);
	iot_result_column(table, "master", "master", IOT_COLUMN_TEXT)->help =
		g_strdup("whether the node is known to be the master for the calls without a "
			 "message");
	call_columns(table);
	count_column(table, "blocked", "blocked", "callbacks of locks that block others", 0);
	count_column(table, "partial", "partial",
		     "waits and holds that are not whole, and not in "
		     "the distributions",
		     0);
	count_column(table, "waits", "waits", "whole waits", 0);
	count_column(table, "holds", "holds", "whole holds in modes that exclude others", 0);
	spread_columns(table, "trip");
	spread_columns(table, "wait");
	spread_columns(table, "hold");
	for (guint i = 0; i < lines->len; i++) {
		const struct iot_lock_resource *resource =
			g_array_index(lines, struct line, i).resource;

		for (guint k = 0; k < resource->uses->len; k++) {
			const struct iot_lock_use *use = resource->uses->pdata[k];

			if (!iot_row_at(uses->tl, use->row)->hidden)
				add_use_row(uses, table, resource, use);
		}
	}
}

void iot_lock_tables_publish(const struct iot_lock_uses *uses, const struct iot_lock_doubts *doubts,
			     struct iot_results *results)
{
	g_autoptr(GArray) lines = make_lines(uses);

	if (!lines->len)
		return;
	publish_resources(uses, lines, doubts, results);
	publish_uses(uses, lines, results);
}
