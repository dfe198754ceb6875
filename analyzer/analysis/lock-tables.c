/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/lock-tables.h"
#include "analysis/claim-names.h"

/* Sums of a resource over its nodes. */
struct line {
	const struct iot_lock_resource *resource;
	guint64 n_calls[IOT_CALL_KINDS], n_failed, n_remote, n_local, n_unknown, n_messages;
	gboolean inferred; /* some local calls are */
	struct iot_histogram trip;
};

static int most_messages(gconstpointer pa, gconstpointer pb, gconstpointer uses)
{
	const struct line *a = pa, *b = pb;
	int order = iot_compare_number(b->n_messages, a->n_messages);

	(void)uses;
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
	iot_histogram_merge_counts(&line->trip, &use->trip);
}

static void free_line(gpointer line)
{
	iot_histogram_clear(&((struct line *)line)->trip);
	g_free(line);
}

/* Resources with rows that are selected. */
static GPtrArray *make_lines(const struct iot_lock_uses *uses)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(free_line);

	for (guint i = 0; i < uses->resources->len; i++) {
		struct line line = { .resource = uses->resources->pdata[i] };

		for (guint k = 0; k < line.resource->uses->len; k++) {
			const struct iot_lock_use *use = line.resource->uses->pdata[k];

			if (!iot_row_at(uses->tl, use->row)->hidden)
				add_use(uses, &line, use);
		}
		if (iot_lock_calls(line.n_calls) || line.n_failed || line.n_messages)
			g_ptr_array_add(lines, g_memdup2(&line, sizeof(line)));
		else
			iot_histogram_clear(&line.trip);
	}
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

enum { RARE = IOT_COLUMN_DASH | IOT_COLUMN_OPTIONAL };

/* clang-format off */
#define CALL_COLUMNS \
	{ "requests", "requests", IOT_COLUMN_COUNT, RARE, 2, "calls for new locks" }, \
	{ "conversions", "conversions", IOT_COLUMN_COUNT, RARE, 3, "calls for other modes" }, \
	{ "unlocks", "unlocks", IOT_COLUMN_COUNT, RARE, 7, "calls that give locks up" }, \
	{ "failed", "failed", IOT_COLUMN_COUNT, RARE, 8, "calls that were not accepted" }, \
	{ "local", "local", IOT_COLUMN_COUNT, RARE, 1, "calls that the own node decided" }, \
	{ "remote", "remote", IOT_COLUMN_COUNT, RARE, 0, "calls that sent a message to the master" }, \
	{ "unknown", "unknown", IOT_COLUMN_COUNT, RARE, 0, "calls whose master is not known" }, \
	{ "messages", "messages", IOT_COLUMN_COUNT, RARE, 0, \
	  "between nodes, of which both ends are recorded" }, \
	{ "round_trips", "round trips", IOT_COLUMN_COUNT, RARE, 6, \
	  "requests to the master, up to its first answer" }
/* clang-format on */

static void add_line(struct iot_result_table *table, gconstpointer element, gconstpointer uses)
{
	const struct line *line = element;
	g_autofree char *master = master_name(uses, line);

	iot_ranked_row(table, iot_cell_number(line->resource->row),
		       iot_cell_text(master ? master : "unknown"));
	for (guint k = IOT_CALL_BEGINS; k < IOT_CALL_KINDS; k++)
		iot_result_number(table, line->n_calls[k]);
	/* a column of rare calls is left out if no resource has any */
	iot_ranked_cell(table, iot_cell_positive(line->n_failed));
	iot_result_number(table, line->n_local);
	iot_result_number(table, line->n_remote);
	iot_ranked_cell(table, iot_cell_positive(line->n_unknown));
	iot_result_number(table, line->n_messages);
	iot_result_number(table, line->trip.n);
	for (guint i = 0; i < 2 && line->trip.n; i++)
		iot_result_number(table, iot_histogram_quantile(&line->trip, i ? 0.99 : 0.5));
}

static const struct iot_ranked_column resource_columns[] = {
	{ "resource", "resource", IOT_COLUMN_ROW, IOT_COLUMN_SHRINK },
	{ "master", "master", IOT_COLUMN_TEXT, .help = "the last one that a message shows" },
	CALL_COLUMNS,
	{ "trip_p50", "p50", IOT_COLUMN_NS, 0, 4, "of the round trips" },
	{ "trip_p99", "p99", IOT_COLUMN_NS, 0, 5 },
};

