/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inputs, time range, and the counters of lost, guessed and uncertain data. */
#include "sinks/publish.h"
#include "base/units.h"
#include "tables/ranked.h"

#include <string.h>

/* The node is shorter than the path, and the name in the other sections. */
static const char *input_name(const struct iot_summary_input *input)
{
	return input->node && *input->node ? input->node : input->path;
}

static char *describe_sync(const struct iot_summary_input *input)
{
	const char *sync = input->sync ? input->sync : "unknown";
	GString *text = g_string_new(sync);

	/* measured, but not against the clock of the first input */
	if (input->other_session)
		return g_string_free(g_string_assign(text, "no, another session"), FALSE);
	if (input->protocol && *input->protocol && g_strcmp0(input->protocol, "none"))
		g_string_append_printf(text, ", %s", input->protocol);
	if (input->n_samples)
		g_string_append_printf(text, ", %u %s", input->n_samples,
				       input->n_samples == 1 ? "sample" : "samples");
	return g_string_free(text, FALSE);
}

enum { OPTIONAL = IOT_COLUMN_OPTIONAL, SHRINK = OPTIONAL | IOT_COLUMN_SHRINK };

static const struct iot_ranked_column input_columns[] = {
	{ "file", "file", IOT_COLUMN_TEXT, SHRINK },
	{ "node", "node", IOT_COLUMN_TEXT, SHRINK },
	{ "host", "host", IOT_COLUMN_TEXT, SHRINK, 1 },
	{ "kernel", "kernel", IOT_COLUMN_TEXT, SHRINK, 4 },
	{ "cpus", "CPUs", IOT_COLUMN_COUNT, OPTIONAL, 2 },
	{ "events", "events", IOT_COLUMN_COUNT, OPTIONAL | IOT_COLUMN_DASH },
	{ "lost", "lost", IOT_COLUMN_COUNT, OPTIONAL | IOT_COLUMN_DASH | IOT_COLUMN_ALARM },
	{ "clock", "clock", IOT_COLUMN_TEXT, OPTIONAL, 3 },
	{ "sync", "sync", IOT_COLUMN_TEXT, OPTIONAL },
	{ "format", "format", IOT_COLUMN_TEXT, OPTIONAL, 5 },
	{ "damaged", "damaged", IOT_COLUMN_TEXT,
	  OPTIONAL | IOT_COLUMN_UNTITLED | IOT_COLUMN_ALARM },
};

/* Only with --names. */
static const struct iot_ranked_column above_column = { "above", "above", IOT_COLUMN_TEXT, SHRINK };

static const struct iot_ranked inputs_ranked = {
	IOT_RANKED("inputs", "Inputs", input_columns),
	.help = "the recordings, one row for each",
	.loss = IOT_LOSS_NOTHING,
};

static void add_input(struct iot_result_table *table, const struct iot_summary_input *input,
		      guint verbose)
{
	gboolean same_name = !g_strcmp0(input->hostname, input->node);
	g_autofree char *sync = describe_sync(input);

	iot_ranked_row(table, iot_cell_text(input->path), iot_cell_text(input->node),
		       iot_cell_text(same_name ? NULL : input->hostname),
		       iot_cell_text(input->kernel), iot_cell_positive(input->n_cpus),
		       iot_cell_number(input->n_events), iot_cell_number(input->n_lost),
		       iot_cell_text(input->clock), iot_cell_text(sync),
		       iot_cell_text(verbose ? input->format : NULL),
		       iot_cell_text(input->damaged ? "damaged" : NULL));
}

/* The first ones: a file may name all machines of a site. */
static void note_unused(struct iot_result_table *table, const struct iot_summary *summary)
{
	enum { MOST = 10 };
	const GPtrArray *unused = summary->names_unused;
	g_autoptr(GString) list = g_string_new(NULL);

	for (guint i = 0; i < MIN(unused->len, MOST); i++)
		g_string_append_printf(list, "%s%s", i ? ", " : "", (char *)unused->pdata[i]);
	if (unused->len > MOST)
		g_string_append_printf(list, " and %u more", unused->len - MOST);
	if (unused->len)
		iot_result_note(table, "%s: nothing matched %s", summary->names, list->str);
}

void iot_publish_inputs(const struct iot_publishing *from, struct iot_results *to)
{
	const struct iot_summary *summary = from->summary;
	struct iot_result_table *table;

	if (!summary->n_inputs)
		return;
	table = iot_ranked_table(to, NULL, &inputs_ranked, summary->n_inputs);
	if (summary->names)
		iot_ranked_columns(table, &above_column, 1);
	for (guint i = 0; i < summary->n_inputs; i++) {
		add_input(table, &summary->inputs[i], summary->verbose);
		if (summary->names)
			iot_ranked_cell(table, iot_cell_text(summary->inputs[i].above));
	}
	for (guint i = 0; i < summary->n_inputs; i++)
		if (summary->inputs[i].messages_name)
			iot_result_note(table, "%s is mapped to %s, but its messages say node %s",
					summary->inputs[i].path, summary->inputs[i].node,
					summary->inputs[i].messages_name);
	for (guint i = 0; i < summary->n_inputs; i++)
		if (summary->inputs[i].host_name_shared)
			iot_result_note(table,
					"%s is kept apart as %s: other recordings have its host "
					"name (%s), too",
					summary->inputs[i].path, summary->inputs[i].node,
					summary->inputs[i].hostname);
	if (summary->names_unused)
		note_unused(table, summary);
	if (summary->unknown_systems)
		iot_result_note(table, "recorded, but not drawn: events of %s",
				summary->unknown_systems);
}

