/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of what was done for the slowest calls, and of who woke their threads, for programs. */
#include "analysis/slow-calls-local.h"
#include "tables/ranked.h"

static const char *name_of(const struct iot_timeline *tl, iot_cat_id cat)
{
	return cat ? iot_tl_str(tl, iot_cat_at(tl, cat)->name) : NULL;
}

/* ---- the work for them */

static const struct iot_ranked_column request_columns[] = {
	{ "call_begin", "call began", IOT_COLUMN_INSTANT },
	{ "call_row", "call", IOT_COLUMN_ROW },
	{ "asked", "request", IOT_COLUMN_TEXT, .help = "of the call; empty: work of its thread" },
	{ "phase", "phase", IOT_COLUMN_TEXT,
	  .help = "work; before, travel, queue, return, after: of the request's way; short: many "
		  "parts" },
	{ "what", "in", IOT_COLUMN_TEXT },
	{ "row", "on", IOT_COLUMN_ROW },
	{ "node", "node", IOT_COLUMN_TEXT },
	{ "ns", "time", IOT_COLUMN_NS },
	{ "share", "share", IOT_COLUMN_SHARE, .help = "of the call" },
};

static void add_requests(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_timeline *tl = ((const struct iot_slow_calls *)data)->tl;
	const struct iot_slow_call *call = element;
	guint64 took = call->item.t1 - call->item.t0;

	for (guint i = 0; i < call->n_parts; i++) {
		const struct iot_slow_part *part = &call->part[i];
		iot_row_id node = iot_row_node(tl, part->row);

		if (part->wakers)
			continue;
		iot_ranked_row(
			table, iot_cell_number(call->item.t0), iot_cell_number(call->item.row),
			iot_cell_text(name_of(tl, part->asked)),
			iot_cell_text(iot_slow_part_phase(part->phase)),
			iot_cell_text(name_of(tl, part->cat)), iot_cell_number(part->row),
			iot_cell_text(node ? iot_tl_str(tl, iot_row_at(tl, node)->name) : NULL),
			iot_cell_number(part->ns), iot_cell_share((double)part->ns / (double)took));
	}
}

static const struct iot_ranked requests_ranked = {
	IOT_RANKED("why_requests", "Requests of the slowest calls", request_columns),
	.for_programs = TRUE,
	.loss = IOT_LOSS_IN_CELLS,
	.add = add_requests,
};

/* ---- who woke their threads */

static const struct iot_ranked_column waker_columns[] = {
	{ "call_begin", "call began", IOT_COLUMN_INSTANT },
	{ "call_row", "call", IOT_COLUMN_ROW },
	{ "wakers", "woken by", IOT_COLUMN_TEXT,
	  .help = "its thread slept until then; if the waker had slept, who woke that one, and so "
		  "on" },
	{ "did", "which did", IOT_COLUMN_TEXT,
	  .help = "the last of them, meanwhile; empty: an interrupt" },
	{ "row", "on", IOT_COLUMN_ROW },
	{ "ns", "time", IOT_COLUMN_NS },
	{ "share", "share", IOT_COLUMN_SHARE, .help = "of the call" },
};

static void add_wakers(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_slow_calls *calls = data;
	const struct iot_wakers *wakers = iot_sleeps_wakers(calls->sleeps);
	const struct iot_slow_call *call = element;
	guint64 took = call->item.t1 - call->item.t0;

	for (guint i = 0; i < call->n_parts; i++) {
		const struct iot_slow_part *part = &call->part[i];
		g_autoptr(GString) by = g_string_new(NULL), did = g_string_new(NULL);

		if (!part->wakers)
			continue;
		iot_wakers_name(wakers, part->wakers, IOT_MAX_WAKERS, by);
		iot_slow_did_name(calls->tl, wakers, part, did);
		iot_ranked_row(
			table, iot_cell_number(call->item.t0), iot_cell_number(call->item.row),
			iot_cell_text(by->str), iot_cell_text(did->str), iot_cell_number(part->row),
			iot_cell_number(part->ns), iot_cell_share((double)part->ns / (double)took));
	}
}

static const struct iot_ranked wakers_ranked = {
	IOT_RANKED("why_asleep", "Who woke the threads of the slowest calls", waker_columns),
	.for_programs = TRUE,
	.loss = IOT_LOSS_IN_CELLS,
	.add = add_wakers,
};

void iot_slow_parts_publish(const struct iot_slow_calls *calls, struct iot_results *results)
{
	g_autoptr(GPtrArray) requests = g_ptr_array_new(), asleep = g_ptr_array_new();

	for (guint i = 0; i < calls->all.n; i++) {
		const struct iot_slow_call *call = &calls->all.call[i];

		if (call->linked_ns)
			g_ptr_array_add(requests, (gpointer)call);
		if (call->asleep_ns)
			g_ptr_array_add(asleep, (gpointer)call);
	}
	if (requests->len)
		iot_ranked_publish(results, calls->tl, &requests_ranked, requests, calls);
	if (asleep->len)
		iot_ranked_publish(results, calls->tl, &wakers_ranked, asleep, calls);
}