static const struct iot_ranked resources_ranked = {
	IOT_RANKED("lock_statistics", "Lock statistics", resource_columns),
	.limit = 10,
	.most = "with the most messages",
	.loss = IOT_LOSS_IN_CELLS,
	.compare = most_messages,
	.add = add_line,
};

static void add_notes(const struct iot_lock_uses *uses, const GPtrArray *lines,
		      const struct iot_lock_doubts *doubts, struct iot_result_table *table)
{
	const struct iot_lock_use *others = &uses->others;
	gboolean inferred = FALSE, unknown = FALSE;

	for (guint i = 0; i < MIN(lines->len, resources_ranked.limit); i++) {
		const struct line *line = lines->pdata[i];

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

/* ---- by resource and node, for programs */

/* clang-format off */
#define SPREAD_COLUMNS(of) \
	{ of "_p50", of " p50", IOT_COLUMN_NS }, { of "_p90", of " p90", IOT_COLUMN_NS }, \
	{ of "_p99", of " p99", IOT_COLUMN_NS }, { of "_max", of " max", IOT_COLUMN_NS }, \
	{ of "_sum", of " sum", IOT_COLUMN_NS }
/* clang-format on */

static const struct iot_ranked_column use_columns[] = {
	{ "resource", "resource", IOT_COLUMN_ROW },
	{ "node", "node", IOT_COLUMN_TEXT },
	{ "master", "master", IOT_COLUMN_TEXT,
	  .help = "whether the node is known to be the master for the calls without a message" },
	CALL_COLUMNS,
	{ "blocked", "blocked", IOT_COLUMN_COUNT, RARE, 0, "callbacks of locks that block others" },
	{ "partial", "partial", IOT_COLUMN_COUNT, RARE, 0,
	  "waits and holds that are not whole, and not in the distributions" },
	{ "waits", "waits", IOT_COLUMN_COUNT, RARE, 0, "whole waits" },
	{ "holds", "holds", IOT_COLUMN_COUNT, RARE, 0, "whole holds in modes that exclude others" },
	SPREAD_COLUMNS("trip"),
	SPREAD_COLUMNS("wait"),
	SPREAD_COLUMNS("hold"),
};

static void add_times(struct iot_result_table *table, const struct iot_counts *counts)
{
	struct iot_histogram all = { 0 };

	iot_histogram_merge_counts(&all, counts);
	iot_ranked_percentiles(table, &all);
	iot_result_number(table, counts->max_ns);
	iot_result_number(table, counts->sum_ns);
	iot_histogram_clear(&all);
}

static void add_use_row(struct iot_result_table *table, const struct iot_lock_uses *uses,
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

	iot_ranked_row(table, iot_cell_number(resource->row),
		       iot_cell_text(iot_tl_str(uses->tl, iot_lock_use_node(uses, use))),
		       iot_cell_text(silent ? places[place] : NULL));
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
	add_times(table, &use->trip);
	add_times(table, &use->wait);
	add_times(table, &use->hold);
}

static void add_uses(struct iot_result_table *table, gconstpointer line, gconstpointer data)
{
	const struct iot_lock_uses *uses = data;
	const struct iot_lock_resource *resource = ((const struct line *)line)->resource;

	for (guint i = 0; i < resource->uses->len; i++) {
		const struct iot_lock_use *use = resource->uses->pdata[i];

		if (!iot_row_at(uses->tl, use->row)->hidden)
			add_use_row(table, uses, resource, use);
	}
}

static const struct iot_ranked uses_ranked = {
	IOT_RANKED("lock_nodes", "Lock statistics, by node", use_columns),
	.for_programs = TRUE,
	.loss = IOT_LOSS_IN_CELLS,
	.compare = most_messages,
	.add = add_uses,
};

void iot_lock_tables_publish(const struct iot_lock_uses *uses, const struct iot_lock_doubts *doubts,
			     struct iot_results *results)
{
	g_autoptr(GPtrArray) lines = make_lines(uses);
	struct iot_result_table *table =
		iot_ranked_publish(results, uses->tl, &resources_ranked, lines, uses);

	if (table)
		add_notes(uses, lines, doubts, table);
	iot_ranked_publish(results, uses->tl, &uses_ranked, lines, uses);
}