/* @goes_on: reading stopped before its end, which is unknown */
static void add_range(struct iot_result_table *table, const char *name, guint64 from, guint64 to,
		      gboolean goes_on)
{
	iot_ranked_row(table, iot_cell_text(name), iot_cell_number(from),
		       iot_cell_known(!goes_on, iot_cell_number(to)),
		       iot_cell_known(!goes_on, iot_cell_number(to > from ? to - from : 0)));
}

static const struct iot_ranked_column range_columns[] = {
	{ "part", "part", IOT_COLUMN_TEXT, IOT_COLUMN_UNTITLED },
	{ "begin", "begin", IOT_COLUMN_INSTANT },
	{ "end", "end", IOT_COLUMN_INSTANT },
	{ "length", "length", IOT_COLUMN_NS },
};

static const struct iot_ranked ranges_ranked = {
	IOT_RANKED("ranges", "Time range", range_columns),
	.help = "the recording, the part that is shown, and each input",
	.loss = IOT_LOSS_NOTHING,
};

/* There is a window, and it overlaps the recording. */
static gboolean has_window(const struct iot_summary *summary)
{
	return (summary->from_ns != summary->begin_ns || summary->to_ns != summary->end_ns) &&
	       summary->from_ns <= summary->end_ns && summary->to_ns >= summary->begin_ns;
}

void iot_publish_ranges(const struct iot_publishing *from, struct iot_results *to)
{
	const struct iot_summary *summary = from->summary;
	struct iot_result_table *table;
	gboolean goes_on = FALSE;
	guint n_timed = 0;

	for (guint i = 0; i < summary->n_inputs; i++) {
		n_timed += summary->inputs[i].has_times;
		goes_on |= summary->inputs[i].goes_on;
	}
	if (!n_timed)
		return;
	table = iot_ranked_table(to, NULL, &ranges_ranked, 0);
	table->remark = g_strdup("seconds; HOST: as trace-cmd report prints it");
	add_range(table, "recording", summary->begin_ns, summary->end_ns, goes_on);
	if (has_window(summary)) {
		add_range(table, "window", iot_shown_from(summary), iot_shown_to(summary), FALSE);
		g_array_index(table->rows, struct iot_result_row, 1).strong = TRUE;
	}
	for (guint i = 0; n_timed > 1 && i < summary->n_inputs; i++)
		if (summary->inputs[i].has_times)
			add_range(table, input_name(&summary->inputs[i]),
				  summary->inputs[i].first_ns, summary->inputs[i].last_ns,
				  summary->inputs[i].goes_on);
	if (goes_on)
		iot_result_note(table, "?: not read to its end, as the window ends before");
	if (summary->from_ns != summary->begin_ns)
		iot_result_note(table, "timelines count from the beginning of the window");
	if (summary->verbose && summary->index && *summary->index)
		iot_result_note(table, "index: %s", summary->index);
}

/* "node 1: 1200", "node 2: 34", if the counter is known for some input and there are several */
static char *share_by_input(const struct iot_summary *summary, enum iot_diag_id id)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; summary->n_inputs > 1 && i < summary->n_inputs; i++) {
		const struct iot_summary_input *input = &summary->inputs[i];
		g_autofree char *count = iot_format_count(input->diag.count[id]);

		if (input->diag.count[id])
			g_string_append_printf(text, "%s%s: %s", text->len ? "\n" : "",
					       input_name(input), count);
	}
	return g_string_free(text, FALSE);
}

static void add_diagnostic(struct iot_result_table *table, const struct iot_summary *summary,
			   enum iot_diag_id id)
{
	const struct iot_diag_info *info = iot_diag_info(id);
	g_autofree char *inputs = share_by_input(summary, id);

	iot_ranked_row(table, iot_cell_number(info->severity),
		       iot_cell_number(summary->diag.count[id]), iot_cell_text(info->text),
		       iot_cell_text(inputs), iot_cell_text(info->name));
}

void iot_publish_diagnostics(const struct iot_publishing *from, struct iot_results *to)
{
	static const struct iot_ranked_column columns[] = {
		{ "severity", "severity", IOT_COLUMN_SEVERITY },
		{ "count", "count", IOT_COLUMN_COUNT },
		{ "meaning", "meaning", IOT_COLUMN_TEXT },
		{ "inputs", "inputs", IOT_COLUMN_TEXT, IOT_COLUMN_LIST | OPTIONAL },
		{ "counter", "counter", IOT_COLUMN_TEXT, IOT_COLUMN_DATA },
	};
	static const struct iot_ranked ranked = {
		IOT_RANKED("diagnostics", "Diagnostics", columns),
		.help = "counters of lost, guessed and uncertain data",
		.loss = IOT_LOSS_NOTHING,
	};
	const struct iot_diag *diag = &from->summary->diag;
	struct iot_result_table *table;

	if (iot_diag_worst(diag) < 0)
		return;
	table = iot_ranked_table(to, NULL, &ranked, 0);
	for (int severity = IOT_LOSS; severity >= IOT_NOTICE; severity--)
		for (guint id = 0; id < IOT_DIAG_COUNT; id++)
			if (diag->count[id] && (int)iot_diag_info(id)->severity == severity)
				add_diagnostic(table, from->summary, id);
}
