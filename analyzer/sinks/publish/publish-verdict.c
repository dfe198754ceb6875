/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict: the longest wait and its holders, the resource with the most waiting, and the lost
 * events. One sentence each, made from the tables of blame.
 */
#include "sinks/publish.h"
#include "base/units.h"

struct verdict {
	const struct iot_publishing *from;
	struct iot_result_table *table;
};

static const struct iot_result_cell *cell(const struct iot_result_table *table, guint row,
					  const char *column)
{
	return &iot_result_row_at(table, row)->cells[iot_result_find_column(table, column)];
}

static const struct iot_result_table *find(const struct iot_publishing *from, const char *name)
{
	const struct iot_results *results = from->summary->results;
	const struct iot_result_table *table = results ? iot_results_find(results, name) : NULL;

	return table && table->rows->len ? table : NULL;
}

static void say(const struct verdict *verdict, char *sentence)
{
	iot_result_row(verdict->table);
	iot_result_text(verdict->table, sentence);
	g_free(sentence);
}

/* Whether all holds in the way of the first wait are proved; NULL: there are none. */
static const char *certainty(const struct iot_result_table *holders)
{
	const char *found = NULL;

	for (guint i = 0; i < holders->rows->len && cell(holders, i, "wait")->number == 1; i++) {
		if (cell(holders, i, "place")->flags & IOT_CELL_EMPTY)
			continue;
		found = cell(holders, i, "certainty")->text;
		if (g_strcmp0(found, "proved"))
			break;
	}
	return found;
}

static void say_longest(const struct verdict *verdict, const struct iot_result_table *holders)
{
	const struct iot_timeline *tl = verdict->from->tl;
	iot_row_id waiter = (iot_row_id)cell(holders, 0, "waiter")->number;
	iot_row_id node = iot_row_node(tl, waiter);
	const struct iot_result_cell *asks = cell(holders, 0, "asks");
	g_autofree char *waited = iot_format_duration(cell(holders, 0, "waited")->number);
	g_autofree char *path = iot_timeline_path(tl, iot_row_at(tl, node)->parent, "/");
	const char *process = cell(holders, 0, "waiting_process")->text;
	const char *certain = certainty(holders);

	say(verdict,
	    g_strdup_printf(
		    "Longest wait: %s for %s: %s%s%s%s wants %s; causes: %s%s%s%s", waited, path,
		    iot_tl_str(tl, iot_row_at(tl, node)->name), *process ? " (" : "", process,
		    *process ? ")" : "",
		    asks->flags ? "it"
				: iot_tl_str(tl, iot_cat_at(tl, (iot_cat_id)asks->number)->name),
		    cell(holders, 0, "held_by")->text, certain ? " (" : "", certain ? certain : "",
		    certain ? ")" : ""));
}

static void say_most(const struct verdict *verdict, const struct iot_result_table *resources)
{
	const struct iot_timeline *tl = verdict->from->tl;
	g_autofree char *waited = iot_format_duration(cell(resources, 0, "waited")->number);
	g_autofree char *path =
		iot_timeline_path(tl, (iot_row_id)cell(resources, 0, "resource")->number, "/");
	const struct iot_result_cell *held_by = cell(resources, 0, "held_by");

	say(verdict, g_strdup_printf("Most waited for: %s, %s: by %s; %s%s", path, waited,
				     cell(resources, 0, "waited_by")->text,
				     held_by->flags ? "no holder was seen" : "held by ",
				     held_by->flags ? "" : held_by->text));
}

/* Lost events may hide a holder. */
static void say_lost(const struct verdict *verdict)
{
	const struct iot_summary *summary = verdict->from->summary;
	g_autoptr(GString) text = g_string_new(NULL);
	guint n_nodes = 0;

	for (guint i = 0; i < summary->n_inputs; i++) {
		const struct iot_summary_input *input = &summary->inputs[i];
		g_autofree char *lost = iot_format_count(input->n_lost);

		n_nodes += input->n_events ? 1 : 0;
		if (input->n_lost)
			g_string_append_printf(text, "%s%s of %s",
					       text->len ? ", " : "Lost: ", lost, input->node);
		if (input->damaged)
			g_string_append_printf(text, "%spart of %s",
					       text->len ? ", " : "Lost: ", input->path);
	}
	if (text->len)
		g_string_append(text, "; locks may be unknown there, and waits longer than shown");
	else
		g_string_append(text, "No event was lost");
	if (n_nodes == 1)
		g_string_append(text, "; one node was recorded, holders on others are not known");
	say(verdict, g_string_free(g_steal_pointer(&text), FALSE));
}

static void publish_verdict(const struct iot_publishing *from, struct iot_results *to)
{
	struct verdict verdict = { .from = from };
	const struct iot_result_table *holders = find(from, "holders");
	const struct iot_result_table *resources = find(from, "blame_resources");

	if (!holders || !resources)
		return;
	verdict.table = iot_results_add(to, "verdict", "Verdict");
	iot_result_column(verdict.table, "sentence", "sentence", IOT_COLUMN_TEXT);
	say_longest(&verdict, holders);
	say_most(&verdict, resources);
	say_lost(&verdict);
}

const struct iot_publisher iot_publish_verdict = { "verdict", publish_verdict };
